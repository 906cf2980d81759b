"""Which trials stand on which side of a comparison."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import polars as pl

from verdict_frames.errors import ArgumentError, ColumnError, OptionError, one_line, some_names
from verdict_frames.policies import SUPPORT, bucket_expression
from verdict_frames.statistics.counted import ITEM, LEFT_OUT, counted_items
from verdict_frames.statistics.grid import state_expression
from verdict_frames.statistics.grouping import group_items
from verdict_frames.statistics.likeness import run_aspects
from verdict_frames.statistics.vocabulary import LostCause, SideState
from verdict_frames.vocabulary import Bucket, Reading, Support

if TYPE_CHECKING:
    from collections.abc import Sequence

    from verdict_frames.frames.corpus import Corpus
    from verdict_frames.policies import Policy
    from verdict_frames.statistics.vocabulary import EvaluationChoice

SIDE: Final = "\0side"
"""Column that says which side a trial is on: the value of the column that was compared by, as text."""

RUN: Final = "\0run"
"""Column that tells the runs of the trials apart, also where both corpora hold a run of the same name."""

BY_SLUG: Final = "\0by_slug"
"""Column that says whether an item goes by its `item_slug`, having no `item_id`."""

STATE: Final = "\0state"
"""Column with the state of a trial, a `SideState`."""

CAUSE: Final = "\0cause"
"""Column with why a trial doesn't count, a `LostCause`; null where it counts."""

PASSED: Final = "\0passed"
"""Column that says whether a trial passed; null where it doesn't count."""

BEFORE_AND_AFTER: Final = ("before", "after")
"""What the sides are called where two corpora are compared."""


@dataclass(frozen=True, kw_only=True)
class Sides:
    """The trials of all sides of a comparison.

    Attributes:
        trials: Grain one trial that a count takes in: the columns of `within`, then those named above and `ITEM`.
        aspects: Grain one aspect of a run, as `run_aspects` lists them, with `RUN` in place of `run_id`.
        baseline: What the baseline is called.
        treatments: What the treatments are called, in the order in which they are shown.
        within: The columns in whose groups the sides are compared.
        without_side: How many trials belong to no side, because they have no value to be compared by.
        left_out: How many items are of judge experiments, or of runs in whose place another one counts.
    """

    trials: pl.DataFrame
    aspects: pl.DataFrame
    baseline: str
    treatments: tuple[str, ...]
    within: tuple[str, ...]
    without_side: int
    left_out: int


def sides_by(
    corpus: Corpus,
    by: str,
    baseline: object,
    treatment: object,
    *,
    within: str | Sequence[str] | None,
    policy: Policy,
    evaluations: EvaluationChoice | str,
) -> Sides:
    """Take the values of a column as the sides.

    Args:
        corpus: The runs.
        by: A column of items or runs, or a run fact.
        baseline: Its value on the one side.
        treatment: Its values on the others, a single one or several; none for all that there are besides.
        within: Columns in whose groups the sides are compared.
        policy: What counts.
        evaluations: Which evaluation of the same work counts.

    Raises:
        ColumnError: A name can't be grouped by, or is both compared by and grouped by.
        OptionError: The column doesn't have such a value, a side is named twice, or there is nothing to compare with.
        ArgumentError: An argument is of the wrong kind.
    """
    columns = _names(within)
    if by in columns:
        message = f"{by!r} can't tell the sides apart and be the same within each comparison"
        raise ColumnError(message)
    grouped = counted_items(corpus, [by, *columns], evaluations=evaluations)
    marked = _marked(grouped.items, pl.col(by).cast(pl.String), columns, policy)
    counting = marked.filter(~pl.col(LEFT_OUT))
    start, treatments = _named_sides(
        corpus, by, baseline, treatment, counting=counting[SIDE], left_out=marked.filter(pl.col(LEFT_OUT))[SIDE]
    )
    return Sides(
        trials=counting.filter(pl.col(SIDE).is_in([start, *treatments])).drop(LEFT_OUT),
        aspects=run_aspects(corpus, evaluations=evaluations).rename({"run_id": RUN}),
        baseline=start,
        treatments=treatments,
        within=columns,
        without_side=counting[SIDE].null_count(),
        left_out=marked.height - counting.height,
    )


