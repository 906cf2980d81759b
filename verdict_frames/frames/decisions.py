"""The review rules over a whole frame of answers, in polars expressions; row by row the same as `Pack.decide`.

Comparisons with NaN or null are false or null in polars, which would accept what can't be compared. So each answer is
first asked whether its value can be used at all, and only then held against the threshold.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import polars as pl

from verdict_frames.errors import AnswerError, ArgumentError, ColumnError, OptionError, one_line
from verdict_frames.frames.arrays import without_surrogates
from verdict_frames.frames.evaluations import Evaluations
from verdict_frames.review.packs import Pack
from verdict_frames.review.questions import BooleanQuestion, ChoiceQuestion, ScoreQuestion
from verdict_frames.review.reasons import SEPARATOR, SUFFIXES
from verdict_frames.vocabulary import EvaluationOutcome, EvaluationStatus, QuestionType, ReasonKind, ValueState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from verdict_frames.review.questions import AnyQuestion
    from verdict_frames.review.rules import MissingAnswers, OrphanAnswers

KEY: Final = "evaluation_index"
STATUS_DTYPE: Final = pl.Enum(EvaluationStatus)
KIND_DTYPE: Final = pl.Enum(ReasonKind)
NOT_DECIDED: Final = pl.Enum(["failed", "answers_not_recorded"])
"""Why there is nothing to decide: the evaluation failed, or its answers weren't stored."""

VALUE_COLUMN: Final = {
    QuestionType.CHOICE: "selected_probability",
    QuestionType.SCORE: "score",
    QuestionType.BOOLEAN: "probability",
}
"""The column of `answers` that the threshold of each type is held against."""

_NEEDED: Final = (KEY, "question_id", "type", "choice", "score", "probability", "selected_probability")
_OK: Final = ValueState.OK.value
_WITHOUT_PROBABILITY: Final = (_OK, ValueState.MISSING.value, ValueState.NULL.value)
_PRESENT: Final = "\0present"
_STATE: Final = "\0state"


@dataclass(frozen=True, kw_only=True)
class FiredRules:
    """What the rules of a pack make of each answer, before it is put together for each evaluation.

    Attributes:
        pack: The pack.
        index: The evaluations that can be decided, in their order; the other columns are parallel to it.
        kinds: One column a question, in the order of the pack: why its answer goes to review; null where it doesn't.
        answered: Likewise: whether the question has an answer.
        values: Likewise: the value that the threshold is held against; null where the answer has none or is invalid.
    """

    pack: Pack
    index: pl.Series
    kinds: tuple[pl.Series, ...]
    answered: tuple[pl.Series, ...]
    values: tuple[pl.Series, ...]

    @cached_property
    def fired_count(self) -> pl.Series:
        """How many questions fire for each evaluation."""
        count = pl.zeros(len(self.index), dtype=pl.Int32, eager=True)
        for kind in self.kinds:
            count += kind.is_not_null().cast(pl.Int32)
        return count


