"""The pass rate of each group, with its interval, its n, and the rate as it was recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from verdict_frames.plots.groups import GroupRows, draw_group_axis, group_rows, write_beside
from verdict_frames.plots.marks import draw_dots, draw_legend, draw_spans
from verdict_frames.plots.palette import FAINT
from verdict_frames.statistics.vocabulary import IntervalOver

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl
    from matplotlib.axes import Axes


def plot_pass_rates(tally_frame: pl.DataFrame, *, ax: Axes | None = None, order: Sequence[str] | None = None) -> Axes:
    """Draw the pass rate of each group as a dot with its interval.

    Rates run from 0 to 100 %. At the right stands n, the number of eligible items, with the number of different ones
    where some were tried several times, and where there is no interval the reason. The legend says what level intervals
    have, and whether they are about other runs of the same items. A group without a rate has no dot, but the reason in
    its place. The faint mark is the share of all items that were recorded as passed, where anything was recorded. The
    axis names the policy.

    Args:
        tally_frame: What `tally` returns, or several of these one below the other.
        ax: Axes to draw on; with none, a new figure as tall as the groups need, made without pyplot. Save it through
            `ax.figure.savefig`; as the last value of a notebook's cell the axes show themselves.
        order: Labels of the groups that come first, from the top, such as "simple", or "simple · gpt" for two group
            columns; the others follow as they stand in the frame.

    Returns:
        The axes; the row of each group is at 0, 1, 2 … from the top.

    Raises:
        ArgumentError: The first argument isn't a frame, `ax` isn't axes, or the order isn't a list.
        ColumnError: A column of a tally is missing or holds what no tally does, such as a count that is null.
        OptionError: The order names a group that the frame doesn't have, or one twice.
    """
    groups = group_rows(tally_frame, order)
    ax = draw_group_axis(groups, ax)
    draw_dots(ax, groups, "pass_rate", label="pass rate")
    draw_spans(ax, groups, "ci_low", "ci_high", label=_interval_label(groups))
    _draw_recorded(ax, groups)
    for y, row in enumerate(groups.rows):
        _write(ax, y, row)
    ax.set_xlim(0, 100)
    ax.set_xlabel(f"pass rate, % of the n eligible items\n{groups.policy_note()}", parse_math=False)
    draw_legend(ax)
    return ax


def _interval_label(groups: GroupRows) -> str:
    about = groups.distinct("over")
    over = "" if about == [IntervalOver.ITEMS] else f" over {' or '.join(about)}"
    return f"{{level}} % interval{over}"


def _draw_recorded(ax: Axes, groups: GroupRows) -> None:
    recorded = [(100 * row["naive_rate"], y) for y, row in groups.with_value("naive_rate")]
    if recorded:
        ax.plot(
            *zip(*recorded, strict=True),
            linestyle="none",
            marker="|",
            markersize=13,
            markeredgewidth=2,
            color=FAINT,
            clip_on=False,
            zorder=2,
            label="recorded as passed, % of all items",
        )


def _write(ax: Axes, y: int, row: dict[str, Any]) -> None:
    """Write n beside a row, with the number of items or the reason why it has no interval.

    The reason why it has no rate is written into it.
    """
    beside = f"n = {row['eligible']:,}"
    if row["pass_rate"] is not None and row["ci_low"] is None:
        beside += f", {row['ci_method']}"
    elif row["clusters"] is not None and row["clusters"] < row["eligible"]:
        beside += f", {row['clusters']:,} item{'' if row['clusters'] == 1 else 's'}"
    write_beside(ax, y, beside)
    if row["pass_rate"] is None:
        left = (row["naive_rate"] or 0) >= 0.5
        ax.text(
            2 if left else 98,
            y,
            row["rate_note"],
            ha="left" if left else "right",
            va="center",
            fontsize="small",
            style="italic",
            color=FAINT,
        )
