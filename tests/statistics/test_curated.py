"""The tables that scripts of experiments read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import duckdb
import polars as pl
import pyarrow.parquet as pq
import pytest

from tests.conftest import OPTIONAL_DATA
from tests.frames.builders import check as check_of
from tests.frames.builders import corpus_of, run, stored
from tests.frames.builders import facts as facts_of
from tests.frames.builders import seat as seat_of
from tests.frames.builders import stage as stage_of
from tests.statistics.corpora import corpus, judged, unjudged
from verdict_frames.errors import ArgumentError, ColumnError, OptionError, TargetError
from verdict_frames.frames.corpus import concat
from verdict_frames.frames.schemas.curated import CURATED_TABLES, curated_schema
from verdict_frames.frames.storage import files
from verdict_frames.sources.recorded import RunFact
from verdict_frames.statistics.curated import curated_tables, write_curated
from verdict_frames.statistics.tally import tally
from verdict_frames.vocabulary import FactSource

if TYPE_CHECKING:
    from pathlib import Path

    from verdict_frames.frames.corpus import Corpus

REAL = OPTIONAL_DATA / "data" / "agent-experiment" / "curated-tables"


def two_variants() -> Corpus:
    """`simple`: of 5 items 2 pass, 1 doesn't, 1 wasn't assessed, 1 agent failed; `rich`: nothing is eligible."""
    simple = [
        judged("ACCEPTED", item_id="a", item_slug="s:a", cost_usd=1.0, total_tokens=10, duration_ms=5),
        judged("ACCEPTED", item_id="b", cost_usd=2.0),
        judged("REJECTED", item_id="c", cost_usd=3.0),
        judged("NOT_ASSESSED", item_id="d", cost_usd=4.0),
        unjudged(success=False, item_slug="e", cost_usd=None),
    ]
    return corpus(
        {"r1": simple, "r2": [judged("NOT_APPLICABLE", item_id="a")]},
        variant={"r1": "simple", "r2": "rich"},
        session={"r1": "20260101-000000"},
        repeat={"r1": 2},
        total_cost_usd={"r1": 10.0},
    )


def tiers() -> Corpus:
    """A cascade whose root repeats its stopping tier: three different checks, five rows of checks."""
    gate = seat_of("build:maven", checks=(check_of("build", detail="628 lines"),))
    style = seat_of(
        "review", position=1, score=0.5, checks=(check_of("a", detail="1.00 — fine"), check_of("b", passed=False))
    )
    whole = facts_of(
        stage_of(judges=[style], status="pass"),
        stage_of("gate", judges=[gate], status="pass"),
        stage_of("style", judges=[style], status="pass"),
    )
    return corpus_of(run("r", stored(0, whole, item_id="i", scores={"review": 0.5, "build:maven": 1.0})))


def rows(frame: pl.DataFrame, *columns: str) -> list[tuple[Any, ...]]:
    return frame.select(columns).rows()


def test_passed_is_what_a_rate_may_count() -> None:
    tables = curated_tables(two_variants())
    assert rows(tables["item_results"], "run_id", "item_id", "passed", "cost_usd") == [
        ("r1", "a", True, 1.0),
        ("r1", "b", True, 2.0),
        ("r1", "c", False, 3.0),
        ("r1", "d", None, 4.0),
        ("r1", "e", None, None),
        ("r2", "a", None, None),
    ]
    assert rows(tables["runs"], "run_id", "variant", "pass_rate", "total_cost_usd", "item_count", "run_group") == [
        ("r1", "simple", 2 / 3, 10.0, 5, "20260101-000000"),
        ("r2", "rich", None, None, 1, None),
    ]
    every = curated_tables(two_variants(), policy="all-items")["runs"]
    assert every["pass_rate"].to_list() == [0.5, 0.0]  # nobody judged the work of the agent that failed


def test_repeats_and_traces() -> None:
    items = curated_tables(two_variants())["item_results"]
    assert rows(items, "run_index", "trace_id") == [
        (2, "s:a_r2"),
        (2, "b_r2"),
        (2, "c_r2"),
        (2, "d_r2"),
        (2, "e_r2"),
        (None, None),
    ]
    for name in ("input_tokens", "cache_read_input_tokens", "phase_count", "t0_build"):
        assert items[name].null_count() == items.height


def test_each_check_is_there_once_under_its_judges_name_and_prose_gives_no_score() -> None:
    held = tiers()
    assert held.checks.height == 5
    details = curated_tables(held)["judge_details"]
    assert rows(details, "item_id", "judge_name", "criterion_name", "score", "passed", "evidence") == [
        ("i", "build:maven", "build", None, True, "628 lines"),
        ("i", "review", "a", None, True, "1.00 — fine"),
        ("i", "review", "b", None, False, None),
    ]


def test_columns_stand_for_the_scores_that_the_caller_names() -> None:
    named = curated_tables(tiers(), scores={"t0_build": "build:maven", "quality": "review"})["item_results"]
    assert named.columns == [*curated_schema("item_results"), "quality"]
    assert rows(named, "t0_build", "t1_coverage", "t2_quality", "quality") == [(1.0, None, None, 0.5)]
    with pytest.raises(ColumnError, match="no item has such a score; there are build:maven, review"):
        curated_tables(tiers(), scores={"t0_build": "build"})
    with pytest.raises(ColumnError, match="item_results has a column of that name"):
        curated_tables(tiers(), scores={"passed": "review"})
    with pytest.raises(ArgumentError, match="names of scores"):
        curated_tables(tiers(), scores=["review"])  # type: ignore[arg-type]


def test_the_model_is_the_condition_of_that_name() -> None:
    conditions = {
        "plain": {"model": "m", "judge.model": "j"},
        "agent": {"agent.model": "n", "agent.effort": "high"},
        "two": {"agent.model": "n", "judge.model": "j"},
        "none": {},
    }
    runs = [
        run(name, facts=[RunFact(FactSource.CONDITION, key, value) for key, value in told.items()])
        for name, told in conditions.items()
    ]
    assert rows(curated_tables(corpus_of(*runs))["runs"], "run_id", "model", "item_count") == [
        ("plain", "m", 0),
        ("agent", "n", 0),
        ("two", None, 0),
        ("none", None, 0),
    ]


def test_runs_that_no_count_takes_in_are_left_out(tmp_path: Path) -> None:
    item = [judged("ACCEPTED", item_id="a")]
    held = corpus(
        {"first": item, "again": item, "judge": item},
        kind={"first": "agent", "again": "re_evaluation", "judge": "judge_experiment"},
        re_evaluated_from={"again": "first"},
    )
    assert curated_tables(held)["runs"]["run_id"].to_list() == ["again"]
    assert curated_tables(held, evaluations="original")["item_results"]["run_id"].to_list() == ["first"]
    done = write_curated(held, tmp_path, evaluations="all")
    assert (done.run_count, done.item_count, done.left_out) == (2, 2, 1)


@pytest.mark.parametrize("held", [concat([]), two_variants(), tiers()], ids=["nothing", "two variants", "tiers"])
def test_columns_and_types_are_always_those_of_the_schema(held: Corpus, tmp_path: Path) -> None:
    tables = curated_tables(held)
    write_curated(held, tmp_path / "new" / "folder")
    assert sorted(path.name for path in (tmp_path / "new" / "folder").iterdir()) == sorted(
        f"{name}.parquet" for name in CURATED_TABLES
    )
    for name, frame in tables.items():
        assert frame.schema == curated_schema(name)
        assert pl.read_parquet(tmp_path / "new" / "folder" / f"{name}.parquet").equals(frame)
        declared = CURATED_TABLES[name].columns
        assert [column.name for column in declared if not column.nullable and frame[column.name].has_nulls()] == []


@pytest.mark.parametrize("name", list(CURATED_TABLES))
def test_the_schema_is_that_of_real_tables(name: str) -> None:
    if not REAL.exists():
        pytest.skip("optional conformance data")
    real = pl.read_parquet(REAL / f"{name}.parquet")
    assert list(real.schema.items()) == list(curated_schema(name).items())


def test_the_usual_query_gives_the_honest_numbers(tmp_path: Path) -> None:
    held = two_variants()
    write_curated(held, tmp_path)
    query = f"""
        select variant, avg(cast(passed as integer)), count(passed), count(*), avg(cost_usd)
        from '{tmp_path}/item_results.parquet' group by variant order by variant
    """
    honest = tally(held, "variant").sort("variant")
    assert duckdb.execute(query).fetchall() == [("rich", None, 0, 1, None), ("simple", 2 / 3, 3, 5, 2.5)]
    assert honest.select("variant", "pass_rate", "eligible").rows() == [("rich", None, 0), ("simple", 2 / 3, 3)]


def test_writing_replaces_its_own_files_and_leaves_others(tmp_path: Path) -> None:
    (tmp_path / "tool_uses.parquet").write_text("mine")
    write_curated(two_variants(), tmp_path)
    write_curated(tiers(), tmp_path)
    assert pq.read_table(tmp_path / "runs.parquet").column("run_id").to_pylist() == ["r"]
    assert (tmp_path / "tool_uses.parquet").read_text() == "mine"


def test_a_failure_on_the_way_leaves_the_earlier_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_curated(two_variants(), tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    def fail(_: files.FileWriter) -> None:
        message = "the disk is full"
        raise TargetError(message)

    monkeypatch.setattr(files.FileWriter, "close", fail)
    with pytest.raises(TargetError, match="full"):
        write_curated(tiers(), tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_wrong_calls(tmp_path: Path) -> None:
    held = two_variants()
    held.write_parquet(tmp_path / "export")
    (tmp_path / "file").write_text("")
    for place, words in (("export", "holds the tables of an export"), ("file", "is a file")):
        with pytest.raises(TargetError, match=words):
            write_curated(held, tmp_path / place)
    with pytest.raises(OptionError, match="choose one of"):
        curated_tables(held, policy="mine")
    with pytest.raises(OptionError, match="choose one of"):
        curated_tables(held, evaluations="newest")
    for wrong in (lambda: curated_tables(held.items), lambda: write_curated(held.items, tmp_path)):  # type: ignore[arg-type]
        with pytest.raises(ArgumentError, match="made from a corpus"):
            wrong()
