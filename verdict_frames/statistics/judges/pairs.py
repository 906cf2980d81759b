"""Agreement of judges two by two."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from verdict_frames.statistics.counted import ITEM, NAMELESS
from verdict_frames.statistics.item_shares import item_shares, share_schema
from verdict_frames.statistics.judges.coefficients import cohens_kappa
from verdict_frames.statistics.judges.estimates import (
    CATEGORIES,
    KIND,
    coefficient_row,
    coefficient_schema,
    subjects_by,
)
from verdict_frames.statistics.judges.seats import ITEM_KEY, JUDGE_DTYPES, JUDGE_KEY

if TYPE_CHECKING:
    from collections.abc import Mapping

    from verdict_frames.statistics.judges.estimates import Subjects
    from verdict_frames.statistics.judges.resampling import Bootstrap

NONE_JUDGED_BY_BOTH: Final = "no item that both judged"
"""What `kappa_note` says where two judges sat together and never both gave a category."""

CHANCE_AGREES: Final = "expected agreement is 1: both gave one and the same category"
"""What `kappa_note` says where there is nothing beyond chance to find."""

_OTHER: Final = {name: f"other_{name}" for name in JUDGE_KEY}

PAIR_AGREEMENT_SCHEMA: Final[Mapping[str, pl.DataType]] = MappingProxyType(
    {
        **JUDGE_DTYPES,
        **{_OTHER[name]: dtype for name, dtype in JUDGE_DTYPES.items()},
        "seated": pl.Int64(),
        "judged": pl.Int64(),
        "items": pl.Int64(),
        "agreed": pl.Int64(),
        **share_schema("agreement"),
        **coefficient_schema("kappa"),
        "confidence_level": pl.Float64(),
        "resamples": pl.Int64(),
        "missing": pl.String(),
    }
)
"""The columns of the agreement of pairs after their group columns, in order, with their types."""


def pair_agreement(
    seats: pl.DataFrame, columns: tuple[str, ...], bootstrap: Bootstrap, *, across_juries: bool
) -> pl.DataFrame:
    """Compare judges two by two; `verdict_frames.statistics.judges.agreement.agreement` is the public form.

    Args:
        seats: As `seats_of` gives them, with a `category?`.
        columns: The group columns.
        bootstrap: How items are drawn again.
        across_juries: Whether judges of different places are paired, too.

    Returns:
        All columns but `missing`.
    """
    keys = [*columns, *JUDGE_KEY, *_OTHER.values()]
    together = _together(seats, columns, across_juries=across_juries)
    both = pl.col("category").is_not_null() & pl.col("other_category").is_not_null()
    same = pl.col("category") == pl.col("other_category")
    counts = together.group_by(keys).agg(
        pl.len().alias("seated"), both.sum().alias("judged"), (both & same).sum().alias("agreed")
    )
    shares = item_shares(together, keys, "agreement", hit=same, trial=both, level=bootstrap.level)
    kappas = _kappas(together.filter(both), keys, bootstrap)
    joined = counts.join(shares, on=keys, how="left", nulls_equal=True).join(
        kappas, on=keys, how="left", nulls_equal=True
    )
    return (
        joined.with_columns(
            pl.col("items").fill_null(0),
            pl.when(pl.col("judged") > 0).then("kappa_note").otherwise(pl.lit(NONE_JUDGED_BY_BOTH)).alias("kappa_note"),
            pl.lit(float(bootstrap.level)).alias("confidence_level"),
            pl.lit(bootstrap.resamples).alias("resamples"),
        )
        .select(
            *columns, *(pl.col(name).cast(dtype) for name, dtype in PAIR_AGREEMENT_SCHEMA.items() if name != "missing")
        )
        .sort(keys, nulls_last=True)
    )


def _together(seats: pl.DataFrame, columns: tuple[str, ...], *, across_juries: bool) -> pl.DataFrame:
    """Return the pairs of seats that sat on the same item, each once, the lesser judge first."""
    rank = seats.select(JUDGE_KEY).unique().sort(JUDGE_KEY).with_row_index("\0rank")
    ranked = seats.join(rank, on=JUDGE_KEY, how="left", maintain_order="left")
    own = [*ITEM_KEY, *JUDGE_KEY, "\0rank", "is_jury", "category"]
    other = ranked.select(own).rename(
        {**_OTHER, "\0rank": "\0other", "is_jury": "\0jury", "category": "other_category"}
    )
    on = list(ITEM_KEY) if across_juries else [*ITEM_KEY, "path"]
    if not across_juries:
        other = other.with_columns(pl.col("other_path").alias("path"))
    pairs = ranked.join(other, on=on, how="inner").filter(pl.col("\0rank") < pl.col("\0other"))
    fit = (pl.col("path") == pl.col("other_path")) | ~(pl.col("is_jury") | pl.col("\0jury"))
    return pairs.filter(fit).select(
        *dict.fromkeys((*columns, *ITEM_KEY, ITEM, NAMELESS)),
        *JUDGE_KEY,
        *_OTHER.values(),
        "category",
        "other_category",
    )


def _kappas(judged: pl.DataFrame, keys: list[str], bootstrap: Bootstrap) -> pl.DataFrame:
    names = sorted({*judged["category"], *judged["other_category"]} - set(CATEGORIES))
    categories = pl.Enum([*CATEGORIES, *names])
    cells = judged.with_columns(
        (
            pl.col("category").cast(categories).to_physical().cast(pl.Int64) * len(categories.categories)
            + pl.col("other_category").cast(categories).to_physical().cast(pl.Int64)
        ).alias(KIND)
    )
    groups, subjects = subjects_by(cells, keys)
    size = len(categories.categories)
    rows = [_kappa(one, size, bootstrap) for one in subjects]
    schema = {"items": pl.Int64(), **coefficient_schema("kappa")}
    return groups.hstack(pl.DataFrame(rows, schema=schema, orient="row"))


def _kappa(subjects: Subjects, size: int, bootstrap: Bootstrap) -> dict[str, object]:
    counts = np.bincount(subjects.kinds, minlength=size * size).reshape(size, size)
    # kappa is the same when the judges change places; so shall be its interval
    turned = counts.T.tolist() < counts.tolist()
    kinds = subjects.kinds % size * size + subjects.kinds // size if turned else subjects.kinds
    cells = (counts.T if turned else counts).astype(np.float64)
    sums = bootstrap.sums(np.eye(size * size), kinds, subjects.items)
    return {"items": subjects.item_count} | coefficient_row(
        "kappa",
        cohens_kappa(cells[None])[0],
        cohens_kappa(sums.reshape(-1, size, size)),
        subjects=subjects,
        undefined=CHANCE_AGREES,
        bootstrap=bootstrap,
    )
