"""First pass over one file: what it holds, told by a cheap look that decodes next to nothing."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from enum import StrEnum
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Final

import msgspec

from verdict_frames.sources.decoding import UTF8_MARK, UndecodableError, decode, to_json
from verdict_frames.sources.kinds import READABLE, Kind, classify, describe_foreign, members_of, peek_items, sort_of
from verdict_frames.sources.listing import LINE_SUFFIXES, FoundFile
from verdict_frames.sources.recorded import Problem
from verdict_frames.vocabulary import ProblemKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from verdict_frames.sources.decoding import Buffer


class Shape(StrEnum):
    """How a file holds its values."""

    DOCUMENT = "document"
    ARRAY = "array"
    LINES = "lines"


class Entry(msgspec.Struct, frozen=True):
    """One value of a file.

    Attributes:
        index: Its place among the file's values, from 0; blank lines are none.
        data: Its bytes.
        line: Its line, from 1, in a file of JSON lines.
        start: Offset of its first byte, for a document or a line; null in an array.
    """

    index: int
    data: bytes
    line: int | None = None
    start: int | None = None


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
        item_count: Elements of `items`.
        interpretation_count: Those of them with a stored interpretation.
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
    item_count: int = 0
    interpretation_count: int = 0


_LINE: Final = re.compile(rb"\s*(\S[^\n]*)")
_elements: Final = msgspec.json.Decoder(list[msgspec.Raw])


def survey(file: FoundFile, data: bytes, digest: str) -> list[RunCopy] | Problem:
    """The runs that a file holds, or why it holds none; `digest` is that of the whole file.

    A file of JSON lines, or with an array at its root, holds one run for each result among its values, and one more for
    all its items, verdicts and interpretations together.
    """
    try:
        shape = shape_of(data, PurePosixPath(file.path).suffix.lower())
    except UndecodableError as error:
        return syntax_problem(file.path, error, offset=_start(data))
    copies: list[RunCopy] = []
    strangers: Counter[Kind] = Counter()
    first_keys: dict[Kind, Mapping[str, Any]] = {}
    bad: list[Problem] = []
    loose = False
    for entry in entries_of(data, shape):
        if loose and shape is Shape.LINES and b'"items"' not in entry.data:
            continue  # no run of its own, and the second pass looks at it closely
        try:
            members = members_of(entry.data)
            kind = Kind.NO_OBJECT if members is None else classify(members)
        except UndecodableError as error:
            bad.append(syntax_problem(file.path, error, line=entry.line, offset=entry.start))
            continue
        if members is not None and kind is Kind.RESULT:
            own = digest if shape is Shape.DOCUMENT else hashlib.sha256(entry.data).hexdigest()
            copies.append(_copy_of_result(file, shape, entry, members, digest=own))
        elif kind in READABLE:
            loose = True
        else:
            strangers[kind] += 1
            first_keys.setdefault(kind, members or {})
    if loose or (copies and (strangers or bad)):
        copies.append(RunCopy(file=file, shape=shape, entry=None, digest=digest))
    return copies or _nothing_readable(file, strangers, first_keys, bad)


def shape_of(data: bytes, suffix: str) -> Shape:
    """How the bytes of a file hold their values; content goes before the suffix where the two disagree.

    Raises:
        UndecodableError: If they hold none that can be decoded.
    """
    body = data[_start(data) :]
    line = _LINE.match(body)
    first, has_more = (line[1], _LINE.match(body, line.end()) is not None) if line else (b"", False)
    lined = suffix in LINE_SUFFIXES
    if lined and _is_json(first):
        return Shape.LINES
    try:
        is_object = members_of(body) is not None
    except UndecodableError as error:
        if first and (lined or (has_more and error.kind is ProblemKind.SYNTAX and _is_json(first))):
            return Shape.LINES
        raise
    return Shape.ARRAY if not is_object and body.lstrip()[:1] == b"[" else Shape.DOCUMENT


def entries_of(data: bytes, shape: Shape) -> Iterator[Entry]:
    """The values of a file in their order, undecoded."""
    start = _start(data)
    if shape is Shape.DOCUMENT:
        yield Entry(0, data[start:], start=start)
    elif shape is Shape.ARRAY:
        for index, element in enumerate(decode(data[start:], _split, lambda value: list(map(_encode, value)))):
            yield Entry(index, element)
    else:
        index, line = 0, 1
        while start < len(data):
            end = data.find(b"\n", start)
            end = len(data) if end < 0 else end
            text = data[start:end]
            if text.strip():
                yield Entry(index, text, line=line, start=start)
                index += 1
            start, line = end + 1, line + 1


def syntax_problem(
    path: str,
    error: UndecodableError,
    *,
    line: int | None = None,
    offset: int | None = None,
    run_id: str | None = None,
    item: int | None = None,
) -> Problem:
    """The row for bytes that can't be decoded; `line` and `offset` are where in the file they begin."""
    line = error.line if line is None else line
    byte = None if error.byte is None or offset is None else error.byte + offset
    places = [f"{name} {place}" for name, place in (("line", line), ("byte", byte)) if place is not None]
    message = f"{', '.join(places)}: {error.reason}" if places else error.reason
    return Problem(path=path, kind=error.kind, run_id=run_id, item_index=item, line=line, byte=byte, message=message)


def _copy_of_result(file: FoundFile, shape: Shape, entry: Entry, members: Mapping[str, Any], *, digest: str) -> RunCopy:
    peek = peek_items(members["items"])
    experiment_id = _text(members.get("experimentId"))
    return RunCopy(
        file=file,
        shape=shape,
        entry=entry.index,
        line=entry.line,
        start=entry.start,
        end=None if entry.start is None else entry.start + len(entry.data),
        digest=digest,
        experiment_id=experiment_id if experiment_id and experiment_id.strip() else None,
        experiment_name=_text(members.get("experimentName")),
        item_count=peek.count,
        interpretation_count=peek.interpretations,
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


def _split(array: Buffer) -> list[bytes]:
    return list(map(bytes, _elements.decode(array)))


def _encode(element: object) -> bytes:
    return to_json(element).encode()


def _text(value: object) -> str | None:
    if isinstance(value, msgspec.Raw):
        value = decode(value, msgspec.json.decode, lambda decoded: decoded) if sort_of(value) == "string" else None
    return value if isinstance(value, str) else None


def _is_json(data: bytes) -> bool:
    try:
        members_of(data)
    except UndecodableError:
        return False
    return True


def _start(data: bytes) -> int:
    return len(UTF8_MARK) if data.startswith(UTF8_MARK) else 0
