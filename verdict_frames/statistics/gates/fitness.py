"""Whether a measurement is fit to judge an agent by: read whole, all groups there, judges at work."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import polars as pl

from verdict_frames.statistics.counted import ITEM, LEFT_OUT, counted_items
from verdict_frames.statistics.gates.outcome import GateLine
from verdict_frames.statistics.grouping import EVERYTHING, group_label
from verdict_frames.statistics.judges.table import judge_table
from verdict_frames.statistics.tally import TALLY_SCHEMA
from verdict_frames.vocabulary import EvaluationChoice, GateSubject

if TYPE_CHECKING:
    from verdict_frames.frames.corpus import Corpus
    from verdict_frames.statistics.gates.conditions import Limit
    from verdict_frames.statistics.gates.gates import Gates


def check_measurement(
    corpus: Corpus, rows: pl.DataFrame, gates: Gates, *, evaluations: EvaluationChoice | str
) -> Iterator[GateLine]:
    """Hold what is asked of the measurement against it.

    Args:
        corpus: What was read.
        rows: Its tally by the groups that are asked about.
        gates: What is asked.
        evaluations: Which evaluation of items counts where a run was judged again.
    """
    columns = [name for name in rows.columns if name not in TALLY_SCHEMA]
    if not rows["total"].sum():
        yield _line("something to count", EVERYTHING, 0, held=False, message="no item counts at all")
    if gates.max_problems is not None:
        found = corpus.problems.height
        held = found <= gates.max_problems
        yield _line(
            "problems", "the files", found, held=held, message=f"{found} problems, at most {gates.max_problems}"
        )
    yield from _groups(rows, columns, gates)
    if gates.expect_items is not None:
        yield from _items(corpus, rows, columns, gates.expect_items, evaluations)
    for limit in gates.limits:
        for row in rows.iter_rows(named=True):
            yield _limited(limit, row, group_label(row, columns))
    if gates.max_judge_error_rate is not None:
        yield from _judges(corpus, gates.max_judge_error_rate, evaluations)


def _line(asked: str, about: str, value: float | None, *, held: bool, message: str) -> GateLine:
    return GateLine(subject=GateSubject.MEASUREMENT, asked=asked, about=about, value=value, held=held, message=message)


def _groups(rows: pl.DataFrame, columns: list[str], gates: Gates) -> Iterator[GateLine]:
    totals = {group_label(row, columns): row["total"] for row in rows.iter_rows(named=True)}
    for label in gates.expect_groups:
        total = totals.get(label, 0)
        there = ", ".join(totals) or "none"
        message = f"{label}: {total} items" if total else f"{label}: no items; the groups are {there}"
        yield _line("group expected", label, total, held=total > 0, message=message)


def _items(
    corpus: Corpus, rows: pl.DataFrame, columns: list[str], expected: int, evaluations: EvaluationChoice | str
) -> Iterator[GateLine]:
    """Compare how many different items each group has; one without a name is one of its own."""
    grouped = counted_items(corpus, columns, evaluations=evaluations)
    place = pl.coalesce(pl.format("named {}", ITEM), pl.format("{} #{}", "run_id", "item_index"))
    counting = grouped.items.filter(~pl.col(LEFT_OUT)).select(*columns, place.alias("\0item")).unique()
    counts = counting.group_by(columns).len("\0items") if columns else counting.select(pl.len().alias("\0items"))
    found = {group_label(row, columns): row["\0items"] for row in counts.collect().iter_rows(named=True)}
    for row in rows.iter_rows(named=True):
        label = group_label(row, columns)
        count = found.get(label, 0)
        message = f"{label}: {count} items, expected {expected}"
        yield _line(f"{expected} items", label, count, held=count == expected, message=message)


def _limited(limit: Limit, row: dict[str, Any], label: str) -> GateLine:
    count, total = row[limit.count], row["total"]
    if not limit.is_rate:
        message = f"{label}: {limit.name} {count} of {total}, at most {limit.most:g}"
        return _line(str(limit), label, count, held=count <= limit.most, message=message)
    if not total:
        return _line(str(limit), label, None, held=False, message=f"{label}: no items to take {limit.name} of")
    value = count / total
    message = f"{label}: {limit.name} {value:.3g} ({count} of {total}), at most {limit.most:g}"
    return _line(str(limit), label, value, held=value <= limit.most, message=message)


def _judges(corpus: Corpus, most: float, evaluations: EvaluationChoice | str) -> Iterator[GateLine]:
    asked = f"error rate of each judge at most {most:g}"
    judges = judge_table(corpus, evaluations=evaluations)
    if judges.is_empty():
        yield _line(asked, "the judges", None, held=False, message="no judge is recorded to take an error rate of")
    for judge in judges.iter_rows(named=True):
        name = "/".join([*judge["path"], judge["judge"] or "(unnamed)"])
        value = judge["error_rate"]
        message = f"judge {name} errored in {judge['errored']} of {judge['seats']} ({value:.3g}), at most {most:g}"
        yield _line(asked, name, value, held=value <= most, message=message)
