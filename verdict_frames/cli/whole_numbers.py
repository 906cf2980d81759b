"""Options that are whole numbers: what is none is refused, and never rounded to one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cyclopts import Token


def whole_number(_type: object, tokens: Sequence[Token]) -> int:
    """Read a whole number, such as 40 or 1e9.

    Raises:
        ValueError: It is none.
    """
    text = tokens[0].value
    try:
        number: float = int(text)
    except ValueError:
        number = float(text)
    if number not in (float("inf"), float("-inf")) and number == int(number):
        return int(number)
    message = f"{text} is no whole number"
    raise ValueError(message)


WholeNumber = Annotated[int, Parameter(converter=whole_number)]
"""The type of an option that is a whole number."""
