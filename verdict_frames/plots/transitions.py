"""From which state to which state items went between two sides of a comparison."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Any, Final

import polars as pl
from matplotlib.collections import PolyCollection
from matplotlib.patches import Patch

from verdict_frames.errors import OptionError, one_line, some_names
from verdict_frames.plots.canvas import as_axes, require
from verdict_frames.plots.palette import FAINT, INK, MOVE_LOOKS, STATE_LOOKS, Look, ink_on
from verdict_frames.statistics.comparison.result import Comparison
from verdict_frames.statistics.vocabulary import ItemState, Move, SideState

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SIDE_INCHES: Final = 0.62
_AROUND_INCHES: Final = 2.6
_LARGEST: Final = 0.92
_SMALLEST: Final = 0.34
"""Side of a square of the greatest count, and of the least that a number fits into, in cells."""


def plot_transitions(comparison: Comparison, *, treatment: str | None = None, ax: Axes | None = None) -> Axes:
    """Draw how many items went from each state with the baseline to each state with the treatment.

    Rows are states with the baseline, columns states with the treatment, both only where some item has them. The area
    of a square grows with the number in it. Squares on the diagonal are items whose state stayed; the looks of the
    others tell whether items were accepted only with the treatment, only with the baseline, or otherwise moved.

    Args:
        comparison: What `compare` returns; the groups of `within` are added up.
        treatment: Which treatment is drawn; may be left out where there is only one.
        ax: Axes to draw on; with none, a new figure, made without pyplot.

    Returns:
        The axes: states in the order of `SideState` at 0, 1, 2 … from the top and from the left.

    Raises:
        ArgumentError: The first argument isn't a comparison, or `ax` isn't axes.
        OptionError: There is no such treatment, or there are several and none is named.
    """
    require(comparison, Comparison, made_by="compare")
    chosen = _chosen(comparison, treatment)
    counts = _counts(comparison.transitions, chosen)
    rows = [state for state in SideState if any(one is state for one, _ in counts)]
    columns = [state for state in SideState if any(other is state for _, other in counts)]
    ax = as_axes(
        ax,
        width=_AROUND_INCHES + _SIDE_INCHES * max(len(columns), 4),
        height=_AROUND_INCHES + _SIDE_INCHES * max(len(rows), 2),
    )
    ax.set_xticks(range(len(columns)), [_label(state) for state in columns], rotation=35, ha="right")
    ax.set_yticks(range(len(rows)), [_label(state) for state in rows])
    ax.set_xlim(-0.5, max(len(columns), 1) - 0.5)
    ax.set_ylim(max(len(rows), 1) - 0.5, -0.5)
    ax.tick_params(length=0)
    ax.set_aspect("equal")
    ax.set_xlabel(f"with {chosen}", parse_math=False)
    ax.set_ylabel(f"with {comparison.baseline}", parse_math=False)
    _draw(ax, counts, rows, columns)
    if not counts:
        ax.text(0.5, 0.5, "no items", transform=ax.transAxes, ha="center", va="center", color=FAINT)
    return ax


def _chosen(comparison: Comparison, treatment: object) -> str:
    names = comparison.treatments
    if treatment is None and len(names) == 1:
        return names[0]
    if treatment is None:
        message = f"there are {len(names)} treatments: name one of {some_names(names) or 'none'} with treatment="
        raise OptionError(message)
    if treatment not in names:
        message = f"treatment={one_line(treatment)}: it is one of {some_names(names)}"
        raise OptionError(message)
    return str(treatment)


def _counts(transitions: pl.DataFrame, treatment: str) -> dict[tuple[SideState, SideState], int]:
    states = ("baseline_state", "treatment_state")
    summed = transitions.filter(pl.col("treatment") == treatment).group_by(states).agg(pl.col("items").sum())
    return {(SideState(one), SideState(other)): count for one, other, count in summed.sort(states).iter_rows()}


def _move(one: SideState, other: SideState) -> Move:
    if SideState.MIXED in (one, other):
        return Move.OTHERWISE  # some of the trials may well have been accepted on either side
    if one is other:
        return Move.STAYED
    if SideState.ACCEPTED in (one, other):
        return Move.GAINED if other is SideState.ACCEPTED else Move.LOST
    return Move.OTHERWISE


def _label(state: SideState) -> str:
    alone = {SideState.MIXED, SideState.NEW, SideState.REMOVED}
    return state.value if state in alone else STATE_LOOKS[ItemState(state)].label


def _draw(
    ax: Axes,
    counts: dict[tuple[SideState, SideState], int],
    rows: list[SideState],
    columns: list[SideState],
) -> None:
    most = max(counts.values(), default=1)
    squares: dict[Move, list[Any]] = {move: [] for move in Move}
    for (one, other), count in counts.items():
        x, y = columns.index(other), rows.index(one)
        half = max(_LARGEST * sqrt(count / most), _SMALLEST) / 2
        move = _move(one, other)
        squares[move].append([(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)])
        look = MOVE_LOOKS[move]
        ground = {"facecolor": look.colour, "edgecolor": "none", "pad": 0.8}
        ax.text(x, y, f"{count:,}", ha="center", va="center", fontsize="small", color=ink_on(look.colour), bbox=ground)
    drawn = [move for move in Move if squares[move]]
    for move in drawn:
        ax.add_collection(_collection(squares[move], MOVE_LOOKS[move]), autolim=False)
    if drawn:
        ax.legend(
            handles=[_patch(MOVE_LOOKS[move]) for move in drawn],
            loc="lower left",
            bbox_to_anchor=(0, 1),
            ncols=1,
            frameon=False,
            fontsize="small",
        )


def _collection(squares: list[Any], look: Look) -> PolyCollection:
    return PolyCollection(
        squares, label=look.label, facecolor=look.colour, edgecolor=INK, hatch=look.hatch, linewidth=0.5, zorder=2
    )


def _patch(look: Look) -> Patch:
    return Patch(label=look.label, facecolor=look.colour, edgecolor=INK, hatch=look.hatch, linewidth=0.5)
