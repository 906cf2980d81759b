"""Facts that users add to items and runs."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow.parquet as pq
import pytest
from polars.testing import assert_frame_equal

from tests.frames.builders import sample_corpus
from verdict_frames.errors import (
    ArgumentError,
    ColumnError,
    FactsError,
    MissingPathError,
    OptionError,
    ParquetError,
    SchemaError,
)
from verdict_frames.frames.corpus import Corpus, concat
from verdict_frames.frames.facts import FactColumns
from verdict_frames.frames.schemas.tables import polars_schema
from verdict_frames.frames.storage.layout import run_file
from verdict_frames.frames.storage.reading import read_parquet, scan_parquet
from verdict_frames.frames.validation import validate
from verdict_frames.statistics.tally import tally

if TYPE_CHECKING:
    from pathlib import Path

SAMPLE = sample_corpus()
"""Items (run, item_id): simple-1 i0 i1, rich-1 i0 i2, other-1 i0; empty-1 has none. Variants simple, rich, null."""

DIFFICULTY = pl.DataFrame({"item_id": ["i0", "i1", "i2"], "difficulty": ["easy", "hard", None], "size": [1, 2, 3]})
BUDGET = pl.DataFrame({"variant": ["simple"], "budget": [2.5]})


def added(facts: Any = DIFFICULTY, on: str = "item_id") -> Corpus:
    return SAMPLE.with_facts(facts, on=on)


def told(corpus: Corpus) -> list[str]:
    """The messages that are new."""
    new = corpus.problems[SAMPLE.problems.height :]
    assert set(new["kind"].to_list()) <= {"missing"}
    return new["message"].to_list()


def assert_same(one: Corpus, other: Corpus) -> None:
    assert one.fact_columns.rows() == other.fact_columns.rows()
    for table, frame in one.tables().items():
        assert_frame_equal(frame, other.tables()[table])


def test_facts_about_items_become_columns_of_items_with_their_types() -> None:
    corpus = added()
    assert corpus.items.columns == [*polars_schema("items"), "difficulty", "size"]
    assert corpus.items.select("run_id", "item_id", "difficulty", "size").rows() == [
        ("simple-1", "i0", "easy", 1),
        ("simple-1", "i1", "hard", 2),
        ("rich-1", "i0", "easy", 1),
        ("rich-1", "i2", None, 3),
        ("other-1", "i0", "easy", 1),
    ]
    assert corpus.items.schema["size"] == pl.Int64
    assert corpus.fact_columns.rows() == [("items", "difficulty"), ("items", "size")]
    assert told(corpus) == []
    assert SAMPLE.items.columns == list(polars_schema("items"))


def test_facts_about_runs_become_columns_of_runs() -> None:
    corpus = added(BUDGET, on="variant")
    assert corpus.runs.select("run_id", "budget").rows() == [
        ("simple-1", 2.5),
        ("rich-1", None),
        ("empty-1", 2.5),
        ("other-1", None),
    ]
    assert told(corpus) == [
        "2 of 4 runs are not among the facts, so that budget is null there: rich; 1 of them have no variant"
    ]
    by_run = added(
        pl.DataFrame({"run_id": ["other-1", "rich-1", "simple-1", "empty-1"], "seed": [1, 2, 3, 4]}), on="run_id"
    )
    assert by_run.runs["seed"].to_list() == [3, 2, 4, 1]


def test_facts_can_be_grouped_and_filtered_by() -> None:
    corpus = added().with_facts(BUDGET, on="variant")
    assert tally(corpus, "difficulty").select("difficulty", "passes", "eligible", "total").rows() == [
        ("easy", 2, 3, 3),
        ("hard", 0, 1, 1),
        (None, 0, 0, 1),
    ]
    assert tally(corpus, ["budget"]).select("budget", "total").rows() == [(2.5, 2), (None, 3)]
    assert tally(corpus.items, "difficulty").height == 3
    hard = corpus.filter(difficulty="hard")
    assert hard.items["item_id"].to_list() == ["i1"]
    assert hard.runs.select("run_id", "item_count", "budget").rows() == [("simple-1", 1, 2.5)]
    assert hard.fact_columns.rows() == corpus.fact_columns.rows()
    assert corpus.filter(pl.col("size") >= 2, budget=2.5).items["size"].to_list() == [2]


def test_a_run_without_items_keeps_its_group_by_a_fact_about_runs() -> None:
    corpus = SAMPLE.filter(pl.col("run_id") != "simple-1").with_facts(BUDGET, on="variant")
    assert tally(corpus, "budget").select("budget", "total").rows() == [(2.5, 0), (None, 3)]


def test_keys_that_match_nothing_are_named_and_null_keys_match_nothing() -> None:
    facts = pl.DataFrame({"item_id": ["i1", None, "x", "y\x1b"], "a": [1, 2, 3, 4]})
    corpus = added(facts)
    assert corpus.items["a"].to_list() == [None, 1, None, None, None]
    assert told(corpus) == [
        "2 of 4 rows have the item_id of no item: x, 'y\\x1b'",
        "1 of 4 rows have no item_id, and so belong to nothing",
        "4 of 5 items are not among the facts, so that a is null there: i0, i2",
    ]
    assert set(corpus.problems[SAMPLE.problems.height :]["path"]) == {"frame"}
    by_slug = added(
        pl.DataFrame({"item_slug": [None], "a": [1]}, schema={"item_slug": pl.String, "a": pl.Int64}), "item_slug"
    )
    assert by_slug.items["a"].null_count() == 5
    assert (
        told(by_slug)[1] == "5 of 5 items are not among the facts, so that a is null there; 5 of them have no item_slug"
    )


def test_keys_that_would_multiply_rows_are_refused() -> None:
    twice = pl.DataFrame({"item_id": ["i0", "i0", "i1", "i1", None, None], "a": range(6)})
    with pytest.raises(FactsError) as caught:
        added(twice)
    assert str(caught.value) == (
        "frame: 2 values of item_id come more than once, which would multiply rows: i0, i1; keep one row of each"
    )
    assert added(twice.filter(pl.col("a").is_in([0, 2, 4, 5]))).items.height == SAMPLE.items.height


@pytest.mark.parametrize("name", ["reading", "variant", "conditions.model", "total_tokens", "runs.kind"])
def test_a_name_that_the_corpus_has_is_refused(name: str) -> None:
    with pytest.raises(ColumnError, match=f"the corpus has {name} already"):
        added(pl.DataFrame({"item_id": ["i0"], "new": [1], name: [1]}))
    with pytest.raises(ColumnError, match="the corpus has difficulty, size already"):
        added().with_facts(DIFFICULTY, on="item_id")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_a_number_that_is_none_is_refused_with_the_remedy(value: float) -> None:
    facts = pl.DataFrame({"item_id": ["i0", "i1"], "a": [value, 1.0]})
    with pytest.raises(FactsError, match=r"'a' holds NaN or an infinity 1 time; .*fill_nan\(None\)"):
        added(facts)
    with pytest.raises(FactsError, match="'b' holds NaN"):
        added(pl.DataFrame({"item_id": ["i0"], "b": [[1.0, value]]}))


@pytest.mark.parametrize(
    ("facts", "on", "error", "words"),
    [
        (DIFFICULTY, "reading", OptionError, "joined on one of item_id, item_slug, run_id, variant"),
        (DIFFICULTY, None, OptionError, "on=None"),
        (DIFFICULTY, "variant", ColumnError, "no column 'variant' to join on; there are item_id, difficulty, size"),
        (DIFFICULTY.select("item_id"), "item_id", ColumnError, "nothing to add"),
        (DIFFICULTY.rename({"size": " "}), "item_id", ColumnError, "no name for a column"),
        (pl.DataFrame({"item_id": [1.5], "a": [1]}), "item_id", ColumnError, "expected text or integers"),
        (pl.DataFrame({"item_id": ["i0"], "a": [{"b": 1}]}), "item_id", ColumnError, "of type Struct"),
        ([1], "item_id", ArgumentError, "facts are given as a frame"),
        (None, "item_id", ArgumentError, "not as NoneType"),
        ("nowhere.csv", "item_id", MissingPathError, "there is no file nowhere.csv"),
        (__file__, "item_id", FactsError, "ends in .csv or .parquet"),
        (pd.DataFrame([["i0", 1, 2]], columns=["item_id", "a", "a"]), "item_id", ColumnError, "'a'"),
    ],
)
def test_a_wrong_call_is_told_in_one_line(facts: Any, on: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words) as caught:
        SAMPLE.with_facts(facts, on=on)
    assert "\n" not in str(caught.value)


def test_frames_of_other_libraries_and_files_give_the_same() -> None:
    expected = added()
    for given in (DIFFICULTY.lazy(), DIFFICULTY.to_arrow(), DIFFICULTY.to_pandas()):
        assert_same(added(given), expected)
    numbers = pd.DataFrame({"item_id": ["i0", "i1", "i2"], "a": [1.5, np.nan, 2.0]})
    assert added(numbers).items["a"].to_list() == [1.5, None, 1.5, 2.0, 1.5]


def test_files_are_read_with_the_key_as_text(tmp_path: Path) -> None:
    csv, parquet = tmp_path / "facts.csv", tmp_path / "facts.PARQUET"
    csv.write_text("\ufeffitem_id,size,difficulty\n007,1,easy\n7,2,\ni0,3,hard\n", encoding="utf-8")
    corpus = added(csv)
    assert corpus.items["size"].to_list() == [3, None, 3, None, 3]
    assert told(corpus)[0] == "2 of 3 rows have the item_id of no item: 007, 7"
    assert set(corpus.problems[SAMPLE.problems.height :]["path"]) == {csv.as_posix()}
    DIFFICULTY.write_parquet(parquet)
    assert_same(added(str(parquet)), added())
    parquet.write_bytes(b"PAR1")
    with pytest.raises(FactsError, match="can't be read"):
        added(parquet)
    csv.write_text("")
    with pytest.raises(FactsError, match="can't be read"):
        added(csv)


def test_integers_name_items_as_text_does() -> None:
    corpus = added(pl.DataFrame({"item_id": [1, 2], "a": ["x", "y"]}))
    assert told(corpus)[0] == "2 of 2 rows have the item_id of no item: 1, 2"


def test_an_empty_corpus_and_no_facts() -> None:
    empty = concat([]).with_facts(DIFFICULTY, on="item_id")
    assert empty.items.schema == {**polars_schema("items"), "difficulty": pl.String(), "size": pl.Int64()}
    assert empty.problems["message"].to_list() == ["3 of 3 rows have the item_id of no item: i0, i1, i2"]
    assert added(DIFFICULTY.clear()).items["size"].null_count() == 5


def test_concat_keeps_facts_and_fills_null_where_there_are_none() -> None:
    simple = SAMPLE.filter(run_id="simple-1").with_facts(DIFFICULTY, on="item_id")
    rich = SAMPLE.filter(run_id="rich-1").with_facts(BUDGET.with_columns(variant=pl.lit("rich")), on="variant")
    both = concat([rich, simple])
    assert both.items.select("run_id", "difficulty").rows() == [
        ("rich-1", None),
        ("rich-1", None),
        ("simple-1", "easy"),
        ("simple-1", "hard"),
    ]
    assert both.runs["budget"].to_list() == [2.5, None]
    assert both.fact_columns.rows() == [("runs", "budget"), ("items", "difficulty"), ("items", "size")]
    assert_same(concat([added()]), added())


def test_concat_refuses_facts_that_do_not_fit_together() -> None:
    simple = SAMPLE.filter(run_id="simple-1").with_facts(DIFFICULTY, on="item_id")
    rich = SAMPLE.filter(run_id="rich-1")
    with pytest.raises(SchemaError, match=r"items\.size: .* of type Int64, those of another of type Float64"):
        concat([simple, rich.with_facts(DIFFICULTY.cast({"size": pl.Float64}), on="item_id")])
    with pytest.raises(SchemaError, match="'size' is a fact about items in one corpus, and about runs in another"):
        concat([simple, rich.with_facts(BUDGET.rename({"budget": "size"}), on="variant")])


def test_validation_takes_declared_facts_and_no_other_columns() -> None:
    corpus = added()
    columns = FactColumns.from_frame(corpus.fact_columns)
    validate(corpus.tables(), columns)
    with pytest.raises(SchemaError, match="difficulty"):
        validate(corpus.tables())
    foreign = corpus.tables() | {"items": corpus.items.with_columns(other=pl.lit(1))}
    with pytest.raises(SchemaError, match="other"):
        validate(foreign, columns)
    with pytest.raises(SchemaError, match=r"items\.size: the column was added by with_facts, and isn't there any more"):
        validate(corpus.tables() | {"items": corpus.items.drop("size")}, columns)
    not_a_number = corpus.items.with_columns(size=pl.lit(float("nan")))
    with pytest.raises(SchemaError, match=r"items\.size: rule 'is finite'"):
        validate(corpus.tables() | {"items": not_a_number}, columns)
    nested = corpus.items.with_columns(size=pl.struct(a=1))
    with pytest.raises(SchemaError, match=r"facts aren't of type Struct"):
        validate(corpus.tables() | {"items": nested}, columns)


def test_a_column_that_nobody_added_is_not_written_and_not_joined(tmp_path: Path) -> None:
    foreign = Corpus(**SAMPLE.tables() | {"items": SAMPLE.items.with_columns(other=pl.lit(1))})
    for use in (lambda: foreign.write_parquet(tmp_path / "out"), lambda: concat([foreign])):
        with pytest.raises(SchemaError, match=r"items\.other: items has no such column, and it wasn't added"):
            use()
    assert not (tmp_path / "out").exists()


EVERY_TYPE = pl.DataFrame(
    {
        "item_id": ["i0", "i1"],
        "text": ["é", None],
        "flag": [True, None],
        "small": pl.Series([1, None], dtype=pl.UInt8),
        "share": pl.Series([0.5, None], dtype=pl.Float32),
        "day": [date(2026, 1, 2), None],
        "moment": [datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), None],
        "words": [["a", None], []],
        "sort": pl.Series(["x", None], dtype=pl.Categorical),
        "nothing": [None, None],
    }
)


def test_every_type_comes_back_from_parquet(tmp_path: Path) -> None:
    corpus = added(EVERY_TYPE).with_facts(BUDGET, on="variant")
    assert corpus.items.schema["sort"] == corpus.items.schema["nothing"] == pl.String
    corpus.write_parquet(tmp_path)
    assert_same(read_parquet(tmp_path), corpus)
    scan = scan_parquet(tmp_path)
    assert_frame_equal(scan.items.collect(), corpus.items)
    assert_frame_equal(scan.runs.collect(), corpus.runs)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.parquet")}
    read_parquet(tmp_path).write_parquet(tmp_path)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.parquet")} == before


def test_the_files_of_a_table_stay_as_they_are_without_facts(tmp_path: Path) -> None:
    SAMPLE.write_parquet(tmp_path / "plain")
    added().write_parquet(tmp_path / "told")
    for file in (tmp_path / "plain" / "items").iterdir():
        assert (tmp_path / "told" / "items" / file.name).read_bytes() == file.read_bytes()
    assert not (tmp_path / "plain" / "facts_of_items").exists()
    items, facts = (f"'{tmp_path}/told/{table}/*.parquet'" for table in ("items", "facts_of_items"))
    query = f"select difficulty, count(*) from {items} join {facts} using (run_id, item_index) group by 1"
    assert sorted(duckdb.execute(query).fetchall(), key=str) == [("easy", 3), ("hard", 1), (None, 1)]


def test_runs_that_are_written_later_may_have_other_facts_or_none(tmp_path: Path) -> None:
    simple, rich, other = (SAMPLE.filter(run_id=run_id) for run_id in ("simple-1", "rich-1", "other-1"))
    simple.with_facts(DIFFICULTY, on="item_id").write_parquet(tmp_path)
    rich.with_facts(DIFFICULTY.select("item_id", "size", team=pl.lit("t")), on="item_id").write_parquet(tmp_path)
    other.write_parquet(tmp_path)
    back = read_parquet(tmp_path)
    assert back.items.select("run_id", "item_id", "difficulty", "size", "team").sort("run_id", "item_id").rows() == [
        ("other-1", "i0", None, None, None),
        ("rich-1", "i0", None, 1, "t"),
        ("rich-1", "i2", None, 3, "t"),
        ("simple-1", "i0", "easy", 1, None),
        ("simple-1", "i1", "hard", 2, None),
    ]
    simple.write_parquet(tmp_path)
    assert not (tmp_path / "facts_of_items" / run_file("simple-1")).exists()
    assert "difficulty" not in read_parquet(tmp_path).items.columns


def test_facts_of_two_types_in_one_folder_are_refused(tmp_path: Path) -> None:
    SAMPLE.filter(run_id="simple-1").with_facts(DIFFICULTY, on="item_id").write_parquet(tmp_path)
    floats = DIFFICULTY.cast({"size": pl.Float64})
    SAMPLE.filter(run_id="rich-1").with_facts(floats, on="item_id").write_parquet(tmp_path)
    with pytest.raises(SchemaError, match=r"items\.size is of type \w+ in .* and of type \w+ in"):
        read_parquet(tmp_path)


def test_missing_and_cut_facts_are_damage(tmp_path: Path) -> None:
    added().write_parquet(tmp_path)
    file = tmp_path / "facts_of_items" / run_file("simple-1")
    table = pq.read_table(file, partitioning=None)
    assert table.num_rows == 2
    pq.write_table(table.slice(0, 1), file)
    with pytest.raises(ParquetError, match=r"holds 1 rows, and .* says that there are 2"):
        read_parquet(tmp_path)
    file.unlink()
    with pytest.raises(ParquetError, match="is missing"):
        scan_parquet(tmp_path)


def test_facts_go_to_pandas_and_do_not_disturb_interpretations() -> None:
    corpus = added()
    frame = corpus.to_pandas()["items"]
    assert frame["difficulty"].tolist()[:2] == ["easy", "hard"]
    assert str(frame.dtypes["size"]) == "int64[pyarrow]"
    assert corpus.interpretation("simple-1", 0) == SAMPLE.interpretation("simple-1", 0)
