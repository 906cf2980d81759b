"""The one door through which tables are validated."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Final

import polars as pl

from verdict_frames.errors import ArgumentError, SchemaError
from verdict_frames.frames.facts import NO_FACTS, FactColumns, is_fact_type, not_finite, recorded_part
from verdict_frames.frames.rules import Breach, breaches
from verdict_frames.frames.schemas.tables import EVALUATION_TABLES, TABLES, key

if TYPE_CHECKING:
    from collections.abc import Mapping

_COLUMN_VALIDATION: Final = "verdict_frames.frames.column_validation"
"""What validates one table by itself; it is imported with the first table, because pandera takes long to import."""


def prepare() -> None:
    """Import what validates, for those who have to wait for something else anyway."""
    importlib.import_module(_COLUMN_VALIDATION)


def validate(tables: Mapping[str, pl.DataFrame], fact_columns: FactColumns = NO_FACTS) -> None:
    """Check that tables keep to their declarations and fit together.

    Checked are columns, types, nulls, ranges and keys of each table; then the rules between columns, that every row
    belongs to a row of the table above it, and that every count equals the number of rows it counts.

    Args:
        tables: All tables of a corpus, or all about stored evaluations, by name, as eager frames.
        fact_columns: The columns that were added to tables on purpose; any other undeclared one is refused.

    Raises:
        SchemaError: A rule is broken; the message names table, column and rule, how many rows break it and the key of
            the first, and nothing else of the rows.
        ArgumentError: A frame isn't an eager polars frame.
    """
    declared = EVALUATION_TABLES if "evaluations" in tables else TABLES
    if sorted(tables) != sorted(declared):
        what = "a corpus has" if declared is TABLES else "evaluations have"
        message = f"{what} the tables {', '.join(declared)}; these are {', '.join(tables) or 'none'}"
        raise SchemaError(message)
    for table in declared:
        broken = _column_breach(table, tables[table], fact_columns)
        if broken is not None:
            raise SchemaError(_in_one_line(broken))
    for breach in breaches(tables):
        if breach.rows.height:
            raise SchemaError(_in_one_line(breach))


def _column_breach(table: str, frame: object, fact_columns: FactColumns) -> Breach | None:
    if not isinstance(frame, pl.DataFrame):
        message = f"{table}: only an eager polars frame can be validated, not {type(frame).__name__}; collect it first"
        raise ArgumentError(message)
    recorded = recorded_part(table, frame, fact_columns)
    for name in fact_columns.of(table):
        if not is_fact_type(frame.schema[name]):
            return Breach(table, name, f"facts aren't of type {frame.schema[name]}", frame.clear())
        if not_finite(frame[name]):
            return Breach(table, name, "is finite", frame.clear())
    found: Breach | None = importlib.import_module(_COLUMN_VALIDATION).column_breach(table, recorded)
    return found


def _in_one_line(breach: Breach) -> str:
    what = f"{breach.table}.{breach.column}: rule {breach.rule!r} is broken"
    if not breach.rows.height:
        return what
    first = breach.rows.select(name for name in key(breach.table) if name in breach.rows.columns).row(0, named=True)
    place = ", ".join(f"{name}={value!r}" for name, value in first.items())
    return f"{what} in {breach.rows.height} row{'s' if breach.rows.height > 1 else ''}, first where {place}"
