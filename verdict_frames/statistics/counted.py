"""The items that every count is about: which of them count, and which of them are the same item again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import polars as pl

from verdict_frames.frames.corpus import Corpus
from verdict_frames.policies import ColumnKind, require_columns
from verdict_frames.statistics.grouping import GroupedItems, group_items
from verdict_frames.statistics.left_out import left_out_runs
from verdict_frames.statistics.vocabulary import EvaluationChoice

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LEFT_OUT: Final = "\0left_out"
"""Column that says whether an item's run is left out of every count; never null, false without runs."""

ITEM: Final = "\0item"
"""Column that says which items are the same one again: `item_id`, else `item_slug`, as text; null with neither."""

NAMELESS: Final = "\0nameless"
"""Column that says whether an item without a name may be the same as another, because its run is a numbered repeat."""

ITEM_NAMES: Final[Mapping[str, ColumnKind]] = {"item_id": ColumnKind.NAME, "item_slug": ColumnKind.NAME}
"""The columns that name an item."""


def counted_items(
    corpus_or_items: Corpus | pl.DataFrame | pl.LazyFrame,
    by: str | Sequence[str] | None = None,
    *,
    evaluations: EvaluationChoice | str = EvaluationChoice.LATEST,
) -> GroupedItems:
    """Return the items with the columns to group by and the marks `LEFT_OUT`, `ITEM` and `NAMELESS`.

    Items of judge experiments, and of all but one evaluation of the same work, are marked as left out (see
    `left_out_runs`), not dropped, so that a count can say how many they are. Items given without their runs all count.

    Args:
        corpus_or_items: A corpus, or its items alone.
        by: One name, several, or none for one group of everything; as `group_items` resolves them.
        evaluations: Which evaluation of the same work counts.

    Raises:
        ColumnError: A name can't be grouped by, or the items have no names.
        ArgumentError: An argument is of the wrong kind.
        OptionError: There is no such choice of evaluations.
    """
    grouped = group_items(corpus_or_items, by)
    require_columns(grouped.items.collect_schema(), ITEM_NAMES, table="items")
    if isinstance(corpus_or_items, Corpus):
        runs = corpus_or_items.runs
        left_out = _of_runs(left_out_runs(runs, evaluations=evaluations))
        repeats = _of_runs(runs.filter(pl.col("repeat").is_not_null())["run_id"])
    else:
        left_out = repeats = pl.lit(value=False)
    item = pl.coalesce(pl.col("item_id", "item_slug").cast(pl.String))
    marked = grouped.items.with_columns(
        left_out.alias(LEFT_OUT), item.alias(ITEM), (repeats & item.is_null()).alias(NAMELESS)
    )
    return replace(grouped, items=marked)


def _of_runs(run_ids: pl.Series) -> pl.Expr:
    return pl.col("run_id").is_in(run_ids.implode()) if run_ids.len() else pl.lit(value=False)
