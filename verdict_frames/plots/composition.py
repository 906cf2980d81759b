"""What became of all items of each group: a bar of buckets that sum to the total."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from matplotlib.ticker import MaxNLocator

from verdict_frames.plots.canvas import inches_wide
from verdict_frames.plots.groups import GroupRows, draw_group_axis, group_rows, write_beside
from verdict_frames.plots.palette import BUCKET_LOOKS, Look, ink_on

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl
    from matplotlib.axes import Axes

_DIGIT_INCHES: Final = 0.09
_SPARE_INCHES: Final = 0.1
_LEFT_BY_LABELS: Final = 0.65
"""How much of the axes' width remains for sure when the layout has made room for the labels."""


def plot_composition(tally_frame: pl.DataFrame, *, ax: Axes | None = None, order: Sequence[str] | None = None) -> Axes:
    """Draw the buckets of each group as one bar, in numbers of items.

    The parts of a bar sum to the group's total, which stands at the right with the number of items that were left out
    of it. A part carries its number where there is room. The legend has the buckets that occur, the axis the policy.

    Args:
        tally_frame: What `tally` returns, or several of these one below the other.
        ax: Axes to draw on; with none, a new figure as tall as the groups need, made without pyplot. Save it through
            `ax.figure.savefig`; as the last value of a notebook's cell the axes show themselves.
        order: Labels of the groups that come first, from the top, such as "simple", or "simple · gpt" for two group
            columns; the others follow as they stand in the frame.

    Returns:
        The axes; the row of each group is at 0, 1, 2 … from the top, and each bucket that occurs is one container of
        bars.

    Raises:
        ArgumentError: The first argument isn't a frame, `ax` isn't axes, or the order isn't a list.
        ColumnError: A column of a tally is missing or holds what no tally does, such as a count that is null.
        OptionError: The order names a group that the frame doesn't have, or one twice.
    """
    groups = group_rows(tally_frame, order)
    ax = draw_group_axis(groups, ax)
    most = max((row["total"] for row in groups.rows), default=0) or 1
    ax.set_xlim(0, most * 1.005)
    _draw_bars(ax, groups, most)
    for y, row in enumerate(groups.rows):
        left_out = f", {row['left_out']:,} left out" if row["left_out"] else ""
        write_beside(ax, y, f"total {row['total']:,}{left_out}")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set_xlabel(f"items\n{groups.policy_note()}", parse_math=False)
    if ax.containers:
        ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=4, frameon=False, fontsize="small")
    return ax


def _draw_bars(ax: Axes, groups: GroupRows, most: int) -> None:
    inches = inches_wide(ax) * _LEFT_BY_LABELS
    ends = [0] * len(groups.rows)
    for bucket, look in BUCKET_LOOKS.items():
        parts = [(y, row[bucket]) for y, row in enumerate(groups.rows) if row[bucket]]
        if not parts:
            continue
        places, counts = zip(*parts, strict=True)
        ax.barh(
            places,
            counts,
            left=[ends[y] for y in places],
            height=0.72,
            label=look.label,
            color=look.colour,
            hatch=look.hatch,
            edgecolor=ink_on(look.colour),
            linewidth=0.5,
        )
        for y, count in parts:
            if inches * count / most > _DIGIT_INCHES * len(f"{count:,}") + _SPARE_INCHES:
                _write(ax, ends[y] + count / 2, y, f"{count:,}", look)
            ends[y] += count


def _write(ax: Axes, x: float, y: int, text: str, look: Look) -> None:
    ground = {"facecolor": look.colour, "edgecolor": "none", "pad": 1.5}
    ax.text(x, y, text, ha="center", va="center", fontsize="small", color=ink_on(look.colour), bbox=ground)
