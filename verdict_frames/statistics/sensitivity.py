"""How far a pass rate depends on what isn't known, apart from which items were drawn.

The rate under each policy, and the rate if the items that nobody could tell about had all failed, or all passed. These
are bounds of what the same items could have shown (Horowitz and Manski, "Censoring of outcomes and regressors due to
survey nonresponse", Journal of Econometrics 84, 1998), not intervals: more items don't narrow them.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import polars as pl

from verdict_frames.frames.display import as_html, as_text, remark_of
from verdict_frames.policies import (
    AGENT_JUDGE_0_17,
    POLICIES,
    READING,
    STATE_COLUMNS,
    SUPPORT,
    Policy,
    bucket_expression,
    find_policy,
    require_columns,
)
from verdict_frames.statistics.choices import find_choice
from verdict_frames.statistics.clusters import clustered_intervals, sums_of_items
from verdict_frames.statistics.counted import ITEM, LEFT_OUT, NAMELESS, counted_items
from verdict_frames.statistics.grid import state_expression
from verdict_frames.statistics.grouping import beside_groups, require_free_names
from verdict_frames.statistics.intervals import normal_quantile
from verdict_frames.statistics.shares import share
from verdict_frames.statistics.tally import NO_RATE, tally
from verdict_frames.statistics.vocabulary import Cause, EvaluationChoice, IntervalMethod, IntervalOver, ItemState
from verdict_frames.vocabulary import Bucket, Support

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from verdict_frames.frames.corpus import Corpus
    from verdict_frames.statistics.grouping import GroupedItems

_CAUSES: Final[Mapping[ItemState, Cause]] = MappingProxyType(
    {
        ItemState.NOT_ASSESSED: Cause.NOT_ASSESSED,
        ItemState.UNDECIDED: Cause.UNDECIDED,
        ItemState.UNATTESTABLE: Cause.UNATTESTABLE,
        ItemState.AGENT_FAILED: Cause.AGENT_FAILED,
        ItemState.UNJUDGED: Cause.UNJUDGED,
    }
)
"""What leaves open whether an item would have passed, whatever the policy."""

_POLICY_COLUMNS: Final = (
    *("policy", "passes", "eligible", "pass_rate", "ci_low", "ci_high", "ci_method", "confidence_level", "over"),
    *("clusters", "rate_note"),
)

_SHOWN: Final = (
    *("cause", "items", "passes", "eligible", "pass_rate", "resolved_eligible", "worst_rate", "best_rate"),
    *("worst_ci_low", "best_ci_high"),
)

BOUNDS_SCHEMA: Final[Mapping[str, pl.DataType]] = MappingProxyType(
    {
        "cause": pl.Enum(Cause),
        "items": pl.Int64(),
        "passes": pl.Int64(),
        "eligible": pl.Int64(),
        "pass_rate": pl.Float64(),
        "rate_note": pl.String(),
        "resolved_eligible": pl.Int64(),
        "worst_passes": pl.Int64(),
        "worst_rate": pl.Float64(),
        "best_passes": pl.Int64(),
        "best_rate": pl.Float64(),
        "worst_ci_low": pl.Float64(),
        "best_ci_high": pl.Float64(),
        "ci_method": pl.String(),
        "confidence_level": pl.Float64(),
        "over": pl.String(),
        "clusters": pl.Int64(),
        "policy": pl.String(),
    }
)
"""The columns of `Bounds.causes` after its group columns, in order, with their types."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Bounds:
    """How far pass rates depend on policy and on what isn't known.

    Attributes:
        policies: Grain group × policy, the groups sorted with null last, the policies in their own order: the group
            columns, `policy`, `passes`, `eligible`, `pass_rate?`, `ci_low?`, `ci_high?`, `ci_method?`,
            `confidence_level`, `over`, `clusters?`, `rate_note?`, as in a tally.
        causes: Grain group × cause, the groups likewise, the causes in the order of `Cause` with `all` last: the group
            columns, then those of `BOUNDS_SCHEMA`:

            * `cause`, and `items`: how many items of the group have it;
            * `passes`, `eligible`, `pass_rate?`, `rate_note?`: as counted by the policy;
            * `resolved_eligible`: the denominator with the items of the cause in it, whether or not the policy counts
              them; `worst_passes`, `worst_rate?`: if each of them had failed; `best_passes`, `best_rate?`: if each had
              passed. Both rates are null where that denominator is 0;
            * `worst_ci_low?`, `best_ci_high?`: the range that carries sampling error, too: from the lower end of the
              interval of the worst rate to the upper end of that of the best. It holds the rate at least as often as
              the level says, however the items of the cause would have come out. Null where either rate has no
              interval; `ci_method?` says how intervals are computed, or why there is none, as in a tally;
            * `confidence_level`, `over`, `clusters?` (different items in that denominator), `policy`.
        policy: The name of the policy that `causes` counts by.
    """

    policies: pl.DataFrame
    causes: pl.DataFrame
    policy: str

    def tables(self) -> dict[str, pl.DataFrame]:
        """Return the frames by name."""
        return {"policies": self.policies, "causes": self.causes}

    def __repr__(self) -> str:
        return as_text("Bounds", self.tables(), remark=remark_of(policy=self.policy))

    def _repr_html_(self) -> str:
        groups = [name for name in self.causes.columns if name not in BOUNDS_SCHEMA]
        rows = self.causes.filter((pl.col("items") > 0) | (pl.col("cause").cast(pl.String) == Cause.ALL.value))
        return as_html(
            "Bounds",
            self.tables(),
            first="causes",
            columns=[*groups, *_SHOWN],
            rows=rows,
            remark=remark_of(policy=self.policy),
        )


