"""The tables inside a verdict: stages, seats, checks."""

from __future__ import annotations

from typing import Final

import polars as pl

from verdict_frames.frames.schemas.columns import CODE_COUNTS, TEXTS, Column, Table

STAGES: Final = Table(
    "One row a stage of an item: the verdict's own aggregate, then every attempt entered, depth first.",
    key=("run_id", "item_index", "stage_index"),
    columns=(
        Column("run_id", pl.String(), "The run; with item_index it joins items."),
        Column("item_index", pl.Int32(), "The item's place in the run.", ge=0),
        Column("stage_index", pl.Int32(), "Place among the item's stages; 0 is the root.", ge=0),
        Column(
            "stage",
            pl.String(),
            "The attempt's own name; null at the root and for attempts without one.",
            nullable=True,
        ),
        Column("path", TEXTS, "Names from the root down to this stage; empty at the root."),
        Column("relation", pl.String(), "What the attempt is to its parent, as recorded.", nullable=True),
        Column("jury_policy", pl.String(), "Stop condition of a cascade's tier, as recorded.", nullable=True),
        Column("disposition", pl.String(), "What the parent did with the attempt, as recorded.", nullable=True),
        Column("disposition_reason", pl.String(), "Why the attempt wasn't used, as recorded.", nullable=True),
        Column(
            "failure", pl.String(), "Code of the failure of an attempt that never produced a verdict.", nullable=True
        ),
        Column(
            "used_by_parent",
            pl.Boolean(),
            "Whether the parent used the attempt; null where not recorded.",
            nullable=True,
        ),
        Column("status", pl.String(), "Status of the aggregate; null is never a failure.", nullable=True),
        Column("reason_code", pl.String(), "Reason code of the aggregate.", nullable=True),
        Column("reasoning", pl.String(), "Reasoning of the aggregate; null where not recorded.", nullable=True),
        Column(
            "has_evidence",
            pl.Boolean(),
            "Whether an aggregation block was recorded; the next nineteen columns are its members.",
        ),
        Column("strategy", pl.String(), "Rule that reduced the jury to one status.", nullable=True),
        Column("error_policy", pl.String(), "What became of judges that errored.", nullable=True),
        Column(
            "not_applicable_policy",
            pl.String(),
            "What became of judges that called the subject not applicable.",
            nullable=True,
        ),
        Column("input_count", pl.Int32(), "Judgments that went into the reduction.", nullable=True),
        Column("eligible_count", pl.Int32(), "Judgments that took part in the reduction.", nullable=True),
        Column("explicit_abstain_count", pl.Int32(), "Judges that abstained by themselves.", nullable=True),
        Column("not_applicable_count", pl.Int32(), "Judges that said not applicable.", nullable=True),
        Column("error_count", pl.Int32(), "Judges that errored.", nullable=True),
        Column("ignored_error_count", pl.Int32(), "Errors that were left out.", nullable=True),
        Column(
            "errors_treated_as_abstain_count", pl.Int32(), "Errors that were counted as abstentions.", nullable=True
        ),
        Column("errors_treated_as_fail_count", pl.Int32(), "Errors that were counted as fails.", nullable=True),
        Column(
            "not_applicable_treated_as_fail_count",
            pl.Int32(),
            "Judgments of not applicable that were counted as fails.",
            nullable=True,
        ),
        Column(
            "error_code_counts",
            CODE_COUNTS,
            "How often each reason code of an error occurred, in recorded order.",
            nullable=True,
        ),
        Column("pass_count", pl.Int32(), "Judges that passed the subject.", nullable=True),
        Column("fail_count", pl.Int32(), "Judges that failed the subject.", nullable=True),
        Column("threshold", pl.Float64(), "Score from which the aggregate passes.", nullable=True),
        Column("binding_index", pl.Int32(), "Index of the judgment that bound the aggregate.", nullable=True),
        Column("input_weight", pl.Float64(), "Weight that went into the reduction.", nullable=True),
        Column("eligible_weight", pl.Float64(), "Weight that took part in the reduction.", nullable=True),
        Column(
            "is_copy",
            pl.Boolean(),
            "Whether the seats repeat those of a stage below, so that counting both would count twice.",
        ),
        Column(
            "copies_stage", pl.Int32(), "Index of the deepest stage whose seats this one repeats.", nullable=True, ge=1
        ),
    ),
)

SEATS: Final = Table(
    "One row a judge of a stage.",
    key=("run_id", "item_index", "stage_index", "seat_index"),
    columns=(
        Column("run_id", pl.String(), "The run; with item_index and stage_index it joins stages."),
        Column("item_index", pl.Int32(), "The item's place in the run.", ge=0),
        Column("stage_index", pl.Int32(), "The stage's place in the item.", ge=0),
        Column("seat_index", pl.Int32(), "Place among the stage's judges, in the order of listing.", ge=0),
        Column("position", pl.Int32(), "Place in the jury, as recorded; it need not be unique."),
        Column("name", pl.String(), "Key of the judge in the verdict; may be empty."),
        Column("key_source", pl.String(), "How that key came about, as recorded.", nullable=True),
        Column("status", pl.String(), "Status of the judgment; null where none can be read.", nullable=True),
        Column("reason_code", pl.String(), "Reason code of the judgment.", nullable=True),
        Column("score", pl.Float64(), "Score on a scale from 0 to 1.", nullable=True, ge=0, le=1),
        Column("scale_min", pl.Float64(), "Lower end of the scale that the score was given on.", nullable=True),
        Column("scale_max", pl.Float64(), "Upper end of the scale that the score was given on.", nullable=True),
        Column("reasoning", pl.String(), "The judge's own words; empty where there were none."),
        Column("is_copy", pl.Boolean(), "Whether the seat's stage repeats a stage below."),
    ),
)

CHECKS: Final = Table(
    "One row a check of a judge.",
    key=("run_id", "item_index", "stage_index", "seat_index", "check_index"),
    columns=(
        Column("run_id", pl.String(), "The run; with the next three columns it joins seats."),
        Column("item_index", pl.Int32(), "The item's place in the run.", ge=0),
        Column("stage_index", pl.Int32(), "The stage's place in the item.", ge=0),
        Column("seat_index", pl.Int32(), "The seat's place in the stage.", ge=0),
        Column("check_index", pl.Int32(), "Place among the seat's checks, in recorded order.", ge=0),
        Column("name", pl.String(), "Name of the check."),
        Column("passed", pl.Boolean(), "Whether the check passed."),
        Column("detail", pl.String(), "What the judge noted; empty where nothing was."),
        Column("is_copy", pl.Boolean(), "Whether the check's stage repeats a stage below."),
    ),
)
