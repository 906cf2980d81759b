"""Cleaning of the scalar fields of one stored evaluation: a usable value, or null and a note of what was found.

Nothing is coerced; absent and null are no trouble. Two readings are wider than the type: an id may be an integer, and a
cost may be a decimal text, which is how gateways write it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import msgspec

from verdict_frames.documents.fields import INT64, Fields, finite, whole
from verdict_frames.documents.wording import shown
from verdict_frames.interpretation.values import is_object
from verdict_frames.vocabulary import ProblemKind

if TYPE_CHECKING:
    from collections.abc import Mapping

_DECIMAL: Final = re.compile(r"\d{1,40}(?:\.\d{1,40})?(?:[eE][+-]?\d{1,3})?", re.ASCII)


class EvaluationProblem(msgspec.Struct, frozen=True, kw_only=True):
    """What can't be used in a stored evaluation, or what contradicts itself there.

    Attributes:
        kind: `field` for a value that stays null, `conflict` for a contradiction.
        message: One line: where, what, and what it costs.
    """

    kind: ProblemKind
    message: str


class Cells(Fields):
    """Cleans the fields of one evaluation and collects its problems."""

    def __init__(self) -> None:
        self.problems: list[EvaluationProblem] = []

    def note(self, kind: ProblemKind, message: str) -> None:
        """Add a problem."""
        self.problems.append(EvaluationProblem(kind=kind, message=message))

    def trouble(self, message: str) -> None:
        """Add a `field` problem."""
        self.note(ProblemKind.FIELD, message)

    def label(self, name: str, value: object) -> str | None:
        """A text, or an integer as text; null for anything else."""
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**40:
            return str(value)
        if isinstance(value, str):
            return value
        self.refuse(name, value, "a text or an integer")
        return None

    def amount(self, name: str, value: object, *, expected: str = "a finite number from 0 up") -> float | None:
        """A finite number from 0 up; null for anything else."""
        number = finite(value)
        if number is not None and number >= 0:
            return number
        self.refuse(name, value, expected)
        return None

    def cost(self, name: str, value: object) -> float | None:
        """A finite number from 0 up, also written as decimal text; null for anything else."""
        written = float(value) if isinstance(value, str) and _DECIMAL.fullmatch(value) else value
        return self.amount(name, written, expected="an amount such as 0.0012 or its decimal text")

    def share(self, name: str, value: object) -> float | None:
        """A number in [0, 1]; null for anything else."""
        number = finite(value)
        if number is not None and 0 <= number <= 1:
            return number
        self.refuse(name, value, "a number in 0 to 1")
        return None

    def count(self, name: str, value: object) -> int | None:
        """An integer from 0 up, also written as 3.0; null for anything else."""
        integer = whole(value)
        if integer is not None and 0 <= integer < INT64:
            return integer
        self.refuse(name, value, "an integer from 0 up")
        return None

    def members(self, name: str, value: object) -> Mapping[str, Any] | None:
        """An object; null for anything else."""
        if is_object(value):
            return value
        self.refuse(name, value, "an object")
        return None

    def texts(self, name: str, value: object) -> list[str]:
        """The texts of a list; what is none is left out and noted."""
        if not isinstance(value, list):
            self.refuse(name, value, "a list of texts")
            return []
        for index, entry in enumerate(value):
            if not isinstance(entry, str):
                self.trouble(f"`{name}[{index}]`: expected a text, found {shown(entry)}; the entry is left out")
        return [entry for entry in value if isinstance(entry, str)]
