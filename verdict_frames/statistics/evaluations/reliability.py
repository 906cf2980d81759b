"""Whether probabilities mean what they say: of the answers given 0.9, are nine in ten right?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from verdict_frames.errors import ColumnError, OptionError
from verdict_frames.frames.display import as_html, as_text, remark_of
from verdict_frames.statistics.evaluations.labels import labelled_answers
from verdict_frames.statistics.intervals import interval_ends, normal_quantile
from verdict_frames.statistics.shares import share

if TYPE_CHECKING:
    from verdict_frames.frames.evaluations import Evaluations


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Reliability:
    """How well the probabilities of one question agree with its labels.

    Attributes:
        question_id: The question.
        table: Grain one bin, in order, empty ones included: `low`, `high`, `count`, `mean_probability?`, `right`,
            `share_right?`, `ci_low?`, `ci_high?` (Wilson). A bin holds its low end; the last one holds 1 too.
        count: How many labelled answers have a probability.
        left_out: How many labelled answers have none, or a gold that is neither true nor false.
        share_right: Their share of right ones (of true golds for boolean answers), the base rate; null for none.
        brier: Mean squared distance of the probability from what came true; null for none.
        ece: Expected calibration error over these bins of equal width: mean distance of a bin's share from its mean
            probability, weighted by count; null for none.
        level: The confidence level of the intervals.
    """

    question_id: str
    table: pl.DataFrame
    count: int
    left_out: int
    share_right: float | None
    brier: float | None
    ece: float | None
    level: float

    def __repr__(self) -> str:
        return as_text("Reliability", {"bins": self.table}, remark=self._remark())

    def _repr_html_(self) -> str:
        rows = self.table.filter(pl.col("count") > 0)
        return as_html(
            "Reliability",
            {"bins": self.table},
            first="bins",
            columns=self.table.columns,
            rows=rows,
            remark=self._remark(),
        )

    def _remark(self) -> str:
        return remark_of(
            question=self.question_id, count=self.count, left_out=self.left_out, brier=self.brier, ece=self.ece
        )


def reliability(
    evaluations: Evaluations, labels: pl.DataFrame, question_id: str, *, bins: int = 10, level: float = 0.95
) -> Reliability:
    """Hold the probabilities of one question against its labels.

    For a choice answer the probability is that of the selected option, and it came true where that option is gold. For
    a boolean answer it is the probability of true, and it came true where the gold is true. Score answers have no such
    probability. Labels of reviewed tickets only show nothing of accepted ones.

    Args:
        evaluations: The stored evaluations.
        labels: As for `sweep`; weights play no part.
        question_id: The question.
        bins: Number of bins of equal width over [0, 1].
        level: The confidence level of the intervals.

    Raises:
        OptionError: There are no bins, or the level isn't between 0 and 1.
        ColumnError: No labelled choice or boolean answer belongs to the question, or the labels lack a column.
        ArgumentError: The labels aren't an eager polars frame.
    """
    normal_quantile(level)
    if isinstance(bins, bool) or bins < 1:
        message = f"bins is a number of bins, 1 or more, not {bins!r}"
        raise OptionError(message)
    labelled = labelled_answers(evaluations, labels)
    of_question = labelled.filter((pl.col("question_id") == question_id) & pl.col("type").is_in(["choice", "boolean"]))
    if of_question.is_empty():
        known = labelled["question_id"].unique().sort().to_list()
        there = ", ".join(known) or "none"
        message = f"no labelled choice or boolean answer belongs to {question_id!r}; labelled are {there}"
        raise ColumnError(message)
    is_boolean = pl.col("type") == "boolean"
    said = pl.when(is_boolean).then("probability").otherwise("selected_probability")
    came_true = pl.when(is_boolean).then("truth").otherwise("right")
    pairs = of_question.select(said.alias("p"), came_true.alias("y")).filter(
        pl.col("p").is_between(0, 1) & pl.col("y").is_not_null()
    )
    edges = [k / bins for k in range(bins + 1)]
    inner = pl.Series(edges[1:-1], dtype=pl.Float64)
    place = inner.search_sorted(pairs["p"], side="right") if bins > 1 else pl.zeros(pairs.height, eager=True)
    binned = pairs.with_columns(pl.Series("bin", place, dtype=pl.Int64))
    sums = binned.group_by("bin").agg(
        pl.len().cast(pl.Int64).alias("count"),
        pl.col("p").mean().alias("mean_probability"),
        pl.col("y").sum().cast(pl.Int64).alias("right"),
    )
    frame = pl.DataFrame({"bin": range(bins), "low": edges[:-1], "high": edges[1:]}).cast({"bin": pl.Int64})
    table = frame.join(sums, on="bin", how="left", maintain_order="left").with_columns(
        pl.col("count", "right").fill_null(0)
    )
    rates = share(table["right"], table["count"])
    low, high = interval_ends(rates, table["count"], level=level)
    table = table.with_columns(rates.alias("share_right"), low.alias("ci_low"), high.alias("ci_high")).drop("bin")
    off = (pl.col("share_right") - pl.col("mean_probability")).abs() * pl.col("count")
    none = pairs.is_empty()
    truth = pairs["y"].cast(pl.Float64)
    return Reliability(
        question_id=question_id,
        table=table.select("low", "high", "count", "mean_probability", "right", "share_right", "ci_low", "ci_high"),
        count=pairs.height,
        left_out=of_question.height - pairs.height,
        share_right=None if none else int(pairs["y"].sum()) / pairs.height,
        brier=None if none else float(((pairs["p"] - truth) ** 2).sum()) / pairs.height,
        ece=None if none else float(table.select(off.sum()).item()) / pairs.height,
        level=level,
    )
