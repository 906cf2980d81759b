"""How messages name a found value and a place in a document."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Final

import msgspec

from verdict_frames.interpretation.values import is_number, is_object, to_double

_PLAIN: Final = re.compile(r"[\w-]+")
_LONGEST: Final = 60


class Unheld(msgspec.Struct, frozen=True):
    """Stands for a found value that a record has no room for.

    Attributes:
        words: What is known of the value, as a message says it.
    """

    words: str


def shown(value: object) -> str:
    """A found value in words: its sort, and for scalars its JSON text, shortened."""
    if isinstance(value, Unheld):
        return value.words
    if value is None:
        return "null"
    if isinstance(value, Mapping):
        stranger = next((key for key in value if not isinstance(key, str)), None)
        return "an object" if is_object(value) else f"an object with {shown(stranger)} as a key; put it in quotes"
    if isinstance(value, list | tuple):
        return "an array"
    if isinstance(value, bool | str):
        sort = "text" if isinstance(value, str) else "boolean"
        text = json.dumps(value)
        return f"the {sort} {text if len(text) <= _LONGEST else text[: _LONGEST - 3] + '…'}"
    if is_number(value):
        number = to_double(value)
        if math.isnan(number):
            return "NaN"
        return "a number beyond 40 digits" if abs(number) >= 10**40 else f"the number {value}"
    return f"a {type(value).__name__}"


def place(*parts: str | int) -> str:
    """A path such as `questions.urgency.review`; a name that a dot would break up is quoted in brackets."""
    path = ""
    for part in parts:
        if isinstance(part, int):
            path += f"[{part}]"
        elif _PLAIN.fullmatch(part):
            path += f".{part}" if path else part
        else:
            path += f"[{json.dumps(part)}]"
    return path
