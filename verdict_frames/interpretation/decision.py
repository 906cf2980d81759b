"""The walk along the recorded decisions: who decided (R76–R87).

The walk looks at the stored values themselves, not at the stages that were read from them (R97).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from verdict_frames.interpretation.equality import deeply_equal
from verdict_frames.interpretation.values import is_object, member, normal_status
from verdict_frames.records import DecidedBy
from verdict_frames.vocabulary import DECISION_BASES, DECISION_KINDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from verdict_frames.interpretation.findings import Findings

MAX_NODES = 65
"""How many nodes are examined before a chain counts as too long (R87)."""


class Walk(NamedTuple):
    """Where the walk ended.

    Attributes:
        decided_by: The deciding stage; null when the root decided itself or nothing readable was recorded.
        node: The node it stopped at, as stored.
        path: That node's path.
        kind: The stopping decision's kind as recorded; null where it can't be read.
        rejected_tier: The tier whose individual rejection ended the walk; null when it ended otherwise.
    """

    decided_by: DecidedBy | None
    node: Mapping[str, Any]
    path: str
    kind: str | None
    rejected_tier: str | None = None


class _Step(NamedTuple):
    """An edge to follow: the child node and its path."""

    node: Mapping[str, Any]
    path: str
    tier: str


def follow_decisions(stored: Mapping[str, Any], findings: Findings) -> Walk:
    """Follow the decisions from the root until one stops the walk, or 65 nodes were examined."""
    node, path = stored, "verdict"
    edges: tuple[str, ...] = ()
    for _ in range(MAX_NODES):
        found = _examine(node, path, edges, findings)
        if isinstance(found, Walk):
            return found
        node, path, edges = found.node, found.path, (*edges, found.tier)
    findings.unparseable(path, "decision")
    findings.undeterminable = True
    return Walk(None, node, path, None)


def find_tier(node: Mapping[str, Any], tier: str) -> tuple[int, Mapping[str, Any]] | None:
    """Find the first attempt of that name that is, or may be, a cascade's tier (R84)."""
    attempts = node.get("compositeAttempts")
    for index, attempt in enumerate(attempts if isinstance(attempts, list) else ()):
        if (
            is_object(attempt)
            and attempt.get("name") == tier
            and (attempt.get("relation") is None or attempt.get("relation") == "cascade_tier")
        ):
            return index, attempt
    return None


def individual_statuses(node: Mapping[str, Any]) -> list[str] | None:
    """List the judges' statuses, normalised; null when one of them can't be read (R86)."""
    entries = node.get("individual")
    if not isinstance(entries, list):
        by_name = node.get("individualByName")
        if not is_object(by_name):
            return None
        entries = list(by_name.values())
    statuses: list[str] = []
    for entry in entries:
        status = member(entry, "status")
        if not isinstance(status, str):
            return None
        statuses.append(normal_status(status))
    return statuses


def _examine(node: Mapping[str, Any], path: str, edges: tuple[str, ...], findings: Findings) -> Walk | _Step:
    """Read one node's decision: stop, or name the edge to follow (R76–R82)."""
    via = DecidedBy(stage=edges[-1], path=edges, basis="tier_outcome") if edges else None
    at = f"{path}.decision"
    decision = node.get("decision")
    if decision is None:
        findings.absent(path, "decision")
        findings.undeterminable |= bool(edges)
        return Walk(via, node, path, None)
    if not is_object(decision):
        findings.unparseable(path, "decision")
        findings.undeterminable = True
        return Walk(via, node, path, None)
    kind = findings.required_token(decision.get("kind"), DECISION_KINDS, at, "kind")
    if kind != "tier":
        findings.undeterminable |= kind not in DECISION_KINDS
        return Walk(via, node, path, kind)
    tier, basis = decision.get("tier"), decision.get("basis")
    if not isinstance(tier, str) or not isinstance(basis, str):
        findings.absent(at, "basis" if isinstance(tier, str) else "tier")
        findings.undeterminable = True
        return Walk(via, node, path, kind)
    decided_by = DecidedBy(stage=tier, path=(*edges, tier), basis=basis)
    if basis == "tier_outcome":
        return _follow(node, path, decided_by, findings)
    if basis == "individual_rejection":
        return Walk(decided_by, node, path, kind, rejected_tier=tier)
    findings.token(basis, DECISION_BASES, at, "basis")
    findings.undeterminable = True
    return Walk(decided_by, node, path, kind)


def _follow(node: Mapping[str, Any], path: str, decided_by: DecidedBy, findings: Findings) -> Walk | _Step:
    """Check an adopted tier's outcome against the record, then follow it (R83)."""
    at = f"{path}.decision"
    tier = decided_by.stage
    found = find_tier(node, tier)
    if found is None:
        findings.inconsistent(at, "tier", f"The decision names the tier “{tier}”, and no attempt has that name.")
        return Walk(decided_by, node, path, "tier")
    index, attempt = found
    disposition = attempt.get("disposition")
    if disposition is None:
        findings.undeterminable = True
    elif disposition != "used":
        findings.inconsistent(at, "basis", f"The tier “{tier}” is said to have decided, and wasn't used.")
    child = attempt.get("verdict")
    if not is_object(child):
        findings.inconsistent(at, "tier", f"The tier “{tier}” is said to have decided, and has no verdict.")
        return Walk(decided_by, node, path, "tier")
    if not deeply_equal(node.get("aggregated"), child.get("aggregated")):
        findings.inconsistent(at, "basis", f"The outcome of the tier “{tier}” is said to be adopted, and differs.")
    _check_stop(attempt.get("policy"), individual_statuses(child), at, findings)
    if member(child.get("decision"), "kind") == "undecided":
        findings.inconsistent(at, "basis", f"The tier “{tier}” is said to have decided, and calls itself undecided.")
    return _Step(child, f"{path}.compositeAttempts[{index}].verdict", tier)


def _check_stop(policy: object, statuses: list[str] | None, at: str, findings: Findings) -> None:
    """Check the tier's stop condition against its judges' statuses (R85)."""
    if statuses is None:
        findings.undeterminable = True
    elif policy == "REJECT_ON_ANY_FAIL" and "fail" not in statuses:
        findings.inconsistent(at, "basis", "The tier stops when a judge fails the subject, and none of its judges did.")
    elif policy == "ACCEPT_ON_ALL_PASS" and any(status != "pass" for status in statuses):
        findings.inconsistent(at, "basis", "The tier stops when every judge passes the subject, and one didn't.")
