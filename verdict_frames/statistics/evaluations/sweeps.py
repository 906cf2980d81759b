"""What a threshold does wherever it stands: an exact step function over the values that were observed.

Nothing changes between two neighbouring observed values, so there is one row a step and no grid. Where a grid is wanted
all the same, `Sweep.at` looks its points up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import polars as pl

from verdict_frames.documents.html_tables import ROWS_SHOWN
from verdict_frames.errors import ArgumentError, LabelError
from verdict_frames.frames.decisions import KEY, fired_rules, not_decided
from verdict_frames.frames.display import as_html, as_text, remark_of
from verdict_frames.frames.evaluations import Evaluations
from verdict_frames.statistics.evaluations.error_bounds import CLOPPER_PEARSON, EFFECTIVE_SIZE, upper_bounds
from verdict_frames.statistics.evaluations.labels import labelled_answers
from verdict_frames.statistics.evaluations.thresholds import FLOOR, find_threshold
from verdict_frames.statistics.shares import share
from verdict_frames.vocabulary import EvaluationStatus, ReasonKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from verdict_frames.review.packs import Pack
    from verdict_frames.review.rules import MissingAnswers
    from verdict_frames.statistics.evaluations.thresholds import Threshold

_OF_LABELS: Final = ("checked", "wrong", "error_rate", "bound", "bound_method")


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Sweep:
    """What one threshold does wherever it stands.

    Attributes:
        threshold: The threshold, with the place where the pack has it.
        steps: Grain one step, in the order of thresholds; see `sweep`.
        decided: How many evaluations were decided; the denominator of every share.
        failed: How many were left out because they failed.
        answers_not_recorded: How many because their answers weren't stored.
        repeated_keys: How many idempotency keys have more than one decided evaluation, which then aren't independent.
        labelled: How many decided evaluations have a label; null without labels.
        labelled_accepted: How many of these were accepted as stored, or by the pack where no status is stored.
        level: The confidence level of the bounds.
    """

    threshold: Threshold
    steps: pl.DataFrame
    decided: int
    failed: int
    answers_not_recorded: int
    repeated_keys: int
    labelled: int | None
    labelled_accepted: int | None
    level: float

    def at(self, thresholds: Iterable[float]) -> pl.DataFrame:
        """Look thresholds up.

        Args:
            thresholds: In any order; a grid is best written as `k / 100`, because sums of steps miss equal values.

        Returns:
            One row a threshold, in the given order: the columns of `steps`, `threshold` being the one that was given.

        Raises:
            OptionError: A threshold lies outside of what its rule allows.
        """
        given = [float(value) for value in thresholds]
        for value in given:
            self.threshold.check(value)
        asked = pl.DataFrame({"\0asked": given}, schema={"\0asked": pl.Float64}).with_row_index("\0place")
        found = asked.sort("\0asked").join_asof(
            self.steps,
            left_on="\0asked",
            right_on="threshold",
            strategy="forward" if self.threshold.closed_high else "backward",
            check_sortedness=False,
        )
        values = pl.col("\0asked").alias("threshold")
        return found.sort("\0place").select(values, *(name for name in self.steps.columns if name != "threshold"))

    def current(self) -> pl.DataFrame:
        """The row of the place where the pack has the threshold; none where the pack has no such rule."""
        return self.at([]) if self.threshold.current is None else self.at([self.threshold.current])

    def __repr__(self) -> str:
        return as_text("Sweep", {"steps": self.steps}, remark=self._remark())

    def _repr_html_(self) -> str:
        current = self.threshold.current
        place = 0 if current is None else self.steps.filter(pl.col("threshold") < current).height
        return as_html(
            "Sweep",
            {"steps": self.steps},
            first="steps",
            columns=self.steps.columns,
            start=max(0, min(place - ROWS_SHOWN // 2, self.steps.height - ROWS_SHOWN)),
            remark=self._remark(),
        )

    def _remark(self) -> str:
        return remark_of(
            threshold=self.threshold.name,
            in_the_pack=self.threshold.current,
            decided=self.decided,
            failed=self.failed,
            answers_not_recorded=self.answers_not_recorded,
            labelled=self.labelled,
        )


def sweep(
    evaluations: Evaluations,
    pack: Pack,
    threshold: str,
    *,
    labels: pl.DataFrame | None = None,
    missing: MissingAnswers = "invalid",
    level: float = 0.95,
) -> Sweep:
    """Move one threshold of a pack over all that was observed, and count what is accepted at each place.

    The other rules stay as they are in the pack. Failed evaluations and those without recorded answers are left out and
    counted; what was stored as status plays no part. A choice question without a rule gets one.

    With labels the accepted evaluations that were checked are looked at: one is checked where any of its answers has a
    label, and wrong where any labelled answer is. The bound speaks of the checked ones and of more like them, and of no
    tickets that nobody drew from. Labels of reviewed tickets only, as a review queue gives them, say nothing of
    accepted ones and are refused: `audit_sample` draws some.

    Args:
        evaluations: Stored evaluations with their answers.
        pack: The pack.
        threshold: Its name, such as `queue.minSelectedProbability`, `urgency.minInclusive`, `refund.highExclusive`.
        labels: What is right: `question_id`, `gold` and one of `evaluation_index`, `evaluation_id`, `ticket_id`,
            `idempotency_key`; optionally `weight`. See `verdict_frames.statistics.evaluations.labels.labelled_answers`.
        missing: As for `decide`.
        level: The confidence level of the bounds.

    Returns:
        The sweep. Its steps, by `threshold` ascending: `low?` and `high?` (the ends of the step, null where there is
        none; closed at `threshold`, open at the other), `accepted` (no rule fires), `reviewed`, `accept_rate?` (null
        when nothing was decided), `fired` (this question goes to review, whatever the others do), `fired_alone` (only
        this one does). With labels also `checked` (accepted and labelled), `wrong`, `error_rate?` and `bound?` (its
        one-sided upper bound, null where nothing is checked) and `bound_method`; with unequal weights the rate is
        weighted and the bound approximate.

    Raises:
        OptionError: There is no such threshold, or an option has an unknown value.
        LabelError: Labels are given and none of them is on an accepted ticket.
        ColumnError: The labels lack a column or label something twice.
        ArgumentError: An argument is of the wrong kind.
    """
    _require_evaluations(evaluations)
    moved = find_threshold(pack, threshold)
    fired = fired_rules(pack, evaluations, missing=missing)
    kinds, value = fired.kinds[moved.place], fired.values[moved.place]
    rows = pl.DataFrame({KEY: fired.index, "value": value, "kind": kinds}).with_columns(
        (fired.fired_count - kinds.is_not_null().cast(pl.Int32) > 0).alias("others"),
        (fired.fired_count == 0).alias("accepts"),
    )
    invalid = (pl.col("kind") == ReasonKind.INVALID_ANSWER.value).fill_null(value=False)
    silent = pl.col("kind").is_null() & pl.lit(fired.answered[moved.place]).not_() if missing == "skip" else None
    unasked = pl.lit(value=False) if silent is None else silent
    without = pl.col("value").is_null() if moved.key == FLOOR else pl.lit(value=False)
    always = (invalid | without) & ~unasked
    rows = rows.with_columns(always.alias("always"), unasked.alias("unasked"))
    checks = _checks(evaluations, labels, rows) if labels is not None else None
    rows = rows.join(checks, on=KEY, how="left", maintain_order="left") if checks is not None else rows
    steps = _steps(moved, rows, level=level, labelled=checks is not None)
    left_out = dict(evaluations.evaluations.select(not_decided().cast(pl.String)).to_series().value_counts().rows())
    decided_keys = evaluations.evaluations.filter(not_decided().is_null())["idempotency_key"].drop_nulls()
    return Sweep(
        threshold=moved,
        steps=steps,
        decided=rows.height,
        failed=left_out.get("failed", 0),
        answers_not_recorded=left_out.get("answers_not_recorded", 0),
        repeated_keys=decided_keys.filter(decided_keys.is_duplicated()).n_unique(),
        labelled=None if checks is None else checks.height,
        labelled_accepted=None if checks is None else int(checks["stored_accepted"].sum()),
        level=level,
    )


def _require_evaluations(evaluations: object) -> None:
    if not isinstance(evaluations, Evaluations):
        message = f"Evaluations are needed, not {type(evaluations).__name__}; read them with read_evaluations"
        raise ArgumentError(message)


def _checks(evaluations: Evaluations, labels: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """Grain one labelled evaluation among those decided: whether it is wrong, its weight, whether it was accepted."""
    labelled = labelled_answers(evaluations, labels)
    wrong = labelled.group_by(KEY).agg((~pl.col("right")).any().alias("is_wrong"), pl.col("weight").max())
    stored = evaluations.evaluations.select(KEY, pl.col("status").cast(pl.String))
    accepted = (pl.col("status") == EvaluationStatus.ACCEPT.value).fill_null(pl.col("accepts"))
    checks = (
        wrong.join(rows.select(KEY, "accepts"), on=KEY, how="inner")
        .join(stored, on=KEY, how="left")
        .select(KEY, "is_wrong", "weight", accepted.alias("stored_accepted"))
    )
    if not checks["stored_accepted"].any():
        message = (
            f"labels: {checks.height} of the decided evaluations are labelled, and none of these was accepted, so "
            "nothing can be said of accepted tickets; label some that audit_sample draws"
        )
        raise LabelError(message)
    return checks


def _steps(moved: Threshold, rows: pl.DataFrame, *, level: float, labelled: bool) -> pl.DataFrame:
    """The step function, from sums by observed value: what fires is what lies on one side of the threshold."""
    alone = ~pl.col("others")
    sums = _sums(labelled=labelled)
    kept = rows.filter(~pl.col("always") & alone).select(sums).row(0, named=True)
    reach = rows.filter(~pl.col("always") & ~pl.col("unasked") & moved.in_reach(pl.col("value")))
    fired = reach.group_by("value").agg(pl.len().cast(pl.Int64).alias("fired"))
    by_value = fired.join(reach.filter(alone).group_by("value").agg(sums), on="value", how="left")
    limit = moved.high if moved.closed_high else moved.low
    if math.isfinite(limit) and limit not in by_value["value"]:
        by_value = pl.concat([by_value, pl.DataFrame({"value": [limit]})], how="diagonal")
    here = by_value.sort("value").with_columns(pl.exclude("value").fill_null(0))
    lost = {name: _on_the_side_that_fires(moved, name) for name in ("fired", *kept)}
    value = pl.col("value")
    low, high = (value.shift(1), value) if moved.closed_high else (value, value.shift(-1))
    steps = here.select(
        value.alias("threshold"),
        low.fill_null(_end(moved.low)).alias("low"),
        high.fill_null(_end(moved.high)).alias("high"),
        (lost["fired"] + rows["always"].sum()).alias("fired"),
        (lost["accepted"] + rows.filter(pl.col("always") & alone).height).alias("fired_alone"),
        *((pl.lit(kept[name]) - lost[name]).alias(name) for name in kept),
    )
    steps = steps.with_columns((rows.height - pl.col("accepted")).alias("reviewed"))
    steps = steps.with_columns(
        share(steps["accepted"], pl.repeat(rows.height, steps.height, dtype=pl.Int64, eager=True)).alias("accept_rate")
    )
    counts = ["threshold", "low", "high", "accepted", "reviewed", "accept_rate", "fired", "fired_alone"]
    return steps.select(counts) if not labelled else _with_bounds(steps, rows, level=level).select(*counts, *_OF_LABELS)


def _sums(*, labelled: bool) -> list[pl.Expr]:
    """What is counted of evaluations that no other question holds back: all of them, and those that were checked."""
    sums = [pl.len().cast(pl.Int64).alias("accepted")]
    if labelled:
        checked, wrong, weight = pl.col("is_wrong").is_not_null(), pl.col("is_wrong"), pl.col("weight")
        sums += [
            checked.sum().cast(pl.Int64).alias("checked"),
            wrong.sum().cast(pl.Int64).alias("wrong"),
            weight.sum().alias("weight"),
            weight.filter(wrong).sum().alias("weight_wrong"),
            (weight * weight).sum().alias("weight_squared"),
        ]
    return sums


def _on_the_side_that_fires(moved: Threshold, name: str) -> pl.Expr:
    own, through = pl.col(name), pl.col(name).cum_sum()
    match moved.key:
        case "maxInclusive":
            return through
        case "minInclusive":
            return through.last() - through + own
        case "lowExclusive":
            return through.last() - through
        case _:
            return through - own


def _with_bounds(steps: pl.DataFrame, rows: pl.DataFrame, *, level: float) -> pl.DataFrame:
    """Error rates of the checked and accepted, with their bounds; by weight where weights differ."""
    if rows["weight"].drop_nulls().n_unique() <= 1:
        wrong, checked, method = steps["wrong"], steps["checked"], CLOPPER_PEARSON
        rate = share(wrong, checked)
    else:
        some = pl.col("checked") > 0
        rate = steps.select(
            pl.when(some).then((pl.col("weight_wrong") / pl.col("weight")).clip(0.0, 1.0)).alias("rate")
        ).to_series()
        size = pl.when(some).then(pl.col("weight") ** 2 / pl.col("weight_squared")).fill_null(0.0)
        checked, method = steps.select(size.alias("size")).to_series(), EFFECTIVE_SIZE
        wrong = rate.fill_null(0.0) * checked
    return steps.with_columns(
        rate.alias("error_rate"),
        upper_bounds(wrong, checked, level=level).alias("bound"),
        pl.lit(method).alias("bound_method"),
    )


def _end(value: float) -> pl.Expr:
    return pl.lit(value if math.isfinite(value) else None, dtype=pl.Float64)
