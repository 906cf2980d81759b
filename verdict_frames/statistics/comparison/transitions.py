"""From which state to which state items went, which were lost on the way, and how lost ones did on the other side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from verdict_frames.statistics.shares import share
from verdict_frames.statistics.vocabulary import ComparedSide, OtherOutcome

if TYPE_CHECKING:
    from collections.abc import Sequence

_STATES: Final = ("baseline_state", "treatment_state")
_CAUSES: Final = ("cause", "lost_on")
_OUTCOMES: Final = ("side", "other_outcome")

COUNT_COLUMNS: Final = ("items", "trials", "not_assessed", "not_assessed_share", *_STATES, *_CAUSES, *_OUTCOMES)
"""The columns of these counts after those of `within` and `treatment`."""


def count_transitions(items: pl.DataFrame, within: Sequence[str]) -> pl.DataFrame:
    """Count the items of each pair of states; see `Comparison.transitions`.

    Args:
        items: What `pair_items` gives.
        within: The columns before its own.
    """
    return _counted(items, [*within, "treatment", *_STATES])


def count_lost(items: pl.DataFrame, within: Sequence[str]) -> pl.DataFrame:
    """Count the items that can't be compared by cause; see `Comparison.lost`.

    Args:
        items: What `pair_items` gives.
        within: The columns before its own.
    """
    return _counted(items.filter(pl.col("cause").is_not_null()), [*within, "treatment", *_CAUSES])


def _counted(items: pl.DataFrame, columns: list[str]) -> pl.DataFrame:
    """Count rows; comparisons stay in their order, states and causes come in the order of their vocabulary."""
    counts = items.group_by(columns, maintain_order=True).agg(pl.len().cast(pl.Int64).alias("items"))
    return _in_order(counts, columns[:-2], columns[-2:])


def _in_order(counts: pl.DataFrame, comparison: list[str], columns: list[str]) -> pl.DataFrame:
    """Sort by columns within each comparison, and keep comparisons in the order in which they first come."""
    places = counts.select(comparison).unique(maintain_order=True).with_row_index("\0place")
    placed = counts.join(places, on=comparison, how="left", nulls_equal=True, maintain_order="left")
    return placed.sort("\0place", *columns).drop("\0place")


def count_not_assessed(items: pl.DataFrame, within: Sequence[str]) -> pl.DataFrame:
    """Count trials that the jury could not assess by how the item did on the other side; see `Comparison.not_assessed`.

    Args:
        items: What `pair_items` gives.
        within: The columns before its own.
    """
    comparison = [*within, "treatment"]
    parts = []
    sides = (ComparedSide.BASELINE, ComparedSide.TREATMENT)
    for side, other in (sides, sides[::-1]):
        trials = items.filter(pl.col(f"{side}_trials") > 0).select(
            *comparison,
            pl.lit(side.value, pl.Enum(ComparedSide)).alias("side"),
            _outcome(other).alias("other_outcome"),
            pl.col(f"{side}_trials").alias("trials"),
            pl.col(f"{side}_not_assessed").alias("not_assessed"),
        )
        parts += [trials, trials.with_columns(_token(OtherOutcome.ANY).alias("other_outcome"))]
    columns = [*comparison, *_OUTCOMES]
    counts = (
        pl.concat(parts)
        .group_by(columns, maintain_order=True)
        .agg(pl.len().cast(pl.Int64).alias("items"), pl.col("trials").sum(), pl.col("not_assessed").sum())
    )
    rated = counts.with_columns(share(counts["not_assessed"], counts["trials"]).alias("not_assessed_share"))
    return _in_order(rated, comparison, [*_OUTCOMES])


def _outcome(side: ComparedSide) -> pl.Expr:
    trials, eligible, passes = (pl.col(f"{side}_{name}") for name in ("trials", "eligible", "passes"))
    return (
        pl.when(trials == 0)
        .then(_token(OtherOutcome.ABSENT))
        .when(eligible == 0)
        .then(_token(OtherOutcome.NOT_ELIGIBLE))
        .when(passes == eligible)
        .then(_token(OtherOutcome.PASSED))
        .when(passes == 0)
        .then(_token(OtherOutcome.NOT_PASSED))
        .otherwise(_token(OtherOutcome.MIXED))
    )


def _token(outcome: OtherOutcome) -> pl.Expr:
    return pl.lit(outcome.value, pl.Enum(OtherOutcome))
