"""Intervals for the rate of items that were tried several times: trials of one item aren't independent of each other.

Items are the clusters. How much the trials are worth as independent ones is their *effective number*, and an interval
for that number of trials is the interval of the rate.

* Korn and Graubard, "Confidence intervals for proportions with small expected number of positive counts estimated from
  survey data", Survey Methodology 24 (1998): the number of trials over the design effect, times the square of the
  quotient of two t quantiles, for as many degrees of freedom as there are trials and clusters, less one each. The
  variance is that of a ratio of totals over clusters.
* Dean and Pagano, "Evaluating confidence interval methods for binomial proportions in clustered surveys", Journal of
  Survey Statistics and Methodology 3 (2015): Wilson's interval at that number is the one that holds its level best.
* Parker et al., "National Center for Health Statistics data presentation standards for proportions", Vital and Health
  Statistics 2:175 (2017): never more than the number of trials, so that a design effect that comes out below 1 by
  chance narrows nothing.

Two things are our own, chosen by simulation. Where all trials came out alike nothing tells the design effect, and the
effective number is that of the items: as few as it can be. And over other runs of the same items, where the variance is
that within items alone, that variance is never taken as smaller than if z² trials had come out otherwise (what a score
interval leaves open where none did), nor the effective number as smaller than that of the trials, because trials of
unlike items vary less than trials of one kind do (Hoeffding, Annals of Mathematical Statistics 27, 1956).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl
from scipy.special import ndtr, stdtrit

from verdict_frames.errors import OptionError
from verdict_frames.statistics.choices import find_choice
from verdict_frames.statistics.counted import ITEM, NAMELESS
from verdict_frames.statistics.intervals import interval_ends, normal_quantile, spread
from verdict_frames.statistics.shares import share
from verdict_frames.statistics.vocabulary import IntervalMethod, IntervalOver

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

NAMELESS_ITEMS: Final = "items without a name"
"""What `ci_method` says where items of repeated runs have no name, so that none can tell which of them are the same."""

ONE_ITEM: Final = "one item: no interval over items"
"""What `ci_method` says where all trials are of one item: nothing tells how other items would differ from it."""

TRIED_ONCE: Final = "items tried once: no interval over runs"
"""What `ci_method` says over runs where an item has one trial only: nothing tells how another run would differ."""

AT_EFFECTIVE_N: Final = ", at the effective sample size"
"""What follows the method in `ci_method` where the trials aren't taken as independent."""

_TRIALS: Final = "\0trials of the item"
_FINE: Final = 2**40


@dataclass(frozen=True, kw_only=True, slots=True)
class EffectiveSize:
    """What the trials of several items are worth as independent trials.

    Attributes:
        clusters: Number of items.
        trials: Number of their trials.
        design_effect: How many times the variance of their rate is that of as many independent trials, 0 or more; null
            where nothing tells: all trials came out alike, or the note says why.
        effective_n: Number of independent trials that would tell as much, above 0, `over` runs possibly more than
            there are; null where there is a note, or no trial.
        note: Why there is no effective number; null where there is one.
    """

    clusters: int
    trials: int
    design_effect: float | None
    effective_n: float | None
    note: str | None


def effective_size(
    passes: Sequence[int],
    trials: Sequence[int],
    *,
    over: IntervalOver | str = IntervalOver.ITEMS,
    level: float = 0.95,
) -> EffectiveSize:
    """Return what the trials of several items are worth as independent trials.

    Args:
        passes: How many trials of each item passed.
        trials: How many trials each item had, in the same order; an item without any is passed over.
        over: What would be drawn again: other items, or other runs of these same items.
        level: The confidence level of the interval that it is for, between 0 and 1.

    Raises:
        OptionError: There is no such choice, the level isn't between 0 and 1, or the numbers aren't counts of parts
            and their wholes.
        ArgumentError: The level isn't a number.

    Example:
        >>> size = effective_size([4, 3, 0, 5], [5, 5, 5, 5])
        >>> size.clusters, size.trials, round(size.design_effect, 2), round(size.effective_n, 2)
        (4, 20, 3.69, 2.34)
        >>> effective_size([1, 0, 1], [1, 1, 1]).effective_n
        3.0
    """
    if len(passes) != len(trials) or any(not 0 <= part <= whole for part, whole in zip(passes, trials, strict=True)):
        message = "passes and trials are counts of the same items, and no item passes more often than it was tried"
        raise OptionError(message)
    tried = pl.DataFrame(
        [(passed, whole) for passed, whole in zip(passes, trials, strict=True) if whole],
        schema={"passes": pl.Int64, "trials": pl.Int64},
        orient="row",
    )
    items = tried.lazy().with_columns(pl.lit("an item").alias(ITEM), pl.lit(0, pl.Int64).alias("nameless"))
    sums = sums_of_items(items, (), trials=pl.col("trials"), passes=pl.col("passes")).collect()
    sizes = effective_sizes(sums, over=over, level=level).row(0, named=True)
    return EffectiveSize(clusters=tried.height, trials=int(sums["trials"][0]), **sizes)


