"""The tables about files and the runs they hold: runs, run_facts, sources, problems."""

from __future__ import annotations

from typing import ClassVar

import pandera.polars as pa
import polars as pl

from verdict_frames.frames.schemas.columns import (
    FactSourceToken,
    Moment,
    ProblemKindToken,
    RunKindToken,
    SourceStateToken,
    Table,
    Texts,
)


class Runs(Table):
    """One row a run: a result file, a bare verdict file, or a file of JSON lines."""

    run_id: pl.String = pa.Field(
        description="The file's experimentId; else its path relative to the argument it was found under."
    )
    path: pl.String = pa.Field(
        description="The file that the run was read from, a member behind its archive; `records` or `frame` for memory."
    )
    copies: Texts = pa.Field(description="Every file that holds the run, sorted, the one it was read from included.")
    kind: RunKindToken = pa.Field(
        description="Whether agents worked, earlier work was judged again, or judges were under test."
    )
    re_evaluated_from: pl.String = pa.Field(
        nullable=True, description="Run id of the run whose work was judged again; null for all other runs."
    )
    experiment_name: pl.String = pa.Field(
        nullable=True, description="Name of the experiment, as recorded, else from the store's records."
    )
    session: pl.String = pa.Field(
        nullable=True,
        description="The session, from the path pattern or the store, else that of the run judged again.",
    )
    variant: pl.String = pa.Field(
        nullable=True,
        description="The variant, from the path pattern or the store, else that of the run judged again.",
    )
    repeat: pl.Int32 = pa.Field(
        nullable=True,
        description="Number of the repetition: from the path pattern, else among the variant's runs by session from 1"
        " on, else that of the run judged again.",
    )
    timestamp: Moment = pa.Field(nullable=True, description="End of the run in UTC, cut to microseconds.")
    dataset_version: pl.String = pa.Field(nullable=True, description="Version of the dataset, as recorded.")
    dataset_dirty: pl.Boolean = pa.Field(
        nullable=True, description="Whether the dataset had changes that its version doesn't cover."
    )
    dataset_semantic_version: pl.String = pa.Field(
        nullable=True, description="Release number of the dataset, as recorded."
    )
    code_version: pl.String = pa.Field(nullable=True, description="Version of the experiment's code, as recorded.")
    code_dirty: pl.Boolean = pa.Field(
        nullable=True, description="Whether the code had changes that its version doesn't cover."
    )
    instrument_hash: pl.String = pa.Field(nullable=True, description="Hash of the description of the jury.")
    description_version: pl.Int64 = pa.Field(
        nullable=True, description="Version of the form that the jury's description is written in."
    )
    item_count: pl.Int32 = pa.Field(ge=0, description="Number of rows of this run in items.")
    stored_passes: pl.Int64 = pa.Field(nullable=True, description="Passes as the file counted them.")
    stored_non_passes: pl.Int64 = pa.Field(nullable=True, description="Non-passes as the file counted them.")
    stored_excluded: pl.Int64 = pa.Field(nullable=True, description="Excluded items as the file counted them.")
    stored_instrument_failures: pl.Int64 = pa.Field(
        nullable=True, description="Instrument failures as the file counted them, which overlap its other counts."
    )
    stored_not_judged: pl.Int64 = pa.Field(
        nullable=True, description="Items without a verdict as the file counted them."
    )
    stored_unattestable: pl.Int64 = pa.Field(
        nullable=True, description="Items whose verdict can't be relied on, as the file counted them."
    )
    stored_pass_rate: pl.Float64 = pa.Field(
        nullable=True, description="Pass rate as the file states it: passed items over all items, in older files only."
    )
    total_cost_usd: pl.Float64 = pa.Field(nullable=True, description="Cost of the run in US dollars, as recorded.")
    total_tokens: pl.Int64 = pa.Field(nullable=True, description="Tokens that the run used, as recorded.")
    total_duration_ms: pl.Int64 = pa.Field(
        nullable=True, description="Duration of the run in milliseconds, as recorded."
    )
    interpreter_version: pl.String = pa.Field(
        description="Version of this package that interpreted the run's verdicts."
    )
    schema_version: pl.Int32 = pa.Field(ge=1, description="Version of the tables' form.")

    class Config:
        """The table's key."""

        unique: ClassVar = ["run_id"]


class RunFacts(Table):
    """One row a fact of a run: a condition, a metadata entry or an aggregate score."""

    run_id: pl.String = pa.Field(description="The run; joins runs.")
    source: FactSourceToken = pa.Field(description="Which part of the file the fact was recorded in.")
    name: pl.String = pa.Field(description="Name of the fact, as recorded.")
    value: pl.String = pa.Field(description="Its value as text.")

    class Config:
        """The table's key."""

        unique: ClassVar = ["run_id", "source", "name"]


class Sources(Table):
    """One row a file that was seen, whatever became of it."""

    path: pl.String = pa.Field(description="The file as it was found, with forward slashes.")
    member: pl.String = pa.Field(nullable=True, description="Member of an archive; null for a plain file.")
    size: pl.Int64 = pa.Field(
        nullable=True, ge=0, description="Size in bytes, of a member once unpacked; null where it can't be told."
    )
    sha256: pl.String = pa.Field(
        nullable=True, description="SHA-256 of the bytes once unpacked, for files that were read."
    )
    state: SourceStateToken = pa.Field(
        description="What became of the file: read, a copy, skipped by rule, foreign, or a problem."
    )
    run_id: pl.String = pa.Field(
        nullable=True, description="The run that the file holds; joins runs; null where it holds none or several."
    )


class Problems(Table):
    """One row a thing that could not be read as it should: a file, an item or a field."""

    path: pl.String = pa.Field(description="The file.")
    member: pl.String = pa.Field(nullable=True, description="Member of an archive; null for a plain file.")
    kind: ProblemKindToken = pa.Field(description="What stood in the way.")
    run_id: pl.String = pa.Field(nullable=True, description="The run concerned, where there is one.")
    item_index: pl.Int32 = pa.Field(nullable=True, ge=0, description="The item concerned, where there is one.")
    line: pl.Int64 = pa.Field(nullable=True, ge=1, description="Line of the file, from 1.")
    byte: pl.Int64 = pa.Field(nullable=True, ge=0, description="Offset in the file in bytes, from 0.")
    message: pl.String = pa.Field(description="What happened, where, and what would mend it, on one line.")
