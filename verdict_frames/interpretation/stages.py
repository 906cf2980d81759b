"""Verdict nodes, and the attempts and sub-verdicts beneath them (R40–R43, R71–R75)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec

from verdict_frames.interpretation.evidence import read_evidence
from verdict_frames.interpretation.judgments import read_judgment
from verdict_frames.interpretation.seats import read_judges
from verdict_frames.interpretation.sound_nodes import read_sound_node
from verdict_frames.interpretation.values import UNSOUND, is_object
from verdict_frames.records import JudgeSeat, Stage
from verdict_frames.vocabulary import DISPOSITION_REASONS, DISPOSITIONS, FAILURE_CODES, RELATIONS, TIER_POLICIES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from verdict_frames.interpretation.findings import Findings

MAX_DEPTH = 64
"""R71: how many levels of attempts are read."""

_USED_BY_PARENT = {"used": True, "stage_failed": False}


class _Attempt(NamedTuple):
    """What a parent records about a stage, beside the stage's own verdict."""

    stage: str | None = None
    path: tuple[str, ...] = ()
    relation: str | None = None
    policy: str | None = None
    disposition: str | None = None
    reason: str | None = None
    failure: str | None = None


class _StoredAttempt(msgspec.Struct, rename="camel"):
    """An attempt's own facts as stored, when there is nothing to note about them."""

    name: str
    relation: Literal["cascade_tier", "meta_member"]
    disposition: Literal["used", "stage_failed"]
    policy: Literal["REJECT_ON_ANY_FAIL", "ACCEPT_ON_ALL_PASS", "FINAL_TIER"] | None = None
    disposition_reason: Literal["execution_failed", "child_undecided", "undeclared_not_applicable"] | None = None
    failure: None = None
    failure_code: None = None


def read_root(stored: Mapping[str, Any], findings: Findings) -> Stage:
    """Read the verdict's own aggregate and judges."""
    return _read_node(stored, "verdict", _Attempt(), findings, is_root=True)


def read_stages(stored: Mapping[str, Any], findings: Findings) -> tuple[Stage, ...]:
    """List every attempt and sub-verdict depth first, a stage before its own descendants (R73)."""
    stages: list[Stage] = []
    _read_below(stored, "verdict", (), stages, findings, depth=1)
    return tuple(stages)


def _read_node(
    node: Mapping[str, Any] | None, path: str, attempt: _Attempt, findings: Findings, *, is_root: bool = False
) -> Stage:
    """Read aggregate, evidence and judges, in this order; an attempt without a verdict has none of them (R40–R43)."""
    status = reason_code = reasoning = evidence = None
    judges: tuple[JudgeSeat, ...] = ()
    sound = None if node is None else read_sound_node(node)
    if sound is not None:
        status, reason_code, reasoning, evidence, judges = sound
    elif node is not None:
        aggregate = node.get("aggregated")
        if is_object(aggregate):
            at = f"{path}.aggregated"
            status, reason_code, reasoning, *_ = read_judgment(aggregate, at, findings)
            evidence = read_evidence(aggregate, at, findings)
        else:
            findings.absent(path, "aggregated")
        judges = read_judges(node, path, findings, is_root=is_root)
    return Stage(
        stage=attempt.stage,
        path=attempt.path,
        relation=attempt.relation,
        policy=attempt.policy,
        disposition=attempt.disposition,
        reason=attempt.reason,
        failure=attempt.failure,
        used_by_parent=None if attempt.disposition is None else _USED_BY_PARENT.get(attempt.disposition),
        status=status,
        reason_code=reason_code,
        reasoning=reasoning,
        evidence=evidence,
        judges=judges,
    )


