from __future__ import annotations

import gzip
import json
import os
import re
import tarfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

from tests.conftest import OPTIONAL_DATA
from tests.interpretation.shapes import adopted, judgment, rejected, verdict
from tests.sources.stores import Read, item, lines, result, write
from verdict_frames.documents.contents import read_bytes
from verdict_frames.errors import ArgumentError, MissingPathError, TargetError
from verdict_frames.frames.results import read_results
from verdict_frames.policies import AGENT_JUDGE_0_17
from verdict_frames.sources import reexport as module
from verdict_frames.sources.reexport import reexport
from verdict_frames.sources.splicing import pieces
from verdict_frames.statistics.tally import tally
from verdict_frames.vocabulary import ProblemKind, SourceState

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from verdict_frames.documents.found import FoundFile
    from verdict_frames.sources.splicing import Splice

CORPUS = Path(__file__).parents[2] / "data" / "results"
SEED = OPTIONAL_DATA / "seeds"
ITEMS = (item("a", verdict=adopted()), item("b", verdict=None, success=False), item("c", verdict=rejected()))


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def stored(path: Path) -> Any:
    return json.loads(path.read_bytes())


def items_by_run(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """The items of every result file that the consumer program can count: interpreted, and with a reading."""
    runs = {}
    for path in sorted(folder.rglob("*.json")):
        content = stored(path)
        if isinstance(content, dict) and "items" in content and "experimentId" in content:
            items = [each for each in content["items"] if isinstance(each, dict) and each.get("interpretation")]
            runs[content["experimentId"]] = [each for each in items if each["interpretation"]["reading"] is not None]
    return runs


def test_a_folder_keeps_its_paths_and_what_is_no_result_stays_behind(tmp_path: Path) -> None:
    source = tmp_path / "results"
    write(source / "e" / "r.json", result("r", items=ITEMS))
    write(source / "e" / "sessions" / "s" / "a+b.json", result("r", items=ITEMS))
    write(source / "e" / "index.json", {"entries": []})
    write(source / "e" / "dataset.json", {"items": [{"id": 1, "slug": "x"}]})
    write(source / "e" / "workspaces" / "w" / "x.json", verdict())
    write(source / "lines.jsonl", lines(verdict(), item("a", verdict=verdict())))
    write(source / "cut.json", b'{"experimentId": "x", "items": [{"itemId": ')
    write(source / "é ü.verdict.json", verdict())
    before = tree(source)
    report = reexport(source, tmp_path / "out")
    assert tree(source) == before
    assert sorted(tree(tmp_path / "out")) == ["e/r.json", "e/sessions/s/a+b.json", "lines.jsonl", "é ü.verdict.json"]
    assert [Path(file.target).relative_to(tmp_path / "out").as_posix() for file in report.files] == [
        file.path.removeprefix(f"{source}/") for file in report.files
    ]
    assert [(file.added, file.replaced, file.kept, file.without_verdict) for file in report.files] == [
        (2, 0, 0, 1),
        (2, 0, 0, 1),
        (2, 0, 0, 0),
        (1, 0, 0, 0),
    ]
    assert (report.added, report.replaced, report.kept) == (7, 0, 0)
    assert [(row.path.removeprefix(f"{source}/"), row.state) for row in report.skipped] == [
        ("e/dataset.json", SourceState.FOREIGN),
        ("e/index.json", SourceState.SKIPPED),
        ("e/workspaces/", SourceState.SKIPPED),
    ]
    problems = {problem.path.removeprefix(f"{source}/"): problem.kind for problem in report.problems}
    assert problems == {"cut.json": ProblemKind.SYNTAX, "e/dataset.json": ProblemKind.FOREIGN}
    assert len(Read(tmp_path / "out").runs) == 3


def test_its_own_output_is_written_byte_for_byte(tmp_path: Path) -> None:
    write(tmp_path / "in" / "r.json", result(items=ITEMS))
    write(tmp_path / "in" / "v.jsonl", lines(verdict(), b'{"broken', item("a", verdict=verdict())))
    reexport(tmp_path / "in", tmp_path / "one")
    report = reexport(tmp_path / "one", tmp_path / "two")
    assert tree(tmp_path / "two") == tree(tmp_path / "one")
    assert (report.added, report.replaced, report.kept) == (0, 0, 4)
    assert reexport(tmp_path / "one", tmp_path / "three", replace=True).replaced == 4
    assert tree(tmp_path / "three") == tree(tmp_path / "one")
    assert reexport(tmp_path / "in", tmp_path / "one").added == 4  # a target that is there is written again
    assert tree(tmp_path / "two") == tree(tmp_path / "one")


def test_a_broken_line_is_copied_as_it_is_and_reported(tmp_path: Path) -> None:
    data = lines(verdict(), b'{"aggregated": {', b"  ", {"some": "thing"}, verdict(judgment("fail")))
    report = reexport(write(tmp_path / "v.jsonl", data), tmp_path / "out.jsonl")
    made = (tmp_path / "out.jsonl").read_bytes().split(b"\n")
    assert made[1:4] == data.split(b"\n")[1:4]
    assert [json.loads(made[at])["interpretation"]["reading"] for at in (0, 4)] == ["ACCEPTED", "REJECTED"]
    (problem,) = report.problems
    assert (problem.kind, problem.line) == (ProblemKind.SYNTAX, 2)


def test_one_file_goes_into_a_file_or_a_folder(tmp_path: Path) -> None:
    source = write(tmp_path / "r.json", result(items=ITEMS))
    reexport(source, tmp_path / "deep" / "er" / "out.json")
    reexport(str(source), f"{tmp_path}/new/")
    (tmp_path / "there").mkdir()
    reexport([source], tmp_path / "there")
    made = (tmp_path / "deep" / "er" / "out.json").read_bytes()
    assert (tmp_path / "new" / "r.json").read_bytes() == (tmp_path / "there" / "r.json").read_bytes() == made
    assert "interpretation" in stored(tmp_path / "new" / "r.json")["items"][0]


@pytest.mark.parametrize(
    ("sources", "target", "message"),
    [
        (["in"], "in", "is the source .*in or lies within it"),
        (["in"], "in/sub/new", "or lies within it"),
        (["in"], "link/sub", "or lies within it"),
        (["in/r.json"], "in/r.json", "would be written over the source"),
        (["in/r.json"], "in", "would be written over the source"),
        (["in/r.json"], "link/r.json", "would be written over the source"),
        (["in/sub"], ".", "would be written over the source .*sub/in/r.json"),
        (["in", "other"], "file.txt", "is a file, and several files may come out"),
        (["in"], "file.txt", "is a file, and several files may come out"),
        (["in", "other"], "out", "would both be written to .*r.json"),
    ],
)
def test_targets_that_are_refused_before_anything_is_written(
    tmp_path: Path, sources: list[str], target: str, message: str
) -> None:
    write(tmp_path / "in" / "r.json", result(items=ITEMS))
    write(tmp_path / "in" / "sub" / "in" / "r.json", result(items=ITEMS))
    write(tmp_path / "in" / "sub" / "in" / "sub" / "in" / "r.json", result(items=ITEMS))
    write(tmp_path / "other" / "r.json", result(items=ITEMS))
    write(tmp_path / "file.txt", "text")
    (tmp_path / "link").symlink_to(tmp_path / "in")
    before = tree(tmp_path)
    with pytest.raises(TargetError, match=message):
        reexport([tmp_path / source for source in sources], tmp_path / target)
    assert tree(tmp_path) == before


def test_what_names_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MissingPathError):
        reexport(tmp_path / "none", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_glob_keeps_paths_below_its_first_star(tmp_path: Path) -> None:
    write(tmp_path / "in" / "a" / "r.json", result(items=ITEMS))
    write(tmp_path / "in" / "b" / "r.json", result("s", items=ITEMS))
    reexport(f"{tmp_path}/in/*/r.json", tmp_path / "out")
    assert sorted(tree(tmp_path / "out")) == ["a/r.json", "b/r.json"]


def test_a_file_that_cannot_be_read_is_reported_and_the_others_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "in" / "a.json", result("a", items=ITEMS))
    write(tmp_path / "in" / "b.json", result("b", items=ITEMS))

    def refuse(file: FoundFile) -> bytes:
        if file.path.endswith("a.json"):
            raise PermissionError(13, "Permission denied")
        return read_bytes(file)

    monkeypatch.setattr(module, "read_bytes", refuse)
    report = reexport(tmp_path / "in", tmp_path / "out")
    assert list(tree(tmp_path / "out")) == ["b.json"]
    (problem,) = report.problems
    assert problem.kind is ProblemKind.UNREADABLE
    assert "Permission denied" in problem.message
    assert report.skipped == ()


