"""Exported folders, read back: all at once and checked, or lazily."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from verdict_frames.errors import MissingPathError, ParquetError
from verdict_frames.frames.corpus import Corpus
from verdict_frames.frames.facts import FactColumns
from verdict_frames.frames.neighbours import row_counts
from verdict_frames.frames.schemas.tables import SCHEMA_VERSION, TABLES, key, polars_schema
from verdict_frames.frames.storage.files import collect, read_footer, scan_facts, scan_files, schema_version
from verdict_frames.frames.storage.layout import (
    EMPTY_FILE,
    FACT_FOLDERS,
    POLICIES,
    POSITION_KEY,
    ROWS_KEY,
    RUN_TABLES,
    SHARED_TABLES,
    as_folder,
    is_exported,
    shared_file,
)
from verdict_frames.frames.validation import validate
from verdict_frames.policies import policy_table

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_IS_THERE = "run is there"


@dataclass(frozen=True, kw_only=True, eq=False)
class CorpusScan:
    """The tables of an exported folder as lazy frames, with the columns and types of a `Corpus`.

    They show the runs that were complete when the folder was opened. Nothing is validated. Columns that `with_facts`
    has added stand behind the others of `items` and `runs`.

    Attributes:
        runs: Grain one run; key `run_id`.
        run_facts: Grain one condition, metadata entry or aggregate score of a run.
        items: Grain one item; key `run_id`, `item_index`.
        scores: Grain one score of an item.
        stages: Grain one stage of an item, 0 being the root.
        seats: Grain one judge of a stage.
        checks: Grain one check of a judge.
        defects: Grain one defect of an item.
        sources: Grain one file seen.
        problems: Grain one thing that could not be read.
        policies: The policy table, as `policy_table` gives it.
    """

    runs: pl.LazyFrame
    run_facts: pl.LazyFrame
    items: pl.LazyFrame
    scores: pl.LazyFrame
    stages: pl.LazyFrame
    seats: pl.LazyFrame
    checks: pl.LazyFrame
    defects: pl.LazyFrame
    sources: pl.LazyFrame
    problems: pl.LazyFrame
    policies: pl.LazyFrame


def read_parquet(folder: str | Path) -> Corpus:
    """Read back what `Corpus.write_parquet` or `export_results` has written.

    Runs come in the order in which they were written; those of several exports by their place in each, then by name.
    Rows of runs that aren't complete yet are passed over. Columns that an older version of this package didn't have are
    null.

    Args:
        folder: An exported folder.

    Returns:
        A validated corpus.

    Raises:
        MissingPathError: There is no such folder.
        ParquetError: It wasn't written by an export, or a file is missing or damaged; the message names the file.
        SchemaError: A newer version of this package wrote it, or its rows break a rule of the tables.
        ArgumentError: The folder is neither text nor a path.

    Examples:
        >>> import tempfile
        >>> from verdict_frames.frames.corpus import concat
        >>> folder = tempfile.mkdtemp()
        >>> concat([]).write_parquet(folder)
        >>> read_parquet(folder)
        Corpus(runs: 0, run_facts: 0, items: 0, scores: 0, stages: 0, seats: 0, checks: 0, defects: 0, ...
    """
    found = _Folder(folder)
    tables = {table: collect(found.scan(table), table, found.files[table]) for table in TABLES}
    found.check_rows(tables)
    fact_columns = found.fact_columns()
    validate(tables, fact_columns)
    return Corpus(**tables, fact_columns=fact_columns.to_frame())


def scan_parquet(folder: str | Path) -> CorpusScan:
    """Open an exported folder without reading its rows.

    Args:
        folder: An exported folder.

    Returns:
        Lazy frames, one for each table and one for the policies.

    Raises:
        MissingPathError: There is no such folder.
        ParquetError: It wasn't written by an export, or a file of a run is missing or damaged.
        SchemaError: A newer version of this package wrote it.
        ArgumentError: The folder is neither text nor a path.

    Examples:
        >>> import tempfile
        >>> from verdict_frames.frames.corpus import concat
        >>> folder = tempfile.mkdtemp()
        >>> concat([]).write_parquet(folder)
        >>> scan_parquet(folder).policies.select("policy").unique().collect().height
        4
    """
    found = _Folder(folder)
    policies = scan_files([found.policies], policy_table().schema, older=found.is_older)
    return CorpusScan(**{table: found.scan(table) for table in TABLES}, policies=policies)


class _Folder:
    """What an exported folder holds: the files of its complete runs, in the order in which these were written.

    Attributes:
        files: The files of each table.
        policies: The file of the policy table.
        is_older: Whether a file is of an older schema version.
    """

    def __init__(self, folder: str | Path) -> None:
        self._folder = _existing(folder)
        self.policies = shared_file(self._folder, POLICIES)
        found = []
        for file in (self._folder / "runs").glob("[!.]*.parquet"):
            if file.name != EMPTY_FILE:
                footer = read_footer(file)
                if footer.num_rows != 1:
                    message = f"{file} holds {footer.num_rows} rows, and should hold the one of its run; export again"
                    raise ParquetError(message)
                position = int(footer.metadata.get(POSITION_KEY, b"0"))
                rows: dict[str, int] = json.loads(footer.metadata.get(ROWS_KEY, b"{}"))
                found.append((position, file.name, schema_version(footer), rows))
        found.sort(key=lambda run: run[:2])
        self._rows = [rows for _, _, _, rows in found]
        self.files: dict[str, list[Path]] = {table: [] for table in TABLES}
        self.files["runs"] = [self._folder / "runs" / name for _, name, _, _ in found]
        self._facts: dict[str, list[Path]] = {table: [] for table in FACT_FOLDERS}
        for _, name, _, rows in found:
            for table in RUN_TABLES:
                if rows.get(table):
                    self.files[table].append(self._part(table, name))
            for table, place in FACT_FOLDERS.items():
                if rows.get(place):
                    self._facts[table].append(self._whole_part(place, name, rows[place]))
        shared = [shared_file(self._folder, table) for table in SHARED_TABLES]
        for table, file in zip(SHARED_TABLES, shared, strict=True):
            self.files[table] = [file] if file.exists() else []
        seen_versions = [version for _, _, version, _ in found]
        seen_versions += [schema_version(read_footer(file)) for file in (self.policies, *shared) if file.exists()]
        self.is_older = min(seen_versions) < SCHEMA_VERSION

    def scan(self, table: str) -> pl.LazyFrame:
        frame = scan_files(self.files[table], polars_schema(table), older=self.is_older)
        if self._facts.get(table):
            facts = scan_facts(self._facts[table], table)
            return frame.join(facts, on=list(key(table)), how="left", maintain_order="left")
        if table != "sources":
            return frame
        runs = self.scan("runs").select("run_id", pl.lit(value=True).alias(_IS_THERE))
        known = frame.join(runs, on="run_id", how="left", maintain_order="left")
        return known.filter(pl.col("run_id").is_null() | pl.col(_IS_THERE)).drop(_IS_THERE)

    def fact_columns(self) -> FactColumns:
        """Say which columns were added to which table, in the order in which the files have them."""
        names = {
            table: tuple(name for name in scan_facts(files, table).collect_schema() if name not in key(table))
            for table, files in self._facts.items()
            if files
        }
        return FactColumns(**names)

    def check_rows(self, tables: Mapping[str, pl.DataFrame]) -> None:
        """Refuse runs whose files hold more or fewer rows than `runs` says.

        Raises:
            ParquetError: The message names the first such file.
        """
        for table in RUN_TABLES[1:]:
            counts = dict(row_counts(tables[table], ["run_id"], "rows").iter_rows())
            for run_id, file, rows in zip(tables["runs"]["run_id"], self.files["runs"], self._rows, strict=True):
                if counts.get(run_id, 0) != rows.get(table, 0):
                    place = self._folder / table / file.name
                    message = (
                        f"{place} holds {counts.get(run_id, 0)} rows of run {run_id!r}, and {file} says that there are "
                        f"{rows.get(table, 0)}; export the run again"
                    )
                    raise ParquetError(message)

    def _whole_part(self, table: str, name: str, row_count: int) -> Path:
        file = self._part(table, name)
        there = read_footer(file).num_rows
        if there != row_count:
            message = (
                f"{file} holds {there} rows, and {self._folder / 'runs' / name} says that there are {row_count}; "
                "export the run again"
            )
            raise ParquetError(message)
        return file

    def _part(self, table: str, name: str) -> Path:
        file = self._folder / table / name
        if not file.exists():
            message = f"{file} is missing, and {self._folder / 'runs' / name} says that it is there; export again"
            raise ParquetError(message)
        return file


def _existing(folder: str | Path) -> Path:
    path = as_folder(folder)
    if not path.exists():
        message = f"there is no folder {str(folder)!r}; name one that was written by an export"
        raise MissingPathError(message)
    if not is_exported(path):
        missing = [name for name in (f"{POLICIES}.parquet", f"runs/{EMPTY_FILE}") if not (path / name).is_file()]
        message = f"{path} is no exported folder: it has no {' and no '.join(missing)}"
        raise ParquetError(message)
    return path
