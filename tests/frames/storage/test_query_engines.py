"""An exported folder in DuckDB, polars and pandas: the lines of the README, and partitions with any names."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import pandas as pd
import polars as pl
import pytest

from tests.frames.storage.corpora import ODD_NAMES, full_corpus
from verdict_frames.frames.results import read_results
from verdict_frames.frames.storage.layout import RUN_TABLES
from verdict_frames.policies import POLICIES, STATE_COLUMNS
from verdict_frames.statistics.tally import tally
from verdict_frames.vocabulary import RunKind

if TYPE_CHECKING:
    from verdict_frames.frames.corpus import Corpus

ROOT = Path(__file__).parents[3]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SQL = re.findall(r"<!-- sql -->\n```sql\n(.*?)```", README, flags=re.DOTALL)


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return read_results(ROOT / "data" / "results")


@pytest.fixture(scope="module")
def folder(corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("exported")
    corpus.write_parquet(made)
    return made


def rows_of(sql: str) -> list[tuple[Any, ...]]:
    return duckdb.execute(sql).fetchall()


def expected(corpus: Corpus, policy: str) -> list[tuple[object, ...]]:
    """By variant, of all runs: no run is judged twice or under test once the others are taken out."""
    return tally(corpus, "variant", policy=policy).select("variant", "passes", "eligible", "pass_rate").rows()


def counted_alike(corpus: Corpus) -> Corpus:
    """The runs that neither `tally` nor SQL passes over."""
    return corpus.filter(kind=[RunKind.AGENT], experiment_name=["jury-outage", "pr-triage", "meta-panel"])


def test_sql_of_the_readme(corpus: Corpus, folder: Path) -> None:
    (sql,) = SQL
    outage = corpus.filter(experiment_name="jury-outage")
    assert rows_of(sql.replace("FOLDER", str(folder))) == expected(outage, "agent-judge-0.17")


@pytest.mark.parametrize("policy", POLICIES)
def test_sql_counts_as_the_tally_does_under_every_policy(corpus: Corpus, tmp_path: Path, policy: str) -> None:
    chosen = counted_alike(corpus)
    chosen.write_parquet(tmp_path)
    (sql,) = SQL
    sql = sql.replace("FOLDER", str(tmp_path)).replace("WHERE experiment_name = 'jury-outage'", "")
    sql = sql.replace("agent-judge-0.17", policy).replace("ORDER BY variant", "ORDER BY variant NULLS LAST")
    rows = rows_of(sql)
    assert rows == expected(chosen, policy)
    if policy == "agent-judge-0.17":
        assert any(rate is None for *_, rate in rows), "a group without eligible items has no rate, and no NaN"


def test_pandas_counts_as_the_tally_does(corpus: Corpus, tmp_path: Path) -> None:
    chosen = counted_alike(corpus)
    chosen.write_parquet(tmp_path)
    runs, items = (pd.read_parquet(tmp_path / table, dtype_backend="pyarrow") for table in ("runs", "items"))
    policies = pd.read_parquet(tmp_path / "policies.parquet", dtype_backend="pyarrow")
    policies = policies[policies["policy"] == "agent-judge-0.17"]
    counted = runs[["run_id", "variant"]].merge(items, on="run_id").merge(policies, on=list(STATE_COLUMNS))
    assert len(counted) == chosen.items.height
    passes = counted[counted["bucket"] == "passes"].groupby("variant", dropna=False).size().to_dict()
    named = {None if pd.isna(variant) else variant: count for variant, count in passes.items()}
    assert named == {variant: count for variant, count, *_ in expected(chosen, "agent-judge-0.17") if count}


@pytest.mark.parametrize("table", RUN_TABLES)
def test_every_table_is_found_by_its_glob(table: str, corpus: Corpus, folder: Path) -> None:
    height = corpus.tables()[table].height
    glob = f"{folder}/{table}/*.parquet"
    assert pl.scan_parquet(glob).select(pl.len()).collect().item() == height
    assert rows_of(f"SELECT count(*) FROM '{glob}'") == [(height,)]
    assert len(pd.read_parquet(folder / table)) == height


def test_an_empty_table_still_has_its_columns(tmp_path: Path, corpus: Corpus) -> None:
    corpus.filter(experiment_name="none").write_parquet(tmp_path)
    assert rows_of(f"SELECT reading FROM '{tmp_path}/items/*.parquet'") == []
    assert pl.read_parquet(tmp_path / "seats" / "*.parquet").columns == corpus.seats.columns


def test_partitions_of_the_users_own_keep_any_name(tmp_path: Path) -> None:
    names = [name for name in ODD_NAMES if len(name) < 50]
    frame = pl.DataFrame({"variant": [*names, None], "place": range(len(names) + 1)})
    frame.write_parquet(tmp_path, partition_by="variant")
    back = pl.read_parquet(tmp_path, hive_partitioning=True, hive_schema={"variant": pl.String}).sort("place")
    assert back["variant"].to_list() == [*names, None]
    sql = f"""SELECT variant FROM read_parquet('{tmp_path}/**/*.parquet', hive_partitioning = true,
              hive_types_autocast = false) ORDER BY place"""
    assert [name for (name,) in rows_of(sql)] == [*names, None]


def test_folders_may_have_any_name(tmp_path: Path) -> None:
    for name in ["a+b: c=d", "é [1]*", "kind=agent"]:
        full_corpus().write_parquet(tmp_path / name)
        read = pl.read_parquet(tmp_path / name / "policies.parquet", glob=False)
        assert read.height == 144 * len(POLICIES)
