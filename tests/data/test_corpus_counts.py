"""The store in `data/results` is what its script writes, and its numbers are those that `data/README.md` worked out.

The tables of the README are read by their column headers. The package is imported inside the fixtures only, so that the
checks of the README and of the files stand on their own.
"""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from tests.data.readme_tables import Row, table_of

if TYPE_CHECKING:
    from types import ModuleType

    import polars as pl

DATA = Path(__file__).resolve().parents[2] / "data"
RESULTS = DATA / "results"
BUCKETS = (
    "passes",
    "non_passes",
    "excluded",
    "instrument_failures",
    "unattestable",
    "set_aside",
    "agent_failed",
    "unjudged",
)


class Tables(Protocol):
    """What is asked of a corpus here."""

    runs: pl.DataFrame
    items: pl.DataFrame
    sources: pl.DataFrame


def table(*headers: str) -> list[Row]:
    return table_of(DATA / "README.md", *headers)


def numbers(row: Row) -> tuple[int, ...]:
    return tuple(int(row[bucket]) for bucket in BUCKETS)


def fraction(text: str) -> float | None:
    """Return the value of `k/n`; null for `none`."""
    part, slash, whole = text.partition("/")
    return int(part) / int(whole) if slash else None


def shown(value: object) -> str:
    return "-" if value is None else str(value)


def stored_runs() -> dict[str, dict[str, Any]]:
    """Every result file by its run id, read as plain JSON."""
    runs: dict[str, dict[str, Any]] = {}
    for path in sorted(RESULTS.rglob("*.json")):
        if "workspaces" in path.parts or "journal" in path.parts:
            continue
        try:
            document = json.loads(path.read_text(encoding="utf-8"))
        except ValueError:
            continue
        if "experimentId" in document and "items" in document:
            runs[document["experimentId"]] = document
    return runs


COUNTED = table("run_id", "experiment", "session", "variant", "repeat", "kind", "items", "passes")
LEFT_OUT = table("run_id", "experiment", "session", "variant", "repeat", "kind", "items", "why")
TOTALS = {row["experiment"]: row for row in table("experiment", "items", "passes")}
POLICIES = table("policy", "passes")
BESIDE = {row["name"]: int(row["items"]) for row in table("name", "items", "where")}
FILES = {row["state"]: int(row["files"]) for row in table("state", "files")}
CAUSES = table("experiment", "cause", "recorded")
ITEMS = {(row["run_id"], int(row["item_index"])): row for row in table("run_id", "item_index")}
STORED_COUNTS = table("run_id", "passes", "nonPasses")


# --- the store and the README, without the package ---


