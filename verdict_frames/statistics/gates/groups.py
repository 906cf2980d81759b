"""The groups that gates ask about: counts, number of different items, and what they are called."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from verdict_frames.statistics.grouping import group_label
from verdict_frames.statistics.judges.seats import different_items, items_that_count
from verdict_frames.statistics.tally import TALLY_SCHEMA, tally
from verdict_frames.statistics.vocabulary import EvaluationChoice, IntervalMethod, IntervalOver

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from verdict_frames.frames.corpus import Corpus
    from verdict_frames.policies import Policy
    from verdict_frames.statistics.comparison.result import Comparison

_ITEMS = "\0items"
_SIDE = "\0side"


@dataclass(frozen=True, kw_only=True, slots=True)
class MeasuredGroup:
    """A group with what gates ask of it.

    Attributes:
        label: What it is called: its values joined by " · ".
        counts: Its row of the tally.
        items: How many different items it has, counted or not eligible: by `item_id`, else `item_slug`, else each by
            itself.
        is_baseline: Whether it is the baseline of a comparison, of which nothing is asked that is about the agent.
    """

    label: str
    counts: Mapping[str, Any]
    items: int
    is_baseline: bool = False

    def is_called(self, name: str) -> bool:
        """Whether a name is that of the group; between its values, "/" does as well as " · "."""
        return name in (self.label, self.label.replace(" · ", "/"))


@dataclass(frozen=True, kw_only=True, slots=True)
class Counted:
    """How groups are counted; see `tally`."""

    policy: Policy | str
    evaluations: EvaluationChoice | str = EvaluationChoice.LATEST
    interval: IntervalMethod | str = IntervalMethod.WILSON
    over: IntervalOver | str = IntervalOver.ITEMS
    level: float = 0.95

    def rows(self, corpus: Corpus, by: str | Sequence[str] | None) -> pl.DataFrame:
        """Return the tally of a corpus, with the number of different items in a column of its own."""
        rows = tally(
            corpus,
            by,
            policy=self.policy,
            interval=self.interval,
            over=self.over,
            level=self.level,
            evaluations=self.evaluations,
        )
        columns = [name for name in rows.columns if name not in TALLY_SCHEMA]
        items = items_that_count(corpus, columns, evaluations=self.evaluations, taken=()).items
        count = different_items().cast(pl.Int64).alias(_ITEMS)
        if not columns:
            return rows.hstack(items.select(count))
        counts = items.group_by(columns).agg(count)
        joined = rows.join(counts, on=columns, how="left", nulls_equal=True, maintain_order="left")
        return joined.with_columns(pl.col(_ITEMS).fill_null(0))


def measured_groups(corpus: Corpus, by: str | Sequence[str] | None, counted: Counted) -> list[MeasuredGroup]:
    """Return the groups of a corpus, in the order of its tally.

    Args:
        corpus: What was read.
        by: What to group by, as for `tally`.
        counted: How to count.
    """
    rows = counted.rows(corpus, by)
    columns = [name for name in rows.columns if name not in {*TALLY_SCHEMA, _ITEMS}]
    return [
        MeasuredGroup(label=group_label(row, columns), counts=row, items=row[_ITEMS])
        for row in rows.iter_rows(named=True)
    ]


def compared_groups(comparison: Comparison, corpora: Sequence[Corpus], counted: Counted) -> Iterator[MeasuredGroup]:
    """Yield the groups of a comparison: each side, in each group of `within`, the baseline marked.

    Args:
        comparison: What `compare` returns.
        corpora: What it was made of: one corpus, or the two whose sides are called before and after.
        counted: How to count.
    """
    within = list(comparison.within)
    sides = (comparison.baseline, *comparison.treatments)
    for place, corpus in enumerate(corpora):
        if comparison.by is None:
            rows = counted.rows(corpus, within).with_columns(pl.lit(sides[place]).alias(_SIDE))
        else:
            rows = counted.rows(corpus, [*within, comparison.by])
            rows = rows.with_columns(pl.col(comparison.by).cast(pl.String).alias(_SIDE))
        for row in rows.filter(pl.col(_SIDE).is_in(sides)).iter_rows(named=True):
            yield MeasuredGroup(
                label=group_label(row, [*within, _SIDE]),
                counts=row,
                items=row[_ITEMS],
                is_baseline=row[_SIDE] == comparison.baseline,
            )
