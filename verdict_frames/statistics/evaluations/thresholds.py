"""One threshold of one question: its name, what the other end is, and which answers it sends to review."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from verdict_frames.errors import OptionError, one_line
from verdict_frames.review.questions import BooleanQuestion, ChoiceQuestion, ScoreQuestion

if TYPE_CHECKING:
    import polars as pl

    from verdict_frames.review.packs import Pack
    from verdict_frames.review.questions import AnyQuestion

FLOOR: Final = "minSelectedProbability"
_NAMES: Final = {
    "choice": (FLOOR,),
    "score": ("minInclusive", "maxInclusive"),
    "boolean": ("lowExclusive", "highExclusive"),
}


@dataclass(frozen=True, kw_only=True)
class Threshold:
    """A threshold that can be moved, everything else in the pack staying as it is.

    Between two neighbouring observed values nothing changes, so that the thresholds fall into steps. Each step is
    closed at the end where its observed value is and open at the other.

    Attributes:
        name: As it was asked for, such as `queue.minSelectedProbability`.
        question: The question that it belongs to.
        key: Its name in the rule.
        place: The question's place in the pack.
        current: Where the pack has it; null where the pack has no such rule.
        low: The lowest threshold that there can be; minus infinity where nothing limits it.
        high: The highest; infinity where nothing limits it.
        closed_high: Whether steps are closed at their upper end.
    """

    name: str
    question: AnyQuestion
    key: str
    place: int
    current: float | None
    low: float
    high: float
    closed_high: bool

    def in_reach(self, value: pl.Expr) -> pl.Expr:
        """Tell which answers go to review at some threshold: those on the right side of the rule's other end."""
        if self.key == FLOOR:
            return value.is_not_null()
        if self.key == "minInclusive":
            return value <= self.high
        if self.key == "maxInclusive":
            return value >= self.low
        return value > self.low if self.key == "highExclusive" else value < self.high

    def check(self, value: float) -> None:
        """Refuse a threshold that there can't be.

        Raises:
            OptionError: It lies outside of `low` to `high`, or is no finite number.
        """
        if not (math.isfinite(value) and self.low <= value <= self.high):
            message = f"{self.name} can't be {value}; it lies in {self.low:g} to {self.high:g}"
            raise OptionError(message)


def find_threshold(pack: Pack, name: str) -> Threshold:
    """Find a threshold by its name.

    Args:
        pack: The pack.
        name: The id of a question, a dot, and the name of a threshold of its type; the id may contain dots.

    Raises:
        OptionError: There is no such question or threshold, or the rule has another end that the pack doesn't give.

    Example:
        >>> from verdict_frames.review.packs import Pack
        >>> rule = {"minSelectedProbability": 0.9}
        >>> pack = Pack.from_dict({"questions": {"queue": {"type": "choice", "review": rule}}})
        >>> find_threshold(pack, "queue.minSelectedProbability").current
        0.9
    """
    question_id, dot, key = str(name).rpartition(".")
    questions = {question.id: (place, question) for place, question in enumerate(pack.questions)}
    if not dot or question_id not in questions or key not in _NAMES[questions[question_id][1].type]:
        known = [f"{question.id}.{one}" for question in pack.questions for one in _NAMES[question.type]]
        message = f"the pack has no threshold {one_line(name)}; it has {', '.join(known)}"
        raise OptionError(message)
    place, question = questions[question_id]
    if isinstance(question, ChoiceQuestion):
        floor = None if question.review is None else question.review.min_selected_probability
        return Threshold(
            name=name, question=question, key=key, place=place, current=floor, low=0.0, high=1.0, closed_high=True
        )
    if question.review is None:
        message = f"{name}: the question has no rule, and both of its ends are needed; give it one in the pack"
        raise OptionError(message)
    return _of_range(name, question, key, place)


def thresholds_of(pack: Pack) -> list[Threshold]:
    """Return every threshold that the pack has a value for, in the order of its questions.

    Example:
        >>> from verdict_frames.review.packs import Pack
        >>> rule = {"minSelectedProbability": 0.9}
        >>> questions = {"queue": {"type": "choice", "review": rule}, "urgent": {"type": "boolean"}}
        >>> [threshold.name for threshold in thresholds_of(Pack.from_dict({"questions": questions}))]
        ['queue.minSelectedProbability']
    """
    ruled = [question for question in pack.questions if question.review is not None]
    found = [find_threshold(pack, f"{question.id}.{key}") for question in ruled for key in _NAMES[question.type]]
    return [threshold for threshold in found if threshold.current is not None]


def _of_range(name: str, question: AnyQuestion, key: str, place: int) -> Threshold:
    first = key in ("minInclusive", "lowExclusive")
    if isinstance(question, ScoreQuestion) and question.review is not None:
        ends, outer = (question.review.min_inclusive, question.review.max_inclusive), (-math.inf, math.inf)
    elif isinstance(question, BooleanQuestion) and question.review is not None:
        ends, outer = (question.review.low_exclusive, question.review.high_exclusive), (0.0, 1.0)
    else:
        raise AssertionError(name)
    return Threshold(
        name=name,
        question=question,
        key=key,
        place=place,
        current=ends[0] if first else ends[1],
        low=outer[0] if first else ends[0],
        high=ends[1] if first else outer[1],
        closed_high=key in ("minInclusive", "highExclusive"),
    )
