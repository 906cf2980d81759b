from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from uuid import UUID

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.frames.builders import ACCEPTING, REJECTING
from tests.interpretation.strategies import broken_verdicts, json_objects
from verdict_frames.errors import ArgumentError
from verdict_frames.frames.in_memory import from_records
from verdict_frames.frames.results import read_results
from verdict_frames.frames.schemas.tables import TABLES
from verdict_frames.interpretation.reader import interpret
from verdict_frames.interpretation.stored_form import to_builtins
from verdict_frames.verdicts.judgments import Judgment
from verdict_frames.verdicts.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from verdict_frames.frames.corpus import Corpus

FAILS = Judgment(status="fail", reasoning="poor")
LIVE = Verdict.of({"only": FAILS}, FAILS)


def readings(corpus: Corpus) -> list[str | None]:
    return corpus.items["reading"].to_list()


def problems(corpus: Corpus) -> list[tuple[Any, ...]]:
    return corpus.problems.select("path", "kind", "item_index").rows()


def result(run_id: str, *verdicts: object, **members: object) -> dict[str, Any]:
    items = [{"itemId": f"i{place}", "success": True, "verdict": verdict} for place, verdict in enumerate(verdicts)]
    return {"experimentId": run_id, "items": items, **members}


def test_every_sort_of_record_in_every_form() -> None:
    item = {"itemId": "i", "success": True, "verdict": ACCEPTING}
    stored = to_builtins(interpret(REJECTING))
    corpus = from_records(
        [ACCEPTING, json.dumps(item), json.dumps(REJECTING).encode(), LIVE, stored, interpret(ACCEPTING), None]
    )
    assert readings(corpus) == ["ACCEPTED", "ACCEPTED", "REJECTED", "REJECTED", "REJECTED", "ACCEPTED", None]
    assert corpus.items["has_verdict"].to_list() == [True, True, True, True, False, False, False]
    assert corpus.items["interpretation_origin"].to_list() == [*["computed"] * 4, "stored", "stored", None]
    assert corpus.items["item_index"].to_list() == list(range(7))
    assert corpus.runs.select("run_id", "path", "copies", "item_count").row(0) == ("records", "records", ["records"], 7)
    assert corpus.sources.height == 0
    assert corpus.problems.height == 0
    assert to_builtins(corpus.interpretation("records", 3)) == to_builtins(interpret(LIVE))


@pytest.mark.parametrize(
    "column",
    [
        pytest.param(iter, id="generator"),
        pytest.param(tuple, id="tuple"),
        pytest.param(lambda texts: pl.Series("verdict", texts), id="polars"),
        pytest.param(lambda texts: pl.Series(texts, dtype=pl.Categorical), id="polars categorical"),
        pytest.param(lambda texts: pl.Series([t and t.encode() for t in texts], dtype=pl.Binary), id="polars binary"),
        pytest.param(lambda texts: pl.Series([t and json.loads(t) for t in texts]), id="polars struct"),
        pytest.param(
            lambda texts: pl.Series([t and json.loads(t) for t in texts], dtype=pl.Object), id="polars object"
        ),
        pytest.param(pd.Series, id="pandas"),
        pytest.param(lambda texts: pd.Series(texts, dtype=object), id="pandas object"),
        pytest.param(lambda texts: pd.Series(texts, dtype="string"), id="pandas string"),
        pytest.param(lambda texts: pd.Series([t and json.loads(t) for t in texts]), id="pandas dicts"),
        pytest.param(lambda texts: pd.Series(texts, dtype=pd.ArrowDtype(pa.string())), id="pandas arrow"),
        pytest.param(lambda texts: pd.Series(texts).where(pd.notna(pd.Series(texts)), np.nan), id="pandas nan"),
        pytest.param(lambda texts: pd.Series(texts).tolist(), id="pandas list"),
        pytest.param(lambda texts: np.array(texts, dtype=object), id="numpy"),
        pytest.param(pa.array, id="arrow array"),
        pytest.param(lambda texts: pa.chunked_array([texts[:1], texts[1:]]), id="arrow chunks"),
        pytest.param(lambda texts: pa.array([t and json.loads(t) for t in texts]), id="arrow struct"),
        pytest.param(lambda texts: Capsule(pl.Series(texts)), id="capsule"),
    ],
)
def test_every_container(column: Callable[[list[Any]], Any]) -> None:
    corpus = from_records(column([json.dumps(ACCEPTING), None, json.dumps(REJECTING)]))
    assert readings(corpus) == ["ACCEPTED", None, "REJECTED"]
    assert corpus.items["has_verdict"].to_list() == [True, False, True]
    assert corpus.problems.height == 0


