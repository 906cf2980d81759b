from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.statistics.comparison.variants import STATES, Side, compared, held
from tests.statistics.corpora import corpus, judged
from verdict_frames.errors import ArgumentError, ColumnError, OptionError, UnlikeRunsError
from verdict_frames.frames.corpus import Corpus, concat
from verdict_frames.frames.results import read_results
from verdict_frames.statistics.comparison.compare import compare
from verdict_frames.statistics.comparison.significance import mcnemar
from verdict_frames.statistics.vocabulary import SideState

if TYPE_CHECKING:
    from verdict_frames.statistics.comparison.result import Comparison

ROOT = Path(__file__).resolve().parents[3]

NAMES = {
    "+": "ACCEPTED",
    "-": "REJECTED",
    "?": "UNDECIDED",
    "n": "NOT_APPLICABLE",
    "e": "NOT_ASSESSED",
    "c": "unattestable",
    "u": "ACCEPTED",
    "r": "unattestable",
    "x": "agent_failed",
    "0": "unjudged",
}
PASSED = {"agent-judge-0.17": "+u", "verified-only": "+"}
FAILED = {"agent-judge-0.17": "-?", "verified-only": "-?"}
CAUSES = "x0ecrun"
CAUSE_NAMES = ("agent_failed", "unjudged", "not_assessed", *["unattestable"] * 2, "undetermined", "not_applicable")


def only(comparison: Comparison) -> dict[str, Any]:
    return (
        comparison.overall.row(0, named=True) if comparison.overall.height == 1 else pytest.fail("one comparison only")
    )


sides = st.dictionaries(st.sampled_from("abcdefgh"), st.text("+-?necurx0", min_size=1, max_size=3), max_size=8)
singles = st.dictionaries(st.sampled_from("abcdefgh"), st.sampled_from("+-?necurx0"), max_size=8)
policies = st.sampled_from(sorted(PASSED))


def test_one_trial_on_each_side_counted_by_hand() -> None:
    found = compared(
        {"a": "+", "b": "-", "c": "-", "d": "+", "e": "-", "f": "e", "g": "x", "h": "+"},
        {"a": "+", "b": "+", "c": "+", "d": "-", "e": "?", "f": "+", "g": "x", "i": "+"},
    )
    row = only(found)
    expected = {
        "treatment": "hardened",
        "baseline": "simple",
        "pairs": 5,
        "baseline_passes": 2,
        "treatment_passes": 3,
        "baseline_eligible": 5,
        "treatment_eligible": 5,
        "baseline_rate": 0.4,
        "treatment_rate": 0.6,
        "difference": 0.2,
        "wins": 2,
        "losses": 1,
        "ties": 2,
        "p_value": 1.0,
        "p_method": "mcnemar_exact",
        "resamples": None,
        "p_beside": 0.625,
        "p_beside_method": "mcnemar_mid_p",
        "p_adjusted": 1.0,
        "comparisons": 1,
        "ci_method": "newcombe_paired",
        "lost": 4,
        "bound_pairs": 9,
    }
    assert {name: row[name] for name in expected} == expected
    # b, c, d: +1 +1 -1; f: 0 or 1 more; g: -1 to 1; h: -1 or 0; i: 0 or 1
    assert (row["bound_low"], row["bound_high"]) == pytest.approx(((1 + 0 - 1 - 1 + 0) / 9, (1 + 1 + 1 + 0 + 1) / 9))
    assert found.wins()["item"].to_list() == ["b", "c"]
    assert found.losses().select("item", "baseline_rate", "treatment_rate").rows() == [("d", 1.0, 0.0)]
    assert found.lost.rows() == [
        ("hardened", "new", "baseline", 1),
        ("hardened", "removed", "treatment", 1),
        ("hardened", "agent_failed", "both", 1),
        ("hardened", "not_assessed", "baseline", 1),
    ]
    assert found.transitions.drop("treatment").rows() == [
        ("ACCEPTED", "ACCEPTED", 1),
        ("ACCEPTED", "REJECTED", 1),
        ("ACCEPTED", "removed", 1),
        ("REJECTED", "ACCEPTED", 2),
        ("REJECTED", "UNDECIDED", 1),
        ("NOT_ASSESSED", "ACCEPTED", 1),
        ("agent_failed", "agent_failed", 1),
        ("new", "ACCEPTED", 1),
    ]
    assert found.not_assessed.filter(pl.col("not_assessed") > 0).drop("treatment").rows() == [
        ("baseline", "any", 8, 8, 1, 0.125),
        ("baseline", "passed", 4, 4, 1, 0.25),
    ]


