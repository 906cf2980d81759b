from __future__ import annotations

import re
from collections import Counter, defaultdict
from pathlib import Path

import polars as pl

from tests.frames.builders import corpus_of, facts, judged, run, stage, stored
from verdict_frames.frames.corpus import concat
from verdict_frames.frames.results import read_results
from verdict_frames.records import Defect
from verdict_frames.statistics.defects import DEFECT_COUNTS_SCHEMA, count_defects
from verdict_frames.vocabulary import DefectKind

STORE = Path(__file__).parents[2] / "data" / "results"


def defect(field: str, kind: DefectKind = DefectKind.ABSENT) -> Defect:
    return Defect(path="verdict", field=field, kind=kind, note="it is so")


def test_indices_are_left_out_and_items_count_once() -> None:
    first = facts(stage(), defects=[defect("seats[0]"), defect("seats[12]"), defect("name"), defect("name")])
    second = facts(stage(), defects=[defect("seats[1]"), defect("seats[1]", DefectKind.UNPARSEABLE)])
    corpus = corpus_of(run("r", stored(0, first), stored(1, second)), run("s", stored(0, second), judged(1, None)))
    assert count_defects(corpus).rows() == [
        ("ABSENT", "seats[]", "none", 4, 3),
        ("ABSENT", "name", "none", 2, 1),
        ("UNPARSEABLE", "seats[]", "none", 2, 2),
    ]


def test_the_sample_store_counted_a_second_time() -> None:
    corpus = read_results(STORE)
    eras = {row[:2]: row[2] for row in corpus.items.select("run_id", "item_index", "verdict_era").iter_rows()}
    counts: Counter[tuple[str, str, str]] = Counter()
    items = defaultdict(set)
    for row in corpus.defects.iter_rows(named=True):
        place = (row["run_id"], row["item_index"])
        group = (row["kind"], re.sub(r"\[\d+\]", "[]", row["field"]), eras[place])
        counts[group] += 1
        items[group].add(place)
    found = count_defects(corpus)
    assert {row[:3]: row[3:] for row in found.iter_rows()} == {
        group: (count, len(items[group])) for group, count in counts.items()
    }
    assert found["defects"].sum() == corpus.defects.height > 0
    assert found["defects"].is_sorted(descending=True)


def test_nothing_to_count_has_the_columns() -> None:
    empty = count_defects(concat([]))
    assert empty.is_empty()
    assert empty.schema == pl.Schema(DEFECT_COUNTS_SCHEMA)
