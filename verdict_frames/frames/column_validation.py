"""Each table by itself, validated by pandera; the only module that knows pandera.

Importing pandera takes longer than all else, and it brings pandas along where that is installed. So this module is
imported by `verdict_frames.frames.validation` alone, and only once there is a table to validate.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pandera.polars as pa
import polars as pl
from pandera.config import ValidationDepth, config_context
from pandera.errors import SchemaErrors

from verdict_frames.frames.neighbours import ascends
from verdict_frames.frames.rules import Breach
from verdict_frames.frames.schemas.tables import MODELS, key

if TYPE_CHECKING:
    from verdict_frames.frames.schemas.columns import Column


def column_breach(table: str, frame: pl.DataFrame) -> Breach | None:
    """Look whether a table keeps to its declaration: columns, types, nulls, ranges, keys.

    Pandera checks only names and types of a lazy frame, and an environment variable switches it off; here it gets an
    eager frame and a configuration of our own.

    Args:
        table: Name of the table.
        frame: Its rows.

    Returns:
        The first thing that is wrong, or nothing.
    """
    with config_context(validation_enabled=True, validation_depth=ValidationDepth.SCHEMA_AND_DATA):
        try:
            _pandera_schema(table).validate(frame, lazy=True)
            if not _has_distinct_keys(table, frame):
                _pandera_keys(table).validate(frame, lazy=True)
        except SchemaErrors as errors:
            return _first_breach(table, frame, errors.failure_cases)
    return None


@cache
def _pandera_schema(table: str) -> pa.DataFrameSchema:
    columns = {column.name: _pandera_column(column) for column in MODELS[table].columns}
    return pa.DataFrameSchema(columns, strict=True, ordered=True, coerce=False)


@cache
def _pandera_keys(table: str) -> pa.DataFrameSchema:
    return pa.DataFrameSchema(unique=list(MODELS[table].key))


def _has_distinct_keys(table: str, frame: pl.DataFrame) -> bool:
    """Whether a table needs no look for repeated keys, which takes more memory than all else."""
    declared = MODELS[table].key
    return not declared or ascends(frame, declared)


def _pandera_column(column: Column) -> pa.Column:
    checks = []
    if column.ge is not None:
        checks.append(pa.Check.ge(column.ge))
    if column.le is not None:
        checks.append(pa.Check.le(column.le))
    return pa.Column(column.dtype, checks, nullable=column.nullable)


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
