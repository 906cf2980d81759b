from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from tests.statistics.corpora import corpus, judged
from verdict_frames.errors import ArgumentError, ColumnError
from verdict_frames.frames.in_memory import from_records
from verdict_frames.statistics.history import run_history
from verdict_frames.statistics.tally import TALLY_SCHEMA, tally

if TYPE_CHECKING:
    import polars as pl

ROW = [judged("ACCEPTED", item_id="a"), judged("REJECTED", item_id="b")]


def day(number: int) -> datetime:
    return datetime(2026, 9, number, tzinfo=UTC)


def runs(names: str, **columns: Any) -> pl.DataFrame:
    return run_history(corpus(dict.fromkeys(names, ROW), **columns))


def test_runs_stand_in_the_order_of_time_and_those_without_one_come_last() -> None:
    history = runs("abcd", timestamp={"a": day(3), "b": day(1), "d": day(1)})
    assert history["run_id"].to_list() == ["b", "d", "a", "c"]
    assert history["pass_rate"].to_list() == [0.5] * 4


def test_each_run_is_counted_as_a_tally_counts_it() -> None:
    held = corpus({"a": ROW, "b": ROW[:1]}, variant={"a": "v"})
    by_run = tally(held, ["variant", "run_id"]).sort("run_id")
    assert run_history(held, "variant").sort("run_id").select("variant", "run_id", *TALLY_SCHEMA).equals(by_run)


def test_a_run_is_unlike_the_one_before_it_where_that_is_known() -> None:
    history = runs(
        "abcdef",
        timestamp={name: day(place + 1) for place, name in enumerate("abcdef")},
        instrument_hash={"a": "x", "b": "y", "d": "y", "e": "z", "f": "z"},
        description_version={"a": 1, "b": 1, "d": 1, "e": 2, "f": 2},
        dataset_version={"a": "d1", "b": "d1", "c": "d2", "d": "d3", "e": "d3"},
    )
    assert history.select("unlike", "instrument_changed").rows() == [
        ([], False),
        (["instrument"], True),
        (["dataset_version"], False),  # what it was judged with isn't recorded
        (["dataset_version"], False),
        (["description_version"], True),  # hashes of different descriptions can't be compared
        ([], False),
    ]


def test_groups_are_compared_each_by_itself() -> None:
    held = corpus(
        dict.fromkeys("abcd", ROW),
        variant={"a": "v", "b": "w", "c": "v", "d": "w"},
        timestamp={name: day(place + 1) for place, name in enumerate("abcd")},
        dataset_version={"a": "1", "b": "2", "c": "1", "d": "3"},
    )
    assert run_history(held, "variant").select("variant", "run_id", "unlike").rows() == [
        ("v", "a", []),
        ("v", "c", []),
        ("w", "b", []),
        ("w", "d", ["dataset_version"]),
    ]


def test_errors_of_judges_are_shares_of_their_judgments_copies_left_out() -> None:
    judges = {"x": {"status": "error"}, "y": {"status": "pass"}, "z": {"status": None}}
    verdict = {"aggregated": {"status": "pass"}, "individual": list(judges.values()), "individualByName": judges}
    tier = {"name": "t", "relation": "cascade_tier", "policy": "FINAL_TIER", "disposition": "used", "verdict": verdict}
    history = run_history(from_records([{"itemId": "i", "verdict": verdict | {"compositeAttempts": [tier]}}]))
    assert history.select("seats", "errored", "judge_error_rate").rows() == [(3, 1, pytest.approx(1 / 3))]
    assert runs("a")["judge_error_rate"].to_list() == [None]


def test_what_no_count_takes_in_has_no_row() -> None:
    held = corpus(
        {"x": ROW, "again": ROW, "j": ROW, "empty": []},
        kind={"again": "re_evaluation", "j": "judge_experiment"},
        re_evaluated_from={"again": "x"},
    )
    assert run_history(held)["run_id"].to_list() == ["again"]
    assert sorted(run_history(held, evaluations="all")["run_id"]) == ["again", "x"]
    assert run_history(corpus({})).height == 0


def test_wrong_calls_say_what_is_wrong() -> None:
    held = corpus({"a": ROW})
    with pytest.raises(ColumnError, match="the items of run a are in several groups"):
        run_history(held, "item_id")
    with pytest.raises(ColumnError, match="'timestamp' can't be grouped by: a history has a column of that name"):
        run_history(held, "timestamp")
    with pytest.raises(ArgumentError, match="a Corpus is needed, not DataFrame"):
        run_history(held.items)  # type: ignore[arg-type]
