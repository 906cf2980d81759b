"""From a source of recorded runs to a validated corpus."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

import polars as pl

from verdict_frames.frames.arrays import to_frame
from verdict_frames.frames.corpus import Corpus
from verdict_frames.frames.flatten import Flattener
from verdict_frames.frames.schemas.tables import TABLES, polars_schema
from verdict_frames.frames.validation import validate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import pyarrow as pa

    from verdict_frames.documents.seen import Problem, SourceFile
    from verdict_frames.frames.flatten import Batch
    from verdict_frames.sources.recorded import RecordedRun


class Seen(Protocol):
    """Anything that says what it has seen."""

    @property
    def sources(self) -> Sequence[SourceFile]:
        """The files seen; complete once the runs have been taken."""

    @property
    def problems(self) -> Sequence[Problem]:
        """What could not be read; complete once the runs have been taken."""


class RunSource(Seen, Protocol):
    """Anything that gives runs, and then says what it has seen."""

    def runs(self) -> Iterable[RecordedRun]:
        """Give each run once."""


def build_corpus(source: RunSource) -> Corpus:
    """Interpret, flatten and validate all that a source gives.

    Args:
        source: Its runs are taken one at a time.

    Returns:
        The corpus, runs and items in the order in which they were given.

    Raises:
        SchemaError: The tables don't keep to their schema, for instance because two runs have the same id.
    """
    flattener = Flattener()
    return assemble(flattener.batches(source.runs()), flattener, source)


def assemble(batches: Iterable[Batch], flattener: Flattener, source: Seen) -> Corpus:
    """Join batches and validate the tables.

    Args:
        batches: Taken one at a time.
        flattener: It has made the batches, or has absorbed what others noted who made them.
        source: Asked once the batches have been taken.

    Raises:
        SchemaError: The tables don't keep to their schema.
    """
    taken: dict[str, list[pa.RecordBatch]] = {table: [] for table in TABLES}
    with paused_collector():
        for batch in batches:
            for table, rows in batch.items():
                taken[table].append(rows)
        for table, rows in flattener.closing_batch(source.sources, source.problems).items():
            taken[table].append(rows)
    tables = {table: to_frame(table, taken.pop(table)) for table in TABLES}
    counts = [flattener.item_counts[run_id] for run_id in tables["runs"]["run_id"]]
    item_count = pl.Series("item_count", counts, polars_schema("runs")["item_count"])
    tables["runs"] = tables["runs"].with_columns(item_count)
    validate(tables)
    return Corpus(**tables)


@contextmanager
def paused_collector() -> Iterator[None]:
    """Pause the cyclic garbage collector, which costs a third of the time while many records are made."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
