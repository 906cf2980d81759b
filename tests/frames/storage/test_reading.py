"""What is not as an export leaves it: half-written runs are passed over, everything else is named."""

from __future__ import annotations

import dataclasses
import shutil
from typing import TYPE_CHECKING

import polars as pl
import pyarrow.parquet as pq
import pytest

from tests.frames.builders import corpus_of
from tests.frames.storage.corpora import assert_same, full_corpus, full_run
from tests.frames.storage.test_versions import rewrite
from verdict_frames.errors import ArgumentError, MissingPathError, ParquetError, SchemaError
from verdict_frames.frames.corpus import concat
from verdict_frames.frames.storage.layout import RUN_TABLES, run_file
from verdict_frames.frames.storage.reading import read_parquet, scan_parquet
from verdict_frames.statistics.tally import tally

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

READERS: list[Callable[[Path], object]] = [read_parquet, scan_parquet]
RUN = run_file("run-1")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    full_corpus().write_parquet(tmp_path / "folder")
    return tmp_path / "folder"


def test_rows_of_a_run_that_is_not_in_runs_are_passed_over(folder: Path, tmp_path: Path) -> None:
    corpus_of(full_run("half")).write_parquet(tmp_path / "other")
    for table in RUN_TABLES[1:]:
        shutil.copy(tmp_path / "other" / table / run_file("half"), folder / table)
    assert_same(read_parquet(folder), full_corpus())
    for table in RUN_TABLES:
        assert "half" not in getattr(scan_parquet(folder), table).collect()["run_id"]


def test_sources_of_a_run_that_is_not_in_runs_are_passed_over(folder: Path) -> None:
    (folder / "runs" / RUN).unlink()
    corpus = read_parquet(folder)
    assert corpus.sources["path"].to_list() == ["skipped.json"]
    assert scan_parquet(folder).sources.collect()["path"].to_list() == ["skipped.json"]
    assert corpus.problems["path"].to_list() == ["broken.json", "run-1.json"]


def test_what_is_unfinished_or_hidden_is_passed_over(folder: Path) -> None:
    for place in (".unfinished/items.parquet", "runs/.runs.parquet", "items/.x.parquet", "items/notes.txt"):
        (folder / place).parent.mkdir(exist_ok=True)
        (folder / place).write_bytes(b"no parquet")
    assert_same(read_parquet(folder), full_corpus())


@pytest.mark.parametrize("read", READERS)
def test_no_folder_and_no_exported_folder(tmp_path: Path, folder: Path, read: Callable[[Path], object]) -> None:
    with pytest.raises(MissingPathError, match=r"there is no folder '.*gone'; name one that was written by an export"):
        read(tmp_path / "gone")
    with pytest.raises(ParquetError, match=r"it has no policies.parquet and no runs/empty.parquet$"):
        read(tmp_path)
    with pytest.raises(ParquetError, match="is no exported folder"):
        read(folder / "policies.parquet")
    (folder / "policies.parquet").unlink()
    with pytest.raises(ParquetError, match=r"it has no policies.parquet$"):
        read(folder)
    with pytest.raises(ArgumentError, match="not int: 3"):
        read(3)  # type: ignore[arg-type]


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize("table", ["items", "seats", "run_facts"])
def test_a_missing_file_is_named(folder: Path, read: Callable[[Path], object], table: str) -> None:
    (folder / table / RUN).unlink()
    with pytest.raises(ParquetError, match=rf"^\S+/{table}/{RUN} is missing, and \S+/runs/{RUN} says"):
        read(folder)


def damaged(file: Path, how: str) -> None:
    data = file.read_bytes()
    match how:
        case "empty":
            file.write_bytes(b"")
        case "cut":
            file.write_bytes(data[: len(data) // 2])
        case "text":
            file.write_text("no parquet at all")
        case "page":  # the file begins with the first column's dictionary page
            file.write_bytes(data[:8] + bytes(60) + data[68:])


@pytest.mark.parametrize("how", ["empty", "cut", "text", "page"])
@pytest.mark.parametrize("place", [f"items/{RUN}", f"runs/{RUN}", "sources.parquet"])
def test_a_damaged_file_is_named_in_one_line(folder: Path, how: str, place: str) -> None:
    damaged(folder / place, how)
    with pytest.raises(ParquetError) as caught:
        read_parquet(folder)
    message = str(caught.value)
    assert message.startswith(str(folder / place))
    assert "damaged" in message
    assert "\n" not in message


def test_other_peoples_files_are_named(folder: Path) -> None:
    pl.DataFrame({"x": [1]}).write_parquet(folder / "runs" / "mine.parquet")
    with pytest.raises(ParquetError, match=r"runs/mine.parquet doesn't state its schema version"):
        read_parquet(folder)


def test_rows_that_differ_from_what_runs_says_are_named(folder: Path) -> None:
    rewrite(folder / "scores" / RUN, lambda table: table.slice(1))
    with pytest.raises(ParquetError, match=rf"scores/{RUN} holds 1 rows of run 'run-1', and .* says that there are 2"):
        read_parquet(folder)


def test_a_run_file_holds_one_run(folder: Path) -> None:
    rewrite(folder / "runs" / RUN, lambda table: table.slice(1))
    with pytest.raises(ParquetError, match=rf"runs/{RUN} holds 0 rows, and should hold the one of its run"):
        scan_parquet(folder)


def test_values_are_validated(folder: Path) -> None:
    file = folder / "scores" / RUN
    table = pq.read_table(file, partitioning=None)
    nan = pl.DataFrame(table).with_columns(value=pl.lit(float("nan"))).to_arrow().cast(table.schema)
    pq.write_table(nan.replace_schema_metadata(table.schema.metadata), file)
    with pytest.raises(SchemaError, match=r"scores.value"):
        read_parquet(folder)


def test_an_unknown_token_is_named(folder: Path) -> None:
    file = folder / "runs" / RUN
    table = pq.read_table(file, partitioning=None)
    odd = pl.DataFrame(table).with_columns(kind=pl.lit("odd")).to_arrow().cast(table.schema)
    pq.write_table(odd.replace_schema_metadata(table.schema.metadata), file)
    with pytest.raises(ParquetError, match=r"runs.*doesn't keep to the columns of runs: .*odd"):
        read_parquet(folder)


def test_a_scan_is_frozen_and_counts(folder: Path) -> None:
    scan = scan_parquet(folder)
    with pytest.raises(dataclasses.FrozenInstanceError):
        scan.items = scan.runs  # type: ignore[misc]
    counts = tally(scan.items).select("total", "non_passes", "passes").row(0)
    assert counts == tally(full_corpus()).select("total", "non_passes", "passes").row(0)


def test_an_empty_corpus_comes_back(tmp_path: Path) -> None:
    concat([]).write_parquet(tmp_path)
    assert_same(read_parquet(tmp_path), concat([]))