def test_repeats_counted_by_hand() -> None:
    found = compared({"a": "--", "b": "+-", "c": "+", "d": "n"}, {"a": "+-+", "b": "+e", "c": "+", "d": "+"})
    row = only(found)
    # item means: a 0 and 2/3, b 1/2 and 1, c 1 and 1; d doesn't apply on one side
    assert (row["pairs"], row["baseline_eligible"], row["treatment_eligible"]) == (3, 5, 5)
    assert row["difference"] == float(Fraction(2, 3) + Fraction(1, 2)) / 3
    assert (row["baseline_rate"], row["treatment_rate"]) == (0.5, float(Fraction(8, 9)))
    assert (row["p_value"], row["p_method"]) == (0.5, "sign_flip_exact")
    assert (row["ci_method"], row["p_beside_method"]) == ("paired_t", "paired_t")
    # the trial of b that was not assessed: b's mean is 1/2 or 1; d is out of scope
    assert row["bound_pairs"] == 3
    assert row["bound_low"] == pytest.approx((2 / 3 + 0) / 3)
    assert row["bound_high"] == pytest.approx((2 / 3 + 1 / 2) / 3)
    assert found.items["baseline_state"].to_list() == ["REJECTED", "mixed", "ACCEPTED", "NOT_APPLICABLE"]
    assert found.items["change"].to_list() == ["win", "win", "tie", None]


@given(sides, sides, policies)
def test_a_random_comparison_is_what_plain_python_counts(baseline: Side, treatment: Side, policy: str) -> None:
    items = sorted({*baseline, *treatment})
    found = compared(baseline, treatment, policy=policy) if items else None
    if found is None:
        return
    row, rows = only(found), {item["item"]: item for item in found.items.iter_rows(named=True)}
    assert list(rows) == items
    passed, failed = PASSED[policy], FAILED[policy]
    changes: Counter[str] = Counter()
    means = []
    transitions: Counter[tuple[str, str]] = Counter()
    for item in items:
        letters = baseline.get(item, ""), treatment.get(item, "")
        named = [{NAMES[letter] for letter in side} for side in letters]
        states = [
            "mixed" if len(names) > 1 else next(iter(names), missing)
            for names, missing in zip(named, ("new", "removed"), strict=True)
        ]
        transitions[states[0], states[1]] += 1
        counts = [[letter in passed for letter in side if letter in passed + failed] for side in letters]
        if all(counts):
            before, after = (Fraction(sum(side), len(side)) for side in counts)
            means.append((before, after))
            changes["wins" if after > before else "losses" if after < before else "ties"] += 1
            assert rows[item]["cause"] is None
            assert rows[item]["difference"] == pytest.approx(float(after - before))
        else:
            without = [side for side, counted in zip(letters, counts, strict=True) if not counted]
            told = [CAUSES.index(letter) for side in without for letter in side]
            new, removed = (not side for side in letters)
            cause = "new" if new else "removed" if removed else CAUSE_NAMES[min(told)]
            assert rows[item]["cause"] == cause
            assert rows[item]["change"] is None
    assert {name: row[name] for name in ("wins", "losses", "ties")} == {
        name: changes[name] for name in ("wins", "losses", "ties")
    }
    assert (row["pairs"], row["lost"]) == (len(means), len(items) - len(means))
    if means:
        assert row["difference"] == float(sum(after - before for before, after in means) / len(means))
        assert row["baseline_rate"] == float(sum(before for before, _ in means) / len(means))
    assert {(before, after): count for _, before, after, count in found.transitions.iter_rows()} == dict(transitions)
    assert found.transitions["items"].sum() == found.items.height
    assert found.lost["items"].sum() == row["lost"]
    shares = found.not_assessed.group_by("side").agg(
        pl.col("trials").filter(pl.col("other_outcome") == "any").sum().alias("any"),
        pl.col("trials").filter(pl.col("other_outcome") != "any").sum().alias("parts"),
    )
    assert shares["any"].to_list() == shares["parts"].to_list()


