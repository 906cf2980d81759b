"""The threshold rules: answers of one result → accept or review, with the reasons in the order of the pack.

Inside one question the checks run in this order: is there an answer of the right type, is the value that its type needs
well-formed, does the threshold fire. So a question gives at most one reason. `reject` is never given.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from verdict_frames.errors import AnswerError, ArgumentError, OptionError, one_line
from verdict_frames.review.answers import Answer, read_answer, state_for
from verdict_frames.review.questions import BooleanQuestion, ChoiceQuestion, ScoreQuestion
from verdict_frames.review.reasons import Reason, rule_reason
from verdict_frames.vocabulary import EvaluationStatus, ReasonKind, ValueState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from verdict_frames.review.questions import AnyQuestion

MissingAnswers = Literal["invalid", "skip"]
OrphanAnswers = Literal["report", "raise"]


class ReviewDecision(msgspec.Struct, frozen=True, kw_only=True):
    """What the rules of a pack make of one result.

    Attributes:
        status: `review` where there is a reason, else `accept`.
        reasons: At most one a question, in the order of the pack.
        unanswered: Questions of the pack without an answer, in its order.
        orphans: Answers that no question of the pack asks for, in their own order; they don't touch the status.
    """

    status: EvaluationStatus
    reasons: tuple[Reason, ...]
    unanswered: tuple[str, ...]
    orphans: tuple[str, ...]


def decide(
    questions: Sequence[AnyQuestion],
    answers: Mapping[str, Any],
    *,
    missing: MissingAnswers = "invalid",
    orphans: OrphanAnswers = "report",
) -> ReviewDecision:
    """Apply the review rules to the answers of one result; `Pack.decide` is the public form and says the details."""
    if missing not in ("invalid", "skip"):
        message = f"missing={one_line(missing)} is no way to treat unanswered questions; use 'invalid' or 'skip'"
        raise OptionError(message)
    if orphans not in ("report", "raise"):
        message = f"orphans={one_line(orphans)} is no way to treat answers nobody asked for; use 'report' or 'raise'"
        raise OptionError(message)
    _require_mapping(answers)
    ids = {question.id: None for question in questions}
    strangers = tuple(str(key) for key in answers if key not in ids)
    if strangers and orphans == "raise":
        message = f"answers to unknown questions: {', '.join(strangers)}; the pack asks: {', '.join(ids)}"
        raise AnswerError(message)
    unanswered = tuple(question_id for question_id in ids if question_id not in answers)
    skipped = set(unanswered) if missing == "skip" and len(unanswered) < len(ids) else set()
    reasons = []
    for question in questions:
        if question.id in skipped:
            continue
        answer = read_answer(answers[question.id]) if question.id in answers else None
        kind = fired_rule(question, answer)
        if kind is not None:
            reasons.append(rule_reason(question.id, kind))
    status = EvaluationStatus.REVIEW if reasons else EvaluationStatus.ACCEPT
    return ReviewDecision(status=status, reasons=tuple(reasons), unanswered=unanswered, orphans=strangers)


def fired_rule(question: AnyQuestion, answer: Answer | None) -> ReasonKind | None:
    """Tell why one answer goes to review, or null where it doesn't.

    Args:
        question: The question, with or without a rule.
        answer: Its record; null where there is none, which is an invalid answer.
    """
    if answer is None:
        return ReasonKind.INVALID_ANSWER
    state = state_for(question, answer)
    if isinstance(question, ChoiceQuestion):
        return _choice_rule(question, answer, state)
    if state is not ValueState.OK:
        return ReasonKind.INVALID_ANSWER
    if isinstance(question, ScoreQuestion):
        return _score_rule(question, answer)
    return _boolean_rule(question, answer)


def _choice_rule(question: ChoiceQuestion, answer: Answer, state: ValueState) -> ReasonKind | None:
    if answer.choice is None or state not in (ValueState.OK, ValueState.MISSING, ValueState.NULL):
        return ReasonKind.INVALID_ANSWER
    if question.review is None:
        return None
    if answer.selected_probability is None:
        return ReasonKind.MISSING_PROBABILITY
    if answer.selected_probability < question.review.min_selected_probability:
        return ReasonKind.BELOW_MINIMUM
    return None


def _score_rule(question: ScoreQuestion, answer: Answer) -> ReasonKind | None:
    rule, score = question.review, answer.score
    if rule is not None and score is not None and rule.min_inclusive <= score <= rule.max_inclusive:
        return ReasonKind.SCORE_RANGE
    return None


def _boolean_rule(question: BooleanQuestion, answer: Answer) -> ReasonKind | None:
    rule, probability = question.review, answer.probability
    if rule is not None and probability is not None and rule.low_exclusive < probability < rule.high_exclusive:
        return ReasonKind.PROBABILITY_BAND
    return None


def _require_mapping(answers: object) -> None:
    if not isinstance(answers, Mapping):
        message = (
            f"answers are a mapping from question id to answer, not {type(answers).__name__}; "
            "for many results at once use verdict_frames.decide"
        )
        raise ArgumentError(message)
