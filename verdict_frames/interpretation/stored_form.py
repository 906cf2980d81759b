"""The stored form of an interpretation: camelCase, in the order and with the nulls of R32–R37."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

import msgspec

from verdict_frames.errors import InterpretationFormatError
from verdict_frames.interpretation.equality import deeply_equal
from verdict_frames.records import SCHEMA_VERSION, Facts, Interpretation

if TYPE_CHECKING:
    from collections.abc import Mapping

_PROSE = frozenset({"summary", "note"})


def to_builtins(interpretation: Facts) -> dict[str, Any]:
    """Turn an interpretation into dicts, lists and scalars, exactly as it is stored.

    Args:
        interpretation: What `interpret` gave.

    Returns:
        Keys in stored order. `scoreScale` is left out of a seat where it is null; every other null is there.

    Example:
        >>> from verdict_frames.interpretation.reader import interpret
        >>> list(to_builtins(interpret({})))[:4]
        ['schemaVersion', 'sourceVersion', 'reading', 'readingSupport']
    """
    return cast("dict[str, Any]", _lists(msgspec.to_builtins(interpretation)))


def from_builtins(stored: Mapping[str, Any]) -> Interpretation:
    """Make an interpretation from its stored form.

    Keys that the form doesn't know are ignored.

    Args:
        stored: An `interpretation` as parsed from JSON.

    Returns:
        The interpretation, its summary and notes as stored.

    Raises:
        InterpretationFormatError: A member is missing, of the wrong type or out of range, which the message names; or
            the schema version is another one.
    """
    try:
        interpretation = msgspec.convert(stored, Interpretation)
    except (msgspec.ValidationError, RecursionError, UnicodeEncodeError) as error:
        message = f"not a stored interpretation of schema version {SCHEMA_VERSION}: {error}"
        raise InterpretationFormatError(message) from error
    if interpretation.schema_version != SCHEMA_VERSION:
        version = interpretation.schema_version
        message = f"a stored interpretation of schema version {version}; this version reads {SCHEMA_VERSION} only"
        raise InterpretationFormatError(message)
    return interpretation


def to_json(interpretation: Interpretation) -> bytes:
    """Encode an interpretation as compact UTF-8 JSON in the stored form.

    Example:
        >>> from verdict_frames.interpretation.reader import interpret
        >>> from_json(to_json(interpret({}))) == interpret({})
        True
    """
    try:
        return msgspec.json.encode(interpretation)
    except UnicodeEncodeError:  # unpaired surrogates (R106) can only be written as escapes
        return json.dumps(to_builtins(interpretation), separators=(",", ":")).encode("ascii")


def from_json(text: str | bytes) -> Interpretation:
    """Decode an interpretation from JSON in the stored form.

    Raises:
        InterpretationFormatError: The text is no JSON or not of the stored form.
    """
    try:
        stored = json.loads(text)
    except (TypeError, ValueError, RecursionError) as error:
        message = f"not JSON: {error}"
        raise InterpretationFormatError(message) from error
    return from_builtins(stored)


def differences(one: Facts, other: Facts) -> list[str]:
    """Name the fields in which two interpretations differ, prose aside.

    Args:
        one: For instance as stored in a file.
        other: For instance as computed here.

    Returns:
        Paths such as `reading` or `stages[1].judges[0].status`, in stored order; a list of another length is named as a
        whole. Empty when only summary and notes differ.
    """
    found: list[str] = []
    _collect_differences(to_builtins(one), to_builtins(other), "", found)
    return found


def _collect_differences(one: object, other: object, path: str, found: list[str]) -> None:
    if isinstance(one, dict) and isinstance(other, dict):
        for key in dict.fromkeys([*one, *other]):
            if key not in _PROSE:
                at = f"{path}.{key}" if path else key
                _collect_differences(one.get(key), other.get(key), at, found)
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for index, (left, right) in enumerate(zip(one, other, strict=True)):
            _collect_differences(left, right, f"{path}[{index}]", found)
    elif not deeply_equal(one, other):
        found.append(path)


def _lists(value: object) -> object:
    """Turn tuples into lists, which is what JSON has."""
    if isinstance(value, dict):
        return {key: _lists(member) for key, member in value.items()}
    return [_lists(member) for member in value] if isinstance(value, tuple | list) else value
