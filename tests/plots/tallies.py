"""Tallies counted by hand, for tests about pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.statistics.corpora import Row, corpus, judged, unjudged
from verdict_frames.statistics.tally import tally

if TYPE_CHECKING:
    import polars as pl


def items(accepted: int = 0, rejected: int = 0, *others: Row) -> list[Row]:
    """Items with names of their own, then the others."""
    rows = [judged("ACCEPTED")] * accepted + [judged("REJECTED")] * rejected
    return [row | {"item_id": str(number)} for number, row in enumerate(rows)] + list(others)


def by_variant(variants: dict[str | None, list[Row]], **options: Any) -> pl.DataFrame:
    """The tally of runs that each have a variant."""
    runs = {f"run-{number}": rows for number, rows in enumerate(variants.values())}
    names = {f"run-{number}": name for number, name in enumerate(variants)}
    return tally(corpus(runs, variant=names), "variant", **options)


def three() -> pl.DataFrame:
    """Groups "full" (3 of 4, and all other buckets), "gap" (no rate) and null (2 of 2, one item twice)."""
    others = [
        judged("NOT_APPLICABLE", passed=None),
        *[judged("NOT_ASSESSED")] * 2,
        *[judged("ACCEPTED", "CONTRADICTED")] * 2,
        *[unjudged(success=False)] * 3,
        unjudged(success=None),
    ]
    twice = [judged("ACCEPTED", item_id="twice")] * 2
    gap = [judged("NOT_ASSESSED", passed=None), judged("NOT_APPLICABLE", passed=None)]
    return by_variant({"full": items(3, 1, *others), "gap": gap, None: twice})
