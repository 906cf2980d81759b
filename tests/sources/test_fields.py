from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from msgspec import UNSET

from verdict_frames.documents.fields import INT32
from verdict_frames.sources.fields import FieldReader
from verdict_frames.vocabulary import ProblemKind

if TYPE_CHECKING:
    from verdict_frames.documents.seen import Problem


def reader() -> tuple[FieldReader, list[Problem]]:
    problems: list[Problem] = []
    return FieldReader(problems, path="a.json", run_id="r").of_item(3, line=8), problems


@pytest.mark.parametrize("sort", ["text", "flag", "number", "integer", "instant"])
@pytest.mark.parametrize("value", [None, UNSET])
def test_absent_and_null_are_no_problem(sort: str, value: object) -> None:
    read, problems = reader()
    assert getattr(read, sort)("x", value) is None
    assert problems == []


@pytest.mark.parametrize(
    ("sort", "value", "clean"),
    [
        ("text", "", ""),
        ("text", "a\ud800", "a\ud800"),
        ("flag", False, False),
        ("number", 0, 0.0),
        ("number", -1.5, -1.5),
        ("integer", 3.0, 3),
        ("integer", 2**63 - 1, 2**63 - 1),
        ("integer", -(2**63), -(2**63)),
        ("instant", "2026-02-21T10:00:00Z", datetime(2026, 2, 21, 10, tzinfo=UTC)),
    ],
)
def test_usable_values_come_through(sort: str, value: object, clean: object) -> None:
    read, problems = reader()
    found = getattr(read, sort)("x", value)
    assert (found, type(found)) == (clean, type(clean))
    assert problems == []


@pytest.mark.parametrize(
    ("sort", "value"),
    [
        ("text", 5),
        ("text", True),
        ("text", ["a"]),
        ("text", {}),
        ("flag", 1),
        ("flag", 0),
        ("flag", "true"),
        ("number", True),
        ("number", "0.5"),
        ("number", math.inf),
        ("number", math.nan),
        ("number", 10**400),
        ("integer", True),
        ("integer", 1.5),
        ("integer", "1"),
        ("integer", 2**63),
        ("integer", -(2**63) - 1),
        ("integer", 1e300),
        ("integer", math.inf),
        ("integer", 10**4_000),
        ("instant", 1_700_000_000),
        ("instant", "yesterday"),
    ],
)
def test_a_wrong_value_costs_one_field(sort: str, value: object) -> None:
    read, problems = reader()
    assert getattr(read, sort)("costUsd", value) is None
    (problem,) = problems
    assert (problem.path, problem.kind, problem.run_id, problem.item_index, problem.line) == (
        "a.json",
        ProblemKind.FIELD,
        "r",
        3,
        8,
    )
    assert problem.message.startswith("`costUsd`: expected ")
    assert problem.message.endswith("the field stays null")
    assert "\n" not in problem.message
    assert len(problem.message) < 200


def test_a_smaller_limit() -> None:
    read, problems = reader()
    assert read.integer("x", 2**31 - 1, limit=INT32) == 2**31 - 1
    assert read.integer("x", 2**31, limit=INT32) is None
    assert len(problems) == 1


def test_entries_that_are_no_numbers_are_left_out() -> None:
    read, problems = reader()
    value = {"a": 0.5, "b": 1, "c": True, "d": "1", "e\n": None, "f": math.inf, "g": 0}
    assert dict(read.numbers("scores", value)) == {"a": 0.5, "b": 1, "g": 0}
    assert [problem.message.split(":")[0] for problem in problems] == [
        "`scores.c`",
        "`scores.d`",
        "`scores.e\\n`",
        "`scores.f`",
    ]


def test_members_of_what_is_no_object() -> None:
    read, problems = reader()
    assert read.mapping("conditions", [1]) == {}
    assert read.mapping("conditions", None) == {}
    assert len(problems) == 1
