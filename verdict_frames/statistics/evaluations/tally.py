"""Counts and rates of stored evaluations by group: accepted, reviewed, failed, and everything not counted beside it."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import polars as pl

from verdict_frames.statistics.choices import find_choice
from verdict_frames.statistics.evaluations.policies import RESULTS_ONLY, EvaluationPolicy, find_evaluation_policy
from verdict_frames.statistics.grouping import group_evaluations
from verdict_frames.statistics.intervals import interval_ends, normal_quantile
from verdict_frames.statistics.shares import share
from verdict_frames.statistics.vocabulary import IntervalMethod
from verdict_frames.vocabulary import EVALUATION_FAILURE_CODES, Counting, EvaluationOutcome

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from verdict_frames.frames.evaluations import Evaluations

NO_ACCEPT_RATE: Final = "no evaluations eligible for the denominator"
"""What `rate_note` says where there is no accept rate."""

REPEATED_KEYS: Final = "repeated keys"
"""What `ci_method` says where a key counts more than once, so that an interval over rows would be too narrow."""

EVALUATION_TALLY_SCHEMA: Final[Mapping[str, pl.DataType]] = MappingProxyType(
    {
        "accepted": pl.Int64(),
        "eligible": pl.Int64(),
        "accept_rate": pl.Float64(),
        "ci_low": pl.Float64(),
        "ci_high": pl.Float64(),
        "ci_method": pl.String(),
        "confidence_level": pl.Float64(),
        "rate_note": pl.String(),
        "total": pl.Int64(),
        "reviewed_by_rule": pl.Int64(),
        "reviewed_invalid_answer": pl.Int64(),
        "rejected": pl.Int64(),
        "failed": pl.Int64(),
        "no_status": pl.Int64(),
        **{code: pl.Int64() for code in EVALUATION_FAILURE_CODES},
        "other_failure": pl.Int64(),
        "answers_not_recorded": pl.Int64(),
        "keys": pl.Int64(),
        "without_key": pl.Int64(),
        "repeated_keys": pl.Int64(),
        "left_out": pl.Int64(),
        "policy": pl.String(),
    }
)
"""The columns of a tally of evaluations after its group columns, in order, with their types."""

_OUTCOME: Final = pl.col("outcome").cast(pl.String)


def tally_evaluations(
    evaluations: Evaluations,
    by: str | Sequence[str] | None = None,
    *,
    policy: EvaluationPolicy | str | None = None,
    interval: IntervalMethod | str = IntervalMethod.WILSON,
    level: float = 0.95,
) -> pl.DataFrame:
    """Count stored evaluations by group; `verdict_frames.statistics.tally.tally` is the public form.

    Args:
        evaluations: The stored evaluations.
        by: Columns of `evaluations` to group by; with none, everything is one group.
        policy: A policy or the name of one; none is `results-only`.
        interval: How intervals are computed.
        level: The confidence level of the intervals, between 0 and 1.

    Returns:
        One row a group, sorted by group with null last; the group columns, then those of `EVALUATION_TALLY_SCHEMA`:

        * `accepted`, `eligible`, `accept_rate` from 0 to 1, null where nothing is eligible; `rate_note` then says so;
        * `ci_low`, `ci_high`, `ci_method`, `confidence_level`: the interval over evaluations as independent units. Null
          where there is no rate, and where an idempotency key is eligible more than once: `ci_method` is then
          "repeated keys";
        * `total` and what sums to it: `accepted`, `reviewed_by_rule`, `reviewed_invalid_answer`, `rejected`, `failed`,
          `no_status` (raw answers, which nothing was decided of);
        * the failures by code, the known ones and `other_failure`; they sum to `failed`;
        * `answers_not_recorded`: not failed, and yet without any stored answer;
        * `keys` (different idempotency keys), `without_key` (rows that have none) and `repeated_keys` (keys with more
          than one row);
        * `left_out`: rows that `latest_per_key` has left out, counted nowhere else; and the name of the `policy`.

    Raises:
        ColumnError: A group name is unknown, given twice, nested, or the name of a column of the tally.
        OptionError: No policy or method has that name, or the level isn't between 0 and 1.
        ArgumentError: An argument is of the wrong kind.
    """
    chosen = find_evaluation_policy(RESULTS_ONLY if policy is None else policy)
    method = find_choice(IntervalMethod, interval, option="interval")
    normal_quantile(level)
    columns = group_evaluations(evaluations, by, taken=EVALUATION_TALLY_SCHEMA)
    eligible = pl.col("outcome").is_in(eligible_outcomes(chosen))
    here = evaluations.evaluations.lazy().with_columns(eligible.fill_null(value=False).alias("\0eligible"))
    counts = (here.group_by(columns).agg(_counts()) if columns else here.select(_counts())).collect()
    gone = evaluations.superseded.lazy()
    lost = pl.len().cast(pl.Int64).alias("left_out")
    left_out = (gone.group_by(columns).agg(lost) if columns else gone.select(lost)).collect()
    if columns:
        joined = counts.join(left_out, on=columns, how="full", coalesce=True, nulls_equal=True)
    else:
        joined = counts.hstack(left_out)
    filled = joined.with_columns(pl.col(pl.Int64).exclude(columns).fill_null(0))
    rated = _with_rates(filled, policy=chosen, method=method, level=level)
    result = rated.select(*columns, *(pl.col(name).cast(dtype) for name, dtype in EVALUATION_TALLY_SCHEMA.items()))
    return result.sort(columns, nulls_last=True) if columns else result


def eligible_outcomes(policy: EvaluationPolicy) -> list[str]:
    """Return the outcomes that are in the denominator under a policy; null, for no status, is never in it."""
    elective = {
        EvaluationOutcome.REVIEWED_INVALID_ANSWER: policy.invalid_answers,
        EvaluationOutcome.REJECTED: policy.rejected,
        EvaluationOutcome.FAILED: policy.failed,
    }
    return [outcome.value for outcome in EvaluationOutcome if elective.get(outcome) is not Counting.SET_ASIDE]


def _counts() -> list[pl.Expr]:
    failed = (_OUTCOME == EvaluationOutcome.FAILED).fill_null(value=False)
    code, key, eligible = pl.col("failure_code"), pl.col("idempotency_key"), pl.col("\0eligible")
    known = code.is_in(EVALUATION_FAILURE_CODES).fill_null(value=False)
    named = key.drop_nulls()
    counted = key.filter(eligible).drop_nulls()
    counts = {
        "total": pl.len(),
        "eligible": eligible.sum(),
        **{outcome.value: _OUTCOME.eq(outcome.value).sum() for outcome in EvaluationOutcome},
        "no_status": _OUTCOME.is_null().sum(),
        **{name: (failed & (code == name)).sum() for name in EVALUATION_FAILURE_CODES},
        "other_failure": (failed & ~known).sum(),
        "answers_not_recorded": (~failed & ~pl.col("answers_recorded")).sum(),
        "keys": named.n_unique(),
        "without_key": key.is_null().sum(),
        "repeated_keys": named.filter(named.is_duplicated()).n_unique(),
        "\0repeats": counted.len() - counted.n_unique(),
    }
    return [count.cast(pl.Int64).alias(name) for name, count in counts.items()]


def _with_rates(
    counts: pl.DataFrame, *, policy: EvaluationPolicy, method: IntervalMethod, level: float
) -> pl.DataFrame:
    eligible, repeated = pl.col("eligible"), pl.col("\0repeats") > 0
    rates = share(counts["accepted"], counts["eligible"])
    low, high = interval_ends(rates, counts["eligible"], method=method, level=level)
    return counts.with_columns(
        rates.alias("accept_rate"),
        pl.when(eligible == 0).then(pl.lit(NO_ACCEPT_RATE)).alias("rate_note"),
        pl.when(~repeated).then(pl.lit(low)).alias("ci_low"),
        pl.when(~repeated).then(pl.lit(high)).alias("ci_high"),
        pl.when(repeated).then(pl.lit(REPEATED_KEYS)).when(eligible > 0).then(pl.lit(method.value)).alias("ci_method"),
        pl.lit(level).alias("confidence_level"),
        pl.lit(policy.name).alias("policy"),
    )
