from __future__ import annotations

import math
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.review.packs import judged, scored, selected
from tests.statistics.evaluations.judged_tickets import calibrated
from verdict_frames.errors import ColumnError, OptionError
from verdict_frames.frames.evaluation_assembly import evaluations_from_records
from verdict_frames.statistics.evaluations.reliability import Reliability, reliability


def of(answers: list[Any], gold: list[str], **options: Any) -> Reliability:
    evaluations = evaluations_from_records([{"answers": {"q": answer}} for answer in answers], source="gateway")
    labels = pl.DataFrame({"evaluation_index": range(len(gold)), "question_id": "q", "gold": gold})
    return reliability(evaluations, labels, "q", **options)


def test_a_table_by_hand() -> None:
    found = of(
        [judged(0.1), judged(0.3), judged(0.35), judged(1), judged(0.5)], ["no", "yes", "no", "yes", "no"], bins=2
    )
    rows = found.table.select("low", "high", "count", "mean_probability", "right", "share_right").rows()
    assert rows == [(0.0, 0.5, 3, 0.25, 1, 1 / 3), (0.5, 1.0, 2, 0.75, 1, 0.5)]
    assert found.brier == pytest.approx((0.01 + 0.49 + 0.1225 + 0 + 0.25) / 5)
    assert found.ece == pytest.approx((3 * (1 / 3 - 0.25) + 2 * 0.25) / 5)
    assert (found.count, found.left_out, found.share_right) == (5, 0, 0.4)


def test_a_choice_comes_true_where_its_option_is_gold() -> None:
    answers = [selected(0.75), selected(0.75), {"type": "choice", "choice": "other"}, selected(2)]
    found = of(answers, ["billing", "other", "other", "billing"])
    assert (found.count, found.left_out, found.share_right) == (2, 2, 0.5)
    assert found.brier == (0.0625 + 0.5625) / 2


def test_edges_belong_to_the_bin_above_and_one_to_the_last() -> None:
    values = [k / 10 for k in range(11)]
    found = of([judged(value) for value in values], ["yes"] * 11)
    assert found.table["count"].to_list() == [1] * 9 + [2]


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=25), st.integers(1, 12))
def test_brier_and_ece_by_the_book(pairs: list[tuple[float, bool]], bins: int) -> None:
    found = of([judged(p) for p, _ in pairs], [str(y) for _, y in pairs], bins=bins)
    assert found.brier == pytest.approx(math.fsum((p - y) ** 2 for p, y in pairs) / len(pairs))
    ece = 0.0
    for low, high in zip(found.table["low"], found.table["high"], strict=True):
        inside = [(p, y) for p, y in pairs if low <= p < high or (high == 1 and p == 1)]
        ece += abs(math.fsum(p for p, _ in inside) - sum(y for _, y in inside))
    assert found.ece == pytest.approx(ece / len(pairs), abs=1e-9)
    assert found.table["count"].sum() == len(pairs)


def test_calibrated_answers_are_found_calibrated() -> None:
    evaluations, labels = calibrated(4_000)
    found = reliability(evaluations, labels, "queue")
    assert found.ece is not None
    assert found.ece < 0.03
    assert (
        found.table.filter(pl.col("count") > 0)
        .select(((pl.col("ci_low") <= pl.col("share_right")) & (pl.col("share_right") <= pl.col("ci_high"))).all())
        .item()
    )


def test_what_has_no_probability_is_refused() -> None:
    with pytest.raises(ColumnError, match="no labelled choice or boolean answer belongs to 'q'; labelled are q"):
        of([scored(1)], ["1"])
    with pytest.raises(OptionError, match="bins is a number of bins"):
        of([judged(1)], ["yes"], bins=0)
    nothing = of([judged("x")], ["yes"])
    assert (nothing.count, nothing.left_out, nothing.brier, nothing.ece, nothing.share_right) == (
        0,
        1,
        None,
        None,
        None,
    )


def test_a_gold_that_is_neither_true_nor_false_is_left_out() -> None:
    found = of([judged(1), judged(0)], ["yes", "maybe"])
    assert (found.count, found.left_out, found.brier) == (1, 1, 0.0)
