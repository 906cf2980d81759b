from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from tests.sources.stores import VERDICT, Read, item, lines, result, write
from verdict_frames.documents import contents
from verdict_frames.documents.contents import read_bytes
from verdict_frames.documents.listing import list_files
from verdict_frames.sources import reading
from verdict_frames.sources.survey import survey
from verdict_frames.vocabulary import ProblemKind

if TYPE_CHECKING:
    from pathlib import Path

    from verdict_frames.documents.found import FoundFile

UUID = "3f2b8f0e-0000-4000-8000-000000000001"
OTHER = "3f2b8f0e-0000-4000-8000-000000000002"


def run(*, items: int = 1, interpreted: int = 0, run_id: str = UUID, **members: Any) -> dict[str, Any]:
    made = [
        item(f"i{n}", verdict=VERDICT, **({"interpretation": {"root": n}} if n < interpreted else {}))
        for n in range(items)
    ]
    return result(run_id, items=made, experimentName="exp", **members)


def test_both_copies_of_a_session_run_are_one_run(tmp_path: Path) -> None:
    stored = run()
    write(tmp_path / f"exp/{UUID}.json", stored)
    write(tmp_path / "exp/sessions/s1/hardened+skills.json", stored)
    read = Read(tmp_path)
    assert read.run.path == f"{tmp_path}/exp/{UUID}.json"
    assert read.run.copies == [read.run.path, f"{tmp_path}/exp/sessions/s1/hardened+skills.json"]
    assert (read.run.session, read.run.variant) == ("s1", "hardened+skills")
    assert len(read.run.items) == 1
    assert read.problems == []
    assert read.states(tmp_path) == {
        f"exp/{UUID}.json": ("read", UUID),
        "exp/sessions/s1/hardened+skills.json": ("copy", UUID),
    }


@pytest.mark.parametrize(
    ("first", "second", "chosen"),
    [
        (run(items=1, interpreted=1), run(items=2), "sessions/s/v.json"),
        (run(items=2), run(items=2, interpreted=1), "sessions/s/v.json"),
        (run(items=2, interpreted=1), run(items=2, interpreted=1), f"{UUID}.json"),
        (run(items=2, interpreted=2), run(items=2, interpreted=1), f"{UUID}.json"),
    ],
)
def test_most_items_then_interpretations_then_the_uuid(
    tmp_path: Path, first: object, second: object, chosen: str
) -> None:
    write(tmp_path / f"{UUID}.json", first)
    write(tmp_path / "sessions/s/v.json", second)
    read = Read(tmp_path)
    assert read.run.path == f"{tmp_path}/{chosen}"
    assert (read.run.session, read.run.variant) == ("s", "v")


def test_path_order_is_last(tmp_path: Path) -> None:
    for name in ("c", "a", "b"):
        write(tmp_path / f"{name}.json", run())
    assert Read(tmp_path).run.path == f"{tmp_path}/a.json"


def test_copies_that_differ_in_interpretation_alone_do_not_conflict(tmp_path: Path) -> None:
    write(tmp_path / "a.json", run(items=2))
    write(tmp_path / "b.json", json.dumps(run(items=2, interpreted=2)))
    read = Read(tmp_path)
    assert read.problems == []
    assert read.run.path == f"{tmp_path}/b.json"


@pytest.mark.parametrize(
    ("other", "key"),
    [
        (run(items=1), "`items`"),
        (run(items=2, passRate=0.5), "`passRate`"),
        (run(items=2, codeVersion=None), "`codeVersion`"),
    ],
)
def test_copies_that_differ_are_one_conflict(tmp_path: Path, other: object, key: str) -> None:
    write(tmp_path / "a.json", run(items=2))
    write(tmp_path / "b.json", other)
    write(tmp_path / "c.json", other)
    read = Read(tmp_path)
    problem = read.problem
    assert (problem.kind, problem.run_id, problem.path) == (ProblemKind.CONFLICT, UUID, f"{tmp_path}/a.json")
    assert f"b.json ({len(other['items'])} items) differs in {key}" in problem.message  # type: ignore[index]
    assert "c.json" not in problem.message, "c holds the same bytes as b"
    assert problem.message.endswith("read was " + f"{tmp_path}/a.json (2 items)")
    assert read.states(tmp_path) == {"a.json": ("read", UUID), "b.json": ("copy", UUID), "c.json": ("copy", UUID)}


def test_a_difference_in_what_is_not_read_is_told_too(tmp_path: Path) -> None:
    write(tmp_path / "a.json", result(UUID, items=(item(executionDetail={"phases": [1]}),)))
    write(tmp_path / "b.json", result(UUID, items=(item(executionDetail={"phases": [2]}),)))
    assert Read(tmp_path).problem.kind is ProblemKind.CONFLICT


def test_equal_bytes_are_not_decoded_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unwanted(_data: bytes) -> object:
        raise AssertionError

    monkeypatch.setattr(reading, "decode_whole", unwanted)
    for name in "ab":
        write(tmp_path / f"{name}.json", run())
    assert Read(tmp_path).problems == []


def test_layout_and_number_spelling_do_not_conflict(tmp_path: Path) -> None:
    write(tmp_path / "a.json", json.dumps(run(totalCostUsd=1.0), indent=3))
    write(tmp_path / "b.json", json.dumps(run(totalCostUsd=1.0)).replace("1.0", "10e-1"))
    assert Read(tmp_path).problems == []


