"""From recorded runs straight to Parquet: one run after the other, so that memory doesn't grow with their number."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl
import pyarrow as pa

from verdict_frames.documents.listing import require_outside
from verdict_frames.frames.arrays import to_frame
from verdict_frames.frames.assembly import paused_collector
from verdict_frames.frames.by_workers import batches_of
from verdict_frames.frames.display import as_html, as_text, remark_of
from verdict_frames.frames.flatten import Flattener
from verdict_frames.frames.schemas.tables import empty_table, polars_schema
from verdict_frames.frames.storage.layout import RUN_TABLES, SHARED_TABLES, as_folder
from verdict_frames.frames.storage.writing import ExportFolder
from verdict_frames.frames.validation import validate
from verdict_frames.sources.reader import ResultFiles

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from verdict_frames.documents.limits import Limits
    from verdict_frames.frames.assembly import RunSource, Seen
    from verdict_frames.frames.flatten import Batch

_ITEMS_PER_VALIDATION = 8_000


@dataclass(frozen=True, kw_only=True, repr=False)
class Exported:
    """What an export has written.

    Attributes:
        run_count: Runs written, those included that were there already.
        item_count: Their items.
        sources: Every file that was seen, as in a corpus.
        problems: What could not be read, as in a corpus.
    """

    run_count: int
    item_count: int
    sources: pl.DataFrame
    problems: pl.DataFrame

    def __repr__(self) -> str:
        return as_text("Exported", self._tables(), remark=self._remark())

    def _repr_html_(self) -> str:
        columns = ("kind", "path", "message")
        return as_html("Exported", self._tables(), first="problems", columns=columns, remark=self._remark())

    def _tables(self) -> dict[str, pl.DataFrame]:
        return {"sources": self.sources, "problems": self.problems}

    def _remark(self) -> str:
        return remark_of(runs=self.run_count, items=self.item_count)


def export_results(
    paths: str | Path | Iterable[str | Path],
    folder: str | Path,
    *,
    path_pattern: str | None = None,
    aliases: Mapping[str, str] | None = None,
    limits: Limits | None = None,
    progress: Callable[[int, int], None] | None = None,
    workers: int = 1,
) -> Exported:
    """Read judged runs and write their tables to a folder of Parquet files, holding one run in memory at a time.

    It reads what `read_results` reads, and writes what `Corpus.write_parquet` writes, byte for byte. A run is complete
    in the folder before the next one comes, so after a failure the runs before it are there.

    Args:
        paths: Files, folders (with all that is below them) and globs.
        folder: New, empty, or written by an export before; see `Corpus.write_parquet`.
        path_pattern: Where in a path its facts stand, such as `{experiment}/{variant}/{repeat}.json`.
        aliases: Old name of a variant → the name that it has today; applied before repeats are numbered.
        limits: How much may come out of a packed file or a member of an archive; a gibibyte, and 200 bytes of each,
            where it isn't said.
        progress: Called with bytes done and bytes in all.
        workers: How many processes read; see `read_results`. One writes.

    Returns:
        How much was written, and what could not be read. The folder is written also when nothing could.

    Raises:
        MissingPathError: A path doesn't exist, or a glob matches nothing; nothing is written then.
        PatternError: The pattern or a glob can't be used.
        ArgumentError: There is no path, one is neither text nor a path, or the aliases are no mapping of text to text.
        OptionError: There is to be less than one worker, or the aliases can't be followed.
        WorkerError: The worker processes can't be started.
        TargetError: The folder lies within one of the paths, is a file or holds other things, or can't be written to.
        SchemaError: A newer version of this package wrote the folder.

    Examples:
        >>> import tempfile
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "one.verdict.json").write_text('{"aggregated": {"status": "pass"}}')
        >>> export_results(folder / "one.verdict.json", folder / "tables").run_count
        1
    """
    arguments = [paths] if isinstance(paths, str | Path) else list(paths)
    source = ResultFiles(arguments, path_pattern=path_pattern, aliases=aliases, limits=limits, progress=progress)
    require_outside(as_folder(folder), arguments, called="folder")
    flattener = Flattener()
    return _export(batches_of(source, flattener, workers), flattener, source, folder)


def export_parquet(source: RunSource, folder: str | Path) -> Exported:
    """Interpret, flatten, validate and write all that a source gives; see `export_results`.

    Args:
        source: Its runs are taken one at a time.
        folder: New, empty, or written by an export before.

    Raises:
        TargetError: The folder can't be written to.
        SchemaError: The tables don't keep to their schema; the runs before are there.
    """
    flattener = Flattener()
    return _export(flattener.batches(source.runs()), flattener, source, folder)


def _export(batches: Iterable[Batch], flattener: Flattener, source: Seen, folder: str | Path) -> Exported:
    with ExportFolder(folder) as target, paused_collector():
        current: str | None = None
        run_count = item_count = 0
        known = empty_table("runs")
        for batch in _joined(batches):
            known = _validate(batch, known)
            for run_id, rows in _by_run(batch, current):
                if run_id != current:
                    item_count += 0 if current is None else target.finish_run()
                    target.begin_run(run_id)
                    current = run_id
                    run_count += 1
                target.add(rows)
        item_count += 0 if current is None else target.finish_run()
        closing = flattener.closing_batch(source.sources, source.problems)
        shared = {table: to_frame(table, [closing[table]]) for table in SHARED_TABLES}
        target.write_shared(shared)
    return Exported(run_count=run_count, item_count=item_count, **shared)


def _joined(batches: Iterable[Batch]) -> Iterator[Batch]:
    """Join small batches, since each validation costs as much as that of some thousand items.

    Where the batches fail, those before are given first.
    """
    waiting: list[Batch] = []
    item_count = 0
    try:
        for batch in batches:
            waiting.append(batch)
            item_count += batch["items"].num_rows
            if item_count >= _ITEMS_PER_VALIDATION:
                yield _join(waiting)
                waiting, item_count = [], 0
    except Exception:
        if waiting:
            yield _join(waiting)
        raise
    if waiting:
        yield _join(waiting)


def _join(batches: list[Batch]) -> Batch:
    return {table: pa.concat_batches([batch[table] for batch in batches]) for table in batches[0]}


def _by_run(
    batch: Mapping[str, pa.RecordBatch], begun: str | None
) -> Iterator[tuple[str, dict[str, list[pa.RecordBatch]]]]:
    """Cut a batch into runs, in their order; the one that an earlier batch began comes first, with what it has more."""
    parts: dict[str, dict[str, list[pa.RecordBatch]]] = {} if begun is None else {begun: {}}
    for table in RUN_TABLES:
        rows = batch[table]
        start = 0
        lengths = pl.Series(rows.column("run_id")).rle()
        for length, run_id in zip(lengths.struct["len"], lengths.struct["value"], strict=True):
            parts.setdefault(run_id, {})[table] = [rows.slice(start, length)]
            start += length
    yield from parts.items()


def _validate(batch: Mapping[str, pa.RecordBatch], earlier: pl.DataFrame) -> pl.DataFrame:
    """Validate a batch as if its runs ended with it.

    Args:
        batch: The tables of whole items.
        earlier: The row of `runs` that the last of the batches before ended with.

    Returns:
        The row of `runs` that this batch ends with.
    """
    tables = {table: to_frame(table, [rows]) for table, rows in batch.items()}
    runs = tables["runs"]
    begun = earlier.join(tables["items"].select("run_id"), on="run_id", how="semi")
    counts = tables["items"].group_by("run_id").len("rows")
    present = pl.concat([begun, runs]).join(counts, on="run_id", how="left", maintain_order="left")
    here = present.with_columns(
        pl.col("rows").fill_null(0).cast(polars_schema("runs")["item_count"]).alias("item_count")
    )
    shared = {table: empty_table(table) for table in SHARED_TABLES}
    validate({**tables, **shared, "runs": here.drop("rows")})
    return runs.tail(1) if runs.height else earlier
