"""Where the values of a JSON text stand in its bytes, for changing some of them and leaving every other byte alone.

The text must have been decoded before: what stands here looks for the ends of values and checks nothing. The time is
linear in the bytes, nothing recurs, and the inside of a value that isn't asked for is stepped over in strides.
"""

from __future__ import annotations

import json
import re
from typing import Final, NamedTuple

from verdict_frames.documents.decoding import UndecodableError
from verdict_frames.vocabulary import ProblemKind

_SPACE: Final = rb"[ \t\n\r]*+"
_STRING: Final = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_FLAT: Final = rb'[^"\[\]{}]++|' + _STRING
_KEY: Final = re.compile(_SPACE + rb"(" + _STRING + rb")" + _SPACE + rb":" + _SPACE, re.DOTALL)
_VALUE: Final = re.compile(_SPACE + rb"(?=[^ \t\n\r\]])")
_AFTER: Final = re.compile(_SPACE + rb"([,}\]])")
_SCALAR: Final = re.compile(_STRING + rb"|[^ \t\n\r,\[\]{}]++", re.DOTALL)
_STRIDE: Final = re.compile(
    rb"(?:" + _FLAT + rb"|[\[{](?:" + _FLAT + rb")*+[\]}])*+([\[\]{}])",  # over all that holds no brackets within
    re.DOTALL,
)


class Member(NamedTuple):
    """One member of an object; offsets are of the first byte, and behind the last.

    Attributes:
        key: Its key, decoded.
        after: Behind the brace or comma before it.
        key_start: Of the key's opening quote.
        key_end: Behind the key's closing quote.
        start: Of the value.
        end: Behind the value.
        elements: Those of the value, where it is an array that was asked for.
    """

    key: str
    after: int
    key_start: int
    key_end: int
    start: int
    end: int
    elements: list[Element] | None = None


class Element(NamedTuple):
    """One element of an array, or the one value of a text.

    Attributes:
        start: Of its first byte.
        end: Behind its last byte.
        members: Of an object, in their order, a key that is there twice included; none for any other value.
    """

    start: int
    end: int
    members: tuple[Member, ...] = ()

    def last(self, key: str) -> Member | None:
        """The member of that key that counts: the last one (R104)."""
        return next((member for member in reversed(self.members) if member.key == key), None)


def span_value(data: bytes, start: int, *, unfold: str | None = None) -> Element:
    """Find one value and its members, and the elements of the member `unfold` with theirs.

    Args:
        data: The text.
        start: Where the value begins, white space before it aside.
        unfold: Key of the member whose elements are wanted.

    Raises:
        UndecodableError: If the bytes are no JSON after all.
    """
    start = _match(_VALUE, data, start).end()
    if not data.startswith(b"{", start):
        return Element(start, value_end(data, start))
    members: list[Member] = []
    at = start + 1
    while (found := _KEY.match(data, at)) is not None:
        key = _text(found[1])
        elements: list[Element] | None = None
        if key == unfold and data.startswith(b"[", found.end()):
            elements, end = span_elements(data, found.end())
        else:
            end = value_end(data, found.end())
        members.append(Member(key, at, found.start(1), found.end(1), found.end(), end, elements))
        after = _match(_AFTER, data, end)
        if after[1] == b"}":
            return Element(start, after.end(), tuple(members))
        at = after.end()
    return Element(start, _match(_AFTER, data, at).end())


def span_elements(data: bytes, start: int, *, unfold: str | None = None) -> tuple[list[Element], int]:
    """Find the elements of an array, and behind which byte it ends; see `span_value`.

    Raises:
        UndecodableError: If the bytes are no JSON after all.
    """
    at = _match(_VALUE, data, start).end() + 1
    elements: list[Element] = []
    while _VALUE.match(data, at) is not None:
        elements.append(span_value(data, at, unfold=unfold))
        after = _match(_AFTER, data, elements[-1].end)
        at = after.end()
        if after[1] == b"]":
            return elements, at
    return elements, _match(_AFTER, data, at).end()


def value_end(data: bytes, start: int) -> int:
    """Offset behind the value that begins at `start`.

    Raises:
        UndecodableError: If the bytes are no JSON after all.
    """
    if data[start : start + 1] not in (b"{", b"["):
        return _match(_SCALAR, data, start).end()
    depth = 1
    for stride in _STRIDE.finditer(data, start + 1):
        depth += 1 if stride[1] in (b"{", b"[") else -1
        if depth == 0:
            return stride.end()
    raise _broken(start)


def _text(key: bytes) -> str:
    text: str = json.loads(key) if b"\\" in key else key[1:-1].decode("utf-8", "replace")
    return text


def _match(pattern: re.Pattern[bytes], data: bytes, at: int) -> re.Match[bytes]:
    found = pattern.match(data, at)
    if found is None:
        raise _broken(at)
    return found


def _broken(at: int) -> UndecodableError:
    return UndecodableError(ProblemKind.SYNTAX, "the value that begins here has no end", byte=at)
