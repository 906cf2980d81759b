from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from tests.cli.stores import accepted, item, result, small_store, write
from tests.interpretation.shapes import rejected
from verdict_frames.cli.main import main
from verdict_frames.frames.results import read_results
from verdict_frames.statistics.tally import tally


def test_one_sentence_stands_above_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tally", str(small_store(tmp_path)), "--by", "variant"]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[0] == (
        "3 accepted of 4 eligible (75.0 %, 95 % interval 17–98 % over 3 items);"
        " left out: 1 not assessed, 1 contradictory or without a reading;"
        " agent failed before judging: 1 (end to end 3 of 5);"
        " recorded as passed: 3 of 7 (42.9 %); policy agent-judge-0.17"
    )
    (plain,) = (line.split() for line in lines if line.startswith("plain"))
    assert plain[1:4] == ["2", "3", "0.667"]
    assert plain[-2:] == ["5", "0.400"]
    assert "0 in every group: excluded, set_aside, unjudged, undecided, unverified, left_out" in lines
    assert "more+skills" in out
    assert "4 files: 2 read, 1 skipped by rule, 1 unreadable" in lines
    (problem,) = [line for line in lines if line.startswith("syntax")]
    assert "cut.json" in problem
    assert err == ""


def test_rows_come_out_as_the_library_gives_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = small_store(tmp_path)
    expected = tally(read_results(store), "variant", policy="verified-only")
    options = ["--by", "variant", "--policy", "verified-only"]
    assert main(["tally", str(store), *options, "--format", "json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out) == expected.rows(named=True)
    assert err.startswith("3 accepted of 4 eligible")
    assert main(["tally", str(store), *options, "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["variant"] for row in rows] == expected.get_column("variant").to_list()
    assert [row["ci_low"] for row in rows] == ["" if low is None else str(low) for low in expected.get_column("ci_low")]


def test_intervals_and_evaluations_are_those_that_were_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = small_store(tmp_path)
    again = result("run-3", [item("a", rejected())], metadata={"reEvaluatedFrom": "run-1"})
    write(store / "trial" / "run-3.json", again)
    held = read_results(store)
    assert held.runs["kind"].cast(str).to_list().count("re_evaluation") == 1
    options = ["--interval", "clopper-pearson", "--over", "runs", "--level", "0.9", "--evaluations", "all"]
    assert main(["tally", str(store), *options, "--format", "json"]) == 0
    expected = tally(held, interval="clopper-pearson", over="runs", level=0.9, evaluations="all")
    assert json.loads(capsys.readouterr().out) == expected.rows(named=True)
    for choice in ("latest", "original"):
        assert main(["tally", str(store), "--evaluations", choice, "--format", "json"]) == 0
        assert json.loads(capsys.readouterr().out) == tally(held, evaluations=choice).rows(named=True)


def test_below_the_table_stands_what_its_intervals_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tally", str(small_store(tmp_path)), "--level", "0.9"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "1 of 1 group with a 90 % interval over items: wilson, at the effective sample size" in lines
    assert any("clusters" in line for line in lines)
    assert main(["tally", str(tmp_path), "--by", "variant"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "2 of 2 groups with a 95 % interval over items: wilson" in lines
    assert not any("clusters" in line for line in lines)
    assert main(["tally", str(tmp_path), "--by", "variant", "--over", "runs"]) == 0
    assert "2 of 2 groups without an interval: items tried once: no interval over runs" in capsys.readouterr().out


def test_markdown_is_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tally", str(small_store(tmp_path)), "--by", "variant", "--format", "markdown"]) == 0
    table = [line for line in capsys.readouterr().out.splitlines() if line.startswith("|")]
    assert len(table) == 4
    assert len({line.count("|") for line in table}) == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["tally", "{store}", "--policy", "mine"], "no policy named 'mine'; choose one of agent-judge-0.17"),
        (["tally", "{store}", "--by", "varient"], "varient"),
        (["tally", "{store}", "--path-pattern", "{{flavour}}.json"], "flavour"),
        (["tally", "{store}/nowhere"], "nowhere"),
        (["tally", "{store}", "--format", "pdf"], "pdf"),
        (["tally", "{store}", "--nonsense"], "nonsense"),
        (["tally", "{store}", "--interval", "wald"], "wald"),
        (["tally", "{store}", "--level", "95"], "a confidence level lies between 0 and 1"),
        (["tally", "{store}", "--source", "result", "--over", "runs"], "--evaluations and --over are about runs"),
        (["tally", "{store}", "--source", "result", "--evaluations", "all"], "see --latest-per-key"),
        (["tally"], "path"),
        (["tallly"], "tallly"),
    ],
)
def test_a_wrong_call_is_one_line_and_exit_2(
    arguments: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = small_store(tmp_path)
    assert main([part.format(store=store) for part in arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("verdict-frames: ")
    assert words.lower() in err.lower()


def test_nothing_readable_exits_3_and_says_what_was_seen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(12):
        write(tmp_path / f"log-{number}.json", {"level": "info", "text": "started"})
    assert main(["tally", str(tmp_path)]) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert "12 files: 12 foreign; no result file and no verdict keys such as `aggregated`" in err
    assert "log-0.json" in err


def test_an_empty_folder_exits_3(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tally", str(tmp_path)]) == 3
    assert "0 files: none" in capsys.readouterr().err


def test_python_m_does_the_same_and_is_quiet_in_a_pipe(tmp_path: Path) -> None:
    store = small_store(tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "verdict_frames", "tally", str(store), "--format", "csv"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert pl.read_csv(io.StringIO(done.stdout)).get_column("passes").to_list() == [3]
    assert "\x1b" not in done.stdout + done.stderr
    assert "\r" not in done.stderr


def test_help_names_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tally", "--help"]) == 0
    text = capsys.readouterr().out
    for word in ("--by", "--policy", "--format", "--path-pattern", "all-items", "markdown"):
        assert word in text


def test_a_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    store = small_store(tmp_path)
    command = [sys.executable, "-m", "verdict_frames", "describe", str(store)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.close()
        _, err = process.communicate()
    assert "Traceback" not in err


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_any_encoding_of_the_output_will_do(encoding: str, tmp_path: Path) -> None:
    store = small_store(tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "verdict_frames", "tally", str(store), "--by", "variant"],
        capture_output=True,
        check=True,
        env=os.environ | {"PYTHONIOENCODING": encoding},
    )
    assert b"more+skills" in done.stdout
    assert done.stderr == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_one_line(tmp_path: Path) -> None:
    store = small_store(tmp_path)
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "verdict_frames", "tally", str(store)],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            text=True,
        )
    assert done.returncode == 2
    assert done.stderr == "verdict-frames: the output can't be written: No space left on device\n"


def test_errors_hold_no_terminal_escapes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tally", str(small_store(tmp_path)), "--by", "a\x1b[31m\nb"]) == 2
    err = capsys.readouterr().err
    assert "\x1b" not in err
    assert err.count("\n") == 1
    (tmp_path / "empty\x1b[31m").mkdir()
    assert main(["tally", str(tmp_path / "empty\x1b[31m")]) == 3
    assert "\x1b" not in capsys.readouterr().err


def test_groups_that_mix_unlike_runs_are_named_below_the_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number, instrument in enumerate(["h1", "h2"]):
        described = {"descriptionVersion": 1, "specHash": instrument}
        stored = result(f"run-{number}", [item("a", accepted())], instrument=described, datasetVersion="v1")
        write(tmp_path / "trial" / "sessions" / f"2026010{number}-000000" / "simple.json", stored)
    assert main(["tally", str(tmp_path), "--by", "variant"]) == 0
    assert "simple mixes 2 instruments" in capsys.readouterr().out.splitlines()
    assert main(["tally", str(tmp_path)]) == 0
    assert "everything mixes 2 instruments" in capsys.readouterr().out.splitlines()
    assert main(["tally", str(tmp_path), "--by", "variant", "--format", "csv"]) == 0
    out, err = capsys.readouterr()
    assert [row["notes"] for row in csv.DictReader(io.StringIO(out))] == ["2 instruments"]
    assert "simple mixes 2 instruments" in err


def test_facts_and_a_dataset_can_be_grouped_by(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = str(small_store(tmp_path / "store"))
    facts = tmp_path / "facts.csv"
    facts.write_text("item_id,difficulty\na,easy\nb,hard\nz,hard\n")
    assert main(["tally", store, "--by", "difficulty", "--facts", str(facts), "--format", "csv"]) == 0
    out, err = capsys.readouterr()
    rows = [(row["difficulty"], row["passes"], row["total"]) for row in csv.DictReader(io.StringIO(out))]
    assert rows == [("easy", "2", "2"), ("hard", "1", "2"), ("", "0", "3")]
    assert "1 of 3 rows have the item_id of no item: z" in err
    slugs = tmp_path / "slugs.csv"
    slugs.write_text("item_slug,team\nslug:a,x\n")
    write(tmp_path / "data" / "dataset.json", {"items": [{"id": "a", "bucket": "B", "status": "active"}]})
    options = ["--facts", str(slugs), "--on", "item_slug", "--dataset", str(tmp_path / "data"), "--format", "csv"]
    assert main(["tally", store, "--by", "team", "--by", "dataset_bucket", *options]) == 0
    groups = [(row["team"], row["dataset_bucket"]) for row in csv.DictReader(io.StringIO(capsys.readouterr().out))]
    assert groups == [("x", "B"), ("", "")]
    for wrong in (["--on", "item_id"], ["--source", "result", "--facts", str(facts)]):
        assert main(["tally", store, *wrong]) == 2
        assert capsys.readouterr().err.startswith("verdict-frames: --")