@pytest.mark.parametrize("step", ["write", "fsync", "replace"])
@pytest.mark.parametrize("trouble", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_write_that_breaks_off_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, trouble: BaseException
) -> None:
    write(tmp_path / "in" / "a.json", result("a", items=ITEMS))
    write(tmp_path / "in" / "b.json", result("b", items=ITEMS))
    write(tmp_path / "out" / "b.json", "earlier")
    calls = Counter[str]()

    def breaks(name: str) -> bool:
        calls[name] += 1
        return name == step and calls[name] == 2

    def half_written(data: bytes, splices: Sequence[Splice]) -> Iterator[bytes | memoryview]:
        whole = list(pieces(data, splices))
        yield from whole[:1]
        if breaks("write"):
            raise trouble
        yield from whole[1:]

    def synced(stream: int) -> None:
        if breaks("fsync"):
            raise trouble
        fsync(stream)

    def replaced(path: Path, place: Path) -> Path:
        if breaks("replace"):
            raise trouble
        return replace(path, place)

    fsync, replace = os.fsync, Path.replace
    monkeypatch.setattr(module, "pieces", half_written)
    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "replace", replaced)
    with pytest.raises(TargetError if isinstance(trouble, OSError) else KeyboardInterrupt):
        reexport(tmp_path / "in", tmp_path / "out")
    monkeypatch.undo()
    made = tree(tmp_path / "out")
    assert sorted(made) == ["a.json", "b.json"]
    assert made["b.json"] == b"earlier"
    assert "interpretation" in json.loads(made["a.json"])["items"][0]
    reexport(tmp_path / "in", tmp_path / "out")
    assert "interpretation" in stored(tmp_path / "out" / "b.json")["items"][0]


