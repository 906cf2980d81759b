"""The items behind the numbers of a report: all of them as rows, and the details of those that are looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import polars as pl

from verdict_frames.plots.palette import BUCKET_LOOKS
from verdict_frames.reporting.cells import count, label, plain, text, words
from verdict_frames.reporting.counted import ORDINAL
from verdict_frames.reporting.details import item_detail
from verdict_frames.reporting.room import all_are_detailed, that_fit
from verdict_frames.reporting.value import ItemList
from verdict_frames.vocabulary import Bucket, InterpretationOrigin, Support

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from verdict_frames.frames.corpus import Corpus
    from verdict_frames.reporting.counted import CountedItems
    from verdict_frames.reporting.value import Column, Detail, Value

LEFT_OUT_WORDS: Final = "left out"
_COUNTED_AS: Final = 3
"""Where the bucket stands in a row of the list, from the item's own name and those of its groups and run on."""
_RUN_NAMES: Final = ("experiment_name", "session", "variant")
_SUPPORT: Final = {
    Support.SUPPORTED: "consistent",
    Support.CONTRADICTED: "contradicts itself",
    Support.UNDETERMINED: "can't be checked",
}
_URGENCY: Final = (
    Bucket.UNATTESTABLE,
    Bucket.INSTRUMENT_FAILURES,
    Bucket.NON_PASSES,
    Bucket.AGENT_FAILED,
    Bucket.UNJUDGED,
)
"""The buckets whose items matter when not all can have a detail, the most urgent first."""


def item_list(corpus: Corpus, items: CountedItems, *, also: Collection[int] = ()) -> ItemList:
    """List every item, and detail those that matter.

    Where they are many (`room`), those that didn't pass, are contradicted, were not assessed or changed have one.

    Args:
        corpus: What was counted.
        items: Its items.
        also: Ordinals of other items that matter, such as those that changed between two variants.
    """
    names = [name for name in _RUN_NAMES if name not in items.groups and corpus.runs[name].drop_nulls().n_unique() > 1]
    run_names = corpus.runs.select("run_id", *(pl.col(name).alias(f"\0{name}") for name in names))
    frame = items.frame.join(run_names, on="run_id", how="left", maintain_order="left")
    rows = [
        _row(item, bucket, items.groups, names)
        for item, bucket in zip(frame.iter_rows(named=True), items.buckets(), strict=True)
    ]
    places = [*items.groups, *names]
    details = that_fit(_details(corpus, items, rows, places, _by_urgency(items, also)))
    return ItemList(
        thing="item",
        columns=_columns(items.groups, names),
        rows=tuple(rows),
        details=details,
        note=_note(len(details), len(rows)),
    )


def item_name(item: dict[str, Any]) -> str:
    """Return what an item is called: its slug, its id, or its place in the run."""
    names = (name for name in (item["item_slug"], item["item_id"]) if name is not None)
    return str(next(names, f"item {item['item_index']}"))


def _columns(groups: Iterable[str], names: Iterable[str]) -> tuple[Column, ...]:
    return (
        text("item"),
        *(text(label(name)) for name in (*groups, *names)),
        words("reading", "What the verdict says about the item."),
        words("record", "Whether the record bears the reading out."),
        words("counted as", "The bucket under the policy."),
        words("recorded as passed"),
        count("judge errors"),
        count("defects", "What the verdict's record lacks or contradicts."),
    )


def _row(item: dict[str, Any], bucket: str | None, groups: Iterable[str], names: Iterable[str]) -> tuple[Value, ...]:
    support = item["reading_support"]
    return (
        item_name(item),
        *(plain(item[name]) for name in groups),
        *(plain(item[f"\0{name}"]) for name in names),
        str(item["reading"]).lower().replace("_", " ") if item["reading"] is not None else None,
        _SUPPORT.get(support) if support is not None else None,
        LEFT_OUT_WORDS if bucket is None else BUCKET_LOOKS[Bucket(bucket)].label,
        plain(item["passed"]),
        item["judge_errors"],
        item["defect_count"],
    )


def _details(
    corpus: Corpus, items: CountedItems, rows: list[tuple[Value, ...]], names: list[str], ordinals: list[int]
) -> Iterator[tuple[int, Detail]]:
    """Give the details of these items, in this order."""
    for ordinal in ordinals:
        item, row = items.frame.row(ordinal, named=True), rows[ordinal]
        judged = item["interpretation_origin"] not in (None, InterpretationOrigin.MAPPED)
        interpretation = corpus.interpretation(item["run_id"], item["item_index"]) if judged else None
        places = zip(map(label, names), row[1:], strict=False)
        place = [("run", item["run_id"]), *((name, str(value)) for name, value in places if value is not None)]
        counted = ("counted as", str(row[len(names) + _COUNTED_AS]))
        yield ordinal, item_detail(item, interpretation, title=str(row[0]), place=[*place, counted])


def _by_urgency(items: CountedItems, also: Collection[int]) -> list[int]:
    buckets = list(items.buckets())
    places = {bucket.value: place for place, bucket in enumerate(_URGENCY)}
    last = len(_URGENCY)
    ranked = [(last if bucket is None else places.get(bucket, last), ordinal) for ordinal, bucket in enumerate(buckets)]
    wanted = set(also)
    contradicted = items.frame.filter(pl.col("reading_support") == Support.CONTRADICTED)[ORDINAL].to_list()
    wanted |= set(contradicted)
    ranked = [(0 if ordinal in wanted else rank, ordinal) for rank, ordinal in ranked]
    if not all_are_detailed(len(ranked)):
        ranked = [(rank, ordinal) for rank, ordinal in ranked if rank < last]
    return [ordinal for _, ordinal in sorted(ranked)]


def _note(detailed: int, all_items: int) -> str:
    if detailed == all_items:
        return ""
    return (
        f"{detailed:,} of {all_items:,} items open to their details: those that contradict themselves, were not "
        "assessed, didn't pass or changed, as far as there is room. `verdict-frames describe` shows every one."
    )
