from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.statistics.corpora import corpus as corpus_of
from tests.statistics.corpora import judged as judged_item
from tests.statistics.judges.juries import attempt, judged, judgment, jury
from verdict_frames.errors import ColumnError, OptionError
from verdict_frames.frames.corpus import concat
from verdict_frames.frames.results import read_results
from verdict_frames.statistics.intervals import wilson
from verdict_frames.statistics.judges.check_shares import CHECK_TABLE_SCHEMA, check_table

RESULTS = Path(__file__).resolve().parents[3] / "data" / "results"


def checked(**passed: bool) -> dict[str, Any]:
    return judgment("pass", checks=[{"name": name, "passed": one, "message": ""} for name, one in passed.items()])


def test_checks_of_the_outage_by_hand() -> None:
    """As in test_judge_table: the gate judged 39 items, G 3 failed both its judges and T 2 the second one; in the panel
    only votes have a check, which passes as the vote does: 15 of 19 and 21 of 28. The root repeats a tier."""
    table = check_table(read_results(RESULTS / "jury-outage"))
    assert table.select("path", "judge", "check", "passed", "checks", "items", "pass_rate").rows() == [
        (["gate"], "build:maven", "compiles", 36, 39, 13, 36 / 39),
        (["gate"], "structure:src/main/java", "layout", 34, 39, 13, 34 / 39),
        (["panel"], "assertion-depth", "rubric", 15, 19, 11, 15 / 19),
        (["panel"], "review/readability", "rubric", 21, 28, 13, 21 / 28),
    ]


def test_a_check_has_the_interval_of_items_that_occur_once() -> None:
    table = check_table(judged(jury({"a": checked(x=one, y=True)}) for one in (True, False, True)), level=0.9)
    interval = wilson(2, 3, level=0.9)
    assert interval is not None
    row = table.row(0, named=True)
    assert (row["check"], row["checks"], row["items"], row["passed"], row["pass_rate"]) == ("x", 3, 3, 2, 2 / 3)
    assert (row["pass_ci_low"], row["pass_ci_high"]) == (interval.low, interval.high)
    assert (row["pass_ci_method"], row["confidence_level"]) == ("wilson", 0.9)
    assert table.row(1, named=True)["pass_rate"] == 1.0


def test_checks_of_a_stage_that_repeats_one_below_count_once() -> None:
    tier = jury({"a": checked(x=True)})
    cascade = tier | {"compositeAttempts": [attempt("gate", tier, policy="FINAL_TIER")]}
    assert check_table(judged([cascade])).select("path", "checks").rows() == [(["gate"], 1)]


def test_the_same_check_twice_at_one_item_is_not_two_independent_items() -> None:
    twice = judgment("pass", checks=[{"name": "x", "passed": one, "message": ""} for one in (True, False)])
    row = check_table(judged([jury({"a": twice})] * 2)).row(0, named=True)
    assert (row["checks"], row["items"], row["passed"]) == (4, 2, 2)
    assert row["pass_ci_method"] not in {None, "wilson"}


@pytest.mark.parametrize("by", [None, "variant"])
def test_no_checks_give_no_rows(by: Any) -> None:
    names = [by] if by else []
    for empty in (concat([]), corpus_of({"run": [judged_item("ACCEPTED")]}), judged([jury({"a": "error"})])):
        table = check_table(empty, by)
        assert table.is_empty()
        assert table.columns == [*names, *CHECK_TABLE_SCHEMA]


def test_wrong_calls_are_refused() -> None:
    with pytest.raises(ColumnError, match=r"'items\.passed'"):
        check_table(judged([jury({"a": checked(x=True)})]), "passed")
    with pytest.raises(OptionError, match="a confidence level"):
        check_table(concat([]), level=2)


def test_a_group_may_be_a_column_that_another_table_has() -> None:
    table = check_table(judged([jury({"a": checked(x=True)})]), ["items.passed", "kind"])
    assert table.select("items.passed", "kind", "passed").rows() == [(None, "agent", 1)]