class Capsule:
    """A column that can do nothing but hand out its Arrow stream."""

    def __init__(self, series: pl.Series) -> None:
        self._series = series

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._series.__arrow_c_stream__(requested_schema)


def test_struct_column_reads_as_the_dicts_that_it_was_made_of() -> None:
    named = [{**ACCEPTING, "individualByName": {name: ACCEPTING["aggregated"]}} for name in ("a", "b")]
    rows: list[dict[str, Any]] = [{"itemId": "x", "verdict": named[0]}, {"itemId": "y", "verdict": None}]
    rows.append({"itemId": "z", "verdict": named[1], "interpretation": to_builtins(interpret(named[1]))})
    column = pl.Series(rows, strict=False)
    assert column.to_list()[0]["verdict"]["individualByName"]["b"] is None
    from_column, from_dicts = from_records(column), from_records(rows)
    for table in TABLES:
        assert from_column.tables()[table].equals(from_dicts.tables()[table]), table


@pytest.mark.parametrize(
    ("given_records", "said"),
    [
        ("results/", "files are read by read_results"),
        (b"{}", "not as one bytes; put a single record into a list"),
        (ACCEPTING, "not as one dict; put a single record into a list"),
        (LIVE, "not as one Verdict"),
        (interpret(ACCEPTING), "not as one Interpretation"),
        (pl.DataFrame({"a": [1]}), "a DataFrame has several columns; give one of them, or its rows as dicts"),
        (pl.LazyFrame({"a": [1]}), "a LazyFrame has several columns"),
        (pd.DataFrame({"a": [1]}), "a DataFrame has several columns"),
        (pa.table({"a": [1]}), "a Table has several columns"),
        (pa.table({"a": [1]}).to_reader(), "a RecordBatchReader has several columns"),
        (7, "as an iterable or a column, not as int"),
        (None, "not as NoneType"),
    ],
)
def test_what_is_no_column_of_records_is_refused(given_records: Any, said: str) -> None:
    with pytest.raises(ArgumentError, match=said.replace("(", r"\(")):
        from_records(given_records)


@pytest.mark.parametrize(
    ("defaults", "said"),
    [
        ({"model": "m"}, "no name 'model'; there are run_id, experiment_name, session, variant, repeat"),
        ({"variant": 3}, "the default variant is 3; it must be text"),
        ({"repeat": "3"}, "the default repeat is '3'; it must be an integer"),
        ({"repeat": True}, "the default repeat is True"),
        ({"repeat": 2**31}, "the default repeat is 2147483648"),
        (["variant"], "defaults are a mapping"),
    ],
)
def test_defaults_of_the_wrong_kind_are_refused(defaults: Any, said: str) -> None:
    with pytest.raises(ArgumentError, match=said):
        from_records([], defaults=defaults)


def test_defaults_name_what_a_record_does_not() -> None:
    names = {"experiment_name": "e", "session": "s", "variant": "v", "repeat": 2}
    corpus = from_records(
        [ACCEPTING, result("r1", REJECTING, experimentName="own"), {"items": [{"itemId": "i"}]}],
        defaults={"run_id": "nightly", **names},
    )
    assert corpus.runs.select("run_id", *names).rows() == [
        ("nightly", "e", "s", "v", 2),
        ("r1", "own", "s", "v", 2),
        ("nightly#2", "e", "s", "v", 2),
    ]
    assert from_records([ACCEPTING], defaults={"variant": "v", "repeat": None}).runs["run_id"].to_list() == [
        "variant=v"
    ]


def test_rows_of_a_database_make_runs_by_their_names() -> None:
    rows = pl.DataFrame(
        {
            "run_id": ["n", "n", "m", "n"],
            "variant": ["a", "b", "a", "a"],
            "item_id": ["x", "x", "y", "z"],
            "success": [True, True, True, False],
            "error": [None, None, None, "timed out"],
            "cost_usd": [0.5, None, 1.0, 2.0],
            "verdict": [json.dumps(ACCEPTING), json.dumps(REJECTING), json.dumps(ACCEPTING), None],
        }
    ).to_dicts()
    corpus = from_records(rows)
    assert corpus.runs.select("run_id", "variant", "item_count").rows() == [
        ("n/variant=a", "a", 2),
        ("n/variant=b", "b", 1),
        ("m", "a", 1),
    ]
    assert corpus.items.select("item_index", "item_id", "success", "error", "cost_usd", "reading").rows() == [
        (0, "x", True, None, 0.5, "ACCEPTED"),
        (3, "z", False, "timed out", 2.0, None),
        (1, "x", True, None, None, "REJECTED"),
        (2, "y", True, None, 1.0, "ACCEPTED"),
    ]
    assert corpus.problems.height == 0
    as_texts = from_records(map(json.dumps, rows))
    assert all(as_texts.tables()[table].equals(corpus.tables()[table]) for table in TABLES)