def bounds(
    corpus_or_items: Corpus | pl.DataFrame | pl.LazyFrame,
    by: str | Sequence[str] | None = None,
    *,
    policy: Policy | str = AGENT_JUDGE_0_17,
    interval: IntervalMethod | str = IntervalMethod.WILSON,
    over: IntervalOver | str = IntervalOver.ITEMS,
    level: float = 0.95,
    evaluations: EvaluationChoice | str = EvaluationChoice.LATEST,
) -> Bounds:
    """Show how far the pass rate of each group depends on policy and on what isn't known.

    What isn't known is resolved against the subject and for it, cause by cause and all together: items that were not
    assessed, not decided, that their record can't attest (it contradicts itself or says nothing readable), or that
    nobody judged; under a policy that doesn't count readings which the record can't bear out, these too. Items to which
    the criteria don't apply stay where the policy puts them, and what `tally` leaves out is left out here.

    Args:
        corpus_or_items: A corpus, or its items as an eager or lazy frame.
        by: One name or several to group by, as in `tally`.
        policy: The policy, or its name, whose rate is bounded.
        interval: How intervals are computed: Wilson's, or Clopper and Pearson's exact one.
        over: What intervals are about: other items of this kind, or other runs of these same items.
        level: The confidence level of intervals, between 0 and 1.
        evaluations: Which evaluation of items counts where a run was judged again.

    Raises:
        ColumnError: A column that is needed is missing or of a type that can't be what it should; a group name is
            unknown, ambiguous, given twice, nested, or the name of a column of the result.
        OptionError: No policy, method or choice has that name, or the level isn't between 0 and 1.
        ArgumentError: An argument is of the wrong kind.

    Example:
        >>> from verdict_frames import from_records
        >>> statuses = ["pass", "pass", "fail", "error"]
        >>> corpus = from_records(
        ...     {"run_id": "r", "item_id": str(place), "verdict": {"aggregated": {"status": status}}}
        ...     for place, status in enumerate(statuses)
        ... )
        >>> all_together = bounds(corpus).causes.row(-1, named=True)
        >>> [all_together[name] for name in ("passes", "eligible", "resolved_eligible", "worst_rate", "best_rate")]
        [2, 3, 4, 0.5, 0.75]
    """
    chosen = find_policy(policy)
    method = find_choice(IntervalMethod, interval, option="interval")
    about = find_choice(IntervalOver, over, option="over")
    normal_quantile(level)
    grouped = counted_items(corpus_or_items, by, evaluations=evaluations)
    require_columns(grouped.items.collect_schema(), STATE_COLUMNS, table="items")
    require_free_names(grouped.columns, BOUNDS_SCHEMA, of="the bounds have")
    by_item = _by_item(grouped, chosen).collect()
    columns = list(grouped.columns)
    groups = grouped.with_all_groups(by_item.select(columns).unique()) if columns else pl.DataFrame()
    causes = pl.concat([_resolved(by_item, groups, cause, interval=method, over=about, level=level) for cause in Cause])
    named = causes.with_columns(
        pl.lit(float(level)).alias("confidence_level"),
        pl.lit(about.value).alias("over"),
        pl.lit(chosen.name).alias("policy"),
        pl.when(pl.col("eligible") == 0).then(pl.lit(NO_RATE)).alias("rate_note"),
    ).select(*columns, *(pl.col(name).cast(dtype) for name, dtype in BOUNDS_SCHEMA.items()))
    counted = [
        tally(
            corpus_or_items, by, policy=each, interval=method, over=about, level=level, evaluations=evaluations
        ).select(*columns, *_POLICY_COLUMNS)
        for each in [*POLICIES.values(), *([] if chosen.name in POLICIES else [chosen])]
    ]
    return Bounds(
        policies=pl.concat(counted).sort(columns, nulls_last=True, maintain_order=True)
        if columns
        else pl.concat(counted),
        causes=named.sort(*columns, "cause", nulls_last=True),
        policy=chosen.name,
    )


