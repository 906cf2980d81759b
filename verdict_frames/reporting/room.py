"""How many details a report has room for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from verdict_frames.reporting.value import Detail

DETAILED: Final = 2_000
"""Up to how many things all have a detail; beyond that only those that matter have one."""
CHARACTERS: Final = 30_000_000
"""About how many characters the details of a report may have in all; packed, they take a third of that or less."""


def all_are_detailed(things: int) -> bool:
    """Say whether all of so many things have a detail, room permitting."""
    return things <= DETAILED


def that_fit(details: Iterable[tuple[int, Detail]]) -> tuple[tuple[int, Detail], ...]:
    """Take details as long as there is room, at least one, and put them in the order of their ordinals.

    Args:
        details: Ordinals with their details, the most important first; no more are made than fit.
    """
    chosen: list[tuple[int, Detail]] = []
    written = 0
    for ordinal, detail in details:
        written += size(detail)
        if written > CHARACTERS and chosen:
            break
        chosen.append((ordinal, detail))
    return tuple(sorted(chosen, key=lambda pair: pair[0]))


def size(detail: Detail) -> int:
    """Return about how many characters a detail takes."""
    own = len(detail.title) + len(detail.text) + sum(len(name) + len(value) + 8 for name, value in detail.facts) + 16
    return own + sum(map(size, detail.parts))
