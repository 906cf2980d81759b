"""The README's recipes for logs of other tools, run on frames as these tools write them."""

from __future__ import annotations

import importlib
import json
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pandas as pd
import polars as pl
import pytest

import verdict_frames as vf
from verdict_frames.errors import ColumnError

if TYPE_CHECKING:
    from verdict_frames.frames.corpus import Corpus

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
RECIPES = dict(re.findall(r"<!-- recipe: (\w+) -->\n```python\n(.+?)```", README, flags=re.DOTALL))


def run(recipe: str, **names: Any) -> Corpus:
    space = {"vf": vf, "pl": pl, "json": json, **names}
    exec(RECIPES[recipe], space)  # noqa: S102 - the README's own lines
    corpus: Corpus = space["corpus"]
    return corpus


def counts(corpus: Corpus, **values: Any) -> dict[str, int]:
    """The counts of a tally that aren't 0, of the part of the corpus with these values."""
    row = vf.tally(corpus.filter(**values)).row(0, named=True)
    beside = ("passed_recorded", "clusters")
    return {name: count for name, count in row.items() if isinstance(count, int) and count and name not in beside}


def test_there_are_recipes_for_three_tools_and_for_a_page() -> None:
    assert sorted(RECIPES) == ["dashboard", "deepeval", "inspect_ai", "promptfoo"]