def cause_expression(policy: Policy) -> pl.Expr:
    """Return why it isn't known whether an item would have passed, as text; null where it is, or doesn't matter.

    Args:
        policy: Decides whether readings that the record can't bear out are known.
    """
    told = state_expression().cast(pl.String).replace_strict(dict(_CAUSES), default=None)
    if policy.undetermined is None:
        return told
    unchecked = READING.is_not_null() & (SUPPORT == Support.UNDETERMINED)
    return pl.when(unchecked).then(pl.lit(Cause.UNDETERMINED.value)).otherwise(told)


def _by_item(grouped: GroupedItems, policy: Policy) -> pl.LazyFrame:
    """Count each item's trials that pass and count, by the policy; of each cause those that are in and those outside.

    Beside each number of trials stands that of such without a name that may be any item.
    """
    bucket, cause = pl.col("\0bucket"), pl.col("\0cause")
    eligible = bucket.is_in([Bucket.PASSES, Bucket.NON_PASSES])
    marked = grouped.items.with_columns(
        pl.when(~pl.col(LEFT_OUT)).then(fact).alias(name)
        for name, fact in (("\0bucket", bucket_expression(policy)), ("\0cause", cause_expression(policy)))
    )
    counts = {"passes": bucket == Bucket.PASSES, "eligible": eligible}
    for each in Cause:
        here = cause.is_not_null() if each is Cause.ALL else (cause == each.value).fill_null(value=False)
        counts |= {f"items {each}": here, f"outside {each}": here & ~eligible}
    numbers = [number.sum().cast(pl.Int64).alias(name) for name, number in counts.items()]
    numbers += [
        (number & pl.col(NAMELESS)).sum().cast(pl.Int64).alias(f"nameless {name}") for name, number in counts.items()
    ]
    return marked.group_by(*grouped.columns, ITEM).agg(numbers)


def _resolved(
    by_item: pl.DataFrame,
    groups: pl.DataFrame,
    cause: Cause,
    *,
    interval: IntervalMethod,
    over: IntervalOver,
    level: float,
) -> pl.DataFrame:
    """Resolve the items of one cause in every group, against the subject and for it."""
    items, outside = pl.col(f"items {cause}"), pl.col(f"outside {cause}")
    nameless = pl.col("nameless eligible") + pl.col(f"nameless outside {cause}")
    frame = by_item.lazy().with_columns(nameless.alias("nameless"))
    trials, passes = pl.col("eligible") + outside, pl.col("passes")
    columns = groups.columns
    totals = [passes.sum(), pl.col("eligible").sum(), items.sum().alias("items")]
    queries = [
        frame.group_by(columns).agg(totals) if columns else frame.select(totals),
        sums_of_items(frame, columns, trials=trials, passes=passes),
        sums_of_items(frame, columns, trials=trials, passes=passes + items),
    ]
    counts, worst, best = (beside_groups(groups, numbers) for numbers in pl.collect_all(queries))
    low, high = (clustered_intervals(sums, interval=interval, over=over, level=level) for sums in (worst, best))
    return pl.concat([groups, counts], how="horizontal").with_columns(
        pl.lit(cause.value).alias("cause"),
        share(counts["passes"], counts["eligible"]).alias("pass_rate"),
        worst["trials"].alias("resolved_eligible"),
        worst["passes"].alias("worst_passes"),
        low["rate"].alias("worst_rate"),
        best["passes"].alias("best_passes"),
        high["rate"].alias("best_rate"),
        low["ci_low"].alias("worst_ci_low"),
        high["ci_high"].alias("best_ci_high"),
        low["ci_method"],
        low["clusters"],
    )
