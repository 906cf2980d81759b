"""What became of all items of each group: a bar of buckets that sum to the total."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.ticker import MaxNLocator

from verdict_frames.plots.bars import draw_bars
from verdict_frames.plots.groups import draw_group_axis, group_rows, write_beside
from verdict_frames.plots.marks import draw_legend
from verdict_frames.plots.palette import BUCKET_LOOKS

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl
    from matplotlib.axes import Axes


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
    draw_bars(ax, groups.rows, BUCKET_LOOKS, most=most)
    for y, row in enumerate(groups.rows):
        left_out = f", {row['left_out']:,} left out" if row["left_out"] else ""
        write_beside(ax, y, f"total {row['total']:,}{left_out}")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set_xlabel(f"items\n{groups.policy_note()}", parse_math=False)
    draw_legend(ax, columns=4)
    return ax