def sides_of_two(
    before: Corpus,
    after: Corpus,
    *,
    within: str | Sequence[str] | None,
    policy: Policy,
    evaluations: EvaluationChoice | str,
) -> Sides:
    """Take two corpora as the sides; which runs are left out is decided in each of them alone.

    Args:
        before: The baseline.
        after: The treatment.
        within: Columns in whose groups the sides are compared.
        policy: What counts.
        evaluations: Which evaluation of the same work counts.

    Raises:
        ColumnError: A name can't be grouped by.
        OptionError: There is no such choice of evaluations.
        ArgumentError: An argument is of the wrong kind.
    """
    columns = _names(within)
    parts, aspects = [], []
    for name, corpus in zip(BEFORE_AND_AFTER, (before, after), strict=True):
        grouped = counted_items(corpus, columns, evaluations=evaluations)
        run = pl.format("{}\0{}", pl.lit(name), RUN)
        parts.append(_marked(grouped.items, pl.lit(name), columns, policy).with_columns(run.alias(RUN)))
        listed = run_aspects(corpus, evaluations=evaluations).rename({"run_id": RUN})
        aspects.append(listed.with_columns(run.alias(RUN)))
    marked = pl.concat(parts, how="vertical_relaxed")
    counting = marked.filter(~pl.col(LEFT_OUT))
    return Sides(
        trials=counting.drop(LEFT_OUT),
        aspects=pl.concat(aspects),
        baseline=BEFORE_AND_AFTER[0],
        treatments=BEFORE_AND_AFTER[1:],
        within=columns,
        without_side=0,
        left_out=marked.height - counting.height,
    )


def _marked(items: pl.LazyFrame, side: pl.Expr, within: tuple[str, ...], policy: Policy) -> pl.DataFrame:
    """Say of each item what a comparison asks of it; group columns may have any name, so the rest are marks."""
    bucket, state = bucket_expression(policy), state_expression().cast(pl.String)
    counts = bucket.is_in([Bucket.PASSES, Bucket.NON_PASSES])
    readings = [reading.value for reading in Reading]
    set_aside = state.is_in(readings) & (SUPPORT == Support.UNDETERMINED) & pl.lit(policy.undetermined is not None)
    cause = pl.when(set_aside).then(pl.lit(LostCause.UNDETERMINED.value)).otherwise(state.str.to_lowercase())
    return items.select(
        *within,
        LEFT_OUT,
        ITEM,
        side.alias(SIDE),
        pl.col("run_id").alias(RUN),
        (pl.col("item_id").is_null() & pl.col(ITEM).is_not_null()).alias(BY_SLUG),
        state.cast(pl.Enum(SideState)).alias(STATE),
        pl.when(~counts).then(cause).cast(pl.Enum(LostCause)).alias(CAUSE),
        pl.when(counts).then(bucket == Bucket.PASSES).alias(PASSED),
    ).collect()


def _named_sides(
    corpus: Corpus, by: str, baseline: object, treatment: object, *, counting: pl.Series, left_out: pl.Series
) -> tuple[str, tuple[str, ...]]:
    """Return the names of the baseline and of the treatments, which must all be values of the column.

    All values are meant where no treatment is named, also that of a run without items, but not those that only runs
    have which are left out of every count. A corpus without runs has any value.
    """
    values = set(counting.drop_nulls())
    start = _text(baseline)
    of_runs = group_items(corpus, by).run_groups
    without_items = set() if of_runs is None else set(of_runs[by].cast(pl.String).drop_nulls()) - set(left_out)
    there = sorted(values | without_items | set(left_out.drop_nulls()))
    named = None if treatment is None else _several(treatment)
    others = sorted((values | without_items) - {start})
    treatments = others if named is None else [_text(value) for value in named]
    for side in (start, *treatments):
        if side not in there and not corpus.runs.is_empty():
            message = (
                f"{by!r} is nowhere {one_line(side)}; it is one of {some_names(there) or 'none, recorded nowhere'}"
            )
            raise OptionError(message)
    if len({start, *treatments}) <= len(treatments):
        message = f"a side is named twice: {some_names([start, *treatments])}; treatments are other values of {by!r}"
        raise OptionError(message)
    if not treatments and (named is not None or not corpus.runs.is_empty()):
        message = f"there is nothing to compare with: {by!r} has no other value than {one_line(start)}"
        raise OptionError(message)
    return start, tuple(treatments)


def _several(treatment: object) -> list[object]:
    return list(treatment) if isinstance(treatment, list | tuple) else [treatment]


def _text(value: object) -> str:
    """Write a value as polars does."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str | int | float):
        return str(value)
    message = f"a side is named by the value of a column, such as 'simple', not by {one_line(value)}"
    raise ArgumentError(message)


def _names(within: str | Sequence[str] | None) -> tuple[str, ...]:
    names = () if within is None else (within,) if isinstance(within, str) else within
    if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) for name in names):
        message = f"`within` takes the name of a column or a list of names, not {one_line(within)}"
        raise ArgumentError(message)
    return tuple(names)
