"""The counts of data/evaluations that its README gives, once more in plain Python and from the library."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from verdict_frames.frames.answer_checks import check_answers
from verdict_frames.frames.decisions import decide
from verdict_frames.frames.evaluation_assembly import read_evaluations
from verdict_frames.review.packs import Pack
from verdict_frames.statistics.evaluations.question_table import question_table
from verdict_frames.statistics.evaluations.rechecks import recheck
from verdict_frames.statistics.evaluations.sweeps import sweep
from verdict_frames.statistics.evaluations.usage import usage_table
from verdict_frames.statistics.tally import tally

FOLDER = Path(__file__).resolve().parents[2] / "data" / "evaluations"
STORED = FOLDER / "stored.jsonl"
PACK = Pack.from_file(FOLDER / "pack-2.json")
EVALUATIONS = read_evaluations(STORED, pack=PACK)
FLOOR = "queue.minSelectedProbability"


def raw_rows() -> list[dict[str, Any]]:
    rows = []
    for line in STORED.read_text("utf-8").splitlines():
        try:
            rows.append(json.loads(line))
        except json.JSONDecodeError:
            assert line.startswith('{"id":"ev-cut"')
    return rows


def test_the_files_are_those_of_the_script() -> None:
    script = FOLDER.parent / "make_evaluations.py"
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "4 files, 0 difference(s)\n")


def test_the_tally_is_that_of_the_readme() -> None:
    row = tally(EVALUATIONS).row(0, named=True)
    expected = {
        "accepted": 140,
        "eligible": 272,
        "total": 293,
        "reviewed_by_rule": 122,
        "reviewed_invalid_answer": 8,
        "rejected": 2,
        "failed": 21,
        "no_status": 0,
        "gateway_auth": 3,
        "gateway_unavailable": 9,
        "invalid_model_output": 4,
        "invalid_pack": 2,
        "invalid_ticket": 2,
        "other_failure": 1,
        "answers_not_recorded": 5,
        "keys": 286,
        "without_key": 0,
        "repeated_keys": 6,
        "left_out": 0,
    }
    assert {name: row[name] for name in expected} == expected
    assert row["accept_rate"] == 140 / 272
    whole = tally(EVALUATIONS, policy="all-evaluations").row(0, named=True)
    assert (whole["eligible"], whole["accept_rate"], whole["ci_method"]) == (293, 140 / 293, "repeated keys")
    latest = tally(EVALUATIONS.latest_per_key()).row(0, named=True)
    assert [latest[name] for name in ("accepted", "eligible", "failed", "total", "left_out")] == [140, 272, 14, 286, 7]


def test_the_tally_in_plain_python() -> None:
    rows = raw_rows()
    reasons = [row["result"]["reviewReasons"] for row in rows]
    failed = [any(": " not in text for text in texts) for texts in reasons]
    counts = tally(EVALUATIONS).row(0, named=True)
    assert counts["total"] == len(rows)
    assert counts["failed"] == sum(failed)
    assert counts["accepted"] == sum(row["result"]["status"] == "accept" for row in rows)
    assert counts["answers_not_recorded"] == sum(
        not row["result"]["answers"] and not fails for row, fails in zip(rows, failed, strict=True)
    )
    keys = Counter(row["idempotencyKey"] for row in rows)
    assert (counts["keys"], counts["repeated_keys"]) == (len(keys), sum(count > 1 for count in keys.values()))


def test_one_line_is_cut_off_and_nothing_else_is_a_problem() -> None:
    assert EVALUATIONS.problems.select("kind", "line").rows() == [("syntax", 201)]


def test_every_reason_is_there() -> None:
    kinds = Counter(EVALUATIONS.review_reasons["kind"].to_list())
    assert kinds == {
        "missing_probability": 12,
        "below_minimum": 60,
        "score_range": 29,
        "probability_band": 28,
        "invalid_answer": 8,
        "failure": 21,
        "other_rule": 3,
    }


@pytest.mark.parametrize(
    ("floor", "accepted", "checked", "wrong"),
    [
        (0.6, 195, 160, 12),
        (0.85, 165, 160, 12),
        (0.89, 145, 140, 11),
        (0.9, 125, 120, 6),
        (0.95, 102, 100, 3),
        (0.99, 60, 60, 1),
        (1.0, 0, 0, 0),
    ],
)
def test_floors_accept_what_the_readme_says(floor: float, accepted: int, checked: int, wrong: int) -> None:
    labels = pl.read_csv(FOLDER / "labels.csv")
    row = sweep(EVALUATIONS, PACK, FLOOR, labels=labels).at([floor]).row(0, named=True)
    assert (row["accepted"], row["checked"], row["wrong"]) == (accepted, checked, wrong)
    gold = {
        row["ticket_id"]: row["gold"] for row in csv.DictReader((FOLDER / "labels.csv").read_text("utf-8").splitlines())
    }
    kept = []
    for stored in raw_rows():
        answers = stored["result"]["answers"]
        queue = answers.get("queue", {})
        if queue.get("type") != "choice" or queue.get("probabilities", {}).get("billing", -1) < floor:
            continue
        if not 1.5 <= answers["urgency"]["score"] <= 2.5 and not 0.2 < answers["refund"]["probability"] < 0.8:
            kept.append(stored["ticketId"])
    assert len(kept) == accepted
    assert sum(ticket in gold for ticket in kept) == checked
    assert sum(gold.get(ticket) == "technical" for ticket in kept) == wrong


def test_deciding_again_differs_where_the_readme_says() -> None:
    assert decide(PACK, EVALUATIONS)["status"].drop_nulls().value_counts().sort("status").rows() == [
        ("accept", 125),
        ("review", 142),
    ]
    again = recheck(EVALUATIONS, PACK)
    columns = ("pack_version", "same_version", "total", "same", "different_reasons", "different_status")
    assert again.summary.select(columns).rows() == [("1", False, 20, 0, 0, 20), ("2", True, 273, 242, 0, 5)]
    assert again.summary.select("failed", "answers_not_recorded").rows() == [(0, 0), (21, 5)]
    first = recheck(EVALUATIONS, Pack.from_file(FOLDER / "pack-1.json"))
    assert first.summary.filter(pl.col("pack_version") == "1")["same"].to_list() == [20]


def test_rules_fire_as_often_as_the_readme_says() -> None:
    table = question_table(EVALUATIONS, PACK).select("question_id", "has_rule", "fired", "fired_alone")
    assert table.rows() == [
        ("queue", True, 100, 90),
        ("urgency", True, 24, 24),
        ("refund", True, 28, 18),
        ("language", False, 0, 0),
    ]


def test_checks_find_the_wrong_types_alone() -> None:
    assert Counter(check_answers(PACK, EVALUATIONS)["fault"].to_list()) == {"wrong_type": 8}


def test_usage_is_that_of_the_readme() -> None:
    row = usage_table(EVALUATIONS).row(0, named=True)
    assert (row["latency_p50"], row["latency_p99"], row["latency_max"]) == (800.0, 30_000.0, 30_000.0)
    assert (row["input_tokens_recorded"], row["input_tokens_total"]) == (272, 272 * 900)
    assert (row["cost_usd_recorded"], row["cost_usd_total"]) == (247, pytest.approx(247 * 0.00025))
