"""The tables about items: items, scores, defects."""

from __future__ import annotations

from typing import Final

import polars as pl

from verdict_frames.frames.schemas.columns import (
    DECIDED_BY,
    DEFECT_KIND,
    ERA,
    ORIGIN,
    READING,
    SUPPORT,
    TEXTS,
    Column,
    Table,
)

ITEMS: Final = Table(
    "One row an item of a run: what was recorded about it, and what its verdict says.",
    key=("run_id", "item_index"),
    columns=(
        Column("run_id", pl.String(), "The run; joins runs."),
        Column(
            "item_index",
            pl.Int32(),
            "Place in the run, from 0; places of items that could not be read stay empty.",
            ge=0,
        ),
        Column("item_id", pl.String(), "Identifier of the item in its dataset.", nullable=True),
        Column("item_slug", pl.String(), "Readable name of the item.", nullable=True),
        Column("success", pl.Boolean(), "Whether the agent's own work finished, as recorded.", nullable=True),
        Column("passed", pl.Boolean(), "Whether the item passed, as the file recorded it.", nullable=True),
        Column("execution_status", pl.String(), "Status token of the agent's execution.", nullable=True),
        Column("error", pl.String(), "Message of what went wrong at the agent's work.", nullable=True),
        Column("cost_usd", pl.Float64(), "Cost in US dollars, as recorded.", nullable=True),
        Column("total_tokens", pl.Int64(), "Tokens used, as recorded.", nullable=True),
        Column("duration_ms", pl.Int64(), "Duration in milliseconds, as recorded.", nullable=True),
        Column("metadata", pl.String(), "The item's metadata as JSON text.", nullable=True),
        Column("has_verdict", pl.Boolean(), "Whether a verdict is stored with the item."),
        Column("verdict_era", ERA, "Generation of writers that the verdict's keys point to; none without a verdict."),
        Column(
            "interpretation_origin",
            ORIGIN,
            "Whether the interpretation was computed, found stored, or is only a reading mapped from another tool's "
            "outcome; null where there is none.",
            nullable=True,
        ),
        Column(
            "schema_version",
            pl.Int32(),
            "Version of the interpretation's form; null for a mapped reading.",
            nullable=True,
        ),
        Column(
            "source_version",
            pl.Int32(),
            "Form of the verdict: 1 for the seven-component form, 0 for earlier ones; null if it is mapped.",
            nullable=True,
        ),
        Column(
            "reading",
            READING,
            "What the verdict says about its subject; null where it says nothing readable.",
            nullable=True,
        ),
        Column(
            "reading_support",
            SUPPORT,
            "Whether the record backs the reading; null only without an interpretation.",
            nullable=True,
        ),
        Column(
            "decided_by_kind",
            DECIDED_BY,
            "Who decided: the root itself, a stage, or not recorded; null only without an interpretation.",
            nullable=True,
        ),
        Column("decided_by_stage", pl.String(), "Name of the stage that decided.", nullable=True),
        Column("decided_by_path", TEXTS, "Names from the root down to the deciding stage.", nullable=True),
        Column("decided_by_basis", pl.String(), "Ground on which it decided, as recorded.", nullable=True),
        Column("root_status", pl.String(), "Status of the verdict's own aggregate.", nullable=True),
        Column("root_reason_code", pl.String(), "Reason code of the verdict's own aggregate.", nullable=True),
        Column(
            "stage_count",
            pl.Int32(),
            "Rows of this item in stages, the root included; 0 without an interpretation or with a mapped one.",
            ge=0,
        ),
        Column("seat_count", pl.Int32(), "Rows of this item in seats, copies included.", ge=0),
        Column("check_count", pl.Int32(), "Rows of this item in checks, copies included.", ge=0),
        Column("defect_count", pl.Int32(), "Rows of this item in defects.", ge=0),
        Column(
            "stage_failure", pl.Boolean(), "Whether some stage recorded a failure; false without an interpretation."
        ),
        Column(
            "instrument_failure",
            pl.String(),
            "The item's own mark that the instrument failed, as recorded in its metadata.",
            nullable=True,
        ),
        Column("judge_errors", pl.Int32(), "Seats with status error, copies left out.", ge=0),
        Column("judge_abstentions", pl.Int32(), "Seats with status abstain, copies left out.", ge=0),
        Column(
            "errors_absorbed",
            pl.Boolean(),
            "Whether the root's reduction counted errors as fails or abstentions or ignored them; "
            "null where its evidence leaves that open.",
            nullable=True,
        ),
        Column("stored_reading", READING, "Reading of the interpretation that the file itself stores.", nullable=True),
        Column(
            "stored_support",
            SUPPORT,
            "Support of the interpretation that the file itself stores; null where it stores none to be read.",
            nullable=True,
        ),
        Column(
            "stored_difference",
            TEXTS,
            "Fields in which the stored interpretation differs from the computed one, prose aside; "
            "empty where none does, null where there is nothing to compare.",
            nullable=True,
        ),
    ),
)

SCORES: Final = Table(
    "One row a score of an item.",
    key=("run_id", "item_index", "name"),
    columns=(
        Column("run_id", pl.String(), "The run; with item_index it joins items."),
        Column("item_index", pl.Int32(), "The item's place in the run.", ge=0),
        Column("name", pl.String(), "Name of the score, as recorded."),
        Column("value", pl.Float64(), "Its value, finite."),
    ),
)

DEFECTS: Final = Table(
    "One row a fact that a verdict lacks, can't say, says in an unknown token, or contradicts.",
    key=("run_id", "item_index", "defect_index"),
    columns=(
        Column("run_id", pl.String(), "The run; with item_index it joins items."),
        Column("item_index", pl.Int32(), "The item's place in the run.", ge=0),
        Column("defect_index", pl.Int32(), "Place among the item's defects, in the order of finding.", ge=0),
        Column("path", pl.String(), "Place in the verdict."),
        Column("field", pl.String(), "The field at that place."),
        Column("kind", DEFECT_KIND, "How the field falls short."),
        Column("note", pl.String(), "The same in a sentence."),
    ),
)
