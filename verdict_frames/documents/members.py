"""A first look at one JSON value: its sort and its members, undecoded."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import msgspec

from verdict_frames.documents.decoding import decode

if TYPE_CHECKING:
    from collections.abc import Mapping

    from verdict_frames.documents.decoding import Buffer

_SORTS: Final = MappingProxyType({b"{": "object", b"[": "array", b'"': "string", b"t": "boolean", b"f": "boolean"})
_raw_members: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])
_any_raw: Final = msgspec.json.Decoder(msgspec.Raw)


def members_of(data: Buffer) -> Mapping[str, Any] | None:
    """Members of a JSON object, their values undecoded where the fast decoder manages; null for anything else.

    Raises:
        UndecodableError: If the bytes are no JSON.
    """
    return decode(data, _members, lambda value: value if isinstance(value, dict) else None)


def sort_of(value: object) -> str:
    """The sort of a JSON value, raw or decoded: object, array, string, number, boolean or null.

    What JSON doesn't have, such as a set in a record made in Python, is called by its type.
    """
    if isinstance(value, msgspec.Raw):
        first = _first_byte(value)
        return _SORTS.get(first, "null" if first == b"n" else "number")
    if isinstance(value, dict):
        return "object"
    if isinstance(value, list):
        return "array"
    if isinstance(value, str):
        return "string"
    if isinstance(value, bool):
        return "boolean"
    if value is None:
        return "null"
    return "number" if isinstance(value, int | float) else type(value).__name__


def _members(data: Buffer) -> Mapping[str, Any] | None:
    try:
        return _raw_members.decode(data)
    except msgspec.ValidationError:
        _any_raw.decode(data)
        return None


def _first_byte(raw: msgspec.Raw) -> bytes:
    return bytes(memoryview(raw)[:1])
