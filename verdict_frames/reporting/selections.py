"""The items that the numbers of a page stand for, each set of items held once."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from verdict_frames.reporting.printable import printable

if TYPE_CHECKING:
    from collections.abc import Sequence


class Selections:
    """Sets of items with a label each, collected while a page is rendered."""

    def __init__(self) -> None:
        self._places: dict[tuple[str, tuple[int, ...]], int] = {}

    def link(self, items: tuple[int, ...] | None, label: Sequence[str]) -> str:
        """Return the address of a set of items in the page; empty where there is nothing to follow.

        Args:
            items: Ordinals, ascending.
            label: What the items are, in parts.
        """
        if not items:
            return ""
        key = (" · ".join(printable(part, one_line=True) for part in label), items)
        return f"#selection-{self._places.setdefault(key, len(self._places))}"

    def encoded(self) -> list[list[str]]:
        """Return label and ordinals of each set, ordinals as ranges such as `0-3,7`."""
        return [[label, ranges(items)] for label, items in self._places]


def ranges(numbers: Sequence[int]) -> str:
    """Write ascending whole numbers as ranges; none at all as an empty text.

    Example:
        >>> ranges([0, 1, 2, 3, 7, 9, 10])
        '0-3,7,9-10'
    """
    if not numbers:
        return ""
    starts = [numbers[0], *(after for before, after in pairwise(numbers) if after != before + 1)]
    ends = [*(before for before, after in pairwise(numbers) if after != before + 1), numbers[-1]]
    return ",".join(str(start) if start == end else f"{start}-{end}" for start, end in zip(starts, ends, strict=True))
