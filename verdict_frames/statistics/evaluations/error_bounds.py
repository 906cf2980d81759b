"""How large an error rate may be at most, from a number of errors among a number of checks."""

from __future__ import annotations

from typing import Final

import polars as pl

from verdict_frames.statistics.intervals import normal_quantile, require_part, spread, upper_ends

CLOPPER_PEARSON: Final = "clopper-pearson, one-sided"
"""The name of the exact upper bound in `bound_method`."""

EFFECTIVE_SIZE: Final = "clopper-pearson, one-sided, at the effective sample size"
"""Its name where checks have unequal weights: errors and checks are scaled to the size that the weights leave."""


def upper_bound(wrong: float, checked: float, *, level: float = 0.95) -> float | None:
    """Return the one-sided exact upper bound (Clopper–Pearson) for an error rate.

    With this confidence the rate is no higher, whatever it is. It takes each check as independent.

    Args:
        wrong: Number of errors, from 0 to `checked`; fractions are allowed for scaled counts.
        checked: Number of checks.
        level: The confidence level, between 0 and 1, both excluded.

    Returns:
        The bound, 1 where everything was wrong; null when nothing was checked.

    Raises:
        OptionError: The level isn't between 0 and 1, or the numbers aren't counts of a part and its whole.

    Example:
        >>> round(upper_bound(0, 200), 4)
        0.0149
    """
    require_part(wrong, checked)
    bounds: list[float | None] = upper_bounds(
        pl.Series([float(wrong)]), pl.Series([float(checked)]), level=level
    ).to_list()
    return bounds[0]


def upper_bounds(wrong: pl.Series, checked: pl.Series, *, level: float = 0.95) -> pl.Series:
    """Return the bounds of many error rates at once, equal to `upper_bound` each.

    Args:
        wrong: Numbers of errors.
        checked: Numbers of checks, in the same order.
        level: The confidence level, between 0 and 1, both excluded.

    Raises:
        OptionError: The level isn't between 0 and 1.
    """
    normal_quantile(level)
    some = (checked > 0).to_numpy()
    errors, checks = (one.cast(pl.Float64).to_numpy()[some] for one in (wrong, checked))
    return spread(upper_ends(errors, checks - errors, level), some)
