"""What became of each item under each group: an item × variant grid."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from verdict_frames.plots.grid import plot_grid
from verdict_frames.reporting.cells import NOT_RECORDED, cell, label, text, words
from verdict_frames.reporting.figures import figure
from verdict_frames.reporting.value import Section, Table
from verdict_frames.statistics.grid import item_grid

if TYPE_CHECKING:
    from verdict_frames.frames.corpus import Corpus
    from verdict_frames.reporting.counted import CountedItems
    from verdict_frames.reporting.value import Block
    from verdict_frames.statistics.vocabulary import EvaluationChoice

MOST_ITEMS: Final = 300
"""How many items the grid lists."""
MOST_GROUPS: Final = 12
"""How many groups stand side by side."""
MOST_DRAWN: Final = 60
"""How many items a picture of the grid has."""


def grid_section(corpus: Corpus, items: CountedItems, *, evaluations: EvaluationChoice | str) -> Section | None:
    """Show each item under each group side by side, or nothing where no item is in two groups.

    Args:
        corpus: What was counted.
        items: Its items, by the groups of the report.
        evaluations: Which evaluation of the same work counts.
    """
    if len(items.groups) != 1 or not items.by_runs:
        return None
    (by,) = items.groups
    grid = item_grid(corpus, by, evaluations=evaluations)
    shared = grid.group_by("item").agg(pl.col(by).n_unique().alias("groups")).filter(pl.col("groups") > 1)
    groups = grid[by].unique().sort(nulls_last=True).to_list()
    if shared.is_empty() or len(groups) > MOST_GROUPS:
        return None
    blocks: list[Block] = [_table(items, grid, by, groups)]
    if grid["item"].n_unique() <= MOST_DRAWN:
        blocks.append(
            figure(
                lambda: plot_grid(grid),
                caption=f"Items by {label(by)}: a cell a reading, trials side by side.",
                alt="The table before, in colours.",
            )
        )
    return Section(key="grid", title=f"Item by {label(by)}", blocks=tuple(blocks), aside=True)


def _table(items: CountedItems, grid: pl.DataFrame, by: str, groups: list[Any]) -> Table:
    cells: dict[tuple[str, Any], list[tuple[str, int]]] = {}
    for row in grid.iter_rows(named=True):
        ordinal = items.ordinals[row["run_id"], row["item_index"]]
        cells.setdefault((row["item"], row[by]), []).append((row["state"], ordinal))
    names = list(dict.fromkeys(grid["item"].to_list()))
    rows = []
    for name in names[:MOST_ITEMS]:
        trials = [cells.get((name, group), []) for group in groups]
        shown = [cell(_in_words(found), sorted(ordinal for _, ordinal in found)) for found in trials]
        rows.append((cell(name), *shown))
    columns = [words(NOT_RECORDED if group is None else str(group)) for group in groups]
    return Table(
        caption=f"What became of each item by {label(by)}",
        columns=(text("item"), *columns),
        rows=tuple(rows),
        hidden=max(len(names) - MOST_ITEMS, 0),
    )


def _in_words(trials: list[tuple[str, int]]) -> str | None:
    """Name what became of the trials, in their order, each once with its number; null for none."""
    counts = Counter(state.lower().replace("_", " ") for state, _ in trials)
    return ", ".join(name if count == 1 else f"{name} × {count}" for name, count in counts.items()) or None
