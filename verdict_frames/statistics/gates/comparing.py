"""What is asked of a treatment against its baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from verdict_frames.statistics.gates.drop import Pair, best_difference, fewest_pairs
from verdict_frames.statistics.gates.outcome import GateLine
from verdict_frames.statistics.grouping import group_label
from verdict_frames.statistics.vocabulary import GateSubject

if TYPE_CHECKING:
    from collections.abc import Iterator

    from verdict_frames.statistics.comparison.result import Comparison
    from verdict_frames.statistics.gates.gates import Gates

_PAIR = ("baseline_passes", "baseline_eligible", "treatment_passes", "treatment_eligible")


def check_comparison(comparison: Comparison, gates: Gates) -> Iterator[GateLine]:
    """Hold what is asked of treatments against a comparison.

    Args:
        comparison: What `compare` returns.
        gates: What is asked. Where there are several comparisons, each is held against its part of `alpha`
            (Bonferroni), so that it is about all of them.
    """
    alpha = gates.alpha / max(comparison.overall.height, 1)
    for row in comparison.overall.iter_rows(named=True):
        about = f"{group_label(row, [*comparison.within, 'treatment'])} against {row['baseline']}"
        if gates.max_regressions is not None:
            yield _regressions(row, about, gates.max_regressions)
        if gates.max_drop is not None:
            here = [pl.col(name).eq_missing(pl.lit(row[name])) for name in (*comparison.within, "treatment")]
            used = comparison.items.filter(*here, pl.col("change").is_not_null()).select(_PAIR).rows()
            yield _drop(row, about, used, most=gates.max_drop, alpha=alpha)


def _regressions(row: dict[str, Any], about: str, most: int) -> GateLine:
    losses, pairs, lost = row["losses"], row["pairs"], row["lost"]
    found = f"{losses} of {pairs} items passed less often" if pairs else f"no difference ({row['difference_note']})"
    beside = f" ({lost} more can't be compared)" if pairs and lost else ""
    return GateLine(
        subject=GateSubject.AGENT,
        asked=f"regressions at most {most}",
        about=about,
        value=losses if pairs else None,
        held=pairs > 0 and losses <= most,
        message=f"{about}: {found}{beside}, at most {most} asked for",
    )


def _drop(row: dict[str, Any], about: str, pairs: list[Pair], *, most: float, alpha: float) -> GateLine:
    """Hold a drop against its one-sided bound: it is too great only where all of the interval lies beyond."""
    best = best_difference(pairs, alpha=alpha)
    found, note = f"no difference ({row['difference_note']})", None
    if best is not None:
        found = f"difference {row['difference']:+.3g} (n = {row['pairs']}), at best {best:+.3g}"
        repeated = any(tried > 1 or again > 1 for _, tried, _, again in pairs)
        note = _too_few(len(pairs), fewest_pairs(most, alpha=alpha, repeated=repeated))
    return GateLine(
        subject=GateSubject.AGENT,
        asked=f"drop at most {most:g}",
        about=about,
        value=row["difference"],
        held=best is not None and best >= -most,
        message=f"{about}: {found}, a drop of {most:g} at most asked for (one-sided, alpha {alpha:.3g})",
        note=note,
    )


def _too_few(pairs: int, fewest: int | None) -> str | None:
    if fewest is None:
        return "no number of items could show a greater one"
    if pairs < fewest:
        return f"too few to show a greater one, even if all were lost: {pairs} of the {fewest} items that it takes"
    return None
