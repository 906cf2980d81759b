"""What each judge said, how often it broke down or kept silent, and how often it stood alone."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import polars as pl

from verdict_frames.statistics.intervals import normal_quantile
from verdict_frames.statistics.item_shares import item_shares, share_schema
from verdict_frames.statistics.judges.seats import (
    ITEM_KEY,
    JUDGE_DTYPES,
    JUDGE_KEY,
    VOTES,
    different_items,
    items_that_count,
    seats_of,
)
from verdict_frames.statistics.status_counts import STATUS_COUNTS_SCHEMA, status_counts
from verdict_frames.statistics.vocabulary import EvaluationChoice

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from verdict_frames.frames.corpus import Corpus

NO_JURY_OF_THREE: Final = "no jury in which it and two others voted"
"""What `alone_note` says where a judge could never stand alone against several."""

JUDGE_TABLE_SCHEMA: Final[Mapping[str, pl.DataType]] = MappingProxyType(
    {
        **JUDGE_DTYPES,
        "is_jury": pl.Boolean(),
        "seats": pl.Int64(),
        "items": pl.Int64(),
        **STATUS_COUNTS_SCHEMA,
        **share_schema("error"),
        **share_schema("abstain"),
        "alone": pl.Int64(),
        "alone_of": pl.Int64(),
        **share_schema("alone"),
        "alone_note": pl.String(),
        "confidence_level": pl.Float64(),
        "scores": pl.Int64(),
        "score_mean": pl.Float64(),
        "by_position": pl.Int64(),
        "reason_codes": pl.List(pl.Struct({"status": pl.String(), "reason_code": pl.String(), "seats": pl.Int64()})),
    }
)
"""The columns of a judge table after its group columns, in order, with their types."""

_STATUS: Final = pl.col("status")


def judge_table(
    corpus: Corpus,
    by: str | Sequence[str] | None = None,
    *,
    evaluations: EvaluationChoice | str = EvaluationChoice.LATEST,
    level: float = 0.95,
) -> pl.DataFrame:
    """Count for each judge what it said, and give its error rate, its abstain rate and how often it stood alone.

    A judge is told by its name and the path of its jury's stage; what two experiments call by the same name at the same
    path is one judge here, so group by `experiment_name` where that isn't so. Seats of a stage that repeats another one
    below it (`is_copy`) aren't counted a second time, and items that a tally leaves out aren't counted at all.

    Args:
        corpus: The corpus.
        by: One name or several to group by, as for `tally`; with none, everything is one group.
        evaluations: Which evaluation of items counts where a run was judged again, as for `tally`.
        level: The confidence level of the intervals, between 0 and 1.

    Returns:
        One row a group and judge, sorted by group with null last, then by judge; the group columns, then those of
        `JUDGE_TABLE_SCHEMA`:

        * `path`, `judge`, `occurrence`: the jury's place, empty for the root; the name, empty for a judge without one
          (R68, R70); and which of several of that name in one item it is, 1 for the first. Stages without a name have
          their parent's path, so the sub-verdicts of 0.13 stand at the root's place;
        * `is_jury`: whether the seat speaks for a jury whose own judges have rows of their own (a meta member);
        * `seats`: how often it judged, on how many different `items` (by `item_id`, else `item_slug`, else each by
          itself); `passed`, `failed`, `abstained`, `not_applicable`, `errored`, `other_status` (an unknown token) and
          `no_status` (none that can be read) sum to it;
        * `error_rate` and `abstain_rate`: `errored` and `abstained` of all `seats`, each with its Wilson interval over
          items, `…_ci_low` and `…_ci_high`; an item that was judged several times is a cluster, `…_effective_n` is what
          the seats are worth as independent ones, and `…_ci_method` names the method or says why there is no interval;
        * `alone` of `alone_of`: among the juries in which it and at least two others voted pass or fail, those in which
          all other votes were the opposite of its own; `alone_rate` with its interval, null with an `alone_note` where
          there is no such jury;
        * `scores` (how many were recorded) and `score_mean`, from 0 to 1, null where there are none;
        * `by_position`: seats whose name says nothing but where the judge sat, so that elsewhere another judge may have
          it;
        * `reason_codes`: status, code and number of seats, the most frequent first, of all seats that have a code and
          of errors without one (null).

    Raises:
        ColumnError: A group name is unknown, ambiguous, given twice, nested, or the name of a column of the table.
        OptionError: There is no such choice of evaluations, or the level isn't between 0 and 1.
        ArgumentError: An argument is of the wrong kind.

    Example:
        >>> from verdict_frames.frames.in_memory import from_records
        >>> judges = {"build": {"status": "pass"}, "style": {"status": "error", "reasonCode": "judge_failed"}}
        >>> corpus = from_records([{"aggregated": {"status": "error"}, "individualByName": judges}])
        >>> judge_table(corpus).select("judge", "seats", "errored", "error_rate").rows()
        [('build', 1, 0, 0.0), ('style', 1, 1, 1.0)]
    """
    normal_quantile(level)
    counted = items_that_count(corpus, by, evaluations=evaluations, taken=JUDGE_TABLE_SCHEMA)
    seats = _with_dissent(seats_of(corpus, counted))
    keys = [*counted.columns, *JUDGE_KEY]
    table = seats.group_by(keys).agg(_counts())
    for prefix, hit, trial in (
        ("error", _STATUS == "error", pl.lit(value=True)),
        ("abstain", _STATUS == "abstain", pl.lit(value=True)),
        ("alone", pl.col("alone"), pl.col("can_be_alone")),
    ):
        shares = item_shares(seats, keys, prefix, hit=hit, trial=trial, level=level)
        table = table.join(shares, on=keys, how="left", nulls_equal=True)
    table = table.join(_reason_codes(seats, keys), on=keys, how="left", nulls_equal=True).with_columns(
        pl.when(pl.col("alone_of") == 0).then(pl.lit(NO_JURY_OF_THREE)).alias("alone_note"),
        pl.lit(float(level)).alias("confidence_level"),
        pl.col("reason_codes").fill_null(pl.lit([], dtype=JUDGE_TABLE_SCHEMA["reason_codes"])),
    )
    return table.select(
        *counted.columns, *(pl.col(name).cast(dtype) for name, dtype in JUDGE_TABLE_SCHEMA.items())
    ).sort(keys, nulls_last=True)


def _with_dissent(seats: pl.DataFrame) -> pl.DataFrame:
    """Say of each seat whether it could stand alone against two votes or more, and whether it did."""
    jury = [*ITEM_KEY, "stage_index"]
    votes = _STATUS.is_in(VOTES).fill_null(value=False)
    same = votes.sum().over(*jury, "status")
    others = votes.sum().over(*jury) - 1
    return seats.with_columns(
        (votes & (others >= 2)).alias("can_be_alone"), (votes & (others >= 2) & (same == 1)).alias("alone")
    )


def _counts() -> list[pl.Expr]:
    by_position = (pl.col("key_source") == "POSITIONAL").fill_null(value=False) | (pl.col("judge") == "")
    return [
        pl.col("is_jury").any(),
        pl.len().alias("seats"),
        different_items().alias("items"),
        *status_counts(_STATUS),
        pl.col("alone").sum(),
        pl.col("can_be_alone").sum().alias("alone_of"),
        pl.col("score").count().alias("scores"),
        pl.col("score").sort().mean().alias("score_mean"),
        by_position.sum().alias("by_position"),
    ]


def _reason_codes(seats: pl.DataFrame, keys: list[str]) -> pl.DataFrame:
    coded = seats.filter(pl.col("reason_code").is_not_null() | (_STATUS == "error"))
    counts = coded.group_by(*keys, "status", "reason_code").agg(pl.len().cast(pl.Int64).alias("seats"))
    ordered = counts.sort("seats", "status", "reason_code", descending=[True, False, False], nulls_last=True)
    listed = pl.struct("status", "reason_code", "seats").alias("reason_codes")
    return ordered.group_by(keys, maintain_order=True).agg(listed)
