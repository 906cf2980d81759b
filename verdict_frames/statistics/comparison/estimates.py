"""The difference between two sides, with its interval, its tests, and how far the lost items could move it."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import polars as pl

from verdict_frames.statistics.comparison.paired_intervals import PAIRED_T, newcombe_paired, paired_t_interval
from verdict_frames.statistics.comparison.significance import mcnemar, paired_t, sign_flip

if TYPE_CHECKING:
    from collections.abc import Mapping

    from verdict_frames.statistics.intervals import Interval

NO_PAIRS: Final = "no item counts on both sides"
"""What `difference_note` says where there is no difference."""

ONE_ITEM: Final = "one item: no interval over items"
NO_SPREAD: Final = "all items differ by the same amount, so nothing shows how much chance does"

MCNEMAR_EXACT: Final = "mcnemar_exact"
MCNEMAR_MID_P: Final = "mcnemar_mid_p"
SIGN_FLIP_EXACT: Final = "sign_flip_exact"
SIGN_FLIP_SAMPLED: Final = "sign_flip_sampled"

OVERALL: Final[Mapping[str, pl.DataType]] = MappingProxyType(
    {
        "treatment": pl.String(),
        "baseline": pl.String(),
        "pairs": pl.Int64(),
        "baseline_passes": pl.Int64(),
        "baseline_eligible": pl.Int64(),
        "baseline_rate": pl.Float64(),
        "treatment_passes": pl.Int64(),
        "treatment_eligible": pl.Int64(),
        "treatment_rate": pl.Float64(),
        "difference": pl.Float64(),
        "difference_note": pl.String(),
        "ci_low": pl.Float64(),
        "ci_high": pl.Float64(),
        "ci_method": pl.String(),
        "ci_note": pl.String(),
        "confidence_level": pl.Float64(),
        "wins": pl.Int64(),
        "losses": pl.Int64(),
        "ties": pl.Int64(),
        "p_value": pl.Float64(),
        "p_method": pl.String(),
        "resamples": pl.Int64(),
        "p_beside": pl.Float64(),
        "p_beside_method": pl.String(),
        "p_beside_note": pl.String(),
        "p_adjusted": pl.Float64(),
        "correction": pl.String(),
        "comparisons": pl.Int64(),
        "lost": pl.Int64(),
        "bound_low": pl.Float64(),
        "bound_high": pl.Float64(),
        "bound_pairs": pl.Int64(),
        "by_slug": pl.Int64(),
        "baseline_nameless": pl.Int64(),
        "treatment_nameless": pl.Int64(),
        "policy": pl.String(),
    }
)
"""The columns of `overall` after those of `within`, with their types."""


class _Side(NamedTuple):
    trials: int
    eligible: int
    passes: int
    open: int

    @property
    def rate(self) -> Fraction:
        return Fraction(self.passes, self.eligible)

    @property
    def is_in_scope(self) -> bool:
        """Whether the item could have passed here: false where the criteria apply to none of its trials."""
        return self.trials == 0 or self.eligible + self.open > 0

    @property
    def worst(self) -> Fraction:
        return Fraction(self.passes, self.eligible + self.open) if self.trials else Fraction(0)

    @property
    def best(self) -> Fraction:
        return Fraction(self.passes + self.open, self.eligible + self.open) if self.trials else Fraction(1)


_Pairs = Counter[tuple[_Side, _Side]]


def estimate(items: pl.DataFrame, *, level: float, seed: int, resamples: int) -> dict[str, Any]:
    """Estimate the difference from the items of one comparison.

    Items are equal units: a side's rate is the mean of its items' own rates. Everything is counted in fractions and
    rounded once, so that neither the order of items nor which side is called the baseline can change a digit.

    Args:
        items: Rows of `pair_items` of one comparison.
        level: The confidence level of the interval.
        seed: Seeds the sign-flip test where it has to draw.
        resamples: How many patterns of signs it draws then.

    Returns:
        Values for those of `OVERALL` that come from the items; null where one is left out.
    """
    names = [f"{side}_{name}" for side in ("baseline", "treatment") for name in _Side._fields]
    pairs: _Pairs = Counter()
    for *counts, number in items.group_by(names).len().iter_rows():
        pairs[_Side(*counts[:4]), _Side(*counts[4:])] += number
    used: _Pairs = Counter({pair: number for pair, number in pairs.items() if pair[0].eligible and pair[1].eligible})
    changes = items.get_column("change").value_counts()
    counted = dict(zip(changes["change"].cast(pl.String), changes["count"], strict=True))
    return {
        **_rates(used),
        **_uncertainty(used, level=level, seed=seed, resamples=resamples),
        **_bounds(pairs),
        "confidence_level": float(level),
        "wins": counted.get("win", 0),
        "losses": counted.get("loss", 0),
        "ties": counted.get("tie", 0),
        "lost": pairs.total() - used.total(),
        "by_slug": int(items.filter(pl.col("change").is_not_null())["by_slug"].sum()),
    }


def _rates(used: _Pairs) -> dict[str, Any]:
    total = used.total()
    result: dict[str, Any] = {"pairs": total, "difference_note": None if total else NO_PAIRS}
    for place, side in enumerate(("baseline", "treatment")):
        result[f"{side}_passes"] = sum(pair[place].passes * number for pair, number in used.items())
        result[f"{side}_eligible"] = sum(pair[place].eligible * number for pair, number in used.items())
        rates = sum((pair[place].rate * number for pair, number in used.items()), Fraction(0))
        result[f"{side}_rate"] = float(rates / total) if total else None
    return result


def _uncertainty(used: _Pairs, *, level: float, seed: int, resamples: int) -> dict[str, Any]:
    total = used.total()
    if total == 0:
        return {"ci_note": NO_PAIRS, "p_beside_note": NO_PAIRS}
    if all(baseline.eligible == treatment.eligible == 1 for baseline, treatment in used):
        return _of_single_trials(used, level=level)
    differences: Counter[Fraction] = Counter()
    for (baseline, treatment), number in used.items():
        differences[treatment.rate - baseline.rate] += number
    mean = sum((each * number for each, number in differences.items()), Fraction(0)) / total
    squares = sum(((each - mean) ** 2 * number for each, number in differences.items()), Fraction(0))
    variance = squares / (total - 1) if total > 1 else Fraction(0)
    flipped = sign_flip(differences, seed=seed, resamples=resamples)
    beside = paired_t(mean, variance, total)
    missing = ONE_ITEM if total == 1 else NO_SPREAD
    return {
        "difference": float(mean),
        **_interval(paired_t_interval(mean, variance, total, level=level), missing),
        "p_value": flipped.p_value,
        "p_method": SIGN_FLIP_EXACT if flipped.resamples is None else SIGN_FLIP_SAMPLED,
        "resamples": flipped.resamples,
        "p_beside": beside,
        "p_beside_method": None if beside is None else PAIRED_T,
        "p_beside_note": missing if beside is None else None,
    }


def _of_single_trials(used: _Pairs, *, level: float) -> dict[str, Any]:
    cells: Counter[tuple[int, int]] = Counter()
    for (baseline, treatment), number in used.items():
        cells[baseline.passes, treatment.passes] += number
    losses, wins = cells[1, 0], cells[0, 1]
    tested = mcnemar(wins, losses)
    return {
        "difference": (wins - losses) / used.total(),
        **_interval(newcombe_paired(cells[1, 1], losses, wins, cells[0, 0], level=level), None),
        "p_value": tested.exact,
        "p_method": MCNEMAR_EXACT,
        "p_beside": tested.mid_p,
        "p_beside_method": MCNEMAR_MID_P,
    }


def _interval(interval: Interval | None, missing: str | None) -> dict[str, Any]:
    if interval is None:
        return {"ci_note": missing}
    return {"ci_low": interval.low, "ci_high": interval.high, "ci_method": interval.method}


def _bounds(pairs: _Pairs) -> dict[str, Any]:
    in_scope = [(pair, number) for pair, number in pairs.items() if all(side.is_in_scope for side in pair)]
    total = sum(number for _, number in in_scope)
    if total == 0:
        return {"bound_pairs": 0}
    low = sum((treatment.worst - baseline.best) * number for (baseline, treatment), number in in_scope)
    high = sum((treatment.best - baseline.worst) * number for (baseline, treatment), number in in_scope)
    return {"bound_low": float(low / total), "bound_high": float(high / total), "bound_pairs": total}
