"""How often each check passed, the worst first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from verdict_frames.plots.canvas import require_columns_of
from verdict_frames.plots.groups import GroupRows, draw_group_axis, in_order_of, write_beside
from verdict_frames.plots.judges import judge_label
from verdict_frames.plots.palette import BUCKET_LOOKS
from verdict_frames.policies import ColumnKind
from verdict_frames.statistics.judges.check_shares import CHECK_TABLE_SCHEMA
from verdict_frames.vocabulary import Bucket

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl
    from matplotlib.axes import Axes

_COLUMNS: Final = {
    **dict.fromkeys(("judge", "check"), ColumnKind.TEXT),
    **dict.fromkeys(("occurrence", "checks", "passed"), ColumnKind.COUNT),
    **dict.fromkeys(("pass_rate", "pass_ci_low", "pass_ci_high", "confidence_level"), ColumnKind.SHARE),
}
_LOOK: Final = BUCKET_LOOKS[Bucket.PASSES]


def plot_checks(checks: pl.DataFrame, *, ax: Axes | None = None, order: Sequence[str] | None = None) -> Axes:
    """Draw the share of each check that passed as a dot with its interval, the least share at the top.

    At the right stands how many passed of how many.

    Args:
        checks: What `check_table` returns.
        ax: Axes to draw on; with none, a new figure as tall as the checks need, made without pyplot.
        order: Labels of the checks that come first, from the top; the others follow from the least share on.

    Returns:
        The axes; the row of each check is at 0, 1, 2 … from the top.

    Raises:
        ArgumentError: The first argument isn't a frame, `ax` isn't axes, or the order isn't a list.
        ColumnError: A column of a check table is missing.
        OptionError: The order names a check that the frame doesn't have, or one twice.
    """
    require_columns_of(checks, _COLUMNS, made_by="check_table")
    columns = [name for name in checks.columns if name not in CHECK_TABLE_SCHEMA]
    rows = checks.sort("pass_rate", nulls_last=True, maintain_order=True).to_dicts()
    labels = [f"{judge_label(row, columns)} · {row['check']}" for row in rows]
    title = " · ".join([*columns, "judge", "check"])
    groups = in_order_of(GroupRows(rows=rows, labels=labels, title=title), order)
    ax = draw_group_axis(groups, ax)
    dots = [(100 * row["pass_rate"], y) for y, row in groups.with_value("pass_rate")]
    if dots:
        ax.plot(
            *zip(*dots, strict=True),
            linestyle="none",
            marker=_LOOK.marker,
            markersize=7,
            color=_LOOK.colour,
            clip_on=False,
            zorder=4,
            label="passed",
        )
    spans = [(y, 100 * row["pass_ci_low"], 100 * row["pass_ci_high"]) for y, row in groups.with_value("pass_ci_low")]
    if spans:
        levels = " or ".join(f"{100 * level:g}" for level in groups.distinct("confidence_level"))
        places, lows, highs = zip(*spans, strict=True)
        ax.hlines(places, lows, highs, color=_LOOK.colour, linewidth=2, zorder=3, label=f"{levels} % interval")
    for y, row in enumerate(groups.rows):
        write_beside(ax, y, f"{row['passed']:,} of {row['checks']:,}")
    ax.set_xlim(0, 100)
    ax.set_xlabel("passed, % of the times it was made")
    if ax.lines:
        ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, frameon=False, fontsize="small")
    return ax
