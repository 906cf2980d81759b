"""One coefficient of one group: its value or why there is none, its interval or why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from verdict_frames.statistics.clusters import NAMELESS_ITEMS, ONE_ITEM
from verdict_frames.statistics.counted import ITEM, NAMELESS
from verdict_frames.statistics.judges.seats import VOTES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from verdict_frames.statistics.judges.resampling import Bootstrap

KIND: Final = "\0kind"
"""Column that says which kind a subject is: what judges said of it, as a number."""

CATEGORIES: Final = VOTES
"""The categories that there always are, whether somebody gave them or not."""


@dataclass(frozen=True, kw_only=True)
class Subjects:
    """What was judged in one group.

    Attributes:
        kinds: For each subject, which kind it is: what judges said of it, as a number.
        items: For each subject, the item that it is, as a number.
        item_count: How many different items there are.
        nameless: Whether some subject may be the same item as another, because neither says.
    """

    kinds: NDArray[np.int64]
    items: NDArray[np.int64]
    item_count: int
    nameless: bool


def subjects_by(rows: pl.DataFrame, keys: Sequence[str]) -> tuple[pl.DataFrame, list[Subjects]]:
    """Split subjects by group.

    Args:
        rows: Grain one subject; the keys, `kind`, the item's key and marks.
        keys: What the groups are.

    Returns:
        The groups, in no order, and the subjects of each.
    """
    alone = pl.concat_str(pl.lit("run "), "run_id", pl.lit("\0"), "item_index")
    item = pl.coalesce(pl.lit("item ") + pl.col(ITEM), alone)
    groups = (
        rows.with_columns(item.rank("dense").cast(pl.Int64).alias("\0number"))
        .group_by(keys)
        .agg(KIND, "\0number", pl.col(NAMELESS).any())
    )
    subjects = [
        Subjects(
            kinds=np.asarray(kinds, dtype=np.int64),
            items=np.asarray(items, dtype=np.int64),
            item_count=len(set(items)),
            nameless=nameless,
        )
        for kinds, items, nameless in groups.select(KIND, "\0number", NAMELESS).iter_rows()
    ]
    return groups.select(keys), subjects


def coefficient_schema(name: str) -> Mapping[str, pl.DataType]:
    """Return the columns of `coefficient_row`, with their types."""
    return {
        name: pl.Float64(),
        f"{name}_note": pl.String(),
        f"{name}_ci_low": pl.Float64(),
        f"{name}_ci_high": pl.Float64(),
        f"{name}_ci_method": pl.String(),
    }


def coefficient_row(
    name: str,
    value: np.float64,
    resampled: NDArray[np.float64],
    *,
    subjects: Subjects,
    undefined: str,
    bootstrap: Bootstrap,
) -> dict[str, object]:
    """Return a coefficient with its interval, and the reason where either is null.

    Args:
        name: What the columns begin with.
        value: The coefficient, NaN where undefined.
        resampled: The coefficient in each resample, likewise.
        subjects: What it is about.
        undefined: Why it is undefined, if it is.
        bootstrap: How items were drawn again.
    """
    low: float | None = None
    high: float | None = None
    method: str | None = None
    defined = not np.isnan(value)
    if defined and subjects.nameless:
        method = NAMELESS_ITEMS
    elif defined and subjects.item_count == 1:
        method = ONE_ITEM
    elif defined:
        low, high, method = bootstrap.interval(resampled)
    values = (float(value) if defined else None, None if defined else undefined, low, high, method)
    return dict(zip(coefficient_schema(name), values, strict=True))
