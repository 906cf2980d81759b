"""What evaluations took: time, tokens and money by group."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from verdict_frames.statistics.grouping import group_evaluations

if TYPE_CHECKING:
    from collections.abc import Sequence

    from verdict_frames.frames.evaluations import Evaluations

_AMOUNTS: Final = ("input_tokens", "output_tokens", "cost_usd")
_QUANTILES: Final = {"latency_p50": 50, "latency_p95": 95, "latency_p99": 99}
USAGE_COLUMNS: Final = (
    "evaluations",
    "latency_recorded",
    *_QUANTILES,
    "latency_max",
    *(f"{amount}_{part}" for amount in _AMOUNTS for part in ("recorded", "total", "mean")),
)
"""The columns of a usage table after its group columns."""


def usage_table(evaluations: Evaluations, by: str | Sequence[str] | None = None) -> pl.DataFrame:
    """Sum up latency, tokens and cost by group; failures count like the rest, `by="outcome"` tells them apart.

    Args:
        evaluations: The stored evaluations.
        by: Columns of `evaluations` to group by; with none, everything is one group.

    Returns:
        One row a group, sorted by group with null last: `evaluations`; `latency_recorded` (how many have one),
        `latency_p50?`, `latency_p95?`, `latency_p99?`, `latency_max?` in milliseconds, each the latency of an actual
        evaluation: the smallest that this share of the recorded ones doesn't exceed; and for `input_tokens`,
        `output_tokens` and `cost_usd` how many have one, their sum and their mean. Where none is recorded these are
        null, never 0.

    Raises:
        ColumnError: A group name is unknown, given twice, nested, or the name of a column of the table.
        ArgumentError: The names aren't text.
    """
    columns = group_evaluations(evaluations, by, taken=USAGE_COLUMNS)
    frame = evaluations.evaluations
    table = frame.group_by(columns).agg(_sums()) if columns else frame.select(_sums())
    return table.sort(columns, nulls_last=True) if columns else table


def _sums() -> list[pl.Expr]:
    latency = pl.col("latency_ms").drop_nulls()
    count = latency.len().cast(pl.Int64)
    place = {name: (count * percent + 99) // 100 - 1 for name, percent in _QUANTILES.items()}
    sums = [pl.len().cast(pl.Int64).alias("evaluations"), latency.len().cast(pl.Int64).alias("latency_recorded")]
    sums += [latency.sort().get(at, null_on_oob=True).alias(name) for name, at in place.items()]
    sums.append(latency.max().alias("latency_max"))
    for amount in _AMOUNTS:
        recorded = pl.col(amount).drop_nulls()
        some = recorded.len() > 0
        sums += [
            recorded.len().cast(pl.Int64).alias(f"{amount}_recorded"),
            pl.when(some).then(recorded.sum()).alias(f"{amount}_total"),
            recorded.mean().alias(f"{amount}_mean"),
        ]
    return sums
