"""How far a rate depends on policy, on what isn't known, and on which items were drawn: three things, told apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from verdict_frames.plots.canvas import require
from verdict_frames.plots.groups import GroupRows, draw_group_axis, in_order_of, write_beside
from verdict_frames.plots.marks import draw_legend, draw_marks
from verdict_frames.plots.palette import BUCKET_LOOKS, FAINT, INK
from verdict_frames.statistics.choices import find_choice
from verdict_frames.statistics.grouping import group_label
from verdict_frames.statistics.sensitivity import BOUNDS_SCHEMA, Bounds
from verdict_frames.statistics.vocabulary import Cause
from verdict_frames.vocabulary import Bucket

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

_LOOK: Final = BUCKET_LOOKS[Bucket.PASSES]
_RANGE: Final = "#bcd0e8"
_OTHER_MARKERS: Final = ("D", "s", "^", "v", "P", "X", "d", "<", ">")


def plot_bounds(
    bounds: Bounds, *, cause: Cause | str = Cause.ALL, ax: Axes | None = None, order: Sequence[str] | None = None
) -> Axes:
    """Draw the rate of each group with its interval, under the other policies, and from its worst to its best case.

    The broad band reaches from the worst case to the best, which more items wouldn't narrow; the thin line with caps
    carries sampling error, too, from the lower interval end of the worst case to the upper one of the best. The dot and
    the bold line are the rate and the interval of the policy, the hollow marks the rates under the others. At the right
    stands how many items could be resolved either way.

    Args:
        bounds: What `bounds` returns.
        cause: What is resolved for and against the subject; all causes together where none is named.
        ax: Axes to draw on; with none, a new figure as tall as the groups need, made without pyplot.
        order: Labels of the groups that come first, from the top; the others follow as they stand.

    Returns:
        The axes; the row of each group is at 0, 1, 2 … from the top.

    Raises:
        ArgumentError: The first argument isn't bounds, `ax` isn't axes, or the order isn't a list.
        OptionError: There is no such cause, or the order names a group that isn't there, or one twice.
    """
    require(bounds, Bounds, made_by="bounds")
    chosen = find_choice(Cause, cause, option="cause")
    columns = [name for name in bounds.causes.columns if name not in BOUNDS_SCHEMA]
    rows = bounds.causes.filter(pl.col("cause").cast(pl.String) == chosen.value).to_dicts()
    labels = [group_label(row, columns) for row in rows]
    groups = in_order_of(GroupRows(rows=rows, labels=labels, title=" · ".join(columns)), order)
    ax = draw_group_axis(groups, ax)
    _draw_ranges(ax, groups)
    _draw_policies(ax, bounds, groups, columns)
    for y, row in enumerate(groups.rows):
        write_beside(ax, y, f"{row['items']:,} unknown, n = {row['resolved_eligible']:,}")
    ax.set_xlim(0, 100)
    resolved = "whatever isn’t known" if chosen is Cause.ALL else chosen.value.replace("_", " ")
    ax.set_xlabel(f"pass rate, %; resolved either way: {resolved}", parse_math=False)
    draw_legend(ax, columns=2)
    return ax


def _draw_ranges(ax: Axes, groups: GroupRows) -> None:
    known = groups.with_value("worst_rate")
    if known:
        places = [y for y, _ in known]
        worst, best = ([100 * row[name] for _, row in known] for name in ("worst_rate", "best_rate"))
        widths = [high - low for low, high in zip(worst, best, strict=True)]
        ax.barh(
            places,
            widths,
            left=worst,
            height=0.5,
            color=_RANGE,
            edgecolor=FAINT,
            linewidth=0.6,
            zorder=2,
            label="worst to best case",
        )
    spans = groups.with_value("worst_ci_low")
    if spans:
        levels = " or ".join(f"{100 * level:g}" for level in groups.distinct("confidence_level"))
        places = [y for y, _ in spans]
        low, high = ([100 * row[name] for _, row in spans] for name in ("worst_ci_low", "best_ci_high"))
        ax.hlines(places, low, high, color=FAINT, linewidth=1, zorder=1, label=f"with sampling error, {levels} %")
        ax.plot([*low, *high], [*places, *places], linestyle="none", marker="|", markersize=9, color=FAINT, zorder=1)


def _draw_policies(ax: Axes, bounds: Bounds, groups: GroupRows, columns: list[str]) -> None:
    places = {label: y for y, label in enumerate(groups.labels)}
    own: list[tuple[float, int]] = []
    spans: list[tuple[int, float, float]] = []
    others: dict[str, list[tuple[float, int]]] = {}
    for row in bounds.policies.iter_rows(named=True):
        y = places[group_label(row, columns)]
        is_own = row["policy"] == bounds.policy
        if row["pass_rate"] is not None:
            (own if is_own else others.setdefault(row["policy"], [])).append((100 * row["pass_rate"], y))
        if is_own and row["ci_low"] is not None:
            spans.append((y, 100 * row["ci_low"], 100 * row["ci_high"]))
    if spans:
        rows, low, high = zip(*spans, strict=True)
        ax.hlines(rows, low, high, color=_LOOK.colour, linewidth=2.4, zorder=3, label=f"interval, {bounds.policy}")
    draw_marks(ax, own, label=f"rate, {bounds.policy}", marker=_LOOK.marker, colour=_LOOK.colour)
    for marker, (policy, points) in zip(_OTHER_MARKERS, others.items(), strict=False):
        draw_marks(ax, points, label=f"rate, {policy}", marker=marker, colour=INK, hollow=True)
