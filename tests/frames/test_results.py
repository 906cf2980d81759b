from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.conftest import OPTIONAL_DATA
from tests.frames.builders import ACCEPTING, REJECTING
from verdict_frames.errors import MissingPathError
from verdict_frames.frames.results import read_results
from verdict_frames.frames.schemas.tables import TABLES, polars_schema
from verdict_frames.interpretation.reader import interpret
from verdict_frames.interpretation.stored_form import to_builtins

if TYPE_CHECKING:
    from pathlib import Path


def write(path: Path, content: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def result(run_id: str, *verdicts: object) -> dict[str, object]:
    items = [{"itemId": f"i{index}", "success": True, "verdict": verdict} for index, verdict in enumerate(verdicts)]
    return {"experimentId": run_id, "experimentName": "e", "items": items}


def test_folder_becomes_a_corpus_with_its_sources_and_problems(tmp_path: Path) -> None:
    write(tmp_path / "e/sessions/s/simple.json", result("r1", ACCEPTING, REJECTING, None))
    write(tmp_path / "e/r1.json", result("r1", ACCEPTING, REJECTING, None))
    write(tmp_path / "e/broken.json", '{"experimentId": "r2", "items": [')
    corpus = read_results(tmp_path)
    assert corpus.runs.select("run_id", "session", "variant", "item_count").rows() == [("r1", "s", "simple", 3)]
    assert corpus.items["reading"].to_list() == ["ACCEPTED", "REJECTED", None]
    assert sorted(corpus.sources["state"].to_list()) == ["copy", "problem", "read"]
    assert corpus.problems["kind"].to_list() == ["syntax"]


def test_path_pattern_and_progress_are_handed_on(tmp_path: Path) -> None:
    write(tmp_path / "x" / "v1" / "3.json", result("r1", ACCEPTING))
    seen: list[tuple[int, int]] = []
    corpus = read_results(
        tmp_path,
        path_pattern="{experiment}/{variant}/{repeat}.json",
        progress=lambda done, whole: seen.append((done, whole)),
    )
    assert corpus.runs.select("experiment_name", "variant", "repeat").row(0) == ("x", "v1", 3)
    assert seen[0][0] == 0
    assert seen[-1][0] == seen[-1][1] > 0


def test_surrogates_from_a_file_end_as_replacement_characters(tmp_path: Path) -> None:
    write(tmp_path / "r.json", '{"experimentId": "r", "items": [{"itemId": "a\\ud800", "verdict": {}}]}')
    corpus = read_results(tmp_path)
    assert corpus.items["item_id"].to_list() == ["a\ufffd"]
    assert corpus.problems.select("kind", "item_index").rows() == [("text", 0)]


def test_nothing_readable_gives_an_empty_corpus_that_says_why(tmp_path: Path) -> None:
    write(tmp_path / "log.json", {"message": "hello"})
    corpus = read_results(tmp_path)
    for table in set(TABLES) - {"sources", "problems"}:
        assert corpus.tables()[table].height == 0
        assert corpus.tables()[table].schema == polars_schema(table)
    assert corpus.sources["state"].to_list() == ["foreign"]
    assert corpus.problems["kind"].to_list() == ["foreign"]


def test_missing_path_raises(tmp_path: Path) -> None:
    with pytest.raises(MissingPathError):
        read_results(tmp_path / "gone")


@pytest.mark.skipif(not OPTIONAL_DATA.is_dir(), reason="optional conformance data is not here")
def test_real_files_load_and_rebuild() -> None:
    corpus = read_results([OPTIONAL_DATA / "data/agent-judge", OPTIONAL_DATA / "data/agent-experiment"])
    path = OPTIONAL_DATA / "data/agent-judge/bud-ddd-9b68576e.verdict.json"
    run_id = corpus.runs.filter(corpus.runs["path"].str.ends_with(path.name))["run_id"].item()
    rebuilt = corpus.interpretation(run_id, 0)
    assert to_builtins(rebuilt) == to_builtins(interpret(json.loads(path.read_text(encoding="utf-8"))))
    root = corpus.stages.filter((corpus.stages["run_id"] == run_id) & (corpus.stages["stage_index"] == 0))
    assert root.select("is_copy", "copies_stage").row(0) == (True, 1)
