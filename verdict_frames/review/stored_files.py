"""Files of stored evaluations → the evaluations with their places, and what became of each file.

A file holds one evaluation, an array of them, or one a line; it may be packed by gzip, and lie in an archive.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Final

import msgspec

from verdict_frames.documents.archives import open_archives
from verdict_frames.documents.contents import damaged, read_content, unreadable
from verdict_frames.documents.decoding import UndecodableError, decode
from verdict_frames.documents.entries import Shape, entries_of, shape_of, start_of, syntax_problem
from verdict_frames.documents.found import ALL_SUFFIXES
from verdict_frames.documents.limits import Limits
from verdict_frames.documents.listing import list_files, row_of
from verdict_frames.documents.seen import Problem, SourceFile, name_members
from verdict_frames.review.evaluations import RecordedEvaluation, Refusal
from verdict_frames.vocabulary import ProblemKind, SourceState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from verdict_frames.documents.found import FoundFile
    from verdict_frames.review.evaluations import EvaluationReader

IN_MEMORY: Final = "<in memory>"
"""The path of evaluations that come from no file."""

_LINES_PER_REPORT: Final = 5_000
_decoder: Final = msgspec.json.Decoder()


class PlacedEvaluation(msgspec.Struct, frozen=True):
    """One stored evaluation and where it was found.

    Attributes:
        path: Its file.
        line: Its line, from 1, in a file of JSON lines.
        evaluation: What it says.
    """

    path: str
    line: int | None
    evaluation: RecordedEvaluation


class EvaluationFiles:
    """Everything that some paths hold; iterate `evaluations()` to the end, then `sources` and `problems` are complete.

    A value that is no evaluation costs one row of `problems`, and so does each part of one that can't be used. A file
    in which nothing is an evaluation is `foreign`; one that repeats another byte by byte, packed or not, is a `copy`
    and isn't counted twice. One file is in memory at a time.

    Args:
        paths: Files, folders, archives and globs; `.json`, `.jsonl` and `.ndjson`, each also with `.gz` behind it.
        reader: Reads each value.
        limits: How much may come out of packed files and archives.
        progress: Called with bytes done and bytes in all; packed files count by their size on disk.

    Attributes:
        sources: Every file that was seen, in the order of the paths.
        problems: What stood in the way, in the order of the paths.

    Raises:
        ArgumentError: If there is no path, or one is neither text nor a path.
        MissingPathError: If an argument names nothing that exists, or a glob matches nothing; nothing is read then.
        PatternError: If a glob can't be used.
    """

    def __init__(
        self,
        paths: str | Path | Iterable[str | Path],
        reader: EvaluationReader,
        *,
        limits: Limits | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self._limits = limits or Limits()
        self._listing = list_files(paths, suffixes=ALL_SUFFIXES, limits=self._limits)
        self._reader = reader
        self._progress = progress
        self.sources: list[SourceFile] = []
        self.problems: list[Problem] = []

    def evaluations(self) -> Iterator[PlacedEvaluation]:
        """Each evaluation once, in the order of the paths and of their places in each file."""
        listing = open_archives(self._listing, self._limits).listing
        files = listing.files
        self.problems = listing.problems
        rows = [row_of(file) for file in files]
        self.sources = sorted([*rows, *listing.rows], key=SourceFile.place)
        total = sum(file.size for file in files)
        self._report(0, total)
        done = 0
        seen: set[str] = set()
        for file, row in zip(files, rows, strict=True):
            yield from self._file(file, row, seen, done, total)
            done += file.size
            self._report(done, total)
        name_members(self.problems, self.sources)
        self.problems.sort(key=Problem.place)

    def _file(
        self, file: FoundFile, row: SourceFile, seen: set[str], done: int, total: int
    ) -> Iterator[PlacedEvaluation]:
        try:
            content = read_content(file)
        except OSError as error:
            self.problems.append(unreadable(file, error))
            return
        except UndecodableError as error:
            self.problems.append(Problem(path=file.path, kind=error.kind, message=error.reason))
            return
        data = content.data
        row.sha256 = hashlib.sha256(data).hexdigest()
        if row.sha256 in seen:
            row.state = SourceState.COPY
            return
        seen.add(row.sha256)
        damage = [] if content.damage is None else [damaged(file, content.damage)]
        try:
            shape = shape_of(data, file.suffix)
        except UndecodableError as error:
            self.problems += damage or [syntax_problem(file.path, error, offset=start_of(data))]
            return
        refused: list[Problem] = []
        for entry in entries_of(data, shape):
            if shape is Shape.LINES and entry.index % _LINES_PER_REPORT == 0:
                self._report(done + file.size * (entry.start or 0) // max(len(data), 1), total)
            try:
                found = self._reader.read(decode(entry.data, _decoder.decode, _unchanged))
            except UndecodableError as error:
                refused.append(syntax_problem(file.path, error, line=entry.line, offset=entry.start, item=entry.index))
                continue
            if isinstance(found, Refusal):
                refused.append(_foreign(file.path, found, entry.index, entry.line, alone=shape is Shape.DOCUMENT))
                continue
            row.state = SourceState.READ
            self.problems += problems_of(found, path=file.path, line=entry.line, item=entry.index)
            yield PlacedEvaluation(file.path, entry.line, found)
        if row.state is SourceState.READ or damage:
            self.problems += [*damage, *(refused if row.state is SourceState.READ else [])]
        else:
            row.state, problem = _nothing_read(file.path, refused)
            self.problems.append(problem)

    def _report(self, done: int, total: int) -> None:
        if self._progress is not None:
            self._progress(done, total)


class EvaluationRecords:
    """Evaluations that are in memory already; iterate `evaluations()` to the end, then `problems` is complete.

    Args:
        records: Decoded JSON values.
        reader: Reads each value.

    Attributes:
        sources: None.
        problems: What couldn't be used, `item_index` being the place among the records.
    """

    def __init__(self, records: Iterable[object], reader: EvaluationReader) -> None:
        self._records = records
        self._reader = reader
        self.sources: list[SourceFile] = []
        self.problems: list[Problem] = []

    def evaluations(self) -> Iterator[PlacedEvaluation]:
        """Each evaluation once, in the given order."""
        for index, record in enumerate(self._records):
            found = self._reader.read(record)
            if isinstance(found, Refusal):
                self.problems.append(_foreign(IN_MEMORY, found, index, None))
                continue
            self.problems += problems_of(found, path=IN_MEMORY, line=None, item=index)
            yield PlacedEvaluation(IN_MEMORY, None, found)


def problems_of(evaluation: RecordedEvaluation, *, path: str, line: int | None, item: int) -> list[Problem]:
    """The rows for what an evaluation itself has trouble with."""
    return [
        Problem(path=path, kind=problem.kind, line=line, item_index=item, message=problem.message)
        for problem in evaluation.problems
    ]


def _foreign(path: str, refusal: Refusal, index: int, line: int | None, *, alone: bool = False) -> Problem:
    message = refusal.reason if alone else f"value {index} is left out: {refusal.reason}"
    return Problem(path=path, kind=ProblemKind.FOREIGN, item_index=index, line=line, message=message)


def _nothing_read(path: str, refused: list[Problem]) -> tuple[SourceState, Problem]:
    """State and problem of a file without any evaluation."""
    if not refused:
        return SourceState.FOREIGN, Problem(path=path, kind=ProblemKind.FOREIGN, message="it holds no value at all")
    foreign = [problem for problem in refused if problem.kind is ProblemKind.FOREIGN]
    first = (foreign or refused)[0]
    if len(refused) > 1:
        first.message += f" (none of its {len(refused)} values is an evaluation)"
    return SourceState.FOREIGN if foreign else SourceState.PROBLEM, first


def _unchanged(value: Any) -> Any:  # noqa: ANN401
    return value
