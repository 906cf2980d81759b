"""The list that every step of one interpretation writes to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verdict_frames.records import Defect
from verdict_frames.vocabulary import DefectKind

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

_MISSING = {
    "judgment": "No judgment is recorded for this judge.",
    "verdict": "The attempt has neither a verdict nor a failure code.",
    "name": "The stage has no name that can be read.",
    "verdictKey": "The seat has no key that can be read, so its judge has no name.",
    "seats": "The record has no seats: the judges are taken from the judgments themselves.",
    "individualByName": "The judgments are not recorded by name.",
    "decision": "The record doesn't say who decided.",
    "metadata.aggregation": "There is no aggregation block to check the recorded status against.",
}
"""What a missing fact means, where more can be said than that it is missing."""


class Findings:
    """Defects in the order of their finding (R38), and whether support can still be told (R39).

    Attributes:
        defects: Never sorted, merged or freed of repetitions.
        undeterminable: Set by the rules that say so, and never cleared.
    """

    __slots__ = ("defects", "undeterminable")

    def __init__(self) -> None:
        self.defects: list[Defect] = []
        self.undeterminable = False

    def absent(self, path: str, field: str) -> None:
        """Note a fact that is missing."""
        note = _MISSING.get(field) or f"`{field}` is not recorded."
        self._add(path, field, DefectKind.ABSENT, note)

    def unparseable(self, path: str, field: str) -> None:
        """Note a fact whose recorded form can't be read."""
        self._add(path, field, DefectKind.UNPARSEABLE, f"`{field}` is recorded in a form that can't be read.")

    def unknown(self, path: str, field: str, token: str) -> None:
        """Note a token that no rule defines; it is carried as recorded."""
        note = f"`{field}` holds “{token}”, which this version doesn't define; it is carried as recorded."
        self._add(path, field, DefectKind.UNKNOWN_VOCABULARY, note)

    def inconsistent(self, path: str, field: str, note: str) -> None:
        """Note a fact that another recorded fact contradicts."""
        self._add(path, field, DefectKind.INCONSISTENT, note)

    def token(self, value: object, known: AbstractSet[str], path: str, field: str) -> str | None:
        """Read a token: null stays null with no defect, other non-text is unreadable, unknown text is kept (R72)."""
        if value is None:
            return None
        if not isinstance(value, str):
            self.unparseable(path, field)
            return None
        if value not in known:
            self.unknown(path, field, value)
        return value

    def required_token(self, value: object, known: AbstractSet[str], path: str, field: str) -> str | None:
        """Read a token that must be there."""
        if value is None:
            self.absent(path, field)
        return self.token(value, known, path, field)

    def _add(self, path: str, field: str, kind: DefectKind, note: str) -> None:
        self.defects.append(Defect(path=path, field=field, kind=kind, note=note))