def test_store_is_what_the_script_writes() -> None:
    command = [sys.executable, str(DATA / "make_corpus.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_store_stays_small() -> None:
    assert sum(path.stat().st_size for path in RESULTS.rglob("*.json")) < 2**20


def test_buckets_of_each_run_sum_to_its_items() -> None:
    for row in COUNTED:
        assert sum(numbers(row)) == int(row["items"]), row["run_id"]
        eligible = int(row["passes"]) + int(row["non_passes"])
        assert row["pass_rate"] == (f"{row['passes']}/{eligible}" if eligible else "none"), row["run_id"]


def test_totals_sum_the_runs() -> None:
    for experiment, total in TOTALS.items():
        rows = [row for row in COUNTED if experiment in {"all", row["experiment"]}]
        assert int(total["items"]) == sum(int(row["items"]) for row in rows)
        assert numbers(total) == tuple(sum(column) for column in zip(*map(numbers, rows), strict=True))
        published = sum(int(row["published"].partition("/")[0]) for row in rows)
        assert total["published"] == f"{published}/{total['items']}"


def test_policies_cover_the_same_items() -> None:
    for row in POLICIES:
        assert sum(numbers(row)) == int(TOTALS["all"]["items"]), row["policy"]


def test_left_out_items_are_those_of_the_runs_left_out() -> None:
    assert sum(int(row["items"]) for row in LEFT_OUT) == BESIDE["left_out"]


def test_item_rows_agree_with_the_run_rows() -> None:
    found = Counter((run_id, row["bucket"]) for (run_id, _), row in ITEMS.items())
    for row in COUNTED:
        assert numbers(row) == tuple(found[row["run_id"], bucket] for bucket in BUCKETS), row["run_id"]
    for row in LEFT_OUT:
        assert found[row["run_id"], "left out"] == int(row["items"])


def test_every_stored_item_has_its_row() -> None:
    stored = {
        (run_id, index): item["itemSlug"]
        for run_id, run in stored_runs().items()
        for index, item in enumerate(run["items"])
    }
    assert stored == {key: row["item_slug"] for key, row in ITEMS.items()}


def test_published_rates_are_recorded() -> None:
    runs = stored_runs()
    for row in COUNTED:
        items = runs[row["run_id"]]["items"]
        passed = sum(item["passed"] is True for item in items)
        assert row["published"] == f"{passed}/{len(items)}", row["run_id"]
        assert runs[row["run_id"]].get("passRate", passed / len(items)) == passed / len(items)


def test_stored_counts_are_recorded() -> None:
    runs = stored_runs()
    with_counts = {run_id: run["counts"] for run_id, run in runs.items() if "counts" in run}
    stated = {
        row["run_id"]: {key: int(value) for key, value in row.items() if key != "run_id"} for row in STORED_COUNTS
    }
    assert with_counts == stated


def test_outage_has_twenty_items_without_a_decision() -> None:
    runs = [run for run in stored_runs().values() if run["experimentName"] == "jury-outage"]
    statuses = Counter(item["verdict"]["aggregated"]["status"] for run in runs for item in run["items"])
    assert statuses == {"error": 14, "abstain": 6, "pass": 12, "fail": 7}
    undecided = [i for r in runs for i in r["items"] if i["verdict"]["aggregated"]["status"] in {"error", "abstain"}]
    assert {item["passed"] for item in undecided} == {False}


def test_causes_lead_from_the_published_to_the_counted_fraction() -> None:
    for experiment, total in TOTALS.items():
        rows = [row for row in CAUSES if experiment in {"all", row["experiment"]}]
        eligible = int(total["passes"]) + int(total["non_passes"])
        assert int(total["items"]) + sum(int(row["eligible"]) for row in rows) == eligible
        assert total["published"].partition("/")[0] == total["passes"]


CAUSE_OF = {
    "agent_failed": "agent_failed",
    "unjudged": "not_judged",
    "excluded": "not_applicable",
    "instrument_failures": "jury_errored",
}
RECORDED = {True: "passed", False: "not passed", None: "neither"}


def stated_cause(row: Row) -> str | None:
    """Return the cause of an item of the README's table; null where its record says what its verdict says."""
    if row["bucket"] == "unattestable":
        return "contradicted" if row["support"] == "CONTRADICTED" else "no_reading"
    return "jury_abstained" if row["reading"] == "UNDECIDED" else CAUSE_OF.get(row["bucket"])


def test_causes_are_those_of_the_item_rows_as_recorded() -> None:
    found: Counter[tuple[str, str, str]] = Counter()
    for run_id, run in stored_runs().items():
        for index, item in enumerate(run["items"]):
            row = ITEMS[run_id, index]
            if row["bucket"] == "left out":
                continue
            cause = stated_cause(row)
            if cause is None:
                assert item["passed"] is (row["reading"] == "ACCEPTED"), row
            else:
                found[run["experimentName"], cause, RECORDED[item["passed"]]] += 1
    assert found == {(row["experiment"], row["cause"], row["recorded"]): int(row["items"]) for row in CAUSES}


def test_files_sum() -> None:
    assert sum(count for state, count in FILES.items() if state != "all") == FILES["all"]
    assert sum(path.is_file() for path in RESULTS.rglob("*")) == FILES["all"]


# --- the package against the README ---


@pytest.fixture(scope="module")
def vf() -> ModuleType:
    return importlib.import_module("verdict_frames")


@pytest.fixture(scope="module")
def corpus(vf: ModuleType) -> Tables:
    corpus: Tables = vf.read_results(RESULTS)
    return corpus


def test_file_states(corpus: Tables) -> None:
    found = Counter(str(state) for state in corpus.sources["state"].to_list())
    assert found == {state: count for state, count in FILES.items() if state != "all"}


def test_runs_and_their_kinds(corpus: Tables) -> None:
    found = {
        row["run_id"]: tuple(
            shown(row[name]) for name in ("experiment_name", "session", "variant", "repeat", "kind", "item_count")
        )
        for row in corpus.runs.iter_rows(named=True)
    }
    stated = {
        row["run_id"]: tuple(row[name] for name in ("experiment", "session", "variant", "repeat", "kind", "items"))
        for row in [*COUNTED, *LEFT_OUT]
    }
    assert found == stated


def test_readings_of_all_items(corpus: Tables) -> None:
    for row in corpus.items.iter_rows(named=True):
        stage = row["decided_by_stage"]
        decided = f"stage {stage}" if row["decided_by_kind"] == "stage" else shown(row["decided_by_kind"])
        found = (shown(row["verdict_era"]), shown(row["reading"]), shown(row["reading_support"]), decided)
        stated = ITEMS[row["run_id"], row["item_index"]]
        assert found == tuple(stated[name] for name in ("era", "reading", "support", "decided_by")), stated
    assert corpus.items.height == len(ITEMS)


def test_stored_interpretations_equal_the_computed_ones(corpus: Tables) -> None:
    differing = [row for row in corpus.items.iter_rows(named=True) if row["stored_difference"]]
    assert differing == []


def test_tally_by_run(vf: ModuleType, corpus: Tables) -> None:
    found = {row["run_id"]: row for row in vf.tally(corpus, by="run_id").iter_rows(named=True)}
    for row in COUNTED:
        assert tuple(found[row["run_id"]][bucket] for bucket in BUCKETS) == numbers(row), row["run_id"]
        assert found[row["run_id"]]["pass_rate"] == fraction(row["pass_rate"]), row["run_id"]


@pytest.mark.parametrize("row", POLICIES, ids=[row["policy"] for row in POLICIES])
def test_totals_by_policy(vf: ModuleType, corpus: Tables, row: Row) -> None:
    (found,) = vf.tally(corpus, policy=row["policy"]).iter_rows(named=True)
    assert tuple(found[bucket] for bucket in BUCKETS) == numbers(row)
    assert found["pass_rate"] == fraction(row["pass_rate"])
    assert {name: found[name] for name in BESIDE} == BESIDE


def test_outage_published_and_decided(vf: ModuleType, corpus: Tables) -> None:
    tallied = vf.tally(corpus, by="experiment_name").iter_rows(named=True)
    (found,) = [row for row in tallied if row["experiment_name"] == "jury-outage"]
    assert (found["naive_rate"], found["pass_rate"]) == (12 / 39, 12 / 25)
    assert (found["instrument_failures"], found["undecided"]) == (14, 6)


def test_audit_by_experiment(vf: ModuleType, corpus: Tables) -> None:
    audited = vf.audit(corpus, "experiment_name")
    found = [
        (row["experiment_name"], row["cause"], RECORDED[row["passed"]], row["items"], row["eligible_change"])
        for row in audited.causes.iter_rows(named=True)
    ]
    assert sorted(found) == sorted(
        (row["experiment"], row["cause"], row["recorded"], int(row["items"]), int(row["eligible"])) for row in CAUSES
    )
    assert audited.causes["passes_change"].sum() == 0
    for row in audited.rates.iter_rows(named=True):
        total = TOTALS.get(row["experiment_name"])
        if total is not None:
            assert f"{row['recorded_passes']}/{row['recorded_items']}" == total["published"]
            assert f"{row['passes']}/{row['eligible']}" == total["pass_rate"]
            assert (row["recorded_rate"], row["pass_rate"]) == (
                fraction(total["published"]),
                fraction(total["pass_rate"]),
            )


def test_audit_of_each_run(vf: ModuleType, corpus: Tables) -> None:
    found = {row["run_id"]: row for row in vf.audit(corpus, "run_id").rates.iter_rows(named=True)}
    for row in COUNTED:
        rates = found[row["run_id"]]
        assert f"{rates['recorded_passes']}/{rates['recorded_items']}" == row["published"], row["run_id"]
        assert rates["pass_rate"] == fraction(row["pass_rate"]), row["run_id"]


def test_audit_explains_what_every_run_states(vf: ModuleType, corpus: Tables) -> None:
    audited = vf.audit(corpus)
    stating = {run_id: "passRate" in run for run_id, run in stored_runs().items()}
    assert Counter(stating.values()) == {True: 12, False: 4}
    for row in audited.runs.iter_rows(named=True):
        rate, counts = row["pass_rate_explained_by"], row["counts_explained_by"]
        if stating[row["run_id"]]:
            assert (rate, counts, row["counts_differ"]) == ("recorded as passed, of all items", None, None)
        else:
            assert (rate, counts, row["counts_differ"]) == (None, "agent-experiment-0.9", [])
    assert (audited.interpretations.height, audited.scores.height, audited.copies.height) == (18, 0, 11)
    assert audited.interpretations["stored_difference"].list.len().sum() == 0
    (error,) = audited.judge_errors.iter_rows(named=True)
    assert (error["item_slug"], error["variant"]) == ("relay:retry-budget", "duo+review")
    assert (error["reading"], error["errors_treated_as_abstain_count"]) == ("ACCEPTED", 1)
