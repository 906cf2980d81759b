from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest

from tests.cli.stores import accepted, item, result, small_store, write
from tests.interpretation.shapes import rejected
from verdict_frames.cli.main import main
from verdict_frames.frames.results import read_results
from verdict_frames.statistics.comparison.compare import compare

if TYPE_CHECKING:
    from pathlib import Path

BY = ["--by", "variant", "--baseline", "plain"]


def test_a_sentence_for_each_comparison_stands_above_the_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", str(small_store(tmp_path)), *BY]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[0].startswith(
        "more+skills vs plain, 1 item counted on both sides: 0 more accepted, 0 fewer; difference 0.0"
    )
    assert "4 items lost: 3 removed, 1 agent failed with more+skills" in lines[0]
    (row,) = (line.split() for line in lines if line.startswith("more+skills  "))
    assert row[1:4] == ["1", "1.000", "1.000"]
    assert "4 files: 2 read, 1 skipped by rule, 1 unreadable" in lines
    assert err == ""


@pytest.mark.parametrize("rows", ["overall", "items", "transitions", "lost", "not_assessed", "differences"])
def test_rows_come_out_as_the_library_gives_them(rows: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = small_store(tmp_path)
    expected = compare(read_results(store), by="variant", baseline="plain", policy="verified-only").tables()[rows]
    options = [*BY, "--policy", "verified-only", "--rows", rows]
    assert main(["compare", str(store), *options, "--format", "json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out) == expected.rows(named=True)
    assert err.startswith("more+skills vs plain")
    for row_format in ("csv", "markdown", "table"):
        assert main(["compare", str(store), *options, "--format", row_format]) == 0
        out = capsys.readouterr().out
        if row_format == "csv":
            assert len(list(csv.DictReader(io.StringIO(out)))) == expected.height
        else:
            assert "treatment" in out


def test_two_paths_are_before_and_after(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = write(tmp_path / "before.json", result("r1", [item("a", rejected()), item("b", rejected())]))
    after = write(tmp_path / "after.json", result("r2", [item("a", accepted()), item("b", rejected())]))
    assert main(["compare", str(before), str(after)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("after vs before, 2 items counted on both sides: 1 more accepted, 0 fewer")
    assert "after, accepted more often: a (0/1 → 1/1)" in out


def test_unlike_runs_are_refused_unless_allowed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, version in (("before", "v1"), ("after", "v2")):
        write(tmp_path / f"{name}.json", result(name, [item("a", accepted())], datasetVersion=version))
    paths = [str(tmp_path / "before.json"), str(tmp_path / "after.json")]
    assert main(["compare", *paths]) == 2
    assert "differ in dataset version (dataset_version: v1 against v2)" in capsys.readouterr().err
    assert main(["compare", *paths, "--allow", "dataset"]) == 0
    assert "after: dataset_version differs (v1 against v2)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["{store}"], "without --by two paths are compared"),
        (["{store}", "{store}", "--baseline", "plain"], "say with --by which"),
        (["{store}", "--by", "variant"], "say with --baseline which value of 'variant'"),
        (["{store}", "--by", "variant", "--baseline", "plane"], "'variant' is nowhere 'plane'; it is one of"),
        (["{store}", *BY, "--allow", "everything"], "everything"),
        (["{store}", *BY, "--policy", "mine"], "no policy named 'mine'"),
        (["{store}", *BY, "--within", "varient"], "varient"),
        (["{store}", *BY, "--rows", "all"], "all"),
        (["{store}/nowhere", *BY], "nowhere"),
    ],
)
def test_a_wrong_call_is_one_line_and_exit_2(
    arguments: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = small_store(tmp_path)
    assert main(["compare", *(part.format(store=store) for part in arguments)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err
    assert err.count("\n") == 1


def test_nothing_readable_is_exit_3(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = small_store(tmp_path / "store")
    (tmp_path / "empty").mkdir()
    assert main(["compare", str(tmp_path / "empty"), *BY]) == 3
    assert main(["compare", str(store), str(tmp_path / "empty")]) == 3
    assert "empty" in capsys.readouterr().err
