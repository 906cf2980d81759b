from __future__ import annotations

from typing import TYPE_CHECKING

from tests.cli.stores import item, result, small_store, write
from tests.interpretation.shapes import judgment, verdict
from verdict_frames.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_every_stage_seat_check_and_defect_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["describe", str(small_store(tmp_path)), "--item", "c"]) == 0
    out = capsys.readouterr().out
    for line in (
        "run run-1 (trial / 20260101-000000 / plain)",
        "slug:c: REJECTED, the subject did not meet the criteria (the record is consistent)",
        "  The stage “t1” decided (path “t1”) on the basis individual_rejection.",
        "  <root> error (stage_failed): said so",
        "    seat 0 strict: fail: said so",
        "  t1 [cascade_tier, REJECT_ON_ANY_FAIL, stage_failed, undeclared_not_applicable] not_applicable: said so",
        "1 of 7 items described",
    ):
        assert line in out.splitlines(), line


def test_checks_scores_and_defects_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    checks = [{"name": "compiles", "passed": True, "message": "ok"}, {"name": "tests", "passed": False, "message": ""}]
    stored = verdict(judges={"": judgment(score=0.25, checks=checks, reasoning="")})
    del stored["decision"]
    path = write(tmp_path / "one.json", result("r", [item("a", stored)]))
    assert main(["describe", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "    seat 0 (unnamed): pass 0.25" in lines
    assert "      [x] compiles: ok" in lines
    assert "      [ ] tests" in lines
    assert "  ! ABSENT verdict decision: The record doesn't say who decided." in lines


def test_a_defect_of_many_places_is_told_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    judges = {name: judgment(score=score) for name, score in [("a", "high"), ("b", 0.5), ("c", "low"), ("d", "odd")]}
    path = write(tmp_path / "one.json", result("r", [item("a", verdict(judges=judges))]))
    assert main(["describe", str(path)]) == 0
    told = [line for line in capsys.readouterr().out.splitlines() if line.startswith("  ! UNPARSEABLE")]
    assert len(told) == 1
    assert told[0].startswith("  ! UNPARSEABLE verdict.individual[0] score (and 2 more places): ")


def test_only_chooses_by_reading(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = str(small_store(tmp_path))
    assert main(["describe", store, "--only", "NOT_ASSESSED"]) == 0
    out = capsys.readouterr().out
    assert "slug:d: NOT_ASSESSED" in out
    assert "1 of 7 items described" in out
    assert main(["describe", store, "--only", "not-applicable"]) == 0
    assert "0 of 7 items described" in capsys.readouterr().out


def test_items_without_a_verdict_say_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["describe", str(small_store(tmp_path)), "--item", "slug:b"]) == 0
    assert "slug:b: no verdict: the agent failed before judging (sandbox gone)" in capsys.readouterr().out


def test_an_unknown_item_is_a_wrong_call(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["describe", str(small_store(tmp_path)), "--item", "z"]) == 2
    assert "no item has the id or slug z; there are slug:a, slug:b" in capsys.readouterr().err


def test_other_peoples_text_is_inert(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stored = verdict(judges={"a\x1b[31m": judgment(reasoning="one\ntwo\u202eowt [bold]x[/bold]")})
    path = write(tmp_path / "one.json", result("r", [item("a\rb", stored, itemSlug=None)]))
    assert main(["describe", str(path)]) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "a\\rb: ACCEPTED" in out
    assert "seat 0 a\\x1b[31m: pass: one\\ntwo\\u202eowt [bold]x[/bold]" in out
