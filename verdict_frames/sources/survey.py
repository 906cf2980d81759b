"""First pass over one file: what it holds, told by a cheap look that decodes next to nothing."""

from __future__ import annotations

import hashlib
from collections import Counter
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

import msgspec

from verdict_frames.documents.decoding import UTF8_MARK, UndecodableError, decode
from verdict_frames.documents.entries import Entry, Shape, entries_of, shape_and_members, start_of, syntax_problem
from verdict_frames.documents.fields import parse_instant
from verdict_frames.documents.found import FoundFile
from verdict_frames.documents.members import members_of, sort_of
from verdict_frames.documents.seen import Problem
from verdict_frames.sources.kinds import READABLE, Kind, classify, describe_foreign, peek_items
from verdict_frames.sources.stored import decode_whole
from verdict_frames.vocabulary import ProblemKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from verdict_frames.documents.decoding import Buffer


class Part(msgspec.Struct, frozen=True):
    """Some neighbouring lines of a file of JSON lines.

    Attributes:
        start: Offset of the first byte.
        end: Offset behind the last byte.
        index: Place of the first value among the file's values, from 0.
        line: Line of the first byte, from 1.
    """

    start: int
    end: int
    index: int
    line: int


class RunCopy(msgspec.Struct, frozen=True, kw_only=True):
    """One place where a run was found.

    Attributes:
        file: Its file.
        shape: How the file holds it.
        entry: Place of the one value that is the run; null for the run that all of a file's values make together which
            are no runs of their own.
        line: Line of that value, in a file of JSON lines.
        start: Offset of its first byte; null in an array.
        end: Offset behind its last byte; null in an array.
        digest: SHA-256 of its bytes, or of the file's where it has none of its own.
        experiment_id: As recorded; null where it is no text, or blank.
        experiment_name: As recorded; null where it is no text.
        re_evaluated_from: `metadata.reEvaluatedFrom`; null where it is no text.
        experiment_type: `metadata.experimentType`; likewise.
        session: `metadata.session`; likewise.
        variant: `metadata.variant`; likewise.
        timestamp: As recorded; null where it is no instant.
        item_count: Elements of `items` that are objects.
        interpretation_count: Those of them with a stored interpretation.
        parts: Of the run that a long file of JSON lines makes, the parts in which it is read; of any other none.
    """

    file: FoundFile
    shape: Shape
    entry: int | None
    line: int | None = None
    start: int | None = None
    end: int | None = None
    digest: str
    experiment_id: str | None = None
    experiment_name: str | None = None
    re_evaluated_from: str | None = None
    experiment_type: str | None = None
    session: str | None = None
    variant: str | None = None
    timestamp: datetime | None = None
    item_count: int = 0
    interpretation_count: int = 0
    parts: tuple[Part, ...] = ()


class ResultPeek(msgspec.Struct, frozen=True, kw_only=True):
    """What is told of a result without decoding it; attributes as those of `RunCopy`."""

    experiment_id: str | None
    experiment_name: str | None
    re_evaluated_from: str | None
    experiment_type: str | None
    session: str | None
    variant: str | None
    timestamp: datetime | None
    item_count: int
    interpretation_count: int


class _MetadataKeys(msgspec.Struct, rename="camel"):
    """What is read of a run's `metadata` in the first pass."""

    re_evaluated_from: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    experiment_type: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    session: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    variant: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


PART_BYTES: Final = 4 * 2**20
"""How much of a file of JSON lines is read at a time, so that memory doesn't grow with the file."""

_metadata_keys: Final = msgspec.json.Decoder(_MetadataKeys)


def survey(file: FoundFile, data: bytes, digest: str) -> list[RunCopy] | Problem:
    """The runs that a file holds, or why it holds none; `digest` is that of the whole file.

    A file of JSON lines, or with an array at its root, holds one run for each result among its values, and one more for
    all its items, verdicts and interpretations together.
    """
    try:
        shape, known = shape_and_members(data, file.suffix)
    except UndecodableError as error:
        return syntax_problem(file.path, error, offset=start_of(data))
    copies: list[RunCopy] = []
    strangers: Counter[Kind] = Counter()
    first_keys: dict[Kind, Mapping[str, Any]] = {}
    bad: list[Problem] = []
    starts: list[Entry] = []
    loose = False
    for entry in entries_of(data, shape):
        if _begins_part(entry, starts):
            starts.append(entry)
        if loose and shape is Shape.LINES and b'"items"' not in entry.data:
            continue  # no run of its own, and the second pass looks at it closely
        try:
            kind, members, peek = look_at(entry.data, known)
        except UndecodableError as error:
            bad.append(syntax_problem(file.path, error, line=entry.line, offset=entry.start))
            continue
        if peek is not None:
            own = digest if shape is Shape.DOCUMENT else hashlib.sha256(entry.data).hexdigest()
            copies.append(_copy_of_result(file, shape, entry, peek, digest=own))
        elif kind in READABLE:
            loose = True
        else:
            strangers[kind] += 1
            first_keys.setdefault(kind, members)
    if loose or (copies and (strangers or bad)):
        is_read_whole = file.packed is not None and file.packed.is_gzip
        parts = () if is_read_whole else _parts(starts, len(data))
        copies.append(RunCopy(file=file, shape=shape, entry=None, digest=digest, parts=parts))
    return copies or _nothing_readable(file, strangers, first_keys, bad)


