from __future__ import annotations

from typing import Any

import msgspec
import pytest

from verdict_frames.errors import VerdictError, VerdictFramesError
from verdict_frames.verdicts.judgments import AggregationBlock, Judgment, RecordedCheck
from verdict_frames.verdicts.verdict import CompositeAttempt, Decision, Seat, Verdict

PASSES = Judgment(status="pass")
FAILS = Judgment(status="fail")
OUTSIDE = Judgment(status="not_applicable")
FAILED_STAGE = Judgment(status="error", reason_code="stage_failed")
NOBODY = Judgment(status="error", reason_code="no_tier_decided")
SEAT = Seat(position=0, verdict_key="a")
ACCEPTED = Verdict.of({"a": PASSES}, PASSES)
REJECTED = Verdict.of({"a": FAILS}, FAILS)
UNDECIDED = Verdict.of({"a": FAILS}, NOBODY, decision=Decision(kind="undecided"))
INAPPLICABLE = Verdict.of({"a": FAILS}, OUTSIDE)
USED = CompositeAttempt(name="t", policy="FINAL_TIER", verdict=ACCEPTED)
NEVER_RAN = CompositeAttempt(
    name="t",
    policy="FINAL_TIER",
    disposition="stage_failed",
    disposition_reason="execution_failed",
    failure="jury_execution_failed",
)
OUTCOME = Decision(kind="tier", tier="t", basis="tier_outcome")
REJECTION = Decision(kind="tier", tier="t", basis="individual_rejection")


def block(**members: Any) -> AggregationBlock:
    whole: dict[str, Any] = {"strategy": "majority", "input_count": 3, "eligible_count": 2} | members
    return AggregationBlock(**whole)


def tier(verdict: Verdict = ACCEPTED, **members: Any) -> CompositeAttempt:
    whole: dict[str, Any] = {"name": "t", "policy": "FINAL_TIER", "verdict": verdict} | members
    return CompositeAttempt(**whole)


def failed_tier(verdict: Verdict, reason: str, policy: str = "REJECT_ON_ANY_FAIL") -> CompositeAttempt:
    return tier(verdict, policy=policy, disposition="stage_failed", disposition_reason=reason)


def cascade(aggregated: Judgment, decision: Decision, *attempts: CompositeAttempt) -> Verdict:
    return Verdict.of({}, aggregated, decision=decision, attempts=attempts)


@pytest.mark.parametrize("score", [-0.001, 1.0000001, float("nan"), float("inf"), 10**400, "0.5", True, [0.5]])
def test_scores_outside_of_0_to_1_r48(score: Any) -> None:
    with pytest.raises(VerdictError, match=r"score is .*; it must"):
        Judgment(status="pass", score=score)


@pytest.mark.parametrize("score", [0, 1, 0.0, 1.0, 0.5])
def test_scores_are_reals(score: Any) -> None:
    held = Judgment(status="pass", score=score).score
    assert held == score
    assert type(held) is float


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"status": "error"}, "needs a reason code"),
        ({"status": "error", "reason_code": "gremlins"}, "reason_code is 'gremlins'; it must be one of aggregation_"),
        ({"status": "error", "reason_code": "subject_empty"}, "subject_empty doesn't go with the status error"),
        ({"status": "pass", "reason_code": "judge_failed"}, "judge_failed doesn't go with the status pass"),
        ({"status": "PASS"}, "status is 'PASS'; it must be one of abstain, error, fail"),
        ({"status": None}, "status is None"),
        ({"status": ["pass"]}, "status is "),
        ({"status": "pass", "reasoning": None}, "reasoning is None; it must be a text"),
        ({"status": "pass", "reasoning": "\ud800"}, r"unpaired surrogate.*: '\\ud800'"),
        ({"status": "pass", "label": 3}, "label is 3"),
        ({"status": "pass", "checks": ["runs"]}, r"checks\[0\] is 'runs'; it must be a RecordedCheck"),
        ({"status": "pass", "checks": 3}, "checks is 3; it must be a sequence"),
        ({"status": "pass", "metadata": [1]}, "metadata is .*; it must be a mapping"),
        ({"status": "pass", "metadata": {"at": {"x": float("nan")}}}, "metadata.at.x is nan; it must be finite"),
        ({"status": "pass", "metadata": {"x": [object()]}}, r"metadata.x\[0\] is .* which JSON can't hold"),
        ({"status": "pass", "metadata": {3: "x"}}, "a key of metadata is 3"),
        ({"status": "pass", "metadata": {"x": 10**5000}}, "more digits than Python writes"),
        ({"status": "pass", "metadata": {"aggregation": {}}}, "pass an AggregationBlock as `aggregation`"),
        ({"status": "pass", "aggregation": {}}, "aggregation is {}; it must be an AggregationBlock"),
    ],
)
def test_judgments(members: dict[str, Any], message: str) -> None:
    with pytest.raises(VerdictError, match=message):
        Judgment(**members)


