"""How judges fared from run to run: did one begin to break down, and was the instrument changed?"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import polars as pl

from verdict_frames.errors import ColumnError, some_names
from verdict_frames.statistics.intervals import normal_quantile
from verdict_frames.statistics.item_shares import item_shares, share_schema
from verdict_frames.statistics.judges.seats import JUDGE_DTYPES, JUDGE_KEY, items_that_count, seats_of
from verdict_frames.statistics.vocabulary import EvaluationChoice

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from verdict_frames.frames.corpus import Corpus

NOT_RECORDED: Final = "no instrument recorded"
"""What `instrument_note` says of a run that doesn't say what instrument it was judged with."""

NO_TIME: Final = "no timestamp recorded"
"""What it says of a run that can't be put in order."""

NOTHING_EARLIER: Final = "no earlier run that recorded one"
"""What it says of the first run that can be compared."""

JUDGE_HISTORY_SCHEMA: Final[Mapping[str, pl.DataType]] = MappingProxyType(
    {
        **JUDGE_DTYPES,
        "run_id": pl.String(),
        "timestamp": pl.Datetime("us", "UTC"),
        "seats": pl.Int64(),
        "errored": pl.Int64(),
        **share_schema("error"),
        "abstained": pl.Int64(),
        **share_schema("abstain"),
        "confidence_level": pl.Float64(),
        "instrument_hash": pl.String(),
        "description_version": pl.Int64(),
        "instrument_changed": pl.Boolean(),
        "compared_with": pl.String(),
        "instrument_note": pl.String(),
    }
)
"""The columns of a judge history after its group columns, in order, with their types."""


def judge_history(
    corpus: Corpus,
    by: str | Sequence[str] | None = None,
    *,
    evaluations: EvaluationChoice | str = EvaluationChoice.LATEST,
    level: float = 0.95,
) -> pl.DataFrame:
    """Follow the error rate and the abstain rate of each judge through the runs, and mark where the instrument changed.

    Args:
        corpus: The corpus; what a tally leaves out, and seats of stages that repeat one below, don't count.
        by: One name or several to group by: columns of runs or run facts. Each run is compared with the earlier ones of
            its group, so that `by="variant"` doesn't take a change of variant for one of the instrument; with none,
            all runs are one group.
        evaluations: Which evaluation counts where a run was judged again, as for `tally`.
        level: The confidence level of the intervals, between 0 and 1.

    Returns:
        One row a group, judge and run in which it sat, sorted by group with null last, by judge, by time with runs that
        have none last, and by `run_id`; the group columns, then those of `JUDGE_HISTORY_SCHEMA`:

        * `path`, `judge`, `occurrence` as in `judge_table`; `run_id` and `timestamp?`, the run's end;
        * `seats`: how often it judged in the run; `errored` and `abstained` of these, with rates and intervals as in
          `judge_table`;
        * `instrument_hash?`, `description_version?`: what the run was judged with, as recorded;
        * `instrument_changed`: whether one of these two differs from those of `compared_with`, the last earlier run of
          the group in which the judge sat and that recorded a hash. Null, with an `instrument_note`, where this run has
          no hash or no timestamp, or no earlier run has both. A hash stands for the whole instrument, so a change need
          not concern this judge.

    Raises:
        ColumnError: A group name is unknown, ambiguous, given twice, nested, a column of items, or the name of a column
            of the history.
        OptionError: There is no such choice of evaluations, or the level isn't between 0 and 1.
        ArgumentError: An argument is of the wrong kind.

    Example:
        >>> from verdict_frames.frames.in_memory import from_records
        >>> verdict = {"aggregated": {"status": "error"}, "individualByName": {"style": {"status": "error"}}}
        >>> judge_history(from_records([verdict])).select("judge", "seats", "error_rate", "instrument_note").row(0)
        ('style', 1, 1.0, 'no instrument recorded')
    """
    normal_quantile(level)
    counted = items_that_count(corpus, by, evaluations=evaluations, taken=JUDGE_HISTORY_SCHEMA)
    if not counted.by_runs:
        names = some_names(counted.columns)
        message = f"a history has a row a run, so it is grouped by columns of runs and run facts; got {names}"
        raise ColumnError(message)
    seats = seats_of(corpus, counted)
    judge = [*counted.columns, *JUDGE_KEY]
    keys = [*judge, "run_id"]
    status = pl.col("status")
    table = seats.group_by(keys).agg(
        pl.len().alias("seats"),
        (status == "error").sum().alias("errored"),
        (status == "abstain").sum().alias("abstained"),
    )
    for prefix, token in (("error", "error"), ("abstain", "abstain")):
        shares = item_shares(seats, keys, prefix, hit=status == token, trial=pl.lit(value=True), level=level)
        table = table.join(shares, on=keys, how="left", nulls_equal=True)
    runs = corpus.runs.select("run_id", "timestamp", "instrument_hash", "description_version")
    ordered = table.join(runs, on="run_id", how="left").sort(*judge, "timestamp", "run_id", nulls_last=True)
    return _with_changes(ordered, judge).select(
        *counted.columns,
        *(
            (pl.lit(float(level)) if name == "confidence_level" else pl.col(name)).cast(dtype).alias(name)
            for name, dtype in JUDGE_HISTORY_SCHEMA.items()
        ),
    )


def _with_changes(rows: pl.DataFrame, judge: list[str]) -> pl.DataFrame:
    """Compare each row with the last one before it, of the same judge, that can be compared."""
    instrument, version, time = pl.col("instrument_hash"), pl.col("description_version"), pl.col("timestamp")
    comparable = instrument.is_not_null() & time.is_not_null()
    before = {
        "compared_with": pl.col("run_id"),
        "\0hash": instrument,
        # -1 stands for a version that isn't recorded, lest an earlier one be filled in for it
        "\0version": version.fill_null(-1),
    }
    compared = rows.with_columns(
        pl.when(comparable).then(value).forward_fill().shift(1).over(judge).alias(name)
        for name, value in before.items()
    )
    changed = (instrument != pl.col("\0hash")) | (version.fill_null(-1) != pl.col("\0version"))
    note = (
        pl.when(instrument.is_null())
        .then(pl.lit(NOT_RECORDED))
        .when(time.is_null())
        .then(pl.lit(NO_TIME))
        .when(pl.col("compared_with").is_null())
        .then(pl.lit(NOTHING_EARLIER))
    )
    noted = compared.with_columns(note.alias("instrument_note"))
    free = pl.col("instrument_note").is_null()
    return noted.with_columns(
        pl.when(free).then(changed).alias("instrument_changed"),
        pl.when(free).then("compared_with").alias("compared_with"),
    )
