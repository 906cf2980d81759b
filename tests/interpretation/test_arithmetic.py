"""The root's status against its own aggregation block (R93–R97)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.interpretation.shapes import attempt, evidence, found, judgment, rejected, verdict
from verdict_frames.interpretation.reader import interpret
from verdict_frames.vocabulary import Support

if TYPE_CHECKING:
    from verdict_frames.records import Interpretation

Q = "verdict.aggregated"
STATUS = f"INCONSISTENT {Q} . status"
CODE = f"INCONSISTENT {Q} . reasonCode"
BLOCK = f"{Q} . metadata.aggregation"
STATUSES = ["pass", "fail", "abstain", "not_applicable", "error"]
NO_SCORE = object()


def recorded(status: object, members: dict[str, Any], score: object = NO_SCORE, **fields: object) -> Interpretation:
    """Read a jury of one that passed its subject, with other members; null stands for a missing one."""
    aggregate = judgment(status, metadata=evidence(**members), **fields)
    return interpret(verdict(aggregate if score is NO_SCORE else aggregate | {"score": score}))


REFUSED, PROPAGATED = "error/not_applicable_refused", "error/errors_propagated"
FAIL_ERRORS = {"errorPolicy": "treatAsFail", "errorCount": 1}
NONE_ELIGIBLE = {"eligibleCount": 0, "notApplicablePolicy": "exclude", "notApplicableCount": 2, "inputCount": 2}


def jury(strategy: str, eligible: object, passes: object, fails: object, **others: object) -> dict[str, Any]:
    return {"strategy": strategy, "eligibleCount": eligible, "passCount": passes, "failCount": fails} | others


def codes(counts: object) -> dict[str, Any]:
    return FAIL_ERRORS | {"errorCodeCounts": counts}


@pytest.mark.parametrize(
    ("members", "expectation"),
    [
        pytest.param({}, "pass", id="R94-base"),
        pytest.param({"strategy": None}, "missing strategy", id="R94.1-no-strategy"),
        pytest.param({"strategy": None, "notApplicableCount": 1}, "missing strategy", id="R94.1-before-2"),
        pytest.param({"strategy": None, "eligibleCount": 0}, "missing strategy", id="R94.1-before-6"),
        pytest.param({"strategy": ""}, "open", id="R94.7-empty-strategy-is-there"),
        pytest.param({"notApplicableCount": 1}, REFUSED, id="R94.2-refused"),
        pytest.param({"notApplicableCount": 1, "errorCount": 1}, REFUSED, id="R94.2-before-3"),
        pytest.param({"notApplicableCount": 1, "eligibleCount": None}, REFUSED, id="R94.2-before-5"),
        pytest.param({"notApplicableCount": 1, "strategy": "own rule"}, REFUSED, id="R94.2-any-strategy"),
        pytest.param({"notApplicableCount": None}, "pass", id="R94.2-no-count"),
        pytest.param({"notApplicableCount": -1}, "pass", id="R94.2-negative"),
        pytest.param({"notApplicablePolicy": "exclude", "notApplicableCount": 1}, "pass", id="R94.2-excluded"),
        pytest.param({"notApplicablePolicy": "treatAsFail", "notApplicableCount": 1}, "pass", id="R94.2-as-fail"),
        pytest.param({"notApplicablePolicy": None, "notApplicableCount": 1}, "pass", id="R96-no-policy-falls-through"),
        pytest.param({"errorCount": 1}, PROPAGATED, id="R94.3-propagated"),
        pytest.param({"errorCount": 1, "eligibleCount": 0}, PROPAGATED, id="R94.3-before-6"),
        pytest.param({"errorCount": 1, "eligibleCount": None}, PROPAGATED, id="R94.3-before-5"),
        pytest.param({"errorCount": None}, "pass", id="R94.3-no-count"),
        pytest.param({"errorCount": -1}, "pass", id="R94.3-negative"),
        pytest.param({"errorPolicy": "treatAsAbstain", "errorCount": 1}, "pass", id="R96-as-abstain-falls-through"),
        pytest.param({"errorPolicy": "ignore", "errorCount": 1}, "pass", id="R96-ignore-falls-through"),
        pytest.param({"errorPolicy": None, "errorCount": 1}, "pass", id="R96-no-error-policy-falls-through"),
        pytest.param(codes({}), PROPAGATED, id="R94.4-no-codes-at-all"),
        pytest.param(codes({"judge_failed": 1}), "pass", id="R94.4-judge-codes-are-absorbed"),
        pytest.param(codes({"judge_reported": 1, "undeclared_not_applicable": 1}), "pass", id="R94.4-more-of-judges"),
        pytest.param(codes({"errors_propagated": 1}), "pass", id="R94.4-wrapper-code-is-absorbed"),
        pytest.param(codes({"subject_empty": 1}), "pass", id="R94.4-subject-code-is-absorbed"),
        pytest.param(codes({"stage_failed": 1}), PROPAGATED, id="R94.4-machinery-code"),
        pytest.param(codes({"judge_failed": 9, "aggregation_failed": 1}), PROPAGATED, id="R94.4-one-of-machinery"),
        pytest.param(codes({"judge_failed": 1, "tired": 1}), PROPAGATED, id="R94.4-one-unknown"),
        pytest.param(codes({"no_tier_decided": 0}), PROPAGATED, id="R94.4-values-are-irrelevant"),
        pytest.param(codes({}) | {"eligibleCount": 0}, PROPAGATED, id="R94.4-before-6"),
        pytest.param(codes(None), "pass", id="R94.4-counts-missing"),
        pytest.param(codes({}) | {"errorCount": 0}, "pass", id="R94.4-no-errors"),
        pytest.param(codes({}) | {"errorCount": None}, "pass", id="R94.4-error-count-missing"),
        pytest.param(codes({}) | {"errorPolicy": "treatAsAbstain"}, "pass", id="R94.4-only-as-fail"),
        pytest.param({"eligibleCount": None}, "missing eligibleCount", id="R94.5"),
        pytest.param({"eligibleCount": None, "strategy": "own rule"}, "missing eligibleCount", id="R94.5-any-strategy"),
        pytest.param({"eligibleCount": None, "passCount": None}, "missing eligibleCount", id="R94.5-before-7"),
        pytest.param({"eligibleCount": 0}, "abstain", id="R94.6-nobody-eligible"),
        pytest.param({"eligibleCount": 0, "strategy": "own rule"}, "abstain", id="R94.6-before-unknown-strategies"),
        pytest.param({"eligibleCount": 0, "strategy": "average"}, "abstain", id="R94.6-before-the-threshold"),
        pytest.param({"eligibleCount": 0, "passCount": None}, "abstain", id="R94.6-before-the-counts"),
        pytest.param(jury("allMustPass", 0, 0, 0), "abstain", id="R94.6-before-all-must-pass"),
        pytest.param(NONE_ELIGIBLE, "not_applicable", id="R94.6-none-applied"),
        pytest.param(NONE_ELIGIBLE | {"notApplicableCount": 1, "inputCount": 1}, "not_applicable", id="R94.6-the-one"),
        pytest.param(NONE_ELIGIBLE | {"strategy": "own rule"}, "not_applicable", id="R94.6-none-applied-any-strategy"),
        pytest.param(NONE_ELIGIBLE | {"inputCount": 3}, "abstain", id="R94.6-some-applied"),
        pytest.param(NONE_ELIGIBLE | {"inputCount": None}, "abstain", id="R94.6-no-input-count"),
        pytest.param(NONE_ELIGIBLE | {"inputCount": 0, "notApplicableCount": 0}, "abstain", id="R94.6-no-input"),
        pytest.param(NONE_ELIGIBLE | {"notApplicableCount": None}, "abstain", id="R94.6-no-count"),
        pytest.param(NONE_ELIGIBLE | {"notApplicablePolicy": "treatAsFail"}, "abstain", id="R94.6-not-excluded"),
        pytest.param(NONE_ELIGIBLE | {"notApplicablePolicy": None}, "abstain", id="R94.6-no-policy"),
        pytest.param(jury("consensus", 3, 3, 0), "pass", id="R94.7-consensus-pass"),
        pytest.param(jury("consensus", 3, 0, 3), "fail", id="R94.7-consensus-fail"),
        pytest.param(jury("consensus", 3, 2, 1), "abstain", id="R94.7-consensus-split"),
        pytest.param(jury("consensus", 3, 2, 2), "abstain", id="R94.7-consensus-more-than-eligible"),
        pytest.param(jury("consensus", 2, 2, 2), "pass", id="R94.7-consensus-pass-first"),
        pytest.param(jury("consensus", 1, None, 1), "missing passCount", id="R94.7-consensus-no-passes"),
        pytest.param(jury("consensus", 1, 1, None), "missing failCount", id="R94.7-consensus-no-fails"),
        pytest.param(jury("consensus", 1, None, None), "missing passCount", id="R94.7-consensus-passes-first"),
        pytest.param(jury("majority", 9, 2, 1), "pass", id="R94.7-majority-pass"),
        pytest.param(jury("majority", 9, 1, 2), "fail", id="R94.7-majority-fail"),
        pytest.param(jury("majority", 9, 2, 2), "tie", id="R94.7-majority-tie"),
        pytest.param(jury("majority", 9, 0, 0), "tie", id="R94.7-majority-of-nobody"),
        pytest.param(jury("majority", 9, 0, -1), "pass", id="R94.7-majority-negative"),
        pytest.param(jury("majority", 9, None, 1), "missing passCount", id="R94.7-majority-no-passes"),
        pytest.param(jury("majority", 9, 1, None), "missing failCount", id="R94.7-majority-no-fails"),
        pytest.param(jury("majority", 9, None, None), "missing passCount", id="R94.7-majority-neither"),
        pytest.param(jury("allMustPass", 2, None, 0), "pass", id="R94.7-all-must-pass-needs-no-passes"),
        pytest.param(jury("allMustPass", 2, 9, 1), "fail", id="R94.7-all-must-pass-one-failed"),
        pytest.param(jury("allMustPass", 2, 2, -1), "fail", id="R94.7-all-must-pass-not-zero"),
        pytest.param(jury("allMustPass", 2, 2, None), "missing failCount", id="R94.7-all-must-pass-no-fails"),
        pytest.param({"strategy": "own rule"}, "open", id="R94.7-own-rule"),
        pytest.param({"strategy": "Consensus"}, "open", id="R94.7-case"),
        pytest.param({"strategy": "own rule", "passCount": None, "threshold": None}, "open", id="R94.7-needs-nothing"),
    ],
)
def test_what_the_block_leads_to(members: dict[str, Any], expectation: str) -> None:
    check_every_status(members, NO_SCORE, expectation, [])


def check_every_status(members: dict[str, Any], score: object, expectation: str, before: list[str]) -> None:
    """Record each status in turn, with the expected code; only the expected one is borne out (R95)."""
    word, _, what = expectation.partition(" ")
    status, _, code = word.partition("/")
    for said in STATUSES:
        code_said = {"reasonCode": code or "judge_failed"} if said == "error" else {}
        interpretation = recorded(said, members, score, **code_said)
        told = found(interpretation)
        if word == "missing":
            assert told == [*before, f"ABSENT {BLOCK}.{what}"], said
            assert interpretation.reading_support is Support.UNDETERMINED, said
        elif word == "open":
            assert told == before, said
            assert interpretation.reading_support is Support.UNDETERMINED, said
        elif said == status or (word == "tie" and said in {"pass", "fail", "abstain"}):
            assert told == before, said
            assert interpretation.reading_support is Support.SUPPORTED, said
        else:
            assert told == [*before, STATUS], said
            assert interpretation.reading_support is Support.CONTRADICTED, said


@pytest.mark.parametrize("strategy", ["average", "weightedAverage", "median", "conjunctive"])
@pytest.mark.parametrize(
    ("score", "threshold", "expectation", "defect"),
    [
        pytest.param(0.5, 0.5, "pass", None, id="R94.7-reached"),
        pytest.param(0.49, 0.5, "fail", None, id="R94.7-missed"),
        pytest.param(0, 0, "pass", None, id="R94.7-zero-reaches-zero"),
        pytest.param(1, 1, "pass", None, id="R94.7-integers"),
        pytest.param(0.9, 85, "fail", None, id="R94.7-threshold-beyond-one"),
        pytest.param(1.5, 0.5, "pass", "UNPARSEABLE", id="R97-raw-score-above-one"),
        pytest.param(-0.1, 0.0, "fail", "UNPARSEABLE", id="R97-raw-score-below-zero"),
        pytest.param(-1, -2, "pass", "UNPARSEABLE", id="R97-raw-negative-score"),
        pytest.param(10**400, 1e300, "pass", "UNPARSEABLE", id="R6-raw-integer-beyond-doubles"),
        pytest.param(0.9, None, "missing threshold", None, id="R94.7-no-threshold"),
        pytest.param(None, None, "missing threshold", None, id="R94.7-threshold-before-score"),
        pytest.param(None, 0.5, "open", None, id="R94.7-no-score"),
        pytest.param({"value": 9, "min": 0, "max": 10}, 0.5, "open", None, id="R94.7-score-object-is-open"),
        pytest.param({"value": 9}, 0.5, "open", "UNPARSEABLE", id="R94.7-broken-object-is-open"),
        pytest.param("0.9", 0.5, "open", "UNPARSEABLE", id="R94.7-text-is-open"),
        pytest.param(True, 0.5, "open", "UNPARSEABLE", id="R94.7-boolean-is-open"),
    ],
)
def test_strategies_with_a_threshold(
    strategy: str, score: object, threshold: object, expectation: str, defect: str | None
) -> None:
    members = {"strategy": strategy, "threshold": threshold, "passCount": None, "failCount": None}
    before = [] if defect is None else [f"{defect} {Q} . score"]
    check_every_status(members, score, expectation, before)


@pytest.mark.parametrize(
    ("members", "member"),
    [
        pytest.param({"strategy": 5}, "strategy", id="R95-strategy"),
        pytest.param({"eligibleCount": 1.5}, "eligibleCount", id="R95-eligible"),
        pytest.param({"passCount": "1"}, "passCount", id="R95-passes"),
        pytest.param({"failCount": True}, "failCount", id="R95-fails"),
        pytest.param({"strategy": "median", "threshold": "0.5"}, "threshold", id="R95-threshold"),
    ],
)
def test_an_unreadable_member_is_reported_again_as_absent_r95(members: dict[str, Any], member: str) -> None:
    interpretation = recorded("fail", members, 0.9)
    assert found(interpretation) == [f"UNPARSEABLE {BLOCK}.{member}", f"ABSENT {BLOCK}.{member}"]
    assert interpretation.reading_support is Support.UNDETERMINED


def test_error_codes_that_could_not_be_read_are_not_there_r94_4_r97() -> None:
    members = codes({"judge_failed": "1"})
    assert found(recorded("pass", members)) == [f"UNPARSEABLE {BLOCK}.errorCodeCounts.judge_failed", STATUS]
    assert found(recorded("pass", codes(["stage_failed"]))) == [f"UNPARSEABLE {BLOCK}.errorCodeCounts"]


def test_unreadable_counts_do_not_trigger_r94_2_3() -> None:
    members = {"notApplicableCount": "1", "errorCount": True}
    interpretation = recorded("pass", members)
    assert found(interpretation) == [f"UNPARSEABLE {BLOCK}.notApplicableCount", f"UNPARSEABLE {BLOCK}.errorCount"]
    assert interpretation.reading_support is Support.SUPPORTED


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        pytest.param(None, "ABSENT", id="R93-missing"),
        pytest.param(5, "UNPARSEABLE", id="R93-unreadable"),
        pytest.param("passed", "UNKNOWN_VOCABULARY", id="R93-unknown"),
    ],
)
def test_a_status_that_says_nothing_is_not_checked(status: object, kind: str) -> None:
    for members in ({}, {"strategy": None}, {"errorCount": 1}, {"eligibleCount": 0}):
        interpretation = recorded(status, members)
        assert found(interpretation) == [f"{kind} {Q} . status"]
        assert interpretation.reading_support is Support.UNDETERMINED


@pytest.mark.parametrize("status", [None, 5, "passed"])
def test_a_rejection_is_undetermined_by_such_a_status_beside_a_block_only_r92_r93(status: object) -> None:
    aggregate = judgment("error", reasonCode="stage_failed") | {"status": status}
    bare = interpret(rejected() | {"aggregated": aggregate})
    checked = interpret(rejected() | {"aggregated": aggregate | {"metadata": evidence()}})
    assert found(bare) == found(checked)
    assert (bare.reading_support, checked.reading_support) == (Support.SUPPORTED, Support.UNDETERMINED)


def test_an_upper_case_status_is_checked_as_read_r97() -> None:
    assert found(recorded("PASS", {})) == []
    assert found(recorded("FAIL", {})) == [STATUS]


EXPECTED_CODES = [
    pytest.param({"notApplicableCount": 1}, "not_applicable_refused", id="R94.2"),
    pytest.param({"errorCount": 1}, "errors_propagated", id="R94.3"),
    pytest.param(codes({}), "errors_propagated", id="R94.4"),
]


@pytest.mark.parametrize(("members", "code"), EXPECTED_CODES)
def test_the_code_of_an_expected_error_r95(members: dict[str, Any], code: str) -> None:
    def told(recorded_code: object, status: str = "error") -> list[str]:
        return found(recorded(status, members, reasonCode=recorded_code))

    assert told(code) == []
    assert told("judge_failed") == [CODE]
    assert told("tired") == [f"UNKNOWN_VOCABULARY {Q} . reasonCode", CODE]
    assert told("") == [f"UNKNOWN_VOCABULARY {Q} . reasonCode", CODE]
    assert told(None) == [f"ABSENT {Q} . reasonCode"], "a missing code is no contradiction"
    assert told(5) == [f"UNPARSEABLE {Q} . reasonCode"], "nor is one that can't be read"
    assert told("judge_failed", "pass") == [STATUS], "the status ends the check"
    assert told(code, "fail") == [STATUS]


def test_a_missing_code_leaves_the_support_r95() -> None:
    interpretation = recorded("error", {"errorCount": 1}, reasonCode=None)
    assert interpretation.reading_support is Support.SUPPORTED


def test_codes_beside_other_expectations_are_not_checked_r95() -> None:
    assert found(recorded("pass", {}, reasonCode="stage_failed")) == []
    assert found(recorded("abstain", {"eligibleCount": 0}, reasonCode="judge_failed")) == []


@pytest.mark.parametrize(
    "members",
    [
        pytest.param({"inputCount": 99}, id="R96-input-against-seats"),
        pytest.param({"inputCount": -1, "explicitAbstainCount": 50}, id="R96-counts-against-each-other"),
        pytest.param({"bindingIndex": 40, "inputWeight": -1, "eligibleWeight": 9}, id="R96-weights-and-index"),
        pytest.param({"ignoredErrorCount": 3, "errorsTreatedAsFailCount": 3}, id="R96-error-counts"),
        pytest.param({"errorsTreatedAsAbstainCount": 3, "notApplicableTreatedAsFailCount": 3}, id="R96-more-counts"),
        pytest.param({"eligibleCount": 2, "passCount": 2}, id="R96-counts-against-judges"),
        pytest.param({"errorCodeCounts": {"stage_failed": 5}}, id="R96-codes-without-errors"),
        pytest.param({"threshold": 2.0}, id="R96-threshold-of-a-counting-strategy"),
    ],
)
def test_what_is_not_checked(members: dict[str, Any]) -> None:
    interpretation = recorded("pass", members)
    assert (found(interpretation), interpretation.reading_support) == ([], Support.SUPPORTED)


@pytest.mark.parametrize("policy", ["errorPolicy", "notApplicablePolicy"])
def test_unknown_policies_fall_through_r96(policy: str) -> None:
    interpretation = recorded("pass", {policy: "later", "errorCodeCounts": {}})
    assert found(interpretation) == [f"UNKNOWN_VOCABULARY {BLOCK}.{policy}"]
    assert interpretation.reading_support is Support.SUPPORTED


def test_judges_and_stages_need_not_agree_with_the_roots_block_r96() -> None:
    aggregate = judgment(metadata=evidence())
    failing = {"a": judgment("fail"), "b": judgment("error")}
    stored = verdict(aggregate, failing, compositeAttempts=[attempt(child=verdict(judgment("fail"), failing))])
    interpretation = interpret(stored | {"weights": {"0": -5}})
    assert (found(interpretation), interpretation.reading_support) == ([], Support.SUPPORTED)


def test_the_block_is_checked_after_the_rejection_r38_r92() -> None:
    aggregate = judgment("error", reasonCode="judge_failed", metadata=evidence(errorCount=1))
    told = found(interpret(rejected() | {"aggregated": aggregate}))
    assert told == ["INCONSISTENT verdict.decision . basis", CODE]