OPPOSITE = {"baseline": "treatment", "treatment": "baseline", "new": "removed", "removed": "new"}


@given(sides, sides, policies)
def test_swapped_sides_mirror_every_number(baseline: Side, treatment: Side, policy: str) -> None:
    both = held(simple=baseline, hardened=treatment)
    there = compare(both, by="variant", baseline="simple", treatment="hardened", policy=policy)
    back = compare(both, by="variant", baseline="hardened", treatment="simple", policy=policy)
    expected, row = only(there), only(back)
    swapped = {"wins": "losses", "losses": "wins"} | {
        f"{side}_{name}": f"{OPPOSITE[side]}_{name}"
        for side in ("baseline", "treatment")
        for name in ("passes", "eligible", "rate", "nameless")
    }
    negated = {"difference": "difference", "ci_low": "ci_high", "ci_high": "ci_low"}
    negated |= {"bound_low": "bound_high", "bound_high": "bound_low"}
    for name, value in expected.items():
        if name in negated:
            assert row[negated[name]] == (None if value is None else pytest.approx(-value, abs=0))
        elif name not in ("baseline", "treatment"):
            assert row[swapped.get(name, name)] == value
    turned = [
        (OPPOSITE.get(after, after), OPPOSITE.get(before, before), count)
        for _, before, after, count in there.transitions.iter_rows()
    ]
    assert sorted(turned) == sorted(back.transitions.drop("treatment").rows())
    lost = [(OPPOSITE.get(cause, cause), OPPOSITE.get(on, on), count) for _, cause, on, count in there.lost.rows()]
    assert sorted(lost) == sorted(back.lost.drop("treatment").rows())


@given(sides, sides, st.randoms(use_true_random=False))
def test_names_and_order_of_runs_and_repeats_change_nothing(baseline: Side, treatment: Side, random: Any) -> None:
    shuffled = [
        {item: "".join(random.sample(letters, len(letters))) for item, letters in side.items()}
        for side in (baseline, treatment)
    ]
    before = held(simple=baseline, hardened=treatment)
    mixed = held(hardened=shuffled[1], simple=shuffled[0])
    runs = mixed.runs.sample(fraction=1, shuffle=True, seed=random.randrange(1000))
    names = {run_id: f"run {place}" for place, run_id in enumerate(runs["run_id"])}
    tables = mixed.tables() | {"runs": runs.with_columns(pl.lit(3, pl.Int32).alias("repeat"))}
    renamed = {
        name: frame.with_columns(pl.col("run_id").replace(names)) if "run_id" in frame.columns else frame
        for name, frame in tables.items()
    }
    one, other = (compare(held, by="variant", baseline="simple") for held in (before, Corpus(**renamed)))
    for name, frame in one.tables().items():
        assert frame.equals(other.tables()[name]), name


@given(singles, singles)
def test_bounds_are_the_least_and_greatest_of_all_ways_to_fill_in(baseline: Side, treatment: Side) -> None:
    """Every lost trial is taken as passed and as failed, one way after the other, in plain Python."""
    items = [
        item for item in sorted({*baseline, *treatment}) if baseline.get(item) != "n" and treatment.get(item) != "n"
    ][:5]
    row = only(
        compared({i: baseline[i] for i in items if i in baseline}, {i: treatment[i] for i in items if i in treatment})
    )
    assert row["bound_pairs"] == len(items)
    if not items:
        assert (row["bound_low"], row["bound_high"]) == (None, None)
        return
    choices = [
        [1] if letter in "+u" else [0] if letter in "-?" else [0, 1]
        for letter in [side.get(item, "0") for item in items for side in (baseline, treatment)]
    ]
    sums = [sum(filled[1::2]) - sum(filled[0::2]) for filled in product(*choices)]
    assert (row["bound_low"], row["bound_high"]) == (min(sums) / len(items), max(sums) / len(items))
    if row["lost"] == 0:
        assert row["bound_low"] == row["difference"] == row["bound_high"]


