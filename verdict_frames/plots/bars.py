"""Bars of parts that sum to a whole, one bar a row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

from verdict_frames.plots.canvas import inches_wide
from verdict_frames.plots.palette import Look, ink_on

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes

Part = TypeVar("Part", bound=str)

_DIGIT_INCHES: Final = 0.09
_SPARE_INCHES: Final = 0.1
_LEFT_BY_LABELS: Final = 0.65
"""How much of the axes' width remains for sure when the layout has made room for the labels."""


def draw_bars(
    ax: Axes, rows: Sequence[Mapping[str, Any]], looks: Mapping[Part, Look], *, most: float, shares: bool = False
) -> None:
    """Draw the parts of each row one after the other, from the left.

    A part carries its number where there is room. Parts that no row has aren't drawn, so the legend has what occurs.

    Args:
        ax: Axes laid out by `draw_group_axis`.
        rows: Counts by the names of `looks`, 0 or more; the row of each is at 0, 1, 2 … from the top.
        looks: The parts, in the order in which they are drawn.
        most: The greatest length that a bar can have, in units of the axis.
        shares: Draw each part as its percentage of the row's parts, its number being the count all the same.
    """
    inches = inches_wide(ax) * _LEFT_BY_LABELS
    wholes = [sum(row[name] for name in looks) if shares else None for row in rows]
    ends = [0.0] * len(rows)
    for name, look in looks.items():
        parts = [(y, row[name], _length(row[name], wholes[y])) for y, row in enumerate(rows) if row[name]]
        if not parts:
            continue
        places, _, lengths = zip(*parts, strict=True)
        ax.barh(
            places,
            lengths,
            left=[ends[y] for y in places],
            height=0.72,
            label=look.label,
            color=look.colour,
            hatch=look.hatch,
            edgecolor=ink_on(look.colour),
            linewidth=0.5,
        )
        for y, count, length in parts:
            if inches * length / most > _DIGIT_INCHES * len(f"{count:,}") + _SPARE_INCHES:
                _write(ax, ends[y] + length / 2, y, f"{count:,}", look)
            ends[y] += length


def _length(count: float, whole: float | None) -> float:
    return count if whole is None else 100 * count / whole


def _write(ax: Axes, x: float, y: int, text: str, look: Look) -> None:
    ground = {"facecolor": look.colour, "edgecolor": "none", "pad": 1.5}
    ax.text(x, y, text, ha="center", va="center", fontsize="small", color=ink_on(look.colour), bbox=ground)
