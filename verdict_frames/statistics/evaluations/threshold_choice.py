"""Choosing a threshold: found on one half of what was observed, reported on the other."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import polars as pl

from verdict_frames.errors import OptionError
from verdict_frames.frames.decisions import KEY, not_decided
from verdict_frames.statistics.evaluations.sweeps import sweep

if TYPE_CHECKING:
    from verdict_frames.frames.evaluations import Evaluations
    from verdict_frames.review.packs import Pack

NONE_REACHES_IT: Final = "none reaches it"
"""What `note` says where no threshold meets the target."""


@dataclass(frozen=True, kw_only=True)
class HalfCounts:
    """What one threshold does on one half.

    Attributes:
        decided: Evaluations of the half that were decided.
        accepted: Those that no rule sends to review.
        checked: Accepted ones with a label; null without labels.
        wrong: Checked ones with a wrong answer; null without labels.
        error_rate: Share of wrong ones; null where nothing is checked.
        bound: Its one-sided upper bound; null likewise.
    """

    decided: int
    accepted: int
    checked: int | None
    wrong: int | None
    error_rate: float | None
    bound: float | None

    @property
    def accept_rate(self) -> float | None:
        """Share of the decided ones that are accepted; null when nothing was decided."""
        return self.accepted / self.decided if self.decided else None


@dataclass(frozen=True, kw_only=True)
class ThresholdChoice:
    """A threshold that was chosen on one half, and what it does on the other.

    Attributes:
        name: The threshold, such as `queue.minSelectedProbability`.
        target: What was asked for, in words.
        threshold: The chosen one; null where none meets the target.
        note: "none reaches it" where that is so; null elsewhere.
        chosen_on: What it does on the half that it was chosen on, which flatters it; null without one.
        reported_on: What it does on the other half; null without one.
        level: The confidence level of the bounds.
        seed: What the halves were drawn by.
    """

    name: str
    target: str
    threshold: float | None
    note: str | None
    chosen_on: HalfCounts | None
    reported_on: HalfCounts | None
    level: float
    seed: int

    def __str__(self) -> str:
        if self.threshold is None or self.reported_on is None:
            return f"{self.name}: {self.target}: {self.note}"
        said, share = self.reported_on, self.reported_on.accept_rate
        rate = "" if share is None else f" ({100 * share:.1f} %)"
        accepted = f"accepts {said.accepted} of {said.decided}{rate} in the other half"
        if said.checked is None:
            return f"{self.name} = {self.threshold:g} ({self.target}) {accepted}"
        bound = (
            "" if said.bound is None else f", so at most {100 * said.bound:.1f} % ({100 * self.level:g} % confidence)"
        )
        checks = f"of the {said.checked} checked, {said.wrong} wrong{bound}"
        return f"{self.name} = {self.threshold:g} ({self.target}) {accepted}; {checks}"


def choose_threshold(
    evaluations: Evaluations,
    pack: Pack,
    threshold: str,
    *,
    labels: pl.DataFrame | None = None,
    max_error: float | None = None,
    max_review: float | None = None,
    level: float = 0.95,
    seed: int = 0,
) -> ThresholdChoice:
    """Choose a threshold for a target on one half of the evaluations, and report on the other half.

    The number that a threshold was chosen by is too good, because it was chosen for being good. So tickets are dealt
    into two halves, by `ticket_id`, else by idempotency key, else each by itself; the threshold is chosen on one, and
    what can be said of it comes from the other.

    Args:
        evaluations: Stored evaluations with their answers.
        pack: The pack.
        threshold: As for `sweep`.
        labels: As for `sweep`; needed with `max_error`.
        max_error: The upper bound of the error rate among accepted tickets may be no higher. Of the thresholds that
            keep to it the one that accepts most is chosen; for a floor that is the lowest one.
        max_review: No larger share may go to review. Without `max_error` the threshold that reviews most within the
            budget is chosen.
        level: The confidence level of the bounds.
        seed: Draws the halves.

    Returns:
        The choice. It speaks of the checked tickets and of more like them; it doesn't say that a threshold is safe.

    Raises:
        OptionError: There is no target, it isn't between 0 and 1, `max_error` has no labels, or there is no such
            threshold.
        LabelError: None of the labelled tickets in a half was accepted.
        ColumnError: As for `sweep`.
        ArgumentError: As for `sweep`.
    """
    target = _target(max_error, max_review, labelled=labels is not None)
    first, second = _halves(evaluations, seed)
    here = sweep(first, pack, threshold, labels=labels, level=level)
    meets = pl.lit(value=True)
    if max_error is not None:
        meets &= (pl.col("bound") <= max_error).fill_null(value=False)
    if max_review is not None:
        meets &= (pl.col("reviewed") <= max_review * here.decided).fill_null(value=False)
    best = here.steps.filter(meets).sort("accepted", descending=max_error is not None, maintain_order=True).head(1)
    if best.is_empty():
        return ThresholdChoice(
            name=threshold,
            target=target,
            threshold=None,
            note=NONE_REACHES_IT,
            chosen_on=None,
            reported_on=None,
            level=level,
            seed=seed,
        )
    there = sweep(second, pack, threshold, labels=labels, level=level)
    chosen = best["threshold"].item()
    return ThresholdChoice(
        name=threshold,
        target=target,
        threshold=chosen,
        note=None,
        chosen_on=_counts(best, here.decided),
        reported_on=_counts(there.at([chosen]), there.decided),
        level=level,
        seed=seed,
    )


def _target(max_error: float | None, max_review: float | None, *, labelled: bool) -> str:
    if max_error is None and max_review is None:
        message = "there is nothing to choose by: give max_error, max_review or both"
        raise OptionError(message)
    for name, value in (("max_error", max_error), ("max_review", max_review)):
        if value is not None and not 0 <= value <= 1:
            message = f"{name} is a share from 0 to 1, not {value}"
            raise OptionError(message)
    if max_error is not None and not labelled:
        message = "max_error needs labels: without them nobody knows what is wrong"
        raise OptionError(message)
    parts = [f"errors at most {100 * max_error:g} %"] if max_error is not None else []
    parts += [f"reviews at most {100 * max_review:g} %"] if max_review is not None else []
    return " and ".join(parts)


def _halves(evaluations: Evaluations, seed: int) -> tuple[Evaluations, Evaluations]:
    unit = pl.coalesce(
        pl.lit("ticket ") + pl.col("ticket_id"),
        pl.lit("key ") + pl.col("idempotency_key"),
        pl.lit("row ") + pl.col(KEY).cast(pl.String),
    )
    rows = evaluations.evaluations.filter(not_decided().is_null()).select(KEY, unit.alias("unit"))
    units = rows["unit"].unique().sort().to_list()
    random.Random(seed).shuffle(units)  # noqa: S311 - a fair deal, not a secret
    first = pl.Series(units[: (len(units) + 1) // 2], dtype=pl.String).implode()
    indices = rows.filter(pl.col("unit").is_in(first))[KEY].implode()
    inside = pl.col(KEY).is_in(indices)
    return evaluations.filter(inside), evaluations.filter(~inside)


def _counts(row: pl.DataFrame, decided: int) -> HalfCounts:
    values = row.row(0, named=True)
    return HalfCounts(
        decided=decided,
        accepted=values["accepted"],
        checked=values.get("checked"),
        wrong=values.get("wrong"),
        error_rate=values.get("error_rate"),
        bound=values.get("bound"),
    )
