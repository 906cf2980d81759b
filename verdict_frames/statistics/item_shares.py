"""Shares of what was seen on items, group by group, with an interval where the items allow one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from verdict_frames.statistics.counted import ITEM, NAMELESS
from verdict_frames.statistics.intervals import WILSON, wilson_expressions
from verdict_frames.statistics.shares import share
from verdict_frames.statistics.tally import NAMELESS_ITEMS, REPEATED_ITEMS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_HITS: Final = "\0hits"
_TRIALS: Final = "\0trials"
_REPEATS: Final = "\0repeats"
_NAMELESS: Final = "\0without_name"


def share_schema(prefix: str) -> Mapping[str, pl.DataType]:
    """Return the four columns that `item_shares` makes of a prefix, with their types."""
    floats = {f"{prefix}_{part}": pl.Float64() for part in ("rate", "ci_low", "ci_high")}
    return {**floats, f"{prefix}_ci_method": pl.String()}


def item_shares(
    rows: pl.DataFrame, keys: Sequence[str], prefix: str, *, hit: pl.Expr, trial: pl.Expr, level: float
) -> pl.DataFrame:
    """Return the share of hits among the trials of each group.

    Args:
        rows: Grain one trial or fewer; with the keys and the marks `ITEM` and `NAMELESS`.
        keys: What the groups are, at least one column.
        prefix: What the columns of the result begin with.
        hit: Whether a row is a hit; null is none. Only trials can be.
        trial: Whether a row is a trial; null is none.
        level: The confidence level, between 0 and 1.

    Returns:
        Grain one group, in no order: the keys, `<prefix>_rate` from 0 to 1, null without trials; `<prefix>_ci_low`,
        `<prefix>_ci_high` and `<prefix>_ci_method`: Wilson's interval over items as independent units. It is null
        without trials, where an item is tried more than once ("repeated items"), and where an item of a repeated run
        has no name ("items without a name"); the method says so.
    """
    marked = rows.select(
        *keys,
        ITEM,
        NAMELESS,
        trial.fill_null(value=False).alias(_TRIALS),
        (trial & hit).fill_null(value=False).alias(_HITS),
    )
    named = pl.col(ITEM).filter(pl.col(_TRIALS)).drop_nulls()
    counts = marked.group_by(keys).agg(
        pl.col(_HITS, _TRIALS).sum().cast(pl.Int64),
        (named.len() - named.n_unique()).cast(pl.Int64).alias(_REPEATS),
        (pl.col(_TRIALS) & pl.col(NAMELESS)).sum().cast(pl.Int64).alias(_NAMELESS),
    )
    repeated, nameless, some = pl.col(_REPEATS) > 0, pl.col(_NAMELESS) > 0, pl.col(_TRIALS) > 0
    low, high = wilson_expressions(pl.col(_HITS), pl.col(_TRIALS), level=level)
    method = pl.when(repeated).then(pl.lit(REPEATED_ITEMS)).when(nameless).then(pl.lit(NAMELESS_ITEMS))
    return counts.select(
        *keys,
        share(counts[_HITS].alias("hits"), counts[_TRIALS].alias("trials")).alias(f"{prefix}_rate"),
        pl.when(~repeated & ~nameless).then(low).alias(f"{prefix}_ci_low"),
        pl.when(~repeated & ~nameless).then(high).alias(f"{prefix}_ci_high"),
        method.when(some).then(pl.lit(WILSON)).alias(f"{prefix}_ci_method"),
    )
