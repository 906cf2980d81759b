"""What is done with one file, or with one run of it: the look of the first pass, and in the second one the decoding.

Nothing here knows the other files, so that it can be done in any process.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import msgspec

from verdict_frames.documents.contents import damaged, read_bytes, read_content, unreadable
from verdict_frames.documents.decoding import UndecodableError
from verdict_frames.documents.entries import Entry, Shape, entries_of, syntax_problem
from verdict_frames.documents.escaping import one_line
from verdict_frames.documents.seen import Problem
from verdict_frames.interpretation.equality import deeply_equal
from verdict_frames.sources.cleaning import clean_run, item_of_kind
from verdict_frames.sources.fields import FieldReader
from verdict_frames.sources.kinds import READABLE, Kind, classify, describe_foreign
from verdict_frames.sources.path_facts import repeat_number
from verdict_frames.sources.plan import RunPlan
from verdict_frames.sources.recorded import RecordedItem, RecordedRun
from verdict_frames.sources.stored import decode_result, decode_whole
from verdict_frames.sources.survey import Part, RunCopy, entries_of_part, look_at, survey
from verdict_frames.vocabulary import ProblemKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from verdict_frames.documents.decoding import Buffer
    from verdict_frames.documents.found import FoundFile


class CopyBytes:
    """The bytes of copies; files with an array at their root are split once for the runs that follow each other."""

    def __init__(self) -> None:
        self._arrays: dict[str, list[Entry]] = {}

    def of(self, copy: RunCopy, part: Part | None = None) -> bytes:
        """The bytes of a copy or of a part of it, or of its file where it is made of several values.

        Raises:
            OSError: If they can't be read, or the file was changed since it was listed.
            UndecodableError: If they exceed a limit.
        """
        if part is not None:
            return read_bytes(copy.file, start=part.start, end=part.end)
        if copy.entry is None:
            return read_bytes(copy.file)
        if copy.shape is not Shape.ARRAY:
            return read_bytes(copy.file, start=copy.start or 0, end=copy.end)
        entries = self._arrays.get(copy.file.path)
        if entries is None:
            entries = list(entries_of(read_bytes(copy.file), Shape.ARRAY))
            if len(self._arrays) > 1:  # two are kept: runs are read from one file and compared with another
                del self._arrays[next(iter(self._arrays))]
            self._arrays[copy.file.path] = entries
        return entries[copy.entry].data


class Surveyed(msgspec.Struct):
    """What the first pass tells of a file.

    Attributes:
        digest: SHA-256 of its bytes; null where they can't be read.
        found: The runs it holds, or why it holds none.
        damage: What else is wrong with a packed file that holds some.
    """

    digest: str | None
    found: list[RunCopy] | Problem
    damage: Problem | None = None


def survey_file(file: FoundFile) -> Surveyed:
    """Look what a file holds."""
    try:
        content = read_content(file)
    except OSError as error:
        return Surveyed(None, unreadable(file, error))
    except UndecodableError as error:
        return Surveyed(None, Problem(path=file.path, kind=error.kind, message=error.reason))
    digest = hashlib.sha256(content.data).hexdigest()
    found = survey(file, content.data, digest)
    if content.damage is None:
        return Surveyed(digest, found)
    damage = damaged(file, content.damage)
    return Surveyed(digest, damage) if isinstance(found, Problem) else Surveyed(digest, found, damage)


def survey_each(files: Iterable[FoundFile]) -> Iterator[Surveyed]:
    """Look what files hold, one after the other."""
    return map(survey_file, files)


class Job(msgspec.Struct, frozen=True):
    """What is read in one go: a run, or one part of a long one.

    Attributes:
        plan: The run.
        part: The part, which all copies have; null for the whole run.
    """

    plan: RunPlan
    part: Part | None = None

    @property
    def size(self) -> int:
        """Bytes of the best copy that are read."""
        copy = self.plan.copies[0]
        if self.part is not None:
            return self.part.end - self.part.start
        return copy.file.size if copy.start is None or copy.end is None else copy.end - copy.start

    @property
    def ends_parts(self) -> bool:
        """Whether this is the last of several parts."""
        return self.part is not None and self.part == self.plan.copies[0].parts[-1]


class Outcome(msgspec.Struct):
    """What came of a job.

    Attributes:
        place: Place among the plan's copies of the one that was read; null where none could be.
        run: What it held; null likewise.
        problems: What stood in the way.
    """

    place: int | None
    run: RecordedRun | None
    problems: list[Problem]


def jobs_of(plan: RunPlan) -> list[Job]:
    """The jobs that make up a run, in the order of its items."""
    return [Job(plan, part) for part in plan.copies[0].parts] or [Job(plan)]


def read_job(job: Job, contents: CopyBytes) -> Outcome:
    """Read from the best copy that can be decoded, and compare the others with it, if the job is a whole run."""
    plan = job.plan
    problems: list[Problem] = []
    for place, copy in enumerate(plan.copies):
        run = _read_run(plan, copy, contents, problems, part=job.part)
        if run is None:
            continue
        others = plan.copies[place + 1 :]
        run.copies = sorted({each.file.path for each in (copy, *others)})
        if job.part is None:
            problems += conflict(plan, place, contents)
        return Outcome(place, run, problems)
    return Outcome(None, None, problems)


def _read_run(
    plan: RunPlan, copy: RunCopy, contents: CopyBytes, problems: list[Problem], *, part: Part | None
) -> RecordedRun | None:
    """A run as one of its copies holds it; null where nothing of it can be decoded, with the reason in `problems`."""
    read = FieldReader(problems, path=copy.file.path, run_id=plan.run_id, line=copy.line)
    try:
        data = contents.of(copy, part)
    except OSError as error:
        problems.append(unreadable(copy.file, error))
        return None
    except UndecodableError as error:
        problems.append(Problem(path=copy.file.path, kind=error.kind, run_id=plan.run_id, message=error.reason))
        return None
    if copy.entry is None:
        entries = entries_of(data, copy.shape) if part is None else entries_of_part(data, part)
        items = list(_items(copy, entries, read, problems, plan.run_id))
        if not items:
            return None
        if part is not None and part.start > 0:
            read = FieldReader([], path=copy.file.path, run_id=plan.run_id)  # said already of the first part
        run = RecordedRun(run_id=plan.run_id, path=copy.file.path, copies=[], items=items)
    else:
        try:
            stored = decode_result(data)
        except UndecodableError as error:
            problem = syntax_problem(copy.file.path, error, line=copy.line, offset=copy.start, run_id=plan.run_id)
            problems.append(problem)
            return None
        run = clean_run(stored, read, run_id=plan.run_id, path=copy.file.path)
    _add_path_facts(run, plan, read)
    return run


def conflict(plan: RunPlan, place: int, contents: CopyBytes) -> list[Problem]:
    """One row where copies behind the chosen one differ in more than `interpretation`, or lie under several variants.

    Copies with the same bytes are not decoded.
    """
    chosen, *others = plan.copies[place:]
    differences: list[str] = []
    seen = {chosen.digest}
    original: dict[str, Any] | None = None
    for copy in others:
        if copy.digest in seen:
            continue
        seen.add(copy.digest)
        try:
            original = without_interpretations(decode_whole(contents.of(chosen))) if original is None else original
            difference = difference_of(original, without_interpretations(decode_whole(contents.of(copy))))
        except (OSError, UndecodableError) as error:
            difference = f"can't be compared: {error}"
        if difference is not None:
            differences.append(f"{copy.file.path} ({copy.item_count} items) {difference}")
    lines = [*differences, *plan.disagreements]
    if not lines:
        return []
    what = "copies of one run differ" if len(plan.copies) > 1 else "one run is named differently"
    message = f"{what}: {'; '.join(lines)}; read was {chosen.file.path} ({chosen.item_count} items)"
    return [Problem(path=chosen.file.path, kind=ProblemKind.CONFLICT, run_id=plan.run_id, message=message)]


def _items(
    copy: RunCopy, entries: Iterable[Entry], read: FieldReader, problems: list[Problem], run_id: str
) -> Iterator[RecordedItem]:
    """Items of a file whose values are items, verdicts or interpretations."""
    path = copy.file.path
    for entry in entries:
        at_item = read.of_item(entry.index, line=entry.line)
        try:
            kind, members, data = _told(entry.data)
            if kind is Kind.NO_OBJECT:
                at_item.trouble(f"value {entry.index}: it is no object, so no item or verdict; it is left out")
                continue
            if kind in READABLE:
                if kind is not Kind.RESULT:
                    yield item_of_kind(kind, data, entry.index, at_item)
                continue
            problem = Problem(
                path=path,
                kind=ProblemKind.FOREIGN,
                run_id=run_id,
                item_index=entry.index,
                line=entry.line,
                byte=entry.start,
                message=f"value {entry.index} is left out; it is {describe_foreign(kind, members)}",
            )
        except UndecodableError as error:
            problem = syntax_problem(path, error, line=entry.line, offset=entry.start, run_id=run_id, item=entry.index)
        problems.append(problem)


def _told(data: bytes) -> tuple[Kind, Mapping[str, Any], Buffer | dict[str, Any]]:
    """The kind of a value, its members, and the value as far as it had to be decoded to tell.

    Decoding a verdict costs little more than looking at its members, and it needs to be decoded anyhow; items and
    results are decoded in another way.
    """
    if b'"itemId"' in data:
        kind, members, _ = look_at(data)
        return kind, members, data
    value = decode_whole(data)
    return (classify(value), value, value) if isinstance(value, dict) else (Kind.NO_OBJECT, {}, data)


def _add_path_facts(run: RecordedRun, plan: RunPlan, read: FieldReader) -> None:
    own, inherited = plan.facts, plan.inherited
    run.session = own.session or inherited.session
    run.variant = own.variant or inherited.variant
    run.experiment_name = own.experiment or run.experiment_name
    run.repeat = repeat_number(own.repeat)
    if run.repeat is None:
        run.repeat = repeat_number(inherited.repeat)
        if own.repeat is not None:
            instead = "the field stays null" if run.repeat is None else "that of the run judged again is taken"
            read.trouble(f"the path gives {own.repeat!r} as the repeat, which is no integer; {instead}")


def without_interpretations(result: Mapping[str, Any]) -> dict[str, Any]:
    """A decoded result, the interpretations of its items left out; the result itself stays as it is."""
    items = result.get("items")
    if not isinstance(items, list):
        return dict(result)
    bare = [
        {key: member for key, member in item.items() if key != "interpretation"} if isinstance(item, dict) else item
        for item in items
    ]
    return {**result, "items": bare}


def difference_of(first: Mapping[str, Any], second: Mapping[str, Any]) -> str | None:
    """In which members two results differ, in words; null where they are equal."""
    keys = [
        f"`{one_line(key)}`"
        for key in sorted({*first, *second})
        if (key in first) != (key in second) or not deeply_equal(first.get(key), second.get(key))
    ]
    return f"differs in {', '.join(keys[:5])}{', …' if len(keys) > 5 else ''}" if keys else None
