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

from verdict_frames.errors import ColumnError
from verdict_frames.vocabulary import FactSource

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

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
    table, _, column = name.partition(".")
    if holders:
        table, column = holders[-1], name
    if table in ("items", "runs") and column in tables[table].columns:
        return Column(table, column, tables[table].schema[column])
    if table in FACT_PREFIXES and column in fact_names(tables, table):
        return Column(table, column, pl.String())
    raise ColumnError(_unknown(tables, name))


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
    facts = [f"{prefix}.{fact}" for prefix in FACT_PREFIXES for fact in fact_names(tables, prefix)]
    columns = {table: tables[table].columns for table in ("items", "runs")}
    close = get_close_matches(name, sorted({*facts, *columns["items"], *columns["runs"]}), n=3)
    hint = f"; did you mean {' or '.join(map(repr, close))}?" if close else ";"
    available = [f"{table}: {', '.join(there)}" for table, there in columns.items()]
    available += [f"run facts: {', '.join(facts)}"] if facts else []
    return f"there is no column {name!r}{hint} available are {'; '.join(available)}"
