"""Each trial of each item by what became of it: the rows and cells of an item × variant grid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from verdict_frames.errors import ArgumentError, ColumnError, one_line
from verdict_frames.frames.corpus import Corpus
from verdict_frames.policies import READING, SUPPORT, bucket_expression
from verdict_frames.statistics.counted import ITEM, LEFT_OUT, counted_items
from verdict_frames.statistics.vocabulary import EvaluationChoice, ItemState
from verdict_frames.vocabulary import Bucket, Support

if TYPE_CHECKING:
    from collections.abc import Sequence

_OWN: Final = ("item", "trial", "state", "reading", "reading_support", "run_id", "item_index")
"""The columns of a grid beside the one that its cells go by."""

STATE_DTYPE: Final = pl.Enum(ItemState)
"""The dtype of a `state` column."""


def state_expression() -> pl.Expr:
    """Return what the record says of each item, over the columns of `STATE_COLUMNS` (`policies`); never null.

    It is `unattestable` for every record that contradicts itself, or has no reading with a support, whatever a policy
    does with these.
    """
    bucket = bucket_expression()
    nobody = bucket.is_in([Bucket.AGENT_FAILED, Bucket.UNJUDGED])
    unreadable = (SUPPORT == Support.CONTRADICTED) | READING.is_null() | SUPPORT.is_null()
    state = (
        pl.when(nobody)
        .then(bucket.cast(pl.String))
        .when(unreadable)
        .then(pl.lit(ItemState.UNATTESTABLE.value))
        .otherwise(READING.cast(pl.String))
    )
    return state.cast(STATE_DTYPE).alias("state")


def item_grid(
    corpus: Corpus, by: str = "variant", *, evaluations: EvaluationChoice | str = EvaluationChoice.LATEST
) -> pl.DataFrame:
    """List every trial of every item with what became of it, by variant, run or anything else that groups runs.

    Items of judge experiments and of all but one evaluation of the same work are left out.

    Args:
        corpus: The corpus.
        by: What the cells of an item go by: a column of runs or items, or a run fact.
        evaluations: Which evaluation of the same work counts.

    Returns:
        Grain one trial, sorted by item and group (null last), then `trial`: `item` (its id, else its slug, else its run
        and place), the group's own column, `trial` (from 1 within item and group, in the order of `repeat`, of the
        runs' end, of `run_id`), `state` (Enum of `ItemState`, never null), `reading?`, `reading_support?`, `run_id`,
        `item_index`.

    Raises:
        ColumnError: The name can't be grouped by, or is that of another column of the grid.
        ArgumentError: The first argument isn't a corpus, or the name isn't text.
        OptionError: There is no such choice of evaluations.
    """
    _require(corpus, by)
    grouped = counted_items(corpus, by, evaluations=evaluations)
    place = pl.format("{} #{}", "run_id", "item_index")
    order = corpus.runs.select("run_id", pl.col("repeat").alias("\0repeat"), pl.col("timestamp").alias("\0time"))
    trials = (
        grouped.items.filter(~pl.col(LEFT_OUT))
        .with_columns(
            pl.coalesce(ITEM, place).alias("item"),
            state_expression(),
            READING.alias("reading"),
            SUPPORT.alias("reading_support"),
        )
        .join(order.lazy(), on="run_id", how="left")
        .sort("item", by, "\0repeat", "\0time", "run_id", "item_index", nulls_last=True)
        .with_columns(pl.int_range(1, pl.len() + 1, dtype=pl.Int32).over("item", by).alias("trial"))
    )
    return trials.select(_columns(by)).collect()


def _columns(by: str) -> Sequence[str]:
    return list(dict.fromkeys(["item", by, *_OWN[1:]]))


def _require(corpus: object, by: object) -> None:
    if not isinstance(corpus, Corpus):
        message = f"a Corpus is needed, not {type(corpus).__name__}"
        raise ArgumentError(message)
    if not isinstance(by, str):
        message = f"`by` takes the name of one column, not {one_line(by)}"
        raise ArgumentError(message)
    if by in _OWN and by != "run_id":
        message = f"{by!r} can't be what the cells go by: a grid has a column of that name"
        raise ColumnError(message)