def test_a_target_whose_parent_is_a_file_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "file", "text")
    source = write(tmp_path / "r.json", result(items=ITEMS))
    with pytest.raises(TargetError, match=r"out.json can't be written: (File exists|Not a directory)"):
        reexport(source, tmp_path / "file" / "out.json")


def test_progress_counts_bytes(tmp_path: Path) -> None:
    one = write(tmp_path / "in" / "a.json", result("a", items=ITEMS)).stat().st_size
    two = write(tmp_path / "in" / "b.json", result("b")).stat().st_size
    seen: list[tuple[int, int]] = []
    reexport(tmp_path / "in", tmp_path / "out", progress=lambda done, size: seen.append((done, size)))
    assert seen == [(0, one + two), (one, one + two), (one + two, one + two)]


def test_the_corpus_says_the_same_before_and_after(tmp_path: Path) -> None:
    report = reexport(CORPUS, tmp_path / "out")
    before, after = read_results(CORPUS), read_results(tmp_path / "out")
    assert report.added > 0
    key = ["run_id", "item_index"]
    counted = [
        *key,
        "reading",
        "reading_support",
        "defect_count",
        "stage_count",
        "has_verdict",
        "interpretation_origin",
    ]
    assert before.items.select(counted).sort(key).equals(after.items.select(counted).sort(key))
    assert tally(before).equals(tally(after))
    judged = after.items.filter(pl.col("has_verdict"))
    assert judged.get_column("stored_reading").equals(judged.get_column("reading"))
    for name, made in tree(tmp_path / "out").items():
        assert without_interpretations(made) == without_interpretations((CORPUS / name).read_bytes())


