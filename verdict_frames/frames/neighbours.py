"""Rows that stand beside rows like them.

Tables are written in the order of their keys, so that most questions about keys can be answered by looking at
neighbouring rows, which takes far less time and memory than hashing every key. The answers are right in any order;
only how fast they come depends on it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Sequence

_ROW: Final = "\0row"


def first_rows(frame: pl.DataFrame, columns: Sequence[str]) -> pl.DataFrame:
    """Leave out every row that has the same values as the row before it.

    Args:
        frame: Its rows in any order.
        columns: What is compared, and what is returned.

    Returns:
        These columns, rows in their order. A combination of values stands several times where other rows lie between.

    Examples:
        >>> first_rows(pl.DataFrame({"a": [1, 1, 2, 1]}), ["a"])["a"].to_list()
        [1, 2, 1]
    """
    return frame.select(columns).filter(_differs_from_before(columns))


def row_counts(frame: pl.DataFrame, columns: Sequence[str], name: str) -> pl.DataFrame:
    """Count the rows that each combination of values has.

    Args:
        frame: Its rows in any order.
        columns: What is compared.
        name: Column for the counts.

    Returns:
        The combinations in no particular order, each once, with their counts.

    Examples:
        >>> row_counts(pl.DataFrame({"a": ["x", "x", "y", "x"]}), ["a"], "n").sort("a").rows()
        [('x', 3), ('y', 1)]
    """
    starts = frame.select(columns).with_row_index(_ROW).filter(_differs_from_before(columns))
    lengths = pl.col(_ROW).shift(-1, fill_value=frame.height) - pl.col(_ROW)
    return starts.with_columns(lengths.alias(name)).group_by(columns).agg(pl.col(name).sum())


def ascends(frame: pl.DataFrame, key: Sequence[str]) -> bool:
    """Tell whether a key ascends without repetition within each value of its first column, and those stand together.

    Args:
        frame: Its rows in any order.
        key: Names of columns; no nulls are expected in them.

    Returns:
        True only where no two rows have the same key. False says nothing: the rows may just stand in another order.

    Examples:
        >>> ascends(pl.DataFrame({"a": ["y", "y", "x"], "b": [1, 2, 1]}), ["a", "b"])
        True
        >>> ascends(pl.DataFrame({"a": ["y", "x", "y"], "b": [1, 1, 2]}), ["a", "b"])
        False
    """
    first, *rest = key
    if not first_rows(frame, [first])[first].is_unique().all():
        return False
    is_greater = pl.lit(value=False)
    for name in reversed(rest):
        before = pl.col(name).shift()
        is_greater = (pl.col(name) > before) | ((pl.col(name) == before) & is_greater)
    return frame.select((_differs_from_before([first]) | is_greater).all()).item() is True


def _differs_from_before(columns: Sequence[str]) -> pl.Expr:
    is_first = pl.int_range(pl.len()) == 0
    return pl.any_horizontal(is_first, *(pl.col(name).ne_missing(pl.col(name).shift()) for name in columns))
