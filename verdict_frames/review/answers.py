"""One answer as stored → a small record of the value that its type needs, and whether that value can be used.

The record is what thresholds are compared with, whether one result is decided or a whole frame, so that both decide
alike. It doesn't depend on a pack; `state_for` looks at it from one question.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import msgspec

from verdict_frames.interpretation.values import is_number, is_object
from verdict_frames.review.questions import ChoiceQuestion, ScoreQuestion
from verdict_frames.vocabulary import QuestionType, ValueState

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from verdict_frames.review.questions import AnyQuestion

_NATIVE_BOOLEAN: Final = "noul"


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """One answer, in the columns that tables hold.

    Attributes:
        type: As recorded; null where it is absent or no text.
        choice: Selected option of a choice answer; null where it is no text.
        score: Level of a score answer, counted from 0; null where it is no finite number.
        probability: P(true) of a boolean answer; null where it is no finite number.
        selected_probability: Probability of the selected option of a choice answer; null where it is no finite number.
        options: Keys of `probabilities`, in recorded order; null where there is no such object.
        probabilities: Parallel to `options`; an entry that is no finite number is null.
        value_state: Of `choice` where that is null or empty, else of `selected_probability`; of `score`; of
            `probability`. A value that is out of range is kept in its column.
    """

    type: str | None = None
    choice: str | None = None
    score: float | None = None
    probability: float | None = None
    selected_probability: float | None = None
    options: tuple[str, ...] | None = None
    probabilities: tuple[float | None, ...] | None = None
    value_state: ValueState


def read_answer(stored: object) -> Answer:
    """Classify one answer by its own type, whatever it holds.

    Booleans and texts are no numbers. An answer of a type that no question has, one that is no object, and one whose
    type is no text have the state `wrong_type`; null has the state `null`.

    Args:
        stored: The answer as parsed from JSON.

    Returns:
        The record.

    Example:
        >>> read_answer({"type": "choice", "choice": "billing", "probabilities": {"billing": 1}}).selected_probability
        1.0
        >>> read_answer({"type": "boolean", "probability": "0.9"}).value_state
        <ValueState.WRONG_TYPE: 'wrong_type'>
    """
    if stored is None:
        return Answer(value_state=ValueState.NULL)
    if not is_object(stored):
        return Answer(value_state=ValueState.WRONG_TYPE)
    kind = stored.get("type")
    options, probabilities = _distribution(stored)
    if kind == QuestionType.CHOICE:
        choice, selected, state = _choice(stored)
        return Answer(
            type=kind,
            choice=choice,
            selected_probability=selected,
            options=options,
            probabilities=probabilities,
            value_state=state,
        )
    if kind == QuestionType.SCORE:
        score, state = _number(stored, "score")
        return Answer(type=kind, score=score, options=options, probabilities=probabilities, value_state=state)
    if kind == QuestionType.BOOLEAN:
        probability, state = _probability(stored, "probability")
        return Answer(type=kind, probability=probability, value_state=state)
    name = kind if isinstance(kind, str) else None
    return Answer(type=name, options=options, probabilities=probabilities, value_state=ValueState.WRONG_TYPE)


def state_for(question: AnyQuestion, answer: Answer) -> ValueState:
    """Look at a record from the question that it answers.

    Args:
        question: The question.
        answer: Its record.

    Returns:
        `wrong_type` where the types differ, `unknown_option` for a choice that the pack doesn't list, `out_of_range`
        for a score beyond the levels of the pack; else the record's own state.
    """
    if answer.type != question.type:
        return ValueState.WRONG_TYPE
    if isinstance(question, ChoiceQuestion):
        if answer.choice is not None and question.options is not None and answer.choice not in question.options:
            return ValueState.UNKNOWN_OPTION
    elif (
        isinstance(question, ScoreQuestion)
        and answer.score is not None
        and question.level_count is not None
        and not 0 <= answer.score <= question.level_count - 1
    ):
        return ValueState.OUT_OF_RANGE
    return answer.value_state


def from_native(stored: object) -> object:
    """The same answer in the form of results: the native API calls boolean answers `noul`.

    Args:
        stored: An answer of the native API; it isn't changed.

    Example:
        >>> from_native({"type": "noul", "noul": 0.99})
        {'type': 'boolean', 'probability': 0.99}
    """
    if not is_object(stored) or stored.get("type") != _NATIVE_BOOLEAN:
        return stored
    named = {"type": QuestionType.BOOLEAN.value}
    return {**named, "probability": stored[_NATIVE_BOOLEAN]} if _NATIVE_BOOLEAN in stored else named


def in_order(answer: Answer, keys: Sequence[str] | None) -> Answer:
    """The same record with its options in the given order, options that it doesn't name last.

    Args:
        answer: The record.
        keys: The order; null leaves the recorded one.
    """
    if keys is None or answer.options is None or answer.probabilities is None:
        return answer
    recorded = dict(zip(answer.options, answer.probabilities, strict=True))
    known = dict.fromkeys(keys)
    options = [*(key for key in known if key in recorded), *(key for key in recorded if key not in known)]
    return msgspec.structs.replace(
        answer, options=tuple(options), probabilities=tuple(recorded[option] for option in options)
    )


def _choice(stored: Mapping[str, Any]) -> tuple[str | None, float | None, ValueState]:
    """Selected option, its probability, and the state of the first of the two that can't be used."""
    choice = stored.get("choice")
    if not isinstance(choice, str):
        return None, None, _absence(stored, "choice")
    distribution = stored.get("probabilities")
    if distribution is None:
        selected, state = None, _absence(stored, "probabilities")
    elif is_object(distribution):
        selected, state = _probability(distribution, choice)
    else:
        selected, state = None, ValueState.WRONG_TYPE
    return choice, selected, state if choice else ValueState.UNKNOWN_OPTION


def _distribution(stored: Mapping[str, Any]) -> tuple[tuple[str, ...] | None, tuple[float | None, ...] | None]:
    distribution = stored.get("probabilities")
    if not is_object(distribution):
        return None, None
    return tuple(distribution), tuple(_number(distribution, option)[0] for option in distribution)


def _absence(holder: Mapping[str, Any], name: str) -> ValueState:
    """State of a member that has not the type it needs."""
    if name not in holder:
        return ValueState.MISSING
    return ValueState.NULL if holder[name] is None else ValueState.WRONG_TYPE


def _number(holder: Mapping[str, Any], name: str) -> tuple[float | None, ValueState]:
    value = holder.get(name)
    if not is_number(value):
        return None, _absence(holder, name)
    try:
        number = float(value)
    except OverflowError:
        return None, ValueState.OUT_OF_RANGE
    return (number, ValueState.OK) if math.isfinite(number) else (None, ValueState.NOT_FINITE)


def _probability(holder: Mapping[str, Any], name: str) -> tuple[float | None, ValueState]:
    number, state = _number(holder, name)
    if number is not None and not 0 <= number <= 1:
        return number, ValueState.OUT_OF_RANGE
    return number, state
