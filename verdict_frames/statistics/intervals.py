"""Intervals for a share: how far the rate of these items may lie from the rate that more such items would show.

Wilson's score interval needs no special function, keeps its level well on average at small numbers, and doesn't
collapse at 0 or 100 %. Clopper and Pearson's exact interval never falls below its level, and is wider. Both take each
trial as an independent unit; where that isn't so, the number of trials is the effective one, and may be a fraction.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from numbers import Real
from statistics import NormalDist
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl
from scipy.special import betaincinv

from verdict_frames.errors import ArgumentError, OptionError, one_line
from verdict_frames.statistics.vocabulary import IntervalMethod

if TYPE_CHECKING:
    from numpy.typing import NDArray

WILSON: Final = IntervalMethod.WILSON.value
"""The name of Wilson's score interval in `method` and `ci_method`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Interval:
    """An interval for a share, or for a difference of two shares.

    Attributes:
        low: Lower end, from 0 to 1; of a difference from -1 to 1.
        high: Upper end, likewise, never below `low`.
        method: How it was computed.
        level: The confidence level, between 0 and 1.
    """

    low: float
    high: float
    method: str
    level: float


def wilson(successes: float, trials: float, *, level: float = 0.95) -> Interval | None:
    """Return Wilson's score interval for a share.

    The lower end is exactly 0 where nothing succeeded and the upper end exactly 1 where everything did; the interval
    always holds the share itself.

    Args:
        successes: Number of successes, from 0 to `trials`; fractions are allowed for scaled counts.
        trials: Number of independent trials, or the effective number.
        level: The confidence level, between 0 and 1, both excluded.

    Returns:
        The interval; null when there were no trials.

    Raises:
        OptionError: The level isn't between 0 and 1, or the numbers aren't counts of a part and its whole.
        ArgumentError: The level isn't a number.

    Example:
        >>> interval = wilson(31, 40)
        >>> f"{interval.low:.3f} to {interval.high:.3f}, {interval.method}"
        '0.625 to 0.877, wilson'
        >>> wilson(0, 0) is None
        True
    """
    z = normal_quantile(level)
    require_part(successes, trials)
    if trials == 0:
        return None
    share = successes / trials
    centre = (share + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z / (1 + z * z / trials) * sqrt(share * (1 - share) / trials + (z / (2 * trials)) ** 2)
    low = min(max(centre - half, 0.0), share)
    high = max(min(centre + half, 1.0), share)
    return Interval(low=low, high=high, method=WILSON, level=level)


def clopper_pearson(successes: float, trials: float, *, level: float = 0.95) -> Interval | None:
    """Return Clopper and Pearson's exact interval for a share.

    The lower end is exactly 0 where nothing succeeded and the upper end exactly 1 where everything did; the interval
    always holds the share itself. Of independent trials it holds the true rate at least as often as the level says,
    whatever that rate is.

    Args:
        successes: Number of successes, from 0 to `trials`; fractions are allowed for scaled counts.
        trials: Number of independent trials, or the effective number.
        level: The confidence level, between 0 and 1, both excluded.

    Returns:
        The interval; null when there were no trials.

    Raises:
        OptionError: The level isn't between 0 and 1, or the numbers aren't counts of a part and its whole.
        ArgumentError: The level isn't a number.

    Example:
        >>> interval = clopper_pearson(31, 40)
        >>> f"{interval.low:.3f} to {interval.high:.3f}, {interval.method}"
        '0.615 to 0.892, clopper-pearson'
    """
    normal_quantile(level)
    require_part(successes, trials)
    if trials == 0:
        return None
    low, high = (float(end[0]) for end in _exact_ends(np.array([successes / trials]), np.array([float(trials)]), level))
    return Interval(low=low, high=high, method=IntervalMethod.CLOPPER_PEARSON.value, level=level)


def interval_ends(
    rates: pl.Series, trials: pl.Series, *, method: IntervalMethod = IntervalMethod.WILSON, level: float = 0.95
) -> tuple[pl.Series, pl.Series]:
    """Return the ends of the intervals of many rates at once, equal to `wilson` or `clopper_pearson` each.

    Args:
        rates: Shares from 0 to 1; null where there is none.
        trials: Numbers of independent trials, or effective numbers, in the same order; null where there is none.
        method: How they are computed.
        level: The confidence level, between 0 and 1, both excluded.

    Returns:
        Lower and upper ends, Float64; both null where there is no rate or no trial.

    Raises:
        OptionError: The level isn't between 0 and 1.
        ArgumentError: The level isn't a number.
    """
    z = normal_quantile(level)
    counted = (rates.is_not_null() & (trials > 0)).fill_null(value=False).to_numpy()
    share, size = (one.cast(pl.Float64).to_numpy()[counted] for one in (rates, trials))
    ends = _score_ends(share, size, z) if method is IntervalMethod.WILSON else _exact_ends(share, size, level)
    return spread(ends[0], counted), spread(ends[1], counted)


def spread(values: NDArray[np.float64], places: NDArray[np.bool_]) -> pl.Series:
    """Put values where `places` is true, one after the other, and null elsewhere.

    Args:
        values: As many as there are places.
        places: Where they belong.
    """
    whole = np.zeros(len(places))
    whole[places] = values
    return pl.select(pl.when(pl.Series(places)).then(pl.Series(whole))).to_series()


def _score_ends(
    share: NDArray[np.float64], size: NDArray[np.float64], z: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    centre = (share + z * z / (2 * size)) / (1 + z * z / size)
    half = z / (1 + z * z / size) * np.sqrt(share * (1 - share) / size + (z / (2 * size)) ** 2)
    return np.minimum(np.maximum(centre - half, 0), share), np.maximum(np.minimum(centre + half, 1), share)


def _exact_ends(
    share: NDArray[np.float64], size: NDArray[np.float64], level: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    outside = (1 - level) / 2
    successes, failures = size * share, size * (1 - share)
    some = successes > 0
    low = np.where(some, betaincinv(np.where(some, successes, 1.0), failures + 1, outside), 0.0)
    return np.minimum(low, share), np.maximum(upper_ends(successes, failures, 1 - outside), share)


def upper_ends(successes: NDArray[np.float64], failures: NDArray[np.float64], confidence: float) -> NDArray[np.float64]:
    """Return the exact one-sided upper bounds (Clopper–Pearson) of rates.

    Args:
        successes: Numbers of successes, 0 or more; fractions are allowed.
        failures: Numbers of failures, likewise.
        confidence: How sure it is that the rate is no higher.

    Returns:
        The bounds, 1 where nothing failed.
    """
    inside = failures > 0
    return np.where(inside, betaincinv(successes + 1, np.where(inside, failures, 1.0), confidence), 1.0)


def normal_quantile(level: float) -> float:
    """Return how many standard errors an interval of this level reaches to either side.

    Args:
        level: The confidence level, between 0 and 1, both excluded.

    Raises:
        OptionError: The level isn't between 0 and 1.
        ArgumentError: The level isn't a number.

    Example:
        >>> round(normal_quantile(0.95), 6)
        1.959964
    """
    if not _is_number(level):
        message = f"a confidence level is a number between 0 and 1, such as 0.95, not {one_line(level)}"
        raise ArgumentError(message)
    if not 0 < level < 1:
        message = f"a confidence level lies between 0 and 1, such as 0.95, not {level}"
        raise OptionError(message)
    return -NormalDist().inv_cdf((1 - level) / 2)


def _is_number(given: object) -> bool:
    return isinstance(given, Real)


def require_part(successes: float, trials: float) -> None:
    """Refuse numbers that can't be a part and its whole.

    Args:
        successes: Number of successes.
        trials: Number of trials.

    Raises:
        OptionError: The successes aren't between 0 and the trials.
    """
    if not 0 <= successes <= trials:
        message = f"successes or errors must lie between 0 and the number of trials; got {successes} of {trials}"
        raise OptionError(message)
