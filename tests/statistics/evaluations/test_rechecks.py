from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.review.packs import boolean, choice, judged, pack_of, score, scored, selected
from tests.review.strategies import answers, packs
from verdict_frames.errors import ArgumentError
from verdict_frames.frames.evaluation_assembly import evaluations_from_records
from verdict_frames.statistics.evaluations.rechecks import recheck

if TYPE_CHECKING:
    from verdict_frames.review.packs import Pack

PACK = pack_of(queue=choice(0.9), urgency=score(1, 2), refund=boolean(0.2, 0.8))
CALM = {"queue": selected(0.9), "urgency": scored(0), "refund": judged(0.2)}
BELOW = "queue: selected probability is below the minimum"


def stored(status: str | None, *reasons: str, version: str | None = "1", **changed: Any) -> dict[str, Any]:
    row: dict[str, Any] = {"answers": {**CALM, **changed}, "reviewReasons": list(reasons), "packVersion": version}
    return {**row, "packId": "triage"} if status is None else {**row, "packId": "triage", "status": status}


def test_stored_and_decided_stand_side_by_side_e40() -> None:
    rows = [
        stored("accept"),
        stored("accept", queue=selected(0.89)),
        stored("review", BELOW, "refund: probability is in the review band", queue=selected(0.5), refund=judged(0.5)),
        stored("review", BELOW, refund=judged(0.5)),
        stored("reject"),
    ]
    again = recheck(evaluations_from_records(rows), PACK)
    assert again.rows.select(
        "evaluation_index", "stored_status", "decided_status", "same_status", "same_reasons"
    ).rows() == [
        (0, "accept", "accept", True, True),
        (1, "accept", "review", False, False),
        (2, "review", "review", True, True),
        (3, "review", "review", True, False),
        (4, "reject", "accept", False, True),
    ]
    assert again.rows["stored_reasons"].to_list()[3] == [BELOW]
    assert again.rows["decided_reasons"].to_list()[3] == ["refund: probability is in the review band"]
    assert again.differences()["evaluation_index"].to_list() == [1, 3, 4]


def test_the_order_of_reasons_and_the_unknown_wording_make_no_difference() -> None:
    rows = [
        stored("review", "urgency: score is in the review range", BELOW, queue=selected(0.5), urgency=scored(1)),
        stored("review", "queue: probability 0.5 < 0.9", queue=selected(0.5)),
        stored("review", "queue: probability 0.5 < 0.9", refund=judged(0.5)),
    ]
    assert recheck(evaluations_from_records(rows), PACK).rows["same_reasons"].to_list() == [True, True, False]


def test_what_can_t_be_compared_is_counted_by_pack_version() -> None:
    rows = [
        stored("accept"),
        stored("accept", version="2", queue=selected(0.5)),
        stored("review", BELOW, version="2", refund=judged(0.5)),
        {"status": "review", "answers": {}, "reviewReasons": ["gateway_auth"], "packVersion": "2"},
        {"status": "review", "answers": {}, "reviewReasons": [BELOW]},
        stored(None, version=None),
    ]
    summary = recheck(evaluations_from_records(rows), PACK).summary
    assert summary.columns == [
        "pack_id",
        "pack_version",
        "same_version",
        "total",
        "same",
        "different_reasons",
        "different_status",
        "failed",
        "answers_not_recorded",
        "no_status",
    ]
    assert summary.rows() == [
        ("triage", "1", True, 1, 1, 0, 0, 0, 0, 0),
        ("triage", "2", False, 2, 0, 1, 1, 0, 0, 0),
        ("triage", None, None, 1, 0, 0, 0, 0, 0, 1),
        (None, "2", False, 1, 0, 0, 0, 1, 0, 0),
        (None, None, None, 1, 0, 0, 0, 0, 1, 0),
    ]


@given(packs(), st.lists(answers().filter(bool), min_size=1, max_size=6))
def test_what_a_pack_decided_it_decides_again(pack: Pack, rows: list[dict[str, Any]]) -> None:
    stored_rows = []
    for row in rows:
        decision = pack.decide(row)
        reasons = [reason.text for reason in decision.reasons]
        stored_rows.append({"status": decision.status.value, "answers": row, "reviewReasons": reasons})
    again = recheck(evaluations_from_records(stored_rows, pack=pack), pack)
    assert again.differences().is_empty()
    assert again.summary.select("total", "same").rows() == [(len(rows), len(rows))]


def test_nothing_makes_nothing_and_wrong_calls_are_refused() -> None:
    again = recheck(evaluations_from_records([]), PACK)
    assert again.rows.is_empty()
    assert again.summary.is_empty()
    with pytest.raises(ArgumentError, match="Evaluations are needed"):
        recheck(pl.DataFrame(), PACK)  # type: ignore[arg-type] # what is being tested
    with pytest.raises(ArgumentError, match="a Pack is needed"):
        recheck(evaluations_from_records([]), {})  # type: ignore[arg-type] # what is being tested
