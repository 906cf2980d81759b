from __future__ import annotations

import pytest

from tests.frames.builders import sample_corpus
from verdict_frames.errors import ColumnError
from verdict_frames.frames.lookup import find_column, items_with, runs_with


def test_names_stand_for_columns_of_items_of_runs_and_facts() -> None:
    tables = sample_corpus().tables()
    assert find_column(tables, "reading")[:2] == ("items", "reading")
    assert find_column(tables, "variant")[:2] == ("runs", "variant")
    assert find_column(tables, "items.total_tokens")[:2] == ("items", "total_tokens")
    assert find_column(tables, "runs.total_tokens")[:2] == ("runs", "total_tokens")
    assert find_column(tables, "conditions.model")[:2] == ("conditions", "model")
    assert find_column(tables, "scores.quality")[:2] == ("scores", "quality")
    assert find_column(tables, "run_id")[:2] == ("runs", "run_id")


@pytest.mark.parametrize("name", ["total_tokens", "schema_version"])
def test_name_of_two_tables_must_be_qualified(name: str) -> None:
    with pytest.raises(ColumnError, match=rf"both items and runs .*'items\.{name}' or 'runs\.{name}'"):
        find_column(sample_corpus().tables(), name)


@pytest.mark.parametrize("name", ["varaint", "conditions.mode", "items.variant", "stages.status", "metadata.model", ""])
def test_unknown_name_is_refused_with_what_there_is(name: str) -> None:
    with pytest.raises(ColumnError, match=r"available are items: run_id.* runs: run_id.*conditions\.model, scores\."):
        find_column(sample_corpus().tables(), name)


def test_close_names_are_suggested() -> None:
    with pytest.raises(ColumnError, match="did you mean 'variant'"):
        find_column(sample_corpus().tables(), "varaint")


def test_runs_stand_beside_their_facts() -> None:
    frame = runs_with(sample_corpus().tables(), ["variant", "conditions.model", "variant"])
    assert frame.columns == ["run_id", "variant", "conditions.model"]
    assert frame.rows() == [
        ("simple-1", "simple", "small"),
        ("rich-1", "rich", "large"),
        ("empty-1", "simple", "small"),
        ("other-1", None, None),
    ]


def test_column_of_items_is_not_a_column_of_runs() -> None:
    with pytest.raises(ColumnError, match="'reading' is a column of items"):
        runs_with(sample_corpus().tables(), ["reading"])


def test_items_stand_beside_their_runs() -> None:
    frame = items_with(sample_corpus().tables(), ["item_id", "runs.total_tokens", "conditions.model", "run_id"])
    assert frame.columns == ["run_id", "item_index", "item_id", "runs.total_tokens", "conditions.model"]
    assert frame.rows() == [
        ("simple-1", 0, "i0", 10, "small"),
        ("simple-1", 1, "i1", 10, "small"),
        ("rich-1", 0, "i0", 20, "large"),
        ("rich-1", 2, "i2", 20, "large"),
        ("other-1", 0, "i0", None, None),
    ]
