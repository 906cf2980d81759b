"""Run by run: the pass rate or counts that a file states of itself, and which way of counting gives the same."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import polars as pl

from verdict_frames.frames.schemas.tables import polars_schema
from verdict_frames.policies import AGENT_EXPERIMENT_0_9
from verdict_frames.statistics.audit.differences import STORED_COUNTS
from verdict_frames.statistics.shares import share
from verdict_frames.statistics.tally import tally
from verdict_frames.statistics.vocabulary import EvaluationChoice
from verdict_frames.vocabulary import RunKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from verdict_frames.frames.corpus import Corpus
    from verdict_frames.policies import Policy

PASSED_OF_ALL: Final = "recorded as passed, of all items"
"""What `pass_rate_explained_by` says of the rate that files up to 0.7 state: 0.0 where there are no items."""

SAME_RATE: Final = 1e-9
"""Rates that are no further apart are the same, so that a file that rounds its last digit isn't taken for wrong."""

STATED_SCHEMA: Final[Mapping[str, pl.DataType]] = MappingProxyType(
    {
        "run_id": pl.String(),
        "experiment_name": pl.String(),
        "session": pl.String(),
        "variant": pl.String(),
        "kind": polars_schema("runs")["kind"],
        "left_out": pl.Boolean(),
        "item_count": pl.Int64(),
        "passed_true": pl.Int64(),
        "passed_false": pl.Int64(),
        "stored_pass_rate": pl.Float64(),
        "pass_rate_explained_by": pl.String(),
        **dict.fromkeys(STORED_COUNTS, pl.Int64()),
        "counts_explained_by": pl.String(),
        "counts_differ": pl.List(pl.String()),
        "problems": pl.Int64(),
    }
)
"""The columns of `runs`."""

RECOUNTS_SCHEMA: Final[Mapping[str, pl.DataType]] = MappingProxyType(
    {
        "run_id": pl.String(),
        "policy": pl.String(),
        "passes": pl.Int64(),
        "non_passes": pl.Int64(),
        "excluded": pl.Int64(),
        "instrument_failures": pl.Int64(),
        "not_judged": pl.Int64(),
        "unattestable": pl.Int64(),
        "set_aside": pl.Int64(),
        "pass_rate": pl.Float64(),
        "stored_rate": pl.Float64(),
        "difference": pl.Float64(),
    }
)
"""The columns of `recounts`."""


def recount(corpus: Corpus, policy: Policy) -> pl.DataFrame:
    """Count each run anew under one policy, in the six numbers that files state.

    Under `agent-experiment-0.9` `instrument_failures` overlaps the others, as that consumer counts it: not assessed, a
    failed stage, or the item's own mark. Under other policies it is a bucket like the rest. Runs that are judged again
    later are recounted too; judge experiments aren't, because their items are no agent's work.

    Args:
        corpus: All its runs are recounted.
        policy: What counts.

    Returns:
        Grain one run, in the order of runs; columns as in `RECOUNTS_SCHEMA`.
    """
    runs = corpus.runs.filter(pl.col("kind").cast(pl.String) != RunKind.JUDGE_EXPERIMENT).select(
        "run_id", "stored_pass_rate", "stored_passes", "stored_non_passes"
    )
    of_counts = share(runs["stored_passes"], runs["stored_passes"] + runs["stored_non_passes"])
    stated = runs.select("run_id", pl.coalesce("stored_pass_rate", of_counts).alias("stored_rate"))
    overlapping = policy.name == AGENT_EXPERIMENT_0_9.name
    failures = pl.col("instrument_marks" if overlapping else "instrument_failures")
    counts = tally(corpus, "run_id", policy=policy, evaluations=EvaluationChoice.ALL)
    rows = stated.join(counts, on="run_id", how="left", maintain_order="left").with_columns(
        failures.alias("instrument_failures"),
        (pl.col("agent_failed") + pl.col("unjudged")).alias("not_judged"),
        (pl.col("pass_rate") - pl.col("stored_rate")).alias("difference"),
    )
    return rows.select(pl.col(name).cast(dtype) for name, dtype in RECOUNTS_SCHEMA.items())


