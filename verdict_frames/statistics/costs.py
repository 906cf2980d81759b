"""What items took, in money, tokens or time, beside what came of it."""

from __future__ import annotations

from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import polars as pl
from scipy.special import stdtrit

from verdict_frames.policies import ColumnKind, require_columns
from verdict_frames.statistics.choices import find_choice
from verdict_frames.statistics.clusters import NAMELESS_ITEMS
from verdict_frames.statistics.counted import ITEM, LEFT_OUT, NAMELESS, counted_items
from verdict_frames.statistics.grouping import require_free_names
from verdict_frames.statistics.shares import share
from verdict_frames.statistics.tally import TALLY_SCHEMA, tally
from verdict_frames.statistics.vocabulary import EvaluationChoice

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from verdict_frames.frames.corpus import Corpus
    from verdict_frames.policies import Policy


class Measure(StrEnum):
    """What is measured of an item.

    Attributes:
        COST_USD: Its cost in US dollars.
        TOTAL_TOKENS: Its tokens of all kinds.
        DURATION_MS: How long it took, in milliseconds.
    """

    COST_USD = "cost_usd"
    TOTAL_TOKENS = "total_tokens"
    DURATION_MS = "duration_ms"


NO_MEASURE: Final = "recorded on no item"
"""What `mean_note` says where there is no mean."""

FEW_ITEMS: Final = "fewer than two items: no interval over items"
"""What `mean_note` says where a mean has no interval because there is only one item."""

TOO_LARGE: Final = "the numbers are too large to add up"
"""What `mean_note` says where a sum, or the interval of a mean, is beyond what a float can hold."""

NO_SPREAD: Final = "all items alike: no spread to tell an interval from"
"""What `mean_note` says where an interval would have no width."""

COST_SCHEMA: Final[Mapping[str, pl.DataType]] = MappingProxyType(
    {
        "measure": pl.String(),
        "measured": pl.Int64(),
        "mean": pl.Float64(),
        "mean_low": pl.Float64(),
        "mean_high": pl.Float64(),
        "mean_note": pl.String(),
        "sum": pl.Float64(),
        "per_pass": pl.Float64(),
    }
)
"""The columns of a cost table between its group columns and those of the tally."""


def cost_table(
    corpus_or_items: Corpus | pl.DataFrame | pl.LazyFrame,
    by: str | Sequence[str] | None = None,
    *,
    measure: Measure | str = Measure.COST_USD,
    policy: Policy | str | None = None,
    level: float = 0.95,
    evaluations: EvaluationChoice | str = EvaluationChoice.LATEST,
) -> pl.DataFrame:
    """Say by group what its items took on average, beside its pass rate.

    All counted items take part that record the measure, whatever became of them: an item whose agent failed has cost
    money, too. Which those are says `measured`; the others are not taken as 0.

    Args:
        corpus_or_items: A corpus, or its items.
        by: One name or several to group by, as for `tally`.
        measure: What is measured.
        policy: As for `tally`.
        level: The confidence level of the intervals, between 0 and 1.
        evaluations: Which evaluation counts where a run was judged again.

    Returns:
        One row a group, sorted by group with null last; the group columns, then

        * `measure`, `measured` (how many items record it), `mean` (per item; null where none does), its interval
          `mean_low`, `mean_high` (Student's t over items as clusters, cut at 0 unless an item records less; null where
          there is none, and `mean_note` says why), `sum`, `per_pass` (the sum of the group divided by its passes; null
          without passes or where any item lacks the measure); what is beyond a float's range is null;
        * the columns of `TALLY_SCHEMA`, as `tally` gives them.

    Raises:
        ColumnError: A name can't be grouped by, or a column that is needed is missing.
        OptionError: There is no such measure, policy or choice, or the level isn't between 0 and 1.
        ArgumentError: An argument is of the wrong kind.

    Example:
        >>> import verdict_frames as vf
        >>> verdict = {"aggregated": {"status": "fail"}}
        >>> corpus = vf.from_records(
        ...     [{"itemId": name, "costUsd": cost, "verdict": verdict} for name, cost in [("a", 0.5), ("b", 1.5)]]
        ... )
        >>> cost_table(corpus).select("measured", "mean", "sum", "per_pass").row(0)
        (2, 1.0, 2.0, None)
    """
    chosen = find_choice(Measure, measure, option="measure")
    rates = tally(corpus_or_items, by, policy=policy, level=level, evaluations=evaluations)
    grouped = counted_items(corpus_or_items, by, evaluations=evaluations)
    require_columns(grouped.items.collect_schema(), {chosen.value: ColumnKind.SHARE}, table="items")
    require_free_names(grouped.columns, COST_SCHEMA, of="a cost table has")
    means = _means(grouped.items, grouped.columns, chosen, level=level)
    on = list(grouped.columns) or ["\0all"]
    joined = rates.with_columns(pl.lit(0).alias("\0all")).join(
        means.with_columns(pl.lit(0).alias("\0all")), on=on, how="left", nulls_equal=True, maintain_order="left"
    )
    joined = joined.with_columns(
        pl.lit(chosen.value).alias("measure"),
        pl.col("measured").fill_null(0),
        pl.when(pl.col("measured").fill_null(0) == 0)
        .then(pl.lit(NO_MEASURE))
        .otherwise("mean_note")
        .alias("mean_note"),
    )
    whole = joined.select(pl.when(pl.col("measured") == pl.col("total")).then("sum")).to_series()
    joined = joined.with_columns(share(whole, joined["passes"]).alias("per_pass"))
    columns = [pl.col(name).cast(dtype) for name, dtype in {**COST_SCHEMA, **TALLY_SCHEMA}.items()]
    return joined.select(*grouped.columns, *columns)


