"""From columns as lists to Arrow, and from Arrow to polars.

Arrow refuses what it has no room for: text with unpaired surrogates, integers beyond the column's width. Such values
are rare, so they are looked for only once Arrow has refused a column.
"""

from __future__ import annotations

import re
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import polars as pl
import pyarrow as pa

from verdict_frames.frames.schemas.tables import arrow_schema, key, polars_schema
from verdict_frames.vocabulary import ProblemKind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_SURROGATES = re.compile("[\ud800-\udfff]")
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


class Repair(NamedTuple):
    """One value that couldn't be stored as it was.

    Attributes:
        column: The column concerned.
        row: The row of the batch, from 0.
        kind: `text` for replaced surrogates, `field` for a number that became null.
    """

    column: str
    row: int
    kind: ProblemKind


def record_batch(table: str, columns: Mapping[str, list[Any]]) -> tuple[pa.RecordBatch, list[Repair]]:
    """Build one batch of a table.

    Args:
        table: Name of the table.
        columns: All its columns by name, in any order.

    Returns:
        The batch, and what had to be changed for it: unpaired surrogates become U+FFFD; numbers that aren't finite or
        don't fit their column become null. Keys that were different stay different.
    """
    schema = arrow_schema(table)
    repairs: list[Repair] = []
    arrays = []
    for field in schema:
        values = columns[field.name]
        try:
            array = pa.array(values, field.type)
        except UnicodeEncodeError:
            values, repaired = _repair_text(table, field.name, columns)
        except (OverflowError, pa.ArrowInvalid):
            values, repaired = _repair_numbers(field, values)
        else:
            if not pa.types.is_floating(field.type) or pl.Series(array).is_finite().all():
                arrays.append(array)
                continue
            values, repaired = _repair_numbers(field, values)
        arrays.append(pa.array(values, field.type))
        repairs += repaired
    return pa.RecordBatch.from_arrays(arrays, schema=schema), repairs


def without_surrogates(text: str) -> str:
    """Replace each unpaired surrogate by U+FFFD.

    Examples:
        >>> without_surrogates("broken " + chr(0xD800)) == "broken " + chr(0xFFFD)
        True
    """
    return _SURROGATES.sub(_REPLACEMENT, text)


def to_frame(table: str, batches: Sequence[pa.RecordBatch]) -> pl.DataFrame:
    """Join the batches of a table in one polars frame.

    Args:
        table: Name of the table.
        batches: In the order of their rows; may be none.

    Returns:
        The frame with the table's polars types. Nothing is validated here.
    """
    frame = cast("pl.DataFrame", pl.from_arrow(pa.Table.from_batches(batches, arrow_schema(table))))
    return frame.cast({name: dtype for name, dtype in polars_schema(table).items() if isinstance(dtype, pl.Enum)})


def _repair_text(table: str, column: str, columns: Mapping[str, list[Any]]) -> tuple[list[Any], list[Repair]]:
    before = columns[column]
    after = [_clean(value) for value in before]
    rows = [row for row, (old, new) in enumerate(zip(before, after, strict=True)) if _differs(old, new)]
    if column in key(table):
        _keep_apart([columns[name] if name != column else after for name in key(table)], after, rows)
    return after, [Repair(column, row, ProblemKind.TEXT) for row in rows]


def _keep_apart(keys: Sequence[list[Any]], values: list[Any], changed: Sequence[int]) -> None:
    """Lengthen changed values of a key column until no two rows have the same key."""
    rows = set(changed)
    taken = {row_key for row, row_key in enumerate(zip(*keys, strict=True)) if row not in rows}
    for row in changed:
        while (row_key := tuple(column[row] for column in keys)) in taken:
            values[row] += _REPLACEMENT
        taken.add(row_key)


def _clean(value: object) -> object:
    match value:
        case str():
            return without_surrogates(value)
        case list() | tuple():
            return [_clean(member) for member in value]
        case dict():
            return {name: _clean(member) for name, member in value.items()}
        case _:
            return value


def _differs(old: object, new: object) -> bool:
    return (list(old) if isinstance(old, tuple) else old) != new


def _repair_numbers(field: pa.Field, values: list[Any]) -> tuple[list[Any], list[Repair]]:
    number = _finite if pa.types.is_floating(field.type) else _within(field.type.bit_width)
    after = [None if value is None else number(value) for value in values]
    rows = [row for row, (old, new) in enumerate(zip(values, after, strict=True)) if new is None and old is not None]
    return after, [Repair(field.name, row, ProblemKind.FIELD) for row in rows]


def _finite(value: float) -> float | None:
    try:
        return float(value) if isfinite(value) else None
    except OverflowError:  # an integer beyond the range of doubles
        return None


def _within(bits: int) -> Callable[[int], int | None]:
    allowed = range(-(2 ** (bits - 1)), 2 ** (bits - 1))
    return lambda value: value if value in allowed else None
