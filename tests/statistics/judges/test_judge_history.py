from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

from tests.statistics.corpora import corpus as corpus_of
from tests.statistics.corpora import judged as judged_item
from tests.statistics.judges.juries import jury, records
from verdict_frames.errors import ColumnError, OptionError
from verdict_frames.frames.corpus import Corpus, concat
from verdict_frames.frames.in_memory import from_records
from verdict_frames.frames.results import read_results
from verdict_frames.statistics.judges.history import (
    JUDGE_HISTORY_SCHEMA,
    NO_TIME,
    NOT_RECORDED,
    NOTHING_EARLIER,
    judge_history,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

RESULTS = Path(__file__).resolve().parents[3] / "data" / "results"

Run = tuple[str, int | None, str | None, int | None]


def through(runs: Sequence[Run], *, judges: Sequence[dict[str, str]] | None = None) -> Corpus:
    """One run after the other: name, day of its end, instrument hash, description version; one item each."""
    rows = [
        row
        for (name, *_), said in zip(runs, judges or [{"a": "pass"}] * len(runs), strict=True)
        for row in records([jury(said)], run=name)
    ]
    corpus = from_records(rows)
    facts = pl.DataFrame(
        [
            (name, None if day is None else datetime(2026, 1, day, tzinfo=UTC), code, version)
            for name, day, code, version in runs
        ],
        schema=["run_id", "timestamp", "instrument_hash", "description_version"],
        orient="row",
    ).cast({"timestamp": pl.Datetime("us", "UTC"), "instrument_hash": pl.String, "description_version": pl.Int64})
    told = corpus.runs.drop("timestamp", "instrument_hash", "description_version").join(facts, on="run_id")
    return Corpus(**corpus.tables() | {"runs": told.select(corpus.runs.columns)})


def changes(corpus: Corpus, judge: str = "a") -> list[tuple[Any, ...]]:
    columns = ("run_id", "instrument_changed", "compared_with", "instrument_note")
    return judge_history(corpus).filter(judge=judge).select(columns).rows()


def test_runs_come_in_the_order_of_time_whatever_their_order_in_the_corpus() -> None:
    corpus = through([("late", 9, None, None), ("none", None, None, None), ("early", 2, None, None)])
    assert judge_history(corpus)["run_id"].to_list() == ["early", "late", "none"]


def test_a_change_is_told_against_the_last_earlier_run_that_recorded_an_instrument() -> None:
    runs = [("1", 1, "x", 2), ("2", 2, "x", 2), ("3", 3, None, None), ("4", 4, "y", 2), ("5", 5, "y", 3)]
    assert changes(through(runs)) == [
        ("1", None, None, NOTHING_EARLIER),
        ("2", False, "1", None),
        ("3", None, None, NOT_RECORDED),
        ("4", True, "2", None),
        ("5", True, "4", None),
    ]


def test_a_version_that_is_not_recorded_differs_from_one_that_is() -> None:
    runs = [("1", 1, "x", 2), ("2", 2, "x", None), ("3", 3, "x", None)]
    assert [row[1] for row in changes(through(runs))] == [None, True, False]


def test_a_run_without_a_time_is_compared_with_none_and_none_with_it() -> None:
    runs = [("1", 1, "x", 2), ("no time", None, "y", 2), ("2", 2, "x", 2)]
    assert changes(through(runs)) == [
        ("1", None, None, NOTHING_EARLIER),
        ("2", False, "1", None),
        ("no time", None, None, NO_TIME),
    ]


def test_a_judge_is_compared_with_the_runs_in_which_it_sat() -> None:
    runs = [("1", 1, "x", 1), ("2", 2, "y", 1), ("3", 3, "x", 1)]
    corpus = through(runs, judges=[{"a": "pass", "b": "pass"}, {"b": "error"}, {"a": "abstain", "b": "pass"}])
    assert changes(corpus) == [("1", None, None, NOTHING_EARLIER), ("3", False, "1", None)]
    assert [row[1] for row in changes(corpus, "b")] == [None, True, True]
    rates = judge_history(corpus).select("judge", "run_id", "seats", "error_rate", "abstain_rate").rows()
    assert rates == [
        ("a", "1", 1, 0.0, 0.0),
        ("a", "3", 1, 0.0, 1.0),
        ("b", "1", 1, 0.0, 0.0),
        ("b", "2", 1, 1.0, 0.0),
        ("b", "3", 1, 0.0, 0.0),
    ]


def test_the_outage_by_hand() -> None:
    """In `baseline`, which ended first, 11 items reach the panel: E 3 and F 2 make 5 errors of assertion-depth; then
    `guided` 4 of 11 and `guided+retry` 5 of 12. No instrument is recorded."""
    table = judge_history(read_results(RESULTS / "jury-outage")).filter(judge="assertion-depth")
    assert table.select("errored", "seats", "abstained").rows() == [(5, 11, 0), (4, 11, 1), (5, 12, 0)]
    assert table["error_ci_method"].to_list() == ["wilson"] * 3
    assert set(table["instrument_note"]) == {NOT_RECORDED}


def test_solo_of_pr_triage_kept_its_instrument() -> None:
    corpus = read_results(RESULTS / "pr-triage").filter(variant="solo")
    table = judge_history(corpus, "variant").filter(judge="review:depth")
    assert table["instrument_hash"].n_unique() == 1
    assert table["instrument_changed"].to_list() == [None, False]


@pytest.mark.parametrize("by", [None, "variant", ["session", "kind"]])
def test_no_judges_give_no_rows(by: Any) -> None:
    names = [by] if isinstance(by, str) else by or []
    for empty in (concat([]), corpus_of({"run": [judged_item("ACCEPTED")]})):
        table = judge_history(empty, by)
        assert table.is_empty()
        assert table.columns == [*names, *JUDGE_HISTORY_SCHEMA]


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"by": "reading"}, ColumnError, "grouped by columns of runs and run facts; got reading"),
        ({"by": "run_id"}, ColumnError, "'run_id' can't be grouped by"),
        ({"level": 0}, OptionError, "a confidence level"),
    ],
)
def test_wrong_calls_are_refused(options: dict[str, Any], error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        judge_history(through([("1", 1, None, None)]), **options)
