"""What accepting more costs: the error rate among the accepted against how much is accepted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from verdict_frames.errors import ArgumentError, OptionError
from verdict_frames.plots.canvas import as_axes, require
from verdict_frames.plots.palette import FAINT, LINE_LOOKS, SERIES_LOOKS
from verdict_frames.statistics.evaluations.sweeps import Sweep

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WIDTH: Final = 6.5
_HEIGHT: Final = 4.6

_Point = tuple[float, float]


def plot_risk_coverage(sweeps: Sweep | Sequence[Sweep], *, ax: Axes | None = None) -> Axes:
    """Draw the error rate among the accepted and checked against the share that is accepted, one line a threshold.

    Each place of a threshold is a point of its line: at the right, where everything that the other rules let pass is
    accepted, and at the left next to nothing. The dotted line is the upper bound of the error rate. The larger mark is
    where the pack has the threshold. Places where nothing is checked have no error rate and are not drawn.

    Args:
        sweeps: What `sweep` returns with labels, or several of these over the same evaluations; at most five.
        ax: Axes to draw on; with none, a new figure, made without pyplot.

    Returns:
        The axes.

    Raises:
        ArgumentError: An argument isn't a sweep, or `ax` isn't axes.
        OptionError: A sweep was made without labels, or there are none or too many.
    """
    given = [sweeps] if isinstance(sweeps, Sweep) else _listed(sweeps)
    _require_labelled(given)
    ax = as_axes(ax, width=_WIDTH, height=_HEIGHT)
    bound = LINE_LOOKS["bound"]
    for sweep, look in zip(given, SERIES_LOOKS, strict=False):
        points = _points(sweep, "error_rate")
        if points:
            ax.plot(
                *zip(*points, strict=True),
                color=look.colour,
                marker=look.marker,
                markersize=4,
                linewidth=1.6,
                label=sweep.threshold.name,
            )
        bounds = _points(sweep, "bound")
        if bounds:
            ax.plot(*zip(*bounds, strict=True), color=look.colour, linestyle=bound.line, linewidth=bound.width)
        for row in sweep.current().iter_rows(named=True):
            if row["error_rate"] is not None:
                here = 100 * row["accept_rate"], 100 * row["error_rate"]
                ax.plot(*here, color=look.colour, marker=look.marker, markersize=11, fillstyle="none", linestyle="none")
    ax.set_xlim(0, 100)
    ax.set_ylim(bottom=0)
    ax.set_xlabel("accepted, % of the decided")
    levels = " or ".join(dict.fromkeys(f"{100 * sweep.level:g}" for sweep in given))
    ax.set_ylabel(f"wrong, % of the accepted and checked\n(dotted: upper bound, {levels} %)")
    if ax.lines:
        ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=1, frameon=False, fontsize="small")
    else:
        ax.text(0.5, 0.5, "nothing accepted was checked", transform=ax.transAxes, ha="center", va="center", color=FAINT)
    return ax


def _listed(sweeps: object) -> list[Sweep]:
    if isinstance(sweeps, str) or not isinstance(sweeps, Sequence):
        message = f"what sweep returns is needed, or a list of these, not {type(sweeps).__name__}"
        raise ArgumentError(message)
    for each in sweeps:
        require(each, Sweep, made_by="sweep")
    return list(sweeps)


def _require_labelled(sweeps: Sequence[Sweep]) -> None:
    if not 1 <= len(sweeps) <= len(SERIES_LOOKS):
        message = f"one to {len(SERIES_LOOKS)} sweeps can be told apart in one picture; there are {len(sweeps)}"
        raise OptionError(message)
    for sweep in sweeps:
        if sweep.labelled is None:
            message = f"the sweep of {sweep.threshold.name} has no error rates; give labels to sweep"
            raise OptionError(message)


def _points(sweep: Sweep, column: str) -> list[_Point]:
    """The places where something is accepted and checked, from few accepted to many."""
    pairs = zip(sweep.steps["accept_rate"], sweep.steps[column], sweep.steps["checked"], strict=True)
    return sorted((100 * rate, 100 * value) for rate, value, checked in pairs if checked and value is not None)
