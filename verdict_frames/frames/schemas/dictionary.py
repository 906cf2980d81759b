"""The data dictionary: what each column of each table means, as their declarations say it."""

from __future__ import annotations

import polars as pl

from verdict_frames.errors import OptionError
from verdict_frames.frames.schemas.tables import MODELS


def data_dictionary(table: str | None = None) -> pl.DataFrame:
    """List the columns of the tables with their types and meanings.

    Args:
        table: One table; all of them without it.

    Returns:
        Grain one column, in the order of the tables and their columns: `table`, `column`, `type` (of polars; for an
        enum its tokens), `is_key` (whether it is part of the table's key), `nullable`, `description`.

    Raises:
        OptionError: No table has that name.

    Examples:
        >>> data_dictionary("scores").select("column", "type", "is_key").row(3)
        ('value', 'Float64', False)
    """
    if table is not None and table not in MODELS:
        message = f"there is no table {table!r}; choose one of {', '.join(MODELS)}"
        raise OptionError(message)
    rows = [
        {
            "table": name,
            "column": column.name,
            "type": _type_name(column.dtype),
            "is_key": column.name in declared.key,
            "nullable": column.nullable,
            "description": column.description,
        }
        for name, declared in MODELS.items()
        if table in (None, name)
        for column in declared.columns
    ]
    return pl.DataFrame(rows, infer_schema_length=None)


def _type_name(dtype: pl.DataType) -> str:
    match dtype:
        case pl.Enum():
            return f"Enum({', '.join(dtype.categories)})"
        case pl.List(inner=pl.Struct(fields=fields)):
            return f"List(Struct({', '.join(f'{field.name}: {field.dtype}' for field in fields)}))"
        case pl.Datetime(time_unit=unit, time_zone=zone):
            return f"Datetime({unit}, {zone})"
        case _:
            return str(dtype)
