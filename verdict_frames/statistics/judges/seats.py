"""The seats that every number about judges rests on: of counted items, each once, with who sat there and where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import polars as pl

from verdict_frames.errors import ArgumentError, ColumnError
from verdict_frames.frames.corpus import Corpus
from verdict_frames.statistics.counted import ITEM, LEFT_OUT, NAMELESS, counted_items

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from verdict_frames.statistics.vocabulary import EvaluationChoice

ITEM_KEY: Final = ("run_id", "item_index")
JUDGE_KEY: Final = ("path", "judge", "occurrence")
"""Who a judge is: the place of its jury, its name there, and which of several of that name it is."""

JUDGE_DTYPES: Final = {"path": pl.List(pl.String()), "judge": pl.String(), "occurrence": pl.Int64()}
"""The columns of `JUDGE_KEY` with their types."""

VOTES: Final = ("pass", "fail")
"""The statuses that are a vote; the others say that there is none."""


@dataclass(frozen=True, kw_only=True)
class CountedItems:
    """Items that count, with the columns that they are grouped by.

    Attributes:
        items: Grain one item; the group columns, the item's key, and the marks `ITEM` and `NAMELESS`.
        columns: The names of the group columns, in the order asked for.
        by_runs: Whether all group columns are known from the run alone; true without any.
    """

    items: pl.DataFrame
    columns: tuple[str, ...]
    by_runs: bool


def items_that_count(
    corpus: Corpus,
    by: str | Sequence[str] | None,
    *,
    evaluations: EvaluationChoice | str,
    taken: Container[str],
) -> CountedItems:
    """Return the items of a corpus that count, those of judge experiments and of replaced runs left out.

    Args:
        corpus: All tables are needed, so that items alone won't do.
        by: One name, several, or none for one group of everything.
        evaluations: Which evaluation of the same work counts.
        taken: Columns that the result has besides, which no group may be called by.

    Raises:
        ColumnError: A name can't be grouped by, or is taken.
        ArgumentError: An argument is of the wrong kind.
        OptionError: There is no such choice of evaluations.
    """
    grouped = counted_items(_corpus(corpus), by, evaluations=evaluations)
    for name in grouped.columns:
        if name in taken:
            message = f"{name!r} can't be grouped by: the result has such a column; say 'items.{name}' or 'runs.{name}'"
            raise ColumnError(message)
    wanted = dict.fromkeys((*grouped.columns, *ITEM_KEY, ITEM, NAMELESS))
    return CountedItems(
        items=grouped.items.filter(~pl.col(LEFT_OUT)).select(*wanted).collect(),
        columns=grouped.columns,
        by_runs=not grouped.columns or grouped.run_groups is not None,
    )


def _corpus(given: object) -> Corpus:
    if not isinstance(given, Corpus):
        message = f"judges and stages are counted in a Corpus, which has their tables, not in {type(given).__name__}"
        raise ArgumentError(message)
    return given


def seats_of(corpus: Corpus, counted: CountedItems) -> pl.DataFrame:
    """Return the seats of these items, without those of stages that repeat a stage below them.

    A judge is known by its name within the path of its stage. Names need not be unique there (R69), unnamed judges
    all have the empty one (R70), and stages without a name have their parent's path (R75), so `occurrence` counts
    seats of the same name at the same path within one item from 1 on, in the order of listing.

    Returns:
        Grain one seat, in the order of listing: the columns of `counted.items`, `stage_index`, `seat_index`, `path`,
        `judge`, `occurrence`, `is_jury` (whether the seat speaks for a jury: a meta member of that name lies below),
        `key_source?`, `status?`, `reason_code?`, `score?`.
    """
    stage = [*ITEM_KEY, "stage_index"]
    seats = (
        corpus.seats.filter(~pl.col("is_copy"))
        .join(corpus.stages.select(*stage, "path"), on=stage, how="left", maintain_order="left")
        .join(counted.items, on=ITEM_KEY, how="inner", maintain_order="left")
        .rename({"name": "judge"})
        .sort(*stage, "seat_index")
    )
    depth = pl.col("path").list.len()  # without `when`, polars forgets that no paths are paths of texts
    parent_path = pl.when(depth > 0).then(pl.col("path").list.head(depth - 1))
    members = (
        corpus.stages.filter((pl.col("relation") == "meta_member") & pl.col("stage").is_not_null())
        .select(*ITEM_KEY, parent_path.alias("path"), pl.col("stage").alias("judge"))
        .unique()
        .with_columns(pl.lit(value=True).alias("is_jury"))
    )
    return seats.join(members, on=[*ITEM_KEY, "path", "judge"], how="left", maintain_order="left").select(
        *counted.items.columns,
        "stage_index",
        "seat_index",
        "path",
        "judge",
        pl.col("seat_index").cum_count().over(*ITEM_KEY, "path", "judge").cast(pl.Int64).alias("occurrence"),
        pl.col("is_jury").fill_null(value=False),
        "key_source",
        "status",
        "reason_code",
        "score",
    )


def different_items() -> pl.Expr:
    """Count the different items of a group: by name, each nameless one by itself."""
    return pl.col(ITEM).drop_nulls().n_unique() + pl.col(ITEM).is_null().sum()
