"""The items behind the numbers of a report: all of them as rows, and the details of those that are looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import polars as pl

from verdict_frames.plots.palette import BUCKET_LOOKS
from verdict_frames.report.cells import count, label, plain, text, words
from verdict_frames.report.counted import ORDINAL
from verdict_frames.report.details import item_detail
from verdict_frames.report.value import ItemList
from verdict_frames.vocabulary import Bucket, InterpretationOrigin, Support

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from verdict_frames.frames.corpus import Corpus
    from verdict_frames.report.counted import CountedItems
    from verdict_frames.report.value import Column, Detail, Value

DETAILED: Final = 2_000
"""Up to how many items all have a detail; beyond that only those that matter have one."""
DETAIL_CHARACTERS: Final = 9_000_000
"""About how many characters the details of a report may have in all."""
LEFT_OUT_WORDS: Final = "left out"
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

    Up to `DETAILED` items all have a detail; beyond that those that didn't pass, are contradicted, were not assessed or
    changed have one, as long as they fit into `DETAIL_CHARACTERS`.

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
    columns = _columns(items.groups, names)
    details = tuple(_details(corpus, items, rows, columns, also))
    return ItemList(
        thing="item", columns=columns, rows=tuple(rows), details=details, note=_note(len(details), len(rows))
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
    corpus: Corpus,
    items: CountedItems,
    rows: list[tuple[Value, ...]],
    columns: tuple[Column, ...],
    also: Collection[int],
) -> Iterator[tuple[int, Detail]]:
    """Give the details in order of urgency, then put them in the order of the items."""
    chosen: list[tuple[int, Detail]] = []
    written = 0
    for ordinal in _by_urgency(items, also):
        item = items.frame.row(ordinal, named=True)
        judged = item["interpretation_origin"] not in (None, InterpretationOrigin.MAPPED)
        interpretation = corpus.interpretation(item["run_id"], item["item_index"]) if judged else None
        row = rows[ordinal]
        labels = [column.label for column in columns]
        place = [("run", item["run_id"])]
        place += [
            (label, str(value)) for label, value in zip(labels[1:-6], row[1:-6], strict=True) if value is not None
        ]
        place.append(("counted as", str(row[labels.index("counted as")])))
        detail = item_detail(item, interpretation, title=str(row[0]), place=place)
        written += detail_size(detail)
        if written > DETAIL_CHARACTERS and chosen:
            break
        chosen.append((ordinal, detail))
    yield from sorted(chosen, key=lambda pair: pair[0])


def detail_size(detail: Detail) -> int:
    """Return about how many characters a detail takes."""
    own = len(detail.title) + len(detail.text) + sum(len(name) + len(value) + 8 for name, value in detail.facts) + 16
    return own + sum(map(detail_size, detail.parts))


def _by_urgency(items: CountedItems, also: Collection[int]) -> list[int]:
    buckets = list(items.buckets())
    places = {bucket.value: place for place, bucket in enumerate(_URGENCY)}
    last = len(_URGENCY)
    ranked = [(last if bucket is None else places.get(bucket, last), ordinal) for ordinal, bucket in enumerate(buckets)]
    wanted = set(also)
    contradicted = items.frame.filter(pl.col("reading_support") == Support.CONTRADICTED)[ORDINAL].to_list()
    wanted |= set(contradicted)
    ranked = [(0 if ordinal in wanted else rank, ordinal) for rank, ordinal in ranked]
    if len(ranked) > DETAILED:
        ranked = [(rank, ordinal) for rank, ordinal in ranked if rank < last]
    return [ordinal for _, ordinal in sorted(ranked)]


def _note(detailed: int, all_items: int) -> str:
    if detailed == all_items:
        return ""
    return (
        f"{detailed:,} of {all_items:,} items open to their details: those that contradict themselves, were not "
        "assessed, didn't pass or changed, as far as there is room. `verdict-frames describe` shows every one."
    )
