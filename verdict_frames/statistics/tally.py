"""Counts and rates by group: what passed, of what, and everything that was not counted beside it."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import polars as pl

from verdict_frames.errors import ArgumentError, OptionError, one_line
from verdict_frames.frames.evaluations import Evaluations
from verdict_frames.policies import (
    AGENT_JUDGE_0_17,
    READING,
    STATE_COLUMNS,
    SUPPORT,
    ColumnKind,
    Policy,
    bucket_expression,
    find_policy,
    require_columns,
)
from verdict_frames.statistics.choices import find_choice
from verdict_frames.statistics.clusters import cluster_sums, clustered_intervals
from verdict_frames.statistics.counted import ITEM, LEFT_OUT, NAMELESS, counted_items
from verdict_frames.statistics.evaluations.policies import EvaluationPolicy
from verdict_frames.statistics.evaluations.tally import tally_evaluations
from verdict_frames.statistics.grouping import beside_groups, require_free_names
from verdict_frames.statistics.intervals import normal_quantile
from verdict_frames.statistics.likeness import with_notes
from verdict_frames.statistics.shares import share
from verdict_frames.statistics.vocabulary import EvaluationChoice, IntervalMethod, IntervalOver
from verdict_frames.vocabulary import Bucket, Reading, Support

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from verdict_frames.frames.corpus import Corpus
    from verdict_frames.statistics.grouping import GroupedItems

NO_RATE: Final = "no items eligible for the denominator"
"""What `rate_note` says where there is no pass rate. Such a group may well have been judged in full."""

TALLY_SCHEMA: Final[Mapping[str, pl.DataType]] = MappingProxyType(
    {
        "passes": pl.Int64(),
        "eligible": pl.Int64(),
        "pass_rate": pl.Float64(),
        "ci_low": pl.Float64(),
        "ci_high": pl.Float64(),
        "ci_method": pl.String(),
        "confidence_level": pl.Float64(),
        "over": pl.String(),
        "clusters": pl.Int64(),
        "design_effect": pl.Float64(),
        "effective_n": pl.Float64(),
        "rate_note": pl.String(),
        "total": pl.Int64(),
        "non_passes": pl.Int64(),
        "excluded": pl.Int64(),
        "instrument_failures": pl.Int64(),
        "unattestable": pl.Int64(),
        "set_aside": pl.Int64(),
        "agent_failed": pl.Int64(),
        "unjudged": pl.Int64(),
        "unverified": pl.Int64(),
        "undecided": pl.Int64(),
        "not_assessed": pl.Int64(),
        "instrument_marks": pl.Int64(),
        "judge_error_items": pl.Int64(),
        "end_to_end_rate": pl.Float64(),
        "passed_recorded": pl.Int64(),
        "naive_passes": pl.Int64(),
        "naive_rate": pl.Float64(),
        "left_out": pl.Int64(),
        "policy": pl.String(),
        "notes": pl.List(pl.String()),
    }
)
"""The columns of a tally after its group columns, in order, with their types."""

_ITEM_COLUMNS: Final[Mapping[str, ColumnKind]] = MappingProxyType(
    {
        **STATE_COLUMNS,
        "passed": ColumnKind.FLAG,
        "stage_failure": ColumnKind.FLAG,
        "instrument_failure": ColumnKind.TEXT,
        "judge_errors": ColumnKind.COUNT,
        "errors_absorbed": ColumnKind.FLAG,
    }
)


def tally(
    judged: Corpus | Evaluations | pl.DataFrame | pl.LazyFrame,
    by: str | Sequence[str] | None = None,
    *,
    policy: Policy | EvaluationPolicy | str | None = None,
    interval: IntervalMethod | str = IntervalMethod.WILSON,
    over: IntervalOver | str = IntervalOver.ITEMS,
    level: float = 0.95,
    evaluations: EvaluationChoice | str = EvaluationChoice.LATEST,
) -> pl.DataFrame:
    """Count items or stored evaluations by group, and give the rate of each group with what it rests on.

    Both come out in one shape: the group, the count that passed and the `eligible` ones, their rate with its interval
    or the `rate_note`, the `total` with the buckets that sum to it, counts that overlap these, `left_out`, `policy`.
    Of evaluations the columns are those that `verdict_frames.statistics.evaluations.tally` describes, `accepted` and
    `accept_rate` first; all that follows here is about items.

    Items of judge experiments, and of all but one evaluation of the same work (see `left_out_runs`), are counted in
    `left_out` and nowhere else. Which runs are replaced is decided among the runs of the corpus at hand: after `filter`
    has dropped a re-evaluation, its original counts again. A re-evaluation replaces a run as a whole, also where it
    judged only some of its items again. Items given without their runs are all counted.

    Args:
        judged: A corpus, its items as an eager or lazy frame, or stored evaluations.
        by: One name or several to group by: columns of items or runs, or run facts such as `conditions.model`; columns
            of `evaluations`; with none, everything is one group.
        policy: A policy or the name of one: a `Policy` for items, an `EvaluationPolicy` for evaluations. With none it
            is `agent-judge-0.17` or `results-only`.
        interval: How intervals are computed: Wilson's, or Clopper and Pearson's exact one.
        over: What the interval of items is about: the rate of other items of this kind, or that of other runs of these
            same items. Evaluations know only the first.
        level: The confidence level of the intervals, between 0 and 1.
        evaluations: Which evaluation of items counts where a run was judged again: the latest, the original, or all of
            them, so that the same work counts several times.

    Returns:
        One row a group, sorted by group with null last; the group columns, then those of `TALLY_SCHEMA`:

        * `passes`, `eligible` (passes and non-passes), `pass_rate` from 0 to 1, null where nothing is eligible;
          `rate_note` then says so, and is null elsewhere;
        * `ci_low`, `ci_high`, `ci_method`, `confidence_level`, `over`: the interval, null where there is no rate. Where
          every item (`item_id`, else `item_slug`) is eligible once, its method is the bare one, such as "wilson". Where
          an item is eligible more than once, and over runs, it is that "…, at the effective sample size" (see
          `verdict_frames.statistics.clusters`). Or there is none and `ci_method` says why: "one item: no interval over
          items" where all is one item; "items tried once: no interval over runs" where an item is; "items without a
          name" where an item with neither is eligible and its run has a `repeat`, because it may be the same as any
          other. Without a `repeat`, and among items given without their runs, it is taken as one of its own;
        * `clusters`, `design_effect`, `effective_n`: how many different items are eligible, null with items without a
          name as above; how many times the variance of the rate is that of as many independent trials, null where all
          came out alike; and the number of independent trials that tell as much, which is what the interval rests on;
        * `total` and the buckets that sum to it: `passes`, `non_passes`, `excluded`, `instrument_failures`,
          `unattestable`, `set_aside`, `agent_failed`, `unjudged`;
        * counts that overlap these and mean the same under every policy: `unverified` (a reading that can't be checked
          against the record), `undecided`, `not_assessed` (the jury came to no decision because the instrument failed,
          in whichever bucket the policy puts that), `instrument_marks` (judged, and not assessed, or a stage failed, or
          the item is marked as an instrument failure), `judge_error_items` (some judge errored, or the reduction
          absorbed errors);
        * `end_to_end_rate`: passes of eligible and `agent_failed` items, null where there are none of these;
        * `passed_recorded`, `naive_passes`, `naive_rate`: on how many items `passed` is recorded at all, on how many
          it is recorded as true, and the share of those in `total`: what would have been published; null where
          `passed` is recorded on no item;
        * `left_out`, and the name of the `policy`;
        * `notes`: what the group's runs differ in, and what only some of them record, of instrument, dataset and
          conditions (see `unlike_aspects`), such as "2 instruments"; an empty list where nothing is known to differ,
          and for items given without their runs.

        Counts are never null. Grouped by nothing there is one row, also for no items. Grouped by columns of runs or by
        run facts only, a run without items keeps its group.

    Raises:
        ColumnError: A column that is needed is missing or of a type that can't be what it should; a group name is
            unknown, ambiguous, given twice, nested, or the name of a column of the tally.
        OptionError: No policy, method or choice has that name, or the level isn't between 0 and 1.
        ArgumentError: An argument is of the wrong kind.

    Example:
        >>> row = {"item_slug": None, "reading_support": "SUPPORTED", "has_verdict": True, "success": True,
        ...        "passed": True, "stage_failure": False, "instrument_failure": None, "judge_errors": 0,
        ...        "errors_absorbed": False}
        >>> items = pl.DataFrame(
        ...     [row | {"item_id": "a", "reading": "ACCEPTED"}, row | {"item_id": "b", "reading": "REJECTED"},
        ...      row | {"item_id": "c", "reading": "NOT_ASSESSED"}]
        ... )
        >>> tally(items).select("passes", "eligible", "pass_rate", "total").row(0)
        (1, 2, 0.5, 3)
    """
    if isinstance(judged, Evaluations):
        if isinstance(policy, Policy):
            message = f"evaluations are counted by an EvaluationPolicy, and {policy.name!r} is a Policy for items"
            raise ArgumentError(message)
        if over != IntervalOver.ITEMS:
            message = f"over={one_line(over)}: evaluations have no runs to draw again; this is for items"
            raise OptionError(message)
        return tally_evaluations(judged, by, policy=policy, interval=interval, level=level)
    if isinstance(policy, EvaluationPolicy):
        message = f"items are counted by a Policy, and {policy.name!r} is an EvaluationPolicy"
        raise ArgumentError(message)
    chosen = find_policy(AGENT_JUDGE_0_17 if policy is None else policy)
    method = find_choice(IntervalMethod, interval, option="interval")
    about = find_choice(IntervalOver, over, option="over")
    normal_quantile(level)
    grouped = counted_items(judged, by, evaluations=evaluations)
    require_columns(grouped.items.collect_schema(), _ITEM_COLUMNS, table="items")
    require_free_names(grouped.columns, TALLY_SCHEMA, of="a tally has")
    counts, sums = _group_counts(grouped, chosen)
    intervals = clustered_intervals(sums, interval=method, over=about, level=level).rename({"rate": "pass_rate"})
    rated = _with_rates(counts.hstack(intervals)).with_columns(
        pl.lit(float(level)).alias("confidence_level"),
        pl.lit(about.value).alias("over"),
        pl.lit(chosen.name).alias("policy"),
    )
    rated = with_notes(rated, judged, grouped)
    result = rated.select(*grouped.columns, *(pl.col(name).cast(dtype) for name, dtype in TALLY_SCHEMA.items()))
    return result.sort(grouped.columns, nulls_last=True) if grouped.columns else result


def _group_counts(grouped: GroupedItems, policy: Policy) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Count the items of each group, and add up what its interval needs, row by row the same groups."""
    columns = grouped.columns
    facts = _facts(grouped.items, columns, policy)
    bucket = pl.col("\0bucket")
    eligible = facts.filter(bucket.is_in([Bucket.PASSES, Bucket.NON_PASSES]))
    counted = facts.group_by(columns).agg(_counts()) if columns else facts.select(_counts())
    counts, sums = pl.collect_all([counted, cluster_sums(eligible, columns, bucket == Bucket.PASSES)])
    counts = grouped.with_all_groups(counts)
    return counts, beside_groups(counts.select(columns), sums)


