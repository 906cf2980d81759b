"""Dots, whiskers and legends, drawn alike in every picture with one row a group."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from verdict_frames.plots.palette import BUCKET_LOOKS
from verdict_frames.vocabulary import Bucket

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from verdict_frames.plots.groups import GroupRows

_LOOK: Final = BUCKET_LOOKS[Bucket.PASSES]


def draw_dots(ax: Axes, groups: GroupRows, column: str, *, label: str) -> None:
    """Draw a share of each group as a dot, in percent; nothing where it is null.

    Args:
        ax: Axes laid out by `draw_group_axis`.
        groups: The rows.
        column: The share, from 0 to 1.
        label: For the legend.
    """
    dots = [(100 * row[column], y) for y, row in groups.with_value(column)]
    draw_marks(ax, dots, label=label, marker=_LOOK.marker, colour=_LOOK.colour)


def draw_marks(
    ax: Axes, points: Sequence[tuple[float, float]], *, label: str, marker: str, colour: str, hollow: bool = False
) -> None:
    """Draw marks of one look.

    Args:
        ax: Axes to draw on.
        points: Where they stand; with none, nothing is drawn.
        label: For the legend.
        marker: A matplotlib marker.
        colour: As `#rrggbb`.
        hollow: Whether the marks are outlines.
    """
    if points:
        ax.plot(
            *zip(*points, strict=True),
            linestyle="none",
            marker=marker,
            markersize=6 if hollow else 7,
            fillstyle="none" if hollow else "full",
            color=colour,
            clip_on=False,
            zorder=4,
            label=label,
        )


def draw_spans(
    ax: Axes,
    groups: GroupRows,
    low: str,
    high: str,
    *,
    label: str,
    colour: str = _LOOK.colour,
    width: float = 2,
    beneath: float = 0,
) -> None:
    """Draw an interval of each group as a line, in percent; nothing where it is null.

    Args:
        ax: Axes laid out by `draw_group_axis`.
        groups: The rows.
        low: Column of the lower end, from 0 to 1.
        high: Column of the upper end.
        label: For the legend; `{level}` in it becomes the confidence level, or the levels, in percent.
        colour: As `#rrggbb`.
        width: In points.
        beneath: How far below the middle of its row the line is drawn, in rows.
    """
    spans = [(y + beneath, 100 * row[low], 100 * row[high]) for y, row in groups.with_value(low)]
    if spans:
        levels = " or ".join(f"{100 * level:g}" for level in groups.distinct("confidence_level"))
        places, lows, highs = zip(*spans, strict=True)
        ax.hlines(places, lows, highs, color=colour, linewidth=width, zorder=3, label=label.format(level=levels))


def draw_legend(ax: Axes, *, columns: int = 3) -> None:
    """Put a legend above the axes, where anything is labelled.

    Args:
        ax: Axes with everything drawn.
        columns: How many entries stand side by side.
    """
    if ax.get_legend_handles_labels()[1]:
        ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=columns, frameon=False, fontsize="small")
