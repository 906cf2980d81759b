from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure

from verdict_frames.errors import ArgumentError, ColumnError, NotFoundError, OptionError, SchemaError
from verdict_frames.frames.corpus import concat
from verdict_frames.frames.in_memory import from_records
from verdict_frames.frames.mapped import from_items
from verdict_frames.frames.schemas.tables import polars_schema
from verdict_frames.frames.storage.reading import read_parquet
from verdict_frames.frames.validation import validate
from verdict_frames.plots.composition import plot_composition
from verdict_frames.plots.pass_rates import plot_pass_rates
from verdict_frames.policies import VERIFIED_ONLY
from verdict_frames.reporting.description import describe_item
from verdict_frames.statistics.tally import tally
from verdict_frames.vocabulary import Bucket, Reading, Support

if TYPE_CHECKING:
    from pathlib import Path

    from verdict_frames.frames.corpus import Corpus

NAN = float("nan")
MEANING = {"C": "ACCEPTED", "I": Reading.REJECTED, "N": "NOT_APPLICABLE", "X": "agent_failed", None: "NOT_ASSESSED"}
LOG = pl.DataFrame(
    {
        "id": ["a", "b", "c", "d", "e"],
        "grade": ["C", "I", None, "X", "N"],
        "kept": [True, False, None, False, True],
        "why": [None, "wrong", None, "timed out", ""],
    }
)
ROLES: dict[str, Any] = {"item_id": "id", "outcome": "grade", "mapping": MEANING, "passed": "kept", "error": "why"}


