from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.review.packs import boolean, choice, judged, pack_of, score, scored, selected
from verdict_frames.errors import OptionError
from verdict_frames.review.answers import Answer
from verdict_frames.review.evaluations import EvaluationReader, RecordedEvaluation, Refusal, outcome_of
from verdict_frames.review.reasons import classify_reason
from verdict_frames.vocabulary import (
    EVALUATION_FAILURE_CODES,
    EvaluationOutcome,
    EvaluationStatus,
    ProblemKind,
    ReasonKind,
    ValueState,
)

SEED_EXAMPLE: dict[str, Any] = {
    "status": "review",
    "answers": {},
    "reviewReasons": ["urgency: score is in the review range"],
    "modelId": "typesafe-ai/jev",
    "latencyMs": 840,
    "usage": {"inputTokens": 900, "outputTokens": 120},
    "derived": {"department": "billing", "priority": "medium", "tags": ["refund"]},
}
ACCEPTED: dict[str, Any] = {
    "status": "accept",
    "answers": {"queue": selected(1, other=0), "urgency": scored(0.5), "refund": judged(0.9)},
    "reviewReasons": [],
    "modelId": "typesafe-ai/jev",
    "latencyMs": 2208.1,
}


def read(stored: object, source: str = "result", **options: Any) -> RecordedEvaluation:
    evaluation = EvaluationReader(source, **options).read(stored)
    assert isinstance(evaluation, RecordedEvaluation)
    return evaluation


def clean(stored: object, source: str = "result", **options: Any) -> RecordedEvaluation:
    evaluation = read(stored, source, **options)
    assert evaluation.problems == ()
    return evaluation


def failed(code: str = "gateway_unavailable", **more: Any) -> dict[str, Any]:
    return {"status": "review", "answers": {}, "reviewReasons": [code], "modelId": "none", "latencyMs": 3, **more}


def test_the_documented_example_has_no_recorded_answers_e29a() -> None:
    evaluation = clean(SEED_EXAMPLE)
    assert (evaluation.status, evaluation.outcome) == (EvaluationStatus.REVIEW, EvaluationOutcome.REVIEWED_BY_RULE)
    assert (evaluation.answers_recorded, evaluation.answers, evaluation.failure_code) == (False, (), None)
    (reason,) = evaluation.reasons
    assert (reason.question_id, reason.kind) == ("urgency", ReasonKind.SCORE_RANGE)
    assert (evaluation.model_id, evaluation.latency_ms) == ("typesafe-ai/jev", 840.0)
    assert (evaluation.input_tokens, evaluation.output_tokens) == (900, 120)
    assert evaluation.derived == {"department": "billing", "priority": "medium", "tags": ["refund"]}
    assert (evaluation.provider_metadata, evaluation.extra, evaluation.cost_usd) == (None, None, None)
    assert (evaluation.evaluation_id, evaluation.created_at, evaluation.pack_id) == (None, None, None)


def test_left_out_usage_and_derived_are_null_and_not_zero() -> None:
    evaluation = clean(ACCEPTED)
    assert (evaluation.input_tokens, evaluation.output_tokens, evaluation.derived) == (None, None, None)
    half = clean({**ACCEPTED, "usage": {"inputTokens": 0}})
    assert (half.input_tokens, half.output_tokens, half.extra) == (0, None, None)
    assert clean({**ACCEPTED, "usage": {"inputTokens": 1, "outputTokens": 2, "totalTokens": 3}}).extra is None
    assert clean({**ACCEPTED, "usage": {"inputTokens": 1, "cached": 2}}).extra == {"usage": {"cached": 2}}
    assert clean({**ACCEPTED, "usage": {}, "derived": {}}).derived == {}


@pytest.mark.parametrize("reasons", [{}, {"reviewReasons": None}, {"reviewReasons": []}])
def test_an_accepted_result_needs_no_reasons(reasons: dict[str, Any]) -> None:
    stored = {key: value for key, value in ACCEPTED.items() if key != "reviewReasons"}
    evaluation = clean({**stored, **reasons})
    assert (evaluation.outcome, evaluation.reasons) == (EvaluationOutcome.ACCEPTED, ())
    assert evaluation.answers_recorded