def inspect_samples(scores: list[str | None], errors: list[str]) -> pd.DataFrame:
    """Two epochs of samples in the columns and types of `samples_df(columns=SampleSummary + EvalModel)`."""
    samples = len(scores) // 2
    columns = {
        "sample_id": [f"uuid-{row}" for row in range(len(scores))],
        "eval_id": ["NiV4w9TZwEsMMVFPBzWNGq"] * len(scores),
        "model": ["mockllm/model"] * len(scores),
        "model_args": [None] * len(scores),
        "log": ["logs/2026-11-30T10-00-00_task.eval"] * len(scores),
        "id": [f"s{row % samples}" for row in range(len(scores))],
        "epoch": [1 + row // samples for row in range(len(scores))],
        "input": ["What is asked?"] * len(scores),
        "target": ["a"] * len(scores),
        "score_match": scores,
        "total_time": [0.25] * len(scores),
        "error": errors,
        "limit": [None] * len(scores),
    }
    return pd.DataFrame(columns).convert_dtypes(dtype_backend="pyarrow")


def inspect_names(samples: pd.DataFrame) -> dict[str, Any]:
    return {"samples_df": lambda _logs, *, columns: samples[[*columns]], "SampleSummary": [*samples], "EvalModel": []}


def test_inspect_ai_keeps_errors_apart_from_scores_that_are_missing() -> None:
    scores = ["C", "I", None, None, "C", "C", None, None]
    errors = ["", "", "RuntimeError('sandbox died')", "", "", "", "TimeoutError()", ""]
    corpus = run("inspect_ai", **inspect_names(inspect_samples(scores, errors)))
    assert corpus.runs.select("run_id", "variant", "repeat", "item_count").rows() == [
        (f"NiV4w9TZwEsMMVFPBzWNGq/variant=mockllm/model/repeat={epoch}", "mockllm/model", epoch, 4) for epoch in (1, 2)
    ]
    assert counts(corpus) == {
        "passes": 3,
        "non_passes": 1,
        "eligible": 4,
        "agent_failed": 2,
        "instrument_failures": 2,
        "not_assessed": 2,
        "instrument_marks": 2,
        "unverified": 6,
        "total": 8,
    }
    assert corpus.items["error"].to_list()[2:4] == ["RuntimeError('sandbox died')", ""]


def test_inspect_ai_scores_that_nobody_gave_a_meaning_are_refused() -> None:
    samples = inspect_samples(["C", "INVALID"], ["", ""])
    with pytest.raises(ColumnError, match="'outcome' holds 'INVALID', and the mapping doesn't say what that means"):
        run("inspect_ai", **inspect_names(samples))


def promptfoo_result(test: int, provider: str, reason: int, error: str | None = None) -> dict[str, Any]:
    passed = reason == 0
    row: dict[str, Any] = {
        "cost": 0.0012,
        "failureReason": reason,
        "gradingResult": None if reason == 2 else {"pass": passed, "score": float(passed), "reason": "…"},
        "id": f"{provider}-{test}",
        "latencyMs": 815,
        "namedScores": {},
        "prompt": {"raw": "Say {{what}}", "label": "Say {{what}}"},
        "promptIdx": 0,
        "provider": {"id": provider, "label": ""},
        "score": float(passed),
        "success": passed,
        "testIdx": test,
        "vars": {"what": "yes"},
    }
    return row if error is None else row | {"error": error}


def test_promptfoo_keeps_errors_out_of_the_rate() -> None:
    rows = [
        *(promptfoo_result(test, "openai:small", int(test > 2)) for test in range(4)),
        *(promptfoo_result(test, "openai:large", 0) for test in range(2)),
        promptfoo_result(2, "openai:large", 1, 'Expected output to contain "yes"'),
        promptfoo_result(3, "openai:large", 2, "API error: 429 Too Many Requests"),
    ]
    output = json.dumps({"evalId": "eval-1", "results": {"version": 3, "results": rows, "stats": {"errors": 1}}})
    corpus = run("promptfoo", output=output)
    small = counts(corpus, variant="openai:small")
    assert (small["passes"], small["eligible"], small["total"]) == (3, 4, 4)
    assert counts(corpus, variant="openai:large") == {
        "passes": 2,
        "non_passes": 1,
        "eligible": 3,
        "agent_failed": 1,
        "naive_passes": 2,
        "unverified": 3,
        "total": 4,
    }
    assert corpus.items.filter(success=False)["error"].to_list() == ["API error: 429 Too Many Requests"]


def test_deepeval_keeps_metrics_that_broke_apart_from_those_that_failed() -> None:
    def metric(name: str, score: float | None, error: str | None = None) -> SimpleNamespace:
        success = score is not None and score >= 0.5
        return SimpleNamespace(name=name, score=score, threshold=0.5, success=success, error=error, reason="…")

    evaluation = SimpleNamespace(
        test_results=[
            SimpleNamespace(name="case_0", metrics_data=[metric("Faithfulness", 0.5), metric("Bias", 0.2)]),
            SimpleNamespace(name="case_1", metrics_data=[metric("Faithfulness", 0.4), metric("Bias", 0.9)]),
            SimpleNamespace(name="case_2", metrics_data=[metric("Faithfulness", None, "timeout"), metric("Bias", 1)]),
            SimpleNamespace(name="case_3", metrics_data=[metric("Faithfulness", float("nan")), metric("Bias", 0.7)]),
        ]
    )
    corpus = run("deepeval", evaluation=evaluation)
    assert counts(corpus, variant="Faithfulness") == {
        "passes": 1,
        "non_passes": 1,
        "eligible": 2,
        "instrument_failures": 2,
        "not_assessed": 2,
        "instrument_marks": 2,
        "naive_passes": 1,
        "unverified": 4,
        "total": 4,
    }
    bias = counts(corpus, variant="Bias")
    assert (bias["passes"], bias["eligible"]) == (3, 4)


class Page(HTMLParser):
    """The tags of a page, and the text of each cell of its body, row by row."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.rows: list[list[str]] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
        assert tag not in ("td", "bdi") or not attrs

    def handle_data(self, data: str) -> None:
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += data.strip()


def dashboard(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Page:
    """Run the recipe in a folder that holds `results`."""
    monkeypatch.chdir(folder)
    exec(RECIPES["dashboard"], {})  # noqa: S102 - the README's own lines
    return Page((folder / "pass_rates.html").read_text(encoding="utf-8"))


def test_the_page_says_what_a_tally_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "data" / "results", tmp_path / "results")
    by = ["experiment_name", "variant"]
    tally = vf.tally(vf.read_results(tmp_path / "results"), by=by).filter(pl.col("total") > 0)
    names = (*by, "passes", "eligible", "instrument_failures", "pass_rate")
    expected = [
        ["–" if value is None else f"{value:.1%}" if isinstance(value, float) else str(value) for value in row]
        for row in tally.select(names).iter_rows()
    ]
    for _ in range(2):  # a second run changes nothing
        page = dashboard(tmp_path, monkeypatch)
        assert page.rows[0] == ["experiment", "variant", "passes", "eligible", "not assessed", "pass rate"]
        assert page.rows[1:] == expected
    assert ["jury-outage", "guided", "3", "9", "4", "33.3%"] in page.rows


def test_names_on_the_page_are_inert(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "<script>alert(1)</script></td></style>\"'&amp;\u202e=cmd()"
    run = {"experimentName": name, "variant": name, "items": [{"itemId": "a", "verdict": {"aggregated": {}}}]}
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "run.json").write_text(json.dumps(run), encoding="utf-8")
    page = dashboard(tmp_path, monkeypatch)
    assert page.rows[1:] == [[name, "–", "0", "0", "0", "–"]]
    assert "script" not in page.tags
    assert page.tags.count("td") == page.tags.count("bdi") + 1


@pytest.mark.filterwarnings("ignore")  # what another package warns of is its own affair
def test_inspect_ai_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inspect_ai = pytest.importorskip("inspect_ai", reason="inspect_ai isn't installed")
    rooms = ("analysis", "scorer", "solver")
    analysis, scorer, solver = (importlib.import_module(f"inspect_ai.{room}") for room in rooms)
    values = {"s0": "C", "s1": "I", "s3": float("nan")}

    @scorer.scorer(metrics=[scorer.accuracy()], name="match")  # type: ignore[untyped-decorator]
    def grade() -> Any:
        async def score(state: Any, _target: Any) -> Any:
            return scorer.Score(value=values[state.sample_id])

        return score

    @solver.solver  # type: ignore[untyped-decorator]
    def breaking() -> Any:
        async def solve(state: Any, _generate: Any) -> Any:
            if state.sample_id == "s2":
                message = "sandbox died"
                raise RuntimeError(message)
            return state

        return solve

    samples = [inspect_ai.dataset.Sample(id=f"s{place}", input="q", target="a") for place in range(4)]
    task = inspect_ai.Task(dataset=samples, solver=[breaking()], scorer=[grade()], epochs=2)
    inspect_ai.eval(task, model="mockllm/model", log_dir=str(tmp_path / "logs"), display="none", fail_on_error=False)
    monkeypatch.chdir(tmp_path)
    names = ("samples_df", "SampleSummary", "EvalModel")
    corpus = run("inspect_ai", **{name: getattr(analysis, name) for name in names})
    assert sorted(corpus.runs["repeat"]) == [1, 2]
    told = counts(corpus)
    told = {name: told[name] for name in ("passes", "eligible", "agent_failed", "instrument_failures", "total")}
    assert told == {"passes": 2, "eligible": 4, "agent_failed": 2, "instrument_failures": 2, "total": 8}