def item_facts(policy: Policy) -> dict[str, pl.Expr]:
    """Return what decides which counts of a tally an item belongs to, as expressions over the columns of `items`.

    Args:
        policy: Decides the bucket; the others mean the same under every policy.

    Returns:
        Name → expression: the bucket, and true, false or null for each of the counts that overlap the buckets.
    """
    judged = _flag("has_verdict") | pl.col("reading_support").is_not_null()
    marked = _flag("stage_failure") | pl.col("instrument_failure").is_not_null()
    unverified = READING.is_not_null() & (SUPPORT == Support.UNDETERMINED)
    return {
        "unverified": unverified,
        "undecided": READING == Reading.UNDECIDED,
        "not_assessed": READING == Reading.NOT_ASSESSED,
        "instrument_marks": judged & ((READING == Reading.NOT_ASSESSED).fill_null(value=False) | marked),
        "judge_error_items": (pl.col("judge_errors") > 0) | _flag("errors_absorbed"),
        "passed_recorded": pl.col("passed").is_not_null(),
        "naive_passes": _flag("passed"),
        "bucket": bucket_expression(policy),
    }


def _facts(items: pl.LazyFrame, columns: tuple[str, ...], policy: Policy) -> pl.LazyFrame:
    """Say of each item which counts it belongs to: the group columns, then true, false or null for each count.

    An item that is left out has null in all but `left_out`, so that sums pass over it.
    """
    return items.select(
        *columns,
        LEFT_OUT,
        *(pl.when(~pl.col(LEFT_OUT)).then(pl.col(name)).alias(name) for name in (ITEM, NAMELESS)),
        *(pl.when(~pl.col(LEFT_OUT)).then(fact).alias(f"\0{name}") for name, fact in item_facts(policy).items()),
    )


