"""A folder of tables being written: whatever happens on the way, it shows the earlier state or complete runs only."""

from __future__ import annotations

import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import polars as pl
import pyarrow as pa

from verdict_frames._version import __version__
from verdict_frames.errors import ArgumentError, SchemaError, TargetError
from verdict_frames.frames.facts import recorded_part, require_known
from verdict_frames.frames.schemas.tables import SCHEMA_VERSION, arrow_schema, key, polars_schema
from verdict_frames.frames.storage.files import (
    FileWriter,
    collect,
    is_same,
    put_in_place,
    read_footer,
    remove,
    scan_files,
    schema_version,
    sync,
    versions,
    writing,
)
from verdict_frames.frames.storage.layout import (
    CHILD_TABLES,
    EMPTY_FILE,
    FACT_FOLDERS,
    POLICIES,
    POSITION_KEY,
    ROWS_KEY,
    RUN_TABLES,
    SHARED_TABLES,
    UNFINISHED,
    as_folder,
    is_exported,
    run_file,
    shared_file,
)
from verdict_frames.policies import policy_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path
    from types import TracebackType
    from typing import Self

    from verdict_frames.frames.facts import FactColumns


def write_tables(tables: Mapping[str, pl.DataFrame], folder: str | Path, fact_columns: FactColumns) -> None:
    """Write all tables of a corpus; see `Corpus.write_parquet`.

    Args:
        tables: All tables by name.
        folder: Where.
        fact_columns: The columns that were added to tables.
    """
    for table, frame in tables.items():
        require_known(table, frame, fact_columns)
    with ExportFolder(folder) as target:
        parts = {table: _by_run(table, recorded_part(table, tables[table], fact_columns)) for table in RUN_TABLES}
        for table, place in FACT_FOLDERS.items():
            if added := fact_columns.of(table):
                parts[place] = _facts_by_run(tables[table].select(*key(table), *added))
        for run_id in tables["runs"]["run_id"]:
            target.begin_run(run_id)
            target.add({table: rows[run_id] for table, rows in parts.items() if run_id in rows})
            target.finish_run()
        target.write_shared({table: tables[table] for table in SHARED_TABLES})


def to_batches(table: str, frame: pl.DataFrame) -> list[pa.RecordBatch]:
    """Turn a frame into Arrow, enums into plain strings.

    Args:
        table: Name of the table.
        frame: With the table's columns.
    """
    enums = [name for name, dtype in polars_schema(table).items() if isinstance(dtype, pl.Enum)]
    plain = frame.cast(dict.fromkeys(enums, pl.String))
    batches: list[pa.RecordBatch] = _to_arrow(plain).cast(arrow_schema(table)).combine_chunks().to_batches()
    return batches


def _by_run(table: str, frame: pl.DataFrame) -> dict[str, list[pa.RecordBatch]]:
    parts = frame.partition_by("run_id", as_dict=True, maintain_order=True)
    return {str(run[0]): to_batches(table, part) for run, part in parts.items()}


def _facts_by_run(frame: pl.DataFrame) -> dict[str, list[pa.RecordBatch]]:
    parts = frame.partition_by("run_id", as_dict=True, maintain_order=True)
    return {str(run[0]): _to_arrow(part).combine_chunks().to_batches() for run, part in parts.items()}


