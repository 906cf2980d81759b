"""The tables that scripts of experiments read: with true judge names, every tier once, nothing read out of prose."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from verdict_frames.errors import ArgumentError, ColumnError, TargetError, one_line, some_names
from verdict_frames.frames.corpus import Corpus
from verdict_frames.frames.schemas.curated import TIER_SCORES, curated_schema
from verdict_frames.frames.storage.files import FileWriter, put_in_place, writing
from verdict_frames.frames.storage.layout import as_folder, is_exported
from verdict_frames.policies import AGENT_JUDGE_0_17, Policy, bucket_expression, find_policy
from verdict_frames.statistics.left_out import left_out_runs
from verdict_frames.statistics.shares import share
from verdict_frames.statistics.vocabulary import EvaluationChoice
from verdict_frames.vocabulary import Bucket, FactSource

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class CuratedCounts:
    """What was written.

    Attributes:
        run_count: Runs that count.
        item_count: Their items.
        left_out: Runs that don't count: judge experiments, and all but one evaluation of the same work.
    """

    run_count: int
    item_count: int
    left_out: int


def curated_tables(
    corpus: Corpus,
    *,
    policy: Policy | str = AGENT_JUDGE_0_17,
    evaluations: EvaluationChoice | str = EvaluationChoice.LATEST,
    scores: Mapping[str, str] | None = None,
) -> dict[str, pl.DataFrame]:
    """Make the tables `runs`, `item_results` and `judge_details` that scripts of experiments read.

    Columns and types are those that such scripts expect. What they went wrong over is right here, so that the same
    query gives the honest number:

    * `passed` is true for items that pass and false for those that don't, by the policy; null for all that no rate may
      count (not judged, excluded, not assessed, contradictory). The mean of `passed` is the pass rate and
      `count(passed)` its denominator. `pass_rate` of a run is the same; null where nothing is eligible;
    * `judge_name` is the judge's name, not the beginning of its reasoning. Each check is there once, with the checks of
      every tier;
    * `score` of a check is null, because none is recorded; a number at the beginning of a message is no score;
    * runs that no count takes in (judge experiments, all but one evaluation of the same work) aren't there.

    `run_index` is the run's `repeat`, `run_group` its session. `model` is the condition `model`, else the only one
    whose name ends in `.model`. Tokens by kind and phases stand in the agent's own record, which isn't read: null.

    Args:
        corpus: The runs.
        policy: A policy or the name of one.
        evaluations: Which evaluation of the same work counts.
        scores: Column of `item_results` → name of the score that it stands for, as `scores` has it. `t0_build`,
            `t1_coverage` and `t2_quality` are there in any case, null where nothing is said; others stand behind them.

    Returns:
        The tables by name; rows in the order of the corpus.

    Raises:
        OptionError: No policy or choice of evaluations has that name.
        ColumnError: No item has such a score, or a column of `item_results` has the name already.
        ArgumentError: An argument is of the wrong kind.

    Example:
        >>> from verdict_frames.frames.in_memory import from_records
        >>> row = {"run_id": "r", "variant": "simple", "item_id": "a", "verdict": {"aggregated": {"status": "pass"}}}
        >>> tables = curated_tables(from_records([row, row | {"item_id": "b", "verdict": None}]))
        >>> tables["item_results"].select("variant", "item_id", "passed").rows()
        [('simple', 'a', True), ('simple', 'b', None)]
    """
    _require_corpus(corpus)
    named = _score_columns(corpus, scores)
    out = left_out_runs(corpus.runs, evaluations=evaluations)
    counts = ~pl.col("run_id").is_in(out.implode())
    runs, items = corpus.runs.filter(counts), corpus.items.filter(counts)
    bucket = bucket_expression(find_policy(policy))
    eligible = bucket.is_in([Bucket.PASSES, Bucket.NON_PASSES])
    told = items.with_columns(
        pl.when(eligible).then(bucket == Bucket.PASSES).alias("passed"),
        pl.coalesce("item_id", "item_slug").alias("item_id"),
        pl.coalesce("item_slug", "item_id").alias("\0traced"),
    )
    return {
        "runs": _runs(runs, told, corpus.run_facts),
        "item_results": _item_results(told, runs, corpus.scores, named),
        "judge_details": _judge_details(told, corpus.checks, corpus.seats),
    }


def write_curated(
    corpus: Corpus,
    folder: str | Path,
    *,
    policy: Policy | str = AGENT_JUDGE_0_17,
    evaluations: EvaluationChoice | str = EvaluationChoice.LATEST,
    scores: Mapping[str, str] | None = None,
) -> CuratedCounts:
    """Write the tables that `curated_tables` makes as `runs.parquet`, `item_results.parquet`, `judge_details.parquet`.

    All three are written beside and then put in place, so that no reader meets half a file. Others that lie in the
    folder, such as `tool_uses.parquet`, stay.

    Args:
        corpus: The runs.
        folder: New or there already; files of these names are replaced.
        policy: A policy or the name of one.
        evaluations: Which evaluation of the same work counts.
        scores: As `curated_tables` takes them.

    Returns:
        How much was written, and how many runs don't count.

    Raises:
        TargetError: The folder is a file or an exported folder, or can't be written to.
        OptionError: No policy or choice of evaluations has that name.
        ColumnError: No item has such a score, or a column of `item_results` has the name already.
        ArgumentError: An argument is of the wrong kind.

    Example:
        >>> import tempfile
        >>> from verdict_frames.frames.corpus import concat
        >>> write_curated(concat([]), tempfile.mkdtemp())
        CuratedCounts(run_count=0, item_count=0, left_out=0)
    """
    _require_corpus(corpus)
    target = as_folder(folder)
    if is_exported(target) or (target.exists() and not target.is_dir()):
        what = "holds the tables of an export" if target.is_dir() else "is a file"
        message = f"{target} {what}; name another folder for the curated tables"
        raise TargetError(message)
    tables = curated_tables(corpus, policy=policy, evaluations=evaluations, scores=scores)
    with writing(target):
        target.mkdir(parents=True, exist_ok=True)
    places = {target / f".{name}.parquet.unfinished": target / f"{name}.parquet" for name in tables}
    try:
        for beside, frame in zip(places, tables.values(), strict=True):
            _write(beside, frame)
        for beside, place in places.items():
            put_in_place(beside, place)
    finally:
        for beside in places:
            with suppress(OSError):
                beside.unlink(missing_ok=True)
    runs, items = tables["runs"].height, tables["item_results"].height
    return CuratedCounts(run_count=runs, item_count=items, left_out=corpus.runs.height - runs)


def _require_corpus(corpus: object) -> None:
    if not isinstance(corpus, Corpus):
        message = f"curated tables are made from a corpus, not from {one_line(corpus)}"
        raise ArgumentError(message)


def _write(path: Path, frame: pl.DataFrame) -> None:
    rows = frame.to_arrow(compat_level=pl.CompatLevel.oldest()).combine_chunks()
    writer = FileWriter(path, rows.schema, {})
    try:
        for batch in rows.to_batches():
            writer.add(batch)
        writer.close()
    finally:
        writer.abandon()


def _score_columns(corpus: Corpus, scores: object) -> dict[str, str]:
    """Take the columns that stand for scores, or say why they can't."""
    given = {} if scores is None else scores
    if not isinstance(given, Mapping) or not all(isinstance(word, str) for pair in given.items() for word in pair):
        message = f"`scores` gives columns the names of scores, such as {{'t0_build': 'build'}}, not {one_line(scores)}"
        raise ArgumentError(message)
    known = corpus.scores["name"].unique().sort().to_list()
    for column, score in given.items():
        if score not in known:
            message = (
                f"scores={{{column!r}: {score!r}}}: no item has such a score; there are {some_names(known) or 'none'}"
            )
            raise ColumnError(message)
        if column in curated_schema("item_results") and column not in TIER_SCORES:
            message = f"scores={{{column!r}: …}}: item_results has a column of that name; name another"
            raise ColumnError(message)
    return dict(given)


