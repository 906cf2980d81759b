"""What single members of a live verdict may hold; anything else is refused with a `VerdictError`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from verdict_frames.errors import VerdictError

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

T = TypeVar("T")

_COUNT_MAX = 2**31 - 1
_LEVELS = 100


def refuse(message: str) -> NoReturn:
    """Raise a `VerdictError`."""
    raise VerdictError(message)


def token(value: object, known: AbstractSet[str], what: str) -> str:
    """A token of a closed set, as a plain text."""
    if not isinstance(value, str) or value not in known:
        refuse(f"{what} is {_shown(value)}; it must be one of {', '.join(sorted(known))}")
    return str.__str__(value)


def text(value: object, what: str) -> str:
    """A text that can be written as UTF-8."""
    if not isinstance(value, str):
        refuse(f"{what} is {_shown(value)}; it must be a text")
    try:
        value.encode()
    except UnicodeEncodeError:
        refuse(f"{what} holds an unpaired surrogate, which can't be written as UTF-8: {_shown(value)}")
    return str.__str__(value)


def number(value: object, what: str) -> float:
    """A finite number, as a double."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        refuse(f"{what} is {_shown(value)}; it must be a number")
    try:
        double = float(value)
    except OverflowError:
        double = math.inf
    if not math.isfinite(double):
        refuse(f"{what} is {_shown(value)}; it must be finite")
    return double


def count(value: object, what: str) -> int:
    """A whole number from 0 to 2147483647 (R63)."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= _COUNT_MAX:
        refuse(f"{what} is {_shown(value)}; it must be a whole number from 0 to {_COUNT_MAX}")
    return int(value)


def instance(value: object, kind: type[T], what: str) -> T:
    """A value of that class."""
    if not isinstance(value, kind):
        article = "an" if kind.__name__[0] in "AI" else "a"
        refuse(f"{what} is {_shown(value)}; it must be {article} {kind.__name__}")
    return value


def instances(values: object, kind: type[T], what: str) -> tuple[T, ...]:
    """Values of that class, as a tuple."""
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        refuse(f"{what} is {_shown(values)}; it must be a sequence of {kind.__name__}")
    return tuple(instance(value, kind, f"{what}[{index}]") for index, value in enumerate(values))


def mapping(value: object, what: str) -> Mapping[Any, Any]:
    """A mapping."""
    if not isinstance(value, Mapping):
        refuse(f"{what} is {_shown(value)}; it must be a mapping")
    return value


def json_object(value: object, what: str) -> dict[str, Any]:
    """A copy of a mapping that JSON can hold: dicts, lists and scalars that are the caller's no more."""
    return {
        text(key, f"a key of {what}"): json_value(each, f"{what}.{key}") for key, each in mapping(value, what).items()
    }


def json_value(value: object, what: str, levels: int = _LEVELS) -> object:
    """A copy of a value that JSON can hold."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return text(value, what)
    if isinstance(value, float):
        return number(value, what)
    if isinstance(value, int):
        _shown(value)
        return int(value)
    if isinstance(value, Mapping | list | tuple):
        if levels == 0:
            refuse(f"{what} is nested more than {_LEVELS} levels deep, or contains itself")
        if isinstance(value, Mapping):
            return {
                text(key, f"a key of {what}"): json_value(each, f"{what}.{key}", levels - 1)
                for key, each in value.items()
            }
        return [json_value(each, f"{what}[{index}]", levels - 1) for index, each in enumerate(value)]
    refuse(f"{what} is {_shown(value)}, which JSON can't hold; turn it into text, numbers, lists or dicts")


def _shown(value: object) -> str:
    try:
        shown = " ".join(ascii(value).split())
    except ValueError:
        refuse("an integer has more digits than Python writes; make a text of it")
    return shown if len(shown) <= 60 else shown[:57] + "..."
