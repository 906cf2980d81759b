"""From a source of recorded runs to a validated corpus."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from verdict_frames.frames.arrays import to_frame
from verdict_frames.frames.corpus import Corpus
from verdict_frames.frames.flatten import Flattener
from verdict_frames.frames.schemas.tables import TABLES
from verdict_frames.frames.validation import validate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import pyarrow as pa

    from verdict_frames.documents.seen import Problem, SourceFile
    from verdict_frames.sources.recorded import RecordedRun


class RunSource(Protocol):
    """Anything that gives runs, and then says what it has seen."""

    @property
    def sources(self) -> Sequence[SourceFile]:
        """The files seen; complete once the runs have been taken."""

    @property
    def problems(self) -> Sequence[Problem]:
        """What could not be read; complete once the runs have been taken."""

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
    batches: dict[str, list[pa.RecordBatch]] = {table: [] for table in TABLES}
    flattener = Flattener()
    with paused_collector():
        for batch in flattener.batches(source.runs()):
            for table, rows in batch.items():
                batches[table].append(rows)
        for table, rows in flattener.closing_batch(source.sources, source.problems).items():
            batches[table].append(rows)
    tables = {table: to_frame(table, batches.pop(table)) for table in TABLES}
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
