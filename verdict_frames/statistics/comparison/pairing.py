"""Items of both sides side by side: how often each passed, and why it can't be compared where it can't."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from verdict_frames.statistics.comparison.sides import BY_SLUG, CAUSE, PASSED, SIDE, STATE
from verdict_frames.statistics.counted import ITEM
from verdict_frames.statistics.shares import share
from verdict_frames.statistics.vocabulary import Change, ComparedSide, LostCause, SideState

if TYPE_CHECKING:
    from verdict_frames.statistics.comparison.sides import Sides

_SIDES: Final = (ComparedSide.BASELINE, ComparedSide.TREATMENT)
_COUNTS: Final = ("trials", "eligible", "passes", "open", "not_assessed")
_OF_A_SIDE: Final = (*_COUNTS, "rate", "state")

ITEM_COLUMNS: Final = (
    "treatment",
    "item",
    "by_slug",
    *(f"{side}_{name}" for side in _SIDES for name in _OF_A_SIDE),
    "difference",
    "change",
    "cause",
    "lost_on",
)
"""The columns of `items` after those of `within`."""


def pair_items(sides: Sides) -> pl.DataFrame:
    """Put the trials of each item on the baseline's side beside those on each treatment's.

    Trials of one item on one side are repeats of each other, whichever runs they are of and whatever their numbers:
    these are not paired, so that nothing depends on which repeat came first.

    Args:
        sides: The trials of all sides.

    Returns:
        Grain one item that has a name and a trial on either side; see `Comparison.items`. Sorted by the columns of
        `within` with null last, the treatments in their order, then the items.
    """
    by_item = _by_item(sides)
    on = [*sides.within, ITEM]
    baseline = _of_side(by_item, sides.baseline, ComparedSide.BASELINE)
    treatments = sides.treatments or (sides.baseline,)  # there is none in a corpus without runs, which has no items
    paired = pl.concat(
        baseline.join(
            _of_side(by_item, treatment, ComparedSide.TREATMENT), on=on, how="full", coalesce=True, nulls_equal=True
        )
        .with_columns(pl.lit(treatment).alias("treatment"))
        .sort(ITEM)
        for treatment in treatments
    )
    if sides.within:
        paired = paired.sort(sides.within, nulls_last=True, maintain_order=True)
    return _compared(paired).select(*sides.within, *ITEM_COLUMNS)


def _by_item(sides: Sides) -> pl.DataFrame:
    counted, reading = pl.col(PASSED).is_not_null(), pl.col(STATE)
    open_ended = pl.col(CAUSE).is_not_null() & (pl.col(CAUSE) != LostCause.NOT_APPLICABLE)
    counts = {
        "trials": pl.len(),
        "eligible": counted.sum(),
        "passes": pl.col(PASSED).sum(),
        "open": open_ended.sum(),
        "not_assessed": (reading == SideState.NOT_ASSESSED).sum(),
    }
    mixed = pl.lit(SideState.MIXED.value, dtype=pl.Enum(SideState))
    named = sides.trials.filter(pl.col(ITEM).is_not_null())
    return named.group_by(*sides.within, SIDE, ITEM).agg(
        *(count.cast(pl.Int64).alias(name) for name, count in counts.items()),
        pl.when(reading.n_unique() == 1).then(reading.first()).otherwise(mixed).alias("state"),
        pl.col(CAUSE).to_physical().min().alias("cause"),
        pl.col(BY_SLUG).any().alias("by_slug"),
    )


def _of_side(by_item: pl.DataFrame, name: str, side: ComparedSide) -> pl.DataFrame:
    """Choose the items of one side, with the side before the name of each column but those to join on."""
    chosen = by_item.filter(pl.col(SIDE) == name).drop(SIDE)
    rated = chosen.with_columns(share(chosen["passes"], chosen["eligible"]).alias("rate"))
    own = {column: f"{side}_{column}" for column in (*_OF_A_SIDE, "cause", "by_slug")}
    return rated.rename(own)


def _compared(paired: pl.DataFrame) -> pl.DataFrame:
    counts = [f"{side}_{name}" for side in _SIDES for name in _COUNTS]
    missing = {ComparedSide.BASELINE: SideState.NEW, ComparedSide.TREATMENT: SideState.REMOVED}
    compared = paired.with_columns(
        pl.col(counts).fill_null(0),
        *(
            pl.col(f"{side}_state").fill_null(pl.lit(state.value, pl.Enum(SideState)))
            for side, state in missing.items()
        ),
    )
    lacks, also = (pl.col(f"{side}_eligible") == 0 for side in _SIDES)
    crossed = pl.col("treatment_passes") * pl.col("baseline_eligible")
    other = pl.col("baseline_passes") * pl.col("treatment_eligible")
    causes = [
        pl.when(lacking).then(pl.col(f"{side}_cause")) for side, lacking in zip(_SIDES, (lacks, also), strict=True)
    ]
    return compared.with_columns(
        pl.col(ITEM).alias("item"),
        pl.any_horizontal(pl.col("baseline_by_slug", "treatment_by_slug").fill_null(value=False)).alias("by_slug"),
        (pl.col("treatment_rate") - pl.col("baseline_rate")).alias("difference"),
        pl.when(~lacks & ~also)
        .then(
            pl.when(crossed > other)
            .then(_lit(Change.WIN))
            .when(crossed < other)
            .then(_lit(Change.LOSS))
            .otherwise(_lit(Change.TIE))
        )
        .cast(pl.Enum(Change))
        .alias("change"),
        pl.when(pl.col("baseline_trials") == 0)
        .then(_lit(LostCause.NEW))
        .when(pl.col("treatment_trials") == 0)
        .then(_lit(LostCause.REMOVED))
        .when(lacks | also)
        .then(pl.min_horizontal(causes).replace_strict(dict(enumerate(LostCause)), return_dtype=pl.String))
        .cast(pl.Enum(LostCause))
        .alias("cause"),
        pl.when(pl.col("baseline_trials") == 0)
        .then(_lit(ComparedSide.BASELINE))
        .when(pl.col("treatment_trials") == 0)
        .then(_lit(ComparedSide.TREATMENT))
        .when(lacks & also)
        .then(_lit(ComparedSide.BOTH))
        .when(lacks)
        .then(_lit(ComparedSide.BASELINE))
        .when(also)
        .then(_lit(ComparedSide.TREATMENT))
        .cast(pl.Enum(ComparedSide))
        .alias("lost_on"),
    )


def _lit(token: Change | LostCause | ComparedSide) -> pl.Expr:
    return pl.lit(token.value)