def test_a_copy_that_cannot_be_decoded_gives_way_to_the_next(tmp_path: Path) -> None:
    """Its keys can be told, so it is the better copy by its items; its verdict's text is no UTF-8."""
    broken = json.dumps(run(items=2)).encode().replace(b'"pass"', b'"\xff"')
    write(tmp_path / "a.json", broken)
    write(tmp_path / "b.json", run(items=1))
    read = Read(tmp_path)
    assert read.run.path == f"{tmp_path}/b.json"
    assert read.run.copies == [f"{tmp_path}/b.json"]
    assert (read.problem.kind, read.problem.path) == (ProblemKind.SYNTAX, f"{tmp_path}/a.json")
    assert read.states(tmp_path) == {"a.json": ("problem", None), "b.json": ("read", UUID)}


def test_a_run_in_lines_and_in_a_file_is_one(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", lines(run(), run(run_id=OTHER), run(items=2)))
    write(tmp_path / "b.json", run(run_id=OTHER))
    read = Read(tmp_path)
    assert [(found.run_id, len(found.items), found.copies) for found in read.runs] == [
        (OTHER, 1, [f"{tmp_path}/a.jsonl", f"{tmp_path}/b.json"]),
        (UUID, 2, [f"{tmp_path}/a.jsonl"]),
    ]
    assert (read.problem.kind, read.problem.run_id) == (ProblemKind.CONFLICT, UUID)
    assert read.states(tmp_path) == {"a.jsonl": ("read", None), "b.json": ("copy", OTHER)}


def test_one_run_under_two_variants_is_told(tmp_path: Path) -> None:
    for session in ("s1", "s2"):
        write(tmp_path / f"sessions/{session}/v.json", run())
    read = Read(tmp_path)
    assert (read.run.session, read.run.variant) == ("s1", "v")
    assert read.problem.kind is ProblemKind.CONFLICT
    assert "under several sessions (s1, s2); s1 was taken" in read.problem.message


def test_a_variant_run_again_in_one_session_keeps_the_older_run(tmp_path: Path) -> None:
    write(tmp_path / f"exp/{UUID}.json", run())
    write(tmp_path / f"exp/{OTHER}.json", run(run_id=OTHER))
    write(tmp_path / "exp/sessions/s/v.json", run(run_id=OTHER))
    assert [(found.run_id, found.variant) for found in Read(tmp_path).runs] == [(UUID, None), (OTHER, "v")]


def test_broken_items_do_not_make_a_copy_the_better_one(tmp_path: Path) -> None:
    write(tmp_path / "a.json", run(items=1))
    write(tmp_path / "b.json", {**run(), "items": [1, None, "x", [], True]})
    read = Read(tmp_path)
    assert (read.run.path, len(read.run.items)) == (f"{tmp_path}/a.json", 1)
    assert "b.json (0 items) differs in `items`" in read.problem.message


@pytest.mark.parametrize(("one", "other"), [(1, True), (0, False), (1, 1.0), (0.0, -0.0), ([1], [True])])
def test_values_that_python_takes_for_equal_are_a_conflict(tmp_path: Path, one: object, other: object) -> None:
    write(tmp_path / "a.json", run(seen=one))
    write(tmp_path / "b.json", run(seen=other))
    assert "differs in `seen`" in Read(tmp_path).problem.message


def test_deeply_nested_copies_are_compared(tmp_path: Path) -> None:
    for name, end in (("a", "1"), ("b", "2"), ("c", "1 ")):
        text = json.dumps(run(deep="here")).replace('"here"', "[" * 600 + end + "]" * 600)
        write(tmp_path / f"{name}.json", text)
    message = Read(tmp_path).problem.message
    assert "b.json (1 items) differs in `deep`" in message
    assert "c.json" not in message


def test_keys_and_names_from_files_stay_in_one_line(tmp_path: Path) -> None:
    write(tmp_path / "a.json", {**run(), "x\n\x1b[31m": 1})
    write(tmp_path / "sessions/s/a\nb.json", {**run(), "x\n\x1b[31m": 2})
    write(tmp_path / "sessions/s/c.json", {**run(), "x\n\x1b[31m": 2})
    message = Read(tmp_path).problem.message
    assert message.isprintable()
    assert r"differs in `x\n\x1b[31m`" in message
    assert r"several variants (a\nb, c); a\nb was taken" in message


def test_an_array_of_runs_is_split_once_in_each_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where each run is compared with its copy in a second array."""
    runs = [run(run_id=f"r{n}", items=2) for n in range(20)]
    write(tmp_path / "a.json", json.dumps(runs))
    write(tmp_path / "b.json", json.dumps(runs[::-1], indent=1))
    reads: Counter[str] = Counter()
    original = read_bytes

    def counted(file: FoundFile, **part: Any) -> bytes:
        reads[file.path] += 1
        return original(file, **part)

    for module in (contents, reading):
        monkeypatch.setattr(module, "read_bytes", counted)
    read = Read(tmp_path)
    assert [found.run_id for found in read.runs] == [f"r{n}" for n in range(20)]
    assert read.problems == []
    assert reads == {f"{tmp_path}/a.json": 2, f"{tmp_path}/b.json": 2}


def test_no_more_than_two_arrays_are_kept(tmp_path: Path) -> None:
    for name in "abcd":
        write(tmp_path / f"{name}.json", json.dumps([run(run_id=f"{name}{n}") for n in range(3)]))
    kept = reading.CopyBytes()
    files = list_files(tmp_path).files
    for file in files:
        data = read_bytes(file)
        copies = survey(file, data, "")
        assert isinstance(copies, list)
        for copy in copies:
            assert json.loads(kept.of(copy))["experimentId"] == copy.experiment_id
            assert len(kept._arrays) <= 2
    assert list(kept._arrays) == [file.opens for file in files[2:]]
