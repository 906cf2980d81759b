"""Counts of what verdicts lack or contradict, by the field concerned."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import polars as pl

from verdict_frames.frames.schemas.tables import polars_schema

if TYPE_CHECKING:
    from collections.abc import Mapping

    from verdict_frames.frames.corpus import Corpus

DEFECT_COUNTS_SCHEMA: Final[Mapping[str, pl.DataType]] = MappingProxyType(
    {
        "kind": polars_schema("defects")["kind"],
        "field": pl.String(),
        "verdict_era": polars_schema("items")["verdict_era"],
        "defects": pl.Int64(),
        "items": pl.Int64(),
    }
)


def count_defects(corpus: Corpus) -> pl.DataFrame:
    """Count the defects of a corpus by kind, field and generation of the verdict's writer.

    Args:
        corpus: All its items count, those that a tally leaves out included.

    Returns:
        Grain one kind, field and era that occurs, most defects first, then by these three: `kind`, `field` (with
        indices left out, as in `seats[]`), `verdict_era`, `defects` (how many), `items` (how many have at least one).

    Examples:
        >>> from verdict_frames.frames.corpus import concat
        >>> count_defects(concat([])).columns
        ['kind', 'field', 'verdict_era', 'defects', 'items']
    """
    key = ["run_id", "item_index"]
    named = corpus.defects.select(*key, "kind", pl.col("field").str.replace_all(r"\[\d+\]", "[]"))
    return (
        named.join(corpus.items.select(*key, "verdict_era"), on=key, how="left")
        .group_by("kind", "field", "verdict_era")
        .agg(pl.len().alias("defects"), pl.struct(key).n_unique().alias("items"))
        .sort("defects", "kind", "field", "verdict_era", descending=[True, False, False, False])
        .select(pl.col(name).cast(dtype) for name, dtype in DEFECT_COUNTS_SCHEMA.items())
    )