def cluster_sums(items: pl.LazyFrame, columns: Sequence[str], passed: pl.Expr) -> pl.LazyFrame:
    """Add up what the intervals of groups of items need.

    Args:
        items: Grain one trial, eligible ones only: the group columns, `ITEM`, where null is an item of its own, and
            `NAMELESS`.
        columns: The group columns; with none, everything is one group.
        passed: Whether a trial passed, never null.

    Returns:
        One row a group, in any order: the group columns, then numbers for `clustered_intervals`; of these `trials` and
        `passes` are the counts of the group. Without group columns one row, also for no items.
    """
    by_item = items.group_by(*columns, ITEM).agg(
        pl.len().cast(pl.Int64).alias("trials"),
        passed.sum().cast(pl.Int64).alias("passes"),
        pl.col(NAMELESS).sum().cast(pl.Int64).alias("nameless"),
    )
    return sums_of_items(by_item, columns, trials=pl.col("trials"), passes=pl.col("passes"))


def sums_of_items(by_item: pl.LazyFrame, columns: Sequence[str], *, trials: pl.Expr, passes: pl.Expr) -> pl.LazyFrame:
    """Add up the same from items that are counted already.

    Args:
        by_item: Grain one item of a group: the group columns, `ITEM`, and `nameless`, the number of trials that may be
            of any item. Items without a name stand in one row, each an item of its own.
        columns: The group columns; with none, everything is one group.
        trials: How many trials an item had; without any it doesn't count.
        passes: How many of them passed.

    Returns:
        What `cluster_sums` returns.
    """
    named = pl.col(ITEM).is_not_null()
    counted = by_item.select(*columns, ITEM, "nameless", trials.alias("\0n"), passes.alias("\0x"))
    return _sums(
        counted.filter(pl.col("\0n") > 0).with_columns(
            pl.when(named).then(1).otherwise("\0n").alias("clusters"),
            pl.col("\0x").alias("passes"),
            pl.when(named).then(pl.col("\0x") * pl.col("\0x")).otherwise("\0x").alias("passes²"),
            pl.when(named).then("\0n").otherwise(1).alias(_TRIALS),
        ),
        columns,
    )


