"""Notebooks are stored without outputs, use public names only, and say what is true of the sample data."""

from __future__ import annotations

import ast
import json
import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest

import verdict_frames as vf

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
NAMES = [path.stem for path in NOTEBOOKS]
OF_RESULTS = ["are_the_judges_sound", "first_look", "pass_rate_dashboard", "what_policy_does"]


def notebook(name: str) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((ROOT / "notebooks" / f"{name}.ipynb").read_text(encoding="utf-8"))
    return read


def code_cells(name: str) -> list[str]:
    return ["".join(cell["source"]) for cell in notebook(name)["cells"] if cell["cell_type"] == "code"]


def run(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Run the cells of a notebook on another folder, or on that of the notebook itself."""
    monkeypatch.chdir(ROOT / "notebooks")
    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    first, *others = code_cells(name)
    pointed, count = re.subn(r"^folder = .*$", f"folder = Path({str(folder)!r})", first, flags=re.MULTILINE)
    assert count == 1
    space: dict[str, Any] = {}
    for cell in [pointed, *others]:
        exec(compile(cell, f"<{name}>", "exec"), space)  # noqa: S102 - the notebook's own lines


def test_all_of_them_are_looked_at() -> None:
    assert sorted([*OF_RESULTS, "thresholds"]) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_is_stored_without_what_running_it_leaves_behind(name: str) -> None:
    stored = notebook(name)
    assert stored["metadata"] == {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    cells = stored["cells"]
    assert [cell["id"] for cell in cells] == [f"cell-{place:02d}" for place in range(len(cells))]
    assert [cell["metadata"] for cell in cells if cell["metadata"]] == []
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert [cell["id"] for cell in code if cell["outputs"] or cell["execution_count"] is not None] == []
    assert cells[0]["cell_type"] == "markdown"
    assert "".join(cells[0]["source"]).startswith("# ")


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_imports_nothing_but_the_package_polars_and_what_makes_a_folder(name: str) -> None:
    imports, others = set(), []
    for cell in code_cells(name):
        for node in ast.walk(ast.parse(cell)):
            if isinstance(node, ast.Import):
                imports |= {(module.name, module.asname) for module in node.names}
            elif isinstance(node, ast.ImportFrom):
                others.append((node.module, [module.name for module in node.names]))
    assert {("verdict_frames", "vf"), ("polars", "pl")} <= imports
    assert imports - {("verdict_frames", "vf"), ("polars", "pl")} <= {("duckdb", None), ("tempfile", None)}
    assert others == [("pathlib", ["Path"])]


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_uses_public_names_only(name: str) -> None:
    nodes = [node for cell in code_cells(name) for node in ast.walk(ast.parse(cell))]
    attributes = [node for node in nodes if isinstance(node, ast.Attribute)]
    assert [node.attr for node in attributes if node.attr.startswith("_")] == []
    of_the_package = {node.attr for node in attributes if isinstance(node.value, ast.Name) and node.value.id == "vf"}
    assert of_the_package
    assert of_the_package <= set(vf.__all__)


SAID = {
    "pass_rate_dashboard": [
        "In 4 of 4 experiments with a rate, the counted rate is above the published one.",
        "coverage-uplift: 9 of 17 accepted (52.9%); published: 9 of 22 (40.9%).",
        "jury-outage: 12 of 25 accepted (48.0%); published: 12 of 39 (30.8%).",
        "meta-panel: 1 of 3 accepted (33.3%); published: 1 of 5 (20.0%).",
        "pr-triage: 5 of 10 accepted (50.0%); published: 5 of 21 (23.8%).",
        "guided against baseline: 1 of 5 items accepted more often, 2 less often, 8 not comparable: "
        "no difference that chance would not explain.",
        "guided+retry against baseline: 2 of 6 items accepted more often, 1 less often, 7 not comparable: "
        "no difference that chance would not explain.",
    ],
    "are_the_judges_sound": [
        "6 of 32 judges errored at least once.",
        "The most errors: assertion-depth of jury-outage, 14 of 34 seats (41.2%, interval 25% to 59%).",
        "There 14 of 39 items were not assessed.",
        "build:maven and structure:src/main/java agree on 37 of 39 items (kappa 0.72).",
        "assertion-depth and review/readability agree on 16 of 19 items (kappa 0.63).",
        "Accepted or rejected although a judge errored: 1.",
    ],
    "what_policy_does": [
        "coverage-uplift: from 50.0% under all-items to 75.0% under verified-only.",
        "jury-outage: from 30.8% under all-items to 48.0% under agent-judge-0.17.",
        "meta-panel: from 20.0% under all-items to 33.3% under agent-judge-0.17.",
        "pr-triage: from 27.8% under all-items to 50.0% under agent-judge-0.17.",
        "coverage-uplift: 6 items could have gone either way, so anything from 9 to 15 of 22 (40.9% to 68.2%).",
        "jury-outage: 20 items could have gone either way, so anything from 12 to 32 of 39 (30.8% to 82.1%).",
        "meta-panel: 3 items could have gone either way, so anything from 1 to 4 of 5 (20.0% to 80.0%).",
        "pr-triage: 8 items could have gone either way, so anything from 5 to 13 of 17 (29.4% to 76.5%).",
        "41 items were recorded otherwise than their verdicts read; 32 of them leave the denominator.",
    ],
    "thresholds": [
        "The pack accepts 125 of 267 decided evaluations.",
        "At queue.minSelectedProbability = 0.9, 6 of 120 checked were wrong, so at most 9.6% (95% confidence).",
        "errors at most 2 %: none reaches it.",
        "errors at most 5 %: none reaches it.",
        "errors at most 10 %: 0.6; in the other half 9 of 79 were wrong, at most 19.0%: "
        "the target isn't shown to hold.",
    ],
}
"""What each conclusion says of the sample data: the counts are those of data/README.md, made there by hand."""


@pytest.mark.parametrize("name", SAID)
def test_conclusions_are_true_of_the_sample_data(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = ROOT / "data" / ("evaluations" if name == "thresholds" else "results")
    run(name, folder, monkeypatch, tmp_path)
    printed = capsys.readouterr().out.splitlines()
    assert printed[-len(SAID[name]) :] == SAID[name]


@pytest.mark.parametrize("name", ["are_the_judges_sound", "pass_rate_dashboard", "what_policy_does"])
@pytest.mark.parametrize("own", ["verdict", "traps"])
def test_notebooks_can_be_pointed_at_a_folder_of_ones_own(
    own: str, name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """One bare verdict, without names of any kind, or a store full of what misleads."""
    folder = ROOT / "data" / "traps"
    if own == "verdict":
        folder = tmp_path / "own"
        folder.mkdir()
        (folder / "one.json").write_text('{"aggregated": {"status": "pass"}}', encoding="utf-8")
    run(name, folder, monkeypatch, tmp_path)


def test_thresholds_can_be_pointed_at_a_folder_of_ones_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    own = tmp_path / "own"
    shutil.copytree(ROOT / "data" / "evaluations", own)
    lines = (own / "stored.jsonl").read_text(encoding="utf-8").splitlines()[:150]
    (own / "stored.jsonl").write_text("\n".join(lines), encoding="utf-8")
    run("thresholds", own, monkeypatch, tmp_path)
