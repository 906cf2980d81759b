"""What a column's name means in a corpus.

A name is a column of `items` or `runs`, or a run fact with its source before it: `conditions.model`,
`metadata.baselineId`, `scores.quality`. A name that both tables have must say which is meant, as in
`runs.total_tokens`; `run_id` is the same in both.
"""

from __future__ import annotations

from difflib import get_close_matches
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

import polars as pl

from verdict_frames.errors import MOST_NAMES, ColumnError, some_names
from verdict_frames.vocabulary import FactSource

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

FACT_PREFIXES: Final[Mapping[str, FactSource]] = MappingProxyType(
    {"conditions": FactSource.CONDITION, "metadata": FactSource.METADATA, "scores": FactSource.SCORE}
)
"""The word before the dot for each source of run facts."""


class Column(NamedTuple):
    """A column that a name stands for.

    Attributes:
        table: `items`, `runs`, or a prefix of run facts.
        name: The column's own name there, or the fact's.
        dtype: Its type; text for a fact.
    """

    table: str
    name: str
    dtype: pl.DataType


def find_column(tables: Mapping[str, pl.DataFrame], name: str) -> Column:
    """Find the column that a name stands for.

    Args:
        tables: All tables of a corpus by name.
        name: As described above.

    Raises:
        ColumnError: No table has the name, or both have it; the message says what there is.
    """
    holders = [table for table in ("items", "runs") if name in tables[table].columns]
    if len(holders) > 1 and name != "run_id":
        message = f"both items and runs have a column {name!r}; say 'items.{name}' or 'runs.{name}'"
        raise ColumnError(message)
    if holders:
        return Column(holders[-1], name, tables[holders[-1]].schema[name])
    found = _find_qualified(tables, name)
    if found is None:
        raise ColumnError(_unknown(tables, name))
    return found


def _find_qualified(tables: Mapping[str, pl.DataFrame], name: str) -> Column | None:
    table, _, column = name.partition(".")
    if table in ("items", "runs") and column in tables[table].columns:
        return Column(table, column, tables[table].schema[column])
    if table in FACT_PREFIXES and column in fact_names(tables, table):
        return Column(table, column, pl.String())
    return None


def fact_names(tables: Mapping[str, pl.DataFrame], prefix: str) -> list[str]:
    """List the run facts of one source.

    Args:
        tables: All tables of a corpus by name.
        prefix: One of `FACT_PREFIXES`.

    Returns:
        Names of facts that some run has, sorted.
    """
    facts = tables["run_facts"]
    return facts.filter(pl.col("source") == FACT_PREFIXES[prefix].value)["name"].unique().sort().to_list()


def runs_with(tables: Mapping[str, pl.DataFrame], names: Iterable[str]) -> pl.DataFrame:
    """Put columns of runs and run facts side by side.

    Args:
        tables: All tables of a corpus by name.
        names: Names of columns of `runs` and of facts.

    Returns:
        Grain one run, in the order of `runs`: `run_id`, then each column under the name that was asked for. A run
        that lacks a fact has null there.

    Raises:
        ColumnError: A name stands for no such column.
    """
    frame = tables["runs"].select("run_id")
    for name in dict.fromkeys(names):
        column = find_column(tables, name)
        if column.table == "runs":
            frame = frame.with_columns(tables["runs"][column.name].alias(name))
        elif column.table in FACT_PREFIXES:
            source = FACT_PREFIXES[column.table].value
            wanted = (pl.col("source") == source) & (pl.col("name") == column.name)
            facts = tables["run_facts"].filter(wanted).select("run_id", pl.col("value").alias(name))
            frame = frame.join(facts, on="run_id", how="left", maintain_order="left")
        else:
            message = f"{name!r} is a column of items, which a run has many of"
            raise ColumnError(message)
    return frame


def items_with(tables: Mapping[str, pl.DataFrame], names: Iterable[str]) -> pl.DataFrame:
    """Put columns of items, of their runs and of the runs' facts side by side.

    Args:
        tables: All tables of a corpus by name.
        names: Names of columns.

    Returns:
        Grain one item, in the order of `items`: `run_id`, `item_index`, then each column under the name that was asked
        for.

    Raises:
        ColumnError: A name stands for no column.
    """
    wanted = [name for name in dict.fromkeys(names) if name not in ("run_id", "item_index")]
    of_items = {name: found.name for name in wanted if (found := find_column(tables, name)).table == "items"}
    frame = tables["items"].select(
        "run_id", "item_index", *(pl.col(column).alias(name) for name, column in of_items.items())
    )
    of_runs = [name for name in wanted if name not in of_items]
    if of_runs:
        frame = frame.join(runs_with(tables, of_runs), on="run_id", how="left", maintain_order="left")
    return frame


def _unknown(tables: Mapping[str, pl.DataFrame], name: str) -> str:
    columns = {table: tables[table].columns for table in ("items", "runs")}
    facts = [f"{prefix}.{fact}" for prefix in FACT_PREFIXES for fact in fact_names(tables, prefix)]
    present = {what: there for what, there in (columns | {"run facts": facts}).items() if there}
    most = MOST_NAMES // max(len(present), 1)
    available = [f"{what}: {some_names(there, most=most)}" for what, there in present.items()]
    return f"there is no column {name!r}{_hint(tables, name, present)} available are {'; '.join(available) or 'none'}"


def _hint(tables: Mapping[str, pl.DataFrame], name: str, present: Mapping[str, Sequence[str]]) -> str:
    """Say what may have been meant: several names given as one, or names that are spelt alike."""
    parts = [part.strip() for part in name.split(",")]
    if len(parts) > 1 and all(_is_known(tables, part) for part in parts):
        return f"; names are given one by one, as {' and '.join(map(repr, parts))};"
    close = get_close_matches(name, sorted({one for there in present.values() for one in there}), n=3)
    return f"; did you mean {' or '.join(map(repr, close))}?" if close else ";"


def _is_known(tables: Mapping[str, pl.DataFrame], name: str) -> bool:
    holders = [table for table in ("items", "runs") if name in tables[table].columns]
    return bool(holders) or _find_qualified(tables, name) is not None
