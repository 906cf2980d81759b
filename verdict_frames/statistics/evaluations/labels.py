"""What people say is right: labels of single answers, joined to the answers that they are about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from verdict_frames.errors import ArgumentError, ColumnError
from verdict_frames.frames.decisions import KEY

if TYPE_CHECKING:
    from verdict_frames.frames.evaluations import Evaluations

KEYS: Final = (KEY, "evaluation_id", "ticket_id", "idempotency_key")
"""The columns of `evaluations` that labels may name their evaluation by."""

_TRUTHS: Final = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


def labelled_answers(evaluations: Evaluations, labels: pl.DataFrame) -> pl.DataFrame:
    """Join labels to the answers of their evaluations, and say which answers are right.

    A choice is right where it is the gold option; a boolean answer where its probability is at least one half exactly
    when the gold is true; a score where the nearest level, halves going up, is the gold level. An answer without such a
    value is wrong.

    Args:
        evaluations: The stored evaluations.
        labels: One of the columns of `KEYS`, `question_id`, `gold` (text, boolean or number), and optionally `weight`
            as `audit_sample` gives it: how many tickets the checked one stands for. A label that names a ticket or a
            key is one of each of its evaluations. Rows without gold are no labels.

    Returns:
        Grain one labelled answer: `evaluation_index`, `question_id`, the answer's `type`, `choice`, `score`,
        `probability` and `selected_probability`, `gold` as text, `weight`, `truth?` (the gold as true or false, where
        it is a word or digit for that), `right`.

    Raises:
        ColumnError: A column is missing, several name the evaluation, a label is given twice or has no usable weight.
        ArgumentError: The labels aren't an eager polars frame.
    """
    key = _key_of(labels)
    gold = pl.col("gold").cast(pl.String).str.strip_chars()
    weight = pl.col("weight").cast(pl.Float64) if "weight" in labels.columns else pl.lit(1.0)
    named = labels.filter(pl.col("gold").is_not_null()).select(
        pl.col(key).cast(pl.Int64 if key == KEY else pl.String),
        pl.col("question_id").cast(pl.String),
        gold,
        weight.alias("weight"),
    )
    _refuse_bad(named, key)
    if key != KEY:
        rows = evaluations.evaluations.select(KEY, key)
        named = rows.join(named, on=key, how="inner", maintain_order="left").drop(key)
    answers = evaluations.answers.select(
        KEY, "question_id", "type", "choice", "score", "probability", "selected_probability"
    )
    joined = answers.join(named, on=[KEY, "question_id"], how="inner", maintain_order="left")
    told = joined.with_columns(pl.col("gold").str.to_lowercase().replace_strict(_TRUTHS, default=None).alias("truth"))
    return told.with_columns(_is_right().fill_null(value=False).alias("right"))


def _is_right() -> pl.Expr:
    gold = pl.col("gold")
    level = gold.cast(pl.Float64, strict=False)
    return (
        pl.when(pl.col("type") == "choice")
        .then(pl.col("choice") == gold)
        .when(pl.col("type") == "boolean")
        .then((pl.col("probability") >= 0.5) == pl.col("truth"))
        .when(pl.col("type") == "score")
        .then((pl.col("score") + 0.5).floor() == level)
    )


def _key_of(labels: object) -> str:
    if not isinstance(labels, pl.DataFrame):
        message = f"labels are an eager polars frame, not {type(labels).__name__}"
        raise ArgumentError(message)
    lacking = [name for name in ("question_id", "gold") if name not in labels.columns]
    keys = [name for name in KEYS if name in labels.columns]
    if lacking or len(keys) != 1:
        message = (
            f"labels have question_id, gold and one of {', '.join(KEYS)}; "
            f"these have {', '.join(labels.columns) or 'no columns'}"
        )
        raise ColumnError(message)
    return keys[0]


def _refuse_bad(named: pl.DataFrame, key: str) -> None:
    twice = named.filter(pl.struct(key, "question_id").is_duplicated())
    if twice.height:
        index, question = twice.select(key, "question_id").row(0)
        message = f"labels: question {question!r} of {key} {index!r} is labelled more than once; keep one label"
        raise ColumnError(message)
    weight = pl.col("weight")
    unusable = named.filter(~(weight.is_finite() & (weight > 0)).fill_null(value=False))
    if unusable.height:
        message = f"labels: {unusable.height} weights are no positive numbers, the first of {key} {unusable[key][0]!r}"
        raise ColumnError(message)
