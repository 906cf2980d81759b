"""What holds for any pack and any answers."""

from __future__ import annotations

import copy
import math
import sys
from typing import TYPE_CHECKING, Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from tests.review.strategies import answers, json_values, packs
from verdict_frames.review.checking import check_result
from verdict_frames.review.evaluations import EvaluationReader, RecordedEvaluation
from verdict_frames.review.pack_reading import read_parts
from verdict_frames.review.questions import AnyQuestion, BooleanQuestion, ChoiceQuestion, ScoreQuestion
from verdict_frames.review.reasons import classify_reason
from verdict_frames.vocabulary import EvaluationSource, EvaluationStatus

if TYPE_CHECKING:
    from verdict_frames.review.packs import Pack


def well_formed(value: Any, low: float, high: float) -> bool:
    if type(value) is not float and type(value) is not int:
        return False
    return bool(low <= value <= high and abs(value) <= sys.float_info.max)


def text_by_the_book(question: AnyQuestion, answer: Any) -> str | None:
    """The rules once more, from the raw JSON and in another form."""
    if not isinstance(answer, dict) or answer.get("type") != str(question.type):
        return "invalid answer"
    if isinstance(question, BooleanQuestion):
        value: Any = answer.get("probability")
        if not well_formed(value, 0, 1):
            return "invalid answer"
        band = question.review
        inside = band is not None and value > band.low_exclusive and value < band.high_exclusive
        return "probability is in the review band" if inside else None
    if isinstance(question, ScoreQuestion):
        value = answer.get("score")
        top = math.inf if question.level_count is None else question.level_count - 1
        if not well_formed(value, -math.inf if question.level_count is None else 0, top):
            return "invalid answer"
        closed = question.review
        inside = closed is not None and not (value < closed.min_inclusive or value > closed.max_inclusive)
        return "score is in the review range" if inside else None
    return choice_by_the_book(question, answer)


def choice_by_the_book(question: ChoiceQuestion, answer: dict[str, Any]) -> str | None:
    option, distribution = answer.get("choice"), answer.get("probabilities")
    if type(option) is not str or option not in (question.options or [option or None]):
        return "invalid answer"
    if distribution is not None and not isinstance(distribution, dict):
        return "invalid answer"
    selected = (distribution or {}).get(option)
    if selected is not None and not well_formed(selected, 0, 1):
        return "invalid answer"
    if question.review is None:
        return None
    if selected is None:
        return "selected probability is missing"
    floor = question.review.min_selected_probability
    return "selected probability is below the minimum" if not selected >= floor else None


@given(packs(), answers(), st.sampled_from(["invalid", "skip"]))
def test_decisions_are_by_the_book(pack: Pack, given_answers: dict[str, Any], missing: Any) -> None:
    before = copy.deepcopy(given_answers)
    decision = pack.decide(given_answers, missing=missing)
    answered = [question.id for question in pack.questions if question.id in given_answers]
    expected = []
    for question in pack.questions:
        if missing == "skip" and answered and question.id not in given_answers:
            continue
        text = text_by_the_book(question, given_answers.get(question.id))
        if text is not None:
            expected.append(f"{question.id}: {text}")
    assert [reason.text for reason in decision.reasons] == expected
    assert (decision.status is EvaluationStatus.REVIEW) == bool(expected)
    assert set(decision.orphans) == set(given_answers) - {question.id for question in pack.questions}
    assert decision.unanswered == tuple(q.id for q in pack.questions if q.id not in given_answers)
    assert repr(given_answers) == repr(before)


@given(packs(), answers(), st.randoms())
def test_decisions_don_t_depend_on_the_order_of_answers(pack: Pack, given_answers: dict[str, Any], random: Any) -> None:
    items = list(given_answers.items())
    random.shuffle(items)
    first, second = pack.decide(given_answers), pack.decide(dict(items))
    assert (first.status, first.reasons, first.unanswered) == (second.status, second.reasons, second.unanswered)
    assert pack.decide(given_answers) == first


@given(packs(), answers())
def test_reasons_of_a_decision_are_read_back(pack: Pack, given_answers: dict[str, Any]) -> None:
    for reason in pack.decide(given_answers).reasons:
        assert classify_reason(reason.text) == reason


@given(packs(), st.dictionaries(st.sampled_from(["a", "b", "re: order"]), json_values))
def test_no_json_raises(pack: Pack, given_answers: dict[str, Any]) -> None:
    assert len(pack.decide(given_answers).reasons) <= len(pack.questions)
    assert all(finding.message for finding in check_result(pack.questions, given_answers))


@given(json_values | st.dictionaries(st.sampled_from(["questions", "id", "version"]), json_values))
def test_a_document_is_a_pack_or_has_faults(document: Any) -> None:
    parts = read_parts(document)
    assert parts.faults or parts.questions
    assert all("\n" not in str(note) for note in (*parts.faults, *parts.warnings))


@given(json_values, st.sampled_from(EvaluationSource), packs())
def test_any_json_is_an_evaluation_or_refused(stored: Any, source: EvaluationSource, pack: Pack) -> None:
    evaluation = EvaluationReader(source, pack=pack).read(stored)
    assert repr(EvaluationReader(source, pack=pack).read(stored)) == repr(evaluation)
    if not isinstance(evaluation, RecordedEvaluation):
        assert evaluation.reason
        return
    numbers = [evaluation.latency_ms, evaluation.cost_usd]
    for recorded in evaluation.answers:
        columns = msgspec.structs.asdict(recorded.answer)
        numbers += [columns[name] for name in ("score", "probability", "selected_probability")]
        numbers += [recorded.confidence, *(columns["probabilities"] or ())]
    assert all(number is None or math.isfinite(number) for number in numbers)
    assert all("\n" not in problem.message for problem in evaluation.problems)


@given(packs(), answers().filter(bool))
def test_stored_decisions_are_read_as_they_were_made(pack: Pack, given_answers: dict[str, Any]) -> None:
    decision = pack.decide(given_answers)
    texts = [reason.text for reason in decision.reasons]
    stored = {"status": decision.status.value, "answers": given_answers, "reviewReasons": texts}
    evaluation = EvaluationReader(pack=pack).read(stored)
    assert isinstance(evaluation, RecordedEvaluation)
    assert (evaluation.status, evaluation.reasons) == (decision.status, decision.reasons)
    assert evaluation.failure_code is None
    assert (evaluation.outcome == "accepted") == (decision.status is EvaluationStatus.ACCEPT)