def recounts_by_run(corpus: Corpus, recounts: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """Put recounts of the same runs together, in the order of runs, then of the recounts."""
    places = corpus.runs.select("run_id").with_row_index("\0place")
    rows = pl.concat(recounts).join(places, on="run_id", how="left", maintain_order="left")
    return rows.sort("\0place", maintain_order=True).drop("\0place")


def stated_runs(corpus: Corpus, recounts: Mapping[str, pl.DataFrame], left_out: pl.Series) -> pl.DataFrame:
    """Say of each run what it states of itself, and which way of counting gives the same.

    Args:
        corpus: All its runs are listed.
        recounts: What policies give, by their names; that of `agent-experiment-0.9` among them.
        left_out: Runs that no count takes in.

    Returns:
        Grain one run, in the order of `runs`; columns as in `STATED_SCHEMA`.
    """
    passed = corpus.items.group_by("run_id").agg(
        pl.col("passed").sum().cast(pl.Int64).alias("passed_true"),
        (~pl.col("passed")).sum().cast(pl.Int64).alias("passed_false"),
        pl.len().cast(pl.Int64).alias("\0items"),
    )
    problems = corpus.problems.drop_nulls("run_id").group_by("run_id").agg(pl.len().cast(pl.Int64).alias("problems"))
    runs = (
        corpus.runs.join(passed, on="run_id", how="left", maintain_order="left")
        .join(problems, on="run_id", how="left", maintain_order="left")
        .with_columns(
            pl.col("passed_true", "passed_false", "\0items", "problems").fill_null(0),
            pl.col("run_id").is_in(left_out.implode()).alias("left_out"),
        )
    )
    explained = runs.with_columns(_explain_rates(runs, recounts), *_explain_counts(runs, recounts))
    return explained.select(pl.col(name).cast(dtype) for name, dtype in STATED_SCHEMA.items())


def _explain_rates(runs: pl.DataFrame, recounts: Mapping[str, pl.DataFrame]) -> pl.Series:
    """Name what gives the stated pass rate: the recorded `passed` before policies, in their order."""
    some_passed = (pl.col("passed_true") + pl.col("passed_false") > 0) | (pl.col("\0items") == 0)
    of_all = share(runs["passed_true"], runs["\0items"]).fill_null(0.0)
    frame = runs.select("run_id", "stored_pass_rate", some_passed.alias("some_passed"), of_all.alias("of_all"))
    explanations = [pl.when("some_passed", _same("of_all")).then(pl.lit(PASSED_OF_ALL))]
    for name, recounted in recounts.items():
        frame = frame.join(
            recounted.select("run_id", pl.col("pass_rate").alias(f"\0{name}")),
            on="run_id",
            how="left",
            maintain_order="left",
        )
        explanations.append(pl.when(_same(f"\0{name}")).then(pl.lit(name)))
    return frame.select(pl.coalesce(explanations).alias("pass_rate_explained_by")).to_series()


def _same(rate: str) -> pl.Expr:
    return (pl.col("stored_pass_rate") - pl.col(rate)).abs() <= SAME_RATE


def _explain_counts(runs: pl.DataFrame, recounts: Mapping[str, pl.DataFrame]) -> tuple[pl.Series, pl.Series]:
    """Name the policy that gives the stated counts, and list the counts in which the writers' own gives others."""
    own = AGENT_EXPERIMENT_0_9.name
    names = [stored.removeprefix("stored_") for stored in STORED_COUNTS]
    frame = runs.select("run_id", *STORED_COUNTS)
    stated = pl.any_horizontal(pl.col(STORED_COUNTS).is_not_null())
    explanations: list[pl.Expr] = []
    differing: list[pl.Expr] = []
    for policy in sorted(recounts, key=lambda name: name != own):
        anew = recounts[policy].select(
            "run_id", *(pl.col(name).alias(f"{policy}\0{name}") for name in (*names, "set_aside"))
        )
        frame = frame.join(anew, on="run_id", how="left", maintain_order="left")
        differs = {name: pl.col(f"stored_{name}") != pl.col(f"{policy}\0{name}") for name in names}
        same = ~pl.any_horizontal(differs.values()).fill_null(value=False) & (pl.col(f"{policy}\0set_aside") == 0)
        explanations.append(pl.when(stated, same).then(pl.lit(policy)))
        differing = differing or [pl.when(differ).then(pl.lit(name)) for name, differ in differs.items()]
    recounted_at_all = pl.col(f"{own}\0passes").is_not_null()
    return (
        frame.select(pl.coalesce(explanations).alias("counts_explained_by")).to_series(),
        frame.select(
            pl.when(stated, recounted_at_all).then(pl.concat_list(differing).list.drop_nulls()).alias("counts_differ")
        ).to_series(),
    )
