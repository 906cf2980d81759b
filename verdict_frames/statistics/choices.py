"""Options that are one of a few words."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from verdict_frames.errors import OptionError, one_line

if TYPE_CHECKING:
    from enum import StrEnum

Choice = TypeVar("Choice", bound="StrEnum")


def find_choice(choices: type[Choice], given: object, *, option: str) -> Choice:
    """Return the member that was chosen, by itself or by its word.

    Args:
        choices: What there is to choose from.
        given: What the caller chose.
        option: The name of the option, for the message.

    Raises:
        OptionError: There is no such choice.
    """
    if isinstance(given, str) and given in set(choices):
        return choices(given)
    message = f"{option}={one_line(given)}: choose one of {', '.join(choices)}"
    raise OptionError(message)
