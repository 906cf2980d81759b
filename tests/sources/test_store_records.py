"""What session, sweep and index files say of runs, and what they point at that isn't there."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sources.stores import Read, item, result, write
from verdict_frames.documents.found import STORE_RECORDS
from verdict_frames.vocabulary import ProblemKind, SourceState

if TYPE_CHECKING:
    from pathlib import Path

UUID = "3f2b8f0e-0000-4000-8000-00000000000"


def run(number: int, **members: Any) -> dict[str, Any]:
    return result(f"{UUID}{number}", items=(item(),), experimentName="exp", **members)


def entry(number: int, variant: object, file: object = None) -> dict[str, object]:
    file = f"{variant}.json" if file is None else file
    return {"variantName": variant, "experimentId": f"{UUID}{number}", "resultFile": file}


def session(name: object, *entries: object, status: object = "COMPLETED", **members: object) -> dict[str, object]:
    return {"sessionName": name, "experimentName": "exp", "status": status, "variants": list(entries), **members}


def messages(read: Read, kind: ProblemKind = ProblemKind.MISSING) -> list[str]:
    assert {problem.kind for problem in read.problems} <= {kind}
    return [problem.message for problem in read.problems]


def test_a_session_names_its_runs_wherever_they_lie(tmp_path: Path) -> None:
    write(tmp_path / f"exp/{UUID}1.json", result(f"{UUID}1", items=(item(),)))
    write(tmp_path / "exp/sessions/s/session.json", session("s", entry(1, "v+1")))
    read = Read(tmp_path)
    assert (read.run.experiment_name, read.run.session, read.run.variant, read.run.repeat) == ("exp", "s", "v+1", 1)
    assert messages(read) == [
        f"the variant v+1 points at v+1.json, which isn't there; its run {UUID}1 was found all the same"
    ]


def test_a_session_folder_without_the_folders_around_it(tmp_path: Path) -> None:
    """A listed file has its entry's variant, another one is called by its own name, unless that is the run's."""
    for number, name in enumerate(("listed", "other", f"{UUID}3"), start=1):
        write(tmp_path / f"{name}.json", run(number))
    write(tmp_path / "session.json", session("s", entry(1, "v", "listed.json")))
    assert {each.run_id[-1]: (each.session, each.variant) for each in Read(tmp_path).runs} == {
        "1": ("s", "v"),
        "2": ("s", "other"),
        "3": ("s", None),
    }


def test_an_index_names_the_experiment_of_a_run_that_does_not(tmp_path: Path) -> None:
    write(tmp_path / "a.json", result(f"{UUID}1", items=(item(),)))
    write(tmp_path / "index.json", {"experimentName": "e", "entries": [{"experimentId": f"{UUID}1"}]})
    assert Read(tmp_path).run.experiment_name == "e"


def test_a_runs_own_metadata_come_last(tmp_path: Path) -> None:
    told = {"variant": "told", "session": "t"}
    write(tmp_path / "a.json", run(1, metadata=told))
    write(tmp_path / "exp/sessions/s/v.json", run(2, metadata=told))
    read = Read(tmp_path)
    assert [(each.session, each.variant) for each in read.runs] == [("t", "told"), ("s", "v")]
    assert [problem.run_id for problem in read.problems] == [f"{UUID}2"]


def test_the_pattern_goes_before_the_store(tmp_path: Path) -> None:
    write(tmp_path / "exp/sessions/s/v.json", run(1))
    write(tmp_path / "exp/sessions/s/session.json", session("s", entry(1, "v")))
    read = Read(tmp_path, path_pattern="{experiment}/sessions/{_}/{variant}.json")
    assert (read.run.session, read.run.variant, read.run.experiment_name) == ("s", "v", "exp")
    renamed = Read(tmp_path, path_pattern="{variant}/{session}/{_}/{_}.json")
    assert (renamed.run.session, renamed.run.variant) == ("sessions", "exp")
    assert renamed.problems == []


def test_what_folders_and_records_name_differently_is_a_conflict(tmp_path: Path) -> None:
    write(tmp_path / "exp/sessions/s/v.json", run(1))
    write(tmp_path / "exp/sessions/s/session.json", session("t", entry(1, "w", "v.json"), experimentName="else"))
    read = Read(tmp_path)
    assert (read.run.session, read.run.variant, read.run.experiment_name) == ("s", "v", "exp")
    assert read.problem.kind is ProblemKind.CONFLICT
    for words in (
        "several experiments (exp, else)",
        "several sessions (s, t); s was",
        "several variants (v, w); v was",
    ):
        assert words in read.problem.message


@pytest.mark.parametrize(("status", "words"), [("RUNNING", "is still RUNNING"), ("FAILED", "FAILED")])
def test_a_session_that_never_ended_is_missing_runs(tmp_path: Path, status: str, words: str) -> None:
    write(tmp_path / "exp/sessions/s/session.json", session("s", status=status))
    index = {"experimentName": "exp", "entries": [{"sessionName": "s", "status": status, "path": "sessions/s/"}]}
    write(tmp_path / "exp/sessions-index.json", index)
    read = Read(tmp_path)
    assert messages(read) == [f"session s {words}, so runs of it may be missing"]
    assert read.problem.path == f"{tmp_path}/exp/sessions/s/session.json"


def test_a_session_index_speaks_for_sessions_without_a_file(tmp_path: Path) -> None:
    entries = [
        {"sessionName": "gone", "status": "RUNNING"},
        {"sessionName": "bare", "status": "COMPLETED", "path": "sessions/bare/"},
    ]
    write(tmp_path / "exp/sessions-index.json", {"experimentName": "exp", "entries": entries})
    write(tmp_path / "exp/sessions/bare/v.json", run(1))
    assert messages(Read(tmp_path)) == [
        "session gone is still RUNNING, so runs of it may be missing",
        "session gone points at sessions/gone, which isn't there",
        "session bare points at sessions/bare/session.json, which isn't there",
    ]


def test_sweeps_name_unresolved_variants_and_sessions_that_are_not_there(tmp_path: Path) -> None:
    resolutions = [{"variantName": "a", "sessionName": "s"}, {"variantName": "b", "sessionName": None}, {"x": 1}]
    sweep = {"sweepName": "may", "expectedVariants": ["a", "b", "c", 5], "resolutions": resolutions}
    write(tmp_path / "exp/sweeps/may/sweep.json", sweep)
    write(tmp_path / "exp/sweeps-index.json", {"entries": [{"sweepName": "may"}, {"sweepName": "june"}]})
    assert messages(Read(tmp_path)) == [
        "sweep june points at sweeps/june/sweep.json, which isn't there",
        "sweep may has no session for 2 of 3 variants: b, c",
        "the variant a points at sessions/s, which isn't there",
    ]
    (tmp_path / "exp/sessions/s").mkdir(parents=True)
    assert len(messages(Read(tmp_path))) == 2


@pytest.mark.parametrize("path", ["../other.json", "/etc/passwd", "a/../../b.json"])
def test_places_outside_of_the_store_are_not_looked_at(tmp_path: Path, path: str) -> None:
    write(tmp_path / "exp/other.json", run(1))
    write(tmp_path / "exp/s/index.json", {"entries": [{"experimentId": f"{UUID}1", "fileName": path}]})
    (message,) = messages(Read(tmp_path))
    assert "outside of its folder, which isn't looked at" in message


@pytest.mark.parametrize("content", ['{"variants": [', "[]", "5", "", "null", b"\xff\xfe{}"])
@pytest.mark.parametrize("name", sorted(STORE_RECORDS))
def test_an_unreadable_record_is_a_problem_and_costs_nothing_else(tmp_path: Path, name: str, content: object) -> None:
    write(tmp_path / f"exp/sessions/s/{name}", content)
    write(tmp_path / "exp/sessions/s/v.json", run(1))
    read = Read(tmp_path)
    assert (read.run.session, read.run.variant, read.run.repeat) == ("s", "v", 1)
    assert read.problem.path.endswith(name)
    assert read.problem.kind in {ProblemKind.SYNTAX, ProblemKind.FIELD}
    assert [row.state for row in read.sources if row.path.endswith(name)] == [SourceState.SKIPPED]


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4) | st.sampled_from(["..", "/", "a/b", "RUNNING"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)
KEYS = (
    *("sessionName", "experimentName", "createdAt", "status", "variants", "entries", "resolutions", "expectedVariants"),
    *("sweepName", "variantName", "experimentId", "resultFile", "fileName", "path"),
)
OBJECTS = st.dictionaries(st.sampled_from(KEYS), ANYTHING, max_size=6)
RECORDS = st.dictionaries(st.sampled_from(KEYS), ANYTHING | st.lists(OBJECTS, max_size=3), max_size=8)


@given(record=RECORDS, name=st.sampled_from(["session.json", "index.json", "sessions-index.json", "sweep.json"]))
def test_no_content_of_a_record_raises(
    tmp_path_factory: pytest.TempPathFactory, record: dict[str, Any], name: str
) -> None:
    folder = tmp_path_factory.mktemp("store")
    write(folder / f"exp/sessions/s/{name}", json.dumps(record))
    write(folder / "exp/sessions/s/v.json", run(1))
    read = Read(folder)
    assert read.run.variant == "v"
    assert all(problem.message.splitlines() == [problem.message] for problem in read.problems)
