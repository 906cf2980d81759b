"""Shares of what was seen on items, group by group, with an interval where the items allow one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from verdict_frames.statistics.clusters import cluster_sums, clustered_intervals
from verdict_frames.statistics.counted import ITEM, NAMELESS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_PARTS = ("rate", "ci_low", "ci_high", "ci_method", "effective_n")


def share_schema(prefix: str) -> Mapping[str, pl.DataType]:
    """Return the five columns that `item_shares` makes of a prefix, with their types."""
    return {f"{prefix}_{part}": pl.String() if part == "ci_method" else pl.Float64() for part in _PARTS}


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
        Grain one group with trials, in no order: the keys, `<prefix>_rate` from 0 to 1, and Wilson's interval over
        items, which are the clusters of their trials: `<prefix>_ci_low`, `<prefix>_ci_high`, `<prefix>_ci_method` and
        `<prefix>_effective_n`, the number of independent trials that would tell as much. The interval is null where a
        single item was tried several times, and where an item of a repeated run has no name; the method says so.
    """
    tried = rows.lazy().filter(trial.fill_null(value=False))
    marked = tried.select(*keys, ITEM, NAMELESS, hit.fill_null(value=False).alias("\0hit"))
    sums = cluster_sums(marked, keys, pl.col("\0hit")).collect()
    shares = clustered_intervals(sums, level=level).select(pl.col(part).alias(f"{prefix}_{part}") for part in _PARTS)
    return sums.select(keys).hstack(shares)
