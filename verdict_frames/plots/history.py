"""How the rate of each group went from run to run, with the judges' error rate beneath."""

from __future__ import annotations

from itertools import product
from math import ceil
from typing import TYPE_CHECKING, Any, Final

from matplotlib.dates import AutoDateLocator, ConciseDateFormatter, date2num

from verdict_frames.plots.canvas import as_axes, require_columns_of
from verdict_frames.plots.groups import in_order, short_label
from verdict_frames.plots.marks import draw_legend
from verdict_frames.plots.palette import FAINT, GRID, SERIES_LOOKS
from verdict_frames.policies import ColumnKind
from verdict_frames.statistics.grouping import group_label
from verdict_frames.statistics.history import HISTORY_SCHEMA
from verdict_frames.statistics.tally import TALLY_SCHEMA

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import polars as pl
    from matplotlib.axes import Axes

_COLUMNS: Final = {
    "run_id": ColumnKind.TEXT,
    "instrument_changed": ColumnKind.FLAG,
    "judge_error_rate": ColumnKind.SHARE,
    "pass_rate": ColumnKind.SHARE,
    "ci_low": ColumnKind.SHARE,
    "ci_high": ColumnKind.SHARE,
    "policy": ColumnKind.TEXT,
}
_WIDTH: Final = 8.5
_HEIGHT: Final = 5.2
_LEGEND_COLUMNS: Final = 3
_LEGEND_LINE_INCHES: Final = 0.2
_BENEATH: Final = 0.22
"""How much of the height of the axes the judges' error rate takes, at the bottom."""
_GAP: Final = 0.08
"""How much lies free between the two."""
_MARKERS: Final = ("o", "X", "s", "D", "^", "v")

_Runs = list[dict[str, Any]]


def plot_history(history: pl.DataFrame, *, ax: Axes | None = None, order: Sequence[str] | None = None) -> Axes:
    """Draw the pass rate of each run against its time, one line a group, and beneath it the judges' error rate.

    Runs of a group are joined by a line, but not where a run is unlike the one before it, so that their rates are of
    different things, nor across a run without a rate. A dashed line marks where the instrument changed. Whiskers are
    intervals. Runs without a timestamp aren't drawn; the axis says how many those are.

    Args:
        history: What `run_history` returns.
        ax: Axes to draw on; with none, a new figure, made without pyplot. The error rate is drawn into a part of them.
        order: Labels of the groups that come first in the legend; the others follow as they stand.

    Returns:
        The axes; their only child axes show the error rate.

    Raises:
        ArgumentError: The first argument isn't a frame, `ax` isn't axes, or the order isn't a list.
        ColumnError: A column of a history is missing.
        OptionError: The order names a group that the frame doesn't have, or one twice.
    """
    require_columns_of(history, _COLUMNS, made_by="run_history")
    columns = [name for name in history.columns if name not in HISTORY_SCHEMA and name not in TALLY_SCHEMA]
    groups: dict[str, _Runs] = {}
    for row in history.iter_rows(named=True):
        groups.setdefault(group_label(row, columns), []).append(row)
    ax = as_axes(ax, width=_WIDTH, height=_HEIGHT + _LEGEND_LINE_INCHES * ceil(len(groups) / _LEGEND_COLUMNS))
    beneath = ax.inset_axes((0, 0, 1, _BENEATH), sharex=ax)
    looks = [(look.colour, marker) for marker, look in product(_MARKERS, SERIES_LOOKS)]
    for place, label in enumerate(in_order(list(groups), order)):
        timed = [run for run in groups[label] if run["timestamp"] is not None]
        colour, marker = looks[place % len(looks)]
        _draw_rates(ax, timed, short_label(label), colour, marker)
        errors = [(_when(run), 100 * run["judge_error_rate"]) for run in timed if run["judge_error_rate"] is not None]
        if errors:
            beneath.plot(*zip(*errors, strict=True), color=colour, marker=marker, markersize=4, linestyle="none")
    _mark_changes(ax, beneath, history)
    _lay_out(ax, beneath, history)
    if history["timestamp"].null_count() == history.height:
        said = "no run has a timestamp" if groups else "no runs"
        ax.text(0.5, 0.6, said, transform=ax.transAxes, ha="center", va="center", color=FAINT)
        ax.set_xticks([])
    draw_legend(ax, columns=_LEGEND_COLUMNS)
    return ax


def _when(run: dict[str, Any]) -> float:
    return float(date2num(run["timestamp"]))  # type: ignore[no-untyped-call]


def _draw_rates(ax: Axes, runs: _Runs, label: str, colour: str, marker: str) -> None:
    for place, part in enumerate(_joined(runs)):
        points = [(_when(run), 100 * run["pass_rate"]) for run in part]
        ax.plot(
            *zip(*points, strict=True),
            color=colour,
            marker=marker,
            markersize=6,
            linewidth=1.4,
            clip_on=False,
            zorder=4,
            label=label if place == 0 else "_nolegend_",
        )
        for run in part:
            if run["ci_low"] is not None:
                ax.vlines(_when(run), 100 * run["ci_low"], 100 * run["ci_high"], color=colour, linewidth=1, alpha=0.6)


def _joined(runs: _Runs) -> Iterator[_Runs]:
    """Cut a group's runs into those that a line may join."""
    part: _Runs = []
    for run in runs:
        if part and (run["pass_rate"] is None or run["unlike"]):
            yield part
            part = []
        if run["pass_rate"] is not None:
            part.append(run)
    if part:
        yield part


def _mark_changes(ax: Axes, beneath: Axes, history: pl.DataFrame) -> None:
    moments = {_when(run) for run in history.iter_rows(named=True) if run["instrument_changed"] and run["timestamp"]}
    for place, moment in enumerate(sorted(moments)):
        label = "instrument changed" if place == 0 else "_nolegend_"
        ax.axvline(moment, color=FAINT, linestyle="--", linewidth=1, zorder=1, label=label)
        beneath.axvline(moment, color=FAINT, linestyle="--", linewidth=1, zorder=1)


def _lay_out(ax: Axes, beneath: Axes, history: pl.DataFrame) -> None:
    taken = _BENEATH + _GAP
    ax.set_ylim(-100 * taken / (1 - taken), 100)
    ax.set_yticks(range(0, 101, 20))
    ax.axhline(0, color=FAINT, linewidth=0.8, zorder=1)
    policies = ", ".join(history["policy"].unique().sort())
    ax.set_ylabel(f"pass rate, %\npolicy {policies}" if policies else "pass rate, %", parse_math=False)
    locator = AutoDateLocator()  # type: ignore[no-untyped-call]
    ax.xaxis.set_major_locator(locator)
    ax.xaxis.set_major_formatter(ConciseDateFormatter(locator))  # type: ignore[no-untyped-call]
    untimed = history["timestamp"].null_count()
    not_drawn = f"\n{untimed} of {history.height} runs without a timestamp aren’t drawn" if untimed else ""
    ax.set_xlabel(f"end of the run (UTC)\nat the bottom: errors, % of the judges’ judgments{not_drawn}")
    beneath.set_ylim(0, 100)
    beneath.set_yticks((0, 50, 100))
    beneath.tick_params(axis="y", labelsize="small")
    beneath.tick_params(axis="x", bottom=False, labelbottom=False)
    beneath.grid(visible=True, color=GRID, linewidth=0.6)
    beneath.set_axisbelow(True)
    beneath.spines[["top", "right"]].set_visible(False)
