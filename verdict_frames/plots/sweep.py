"""What a threshold does wherever it stands, drawn as the step function that it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from verdict_frames.plots.canvas import as_axes, require
from verdict_frames.plots.palette import FAINT, LINE_LOOKS, LineLook
from verdict_frames.statistics.evaluations.sweeps import Sweep

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes

_WIDTH: Final = 7.5
_HEIGHT: Final = 4.2
_BEYOND: Final = 0.05
"""How far a step without an end reaches beyond the last one, as a share of what is between the first and the last."""


def plot_sweep(sweep: Sweep, *, ax: Axes | None = None) -> Axes:
    """Draw what is accepted, and what this question alone holds back, at each place of a threshold.

    Shares are of all evaluations that were decided, from 0 to 100 %. With labels the error rate among the accepted and
    checked, and its upper bound, stand on the same scale; where nothing is checked their lines have a gap. A dashed
    line marks where the pack has the threshold. The axis names what was left out.

    Args:
        sweep: What `sweep` returns.
        ax: Axes to draw on; with none, a new figure, made without pyplot.

    Returns:
        The axes; each line is one step patch with the values of `sweep.steps`.

    Raises:
        ArgumentError: The first argument isn't a sweep, or `ax` isn't axes.
    """
    require(sweep, Sweep, made_by="sweep")
    ax = as_axes(ax, width=_WIDTH, height=_HEIGHT)
    steps = sweep.steps
    edges = _edges(steps, closed_high=sweep.threshold.closed_high)
    _draw(ax, edges, _percent(steps["accept_rate"]), LINE_LOOKS["accepted"], "accepted")
    alone = [None if not sweep.decided else 100 * fired / sweep.decided for fired in steps["fired_alone"]]
    _draw(ax, edges, alone, LINE_LOOKS["held_back"], "held back by this question alone")
    if sweep.labelled is not None:
        _draw(ax, edges, _percent(steps["error_rate"]), LINE_LOOKS["error"], "wrong, of the accepted and checked")
        bound = f"its upper bound, {100 * sweep.level:g} %"
        _draw(ax, edges, _percent(steps["bound"]), LINE_LOOKS["bound"], bound)
    if sweep.threshold.current is not None:
        ax.axvline(sweep.threshold.current, color=FAINT, linestyle="-.", linewidth=1.2, label="in the pack")
    ax.set_ylim(0, 100)
    ax.set_ylabel("share, %")
    ax.set_xlabel(f"{sweep.threshold.name}\n{_denominator(sweep)}", parse_math=False)
    if steps.is_empty():
        ax.text(0.5, 0.5, "no answers to move it over", transform=ax.transAxes, ha="center", va="center", color=FAINT)
    else:
        ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2, frameon=False, fontsize="small")
    return ax


def _denominator(sweep: Sweep) -> str:
    left_out = [
        f"{count:,} {words}"
        for count, words in ((sweep.failed, "failed"), (sweep.answers_not_recorded, "without recorded answers"))
        if count
    ]
    return f"n = {sweep.decided:,} decided" + (f"; left out: {', '.join(left_out)}" if left_out else "")


def _edges(steps: pl.DataFrame, *, closed_high: bool) -> list[float]:
    """Where steps begin and end; one without an end is drawn a little beyond its neighbour."""
    places = steps["threshold"].to_list()
    if not places:
        return []
    beyond = _BEYOND * (places[-1] - places[0]) or _BEYOND
    if closed_high:
        first = steps["low"][0]
        return [places[0] - beyond if first is None else first, *places]
    last = steps["high"][-1]
    return [*places, places[-1] + beyond if last is None else last]


def _percent(shares: pl.Series) -> list[float | None]:
    return [None if share is None else 100 * share for share in shares]


def _draw(ax: Axes, edges: list[float], values: list[float | None], look: LineLook, label: str) -> None:
    """Draw one step line, with a gap where there is no value."""
    if not values:
        return
    drawn = [float("nan") if value is None else value for value in values]
    ax.stairs(
        drawn, edges, baseline=None, label=label, color=look.colour, linestyle=look.line, linewidth=look.width, zorder=3
    )
