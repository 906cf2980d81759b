"""What items took against how often they passed, one point a group."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from matplotlib.ticker import StrMethodFormatter

from verdict_frames.plots.canvas import as_axes, require_columns_of
from verdict_frames.plots.groups import group_rows, short_label
from verdict_frames.plots.palette import BUCKET_LOOKS, FAINT, INK
from verdict_frames.policies import ColumnKind
from verdict_frames.statistics.costs import COST_SCHEMA, Measure
from verdict_frames.vocabulary import Bucket

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl
    from matplotlib.axes import Axes

_COLUMNS: Final = {
    "measure": ColumnKind.TEXT,
    "measured": ColumnKind.COUNT,
    "mean": ColumnKind.SHARE,
    "mean_low": ColumnKind.SHARE,
    "mean_high": ColumnKind.SHARE,
}
_UNITS: Final = {
    Measure.COST_USD: "cost, US dollars an item",
    Measure.TOTAL_TOKENS: "tokens an item",
    Measure.DURATION_MS: "duration, milliseconds an item",
}
_MOST_NAMED: Final = 8
"""Up to how many points bear their names; more are numbered, and the names listed beside."""
_NAMES_A_COLUMN: Final = 30
_COLUMN_WIDTH: Final = 0.36
"""Of the width of the axes."""
_LOOK: Final = BUCKET_LOOKS[Bucket.PASSES]


def plot_cost(costs: pl.DataFrame, *, ax: Axes | None = None, order: Sequence[str] | None = None) -> Axes:
    """Draw the mean that items took against the pass rate, with both intervals.

    Rates run from 0 to 100 %, means from 0 or the least of them. A group without a rate or without a mean has no point;
    the axis says how many those are. Means are of all counted items that record the measure, rates of the eligible
    ones.

    Args:
        costs: What `cost_table` returns.
        ax: Axes to draw on; with none, a new figure, made without pyplot.
        order: Labels of the groups that come first where points are numbered; the others follow as they stand.

    Returns:
        The axes.

    Raises:
        ArgumentError: The first argument isn't a frame, `ax` isn't axes, or the order isn't a list.
        ColumnError: A column of a cost table is missing or holds what none does.
        OptionError: The order names a group that the frame doesn't have, or one twice.
    """
    require_columns_of(costs, _COLUMNS, made_by="cost_table")
    groups = group_rows(costs, order, beside=COST_SCHEMA)
    ax = as_axes(ax, width=7.5, height=5)
    shown = [
        (label, row)
        for label, row in zip(groups.labels, groups.rows, strict=True)
        if row["pass_rate"] is not None and row["mean"] is not None
    ]
    for place, (label, row) in enumerate(shown):
        named = len(shown) <= _MOST_NAMED
        _draw(ax, row, short_label(label) if named else str(place + 1))
    if len(shown) > _MOST_NAMED:
        _list_names(ax, [label for label, _ in shown])
    ax.set_ylim(0, 100)
    ax.set_xlim(left=min([0, *(row[end] for _, row in shown for end in ("mean", "mean_low") if row[end] is not None)]))
    ax.xaxis.set_major_formatter(StrMethodFormatter("{x:,g}"))
    without = len(groups.rows) - len(shown)
    missing = f"\n{without} of {len(groups.rows)} groups without a rate or a mean" if without else ""
    measures = " and ".join(_UNITS.get(measure, measure) for measure in groups.distinct("measure"))
    ax.set_xlabel(f"{measures}{missing}", parse_math=False)
    ax.set_ylabel(f"pass rate, % of the eligible items\n{groups.policy_note()}", parse_math=False)
    if not shown:
        ax.text(
            0.5,
            0.5,
            "no group has both a rate and a mean",
            transform=ax.transAxes,
            ha="center",
            va="center",
            color=FAINT,
        )
    return ax


def _draw(ax: Axes, row: dict[str, Any], name: str) -> None:
    """Draw one point with what intervals it has, and write its name above it."""
    x, y = row["mean"], 100 * row["pass_rate"]
    if row["mean_low"] is not None:
        ax.hlines(y, row["mean_low"], row["mean_high"], color=FAINT, linewidth=1.2, zorder=2)
    if row["ci_low"] is not None:
        ax.vlines(x, 100 * row["ci_low"], 100 * row["ci_high"], color=FAINT, linewidth=1.2, zorder=2)
    ax.plot(
        x,
        y,
        marker=_LOOK.marker,
        markersize=7,
        color=_LOOK.colour,
        linestyle="none",
        clip_on=False,
        zorder=3,
        label=name,
    )
    ax.annotate(
        name, (x, y), xytext=(5, 5), textcoords="offset points", fontsize="small", color=INK, parse_math=False, zorder=4
    )


def _list_names(ax: Axes, labels: list[str]) -> None:
    """List the numbered names at the right, outside of the axes."""
    for start in range(0, len(labels), _NAMES_A_COLUMN):
        part = labels[start : start + _NAMES_A_COLUMN]
        lines = [f"{start + place + 1}  {short_label(label)}" for place, label in enumerate(part)]
        ax.text(
            1.02 + start / _NAMES_A_COLUMN * _COLUMN_WIDTH,
            1,
            "\n".join(lines),
            transform=ax.transAxes,
            va="top",
            fontsize="x-small",
            color=INK,
            parse_math=False,
        )
