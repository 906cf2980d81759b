from __future__ import annotations

from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_1samp

from tests.statistics.corpora import corpus, items_frame, judged, unjudged
from verdict_frames.errors import ArgumentError, ColumnError, OptionError
from verdict_frames.statistics.pass_at_k import ITEMS_SCHEMA, OVERALL_SCHEMA, pass_at_k

if TYPE_CHECKING:
    from verdict_frames.frames.corpus import Corpus

TOO_FEW = "fewer than k judged trials"


def repeats(tries: dict[str, str], **columns: Any) -> Corpus:
    """Run n holds the nth try of each item: P accepted, F rejected, - not assessed, x the agent failed, blank none."""
    made = {
        "P": lambda name: judged("ACCEPTED", item_id=name),
        "F": lambda name: judged("REJECTED", item_id=name),
        "-": lambda name: judged("NOT_ASSESSED", item_id=name),
        "x": lambda name: unjudged(success=False, item_id=name),
    }
    most = max(map(len, tries.values()), default=0)
    runs = {
        f"run-{n}": [made[word[n]](name) for name, word in tries.items() if word[n : n + 1].strip()]
        for n in range(most)
    }
    return corpus(runs, repeat={f"run-{n}": n for n in range(most)}, **columns)


def values(found: pl.DataFrame, name: str) -> list[Any]:
    return found.filter(estimate=name).select("value", "ci_low", "ci_high", "ci_method", "note").rows()


@given(st.integers(1, 7).flatmap(lambda n: st.tuples(st.text("PF", min_size=n, max_size=n), st.integers(1, n))))
def test_both_estimates_are_shares_of_all_choices_of_k_tries(drawn: tuple[str, int]) -> None:
    word, k = drawn
    (row,) = pass_at_k(repeats({"a": word}), k).items.rows(named=True)
    chosen = list(combinations(word, k))
    assert (row["trials"], row["passes"]) == (len(word), word.count("P"))
    assert row["pass_at_k"] == sum("P" in tries for tries in chosen) / len(chosen)
    assert row["pass_hat_k"] == sum("F" not in tries for tries in chosen) / len(chosen)


@pytest.mark.parametrize("rate", [0.0, 0.2, 0.7, 1.0])
def test_they_are_unbiased_by_enumeration_of_all_outcomes(rate: float) -> None:
    n, k = 5, 3
    words = {f"item {passes}": "P" * passes + "F" * (n - passes) for passes in range(n + 1)}
    frame = pass_at_k(repeats(words), k).items.sort("passes")
    chances = [comb(n, passes) * rate**passes * (1 - rate) ** (n - passes) for passes in range(n + 1)]
    expected = [sum(map(float.__mul__, chances, frame[name])) for name in ("pass_at_k", "pass_hat_k")]
    assert expected == pytest.approx([1 - (1 - rate) ** k, rate**k])


def test_only_judged_trials_are_tries_and_items_with_too_few_are_dropped_and_counted() -> None:
    found = pass_at_k(repeats({"a": "PF-x", "b": "P--", "c": "xx", "d": "FFF"}), 2)
    assert found.items.rows() == [
        ("a", 2, 1, 1.0, 0.0, None),
        ("b", 1, 1, None, None, TOO_FEW),
        ("c", 0, 0, None, None, TOO_FEW),
        ("d", 3, 0, 0.0, 0.0, None),
    ]
    assert found.overall.select("k", "items_used", "items_dropped", "policy").unique().rows() == [
        (2, 2, 2, "agent-judge-0.17")
    ]
    counted = pass_at_k(repeats({"a": "PF-x", "b": "P--", "c": "xx", "d": "FFF"}), 2, policy="all-items")
    assert counted.items["trials"].to_list() == [3, 3, 0, 3]


@given(
    st.dictionaries(st.sampled_from("abcdef"), st.text("PF-", min_size=1, max_size=5), min_size=1),
    st.integers(1, 3),
    st.sampled_from([0.8, 0.95]),
)
def test_means_over_items_have_the_t_interval_of_scipy(tries: dict[str, str], k: int, level: float) -> None:
    found = pass_at_k(repeats(tries), k, level=level)
    for name in ("pass_at_k", "pass_hat_k"):
        used = found.items[name].drop_nulls().to_list()
        ((value, low, high, method, note),) = values(found.overall, name)
        if not used:
            assert (value, low, high, method, note) == (None, None, None, None, "no item with k judged trials")
        elif len(set(used)) == 1:
            reason = "one item" if len(used) == 1 else "items all alike"
            assert (value, low, high, method, note) == (used[0], None, None, f"{reason}: no interval over items", None)
        else:
            expected = ttest_1samp(used, 0.5).confidence_interval(level)
            assert value == pytest.approx(sum(used) / len(used))
            assert (low, high) == pytest.approx((max(expected.low, 0), min(expected.high, 1)))
            assert low <= value <= high
            assert (method, note) == ("t over items", None)


