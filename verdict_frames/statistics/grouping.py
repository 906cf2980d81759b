"""From the names that a user groups by to items that carry these columns."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from verdict_frames.errors import ArgumentError, ColumnError, one_line, some_names
from verdict_frames.frames.corpus import Corpus
from verdict_frames.frames.lookup import Column, find_column, runs_with
from verdict_frames.frames.schemas.tables import empty_table
from verdict_frames.policies import items_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from verdict_frames.frames.evaluations import Evaluations

NOT_RECORDED: Final = "(not recorded)"
"""What a group is called whose value is null."""

EVERYTHING: Final = "all items"
"""What the only group is called where nothing is grouped by."""


@dataclass(frozen=True, kw_only=True)
class GroupedItems:
    """Items with the columns that they are grouped by.

    Attributes:
        items: Grain one item, in the order given; the group columns stand beside its own under the names asked for.
        columns: The names of the group columns, in the order asked for; empty for one group of everything.
        run_groups: Each group that some run belongs to, so that a run without items keeps its group; null unless all
            group columns are known from the run alone.
    """

    items: pl.LazyFrame
    columns: tuple[str, ...]
    run_groups: pl.DataFrame | None

    def with_all_groups(self, counts: pl.DataFrame) -> pl.DataFrame:
        """Add the groups of runs without items to counts by group, with 0 in every count.

        Args:
            counts: Grain one group: the group columns, then whole numbers.
        """
        if self.run_groups is None:
            return counts
        joined = self.run_groups.join(counts, on=self.columns, how="full", coalesce=True, nulls_equal=True)
        return joined.with_columns(pl.exclude(self.columns).fill_null(0))


def beside_groups(groups: pl.DataFrame, numbers: pl.DataFrame) -> pl.DataFrame:
    """Return numbers by group in the order of the groups, without the group columns; 0 for a group that has none.

    Args:
        groups: Grain one group: the group columns, or none for one group of everything.
        numbers: At most one row a group, in any order: the group columns, then numbers.
    """
    if not groups.columns:
        return numbers
    joined = groups.join(numbers, on=groups.columns, how="left", nulls_equal=True, maintain_order="left")
    return joined.drop(groups.columns).fill_null(0)


def group_items(
    corpus_or_items: Corpus | pl.DataFrame | pl.LazyFrame, by: str | Sequence[str] | None = None
) -> GroupedItems:
    """Resolve the names to group by.

    A name is a column of `items` or `runs`, or a run fact with its source before it, such as `conditions.model`,
    `metadata.baselineId` or `scores.quality`. A name that `items` and `runs` both have must say which is meant, as in
    `runs.total_tokens`; `run_id` is the same in both. A run that lacks a fact, and an item whose value is null, belong
    to the group null.

    Args:
        corpus_or_items: A corpus, or its items alone, which know nothing of runs and run facts.
        by: One name, several, or none for one group of everything.

    Raises:
        ColumnError: A name is unknown, ambiguous, given twice, or a column of lists or other nested values.
        ArgumentError: The names aren't text, or the first argument is neither a corpus nor a polars frame.
    """
    items = items_of(corpus_or_items).lazy()
    names = _names(by)
    if not isinstance(corpus_or_items, Corpus):
        alone = {
            "items": items.collect_schema().to_frame(),
            "runs": pl.DataFrame(),
            "run_facts": empty_table("run_facts"),
        }
        return GroupedItems(items=_with_own(items, _columns_of_items(alone, names)), columns=names, run_groups=None)
    tables = corpus_or_items.tables()
    columns = {name: _single_valued(name, find_column(tables, name)) for name in names}
    of_items = {name: column for name, column in columns.items() if column.table == "items"}
    of_runs = runs_with(tables, (name for name in names if name not in of_items))
    grouped = _with_own(items, of_items)
    if of_runs.width > 1:
        grouped = grouped.join(of_runs.lazy(), on="run_id", how="left", maintain_order="left")
    run_groups = None if of_items or not names else of_runs.select(names).unique()
    return GroupedItems(items=grouped, columns=names, run_groups=run_groups)


def group_label(row: Mapping[str, Any], columns: Sequence[str]) -> str:
    """Return what a group is called: its values joined by " · ".

    Args:
        row: A row with the group columns.
        columns: Their names; none for the only group there is.

    Example:
        >>> group_label({"variant": "simple", "repeat": None}, ["variant", "repeat"])
        'simple · (not recorded)'
    """
    values = (row[column] for column in columns)
    return " · ".join(NOT_RECORDED if value is None else str(value) for value in values) or EVERYTHING


def require_free_names(columns: Sequence[str], taken: Container[str], *, of: str) -> None:
    """Refuse to group by what a result has a column of its own for.

    Args:
        columns: The group columns.
        taken: The columns of the result.
        of: What the result is called, with its verb, such as "a tally has".

    Raises:
        ColumnError: A group column has the name of one of these.
    """
    clashing = [name for name in columns if name in taken]
    if clashing:
        message = f"{clashing[0]!r} can't be grouped by: {of} a column of that name; rename it first"
        raise ColumnError(message)


def group_evaluations(
    evaluations: Evaluations, by: str | Sequence[str] | None = None, *, taken: Container[str] = ()
) -> tuple[str, ...]:
    """Check the names to group stored evaluations by: columns of `evaluations` with single values.

    Args:
        evaluations: The stored evaluations.
        by: One name, several, or none for one group of everything.
        taken: Columns that the result has besides, which no group may be called by.

    Raises:
        ColumnError: A name is unknown, given twice, taken, or a column of lists or other nested values.
        ArgumentError: The names aren't text.
    """
    names = _names(by)
    schema = evaluations.evaluations.schema
    for name in names:
        if name not in schema:
            message = f"there is no column {name!r} in evaluations; available are {', '.join(schema)}"
            raise ColumnError(message)
        if name in taken:
            message = f"{name!r} can't be grouped by: the result has a column of that name"
            raise ColumnError(message)
        _single_valued(name, Column("evaluations", name, schema[name]))
    return names


def _names(by: object) -> tuple[str, ...]:
    names = () if by is None else (by,) if isinstance(by, str) else by
    if not isinstance(names, Sequence) or not all(isinstance(name, str) for name in names):
        message = f"`by` takes the name of a column or a list of names, not {one_line(by)}"
        raise ArgumentError(message)
    if len(set(names)) < len(names):
        message = f"a name is given twice to group by: {some_names(names)}"
        raise ColumnError(message)
    return tuple(names)


def _columns_of_items(alone: Mapping[str, pl.DataFrame], names: tuple[str, ...]) -> dict[str, Column]:
    try:
        columns = {name: find_column(alone, name) for name in names}
    except ColumnError as error:
        message = f"{error} (these are items alone: to group by runs and run facts, give the corpus)"
        raise ColumnError(message) from None
    return {name: _single_valued(name, column) for name, column in columns.items()}


def _single_valued(name: str, column: Column) -> Column:
    if column.dtype.is_nested() or column.dtype == pl.Object:
        message = (
            f"{name!r} can't be grouped by: its values are of type {column.dtype}; choose a column of single values"
        )
        raise ColumnError(message)
    return column


def _with_own(items: pl.LazyFrame, columns: Mapping[str, Column]) -> pl.LazyFrame:
    return items.with_columns(pl.col(column.name).alias(name) for name, column in columns.items())
