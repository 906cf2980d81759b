"""The attempts of counted items, each with the stage that it was made for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from verdict_frames.statistics.judges.seats import ITEM_KEY

if TYPE_CHECKING:
    from verdict_frames.frames.corpus import Corpus
    from verdict_frames.statistics.judges.seats import CountedItems


def attempts_of(corpus: Corpus, counted: CountedItems, relation: str) -> pl.DataFrame:
    """Return the attempts of one relation, with the places of their parents.

    Stages are listed depth first (R73): the parent of a named one is the last stage before it whose path is its own
    without the last name. An unnamed one has the path of its parent, and the last stage before it of that path that has
    a name, or is the root, is taken for the parent.

    Args:
        corpus: The corpus.
        counted: The items that count.
        relation: What the attempts are to their parents.

    Returns:
        Grain one attempt, in no order: the columns of `counted.items`, those of `stages`, `parent_index`,
        `parent_path`, `parent_status?`, and `place`, from 1 on among the attempts of that relation of one parent.
    """
    key = [*ITEM_KEY, "stage_index"]
    stages = corpus.stages.join(counted.items.select(ITEM_KEY), on=ITEM_KEY, how="semi")
    depth = pl.col("path").list.len() - pl.col("stage").is_not_null().cast(pl.UInt32)
    parent_path = pl.when(depth.is_not_null()).then(pl.col("path").list.head(depth))  # as in `judges.seats`
    attempts = stages.filter(pl.col("relation") == relation).with_columns(parent_path.alias("parent_path"))
    above = stages.select(
        *ITEM_KEY,
        pl.col("path").alias("parent_path"),
        pl.col("stage_index").alias("parent_index"),
        pl.col("status").alias("parent_status"),
        (pl.col("stage").is_not_null() | (pl.col("stage_index") == 0)).alias("\0named"),
    )
    parents = (
        attempts.select(*key, "parent_path", "stage")
        .join(above, on=[*ITEM_KEY, "parent_path"], how="inner")
        .filter((pl.col("parent_index") < pl.col("stage_index")) & (pl.col("stage").is_not_null() | pl.col("\0named")))
        .sort("parent_index")
        .group_by(key)
        .agg(pl.col("parent_index", "parent_status").last())
    )
    place = pl.col("stage_index").rank("ordinal").over(*ITEM_KEY, "parent_index").cast(pl.Int64)
    return (
        attempts.join(parents, on=key, how="left").with_columns(place.alias("place")).join(counted.items, on=ITEM_KEY)
    )


def failed_to_execute() -> pl.Expr:
    """Say whether an attempt never came to a verdict; never null."""
    return pl.col("failure").is_not_null() | (pl.col("disposition_reason") == "execution_failed").fill_null(value=False)