def test_rows_of_pandas_with_its_marks_of_what_is_missing() -> None:
    frame = pd.DataFrame({"item_id": ["x", "y"], "cost_usd": [1.0, np.nan], "verdict": [json.dumps(ACCEPTING), None]})
    for rows in (frame.to_dict("records"), frame.convert_dtypes().to_dict("records")):
        corpus = from_records([*rows, float("nan"), pd.NA, pd.NaT])
        assert readings(corpus) == ["ACCEPTED", None, None, None, None]
        assert corpus.items["has_verdict"].to_list() == [True, False, False, False, False]
        assert corpus.items["cost_usd"].to_list() == [1.0, None, None, None, None]
        assert corpus.problems.height == 0


def test_names_beside_verdicts_and_results() -> None:
    key = UUID(int=1)
    corpus = from_records(
        [
            {**ACCEPTING, "run_id": 7, "variant": "a"},
            {**result("r", ACCEPTING), "variant": "b"},
            {**REJECTING, "run_id": key},
        ]
    )
    assert corpus.runs.select("run_id", "variant").rows() == [("7", "a"), ("r", "b"), (str(key), None)]
    assert readings(corpus) == ["ACCEPTED", "ACCEPTED", "REJECTED"]


def test_names_that_cannot_be_used_cost_only_themselves() -> None:
    rows = [
        {**ACCEPTING, "run_id": " ", "variant": 0.5, "repeat": "first", "session": "s"},
        {**ACCEPTING, "repeat": 2.0},
    ]
    corpus = from_records(rows)
    assert corpus.runs.select("run_id", "session", "variant", "repeat").rows() == [
        ("session=s", "s", None, None),
        ("repeat=2", None, None, 2),
    ]
    assert problems(corpus) == [("records[0]", "field", 0)] * 3


def test_run_ids_stay_apart() -> None:
    corpus = from_records([result("n", ACCEPTING), {**REJECTING, "run_id": "n"}, {**REJECTING, "run_id": "n#2"}])
    assert corpus.runs["run_id"].to_list() == ["n", "n#2", "n#2#2"]


def test_live_values_and_texts_inside_of_items_and_results() -> None:
    rows: list[dict[str, Any]] = [
        {"item_id": "a", "verdict": LIVE},
        {"itemId": "b", "interpretation": interpret(ACCEPTING)},
        {"interpretation": interpret(REJECTING)},
        {"itemId": "c", "verdict": json.dumps(REJECTING).encode()},
        result("r", LIVE, json.dumps(ACCEPTING), None),
    ]
    corpus = from_records(rows)
    assert readings(corpus) == ["REJECTED", "ACCEPTED", "REJECTED", "REJECTED", "REJECTED", "ACCEPTED", None]
    assert corpus.problems.height == 0


def test_broken_records_become_problems_and_cost_nothing_else() -> None:
    corpus = from_records(
        [
            ACCEPTING,
            '{"aggregated": {',
            "",
            b"\xff\xfe{",
            5,
            [ACCEPTING],
            "[1]",
            {1: 2},
            {"message": "hello"},
            '{"entries": []}',
            {"itemId": "x", "verdict": '{"aggregated"'},
            {"itemId": "y", "verdict": 3, "scores": {"a": float("nan"), "b": 0.5}, "metadata": {"a": {1}}},
            REJECTING,
        ]
    )
    assert readings(corpus) == ["ACCEPTED", None, None, "REJECTED"]
    assert corpus.items["item_index"].to_list() == [0, 10, 11, 12]
    assert corpus.scores.select("item_index", "name", "value").rows() == [(11, "b", 0.5)]
    assert problems(corpus) == [
        ("records[1]", "syntax", 1),
        ("records[2]", "syntax", 2),
        ("records[3]", "syntax", 3),
        *((f"records[{place}]", "field", place) for place in (4, 5, 6, 7)),
        ("records[8]", "foreign", 8),
        ("records[9]", "foreign", 9),
        ("records[10]", "field", 10),
        *[("records[11]", "field", 11)] * 3,
    ]
    messages = dict(zip(corpus.problems["path"], corpus.problems["message"], strict=True))
    assert messages["records[1]"].startswith("line 1, byte 16: it ends in the middle of a value")
    assert messages["records[2]"] == "line 1, byte 0: it is empty"
    assert messages["records[4]"] == "int is no object, so no item or verdict; it is left out"
    assert messages["records[8]"].startswith("it is left out; it is an object with the keys `message`")