class Capsule:
    """A frame that can do nothing but hand out its Arrow stream."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._frame.__arrow_c_stream__(requested_schema)


def items(corpus: Corpus, *columns: str) -> list[tuple[Any, ...]]:
    return corpus.items.select(columns).rows()


def test_outcomes_become_readings_and_the_rest_is_what_was_recorded() -> None:
    corpus = from_items(LOG, **ROLES)
    recorded = ("item_index", "item_id", "reading", "reading_support", "success", "passed", "error")
    assert items(corpus, *recorded) == [
        (0, "a", "ACCEPTED", "UNDETERMINED", None, True, None),
        (1, "b", "REJECTED", "UNDETERMINED", None, False, "wrong"),
        (2, "c", "NOT_ASSESSED", "UNDETERMINED", None, None, None),
        (3, "d", None, None, False, False, "timed out"),
        (4, "e", "NOT_APPLICABLE", "UNDETERMINED", None, True, ""),
    ]
    mapped = ("mapped", "not_recorded", False, "none", 0)
    columns = ("interpretation_origin", "decided_by_kind", "has_verdict", "verdict_era", "stage_count")
    assert items(corpus, *columns) == [mapped, mapped, mapped, (None, None, False, "none", 0), mapped]
    assert corpus.runs.select("run_id", "path", "copies", "kind", "item_count").row(0) == (
        "frame",
        "frame",
        ["frame"],
        "agent",
        5,
    )
    others = {name: table.height for name, table in corpus.tables().items() if name not in ("runs", "items")}
    assert set(others.values()) == {0}


@pytest.mark.parametrize(
    "frame",
    [
        pytest.param(LOG, id="polars"),
        pytest.param(LOG.lazy(), id="lazy"),
        pytest.param(LOG.with_columns(pl.col("grade").cast(pl.Categorical)), id="categorical"),
        pytest.param(LOG.with_columns(pl.col("grade").cast(pl.Enum(["C", "I", "N", "X"]))), id="enum"),
        pytest.param(LOG.to_arrow(), id="arrow"),
        pytest.param(LOG.to_arrow().combine_chunks().to_batches()[0], id="record batch"),
        pytest.param(Capsule(LOG), id="capsule of polars"),
        pytest.param(pd.DataFrame(LOG.to_dict(as_series=False)), id="pandas"),
        pytest.param(pd.DataFrame(LOG.to_dict(as_series=False)).astype({"grade": "category"}), id="pandas category"),
        pytest.param(pd.DataFrame(LOG.to_dict(as_series=False), dtype=object), id="pandas objects"),
        pytest.param(pd.DataFrame(LOG.to_dict(as_series=False)).convert_dtypes(), id="pandas nullable"),
        pytest.param(
            pd.DataFrame(LOG.to_dict(as_series=False)).convert_dtypes(dtype_backend="pyarrow"), id="pandas arrow"
        ),
        pytest.param(Capsule(pd.DataFrame(LOG.to_dict(as_series=False))), id="capsule of pandas"),
    ],
)
def test_every_sort_of_frame_gives_the_same(frame: Any) -> None:
    expected = from_items(LOG, **ROLES).tables()
    for name, table in from_items(frame, **ROLES).tables().items():
        assert table.equals(expected[name]), name


def test_a_query_of_duckdb_is_a_frame() -> None:
    log = duckdb.sql("select * from (values (1, true), (2, false), (3, null)) as log(id, ok) order by id")
    corpus = from_items(
        log, item_id="id", outcome="ok", mapping={True: "ACCEPTED", False: "REJECTED", None: "unjudged"}
    )
    assert items(corpus, "item_id", "reading") == [("1", "ACCEPTED"), ("2", "REJECTED"), ("3", None)]


def test_columns_that_are_not_asked_for_do_not_matter() -> None:
    frame = pd.DataFrame({"id": [1], "ok": [True], "mixed": [object()], "also": [{"a": {1}}]})
    assert items(from_items(frame, item_id="id", outcome="ok", mapping={True: "ACCEPTED"}), "reading") == [
        ("ACCEPTED",)
    ]


@pytest.mark.parametrize(
    ("values", "mapping", "readings"),
    [
        ([True, False], {True: "ACCEPTED", False: "REJECTED"}, ["ACCEPTED", "REJECTED"]),
        ([2, 0, 1], {0: "ACCEPTED", 1: "REJECTED", 2: "agent_failed"}, [None, "ACCEPTED", "REJECTED"]),
        (["", " "], {"": "NOT_ASSESSED", " ": "UNDECIDED"}, ["NOT_ASSESSED", "UNDECIDED"]),
        ([None, None], {None: "unjudged", "never seen": "ACCEPTED"}, [None, None]),
    ],
)
def test_values_of_every_type(values: list[Any], mapping: Any, readings: list[Any]) -> None:
    corpus = from_items(
        pl.DataFrame({"id": range(len(values)), "o": values}), item_id="id", outcome="o", mapping=mapping
    )
    assert corpus.items["reading"].to_list() == readings


@pytest.mark.parametrize(
    ("values", "mapping", "said"),
    [
        (["C", "INVALID"], {"C": "ACCEPTED"}, "'o' holds 'INVALID', and the mapping doesn't say what that means"),
        (["C", None], {"C": "ACCEPTED"}, "'o' holds missing (None), and"),
        (list("ABCDEFG"), {}, "'o' holds 'A', 'B', 'C', 'D', 'E' and 2 more, and the mapping doesn't say"),
        ([1, 0], {True: "ACCEPTED", False: "REJECTED"}, "'o' holds 1, 0, and"),
        ([True], {1: "ACCEPTED"}, "'o' holds True, and"),
        (["1"], {1: "ACCEPTED"}, "it knows 1. Map each to one of ACCEPTED, REJECTED"),
        ([1.0], {1.0: "ACCEPTED"}, "'o' holds scores (Float64); say from which one an item passes"),
        ([[1]], {}, "'o' holds values of type List(Int64); an outcome is text, true or false, or an integer"),
    ],
)
def test_what_has_no_meaning_is_refused(values: list[Any], mapping: Any, said: str) -> None:
    frame = pl.DataFrame({"id": range(len(values)), "o": values})
    with pytest.raises(ColumnError, match=re.escape(said)):
        from_items(frame, item_id="id", outcome="o", mapping=mapping)


SCORES = pl.DataFrame({"id": list("abcde"), "s": [0.5, 0.49, None, NAN, 1.0], "t": [0.5, 0.4, 0.5, 0.5, 2.0]})


@pytest.mark.parametrize(
    ("pass_if", "first", "second", "last"),
    [
        ((">=", 0.5), "ACCEPTED", "REJECTED", "ACCEPTED"),
        ((">", 0.5), "REJECTED", "REJECTED", "ACCEPTED"),
        (("<=", 0.5), "ACCEPTED", "ACCEPTED", "REJECTED"),
        (("<", 0.5), "REJECTED", "ACCEPTED", "REJECTED"),
        ((">=", 1), "REJECTED", "REJECTED", "ACCEPTED"),
        (pl.col("s") >= pl.col("t"), "ACCEPTED", "ACCEPTED", "REJECTED"),
        ((pl.col("s") >= 0.4) & (pl.col("t") < 1), "ACCEPTED", "ACCEPTED", "REJECTED"),
    ],
)
def test_scores_pass_by_a_condition_and_never_by_being_nan(pass_if: Any, first: str, second: str, last: str) -> None:
    outcome = None if isinstance(pass_if, pl.Expr) else "s"
    mapping: dict[Any, str] = {None: "agent_failed", NAN: "NOT_ASSESSED"}
    corpus = from_items(SCORES, item_id="id", outcome=outcome, pass_if=pass_if, mapping=mapping)
    assert corpus.items["reading"].to_list() == [first, second, None, "NOT_ASSESSED", last]
    assert corpus.items["success"].to_list() == [None, None, False, None, None]


@pytest.mark.parametrize(
    ("keep", "mapping", "said"),
    [
        (slice(0, 3), {}, "whether 's' passes can't be told for 1 of 3 rows, where a value is missing"),
        (slice(0, 3), {NAN: "NOT_ASSESSED"}, "as in mapping={None: 'NOT_ASSESSED'}"),
        (slice(3, 5), {None: "NOT_ASSESSED"}, "for 1 of 2 rows, where a value is NaN; say what that means"),
        (slice(3, 5), {}, "as in mapping={float('nan'): 'NOT_ASSESSED'}"),
    ],
)
def test_missing_and_nan_are_refused_unless_each_has_a_meaning(keep: slice, mapping: Any, said: str) -> None:
    with pytest.raises(ColumnError, match=re.escape(said)):
        from_items(SCORES[keep], item_id="id", outcome="s", pass_if=(">=", 0.5), mapping=mapping)


def test_nan_decides_nothing_where_the_condition_holds_without_it() -> None:
    frame = pl.DataFrame({"id": ["a", "b"], "s": [NAN, NAN], "t": [0.9, 0.1]})
    condition = (pl.col("s") >= 0.5) | (pl.col("t") >= 0.5)
    corpus = from_items(frame, item_id="id", pass_if=condition, mapping={NAN: "NOT_ASSESSED"})
    assert corpus.items["reading"].to_list() == ["ACCEPTED", "NOT_ASSESSED"]


def test_pandas_writes_what_is_missing_as_nan() -> None:
    frame = SCORES.to_pandas()
    corpus = from_items(frame, item_id="id", outcome="s", pass_if=(">=", 0.5), mapping={None: "NOT_ASSESSED"})
    assert corpus.items["reading"].to_list() == ["ACCEPTED", "REJECTED", "NOT_ASSESSED", "NOT_ASSESSED", "ACCEPTED"]


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({}, OptionError, "outcome= names the column that says how each item ended"),
        ({"outcome": "g"}, OptionError, "say what 'g' means, as in mapping={'C': 'ACCEPTED'}, or pass_if=('>=', 0.5)"),
        ({"outcome": "g", "mapping": ["C"]}, OptionError, "it isn't a list"),
        (
            {"outcome": "g", "mapping": {"C": "passed"}},
            OptionError,
            "'C' can't mean 'passed'; an outcome means one of ACC",
        ),
        ({"outcome": "g", "mapping": {"C": None}}, OptionError, "'C' can't mean None"),
        ({"outcome": "s", "pass_if": 0.5}, OptionError, "pass_if is a comparison such as ('>=', 0.5)"),
        ({"outcome": "s", "pass_if": ("==", 0.5)}, OptionError, "with one of >=, >, <=, <"),
        ({"outcome": "s", "pass_if": (">=", NAN)}, OptionError, "and a finite number"),
        (
            {"outcome": "g", "pass_if": (">=", 0.5)},
            ColumnError,
            "'g' holds values of type String, and pass_if compares",
        ),
        ({"outcome": "s", "pass_if": pl.col("s") > 0}, OptionError, "leave out outcome='s'"),
        ({"outcome": "s", "pass_if": (">", 0), "mapping": {True: "ACCEPTED"}}, OptionError, "not what True means"),
        ({"pass_if": pl.col("s") + 1}, ColumnError, "pass_if gives 2 values of type Float64"),
        ({"pass_if": pl.col("s").max() > 0}, ColumnError, "pass_if gives 1 values of type Boolean"),
        ({"pass_if": pl.col("g") > 1}, ColumnError, "pass_if can't be evaluated"),
        ({"pass_if": pl.col("x") > 1}, ColumnError, "there is no such column; there are id, g, s, n"),
        ({"pass_if": pl.all() > 1}, ColumnError, "pass_if is about several columns at once"),
        ({"item_id": "x", "outcome": "g"}, ColumnError, "item_id='x': there is no such column"),
        ({"item_id": None, "outcome": "g"}, ArgumentError, "item_id is the name of a column, not None"),
        (
            {"item_id": "s", "outcome": "g"},
            ColumnError,
            "item_id='s': expected text or integers, found values of type Fl",
        ),
        ({"support": "g", "pass_if": pl.col("s") > 0}, ColumnError, "'C' is no support; it is one of SUPPORTED"),
        ({"passed": "g", "pass_if": pl.col("s") > 0}, ColumnError, "passed='g': expected true and false"),
        ({"error": "s", "pass_if": pl.col("s") > 0}, ColumnError, "error='s': expected text"),
        ({"repeat": "g", "pass_if": pl.col("s") > 0}, ColumnError, "repeat='g': expected integers"),
        ({"repeat": "s", "pass_if": pl.col("s") > 0}, ColumnError, "repeat='s': it holds 0.5, which is no integer"),
        ({"repeat": "n", "pass_if": pl.col("s") > 0}, ColumnError, "it holds 1099511627776, which is no integer of 32"),
    ],
)
def test_wrong_calls_are_refused(options: Any, error: type[Exception], said: str) -> None:
    frame = pl.DataFrame({"id": [1, 2], "g": ["C", "C"], "s": [0.5, 1.0], "n": [2**40, 1]})
    with pytest.raises(error, match=re.escape(said)):
        from_items(frame, **{"item_id": "id", **options})


@pytest.mark.parametrize("frame", [[{"id": 1}], {"id": [1]}, None, pl.Series("id", [1]), pa.chunked_array([[1]])])
def test_what_is_no_frame_is_refused(frame: Any) -> None:
    with pytest.raises(ArgumentError, match="items are given as a frame of polars, pandas or Arrow"):
        from_items(frame, item_id="id", outcome="id", mapping={})


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        (pd.DataFrame({"id": [1, 2], "o": [True, "error"]}), "the columns id, o can't become Arrow columns"),
        (pd.DataFrame([[1, 2, 3]], columns=["id", "o", "o"]), "outcome='o': 2 columns have this name"),
        (pa.table([[1], [2], [3]], names=["id", "o", "o"]), "outcome='o': 2 columns have this name"),
        (pa.table({"id": [1]}), "outcome='o': there is no such column; there are id"),
        (pl.LazyFrame({"id": [1]}), "outcome='o': there is no such column; there are id"),
    ],
)
def test_frames_that_lack_what_is_asked_for_are_refused(frame: Any, said: str) -> None:
    with pytest.raises(ColumnError, match=re.escape(said)):
        from_items(frame, item_id="id", outcome="o", mapping={2: "ACCEPTED"})


def test_rows_make_runs_by_run_variant_and_repeat() -> None:
    frame = pl.DataFrame(
        {
            "id": ["x", "x", "y", "x", "y", "x"],
            "ok": [True, False, True, True, False, True],
            "run": ["n", "n", "n", "m", "n", None],
            "variant": ["a", "b", "a", "a", "a", None],
            "repeat": [1, 1, 2, 1, 1, None],
        }
    )
    names: dict[str, Any] = {"run": "run", "variant": "variant", "repeat": "repeat"}
    mapping: dict[Any, str] = {True: "ACCEPTED", False: "REJECTED"}
    corpus = from_items(frame, item_id="id", outcome="ok", mapping=mapping, **names)
    assert corpus.runs.select("run_id", "variant", "repeat", "item_count").rows() == [
        ("n/variant=a/repeat=1", "a", 1, 2),
        ("n/variant=b/repeat=1", "b", 1, 1),
        ("n/variant=a/repeat=2", "a", 2, 1),
        ("m", "a", 1, 1),
        ("frame", None, None, 1),
    ]
    assert items(corpus, "item_index", "item_id", "reading") == [
        (0, "x", "ACCEPTED"),
        (4, "y", "REJECTED"),
        (1, "x", "REJECTED"),
        (2, "y", "ACCEPTED"),
        (3, "x", "ACCEPTED"),
        (5, "x", "ACCEPTED"),
    ]
    as_float = frame.with_columns(pl.col("repeat").cast(pl.Float64))
    assert from_items(as_float, item_id="id", outcome="ok", mapping=mapping, **names).runs.equals(corpus.runs)


def test_support_is_undetermined_unless_a_column_says_more() -> None:
    frame = LOG.with_columns(support=pl.Series(["SUPPORTED", "CONTRADICTED", None, "SUPPORTED", "UNDETERMINED"]))
    corpus = from_items(frame, **ROLES, support="support")
    assert corpus.items["reading_support"].to_list() == [
        "SUPPORTED",
        "CONTRADICTED",
        "UNDETERMINED",
        None,
        "UNDETERMINED",
    ]
    strict = tally(corpus, policy=VERIFIED_ONLY)
    assert strict.select("passes", "eligible", "unattestable", "set_aside", "agent_failed").row(0) == (1, 1, 1, 2, 1)


def test_the_road_behind_is_the_same() -> None:
    mapped = from_items(LOG, **ROLES, variant="id")
    read = from_records([{"verdict": {"aggregated": {"status": "pass"}}, "variant": "a", "run_id": "r"}])
    corpus = concat([mapped, read])
    assert tally(corpus).select("passes", "eligible", "naive_passes", "unverified").row(0) == (2, 3, 2, 5)
    assert corpus.filter(variant="a").runs["run_id"].to_list() == ["variant=a", "r"]
    assert corpus.filter(reading="REJECTED").items["item_id"].to_list() == ["b"]
    rates = tally(corpus, by="variant")
    assert plot_pass_rates(rates, ax=Figure().subplots()).get_yticks().size > 0
    assert plot_composition(rates, ax=Figure().subplots()).patches
    assert corpus.interpretation("r", 0).reading == "ACCEPTED"
    with pytest.raises(NotFoundError, match="its reading ACCEPTED was mapped from another tool's outcome"):
        corpus.interpretation("variant=a", 0)
    with pytest.raises(NotFoundError, match="has no interpretation: no verdict was stored with it"):
        corpus.interpretation("variant=d", 3)


def test_mapped_items_survive_parquet(tmp_path: Path) -> None:
    corpus = from_items(LOG, **ROLES, variant="id")
    corpus.write_parquet(tmp_path / "tables")
    back = read_parquet(tmp_path / "tables")
    assert back.items.sort("item_index").equals(corpus.items.sort("item_index"))
    assert tally(back, by="variant").equals(tally(corpus, by="variant"))


def test_a_mapped_item_in_words() -> None:
    rows = from_items(LOG, **ROLES).items.rows(named=True)
    assert describe_item(rows[1], None) == [
        "b: REJECTED, the subject did not meet the criteria "
        "(mapped from another tool's outcome; the reading can't be checked against the record) (wrong)"
    ]
    assert describe_item(rows[3], None) == ["d: no verdict: the agent failed before judging (timed out)"]


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        (
            {"has_verdict": True, "verdict_era": "0.17"},
            "items.has_verdict: rule 'is false where the reading is mapped'",
        ),
        ({"reading": None}, "items.reading: rule 'is there where it is mapped'"),
        ({"stage_count": 1}, "items.stage_count: rule 'is 0 exactly where"),
        ({"reading_support": None}, "items.reading_support: rule 'is null exactly where"),
    ],
)
def test_mapped_items_go_through_the_same_door(changes: dict[str, Any], rule: str) -> None:
    tables = from_items(LOG, **ROLES).tables()
    changed = {name: pl.lit(value, polars_schema("items")[name]) for name, value in changes.items()}
    first = pl.col("item_index") == 0
    tables["items"] = tables["items"].with_columns(
        pl.when(first).then(value).otherwise(name).alias(name) for name, value in changed.items()
    )
    with pytest.raises(SchemaError, match=re.escape(rule)):
        validate(tables)


def test_a_frame_without_rows_gives_a_corpus_without_runs() -> None:
    corpus = from_items(LOG.clear(), **ROLES)
    assert corpus.runs.height == 0
    assert tally(corpus)["total"].item() == 0


_MEANINGS = [*Reading, "agent_failed", "unjudged"]
_BUCKETS = {
    "ACCEPTED": "passes",
    "REJECTED": "non_passes",
    "UNDECIDED": "non_passes",
    "NOT_APPLICABLE": "excluded",
    "NOT_ASSESSED": "instrument_failures",
}


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(["u", "v", None]), st.integers(0, 9) | st.none()), max_size=30),
    st.lists(st.sampled_from(_MEANINGS), min_size=11, max_size=11),
    st.sampled_from([None, *Support]),
)
def test_tally_equals_a_plain_count(rows: list[Any], chosen: list[str], support: str | None) -> None:
    mapping = dict(zip([*range(10), None], chosen, strict=True))
    frame = pl.DataFrame(
        {"id": range(len(rows)), "v": [row[0] for row in rows], "o": [row[1] for row in rows]},
        schema={"id": pl.Int64, "v": pl.String, "o": pl.Int64},
    ).with_columns(support=pl.lit(support, pl.String))
    corpus = from_items(frame, item_id="id", outcome="o", mapping=mapping, variant="v", support="support")
    counts: dict[str | None, Counter[str]] = {}
    for variant, outcome in rows:
        bucket = _BUCKETS.get(mapping[outcome], mapping[outcome])
        if support == "CONTRADICTED" and mapping[outcome] in _BUCKETS:
            bucket = "unattestable"
        counts.setdefault(variant, Counter())[bucket] += 1
    tallied = tally(corpus, by="variant")
    assert {row["variant"]: {b: row[b] for b in Bucket if row[b]} for row in tallied.to_dicts()} == counts
    for row in tallied.to_dicts():
        passes, eligible = (
            counts[row["variant"]]["passes"],
            sum(counts[row["variant"]][b] for b in ("passes", "non_passes")),
        )
        assert row["pass_rate"] == (passes / eligible if eligible else None)


_values = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3)


@settings(max_examples=60, deadline=None)
@given(st.lists(_values, max_size=4), st.dictionaries(_values, st.sampled_from([*_MEANINGS, "no"]), max_size=4))
def test_an_outcome_is_mapped_or_refused_and_nothing_else(values: list[Any], mapping: dict[Any, str]) -> None:
    kinds = {type(value) for value in values if value is not None}
    try:
        column = pl.Series("o", values, strict=len(kinds) > 1)
    except (TypeError, OverflowError, pl.exceptions.PolarsError):
        return
    frame = pl.DataFrame({"id": range(len(values)), "o": column})
    same = {(type(value), value): meaning for value, meaning in mapping.items()}
    known = all((type(value), value) in same for value in values)
    if "no" in mapping.values() or not known or column.dtype.is_float():
        with pytest.raises((OptionError, ColumnError)):
            from_items(frame, item_id="id", outcome="o", mapping=mapping)
    else:
        readings = from_items(frame, item_id="id", outcome="o", mapping=mapping).items["reading"].to_list()
        told = [same[type(value), value] for value in values]
        assert readings == [meaning if meaning in _BUCKETS else None for meaning in told]
