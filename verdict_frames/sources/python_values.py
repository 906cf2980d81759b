"""Values made in Python → what a file would hold in their place.

Live verdicts are stored, texts decoded, marks of missing values become null. What JSON has no room for costs one field,
like any wrong value of a file.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from verdict_frames.documents.decoding import UTF8_MARK, UndecodableError
from verdict_frames.interpretation.stored_form import to_builtins
from verdict_frames.records import Interpretation
from verdict_frames.sources.stored import decode_whole
from verdict_frames.verdicts.stored import to_stored
from verdict_frames.verdicts.verdict import Verdict

if TYPE_CHECKING:
    from verdict_frames.sources.fields import FieldReader

_READ_LOOSELY: Final = frozenset({"items", "verdict", "interpretation", "executionDetail", "invocationResult"})
_MISSING_TYPES: Final = frozenset({"NAType", "NaTType"})
PARTS: Final = ("verdict", "interpretation")
"""The keys under which a text or a live value is as good as an object."""
Text = str | bytes | bytearray | memoryview
TEXT: Final = (str, bytes, bytearray, memoryview)


def is_missing(value: object) -> bool:
    """Whether a value stands for none: `None`, and NaN and NA, with which pandas marks what is missing.

    Examples:
        >>> is_missing(float("nan")), is_missing(0), is_missing("")
        (True, False, False)
    """
    return (
        value is None
        or (isinstance(value, float) and math.isnan(value))
        or (type(value).__name__ in _MISSING_TYPES and type(value).__module__.startswith("pandas."))
    )


def as_stored(members: Mapping[str, Any], read: FieldReader, *, is_json: bool) -> dict[str, Any]:
    """The members of an item or a result as a file would hold them: live values stored, texts decoded.

    Args:
        members: Not changed.
        read: Notes what is left out.
        is_json: Whether they were decoded from JSON, so that there is nothing in them that JSON doesn't have.
    """
    stored = dict(members) if is_json else _without_what_json_lacks(members, read)
    for part in PARTS:
        if part in stored:
            stored[part] = _part(part, stored[part], read)
    return stored


def bytes_of(text: Text) -> bytes:
    """The bytes of a JSON text, whichever way it is held."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else bytes(text)
    return data.removeprefix(UTF8_MARK)


def _part(name: str, value: object, read: FieldReader) -> object:
    """A verdict or an interpretation in whatever form, as decoded JSON."""
    if is_missing(value):
        return None
    if isinstance(value, Verdict):
        return to_stored(value)
    if isinstance(value, Interpretation):
        return to_builtins(value)
    if isinstance(value, Mapping):
        return value if isinstance(value, dict) else dict(value)
    if isinstance(value, TEXT):
        try:
            return decode_whole(bytes_of(value))
        except UndecodableError as error:
            read.trouble(f"`{name}`: its text can't be decoded: {error.reason}")
            return {} if name == "verdict" else None
    return value


def _without_what_json_lacks(members: Mapping[str, Any], read: FieldReader) -> dict[str, Any]:
    """The members that JSON can hold, missing ones as null; the others are left out and noted.

    Not looked into are those that are read piece by piece anyway: items, verdicts and executions.
    """
    kept: dict[str, Any] = {}
    for name, value in members.items():
        if is_missing(value):
            kept[name] = None
        elif name in _READ_LOOSELY or (lacking := _lacking(value)) is None:
            kept[name] = value
        else:
            read.trouble(f"`{name}`: it holds {lacking}, which JSON has no room for; the field stays null")
    return kept


def _lacking(value: object) -> str | None:
    try:
        return _first_lacking(value)
    except RecursionError:
        return "itself, or values nested too deeply"


def _first_lacking(value: object) -> str | None:
    if isinstance(value, dict):
        for key, member in value.items():
            if not isinstance(key, str):
                return f"a key of the type {type(key).__name__}"
            if (lacking := _first_lacking(member)) is not None:
                return lacking
        return None
    if isinstance(value, list):
        return next(filter(None, map(_first_lacking, value)), None)
    return None if value is None or isinstance(value, str | int | float) else f"a {type(value).__name__}"
