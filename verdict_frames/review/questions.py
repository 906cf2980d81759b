"""The typed questions of a pack, each with its optional review rule.

The thresholds are compared as doubles and without tolerance: a value that equals an end is on the side that the rule
says. `review` belongs to the pack's owner and is not shown to the model.
"""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec

from verdict_frames.vocabulary import QuestionType


class ChoiceRule(msgspec.Struct, frozen=True, kw_only=True):
    """Review an answer whose selected option is not probable enough, or has no probability.

    Attributes:
        min_selected_probability: In [0, 1]; a probability that equals it is accepted.
    """

    min_selected_probability: float


class ScoreRule(msgspec.Struct, frozen=True, kw_only=True):
    """Review a score inside a closed range.

    Attributes:
        min_inclusive: Lowest score that goes to review, on the scale of the levels.
        max_inclusive: Highest score that goes to review, at least `min_inclusive`.
    """

    min_inclusive: float
    max_inclusive: float


class BooleanRule(msgspec.Struct, frozen=True, kw_only=True):
    """Review a probability inside an open band.

    Attributes:
        low_exclusive: In [0, 1]; a probability that equals it is accepted.
        high_exclusive: In [0, 1], at least `low_exclusive`; a probability that equals it is accepted.
    """

    low_exclusive: float
    high_exclusive: float


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What the three sorts of question have in common.

    Attributes:
        id: Never empty, and of one question only in its pack.
        instructions: As written in the pack: text, object, list or null.
        criteria: As written in the pack.
    """

    id: str
    instructions: Any = None
    criteria: Any = None


class ChoiceQuestion(Question, frozen=True, kw_only=True):
    """Which of some options holds.

    Attributes:
        options: Names in the order of the pack; null where the pack doesn't list them, so that any name is taken.
        review: The rule; null where every valid answer is accepted.
    """

    type: ClassVar[QuestionType] = QuestionType.CHOICE
    options: tuple[str, ...] | None = None
    review: ChoiceRule | None = None


class ScoreQuestion(Question, frozen=True, kw_only=True):
    """How much, as a level counted from 0, with fractions.

    Attributes:
        level_count: Levels of the scale, so that scores lie in [0, `level_count` - 1]; null where the pack doesn't list
            them, so that any finite score is taken.
        review: The rule; null where every valid answer is accepted.
    """

    type: ClassVar[QuestionType] = QuestionType.SCORE
    level_count: int | None = None
    review: ScoreRule | None = None


class BooleanQuestion(Question, frozen=True, kw_only=True):
    """Whether something holds, as the probability that it does.

    Attributes:
        review: The rule; null where every valid answer is accepted.
    """

    type: ClassVar[QuestionType] = QuestionType.BOOLEAN
    review: BooleanRule | None = None


AnyQuestion = ChoiceQuestion | ScoreQuestion | BooleanQuestion


def expected_keys(question: AnyQuestion) -> tuple[str, ...] | None:
    """Keys that the question's distribution has, in the order of the pack; null where the pack doesn't say."""
    if isinstance(question, ChoiceQuestion):
        return question.options
    if isinstance(question, ScoreQuestion) and question.level_count is not None:
        return tuple(map(str, range(question.level_count)))
    return None
