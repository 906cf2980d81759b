"""The nth run of a variant of an experiment is repeat n, by session order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.sources.stores import Read, item, result, write

if TYPE_CHECKING:
    from pathlib import Path


def add(folder: Path, session: str, variant: str, *, run_id: str | None = None, **members: Any) -> None:
    run_id = run_id or f"{session}-{variant}"
    members.setdefault("experimentName", "exp")
    write(folder / f"exp/sessions/{session}/{variant}.json", result(run_id, items=(item(),), **members))


def began(folder: Path, session: str, created: str | None, *listed: tuple[str, str]) -> None:
    variants = [{"variantName": variant, "experimentId": run_id} for run_id, variant in listed]
    record = {"sessionName": session, "experimentName": "exp", "createdAt": created, "variants": variants}
    write(folder / f"exp/sessions/{session}/session.json", record)


def repeats(folder: Path, **options: Any) -> dict[str, int | None]:
    return {run.run_id: run.repeat for run in Read(folder, **options).runs}


def test_sessions_come_by_their_beginning_and_then_by_name(tmp_path: Path) -> None:
    for session in ("c", "b", "a", "d"):
        add(tmp_path, session, "v")
    for session, hour in (("c", "01"), ("a", "02"), ("b", "02"), ("d", "03")):
        began(tmp_path, session, f"2026-01-01T{hour}:00:00Z")
    add(tmp_path, "d", "w")
    assert repeats(tmp_path) == {"c-v": 1, "a-v": 2, "b-v": 3, "d-v": 4, "d-w": 1}


@pytest.mark.parametrize("created", [None, "yesterday", "2026-01-01T02:00:00"])
def test_where_one_beginning_is_unknown_names_alone_count(tmp_path: Path, created: str | None) -> None:
    for session in ("c", "b", "a"):
        add(tmp_path, session, "v")
    began(tmp_path, "c", "2026-01-01T01:00:00Z")
    began(tmp_path, "a", "2026-01-01T03:00:00Z")
    began(tmp_path, "b", created)
    assert repeats(tmp_path) == {"a-v": 1, "b-v": 2, "c-v": 3}


def test_a_session_index_says_the_beginning_too(tmp_path: Path) -> None:
    for session in ("b", "a"):
        add(tmp_path, session, "v")
    entries = [
        {"sessionName": "b", "createdAt": "2026-01-01T01:00:00Z"},
        {"sessionName": "a", "createdAt": "2026-01-01T01:00:00.000000001+00:00"},
    ]
    write(tmp_path / "exp/sessions-index.json", {"experimentName": "exp", "entries": entries})
    assert repeats(tmp_path) == {"a-v": 1, "b-v": 2}, "cut to microseconds they began together"
    entries[1]["createdAt"] = "2026-01-01T01:00:00.1Z"
    write(tmp_path / "exp/sessions-index.json", {"experimentName": "exp", "entries": entries})
    assert repeats(tmp_path) == {"b-v": 1, "a-v": 2}


def test_two_runs_of_one_session_come_by_their_end(tmp_path: Path) -> None:
    add(tmp_path, "s", "v", run_id="new", timestamp="2026-01-01T09:00:00Z")
    write(
        tmp_path / "exp/old.json",
        result("old", items=(item(),), timestamp="2026-01-01T08:00:00Z", experimentName="exp"),
    )
    began(tmp_path, "s", None, ("new", "v"), ("old", "v"))
    add(tmp_path, "t", "v")
    assert repeats(tmp_path) == {"old": 1, "new": 2, "t-v": 3}


def test_experiments_and_kinds_are_numbered_apart(tmp_path: Path) -> None:
    add(tmp_path, "s", "v", run_id="a")
    add(tmp_path, "t", "v", run_id="b", experimentName="other")
    add(tmp_path, "u", "v", run_id="c", metadata={"experimentType": "judge"})
    assert repeats(tmp_path) == {"a": 1, "b": 1, "c": 1}


def test_without_experiment_session_or_variant_there_is_no_number(tmp_path: Path) -> None:
    add(tmp_path, "s", "v", run_id="nameless", experimentName=None)
    write(tmp_path / "exp/lone.json", result("lone", items=(item(),), experimentName="exp"))
    write(tmp_path / "exp/v/flat.json", result("flat", items=(item(),), experimentName="exp"))
    assert repeats(tmp_path) == {"nameless": None, "lone": None, "flat": None}


def test_a_repeat_by_the_pattern_stays_and_its_number_is_taken(tmp_path: Path) -> None:
    for session in ("a", "b", "c"):
        add(tmp_path, session, "v")
    write(tmp_path / "exp/sessions/d/2.json", result("d-2", items=(item(),), experimentName="exp"))
    write(tmp_path / "exp/sessions/d/session.json", {"sessionName": "d", "variants": []})
    read = repeats(tmp_path, path_pattern="d/{repeat}.json")
    assert read == {"a-v": 1, "b-v": 2, "c-v": 3, "d-2": 2}, "another variant by its place"
    write(tmp_path / "exp/sessions/d/session.json", {"variants": [{"variantName": "v", "resultFile": "2.json"}]})
    named = repeats(tmp_path, path_pattern="sessions/{session}/{repeat}.json")
    assert named == {"a-v": None, "b-v": None, "c-v": None, "d-2": 2}, "v is no number, and none is guessed"


def test_numbers_given_by_the_pattern_are_left_out_of_the_count(tmp_path: Path) -> None:
    add(tmp_path, "a", "v")
    add(tmp_path, "b", "v")
    write(tmp_path / "more/v/1.json", result("m", items=(item(),), experimentName="exp"))
    assert repeats(tmp_path, path_pattern="more/{variant}/{repeat}.json") == {"a-v": 2, "b-v": 3, "m": 1}


def test_a_re_evaluation_has_the_number_of_its_original_and_takes_none(tmp_path: Path) -> None:
    add(tmp_path, "a", "v")
    add(tmp_path, "b", "v")
    add(tmp_path, "c", "v", run_id="again", metadata={"reEvaluatedFrom": "b-v"})
    add(tmp_path, "d", "v", run_id="lost", metadata={"reEvaluatedFrom": "gone"})
    add(tmp_path, "e", "v")
    assert repeats(tmp_path) == {"a-v": 1, "b-v": 2, "again": 2, "lost": None, "e-v": 3}


def test_aliases_apply_before_runs_are_numbered(tmp_path: Path) -> None:
    add(tmp_path, "a", "old")
    add(tmp_path, "b", "new")
    add(tmp_path, "c", "older")
    read = Read(tmp_path, aliases={"old": "new", "older": "new", "unused": "x"})
    assert {run.session: (run.variant, run.repeat) for run in read.runs} == {
        "a": ("new", 1),
        "b": ("new", 2),
        "c": ("new", 3),
    }
    by_pattern = Read(tmp_path, path_pattern="{variant}.json", aliases={"old": "new"})
    assert {run.session: run.variant for run in by_pattern.runs} == {"a": "new", "b": "new", "c": "older"}


def test_copies_under_the_old_and_the_new_name_agree_with_the_alias(tmp_path: Path) -> None:
    add(tmp_path, "a", "old", run_id="r")
    add(tmp_path, "a", "new", run_id="r")
    assert "several variants" in Read(tmp_path).problem.message
    assert Read(tmp_path, aliases={"old": "new"}).problems == []
