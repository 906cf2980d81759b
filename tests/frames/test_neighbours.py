"""Questions about keys, answered by neighbouring rows: as the general way answers them, in any order of rows."""

from __future__ import annotations

from collections import Counter

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from verdict_frames.frames.neighbours import ascends, first_rows, row_counts

COLUMNS = ["run", "item", "seat"]
ROWS = st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 2), st.integers(0, 2)), max_size=12)


def frame_of(rows: list[tuple[str, int, int]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema={"run": pl.String, "item": pl.Int32, "seat": pl.Int32}, orient="row")


@given(ROWS)
def test_first_rows_are_those_that_differ_from_the_row_before(rows: list[tuple[str, int, int]]) -> None:
    pairs = [row[:2] for row in rows]
    expected = [pair for place, pair in enumerate(pairs) if place == 0 or pair != pairs[place - 1]]
    assert first_rows(frame_of(rows), COLUMNS[:2]).rows() == expected


def test_a_null_differs_from_a_value_and_not_from_a_null() -> None:
    frame = pl.DataFrame({"a": [None, None, 1, None]})
    assert first_rows(frame, ["a"])["a"].to_list() == [None, 1, None]


@given(ROWS)
def test_rows_are_counted_wherever_they_stand(rows: list[tuple[str, int, int]]) -> None:
    counted = row_counts(frame_of(rows), COLUMNS[:2], "n")
    assert counted.columns == ["run", "item", "n"]
    assert {row[:2]: row[2] for row in counted.rows()} == Counter(row[:2] for row in rows)
    assert counted.height == len({row[:2] for row in rows})


@given(ROWS)
def test_a_key_that_ascends_has_no_repetition(rows: list[tuple[str, int, int]]) -> None:
    if ascends(frame_of(rows), COLUMNS):
        assert len(set(rows)) == len(rows)


@given(st.sets(st.tuples(st.sampled_from("abc"), st.integers(0, 2), st.integers(0, 2))), st.permutations("abc"))
def test_rows_in_the_order_of_their_keys_ascend_whatever_the_order_of_runs(
    rows: set[tuple[str, int, int]], runs: list[str]
) -> None:
    ordered = sorted(rows, key=lambda row: (runs.index(row[0]), row[1:]))
    assert ascends(frame_of(ordered), COLUMNS)
    assert not ascends(frame_of([*ordered, *ordered[:1]]), COLUMNS) or not rows


def test_a_run_whose_rows_lie_apart_does_not_ascend() -> None:
    assert not ascends(frame_of([("a", 0, 0), ("b", 0, 0), ("a", 1, 0)]), COLUMNS)
