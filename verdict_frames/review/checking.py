"""What a model's output should be, beyond what the review rules look at; it never touches a status.

Printed probabilities are rounded, so sums and means are compared with the tolerance that two decimals call for. Nothing
is repaired or scaled.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import msgspec

from verdict_frames.documents.wording import Unheld, shown
from verdict_frames.interpretation.values import is_number, is_object, member, to_double
from verdict_frames.review.answers import read_answer, state_for
from verdict_frames.review.questions import ChoiceQuestion, ScoreQuestion, expected_keys
from verdict_frames.vocabulary import AnswerFault, ValueState

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from verdict_frames.review.answers import Answer
    from verdict_frames.review.questions import AnyQuestion

EXACT: Final = 1e-6
"""What is never taken for a difference between probabilities, their sums and means."""
_HALF_UNIT: Final = 0.005
_LOOSEST: Final = 0.1
_STATE_FAULTS: Final = {
    ValueState.OUT_OF_RANGE: (AnswerFault.OUT_OF_RANGE, ", which is out of range"),
    ValueState.UNKNOWN_OPTION: (AnswerFault.UNKNOWN_OPTION, ", which is no option"),
}


_MEMBERS: Final = {"choice": "choice", "score": "score", "boolean": "probability"}
_UNHELD: Final = {
    ValueState.NULL: None,
    ValueState.WRONG_TYPE: Unheld("of another sort"),
    ValueState.NOT_FINITE: Unheld("not finite"),
    ValueState.OUT_OF_RANGE: Unheld("beyond the largest double"),
}


class AnswerFinding(msgspec.Struct, frozen=True, kw_only=True):
    """One way in which an answer isn't what the model's output should be.

    Attributes:
        question_id: The question.
        fault: What sort of fault.
        message: The same with the values, in one line.
    """

    question_id: str
    fault: AnswerFault
    message: str


def check_result(questions: Sequence[AnyQuestion], answers: Mapping[str, Any]) -> list[AnswerFinding]:
    """Check the answers of one result: exactly one a question, and each as it should be.

    Args:
        questions: The questions of the pack.
        answers: Question id → answer, as parsed from JSON.

    Returns:
        The findings, in the order of the pack; answers that nobody asked for come last.
    """
    findings = []
    for question in questions:
        if question.id in answers:
            findings += check_answer(question, answers[question.id])
        else:
            findings.append(_finding(question.id, AnswerFault.NO_ANSWER, "the question has no answer"))
    asked = {question.id for question in questions}
    findings += [
        _finding(name, AnswerFault.NO_QUESTION, "the pack doesn't ask this") for name in answers if name not in asked
    ]
    return findings


def check_answer(question: AnyQuestion, answer: object) -> list[AnswerFinding]:
    """Check one answer: its type, its value, and its distribution where it has one.

    A sum may be off by 1e-6 and half a hundredth for each probability, at most by 0.1; a score may be off the mean of
    its distribution by 1e-6 and what rounding to hundredths can do to both; the selected option may be 1e-6 less
    probable than the most probable one. A distribution that is absent is no fault.

    Args:
        question: The question.
        answer: Its answer, as parsed from JSON.

    Returns:
        The findings; none for an answer that is as it should be. An answer of the wrong type has that one only.

    Example:
        >>> from verdict_frames.review.questions import BooleanQuestion
        >>> check_answer(BooleanQuestion(id="refund"), {"type": "boolean", "probability": 1.2})[0].message
        'probability is the number 1.2, which is out of range'
    """
    found = member(answer, "type")
    if not is_object(answer) or found != question.type:
        what = f"of type {shown(found)}" if is_object(answer) else shown(answer)
        return [_finding(question.id, AnswerFault.WRONG_TYPE, f"the answer is {what} instead of {question.type}")]
    faults = _value_faults(question, answer)
    if isinstance(question, ChoiceQuestion | ScoreQuestion) and "probabilities" in answer:
        faults += _distribution_faults(question, answer)
    return [_finding(question.id, fault, message) for fault, message in faults]


def rebuilt(answer: Answer) -> object:
    """The answer as parsed from JSON once more, as far as a record tells.

    What the record has no room for is an `Unheld` of the right sort, so that `check_answer` finds the same faults. Lost
    is only what a score, or a choice without a usable option, had in place of its distribution.

    Args:
        answer: The record.
    """
    if answer.type is None:
        return None if answer.value_state is ValueState.NULL else Unheld("of no type")
    name = _MEMBERS.get(answer.type)
    stored: dict[str, Any] = {"type": answer.type}
    if name is None:
        return stored
    value = {"choice": answer.choice, "score": answer.score, "probability": answer.probability}[name]
    if value is not None:
        stored[name] = value
    elif answer.value_state in _UNHELD:
        stored[name] = _UNHELD[answer.value_state]
    if answer.options is not None and answer.probabilities is not None:
        pairs = zip(answer.options, answer.probabilities, strict=True)
        stored["probabilities"] = {key: Unheld("no finite number") if one is None else one for key, one in pairs}
    elif answer.choice and answer.value_state in _UNHELD:
        stored["probabilities"] = _UNHELD[answer.value_state]
    return stored


_Faults = list[tuple[AnswerFault, str]]


def _value_faults(question: AnyQuestion, answer: Mapping[str, Any]) -> _Faults:
    """Faults of the member that carries the answer's value."""
    name = {ChoiceQuestion: "choice", ScoreQuestion: "score"}.get(type(question), "probability")
    record = read_answer(answer)
    state = state_for(question, record)
    if name == "choice" and record.choice and state is not ValueState.UNKNOWN_OPTION:
        return []
    if state is ValueState.OK:
        return []
    if state is ValueState.MISSING:
        return [(AnswerFault.BAD_VALUE, f"{name} is absent")]
    fault, ground = _STATE_FAULTS.get(state, (AnswerFault.BAD_VALUE, ""))
    return [(fault, f"{name} is {shown(answer[name])}{ground}")]


