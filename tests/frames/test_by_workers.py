"""Reading by several processes gives what reading by one gives, to the order of rows and problems."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.frames import deadly
from tests.frames.builders import ACCEPTING, REJECTING
from verdict_frames.errors import OptionError
from verdict_frames.frames import by_workers
from verdict_frames.frames.results import read_results
from verdict_frames.frames.storage.exporting import export_results
from verdict_frames.interpretation.reader import interpret
from verdict_frames.interpretation.stored_form import to_builtins
from verdict_frames.sources import survey

if TYPE_CHECKING:
    from verdict_frames.frames.corpus import Corpus

STORE = Path(__file__).parents[2] / "data" / "results"


def assert_equal(one: Corpus, other: Corpus) -> None:
    for table, frame in one.tables().items():
        assert frame.equals(other.tables()[table]), table


def item(number: int, verdict: object = ACCEPTING, **members: object) -> dict[str, Any]:
    return {"itemId": f"i{number}", "verdict": verdict, **members}


def result(run_id: str | None, *items: object, **members: object) -> str:
    """A result file, its surrogates escaped."""
    return json.dumps({"experimentId": run_id, "experimentName": "e", "items": items, **members})


def write_long_lines(path: Path) -> None:
    """More than two parts: verdicts and items, blank lines, marks, broken lines and unpaired surrogates in each."""
    prose = "x" * 60_000
    long = [{**ACCEPTING, "aggregated": {**ACCEPTING["aggregated"], "reasoning": prose}} for _ in range(2)]
    with path.open("w", encoding="utf-8") as lines:
        for number in range(60):
            lines.write(json.dumps(long[0]) + "\n")
            lines.write(json.dumps(item(number, {**REJECTING, "note": prose}, scores={"s": number})) + "\n\n")
            if number % 7 == 0:
                lines.write(
                    "\ufeff" + json.dumps(REJECTING) + "\n{broken\n" + '{"itemId": "a\\ud800", "verdict": {}}\n'
                )
            if number % 11 == 0:
                lines.write(result(f"within {number}", item(0)) + "\n[]\n" + '{"message": "foreign"}\n')


def write_store(folder: Path) -> None:
    """Copies, conflicts, surrogates, ids that must be renamed, arrays, lines, and things that can't be read."""
    (folder / "sessions").mkdir()
    files = {
        "a.json": result("twice", item(0), item(1), datasetVersion="1"),
        "sessions/b.json": result("twice", item(0), datasetVersion="2"),
        "c.json": result("lone \ud800", item(0, scores={f"n {chr(code)}": 1 for code in (0xD800, 0xD801)})),
        "d.json": result("lone \ud801", item(0, error="\udfff")),
        "e.json": result("lone \N{REPLACEMENT CHARACTER}", item(0)),
        "f.json": result("numbers", item(0, costUsd="x", totalTokens=10**30), conditions={"values": {"\ud800": "v"}}),
        "g.json": json.dumps([json.loads(result(f"in array {n}", item(n))) for n in range(5)] + [ACCEPTING]),
        "h.json": json.dumps([json.loads(result(f"in array {n}", item(n))) for n in range(3, 8)]),
        "i.json": result("stored", item(0, interpretation={"reading": 1}), item(1, interpretation=stored())),
        "j.json": "{",
        "k.json": '{"message": 1}',
        "l.verdict.json": json.dumps(REJECTING),
        "m.jsonl": f"{json.dumps(ACCEPTING)}\n{{\n{result('twice', item(0), item(1), item(2))}\n",
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    write_long_lines(folder / "long.jsonl")


def stored() -> dict[str, Any]:
    return {**to_builtins(interpret(ACCEPTING)), "reading": "REJECTED"}


def test_several_processes_read_what_one_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_store(tmp_path)
    once = read_results([tmp_path, STORE])
    assert {"conflict", "field", "foreign", "syntax", "text"} <= set(once.problems["kind"])
    assert once.runs["run_id"].str.contains("\N{REPLACEMENT CHARACTER}").sum() == 3
    assert once.runs.filter(once.runs["path"].str.ends_with("long.jsonl"))["item_count"].max() == 60 * 2 + 9
    monkeypatch.setattr(by_workers, "PIECE_BYTES", 1_000)
    calls: list[tuple[int, int]] = []
    twice = read_results([tmp_path, STORE], workers=2, progress=lambda done, whole: calls.append((done, whole)))
    assert_equal(once, twice)
    assert [done for done, _ in calls] == sorted(done for done, _ in calls)
    assert (calls[0][0], calls[-1][0]) == (0, calls[-1][1])


def test_parts_of_a_file_of_lines_are_read_as_the_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_long_lines(tmp_path / "long.jsonl")
    in_parts = read_results(tmp_path)
    monkeypatch.setattr(survey, "PART_BYTES", 10**9)
    assert_equal(in_parts, read_results(tmp_path))
    monkeypatch.setattr(survey, "PART_BYTES", 1)
    assert_equal(in_parts, read_results(tmp_path))


def test_what_several_processes_export_is_what_one_exports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "source"
    source.mkdir()
    write_store(source)
    monkeypatch.setattr(by_workers, "PIECE_BYTES", 1_000)
    for workers in (1, 2):
        export_results(source, tmp_path / str(workers), workers=workers)
    read_results(source).write_parquet(tmp_path / "0")
    made = [
        {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*.parquet"))}
        for folder in (tmp_path / name for name in "012")
    ]
    assert made[0] == made[1] == made[2]
    assert made[0]


def test_a_worker_that_dies_costs_no_more_than_what_it_had(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("before", "kill", "once", "then"):
        (tmp_path / f"{name}.json").write_text(result(name, item(0)))
    monkeypatch.setattr(by_workers, "PIECE_BYTES", 1)
    monkeypatch.setattr(by_workers, "flatten_piece", deadly.flatten_unless_deadly)
    corpus = read_results(tmp_path, workers=2)
    assert corpus.runs["run_id"].to_list() == ["before", "once", "then"]
    states = dict(corpus.sources.select("path", "state").rows())
    assert [states[str(tmp_path / f"{name}.json")] for name in ("before", "kill", "once", "then")] == [
        *("read", "problem", "read", "read")
    ]
    lost, again = corpus.problems.rows(named=True)
    assert (lost["path"], lost["kind"], lost["run_id"]) == (str(tmp_path / "kill.json"), "limit", "kill")
    assert lost["message"].count("was killed by signal 9") == 2
    assert "read it with workers=1" in lost["message"]
    assert (again["path"], again["kind"], again["run_id"]) == (str(tmp_path / "once.json"), "limit", "once")
    assert "all that it had was read by another" in again["message"]


@pytest.mark.parametrize("workers", [0, -1])
def test_no_worker_is_no_way_to_read(tmp_path: Path, workers: int) -> None:
    (tmp_path / "a.json").write_text(result("a", item(0)))
    with pytest.raises(OptionError, match=f"workers={workers}: at least one process must read"):
        read_results(tmp_path, workers=workers)
