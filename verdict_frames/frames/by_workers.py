"""Result files read by several processes: the same batches in the same order as by one.

This process looks what is to be read and hands it out in pieces; a worker decodes, interprets and flattens its piece
and gives back Arrow bytes. Runs whose ids can't be stored as they are stay here, since their names depend on each
other.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import msgspec
import pyarrow as pa

from verdict_frames.documents.entries import Shape
from verdict_frames.documents.seen import Problem
from verdict_frames.errors import OptionError
from verdict_frames.frames import validation
from verdict_frames.frames.assembly import paused_collector
from verdict_frames.frames.flatten import Flattener
from verdict_frames.frames.processes import worker_processes
from verdict_frames.frames.schemas.tables import arrow_schema
from verdict_frames.sources.reading import CopyBytes, Outcome, Surveyed, read_job, survey_each
from verdict_frames.vocabulary import ProblemKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from verdict_frames.documents.found import FoundFile
    from verdict_frames.frames.flatten import Batch
    from verdict_frames.frames.processes import Answer, Workers
    from verdict_frames.sources.reader import ResultFiles
    from verdict_frames.sources.reading import Job
    from verdict_frames.sources.recorded import RecordedRun

PIECE_BYTES: Final = 4 * 2**20
"""How much one worker is given at a time, unless a single run is larger."""

_CHANGED_OR_LIKE_IT: Final = re.compile("[\ud800-\udfff\N{REPLACEMENT CHARACTER}]")


class _Flattened(msgspec.Struct):
    """What a worker gives back for a piece.

    Attributes:
        batches: Each batch as one Arrow message a table.
        outcomes: What came of each job, without its run.
        problems: What the flattening could not take over as it was.
        item_counts: Run id → items.
    """

    batches: list[dict[str, bytes]]
    outcomes: list[Outcome]
    problems: list[Problem]
    item_counts: dict[str, int]


def batches_of(source: ResultFiles, flattener: Flattener, workers: int) -> Iterator[Batch]:
    """Read all that a source gives, and flatten it, in this process or in several.

    Args:
        source: Its `sources` and `problems` are complete once the batches have been taken.
        flattener: Absorbs what the workers' flatteners note.
        workers: How many processes; one stands for this process.

    Yields:
        The rows that the flattener would make of the source's runs, though in other batches. Where a worker dies, what
        it had is read once more, and `problems` says so.

    Raises:
        OptionError: There is to be less than one worker.
        WorkerError: The processes can't be started.
    """
    if workers < 1:
        message = f"workers={workers}: at least one process must read"
        raise OptionError(message)
    if workers == 1:
        yield from flattener.batches(source.runs())
        return
    with worker_processes(workers) as team:
        validation.prepare()
        pieces = _pieces(source.jobs(lambda files: _survey_by_workers(team, files)))
        answers = team.ask(flatten_piece, [_without_parts(piece) for piece in pieces if _is_for_workers(piece[0])])
        for piece in pieces:
            if _is_for_workers(piece[0]):
                yield from _take(source, flattener, piece, next(answers))
            else:
                yield from flattener.batches(source.read(piece))
    source.close()


def _survey_by_workers(team: Workers, files: Iterable[FoundFile]) -> Iterator[Surveyed]:
    shares: list[list[FoundFile]] = []
    size = PIECE_BYTES
    for file in files:
        if size >= PIECE_BYTES:
            shares.append([])
            size = 0
        shares[-1].append(file)
        size += file.size
    for share, answer in zip(shares, team.ask(_survey_share, shares), strict=True):
        if answer.value is None:
            yield from (Surveyed(None, _death(file.path, answer)) for file in share)
        else:
            yield from answer.value


def _survey_share(files: list[FoundFile]) -> list[Surveyed]:
    return list(survey_each(files))


def _pieces(jobs: Iterable[Job]) -> list[list[Job]]:
    """Neighbouring jobs that one process does in one go."""
    pieces: list[list[Job]] = []
    size = 0
    for job in jobs:
        if not pieces or not _goes_with(job, pieces[-1][-1], size):
            pieces.append([])
            size = 0
        pieces[-1].append(job)
        size += job.size
    return pieces


def _goes_with(job: Job, before: Job, size: int) -> bool:
    """Whether a job joins the piece that ends with another: runs of one array do, since it is split in one go."""
    if job.part is not None or before.part is not None or _is_for_workers(job) != _is_for_workers(before):
        return False
    copy, copy_before = job.plan.copies[0], before.plan.copies[0]
    return size < PIECE_BYTES or (copy.shape is Shape.ARRAY and copy.file.path == copy_before.file.path)


def _is_for_workers(job: Job) -> bool:
    return _CHANGED_OR_LIKE_IT.search(job.plan.run_id) is None


def _without_parts(piece: list[Job]) -> list[Job]:
    """The same jobs without what only this process needs to know, which is long for a long file."""
    replace = msgspec.structs.replace
    return [
        replace(job, plan=replace(job.plan, copies=tuple(replace(copy, parts=()) for copy in job.plan.copies)))
        for job in piece
    ]


def _take(source: ResultFiles, flattener: Flattener, piece: list[Job], answer: Answer[_Flattened]) -> Iterator[Batch]:
    """Enter what came of a piece, and give its batches; the rows of a run that has begun before aren't given again."""
    continues = source.has_begun(piece[0])
    done = answer.value or _Flattened([], [Outcome(None, None, []) for _ in piece], [], {})
    told: set[str] = set()
    for job, outcome in zip(piece, done.outcomes, strict=True):
        path = job.plan.copies[0].file.path
        if answer.deaths and path not in told:
            told.add(path)
            outcome.problems.append(_death(path, answer, job))
        source.take(job, outcome)
        source.done(job)
    flattener.absorb(done.problems, done.item_counts)
    for batch in done.batches:
        yield {
            table: _read(table, message)[: 0 if continues and table in ("runs", "run_facts") else None]
            for table, message in batch.items()
        }


def _read(table: str, message: bytes) -> pa.RecordBatch:
    return pa.ipc.read_record_batch(pa.py_buffer(message), arrow_schema(table))


def _death(path: str, answer: Answer[Any], job: Job | None = None) -> Problem:
    """The row for a file that a worker had when it died."""
    became = "all that it had was read by another" if answer.value is not None else "what they had is left out"
    remedy = "" if answer.value is not None else "; read it with workers=1, or where there is more memory"
    part = None if job is None else job.part
    return Problem(
        path=path,
        kind=ProblemKind.LIMIT,
        run_id=None if job is None else job.plan.run_id,
        line=None if part is None else part.line,
        byte=None if part is None else part.start,
        message=f"a worker process {', and a second one '.join(answer.deaths)} while it had this; {became}{remedy}",
    )


def flatten_piece(jobs: list[Job]) -> _Flattened:
    """Read, interpret and flatten a piece; what a worker does."""
    flattener = Flattener()
    outcomes: list[Outcome] = []
    with paused_collector():
        batches = [
            {table: rows.serialize().to_pybytes() for table, rows in batch.items()}
            for batch in flattener.batches(_runs(jobs, outcomes))
        ]
    return _Flattened(batches, outcomes, flattener.problems, flattener.item_counts)


def _runs(jobs: Iterable[Job], outcomes: list[Outcome]) -> Iterator[RecordedRun]:
    contents = CopyBytes()
    for job in jobs:
        outcome = read_job(job, contents)
        outcomes.append(Outcome(outcome.place, None, outcome.problems))
        if outcome.run is not None:
            yield outcome.run