def _distribution_faults(question: ChoiceQuestion | ScoreQuestion, answer: Mapping[str, Any]) -> _Faults:
    distribution = answer["probabilities"]
    if not is_object(distribution):
        return [(AnswerFault.BAD_DISTRIBUTION, f"probabilities is {shown(distribution)} instead of an object")]
    faults: _Faults = []
    keys_told = _key_differences(distribution, expected_keys(question), answer.get("choice"))
    if keys_told:
        faults.append((AnswerFault.WRONG_KEYS, f"probabilities {keys_told}"))
    bad = [key for key, value in distribution.items() if not _is_probability(value)]
    if bad:
        faults += [
            (AnswerFault.BAD_PROBABILITY, f"the probability of {shown(key)} is {shown(distribution[key])}")
            for key in bad
        ]
        return faults
    probabilities = {key: to_double(value) for key, value in distribution.items()}
    return faults + _sum_faults(probabilities) + _agreement_faults(question, answer, probabilities)


def _key_differences(distribution: Mapping[str, Any], expected: Sequence[str] | None, choice: object) -> str:
    """How the keys differ from those of the pack, or where that doesn't say, whether the selected one is there."""
    if expected is None:
        expected = [*distribution, *([choice] if isinstance(choice, str) and choice not in distribution else [])]
    lacking = [shown(key) for key in expected if key not in distribution]
    strange = [shown(key) for key in distribution if key not in expected]
    told = [f"lacks {', '.join(lacking)}"] * bool(lacking) + [f"has the unknown {', '.join(strange)}"] * bool(strange)
    return " and ".join(told)


def sum_tolerance(count: int) -> float:
    """How far from 1 the sum of this many probabilities may be, each rounded to hundredths."""
    return min(_LOOSEST, EXACT + count * _HALF_UNIT)


def mean_tolerance(levels: int) -> float:
    """How far a score may be from the mean of its distribution, both rounded to hundredths."""
    return EXACT + _HALF_UNIT * (1 + sum(range(levels)))


def _sum_faults(probabilities: Mapping[str, float]) -> _Faults:
    total = math.fsum(probabilities.values())
    tolerance = sum_tolerance(len(probabilities))
    if abs(total - 1) <= tolerance:
        return []
    return [(AnswerFault.WRONG_SUM, f"probabilities sum to {total:.6g}, which is more than {tolerance:.6g} off 1")]


def _agreement_faults(
    question: ChoiceQuestion | ScoreQuestion, answer: Mapping[str, Any], probabilities: Mapping[str, float]
) -> _Faults:
    """Where the value and its distribution say different things."""
    if isinstance(question, ChoiceQuestion):
        choice = answer.get("choice")
        largest = max(probabilities.values(), default=0.0)
        if not isinstance(choice, str) or choice not in probabilities or probabilities[choice] >= largest - EXACT:
            return []
        message = f"{shown(choice)} has {probabilities[choice]:.6g}, but another option has {largest:.6g}"
        return [(AnswerFault.NOT_MAXIMUM, message)]
    score = read_answer(answer).score
    levels = [str(level) for level in range(len(probabilities))]
    if score is None or set(probabilities) != set(levels):
        return []
    mean = math.fsum(level * probabilities[key] for level, key in enumerate(levels))
    tolerance = mean_tolerance(len(levels))
    if abs(score - mean) <= tolerance:
        return []
    message = f"score is {score:.6g}, but its distribution has the mean {mean:.6g}"
    return [(AnswerFault.NOT_MEAN, message)]


def _is_probability(value: object) -> bool:
    return is_number(value) and 0 <= to_double(value) <= 1


def _finding(question_id: str, fault: AnswerFault, message: str) -> AnswerFinding:
    return AnswerFinding(question_id=question_id, fault=fault, message=message)