@given(sides, sides)
def test_bounds_hold_the_difference_where_the_other_half_of_what_is_lost_says_nothing(
    baseline: Side, treatment: Side
) -> None:
    """Without new, removed or half-lost items nothing recorded is outside of the pairs, so they must."""
    lost = {"l": "e", "m": "x"}
    shared = sorted({*baseline} & {*treatment})
    counts = [
        {item: letters for item in shared if (letters := "".join(set(side[item]) & set("+-?u")))}
        for side in (baseline, treatment)
    ]
    items = {*counts[0]} & {*counts[1]}
    row = only(compared(*({item: side[item] for item in items} | lost for side in counts)))
    assert row["bound_pairs"] == len(items) + 2
    if items:
        assert row["bound_low"] <= row["difference"] <= row["bound_high"]


def test_what_was_recorded_of_lost_items_can_put_the_difference_outside_of_its_bounds() -> None:
    found = compared({"a": "-", "b": "+", "c": "+"}, {"a": "+", "b": "e", "c": "x"})
    row = only(found)
    assert (row["difference"], row["bound_high"]) == (1.0, 1 / 3)


@given(sides, sides, policies)
def test_no_number_is_nan_or_infinite_and_intervals_hold_the_difference(
    baseline: Side, treatment: Side, policy: str
) -> None:
    found = compared(baseline, treatment, policy=policy)
    for frame in found.tables().values():
        for column in frame.select(pl.col(pl.Float64)):
            assert all(isfinite(value) for value in column.drop_nulls())
    row = only(found)
    assert (row["difference"] is None) == (row["difference_note"] is not None) == (row["pairs"] == 0)
    assert (row["ci_low"] is None) == (row["ci_note"] is not None)
    assert (row["p_beside"] is None) == (row["p_beside_note"] is not None)
    assert (row["p_value"] is None) == (row["pairs"] == 0)
    if row["ci_low"] is not None:
        assert -1 <= row["ci_low"] <= row["difference"] <= row["ci_high"] <= 1
    if row["p_value"] is not None:
        assert 0 < row["p_value"] <= 1


@pytest.mark.parametrize(
    ("baseline", "treatment", "expected"),
    [
        ({}, {}, {"pairs": 0, "difference_note": "no item counts on both sides", "p_value": None, "bound_pairs": 0}),
        ({"a": "e"}, {"a": "n"}, {"pairs": 0, "difference": None, "lost": 1, "comparisons": 0, "bound_low": None}),
        ({"a": "-"}, {"a": "+"}, {"pairs": 1, "difference": 1.0, "p_value": 1.0, "ci_note": None}),
        ({"a": "-+"}, {"a": "+"}, {"p_value": 1.0, "ci_note": "one item: no interval over items", "ci_low": None}),
        (dict.fromkeys("abcd", "+"), dict.fromkeys("abcd", "+"), {"difference": 0.0, "p_value": 1.0, "p_beside": 1.0}),
        (
            dict.fromkeys("abcd", "++"),
            dict.fromkeys("abcd", "++"),
            {
                "difference": 0.0,
                "p_value": 1.0,
                "ci_low": None,
                "p_beside_note": "all items differ by the same amount, so nothing shows how much chance does",
            },
        ),
        (dict.fromkeys("abcd", "--"), dict.fromkeys("abcd", "++"), {"p_value": 0.125, "p_beside": None}),
    ],
    ids=["no item", "all excluded", "one item", "one item repeated", "all passed", "all passed twice", "all turned"],
)
def test_small_and_extreme_cases(baseline: Side, treatment: Side, expected: dict[str, Any]) -> None:
    row = only(compared(baseline, treatment))
    assert {name: row[name] for name in expected} == expected


def test_a_corpus_without_runs_has_nothing_to_compare() -> None:
    empty = concat([])
    assert compare(empty, by="variant", baseline="simple").overall.height == 0
    assert only(compare(empty, by="variant", baseline="simple", treatment="x"))["pairs"] == 0
    found = compare(empty, empty)
    assert only(found)["treatment"] == "after"
    assert [frame.height for frame in found.tables().values()] == [1, 0, 0, 0, 0, 0]
    assert found.items.schema["baseline_state"] == pl.Enum(SideState)


