"""What stands within and beside verdicts: stored interpretations, judges that errored, scores, copies of runs."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import polars as pl

from verdict_frames.frames.schemas.tables import polars_schema
from verdict_frames.policies import READING
from verdict_frames.statistics.audit.vocabulary import ScoreFinding
from verdict_frames.vocabulary import InterpretationOrigin, ProblemKind, Reading, RunKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from verdict_frames.frames.corpus import Corpus

_KEY: Final = ("run_id", "item_index")
_NAMES: Final[dict[str, pl.DataType]] = {
    "run_id": pl.String(),
    "item_index": pl.Int32(),
    "experiment_name": pl.String(),
    "variant": pl.String(),
    "item_id": pl.String(),
    "item_slug": pl.String(),
}
_ITEMS: Final = polars_schema("items")

INTERPRETATIONS_SCHEMA: Final[Mapping[str, pl.DataType]] = MappingProxyType(
    _NAMES
    | {
        name: _ITEMS[name]
        for name in ("stored_reading", "reading", "stored_support", "reading_support", "stored_difference")
    }
)
"""The columns of `interpretations`."""

_ABSORBED: Final = ("errors_treated_as_fail_count", "errors_treated_as_abstain_count", "ignored_error_count")

JUDGE_ERRORS_SCHEMA: Final[Mapping[str, pl.DataType]] = MappingProxyType(
    _NAMES
    | {name: _ITEMS[name] for name in ("reading", "reading_support", "passed", "judge_errors", "errors_absorbed")}
    | {"judges": pl.List(pl.String())}
    | dict.fromkeys(_ABSORBED, pl.Int64())
)
"""The columns of `judge_errors`."""

SCORES_SCHEMA: Final[Mapping[str, pl.DataType]] = MappingProxyType(
    _NAMES
    | {
        "name": pl.String(),
        "value": pl.Float64(),
        "finding": pl.Enum(ScoreFinding),
        "seat_scores": pl.List(pl.Float64()),
    }
)
"""The columns of `scores`."""

COPIES_SCHEMA: Final[Mapping[str, pl.DataType]] = MappingProxyType(
    {
        "run_id": pl.String(),
        "experiment_name": pl.String(),
        "variant": pl.String(),
        "path": pl.String(),
        "copies": pl.List(pl.String()),
        "disagreement": pl.String(),
    }
)
"""The columns of `copies`."""

COMPUTED_SCORES: Final = "efficiency."
"""How the names of scores begin that the runner itself computes."""

SAME_SCORE: Final = 1e-9
"""Scores that are no further apart are the same: a score on another scale was divided by the runner, and here again."""


def stored_interpretations(corpus: Corpus) -> pl.DataFrame:
    """List every stored interpretation beside the one that is computed from the verdict, in the order of items."""
    return _described(corpus, corpus.items.filter(pl.col("stored_support").is_not_null()), INTERPRETATIONS_SCHEMA)


def decided_despite_errors(corpus: Corpus, left_out: pl.Series) -> pl.DataFrame:
    """List accepted and rejected items of which a judge errored, or whose errors were absorbed into votes.

    Args:
        corpus: In the order of its items.
        left_out: Runs whose items aren't listed.
    """
    decided = READING.is_in([Reading.ACCEPTED, Reading.REJECTED])
    errors = (pl.col("judge_errors") > 0) | pl.col("errors_absorbed").fill_null(value=False)
    listed = corpus.items.filter(decided, errors, ~pl.col("run_id").is_in(left_out.implode()))
    errored = corpus.seats.filter(pl.col("status") == "error", ~pl.col("is_copy"))
    judges = errored.group_by(_KEY, maintain_order=True).agg(pl.col("name").alias("judges"))
    roots = corpus.stages.filter(pl.col("stage_index") == 0).select(*_KEY, *_ABSORBED)
    frame = listed.join(judges, on=_KEY, how="left", maintain_order="left")
    frame = frame.join(roots, on=_KEY, how="left", maintain_order="left")
    nobody = pl.lit([], dtype=pl.List(pl.String()))
    return _described(corpus, frame.with_columns(pl.col("judges").fill_null(nobody)), JUDGE_ERRORS_SCHEMA)


def unexplained_scores(corpus: Corpus) -> pl.DataFrame:
    """List the scores of items that no seat explains, in the order of scores.

    A seat of the item, of whichever stage, explains a score by its name; one without a name is `Judge#1` and so on, by
    its place. Of several seats with one name any may have given the value: a root overwrites what its stages gave. A
    seat whose own score can't be read (0.13 wrote truth values) explains 0 and 1. Scores of the runner itself
    (`efficiency.…`), of judge experiments, and of readings mapped from another tool aren't looked at.
    """
    experiments = corpus.runs.filter(pl.col("kind").cast(pl.String) == RunKind.JUDGE_EXPERIMENT)["run_id"]
    mapped = corpus.items.filter(pl.col("interpretation_origin").cast(pl.String) == InterpretationOrigin.MAPPED)
    looked_at = corpus.scores.filter(
        ~pl.col("name").str.starts_with(COMPUTED_SCORES), ~pl.col("run_id").is_in(experiments.implode())
    ).join(mapped, on=_KEY, how="anti", maintain_order="left")
    place = pl.format("Judge#{}", pl.col("seat_index") + 1)
    name = pl.when(pl.col("name") == "").then(place).otherwise("name").alias("name")
    seats = corpus.seats.select(*_KEY, name, "score")
    rows = looked_at.with_row_index("\0row")
    of_seats = rows.join(seats, on=[*_KEY, "name"], how="inner", maintain_order="left_right")
    same = (pl.col("score") - pl.col("value")).abs() <= SAME_SCORE
    unread = pl.col("score").is_null() & pl.col("value").is_in([0.0, 1.0])
    explained = of_seats.filter(same.fill_null(value=False) | unread)
    other = of_seats.group_by("\0row").agg(pl.col("score").alias("seat_scores"))
    found = (
        rows.join(explained, on="\0row", how="anti", maintain_order="left")
        .join(other, on="\0row", how="left", maintain_order="left")
        .join(corpus.items.select(*_KEY, "item_id", "item_slug"), on=_KEY, how="left", maintain_order="left")
    )
    finding = pl.when(pl.col("seat_scores").is_null()).then(pl.lit(ScoreFinding.NO_SEAT.value))
    told = found.with_columns(finding.otherwise(pl.lit(ScoreFinding.OTHER_VALUE.value)).alias("finding"))
    return _described(corpus, told, SCORES_SCHEMA)


def copied_runs(corpus: Corpus) -> pl.DataFrame:
    """List the runs that were found more than once, in the order of `runs`, with what their copies disagree in."""
    conflicts = corpus.problems.filter(pl.col("kind").cast(pl.String) == ProblemKind.CONFLICT)
    said = (
        conflicts.drop_nulls("run_id")
        .group_by("run_id", maintain_order=True)
        .agg(pl.col("message").str.join("; ").alias("disagreement"))
    )
    found = corpus.runs.filter(pl.col("copies").list.len() > 1).join(
        said, on="run_id", how="left", maintain_order="left"
    )
    return found.select(pl.col(name).cast(dtype) for name, dtype in COPIES_SCHEMA.items())


def _described(corpus: Corpus, rows: pl.DataFrame, schema: Mapping[str, pl.DataType]) -> pl.DataFrame:
    of_runs = corpus.runs.select("run_id", "experiment_name", "variant")
    joined = rows.join(of_runs, on="run_id", how="left", maintain_order="left")
    return joined.select(pl.col(name).cast(dtype) for name, dtype in schema.items())
