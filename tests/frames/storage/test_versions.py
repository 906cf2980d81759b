"""Folders of other schema versions.

`version_1` was written by verdict_frames 0.1.0 with schema version 1, and `version_1.json` holds its rows. Neither is
ever to be written again: folders like it lie on people's disks.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from verdict_frames.errors import ParquetError, SchemaError
from verdict_frames.frames.schemas.tables import SCHEMA_VERSION, TABLES, arrow_schema, polars_schema
from verdict_frames.frames.storage import files, reading, writing
from verdict_frames.frames.storage.layout import run_file
from verdict_frames.frames.storage.reading import read_parquet, scan_parquet
from verdict_frames.interpretation.stored_form import to_builtins

if TYPE_CHECKING:
    from collections.abc import Callable

    from verdict_frames.frames.corpus import Corpus

VERSION_1 = Path(__file__).parent / "version_1"
ROWS = json.loads((Path(__file__).parent / "version_1.json").read_text(encoding="utf-8"))
READERS: list[Callable[[Path], object]] = [read_parquet, scan_parquet]


def rewrite(path: Path, change: Callable[[pa.Table], pa.Table], **metadata: str) -> None:
    """Change a file and what it says about itself."""
    table = pq.read_table(path, partitioning=None)
    stated = {**table.schema.metadata, **{f"verdict_frames.{key}".encode(): value for key, value in metadata.items()}}
    pq.write_table(change(table).replace_schema_metadata(stated), path)


def rows_of(corpus: Corpus) -> dict[str, list[dict[str, object]]]:
    return {table: json.loads(frame.write_json()) for table, frame in corpus.tables().items()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return shutil.copytree(VERSION_1, tmp_path / "folder")


def test_version_1_reads_as_it_was_written() -> None:
    rows = rows_of(read_parquet(VERSION_1))
    for table, recorded in ROWS.items():
        later = polars_schema(table).keys() - (recorded[0].keys() if recorded else polars_schema(table).keys())
        assert rows[table] == [row | dict.fromkeys(later) for row in recorded], table
    assert all(ROWS[table] for table in TABLES)


def test_version_1_scans_and_rebuilds() -> None:
    assert scan_parquet(VERSION_1).items.collect().height == len(ROWS["items"])
    whole = to_builtins(read_parquet(VERSION_1).interpretation("run-1", 1))
    assert whole["root"]["evidence"]["errorCodeCounts"] == {"b": 1, "a": 0}
    assert whole["decidedBy"] == {"stage": "t", "path": ["t"], "basis": "tier_outcome"}


def test_version_1_has_the_columns_that_this_version_1_has() -> None:
    """A column that comes, goes or changes makes version 2."""
    if SCHEMA_VERSION == 1:
        for table in TABLES:
            files_there = sorted((VERSION_1 / table).glob("*.parquet")) or [VERSION_1 / f"{table}.parquet"]
            for file in files_there:
                assert pq.read_schema(file).equals(arrow_schema(table))


@pytest.mark.parametrize("read", READERS)
def test_an_older_folder_reads_with_missing_columns_null(
    folder: Path, monkeypatch: pytest.MonkeyPatch, read: Callable[[Path], object]
) -> None:
    for file in (folder / "items").glob("*.parquet"):
        rewrite(file, lambda table: table.drop(["error", "stored_reading"]).append_column("gone", table["run_id"]))
    for module in (files, reading, writing):
        monkeypatch.setattr(module, "SCHEMA_VERSION", SCHEMA_VERSION + 1)
    found = read(folder)
    items = found.items.lazy().collect()  # type: ignore[attr-defined]
    assert items.schema == polars_schema("items")
    assert items["error"].null_count() == items["stored_reading"].null_count() == 3
    kept = [
        {key: value for key, value in row.items() if key not in ("error", "stored_reading")} for row in ROWS["items"]
    ]
    assert json.loads(items.drop("error", "stored_reading").write_json()) == kept


def test_old_and_new_runs_lie_side_by_side(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A newer version adds a run to an older folder."""
    for file in (folder / "items").glob("*.parquet"):
        rewrite(file, lambda table: table.drop(["error"]))
    for module in (files, reading, writing):
        monkeypatch.setattr(module, "SCHEMA_VERSION", SCHEMA_VERSION + 1)
    corpus = read_parquet(VERSION_1)
    renamed = {
        name: frame.with_columns(pl.col("run_id").replace({"run-1": "run-2", "empty/1": "empty/2"}))
        for name, frame in corpus.tables().items()
    }
    type(corpus)(**renamed).write_parquet(folder)
    back = read_parquet(folder)
    assert sorted(back.runs["run_id"]) == ["empty/1", "empty/2", "run-1", "run-2"]
    assert back.items.group_by("run_id").agg(pl.col("error").count()).sort("run_id").rows() == [
        ("run-1", 0),
        ("run-2", 1),
    ]


@pytest.mark.parametrize("read", READERS)
def test_a_missing_column_of_this_version_is_damage(folder: Path, read: Callable[[Path], object]) -> None:
    rewrite(folder / "items" / run_file("run-1"), lambda table: table.drop(["error"]))
    with pytest.raises((ParquetError, pl.exceptions.ColumnNotFoundError), match="error"):
        read(folder).items.lazy().collect()  # type: ignore[attr-defined]


@pytest.mark.parametrize("place", ["runs/{run}", "policies.parquet", "sources.parquet", "problems.parquet"])
@pytest.mark.parametrize("read", READERS)
def test_a_newer_version_is_refused(folder: Path, read: Callable[[Path], object], place: str) -> None:
    newer = str(SCHEMA_VERSION + 1)
    file = folder / place.format(run=run_file("run-1"))
    rewrite(file, lambda table: table, schema_version=newer, interpreter_version="9.1")
    with pytest.raises(SchemaError) as caught:
        read(folder)
    assert str(caught.value) == (
        f"{file} has schema version {newer}, written by verdict_frames 9.1; this version reads up to {SCHEMA_VERSION}: "
        "install a newer verdict_frames, or export again with this one to a new folder"
    )


def test_a_newer_folder_is_not_written_to(folder: Path) -> None:
    corpus = read_parquet(folder)
    rewrite(folder / "policies.parquet", lambda table: table, schema_version="99")
    with pytest.raises(SchemaError, match="has schema version 99"):
        corpus.write_parquet(folder)
