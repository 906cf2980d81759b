"""Whether the runs of two sides were measured by the same instrument on the same items, and what they differ in."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import polars as pl

from verdict_frames.errors import ArgumentError, OptionError, UnlikeRunsError, one_line, some_names
from verdict_frames.statistics.comparison.sides import RUN, SIDE, Sides
from verdict_frames.statistics.likeness import ASPECTS, differing_aspects
from verdict_frames.statistics.vocabulary import ComparedSide

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

DATASET: Final = "dataset"
"""What stands for all aspects of the dataset in `allow`."""

_DATASET: Final = tuple(aspect for aspect in ASPECTS if aspect.startswith(DATASET))
_ALLOWABLE: Final = (*(aspect for aspect in ASPECTS if aspect not in _DATASET), DATASET, *_DATASET)
_SIDES: Final = (ComparedSide.BASELINE, ComparedSide.TREATMENT)

DIFFERENCE_COLUMNS: Final = (
    "treatment",
    "aspect",
    "differs",
    *(f"{side}_values" for side in _SIDES),
    "runs",
    "not_recorded",
)
"""The columns of `differences` after those of `within`."""


def allowed_aspects(allow: str | Sequence[str]) -> frozenset[str]:
    """Return the aspects in which runs may differ.

    Raises:
        OptionError: A name is none of these.
        ArgumentError: They aren't given as text or a list.
    """
    names = (allow,) if isinstance(allow, str) else allow
    if not isinstance(names, list | tuple):
        message = f"`allow` takes the name of what may differ or a list of names, not {one_line(allow)}"
        raise ArgumentError(message)
    for name in names:
        if name not in _ALLOWABLE:
            message = f"allow={one_line(name)}: what may be allowed to differ is one of {', '.join(_ALLOWABLE)}"
            raise OptionError(message)
    return frozenset(aspect for name in names for aspect in (_DATASET if name == DATASET else (name,)))


def find_differences(sides: Sides, allowed: frozenset[str]) -> pl.DataFrame:
    """List in what the runs of each comparison differ, or may differ; see `Comparison.differences`.

    Args:
        sides: The trials of all sides, with the aspects of their runs.
        allowed: In which of `ASPECTS` runs may differ.

    Raises:
        UnlikeRunsError: Runs are known to differ in one that isn't allowed.
    """
    comparison = [*sides.within, "treatment"]
    placed = _placed(sides, comparison)
    once = placed.drop("side").unique(subset=[*comparison, "run_id", "aspect"], maintain_order=True)
    found = differing_aspects(once, comparison)
    for side in _SIDES:
        values = (
            placed.filter(pl.col("side") == side)
            .group_by(*comparison, "aspect")
            .agg(pl.col("value").drop_nulls().unique().sort().alias(f"{side}_values"))
        )
        found = found.join(values, on=[*comparison, "aspect"], how="left", nulls_equal=True, maintain_order="left")
    empty = pl.lit([], pl.List(pl.String))
    listed = found.with_columns(
        (pl.col("distinct") > 1).alias("differs"), *(pl.col(f"{side}_values").fill_null(empty) for side in _SIDES)
    ).select(*sides.within, *DIFFERENCE_COLUMNS)
    _refuse_unlike(listed, allowed)
    return listed


def _placed(sides: Sides, comparison: list[str]) -> pl.DataFrame:
    """Say of each run which comparisons it takes part in, on which side, and every aspect that any run records.

    Where only one side has runs, nothing is compared.
    """
    runs = sides.trials.select(*sides.within, SIDE, pl.col(RUN).alias("run_id")).unique(maintain_order=True)
    baseline = runs.filter(pl.col(SIDE) == sides.baseline).drop(SIDE)
    parts = []
    for treatment in sides.treatments or (sides.baseline,):  # there is none in a corpus without runs
        chosen = runs.filter(pl.col(SIDE) == treatment).drop(SIDE)
        parts += [
            members.with_columns(pl.lit(treatment).alias("treatment"), pl.lit(side.value).alias("side"))
            for side, members in zip(_SIDES, (baseline, chosen), strict=True)
        ]
    members = pl.concat(parts).filter(pl.col("side").n_unique().over(comparison) == len(_SIDES))
    every = members.join(
        sides.aspects.select(pl.col("aspect").unique(maintain_order=True)), how="cross", maintain_order="left_right"
    )
    recorded = sides.aspects.rename({RUN: "run_id"})
    return every.join(recorded, on=["run_id", "aspect"], how="left", maintain_order="left")


_COMMONLY: Final[Mapping[str, str]] = MappingProxyType(
    {"instrument": "the instrument", "description_version": "the version of the instrument's description"}
)


def _refuse_unlike(listed: pl.DataFrame, allowed: frozenset[str]) -> None:
    refused = [aspect for aspect in ASPECTS if aspect not in allowed]
    unlike = listed.filter(pl.col("differs") & pl.col("aspect").is_in(refused))
    if unlike.is_empty():
        return
    first = unlike.row(0, named=True)
    aspects = unlike["aspect"].unique(maintain_order=True).to_list()
    named = ", ".join(_COMMONLY.get(aspect, aspect.replace("_", " ")) for aspect in aspects)
    values = " against ".join(some_names(first[f"{side}_values"], most=3) or "none" for side in _SIDES)
    names = ", ".join(repr(aspect) for aspect in aspects)
    message = (
        f"the runs of the baseline and of {one_line(first['treatment'])} differ in {named} "
        f"({first['aspect']}: {values}); compare like runs, or allow it: allow=[{names}], --allow {aspects[0]}"
    )
    raise UnlikeRunsError(message)
