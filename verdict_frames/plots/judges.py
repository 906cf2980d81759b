"""What each judge said, and how often it broke down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from verdict_frames.plots.bars import draw_bars
from verdict_frames.plots.canvas import require_columns_of
from verdict_frames.plots.groups import GroupRows, draw_group_axis, in_order_of, write_beside
from verdict_frames.plots.marks import draw_legend, draw_spans
from verdict_frames.plots.palette import INK, STATUS_LOOKS
from verdict_frames.policies import ColumnKind
from verdict_frames.statistics.grouping import group_label
from verdict_frames.statistics.judges.table import JUDGE_TABLE_SCHEMA

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl
    from matplotlib.axes import Axes

_COLUMNS: Final = {
    **dict.fromkeys(("judge",), ColumnKind.TEXT),
    **dict.fromkeys(("occurrence", "seats", *STATUS_LOOKS), ColumnKind.COUNT),
    **dict.fromkeys(("error_rate", "error_ci_low", "error_ci_high", "confidence_level"), ColumnKind.SHARE),
}


def judge_label(row: Mapping[str, object], columns: Sequence[str]) -> str:
    """Return what a judge is called in a picture: its group, the place of its jury, and its name.

    Args:
        row: A row of a table about judges.
        columns: The group columns.
    """
    path = row["path"]
    name = "/".join([*(path if isinstance(path, list) else []), str(row["judge"]) or "(unnamed)"])
    again = f" ({row['occurrence']})" if row["occurrence"] != 1 else ""
    return " · ".join([*([group_label(row, columns)] if columns else []), f"{name}{again}"])


def plot_judges(judges: pl.DataFrame, *, ax: Axes | None = None, order: Sequence[str] | None = None) -> Axes:
    """Draw what each judge said as shares of its judgments, those that say nothing of the subject first.

    Errors stand at the left, so that the first part's length is the error rate; the line through its end is the
    interval of that rate, where there is one. At the right stands n, the number of judgments. Parts carry their counts.

    Args:
        judges: What `judge_table` returns.
        ax: Axes to draw on; with none, a new figure as tall as the judges need, made without pyplot.
        order: Labels of the judges that come first, from the top; the others follow as they stand in the frame.

    Returns:
        The axes; the row of each judge is at 0, 1, 2 … from the top, and each status that occurs is one container of
        bars.

    Raises:
        ArgumentError: The first argument isn't a frame, `ax` isn't axes, or the order isn't a list.
        ColumnError: A column of a judge table is missing.
        OptionError: The order names a judge that the frame doesn't have, or one twice.
    """
    require_columns_of(judges, _COLUMNS, made_by="judge_table")
    columns = [name for name in judges.columns if name not in JUDGE_TABLE_SCHEMA]
    rows = judges.to_dicts()
    labels = [judge_label(row, columns) for row in rows]
    groups = in_order_of(GroupRows(rows=rows, labels=labels, title=" · ".join([*columns, "judge"])), order)
    ax = draw_group_axis(groups, ax, nothing="no judges recorded")
    draw_bars(ax, groups.rows, STATUS_LOOKS, most=100, shares=True)
    draw_spans(
        ax,
        groups,
        "error_ci_low",
        "error_ci_high",
        label="error rate, {level} % interval",
        colour=INK,
        width=1.2,
        beneath=0.43,
    )
    for y, row in enumerate(groups.rows):
        write_beside(ax, y, f"n = {row['seats']:,}")
    ax.set_xlim(0, 100)
    ax.set_xlabel("% of the judge's judgments")
    draw_legend(ax)
    return ax
