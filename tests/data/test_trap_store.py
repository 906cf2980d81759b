"""The trap store is what its script writes, and comes out as `data/traps/README.md` says, also from archives of it."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl
import pytest

from tests.data.readme_tables import table_of
from verdict_frames.frames.results import read_results

if TYPE_CHECKING:
    from verdict_frames.frames.corpus import Corpus

DATA = Path(__file__).resolve().parents[2] / "data"
STORE = DATA / "traps" / "store"
README = DATA / "traps" / "README.md"
ABOUT_PLACES = {"runs": ["path", "copies"], "sources": ["path", "member"], "problems": ["path", "member", "message"]}


def run_id(number: str) -> str:
    return f"{int(number):08d}-0000-4000-8000-000000000000" if number.isdigit() else number


def shown(value: object) -> str:
    return "-" if value is None else str(value)


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return read_results(STORE)


def below(path: str) -> str:
    return path.removeprefix(f"{STORE}/")


def test_store_is_what_the_script_writes_and_small() -> None:
    command = [sys.executable, str(DATA / "make_traps.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    files = [path for path in STORE.rglob("*") if path.is_file()]
    assert len(files) < 60
    assert sum(path.stat().st_size for path in files) < 150_000


def test_runs(corpus: Corpus) -> None:
    names = ("experiment", "session", "variant", "repeat", "kind", "items", "copies")
    stated = {
        run_id(row["run"]): tuple(row[name] for name in names)
        for row in table_of(README, "run", "experiment", "session")
    }
    found = {
        row["run_id"]: (
            *(shown(row[name]) for name in ("experiment_name", "session", "variant", "repeat", "kind", "item_count")),
            str(len(row["copies"])),
        )
        for row in corpus.runs.iter_rows(named=True)
    }
    assert found == stated


def test_the_copy_that_was_re_exported_is_read(corpus: Corpus) -> None:
    (row,) = corpus.items.filter(pl.col("run_id") == run_id("102")).iter_rows(named=True)
    assert (row["interpretation_origin"], row["stored_reading"]) == ("computed", "ACCEPTED")
    (run,) = corpus.runs.filter(pl.col("run_id") == run_id("102")).iter_rows(named=True)
    assert below(run["path"]) == f"ladder/{run_id('102')}.json"


def test_problems(corpus: Corpus) -> None:
    stated = table_of(README, "kind", "path", "run")
    found = [
        (row["kind"], below(row["path"]), shown(row["run_id"]), row["message"].replace(f"{STORE}/", ""))
        for row in corpus.problems.iter_rows(named=True)
    ]
    assert Counter(row[:3] for row in found) == Counter(
        (row["kind"], row["path"], run_id(row["run"])) for row in stated
    )
    for row in stated:
        words = row["what the message names"].replace("`gateway`, `requests`", "the keys `gateway`, `requests`")
        messages = [message for kind, path, _, message in found if (kind, path) == (row["kind"], row["path"])]
        assert any(words in message for message in messages), (words, messages)


def test_file_states(corpus: Corpus) -> None:
    stated = {row["state"]: int(row["rows"]) for row in table_of(README, "state", "rows", "which")}
    found = Counter(str(state) for state in corpus.sources["state"])
    assert {**found, "all": corpus.sources.height} == stated


def test_with_the_alias_a_renamed_variant_has_two_repeats() -> None:
    corpus = read_results(STORE / "renamed", aliases={"hardened+sae": "hardened+preanalysis"})
    assert sorted(corpus.runs.select("variant", "repeat", "session").rows()) == [
        ("hardened+preanalysis", 1, "20260610-090000"),
        ("hardened+preanalysis", 2, "20260617-090000"),
    ]


def packed_store(folder: Path, name: str) -> Path:
    """Pack the store with members in no good order."""
    target = folder / name
    files = sorted((path for path in STORE.rglob("*") if path.is_file()), key=lambda path: str(path)[::-1])
    if name.endswith(".zip"):
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in files:
                archive.write(path, path.relative_to(STORE))
        return target
    with tarfile.open(target, "w:gz" if name.endswith("gz") else "w") as tape:
        for path in files:
            tape.add(path, f"./{path.relative_to(STORE).as_posix()}")
    return target


@pytest.mark.parametrize(("name", "workers"), [("s.tar", 1), ("s.tar.gz", 1), ("s.tgz", 2), ("s.zip", 1)])
def test_archives_of_it_give_the_same_tables(tmp_path: Path, corpus: Corpus, name: str, workers: int) -> None:
    packed = packed_store(tmp_path, name)
    read = read_results(packed, workers=workers)
    archive = read.sources.filter(pl.col("member").is_null())
    assert archive.select("path", "state").rows() == [(str(packed), "read")]
    members = read.sources.filter(pl.col("member").is_not_null())
    assert members["member"].to_list() == [below(path) for path in corpus.sources["path"]]
    assert [row["member"] for row in read.problems.iter_rows(named=True)] == [
        below(row["path"]) for row in corpus.problems.iter_rows(named=True)
    ]
    messages = [message.replace(f"{packed}/", "") for message in read.problems["message"]]
    assert messages == [message.replace(f"{STORE}/", "") for message in corpus.problems["message"]]
    for table, expected in corpus.tables().items():
        found = members if table == "sources" else read.tables()[table]
        places = ABOUT_PLACES.get(table, [])
        assert found.drop(places).equals(expected.drop(places)), table


def test_store_and_archive_together_are_one_store(tmp_path: Path, corpus: Corpus) -> None:
    """Runs with an id are one run each; the loose verdict has none, so it is told apart by its place."""
    packed = packed_store(tmp_path, "s.tar.gz")
    read = read_results([STORE, packed])
    assert read.runs.height == corpus.runs.height + 1
    named = read.runs.filter(pl.col("experiment_name").is_not_null())
    columns = ["experiment_name", "session", "variant", "repeat", "kind", "item_count"]
    expected = corpus.runs.filter(pl.col("experiment_name").is_not_null()).sort("run_id").select("run_id", *columns)
    assert named.sort("run_id").select("run_id", *columns).equals(expected)
    assert named["copies"].list.len().sum() == sum(map(len, corpus.runs["copies"])) * 2 - 2


def test_members_are_never_written_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packed = packed_store(tmp_path, "s.tar.gz")
    monkeypatch.chdir(tmp_path)
    read_results(packed)
    assert os.listdir(tmp_path) == ["s.tar.gz"]  # noqa: PTH208 - names are wanted
