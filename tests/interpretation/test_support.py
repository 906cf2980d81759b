"""The reading, and whether the record backs it: rejections, undecided juries, the block's presence (R88–R92, R97)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.interpretation.shapes import (
    adopted,
    attempt,
    evidence,
    expected,
    failed_attempt,
    found,
    judgment,
    rejected,
    verdict,
)
from verdict_frames.interpretation.reader import interpret
from verdict_frames.vocabulary import Reading, Support

D = "verdict.decision"
TIER = "verdict.compositeAttempts[0]"
NO_BLOCK = "ABSENT verdict.aggregated . metadata.aggregation"
SUPPORTED, CONTRADICTED, UNDETERMINED = Support.SUPPORTED, Support.CONTRADICTED, Support.UNDETERMINED
UNDECIDED = {"kind": "undecided"}


# --- the reading ---


@pytest.mark.parametrize(
    ("status", "reading"),
    [
        pytest.param(None, None, id="R88.2-missing"),
        pytest.param(5, None, id="R88.2-unreadable"),
        pytest.param("error", Reading.NOT_ASSESSED, id="R88.3"),
        pytest.param("not_applicable", Reading.NOT_APPLICABLE, id="R88.4"),
        pytest.param("fail", Reading.REJECTED, id="R88.5"),
        pytest.param("pass", Reading.ACCEPTED, id="R88.6"),
        pytest.param("abstain", Reading.UNDECIDED, id="R88.7"),
        pytest.param("PASS", Reading.ACCEPTED, id="R88.6-as-read"),
        pytest.param("NOT_APPLICABLE", Reading.NOT_APPLICABLE, id="R88.4-as-read"),
        pytest.param("passed", None, id="R88.8-unknown"),
        pytest.param("", None, id="R88.8-empty"),
    ],
)
def test_the_roots_own_status_is_the_reading_unless_a_tier_rejected(status: object, reading: Reading | None) -> None:
    aggregate = judgment("pass") | {"status": status}
    assert interpret(verdict(aggregate)).reading is reading
    assert interpret(rejected() | {"aggregated": aggregate}).reading is Reading.REJECTED


def test_a_rejection_needs_no_aggregate_r88_1() -> None:
    stored = rejected() | {"aggregated": None}
    assert interpret(stored).reading is Reading.REJECTED
    lone = interpret({"decision": stored["decision"]})
    assert (lone.reading, lone.reading_support) == (Reading.REJECTED, CONTRADICTED)


def test_a_stages_status_is_never_the_reading_r88() -> None:
    for aggregate in (None, judgment() | {"status": None}):
        interpretation = interpret(adopted(attempt(child=verdict(judgment("fail")))) | {"aggregated": aggregate})
        assert interpretation.stages[0].status == "fail"
        assert interpretation.reading is None
    passed = interpret(verdict(compositeAttempts=[attempt(child=verdict(judgment("fail")))]))
    assert passed.reading is Reading.ACCEPTED


# --- a rejection ---

B = "INCONSISTENT D . basis"
ERROR = judgment("error", reasonCode="stage_failed")
NOT_APPLICABLE = judgment("not_applicable")
NOBODY_FAILED = verdict(NOT_APPLICABLE, {"strict": judgment("pass")})
UNREADABLE = verdict(NOT_APPLICABLE, {"strict": judgment("fail"), "x": judgment() | {"status": None}})
CARRIED = {"dispositionReason": "child_undecided", "verdict": verdict(ERROR, {"strict": judgment("FAIL")})}


def child(aggregate: object) -> dict[str, Any]:
    return {"verdict": verdict(judges={"strict": judgment("fail")}) | {"aggregated": aggregate}}


@pytest.mark.parametrize(
    ("tier", "root", "defects", "support"),
    [
        pytest.param({}, {}, "", SUPPORTED, id="R89-whole"),
        pytest.param(
            {"name": "t9", "policy": "FINAL_TIER"}, {}, "INCONSISTENT D . tier", CONTRADICTED, id="R89.1-no-such-tier"
        ),
        pytest.param(
            {"relation": "meta_member"}, {}, "INCONSISTENT D . tier", CONTRADICTED, id="R89.1-a-member-is-no-tier"
        ),
        pytest.param({"relation": None}, {}, "ABSENT A . relation", SUPPORTED, id="R89.1-a-missing-relation-may-be"),
        pytest.param({"disposition": None}, {}, "ABSENT A . disposition", UNDETERMINED, id="R89.2-no-disposition"),
        pytest.param(
            {"dispositionReason": None}, {}, "ABSENT A . dispositionReason", UNDETERMINED, id="R89.2-no-reason"
        ),
        pytest.param(
            *({"disposition": "used", "dispositionReason": None}, {}, "", UNDETERMINED),
            id="R89.2-no-reason-before-used",
        ),
        pytest.param(
            {"disposition": None, "dispositionReason": "execution_failed"},
            {},
            "ABSENT A . disposition",
            UNDETERMINED,
            id="R89.2-no-disposition-before-execution",
        ),
        pytest.param({"disposition": "used"}, {}, B, CONTRADICTED, id="R89.2-used"),
        pytest.param({"disposition": 5}, {}, f"UNPARSEABLE A . disposition | {B}", CONTRADICTED, id="R89.2-raw-R97"),
        pytest.param({"dispositionReason": "execution_failed"}, {}, B, CONTRADICTED, id="R89.2-execution-failed"),
        pytest.param(
            {"disposition": "used", "dispositionReason": "execution_failed"}, {}, B, CONTRADICTED, id="R89.2-both-once"
        ),
        pytest.param(
            {"dispositionReason": "tired"},
            {"reasonCode": "no_tier_decided"},
            "UNKNOWN_VOCABULARY A . dispositionReason",
            UNDETERMINED,
            id="R89.2-unknown-reason-skips-7-and-8",
        ),
        pytest.param(
            {"dispositionReason": 5},
            {},
            "UNPARSEABLE A . dispositionReason | ABSENT A . dispositionReason",
            UNDETERMINED,
            id="R89.2-raw-reason-is-there-R97",
        ),
        pytest.param(
            {"disposition": "used", "dispositionReason": "tired"},
            {},
            f"UNKNOWN_VOCABULARY A . dispositionReason | {B}",
            CONTRADICTED,
            id="R89.2-used-before-unknown-reason",
        ),
        pytest.param({"policy": None}, {}, "ABSENT A . policy", UNDETERMINED, id="R89.3-no-policy"),
        pytest.param({"policy": "ACCEPT_ON_ALL_PASS"}, {}, B, CONTRADICTED, id="R89.3-other-policy"),
        pytest.param(
            {"policy": "reject"}, {}, f"UNKNOWN_VOCABULARY A . policy | {B}", CONTRADICTED, id="R89.3-unknown-policy"
        ),
        pytest.param(
            *({"policy": 5}, {}, f"UNPARSEABLE A . policy | ABSENT A . policy | {B}", CONTRADICTED),
            id="R89.3-raw-policy-is-there-R97",
        ),
        pytest.param(
            {"verdict": None}, {}, "ABSENT A . verdict | INCONSISTENT D . tier", CONTRADICTED, id="R89.4-no-verdict"
        ),
        pytest.param(
            {"verdict": 5, "disposition": "used", "policy": "FINAL_TIER"},
            {"reasonCode": "no_tier_decided"},
            f"ABSENT A . verdict | {B} | {B} | INCONSISTENT D . tier",
            CONTRADICTED,
            id="R89.4-ends-after-2-and-3",
        ),
        pytest.param({"verdict": NOBODY_FAILED}, {}, B, CONTRADICTED, id="R89.5-nobody-failed"),
        pytest.param(
            *({"verdict": UNREADABLE}, {}, "ABSENT A.verdict.individual[1] . status", UNDETERMINED),
            id="R89.5-statuses-unreadable",
        ),
        pytest.param(
            {"verdict": NOBODY_FAILED | {"individual": None, "seats": [], "individualByName": {"x": judgment("FAIL")}}},
            {},
            "",
            SUPPORTED,
            id="R89.5-statuses-by-name",
        ),
        pytest.param(
            child(None),
            {"reasonCode": "x"},
            "UNKNOWN_VOCABULARY verdict.aggregated . reasonCode | ABSENT A.verdict . aggregated",
            UNDETERMINED,
            id="R89.6-no-aggregate-below-ends",
        ),
        pytest.param(CARRIED, {}, "", SUPPORTED, id="R89.7-carried-up"),
        pytest.param(CARRIED, {"reasoning": "otherwise"}, B, CONTRADICTED, id="R89.7-not-carried-up"),
        pytest.param(
            CARRIED | {"disposition": "x"},
            {"label": 1},
            f"UNKNOWN_VOCABULARY A . disposition | {B} | {B}",
            CONTRADICTED,
            id="R89.7-runs-after-a-wrong-disposition",
        ),
        pytest.param(child(judgment("NOT_APPLICABLE")), {}, "", SUPPORTED, id="R89.8-normalised"),
        pytest.param(child(judgment("fail")), {}, B, CONTRADICTED, id="R89.8-applicable"),
        pytest.param(
            child(judgment() | {"status": None}),
            {},
            "ABSENT A.verdict.aggregated . status",
            SUPPORTED,
            id="R89.8-no-status-below-is-no-contradiction",
        ),
        pytest.param(
            child(judgment() | {"status": 5}),
            {},
            "UNPARSEABLE A.verdict.aggregated . status",
            SUPPORTED,
            id="R89.8-unreadable-status-below",
        ),
        pytest.param({}, {"reasonCode": "no_tier_decided"}, B, CONTRADICTED, id="R89.8-other-code"),
        pytest.param(
            {}, {"reasonCode": None}, f"ABSENT verdict.aggregated . reasonCode | {B}", CONTRADICTED, id="R89.8-no-code"
        ),
        pytest.param(
            child(judgment("pass")), {"status": "pass", "reasonCode": None}, f"{B} | {B}", CONTRADICTED, id="R89.8-both"
        ),
        pytest.param(
            child(judgment("pass")) | {"disposition": "used"},
            {"reasonCode": "judge_failed"},
            f"{B} | {B} | {B}",
            CONTRADICTED,
            id="R89.8-runs-after-a-wrong-disposition",
        ),
        pytest.param(
            {"disposition": "used", "policy": "FINAL_TIER", "verdict": verdict(judgment("pass"))},
            {"reasonCode": "errors_propagated"},
            " | ".join([B] * 5),
            CONTRADICTED,
            id="R89-five-of-one-rejection",
        ),
    ],
)
def test_rejections(tier: dict[str, Any], root: dict[str, Any], defects: str, support: Support) -> None:
    interpretation = interpret(rejected(failed_attempt() | tier) | {"aggregated": ERROR | root})
    assert found(interpretation) == expected(defects, A=TIER, D=D)
    assert interpretation.reading_support is support
    assert interpretation.reading is Reading.REJECTED


@pytest.mark.parametrize("aggregate", [None, 5, []])
def test_a_rejection_without_an_aggregate_to_compare_is_undetermined_r89_6(aggregate: object) -> None:
    interpretation = interpret(rejected() | {"aggregated": aggregate})
    assert found(interpretation) == ["ABSENT verdict . aggregated"]
    assert interpretation.reading_support is UNDETERMINED


def test_a_nested_rejection_is_checked_at_its_own_node_r89() -> None:
    below = rejected(failed_attempt(policy="FINAL_TIER")) | {"aggregated": ERROR}
    above = adopted(attempt("t1", below)) | {"aggregated": ERROR}
    assert found(interpret(above)) == [f"INCONSISTENT {TIER}.verdict.decision . basis"]


# --- an undecided jury ---

K = "INCONSISTENT D . kind"


@pytest.mark.parametrize(
    ("aggregate", "defects", "support"),
    [
        pytest.param({"reasonCode": "no_tier_decided"}, "", SUPPORTED, id="R90-no-tier-decided"),
        pytest.param({"reasonCode": "stage_failed"}, "", SUPPORTED, id="R90-stage-failed"),
        pytest.param({"reasonCode": "aggregation_failed"}, "", SUPPORTED, id="R90-aggregation-failed"),
        pytest.param({"reasonCode": "not_applicable_refused"}, "", SUPPORTED, id="R90-refused"),
        pytest.param({"reasonCode": "errors_propagated"}, K, CONTRADICTED, id="R90-wrapper"),
        pytest.param({"reasonCode": "judge_failed"}, K, CONTRADICTED, id="R90-judge-failed"),
        pytest.param({"reasonCode": "judge_metadata_unreadable"}, K, CONTRADICTED, id="R90-judge-metadata"),
        pytest.param({"reasonCode": "judge_reported"}, K, CONTRADICTED, id="R90-judge-reported"),
        pytest.param({"reasonCode": "undeclared_not_applicable"}, K, CONTRADICTED, id="R90-undeclared"),
        pytest.param({"reasonCode": "subject_empty"}, K, CONTRADICTED, id="R90-subject"),
        pytest.param({"status": "ERROR"}, "", SUPPORTED, id="R90-normalised"),
        pytest.param({"reasonCode": None}, "ABSENT Q . reasonCode", UNDETERMINED, id="R90-no-code"),
        pytest.param({"reasonCode": 5}, "UNPARSEABLE Q . reasonCode", UNDETERMINED, id="R90-code-number"),
        pytest.param({"reasonCode": []}, "UNPARSEABLE Q . reasonCode", UNDETERMINED, id="R90-code-list"),
        pytest.param({"reasonCode": "x"}, "UNKNOWN_VOCABULARY Q . reasonCode", UNDETERMINED, id="R90-unknown-code"),
        pytest.param({"status": "abstain", "reasonCode": None}, K, CONTRADICTED, id="R90-no-error"),
        pytest.param({"status": "pass", "reasonCode": "judge_failed"}, K, CONTRADICTED, id="R90-status-ends"),
        pytest.param({"status": None}, f"ABSENT Q . status | {K}", CONTRADICTED, id="R90-no-status"),
        pytest.param({"status": {}}, f"UNPARSEABLE Q . status | {K}", CONTRADICTED, id="R90-status-object"),
        pytest.param(
            {"status": "Error"}, f"UNKNOWN_VOCABULARY Q . status | {K}", CONTRADICTED, id="R90-unknown-status"
        ),
    ],
)
def test_undecided_juries(aggregate: dict[str, object], defects: str, support: Support) -> None:
    changed = ERROR | aggregate
    root = interpret(verdict(changed, decision=UNDECIDED))
    assert found(root) == expected(defects, Q="verdict.aggregated", D=D)
    assert root.reading_support is support
    nested = interpret(adopted(attempt(child=verdict(changed, decision=UNDECIDED))) | {"aggregated": changed})
    checks = [line for line in found(nested) if line.endswith(" . kind")]
    assert checks == ([f"INCONSISTENT {TIER}.verdict.decision . kind"] if K in defects else [])


def test_an_undecided_jury_without_an_aggregate_is_undetermined_r90() -> None:
    interpretation = interpret(verdict(decision=UNDECIDED) | {"aggregated": None})
    assert found(interpretation) == ["ABSENT verdict . aggregated"]
    assert interpretation.reading_support is UNDETERMINED


# --- the block's presence ---


@pytest.mark.parametrize(
    ("metadata", "defect"),
    [
        pytest.param({}, NO_BLOCK, id="R91.2-no-block"),
        pytest.param({"aggregation": None}, NO_BLOCK, id="R91.2-block-null"),
        pytest.param(None, NO_BLOCK, id="R91.2-no-metadata"),
        pytest.param(5, NO_BLOCK, id="R91.2-metadata-number"),
        pytest.param([], NO_BLOCK, id="R91.2-metadata-list"),
        pytest.param({"aggregation": 5}, NO_BLOCK.replace("ABSENT", "UNPARSEABLE"), id="R91.2-reported-once-R59"),
    ],
)
def test_a_jury_that_decided_itself_needs_its_block(metadata: object, defect: str) -> None:
    aggregate = judgment(metadata=metadata)
    own, silent, followed = (
        interpret(stored)
        for stored in (
            verdict(aggregate),
            verdict(aggregate) | {"decision": None},
            adopted(attempt(child=verdict(aggregate))) | {"aggregated": aggregate},
        )
    )
    assert own.reading_support is silent.reading_support is followed.reading_support is UNDETERMINED
    below = [f"UNPARSEABLE {TIER}.verdict.aggregated . metadata.aggregation"] if "UNPARSEABLE" in defect else []
    unreadable = [defect] if below else []
    missing = [] if below else [defect]
    assert found(own) == [defect]
    assert found(silent) == [*unreadable, "ABSENT verdict . decision", *missing]
    assert found(followed) == [*unreadable, *below, *missing]


@pytest.mark.parametrize(
    ("decision", "defects", "support"),
    [
        pytest.param(UNDECIDED, "", SUPPORTED, id="R91.2-undecided"),
        pytest.param({"kind": "x"}, "UNKNOWN_VOCABULARY D . kind", UNDETERMINED, id="R91.2-unknown-kind"),
        pytest.param({"kind": "tier"}, "ABSENT D . tier", UNDETERMINED, id="R91.2-tier-unreadable"),
        pytest.param(
            *({"kind": "tier", "tier": "t9", "basis": "vote"}, "UNKNOWN_VOCABULARY D . basis", UNDETERMINED),
            id="R91.2-basis-unknown",
        ),
        pytest.param(
            *({"kind": "tier", "tier": "t9", "basis": "tier_outcome"}, "INCONSISTENT D . tier", CONTRADICTED),
            id="R91.2-tier-lost",
        ),
        pytest.param(
            {"kind": 5}, f"UNPARSEABLE D . kind | {NO_BLOCK}", UNDETERMINED, id="R91.2-kind-unreadable-is-null"
        ),
        pytest.param("own", f"UNPARSEABLE verdict . decision | {NO_BLOCK}", UNDETERMINED, id="R91.2-no-object-is-null"),
    ],
)
def test_other_decisions_do_without_a_block(decision: object, defects: str, support: Support) -> None:
    interpretation = interpret(verdict(ERROR, decision=decision))
    assert found(interpretation) == expected(defects, D=D)
    assert interpretation.reading_support is support


CONTRARY = {"metadata": evidence(passCount=0, failCount=1)}


def test_a_block_that_is_there_is_checked_whatever_decided_r91_3() -> None:
    status = "INCONSISTENT verdict.aggregated . status"
    block = ERROR | {"metadata": evidence()}
    assert found(interpret(rejected() | {"aggregated": block})) == [status]
    assert found(interpret(verdict(block, decision=UNDECIDED))) == [status]
    assert found(interpret(verdict(block, decision={"kind": "x"}))) == [f"UNKNOWN_VOCABULARY {D} . kind", status]
    wrong = judgment() | CONTRARY
    assert found(interpret(adopted(attempt(child=verdict(wrong))) | {"aggregated": wrong})) == [status]


def test_only_the_roots_block_is_checked_r66_r91_r96() -> None:
    stored = verdict(compositeAttempts=[attempt(child=verdict(judgment() | CONTRARY))])
    interpretation = interpret(stored)
    assert (found(interpretation), interpretation.reading_support) == ([], SUPPORTED)


# --- the result ---


def test_a_contradiction_outweighs_what_is_undeterminable_r92() -> None:
    interpretation = interpret(rejected(failed_attempt(policy="FINAL_TIER") | {"disposition": None}))
    assert found(interpretation) == [f"ABSENT {TIER} . disposition", f"INCONSISTENT {D} . basis"]
    assert interpretation.reading_support is CONTRADICTED


def test_a_verdict_without_reading_is_never_supported_r92() -> None:
    for status in (None, "x"):
        aggregate = judgment(metadata=evidence()) | {"status": status}
        assert interpret(verdict(aggregate)).reading_support is UNDETERMINED


def test_defects_of_the_other_kinds_cost_no_support_r92() -> None:
    aggregate = {"status": "PASS", "score": "x", "reasonCode": "y", "metadata": evidence(inputCount=True)}
    interpretation = interpret({"aggregated": aggregate, "compositeAttempts": [None, {}]})
    assert {defect.kind.value for defect in interpretation.defects} == {"ABSENT", "UNPARSEABLE", "UNKNOWN_VOCABULARY"}
    assert interpretation.reading_support is SUPPORTED