def test_answers_are_records_in_stored_order() -> None:
    queue, urgency, refund = clean(ACCEPTED).answers
    assert [answer.question_id for answer in (queue, urgency, refund)] == ["queue", "urgency", "refund"]
    assert (queue.answer.choice, queue.answer.selected_probability) == ("billing", 1.0)
    assert (urgency.answer.score, refund.answer.probability) == (0.5, 0.9)
    assert [answer.confidence for answer in (queue, urgency, refund)] == [None, None, None]


def test_options_are_in_pack_order_with_strangers_last() -> None:
    pack = pack_of(queue=choice(), urgency=score(levels=3))
    stored = {
        "queue": {"type": "choice", "choice": "other", "probabilities": {"x": 0, "other": 0.7, "billing": 0.3}},
        "urgency": scored(1, probabilities={"2": 0.2, "0": 0.2, "1": 0.6}),
        "note": selected(1, z=0, a=0),
    }
    evaluation = clean({**ACCEPTED, "answers": stored}, pack=pack)
    assert [answer.answer.options for answer in evaluation.answers] == [
        ("billing", "other", "x"),
        ("0", "1", "2"),
        ("billing", "z", "a"),
    ]
    assert evaluation.answers[0].answer.probabilities == (0.3, 0.7, 0.0)
    assert evaluation.answers[1].answer.probabilities == (0.2, 0.6, 0.2)
    assert clean({**ACCEPTED, "answers": stored}).answers[0].answer.options == ("x", "other", "billing")


@pytest.mark.parametrize("code", [*sorted(EVALUATION_FAILURE_CODES), "gateway_overloaded"])
def test_failures_are_known_by_their_reason_e38(code: str) -> None:
    evaluation = clean(failed(code))
    assert (evaluation.outcome, evaluation.failure_code) == (EvaluationOutcome.FAILED, code)
    assert (evaluation.model_id, evaluation.answers_recorded) == ("none", False)
    (reason,) = evaluation.reasons
    assert (reason.kind, reason.text, reason.question_id) == (ReasonKind.FAILURE, code, None)


def test_a_failure_beside_other_reasons_wins_and_is_flagged_e39() -> None:
    stored = failed(reviewReasons=["queue: invalid answer", "gateway_auth", "invalid_pack"])
    evaluation = read(stored)
    assert (evaluation.outcome, evaluation.failure_code) == (EvaluationOutcome.FAILED, "gateway_auth")
    assert [reason.text for reason in evaluation.reasons] == stored["reviewReasons"]
    assert [problem.kind for problem in evaluation.problems] == [ProblemKind.CONFLICT]
    assert "the failure gateway_auth stands beside other reasons" in evaluation.problems[0].message


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"modelId": "typesafe-ai/jev"}, "`model_id`"),
        ({"status": "accept"}, "`status`: accept in spite of the failure"),
        ({"answers": {"refund": judged(1)}}, "`answers`: some are stored"),
        ({"reviewReasons": ["refund: invalid answer"]}, "no failure code is stored"),
        ({"reviewReasons": []}, "`review_reasons`: none are stored"),
    ],
)
def test_contradictions_are_flagged_and_nothing_is_put_right(changes: dict[str, Any], message: str) -> None:
    stored = failed(**changes)
    evaluation = read(stored)
    assert message in " / ".join(problem.message for problem in evaluation.problems)
    assert {problem.kind for problem in evaluation.problems} == {ProblemKind.CONFLICT}
    assert (evaluation.status, evaluation.model_id) == (stored["status"], stored["modelId"])


def test_a_rejection_is_kept_e41() -> None:
    evaluation = clean({**ACCEPTED, "status": "reject"})
    assert (evaluation.status, evaluation.outcome) == (EvaluationStatus.REJECT, EvaluationOutcome.REJECTED)


