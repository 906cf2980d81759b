"""Packed files and archives on the whole way from paths to runs."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
import zipfile
from typing import TYPE_CHECKING

import pytest

from tests.sources.stores import VERDICT, Read, item, lines, result, write
from verdict_frames.documents.limits import Limits
from verdict_frames.frames.results import read_results
from verdict_frames.sources import survey
from verdict_frames.sources.reader import ResultFiles
from verdict_frames.vocabulary import ProblemKind, SourceState

if TYPE_CHECKING:
    from pathlib import Path

RUN = result("r", items=(item("a", verdict=VERDICT), item("b", verdict=VERDICT)), experimentName="exp")


def tape(path: Path, members: dict[str, bytes]) -> Path:
    with tarfile.open(path, "w:gz" if path.name.endswith("gz") else "w") as archive:
        for name, data in members.items():
            header = tarfile.TarInfo(name)
            header.size = len(data)
            archive.addfile(header, io.BytesIO(data))
    return path


@pytest.mark.parametrize("suffix", [".json", ".jsonl", ".ndjson"])
def test_a_packed_file_is_read_like_a_plain_one(tmp_path: Path, suffix: str) -> None:
    data = json.dumps(RUN).encode() if suffix == ".json" else lines(RUN, VERDICT)
    write(tmp_path / f"plain/x{suffix}", data)
    write(tmp_path / f"packed/x{suffix.upper()}.gz", gzip.compress(data))
    plain, packed = Read(tmp_path / "plain"), Read(tmp_path / "packed")
    assert [run.items for run in packed.runs] == [run.items for run in plain.runs]
    assert packed.problems == []
    (row,), (expected,) = packed.sources, plain.sources
    assert (row.sha256, row.state) == (expected.sha256, SourceState.READ)
    assert row.size == (tmp_path / f"packed/x{suffix.upper()}.gz").stat().st_size


def test_copies_plain_packed_and_in_archives_are_one_run(tmp_path: Path) -> None:
    data = json.dumps(RUN).encode()
    write(tmp_path / "a.json", data)
    write(tmp_path / "b.json.gz", gzip.compress(data))
    tape(tmp_path / "c.tar.gz", {"exp/sessions/s/v.json": data})
    with zipfile.ZipFile(tmp_path / "d.zip", "w") as archive:
        archive.writestr("in/e.json.gz", gzip.compress(data))
    read = Read(tmp_path)
    assert read.problems == []
    assert read.run.copies == [
        f"{tmp_path}/{name}" for name in ("a.json", "b.json.gz", "c.tar.gz/exp/sessions/s/v.json", "d.zip/in/e.json.gz")
    ]
    assert (read.run.session, read.run.variant, read.run.repeat) == ("s", "v", 1)
    assert [(row.path.rpartition("/")[2], row.member, row.state.value) for row in read.sources] == [
        ("a.json", None, "read"),
        ("b.json.gz", None, "copy"),
        ("c.tar.gz", None, "read"),
        ("c.tar.gz", "exp/sessions/s/v.json", "copy"),
        ("d.zip", None, "read"),
        ("d.zip", "in/e.json.gz", "copy"),
    ]


def test_the_pattern_is_held_against_members(tmp_path: Path) -> None:
    data = json.dumps(result(None, items=(item(),))).encode()
    packed = tape(tmp_path / "nightly.tar", {"v+1/3.json": data, "../w/4.json": data})
    runs = Read(packed, path_pattern="{variant}/{repeat}.json").runs
    assert {run.run_id: (run.variant, run.repeat) for run in runs} == {
        "../w/4.json": ("w", 4),
        "v+1/3.json": ("v+1", 3),
    }
    named = Read(packed, path_pattern="{experiment}.tar/{variant}/{repeat}.json").runs
    assert {run.run_id: run.experiment_name for run in named} == {"../w/4.json": None, "v+1/3.json": "nightly"}


def test_runs_without_an_id_in_two_archives_are_told_apart(tmp_path: Path) -> None:
    for name in ("a.tar", "b.tar"):
        tape(tmp_path / name, {"one.json": json.dumps(VERDICT).encode()})
    both = [tmp_path / "a.tar", tmp_path / "b.tar"]
    assert [run.run_id for run in Read(both).runs] == [f"{path}/one.json" for path in both]
    assert [run.run_id for run in Read(tmp_path).runs] == ["a.tar/one.json", "b.tar/one.json"]


def test_lines_before_the_damage_are_read(tmp_path: Path) -> None:
    whole = gzip.compress(lines(*(item(f"i{n}", verdict=VERDICT, note="x" * 50) for n in range(4_000))))
    write(tmp_path / "x.jsonl.gz", whole[: len(whole) // 2])
    read = Read(tmp_path)
    assert 1_000 < len(read.run.items) < 3_000
    assert [item.item_id for item in read.run.items] == [f"i{n}" for n in range(len(read.run.items))]
    assert [problem.kind for problem in read.problems] == [ProblemKind.UNREADABLE, ProblemKind.SYNTAX]
    assert "can't be unpacked as a whole (it ends too soon" in read.problems[0].message


@pytest.mark.parametrize("data", [b"", b"{}", gzip.compress(json.dumps(RUN).encode())[:-20]])
def test_a_document_that_cannot_be_unpacked_is_one_problem(tmp_path: Path, data: bytes) -> None:
    write(tmp_path / "x.json.gz", data)
    read = Read(tmp_path)
    assert (read.runs, read.problem.kind) == ([], ProblemKind.UNREADABLE)
    assert read.sources[0].state is SourceState.PROBLEM


def test_a_long_packed_file_is_read_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(survey, "PART_BYTES", 5_000)
    data = lines(*(item(f"i{n}", verdict=VERDICT) for n in range(400)))
    write(tmp_path / "a/x.jsonl.gz", gzip.compress(data))
    tape(tmp_path / "b.tar.gz", {"x.jsonl": data, "y.jsonl.gz": gzip.compress(data)})
    for path, parts in ((tmp_path / "a", 7), (tmp_path / "b.tar.gz", 8)):
        read = Read(path)
        assert sum(len(run.items) for run in read.runs) in {400, 800}
        assert len(read.runs) == parts
        assert read.problems == []


def test_files_beyond_the_limits_are_problems_until_these_are_raised(tmp_path: Path) -> None:
    data = json.dumps(RUN).encode()
    write(tmp_path / "a.json.gz", gzip.compress(data))
    tape(tmp_path / "b.tar", {"r.json": data, "r.json.gz": gzip.compress(data)})
    read = Read(tmp_path, limits=Limits(member_bytes=len(data) - 1))
    assert read.runs == []
    assert [(problem.kind, problem.member) for problem in read.problems] == [
        (ProblemKind.LIMIT, None),
        (ProblemKind.LIMIT, "r.json"),
        (ProblemKind.LIMIT, "r.json.gz"),
    ]
    assert Read(tmp_path, limits=Limits(member_bytes=len(data))).problems == []


def test_problems_within_a_member_name_archive_and_member(tmp_path: Path) -> None:
    good = {"itemId": "a", "verdict": VERDICT, "costUsd": "much", "itemSlug": "\ud800"}
    packed = tape(tmp_path / "a.tar", {"d/x.json": json.dumps(result("r", items=(good,))).encode(), "y.json": b"{"})
    problems = read_results(packed).problems
    assert {row["path"] for row in problems.iter_rows(named=True)} == {str(packed)}
    assert problems.select("member", "kind").rows() == [
        ("d/x.json", "field"),
        ("y.json", "syntax"),
        ("d/x.json", "text"),
    ]


def test_records_in_an_archive_speak_of_what_lies_in_it(tmp_path: Path) -> None:
    record = {"sessionName": "s", "experimentName": "exp", "createdAt": "2026-01-01T00:00:00Z"}
    variants = [
        {"variantName": "v", "experimentId": "r", "resultFile": name} for name in ("v.json", "run.log", "w.json")
    ]
    members = {
        "exp/sessions/s/v.json": json.dumps(RUN).encode(),
        "exp/sessions/s/run.log": b"",
        "exp/sessions/s/session.json": json.dumps({**record, "variants": variants}).encode(),
    }
    read = Read(tape(tmp_path / "a.tgz", members))
    assert (read.problem.kind, read.problem.member) == (ProblemKind.MISSING, "exp/sessions/s/session.json")
    assert "points at w.json, which isn't there" in read.problem.message


def test_reading_twice_gives_the_same(tmp_path: Path) -> None:
    files = ResultFiles(tape(tmp_path / "a.tar.gz", {"r.json": json.dumps(RUN).encode(), "x.json": b"{"}))
    first = [run.run_id for run in files.runs()], files.problems, files.sources
    assert ([run.run_id for run in files.runs()], files.problems, files.sources) == first
