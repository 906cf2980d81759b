"""The tables about stored evaluations: evaluations, answers, review_reasons."""

from __future__ import annotations

from typing import ClassVar

import pandera.polars as pa
import polars as pl

from verdict_frames.frames.schemas.columns import (
    Moment,
    Numbers,
    OutcomeToken,
    ReasonKindToken,
    StatusToken,
    Table,
    Texts,
    ValueStateToken,
)


class EvaluationRows(Table):
    """One row a stored evaluation, as it was stored; nothing here is decided anew."""

    evaluation_index: pl.Int64 = pa.Field(ge=0, description="Place among all evaluations that were read, from 0.")
    path: pl.String = pa.Field(description="The file that the evaluation was read from; joins sources.")
    line: pl.Int64 = pa.Field(nullable=True, ge=1, description="Line of the file, from 1, in files of JSON lines.")
    evaluation_id: pl.String = pa.Field(nullable=True, description="Identifier of the evaluation, as recorded.")
    created_at: Moment = pa.Field(nullable=True, description="When it was made, in UTC, cut to microseconds.")
    idempotency_key: pl.String = pa.Field(
        nullable=True, description="Key of the request, which a failure doesn't use up, so that it may repeat."
    )
    ticket_id: pl.String = pa.Field(nullable=True, description="The ticket that was evaluated, as recorded.")
    pack_id: pl.String = pa.Field(nullable=True, description="The pack whose questions were asked, as recorded.")
    pack_version: pl.String = pa.Field(nullable=True, description="Version of that pack, as recorded.")
    status: StatusToken = pa.Field(nullable=True, description="Status as stored; null where raw answers carry none.")
    outcome: OutcomeToken = pa.Field(
        nullable=True,
        description="How it counts, by stored status and reasons; null where neither of the two is stored.",
    )
    answers_recorded: pl.Boolean = pa.Field(description="Whether any answer is stored.")
    failure_code: pl.String = pa.Field(
        nullable=True, description="The first failure among the reasons, known or not; null where it didn't fail."
    )
    model_id: pl.String = pa.Field(nullable=True, description="The model that answered, as recorded.")
    latency_ms: pl.Float64 = pa.Field(nullable=True, ge=0, description="Time to the answer in milliseconds.")
    input_tokens: pl.Int64 = pa.Field(nullable=True, ge=0, description="Tokens read, null where not recorded.")
    output_tokens: pl.Int64 = pa.Field(nullable=True, ge=0, description="Tokens written, null where not recorded.")
    cost_usd: pl.Float64 = pa.Field(nullable=True, ge=0, description="Cost in US dollars, as recorded.")
    answer_count: pl.Int32 = pa.Field(ge=0, description="Rows of this evaluation in answers.")
    review_reasons: Texts = pa.Field(description="Texts of the stored reasons, in stored order; empty without any.")
    derived: pl.String = pa.Field(nullable=True, description="What was derived from the answers, as JSON text.")
    provider_metadata: pl.String = pa.Field(nullable=True, description="The provider's metadata, as JSON text.")
    extra: pl.String = pa.Field(nullable=True, description="What was recorded besides, as JSON text.")

    class Config:
        """The table's key."""

        unique: ClassVar = ["evaluation_index"]


class Answers(Table):
    """One row an answer to one question of an evaluation."""

    evaluation_index: pl.Int64 = pa.Field(ge=0, description="The evaluation; joins evaluations.")
    question_id: pl.String = pa.Field(description="The question that is answered.")
    type: pl.String = pa.Field(nullable=True, description="Type of the answer, as recorded.")
    choice: pl.String = pa.Field(nullable=True, description="Selected option of a choice answer.")
    score: pl.Float64 = pa.Field(nullable=True, description="Level of a score answer, from 0 up, with fractions.")
    probability: pl.Float64 = pa.Field(nullable=True, description="Probability that a boolean answer is true.")
    selected_probability: pl.Float64 = pa.Field(
        nullable=True, description="Probability of the selected option of a choice answer."
    )
    confidence: pl.Float64 = pa.Field(
        nullable=True, ge=0, le=1, description="As the provider gave it, for choice and score answers; never a cutoff."
    )
    value_state: ValueStateToken = pa.Field(
        description="Whether the value that the type needs can be used, and if not, what stands in its place."
    )
    options: Texts = pa.Field(
        nullable=True,
        description="Keys of the distribution, in the pack's order where one was given; null where there is none.",
    )
    probabilities: Numbers = pa.Field(
        nullable=True, description="Parallel to options, an entry that is no finite number being null."
    )

    class Config:
        """The table's key."""

        unique: ClassVar = ["evaluation_index", "question_id"]


class ReviewReasons(Table):
    """One row a stored reason for review, failures included."""

    evaluation_index: pl.Int64 = pa.Field(ge=0, description="The evaluation; joins evaluations.")
    position: pl.Int32 = pa.Field(ge=0, description="Place among the evaluation's reasons, from 0.")
    question_id: pl.String = pa.Field(
        nullable=True, description="The question that it speaks of; null for failures and where it can't be told."
    )
    kind: ReasonKindToken = pa.Field(description="What sort of reason, told by the text's ending.")
    text: pl.String = pa.Field(description="The reason as stored.")

    class Config:
        """The table's key."""

        unique: ClassVar = ["evaluation_index", "position"]
