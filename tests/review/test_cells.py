from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from verdict_frames.review.cells import Cells
from verdict_frames.vocabulary import ProblemKind

HUGE = 10**400


@pytest.mark.parametrize(
    ("method", "value", "expected"),
    [
        ("label", "a", "a"),
        ("label", "", ""),
        ("label", 12, "12"),
        ("label", True, None),
        ("label", 1.5, None),
        ("label", HUGE, None),
        ("amount", 2208.1, 2208.1),
        ("amount", 0, 0.0),
        ("amount", -1, None),
        ("amount", math.nan, None),
        ("amount", math.inf, None),
        ("amount", HUGE, None),
        ("amount", "840", None),
        ("amount", False, None),
        ("cost", 0.5, 0.5),
        ("cost", "0.00001234", 0.00001234),
        ("cost", "1e-05", 1e-05),
        ("cost", "-1", None),
        ("cost", "NaN", None),
        ("cost", " 1", None),
        ("cost", "1e999", None),
        ("share", 1, 1.0),
        ("share", 1.01, None),
        ("share", True, None),
        ("count", 3.0, 3),
        ("count", 0, 0),
        ("count", 3.5, None),
        ("count", -1, None),
        ("count", 2**63, None),
        ("count", True, None),
        ("count", math.inf, None),
        ("instant", "2026-09-17T10:00:00Z", datetime(2026, 9, 17, 10, tzinfo=UTC)),
        ("instant", "2026-09-17T10:00:00.123456789+02:00", datetime(2026, 9, 17, 8, 0, 0, 123456, tzinfo=UTC)),
        ("instant", "2026-09-17T10:00:00", None),
        ("instant", "0001-01-01T00:00:00+05:00", None),
        ("instant", "yesterday", None),
        ("instant", 1_789_000_000, None),
        ("members", {"a": 1}, {"a": 1}),
        ("members", {}, {}),
        ("members", [], None),
    ],
)
def test_usable_values_stay_and_others_become_null_and_are_noted(method: str, value: Any, expected: Any) -> None:
    cells = Cells()
    assert getattr(cells, method)("field", value) == expected
    assert [problem.kind for problem in cells.problems] == [ProblemKind.FIELD] * (expected is None)
    assert all(problem.message.startswith("`field`: expected ") for problem in cells.problems)


@pytest.mark.parametrize("method", ["label", "amount", "cost", "share", "count", "instant", "members"])
@pytest.mark.parametrize("value", [None, UNSET])
def test_absent_and_null_are_no_problem(method: str, value: Any) -> None:
    cells = Cells()
    assert getattr(cells, method)("field", value) is None
    assert cells.texts("field", value) == []
    assert cells.problems == []


def test_a_bad_entry_costs_itself_only() -> None:
    cells = Cells()
    assert cells.texts("reasons", ["a", 1, "b", None]) == ["a", "b"]
    assert [problem.message.split(":")[0] for problem in cells.problems] == ["`reasons[1]`", "`reasons[3]`"]
    assert Cells().texts("reasons", "a") == []


@given(st.text())
def test_no_text_breaks_the_clock(text: str) -> None:
    cells = Cells()
    assert (cells.instant("at", text) is None) == bool(cells.problems)
