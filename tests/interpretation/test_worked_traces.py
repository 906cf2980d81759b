"""Four whole records, one of each kind that is met in practice, traced through every rule by hand (T1–T4)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.conftest import OPTIONAL_DATA
from tests.interpretation.shapes import found
from verdict_frames.interpretation.reader import interpret
from verdict_frames.records import DecidedBy, Evidence, ScoreScale
from verdict_frames.vocabulary import Reading, Support


def said(status: str, reasoning: str, **others: object) -> dict[str, object]:
    return {"status": status, "reasoning": reasoning, "checks": [], "metadata": {}} | others


def stored_by_others(name: str) -> dict[str, Any]:
    path = OPTIONAL_DATA / "data" / "agent-judge" / name
    if not path.exists():
        pytest.skip("optional conformance data not present")
    stored: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return stored


# --- T1: a cascade that stopped because one judge of its first tier failed the subject ---


def stopped_by_one_judge() -> dict[str, Any]:
    style = said("fail", "The changelog names no breaking change, and there is one.")
    seats = [{"position": 0, "verdictKey": "changelog", "keySource": "DECLARED"}]
    tier = {
        "aggregated": said("not_applicable", "No judge could speak for the subject as a whole."),
        "individual": [style],
        "individualByName": {"changelog": style},
        "weights": {},
        "seats": seats,
        "decision": {"kind": "own"},
        "compositeAttempts": [],
    }
    return {
        "aggregated": said("error", "The tier “release notes” failed.", reasonCode="stage_failed"),
        "individual": [style],
        "individualByName": {"changelog": style},
        "weights": {},
        "seats": seats,
        "decision": {"kind": "tier", "tier": "release notes", "basis": "individual_rejection"},
        "compositeAttempts": [
            {
                "name": "release notes",
                "relation": "cascade_tier",
                "policy": "REJECT_ON_ANY_FAIL",
                "disposition": "stage_failed",
                "dispositionReason": "undeclared_not_applicable",
                "verdict": tier,
            }
        ],
    }


def test_t1_an_individual_rejection_rejects_although_the_root_is_an_error() -> None:
    interpretation = interpret(stopped_by_one_judge())
    assert interpretation.source_version == 1, "R33"
    assert (interpretation.root.status, interpretation.root.reason_code) == ("error", "stage_failed")
    assert interpretation.root.evidence is None, "R59"
    assert [(judge.name, judge.key_source, judge.status) for judge in interpretation.root.judges] == [
        ("changelog", "DECLARED", "fail")
    ]
    (stage,) = interpretation.stages
    assert (stage.stage, stage.path, stage.policy) == ("release notes", ("release notes",), "REJECT_ON_ANY_FAIL")
    assert (stage.used_by_parent, stage.reason, stage.failure) == (False, "undeclared_not_applicable", None)
    assert (stage.status, [judge.status for judge in stage.judges]) == ("not_applicable", ["fail"])
    assert interpretation.decided_by == DecidedBy(
        stage="release notes", path=("release notes",), basis="individual_rejection"
    )
    assert interpretation.reading is Reading.REJECTED, "R88.1"
    assert found(interpretation) == []
    assert interpretation.reading_support is Support.SUPPORTED


# --- T2: a cascade that adopted the outcome of its first tier ---


def adopted_outcome() -> dict[str, Any]:
    aggregate = said(
        "abstain",
        "One of two judges passed the subject.",
        metadata={
            "aggregation": {
                "strategy": "consensus",
                "errorPolicy": "propagate",
                "notApplicablePolicy": "refuse",
                "inputCount": 2,
                "eligibleCount": 2,
                "explicitAbstainCount": 0,
                "notApplicableCount": 0,
                "errorCount": 0,
                "ignoredErrorCount": 0,
                "errorsTreatedAsAbstainCount": 0,
                "errorsTreatedAsFailCount": 0,
                "notApplicableTreatedAsFailCount": 0,
                "errorCodeCounts": {},
                "passCount": 1,
                "failCount": 1,
            }
        },
    )
    jury = {
        "aggregated": aggregate,
        "individual": [said("pass", "It builds."), said("fail", "Two tests are skipped.")],
        "individualByName": {"tests": said("fail", "Two tests are skipped."), "build": said("pass", "It builds.")},
        "weights": {"0": 1.0, "1": 1.0},
        "seats": [
            {"position": 0, "verdictKey": "build", "keySource": "DECLARED"},
            {"position": 1, "verdictKey": "tests", "keySource": "DEDUPLICATED"},
        ],
    }
    tier = {
        "name": "gates",
        "relation": "cascade_tier",
        "policy": "REJECT_ON_ANY_FAIL",
        "disposition": "used",
        "verdict": jury | {"decision": {"kind": "own"}, "compositeAttempts": []},
    }
    decision = {"kind": "tier", "tier": "gates", "basis": "tier_outcome"}
    return jury | {"decision": decision, "compositeAttempts": [tier], "instrumentHash": "5f0c"}


def test_t2_an_adopted_outcome_is_borne_out_by_the_tier_and_by_the_block() -> None:
    interpretation = interpret(adopted_outcome())
    assert interpretation.source_version == 1
    assert [(judge.name, judge.status) for judge in interpretation.root.judges] == [
        ("build", "pass"),
        ("tests", "fail"),
    ]
    assert interpretation.root.evidence == Evidence(
        strategy="consensus",
        error_policy="propagate",
        not_applicable_policy="refuse",
        input_count=2,
        eligible_count=2,
        explicit_abstain_count=0,
        not_applicable_count=0,
        error_count=0,
        ignored_error_count=0,
        errors_treated_as_abstain_count=0,
        errors_treated_as_fail_count=0,
        not_applicable_treated_as_fail_count=0,
        error_code_counts={},
        pass_count=1,
        fail_count=1,
        threshold=None,
        binding_index=None,
        input_weight=None,
        eligible_weight=None,
    )
    (stage,) = interpretation.stages
    assert (stage.used_by_parent, stage.evidence, stage.status) == (True, interpretation.root.evidence, "abstain")
    assert interpretation.decided_by == DecidedBy(stage="gates", path=("gates",), basis="tier_outcome")
    assert interpretation.reading is Reading.UNDECIDED
    assert found(interpretation) == [], "R11: instrumentHash is ignored"
    assert interpretation.reading_support is Support.SUPPORTED


# --- T3: 0.14–0.16, an error that was propagated ---


def propagated_error() -> dict[str, Any]:
    def block(**members: object) -> dict[str, object]:
        counts = dict.fromkeys(("explicitAbstainCount", "ignoredErrorCount", "errorsTreatedAsFailCount"), 0)
        return {"aggregation": {"strategy": "average", "errorPolicy": "propagate", **counts, **members}}

    lost = said("error", "The model's answer had no score.")
    whole = said("pass", "Six of ten are there.", score=0.6)
    failed = said("error", "One judge errored.", metadata=block(inputCount=2, eligibleCount=1, errorCount=1))
    passed = said("pass", "All there.", score=1.0)
    jury = {"individual": [whole, lost], "individualByName": {"depth": lost, "recall": whole}, "weights": {}}

    def member(name: str, policy: str, verdict: dict[str, Any]) -> dict[str, Any]:
        return {"name": name, "relation": "cascade_tier", "policy": policy, "verdict": verdict}

    quick = {"aggregated": passed, "individual": [passed], "individualByName": {"x": passed}, "weights": {}}
    return jury | {
        "aggregated": failed,
        "compositeAttempts": [
            member("files", "REJECT_ON_ANY_FAIL", quick),
            member("outline", "REJECT_ON_ANY_FAIL", quick),
            member("quality", "FINAL_TIER", jury | {"aggregated": failed, "compositeAttempts": []}),
        ],
    }


def test_t3_an_unstamped_record_full_of_absences_can_be_supported() -> None:
    interpretation = interpret(propagated_error())
    assert interpretation.source_version == 0
    assert found(interpretation) == [
        "ABSENT verdict.aggregated . reasonCode",
        "ABSENT verdict . seats",
        "ABSENT verdict.individualByName[depth] . reasonCode",
        "ABSENT verdict.compositeAttempts[0] . disposition",
        "ABSENT verdict.compositeAttempts[1] . disposition",
        "ABSENT verdict.compositeAttempts[2] . disposition",
        "ABSENT verdict.compositeAttempts[2].verdict.aggregated . reasonCode",
        "ABSENT verdict.compositeAttempts[2].verdict.individualByName[depth] . reasonCode",
        "ABSENT verdict . decision",
    ]
    assert [(judge.position, judge.name, judge.status, judge.score) for judge in interpretation.root.judges] == [
        (0, "depth", "error", None),
        (1, "recall", "pass", 0.6),
    ]
    evidence = interpretation.root.evidence
    assert evidence is not None
    assert (evidence.strategy, evidence.error_count, evidence.eligible_count) == ("average", 1, 1)
    assert (evidence.not_applicable_policy, evidence.not_applicable_count) == (None, None)
    assert (evidence.error_code_counts, evidence.pass_count, evidence.fail_count) == (None, None, None)
    assert [(stage.stage, stage.used_by_parent) for stage in interpretation.stages] == [
        ("files", None),
        ("outline", None),
        ("quality", None),
    ]
    assert interpretation.decided_by is None
    assert interpretation.reading is Reading.NOT_ASSESSED
    assert interpretation.reading_support is Support.SUPPORTED


# --- T4: 0.13 ---


def oldest_form() -> dict[str, Any]:
    good = said("PASS", "All sections are there.", score={"value": True})
    bad = said("FAIL", "“Risks” is empty.", score={"value": False})
    jury = {
        "aggregated": said("FAIL", "Not all judges passed the subject.", score={"value": False}),
        "individual": [bad, good],
        "individualByName": {"outline:brief.md": good, "outline:review.md": bad},
        "weights": {"0": 1.0, "1": 1.0},
        "subVerdicts": [],
    }
    return jury | {"subVerdicts": [jury]}


T4_DEFECTS = """\
UNPARSEABLE verdict.aggregated . score
ABSENT verdict . seats
UNPARSEABLE verdict.individualByName[{0}] . score
UNPARSEABLE verdict.individualByName[{1}] . score
ABSENT verdict.subVerdicts[0] . name
UNPARSEABLE verdict.subVerdicts[0].aggregated . score
UNPARSEABLE verdict.subVerdicts[0].individualByName[{0}] . score
UNPARSEABLE verdict.subVerdicts[0].individualByName[{1}] . score
ABSENT verdict . decision
ABSENT verdict.aggregated . metadata.aggregation
"""


def test_t4_the_oldest_form_is_read_and_its_reading_undetermined() -> None:
    interpretation = interpret(oldest_form())
    assert found(interpretation) == T4_DEFECTS.format("outline:brief.md", "outline:review.md").splitlines()
    assert interpretation.source_version == 0
    assert [(judge.position, judge.name, judge.status, judge.score) for judge in interpretation.root.judges] == [
        (0, "outline:brief.md", "pass", None),
        (1, "outline:review.md", "fail", None),
    ]
    (stage,) = interpretation.stages
    assert (stage.stage, stage.path, stage.status, len(stage.judges)) == (None, (), "fail", 2)
    assert interpretation.reading is Reading.REJECTED
    assert interpretation.reading_support is Support.UNDETERMINED


def test_scores_of_the_oldest_form_on_a_scale_are_normalised_r54() -> None:
    stored = oldest_form()
    stored["individualByName"]["outline:brief.md"]["score"] = {"value": 7, "min": 0, "max": 10}
    first, _ = interpret(stored).root.judges
    assert (first.score, first.score_scale) == (0.7, ScoreScale(min=0.0, max=10.0))


# --- records that others stored ---


def test_t2_holds_for_a_record_stored_by_0_17() -> None:
    interpretation = interpret(stored_by_others("verdict-0.17-cascade.verdict.json"))
    assert found(interpretation) == []
    assert (interpretation.source_version, interpretation.root.status) == (1, "abstain")
    assert interpretation.decided_by == DecidedBy(stage="structure", path=("structure",), basis="tier_outcome")
    assert interpretation.reading is Reading.UNDECIDED
    assert interpretation.reading_support is Support.SUPPORTED


def test_t4_holds_for_a_record_stored_by_0_13() -> None:
    interpretation = interpret(stored_by_others("bud-ddd-9b68576e.verdict.json"))
    names = ["structure:ddd-action-brief.md", "structure:ddd-review.md"]
    assert found(interpretation) == T4_DEFECTS.format(*names).splitlines()
    assert [(judge.name, judge.status) for judge in interpretation.root.judges] == [
        (names[0], "pass"),
        (names[1], "fail"),
    ]
    assert interpretation.reading is Reading.REJECTED
    assert interpretation.reading_support is Support.UNDETERMINED
