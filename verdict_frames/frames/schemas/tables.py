"""The tables by name, with the polars and Arrow schemas that follow from their declarations."""

from __future__ import annotations

from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import polars as pl
import pyarrow as pa

from verdict_frames.frames.schemas.evaluations import ANSWERS, EVALUATIONS, REVIEW_REASONS
from verdict_frames.frames.schemas.items import DEFECTS, ITEMS, SCORES
from verdict_frames.frames.schemas.runs import PROBLEMS, RUN_FACTS, RUNS, SOURCES
from verdict_frames.frames.schemas.stages import CHECKS, SEATS, STAGES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from polars._typing import PolarsDataType

    from verdict_frames.frames.schemas.columns import Table

SCHEMA_VERSION: Final = 1
"""Version of the tables' form; it goes up whenever a column comes, goes or changes its meaning."""

TABLES: Final[Mapping[str, Table]] = MappingProxyType(
    {
        "runs": RUNS,
        "run_facts": RUN_FACTS,
        "items": ITEMS,
        "scores": SCORES,
        "stages": STAGES,
        "seats": SEATS,
        "checks": CHECKS,
        "defects": DEFECTS,
        "sources": SOURCES,
        "problems": PROBLEMS,
    }
)
"""Each table of a corpus, parents before their children."""

EVALUATION_TABLES: Final[Mapping[str, Table]] = MappingProxyType(
    {
        "evaluations": EVALUATIONS,
        "answers": ANSWERS,
        "review_reasons": REVIEW_REASONS,
        "sources": SOURCES,
        "problems": PROBLEMS,
    }
)
"""Each table about stored evaluations, parents before their children."""

MODELS: Final[Mapping[str, Table]] = MappingProxyType({**TABLES, **EVALUATION_TABLES})
"""Every table there is."""


@cache
def key(table: str) -> tuple[str, ...]:
    """The columns that say which row of a table is meant.

    They are unique in every table but `sources` and `problems`, where they only tell the place: one corpus may hold two
    readings of a folder, and one place may have several problems.

    Args:
        table: Name of the table.

    Returns:
        Names of columns, in the table's order.

    Examples:
        >>> key("items")
        ('run_id', 'item_index')
    """
    return MODELS[table].key or ("path", "member")


@cache
def polars_schema(table: str) -> pl.Schema:
    """The columns of a table with their polars types.

    Args:
        table: Name of the table.

    Returns:
        Name → type, in the table's order.

    Examples:
        >>> dict(polars_schema("scores"))
        {'run_id': String, 'item_index': Int32, 'name': String, 'value': Float64}
    """
    return pl.Schema({column.name: column.dtype for column in MODELS[table].columns})


@cache
def arrow_schema(table: str) -> pa.Schema:
    """The columns of a table with their Arrow types; closed vocabularies are plain strings there.

    Args:
        table: Name of the table.

    Returns:
        The schema, each field saying whether it may be null.

    Examples:
        >>> arrow_schema("scores").field("value")
        pyarrow.Field<value: double not null>
    """
    return pa.schema(
        [pa.field(column.name, _arrow_type(column.dtype), nullable=column.nullable) for column in MODELS[table].columns]
    )


def empty_table(table: str) -> pl.DataFrame:
    """A table without rows.

    Args:
        table: Name of the table.

    Returns:
        A frame with every column of the table and its type.

    Examples:
        >>> empty_table("runs").height
        0
    """
    return pl.DataFrame(schema=polars_schema(table))


_PLAIN: Final[Mapping[type[pl.DataType], pa.DataType]] = MappingProxyType(
    {
        pl.String: pa.large_string(),
        pl.Enum: pa.large_string(),
        pl.Boolean: pa.bool_(),
        pl.Int32: pa.int32(),
        pl.Int64: pa.int64(),
        pl.Float64: pa.float64(),
    }
)


def _arrow_type(dtype: pl.DataType) -> pa.DataType:
    match dtype:
        case pl.List(inner=inner):
            return pa.large_list(_arrow_type(_instance(inner)))
        case pl.Struct(fields=fields):
            return pa.struct([pa.field(field.name, _arrow_type(_instance(field.dtype))) for field in fields])
        case pl.Datetime(time_unit=unit, time_zone=zone):
            return pa.timestamp(unit, zone)
        case _:
            return _PLAIN[type(dtype)]


def _instance(dtype: PolarsDataType) -> pl.DataType:
    return dtype if isinstance(dtype, pl.DataType) else dtype()
