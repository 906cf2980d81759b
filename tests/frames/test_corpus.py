from __future__ import annotations

import dataclasses
import gc
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from tests.frames.builders import ACCEPTING, RunList, corpus_of, judged, run, sample_corpus
from verdict_frames.errors import ArgumentError, ColumnError, SchemaError
from verdict_frames.frames.assembly import build_corpus, paused_collector
from verdict_frames.frames.corpus import Corpus, concat
from verdict_frames.frames.schemas.tables import TABLES, key, polars_schema
from verdict_frames.frames.validation import validate
from verdict_frames.vocabulary import Reading

if TYPE_CHECKING:
    from collections.abc import Iterator

    from verdict_frames.sources.recorded import RecordedRun

SAMPLE = sample_corpus()


def runs_of(corpus: Corpus) -> list[str]:
    return corpus.runs["run_id"].to_list()


def items_of(corpus: Corpus) -> list[tuple[str, int]]:
    return corpus.items.select("run_id", "item_index").rows()


def assert_same(one: Corpus, other: Corpus) -> None:
    for table, frame in one.tables().items():
        assert_frame_equal(frame, other.tables()[table])


def test_tables_come_by_name_parents_first() -> None:
    assert list(SAMPLE.tables()) == list(TABLES)
    assert SAMPLE.tables()["stages"] is SAMPLE.stages


def test_corpus_is_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        SAMPLE.runs = SAMPLE.items  # type: ignore[misc]


def test_condition_on_runs_keeps_runs_without_items() -> None:
    chosen = SAMPLE.filter(variant="simple")
    assert runs_of(chosen) == ["simple-1", "empty-1"]
    assert items_of(chosen) == [("simple-1", 0), ("simple-1", 1)]
    assert chosen.runs["item_count"].to_list() == [2, 0]


def test_condition_on_items_drops_runs_without_a_match_and_counts_anew() -> None:
    chosen = SAMPLE.filter(pl.col("reading") == "REJECTED")
    assert items_of(chosen) == [("simple-1", 1), ("other-1", 0)]
    assert chosen.runs.select("run_id", "item_count").rows() == [("simple-1", 1), ("other-1", 1)]


def test_filter_reaches_every_table() -> None:
    chosen = SAMPLE.filter(variant="simple", item_id="i0")
    assert chosen.stages["item_index"].to_list() == [0]
    assert set(chosen.defects["item_index"]) == {0}
    assert chosen.scores.rows() == [("simple-1", 0, "quality", 0.5)]
    assert chosen.run_facts["run_id"].unique().to_list() == ["simple-1"]
    assert SAMPLE.filter(item_id="i1").scores.height == 0


def test_sources_and_problems_go_only_with_their_run() -> None:
    kept = SAMPLE.filter(variant="rich")
    assert kept.sources["path"].to_list() == ["index.json"]
    assert kept.problems["path"].to_list() == ["rich-1.json", "broken.json"]
    assert SAMPLE.filter(item_id="i1").problems["path"].to_list() == ["simple-1.json", "broken.json"]


def test_conditions_must_all_hold() -> None:
    assert items_of(SAMPLE.filter(pl.col("cost_usd") > 1, pl.col("passed").is_null(), variant="simple")) == [
        ("simple-1", 1)
    ]
    assert items_of(SAMPLE.filter(item_id="i1", variant="rich")) == []


def test_expression_may_mix_items_runs_and_facts() -> None:
    mixed = (pl.col("conditions.model") == "large") | (pl.col("item_id") == "i1")
    assert items_of(SAMPLE.filter(mixed)) == [("simple-1", 1), ("rich-1", 0), ("rich-1", 2)]
    assert runs_of(SAMPLE.filter(pl.col("runs.total_tokens") >= 20)) == ["rich-1"]


def test_expression_may_aggregate_over_what_it_names() -> None:
    assert items_of(SAMPLE.filter(pl.col("cost_usd") == pl.col("cost_usd").max())) == [("simple-1", 1)]


def test_null_is_no_match() -> None:
    assert runs_of(SAMPLE.filter(pl.col("variant") != "simple")) == ["rich-1"]