def test_metadata_is_copied_and_cannot_contain_itself() -> None:
    mine: dict[str, Any] = {"x": [1]}
    judgment = Judgment(status="pass", metadata=mine)
    mine["x"].append(2)
    assert judgment.metadata == {"x": [1]}
    mine["x"] = mine
    with pytest.raises(VerdictError, match="contains itself"):
        Judgment(status="pass", metadata=mine)


@pytest.mark.parametrize("name", ["", " ", "\t\r\n", "\u2003\u3000", "\u001c"])
def test_blank_names_r57(name: str) -> None:
    with pytest.raises(VerdictError, match="must not be blank"):
        RecordedCheck(name=name, passed=True)
    with pytest.raises(VerdictError, match="must not be blank"):
        Seat(position=0, verdict_key=name)


@pytest.mark.parametrize("name", ["\u00a0", "\u0085", "\u200b", " x "])
def test_names_that_only_look_blank_r57(name: str) -> None:
    assert RecordedCheck(name=name, passed=True).name == name


def test_checks() -> None:
    with pytest.raises(VerdictError, match="`passed` of the check 'runs' is 1; it must be a bool"):
        RecordedCheck(name="runs", passed=1)  # type: ignore[arg-type]
    with pytest.raises(VerdictError, match="the message of a check is None"):
        RecordedCheck(name="runs", passed=True, message=None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"strategy": None}, "strategy is None"),
        ({"error_policy": "retry"}, "error_policy is 'retry'; it must be one of ignore, propagate"),
        ({"not_applicable_policy": "ignore"}, "not_applicable_policy is 'ignore'"),
        ({"input_count": -1}, "input_count is -1"),
        ({"input_count": 2**31}, "input_count is 2147483648"),
        ({"eligible_count": 1.0}, "eligible_count is 1.0"),
        ({"error_count": True}, "error_count is True"),
        ({"threshold": float("inf")}, "threshold is inf"),
        ({"eligible_count": 4}, "eligible_count is above input_count"),
        ({"explicit_abstain_count": 2, "error_count": 2}, "together are above input_count"),
        ({"error_count": 1, "ignored_error_count": 2}, "absorbed are more than error_count"),
        ({"not_applicable_treated_as_fail_count": 1}, "not_applicable_treated_as_fail_count is above"),
        ({"error_count": 1, "error_code_counts": {"judge_failed": 2}}, "error_code_counts doesn't add up"),
        ({"error_count": 1, "error_code_counts": {"gremlins": 1}}, "a key of error_code_counts is 'gremlins'"),
        ({"pass_count": 1, "fail_count": 0}, "pass_count and fail_count don't add up to eligible_count"),
        ({"binding_index": 3}, "binding_index is no place"),
    ],
)
def test_blocks(members: dict[str, Any], message: str) -> None:
    assert block(pass_count=1, fail_count=1).eligible_count == 2
    with pytest.raises(VerdictError, match=message):
        block(**members)


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"kind": "tier", "tier": "t"}, "names its tier and its basis; `basis` is missing"),
        ({"kind": "tier", "basis": "tier_outcome"}, "`tier` is missing"),
        ({"kind": "own", "tier": "t"}, "of the kind own has no `tier`"),
        ({"kind": "undecided", "basis": "tier_outcome"}, "of the kind undecided has no `basis`"),
        ({"kind": "jury"}, "the kind of a decision is 'jury'; it must be one of own, tier, undecided"),
        ({"kind": "tier", "tier": "t", "basis": "whim"}, "the basis of a decision is 'whim'"),
        ({"kind": "tier", "tier": 3, "basis": "tier_outcome"}, "the tier of a decision is 3"),
    ],
)
def test_decisions(members: dict[str, Any], message: str) -> None:
    with pytest.raises(VerdictError, match=message):
        Decision(**members)


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"policy": None}, "`policy` of the attempt 't': a cascade's tier has a policy"),
        ({"relation": "meta_member"}, "a meta jury's member has none"),
        ({"relation": None}, "`relation` of the attempt 't' is None"),
        ({"policy": "REJECT"}, "`policy` of the attempt 't' is 'REJECT'"),
        ({"disposition": "stage_failed"}, "a stage that failed has a reason"),
        ({"disposition_reason": "child_undecided"}, "one that was used none"),
        ({"verdict": None}, "either a verdict or a failure; this has neither"),
        ({"failure": "jury_execution_failed"}, "either a verdict or a failure; this has both"),
        ({"verdict": None, "failure": "jury_execution_failed"}, "it goes with the reason execution_failed"),
        ({"verdict": {}}, "`verdict` of the attempt 't' is {}; it must be a Verdict"),
        ({"verdict": UNDECIDED}, "child_undecided goes with a child that decided nothing"),
        ({"disposition": "stage_failed", "disposition_reason": "child_undecided"}, "goes with a child that decided"),
        ({"disposition": "stage_failed", "disposition_reason": "execution_failed"}, "goes with the reason"),
        ({"disposition": "stage_failed", "disposition_reason": "undeclared_not_applicable"}, "child's status is pass"),
        ({"name": None}, "the name of an attempt is None"),
    ],
)
def test_attempts(members: dict[str, Any], message: str) -> None:
    with pytest.raises(VerdictError, match=message):
        tier(**members)


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"seats": ()}, "there are 0 seats and 1 individual judgments"),
        ({"individual": ()}, "there are 1 seats and 0 individual judgments"),
        ({"seats": (SEAT, SEAT)}, "there are 2 seats"),
        ({"individual": (PASSES, FAILS), "seats": (SEAT, SEAT)}, r"seats\[1\] has the position 0"),
        (
            {"individual": (PASSES, FAILS), "seats": (SEAT, Seat(position=1, verdict_key="a"))},
            "2 seats have the key 'a'",
        ),
        ({"individual_by_name": {"b": PASSES}}, r"individual_by_name has the keys \['b'\], and the seats have \['a'\]"),
        ({"individual_by_name": {"a": PASSES, "b": PASSES}}, "individual_by_name has the keys"),
        ({"individual_by_name": {"a": FAILS}}, r"individual_by_name\['a'\] isn't the judgment"),
        ({"individual_by_name": {"a": {}}}, r"individual_by_name\['a'\] is {}; it must be a Judgment"),
        ({"weights": {1: 1.0}}, r"weights are for the places \[1\], and the judges at 0 to 0"),
        ({"weights": {"0": 1.0}}, "a place in weights is '0'"),
        ({"weights": {0: -1.0}}, r"weights\[0\] is -1.0; a weight is never negative"),
        ({"weights": {0: float("nan")}}, r"weights\[0\] is nan"),
        ({"aggregated": None}, "aggregated is None; it must be a Judgment"),
        ({"decision": None}, "decision is None; it must be a Decision"),
        ({"composite_attempts": [ACCEPTED]}, r"composite_attempts\[0\] is .*; it must be a CompositeAttempt"),
        ({"aggregated": Judgment(status="pass", aggregation=block())}, "3 judgments went into the aggregate"),
        ({"composite_attempts": [USED, NEVER_RAN]}, "2 tiers are named 't'"),
    ],
)
def test_verdicts(members: dict[str, Any], message: str) -> None:
    whole: dict[str, Any] = {"aggregated": PASSES, "individual": [PASSES], "seats": [SEAT]}
    assert Verdict(**whole).individual_by_name == {"a": PASSES}
    with pytest.raises(VerdictError, match=message):
        Verdict(**whole | members)


