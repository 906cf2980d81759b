"""The sample store, counted a second time in plain Python over each item's stored form."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.statistics.reference import marks
from verdict_frames.frames.results import read_results
from verdict_frames.interpretation.stored_form import to_builtins
from verdict_frames.statistics.tally import tally

if TYPE_CHECKING:
    from verdict_frames.frames.corpus import Corpus

RESULTS = Path(__file__).resolve().parents[2] / "data" / "results"

BUCKETS = {
    "agent-judge-0.17": {
        "ACCEPTED": "passes",
        "REJECTED": "non_passes",
        "UNDECIDED": "non_passes",
        "NOT_APPLICABLE": "excluded",
        "NOT_ASSESSED": "instrument_failures",
    }
}
BUCKETS["agent-experiment-0.9"] = BUCKETS["agent-judge-0.17"] | {"NOT_ASSESSED": "excluded"}
BUCKETS["verified-only"] = BUCKETS["agent-judge-0.17"]
BUCKETS["all-items"] = dict.fromkeys(BUCKETS["agent-judge-0.17"], "non_passes") | {"ACCEPTED": "passes"}


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return read_results(RESULTS)


def left_out(corpus: Corpus) -> set[str]:
    runs = corpus.runs.to_dicts()
    return {run["run_id"] for run in runs if run["kind"] == "judge_experiment"} | {
        run["re_evaluated_from"] for run in runs if run["kind"] == "re_evaluation"
    }


def bucket(policy: str, stored: dict[str, Any] | None, item: dict[str, Any]) -> str:
    if stored is None:
        return "agent_failed" if item["success"] is False else "unjudged"
    if stored["readingSupport"] == "CONTRADICTED" or stored["reading"] is None:
        return "non_passes" if policy == "all-items" else "unattestable"
    if stored["readingSupport"] == "UNDETERMINED" and policy == "verified-only":
        return "set_aside"
    return BUCKETS[policy][stored["reading"]]


@pytest.mark.parametrize("policy", BUCKETS)
@pytest.mark.parametrize("by", ["experiment_name", "variant", "run_id"])
def test_tally_equals_a_count_in_plain_python(corpus: Corpus, policy: str, by: str) -> None:
    groups = {run["run_id"]: run[by] for run in corpus.runs.iter_rows(named=True)}
    out = left_out(corpus)
    counted: dict[str | None, Counter[str]] = {group: Counter() for group in groups.values()}
    for item in corpus.items.iter_rows(named=True):
        counts = counted[groups[item["run_id"]]]
        if item["run_id"] in out:
            counts["left_out"] += 1
            continue
        judged = item["interpretation_origin"] is not None
        stored = to_builtins(corpus.interpretation(item["run_id"], item["item_index"])) if judged else None
        counts.update(["total", bucket(policy, stored, item)])
        told = {"passed": item["passed"], "metadata": {"instrumentFailure": item["instrument_failure"]}}
        counts.update(marks(told | {"interpretation": stored}))
    names = [
        *("passes", "non_passes", "excluded", "instrument_failures", "unattestable", "set_aside", "agent_failed"),
        *("unjudged", "total", "left_out", "passed_recorded", "naive_passes", "unverified", "undecided"),
        *("not_assessed", "instrument_marks", "judge_error_items"),
    ]
    rows = {row[by]: row for row in tally(corpus, by, policy=policy).iter_rows(named=True)}
    assert {group: [row[name] for name in names] for group, row in rows.items()} == {
        group: [counts[name] for name in names] for group, counts in counted.items()
    }
    for group, row in rows.items():
        eligible = counted[group]["passes"] + counted[group]["non_passes"]
        assert row["eligible"] == eligible
        assert row["pass_rate"] == (counted[group]["passes"] / eligible if eligible else None)
