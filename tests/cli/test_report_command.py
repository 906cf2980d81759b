from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.stores import small_store, write
from verdict_frames.cli.main import main
from verdict_frames.frames.evaluation_assembly import read_evaluations
from verdict_frames.frames.results import read_results
from verdict_frames.reporting.html import report_html
from verdict_frames.reporting.markdown import report_markdown
from verdict_frames.reporting.opening import report
from verdict_frames.review.packs import Pack

EVALUATIONS = Path(__file__).resolve().parents[2] / "data" / "evaluations"


def test_a_page_is_what_the_library_makes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store, target = small_store(tmp_path), tmp_path / "report.html"
    options = ["--by", "variant", "--policy", "verified-only", "--title", "Monday"]
    expected = report(read_results(store), "variant", policy="verified-only", title="Monday")
    assert main(["report", str(store), "-o", str(target), *options]) == 0
    assert target.read_text(encoding="utf-8") == report_html(expected)
    out, err = capsys.readouterr()
    assert out.splitlines()[:2] == [f"{target}: written", "4 files: 2 read, 1 skipped by rule, 1 unreadable"]
    assert "cut.json" in out
    assert err == ""


def test_markdown_goes_to_standard_output_or_to_a_file_of_that_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store, target = small_store(tmp_path), tmp_path / "report.MD"
    expected = report_markdown(report(read_results(store)))
    assert main(["report", str(store), "--format", "markdown"]) == 0
    assert capsys.readouterr().out == expected
    assert main(["report", str(store), "-o", str(target)]) == 0
    assert target.read_text(encoding="utf-8") == expected


def test_a_baseline_is_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = small_store(tmp_path)
    assert main(["report", str(store), "--by", "variant", "--baseline", "plain", "--format", "markdown"]) == 0
    assert "### Comparison" in capsys.readouterr().out
    assert main(["report", str(store), "--by", "variant", "--baseline", "none such", "-o", str(tmp_path / "x")]) == 2
    assert "none such" in capsys.readouterr().err


def test_known_facts_can_be_grouped_by(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    facts = tmp_path / "facts.csv"
    facts.write_text("variant,model\nplain,small\nmore+skills,large\n", encoding="utf-8")
    store = tmp_path / "store"
    store.mkdir()
    options = ["--facts", str(facts), "--on", "variant", "--by", "model", "--format", "markdown"]
    assert main(["report", str(small_store(store)), *options]) == 0
    assert "| `small` |" in capsys.readouterr().out


def test_stored_evaluations_are_reported_with_their_pack(tmp_path: Path) -> None:
    stored, pack, target = EVALUATIONS / "stored.jsonl", EVALUATIONS / "pack-2.json", tmp_path / "report.html"
    assert main(["report", str(stored), "--source", "result", "--pack", str(pack), "-o", str(target)]) == 0
    rules = Pack.from_file(pack)
    assert target.read_text(encoding="utf-8") == report_html(
        report(read_evaluations(str(stored), pack=rules), pack=rules)
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--pack", "pack.json"], "--field, --pack and --latest-per-key are about stored evaluations"),
        (["--source", "result", "--facts", "f.csv"], "--facts, --on and --dataset are about items"),
        (["--policy", "none"], "there is no policy named 'none'"),
        (["--by", "none"], "none"),
        (["-o", "no/such/folder/report.html"], "the report can't be written"),
    ],
)
def test_wrong_calls_say_so_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], message: str
) -> None:
    assert main(["report", str(small_store(tmp_path)), *options]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1


def test_nothing_readable_is_no_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path / "notes.json", {"a": 1})
    target = tmp_path / "report.html"
    assert main(["report", str(tmp_path), "-o", str(target)]) == 3
    assert main(["report", str(tmp_path), "--source", "result", "-o", str(target)]) == 3
    assert not target.exists()
    assert capsys.readouterr().out == ""
