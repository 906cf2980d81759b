"""The tables about files and the runs they hold: runs, run_facts, sources, problems."""

from __future__ import annotations

from typing import Final

import polars as pl

from verdict_frames.frames.schemas.columns import (
    FACT_SOURCE,
    MOMENT,
    PROBLEM_KIND,
    RUN_KIND,
    SOURCE_STATE,
    TEXTS,
    Column,
    Table,
)

RUNS: Final = Table(
    "One row a run: a result file, a bare verdict file, or a file of JSON lines.",
    key=("run_id",),
    columns=(
        Column(
            "run_id", pl.String(), "The file's experimentId; else its path relative to the argument it was found under."
        ),
        Column(
            "path",
            pl.String(),
            "The file that the run was read from, a member behind its archive; or `records`, or `frame`.",
        ),
        Column("copies", TEXTS, "Every file that holds the run, sorted, the one it was read from included."),
        Column("kind", RUN_KIND, "Whether agents worked, earlier work was judged again, or judges were under test."),
        Column(
            "re_evaluated_from",
            pl.String(),
            "Run id of the run whose work was judged again; null for all other runs.",
            nullable=True,
        ),
        Column(
            "experiment_name",
            pl.String(),
            "Name of the experiment, as recorded, else from the store's records.",
            nullable=True,
        ),
        Column(
            "session",
            pl.String(),
            "The session, from the path pattern or the store, else that of the run judged again.",
            nullable=True,
        ),
        Column(
            "variant",
            pl.String(),
            "The variant, from the path pattern or the store, else that of the run judged again.",
            nullable=True,
        ),
        Column(
            "repeat",
            pl.Int32(),
            "Number of the repetition: from the path pattern, else among the variant's runs by session from 1 on, else"
            " that of the run judged again.",
            nullable=True,
        ),
        Column("timestamp", MOMENT, "End of the run in UTC, cut to microseconds.", nullable=True),
        Column("dataset_version", pl.String(), "Version of the dataset, as recorded.", nullable=True),
        Column(
            "dataset_dirty",
            pl.Boolean(),
            "Whether the dataset had changes that its version doesn't cover.",
            nullable=True,
        ),
        Column("dataset_semantic_version", pl.String(), "Release number of the dataset, as recorded.", nullable=True),
        Column("code_version", pl.String(), "Version of the experiment's code, as recorded.", nullable=True),
        Column(
            "code_dirty", pl.Boolean(), "Whether the code had changes that its version doesn't cover.", nullable=True
        ),
        Column("instrument_hash", pl.String(), "Hash of the description of the jury.", nullable=True),
        Column(
            "description_version",
            pl.Int64(),
            "Version of the form that the jury's description is written in.",
            nullable=True,
        ),
        Column("item_count", pl.Int32(), "Number of rows of this run in items.", ge=0),
        Column("stored_passes", pl.Int64(), "Passes as the file counted them.", nullable=True),
        Column("stored_non_passes", pl.Int64(), "Non-passes as the file counted them.", nullable=True),
        Column("stored_excluded", pl.Int64(), "Excluded items as the file counted them.", nullable=True),
        Column(
            "stored_instrument_failures",
            pl.Int64(),
            "Instrument failures as the file counted them, which overlap its other counts.",
            nullable=True,
        ),
        Column("stored_not_judged", pl.Int64(), "Items without a verdict as the file counted them.", nullable=True),
        Column(
            "stored_unattestable",
            pl.Int64(),
            "Items whose verdict can't be relied on, as the file counted them.",
            nullable=True,
        ),
        Column(
            "stored_pass_rate",
            pl.Float64(),
            "Pass rate as the file states it: passed items over all items, in older files only.",
            nullable=True,
        ),
        Column("total_cost_usd", pl.Float64(), "Cost of the run in US dollars, as recorded.", nullable=True),
        Column("total_tokens", pl.Int64(), "Tokens that the run used, as recorded.", nullable=True),
        Column("total_duration_ms", pl.Int64(), "Duration of the run in milliseconds, as recorded.", nullable=True),
        Column("interpreter_version", pl.String(), "Version of this package that interpreted the run's verdicts."),
        Column("schema_version", pl.Int32(), "Version of the tables' form.", ge=1),
    ),
)

RUN_FACTS: Final = Table(
    "One row a fact of a run: a condition, a metadata entry or an aggregate score.",
    key=("run_id", "source", "name"),
    columns=(
        Column("run_id", pl.String(), "The run; joins runs."),
        Column("source", FACT_SOURCE, "Which part of the file the fact was recorded in."),
        Column("name", pl.String(), "Name of the fact, as recorded."),
        Column("value", pl.String(), "Its value as text."),
    ),
)

SOURCES: Final = Table(
    "One row a file that was seen, whatever became of it.",
    columns=(
        Column("path", pl.String(), "The file as it was found, with forward slashes."),
        Column("member", pl.String(), "Member of an archive; null for a plain file.", nullable=True),
        Column(
            "size",
            pl.Int64(),
            "Size in bytes, of a member unpacked; null where it can't be told.",
            nullable=True,
            ge=0,
        ),
        Column("sha256", pl.String(), "SHA-256 of the bytes once unpacked, for files that were read.", nullable=True),
        Column("state", SOURCE_STATE, "What became of the file: read, a copy, skipped by rule, foreign, or a problem."),
        Column(
            "run_id",
            pl.String(),
            "The run that the file holds; joins runs; null where it holds none or several.",
            nullable=True,
        ),
    ),
)

PROBLEMS: Final = Table(
    "One row a thing that could not be read as it should: a file, an item or a field.",
    columns=(
        Column("path", pl.String(), "The file."),
        Column("member", pl.String(), "Member of an archive; null for a plain file.", nullable=True),
        Column("kind", PROBLEM_KIND, "What stood in the way."),
        Column("run_id", pl.String(), "The run concerned, where there is one.", nullable=True),
        Column("item_index", pl.Int32(), "The item concerned, where there is one.", nullable=True, ge=0),
        Column("line", pl.Int64(), "Line of the file, from 1.", nullable=True, ge=1),
        Column("byte", pl.Int64(), "Offset in the file in bytes, from 0.", nullable=True, ge=0),
        Column("message", pl.String(), "What happened, where, and what would mend it, on one line."),
    ),
)