def decide(
    pack: Pack,
    answers: Evaluations | pl.DataFrame | pl.LazyFrame,
    *,
    missing: MissingAnswers = "invalid",
    orphans: OrphanAnswers = "report",
) -> pl.DataFrame:
    """Decide many results at once: for each what `Pack.decide` says of it.

    Nothing that was stored plays a part but the answers. Failed evaluations and those without recorded answers are not
    decided again; they keep their row, with neither status nor reasons.

    Args:
        pack: The questions and their rules.
        answers: Stored evaluations, or a frame of answers with the columns of their table `answers`, one row an answer.
            Of a frame `value_state` may be left out: then null stands for no value. NaN is an invalid answer.
        missing: `invalid` takes an unanswered question for an invalid answer; `skip` leaves it out, for partial
            exports, unless no question at all is answered.
        orphans: `report` counts answers that no question asks for; `raise` refuses them.

    Returns:
        One row an evaluation, in the order of the evaluations, or in which the answers first name them:
        `evaluation_index`; `status?` (`accept` or `review`); `reasons?`, a list of texts in the order of the pack, at
        most one a question, empty for `accept`; `unanswered?` and `orphans?`, numbers of questions without an answer
        and of answers without a question; `not_decided?`, `failed` or `answers_not_recorded` where the others are null.

    Raises:
        ColumnError: A frame lacks a column, or answers one question of an evaluation twice.
        AnswerError: There are orphans and they are refused.
        OptionError: An option has an unknown value.
        ArgumentError: An argument is of the wrong kind.

    Example:
        >>> pack = Pack.from_dict({"questions": {"refund": {"type": "boolean",
        ...     "review": {"lowExclusive": 0.2, "highExclusive": 0.8}}}})
        >>> answers = pl.DataFrame({"evaluation_index": [0, 1, 2], "question_id": "refund", "type": "boolean",
        ...     "choice": None, "score": None, "selected_probability": None, "probability": [0.2, 0.5, float("nan")]})
        >>> decide(pack, answers).select("status", pl.col("reasons").list.first()).rows()[1:]
        [('review', 'refund: probability is in the review band'), ('review', 'refund: invalid answer')]
    """
    if orphans not in ("report", "raise"):
        message = f"orphans={one_line(orphans)} is no way to treat answers nobody asked for; use 'report' or 'raise'"
        raise OptionError(message)
    fired = fired_rules(pack, answers, missing=missing)
    ids = [without_surrogates(question.id) for question in pack.questions]
    texts = [
        (pl.lit(name + SEPARATOR) + pl.lit(kind).replace_strict(SUFFIXES, return_dtype=pl.String)).alias(str(place))
        for place, (name, kind) in enumerate(zip(ids, (kind.cast(pl.String) for kind in fired.kinds), strict=True))
    ]
    count = fired.fired_count
    answered = pl.sum_horizontal(pl.lit(column).cast(pl.Int32) for column in fired.answered)
    decided = pl.DataFrame({KEY: fired.index}).with_columns(
        pl.when(count > 0).then(pl.lit("review")).otherwise(pl.lit("accept")).cast(STATUS_DTYPE).alias("status"),
        pl.concat_list(texts).list.drop_nulls().alias("reasons"),
        (len(ids) - answered).cast(pl.Int32).alias("unanswered"),
    )
    strangers = _orphans(_answers_of(answers), ids, refused=orphans == "raise")
    decided = decided.join(strangers, on=KEY, how="left", maintain_order="left").with_columns(
        pl.col("orphans").fill_null(0)
    )
    if not isinstance(answers, Evaluations):
        return decided.with_columns(pl.lit(None, dtype=NOT_DECIDED).alias("not_decided"))
    rows = answers.evaluations.select(KEY, not_decided())
    return rows.join(decided, on=KEY, how="left", maintain_order="left").select(*decided.columns, "not_decided")


def not_decided() -> pl.Expr:
    """Say of each row of `evaluations` why its answers can't be decided; null where they can."""
    failed = (pl.col("outcome") == EvaluationOutcome.FAILED.value).fill_null(value=False)
    return (
        pl.when(failed)
        .then(pl.lit("failed", dtype=NOT_DECIDED))
        .when(~pl.col("answers_recorded"))
        .then(pl.lit("answers_not_recorded", dtype=NOT_DECIDED))
        .alias("not_decided")
    )


def fired_rules(
    pack: Pack, answers: Evaluations | pl.DataFrame | pl.LazyFrame, *, missing: MissingAnswers = "invalid"
) -> FiredRules:
    """Hold every answer against the rule of its question.

    Args:
        pack: The questions and their rules.
        answers: As for `decide`; of stored evaluations only those that can be decided.
        missing: As for `decide`.

    Raises:
        ColumnError: As for `decide`.
        OptionError: As for `decide`.
        ArgumentError: As for `decide`.
    """
    if missing not in ("invalid", "skip"):
        message = f"missing={one_line(missing)} is no way to treat unanswered questions; use 'invalid' or 'skip'"
        raise OptionError(message)
    _require_pack(pack)
    frame = _answers_of(answers)
    index = _index_of(answers, frame)
    looked_at = [_of_question(question, frame, index) for question in pack.questions]
    answered = tuple(one["answered"] for one in looked_at)
    kinds = [one["kind"] for one in looked_at]
    if missing == "skip":
        any_answered = index.select(pl.any_horizontal(pl.lit(column) for column in answered)).to_series()
        kinds = [
            index.select(pl.when(pl.lit(there) | ~pl.lit(any_answered)).then(pl.lit(kind))).to_series()
            for kind, there in zip(kinds, answered, strict=True)
        ]
    return FiredRules(
        pack=pack,
        index=index[KEY],
        kinds=tuple(kinds),
        answered=answered,
        values=tuple(one["value"] for one in looked_at),
    )


def _require_pack(pack: object) -> None:
    if not isinstance(pack, Pack):
        message = f"a Pack is needed to decide by, not {type(pack).__name__}; read one with Pack.from_file"
        raise ArgumentError(message)


def _answers_of(answers: object) -> pl.DataFrame:
    if isinstance(answers, Evaluations):
        return answers.answers
    frame = answers.collect() if isinstance(answers, pl.LazyFrame) else answers
    if not isinstance(frame, pl.DataFrame):
        message = f"Evaluations or a polars frame of answers is needed, not {type(answers).__name__}"
        raise ArgumentError(message)
    lacking = [name for name in _NEEDED if name not in frame.columns]
    if lacking:
        message = f"the answers frame lacks {', '.join(lacking)}; it has {', '.join(frame.columns) or 'no columns'}"
        raise ColumnError(message)
    twice = frame.filter(pl.struct(KEY, "question_id").is_duplicated())
    if twice.height:
        index, question = twice.select(KEY, "question_id").row(0)
        message = f"the answers frame answers question {question!r} of evaluation {index} more than once; keep one row"
        raise ColumnError(message)
    return frame