def test_what_json_has_no_room_for_costs_one_field() -> None:
    itself: dict[str, Any] = {}
    itself["again"] = itself
    corpus = from_records(
        [
            {"itemId": "a", "verdict": ACCEPTING, "metadata": itself, "scores": {1: 0.5}},
            {"itemId": "b", "verdict": ACCEPTING, "costUsd": complex(1), "success": np.bool_(1), "passed": object()},
            {**result("r", ACCEPTING), "metadata": {"when": (1, 2)}, "conditions": {"values": {"t": 1.5}}},
        ]
    )
    assert readings(corpus) == ["ACCEPTED"] * 3
    assert [message.split(":")[0] for message in corpus.problems["message"]] == [
        "`metadata`",
        "`scores`",
        "`costUsd`",
        "`success`",
        "`passed`",
        "`metadata`",
    ]
    assert corpus.run_facts.select("source", "name", "value").rows() == [("condition", "t", "1.5")]


def test_a_verdict_that_holds_itself_is_read_as_far_as_it_goes() -> None:
    endless: dict[str, Any] = {"aggregated": {"status": "pass"}}
    endless["compositeAttempts"] = [{"name": "t", "verdict": endless}]
    assert readings(from_records([endless, {"itemId": "x", "verdict": endless}])) == ["ACCEPTED", "ACCEPTED"]


def test_copies_of_a_run_are_one_run_as_in_files() -> None:
    short, full = result("r", ACCEPTING), result("r", ACCEPTING, REJECTING)
    corpus = from_records([short, json.dumps(full), full])
    assert corpus.runs.select("run_id", "path", "copies", "item_count").rows() == [
        ("r", "records[1]", ["records[0]", "records[1]", "records[2]"], 2)
    ]
    assert corpus.problems.select("path", "kind", "run_id").rows() == [("records[1]", "conflict", "r")]
    assert "records[0] differs in `items`" in corpus.problems["message"].item()


def test_a_copy_that_cannot_be_decoded_gives_way_to_the_next() -> None:
    broken = json.dumps(result("r", ACCEPTING, REJECTING)).replace("fine", "\ud800")
    corpus = from_records([broken, result("r", ACCEPTING)])
    assert readings(corpus) == ["ACCEPTED"]
    assert corpus.problems["kind"].to_list() == ["syntax"]


def test_nothing_and_nothing_readable_give_a_corpus_without_rows() -> None:
    assert from_records([]).runs.height == 0
    nothing = from_records([1, "x"])
    assert nothing.items.height == 0
    assert problems(nothing) == [("records[0]", "field", 0), ("records[1]", "syntax", 1)]


def test_records_are_not_changed() -> None:
    row = {"run_id": "n", "item_id": "x", "verdict": json.dumps(ACCEPTING), "scores": {"a": 1}}
    whole = result("r", json.dumps(ACCEPTING))
    before = json.dumps([row, whole])
    from_records([row, whole])
    assert json.dumps([row, whole]) == before


_scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6)
_json = _scalars | st.lists(_scalars, max_size=2) | st.dictionaries(st.text(max_size=6), _scalars, max_size=2)
_item_keys = (
    "run_id variant repeat item_id error itemId success passed scores metadata verdict interpretation items".split()
)
_rows = st.dictionaries(
    st.sampled_from(_item_keys), broken_verdicts() | _json | st.lists(_json, max_size=2), max_size=5
)
_python = st.tuples(st.integers()) | st.binary(max_size=6) | st.complex_numbers() | st.just(LIVE) | st.just(object())


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        _json | _rows | json_objects() | _python | st.dictionaries(st.sampled_from(_item_keys), _python), max_size=6
    )
)
def test_no_records_raise(records: list[Any]) -> None:
    corpus = from_records(records)
    told = set(corpus.items["item_index"]) | set(corpus.problems["item_index"]) | {None}
    results = sum(isinstance(record, dict) and "items" in record for record in records)
    assert len([place for place in range(len(records)) if place not in told]) <= results


def test_corpus_is_that_of_the_same_file(tmp_path: Path) -> None:
    values = [ACCEPTING, result("r", REJECTING, None), {"itemId": "x", "success": False, "metadata": {"error": "late"}}]
    path = tmp_path / "records"
    path.write_text("".join(json.dumps(value) + "\n" for value in values))
    from_file, in_memory = read_results(path), from_records(values)
    for table in ("items", "stages", "defects", "problems"):
        assert in_memory.tables()[table].sort("run_id").equals(from_file.tables()[table].sort("run_id")), table
