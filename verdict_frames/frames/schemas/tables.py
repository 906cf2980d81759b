"""The tables by name, with the polars and Arrow schemas that follow from their models."""

from __future__ import annotations

from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import polars as pl
import pyarrow as pa

from verdict_frames.frames.schemas.evaluations import Answers, EvaluationRows, ReviewReasons
from verdict_frames.frames.schemas.items import Defects, Items, Scores
from verdict_frames.frames.schemas.runs import Problems, RunFacts, Runs, Sources
from verdict_frames.frames.schemas.stages import Checks, Seats, Stages

if TYPE_CHECKING:
    from collections.abc import Mapping

    from polars._typing import PolarsDataType

    from verdict_frames.frames.schemas.columns import Table

SCHEMA_VERSION: Final = 1
"""Version of the tables' form; it goes up whenever a column comes, goes or changes its meaning."""

TABLES: Final[Mapping[str, type[Table]]] = MappingProxyType(
    {
        "runs": Runs,
        "run_facts": RunFacts,
        "items": Items,
        "scores": Scores,
        "stages": Stages,
        "seats": Seats,
        "checks": Checks,
        "defects": Defects,
        "sources": Sources,
        "problems": Problems,
    }
)
"""The model of each table of a corpus, parents before their children."""

EVALUATION_TABLES: Final[Mapping[str, type[Table]]] = MappingProxyType(
    {
        "evaluations": EvaluationRows,
        "answers": Answers,
        "review_reasons": ReviewReasons,
        "sources": Sources,
        "problems": Problems,
    }
)
"""The model of each table about stored evaluations, parents before their children."""

MODELS: Final[Mapping[str, type[Table]]] = MappingProxyType({**TABLES, **EVALUATION_TABLES})
"""The model of every table."""


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
    return tuple(MODELS[table].to_schema().unique or ("path", "member"))


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
    return pl.Schema({name: column.dtype.type for name, column in MODELS[table].to_schema().columns.items()})


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
    model = MODELS[table].to_schema()
    return pa.schema(
        [
            pa.field(name, _arrow_type(dtype), nullable=model.columns[name].nullable)
            for name, dtype in polars_schema(table).items()
        ]
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
