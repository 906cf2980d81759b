from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st

from tests.review.packs import boolean, choice, judged, pack_of, score, scored, selected
from tests.review.strategies import answers, packs
from verdict_frames.frames.evaluation_assembly import evaluations_from_records
from verdict_frames.statistics.evaluations.question_table import question_table

if TYPE_CHECKING:
    from verdict_frames.review.packs import Pack

PACK = pack_of(queue=choice(), urgency=score(None), refund=boolean())
ROWS = [
    {"queue": selected(0.5), "urgency": scored(1), "refund": judged(0.5)},
    {"queue": {"type": "choice", "choice": "other"}, "urgency": scored(1), "refund": judged(1)},
    {"queue": selected(1), "refund": judged(1)},
]


def test_rules_are_counted_alone_and_with_others() -> None:
    table = question_table(evaluations_from_records([{"answers": row} for row in ROWS], source="gateway"), PACK)
    assert table.columns[:8] == [
        "question_id",
        "type",
        "has_rule",
        "evaluations",
        "answered",
        "fired",
        "fired_alone",
        "fired_with_others",
    ]
    assert table.select(table.columns[:8]).rows() == [
        ("queue", "choice", True, 3, 3, 2, 1, 1),
        ("urgency", "score", False, 3, 2, 1, 1, 0),
        ("refund", "boolean", True, 3, 3, 1, 0, 1),
    ]
    assert table.select("missing_probability", "below_minimum", "probability_band", "invalid_answer").rows() == [
        (1, 1, 0, 0),
        (0, 0, 0, 1),
        (0, 0, 1, 0),
    ]


def test_stored_reasons_are_counted_without_a_pack() -> None:
    rows = [
        {"status": "review", "answers": {"b": judged(1)}, "reviewReasons": ["a: invalid answer", "b: have a look"]},
        {"status": "review", "answers": {}, "reviewReasons": ["a: invalid answer"]},
        {"status": "review", "answers": {}, "reviewReasons": ["gateway_auth"]},
    ]
    table = question_table(evaluations_from_records(rows))
    assert table.select("question_id", "type", "evaluations", "answered", "fired", "fired_alone").rows() == [
        ("a", None, 2, 0, 2, 1),
        ("b", None, 2, 1, 1, 0),
    ]
    assert table.select("invalid_answer", "other_rule").rows() == [(2, 0), (0, 1)]


@given(packs(), st.lists(answers().filter(bool), min_size=1, max_size=6))
def test_counts_are_those_of_single_decisions(pack: Pack, rows: list[dict[str, Any]]) -> None:
    table = question_table(evaluations_from_records([{"answers": row} for row in rows], source="gateway"), pack)
    fired: Counter[str | None] = Counter()
    alone: Counter[str | None] = Counter()
    for row in rows:
        ids = [reason.question_id for reason in pack.decide(row).reasons]
        fired.update(ids)
        alone.update(ids if len(ids) == 1 else [])
    for row in table.iter_rows(named=True):
        assert (row["fired"], row["fired_alone"]) == (fired[row["question_id"]], alone[row["question_id"]])
        assert row["fired"] == row["fired_alone"] + row["fired_with_others"]
        assert row["answered"] == sum(row["question_id"] in given_answers for given_answers in rows)
