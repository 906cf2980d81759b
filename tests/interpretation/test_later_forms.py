"""Forms younger than 0.17 degrade into defects; none of their facts is taken for a reading."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.conftest import OPTIONAL_DATA
from tests.interpretation.shapes import found
from verdict_frames.interpretation.era import verdict_era
from verdict_frames.interpretation.reader import interpret
from verdict_frames.vocabulary import Support, VerdictEra


def said(version: int, producer_status: str, **others: object) -> dict[str, object]:
    judged = {"schemaVersion": version, "producerStatus": producer_status, "reasoning": "said so", "checks": []}
    return judged | {"metadata": {}, "invocations": [], "invocationIds": []} | others


def later_verdict(version: int, producer_status: str, **others: object) -> dict[str, Any]:
    """A whole verdict of that version: what 0.17 called aggregate, decision and status has other names in it."""
    judged = said(version, producer_status)
    seat = {"position": 0, "verdictKey": "links", "keySource": "DECLARED"}
    return {
        "schemaVersion": version,
        "judgment": judged,
        "individual": [judged],
        "individualByName": {"links": judged},
        "seats": [seat | {"execution": "RETURNED", "participation": "IDENTITY"}],
        "provenance": {"kind": "own"},
        "compositeAttempts": [],
        "roster": ["links"],
        "declaredCardinality": 1,
    } | others


def cascade(version: int, producer_status: str) -> dict[str, Any]:
    tier = {
        "name": "links",
        "relation": "cascade_tier",
        "routingRule": "FINAL_TIER",
        "disposition": "used",
        "verdict": later_verdict(version, producer_status),
    }
    provenance = {"kind": "tier", "tier": "links", "basis": "tier_outcome"}
    return later_verdict(version, producer_status, provenance=provenance, compositeAttempts=[tier])


JUDGED = ["ABSENT verdict . aggregated", "ABSENT verdict.individual[0] . status"]


@pytest.mark.parametrize("version", [5, 6, 7])
@pytest.mark.parametrize("producer_status", ["pass", "fail", "error", "abstain", "not_applicable"])
def test_a_later_verdict_says_nothing_that_this_version_reads(version: int, producer_status: str) -> None:
    stored = later_verdict(version, producer_status)
    interpretation = interpret(stored)
    assert verdict_era(stored) is VerdictEra.LATER
    assert found(interpretation) == [*JUDGED, "ABSENT verdict . decision"]
    assert (interpretation.source_version, interpretation.root.status, interpretation.decided_by) == (0, None, None)
    assert [(judge.name, judge.status) for judge in interpretation.root.judges] == [("links", None)]
    assert interpretation.reading is None
    assert interpretation.reading_support is Support.UNDETERMINED


@pytest.mark.parametrize("version", [5, 6])
def test_a_later_cascade_has_stages_and_no_reading(version: int) -> None:
    interpretation = interpret(cascade(version, "pass"))
    tier = "verdict.compositeAttempts[0]"
    assert found(interpretation) == [
        *JUDGED,
        f"ABSENT {tier} . policy",
        f"ABSENT {tier}.verdict . aggregated",
        f"ABSENT {tier}.verdict.individual[0] . status",
        "ABSENT verdict . decision",
    ]
    (stage,) = interpretation.stages
    assert (stage.stage, stage.used_by_parent, stage.status) == ("links", True, None)
    assert interpretation.reading is None
    assert interpretation.reading_support is Support.UNDETERMINED


@pytest.mark.parametrize(
    ("changes", "defects"),
    [
        pytest.param({"seats": None}, ["ABSENT verdict . seats", "ABSENT verdict.individualByName[links] . status"]),
        pytest.param({"judgment": None, "individual": []}, ["ABSENT verdict.individualByName[links] . status"]),
        pytest.param({"judgment": said(6, "pass", status="pass")}, JUDGED[1:]),
        pytest.param({"schemaVersion": None}, JUDGED[1:]),
    ],
    ids=["no-seats", "no-judgment", "judgment-with-a-status", "no-version"],
)
def test_parts_of_later_forms_say_nothing_either(changes: dict[str, object], defects: list[str]) -> None:
    stored = later_verdict(6, "pass", **changes)
    interpretation = interpret(stored)
    assert verdict_era(stored) is VerdictEra.LATER
    assert found(interpretation) == [JUDGED[0], *defects, "ABSENT verdict . decision"]
    assert interpretation.reading is None
    assert interpretation.reading_support is Support.UNDETERMINED


@pytest.mark.parametrize("name", ["later-v5", "later-v6"])
def test_later_verdicts_that_others_stored_degrade_into_defects(name: str) -> None:
    path = OPTIONAL_DATA / "data" / "agent-judge" / f"{name}.json"
    if not path.exists():
        pytest.skip("optional conformance data not present")
    stored = json.loads(path.read_text(encoding="utf-8"))
    interpretation = interpret(stored)
    assert verdict_era(stored) is VerdictEra.LATER
    told = found(interpretation)
    assert told[:2] == JUDGED
    assert told[-1] == "ABSENT verdict . decision"
    assert {line.split()[0] for line in told} == {"ABSENT"}
    assert {stage.status for stage in (interpretation.root, *interpretation.stages)} == {None}
    assert (interpretation.source_version, interpretation.reading, interpretation.decided_by) == (0, None, None)
    assert interpretation.reading_support is Support.UNDETERMINED
