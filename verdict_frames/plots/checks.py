"""How often each check passed, the worst first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from verdict_frames.plots.canvas import require_columns_of
from verdict_frames.plots.groups import GroupRows, draw_group_axis, in_order_of, write_beside
from verdict_frames.plots.judges import judge_label
from verdict_frames.plots.marks import draw_dots, draw_legend, draw_spans
from verdict_frames.policies import ColumnKind
from verdict_frames.statistics.judges.check_shares import CHECK_TABLE_SCHEMA

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl
    from matplotlib.axes import Axes

_COLUMNS: Final = {
    **dict.fromkeys(("judge", "check"), ColumnKind.TEXT),
    **dict.fromkeys(("occurrence", "checks", "passed"), ColumnKind.COUNT),
    **dict.fromkeys(("pass_rate", "pass_ci_low", "pass_ci_high", "confidence_level"), ColumnKind.SHARE),
}


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
    ax = draw_group_axis(groups, ax, nothing="no checks recorded")
    draw_dots(ax, groups, "pass_rate", label="passed")
    draw_spans(ax, groups, "pass_ci_low", "pass_ci_high", label="{level} % interval")
    for y, row in enumerate(groups.rows):
        write_beside(ax, y, f"{row['passed']:,} of {row['checks']:,}")
    ax.set_xlim(0, 100)
    ax.set_xlabel("passed, % of the times it was made")
    draw_legend(ax)
    return ax