@pytest.mark.parametrize(
    ("status", "texts", "outcome"),
    [
        ("accept", [], "accepted"),
        ("review", [], "reviewed_by_rule"),
        ("review", ["a: score is in the review range", "b: odd"], "reviewed_by_rule"),
        ("review", ["free text"], "reviewed_by_rule"),
        ("review", ["a: score is in the review range", "b: invalid answer"], "reviewed_invalid_answer"),
        ("reject", ["b: invalid answer"], "rejected"),
        ("reject", ["b: invalid answer", "gateway_auth"], "failed"),
        ("accept", ["gateway_auth"], "failed"),
        ("accept", ["b: invalid answer"], "reviewed_invalid_answer"),
        ("accept", ["a: score is in the review range"], "reviewed_by_rule"),
        (None, ["a: score is in the review range"], "reviewed_by_rule"),
        (None, ["gateway_auth"], "failed"),
        (None, [], None),
    ],
)
def test_precedence_of_outcomes(status: str | None, texts: list[str], outcome: str | None) -> None:
    found = outcome_of(None if status is None else EvaluationStatus(status), [classify_reason(text) for text in texts])
    assert found == outcome


def test_confidence_comes_from_the_provider_for_choice_and_score_only_e44() -> None:
    metadata = {"typesafe": {"confidence": {"queue": 1, "urgency": 0.64, "other": 0.1}}, "gateway": {"cost": "0.0012"}}
    evaluation = clean({**ACCEPTED, "providerMetadata": metadata})
    assert [answer.confidence for answer in evaluation.answers] == [1.0, 0.64, None]
    assert (evaluation.provider_metadata, evaluation.cost_usd) == (metadata, 0.0012)
    inside = {**ACCEPTED, "answers": {"queue": {**selected(1), "confidence": 0.3}}}
    assert clean(inside).answers[0].confidence is None


def test_confidence_that_makes_no_sense_is_noted() -> None:
    metadata = {"typesafe": {"confidence": {"queue": 1.5, "urgency": None, "refund": 0.9}}}
    evaluation = read({**ACCEPTED, "providerMetadata": metadata})
    assert [answer.confidence for answer in evaluation.answers] == [None, None, None]
    assert [problem.message.split(":")[0] for problem in evaluation.problems] == [
        "`confidence.queue`",
        "`confidence.refund`",
    ]


def test_an_envelope_is_read_as_it_is_written() -> None:
    stored = {
        "id": "e1",
        "createdAt": "2026-09-17T10:00:00.250Z",
        "idempotencyKey": "k1",
        "ticketId": 4711,
        "packId": "triage",
        "packVersion": 3,
        "region": "eu",
        "result": {**ACCEPTED, "trace": "t"},
        "providerMetadata": {"typesafe": {"confidence": {"queue": 0.8}}},
    }
    evaluation = clean(stored)
    assert (evaluation.evaluation_id, evaluation.idempotency_key, evaluation.ticket_id) == ("e1", "k1", "4711")
    assert (evaluation.pack_id, evaluation.pack_version) == ("triage", "3")
    assert evaluation.created_at == datetime(2026, 9, 17, 10, 0, 0, 250_000, tzinfo=UTC)
    assert (evaluation.outcome, len(evaluation.answers)) == (EvaluationOutcome.ACCEPTED, 3)
    assert evaluation.answers[0].confidence == 0.8
    assert evaluation.extra == {"region": "eu", "result": {"trace": "t"}}


def test_a_field_map_says_where_things_are() -> None:
    stored = {"key": "k1", "seconds": 0.5, "payload": {"result": ACCEPTED, "by": "worker"}, "in": 7, "usd": "0.5"}
    fields = {
        "result": "payload.result",
        "idempotency_key": "key",
        "latency_s": "seconds",
        "input_tokens": "in",
        "cost_usd": "usd",
    }
    evaluation = clean(stored, fields=fields)
    assert (evaluation.idempotency_key, evaluation.outcome) == ("k1", EvaluationOutcome.ACCEPTED)
    assert (evaluation.latency_ms, evaluation.input_tokens, evaluation.cost_usd) == (500.0, 7, 0.5)
    assert evaluation.extra == {"payload": {"by": "worker"}}


