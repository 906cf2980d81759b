"""Which question sends tickets to review: how often each rule fires, alone or with others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from verdict_frames.frames.arrays import without_surrogates
from verdict_frames.frames.decisions import KEY, fired_rules, not_decided
from verdict_frames.vocabulary import ReasonKind

if TYPE_CHECKING:
    from verdict_frames.frames.evaluations import Evaluations
    from verdict_frames.review.packs import Pack
    from verdict_frames.review.rules import MissingAnswers

_KINDS: Final = tuple(kind.value for kind in ReasonKind if kind is not ReasonKind.FAILURE)


def question_table(
    evaluations: Evaluations, pack: Pack | None = None, *, missing: MissingAnswers = "invalid"
) -> pl.DataFrame:
    """Count for each question how often it sends an evaluation to review.

    Failed evaluations, and with a pack those without recorded answers, are left out.

    Args:
        evaluations: The stored evaluations.
        pack: Decides anew by its rules; without one the stored reasons are counted.
        missing: As for `decide`.

    Returns:
        Grain one question, in the order of the pack, or sorted by id without one: `question_id`, `type?` and
        `has_rule?` (null without a pack), `evaluations` (how many were looked at), `answered`, `fired`, `fired_alone`,
        `fired_with_others`, and `fired` by kind of reason: `missing_probability`, `below_minimum`, `score_range`,
        `probability_band`, `invalid_answer`, `other_rule` (stored reasons of other wording).

    Raises:
        OptionError: An option has an unknown value.
        ArgumentError: The second argument is no pack.
    """
    if pack is None:
        failed = pl.col("not_decided").eq("failed").fill_null(value=False)
        looked_at = evaluations.evaluations.select(KEY, not_decided()).filter(~failed).select(KEY)
        asked = None
        reasons = evaluations.review_reasons.join(looked_at, on=KEY, how="semi").select(
            KEY, "question_id", pl.col("kind").cast(pl.String)
        )
    else:
        fired = fired_rules(pack, evaluations, missing=missing)
        looked_at = pl.DataFrame({KEY: fired.index})
        asked = pl.DataFrame(
            {
                "question_id": [without_surrogates(question.id) for question in pack.questions],
                "type": [question.type.value for question in pack.questions],
                "has_rule": [question.review is not None for question in pack.questions],
            }
        )
        reasons = pl.concat(
            pl.DataFrame({KEY: fired.index, "kind": kind.cast(pl.String)}).select(
                KEY, pl.lit(name).alias("question_id"), "kind"
            )
            for name, kind in zip(asked["question_id"], fired.kinds, strict=True)
        ).drop_nulls("kind")
    answers = (
        evaluations.answers.join(looked_at, on=KEY, how="semi").group_by("question_id").agg(pl.len().alias("answered"))
    )
    counts = _fired(reasons.drop_nulls("question_id"))
    if asked is None:
        names = pl.concat([answers["question_id"], counts["question_id"]]).unique().sort()
        asked = names.to_frame().with_columns(
            pl.lit(None, dtype=pl.String).alias("type"), pl.lit(None, dtype=pl.Boolean).alias("has_rule")
        )
    table = asked.join(answers, on="question_id", how="left", maintain_order="left").join(
        counts, on="question_id", how="left", maintain_order="left"
    )
    numbers = ("answered", "fired", "fired_alone", "fired_with_others", *_KINDS)
    return table.select(
        "question_id",
        "type",
        "has_rule",
        pl.lit(looked_at.height, dtype=pl.Int64).alias("evaluations"),
        *(pl.col(name).fill_null(0).cast(pl.Int64) for name in numbers),
    )


def _fired(reasons: pl.DataFrame) -> pl.DataFrame:
    """Counts by question; several reasons of one question count once as fired."""
    together = reasons.group_by(KEY).agg(pl.col("question_id").n_unique().alias("together"))
    once = reasons.unique([KEY, "question_id"]).join(together, on=KEY, how="left")
    alone = pl.col("together") == 1
    fired = once.group_by("question_id").agg(
        pl.len().alias("fired"), alone.sum().alias("fired_alone"), (~alone).sum().alias("fired_with_others")
    )
    kinds = (
        reasons.unique([KEY, "question_id", "kind"])
        .group_by("question_id")
        .agg((pl.col("kind") == kind).sum().alias(kind) for kind in _KINDS)
    )
    return fired.join(kinds, on="question_id", how="left")
