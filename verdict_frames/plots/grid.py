"""Items against variants or runs: one cell each, coloured by what became of the item."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

from matplotlib.collections import PolyCollection
from matplotlib.patches import Patch

from verdict_frames.errors import ColumnError
from verdict_frames.plots.canvas import as_axes, inches_wide, require_columns_of
from verdict_frames.plots.groups import in_order, name_of, short_label
from verdict_frames.plots.palette import FAINT, INK, STATE_LOOKS, Look, ink_on
from verdict_frames.policies import ColumnKind
from verdict_frames.statistics.vocabulary import ItemState
from verdict_frames.vocabulary import Support

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl
    from matplotlib.axes import Axes

_COLUMNS: Final = {
    "item": ColumnKind.NAME,
    "trial": ColumnKind.COUNT,
    "state": ColumnKind.TEXT,
    "reading_support": ColumnKind.TEXT,
}
_OTHERS: Final = ("reading", "run_id", "item_index")
_GAP: Final = 0.06
"""How much of a cell is left free at each side."""
_LINE_POINTS: Final = 0.4
_ROW_INCHES: Final = 0.24
_CELL_INCHES: Final = 0.42
_AROUND_INCHES: Final = 3.2
_WIDEST: Final = 60.0
_LETTER_INCHES: Final = 0.09
_LEFT_BY_LABELS: Final = 0.65
"""How much of the axes' width remains for sure when the layout has made room for the names of items."""

_Corners = list[tuple[float, float]]


def plot_grid(grid: pl.DataFrame, *, ax: Axes | None = None, order: Sequence[str] | None = None) -> Axes:
    """Draw one cell for each item and group, in the colour of what became of the item.

    A cell is divided from left to right into the trials of its item, in their order. Where a group has no trial of an
    item there is a small dot. An exclamation mark says that the record of a verdict contradicts itself. The legend has
    what occurs.

    Args:
        grid: What `item_grid` returns.
        ax: Axes to draw on; with none, a new figure as large as the grid needs, made without pyplot.
        order: Names of the groups that come first, from the left; the others follow as they sort.

    Returns:
        The axes: items from 0 at the top, groups from 0 at the left, cells around these whole numbers; each state that
        occurs is one collection of rectangles, labelled by its name.

    Raises:
        ArgumentError: The first argument isn't a frame, `ax` isn't axes, or the order isn't a list.
        ColumnError: A column of a grid is missing, or there is none beside them to group by.
        OptionError: The order names a group that the frame doesn't have, or one twice.
    """
    require_columns_of(grid, _COLUMNS, made_by="item_grid")
    by = _group_column(grid)
    items = list(dict.fromkeys(grid["item"].to_list()))
    known = list(dict.fromkeys(map(name_of, grid[by].sort(nulls_last=True).to_list())))
    groups = in_order(known, order)
    width = min(_AROUND_INCHES + _CELL_INCHES * max(len(groups), 6), _WIDEST)
    ax = as_axes(ax, width=width, height=_AROUND_INCHES / 1.6 + _ROW_INCHES * max(len(items), 1))
    _lay_out(ax, items, groups, by)
    cells = _cells(grid, by, items, groups)
    _draw_cells(ax, cells)
    _draw_gaps(ax, cells, len(items), len(groups))
    if not items:
        ax.text(0.5, 0.5, "no items", transform=ax.transAxes, ha="center", va="center", color=FAINT)
    return ax


def _group_column(grid: pl.DataFrame) -> str:
    others = [name for name in grid.columns if name not in _COLUMNS and name not in _OTHERS]
    if others:
        return others[0]
    if "run_id" in grid.columns:
        return "run_id"
    message = f"the grid frame has no column for its groups beside {', '.join(grid.columns)}"
    raise ColumnError(message)