@pytest.mark.parametrize(
    ("aggregated", "decision", "attempts", "message"),
    [
        (
            PASSES,
            Decision(kind="tier", tier="other", basis="tier_outcome"),
            [USED],
            r"'other', and the tiers are \['t'\]",
        ),
        (PASSES, OUTCOME, [tier(relation="meta_member", policy=None)], r"and the tiers are \[\]"),
        (PASSES, OUTCOME, [NEVER_RAN], "which came to no verdict"),
        (NOBODY, OUTCOME, [failed_tier(UNDECIDED, "child_undecided")], "its disposition is stage_failed"),
        (FAILS, OUTCOME, [USED], "`aggregated` isn't the tier's"),
        (PASSES, OUTCOME, [tier(policy="REJECT_ON_ANY_FAIL")], "when a judge fails the subject, and none did"),
        (FAILS, OUTCOME, [tier(REJECTED, policy="ACCEPT_ON_ALL_PASS")], "when every judge passes the subject"),
        (FAILED_STAGE, REJECTION, [failed_tier(INAPPLICABLE, "undeclared_not_applicable", "FINAL_TIER")], "FINAL_TIER"),
        (FAILS, REJECTION, [tier(REJECTED, policy="REJECT_ON_ANY_FAIL")], "its outcome decides then"),
        (PASSES, REJECTION, [failed_tier(UNDECIDED, "child_undecided")], "`aggregated` isn't the tier's"),
        (NOBODY, REJECTION, [failed_tier(INAPPLICABLE, "undeclared_not_applicable")], "not error for no_tier_decided"),
        (
            NOBODY,
            REJECTION,
            [failed_tier(Verdict.of({}, NOBODY, decision=Decision(kind="undecided")), "child_undecided")],
            "none of its judges failed it",
        ),
        (PASSES, Decision(kind="undecided"), [USED], "undecided has the status error, .*; this has pass"),
        (
            Judgment(status="error", reason_code="judge_failed"),
            Decision(kind="undecided"),
            [],
            "error for judge_failed",
        ),
    ],
)
def test_decisions_that_the_stages_contradict(
    aggregated: Judgment, decision: Decision, attempts: list[CompositeAttempt], message: str
) -> None:
    with pytest.raises(VerdictError, match=message):
        cascade(aggregated, decision, *attempts)


