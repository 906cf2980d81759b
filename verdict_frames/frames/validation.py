"""The one door through which tables are validated.

Pandera checks only names and types of a lazy frame, and an environment variable switches it off, so it is called from
nowhere else: here it gets eager frames only, and a configuration of our own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl
from pandera.config import ValidationDepth, config_context
from pandera.errors import SchemaErrors

from verdict_frames.errors import ArgumentError, SchemaError
from verdict_frames.frames.facts import NO_FACTS, FactColumns, is_fact_type, not_finite, recorded_part
from verdict_frames.frames.rules import Breach, breaches
from verdict_frames.frames.schemas.tables import EVALUATION_TABLES, TABLES, key

if TYPE_CHECKING:
    from collections.abc import Mapping

    from verdict_frames.frames.schemas.columns import Table


def validate(tables: Mapping[str, pl.DataFrame], fact_columns: FactColumns = NO_FACTS) -> None:
    """Check that tables keep to their models and fit together.

    Checked are columns, types, nulls, ranges and keys of each table; then the rules between columns, that every row
    belongs to a row of the table above it, and that every count equals the number of rows it counts.

    Args:
        tables: All tables of a corpus, or all about stored evaluations, by name, as eager frames.
        fact_columns: The columns that were added to tables on purpose; any other that the models don't have is refused.

    Raises:
        SchemaError: A rule is broken; the message names table, column and rule, how many rows break it and the key of
            the first, and nothing else of the rows.
        ArgumentError: A frame isn't an eager polars frame.
    """
    models = EVALUATION_TABLES if "evaluations" in tables else TABLES
    if sorted(tables) != sorted(models):
        what = "a corpus has" if models is TABLES else "evaluations have"
        message = f"{what} the tables {', '.join(models)}; these are {', '.join(tables) or 'none'}"
        raise SchemaError(message)
    for table, model in models.items():
        _validate_table(table, model, tables[table], fact_columns)
    for breach in breaches(tables):
        if breach.rows.height:
            raise SchemaError(_in_one_line(breach))


def _validate_table(table: str, model: type[Table], frame: object, fact_columns: FactColumns) -> None:
    if not isinstance(frame, pl.DataFrame):
        message = f"{table}: only an eager polars frame can be validated, not {type(frame).__name__}; collect it first"
        raise ArgumentError(message)
    for name in fact_columns.of(table):
        if name in frame.columns:
            _validate_fact(table, frame[name])
    frame = recorded_part(table, frame, fact_columns)
    with config_context(validation_enabled=True, validation_depth=ValidationDepth.SCHEMA_AND_DATA):
        try:
            model.validate(frame, lazy=True)
        except SchemaErrors as errors:
            raise SchemaError(_in_one_line(_first_breach(table, frame, errors.failure_cases))) from None


def _validate_fact(table: str, column: pl.Series) -> None:
    if not is_fact_type(column.dtype):
        message = f"{table}.{column.name}: facts can't be of type {column.dtype}"
        raise SchemaError(message)
    if not_finite(column):
        message = f"{table}.{column.name}: rule 'is finite' is broken in {not_finite(column)} rows"
        raise SchemaError(message)


def _first_breach(table: str, frame: pl.DataFrame, cases: pl.DataFrame) -> Breach:
    """Turn the first kind of failure that pandera lists into a breach, without the values it quotes."""
    context, column, check, case = cases.select("schema_context", "column", "check", "failure_case").row(0)
    same = cases.filter(
        pl.col("schema_context").eq_missing(context),
        pl.col("column").eq_missing(column),
        pl.col("check").eq_missing(check),
    )
    about_rows = same["index"].drop_nulls().unique().sort()
    rows = frame[about_rows.to_list()] if len(about_rows) else frame.clear()
    if context == "DataFrameSchema":
        column = "+".join(key(table)) if len(about_rows) else str(case)
    return Breach(table, str(column), str(check), rows)


def _in_one_line(breach: Breach) -> str:
    what = f"{breach.table}.{breach.column}: rule {breach.rule!r} is broken"
    if not breach.rows.height:
        return what
    first = breach.rows.select(name for name in key(breach.table) if name in breach.rows.columns).row(0, named=True)
    place = ", ".join(f"{name}={value!r}" for name, value in first.items())
    return f"{what} in {breach.rows.height} row{'s' if breach.rows.height > 1 else ''}, first where {place}"