def test_a_part_that_is_null_in_one_place_is_looked_for_in_the_next() -> None:
    stored = {"answers": {"refund": judged(1)}, "modelId": None, "model": "jev-1.13.0", "response": {"modelId": None}}
    assert clean(stored, "gateway").model_id == "jev-1.13.0"
    assert clean({**ACCEPTED, "status": "review", "result": {"status": "accept"}}).status is EvaluationStatus.ACCEPT


def test_two_judgments_of_one_question_are_flagged() -> None:
    judgments = [{"q": "refund", "answer": judged(0.1)}, {"q": "refund", "answer": judged(0.9)}]
    evaluation = read({"judgments": judgments}, "gateway", fields={"answers": "judgments[q].answer"})
    assert [answer.answer.probability for answer in evaluation.answers] == [0.1]
    (problem,) = evaluation.problems
    assert (problem.kind, "several elements for 'refund'" in problem.message) == (ProblemKind.CONFLICT, True)


def test_a_wrong_scalar_costs_its_field_only() -> None:
    stored = {
        **ACCEPTED,
        "id": {},
        "createdAt": "17.9.2026",
        "modelId": ["jev"],
        "latencyMs": "840",
        "usage": {"inputTokens": "900", "outputTokens": 120},
        "derived": "billing",
        "reviewReasons": [None],
        "providerMetadata": [],
        "answers": {**ACCEPTED["answers"], "odd": {**scored(1), "probabilities": [1]}},
    }
    evaluation = read(stored)
    assert sorted(problem.message.split("`")[1] for problem in evaluation.problems) == [
        "answers.odd.probabilities",
        "created_at",
        "derived",
        "evaluation_id",
        "latency_ms",
        "model_id",
        "provider_metadata",
        "review_reasons[0]",
        "usage.input_tokens",
    ]
    assert {problem.kind for problem in evaluation.problems} == {ProblemKind.FIELD}
    assert (evaluation.outcome, evaluation.output_tokens, len(evaluation.answers)) == ("accepted", 120, 4)
    assert (evaluation.input_tokens, evaluation.latency_ms, evaluation.model_id) == (None, None, None)


@pytest.mark.parametrize(
    ("status", "message"),
    [("done", 'found the text "done"'), (None, "found null"), (1, "found the number 1"), ("ACCEPT", "expected accept")],
)
def test_an_unknown_status_stays_null_and_the_reasons_still_count(status: Any, message: str) -> None:
    evaluation = read({**SEED_EXAMPLE, "status": status})
    assert (evaluation.status, evaluation.outcome) == (None, EvaluationOutcome.REVIEWED_BY_RULE)
    assert message in evaluation.problems[0].message


def test_a_result_without_a_status_says_so_and_raw_answers_need_none() -> None:
    stored = {"answers": ACCEPTED["answers"]}
    assert "`status`: absent" in read(stored).problems[0].message
    assert (clean(stored, "gateway").status, clean(stored, "gateway").outcome) == (None, None)


@pytest.mark.parametrize("answers", [None, [], "x", 3])
def test_answers_that_are_no_object_are_not_recorded(answers: Any) -> None:
    evaluation = read({**SEED_EXAMPLE, "answers": answers})
    assert (evaluation.answers_recorded, evaluation.answers) == (False, ())
    assert len(evaluation.problems) == (answers is not None)


def test_odd_answers_are_kept_with_their_state() -> None:
    stored: dict[str, Any] = {
        "a": None,
        "b": [],
        "c": {"type": "box"},
        "d": judged(math.nan),
        "e": {"type": "noul", "noul": 1},
    }
    evaluation = clean({**ACCEPTED, "answers": stored})
    assert [(answer.answer.type, answer.answer.value_state) for answer in evaluation.answers] == [
        (None, ValueState.NULL),
        (None, ValueState.WRONG_TYPE),
        ("box", ValueState.WRONG_TYPE),
        ("boolean", ValueState.NOT_FINITE),
        ("noul", ValueState.WRONG_TYPE),
    ]