class ExportFolder:
    """A folder of tables, opened for adding runs; one at a time may be open.

    A run's files are written where no reader looks. When all are complete, those that have changed are put in place,
    `runs` last. A run that was there is first taken out of `runs`, so that no reader meets a mixture; one whose files
    would hold the same bytes stays untouched. Runs that aren't written anew stay as they are.

    Args:
        folder: New, empty, or written by an export before.

    Raises:
        ArgumentError: The folder is neither text nor a path.
        TargetError: It is a file or holds other things, or can't be written to.
        SchemaError: A newer version of this package wrote it.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = as_folder(folder)
        self._unfinished = self.folder / UNFINISHED
        self._written: set[str] = set()
        self._run: _Run | None = None
        self._disk = ThreadPoolExecutor(len(RUN_TABLES), "verdict-frames-sync")

    def __enter__(self) -> Self:
        """Make sure that the folder can be written to, and that each table has a file."""
        self._check()
        with writing(self.folder):
            if self._unfinished.exists():
                shutil.rmtree(self._unfinished)
            self._unfinished.mkdir(parents=True)
        try:
            self._write_whole({shared_file(self.folder, POLICIES): _policies()})
            with writing(self.folder):
                for table in RUN_TABLES:
                    (self.folder / table).mkdir(exist_ok=True)
            self._write_whole(
                {
                    self.folder / table / EMPTY_FILE: pa.Table.from_batches([], arrow_schema(table))
                    for table in (*CHILD_TABLES, "runs")
                }
            )
        except BaseException:
            self._clear()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Drop whatever isn't complete."""
        self._clear()

    def begin_run(self, run_id: str) -> None:
        """Begin the next run; the one before must be finished.

        Raises:
            SchemaError: The run has been written since the folder was opened.
        """
        if run_id in self._written:
            message = f"runs.run_id: rule 'unique' is broken: run {run_id!r} comes more than once"
            raise SchemaError(message)
        self._run = _Run(self._unfinished, run_id, position=len(self._written))
        self._written.add(run_id)

    def add(self, rows: Mapping[str, list[pa.RecordBatch]]) -> None:
        """Add rows to the run that was begun, its own row of `runs` with the first.

        Raises:
            TargetError: They can't be written.
        """
        self._begun.add(rows)

    def finish_run(self) -> int:
        """Put the run that was begun in place.

        Returns:
            How many items it has.

        Raises:
            TargetError: A file can't be written; then the run is there as before, or not at all.
        """
        run, self._run = self._begun, None
        run.finish()
        self._put_in_place(run)
        return run.row_counts.get("items", 0)

    def write_shared(self, tables: Mapping[str, pl.DataFrame]) -> None:
        """Write the tables that have one file for the whole folder.

        Rows about files and runs that weren't seen this time stay, unless there is an equal one now; if there are any,
        all rows are sorted by path.

        Args:
            tables: `sources` and `problems`.

        Raises:
            TargetError: They can't be written.
            ParquetError: The ones that are there can't be read.
        """
        seen = tables["sources"]["path"].implode()
        merged: dict[Path, pa.Table] = {}
        for table in SHARED_TABLES:
            rows = tables[table]
            place = shared_file(self.folder, table)
            if place.exists():
                older = schema_version(read_footer(place)) < SCHEMA_VERSION
                earlier = collect(scan_files([place], polars_schema(table), older=older), table, [place]).filter(
                    ~pl.col("path").is_in(seen),
                    ~pl.col("run_id").is_in(sorted(self._written)).fill_null(value=False),
                )
                earlier = earlier.join(rows, on=rows.columns, how="anti", nulls_equal=True, maintain_order="left")
                if earlier.height:
                    rows = pl.concat([earlier, rows]).sort("path", maintain_order=True)
            merged[place] = pa.Table.from_batches(to_batches(table, rows), arrow_schema(table))
        self._write_whole(merged)

    @property
    def _begun(self) -> _Run:
        if self._run is None:
            message = "no run was begun"
            raise ArgumentError(message)
        return self._run

    def _check(self) -> None:
        with writing(self.folder):
            if self.folder.exists() and not self.folder.is_dir():
                message = f"{self.folder} is a file; name a folder for the tables"
                raise TargetError(message)
            if is_exported(self.folder):
                read_footer(shared_file(self.folder, POLICIES))
                return
            names = {path.name for path in self.folder.iterdir()} if self.folder.exists() else set()
        policies = shared_file(self.folder, POLICIES).name
        begun = names & {policies, UNFINISHED}
        strange = sorted(names - {UNFINISHED, policies, *((*RUN_TABLES, *FACT_FOLDERS.values()) if begun else ())})
        if strange:
            message = (
                f"{self.folder} holds other things ({', '.join(strange[:3])}{', …' if len(strange) > 3 else ''}); "
                "name a new or empty folder, or one that was exported to before"
            )
            raise TargetError(message)

    def _write_whole(self, files: Mapping[Path, pa.Table]) -> None:
        """Write small files and put them in place, in their order."""
        changed: dict[Path, Path] = {}
        for number, (place, rows) in enumerate(files.items()):
            writer = FileWriter(self._unfinished / f"{number}.parquet", rows.schema, versions(__version__))
            try:
                for batch in rows.to_batches():
                    writer.add(batch)
                writer.close()
            finally:
                writer.abandon()
            if not is_same(writer.path, place):
                changed[writer.path] = place
        self._sync(changed)
        for beside, place in changed.items():
            put_in_place(beside, place)
        self._sync({place.parent for place in changed.values()})

    def _put_in_place(self, run: _Run) -> None:
        name = run_file(run.run_id)
        seen = self.folder / "runs" / name
        new, gone = [], []
        for table in (*FACT_FOLDERS.values(), *CHILD_TABLES):
            place = self.folder / table / name
            if table not in run.row_counts:
                gone += [place] if place.exists() else []
            elif not is_same(run.file(table), place):
                new.append((run.file(table), place))
        is_known = is_same(run.file("runs"), seen)
        if is_known and not new and not gone:
            return
        with writing(self.folder):
            for place in {place.parent for _, place in new}:
                place.mkdir(exist_ok=True)
        self._sync([run.file("runs"), *(beside for beside, _ in new)])
        if (new or gone) and seen.exists():
            remove(seen)
            self._sync([seen.parent])
        for beside, place in new:
            put_in_place(beside, place)
        for place in gone:
            remove(place)
        self._sync({place.parent for place in (*gone, *(place for _, place in new))})
        put_in_place(run.file("runs"), seen)
        self._sync([seen.parent])

    def _sync(self, paths: Iterable[Path]) -> None:
        """Wait for the disk, for all paths at once: that is several times faster than one after the other."""
        for _ in self._disk.map(sync, paths):
            pass

    def _clear(self) -> None:
        if self._run is not None:
            self._run.abandon()
        self._disk.shutdown()
        shutil.rmtree(self._unfinished, ignore_errors=True)


