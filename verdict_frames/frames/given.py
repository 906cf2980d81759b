"""Columns of a frame that someone else made, each brought to the type that our tables have."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, cast

import polars as pl
import pyarrow as pa

from verdict_frames.errors import ArgumentError, ColumnError, some_names
from verdict_frames.vocabulary import Support

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def columns_of(frame: object, wanted: Mapping[str, object]) -> pl.DataFrame:
    """Take the columns that are wanted out of a frame of any library.

    Args:
        frame: Of polars, pandas or Arrow, or anything with an Arrow stream.
        wanted: What each column is wanted for → its name.

    Returns:
        Grain as given; the columns by their names.

    Raises:
        ArgumentError: It is no frame.
        ColumnError: A column doesn't exist, exists twice, or holds values of several types.
    """
    for role, name in wanted.items():
        if not isinstance(name, str):
            message = f"{role} is the name of a column, not {name!r:.60}"
            raise ArgumentError(message)
    names = list(dict.fromkeys(map(str, wanted.values())))
    if isinstance(frame, pl.LazyFrame):
        _require(wanted, frame.collect_schema().names())
        return frame.select(names).collect()
    if isinstance(frame, pl.DataFrame):
        _require(wanted, frame.columns)
        return frame.select(names)
    _require_frame(frame, "items")
    of_pandas: Any = frame if hasattr(frame, "iloc") and hasattr(frame, "columns") else None
    if of_pandas is not None:
        _require(wanted, of_pandas.columns)
        frame = of_pandas[names]  # its other columns may hold what Arrow can't
    table = _arrow_table(frame, names)
    _require(wanted, table.column_names)
    return cast("pl.DataFrame", pl.from_arrow(table.select(names)))


def frame_of(frame: object) -> pl.DataFrame:
    """Take a frame of any library whole.

    Args:
        frame: Of polars, pandas or Arrow, or anything with an Arrow stream.

    Raises:
        ArgumentError: It is no frame.
        ColumnError: Columns have the same name, or a column holds values of several types.
    """
    if isinstance(frame, pl.LazyFrame):
        return frame.collect()
    if isinstance(frame, pl.DataFrame):
        return frame
    _require_frame(frame, "facts")
    columns: Any = getattr(frame, "columns", ())
    table = _arrow_table(frame, list(map(str, columns)))
    twice = [name for name, count in Counter(table.column_names).items() if count > 1]
    if twice:
        message = f"several columns are called {twice[0]!r}; rename them first"
        raise ColumnError(message)
    return cast("pl.DataFrame", pl.from_arrow(table))


def _require_frame(frame: object, what: str) -> None:
    if not hasattr(frame, "__arrow_c_stream__") or isinstance(frame, pl.Series | pa.ChunkedArray):
        message = (
            f"{what} are given as a frame of polars, pandas or Arrow, or anything with an Arrow stream, not as "
            f"{type(frame).__name__}; rows make one by pl.DataFrame(rows)"
        )
        raise ArgumentError(message)


def _arrow_table(frame: Any, names: list[str]) -> pa.Table:  # noqa: ANN401 - a frame of any library
    try:
        return pa.table(frame)
    except (pa.ArrowException, ValueError) as error:
        message = f"the columns {some_names(names)} can't become Arrow columns: {str(error).splitlines()[0]}"
        raise ColumnError(message) from error


def texts(frame: pl.DataFrame, name: str | None, *, role: str) -> pl.Series:
    """A column of names as text; of nulls where there is no column.

    Raises:
        ColumnError: Its values are neither text nor integers.
    """
    if name is None:
        return _nulls(frame, pl.String())
    dtype = frame[name].dtype
    if not (isinstance(dtype, pl.String | pl.Categorical | pl.Enum | pl.Null) or dtype.is_integer()):
        raise ColumnError(_wrong(frame[name], "text or integers", role))
    return frame[name].cast(pl.String)


def messages(frame: pl.DataFrame, name: str | None, *, role: str) -> pl.Series:
    """A column of messages as text; of nulls where there is no column.

    Raises:
        ColumnError: Its values are no text.
    """
    if name is None or frame[name].dtype == pl.Null:
        return _nulls(frame, pl.String())
    if not isinstance(frame[name].dtype, pl.String | pl.Categorical | pl.Enum):
        raise ColumnError(_wrong(frame[name], "text", role))
    return frame[name].cast(pl.String)


def flags(frame: pl.DataFrame, name: str | None, *, role: str) -> pl.Series:
    """A column of true and false; of nulls where there is no column.

    Raises:
        ColumnError: It holds something else.
    """
    if name is None or frame[name].dtype == pl.Null:
        return _nulls(frame, pl.Boolean())
    if frame[name].dtype != pl.Boolean:
        raise ColumnError(_wrong(frame[name], "true and false", role))
    return frame[name]


def integers(frame: pl.DataFrame, name: str | None, *, role: str) -> pl.Series:
    """A column of integers of 32 bits, also where pandas wrote them as 3.0; of nulls where there is no column.

    Raises:
        ColumnError: It holds something else.
    """
    if name is None or frame[name].dtype == pl.Null:
        return _nulls(frame, pl.Int32())
    column = frame[name]
    if not (column.dtype.is_integer() or column.dtype.is_float()):
        raise ColumnError(_wrong(column, "integers", role))
    unfit = column.filter((column.cast(pl.Int32, strict=False) != column).fill_null(value=True) & column.is_not_null())
    if unfit.len():
        message = f"{role}={name!r}: it holds {unfit[0]!r}, which is no integer of 32 bits"
        raise ColumnError(message)
    return column.cast(pl.Int32)


def supports(frame: pl.DataFrame, name: str | None, *, role: str) -> pl.Series:
    """A column of supports; UNDETERMINED where it is null, and everywhere where there is no column.

    Raises:
        ColumnError: It holds something else.
    """
    dtype = pl.Enum(Support)
    tokens = messages(frame, name, role=role).fill_null(Support.UNDETERMINED.value)
    unknown = [token for token in tokens.unique(maintain_order=True) if token not in dtype.categories]
    if unknown:
        message = f"{role}={name!r}: {unknown[0]!r} is no support; it is one of {', '.join(Support)}, or missing"
        raise ColumnError(message)
    return tokens.cast(dtype)


def _nulls(frame: pl.DataFrame, dtype: pl.DataType) -> pl.Series:
    return pl.Series([None], dtype=dtype).new_from_index(0, frame.height)


def _wrong(column: pl.Series, expected: str, role: str) -> str:
    return f"{role}={column.name!r}: expected {expected}, found values of type {column.dtype}; cast the column first"


def _require(wanted: Mapping[str, object], columns: Iterable[object]) -> None:
    counts = Counter(columns)
    for role, name in wanted.items():
        if name not in counts:
            message = f"{role}={name!r}: there is no such column; there are {', '.join(map(str, counts)) or 'none'}"
            raise ColumnError(message)
        if counts[name] > 1:
            message = f"{role}={name!r}: {counts[name]} columns have this name; rename them first"
            raise ColumnError(message)
