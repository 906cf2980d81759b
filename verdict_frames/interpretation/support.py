"""Whether the recorded facts back the reading (R88–R96)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from verdict_frames.interpretation.decision import find_tier, individual_statuses
from verdict_frames.interpretation.equality import deeply_equal
from verdict_frames.interpretation.evidence import BLOCK
from verdict_frames.interpretation.values import is_number, is_object, member, normal_status, to_double
from verdict_frames.vocabulary import REASON_CODES, STATUSES, CodeFamily, DefectKind, Reading, Support

if TYPE_CHECKING:
    from collections.abc import Mapping

    from verdict_frames.interpretation.decision import Walk
    from verdict_frames.interpretation.findings import Findings
    from verdict_frames.records import Evidence, Stage

_AGGREGATE = "verdict.aggregated"

_READING_OF_STATUS = {
    "error": Reading.NOT_ASSESSED,
    "not_applicable": Reading.NOT_APPLICABLE,
    "fail": Reading.REJECTED,
    "pass": Reading.ACCEPTED,
    "abstain": Reading.UNDECIDED,
}


def reading_of(root: Stage, walk: Walk) -> Reading | None:
    """Read what the verdict says: an individual rejection first, then the root's own status (R88)."""
    if walk.rejected_tier is not None:
        return Reading.REJECTED
    return _READING_OF_STATUS.get(root.status or "")


def support_of(
    stored: Mapping[str, Any], root: Stage, walk: Walk, reading: Reading | None, findings: Findings
) -> Support:
    """Check the reading against the record, noting each contradiction (R89–R92)."""
    if walk.rejected_tier is not None:
        _check_rejection(walk.node, f"{walk.path}.decision", walk.rejected_tier, findings)
    elif walk.kind == "undecided":
        _check_undecided(walk.node, f"{walk.path}.decision", findings)
    _check_evidence(stored, root, walk, findings)
    if any(defect.kind is DefectKind.INCONSISTENT for defect in findings.defects):
        return Support.CONTRADICTED
    if findings.undeterminable or reading is None:
        return Support.UNDETERMINED
    return Support.SUPPORTED


def _check_rejection(node: Mapping[str, Any], at: str, tier: str, findings: Findings) -> None:
    """Check that a tier which is said to have been rejected by one of its judges bears that out (R89)."""
    found = find_tier(node, tier)
    if found is None:
        findings.inconsistent(at, "tier", f"The decision names the tier “{tier}”, and no attempt has that name.")
        return
    attempt = found[1]
    reason, policy, child = attempt.get("dispositionReason"), attempt.get("policy"), attempt.get("verdict")
    _check_disposition(attempt.get("disposition"), reason, at, findings)
    if policy is None:
        findings.undeterminable = True
    elif policy != "REJECT_ON_ANY_FAIL":
        findings.inconsistent(at, "basis", f"The tier “{tier}” doesn't stop on an individual rejection by its policy.")
    if not is_object(child):
        findings.inconsistent(at, "tier", f"The tier “{tier}” is said to have rejected, and has no verdict.")
        return
    statuses = individual_statuses(child)
    if statuses is None:
        findings.undeterminable = True
    elif "fail" not in statuses:
        findings.inconsistent(at, "basis", f"No judge of the tier “{tier}” failed the subject.")
    _check_rejection_aggregates(node.get("aggregated"), child.get("aggregated"), reason, at, findings)


def _check_disposition(disposition: object, reason: object, at: str, findings: Findings) -> None:
    """Check that the tier failed for a reason that goes with a rejection (R89.2)."""
    if disposition is None or reason is None:
        findings.undeterminable = True
    elif disposition != "stage_failed" or reason == "execution_failed":
        findings.inconsistent(at, "basis", "The tier's disposition doesn't go with an individual rejection.")
    elif reason not in ("child_undecided", "undeclared_not_applicable"):
        findings.undeterminable = True


def _check_rejection_aggregates(own: object, childs: object, reason: object, at: str, findings: Findings) -> None:
    """Compare the two aggregates as the reason asks (R89.6–8)."""
    if not (is_object(own) and is_object(childs)):
        findings.undeterminable = True
    elif reason == "child_undecided":
        if not deeply_equal(own, childs):
            findings.inconsistent(at, "basis", "The tier is said to be undecided, and its outcome wasn't carried up.")
    elif reason == "undeclared_not_applicable":
        status = childs.get("status")
        if isinstance(status, str) and normal_status(status) != "not_applicable":
            findings.inconsistent(at, "basis", "The tier is said not to apply, and its aggregate says otherwise.")
        if own.get("reasonCode") != "stage_failed":
            findings.inconsistent(
                at, "basis", "The tier is said to have failed, and the aggregate above isn't coded so."
            )