def _index_of(answers: object, frame: pl.DataFrame) -> pl.DataFrame:
    if isinstance(answers, Evaluations):
        return answers.evaluations.filter(not_decided().is_null()).select(KEY)
    return frame.select(KEY).unique(maintain_order=True)


def _of_question(question: AnyQuestion, frame: pl.DataFrame, index: pl.DataFrame) -> pl.DataFrame:
    """For each evaluation: `answered`, `kind` and `value` of one question."""
    value = VALUE_COLUMN[question.type]
    state = pl.col("value_state").cast(pl.String) if "value_state" in frame.columns else pl.lit(_OK)
    part = frame.filter(pl.col("question_id") == without_surrogates(question.id)).select(
        KEY,
        pl.col("type").cast(pl.String),
        pl.col("choice").cast(pl.String),
        pl.col(value).cast(pl.Float64),
        state.alias(_STATE),
        pl.lit(value=True).alias(_PRESENT),
    )
    joined = index.join(part, on=KEY, how="left", maintain_order="left")
    valid = pl.col(_PRESENT) & (pl.col("type") == question.type.value) & _usable(question, pl.col(value))
    valid = valid.fill_null(value=False)
    rule = rule_expression(question, pl.col(value))
    kind = pl.when(~valid).then(pl.lit(ReasonKind.INVALID_ANSWER.value)).otherwise(rule)
    return joined.select(
        pl.col(_PRESENT).fill_null(value=False).alias("answered"),
        kind.cast(KIND_DTYPE).alias("kind"),
        pl.when(valid).then(pl.col(value)).alias("value"),
    )


def _usable(question: AnyQuestion, value: pl.Expr) -> pl.Expr:
    """Whether an answer of the right type holds what its type needs; null counts as no."""
    state = pl.col(_STATE)
    if isinstance(question, ChoiceQuestion):
        chosen = pl.col("choice").is_not_null() & (pl.col("choice") != "")
        if question.options is not None:
            options = pl.Series([without_surrogates(option) for option in question.options], dtype=pl.String)
            chosen &= pl.col("choice").is_in(options.implode())
        return chosen & state.is_in(_WITHOUT_PROBABILITY) & (value.is_null() | _within(value, 0, 1))
    if isinstance(question, ScoreQuestion):
        return (state == _OK) & _within(value, 0, None if question.level_count is None else question.level_count - 1)
    return (state == _OK) & _within(value, 0, 1)


def _within(value: pl.Expr, low: float, high: float | None) -> pl.Expr:
    return value.is_finite() if high is None else value.is_finite() & (value >= low) & (value <= high)


def rule_expression(question: AnyQuestion, value: pl.Expr) -> pl.Expr:
    """Name the reason of a valid answer as text; null where its rule doesn't fire or there is none.

    Args:
        question: The question with its rule.
        value: The value that the threshold is held against.
    """
    none = pl.lit(None, dtype=pl.String)
    if isinstance(question, ChoiceQuestion) and question.review is not None:
        return (
            pl.when(value.is_null())
            .then(pl.lit(ReasonKind.MISSING_PROBABILITY.value))
            .when(value < question.review.min_selected_probability)
            .then(pl.lit(ReasonKind.BELOW_MINIMUM.value))
            .otherwise(none)
        )
    if isinstance(question, ScoreQuestion) and question.review is not None:
        inside = (value >= question.review.min_inclusive) & (value <= question.review.max_inclusive)
        return pl.when(inside).then(pl.lit(ReasonKind.SCORE_RANGE.value)).otherwise(none)
    if isinstance(question, BooleanQuestion) and question.review is not None:
        inside = (value > question.review.low_exclusive) & (value < question.review.high_exclusive)
        return pl.when(inside).then(pl.lit(ReasonKind.PROBABILITY_BAND.value)).otherwise(none)
    return none


def _orphans(frame: pl.DataFrame, ids: Sequence[str], *, refused: bool) -> pl.DataFrame:
    """How many answers of each evaluation no question asks for, for those that have any."""
    asked = pl.Series(ids, dtype=pl.String).implode()
    strangers = frame.filter(~pl.col("question_id").is_in(asked))
    if refused and strangers.height:
        names = strangers["question_id"].unique().sort().to_list()
        message = f"answers to unknown questions: {', '.join(names)}; the pack asks: {', '.join(ids)}"
        raise AnswerError(message)
    return strangers.group_by(KEY).agg(pl.len().cast(pl.Int32).alias("orphans"))
