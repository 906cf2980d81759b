from __future__ import annotations

import math
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tests.statistics.corpora import corpus, items_frame, judged, unjudged
from verdict_frames.errors import ArgumentError, ColumnError, OptionError
from verdict_frames.statistics.clusters import NAMELESS_ITEMS
from verdict_frames.statistics.costs import FEW_ITEMS, NO_MEASURE, NO_SPREAD, TOO_LARGE, cost_table
from verdict_frames.statistics.tally import TALLY_SCHEMA, tally

if TYPE_CHECKING:
    import polars as pl

    from verdict_frames.frames.corpus import Corpus

KEYS = ("measured", "mean", "mean_low", "mean_high", "mean_note", "sum", "per_pass")


def row(given: Corpus | pl.DataFrame, **options: Any) -> dict[str, Any]:
    return cost_table(given, **options).row(0, named=True)


def test_a_mean_of_items_tried_once_has_students_interval() -> None:
    costs = [0.2, 0.5, 0.9, 1.4]
    found = row(items_frame([judged("ACCEPTED", cost_usd=cost) for cost in costs]), level=0.9)
    low, high = stats.t.interval(0.9, 3, np.mean(costs), stats.sem(costs))
    assert (found["measured"], found["mean_note"]) == (4, None)
    assert (found["mean"], found["sum"], found["per_pass"]) == pytest.approx((0.75, 3.0, 0.75))
    assert (found["mean_low"], found["mean_high"]) == pytest.approx((low, high))


def test_repeats_of_an_item_are_one_cluster() -> None:
    taken = {"a": [1.0, 1.2, 0.8], "b": [3.0], "c": [2.0, 2.4]}
    rows = [judged("REJECTED", item_id=item, cost_usd=cost) for item, costs in taken.items() for cost in costs]
    found = row(items_frame(rows))
    every = list(chain.from_iterable(taken.values()))
    mean = math.fsum(every) / 6
    residuals = [math.fsum(cost - mean for cost in costs) for costs in taken.values()]
    error = math.sqrt(3 / 2 * math.fsum(each**2 for each in residuals)) / 6
    reach = 4.302652729911275  # the 97.5 % quantile of Student's t with 2 degrees of freedom, from printed tables
    assert found["mean"] == pytest.approx(mean)
    assert (found["mean_low"], found["mean_high"]) == pytest.approx(
        (max(mean - reach * error, 0), mean + reach * error)
    )


def test_items_that_do_not_record_it_are_no_zeros() -> None:
    rows = [judged("ACCEPTED", cost_usd=1.0), judged("ACCEPTED"), unjudged(success=False, cost_usd=0.0)]
    found = row(items_frame(rows))
    assert [found[key] for key in ("measured", "mean", "sum", "per_pass")] == [2, 0.5, 1.0, None]


@pytest.mark.parametrize(
    ("rows", "note"),
    [
        ([], NO_MEASURE),
        ([judged("ACCEPTED")], NO_MEASURE),
        ([judged("ACCEPTED", cost_usd=2.0)], FEW_ITEMS),
        ([judged("ACCEPTED", cost_usd=2.0, item_id="a"), judged("ACCEPTED", cost_usd=3.0, item_id="a")], FEW_ITEMS),
        ([judged("ACCEPTED", cost_usd=2.0), judged("REJECTED", cost_usd=2.0)], NO_SPREAD),
    ],
)
def test_without_an_interval_there_is_a_reason(rows: list[dict[str, Any]], note: str) -> None:
    found = row(items_frame(rows))
    assert (found["mean_low"], found["mean_high"], found["mean_note"]) == (None, None, note)


def test_costs_below_zero_lie_in_their_interval() -> None:
    costs = [-3.0, -5.0, -4.0]
    found = row(items_frame([judged("ACCEPTED", cost_usd=cost) for cost in costs]))
    low, high = stats.t.interval(0.95, 2, np.mean(costs), stats.sem(costs))
    assert (found["mean"], found["mean_low"], found["mean_high"]) == pytest.approx((-4.0, low, high))


def test_what_is_too_large_to_add_up_is_null_and_never_infinite() -> None:
    sums = row(items_frame([judged("ACCEPTED", cost_usd=1.7e308), judged("ACCEPTED", cost_usd=1.6e308)]))
    assert [sums[key] for key in KEYS] == [2, None, None, None, TOO_LARGE, None, None]
    squares = row(items_frame([judged("ACCEPTED", cost_usd=1e200), judged("ACCEPTED", cost_usd=3e200)]))
    assert (squares["mean"], squares["sum"], squares["per_pass"]) == pytest.approx((2e200, 4e200, 2e200))
    assert (squares["mean_low"], squares["mean_high"], squares["mean_note"]) == (None, None, TOO_LARGE)
    alike = row(items_frame([judged("ACCEPTED", cost_usd=1e200), judged("ACCEPTED", cost_usd=1e200)]))
    assert (alike["mean"], alike["mean_note"]) == (1e200, NO_SPREAD)


def test_repeats_of_items_without_a_name_have_no_interval() -> None:
    held = corpus(
        {"x": [judged("ACCEPTED", cost_usd=1.0)], "y": [judged("ACCEPTED", cost_usd=2.0)]}, repeat={"x": 1, "y": 2}
    )
    assert row(held)["mean_note"] == NAMELESS_ITEMS


def test_groups_are_those_of_the_tally_and_keep_its_columns() -> None:
    held = corpus(
        {"x": [judged("ACCEPTED", total_tokens=7)], "y": [judged("REJECTED")], "z": []},
        variant={"x": "v", "y": "w"},
        kind={"y": "judge_experiment"},
    )
    table = cost_table(held, "variant", measure="total_tokens")
    assert table.select("variant", "measure", "measured", "mean").rows() == [
        ("v", "total_tokens", 1, 7.0),
        ("w", "total_tokens", 0, None),
        (None, "total_tokens", 0, None),
    ]
    assert table.select("variant", *TALLY_SCHEMA).equals(tally(held, "variant"))


@given(st.lists(st.tuples(st.sampled_from("abc"), st.floats(0, 1e6)), max_size=12))
def test_an_interval_holds_its_mean_and_order_changes_nothing(trials: list[tuple[str, float]]) -> None:
    rows = [judged("ACCEPTED", item_id=item, cost_usd=cost) for item, cost in trials]
    found, turned = row(items_frame(rows)), row(items_frame(rows[::-1]))
    assert {key: found[key] for key in ("measured", "mean_note")} == {
        key: turned[key] for key in ("measured", "mean_note")
    }
    if found["mean"] is not None:
        assert found["mean"] == pytest.approx(math.fsum(cost for _, cost in trials) / len(trials))
    if found["mean_low"] is not None:
        assert 0 <= found["mean_low"] <= found["mean"] <= found["mean_high"] < math.inf


def test_wrong_calls_say_what_is_wrong() -> None:
    frame = items_frame([judged("ACCEPTED")])
    with pytest.raises(OptionError, match="measure='price': choose one of cost_usd, total_tokens, duration_ms"):
        cost_table(frame, measure="price")
    with pytest.raises(ColumnError, match="lacks cost_usd"):
        cost_table(frame.drop("cost_usd"))
    with pytest.raises(ColumnError, match="'mean' can't be grouped by"):
        cost_table(frame.with_columns(mean=1), "mean")
    with pytest.raises(ArgumentError):
        cost_table({})  # type: ignore[arg-type]
    assert set(KEYS) <= set(cost_table(frame).columns)
