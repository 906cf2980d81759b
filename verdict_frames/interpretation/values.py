"""What kind of value a parsed JSON value is, and the conversions of numbers (R1–R8, R57)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final, TypeGuard

import msgspec

from verdict_frames.vocabulary import BLANKS, STATUS_SPELLINGS

UNSOUND: Final = (msgspec.ValidationError, UnicodeEncodeError)
"""What `msgspec.convert` raises where stored content isn't of the form asked for; the second, when its message can't
hold an unpaired surrogate (R106)."""

_INT32_MAX = 2**31 - 1
_INT64_MAX = 2**63 - 1

_TEXT = frozenset({str})


def is_object(value: object) -> TypeGuard[Mapping[str, Any]]:
    """Tell an object: a mapping whose keys are all strings (R2)."""
    if type(value) is dict and _TEXT.issuperset(map(type, value)):
        return True  # what a JSON parser makes, told without a Python call for each key
    return isinstance(value, Mapping) and all(isinstance(key, str) for key in value)


def is_number(value: object) -> TypeGuard[int | float]:
    """Tell a number; booleans are none (R5)."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def member(value: object, key: str) -> Any:  # noqa: ANN401 - JSON has no narrower type
    """Look a key up; null where `value` is no object or lacks the key (R1)."""
    return value.get(key) if is_object(value) else None


def to_double(number: float) -> float:
    """Convert to a double; an integer beyond its range becomes an infinity (R6)."""
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def to_int32(number: float) -> int:
    """Keep an integer's low 32 bits; truncate and clamp a real (R7)."""
    return _to_signed(number, _INT32_MAX)


def to_int64(number: float) -> int:
    """Keep an integer's low 64 bits; truncate and clamp a real (R8)."""
    return _to_signed(number, _INT64_MAX)


def _to_signed(number: float, largest: int) -> int:
    if isinstance(number, int):
        return ((number + largest + 1) & (2 * largest + 1)) - largest - 1
    if math.isnan(number):
        return 0
    if math.isinf(number):
        return largest if number > 0 else -largest - 1
    return max(-largest - 1, min(largest, math.trunc(number)))


def to_count(number: float) -> int | None:
    """Convert a whole number of at most 2147483647 in size; null for any other (R63)."""
    double = to_double(number)
    if abs(double) <= _INT32_MAX and double.is_integer():
        return int(double)
    return None


def is_blank(text: str) -> bool:
    """Tell a name that is empty or all white space (R57)."""
    return not text.strip(BLANKS)


def normal_status(text: str) -> str:
    """Normalise the accepted spellings of a status; other text stays as it is (R13)."""
    return STATUS_SPELLINGS.get(text, text)