def _read_below(
    node: Mapping[str, Any],
    path: str,
    parent: tuple[str, ...],
    stages: list[Stage],
    findings: Findings,
    *,
    depth: int,
) -> None:
    """Read what a node holds: attempts before sub-verdicts, and nothing below the last level (R71, R73)."""
    if depth > MAX_DEPTH:
        findings.unparseable(path, "compositeAttempts")
        return
    attempts = node.get("compositeAttempts")
    for index, attempt in enumerate(attempts if isinstance(attempts, list) else ()):
        if not is_object(attempt):
            findings.unparseable(path, f"compositeAttempts[{index}]")
            continue
        at = f"{path}.compositeAttempts[{index}]"
        stage = _read_attempt(attempt, at, parent, findings)
        stages.append(stage)
        verdict = attempt.get("verdict")
        if is_object(verdict):
            _read_below(verdict, f"{at}.verdict", stage.path, stages, findings, depth=depth + 1)
    sub_verdicts = node.get("subVerdicts")
    for index, sub_verdict in enumerate(sub_verdicts if isinstance(sub_verdicts, list) else ()):
        if not is_object(sub_verdict):
            findings.unparseable(path, f"subVerdicts[{index}]")
            continue
        at = f"{path}.subVerdicts[{index}]"
        findings.absent(at, "name")
        stages.append(_read_node(sub_verdict, at, _Attempt(path=parent), findings))
        _read_below(sub_verdict, at, parent, stages, findings, depth=depth + 1)


def _read_attempt(attempt: Mapping[str, Any], at: str, parent: tuple[str, ...], findings: Findings) -> Stage:
    """Read an attempt's own facts, then its verdict (R72)."""
    verdict = attempt.get("verdict")
    node = verdict if is_object(verdict) else None
    facts = None if node is None else _read_sound_facts(attempt, parent)
    return _read_node(node, f"{at}.verdict", facts or _read_facts_with_care(attempt, at, parent, findings), findings)


def _read_sound_facts(attempt: Mapping[str, Any], parent: tuple[str, ...]) -> _Attempt | None:
    """Read the facts of an attempt that no rule has anything to note about, in one go; null for any other."""
    try:
        read = msgspec.convert(attempt, _StoredAttempt)
    except UNSOUND:
        return None
    lacks_policy = read.policy is None and read.relation == "cascade_tier"
    if lacks_policy or (read.disposition_reason is None and read.disposition == "stage_failed"):
        return None
    path = (*parent, read.name)
    return _Attempt(read.name, path, read.relation, read.policy, read.disposition, read.disposition_reason, None)


def _read_facts_with_care(attempt: Mapping[str, Any], at: str, parent: tuple[str, ...], findings: Findings) -> _Attempt:
    """Read an attempt's own facts in their order, noting what is wrong with each."""
    name = attempt.get("name")
    if not isinstance(name, str):
        name = None
        findings.absent(at, "name")
    relation = findings.required_token(attempt.get("relation"), RELATIONS, at, "relation")
    policy = findings.token(attempt.get("policy"), TIER_POLICIES, at, "policy")
    if policy is None and relation == "cascade_tier":
        findings.absent(at, "policy")
    disposition = findings.required_token(attempt.get("disposition"), DISPOSITIONS, at, "disposition")
    reason = findings.token(attempt.get("dispositionReason"), DISPOSITION_REASONS, at, "dispositionReason")
    if reason is None and disposition == "stage_failed":
        findings.absent(at, "dispositionReason")
    failure = _read_failure(attempt, at, findings)
    if failure is None and not is_object(attempt.get("verdict")):
        findings.absent(at, "verdict")
    path = parent if name is None else (*parent, name)
    return _Attempt(name, path, relation, policy, disposition, reason, failure)


def _read_failure(attempt: Mapping[str, Any], at: str, findings: Findings) -> str | None:
    """Read the failure code in either of its two spellings; an unreadable `failure` hides the other (R74)."""
    field = "failure" if attempt.get("failure") is not None else "failureCode"
    failure = attempt.get(field)
    if is_object(failure):
        code = failure.get("code")
        failure = code if isinstance(code, str) else failure
    return findings.token(failure, FAILURE_CODES, at, field)
