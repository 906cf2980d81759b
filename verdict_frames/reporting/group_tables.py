"""Tables with one row a group of a tally, in which each number leads to the items that it counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

from verdict_frames.reporting.cells import cell, label, text, words
from verdict_frames.reporting.sentences import percent, what_over
from verdict_frames.reporting.value import CellKind, Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    import polars as pl

    from verdict_frames.reporting.value import Cell, Column

INTERVAL: Final = "interval"
"""The name of the column that says the interval of a rate, or why there is none."""


class Followed(Protocol):
    """Things that were counted by group, and can be told again for each count."""

    @property
    def groups(self) -> tuple[str, ...]:
        """The names of the group columns."""

    def behind(self, name: str, group: tuple[Any, ...] | None = None) -> tuple[int, ...]:
        """Return the ordinals of what a count of a group stands for."""


def by_words(followed: Followed) -> str:
    """Say what the groups go by, with a space before; empty for one group of everything."""
    return f" by {' and '.join(map(label, followed.groups))}" if followed.groups else ""


def group_table(
    followed: Followed, rows: pl.DataFrame, columns: Mapping[str, Column], *, caption: str, rate: str
) -> Table:
    """Make a table of some columns of a tally.

    Args:
        followed: What was counted.
        rows: The tally, by the same groups.
        columns: Name of a column of the tally, or `INTERVAL` → what it is in the table.
        caption: What the rows are.
        rate: The column whose interval is shown; it leads to the eligible ones.
    """
    heads = [text(label(name)) for name in followed.groups] or [words("")]
    return Table(
        caption=caption,
        columns=(*heads, *columns.values()),
        rows=tuple(_row(followed, row, columns, rate) for row in rows.iter_rows(named=True)),
        heads=len(heads),
    )


def _row(followed: Followed, row: dict[str, Any], columns: Mapping[str, Column], rate: str) -> tuple[Cell, ...]:
    group = tuple(row[name] for name in followed.groups)
    heads = [cell(value) for value in group] or [cell("all")]
    return (*heads, *(_counted(followed, row, name, column, group, rate) for name, column in columns.items()))


def _counted(
    followed: Followed, row: dict[str, Any], name: str, column: Column, group: tuple[Any, ...], rate: str
) -> Cell:
    if name == INTERVAL:
        return cell(interval_in_words(row, rate))
    if name == rate:
        return cell(row[name], followed.behind("eligible", group))
    if name == "naive_rate":
        return cell(row[name], followed.behind("naive_passes", group))
    return cell(row[name], followed.behind(name, group) if column.kind is CellKind.COUNT else None)


def interval_in_words(row: Mapping[str, Any], rate: str) -> str | None:
    """Write the interval of a row of a tally, or why there is none; null where there is no rate either."""
    if row[rate] is None:
        return None
    if row["ci_low"] is None:
        return str(row["ci_method"])
    over = what_over(row) if rate == "pass_rate" else ""
    return f"{percent(row['ci_low'])} to {percent(row['ci_high'])}{over}"
