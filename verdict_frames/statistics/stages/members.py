"""What meta juries were made of, member by member."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import polars as pl

from verdict_frames.statistics.judges.seats import different_items
from verdict_frames.statistics.stages.attempts import attempts_of, failed_to_execute
from verdict_frames.statistics.status_counts import STATUS_COUNTS_SCHEMA, status_counts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from verdict_frames.frames.corpus import Corpus
    from verdict_frames.statistics.judges.seats import CountedItems

MEMBER_SCHEMA: Final[Mapping[str, pl.DataType]] = MappingProxyType(
    {
        "path": pl.List(pl.String()),
        "place": pl.Int64(),
        "member": pl.String(),
        "listed": pl.Int64(),
        "items": pl.Int64(),
        "used": pl.Int64(),
        "not_used": pl.Int64(),
        "use_not_recorded": pl.Int64(),
        "execution_failed": pl.Int64(),
        **STATUS_COUNTS_SCHEMA,
    }
)
"""The columns of the members after their group columns, in order, with their types."""


def members_of(corpus: Corpus, counted: CountedItems) -> pl.DataFrame:
    """Count members; `verdict_frames.statistics.stages.funnel.stage_funnel` is the public form."""
    members = attempts_of(corpus, counted, "meta_member")
    used, failed = pl.col("used_by_parent"), failed_to_execute()
    own = {"path": "\0jury", "place": "\0place", "member": "\0member"}
    table = (
        members.with_columns(pl.col("parent_path").alias("\0jury"), pl.col("stage").alias("\0member"))
        .group_by(*counted.columns, "\0jury", "\0member")
        .agg(
            pl.col("place").min().alias("\0place"),
            pl.len().alias("listed"),
            different_items().alias("items"),
            used.sum().alias("used"),
            (~used).sum().alias("not_used"),
            used.is_null().sum().alias("use_not_recorded"),
            failed.sum().alias("execution_failed"),
            *status_counts(pl.col("status").filter(~failed)),
        )
    )
    return table.select(
        *counted.columns,
        *(pl.col(own.get(name, name)).cast(dtype).alias(name) for name, dtype in MEMBER_SCHEMA.items()),
    ).sort(*counted.columns, "path", "place", "member", nulls_last=True)