def without_interpretations(data: bytes) -> Any:
    """The pairs of a document or of its lines, numbers as they are spelt, interpretations aside."""

    def aside(pairs: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
        return [pair for pair in pairs if pair[0] != "interpretation"]

    decoder = json.JSONDecoder(object_pairs_hook=aside, parse_float=str, parse_int=str)
    texts = [data.decode()] if data.lstrip()[:1] in b"[{" and data.count(b"\n{") == 0 else data.decode().split("\n")
    return [decoder.decode(text) for text in texts if text.strip()]


def consumer() -> dict[str, Any]:
    """The consumer program of the optional data, as it stands there."""
    (page,) = (path for path in SEED.glob("*.txt") if "COUNT_UNVERIFIED" in path.read_text(encoding="utf-8"))
    code = re.search(r"```python[^\n]*\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    assert code is not None
    names: dict[str, Any] = {}
    exec(code[1], names)  # noqa: S102 - a program that is to be run
    return names


@pytest.mark.skipif(not OPTIONAL_DATA.exists(), reason="the optional conformance data is not here")
def test_the_consumer_program_counts_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = consumer()
    reexport(CORPUS, tmp_path / "out")
    runs = items_by_run(tmp_path / "out")
    seen = 0
    for row in tally(read_results(CORPUS), "run_id", policy=AGENT_JUDGE_0_17).iter_rows(named=True):
        if row["left_out"] or row["run_id"] not in runs:
            continue
        items = runs[row["run_id"]]
        counted = program["tally"](items)
        assert counted["passes"] == row["passes"]
        assert counted["nonPasses"] == row["non_passes"]
        assert counted["excluded"] == row["excluded"]
        assert counted["instrumentFailures"] == row["instrument_failures"]
        assert counted["unverified"] == row["unverified"]
        assert program["pass_rate"](counted) == row["pass_rate"]
        for each in items:
            program["describe"](each)
        seen += len(items)
    assert seen > 40
    assert capsys.readouterr().out.count("\n") > seen


@pytest.mark.skipif(not OPTIONAL_DATA.exists(), reason="the optional conformance data is not here")
def test_the_consumer_program_runs_where_nothing_can_be_counted(tmp_path: Path) -> None:
    program = consumer()
    errored = verdict(judgment("error"), {"a": judgment("error")})
    source = write(tmp_path / "r.json", result("r", items=(item("a", verdict=errored), item("b", verdict=None))))
    reexport(source, tmp_path / "out" / "r.json")
    (items,) = items_by_run(tmp_path / "out").values()
    counted = program["tally"](items)
    assert dict(counted) == {"unverified": 1, "instrumentFailures": 1}
    assert program["pass_rate"](counted) is None
    assert tally(read_results(source)).row(0, named=True)["pass_rate"] is None


def test_wrong_calls_raise_in_one_line(tmp_path: Path) -> None:
    wrong: list[tuple[Any, Any]] = [
        (None, tmp_path / "out"),
        (5, tmp_path / "out"),
        (tmp_path, None),
        (tmp_path, b"out"),
        (tmp_path, ""),
        (tmp_path, "a\0b"),
    ]
    for source, target in wrong:
        with pytest.raises(ArgumentError) as caught:
            reexport(source, target)
        assert "\n" not in str(caught.value)


def test_what_is_packed_is_not_copied_and_told(tmp_path: Path) -> None:
    source = tmp_path / "results"
    write(source / "r.json", result("r", items=ITEMS))
    write(source / "p.json.gz", gzip.compress(json.dumps(result("p", items=ITEMS)).encode()))
    with tarfile.open(source / "a.tar.gz", "w:gz") as archive:
        archive.add(source / "r.json", "r.json")
    report = reexport(source, tmp_path / "out")
    assert [file.path for file in report.files] == [f"{source}/r.json"]
    assert [(problem.path, problem.kind) for problem in report.problems] == [
        (f"{source}/a.tar.gz", ProblemKind.UNREADABLE),
        (f"{source}/p.json.gz", ProblemKind.UNREADABLE),
    ]
    assert all("it isn't copied" in problem.message for problem in report.problems)
    assert list(tree(tmp_path / "out")) == ["r.json"]
    alone = reexport(source / "a.tar.gz", tmp_path / "alone.json")
    assert (alone.files, len(alone.problems)) == ((), 1)