def test_items_go_by_slug_where_they_have_no_id_and_nameless_ones_are_counted_apart() -> None:
    rows = {
        "s": [
            judged("ACCEPTED", item_slug="one"),
            judged("ACCEPTED", item_id="two", item_slug="other"),
            judged("REJECTED"),
            judged("REJECTED"),
        ],
        "h": [
            judged("REJECTED", item_slug="one"),
            judged("ACCEPTED", item_id="two"),
            judged("REJECTED"),
        ],
    }
    found = compare(corpus(rows, variant={"s": "s", "h": "h"}), by="variant", baseline="s")
    row = only(found)
    assert (row["pairs"], row["losses"], row["by_slug"]) == (2, 1, 1)
    assert (row["baseline_nameless"], row["treatment_nameless"]) == (2, 1)
    assert (found.items.height, row["lost"], row["bound_pairs"]) == (2, 0, 2)


def test_several_treatments_are_adjusted_for_their_number() -> None:
    plain = dict.fromkeys("abcdefghijkl", "-")
    better = plain | dict.fromkeys("abcdefgh", "+")
    middling = plain | dict.fromkeys("abcdef", "+")
    several = held(plain=plain, better=better, middling=middling, absent={"z": "+"})
    for correction, expected in (
        ("holm", [None, 2 * mcnemar(8, 0).exact, mcnemar(6, 0).exact]),
        ("bh", [None, 2 * mcnemar(8, 0).exact, mcnemar(6, 0).exact]),
    ):
        found = compare(several, by="variant", baseline="plain", correction=correction)
        assert found.overall["treatment"].to_list() == ["absent", "better", "middling"]
        assert found.overall["p_adjusted"].to_list() == expected
        assert found.overall["comparisons"].to_list() == [2, 2, 2]
        assert found.overall["correction"].unique().to_list() == [correction]
    chosen = compare(several, by="variant", baseline="plain", treatment=["middling", "better"])
    assert chosen.treatments == ("middling", "better")
    assert chosen.overall["wins"].to_list() == [6, 8]


def test_groups_are_compared_by_themselves() -> None:
    rows = {
        f"{experiment}{variant}": [
            STATES[letter] | {"item_id": item} for item, letter in zip("abc", letters, strict=True)
        ]
        for experiment, variant, letters in (("e", "s", "---"), ("e", "h", "++-"), ("f", "s", "+++"), ("f", "h", "+-+"))
    } | {"gh": [judged("ACCEPTED", item_id="a"), judged("ACCEPTED")]}
    names = {run_id: run_id[0] if run_id[0] != "f" else None for run_id in rows}
    grouped = corpus(rows, variant={run_id: run_id[1] for run_id in rows}, experiment_name=names)
    found = compare(grouped, by="variant", baseline="s", within="experiment_name")
    shown = found.overall.select("experiment_name", "treatment", "pairs", "wins", "losses", "comparisons", "lost")
    assert shown.rows() == [("e", "h", 3, 2, 0, 2, 0), ("g", "h", 0, 0, 0, 2, 1), (None, "h", 3, 0, 1, 2, 0)]
    assert found.overall["treatment_nameless"].to_list() == [0, 1, 0]
    assert found.losses().select("experiment_name", "item").rows() == [(None, "b")]
    assert compare(grouped, by="variant", baseline="s").overall["pairs"].to_list() == [3]


def test_two_corpora_are_before_and_after_also_where_they_hold_the_same_run() -> None:
    before, after = held(run={"a": "-", "b": "e"}), held(run={"a": "+", "b": "+"})
    found = compare(before, after)
    row = only(found)
    assert (row["baseline"], row["treatment"], row["pairs"], row["wins"], row["lost"]) == ("before", "after", 1, 1, 1)
    assert (found.by, found.baseline, found.treatments) == (None, "before", ("after",))
    assert only(compare(before, before))["wins"] == 0


def test_a_column_of_any_kind_tells_the_sides_apart() -> None:
    rows = {"x": [judged("ACCEPTED", item_id="a")], "y": [judged("REJECTED", item_id="a")]}
    runs = corpus(
        rows,
        repeat={"x": 1, "y": 2},
        code_dirty={"x": True, "y": False},
        facts=[{"run_id": run, "source": "condition", "name": "model", "value": f"m-{run}"} for run in "xy"],
    )
    for by, baseline in (("repeat", 1), ("repeat", "1"), ("code_dirty", True), ("conditions.model", "m-x")):
        assert only(compare(runs, by=by, baseline=baseline))["losses"] == 1
    assert only(compare(runs, by="passed", baseline=False))["wins"] == 1


