"""A part of a corpus: the runs and items that conditions hold for, and what belongs to them in every table."""

from __future__ import annotations

from enum import Enum
from math import isnan
from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from verdict_frames.errors import ArgumentError, ColumnError, one_line
from verdict_frames.frames.lookup import find_column, items_with, runs_with
from verdict_frames.frames.schemas.tables import key, polars_schema

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_OF_ITEMS = ("scores", "stages", "seats", "checks", "defects")
_ROW = "row of the corpus"


def select(
    tables: Mapping[str, pl.DataFrame], expressions: Sequence[pl.Expr], constraints: Mapping[str, object]
) -> dict[str, pl.DataFrame]:
    """Keep the runs and items that all conditions hold for.

    Conditions that name columns of runs and run facts only choose runs. All others choose items, and the runs that have
    any of these.

    Args:
        tables: All tables by name.
        expressions: True for what stays; null counts as false.
        constraints: Name of a column → its value, or a list of allowed values; `None` stands for null.

    Returns:
        All tables by name, rows in the order they were in, `runs.item_count` counted anew.

    Raises:
        ColumnError: A name stands for no column or for several, a value can't be one of the column's, or an expression
            can't be evaluated to true or false.
        ArgumentError: A condition isn't a polars expression.
    """
    conditions = [(expression, columns_of(expression)) for expression in expressions]
    conditions += [
        (constraint(name, find_column(tables, name).dtype, value), [name]) for name, value in constraints.items()
    ]
    of_runs = _Chosen([], [])
    of_items = _Chosen([], [])
    for condition, names in conditions:
        about_items = any(find_column(tables, name).table == "items" for name in names)
        chosen = of_items if about_items else of_runs
        chosen.conditions.append(condition)
        chosen.names.extend(names)
    selected = dict(tables)
    if of_runs.conditions:
        rows = rows_that_hold(runs_with(selected, of_runs.names), of_runs.conditions)
        selected = _with_runs(selected, selected["runs"][rows])
    if of_items.conditions:
        rows = rows_that_hold(items_with(selected, of_items.names), of_items.conditions)
        selected = _with_items(selected, selected["items"][rows])
    return selected


class _Chosen(NamedTuple):
    conditions: list[pl.Expr]
    names: list[str]


def columns_of(expression: object) -> list[str]:
    """Name the columns that a condition is about.

    Raises:
        ArgumentError: It isn't a polars expression.
        ColumnError: It is about columns that it doesn't name one by one.
    """
    if not isinstance(expression, pl.Expr):
        message = (
            f"a condition is a polars expression such as pl.col('reading') == 'REJECTED', not {one_line(expression)}"
        )
        raise ArgumentError(message)
    if expression.meta.has_multiple_outputs():
        message = f"the condition {_shown(expression)} is about several columns at once; name one column at a time"
        raise ColumnError(message)
    return list(dict.fromkeys(expression.meta.root_names()))


def constraint(name: str, dtype: pl.DataType, value: object) -> pl.Expr:
    """Make a condition of a column's name and what it shall be.

    Args:
        name: The column.
        dtype: Its type.
        value: Its value, or several allowed ones; `None` stands for null.

    Raises:
        ColumnError: A value can't be one of the column's.
    """
    if dtype.is_nested():
        message = f"{name!r} holds lists; write the condition as an expression, with pl.col({name!r}).list"
        raise ColumnError(message)
    given = list(value) if isinstance(value, list | tuple | set | frozenset) else [value]
    values = [one.value if isinstance(one, Enum) else one for one in given if one is not None]
    if isinstance(dtype, pl.Enum):
        tokens = dtype.categories.to_list()
        unknown = [one for one in values if not isinstance(one, str) or one not in tokens]
        if unknown:
            message = f"{name!r} is never {one_line(unknown[0])}; it is one of {', '.join(tokens)}"
            raise ColumnError(message)
    if any(isinstance(one, float) and isnan(one) for one in values):
        message = f"{name!r} is never NaN: what wasn't recorded is null, for which None stands"
        raise ColumnError(message)
    try:
        allowed = pl.Series(values, dtype=dtype)
    except (TypeError, ValueError, OverflowError, pl.exceptions.PolarsError):
        message = f"{name!r} can't be compared with {one_line(value)}: its values are of type {dtype}"
        raise ColumnError(message) from None
    holds = pl.col(name).is_in(allowed.implode())
    return holds | pl.col(name).is_null() if len(values) < len(given) else holds


def rows_that_hold(frame: pl.DataFrame, conditions: Sequence[pl.Expr]) -> pl.Series:
    """Find the places of the rows for which all conditions are true.

    Raises:
        ColumnError: A condition can't be evaluated to true or false.
    """
    try:
        return frame.with_row_index(_ROW).filter(conditions)[_ROW]
    except pl.exceptions.PolarsError as error:
        shown = " and ".join(_shown(condition) for condition in conditions)
        message = f"the condition {shown} can't be evaluated: {str(error).splitlines()[0]}"
        raise ColumnError(message) from error


def _shown(expression: pl.Expr) -> str:
    return " ".join(str(expression).split())


def _with_runs(tables: Mapping[str, pl.DataFrame], runs: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """Keep what belongs to the given runs, and what belongs to no run of the corpus."""
    gone = tables["runs"].join(runs, on="run_id", how="anti")
    return {
        table: runs if table == "runs" else frame.join(gone, on="run_id", how="anti", maintain_order="left")
        for table, frame in tables.items()
    }


def _with_items(tables: Mapping[str, pl.DataFrame], items: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """Keep what belongs to the given items, and the runs that have any."""
    counts = items.group_by("run_id").len("item_count")
    runs = tables["runs"].drop("item_count").join(counts, on="run_id", how="inner", maintain_order="left")
    dtype = polars_schema("runs")["item_count"]
    selected = _with_runs(tables, runs.select(tables["runs"].columns).cast({"item_count": dtype}))
    on = list(key("items"))
    for table in _OF_ITEMS:
        selected[table] = selected[table].join(items.select(on), on=on, how="semi", maintain_order="left")
    selected["items"] = items
    return selected