def test_decisions_that_the_stages_bear_out() -> None:
    assert cascade(PASSES, OUTCOME, USED).decision == OUTCOME
    assert cascade(NOBODY, REJECTION, failed_tier(UNDECIDED, "child_undecided")).decision == REJECTION
    outside = failed_tier(INAPPLICABLE, "undeclared_not_applicable")
    assert cascade(FAILED_STAGE, REJECTION, outside).aggregated == FAILED_STAGE
    assert cascade(NOBODY, Decision(kind="undecided"), NEVER_RAN).composite_attempts == (NEVER_RAN,)


def test_adopted_aggregates_are_compared_by_type_r9() -> None:
    one, real = (Judgment(status="pass", metadata={"n": n}) for n in (1, 1.0))
    assert one == real
    with pytest.raises(VerdictError, match="`aggregated` isn't the tier's"):
        cascade(real, OUTCOME, tier(Verdict.of({}, one)))


def test_shortcuts() -> None:
    with pytest.raises(VerdictError, match="weights are for 'b', and the judges are 'a'"):
        Verdict.of({"a": PASSES}, PASSES, weights={"b": 1.0})
    with pytest.raises(VerdictError, match="no tier 'x' came to a verdict; entered were 't'"):
        Verdict.adopting("x", [USED])
    with pytest.raises(VerdictError, match="no tier 't' came to a verdict"):
        Verdict.adopting("t", [NEVER_RAN])
    adopted = Verdict.adopting("t", [USED])
    assert (adopted.aggregated, adopted.individual, adopted.seats) == (PASSES, (PASSES,), ACCEPTED.seats)


def test_refusals_have_one_base_and_values_are_frozen() -> None:
    with pytest.raises(ValueError, match="score is 2") as refusal:
        Judgment(status="pass", score=2)
    assert isinstance(refusal.value, VerdictFramesError)
    with pytest.raises(AttributeError):
        PASSES.status = "fail"  # type: ignore[misc]
    changed = msgspec.structs.replace(PASSES, score=1)
    assert changed.score == 1.0
    with pytest.raises(VerdictError, match="score is 2"):
        msgspec.structs.replace(PASSES, score=2)
