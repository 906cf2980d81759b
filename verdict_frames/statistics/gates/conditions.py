"""Conditions as users write them: `pass_rate>=0.8` of the agent, `not_assessed_rate=0.05` of the measurement."""

from __future__ import annotations

import math
import operator
import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from verdict_frames.errors import OptionError, one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

RATES: Final = ("pass_rate", "ci_low", "ci_high", "end_to_end_rate", "naive_rate")
"""Shares that a requirement can be about, from 0 to 1."""

COUNTS: Final = ("passes", "non_passes", "eligible", "total", "agent_failed")
"""Numbers of items that a requirement can be about."""

LIMITED: Final = (
    "not_assessed",
    "undecided",
    "unattestable",
    "instrument_failures",
    "instrument_marks",
    "judge_error_items",
    "excluded",
    "set_aside",
    "unverified",
    "agent_failed",
    "unjudged",
)
"""Counts that a limit can be about, as they are or, with `_rate` behind the name, as a share of the group's items."""

_OPERATORS: Final[Mapping[str, Callable[[float, float], bool]]] = MappingProxyType(
    {">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt, "==": operator.eq}
)
_REQUIREMENT: Final = re.compile(r"\s*(\w+)\s*(>=|<=|==|>|<)\s*(\S+)\s*")
_LIMIT: Final = re.compile(r"\s*(\w+)\s*=\s*(\S+)\s*")


@dataclass(frozen=True, kw_only=True, slots=True)
class Requirement:
    """What is asked of the agent, in every group.

    Attributes:
        name: One of `RATES` or `COUNTS`.
        sign: `>=`, `>`, `<=`, `<` or `==`.
        bound: A share from 0 to 1, or a number of items.
    """

    name: str
    sign: str
    bound: float

    @property
    def asks_for_more(self) -> bool:
        """Whether the sign is `>=` or `>`."""
        return self.sign in (">=", ">")

    def holds(self, value: float | None) -> bool:
        """Return whether a value satisfies it; null never does."""
        return value is not None and _OPERATORS[self.sign](value, self.bound)

    def __str__(self) -> str:
        return f"{self.name} {self.sign} {number_text(self.bound)}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Limit:
    """What the measurement may have of something at most, in every group.

    Attributes:
        count: One of `LIMITED`.
        is_rate: Whether the limit is a share of the group's items.
        most: The most that is allowed.
    """

    count: str
    is_rate: bool
    most: float

    @property
    def name(self) -> str:
        """What the user wrote before the `=`."""
        return f"{self.count}_rate" if self.is_rate else self.count

    def __str__(self) -> str:
        return f"{self.name} at most {number_text(self.most)}"


def parse_requirement(text: object) -> Requirement:
    """Read a requirement such as `pass_rate>=0.8`.

    Raises:
        OptionError: It isn't of that form, is about something else, or asks for what can't be.

    Example:
        >>> str(parse_requirement("ci_low >= 0.7"))
        'ci_low >= 0.7'
    """
    match = _REQUIREMENT.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        message = f"requirement {one_line(text)}: write a name, a sign and a number, such as pass_rate>=0.8"
        raise OptionError(message)
    name, sign, number = match.groups()
    if name not in RATES + COUNTS:
        message = f"requirement {one_line(text)}: there is no {name}; choose one of {', '.join(RATES + COUNTS)}"
        raise OptionError(message)
    bound = _number(number, f"requirement {one_line(text)}", is_share=name in RATES)
    if (sign == "<" and bound == 0) or (sign == ">" and bound == 1 and name in RATES):
        message = f"requirement {one_line(text)}: nothing is {'below 0' if sign == '<' else 'above 1'}"
        raise OptionError(message)
    return Requirement(name=name, sign=sign, bound=bound)


def parse_limit(text: object) -> Limit:
    """Read a limit such as `not_assessed_rate=0.05` or `unjudged=0`.

    Raises:
        OptionError: It isn't of that form, is about something else, or allows what can't be.

    Example:
        >>> str(parse_limit("not_assessed_rate=0.05"))
        'not_assessed_rate at most 0.05'
    """
    match = _LIMIT.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        message = f"limit {one_line(text)}: write a name, = and a number, such as not_assessed_rate=0.05"
        raise OptionError(message)
    return limit_of(*match.groups())


def limit_of(name: str, most: object) -> Limit:
    """Make a limit from the name of a count or rate and the most that is allowed.

    Raises:
        OptionError: It is about something else, or allows what can't be.
    """
    count = name.removesuffix("_rate")
    if count not in LIMITED:
        known = ", ".join(LIMITED)
        message = f"limit {one_line(name)}: there is no such count; choose one of {known}, or one with _rate"
        raise OptionError(message)
    is_rate = name != count
    return Limit(count=count, is_rate=is_rate, most=_number(most, f"limit {name}", is_share=is_rate))


def number_text(number: float) -> str:
    """Write a share, or a number of items with all its digits.

    Example:
        >>> number_text(0.05), number_text(1234567.0)
        ('0.05', '1234567')
    """
    return f"{number:.0f}" if number == math.floor(number) else f"{number:g}"


def _number(given: object, where: str, *, is_share: bool) -> float:
    """Return a share or a number of items that was written as text, or is a number already."""
    try:
        number = float(given) if isinstance(given, str | int | float) and not isinstance(given, bool) else math.nan
    except (ValueError, OverflowError):
        number = math.nan
    if math.isfinite(number) and 0 <= number <= (1 if is_share else math.inf):
        return number
    wanted = "a share from 0 to 1" if is_share else "a number of items, 0 or more"
    message = f"{where}: {one_line(given)} isn't {wanted}"
    raise OptionError(message)