def _check_undecided(node: Mapping[str, Any], at: str, findings: Findings) -> None:
    """Check that an undecided node errored, and for a reason of the machinery (R90)."""
    aggregate = node.get("aggregated")
    if not is_object(aggregate):
        findings.undeterminable = True
        return
    status, code = aggregate.get("status"), aggregate.get("reasonCode")
    if not isinstance(status, str) or normal_status(status) != "error":
        findings.inconsistent(at, "kind", "The jury calls itself undecided, and its aggregate isn't an error.")
        return
    family = REASON_CODES.get(code) if isinstance(code, str) else None
    if family is None:
        findings.undeterminable = True
    elif family is not CodeFamily.MACHINERY:
        findings.inconsistent(at, "kind", "The jury calls itself undecided, and its reason code doesn't go with that.")


def _check_evidence(stored: Mapping[str, Any], root: Stage, walk: Walk, findings: Findings) -> None:
    """Check the root's status against the root's own aggregation block (R91)."""
    aggregate = stored.get("aggregated")
    if not is_object(aggregate):
        findings.undeterminable = True
    elif root.evidence is not None:
        _check_arithmetic(root, root.evidence, aggregate.get("score"), findings)
    elif walk.rejected_tier is None and walk.kind in (None, "own"):
        findings.undeterminable = True
        if member(aggregate.get("metadata"), "aggregation") is None:
            findings.absent(_AGGREGATE, BLOCK)


class _Expected(NamedTuple):
    """What the block leads one to expect of the aggregate: one of several statuses, and a reason code (R94).

    An empty `statuses` means that no closed rule applies; `missing` names the member that the rule lacks.
    """

    statuses: tuple[str, ...] = ()
    code: str | None = None
    missing: str | None = None


def _check_arithmetic(root: Stage, evidence: Evidence, raw_score: object, findings: Findings) -> None:
    """Compare the recorded status and code with those the block leads to (R93, R95)."""
    if root.status not in STATUSES:
        findings.undeterminable = True
        return
    expected = _expect(evidence, raw_score)
    if expected.missing is not None:
        findings.absent(_AGGREGATE, f"{BLOCK}.{expected.missing}")
        findings.undeterminable = True
    elif not expected.statuses:
        findings.undeterminable = True
    elif root.status not in expected.statuses:
        note = f"The aggregation block leads to {' or '.join(expected.statuses)}, and {root.status} is recorded."
        findings.inconsistent(_AGGREGATE, "status", note)
    elif expected.code is not None and root.reason_code not in (None, expected.code):
        note = f"The aggregation block leads to {expected.code}, and “{root.reason_code}” is recorded."
        findings.inconsistent(_AGGREGATE, "reasonCode", note)


def _expect(evidence: Evidence, raw_score: object) -> _Expected:
    """Work out the expectation, first match first (R94)."""
    errors = evidence.error_count or 0
    not_applicable = evidence.not_applicable_count or 0
    if evidence.strategy is None:
        return _Expected(missing="strategy")
    if evidence.not_applicable_policy == "refuse" and not_applicable > 0:
        return _Expected(("error",), "not_applicable_refused")
    if errors > 0 and (evidence.error_policy == "propagate" or _errors_survive(evidence)):
        return _Expected(("error",), "errors_propagated")
    if evidence.eligible_count is None:
        return _Expected(missing="eligibleCount")
    if evidence.eligible_count == 0:
        none_applied = (
            evidence.not_applicable_policy == "exclude"
            and not_applicable > 0
            and not_applicable == evidence.input_count
        )
        return _Expected(("not_applicable" if none_applied else "abstain",))
    return _expect_by_strategy(evidence, evidence.eligible_count, raw_score)


def _errors_survive(evidence: Evidence) -> bool:
    """Tell whether errors that policy would count as fails are of a kind that it can't absorb (R94.4)."""
    codes = evidence.error_code_counts
    return (
        evidence.error_policy == "treatAsFail"
        and codes is not None
        and (not codes or any(REASON_CODES.get(code, CodeFamily.MACHINERY) is CodeFamily.MACHINERY for code in codes))
    )


def _expect_by_strategy(evidence: Evidence, eligible: int, raw_score: object) -> _Expected:
    """Apply the closed rule of the recorded strategy; others are open (R94.7)."""
    passes, fails = evidence.pass_count, evidence.fail_count
    match evidence.strategy:
        case "consensus" | "majority" if passes is None:
            return _Expected(missing="passCount")
        case "consensus" | "majority" | "allMustPass" if fails is None:
            return _Expected(missing="failCount")
        case "consensus":
            unanimous = "pass" if passes == eligible else "fail" if fails == eligible else "abstain"
            return _Expected((unanimous,))
        case "majority" if passes == fails:
            return _Expected(("pass", "fail", "abstain"))
        case "majority":
            return _Expected(("pass" if (passes or 0) > (fails or 0) else "fail",))
        case "allMustPass":
            return _Expected(("fail" if fails else "pass",))
        case "average" | "weightedAverage" | "median" | "conjunctive":
            if evidence.threshold is None:
                return _Expected(missing="threshold")
            if not is_number(raw_score):
                return _Expected()
            return _Expected(("pass" if to_double(raw_score) >= evidence.threshold else "fail",))
        case _:
            return _Expected()