def test_what_no_count_takes_in_is_left_out_and_told() -> None:
    rows = {
        "s": [judged("REJECTED", item_id="a")],
        "h": [judged("REJECTED", item_id="a")],
        "again": [judged("ACCEPTED", item_id="a")],
        "nowhere": [judged("ACCEPTED", item_id="a")],
    }
    store = corpus(
        rows,
        variant={"s": "s", "h": "h", "again": "h"},
        kind={"again": "re_evaluation"},
        re_evaluated_from={"again": "h"},
    )
    found = compare(store, by="variant", baseline="s")
    assert (only(found)["wins"], found.left_out, found.without_side) == (1, 1, 1)
    assert only(compare(store, by="variant", baseline="s", evaluations="original"))["ties"] == 1
    assert only(compare(store, by="variant", baseline="s", evaluations="all"))["treatment_eligible"] == 2


def unlike(**columns: Any) -> Corpus:
    rows = {name: [judged("ACCEPTED", item_id="a")] for name in ("s", "h")}
    return corpus(rows, variant={"s": "s", "h": "h"}, **columns)


@pytest.mark.parametrize(
    ("column", "values", "allow"),
    [
        ("instrument_hash", ("one", "two"), "instrument"),
        ("description_version", (1, 2), "description_version"),
        ("dataset_version", ("one", "two"), "dataset"),
        ("dataset_version", ("one", "two"), "dataset_version"),
        ("dataset_semantic_version", ("1.0", "1.1"), ["dataset"]),
        ("dataset_dirty", (True, False), ["instrument", "dataset_dirty"]),
    ],
)
def test_unlike_runs_are_refused_unless_allowed(column: str, values: tuple[Any, Any], allow: Any) -> None:
    runs = unlike(**{column: dict(zip("sh", values, strict=True))})
    with pytest.raises(UnlikeRunsError, match=r"the baseline and of 'h' differ in .* allow=\['"):
        compare(runs, by="variant", baseline="s")
    found = compare(runs, by="variant", baseline="s", allow=allow)
    told = [str(value).lower() for value in values]
    assert found.differences.select("differs", "baseline_values", "treatment_values").rows() == [
        (True, told[:1], told[1:])
    ]
    before, after = (runs.filter(variant=name) for name in "sh")
    with pytest.raises(UnlikeRunsError, match="'after'"):
        compare(before, after)
    assert compare(before, after, allow=allow).differences.height == 1


def test_what_is_not_recorded_and_conditions_are_told_and_not_refused() -> None:
    runs = unlike(instrument_hash={"s": "one"}, dataset_version={"s": "v", "h": "v"})
    facts = pl.DataFrame(
        [{"run_id": run, "source": "condition", "name": "model", "value": run} for run in "sh"],
        schema=runs.run_facts.schema,
    )
    found = compare(Corpus(**(runs.tables() | {"run_facts": facts})), by="variant", baseline="s")
    assert found.differences.drop("treatment").rows() == [
        ("instrument", False, ["one"], [], 2, 1),
        ("conditions.model", True, ["s"], ["h"], 2, 0),
    ]
    of_two = compare(runs.filter(variant="s"), Corpus(**(runs.tables() | {"run_facts": facts})).filter(variant="h"))
    assert of_two.differences["aspect"].to_list() == ["instrument", "conditions.model"]


def test_the_sample_store_is_compared_as_counted_by_hand() -> None:
    """`jury-outage` of data/README.md, item by item from its table of readings."""
    outage = read_results(ROOT / "data/results/jury-outage")
    found = compare(outage, by="variant", baseline="baseline")
    names = ["treatment", "pairs", "wins", "losses", "lost"]
    assert found.overall.select(names).rows() == [("guided", 5, 1, 2, 8), ("guided+retry", 6, 2, 1, 7)]
    assert found.differences.select("treatment", "aspect").rows() == [("guided+retry", "conditions.agent.retries")]


def test_the_result_shows_itself_shortly() -> None:
    found = compared({"a": "+", "<b>": "-"}, {"a": "+", "<b>": "+"})
    assert repr(found) == (
        "Comparison(overall: 1, items: 2, transitions: 2, lost: 0, not_assessed: 5, differences: 0, baseline: simple,"
        " policy: agent-judge-0.17)"
    )
    page = found._repr_html_()
    assert "hardened" in page
    assert "<b>" not in page