class _Run:
    """One run, being written where no reader looks."""

    def __init__(self, unfinished: Path, run_id: str, *, position: int) -> None:
        self.run_id = run_id
        self.row_counts: dict[str, int] = {}
        self._unfinished = unfinished
        self._position = position
        self._writers: dict[str, FileWriter] = {}
        self._row: pa.RecordBatch | None = None
        self._metadata: dict[bytes, bytes] = {}

    def file(self, table: str) -> Path:
        return self._unfinished / f"{table}.parquet"

    def add(self, rows: Mapping[str, list[pa.RecordBatch]]) -> None:
        if self._row is None:
            self._row = rows["runs"][0]
            self._metadata = versions(self._row.column("interpreter_version")[0].as_py())
        for table in (*FACT_FOLDERS.values(), *CHILD_TABLES):
            for batch in rows.get(table, ()):
                if batch.num_rows:
                    self._writer(table, batch.schema).add(batch)

    def finish(self) -> None:
        try:
            for table, writer in self._writers.items():
                writer.close()
                self.row_counts[table] = writer.row_count
            self._metadata |= {
                POSITION_KEY: str(self._position).encode(),
                ROWS_KEY: json.dumps(self.row_counts, sort_keys=True).encode(),
            }
            writer = self._writer("runs", arrow_schema("runs"))
            writer.add(_with_item_count(self._row, self.row_counts.get("items", 0)))
            writer.close()
        finally:
            self.abandon()

    def abandon(self) -> None:
        for writer in self._writers.values():
            writer.abandon()

    def _writer(self, table: str, schema: pa.Schema) -> FileWriter:
        if table not in self._writers:
            self._writers[table] = FileWriter(self.file(table), schema, self._metadata)
        return self._writers[table]


def _with_item_count(row: pa.RecordBatch, count: int) -> pa.RecordBatch:
    """The row of a run that may have come in parts, with the number of all its items."""
    place = row.schema.get_field_index("item_count")
    field = row.schema.field(place)
    return row.set_column(place, field, pa.array([count], field.type))


def _policies() -> pa.Table:
    table = policy_table()
    plain = table.cast({name: pl.String for name, dtype in table.schema.items() if isinstance(dtype, pl.Enum)})
    return _to_arrow(plain)


def _to_arrow(plain: pl.DataFrame) -> pa.Table:
    return plain.to_arrow(compat_level=pl.CompatLevel.oldest())
