"""Optional conformance data: what each real file is, written down by hand; skipped where the data is absent."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import OPTIONAL_DATA
from tests.sources.stores import Read
from verdict_frames.sources.reader import ResultFiles

JUDGE = OPTIONAL_DATA / "data/agent-judge"
EXPERIMENT = OPTIONAL_DATA / "data/agent-experiment"

READ = {
    "agent-judge/bud-ddd-9b68576e.verdict.json": ("bud-ddd-9b68576e.verdict.json", 1, 1, 0),
    "agent-judge/bud-ddd-a068e50a.verdict.json": ("bud-ddd-a068e50a.verdict.json", 1, 1, 0),
    "agent-judge/composite-verdict-0.14.json": ("composite-verdict-0.14.json", 1, 1, 0),
    "agent-judge/composite-verdict-0.17.json": ("composite-verdict-0.17.json", 1, 1, 0),
    "agent-judge/later-v5.json": ("later-v5.json", 1, 1, 0),
    "agent-judge/later-v6.json": ("later-v6.json", 1, 1, 0),
    "agent-judge/normalized-judgment-0.14.json": ("normalized-judgment-0.14.json", 1, 1, 0),
    "agent-judge/pr-review-ACP-13.verdict.json": ("pr-review-ACP-13.verdict.json", 1, 1, 0),
    "agent-judge/verdict-0.17-cascade.verdict.json": ("verdict-0.17-cascade.verdict.json", 1, 1, 0),
    "agent-judge/result-0.17-cascade.json": ("example-0-17-cascade", 1, 1, 0),
    "agent-experiment/result-0.5-judge-0.13.json": ("legacy-exp-013", 1, 1, 0),
    "agent-experiment/result-0.9-never-judged.json": ("never-judged", 1, 0, 0),
    "agent-experiment/result-0.9-no-items.json": ("no-items", 0, 0, 0),
    "agent-experiment/result-0.9-nothing-scored.json": ("nothing-scored", 2, 2, 2),
}
"""File → run id, items, items with a verdict, items with a stored interpretation."""

FOREIGN = {
    "agent-judge/result-vocabulary-0.17.json": "a list of 6 judgments: not a verdict",
    "agent-experiment/dataset.json": "a dataset manifest",
}

pytestmark = pytest.mark.skipif(not JUDGE.is_dir() or not EXPERIMENT.is_dir(), reason="optional data is absent")


@pytest.mark.parametrize("name", READ)
def test_a_real_file_is_read(name: str) -> None:
    read = Read(OPTIONAL_DATA / "data" / name)
    run_id, items, verdicts, interpretations = READ[name]
    assert read.problems == []
    assert read.run.run_id == run_id
    assert len(read.run.items) == items
    assert sum(found.has_verdict for found in read.run.items) == verdicts
    assert sum(found.interpretation is not None for found in read.run.items) == interpretations


@pytest.mark.parametrize("name", FOREIGN)
def test_a_real_file_is_foreign(name: str) -> None:
    read = Read(OPTIONAL_DATA / "data" / name)
    assert read.runs == []
    assert read.problem.kind.value == "foreign"
    assert read.problem.message.startswith(FOREIGN[name])


def test_every_real_file_is_accounted_for() -> None:
    files = ResultFiles([JUDGE, EXPERIMENT])
    runs = {run.path: run.run_id for run in files.runs()}
    root = OPTIONAL_DATA / "data"
    assert {Path(path).relative_to(root).as_posix(): run_id for path, run_id in runs.items()} == {
        name: expected[0] for name, expected in READ.items()
    }
    states = {Path(row.path).relative_to(root).as_posix(): row.state.value for row in files.sources}
    assert states == {
        **dict.fromkeys(READ, "read"),
        **dict.fromkeys(FOREIGN, "foreign"),
        **{
            f"agent-experiment/curated-tables/{name}.parquet": "skipped"
            for name in ("item_results", "judge_details", "runs", "tool_uses")
        },
    }


def test_what_other_tools_wrote_is_foreign() -> None:
    files = ResultFiles(OPTIONAL_DATA / "data/jev")
    assert list(files.runs()) == []
    assert {row.state.value for row in files.sources} == {"foreign", "skipped"}
    assert len(files.problems) == sum(row.state.value == "foreign" for row in files.sources)
