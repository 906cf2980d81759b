"""Whether one of k tries passes, and whether all of k do, from items that were tried at least k times.

* pass@k: Chen et al., "Evaluating large language models trained on code" (arXiv 2107.03374): of n tries of which c
  passed, 1 - C(n-c, k) / C(n, k), the share of the choices of k tries in which one passed or more.
* pass^k: Yao et al., "τ-bench" (arXiv 2406.12045): C(c, k) / C(n, k), the share in which all of them passed.

Both are unbiased for tries that are independent given the item.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb, fsum, sqrt
from numbers import Integral
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import polars as pl
from scipy.special import ndtr, stdtrit

from verdict_frames.errors import ArgumentError, OptionError, one_line
from verdict_frames.frames.display import as_html, as_text, remark_of
from verdict_frames.policies import (
    AGENT_JUDGE_0_17,
    STATE_COLUMNS,
    Policy,
    bucket_expression,
    find_policy,
    require_columns,
)
from verdict_frames.statistics.clusters import NAMELESS_ITEMS, ONE_ITEM
from verdict_frames.statistics.counted import ITEM, LEFT_OUT, NAMELESS, counted_items
from verdict_frames.statistics.grouping import beside_groups, require_free_names
from verdict_frames.statistics.intervals import normal_quantile
from verdict_frames.statistics.vocabulary import EvaluationChoice
from verdict_frames.vocabulary import Bucket

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from verdict_frames.frames.corpus import Corpus
    from verdict_frames.statistics.grouping import GroupedItems

TOO_FEW: Final = "fewer than k judged trials"
"""What `note` says of an item that was tried too seldom."""

NO_ITEM: Final = "no item with k judged trials"
"""What `note` says of a group in which every item was."""

T_OVER_ITEMS: Final = "t over items"
"""The name of the interval in `ci_method`: the mean of items, give or take t standard errors, cut at 0 and 1."""

ALL_ALIKE: Final = "items all alike: no interval over items"
"""What `ci_method` says where all items have the same value, so that the interval would have no width."""

ITEMS_SCHEMA: Final[Mapping[str, pl.DataType]] = MappingProxyType(
    {
        "item": pl.String(),
        "trials": pl.Int64(),
        "passes": pl.Int64(),
        "pass_at_k": pl.Float64(),
        "pass_hat_k": pl.Float64(),
        "note": pl.String(),
    }
)
"""The columns of `PassAtK.items` after its group columns, in order, with their types."""

OVERALL_SCHEMA: Final[Mapping[str, pl.DataType]] = MappingProxyType(
    {
        "estimate": pl.Enum(["pass_at_k", "pass_hat_k"]),
        "value": pl.Float64(),
        "ci_low": pl.Float64(),
        "ci_high": pl.Float64(),
        "ci_method": pl.String(),
        "confidence_level": pl.Float64(),
        "note": pl.String(),
        "k": pl.Int64(),
        "items_used": pl.Int64(),
        "items_dropped": pl.Int64(),
        "policy": pl.String(),
    }
)
"""The columns of `PassAtK.overall` after its group columns, in order, with their types."""

_ESTIMATES: Final = ("pass_at_k", "pass_hat_k")
_MEAN: Final = {name: OVERALL_SCHEMA[name] for name in ("value", "ci_low", "ci_high", "ci_method", "note")}


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PassAtK:
    """pass@k and pass^k of items, and their means.

    Attributes:
        k: How many tries.
        items: Grain group × item, sorted by both with null last: the group columns, then those of `ITEMS_SCHEMA`:
            `item?` (`item_id`, else `item_slug`; null where it has neither, each such item in a row of its own),
            `trials` (judged and eligible by the policy), `passes`, `pass_at_k?`, `pass_hat_k?` from 0 to 1, null where
            there are fewer than k trials or where the item can't be told from others; `note?` then says so.
        overall: Grain group × estimate, the groups sorted with null last, pass@k before pass^k: the group columns, then
            those of `OVERALL_SCHEMA`: `estimate`, `value?` (the mean over the items used, each with the same weight),
            `ci_low?`, `ci_high?`, `ci_method?` ("t over items", or why there is none), `confidence_level`, `note?`
            (why there is no value), `k`, `items_used`, `items_dropped`, `policy`.
    """

    k: int
    items: pl.DataFrame
    overall: pl.DataFrame

    def tables(self) -> dict[str, pl.DataFrame]:
        """Return the frames by name."""
        return {"items": self.items, "overall": self.overall}

    def __repr__(self) -> str:
        return as_text("PassAtK", self.tables(), remark=remark_of(k=self.k))

    def _repr_html_(self) -> str:
        columns = [name for name in self.overall.columns if name not in ("k", "confidence_level")]
        return as_html("PassAtK", self.tables(), first="overall", columns=columns, remark=remark_of(k=self.k))


def pass_at_k(
    corpus_or_items: Corpus | pl.DataFrame | pl.LazyFrame,
    k: int,
    by: str | Sequence[str] | None = None,
    *,
    policy: Policy | str = AGENT_JUDGE_0_17,
    level: float = 0.95,
    evaluations: EvaluationChoice | str = EvaluationChoice.LATEST,
) -> PassAtK:
    """Estimate whether one of k tries of an item passes (pass@k), and whether all of k do (pass^k).

    Trials are what the policy counts: a try that nobody could judge is none. An item with fewer than k of them has no
    value and is dropped from the means, and counted as dropped, so see whether the rest is still what was meant. All
    trials of an item in a group are tries of the same thing, so group by what was tried, such as `variant`. Where runs
    are numbered repeats and an eligible item has no name, nothing tells which tries are of one item: the group has no
    value, and all its items are dropped.

    The interval is about other items of the same kind. It takes the means of items as roughly normal, which holds for
    some dozens of items and not for a handful.

    Args:
        corpus_or_items: A corpus, or its items as an eager or lazy frame.
        k: How many tries, 1 or more.
        by: One name or several to group by, as in `tally`; items are looked at within each group.
        policy: The policy, or its name, that says which trials count and which pass.
        level: The confidence level of intervals, between 0 and 1.
        evaluations: Which evaluation of items counts where a run was judged again.

    Raises:
        OptionError: k isn't 1 or more, no policy or choice has that name, or the level isn't between 0 and 1.
        ColumnError: A column that is needed is missing or of a type that can't be what it should; a group name is
            unknown, ambiguous, given twice, nested, or the name of a column of the result.
        ArgumentError: An argument is of the wrong kind.

    Example:
        >>> from verdict_frames import from_records
        >>> tries = {"a": ["pass", "pass", "fail"], "b": ["fail", "pass", "fail"], "c": ["pass", "error"]}
        >>> corpus = from_records(
        ...     {"run_id": f"r{n}", "item_id": item, "verdict": {"aggregated": {"status": status}}}
        ...     for item, statuses in tries.items() for n, status in enumerate(statuses)
        ... )
        >>> found = pass_at_k(corpus, 2)
        >>> found.items.select("item", "trials", pl.col("pass_at_k", "pass_hat_k").round(3)).rows()
        [('a', 3, 1.0, 0.333), ('b', 3, 0.667, 0.0), ('c', 1, None, None)]
        >>> found.overall.select("estimate", pl.col("value").round(3), "items_used", "items_dropped").rows()
        [('pass_at_k', 0.833, 2, 1), ('pass_hat_k', 0.167, 2, 1)]
    """
    tries = _number_of_tries(k)
    chosen = find_policy(policy)
    normal_quantile(level)
    grouped = counted_items(corpus_or_items, by, evaluations=evaluations)
    require_columns(grouped.items.collect_schema(), STATE_COLUMNS, table="items")
    require_free_names(grouped.columns, {*ITEMS_SCHEMA, *OVERALL_SCHEMA}, of="the result has")
    items = _with_values(_trials(grouped, chosen).collect(), tries)
    columns = list(grouped.columns)
    groups = grouped.with_all_groups(items.select(columns).unique()) if columns else pl.DataFrame()
    overall = _overall(items, groups, level).with_columns(
        pl.lit(tries).alias("k"),
        pl.lit(float(level)).alias("confidence_level"),
        pl.lit(chosen.name).alias("policy"),
    )
    cast = {
        name: [*columns, *(pl.col(column).cast(dtype) for column, dtype in schema.items())]
        for name, schema in (("items", ITEMS_SCHEMA), ("overall", OVERALL_SCHEMA))
    }
    return PassAtK(
        k=tries,
        items=items.sort(*columns, "item", "trials", "passes", nulls_last=True).select(cast["items"]),
        overall=overall.select(cast["overall"]).sort(*columns, "estimate", nulls_last=True),
    )


def _number_of_tries(given: object) -> int:
    message = f"k is a number of tries, 1 or more, not {one_line(given)}"
    if isinstance(given, bool) or not isinstance(given, Integral):
        raise ArgumentError(message)
    if int(given) < 1:
        raise OptionError(message)
    return int(given)


def _trials(grouped: GroupedItems, policy: Policy) -> pl.LazyFrame:
    """Count the trials of each item: those that the policy counts, those that passed, those of unknown items."""
    bucket = bucket_expression(policy)
    eligible = bucket.is_in([Bucket.PASSES, Bucket.NON_PASSES])
    own = pl.when(pl.col(ITEM).is_null()).then(pl.int_range(pl.len()))
    return (
        grouped.items.with_columns(own.alias("\0own"))
        .filter(~pl.col(LEFT_OUT))
        .group_by(*grouped.columns, ITEM, "\0own")
        .agg(
            eligible.sum().cast(pl.Int64).alias("trials"),
            (bucket == Bucket.PASSES).sum().cast(pl.Int64).alias("passes"),
            (eligible & pl.col(NAMELESS)).any().alias("\0unknown"),
        )
        .rename({ITEM: "item"})
    )


def _with_values(items: pl.DataFrame, k: int) -> pl.DataFrame:
    """Compute both estimates once for each number of trials and passes that occurs, in exact fractions."""
    kinds = items.select("trials", "passes").unique()
    values = []
    for n, c in kinds.filter(pl.col("trials") >= k).iter_rows():
        choices = comb(n, k)
        one, every = 1 - Fraction(comb(n - c, k), choices), Fraction(comb(c, k), choices)
        values.append((n, c, float(one), float(every)))
    schema = {"trials": pl.Int64, "passes": pl.Int64, "pass_at_k": pl.Float64, "pass_hat_k": pl.Float64}
    told = pl.DataFrame(values, schema=schema, orient="row")
    known = ~pl.col("\0unknown")
    return items.join(told, on=["trials", "passes"], how="left", maintain_order="left").with_columns(
        pl.when(known).then(pl.col("pass_at_k", "pass_hat_k")),
        pl.when(~known).then(pl.lit(NAMELESS_ITEMS)).when(pl.col("trials") < k).then(pl.lit(TOO_FEW)).alias("note"),
    )


def _overall(items: pl.DataFrame, groups: pl.DataFrame, level: float) -> pl.DataFrame:
    columns = groups.columns
    used = pl.col("pass_at_k").is_not_null() & ~pl.col("\0unknown").any()
    summary = [
        used.sum().cast(pl.Int64).alias("items_used"),
        (~used).sum().cast(pl.Int64).alias("items_dropped"),
        pl.col("\0unknown").sum().cast(pl.Int64).alias("unknown"),
        *(pl.col(name).drop_nulls().implode().alias(name) for name in _ESTIMATES),
    ]
    by_group = beside_groups(groups, items.group_by(columns).agg(summary) if columns else items.select(summary))
    told = []
    for name in _ESTIMATES:
        means = [
            _mean([] if unknown else values or [], level) | ({"note": NAMELESS_ITEMS} if unknown else {})
            for unknown, values in by_group.select("unknown", name).iter_rows()
        ]
        counts = by_group.select("items_used", "items_dropped").with_columns(pl.lit(name).alias("estimate"))
        told.append(pl.concat([groups, counts, pl.DataFrame(means, schema=_MEAN)], how="horizontal"))
    return pl.concat(told)


def _mean(values: list[float], level: float) -> dict[str, Any]:
    """Average the values of items, with the t interval; sums are exact, so that the order of items changes nothing."""
    nothing = dict.fromkeys(_MEAN)
    if not values:
        return nothing | {"note": NO_ITEM}
    mean = fsum(values) / len(values)
    if min(values) == max(values):
        alone = ONE_ITEM if len(values) == 1 else ALL_ALIKE
        return nothing | {"value": values[0], "ci_method": alone}
    variance = fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
    quantile = float(stdtrit(len(values) - 1, ndtr(normal_quantile(level))))
    half = quantile * sqrt(variance / len(values))
    return nothing | {
        "value": mean,
        "ci_low": max(mean - half, 0.0),
        "ci_high": min(mean + half, 1.0),
        "ci_method": T_OVER_ITEMS,
    }