def look_at(
    data: Buffer, members: Mapping[str, Any] | None = None
) -> tuple[Kind, Mapping[str, Any], ResultPeek | None]:
    """The kind of a value, its members (none where it is no object), and for a result what it is called.

    Args:
        data: Its bytes.
        members: Its members, where they are known.

    Raises:
        UndecodableError: If that can't be decoded; the rest of the bytes may still turn out to be no JSON.
    """
    members = members_of(data) if members is None else members
    if members is None:
        return Kind.NO_OBJECT, {}, None
    try:
        kind = classify(members)
        return kind, members, _peek_result(members) if kind is Kind.RESULT else None
    except UndecodableError:
        decode_whole(data)  # raises the same, with the place in all of the data
        raise


def entries_of_part(data: bytes, part: Part) -> Iterator[Entry]:
    """The values of a part of a file of JSON lines, with their places in the whole file."""
    for entry in entries_of(data, Shape.LINES):
        line, start = (entry.line or 1) + part.line - 1, (entry.start or 0) + part.start
        yield Entry(entry.index + part.index, entry.data, line=line, start=start)


def _begins_part(entry: Entry, starts: list[Entry]) -> bool:
    if entry.line is None or entry.start is None or entry.data.startswith(UTF8_MARK):
        return False  # within a file a mark is no mark, and at the beginning of a part it would be taken for one
    return entry.start >= (starts[-1].start or 0) + PART_BYTES if starts else entry.start >= PART_BYTES


def _parts(starts: list[Entry], size: int) -> tuple[Part, ...]:
    if not starts:
        return ()
    begins = [(0, 0, 1), *((entry.start or 0, entry.index, entry.line or 1) for entry in starts)]
    ends = [*(begin[0] for begin in begins[1:]), size]
    return tuple(Part(start, end, index, line) for (start, index, line), end in zip(begins, ends, strict=True))


def _peek_result(members: Mapping[str, Any]) -> ResultPeek:
    items = peek_items(members["items"])
    experiment_id = _text(members.get("experimentId"))
    timestamp = _text(members.get("timestamp"))
    return ResultPeek(
        experiment_id=experiment_id if experiment_id and experiment_id.strip() else None,
        experiment_name=_text(members.get("experimentName")),
        timestamp=None if timestamp is None else parse_instant(timestamp),
        item_count=items.count,
        interpretation_count=items.interpretations,
        **_peek_metadata(members.get("metadata")),
    )


def _peek_metadata(metadata: object) -> dict[str, str | None]:
    """The texts under the keys of `_MetadataKeys`, by the names of its fields."""
    if isinstance(metadata, msgspec.Raw) and sort_of(metadata) == "object":
        found = decode(metadata, _metadata_keys.decode, lambda value: value)
        metadata = msgspec.structs.asdict(found) if isinstance(found, _MetadataKeys) else _by_field(found)
    elif isinstance(metadata, dict):
        metadata = _by_field(metadata)
    known = metadata if isinstance(metadata, dict) else {}
    return {name: _text(known.get(name)) for name in _MetadataKeys.__struct_fields__}


def _by_field(metadata: Mapping[str, Any]) -> dict[str, Any]:
    fields = zip(_MetadataKeys.__struct_fields__, _MetadataKeys.__struct_encode_fields__, strict=True)
    return {name: metadata.get(key) for name, key in fields}


def _copy_of_result(file: FoundFile, shape: Shape, entry: Entry, peek: ResultPeek, *, digest: str) -> RunCopy:
    return RunCopy(
        file=file,
        shape=shape,
        entry=entry.index,
        line=entry.line,
        start=entry.start,
        end=None if entry.start is None else entry.start + len(entry.data),
        digest=digest,
        **msgspec.structs.asdict(peek),
    )


def _nothing_readable(
    file: FoundFile, strangers: Counter[Kind], first_keys: Mapping[Kind, Mapping[str, Any]], bad: list[Problem]
) -> Problem:
    if strangers:
        kind, count = strangers.most_common(1)[0]
        message = describe_foreign(kind, first_keys[kind], count=count)
        others = strangers.total() - count
        also = [f"{others} of another sort"] if others else []
        also += [f"{len(bad)} that are no JSON"] if bad else []
        message += f" (beside {' and '.join(also)})" if also else ""
        return Problem(path=file.path, kind=ProblemKind.FOREIGN, message=message)
    if not bad:
        return Problem(path=file.path, kind=ProblemKind.FOREIGN, message="an empty list: it holds no verdict")
    first = bad[0]
    if len(bad) > 1:
        first.message += f" (none of the {len(bad)} lines could be decoded)"
    return first


def _text(value: object) -> str | None:
    if isinstance(value, msgspec.Raw):
        value = decode(value, msgspec.json.decode, lambda decoded: decoded) if sort_of(value) == "string" else None
    return value if isinstance(value, str) else None
