from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest

from tests.cli.stores import accepted, item, result, small_store, write
from tests.interpretation.shapes import judgment, verdict
from verdict_frames.cli.main import main
from verdict_frames.frames.results import read_results
from verdict_frames.interpretation.reader import interpret
from verdict_frames.interpretation.stored_form import to_builtins
from verdict_frames.statistics.audit.audits import audit
from verdict_frames.statistics.audit.vocabulary import AuditFrame

if TYPE_CHECKING:
    from pathlib import Path


def test_sentences_stand_above_rates_and_causes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", str(small_store(tmp_path)), "--by", "variant"]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[:5] == [
        "7 items recorded: 3 as passed (42.9 %), 4 as not passed; accepted: 3 of 4 eligible (75.0 %);"
        " policy agent-judge-0.17",
        "1 had a jury that errored and was recorded as not passed",
        "recorded as not passed beside these: 2 (1 agent failed, 1 record contradicts itself)",
        "denominator: 7 recorded - 1 agent failed - 1 record contradicts itself - 1 jury errored = 4 eligible",
        "numerator: 3 recorded as passed = 3 accepted",
    ]
    assert [line.split() for line in lines if line.startswith("plain")] == [
        ["plain", "2", "5", "0.400", "2", "3", "0.667", "0.267"],
        ["plain", "contradicted", "False", "1", "0", "-1"],
        ["plain", "jury_errored", "False", "1", "0", "-1"],
    ]
    assert (
        "more with --only: items (3), runs (2), recounts (8), interpretations (0), judge_errors (0), scores (0), "
        "copies (0)"
    ) in lines
    assert "4 files: 2 read, 1 skipped by rule, 1 unreadable" in lines
    assert err == ""


@pytest.mark.parametrize("frame", list(AuditFrame))
def test_each_frame_comes_out_alone_as_the_library_gives_it(
    frame: AuditFrame, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stored = item("a", verdict(judges={"a": judgment("pass", score=0.5)}), scores={"a": 0.4, "b": 0.1}, passed=False)
    other = item("b", accepted(), interpretation=to_builtins(interpret(accepted())) | {"reading": "REJECTED"})
    for name in ("one", "two"):
        write(tmp_path / name / "x.json", result("run-1", [stored, other], counts={"passes": 1, "nonPasses": 1}))
    expected = audit(read_results(tmp_path)).frames()[frame]
    assert main(["audit", str(tmp_path), "--only", frame, "--format", "json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out) == expected.rows(named=True)
    assert err.startswith("2 items recorded")
    assert main(["audit", str(tmp_path), "--only", frame, "--format", "csv"]) == 0
    rows = list(csv.reader(io.StringIO(capsys.readouterr().out)))
    assert rows[0] == expected.columns
    assert len(rows) == 1 + expected.height
    assert main(["audit", str(tmp_path), "--only", frame]) == 0
    table = capsys.readouterr().out
    assert f"no {frame.replace('_', ' ')}\n" in table if expected.is_empty() else "more with --only" not in table


def test_json_holds_all_frames_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = small_store(tmp_path)
    assert main(["audit", str(store), "--policy", "verified-only", "--policy", "all-items", "--format", "json"]) == 0
    frames = json.loads(capsys.readouterr().out)
    expected = audit(read_results(store), policies=["verified-only", "all-items"]).frames()
    assert frames == {name: frame.rows(named=True) for name, frame in expected.items()}


def test_lists_are_one_text_in_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stored = item("a", verdict(judges={"a": judgment("pass", score=0.5)}), scores={"a": 0.4})
    write(tmp_path / "x.json", result("run-1", [stored]))
    assert main(["audit", str(tmp_path), "--only", "scores", "--format", "markdown"]) == 0
    (row,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| run-1")]
    assert [cell.strip() for cell in row.strip("|").split("|")][-4:] == ["a", "0.400", "other_value", "0.5"]


def test_a_store_without_a_record_has_nothing_to_audit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path / "bare.json", accepted())
    assert main(["audit", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("nothing to audit: no counted item is of a run that recorded whether items passed")
    assert "no causes" in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--format", "csv"], "csv holds one frame; say with --only which: rates, causes"),
        (["--only", "everything"], "everything"),
        (["--policy", "mine"], "no policy named 'mine'"),
        (["--by", "varient"], "varient"),
    ],
)
def test_a_wrong_call_is_one_line_and_exit_2(
    arguments: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", str(small_store(tmp_path)), *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err
    assert err.count("\n") == 1


def test_nothing_readable_is_exit_3(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path / "cut.json", '{"items": [')
    assert main(["audit", str(tmp_path)]) == 3
    assert capsys.readouterr().err.startswith("verdict-frames: nothing to count in")
