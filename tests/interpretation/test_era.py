"""Which generation of writers a verdict's own keys point to: every branch, and which goes first."""

from __future__ import annotations

from typing import Any

import pytest

from tests.interpretation.shapes import attempt, evidence, judgment, verdict
from verdict_frames.interpretation.era import verdict_era
from verdict_frames.interpretation.reader import interpret
from verdict_frames.vocabulary import VerdictEra

PLAIN: dict[str, Any] = {"status": "pass", "reasoning": "", "checks": [], "metadata": {}}
OLD: dict[str, Any] = {"status": "PASS", "score": {"value": True}}
BLOCK = {"metadata": evidence()}


@pytest.mark.parametrize(
    ("stored", "era"),
    [
        pytest.param(None, "none", id="no-verdict"),
        pytest.param({}, "unknown", id="nothing-known"),
        pytest.param({"aggregated": None, "seats": None, "decision": None}, "unknown", id="nulls-are-missing-R1"),
        pytest.param({"individual": [PLAIN], "weights": {}}, "unknown", id="judges-alone"),
        pytest.param({"schemaVersion": 4}, "unknown", id="schema-version-4"),
        pytest.param({"schemaVersion": "6"}, "unknown", id="schema-version-as-text"),
        pytest.param({"schemaVersion": True}, "unknown", id="schema-version-boolean"),
        # later: no aggregate, and a judgment or a schema version from 5 on
        pytest.param({"judgment": {}}, "later", id="judgment"),
        pytest.param({"schemaVersion": 5}, "later", id="schema-version-5"),
        pytest.param({"schemaVersion": 6, "aggregated": None}, "later", id="schema-version-6-beside-a-null"),
        pytest.param({"judgment": PLAIN, "seats": [], "decision": {"kind": "own"}}, "later", id="later-before-0.17"),
        pytest.param({"judgment": PLAIN, "compositeAttempts": [attempt()]}, "later", id="later-before-0.14"),
        pytest.param({"judgment": PLAIN, "subVerdicts": [{}]}, "later", id="later-before-0.13"),
        pytest.param({"judgment": PLAIN, "aggregated": PLAIN}, "0.14-0.16", id="judgment-beside-an-aggregate"),
        pytest.param({"schemaVersion": 6, "aggregated": PLAIN, "seats": []}, "0.17", id="version-beside-an-aggregate"),
        pytest.param({"judgment": None, "seats": []}, "0.17", id="judgment-null"),
        # 0.17: seats or decision, of whatever content
        pytest.param({"aggregated": PLAIN, "seats": []}, "0.17", id="empty-seats"),
        pytest.param({"aggregated": PLAIN, "decision": {}}, "0.17", id="decision-alone"),
        pytest.param({"decision": "own"}, "0.17", id="decision-of-the-wrong-type"),
        pytest.param(verdict(), "0.17", id="all-seven-components"),
        pytest.param(verdict(PLAIN | OLD, subVerdicts=[{}]), "0.17", id="0.17-before-0.13"),
        pytest.param({"aggregated": PLAIN | BLOCK, "decision": {"kind": "own"}}, "0.17", id="0.17-before-0.14"),
        # 0.14–0.16: attempts or a block
        pytest.param({"aggregated": PLAIN, "compositeAttempts": [{}]}, "0.14-0.16", id="attempts"),
        pytest.param({"compositeAttempts": [attempt()]}, "0.14-0.16", id="attempts-without-an-aggregate"),
        pytest.param({"aggregated": PLAIN | BLOCK}, "0.14-0.16", id="block"),
        pytest.param({"aggregated": OLD | BLOCK}, "0.14-0.16", id="block-before-old-judgments"),
        pytest.param({"aggregated": PLAIN | BLOCK, "subVerdicts": [{}]}, "0.14-0.16", id="block-before-sub-verdicts"),
        pytest.param({"compositeAttempts": [{}], "subVerdicts": [{}]}, "0.14-0.16", id="attempts-before-sub-verdicts"),
        # 0.13: sub-verdicts, an upper-case status or a score object
        pytest.param({"aggregated": PLAIN, "subVerdicts": [{}]}, "0.13", id="sub-verdicts"),
        pytest.param({"aggregated": PLAIN | {"status": "NOT_APPLICABLE"}}, "0.13", id="upper-case-aggregate"),
        pytest.param({"aggregated": PLAIN | {"score": {"value": 3}}}, "0.13", id="score-object-of-the-aggregate"),
        pytest.param({"aggregated": PLAIN, "individual": [PLAIN, OLD]}, "0.13", id="old-judgment-in-the-list"),
        pytest.param({"aggregated": PLAIN, "individualByName": {"a": OLD}}, "0.13", id="old-judgment-by-name"),
        pytest.param({"individual": [{"status": "FAIL"}]}, "0.13", id="old-judgment-without-an-aggregate"),
        pytest.param(
            {"aggregated": OLD, "compositeAttempts": [], "individual": [OLD]}, "0.13", id="empty-attempts-say-nothing"
        ),
        # the rest with an aggregate
        pytest.param({"aggregated": PLAIN}, "0.14-0.16", id="bare-aggregate"),
        pytest.param({"aggregated": PLAIN, "subVerdicts": []}, "0.14-0.16", id="empty-sub-verdicts-say-nothing"),
        pytest.param({"aggregated": PLAIN | {"status": "Pass"}}, "0.14-0.16", id="half-upper-case-says-nothing"),
        pytest.param({"aggregated": PLAIN | {"status": "PASSED"}}, "0.14-0.16", id="unknown-upper-case-says-nothing"),
        pytest.param({"aggregated": PLAIN | {"status": ["PASS"]}}, "0.14-0.16", id="status-of-the-wrong-type"),
        pytest.param({"aggregated": PLAIN | {"score": 1}}, "0.14-0.16", id="bare-score-says-nothing"),
        pytest.param({"aggregated": PLAIN | {"metadata": {}}}, "0.14-0.16", id="metadata-without-a-block"),
        pytest.param({"aggregated": PLAIN, "individual": "x", "individualByName": []}, "0.14-0.16", id="wrong-types"),
        pytest.param(
            {"aggregated": PLAIN, "individual": [None, 5], "individualByName": {"a": 0}}, "0.14-0.16", id="odd"
        ),
    ],
)
def test_era(stored: dict[str, Any] | None, era: str) -> None:
    assert verdict_era(stored) is VerdictEra(era)


def test_every_era_can_be_told() -> None:
    examples: list[dict[str, Any] | None] = [None, {}, {"judgment": {}}, verdict(), {"aggregated": PLAIN}]
    assert {verdict_era(stored) for stored in [*examples, {"aggregated": OLD}]} == set(VerdictEra)


def test_nothing_is_decided_by_the_era() -> None:
    modern = verdict(judgment())
    before, after = interpret(modern), interpret(modern | {"schemaVersion": 6, "judgment": OLD})
    assert before == after
