"""The tables about stored evaluations: evaluations, answers, review_reasons."""

from __future__ import annotations

from typing import Final

import polars as pl

from verdict_frames.frames.schemas.columns import (
    MOMENT,
    NUMBERS,
    OUTCOME,
    REASON_KIND,
    STATUS,
    TEXTS,
    VALUE_STATE,
    Column,
    Table,
)

EVALUATIONS: Final = Table(
    "One row a stored evaluation, as it was stored; nothing here is decided anew.",
    key=("evaluation_index",),
    columns=(
        Column("evaluation_index", pl.Int64(), "Place among all evaluations that were read, from 0.", ge=0),
        Column("path", pl.String(), "The file that the evaluation was read from; joins sources."),
        Column("line", pl.Int64(), "Line of the file, from 1, in files of JSON lines.", nullable=True, ge=1),
        Column("evaluation_id", pl.String(), "Identifier of the evaluation, as recorded.", nullable=True),
        Column("created_at", MOMENT, "When it was made, in UTC, cut to microseconds.", nullable=True),
        Column(
            "idempotency_key",
            pl.String(),
            "Key of the request, which a failure doesn't use up, so that it may repeat.",
            nullable=True,
        ),
        Column("ticket_id", pl.String(), "The ticket that was evaluated, as recorded.", nullable=True),
        Column("pack_id", pl.String(), "The pack whose questions were asked, as recorded.", nullable=True),
        Column("pack_version", pl.String(), "Version of that pack, as recorded.", nullable=True),
        Column("status", STATUS, "Status as stored; null where raw answers carry none.", nullable=True),
        Column(
            "outcome",
            OUTCOME,
            "How it counts, by stored status and reasons; null where neither of the two is stored.",
            nullable=True,
        ),
        Column("answers_recorded", pl.Boolean(), "Whether any answer is stored."),
        Column(
            "failure_code",
            pl.String(),
            "The first failure among the reasons, known or not; null where it didn't fail.",
            nullable=True,
        ),
        Column("model_id", pl.String(), "The model that answered, as recorded.", nullable=True),
        Column("latency_ms", pl.Float64(), "Time to the answer in milliseconds.", nullable=True, ge=0),
        Column("input_tokens", pl.Int64(), "Tokens read, null where not recorded.", nullable=True, ge=0),
        Column("output_tokens", pl.Int64(), "Tokens written, null where not recorded.", nullable=True, ge=0),
        Column("cost_usd", pl.Float64(), "Cost in US dollars, as recorded.", nullable=True, ge=0),
        Column("answer_count", pl.Int32(), "Rows of this evaluation in answers.", ge=0),
        Column("review_reasons", TEXTS, "Texts of the stored reasons, in stored order; empty without any."),
        Column("derived", pl.String(), "What was derived from the answers, as JSON text.", nullable=True),
        Column("provider_metadata", pl.String(), "The provider's metadata, as JSON text.", nullable=True),
        Column("extra", pl.String(), "What was recorded besides, as JSON text.", nullable=True),
    ),
)

ANSWERS: Final = Table(
    "One row an answer to one question of an evaluation.",
    key=("evaluation_index", "question_id"),
    columns=(
        Column("evaluation_index", pl.Int64(), "The evaluation; joins evaluations.", ge=0),
        Column("question_id", pl.String(), "The question that is answered."),
        Column("type", pl.String(), "Type of the answer, as recorded.", nullable=True),
        Column("choice", pl.String(), "Selected option of a choice answer.", nullable=True),
        Column("score", pl.Float64(), "Level of a score answer, from 0 up, with fractions.", nullable=True),
        Column("probability", pl.Float64(), "Probability that a boolean answer is true.", nullable=True),
        Column(
            "selected_probability",
            pl.Float64(),
            "Probability of the selected option of a choice answer.",
            nullable=True,
        ),
        Column(
            "confidence",
            pl.Float64(),
            "As the provider gave it, for choice and score answers; never a cutoff.",
            nullable=True,
            ge=0,
            le=1,
        ),
        Column(
            "value_state",
            VALUE_STATE,
            "Whether the value that the type needs can be used, and if not, what stands in its place.",
        ),
        Column(
            "options",
            TEXTS,
            "Keys of the distribution, in the pack's order where one was given; null where there is none.",
            nullable=True,
        ),
        Column(
            "probabilities",
            NUMBERS,
            "Parallel to options, an entry that is no finite number being null.",
            nullable=True,
        ),
    ),
)

REVIEW_REASONS: Final = Table(
    "One row a stored reason for review, failures included.",
    key=("evaluation_index", "position"),
    columns=(
        Column("evaluation_index", pl.Int64(), "The evaluation; joins evaluations.", ge=0),
        Column("position", pl.Int32(), "Place among the evaluation's reasons, from 0.", ge=0),
        Column(
            "question_id",
            pl.String(),
            "The question that it speaks of; null for failures and where it can't be told.",
            nullable=True,
        ),
        Column("kind", REASON_KIND, "What sort of reason, told by the text's ending."),
        Column("text", pl.String(), "The reason as stored."),
    ),
)