def test_unknown_reasons_are_classified_by_the_ids_of_pack_and_answers() -> None:
    text = "re: order: too close to call"
    stored = {**SEED_EXAMPLE, "reviewReasons": [text]}
    assert clean(stored).reasons[0].question_id is None
    assert clean(stored, pack=pack_of(**{"re: order": boolean()})).reasons[0].question_id == "re: order"
    answered = clean({**stored, "answers": {"re: order": judged(0.5)}})
    assert (answered.reasons[0].question_id, answered.reasons[0].kind) == ("re: order", ReasonKind.OTHER_RULE)


@pytest.mark.parametrize("stored", [None, [], "x", 3, {}, {"idx": -1, "dataset": {}}, {"error": None}, {"result": 3}])
@pytest.mark.parametrize("source", ["result", "gateway", "system-one"])
def test_what_is_no_evaluation_is_refused_with_a_reason(stored: Any, source: str) -> None:
    refusal = EvaluationReader(source).read(stored)
    assert isinstance(refusal, Refusal)
    assert ("`answers`" in refusal.reason) == isinstance(stored, dict)


def test_gateway_responses() -> None:
    stored = {
        "answers": {"queue": selected(1, other=0)},
        "usage": {"inputTokens": 447, "outputTokens": 96, "totalTokens": 543},
        "response": {"modelId": "typesafe-ai/jev", "timestamp": "2026-09-17T10:00:00Z"},
        "providerMetadata": {"typesafe": {"confidence": {"queue": 0.99}}},
        "warnings": [],
    }
    evaluation = clean(stored, "gateway")
    assert (evaluation.model_id, evaluation.input_tokens, evaluation.output_tokens) == ("typesafe-ai/jev", 447, 96)
    assert evaluation.created_at == datetime(2026, 9, 17, 10, tzinfo=UTC)
    assert (evaluation.answers[0].confidence, evaluation.extra) == (0.99, {"warnings": []})


@pytest.mark.parametrize(
    ("error", "code"),
    [
        ("HTTP 503", "HTTP 503"),
        ({"type": "authentication_error", "message": "no"}, "authentication_error"),
        ({"message": "no"}, "no"),
        ({}, "error"),
        ("", "error"),
        (True, "error"),
    ],
)
@pytest.mark.parametrize("source", ["gateway", "system-one"])
def test_a_recorded_error_is_a_failure(error: Any, code: str, source: str) -> None:
    evaluation = clean({"answers": None, "error": error}, source)
    assert (evaluation.outcome, evaluation.failure_code) == (EvaluationOutcome.FAILED, code)
    assert evaluation.reasons[0].kind is ReasonKind.FAILURE


def test_native_responses() -> None:
    stored = {
        "case_id": "dt-001",
        "model": "jev-1.13.0",
        "latency_ms": 2208.1,
        "usage": {"input_tokens": 504, "output_tokens": 77},
        "answers": {
            "refund": {"type": "noul", "noul": 0.99},
            "queue": {**selected(1.0, other=0.0), "confidence": 1.0},
            "urgency": scored(1.0, confidence=0.5, legend={"0": "low"}, probabilities={"0": 0.0, "1": 1.0}),
            "gone": {"type": "noul"},
        },
        "error": None,
    }
    evaluation = clean(stored, "system-one")
    refund, queue, urgency, gone = evaluation.answers
    assert refund.answer == Answer(type="boolean", probability=0.99, value_state=ValueState.OK)
    assert gone.answer == Answer(type="boolean", value_state=ValueState.MISSING)
    assert [answer.confidence for answer in (refund, queue, urgency)] == [None, 1.0, 0.5]
    assert (evaluation.ticket_id, evaluation.model_id, evaluation.latency_ms) == ("dt-001", "jev-1.13.0", 2208.1)
    assert (evaluation.input_tokens, evaluation.output_tokens, evaluation.extra) == (504, 77, None)
    assert (evaluation.status, evaluation.outcome, evaluation.answers_recorded) == (None, None, True)


@pytest.mark.parametrize("source", ["results", "Result", "", None])
def test_an_unknown_source_is_refused(source: Any) -> None:
    with pytest.raises(OptionError, match="no source of evaluations; use one of result, gateway, system-one"):
        EvaluationReader(source)
