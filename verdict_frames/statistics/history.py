"""How a rate went from run to run, and between which runs it can't be compared."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import polars as pl

from verdict_frames.errors import ArgumentError, ColumnError
from verdict_frames.frames.corpus import Corpus
from verdict_frames.statistics.counted import LEFT_OUT, counted_items
from verdict_frames.statistics.grouping import group_items, require_free_names
from verdict_frames.statistics.likeness import CONDITIONS, INSTRUMENT, run_aspects
from verdict_frames.statistics.shares import share
from verdict_frames.statistics.tally import TALLY_SCHEMA, tally
from verdict_frames.statistics.vocabulary import EvaluationChoice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from verdict_frames.policies import Policy

HISTORY_SCHEMA: Final = MappingProxyType(
    {
        "run_id": pl.String(),
        "timestamp": pl.Datetime("us", "UTC"),
        "unlike": pl.List(pl.String()),
        "instrument_changed": pl.Boolean(),
        "seats": pl.Int64(),
        "errored": pl.Int64(),
        "judge_error_rate": pl.Float64(),
    }
)
"""The columns of a run history between its group columns and those of the tally."""


def run_history(
    corpus: Corpus,
    by: str | Sequence[str] | None = None,
    *,
    policy: Policy | str | None = None,
    level: float = 0.95,
    evaluations: EvaluationChoice | str = EvaluationChoice.LATEST,
) -> pl.DataFrame:
    """Follow the rate of each group from run to run, in the order of time.

    Runs that are left out of every count, and runs without items, aren't listed. Runs without a timestamp come last.

    Args:
        corpus: The runs.
        by: Columns of runs or run facts that runs are put together by, such as `variant`; with none, all runs are one
            group.
        policy: As for `tally`.
        level: As for `tally`.
        evaluations: Which evaluation counts where a run was judged again.

    Returns:
        One row a group and run, sorted by group with null last, then by time; the group columns, then

        * `run_id`, `timestamp?`;
        * `unlike`: the aspects other than conditions (as `run_aspects` names them) in which the run is known to differ
          from the one before it in its group, so that the two rates are of different things; empty for the first run
          and where nothing is known to differ. Hashes of instruments are compared at equal description versions only;
        * `instrument_changed`: whether `unlike` names the instrument or the version of its description;
        * `seats`, `errored`: judgments of the run, copies left out, and how many of them are errors;
          `judge_error_rate`, their share, null without judgments;
        * the columns of `TALLY_SCHEMA`, counted for the run alone.

    Raises:
        ColumnError: A name can't be grouped by, is a column of items, or is that of a column of the history.
        ArgumentError: The first argument isn't a corpus, or another is of the wrong kind.
        OptionError: There is no such policy or choice, or the level isn't between 0 and 1.

    Example:
        >>> import verdict_frames as vf
        >>> corpus = vf.from_records([{"aggregated": {"status": "pass"}}])
        >>> run_history(corpus).select("unlike", "passes", "eligible").rows()
        [([], 1, 1)]
    """
    _require_corpus(corpus)
    columns = group_items(corpus, by).columns
    require_free_names(columns, HISTORY_SCHEMA, of="a history has")
    rates = tally(corpus, [*columns, "run_id"], policy=policy, level=level, evaluations=evaluations)
    several = rates.filter(pl.col("run_id").is_duplicated())["run_id"]
    if len(several):
        message = f"the items of run {several[0]} are in several groups; group a history by what a run has as a whole"
        raise ColumnError(message)
    runs = corpus.runs.select("run_id", "timestamp")
    rows = rates.filter(pl.col("total") > 0).join(runs, on="run_id", how="left")
    rows = rows.join(_judge_errors(corpus, evaluations), on="run_id", how="left").with_columns(
        pl.col("seats", "errored").fill_null(0)
    )
    rows = rows.sort(*columns, "timestamp", "run_id", nulls_last=True)
    rows = rows.with_columns(
        _unlike(rows, columns, run_aspects(corpus, evaluations=evaluations)),
        share(rows["errored"], rows["seats"]).alias("judge_error_rate"),
    )
    rows = rows.with_columns(
        pl.col("unlike").list.set_intersection([INSTRUMENT, "description_version"]).list.len().gt(0).alias("changed")
    ).rename({"changed": "instrument_changed"})
    own = [pl.col(name).cast(dtype) for name, dtype in HISTORY_SCHEMA.items()]
    return rows.select(*columns, *own, *TALLY_SCHEMA)


def _require_corpus(corpus: object) -> None:
    if not isinstance(corpus, Corpus):
        message = f"a Corpus is needed, not {type(corpus).__name__}"
        raise ArgumentError(message)


def _judge_errors(corpus: Corpus, evaluations: EvaluationChoice | str) -> pl.DataFrame:
    counting = counted_items(corpus, evaluations=evaluations).items.filter(~pl.col(LEFT_OUT))
    seats = corpus.seats.lazy().filter(~pl.col("is_copy"))
    return (
        seats.join(counting.select("run_id", "item_index"), on=["run_id", "item_index"], how="semi")
        .group_by("run_id")
        .agg(
            pl.len().cast(pl.Int64).alias("seats"), (pl.col("status") == "error").sum().cast(pl.Int64).alias("errored")
        )
        .collect()
    )


def _unlike(rows: pl.DataFrame, columns: Sequence[str], aspects: pl.DataFrame) -> pl.Series:
    """Name for each run the aspects in which it is known to differ from the run before it in its group."""
    recorded: dict[str, dict[str, tuple[str, str | None]]] = {}
    for run_id, aspect, value, within in aspects.iter_rows():
        if value is not None and not aspect.startswith(CONDITIONS):
            recorded.setdefault(run_id, {})[aspect] = (value, within)
    found: list[list[str]] = []
    before: tuple[object, ...] | None = None
    earlier: dict[str, tuple[str, str | None]] = {}
    for *group, run_id in rows.select(*columns, "run_id").iter_rows():
        here = recorded.get(run_id, {})
        if before != tuple(group):
            earlier = {}
        found.append(
            [aspect for aspect, value in here.items() if aspect in earlier and _differ(earlier[aspect], value)]
        )
        before, earlier = tuple(group), here
    return pl.Series("unlike", found, dtype=pl.List(pl.String))


def _differ(one: tuple[str, str | None], other: tuple[str, str | None]) -> bool:
    """Tell whether two recorded values are known to differ: hashes of different descriptions can't be compared."""
    return one[0] != other[0] and one[1] == other[1]