@pytest.mark.parametrize(
    ("constraints", "runs"),
    [
        ({"variant": ["simple", "rich"]}, ["simple-1", "rich-1", "empty-1"]),
        ({"variant": None}, ["other-1"]),
        ({"variant": ("rich", None)}, ["rich-1", "other-1"]),
        ({"variant": []}, []),
        ({"conditions.model": {"small"}}, ["simple-1", "empty-1"]),
        ({"reading": Reading.ACCEPTED}, ["simple-1", "rich-1"]),
        ({"reading": [None]}, ["rich-1"]),
        ({"success": False}, ["rich-1"]),
        ({"runs.total_tokens": 10}, ["simple-1"]),
        ({"kind": "agent"}, ["simple-1", "rich-1", "empty-1", "other-1"]),
        ({"run_id": "empty-1"}, ["empty-1"]),
        ({"item_index": 2}, ["rich-1"]),
    ],
)
def test_constraints(constraints: dict[str, Any], runs: list[str]) -> None:
    assert runs_of(SAMPLE.filter(**constraints)) == runs


def test_no_condition_keeps_everything() -> None:
    assert_same(SAMPLE.filter(), SAMPLE)


@pytest.mark.parametrize(
    ("expressions", "constraints", "message"),
    [
        ([], {"varaint": "x"}, "no column 'varaint'"),
        ([pl.col("varaint") == "x"], {}, "no column 'varaint'"),
        ([pl.col("total_tokens") > 1], {}, "both items and runs"),
        ([], {"reading": "ACEPTED"}, "'reading' is never 'ACEPTED'; it is one of ACCEPTED, REJECTED"),
        ([], {"variant": 3}, "'variant' can't be compared with 3"),
        ([], {"repeat": 2**40}, "'repeat' can't be compared"),
        ([], {"variant": object()}, "'variant' can't be compared with <object"),
        ([], {"reading": np.array(["ACCEPTED", "x"])}, "'reading' is never array"),
        ([], {"variant": [None, np.array(["simple", "x"])]}, "'variant' can't be compared with"),
        ([], {"cost_usd": float("nan")}, "'cost_usd' is never NaN"),
        ([], {"variant": pl.DataFrame({"a": [1]})}, "'variant' can't be compared with shape"),
        ([], {"copies": "x"}, "'copies' holds lists"),
        ([pl.col("cost_usd")], {}, "can't be evaluated: .*[Bb]oolean"),
        ([pl.col("cost_usd") > "x"], {}, "can't be evaluated"),
        ([pl.col("cost_usd", "duration_ms") > 1], {}, "several columns at once"),
        ([pl.all().is_null()], {}, "several columns at once"),
    ],
)
def test_condition_that_makes_no_sense_is_refused(
    expressions: list[pl.Expr], constraints: dict[str, Any], message: str
) -> None:
    with pytest.raises(ColumnError, match=message) as caught:
        SAMPLE.filter(*expressions, **constraints)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("run_id", "index"),
    [([], 0), (None, None), ("simple-1", True), ("simple-1", 0.0), ("simple-1", "0"), (0, "simple-1")],
)
def test_what_names_no_item_is_refused(run_id: Any, index: Any) -> None:
    with pytest.raises(ArgumentError, match="an item is named by its run_id and its place in the run, such as"):
        SAMPLE.interpretation(run_id, index)


def test_a_place_may_be_a_whole_number_of_another_library() -> None:
    place: Any = np.int64(1)
    assert SAMPLE.interpretation("simple-1", place) == SAMPLE.interpretation("simple-1", 1)


@pytest.mark.parametrize(
    ("corpora", "message"),
    [
        (SAMPLE, r"such as \[corpus, other\], not Corpus"),
        (None, r"such as \[corpus, other\], not NoneType"),
        ([1], "this one holds int"),
        ([SAMPLE, None], "this one holds NoneType"),
        ("ab", "this one holds str"),
    ],
)
def test_only_a_list_of_corpora_can_be_joined(corpora: Any, message: str) -> None:
    with pytest.raises(ArgumentError, match=f"concat takes a list of corpora.*{message}"):
        concat(corpora)


