from __future__ import annotations

from datetime import UTC, datetime

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verdict_frames.errors import OptionError
from verdict_frames.frames.schemas.tables import polars_schema
from verdict_frames.statistics.left_out import left_out_runs

Run = tuple[str, str | None, int | None]


def runs_frame(runs: list[Run], *, judge_experiments: str = "", empty: str = "") -> pl.DataFrame:
    kinds = {True: "re_evaluation", False: "agent"}
    rows = [
        {
            "run_id": run_id,
            "kind": "judge_experiment" if run_id in judge_experiments else kinds[source is not None],
            "re_evaluated_from": source,
            "timestamp": None if day is None else datetime(2026, 9, day, tzinfo=UTC),
            "item_count": 0 if run_id in empty else 3,
        }
        for run_id, source, day in runs
    ]
    names = ["run_id", "kind", "re_evaluated_from", "timestamp", "item_count"]
    return pl.DataFrame(rows, schema={name: polars_schema("runs")[name] for name in names})


@pytest.mark.parametrize(
    ("runs", "left_out"),
    [
        ([("x", None, 1), ("y", None, 2)], ""),
        ([("x", None, 1), ("r", "x", 2)], "x"),
        ([("x", None, 3), ("r", "x", 2)], "x"),
        ([("r", "elsewhere", 2)], ""),
        ([("r", "elsewhere", 2), ("s", "elsewhere", 1)], "s"),
        ([("x", None, 1), ("r", "x", 2), ("s", "x", 3)], "xr"),
        ([("x", None, 1), ("r", "x", 3), ("s", "x", 2)], "xs"),
        ([("x", None, 1), ("r", "x", 2), ("s", "x", 2)], "xr"),
        ([("x", None, 1), ("r", "x", 2), ("s", "x", None)], "xs"),
        ([("x", None, 1), ("r", "x", 2), ("s", "r", 3)], "xr"),
        ([("x", None, 1), ("r", "x", 3), ("s", "r", 2)], "xr"),
        ([("x", None, 1), ("r", "x", 2), ("s", "r", 5), ("t", "x", 4)], "xrt"),
        ([("x", None, 1), ("r", "x", 2), ("s", "r", 3), ("t", "x", 4)], "xrs"),
        ([("r", "r", 1)], ""),
        ([("r", "s", 2), ("s", "r", 1)], "s"),
        ([("x", None, 1), ("r", "x", 2), ("y", None, 1), ("s", "y", 1)], "xy"),
    ],
    ids=[
        "two runs of agents",
        "judged again",
        "judged again, whatever the clock says",
        "original not there",
        "original not there, judged twice",
        "judged twice",
        "judged twice, told out of order",
        "same time: the greater run id counts",
        "a run without a time is the earlier one",
        "chain",
        "the end of a chain counts, whatever the clock says",
        "a chain beside another re-evaluation, chain later",
        "a chain beside another re-evaluation, chain earlier",
        "names itself as its original",
        "circle",
        "two pairs",
    ],
)
def test_one_evaluation_of_the_same_work_counts(runs: list[Run], left_out: str) -> None:
    assert sorted(left_out_runs(runs_frame(runs))) == sorted(left_out)
    assert sorted(left_out_runs(runs_frame(runs[::-1]))) == sorted(left_out)


@pytest.mark.parametrize(
    ("runs", "empty", "left_out"),
    [
        ([("x", None, 1), ("r", "x", 2)], "r", ""),
        ([("x", None, 1), ("r", "x", 2), ("s", "x", 3)], "s", "xs"),
        ([("x", None, 1), ("r", "x", 2), ("s", "r", 3)], "s", "xs"),
        ([("x", None, 1), ("r", "x", 2), ("s", "r", 3)], "r", "xr"),
        ([("x", None, 1), ("r", "x", 2), ("s", "r", 3)], "rs", ""),
        ([("x", None, 1), ("r", "x", 5), ("e", "r", 6), ("s", "e", 3)], "e", "xre"),
        ([("x", None, 1), ("r", "x", 2)], "x", "x"),
        ([("d", "e", 1), ("e", "d", 2), ("r", "d", 3)], "de", "de"),
    ],
    ids=[
        "broke off at once",
        "broke off, beside one that didn't",
        "broke off, after one that didn't",
        "links what comes after it to the original",
        "a whole chain that broke off",
        "the end of a chain counts past a gap, whatever the clock says",
        "the original has no items",
        "a circle that broke off",
    ],
)
def test_a_run_without_items_replaces_nothing(runs: list[Run], empty: str, left_out: str) -> None:
    assert sorted(left_out_runs(runs_frame(runs, empty=empty))) == sorted(left_out)
    assert sorted(left_out_runs(runs_frame(runs[::-1], empty=empty))) == sorted(left_out)


def test_judge_experiments_are_left_out_once_and_replace_nothing() -> None:
    runs: list[Run] = [("x", None, 1), ("j", "x", 2), ("k", None, 1), ("r", "k", 2)]
    assert sorted(left_out_runs(runs_frame(runs, judge_experiments="jk"))) == ["j", "k"]


@pytest.mark.parametrize(
    ("runs", "empty", "left_out"),
    [
        ([("x", None, 1), ("r", "x", 2), ("s", "r", 3)], "", "rs"),
        ([("x", None, 3), ("r", "x", 2)], "", "r"),
        ([("r", "elsewhere", 2), ("s", "elsewhere", 1)], "", "r"),
        ([("r", "elsewhere", 2), ("s", "elsewhere", 1)], "s", "s"),
        ([("x", None, 1), ("r", "x", 2)], "x", "r"),
        ([("r", "r", 1)], "", ""),
    ],
    ids=[
        "the run where the chain began",
        "whatever the clock says",
        "not there: the earliest that judged it",
        "not there: the earliest that didn't break off",
        "also where it has no items",
        "names itself as its original",
    ],
)
def test_the_original_evaluation_can_be_the_one_that_counts(runs: list[Run], empty: str, left_out: str) -> None:
    for order in (runs, runs[::-1]):
        assert sorted(left_out_runs(runs_frame(order, empty=empty), evaluations="original")) == sorted(left_out)


def test_with_all_evaluations_only_judge_experiments_are_left_out() -> None:
    runs: list[Run] = [("x", None, 1), ("r", "x", 2), ("j", None, 2)]
    assert left_out_runs(runs_frame(runs, judge_experiments="j"), evaluations="all").to_list() == ["j"]


def test_another_choice_of_evaluations_is_refused() -> None:
    with pytest.raises(OptionError, match="evaluations='newest': choose one of latest, original, all"):
        left_out_runs(runs_frame([]), evaluations="newest")


def test_no_runs_leave_nothing_out() -> None:
    assert left_out_runs(runs_frame([])).to_list() == []


names = st.sampled_from("abcdefgh")


@given(
    st.dictionaries(names, st.tuples(st.none() | names, st.none() | st.integers(1, 28)), max_size=8),
    st.text("abcdefgh"),
)
def test_of_each_family_exactly_one_run_with_items_counts(
    runs: dict[str, tuple[str | None, int | None]], empty: str
) -> None:
    families = {name: {name} for name in "abcdefgh"}
    for run_id, (source, _) in runs.items():
        if source is not None:
            joined = families[run_id] | families[source]
            for member in joined:
                families[member] = joined
    left_out = left_out_runs(runs_frame([(name, *rest) for name, rest in runs.items()], empty=empty)).to_list()
    assert len(set(left_out)) == len(left_out)
    for family in families.values():
        present = family & runs.keys() - set(empty)
        assert len(present - set(left_out)) == min(len(present), 1)