def _runs(runs: pl.DataFrame, items: pl.DataFrame, run_facts: pl.DataFrame) -> pl.DataFrame:
    counts = items.group_by("run_id").agg(
        pl.col("passed").sum().alias("passes"), pl.col("passed").count().alias("eligible")
    )
    joined = (
        runs.join(counts, on="run_id", how="left", maintain_order="left")
        .join(_models(run_facts), on="run_id", how="left", maintain_order="left")
        .with_columns(pl.col("timestamp").dt.strftime("%Y-%m-%dT%H:%M:%S%.6fZ"), pl.col("session").alias("run_group"))
    )
    rate = share(joined["passes"].fill_null(0), joined["eligible"].fill_null(0))
    return _shaped("runs", joined.with_columns(rate.alias("pass_rate")))


def _models(run_facts: pl.DataFrame) -> pl.DataFrame:
    """The model of each run that names one: its condition `model`, else the only one that ends in `.model`."""
    conditions = run_facts.filter(pl.col("source") == FactSource.CONDITION.value)
    plain = conditions.filter(pl.col("name") == "model").select("run_id", "value")
    ending = conditions.filter(pl.col("name").str.ends_with(".model")).join(plain, on="run_id", how="anti")
    single = ending.filter(pl.len().over("run_id") == 1).select("run_id", "value")
    return pl.concat([plain, single]).rename({"value": "model"})


def _item_results(
    items: pl.DataFrame, runs: pl.DataFrame, scores: pl.DataFrame, named: Mapping[str, str]
) -> pl.DataFrame:
    joined = items.join(
        runs.select("run_id", "variant", pl.col("repeat").alias("run_index")),
        on="run_id",
        how="left",
        maintain_order="left",
    ).with_columns(pl.format("{}_r{}", "\0traced", "run_index").alias("trace_id"))
    for column, score in named.items():
        values = scores.filter(pl.col("name") == score).select("run_id", "item_index", pl.col("value").alias(column))
        joined = joined.join(values, on=["run_id", "item_index"], how="left", maintain_order="left")
    return _shaped("item_results", joined, *(name for name in named if name not in TIER_SCORES))


def _judge_details(items: pl.DataFrame, checks: pl.DataFrame, seats: pl.DataFrame) -> pl.DataFrame:
    judges = seats.select("run_id", "item_index", "stage_index", "seat_index", pl.col("name").alias("judge_name"))
    details = (
        checks.filter(~pl.col("is_copy"))
        .join(items.select("run_id", "item_index", "item_id"), on=["run_id", "item_index"], maintain_order="left")
        .join(judges, on=["run_id", "item_index", "stage_index", "seat_index"], maintain_order="left")
        .with_columns(
            pl.col("name").alias("criterion_name"),
            pl.when(pl.col("detail") != "").then("detail").alias("evidence"),
        )
    )
    return _shaped("judge_details", details)


def _shaped(table: str, frame: pl.DataFrame, *others: str) -> pl.DataFrame:
    """Bring a frame into the columns and types of its table; what nothing is known of is null."""
    columns = [
        (pl.col(name) if name in frame.columns else pl.lit(None)).cast(dtype).alias(name)
        for name, dtype in curated_schema(table).items()
    ]
    return frame.select(*columns, *others)
