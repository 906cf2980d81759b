"""The room's door: paths in, runs out, with a row for every file that was seen and every trouble that was met."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from typing import TYPE_CHECKING

from verdict_frames.documents.contents import read_bytes, unreadable
from verdict_frames.documents.listing import list_files
from verdict_frames.documents.seen import Problem, SourceFile
from verdict_frames.sources.path_facts import PathPattern
from verdict_frames.sources.plan import plan_runs
from verdict_frames.sources.reading import CopyBytes, conflict, read_run
from verdict_frames.sources.survey import survey
from verdict_frames.vocabulary import ProblemKind, SourceState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from verdict_frames.sources.plan import RunPlan
    from verdict_frames.sources.recorded import RecordedRun
    from verdict_frames.sources.survey import RunCopy


class ResultFiles:
    """Everything that some paths hold; iterate `runs()` to the end, then `sources` and `problems` are complete.

    Two passes are made over the files: one that only looks what each holds, and one that decodes the best copy of each
    run. One run is in memory at a time, beside the bytes of the file where that is one array of many runs. What is
    listed, what is skipped by rule and where folders have one row for all that is in them is told at
    `verdict_frames.documents.listing.list_files`.

    A file holds a result (one run), a bare verdict, a stored interpretation or a single item (a run of one item), or
    several of these, as JSON lines or as an array: then each result is a run, and all the rest are the items of one
    more. Items are indexed by their place among the file's values; broken ones leave their place empty. Whatever else
    is found is `foreign`, with a problem that says what it seemed to be.

    Args:
        paths: Files, folders and globs.
        path_pattern: Where in the path session, variant and others stand, such as
            `{experiment}/{variant}/{repeat}.json`; held against the end of each path, see
            `verdict_frames.sources.path_facts.PathPattern`. What it finds goes before what the store's layout says, and
            its experiment before the one that the file records.
        progress: Called with bytes done and bytes in all, where each byte counts once for either pass; first with 0
            done, and last with all.

    Attributes:
        sources: Every file that was seen, in the order of the paths.
        problems: What stood in the way, in the order of the paths.

    Raises:
        ArgumentError: If there is no path, one is neither text nor a path, or the pattern is no text.
        MissingPathError: If an argument names nothing that exists, or a glob matches nothing; nothing is read then.
        PatternError: If the pattern or a glob can't be used.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "one.verdict.json").write_text('{"aggregated": {"status": "pass"}}')
        >>> files = ResultFiles(folder)
        >>> [(run.run_id, len(run.items)) for run in files.runs()]
        [('one.verdict.json', 1)]
        >>> [source.state.value for source in files.sources]
        ['read']
    """

    def __init__(
        self,
        paths: str | Path | Iterable[str | Path],
        *,
        path_pattern: str | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self._pattern = None if path_pattern is None else PathPattern(path_pattern)
        self._listing = list_files(paths)
        self._progress = progress
        self.sources: list[SourceFile] = []
        self.problems: list[Problem] = []

    def runs(self) -> Iterator[RecordedRun]:
        """Each run once, in the order of the paths that they are read from.

        A run that several files hold is read from the one with the most items, then with more stored interpretations,
        then named by the run's id or a UUID, then first in path order; where that can't be decoded, from the next.
        Starting again reads everything again.
        """
        files = self._listing.files
        rows = {file.path: SourceFile(path=file.path, size=file.size, state=SourceState.PROBLEM) for file in files}
        self.sources = sorted([*rows.values(), *self._listing.rows], key=lambda row: row.path)
        self.problems = list(self._listing.problems)
        size = sum(file.size for file in files)
        self._report(0, size)
        plans = plan_runs(self._survey(rows, size), self._pattern)
        holds: defaultdict[str, set[str]] = defaultdict(set)
        weights = [sum(map(_weight, plan.copies)) for plan in plans]
        contents = CopyBytes()
        behind = 0
        for plan, weight in zip(plans, weights, strict=True):
            run = self._read(plan, rows, contents)
            if run is not None:
                for path in run.copies:
                    holds[path].add(run.run_id)
                    rows[path].run_id = run.run_id if len(holds[path]) == 1 else None
                yield run
            behind += weight
            self._report(size + size * behind // max(sum(weights), 1), size)
        if not plans:
            self._report(2 * size, size)
        self.problems.sort(key=lambda problem: problem.path)

    def _survey(self, rows: Mapping[str, SourceFile], size: int) -> list[RunCopy]:
        copies: list[RunCopy] = []
        done = 0
        for file in self._listing.files:
            row = rows[file.path]
            try:
                data = read_bytes(file)
            except OSError as error:
                self.problems.append(unreadable(file, error))
            else:
                row.sha256 = hashlib.sha256(data).hexdigest()
                found = survey(file, data, row.sha256)
                if isinstance(found, Problem):
                    self.problems.append(found)
                    row.state = SourceState.FOREIGN if found.kind is ProblemKind.FOREIGN else SourceState.PROBLEM
                else:
                    copies += found
            done += file.size
            self._report(done, size)
        return copies

    def _read(self, plan: RunPlan, rows: Mapping[str, SourceFile], contents: CopyBytes) -> RecordedRun | None:
        """The run from its best copy that can be decoded, with the states of its files."""
        for place, copy in enumerate(plan.copies):
            run = read_run(plan, copy, contents, self.problems)
            if run is None:
                continue
            others = plan.copies[place + 1 :]
            run.copies = sorted({each.file.path for each in (copy, *others)})
            trouble = conflict(plan, copy, others, contents)
            if trouble is not None:
                self.problems.append(trouble)
            for other in others:
                if rows[other.file.path].state is SourceState.PROBLEM:
                    rows[other.file.path].state = SourceState.COPY
            rows[copy.file.path].state = SourceState.READ
            return run
        return None

    def _report(self, done: int, size: int) -> None:
        if self._progress is not None:
            self._progress(done, 2 * size)


def _weight(copy: RunCopy) -> int:
    """Bytes that the second pass goes through for a copy."""
    return copy.file.size if copy.start is None or copy.end is None else copy.end - copy.start