def _flag(name: str) -> pl.Expr:
    return pl.col(name).cast(pl.Boolean)


def _counts() -> list[pl.Expr]:
    bucket = pl.col("\0bucket")
    overlapping = (
        "unverified",
        "undecided",
        "not_assessed",
        "instrument_marks",
        "judge_error_items",
        "passed_recorded",
        "naive_passes",
        "left_out",
    )
    counts = [bucket.is_not_null().sum().alias("total")]
    counts += [(bucket == token).sum().alias(token) for token in Bucket]
    counts += [pl.col(f"\0{name}").sum().alias(name) for name in overlapping]
    return [count.cast(pl.Int64) for count in counts]


def _with_rates(counts: pl.DataFrame) -> pl.DataFrame:
    counts = counts.with_columns((pl.col("passes") + pl.col("non_passes")).alias("eligible"))
    tried = counts["eligible"] + counts["agent_failed"]
    recorded = counts.select(pl.when(pl.col("passed_recorded") > 0).then("total")).to_series()
    return counts.with_columns(
        pl.when(pl.col("eligible") == 0).then(pl.lit(NO_RATE)).alias("rate_note"),
        share(counts["passes"], tried).alias("end_to_end_rate"),
        share(counts["naive_passes"], recorded).alias("naive_rate"),
    )
