"""Item by item: what was recorded of it, what it counts as, and the one cause where the two differ.

Two fractions are compared. The recorded one is the items recorded as passed, of all items; the counted one is passes of
passes and non-passes. Each item says by how much it moves numerator and denominator from the one to the other, so the
moves of all items add up to the difference of the fractions, whatever the items are.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import polars as pl

from verdict_frames.frames.schemas.tables import polars_schema
from verdict_frames.policies import BUCKET_DTYPE, READING, SUPPORT, Policy, bucket_expression
from verdict_frames.statistics.audit.vocabulary import AuditCause
from verdict_frames.statistics.counted import LEFT_OUT, counted_items
from verdict_frames.statistics.grouping import require_free_names
from verdict_frames.statistics.shares import share
from verdict_frames.statistics.tally import NO_RATE
from verdict_frames.vocabulary import Bucket, Reading, Support

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from verdict_frames.frames.corpus import Corpus
    from verdict_frames.statistics.vocabulary import EvaluationChoice

NOTHING_RECORDED: Final = "no counted item is of a run with a record"
"""What `recorded_note` says where nothing can be compared; runs that no count takes in may have a record even so."""

CAUSE_DTYPE: Final = pl.Enum(AuditCause)
"""The dtype of a `cause` column, in the order in which causes are listed."""

RATES_SCHEMA: Final[Mapping[str, pl.DataType]] = MappingProxyType(
    {
        "recorded_passes": pl.Int64(),
        "recorded_items": pl.Int64(),
        "recorded_rate": pl.Float64(),
        "passes_change": pl.Int64(),
        "eligible_change": pl.Int64(),
        "passes": pl.Int64(),
        "eligible": pl.Int64(),
        "pass_rate": pl.Float64(),
        "difference": pl.Float64(),
        "recorded_neither": pl.Int64(),
        "agreeing": pl.Int64(),
        "without_record": pl.Int64(),
        "left_out": pl.Int64(),
        "recorded_note": pl.String(),
        "rate_note": pl.String(),
        "policy": pl.String(),
    }
)
"""The columns of `rates` after its group columns."""

CAUSES_SCHEMA: Final[Mapping[str, pl.DataType]] = MappingProxyType(
    {
        "cause": CAUSE_DTYPE,
        "passed": pl.Boolean(),
        "items": pl.Int64(),
        "passes_change": pl.Int64(),
        "eligible_change": pl.Int64(),
    }
)
"""The columns of `causes` after its group columns."""

ITEM_DIFFERENCES_SCHEMA: Final[Mapping[str, pl.DataType]] = MappingProxyType(
    {
        "run_id": pl.String(),
        "item_index": pl.Int32(),
        "experiment_name": pl.String(),
        "session": pl.String(),
        "variant": pl.String(),
        "item_id": pl.String(),
        "item_slug": pl.String(),
        "cause": CAUSE_DTYPE,
        "passed": pl.Boolean(),
        "reading": polars_schema("items")["reading"],
        "reading_support": polars_schema("items")["reading_support"],
        "bucket": BUCKET_DTYPE,
        "passes_change": pl.Int64(),
        "eligible_change": pl.Int64(),
    }
)
"""The columns of `items`."""

STORED_COUNTS: Final = (
    "stored_passes",
    "stored_non_passes",
    "stored_excluded",
    "stored_instrument_failures",
    "stored_not_judged",
    "stored_unattestable",
)
"""The counts that a file of the 0.8 line or later states of itself, as `runs` has them."""

_COMPARED: Final = "\0compared"


@dataclass(frozen=True, kw_only=True)
class Differences:
    """The three frames about what was recorded and what counts.

    Attributes:
        rates: Grain one group.
        causes: Grain one cause and recorded value of a group.
        items: Grain one item that has a cause.
    """

    rates: pl.DataFrame
    causes: pl.DataFrame
    items: pl.DataFrame


def find_differences(
    corpus: Corpus, by: str | Sequence[str] | None, *, policy: Policy, evaluations: EvaluationChoice | str
) -> Differences:
    """Compare what was recorded of each item with what it counts as.

    Args:
        corpus: Runs that are left out of every count, and runs that recorded nothing, are only counted.
        by: Names to group by, as for a tally.
        policy: What counts.
        evaluations: Which evaluation of the same work counts.

    Raises:
        ColumnError: A name can't be grouped by, or is that of a column of `rates` or `causes`.
        ArgumentError: The names aren't text.
        OptionError: There is no such choice of evaluations.
    """
    grouped = counted_items(corpus, by, evaluations=evaluations)
    require_free_names(grouped.columns, {*RATES_SCHEMA, *CAUSES_SCHEMA}, of="an audit has")
    items = _compared(grouped.items, recorded_runs(corpus), policy).collect()
    columns = grouped.columns
    of_runs = corpus.runs.select("run_id", "experiment_name", "session", "variant")
    caused = items.filter(pl.col("cause").is_not_null())
    listed = (
        caused.drop("experiment_name", "session", "variant", strict=False)
        .join(of_runs, on="run_id", how="left", maintain_order="left")
        .sort("cause", maintain_order=True)
    )
    return Differences(
        rates=_rates(items, columns, grouped.run_groups, policy),
        causes=_causes(caused, columns),
        items=_typed(listed, ITEM_DIFFERENCES_SCHEMA),
    )


def recorded_runs(corpus: Corpus) -> pl.Series:
    """Return the runs that have a record of what passed.

    That is a pass rate or counts of their own, or at least one item of which `passed` is recorded.
    """
    stated = corpus.runs.filter(pl.any_horizontal(pl.col("stored_pass_rate", *STORED_COUNTS).is_not_null()))
    return pl.concat([stated["run_id"], corpus.items.filter(pl.col("passed").is_not_null())["run_id"]]).unique()


def _compared(items: pl.LazyFrame, recorded: pl.Series, policy: Policy) -> pl.LazyFrame:
    """Add bucket, cause and changes; items that aren't compared have no cause and change nothing."""
    compared = ~pl.col(LEFT_OUT) & pl.col("run_id").is_in(recorded.implode())
    is_passed = pl.col("passed").fill_null(value=False)
    passes = pl.col("bucket") == Bucket.PASSES
    eligible = pl.col("bucket").is_in([Bucket.PASSES, Bucket.NON_PASSES])
    return (
        items.with_columns(bucket_expression(policy), compared.alias(_COMPARED))
        .with_columns(pl.when(_COMPARED).then(_cause(policy)).alias("cause"))
        .with_columns(
            (passes.cast(pl.Int64) - is_passed.cast(pl.Int64)).alias("passes_change"),
            (eligible.cast(pl.Int64) - 1).alias("eligible_change"),
        )
    )


