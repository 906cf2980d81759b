from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import polars as pl
import pytest

from verdict_frames.cli.main import main
from verdict_frames.frames.decisions import decide
from verdict_frames.frames.evaluation_assembly import read_evaluations
from verdict_frames.review.packs import Pack
from verdict_frames.statistics.evaluations.sweeps import sweep
from verdict_frames.statistics.tally import tally

FOLDER = Path(__file__).resolve().parents[2] / "data" / "evaluations"
STORED, PACK, LABELS = (str(FOLDER / name) for name in ("stored.jsonl", "pack-2.json", "labels.csv"))
FLOOR = "queue.minSelectedProbability"


def test_tally_counts_stored_evaluations(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tally", STORED, "--source", "result", "--by", "pack_version"]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[0] == (
        "140 accepted of 272 eligible (51.5 %, 95 % interval 46–57 %); 122 reviewed by a rule;"
        " 8 reviewed for an invalid answer; 2 rejected; 21 failed (3 gateway_auth, 9 gateway_unavailable,"
        " 4 invalid_model_output, 2 invalid_pack, 2 invalid_ticket, 1 other_failure); answers not recorded: 5;"
        " 293 rows, 286 different keys (6 of them repeated); policy results-only"
    )
    assert "0 in every group: no_status, without_key, left_out" in lines
    assert lines[-1].startswith("syntax: ")
    assert err == ""


def test_tally_rows_are_those_of_the_library(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--source", "result", "--latest-per-key", "--policy", "all-evaluations", "--format", "json"]
    assert main(["tally", STORED, *options]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out) == tally(read_evaluations(STORED).latest_per_key(), policy="all-evaluations").rows(
        named=True
    )
    assert "7 left out for another one of the same key; policy all-evaluations" in err


def test_decide_says_what_the_pack_accepts_and_writes_one_row_an_evaluation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = decide(Pack.from_file(PACK), read_evaluations(STORED))
    for suffix in ("parquet", "csv", "jsonl", "json"):
        target = tmp_path / f"decided.{suffix}"
        assert main(["decide", PACK, STORED, "-o", str(target)]) == 0
        out, _ = capsys.readouterr()
        assert out.startswith(
            "accepts 125 of 267 decided (46.8 %); 21 failed and are not decided again; 5 without recorded answers\n"
        )
        assert f"written: {target}" in out
    written = pl.read_parquet(tmp_path / "decided.parquet")
    assert written.select(expected.columns).equals(expected)
    assert written["ticket_id"].to_list()[0] == "T-001"
    rows = list(csv.DictReader((tmp_path / "decided.csv").read_text("utf-8").splitlines()))
    assert [row["status"] for row in rows] == [status or "" for status in expected["status"].to_list()]
    assert len((tmp_path / "decided.jsonl").read_text().splitlines()) == 293


def test_decide_questions_come_out_as_csv(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["decide", PACK, STORED, "--format", "csv"]) == 0
    out, err = capsys.readouterr()
    assert [row["question_id"] for row in csv.DictReader(io.StringIO(out))] == [
        "queue",
        "urgency",
        "refund",
        "language",
    ]
    assert err.startswith("accepts 125 of 267")


def test_check_lists_faults_warnings_and_questions_without_a_rule(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["decide", "--check", PACK]) == 0
    assert capsys.readouterr().out == ("4 questions, no faults\nno rule: language: every valid answer is accepted\n")
    question = {"type": "boolean", "review": {"lowExclusive": 0.5, "highExclusive": 0.5}}
    warned = tmp_path / "warned.json"
    warned.write_text(json.dumps({"questions": {"refund": question}}))
    assert main(["decide", str(warned), "--check"]) == 0
    assert "warning: questions.refund.review: both ends are 0.5" in capsys.readouterr().out
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps({"questions": {"u": {"type": "score", "review": {"minInclusive": True}}, "v": 1}}))
    assert main(["decide", "--check", str(bad)]) == 2
    err = capsys.readouterr().err
    assert "questions.u.review.minInclusive: expected a finite number" in err
    assert "questions.u.review.maxInclusive: is absent" in err
    assert "questions.v: expected a question" in err


def test_sweep_shows_every_step_and_what_was_checked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sweep", FLOOR, PACK, STORED, "--labels", LABELS]) == 0
    out, _ = capsys.readouterr()
    assert out.startswith(
        f"267 evaluations decided; at the pack's {FLOOR} = 0.9 it accepts 125 (46.8 %);"
        " of the 120 checked, 6 wrong (at most 9.6 % wrong with 95 % confidence);"
        " 21 failed and are left out; 5 without recorded answers are left out\n"
    )
    assert "safe" not in out
    assert main(["sweep", FLOOR, PACK, STORED, "--at", "0.95", "--at", "0.5", "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    swept = sweep(read_evaluations(STORED), Pack.from_file(PACK), FLOOR)
    assert rows == swept.at([0.95, 0.5]).rows(named=True)
    assert [row["accepted"] for row in rows] == [102, 195]


def test_sweep_chooses_for_a_target(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--labels", LABELS, "--max-error", "0.001"]
    assert main(["sweep", FLOOR, PACK, STORED, *options]) == 0
    assert f"chosen on one half: {FLOOR}: errors at most 0.1 %: none reaches it" in capsys.readouterr().out
    assert main(["sweep", FLOOR, PACK, STORED, "--max-review", "0.6"]) == 0
    assert "reviews at most 60 %) accepts" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["decide", PACK], "no answers were given"),
        (["decide", "--check", PACK, STORED], "--check looks at the pack alone"),
        (["decide", "nothing.json", STORED], "there is no such file"),
        (["decide", PACK, STORED, "-o", "rows.xlsx"], "let the name end in one of these"),
        (["decide", PACK, STORED, "-o", "no-folder/rows.csv"], "can't be written"),
        (["decide", PACK, STORED, "--field", "answers"], "write PART=PATH"),
        (["sweep", "queue.floor", PACK, STORED], "the pack has no threshold 'queue.floor'"),
        (["sweep", FLOOR, PACK, STORED, "--labels", "gold.txt"], "labels are read from"),
        (["sweep", FLOOR, PACK, STORED, "--labels", "gold.csv"], "no such file of labels"),
        (["sweep", FLOOR, PACK, STORED, "--max-error", "0.1"], "max_error needs labels"),
        (["tally", STORED, "--latest-per-key"], "say with --source what wrote them"),
        (["tally", STORED, "--source", "result", "--policy", "verified-only"], "no policy for evaluations"),
    ],
)
def test_wrong_calls_are_one_line(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err
    assert err.count("\n") == 1


def test_nothing_readable_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "other.json"
    path.write_text('{"a": 1}')
    for command in (["decide", PACK, str(path)], ["tally", str(path), "--source", "gateway"]):
        assert main(command) == 3
        err = capsys.readouterr().err
        assert err.startswith(f"verdict-frames: no stored evaluation in {path}: 1 file: 1 foreign; --source says")