def _sums(items: pl.LazyFrame, columns: Sequence[str]) -> pl.LazyFrame:
    """Add up items, first those with equally many trials: whole numbers, whose sum doesn't depend on the order.

    The variance within items is a sum of fractions; it is added up in whole parts of `_FINE`.
    """
    alike = items.group_by(*columns, _TRIALS).agg(pl.col("clusters", "passes", "passes²", "nameless").sum())
    n, clusters, passes, squares = (pl.col(name) for name in (_TRIALS, "clusters", "passes", "passes²"))
    sums = {
        "clusters": clusters.sum(),
        "trials": (n * clusters).sum(),
        "passes": passes.sum(),
        "nameless": pl.col("nameless").sum(),
        "once": clusters.filter(n == 1).sum(),
        "trials²": (n * n * clusters).sum(),
        "passes²": squares.sum(),
        "passes·trials": (n * passes).sum(),
        "within": ((n * passes - squares).filter(n > 1).cast(pl.Int128) * _FINE // (n - 1).filter(n > 1)).sum(),
    }
    totals = [total.alias(name) for name, total in sums.items()]
    return alike.group_by(columns).agg(totals) if columns else alike.select(totals)


def clustered_intervals(
    sums: pl.DataFrame,
    *,
    interval: IntervalMethod | str = IntervalMethod.WILSON,
    over: IntervalOver | str = IntervalOver.ITEMS,
    level: float = 0.95,
) -> pl.DataFrame:
    """Return the rate of each group with its interval.

    Args:
        sums: What `cluster_sums` gives; a group that it lacks has 0 in every column.
        interval: How intervals are computed.
        over: What would be drawn again: other items, or other runs of these same items.
        level: The confidence level, between 0 and 1.

    Returns:
        One row for each row of `sums`, in its order: `rate?`, `ci_low?`, `ci_high?`, `ci_method?`, `clusters?`,
        `design_effect?`, `effective_n?`. Without a trial all are null but `clusters`, which is 0, and with items that
        may be each other all but `rate`. Elsewhere `ci_method` names the method or says why there is no interval.

    Raises:
        OptionError: There is no such method or choice, or the level isn't between 0 and 1.
        ArgumentError: The level isn't a number.
    """
    method = find_choice(IntervalMethod, interval, option="interval")
    sizes = effective_sizes(sums, over=over, level=level)
    rates = share(sums["passes"], sums["trials"])
    low, high = interval_ends(rates, sizes["effective_n"], method=method, level=level)
    independent = (pl.col("trials") == pl.col("clusters")) & (pl.col("nameless") == 0)
    return sums.with_columns(sizes).select(
        rates.alias("rate"),
        low.alias("ci_low"),
        high.alias("ci_high"),
        pl.when(pl.col("trials") > 0)
        .then(
            pl.coalesce(
                "note", pl.when(independent).then(pl.lit(method.value)).otherwise(pl.lit(method.value + AT_EFFECTIVE_N))
            )
        )
        .alias("ci_method"),
        pl.when(pl.col("nameless") == 0).then("clusters").alias("clusters"),
        "design_effect",
        "effective_n",
    )


def effective_sizes(
    sums: pl.DataFrame, *, over: IntervalOver | str = IntervalOver.ITEMS, level: float = 0.95
) -> pl.DataFrame:
    """Return what the trials of each group are worth as independent trials, equal to `effective_size` each.

    Args:
        sums: What `cluster_sums` gives.
        over: What would be drawn again: other items, or other runs of these same items.
        level: The confidence level of the interval that it is for, between 0 and 1.

    Returns:
        One row for each row of `sums`, in its order: `design_effect?`, `effective_n?`, `note?`.

    Raises:
        OptionError: There is no such choice, or the level isn't between 0 and 1.
        ArgumentError: The level isn't a number.
    """
    z = normal_quantile(level)
    over_items = find_choice(IntervalOver, over, option="over") is IntervalOver.ITEMS
    trials, clusters, once = pl.col("trials"), pl.col("clusters"), pl.col("once")
    alone = ((clusters == 1) & (trials > 1)) if over_items else once > 0
    note = (
        pl.when(trials == 0)
        .then(None)
        .when(pl.col("nameless") > 0)
        .then(pl.lit(NAMELESS_ITEMS))
        .when(alone)
        .then(pl.lit(ONE_ITEM if over_items else TRIED_ONCE))
    )
    noted = sums.with_columns(note.alias("note"))
    known = noted.select((trials > 0) & pl.col("note").is_null()).to_series().to_numpy()
    size, effect = _sizes_over_items(sums, known, z) if over_items else _sizes_over_runs(sums, known, z)
    effects = spread(effect, known)
    return pl.DataFrame(
        {
            "design_effect": effects.set(effects.is_nan(), None),
            "effective_n": spread(size, known),
            "note": noted["note"].cast(pl.String),
        }
    )


def _sizes_over_items(
    sums: pl.DataFrame, known: NDArray[np.bool_], z: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Compute effective numbers and design effects of the groups that are known, NaN for an effect that nothing tells.

    The squares of what items lie off the rate are summed in whole numbers, so that nothing is lost in differences.
    """
    n, x = (pl.col(name).cast(pl.Int128) for name in ("trials", "passes"))
    squares = n * n * pl.col("passes²") - 2 * n * x * pl.col("passes·trials") + x * x * pl.col("trials²")
    exact = sums.select(trials=n, clusters=pl.col("clusters"), off=squares, independent=n * x * (n - x)).filter(
        pl.Series(known)
    )
    trials, clusters, off, independent = (column.cast(pl.Float64).to_numpy() for column in exact)
    mixed, repeated = independent > 0, trials > clusters
    others = np.where(repeated, clusters - 1, 1)
    variances = off / np.where(mixed, independent, 1)
    effect = np.where(repeated, clusters / others * ((trials - 1) / trials) * variances, 1.0)
    tails = np.where(repeated, _tail(z, trials - 1) / _tail(z, others), 1.0) ** 2
    size = np.where(effect > 0, trials / np.where(effect > 0, effect, 1) * tails, trials)
    return np.where(mixed, np.minimum(size, trials), clusters), np.where(mixed, effect, np.nan)


def _sizes_over_runs(
    sums: pl.DataFrame, known: NDArray[np.bool_], z: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Compute the same where the variance is that within items."""
    columns = sums.filter(pl.Series(known)).select("trials", "passes", "clusters", "within")
    trials, passes, clusters, within = (column.cast(pl.Float64).to_numpy() for column in columns)
    within = within / _FINE
    independent = passes * (trials - passes)
    mixed = independent > 0
    each = (trials - 1) / np.where(mixed, independent, 1)
    tails = (_tail(z, trials - 1) / _tail(z, trials - clusters)) ** 2
    size = trials / np.where(mixed, np.maximum(within, z * z) * each, 1) * tails
    return np.where(mixed, np.maximum(size, trials), trials), np.where(mixed, within * each, np.nan)


def _tail(z: float, degrees: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the t quantile that leaves as much outside as the normal one does."""
    return np.asarray(stdtrit(degrees, ndtr(z)), dtype=np.float64)
