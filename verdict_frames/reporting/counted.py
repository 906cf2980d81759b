"""The items that a report is about, each with its ordinal, so that a number can say which items it stands for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from verdict_frames.statistics.counted import LEFT_OUT, counted_items
from verdict_frames.statistics.tally import item_facts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from verdict_frames.frames.corpus import Corpus
    from verdict_frames.policies import Policy
    from verdict_frames.statistics.vocabulary import EvaluationChoice

ORDINAL: Final = "\0ordinal"
"""Column with the place of an item in the report, from 0."""
KEY: Final = ("run_id", "item_index")
"""The columns that name an item in every table of a corpus."""
_FACT: Final = "\0is "


@dataclass(frozen=True, kw_only=True, eq=False)
class CountedItems:
    """Items in the order of the corpus, with what decides where they are counted.

    Attributes:
        frame: Grain one item: its columns, the group columns, its ordinal, its bucket, and whether it belongs to each
            of the counts that overlap the buckets.
        groups: The names of the group columns.
        by_runs: Whether the group columns are known from the run alone.
    """

    frame: pl.DataFrame
    groups: tuple[str, ...]
    by_runs: bool

    @classmethod
    def of(
        cls, corpus: Corpus, by: Sequence[str], *, policy: Policy, evaluations: EvaluationChoice | str
    ) -> CountedItems:
        """Resolve groups and buckets as a tally does."""
        grouped = counted_items(corpus, by or None, evaluations=evaluations)
        facts = [fact.alias(_FACT + name) for name, fact in item_facts(policy).items()]
        frame = grouped.items.with_columns(facts).with_row_index(ORDINAL).collect()
        return cls(frame=frame, groups=grouped.columns, by_runs=grouped.run_groups is not None)

    @cached_property
    def by_group(self) -> dict[tuple[Any, ...], pl.DataFrame]:
        """The items of each group, by the values of the group columns."""
        if not self.groups:
            return {(): self.frame}
        return self.frame.partition_by(self.groups, as_dict=True, maintain_order=True)

    @cached_property
    def ordinals(self) -> dict[tuple[str, int], int]:
        """Key of an item → its ordinal."""
        return {(run, place): ordinal for run, place, ordinal in self.frame.select(*KEY, ORDINAL).iter_rows()}

    def behind(self, name: str, group: tuple[Any, ...] | None = None) -> tuple[int, ...]:
        """Return the ordinals of the items that a count of a tally stands for.

        Args:
            name: The count, such as `passes`, `eligible`, `total`, `undecided` or `left_out`.
            group: The values of the group columns; with none, all items.
        """
        frame = self.frame if group is None else self.by_group.get(group)
        return () if frame is None else tuple(frame.filter(_belongs(name))[ORDINAL].to_list())

    def where(self, condition: pl.Expr) -> tuple[int, ...]:
        """Return the ordinals of the counted items for which a condition over the columns of `items` holds."""
        return tuple(self.frame.filter(~pl.col(LEFT_OUT) & condition)[ORDINAL].to_list())

    def of_keys(self, keys: pl.DataFrame) -> tuple[int, ...]:
        """Return the ordinals of items named by their key, ascending and each once."""
        found = {self.ordinals[run, place] for run, place in keys.select(KEY).iter_rows()}
        return tuple(sorted(found))

    def of_rows(self, frame: pl.DataFrame, by: Sequence[str]) -> dict[tuple[Any, ...], tuple[int, ...]]:
        """Group the rows of a table of the corpus and return the items that each group lies in.

        Args:
            frame: Rows with the key of an item.
            by: Columns of the frame.
        """
        numbered = frame.select(*KEY, *by).join(self.frame.select(*KEY, ORDINAL), on=KEY, how="inner")
        lists = numbered.group_by(by).agg(pl.col(ORDINAL).unique().sort())
        return {tuple(row[:-1]): tuple(row[-1]) for row in lists.iter_rows()}

    def counted_keys(self) -> pl.DataFrame:
        """Return the keys of the items that are counted, those that are left out being absent."""
        return self.frame.filter(~pl.col(LEFT_OUT)).select(KEY)

    def buckets(self) -> Iterable[str | None]:
        """Return the bucket of each item, null where the item is left out."""
        return self.frame.select(pl.when(~pl.col(LEFT_OUT)).then(pl.col(f"{_FACT}bucket").cast(str))).to_series()


def _belongs(name: str) -> pl.Expr:
    """Whether an item belongs to a count of a tally."""
    if name == "left_out":
        return pl.col(LEFT_OUT)
    bucket = pl.col(f"{_FACT}bucket").cast(pl.String)
    conditions = {
        "total": pl.lit(value=True),
        "eligible": bucket.is_in(["passes", "non_passes"]),
        "tried": bucket.is_in(["passes", "non_passes", "agent_failed"]),
        **{fact: pl.col(_FACT + fact) for fact in _OVERLAPPING},
    }
    return ~pl.col(LEFT_OUT) & conditions.get(name, bucket == name)


_OVERLAPPING: Final = (
    "unverified",
    "undecided",
    "instrument_marks",
    "judge_error_items",
    "passed_recorded",
    "naive_passes",
)