@given(st.dictionaries(st.sampled_from("abcdef"), st.text("PF-", max_size=5)), st.randoms())
def test_names_and_the_order_of_repeats_change_nothing(tries: dict[str, str], random: Any) -> None:
    names = dict(zip(tries, random.sample("uvwxyz", len(tries)), strict=True))
    shuffled = {names[name]: "".join(random.sample(word, len(word))) for name, word in tries.items()}
    first, second = (pass_at_k(repeats(each), 2) for each in (tries, shuffled))
    assert first.overall.equals(second.overall)
    back = second.items.with_columns(pl.col("item").replace({new: old for old, new in names.items()})).sort("item")
    assert first.items.equals(back)


def test_groups_have_their_own_items_and_runs_without_items_keep_their_group() -> None:
    held = repeats({"a": "PPF", "b": "FF "}, variant={"run-0": "x", "run-1": "x", "run-2": "y"})
    found = pass_at_k(held, 2, "variant")
    assert found.items.select("variant", "item", "trials", "pass_hat_k").rows() == [
        ("x", "a", 2, 1.0),
        ("x", "b", 2, 0.0),
        ("y", "a", 1, None),
    ]
    assert found.overall.select("variant", "estimate", "value", "items_used", "items_dropped").rows() == [
        ("x", "pass_at_k", 0.5, 2, 0),
        ("x", "pass_hat_k", 0.5, 2, 0),
        ("y", "pass_at_k", None, 0, 1),
        ("y", "pass_hat_k", None, 0, 1),
    ]
    empty = corpus({"run": []}, variant={"run": "z"})
    assert pass_at_k(empty, 1, "variant").overall["variant"].to_list() == ["z", "z"]


@pytest.mark.parametrize("held", [corpus({}), corpus({"run": []}), items_frame([])], ids=["no runs", "a run", "items"])
def test_nothing_to_count_has_no_value_and_says_so(held: Any) -> None:
    found = pass_at_k(held, 1)
    assert found.items.schema == ITEMS_SCHEMA
    assert found.items.height == 0
    assert found.overall.schema == OVERALL_SCHEMA
    assert (
        found.overall.select("value", "note", "items_used", "items_dropped").rows()
        == [(None, "no item with k judged trials", 0, 0)] * 2
    )


def test_items_without_a_name_are_each_their_own_unless_their_run_is_a_repeat() -> None:
    nameless = [judged("ACCEPTED"), judged("REJECTED")]
    alone = pass_at_k(corpus({"x": nameless}), 1)
    assert alone.items.select("item", "trials", "passes").rows() == [(None, 1, 0), (None, 1, 1)]
    assert values(alone.overall, "pass_at_k")[0][0] == 0.5
    held = corpus({"x": [*nameless, judged("ACCEPTED", item_id="a")]}, repeat={"x": 1})
    found = pass_at_k(held, 1)
    assert found.items["note"].to_list() == [None, "items without a name", "items without a name"]
    assert values(found.overall, "pass_at_k") == [(None, None, None, None, "items without a name")]
    assert found.overall["items_used"].to_list() == [0, 0]


def test_which_evaluation_counts_is_the_callers_choice_and_judges_under_test_never_do() -> None:
    held = corpus(
        {
            "x": [judged("ACCEPTED", item_id="a")],
            "again": [judged("REJECTED", item_id="a")],
            "judge": [judged("ACCEPTED")],
        },
        kind={"again": "re_evaluation", "judge": "judge_experiment"},
        re_evaluated_from={"again": "x"},
    )
    for choice, rate in (("latest", 0.0), ("original", 1.0), ("all", 0.5)):
        assert values(pass_at_k(held, 1, evaluations=choice).overall, "pass_at_k")[0][0] == rate


def test_large_numbers_are_exact() -> None:
    frame = items_frame([judged("ACCEPTED" if n < 300 else "REJECTED", item_id="a") for n in range(1000)])
    (row,) = pass_at_k(frame, 500).items.rows(named=True)
    assert row["pass_at_k"] == 1.0
    assert row["pass_hat_k"] == 0.0
    assert pass_at_k(frame, 10).items["pass_hat_k"].item() == pytest.approx(comb(300, 10) / comb(1000, 10), rel=1e-15)


def test_wrong_calls_say_what_is_wrong() -> None:
    for k in (1.0, "2", None, True):
        with pytest.raises(ArgumentError, match="k is a number of tries, 1 or more, not "):
            pass_at_k(corpus({}), k)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="k is a number of tries, 1 or more, not 0"):
        pass_at_k(corpus({}), 0)
    with pytest.raises(OptionError, match="a confidence level lies between 0 and 1"):
        pass_at_k(corpus({}), 1, level=95)
    with pytest.raises(ArgumentError, match="Corpus or a polars frame of items is needed"):
        pass_at_k("results", 1)  # type: ignore[arg-type]
    with pytest.raises(ColumnError, match="'trials' can't be grouped by"):
        pass_at_k(items_frame([]).with_columns(trials=pl.lit(1)), 1, "trials")
    with pytest.raises(ColumnError, match="items frame lacks reading"):
        pass_at_k(items_frame([]).drop("reading"), 1)
