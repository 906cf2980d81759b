"""The room's door: paths in, runs out, with a row for every file that was seen and every trouble that was met."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from verdict_frames.documents.archives import open_archives
from verdict_frames.documents.found import ALL_SUFFIXES
from verdict_frames.documents.limits import Limits
from verdict_frames.documents.listing import list_files, row_of
from verdict_frames.documents.seen import Problem, SourceFile, name_members
from verdict_frames.sources.aliases import read_aliases
from verdict_frames.sources.path_facts import PathPattern
from verdict_frames.sources.plan import plan_runs
from verdict_frames.sources.reading import CopyBytes, conflict, jobs_of, read_job, survey_each
from verdict_frames.sources.store_records import StoreRecords
from verdict_frames.vocabulary import ProblemKind, SourceState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from verdict_frames.documents.found import FoundFile
    from verdict_frames.sources.reading import Job, Outcome, Surveyed
    from verdict_frames.sources.recorded import RecordedRun
    from verdict_frames.sources.survey import RunCopy


class ResultFiles:
    """Everything that some paths hold; iterate `runs()` to the end, then `sources` and `problems` are complete.

    First archives are listed, and session, sweep and index files of result stores are read for what they say of runs;
    what they point at and isn't there is a problem of kind `missing`. Then two passes are made over the files: one that
    only looks what each holds, and one that decodes the best copy of each run. One run is in memory at a time, beside
    the bytes of the file where that is one array of many runs, or is packed. What is listed, what is skipped by rule
    and where folders have one row for all that is in them is told at `verdict_frames.documents.listing.list_files`, and
    for archives at `verdict_frames.documents.archives`. An archive is `read` when its members could be listed, be it in
    part; it has no checksum, but its members do.

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
        aliases: Name of a variant → the name that it has today; see `verdict_frames.sources.aliases`.
        limits: How much may come out of packed files and archives.
        progress: Called with bytes done and bytes in all, where each byte counts once for either pass; first with 0
            done, and last with all.

    Attributes:
        sources: Every file that was seen, in the order of the paths.
        problems: What stood in the way, in the order of the paths.

    Raises:
        ArgumentError: If there is no path, one is neither text nor a path, the pattern is no text, or the aliases are
            no mapping of text to text.
        OptionError: If the aliases can't be followed.
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
        aliases: Mapping[str, str] | None = None,
        limits: Limits | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self._pattern = None if path_pattern is None else PathPattern(path_pattern)
        self._aliases = read_aliases(aliases)
        self._limits = limits or Limits()
        self._listing = list_files(paths, suffixes=ALL_SUFFIXES, limits=self._limits)
        self._progress = progress
        self.sources: list[SourceFile] = []
        self.problems: list[Problem] = []
        self._rows: dict[str, SourceFile] = {}
        self._holds: defaultdict[str, set[str]] = defaultdict(set)
        self._begun: set[str] = set()
        self._size = self._looked_at = self._to_read = self._read = 0

    def runs(self) -> Iterator[RecordedRun]:
        """Each run once, in the order of the paths that they are read from.

        A run that several files hold is read from the one with the most items, then with more stored interpretations,
        then named by the run's id or a UUID, then first in path order; where that can't be decoded, from the next.
        A long file of JSON lines gives its run in parts, of which all but the first say that they continue it. Starting
        again reads everything again.
        """
        yield from self.read(self.jobs())
        self.close()

    def jobs(self, survey_all: Callable[[Iterable[FoundFile]], Iterable[Surveyed]] = survey_each) -> list[Job]:
        """Look what the files hold, and say what is to be read, for a caller who has it read elsewhere.

        Each job is for `read`; or it goes to `read_job`, and what comes of it to `take` and then to `done`. All jobs
        are to be done in their order, and `close` ends it.

        Args:
            survey_all: What surveys the files, in their order.
        """
        opened = open_archives(self._listing, self._limits)
        files = opened.listing.files
        self._rows = {file.path: row_of(file) for file in files}
        self.sources = sorted([*self._rows.values(), *opened.listing.rows], key=SourceFile.place)
        self.problems = opened.listing.problems
        self._holds = defaultdict(set)
        self._begun = set()
        self._size = sum(file.size for file in files)
        self._looked_at = self._to_read = self._read = 0
        self._report()
        copies: list[RunCopy] = []
        in_turn = sorted(files, key=_place_on_disk)
        for file, surveyed in zip(in_turn, survey_all(in_turn), strict=True):
            copies += self._found(file, surveyed)
            self._looked_at += file.size
            self._report()
        records = StoreRecords(opened.listing.records, opened.contents)
        plans = plan_runs(copies, self._pattern, records=records, aliases=self._aliases)
        self.problems += records.problems
        self.problems += records.missing({plan.run_id for plan in plans})
        jobs = [job for plan in plans for job in jobs_of(plan)]
        self._to_read = sum(job.size for job in jobs)
        return jobs

    def read(self, jobs: Iterable[Job]) -> Iterator[RecordedRun]:
        """Do some jobs."""
        contents = CopyBytes()
        for job in jobs:
            outcome = read_job(job, contents)
            self.take(job, outcome)
            if outcome.run is not None:
                yield outcome.run
            self.done(job)

    def take(self, job: Job, outcome: Outcome) -> None:
        """Note what came of a job; its run learns whether it continues the one before."""
        self.problems += outcome.problems
        run_id = job.plan.run_id
        if outcome.place is not None:
            chosen, *others = job.plan.copies[outcome.place :]
            if outcome.run is not None:
                outcome.run.continues = self.has_begun(job)
            self._begun.add(run_id)
            for copy in (chosen, *others):
                row = self._rows[copy.file.path]
                self._holds[copy.file.path].add(run_id)
                row.run_id = run_id if len(self._holds[copy.file.path]) == 1 else None
                if row.state is SourceState.PROBLEM:
                    row.state = SourceState.COPY
            self._rows[chosen.file.path].state = SourceState.READ
        if job.ends_parts and self.has_begun(job):
            self.problems += conflict(job.plan, 0, CopyBytes())

    def has_begun(self, job: Job) -> bool:
        """Whether something of a job's run has been taken."""
        return job.plan.run_id in self._begun

    def done(self, job: Job) -> None:
        """Report the progress that a job was."""
        self._read += job.size
        self._report()

    def close(self) -> None:
        """Put the problems into the order of the paths, those of members with their archives."""
        if not self._to_read:
            self._read = self._to_read = 1
            self._report()
        name_members(self.problems, self.sources)
        self.problems.sort(key=Problem.place)

    def _found(self, file: FoundFile, surveyed: Surveyed) -> list[RunCopy]:
        row = self._rows[file.path]
        row.sha256 = surveyed.digest
        if surveyed.damage is not None:
            self.problems.append(surveyed.damage)
        if isinstance(surveyed.found, Problem):
            self.problems.append(surveyed.found)
            row.state = SourceState.FOREIGN if surveyed.found.kind is ProblemKind.FOREIGN else SourceState.PROBLEM
            return []
        return surveyed.found

    def _report(self) -> None:
        if self._progress is not None:
            read = self._size * self._read // self._to_read if self._to_read else 0
            self._progress(self._looked_at + read, 2 * self._size)


def _place_on_disk(file: FoundFile) -> tuple[str, int, int]:
    """Where a file's bytes lie; those of one archive are taken in turn, since it can't be unpacked backwards."""
    packed = file.packed
    return (file.opens, 0, 0) if packed is None else (file.opens, packed.stored.begin, packed.skip)
