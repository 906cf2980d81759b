"""Intervals for the difference of two rates on the same items."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Final

from scipy.special import stdtrit

from verdict_frames.errors import OptionError
from verdict_frames.statistics.intervals import Interval, normal_quantile, wilson

if TYPE_CHECKING:
    from fractions import Fraction

NEWCOMBE_PAIRED: Final = "newcombe_paired"
"""The name of Newcombe's score interval for paired proportions, his method 10."""

PAIRED_T: Final = "paired_t"
"""The name of Student's interval, and of his test, on differences of item means."""


def newcombe_paired(both: int, baseline_only: int, treatment_only: int, neither: int, *, level: float) -> Interval:
    """Return Newcombe's score interval for the treatment's rate less the baseline's, one trial on each side.

    It joins Wilson's intervals for the two rates by their correlation over the items, which is corrected towards 0
    where it is positive: method 10 in Newcombe, Statistics in Medicine 17:2635–2650, 1998. It needs no iteration, stays
    within -1 and 1, always holds the difference itself, and has a width also where no item differs.

    Args:
        both: How many items passed on both sides.
        baseline_only: How many passed with the baseline only.
        treatment_only: How many passed with the treatment only.
        neither: How many passed on neither; at least one item is needed in all.
        level: The confidence level, between 0 and 1.

    Raises:
        OptionError: The level isn't between 0 and 1, or there is no item.

    Example:
        >>> interval = newcombe_paired(1, 1, 7, 12, level=0.95)
        >>> f"{interval.low:.3f} to {interval.high:.3f}"
        '0.026 to 0.507'
    """
    items = both + baseline_only + treatment_only + neither
    of_treatment = wilson(both + treatment_only, items, level=level)
    of_baseline = wilson(both + baseline_only, items, level=level)
    if of_treatment is None or of_baseline is None:
        message = "an interval needs at least one item"
        raise OptionError(message)
    treatment, baseline = (both + treatment_only) / items, (both + baseline_only) / items
    difference = (treatment_only - baseline_only) / items
    correlation = _correlation(both, baseline_only, treatment_only, neither)
    down, up = treatment - of_treatment.low, of_treatment.high - treatment
    baseline_down, baseline_up = baseline - of_baseline.low, of_baseline.high - baseline
    low = difference - _joined(down, baseline_up, correlation)
    high = difference + _joined(up, baseline_down, correlation)
    return Interval(low=max(low, -1.0), high=min(high, 1.0), method=NEWCOMBE_PAIRED, level=level)


def _joined(one: float, other: float, correlation: float) -> float:
    return sqrt(max(one * one + other * other - 2 * correlation * (one * other), 0.0))


def _correlation(both: int, baseline_only: int, treatment_only: int, neither: int) -> float:
    margins = (both + treatment_only) * (baseline_only + neither) * (both + baseline_only) * (treatment_only + neither)
    if margins == 0:
        return 0.0
    items = both + baseline_only + treatment_only + neither
    product = both * neither - baseline_only * treatment_only
    corrected = max(product - items / 2, 0.0) if product > 0 else float(product)
    return corrected / sqrt(margins)


def paired_t_interval(mean: Fraction, variance: Fraction, items: int, *, level: float) -> Interval | None:
    """Return Student's interval for the mean difference of items, cut at -1 and 1.

    Args:
        mean: Of the differences.
        variance: Of the differences, with `items - 1` below the line.
        items: How many there are.
        level: The confidence level, between 0 and 1.

    Returns:
        Null where there are fewer than 2 items, or all differ alike, so that it would have no width.

    Raises:
        OptionError: The level isn't between 0 and 1.
    """
    normal_quantile(level)
    if items < 2 or variance == 0:
        return None
    centre = float(mean)
    half = float(stdtrit(items - 1, (1 + level) / 2)) * sqrt(float(variance) / items)
    return Interval(low=max(centre - half, -1.0), high=min(centre + half, 1.0), method=PAIRED_T, level=level)
