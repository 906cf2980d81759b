from __future__ import annotations

from datetime import UTC, datetime

import polars as pl
import pytest

from tests.statistics.corpora import corpus, judged, unjudged
from verdict_frames.errors import ArgumentError, ColumnError, OptionError
from verdict_frames.statistics.grid import item_grid


def test_trials_of_an_item_are_numbered_by_repeat_then_time_then_run() -> None:
    row = [judged("ACCEPTED", item_id="a")]
    times = {name: datetime(2026, 9, day, tzinfo=UTC) for name, day in [("late", 9), ("early", 1), ("second", 1)]}
    held = corpus(
        {"late": row, "unnamed": row, "early": row, "second": row},
        variant=dict.fromkeys(["late", "unnamed", "early", "second"], "v"),
        repeat={"second": 1},
        timestamp=times,
    )
    grid = item_grid(held)
    assert grid.select("item", "variant", "trial", "run_id").rows() == [
        ("a", "v", 1, "second"),
        ("a", "v", 2, "early"),
        ("a", "v", 3, "late"),
        ("a", "v", 4, "unnamed"),
    ]


def test_every_item_has_a_state() -> None:
    rows = [
        judged("UNDECIDED", "CONTRADICTED", item_id="a"),
        judged(None, "UNDETERMINED", item_id="b"),
        judged("ACCEPTED", None, item_id="c"),
        unjudged(success=False, item_id="d"),
        unjudged(success=None, item_id="e"),
        unjudged(success=True, item_slug="f"),
        judged("NOT_ASSESSED"),
    ]
    grid = item_grid(corpus({"r": rows}), "run_id")
    assert grid.columns == ["item", "run_id", "trial", "state", "reading", "reading_support", "item_index"]
    assert grid.select("item", "state", "reading", "reading_support").rows() == [
        ("a", "unattestable", "UNDECIDED", "CONTRADICTED"),
        ("b", "unattestable", None, "UNDETERMINED"),
        ("c", "unattestable", "ACCEPTED", None),
        ("d", "agent_failed", None, None),
        ("e", "unjudged", None, None),
        ("f", "unjudged", None, None),
        ("r #6", "NOT_ASSESSED", "NOT_ASSESSED", "SUPPORTED"),
    ]


def test_what_no_count_takes_in_is_left_out() -> None:
    held = corpus(
        {"x": [judged("REJECTED", item_id="a")], "again": [judged("ACCEPTED", item_id="a")], "j": [judged("ACCEPTED")]},
        kind={"again": "re_evaluation", "j": "judge_experiment"},
        re_evaluated_from={"again": "x"},
        variant={"x": "v", "again": "v"},
    )
    assert item_grid(held)["state"].to_list() == ["ACCEPTED"]
    assert item_grid(held, evaluations="original")["state"].to_list() == ["REJECTED"]
    assert item_grid(held, evaluations="all")["trial"].to_list() == [1, 2]


def test_a_group_that_is_not_recorded_comes_last_and_an_empty_corpus_has_no_rows() -> None:
    row = [judged("ACCEPTED", item_id="a")]
    assert item_grid(corpus({"x": row, "y": row}, variant={"y": "v"}))["variant"].to_list() == ["v", None]
    empty = item_grid(corpus({}))
    assert (empty.height, empty.columns[:3]) == (0, ["item", "variant", "trial"])


def test_wrong_calls_say_what_is_wrong() -> None:
    held = corpus({"x": [judged("ACCEPTED")]})
    with pytest.raises(ColumnError, match="'state' can't be what the cells go by"):
        item_grid(held, "state")
    with pytest.raises(ColumnError, match="nonsense"):
        item_grid(held, "nonsense")
    with pytest.raises(ArgumentError, match="one column, not \\['variant'\\]"):
        item_grid(held, ["variant"])  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="a Corpus is needed, not DataFrame"):
        item_grid(pl.DataFrame())  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="choose one of latest, original, all"):
        item_grid(held, evaluations="first")
