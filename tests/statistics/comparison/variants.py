"""Small comparisons: each side by its items, and each item by one letter for every trial."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.statistics.corpora import Row, corpus, judged, unjudged
from verdict_frames.statistics.comparison.compare import compare

if TYPE_CHECKING:
    from verdict_frames.frames.corpus import Corpus
    from verdict_frames.statistics.comparison.result import Comparison

STATES: dict[str, Row] = {
    "+": judged("ACCEPTED"),
    "-": judged("REJECTED"),
    "?": judged("UNDECIDED"),
    "n": judged("NOT_APPLICABLE"),
    "e": judged("NOT_ASSESSED"),
    "c": judged("ACCEPTED", "CONTRADICTED"),
    "u": judged("ACCEPTED", "UNDETERMINED"),
    "r": judged(None, "UNDETERMINED"),
    "x": unjudged(success=False),
    "0": unjudged(success=True),
}
"""One letter for what became of a trial."""

Side = dict[str, str]


def held(**sides: Side) -> Corpus:
    """A corpus of a variant for each side: the letters of an item are its trials, each in a run of its own."""
    runs: dict[str, list[Row]] = {}
    variants = {}
    for variant, items in sides.items():
        for repeat in range(max([1, *map(len, items.values())])):
            run_id = f"{variant}/{repeat}"
            variants[run_id] = variant
            runs[run_id] = [
                STATES[letters[repeat]] | {"item_id": item} for item, letters in items.items() if repeat < len(letters)
            ]
    return corpus(runs, variant=variants)


def compared(baseline: Side, treatment: Side, **options: Any) -> Comparison:
    return compare(held(simple=baseline, hardened=treatment), by="variant", baseline="simple", **options)
