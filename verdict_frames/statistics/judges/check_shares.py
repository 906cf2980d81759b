"""How often each check of each judge passed."""

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
    different_items,
    items_that_count,
    seats_of,
)
from verdict_frames.statistics.vocabulary import EvaluationChoice

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from verdict_frames.frames.corpus import Corpus

CHECK_TABLE_SCHEMA: Final[Mapping[str, pl.DataType]] = MappingProxyType(
    {
        **JUDGE_DTYPES,
        "check": pl.String(),
        "checks": pl.Int64(),
        "items": pl.Int64(),
        "passed": pl.Int64(),
        **share_schema("pass"),
        "confidence_level": pl.Float64(),
    }
)
"""The columns of a check table after its group columns, in order, with their types."""


def check_table(
    corpus: Corpus,
    by: str | Sequence[str] | None = None,
    *,
    evaluations: EvaluationChoice | str = EvaluationChoice.LATEST,
    level: float = 0.95,
) -> pl.DataFrame:
    """Give the share of each check that passed, judge by judge.

    Args:
        corpus: The corpus; what a tally leaves out, and checks of stages that repeat one below, don't count.
        by: One name or several to group by, as for `tally`; with none, everything is one group.
        evaluations: Which evaluation of items counts where a run was judged again, as for `tally`.
        level: The confidence level of the intervals, between 0 and 1.

    Returns:
        One row a group, judge and name of a check, sorted by group with null last, then by judge and name; the group
        columns, then those of `CHECK_TABLE_SCHEMA`: `path`, `judge` and `occurrence` as in `judge_table`, `check`,
        `checks` (how often it was made), `items` (on how many different ones), `passed`, `pass_rate` from 0 to 1 with
        its interval as in `judge_table`, `confidence_level`.

    Raises:
        ColumnError: A group name is unknown, ambiguous, given twice, nested, or the name of a column of the table.
        OptionError: There is no such choice of evaluations, or the level isn't between 0 and 1.
        ArgumentError: An argument is of the wrong kind.

    Example:
        >>> from verdict_frames.frames.in_memory import from_records
        >>> checks = [{"name": "compiles", "passed": True}, {"name": "documented", "passed": False}]
        >>> judges = {"code": {"status": "fail", "checks": checks}}
        >>> corpus = from_records([{"aggregated": {"status": "fail"}, "individualByName": judges}])
        >>> check_table(corpus).select("judge", "check", "passed", "checks", "pass_rate").rows()
        [('code', 'compiles', 1, 1, 1.0), ('code', 'documented', 0, 1, 0.0)]
    """
    normal_quantile(level)
    counted = items_that_count(corpus, by, evaluations=evaluations, taken=CHECK_TABLE_SCHEMA)
    seat = [*ITEM_KEY, "stage_index", "seat_index"]
    checks = corpus.checks.select(*seat, pl.col("name").alias("check"), pl.col("passed").alias("\0passed")).join(
        seats_of(corpus, counted), on=seat, how="inner"
    )
    keys = [*counted.columns, *JUDGE_KEY, "check"]
    passed = pl.col("\0passed")
    counts = checks.group_by(keys).agg(
        pl.len().alias("checks"), different_items().alias("items"), passed.sum().alias("passed")
    )
    shares = item_shares(checks, keys, "pass", hit=passed, trial=pl.lit(value=True), level=level)
    table = counts.join(shares, on=keys, how="left", nulls_equal=True).with_columns(
        pl.lit(float(level)).alias("confidence_level")
    )
    return table.select(
        *counted.columns, *(pl.col(name).cast(dtype) for name, dtype in CHECK_TABLE_SCHEMA.items())
    ).sort(keys, nulls_last=True)
