from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.review.packs import boolean, choice, judged, pack_of, score, scored, selected
from tests.review.strategies import answers, packs
from verdict_frames.errors import ArgumentError
from verdict_frames.frames.answer_checks import FINDINGS_SCHEMA, check_answers
from verdict_frames.frames.evaluation_assembly import evaluations_from_records
from verdict_frames.review.checking import check_result

if TYPE_CHECKING:
    from verdict_frames.review.packs import Pack

PACK = pack_of(queue=choice(), urgency=score(), refund=boolean())
GOOD = {
    "queue": selected(0.9, technical=0.06, other=0.04),
    "urgency": scored(1.1, probabilities={"0": 0.2, "1": 0.5, "2": 0.3, "3": 0}),
    "refund": judged(1),
}


def found(*rows: dict[str, Any], pack: Pack = PACK) -> list[tuple[int, str, str]]:
    read = evaluations_from_records([{"answers": row} for row in rows], source="gateway", pack=pack)
    return check_answers(pack, read).select("evaluation_index", "question_id", "fault").rows()


def test_good_answers_have_no_findings() -> None:
    assert found(GOOD, {**GOOD, "queue": {"type": "choice", "choice": "other"}}, {**GOOD, "urgency": scored(3)}) == []


@pytest.mark.parametrize(
    ("question", "answer", "faults"),
    [
        ("queue", judged(1), ["wrong_type"]),
        ("queue", None, ["wrong_type"]),
        ("queue", 5, ["wrong_type"]),
        ("queue", {"type": "choice", "choice": 4}, ["bad_value"]),
        ("queue", {"type": "choice", "choice": "sales"}, ["unknown_option"]),
        ("queue", {"type": "choice", "choice": "other", "probabilities": []}, ["bad_distribution"]),
        ("queue", {"type": "choice", "choice": "other", "probabilities": None}, ["bad_distribution"]),
        ("queue", selected(1), ["wrong_keys"]),
        ("queue", selected(0.9, technical=0.1, other="0"), ["bad_probability"]),
        ("queue", selected(0.9, technical=0.2, other=0.1), ["wrong_sum"]),
        ("queue", selected(0.2, technical=0.7, other=0.1), ["not_maximum"]),
        ("urgency", scored(3.5), ["out_of_range"]),
        ("urgency", scored("1"), ["bad_value"]),
        ("urgency", scored(2, probabilities={"0": 1, "1": 0, "2": 0, "3": 0}), ["not_mean"]),
        ("urgency", scored(1, probabilities={"0": 0, "1": 1, "2": 0}), ["wrong_keys"]),
        ("refund", judged(1.2), ["out_of_range"]),
        ("refund", {"type": "boolean"}, ["bad_value"]),
    ],
)
def test_each_fault_is_found_in_its_row(question: str, answer: Any, faults: list[str]) -> None:
    assert found(GOOD, {**GOOD, question: answer}) == [(1, question, fault) for fault in faults]


def test_findings_stand_in_the_order_of_evaluations_and_pack() -> None:
    rows = [{"stranger": judged(1), "refund": judged(2)}, GOOD, {"queue": judged(1), "urgency": scored(0)}]
    assert found(*rows) == [
        (0, "queue", "no_answer"),
        (0, "urgency", "no_answer"),
        (0, "refund", "out_of_range"),
        (0, "stranger", "no_question"),
        (2, "queue", "wrong_type"),
        (2, "refund", "no_answer"),
    ]


def test_failures_and_unrecorded_answers_are_passed_over() -> None:
    rows = [
        {"status": "review", "answers": {}, "reviewReasons": ["gateway_auth"]},
        {"status": "review", "answers": {}, "reviewReasons": ["urgency: score is in the review range"]},
        {"status": "review", "answers": {"queue": 1}, "reviewReasons": ["gateway_auth"]},
    ]
    nothing = check_answers(PACK, evaluations_from_records(rows))
    assert nothing.is_empty()
    assert nothing.schema == pl.Schema(FINDINGS_SCHEMA)


def test_values_that_no_column_holds_are_described() -> None:
    row = {**GOOD, "queue": selected(0.9, technical=0.1, other="0"), "refund": judged("yes")}
    read = evaluations_from_records([{"answers": row}], source="gateway", pack=PACK)
    assert check_answers(PACK, read)["message"].to_list() == [
        'the probability of the text "other" is no finite number',
        "probability is of another sort",
    ]


def _lost(row: dict[str, Any]) -> set[str]:
    """Questions whose answer has something in place of its distribution that tables don't tell from nothing."""
    return {
        name
        for name, answer in row.items()
        if isinstance(answer, dict)
        and (answer.get("type") == "score" or not answer.get("choice") or not isinstance(answer["choice"], str))
        and not isinstance(answer.get("probabilities", {}), dict)
    }


@given(packs(), st.lists(answers().filter(bool), min_size=1, max_size=6))
def test_the_tables_show_what_a_single_check_shows(pack: Pack, rows: list[dict[str, Any]]) -> None:
    expected = [
        (index, finding.question_id, finding.fault.value)
        for index, row in enumerate(rows)
        for finding in check_result(pack.questions, row)
        if not (finding.question_id in _lost(row) and finding.fault.value == "bad_distribution")
    ]
    assert sorted(found(*rows, pack=pack)) == sorted(expected)


def test_evaluations_are_needed() -> None:
    with pytest.raises(ArgumentError, match="Evaluations are needed, not DataFrame"):
        check_answers(PACK, pl.DataFrame())  # type: ignore[arg-type] # what is being tested