def test_any_iterable_of_corpora_is_joined() -> None:
    assert_same(concat(part for part in [SAMPLE]), concat([SAMPLE]))


def test_condition_must_be_an_expression() -> None:
    with pytest.raises(ArgumentError, match="a condition is a polars expression"):
        SAMPLE.filter("variant")  # type: ignore[arg-type]


@settings(max_examples=25, deadline=None)
@given(st.sets(st.sampled_from(items_of(SAMPLE))), st.sets(st.sampled_from(runs_of(SAMPLE)), min_size=1))
def test_filtered_corpus_is_sound_and_keeps_order(items: set[tuple[str, int]], runs: set[str]) -> None:
    pairs = [pl.col("run_id").eq(run_id) & pl.col("item_index").eq(index) for run_id, index in sorted(items)]
    chosen = SAMPLE.filter(pl.any_horizontal(pl.col("item_index") < 0, *pairs), run_id=sorted(runs))
    validate(chosen.tables())
    expected = [one for one in items_of(SAMPLE) if one in items and one[0] in runs]
    assert items_of(chosen) == expected
    assert runs_of(chosen) == [run_id for run_id in runs_of(SAMPLE) if run_id in {one for one, _ in expected}]
    for table in ("stages", "defects"):
        wanted = SAMPLE.tables()[table].filter(pl.struct("run_id", "item_index").is_in(_keys(expected).implode()))
        assert_frame_equal(chosen.tables()[table], wanted)


def _keys(items: list[tuple[str, int]]) -> pl.Series:
    schema = {name: polars_schema("items")[name] for name in key("items")}
    return pl.DataFrame(items, schema=schema, orient="row").to_struct()


def test_parts_join_to_the_whole() -> None:
    parts = [SAMPLE.filter(run_id=run_id) for run_id in runs_of(SAMPLE)]
    whole = concat(parts)
    for table, frame in SAMPLE.tables().items():
        assert_frame_equal(whole.tables()[table], frame, check_row_order=table not in ("sources", "problems"))


def test_concat_of_none_is_empty_and_typed() -> None:
    empty = concat([])
    validate(empty.tables())
    assert {table: frame.schema for table, frame in empty.tables().items()} == {
        table: polars_schema(table) for table in TABLES
    }


def test_same_run_twice_is_refused_by_name() -> None:
    with pytest.raises(SchemaError, match=r"runs\.run_id: 1 run is in more than one corpus: 'rich-1'; filter one"):
        concat([SAMPLE, SAMPLE.filter(run_id="rich-1")])


def test_two_runs_of_one_id_are_refused_when_a_corpus_is_built() -> None:
    with pytest.raises(SchemaError, match=r"runs\.run_id: .*uniqueness"):
        corpus_of(run("r"), run("r"))


def test_repr_is_short() -> None:
    text = repr(SAMPLE)
    assert text.startswith("Corpus(runs: 4, run_facts: 4, items: 5, ")
    assert len(text) < 200


def test_html_is_escaped_small_and_shows_the_first_runs() -> None:
    many = corpus_of(run("<b>&", judged(0, ACCEPTING), variant="<i>"), *(run(f"r{index}") for index in range(30)))
    page = many._repr_html_()
    assert "<b>" not in page
    assert "<i>" not in page
    assert "<td>&lt;b&gt;&amp;</td>" in page
    assert "<th>items</th>" in page
    assert "<td>31</td>" in page
    assert page.count("<tr>") == 2 + 1 + 10
    assert "and 21 more rows of runs" in page
    assert "None" not in page
    assert "more row" not in concat([])._repr_html_()


def test_collector_is_paused_while_building_and_restored_after_a_failure() -> None:
    during: list[bool] = []

    class Failing(RunList):
        def runs(self) -> Iterator[RecordedRun]:
            during.append(gc.isenabled())
            message = "reading failed"
            raise OSError(message)
            yield from ()  # type: ignore[unreachable]

    with pytest.raises(OSError, match="reading failed"):
        build_corpus(Failing([]))
    assert during == [False]
    assert gc.isenabled()
    gc.disable()
    try:
        with paused_collector():
            assert not gc.isenabled()
        assert not gc.isenabled()
    finally:
        gc.enable()
