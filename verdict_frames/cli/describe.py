"""`verdict-frames describe`: what each verdict says, judge by judge."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import polars as pl
from cyclopts import Parameter

from verdict_frames.cli.reading import PLAIN, ReadOptions, read_corpus, report_nothing
from verdict_frames.errors import NotFoundError
from verdict_frames.reporting.description import describe_item
from verdict_frames.reporting.printable import printable
from verdict_frames.reporting.sentences import files_seen, problem_lines
from verdict_frames.vocabulary import InterpretationOrigin, Reading

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from verdict_frames.frames.corpus import Corpus


def describe_paths(
    *paths: str,
    item: Annotated[list[str] | None, Parameter(name="--item", negative="")] = None,
    only: Annotated[list[Reading] | None, Parameter(name="--only", negative="")] = None,
    reading: ReadOptions = PLAIN,
) -> int:
    """Describe the items of result files: reading, who decided, every stage, judge, check and defect.

    Args:
        paths: Result files, folders, archives, globs or exported folders.
        item: Describe only the items of this id or slug; may be repeated.
        only: Describe only the items with this reading; may be repeated.
        reading: How result files are read.
    """
    corpus = read_corpus(paths, reading)
    if corpus.runs.is_empty():
        return report_nothing(corpus, paths)
    chosen = _choose(corpus, item, only)
    for line in _lines(corpus, chosen):
        sys.stdout.write(f"{line}\n")
    below = [f"{chosen.height} of {corpus.items.height} items described", files_seen(corpus), *problem_lines(corpus)]
    sys.stdout.write("\n".join(below) + "\n")
    return 0


def _choose(corpus: Corpus, names: Sequence[str] | None, readings: Sequence[Reading] | None) -> pl.DataFrame:
    items = corpus.items
    if names:
        found = items.filter(pl.col("item_id").is_in(names) | pl.col("item_slug").is_in(names))
        if found.is_empty():
            known = items.select(pl.coalesce("item_slug", "item_id")).to_series().drop_nulls().unique().sort()
            some = ", ".join(known.head(10)) + (f" and {known.len() - 10} more" if known.len() > 10 else "")
            message = f"no item has the id or slug {', '.join(names)}; there are {some or 'none with a name'}"
            raise NotFoundError(message)
        items = found
    if readings:
        items = items.filter(pl.col("reading").is_in([reading.value for reading in readings]))
    return items


def _lines(corpus: Corpus, items: pl.DataFrame) -> Iterator[str]:
    labels = {row["run_id"]: _run_label(row) for row in corpus.runs.iter_rows(named=True)}
    run_id: str | None = None
    for item in items.iter_rows(named=True):
        if item["run_id"] != run_id:
            run_id = item["run_id"]
            yield printable(labels[item["run_id"]], one_line=True)
        judged = item["interpretation_origin"] not in (None, InterpretationOrigin.MAPPED)
        interpretation = corpus.interpretation(item["run_id"], item["item_index"]) if judged else None
        yield from describe_item(item, interpretation)
        yield ""


def _run_label(run: dict[str, Any]) -> str:
    names = [run[name] for name in ("experiment_name", "session", "variant") if run[name] is not None]
    return f"run {run['run_id']}" + (f" ({' / '.join(names)})" if names else "")