def _cause(policy: Policy) -> pl.Expr:
    bucket, passed = pl.col("bucket"), pl.col("passed")
    by_reading = {
        Reading.NOT_ASSESSED: AuditCause.JURY_ERRORED,
        Reading.UNDECIDED: AuditCause.JURY_ABSTAINED,
        Reading.NOT_APPLICABLE: AuditCause.NOT_APPLICABLE,
    }
    agrees = (passed & (bucket == Bucket.PASSES)) | (
        ~passed & (READING == Reading.REJECTED) & (SUPPORT != Support.CONTRADICTED) & (bucket == Bucket.NON_PASSES)
    )
    rules: list[tuple[pl.Expr, AuditCause]] = [
        (bucket == Bucket.AGENT_FAILED, AuditCause.AGENT_FAILED),
        (bucket == Bucket.UNJUDGED, AuditCause.NOT_JUDGED),
        (SUPPORT == Support.CONTRADICTED, AuditCause.CONTRADICTED),
        (READING.is_null() | SUPPORT.is_null(), AuditCause.NO_READING),
        *((READING.eq(reading), cause) for reading, cause in by_reading.items()),
    ]
    if policy.undetermined is not None:
        rules.append((SUPPORT == Support.UNDETERMINED, AuditCause.UNVERIFIED))
    rules += [
        ((READING == Reading.REJECTED) & passed, AuditCause.REJECTED_BUT_PASSED),
        (READING == Reading.ACCEPTED, AuditCause.ACCEPTED_BUT_NOT_PASSED),
        (READING == Reading.REJECTED, AuditCause.REJECTED_BUT_NEITHER),
    ]
    return pl.coalesce(
        pl.when(~agrees.fill_null(value=False) & holds.fill_null(value=False)).then(pl.lit(cause.value, CAUSE_DTYPE))
        for holds, cause in rules
    )


def _rates(
    items: pl.DataFrame, columns: tuple[str, ...], run_groups: pl.DataFrame | None, policy: Policy
) -> pl.DataFrame:
    compared, bucket = pl.col(_COMPARED), pl.col("bucket")
    counts = {
        "recorded_passes": compared & pl.col("passed"),
        "recorded_items": compared,
        "passes": compared & (bucket == Bucket.PASSES),
        "eligible": compared & bucket.is_in([Bucket.PASSES, Bucket.NON_PASSES]),
        "recorded_neither": compared & pl.col("passed").is_null(),
        "agreeing": compared & pl.col("cause").is_null(),
        "without_record": ~compared & ~pl.col(LEFT_OUT),
        "left_out": pl.col(LEFT_OUT),
    }
    caused = pl.col("cause").is_not_null()
    sums = [marked.sum().cast(pl.Int64).alias(name) for name, marked in counts.items()]
    sums += [pl.col(name).filter(caused).sum().alias(name) for name in ("passes_change", "eligible_change")]
    rates = items.group_by(columns).agg(sums) if columns else items.select(sums)
    if run_groups is not None:
        joined = run_groups.join(rates, on=columns, how="full", coalesce=True, nulls_equal=True)
        rates = joined.with_columns(pl.col(pl.Int64).exclude(columns).fill_null(0))
    rates = rates.with_columns(
        share(rates["recorded_passes"], rates["recorded_items"]).alias("recorded_rate"),
        share(rates["passes"], rates["eligible"]).alias("pass_rate"),
    ).with_columns(
        (pl.col("pass_rate") - pl.col("recorded_rate")).alias("difference"),
        pl.when(pl.col("recorded_items") == 0).then(pl.lit(NOTHING_RECORDED)).alias("recorded_note"),
        pl.when(pl.col("eligible") == 0).then(pl.lit(NO_RATE)).alias("rate_note"),
        pl.lit(policy.name).alias("policy"),
    )
    return _sorted(_typed(rates, RATES_SCHEMA, columns), columns)


def _causes(caused: pl.DataFrame, columns: tuple[str, ...]) -> pl.DataFrame:
    """Add up the items that have a cause, true before false before null."""
    changes = pl.col("passes_change", "eligible_change").sum()
    causes = caused.group_by(*columns, "cause", "passed").agg(pl.len().alias("items"), changes)
    ordered = causes.sort("cause", "passed", descending=[False, True], nulls_last=True)
    return _sorted(_typed(ordered, CAUSES_SCHEMA, columns), columns)


def _typed(frame: pl.DataFrame, schema: Mapping[str, pl.DataType], groups: Sequence[str] = ()) -> pl.DataFrame:
    return frame.select(*groups, *(pl.col(name).cast(dtype) for name, dtype in schema.items()))


def _sorted(frame: pl.DataFrame, columns: tuple[str, ...]) -> pl.DataFrame:
    return frame.sort(columns, nulls_last=True, maintain_order=True) if columns else frame
