"""Cells and columns of a report's tables, made from the rows of a result."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from verdict_frames.reporting.printable import printable
from verdict_frames.reporting.sentences import percent
from verdict_frames.reporting.value import Cell, CellKind, Column, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from verdict_frames.reporting.value import Value

NOT_RECORDED = "not recorded"
"""What stands where a group goes by a value that is null."""


def text(label: str, about: str = "") -> Column:
    """A column of names and other recorded text."""
    return Column(label=label, kind=CellKind.TEXT, about=about)


def words(label: str, about: str = "") -> Column:
    """A column of words of ours."""
    return Column(label=label, kind=CellKind.WORDS, about=about)


def count(label: str, about: str = "") -> Column:
    """A column of counts."""
    return Column(label=label, kind=CellKind.COUNT, about=about)


def share(label: str, about: str = "") -> Column:
    """A column of shares."""
    return Column(label=label, kind=CellKind.SHARE, about=about)


def number(label: str, about: str = "") -> Column:
    """A column of other numbers."""
    return Column(label=label, kind=CellKind.NUMBER, about=about)


def cell(value: object, items: Iterable[int] | None = None) -> Cell:
    """A cell that holds a value of a frame; what is neither text nor a number is shown as text."""
    return Cell(value=plain(value), items=None if items is None else tuple(items))


def plain(value: object) -> Value:
    """A value of a frame as a cell holds it."""
    if value is None or (isinstance(value, (str, int, float)) and not isinstance(value, bool)):
        return str(value) if isinstance(value, str) else value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, pl.Series)):
        return ", ".join(str(part) for part in value)
    return str(value)


def written(value: Value, kind: CellKind) -> str:
    """Write the value of a cell for people; null is a dash, or not recorded where it names a group."""
    if value is None:
        return NOT_RECORDED if kind is CellKind.TEXT else "–"
    if kind is CellKind.SHARE and isinstance(value, (int, float)):
        return percent(value)
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        size = abs(value)
        return f"{value:,.0f}" if size >= 100 else f"{value:,.2f}" if size >= 10 else f"{value:.3f}"
    return printable(value, one_line=True) if value.strip() else "(blank)"


def table_of(
    frame: pl.DataFrame,
    columns: Mapping[str, Column],
    *,
    caption: str,
    heads: int = 1,
    items: Mapping[str, Sequence[Iterable[int]]] | None = None,
    most: int | None = None,
    folded: bool = False,
) -> Table:
    """Make a table of some columns of a frame.

    Args:
        frame: Any frame whose cells are scalars or lists.
        columns: Name of a column in the frame → what it is in the table.
        caption: What the rows are.
        heads: How many columns from the left name the row.
        items: Name of a column → the items behind each of its cells, row by row.
        most: How many rows are shown; none for all.
        folded: Whether the table is to be looked up rather than read.
    """
    behind = items or {}
    shown = frame if most is None else frame.head(most)
    rows = tuple(
        tuple(cell(row[name], behind[name][place] if name in behind else None) for name in columns)
        for place, row in enumerate(shown.iter_rows(named=True))
    )
    return Table(
        caption=caption,
        columns=tuple(columns.values()),
        rows=rows,
        heads=heads,
        hidden=frame.height - shown.height,
        folded=folded,
    )


def with_interval(
    frame: pl.DataFrame, name: str, ends: str, *, prefix: str = "", method: str | None = None, shares: bool = True
) -> pl.DataFrame:
    """Add a column that says an interval, or why there is none; null where nothing is said.

    Args:
        frame: Rows with the ends of an interval, and its method or the reason why it is missing.
        name: What the new column is called.
        ends: What the names of the ends and the method begin with, as in `ci_low`, `ci_high`, `ci_method`.
        prefix: What stands before that.
        method: The column that says why there is none, where it isn't the method.
        shares: Whether the ends are shares, which are written as percentages.
    """
    low, high = (frame[f"{prefix}{ends}_{part}"] for part in ("low", "high"))
    reasons = frame[method if method is not None else f"{prefix}{ends}_method"]
    said = [
        why if lower is None else f"{_end(lower, shares=shares)} to {_end(upper, shares=shares)}"
        for lower, upper, why in zip(low, high, reasons, strict=True)
    ]
    return frame.with_columns(pl.Series(name, said, dtype=pl.String))


def _end(value: float, *, shares: bool) -> str:
    return percent(value) if shares else f"{value:.2f}"


def label(name: str) -> str:
    """Return what a column to group by is called; the name of a run fact stays as it was recorded."""
    return name if "." in name else name.removesuffix("_name").replace("_", " ")


def counted_columns(rows: pl.DataFrame, names: Mapping[str, Column]) -> dict[str, Column]:
    """Return the columns in which some row has something other than 0."""
    return {name: column for name, column in names.items() if _is_counted(rows, name)}


def recorded_columns(rows: pl.DataFrame, names: Mapping[str, Column]) -> dict[str, Column]:
    """Return the columns in which some row has something recorded."""
    return {name: column for name, column in names.items() if rows[name].null_count() < rows.height}


def _is_counted(rows: pl.DataFrame, name: str) -> bool:
    return bool((rows[name] != 0).any())
