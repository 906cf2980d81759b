"""The tables about items: items, scores, defects."""

from __future__ import annotations

from typing import ClassVar

import pandera.polars as pa
import polars as pl

from verdict_frames.frames.schemas.columns import (
    DecidedByToken,
    DefectKindToken,
    EraToken,
    OriginToken,
    ReadingToken,
    SupportToken,
    Table,
    Texts,
)


class Items(Table):
    """One row an item of a run: what was recorded about it, and what its verdict says."""

    run_id: pl.String = pa.Field(description="The run; joins runs.")
    item_index: pl.Int32 = pa.Field(
        ge=0, description="Place in the run, from 0; places of items that could not be read stay empty."
    )
    item_id: pl.String = pa.Field(nullable=True, description="Identifier of the item in its dataset.")
    item_slug: pl.String = pa.Field(nullable=True, description="Readable name of the item.")
    success: pl.Boolean = pa.Field(nullable=True, description="Whether the agent's own work finished, as recorded.")
    passed: pl.Boolean = pa.Field(nullable=True, description="Whether the item passed, as the file recorded it.")
    execution_status: pl.String = pa.Field(nullable=True, description="Status token of the agent's execution.")
    error: pl.String = pa.Field(nullable=True, description="Message of what went wrong at the agent's work.")
    cost_usd: pl.Float64 = pa.Field(nullable=True, description="Cost in US dollars, as recorded.")
    total_tokens: pl.Int64 = pa.Field(nullable=True, description="Tokens used, as recorded.")
    duration_ms: pl.Int64 = pa.Field(nullable=True, description="Duration in milliseconds, as recorded.")
    metadata: pl.String = pa.Field(nullable=True, description="The item's metadata as JSON text.")
    has_verdict: pl.Boolean = pa.Field(description="Whether a verdict is stored with the item.")
    verdict_era: EraToken = pa.Field(
        description="Generation of writers that the verdict's keys point to; none without a verdict."
    )
    interpretation_origin: OriginToken = pa.Field(
        nullable=True,
        description=(
            "Whether the interpretation was computed, found stored, or is only a reading mapped from another tool's "
            "outcome; null where there is none."
        ),
    )
    schema_version: pl.Int32 = pa.Field(
        nullable=True, description="Version of the interpretation's form; null for a mapped reading."
    )
    source_version: pl.Int32 = pa.Field(
        nullable=True,
        description="Form of the verdict: 1 for the seven-component form, 0 for earlier ones; null if it is mapped.",
    )
    reading: ReadingToken = pa.Field(
        nullable=True, description="What the verdict says about its subject; null where it says nothing readable."
    )
    reading_support: SupportToken = pa.Field(
        nullable=True, description="Whether the record backs the reading; null only without an interpretation."
    )
    decided_by_kind: DecidedByToken = pa.Field(
        nullable=True,
        description="Who decided: the root itself, a stage, or not recorded; null only without an interpretation.",
    )
    decided_by_stage: pl.String = pa.Field(nullable=True, description="Name of the stage that decided.")
    decided_by_path: Texts = pa.Field(nullable=True, description="Names from the root down to the deciding stage.")
    decided_by_basis: pl.String = pa.Field(nullable=True, description="Ground on which it decided, as recorded.")
    root_status: pl.String = pa.Field(nullable=True, description="Status of the verdict's own aggregate.")
    root_reason_code: pl.String = pa.Field(nullable=True, description="Reason code of the verdict's own aggregate.")
    stage_count: pl.Int32 = pa.Field(
        ge=0,
        description="Rows of this item in stages, the root included; 0 without an interpretation or with a mapped one.",
    )
    seat_count: pl.Int32 = pa.Field(ge=0, description="Rows of this item in seats, copies included.")
    check_count: pl.Int32 = pa.Field(ge=0, description="Rows of this item in checks, copies included.")
    defect_count: pl.Int32 = pa.Field(ge=0, description="Rows of this item in defects.")
    stage_failure: pl.Boolean = pa.Field(
        description="Whether some stage recorded a failure; false without an interpretation."
    )
    instrument_failure: pl.String = pa.Field(
        nullable=True, description="The item's own mark that the instrument failed, as recorded in its metadata."
    )
    judge_errors: pl.Int32 = pa.Field(ge=0, description="Seats with status error, copies left out.")
    judge_abstentions: pl.Int32 = pa.Field(ge=0, description="Seats with status abstain, copies left out.")
    errors_absorbed: pl.Boolean = pa.Field(
        nullable=True,
        description=(
            "Whether the root's reduction counted errors as fails or abstentions or ignored them; "
            "null where its evidence leaves that open."
        ),
    )
    stored_reading: ReadingToken = pa.Field(
        nullable=True, description="Reading of the interpretation that the file itself stores."
    )
    stored_support: SupportToken = pa.Field(
        nullable=True,
        description="Support of the interpretation that the file itself stores; null where it stores none to be read.",
    )
    stored_difference: Texts = pa.Field(
        nullable=True,
        description=(
            "Fields in which the stored interpretation differs from the computed one, prose aside; "
            "empty where none does, null where there is nothing to compare."
        ),
    )

    class Config:
        """The table's key."""

        unique: ClassVar = ["run_id", "item_index"]


class Scores(Table):
    """One row a score of an item."""

    run_id: pl.String = pa.Field(description="The run; with item_index it joins items.")
    item_index: pl.Int32 = pa.Field(ge=0, description="The item's place in the run.")
    name: pl.String = pa.Field(description="Name of the score, as recorded.")
    value: pl.Float64 = pa.Field(description="Its value, finite.")

    class Config:
        """The table's key."""

        unique: ClassVar = ["run_id", "item_index", "name"]


class Defects(Table):
    """One row a fact that a verdict lacks, can't say, says in an unknown token, or contradicts."""

    run_id: pl.String = pa.Field(description="The run; with item_index it joins items.")
    item_index: pl.Int32 = pa.Field(ge=0, description="The item's place in the run.")
    defect_index: pl.Int32 = pa.Field(ge=0, description="Place among the item's defects, in the order of finding.")
    path: pl.String = pa.Field(description="Place in the verdict.")
    field: pl.String = pa.Field(description="The field at that place.")
    kind: DefectKindToken = pa.Field(description="How the field falls short.")
    note: pl.String = pa.Field(description="The same in a sentence.")

    class Config:
        """The table's key."""

        unique: ClassVar = ["run_id", "item_index", "defect_index"]
