"""Which runs of a group are unlike; every expected row is counted by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.statistics.corpora import Row, corpus, judged
from verdict_frames.errors import ArgumentError, ColumnError, OptionError
from verdict_frames.statistics.likeness import ASPECTS, differing_aspects, run_aspects, unlike_aspects
from verdict_frames.statistics.tally import tally

if TYPE_CHECKING:
    from verdict_frames.frames.corpus import Corpus


def condition(run_id: str, name: str, value: str) -> Row:
    return {"run_id": run_id, "source": "condition", "name": name, "value": value}


def runs(*run_ids: str, items: dict[str, list[Row]] | None = None, **columns: Any) -> Corpus:
    """Runs of one accepted item each, unless told otherwise."""
    held = {run_id: [judged("ACCEPTED", item_id="i")] for run_id in run_ids} | (items or {})
    return corpus(held, **columns)


def test_each_aspect_of_a_run_is_a_row_of_text() -> None:
    held = runs(
        "a",
        "b",
        instrument_hash={"a": "h1"},
        description_version={"a": 2},
        dataset_version={"b": "v1"},
        dataset_dirty={"a": True},
        facts=[condition("b", "model", "m"), {"run_id": "a", "source": "metadata", "name": "x", "value": "y"}],
    )
    assert run_aspects(held).rows() == [
        ("a", "instrument", "h1", "2"),
        ("a", "description_version", "2", None),
        ("a", "dataset_version", None, None),
        ("a", "dataset_dirty", "true", None),
        ("a", "dataset_semantic_version", None, None),
        ("a", "conditions.model", None, None),
        ("b", "instrument", None, None),
        ("b", "description_version", None, None),
        ("b", "dataset_version", "v1", None),
        ("b", "dataset_dirty", None, None),
        ("b", "dataset_semantic_version", None, None),
        ("b", "conditions.model", "m", None),
    ]


def test_what_differs_within_a_group_is_named_and_what_differs_between_groups_is_not() -> None:
    held = runs(
        *("a", "b", "c"),
        variant={"a": "simple", "b": "simple", "c": "rich"},
        instrument_hash={"a": "h1", "b": "h2", "c": "h3"},
        description_version={"a": 1, "b": 1, "c": 1},
        facts=[condition("a", "model", "m"), condition("b", "model", "m"), condition("c", "model", "n")],
    )
    assert unlike_aspects(held, "variant").rows() == [("simple", "instrument", 2, ["h1", "h2"], 2, 0)]
    assert unlike_aspects(held).rows() == [
        ("instrument", 3, ["h1", "h2", "h3"], 3, 0),
        ("conditions.model", 2, ["m", "n"], 3, 0),
    ]
    assert tally(held, "variant").select("variant", "notes").rows() == [("rich", []), ("simple", ["2 instruments"])]
    assert tally(held)["notes"].to_list() == [["3 instruments", "2 values of conditions.model"]]


def test_what_only_some_runs_record_is_not_known_to_be_alike() -> None:
    held = runs("a", "b", "c", dataset_version={"a": "v1", "b": "v1"}, dataset_semantic_version={})
    assert unlike_aspects(held).rows() == [("dataset_version", 1, ["v1"], 3, 1)]
    assert tally(held)["notes"].to_list() == [["1 dataset version and runs that record none"]]
    both = runs("a", "b", "c", dataset_version={"a": "v1", "b": "v2"})
    assert tally(both)["notes"].to_list() == [["2 dataset versions and runs that record none"]]
    assert unlike_aspects(runs("a", "b")).height == 0


def test_hashes_are_compared_at_equal_versions_of_the_description_only() -> None:
    hashes = {"a": "h1", "b": "h2", "c": "h3"}
    held = runs(*hashes, instrument_hash=hashes, description_version={"a": 1, "b": 2, "c": 2})
    assert unlike_aspects(held).rows() == [
        ("instrument", 2, ["h1", "h2", "h3"], 3, 0),
        ("description_version", 2, ["1", "2"], 3, 0),
    ]
    apart = runs("a", "b", instrument_hash=hashes, description_version={"a": 1, "b": 2})
    assert tally(apart)["notes"].to_list() == [["2 versions of the instrument's description"]]
    unversioned = runs("a", "b", instrument_hash=hashes)
    assert tally(unversioned)["notes"].to_list() == [["2 instruments"]]


def test_that_some_runs_have_no_instrument_is_said_once() -> None:
    held = runs("a", "b", instrument_hash={"a": "h1"}, description_version={"a": 1})
    assert unlike_aspects(held)["aspect"].to_list() == ["instrument", "description_version"]
    assert tally(held)["notes"].to_list() == [["1 instrument and runs that record none"]]


def test_a_dataset_that_was_clean_once_and_dirty_once() -> None:
    held = runs("a", "b", dataset_dirty={"a": True, "b": False})
    assert tally(held)["notes"].to_list() == [["2 states of the dataset, clean and dirty"]]


def test_runs_that_are_left_out_and_runs_without_items_take_no_part() -> None:
    held = runs(
        *("a", "again", "judge"),
        items={"empty": []},
        kind={"a": "agent", "again": "re_evaluation", "judge": "judge_experiment"},
        re_evaluated_from={"again": "a"},
        dataset_version={"a": "v1", "again": "v2", "judge": "v3", "empty": "v4"},
    )
    assert set(run_aspects(held)["run_id"]) == {"again"}
    assert tally(held)["notes"].to_list() == [[]]
    assert set(run_aspects(held, evaluations="original")["run_id"]) == {"a"}
    assert unlike_aspects(held, evaluations="all").rows() == [("dataset_version", 2, ["v1", "v2"], 2, 0)]
    assert tally(held, evaluations="all")["notes"].to_list() == [["2 dataset versions"]]
    assert tally(held, "run_id")["notes"].to_list() == [[], [], [], []]


def test_a_run_whose_items_are_in_several_groups_takes_part_in_each() -> None:
    both = [judged("ACCEPTED", item_id="x"), judged("ACCEPTED", item_id="y")]
    held = corpus({"a": both, "b": both[:1]}, dataset_version={"a": "v1", "b": "v2"})
    assert tally(held, "item_id").select("item_id", "notes").rows() == [("x", ["2 dataset versions"]), ("y", [])]
    assert unlike_aspects(held, "reading").rows() == [("ACCEPTED", "dataset_version", 2, ["v1", "v2"], 2, 0)]


def test_the_group_null_has_notes_too() -> None:
    held = runs("a", "b", "c", variant={"c": "x"}, dataset_version={"a": "v1", "b": "v2", "c": "v3"})
    assert tally(held, "variant").select("variant", "notes").rows() == [("x", []), (None, ["2 dataset versions"])]
    assert unlike_aspects(held, ["variant", "kind"]).rows() == [
        (None, "agent", "dataset_version", 2, ["v1", "v2"], 2, 0)
    ]


def test_a_condition_that_is_grouped_by_is_alike_in_each_group() -> None:
    facts = [condition("a", "model", "m"), condition("b", "model", "n")]
    held = runs("a", "b", "c", facts=facts)
    assert tally(held, "conditions.model")["notes"].to_list() == [[], [], []]


def test_items_alone_have_no_notes_and_no_corpus_is_refused() -> None:
    held = runs("a", "b", dataset_version={"a": "v1", "b": "v2"})
    assert tally(held.items)["notes"].to_list() == [[]]
    assert tally(corpus({}))["notes"].to_list() == [[]]
    assert tally(corpus({}), "variant").schema["notes"] == pl.List(pl.String)
    assert unlike_aspects(corpus({}), "variant").columns[0] == "variant"
    assert run_aspects(corpus({})).height == 0
    for function in (run_aspects, unlike_aspects):
        with pytest.raises(ArgumentError, match="asked of a corpus"):
            function(held.items)  # type: ignore[arg-type]
        with pytest.raises(OptionError, match="choose one of"):
            function(held, evaluations="newest")


def test_a_group_column_can_not_be_called_like_a_column_of_the_result() -> None:
    held = corpus({"a": [judged("ACCEPTED")]})
    named = type(held)(**held.tables() | {"items": held.items.with_columns(aspect=pl.lit("x"))})
    with pytest.raises(ColumnError, match="'aspect' can't be grouped by"):
        unlike_aspects(named, "aspect")


def test_groups_may_be_given_as_columns() -> None:
    held = runs("a", "b", "c", dataset_version={"a": "v1", "b": "v2", "c": "v2"})
    sides = pl.DataFrame({"run_id": ["a", "b", "c"], "side": ["left", "right", "right"]})
    aspects = run_aspects(held)
    assert differing_aspects(aspects.join(sides, on="run_id"), ["side"]).height == 0
    assert differing_aspects(aspects, []).rows() == [("dataset_version", 2, ["v1", "v2"], 3, 0)]


@given(
    st.lists(
        st.tuples(st.sampled_from("xy"), st.sampled_from(["h1", "h2", None]), st.sampled_from([1, 2, None])),
        max_size=6,
    )
)
def test_as_a_plain_loop_over_pairs_would_say(given_runs: list[tuple[str, str | None, int | None]]) -> None:
    names = [f"r{number}" for number in range(len(given_runs))]
    columns = zip(*given_runs, strict=True) if given_runs else ((), (), ())
    variant, hashes, versions = (dict(zip(names, values, strict=True)) for values in columns)
    held = runs(*names, variant=variant, instrument_hash=hashes, description_version=versions)
    found = unlike_aspects(held, "variant").filter(pl.col("aspect") == "instrument")
    for group in "xy":
        members = [(one, version) for name, one, version in given_runs if name == group]
        differ = any(
            one != other and version == its and None not in (one, other)
            for one, version in members
            for other, its in members
        )
        recorded = [one for one, _ in members if one is not None]
        unknown = 0 < len(recorded) < len(members)
        rows = found.filter(pl.col("variant") == group).select("distinct", "not_recorded").rows()
        assert [(distinct > 1, missing) for distinct, missing in rows] == (
            [(differ, len(members) - len(recorded))] if differ or unknown else []
        )


def test_aspects_are_columns_of_runs() -> None:
    assert set(ASPECTS.values()) <= set(corpus({}).runs.columns)
