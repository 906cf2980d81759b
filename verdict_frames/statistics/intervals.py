"""Intervals for a share: how far the rate of these items may lie from the rate that more such items would show.

Wilson's score interval is used: it needs no special function, keeps its level well at small numbers, and doesn't
collapse at 0 or 100 %. It takes each trial as an independent unit.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from numbers import Real
from statistics import NormalDist
from typing import Final

import polars as pl

from verdict_frames.errors import ArgumentError, OptionError, one_line

WILSON: Final = "wilson"
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


def wilson(successes: int, trials: int, *, level: float = 0.95) -> Interval | None:
    """Return Wilson's score interval for a share.

    The lower end is exactly 0 where nothing succeeded and the upper end exactly 1 where everything did; the interval
    always holds the share itself.

    Args:
        successes: Number of successes, from 0 to `trials`.
        trials: Number of independent trials.
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
    if not 0 <= successes <= trials:
        message = f"successes must lie between 0 and the number of trials; got {successes} of {trials}"
        raise OptionError(message)
    if trials == 0:
        return None
    share = successes / trials
    centre = (share + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z / (1 + z * z / trials) * sqrt(share * (1 - share) / trials + (z / (2 * trials)) ** 2)
    low = min(max(centre - half, 0.0), share)
    high = max(min(centre + half, 1.0), share)
    return Interval(low=low, high=high, method=WILSON, level=level)


def wilson_expressions(successes: pl.Expr, trials: pl.Expr, *, level: float = 0.95) -> tuple[pl.Expr, pl.Expr]:
    """Return both ends of Wilson's score interval as polars expressions, row by row.

    Args:
        successes: Number of successes, from 0 to `trials`.
        trials: Number of independent trials.
        level: The confidence level, between 0 and 1, both excluded.

    Returns:
        Lower and upper end, Float64; both null where there were no trials, equal to `wilson` elsewhere.

    Raises:
        OptionError: The level isn't between 0 and 1.
        ArgumentError: The level isn't a number.
    """
    z = normal_quantile(level)
    counted = pl.when(trials > 0).then(trials.cast(pl.Float64))
    share = successes / counted
    centre = (share + z * z / (2 * counted)) / (1 + z * z / counted)
    half = z / (1 + z * z / counted) * (share * (1 - share) / counted + (z / (2 * counted)) ** 2).sqrt()
    low = pl.min_horizontal((centre - half).clip(lower_bound=0.0), share)
    high = pl.max_horizontal((centre + half).clip(upper_bound=1.0), share)
    return low, high


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