def _lay_out(ax: Axes, items: list[Any], groups: list[str], by: str) -> None:
    ax.set_yticks(range(len(items)), [short_label(name_of(item)) for item in items], parse_math=False, fontsize="small")
    ax.set_xticks(range(len(groups)), [short_label(group) for group in groups], parse_math=False, fontsize="small")
    letters = max((len(short_label(group)) for group in groups), default=0)
    steep = _LETTER_INCHES * letters > _LEFT_BY_LABELS * inches_wide(ax) / max(len(groups), 1)
    ax.tick_params(axis="x", rotation=60 if steep else 0, length=0, top=False, bottom=False)
    if steep:
        for label in ax.get_xticklabels():
            label.set(ha="right", rotation_mode="anchor")
    ax.tick_params(axis="y", length=0)
    ax.set_xlim(-0.5, max(len(groups), 1) - 0.5)
    ax.set_ylim(max(len(items), 1) - 0.5, -0.5)
    ax.set_xlabel(by, parse_math=False)
    ax.set_ylabel("item")
    ax.grid(visible=False)
    ax.spines[["left", "bottom"]].set_visible(False)


def _cells(
    grid: pl.DataFrame, by: str, items: list[Any], groups: list[str]
) -> dict[tuple[int, int], list[dict[str, Any]]]:
    """The trials of each cell in their order, by row and column."""
    rows = {item: place for place, item in enumerate(items)}
    columns = {group: place for place, group in enumerate(groups)}
    cells: defaultdict[tuple[int, int], list[dict[str, Any]]] = defaultdict(list)
    for trial in grid.sort("trial", maintain_order=True).iter_rows(named=True):
        cells[rows[trial["item"]], columns[name_of(trial[by])]].append(trial)
    return cells


def _draw_cells(ax: Axes, cells: dict[tuple[int, int], list[dict[str, Any]]]) -> None:
    by_state: defaultdict[ItemState, list[_Corners]] = defaultdict(list)
    for (y, x), trials in cells.items():
        each = (1 - 2 * _GAP) / len(trials)
        for place, trial in enumerate(trials):
            state = ItemState(trial["state"])
            left = x - 0.5 + _GAP + place * each
            right, top, bottom = left + each, y - 0.5 + _GAP, y + 0.5 - _GAP
            by_state[state].append([(left, top), (right, top), (right, bottom), (left, bottom)])
            if trial["reading_support"] == Support.CONTRADICTED:
                ink = ink_on(STATE_LOOKS[state].colour)
                ax.text(
                    (left + right) / 2, y, "!", ha="center", va="center", fontsize="small", weight="bold", color=ink
                )
    drawn = [state for state in STATE_LOOKS if state in by_state]
    for state in drawn:
        look = STATE_LOOKS[state]
        ax.add_collection(
            PolyCollection(
                by_state[state],
                label=look.label,
                facecolor=look.colour,
                edgecolor=ink_on(look.colour),
                hatch=look.hatch,
                linewidth=_LINE_POINTS,
            ),
            autolim=False,
        )
    if drawn:
        patches = [_patch(STATE_LOOKS[state]) for state in drawn]
        ax.legend(handles=patches, loc="lower left", bbox_to_anchor=(0, 1), ncols=3, frameon=False, fontsize="small")


def _patch(look: Look) -> Patch:
    return Patch(
        label=look.label,
        facecolor=look.colour,
        edgecolor=ink_on(look.colour),
        hatch=look.hatch,
        linewidth=_LINE_POINTS,
    )


def _mark(ax: Axes, x: float, y: float, ink: str) -> None:
    ax.text(x, y, "!", ha="center", va="center", fontsize="small", weight="bold", color=ink)


def _draw_gaps(ax: Axes, cells: dict[tuple[int, int], list[dict[str, Any]]], rows: int, columns: int) -> None:
    gaps = [(x, y) for y in range(rows) for x in range(columns) if (y, x) not in cells]
    if gaps:
        ax.plot(*zip(*gaps, strict=True), linestyle="none", marker=".", markersize=3, color=INK, label="no trial")
