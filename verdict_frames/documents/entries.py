"""The values of one file: a document, the elements of an array, or JSON lines, each still undecoded."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

import msgspec

from verdict_frames.documents.decoding import UTF8_MARK, UndecodableError, decode, to_json
from verdict_frames.documents.found import LINE_SUFFIXES
from verdict_frames.documents.members import members_of
from verdict_frames.documents.seen import Problem
from verdict_frames.vocabulary import ProblemKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from verdict_frames.documents.decoding import Buffer

_TEXT: Final = re.compile(rb"\S")
_elements: Final = msgspec.json.Decoder(list[msgspec.Raw])


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


def shape_of(data: bytes, suffix: str) -> Shape:
    """How the bytes of a file hold their values; content goes before the suffix where the two disagree.

    Raises:
        UndecodableError: If they hold none that can be decoded.
    """
    return shape_and_members(data, suffix)[0]


def shape_and_members(data: bytes, suffix: str) -> tuple[Shape, Mapping[str, Any] | None]:
    """The shape, and the members of a document that is an object, since telling the one needs the other.

    Raises:
        UndecodableError: If the bytes hold no value that can be decoded.
    """
    start = start_of(data)
    text = _TEXT.search(data, start)
    begin = len(data) if text is None else text.start()
    end = data.find(b"\n", begin)
    end = len(data) if end < 0 else end
    lined = suffix in LINE_SUFFIXES
    if lined and _is_json(data[begin:end]):
        return Shape.LINES, None
    try:
        members = members_of(data[start:])
    except UndecodableError as error:
        has_more = _TEXT.search(data, end) is not None
        may_be_lines = lined or (has_more and error.kind is ProblemKind.SYNTAX and _is_json(data[begin:end]))
        if begin < len(data) and may_be_lines:
            return Shape.LINES, None
        raise
    return Shape.ARRAY if members is None and data[begin : begin + 1] == b"[" else Shape.DOCUMENT, members


def entries_of(data: bytes, shape: Shape) -> Iterator[Entry]:
    """The values of a file in their order, undecoded."""
    start = start_of(data)
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
            if text and not text.isspace():
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


def _split(array: Buffer) -> list[bytes]:
    return list(map(bytes, _elements.decode(array)))


def _encode(element: object) -> bytes:
    return to_json(element).encode()


def _is_json(data: bytes) -> bool:
    try:
        members_of(data)
    except UndecodableError:
        return False
    return True


def start_of(data: bytes) -> int:
    """Offset of the first byte behind a UTF-8 mark."""
    return len(UTF8_MARK) if data.startswith(UTF8_MARK) else 0