def _means(items: pl.LazyFrame, columns: tuple[str, ...], measure: Measure, *, level: float) -> pl.DataFrame:
    """Means by group with their intervals, items being the clusters.

    The mean is a ratio, all that was taken to the number of trials, and its variance that of a ratio over clusters:
    with one trial an item it is the usual one of a mean (Cochran, Sampling Techniques, 3rd ed., 1977, section 2.11).
    """
    value = pl.col(measure.value).cast(pl.Float64)
    item = pl.coalesce(pl.format("named {}", ITEM), pl.format("row {}", pl.int_range(pl.len()))).alias("\0cluster")
    clusters = (
        items.filter(~pl.col(LEFT_OUT) & value.is_not_null())
        .with_columns(item)
        .group_by(*columns, "\0cluster")
        .agg(
            value.sort().sum().alias("\0y"),
            value.min().alias("\0least"),
            pl.len().cast(pl.Int64).alias("\0n"),
            pl.col(NAMELESS).any(),
        )
        .sort("\0y", "\0n")
    )
    y, n, count = pl.col("\0y"), pl.col("\0n"), pl.len()
    mean = y.sum() / n.sum()
    sums = [
        n.sum().alias("measured"),
        y.sum().alias("sum"),
        mean.alias("mean"),
        count.cast(pl.Int64).alias("\0clusters"),
        pl.col(NAMELESS).any(),
        pl.col("\0least").min(),
        (((y - mean * n) ** 2).sum() / n.sum() ** 2).alias("\0squares"),
        ((y / n).max() == (y / n).min()).alias("\0alike"),
    ]
    # in order, because sums of floats depend on theirs in the last digits, and equal input gives equal bytes
    in_order = clusters.collect()
    table = in_order.group_by(columns, maintain_order=True).agg(sums) if columns else in_order.select(sums)
    return _with_intervals(table.filter(pl.col("measured") > 0), level=level)


def _with_intervals(table: pl.DataFrame, *, level: float) -> pl.DataFrame:
    clusters = pl.col("\0clusters")
    note = (
        pl.when(pl.col(NAMELESS))
        .then(pl.lit(NAMELESS_ITEMS))
        .when(clusters < 2)
        .then(pl.lit(FEW_ITEMS))
        .when(pl.col("\0alike"))
        .then(pl.lit(NO_SPREAD))
    )
    freedom = table["\0clusters"].clip(lower_bound=2).cast(pl.Float64).to_numpy() - 1
    reach = pl.Series("\0t", stdtrit(freedom, (1 + level) / 2))
    half = pl.col("\0t") * (clusters / (clusters - 1) * pl.col("\0squares")).sqrt()
    low, high = pl.col("mean") - half, pl.col("mean") + half
    cut = pl.when(pl.col("\0least") >= 0).then(low.clip(lower_bound=0)).otherwise(low)
    noted = table.with_columns(reach, note.alias("mean_note")).with_columns(
        pl.when(pl.col("mean_note").is_null()).then(cut).alias("mean_low"),
        pl.when(pl.col("mean_note").is_null()).then(high).alias("mean_high"),
    )
    return _without_what_is_too_large(noted)


def _without_what_is_too_large(table: pl.DataFrame) -> pl.DataFrame:
    """Put null where a number is beyond what a float holds, and say so; an interval goes with either of its ends."""
    sums, ends = ["sum", "mean"], ["mean_low", "mean_high"]
    added = pl.all_horizontal(pl.col(sums).is_finite())
    whole = added & pl.all_horizontal(pl.col(ends).is_finite())
    return table.with_columns(
        pl.when(added).then(pl.col(sums)),
        pl.when(whole).then(pl.col(ends)),
        pl.when(added & (pl.col("mean_note").is_not_null() | whole)).then("mean_note").otherwise(pl.lit(TOO_LARGE)),
    )
