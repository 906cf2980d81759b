"""Cleaning of single fields: a value of the right sort, or null and a word about what was found.

Nothing is coerced: the text "0.5" is no number and 1 is no boolean. Absent and null are no problem.
"""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any, Final

from msgspec import UNSET

from verdict_frames.documents.decoding import to_json
from verdict_frames.documents.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

INT32: Final = 2**31
INT64: Final = 2**63
_INSTANT: Final = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d\d):?(\d\d)?)", re.ASCII
)


class Fields(ABC):
    """Cleans fields; where its trouble goes is for each sort of source to say."""

    @abstractmethod
    def trouble(self, message: str) -> None:
        """Note what could not be used, in one line."""

    def text(self, name: str, value: object) -> str | None:
        """A text; null for anything else."""
        if isinstance(value, str):
            return value
        self.refuse(name, value, "a text")
        return None

    def flag(self, name: str, value: object) -> bool | None:
        """A boolean; null for anything else."""
        if isinstance(value, bool):
            return value
        self.refuse(name, value, "true or false")
        return None

    def number(self, name: str, value: object) -> float | None:
        """A finite double; null for anything else."""
        number = finite(value)
        if number is None:
            self.refuse(name, value, "a finite number")
        return number

    def integer(self, name: str, value: object, *, limit: int = INT64) -> int | None:
        """An integer from -limit to below limit, also one written as 3.0; null for anything else."""
        integer = whole(value)
        if integer is not None and -limit <= integer < limit:
            return integer
        self.refuse(name, value, f"an integer below {limit}")
        return None

    def mapping(self, name: str, value: object) -> dict[str, Any]:
        """An object's members; none for anything else."""
        if isinstance(value, dict):
            return value
        self.refuse(name, value, "an object")
        return {}

    def numbers(self, name: str, value: object) -> Iterator[tuple[str, int | float]]:
        """The finite numbers of an object, as they were written; a member that is none is left out and noted."""
        for key, member in self.mapping(name, value).items():
            if finite(member) is not None:
                yield key, member
            else:
                place = f"{name}.{to_json(key)[1:-1]}"
                self.trouble(f"`{place}`: expected a finite number, found {shown(member)}; the entry is left out")

    def instant(self, name: str, value: object) -> datetime | None:
        """An ISO instant as UTC, cut to microseconds; null for anything else, also for one without a zone."""
        instant = parse_instant(value) if isinstance(value, str) else None
        if instant is None:
            self.refuse(name, value, "an instant such as 2026-09-17T10:00:00Z")
        return instant

    def refuse(self, name: str, value: object, expected: str) -> None:
        """Say that a value isn't what is expected there; null and absent need no word."""
        if value is not None and value is not UNSET:
            self.trouble(f"`{name}`: expected {expected}, found {shown(value)}; the field stays null")


def whole(value: object) -> int | None:
    """An integer, also one written as 3.0; null for booleans and for anything else."""
    integer = int(value) if isinstance(value, float) and value.is_integer() else value
    return integer if isinstance(integer, int) and not isinstance(integer, bool) else None


def finite(value: object) -> float | None:
    """A number as a finite double; null for booleans, for infinities, and for anything that is no number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def parse_instant(text: str) -> datetime | None:
    """An ISO instant with up to nine fractional digits and `Z` or an offset, as UTC cut to microseconds; else null."""
    match = _INSTANT.fullmatch(text)
    if match is None:
        return None
    *moment, fraction, sign, hours, minutes = match.groups()
    year, month, day, hour, minute, second = (int(part or 0) for part in moment)
    microsecond = int((fraction or "0").ljust(6, "0")[:6])
    offset = timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
    try:
        zone = timezone(-offset if sign == "-" else offset)
        return datetime(year, month, day, hour, minute, second, microsecond, zone).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
