"""The tables inside a verdict: stages, seats, checks."""

from __future__ import annotations

from typing import ClassVar

import pandera.polars as pa
import polars as pl

from verdict_frames.frames.schemas.columns import CodeCounts, Table, Texts


class Stages(Table):
    """One row a stage of an item: the verdict's own aggregate, then every attempt entered, depth first."""

    run_id: pl.String = pa.Field(description="The run; with item_index it joins items.")
    item_index: pl.Int32 = pa.Field(ge=0, description="The item's place in the run.")
    stage_index: pl.Int32 = pa.Field(ge=0, description="Place among the item's stages; 0 is the root.")
    stage: pl.String = pa.Field(
        nullable=True, description="The attempt's own name; null at the root and for attempts without one."
    )
    path: Texts = pa.Field(description="Names from the root down to this stage; empty at the root.")
    relation: pl.String = pa.Field(nullable=True, description="What the attempt is to its parent, as recorded.")
    jury_policy: pl.String = pa.Field(nullable=True, description="Stop condition of a cascade's tier, as recorded.")
    disposition: pl.String = pa.Field(nullable=True, description="What the parent did with the attempt, as recorded.")
    disposition_reason: pl.String = pa.Field(nullable=True, description="Why the attempt wasn't used, as recorded.")
    failure: pl.String = pa.Field(
        nullable=True, description="Code of the failure of an attempt that never produced a verdict."
    )
    used_by_parent: pl.Boolean = pa.Field(
        nullable=True, description="Whether the parent used the attempt; null where not recorded."
    )
    status: pl.String = pa.Field(nullable=True, description="Status of the aggregate; null is never a failure.")
    reason_code: pl.String = pa.Field(nullable=True, description="Reason code of the aggregate.")
    reasoning: pl.String = pa.Field(nullable=True, description="Reasoning of the aggregate; null where not recorded.")
    has_evidence: pl.Boolean = pa.Field(
        description="Whether an aggregation block was recorded; the next nineteen columns are its members."
    )
    reduction_strategy: pl.String = pa.Field(
        alias="strategy", nullable=True, description="Rule that reduced the jury to one status."
    )
    error_policy: pl.String = pa.Field(nullable=True, description="What became of judges that errored.")
    not_applicable_policy: pl.String = pa.Field(
        nullable=True, description="What became of judges that called the subject not applicable."
    )
    input_count: pl.Int32 = pa.Field(nullable=True, description="Judgments that went into the reduction.")
    eligible_count: pl.Int32 = pa.Field(nullable=True, description="Judgments that took part in the reduction.")
    explicit_abstain_count: pl.Int32 = pa.Field(nullable=True, description="Judges that abstained by themselves.")
    not_applicable_count: pl.Int32 = pa.Field(nullable=True, description="Judges that said not applicable.")
    error_count: pl.Int32 = pa.Field(nullable=True, description="Judges that errored.")
    ignored_error_count: pl.Int32 = pa.Field(nullable=True, description="Errors that were left out.")
    errors_treated_as_abstain_count: pl.Int32 = pa.Field(
        nullable=True, description="Errors that were counted as abstentions."
    )
    errors_treated_as_fail_count: pl.Int32 = pa.Field(nullable=True, description="Errors that were counted as fails.")
    not_applicable_treated_as_fail_count: pl.Int32 = pa.Field(
        nullable=True, description="Judgments of not applicable that were counted as fails."
    )
    error_code_counts: CodeCounts = pa.Field(
        nullable=True, description="How often each reason code of an error occurred, in recorded order."
    )
    pass_count: pl.Int32 = pa.Field(nullable=True, description="Judges that passed the subject.")
    fail_count: pl.Int32 = pa.Field(nullable=True, description="Judges that failed the subject.")
    threshold: pl.Float64 = pa.Field(nullable=True, description="Score from which the aggregate passes.")
    binding_index: pl.Int32 = pa.Field(nullable=True, description="Index of the judgment that bound the aggregate.")
    input_weight: pl.Float64 = pa.Field(nullable=True, description="Weight that went into the reduction.")
    eligible_weight: pl.Float64 = pa.Field(nullable=True, description="Weight that took part in the reduction.")
    is_copy: pl.Boolean = pa.Field(
        description="Whether the seats repeat those of a stage below, so that counting both would count twice."
    )
    copies_stage: pl.Int32 = pa.Field(
        nullable=True, ge=1, description="Index of the deepest stage whose seats this one repeats."
    )

    class Config:
        """The table's key."""

        unique: ClassVar = ["run_id", "item_index", "stage_index"]


class Seats(Table):
    """One row a judge of a stage."""

    run_id: pl.String = pa.Field(description="The run; with item_index and stage_index it joins stages.")
    item_index: pl.Int32 = pa.Field(ge=0, description="The item's place in the run.")
    stage_index: pl.Int32 = pa.Field(ge=0, description="The stage's place in the item.")
    seat_index: pl.Int32 = pa.Field(ge=0, description="Place among the stage's judges, in the order of listing.")
    position: pl.Int32 = pa.Field(description="Place in the jury, as recorded; it need not be unique.")
    name: pl.String = pa.Field(description="Key of the judge in the verdict; may be empty.")
    key_source: pl.String = pa.Field(nullable=True, description="How that key came about, as recorded.")
    status: pl.String = pa.Field(nullable=True, description="Status of the judgment; null where none can be read.")
    reason_code: pl.String = pa.Field(nullable=True, description="Reason code of the judgment.")
    score: pl.Float64 = pa.Field(nullable=True, ge=0, le=1, description="Score on a scale from 0 to 1.")
    scale_min: pl.Float64 = pa.Field(nullable=True, description="Lower end of the scale that the score was given on.")
    scale_max: pl.Float64 = pa.Field(nullable=True, description="Upper end of the scale that the score was given on.")
    reasoning: pl.String = pa.Field(description="The judge's own words; empty where there were none.")
    is_copy: pl.Boolean = pa.Field(description="Whether the seat's stage repeats a stage below.")

    class Config:
        """The table's key."""

        unique: ClassVar = ["run_id", "item_index", "stage_index", "seat_index"]


class Checks(Table):
    """One row a check of a judge."""

    run_id: pl.String = pa.Field(description="The run; with the next three columns it joins seats.")
    item_index: pl.Int32 = pa.Field(ge=0, description="The item's place in the run.")
    stage_index: pl.Int32 = pa.Field(ge=0, description="The stage's place in the item.")
    seat_index: pl.Int32 = pa.Field(ge=0, description="The seat's place in the stage.")
    check_index: pl.Int32 = pa.Field(ge=0, description="Place among the seat's checks, in recorded order.")
    name: pl.String = pa.Field(description="Name of the check.")
    passed: pl.Boolean = pa.Field(description="Whether the check passed.")
    detail: pl.String = pa.Field(description="What the judge noted; empty where nothing was.")
    is_copy: pl.Boolean = pa.Field(description="Whether the check's stage repeats a stage below.")

    class Config:
        """The table's key."""

        unique: ClassVar = ["run_id", "item_index", "stage_index", "seat_index", "check_index"]
