"""Agreement within a jury of any number of judges."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from verdict_frames.statistics.counted import ITEM, NAMELESS
from verdict_frames.statistics.judges.coefficients import jury_coefficients, jury_terms
from verdict_frames.statistics.judges.estimates import (
    CATEGORIES,
    KIND,
    coefficient_row,
    coefficient_schema,
    subjects_by,
)
from verdict_frames.statistics.judges.seats import ITEM_KEY, JUDGE_KEY

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from verdict_frames.statistics.judges.estimates import Subjects
    from verdict_frames.statistics.judges.resampling import Bootstrap

NO_TWO_VOTES: Final = "no item on which two judged"
"""What a note says where no two categories can be compared."""

ONE_CATEGORY: Final = "one category: nothing could have disagreed"
"""What `alpha_note` says where all categories given are the same."""

_COEFFICIENTS: Final = ("agreement", "alpha", "ac1")

JURY_AGREEMENT_SCHEMA: Final[Mapping[str, pl.DataType]] = MappingProxyType(
    {
        "path": pl.List(pl.String()),
        "judges": pl.Int64(),
        "judged": pl.Int64(),
        "items": pl.Int64(),
        "votes": pl.Int64(),
        "categories": pl.Int64(),
        **{column: dtype for name in _COEFFICIENTS for column, dtype in coefficient_schema(name).items()},
        "confidence_level": pl.Float64(),
        "resamples": pl.Int64(),
        "missing": pl.String(),
    }
)
"""The columns of the agreement of juries after their group columns, in order, with their types."""


def jury_agreement(seats: pl.DataFrame, columns: tuple[str, ...], bootstrap: Bootstrap) -> pl.DataFrame:
    """Compare the judges of each jury; `verdict_frames.statistics.judges.agreement.agreement` is the public form.

    Args:
        seats: As `seats_of` gives them, with a `category?`.
        columns: The group columns.
        bootstrap: How items are drawn again.

    Returns:
        All columns but `missing`.
    """
    keys = [*columns, "path"]
    given = seats.drop_nulls("category")
    names = [*CATEGORIES, *sorted(set(given["category"]) - set(CATEGORIES))]
    of_subject = given.group_by(*dict.fromkeys((*keys, *ITEM_KEY, ITEM, NAMELESS))).agg(
        pl.concat_list(*((pl.col("category") == name).sum().cast(pl.Int64) for name in names)).alias("counts")
    )
    kinds = of_subject.select("counts").unique().sort("counts").with_row_index(KIND)
    subjects = of_subject.join(kinds, on="counts", how="left")
    counts = np.array(kinds["counts"].to_list(), dtype=np.int64).reshape(-1, len(names))
    groups, split = subjects_by(subjects, keys)
    rows = [_coefficients(one, counts, bootstrap) for one in split]
    schema = {name: dtype for name, dtype in JURY_AGREEMENT_SCHEMA.items() if name in _MEASURED}
    table = (
        seats.group_by(keys)
        .agg(pl.struct(JUDGE_KEY).filter(pl.col("category").is_not_null()).n_unique().alias("judges"))
        .join(groups.hstack(pl.DataFrame(rows, schema=schema, orient="row")), on=keys, how="left", nulls_equal=True)
        .with_columns(
            pl.col("judged", "items", "votes").fill_null(0),
            pl.col("categories").fill_null(len(CATEGORIES)),
            *(
                pl.when(pl.col("judged") > 0).then(f"{name}_note").otherwise(pl.lit(NO_TWO_VOTES)).alias(f"{name}_note")
                for name in _COEFFICIENTS
            ),
            pl.lit(float(bootstrap.level)).alias("confidence_level"),
            pl.lit(bootstrap.resamples).alias("resamples"),
        )
    )
    return table.select(
        *columns, *(pl.col(name).cast(dtype) for name, dtype in JURY_AGREEMENT_SCHEMA.items() if name != "missing")
    ).sort(keys, nulls_last=True)


_MEASURED: Final = frozenset(JURY_AGREEMENT_SCHEMA) - {"path", "judges", "confidence_level", "resamples", "missing"}


def _coefficients(subjects: Subjects, counts: NDArray[np.int64], bootstrap: Bootstrap) -> dict[str, object]:
    """Compute the coefficients of one jury, over the categories that somebody in it gave and the two votes."""
    of_kind = np.bincount(subjects.kinds, minlength=len(counts))
    used = (of_kind @ counts > 0) | (np.arange(counts.shape[1]) < len(CATEGORIES))
    counts = counts[:, used]
    terms = jury_terms(counts)
    compared = counts.sum(axis=1) >= 2
    here = jury_coefficients((of_kind @ terms)[None])
    resampled = jury_coefficients(bootstrap.sums(terms, subjects.kinds, subjects.items))
    row: dict[str, object] = {
        "judged": int(of_kind[compared].sum()),
        "items": len(np.unique(subjects.items[compared[subjects.kinds]])),
        "votes": int((of_kind[compared] @ counts[compared]).sum()),
        "categories": counts.shape[1],
    }
    for name in _COEFFICIENTS:
        row |= coefficient_row(
            name,
            getattr(here, name)[0],
            getattr(resampled, name),
            subjects=subjects,
            undefined=ONE_CATEGORY if row["judged"] else NO_TWO_VOTES,
            bootstrap=bootstrap,
        )
    return row
