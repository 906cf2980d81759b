"""Second pass: the chosen copy of a run, decoded and cleaned; and whether the other copies say the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from verdict_frames.documents.contents import read_bytes, unreadable
from verdict_frames.documents.decoding import UndecodableError
from verdict_frames.documents.entries import Entry, Shape, entries_of, syntax_problem
from verdict_frames.documents.fields import INT32
from verdict_frames.documents.members import members_of
from verdict_frames.documents.seen import Problem
from verdict_frames.sources.cleaning import clean_item, clean_run
from verdict_frames.sources.fields import FieldReader
from verdict_frames.sources.kinds import READABLE, Kind, classify, describe_foreign
from verdict_frames.sources.recorded import RecordedItem, RecordedRun
from verdict_frames.sources.stored import decode_item, decode_result, decode_whole
from verdict_frames.vocabulary import ProblemKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from verdict_frames.sources.plan import RunPlan
    from verdict_frames.sources.survey import RunCopy


def read_run(plan: RunPlan, copy: RunCopy, problems: list[Problem]) -> RecordedRun | None:
    """A run as one of its copies holds it; null where nothing of it can be decoded, with the reason in `problems`."""
    read = FieldReader(problems, path=copy.file.path, run_id=plan.run_id, line=copy.line)
    try:
        data = _bytes_of(copy)
    except OSError as error:
        problems.append(unreadable(copy.file, error))
        return None
    if copy.entry is None:
        items = list(_items(copy, data, read, problems, plan.run_id))
        if not items:
            return None
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


def conflict(plan: RunPlan, chosen: RunCopy, others: Iterable[RunCopy]) -> Problem | None:
    """One row for copies of a run that differ in more than `interpretation`, or lie under several variants.

    Copies with the same bytes are not decoded.
    """
    differences: list[str] = []
    seen = {chosen.digest}
    original: dict[str, Any] | None = None
    for copy in others:
        if copy.digest in seen:
            continue
        seen.add(copy.digest)
        try:
            original = _without_interpretations(chosen) if original is None else original
            difference = _difference(original, _without_interpretations(copy))
        except (OSError, UndecodableError, RecursionError) as error:
            difference = f"can't be compared: {error}"
        if difference is not None:
            differences.append(f"{copy.file.path} ({copy.item_count} items) {difference}")
    lines = [*differences, *plan.disagreements]
    if not lines:
        return None
    message = f"copies of one run differ: {'; '.join(lines)}; read was {chosen.file.path} ({chosen.item_count} items)"
    return Problem(path=chosen.file.path, kind=ProblemKind.CONFLICT, run_id=plan.run_id, message=message)


def _bytes_of(copy: RunCopy) -> bytes:
    if copy.entry is None:
        return read_bytes(copy.file)
    if copy.shape is not Shape.ARRAY:
        return read_bytes(copy.file, start=copy.start or 0, end=copy.end)
    entries = entries_of(read_bytes(copy.file), Shape.ARRAY)
    return next(entry.data for entry in entries if entry.index == copy.entry)


def _items(
    copy: RunCopy, data: bytes, read: FieldReader, problems: list[Problem], run_id: str
) -> Iterator[RecordedItem]:
    """Items of a file whose values are items, verdicts or interpretations."""
    path = copy.file.path
    for entry in entries_of(data, copy.shape):
        at_item = read.of_item(entry.index, line=entry.line)
        try:
            members = members_of(entry.data)
            if members is None:
                at_item.trouble(f"value {entry.index}: it is no object, so no item or verdict; it is left out")
                continue
            kind = classify(members)
            if kind in READABLE:
                if kind is not Kind.RESULT:
                    yield _item(kind, entry, at_item)
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


def _item(kind: Kind, entry: Entry, read: FieldReader) -> RecordedItem:
    if kind is Kind.ITEM:
        return clean_item(decode_item(entry.data), entry.index, read)
    value = decode_whole(entry.data)
    if kind is Kind.INTERPRETATION:
        return RecordedItem(index=entry.index, interpretation=value)
    return RecordedItem(index=entry.index, has_verdict=True, verdict=value)


def _add_path_facts(run: RecordedRun, plan: RunPlan, read: FieldReader) -> None:
    run.session, run.variant = plan.facts.session, plan.facts.variant
    run.experiment_name = plan.facts.experiment or run.experiment_name
    if plan.facts.repeat is not None:
        digits = plan.facts.repeat
        if digits.isascii() and digits.isdigit() and len(digits) <= 10 and int(digits) < INT32:
            run.repeat = int(digits)
        else:
            read.trouble(f"the path gives {digits!r} as the repeat, which is no integer; the field stays null")


def _without_interpretations(copy: RunCopy) -> dict[str, Any]:
    value: dict[str, Any] = decode_whole(_bytes_of(copy))
    items = value.get("items")
    for item in items if isinstance(items, list) else ():
        if isinstance(item, dict):
            item.pop("interpretation", None)
    return value


def _difference(first: dict[str, Any], second: dict[str, Any]) -> str | None:
    keys = [
        f"`{key}`"
        for key in sorted({*first, *second})
        if (key in first) != (key in second) or first.get(key) != second.get(key)
    ]
    return f"differs in {', '.join(keys[:5])}{', …' if len(keys) > 5 else ''}" if keys else None