COMPARE: Any = compare
SMALL = held(s={"a": "+"}, h={"a": "-"})


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: COMPARE(SMALL), ArgumentError, "say what to compare: .*by='variant'"),
        (lambda: COMPARE(SMALL, by=["variant"], baseline="s"), ArgumentError, "one column"),
        (lambda: COMPARE(SMALL, by="variant"), ArgumentError, "which value of 'variant'"),
        (lambda: COMPARE(SMALL, "variant"), ArgumentError, "the second argument is the corpus"),
        (lambda: COMPARE(SMALL, SMALL, by="variant"), ArgumentError, "by is about the sides within one corpus"),
        (lambda: COMPARE(SMALL, SMALL, treatment="h"), ArgumentError, "treatment is about"),
        (lambda: COMPARE(SMALL.items, by="variant", baseline="s"), ArgumentError, "a Corpus, not of DataFrame"),
        (lambda: COMPARE(SMALL, by="variant", baseline=["s"]), ArgumentError, "named by the value of a column"),
        (
            lambda: COMPARE(SMALL, by="variant", baseline="t"),
            OptionError,
            "nowhere 't'; it is one of h, s",
        ),
        (lambda: COMPARE(SMALL, by="variant", baseline="s", treatment="x"), OptionError, "nowhere 'x'"),
        (lambda: COMPARE(SMALL, by="variant", baseline="s", treatment=["h", "h"]), OptionError, "named twice"),
        (lambda: COMPARE(SMALL, by="variant", baseline="s", treatment="s"), OptionError, "named twice"),
        (lambda: COMPARE(SMALL, by="variant", baseline="s", treatment=[]), OptionError, "nothing to compare with"),
        (lambda: COMPARE(SMALL.filter(variant="s"), by="variant", baseline="s"), OptionError, "nothing to compare"),
        (lambda: COMPARE(SMALL, by="varient", baseline="s"), ColumnError, "varient"),
        (lambda: COMPARE(SMALL, by="variant", baseline="s", within="variant"), ColumnError, "tell the sides apart"),
        (lambda: COMPARE(SMALL, by="variant", baseline="s", within="session", level=2), OptionError, "between 0 and 1"),
        (lambda: COMPARE(SMALL, by="variant", baseline="s", within=3), ArgumentError, "`within` takes"),
        (lambda: COMPARE(SMALL, by="variant", baseline="s", policy="mine"), OptionError, "no policy named 'mine'"),
        (lambda: COMPARE(SMALL, by="variant", baseline="s", evaluations="last"), OptionError, "choose one of latest"),
        (lambda: COMPARE(SMALL, by="variant", baseline="s", correction="none"), OptionError, "choose one of holm, bh"),
        (lambda: COMPARE(SMALL, by="variant", baseline="s", allow="jury"), OptionError, "allow='jury': .*instrument"),
        (lambda: COMPARE(SMALL, by="variant", baseline="s", allow=3), ArgumentError, "allow"),
        (lambda: COMPARE(SMALL, by="variant", baseline="s", seed=0.5), ArgumentError, "seed is a whole number"),
        (lambda: COMPARE(SMALL, by="variant", baseline="s", seed=-1), OptionError, "seed is 0 or more"),
        (lambda: COMPARE(SMALL, by="variant", baseline="s", resamples=0), OptionError, "resamples is 1 or more"),
    ],
)
def test_wrong_calls_are_refused_in_one_line(call: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words) as raised:
        call()
    assert "\n" not in str(raised.value)


def test_a_group_can_not_go_by_the_name_of_a_column_of_the_result() -> None:
    clash = corpus(
        {"s": [judged("ACCEPTED", item_id="a")], "h": [judged("ACCEPTED", item_id="a")]},
        variant={"s": "s", "h": "h"},
    )
    tables = clash.tables() | {"items": clash.items.with_columns(pl.lit("x").alias("wins"))}
    with pytest.raises(ColumnError, match="'wins' can't be compared within"):
        compare(Corpus(**tables), by="variant", baseline="s", within="wins")
