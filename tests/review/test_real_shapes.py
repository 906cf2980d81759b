"""Real files of public projects, where they are at hand, and look-alikes of our own."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.conftest import OPTIONAL_DATA
from tests.review.packs import choice, pack_of, selected
from verdict_frames.review.checking import check_answer
from verdict_frames.review.evaluations import EvaluationReader, RecordedEvaluation
from verdict_frames.review.packs import Pack
from verdict_frames.vocabulary import EvaluationStatus, ValueState

FOLDER = OPTIONAL_DATA / "data" / "jev"
needs_files = pytest.mark.skipif(not FOLDER.is_dir(), reason="optional conformance data is not here")

JUDGMENT_FIELDS = {
    "evaluation_id": "idx",
    "answers": "judgments[question].raw.answer",
    "confidence": "judgments[question].raw.typesafe_confidence",
    "usage": "judgments.0.raw.usage",
    "latency_s": "judgments.0.latency_s",
    "cost_usd": "judgments.0.cost_usd",
}


def rows_of(name: str) -> list[Any]:
    return [json.loads(line) for line in (FOLDER / name).read_text(encoding="utf-8").splitlines()]


def read_all(rows: list[Any], source: str, **options: Any) -> list[RecordedEvaluation]:
    reader = EvaluationReader(source, **options)
    evaluations = [reader.read(row) for row in rows]
    assert all(isinstance(evaluation, RecordedEvaluation) for evaluation in evaluations)
    return [evaluation for evaluation in evaluations if isinstance(evaluation, RecordedEvaluation)]


def test_rows_with_a_list_of_judgments() -> None:
    answer = selected(1, other=0)
    judgment = {"question": "category", "decision": "billing", "confidence": 1.0, "latency_s": 0.773, "cost_usd": 2e-05}
    raw = {"answer": answer, "typesafe_confidence": 1, "usage": {"inputTokens": 447, "outputTokens": 96}}
    (evaluation,) = read_all([{"idx": 0, "judgments": [{**judgment, "raw": raw}]}], "gateway", fields=JUDGMENT_FIELDS)
    assert evaluation.problems == ()
    assert (evaluation.evaluation_id, evaluation.latency_ms, evaluation.cost_usd) == ("0", 773.0, 2e-05)
    assert (evaluation.input_tokens, evaluation.output_tokens) == (447, 96)
    (category,) = evaluation.answers
    assert (category.question_id, category.answer.choice, category.confidence) == ("category", "billing", 1.0)
    assert evaluation.extra == {"judgments": [{"decision": "billing", "confidence": 1.0}]}


@needs_files
@pytest.mark.parametrize("floor", [0.9, 0.95, 0.99, 1.0])
def test_accepted_at_a_floor_as_counted_over_the_raw_json(floor: float) -> None:
    rows = rows_of("email-routing.answers.jsonl")
    raw = [row["judgments"][0]["raw"]["answer"] for row in rows]
    accepted = sum(answer["probabilities"][answer["choice"]] >= floor for answer in raw)
    assert 0 < accepted < len(rows)
    pack = pack_of(category=choice(floor, options=tuple(raw[0]["probabilities"])))
    assert sum(pack.decide({"category": answer}).status is EvaluationStatus.ACCEPT for answer in raw) == accepted


@needs_files
def test_every_row_of_email_routing_loads() -> None:
    evaluations = read_all(rows_of("email-routing.answers.jsonl"), "gateway", fields=JUDGMENT_FIELDS)
    assert len(evaluations) == 200
    assert all(evaluation.problems == () and evaluation.answers_recorded for evaluation in evaluations)
    assert all(evaluation.answers[0].confidence is not None for evaluation in evaluations)
    assert all(evaluation.answers[0].answer.value_state is ValueState.OK for evaluation in evaluations)
    assert sum(evaluation.input_tokens or 0 for evaluation in evaluations) == sum(
        row["judgments"][0]["raw"]["usage"]["inputTokens"] for row in rows_of("email-routing.answers.jsonl")
    )


@needs_files
@pytest.mark.parametrize(
    ("name", "count"), [("demo-triage.predictions.jsonl", 10), ("support-triage.extract.jsonl", 5)]
)
def test_native_predictions_load(name: str, count: int) -> None:
    evaluations = read_all(rows_of(name), "system-one")
    assert len(evaluations) == count
    for evaluation, row in zip(evaluations, rows_of(name), strict=True):
        assert (evaluation.problems, evaluation.extra, evaluation.failure_code) == ((), None, None)
        assert (evaluation.ticket_id, evaluation.model_id) == (row["case_id"], row["model"])
        assert {answer.question_id: answer.answer.type for answer in evaluation.answers} == {
            "refund_request": "boolean",
            "queue": "choice",
            "urgency": "score",
        }
        assert all(answer.answer.value_state is ValueState.OK for answer in evaluation.answers)


@needs_files
def test_a_native_response_loads_and_is_as_it_should_be() -> None:
    request = json.loads((FOLDER / "system-one.request.json").read_text(encoding="utf-8"))
    response = json.loads((FOLDER / "system-one.response.json").read_text(encoding="utf-8"))
    for question in request["questions"].values():
        question["type"] = {"noul": "boolean"}.get(question["type"], question["type"])
    pack = Pack.from_dict({"questions": request["questions"]})
    (evaluation,) = read_all([response], "system-one", pack=pack)
    assert (evaluation.problems, evaluation.model_id, evaluation.latency_ms) == ((), "jev-1.13.0", None)
    department, severity, refund = evaluation.answers
    assert department.answer.options == ("billing", "technical", "other")
    assert (severity.answer.score, severity.confidence, refund.answer.probability) == (0.97, 0.64, 0.99)
    assert [check_answer(pack.question(name), response["answers"][name]) for name in ("department", "severity")] == [
        [],
        [],
    ]
