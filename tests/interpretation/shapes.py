"""Small stored verdicts for the tests of interpretation, in the shape of 0.17, and ways to break and to read them.

What the builders give is complete: it is read without any defect, so that whatever a test breaks shows by itself.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from verdict_frames.records import Facts


def judgment(status: object = "pass", **fields: object) -> dict[str, Any]:
    made: dict[str, Any] = {"status": status, "reasoning": "said so", "checks": [], "metadata": {}}
    if status == "error":
        made["reasonCode"] = "judge_failed"
    return made | fields


def evidence(strategy: str = "consensus", **members: object) -> dict[str, Any]:
    block: dict[str, object] = {
        "strategy": strategy,
        "errorPolicy": "propagate",
        "notApplicablePolicy": "refuse",
        "inputCount": 1,
        "eligibleCount": 1,
        "errorCount": 0,
        "notApplicableCount": 0,
        "errorCodeCounts": {},
        "passCount": 1,
        "failCount": 0,
    } | members
    return {"aggregation": {name: value for name, value in block.items() if value is not None}}


def verdict(
    aggregated: object = None, judges: dict[str, Any] | None = None, decision: object = None, **others: object
) -> dict[str, Any]:
    judges = {"a": judgment()} if judges is None else judges
    return {
        "aggregated": judgment(metadata=evidence()) if aggregated is None else aggregated,
        "individual": list(judges.values()),
        "individualByName": judges,
        "weights": {},
        "seats": [
            {"position": index, "verdictKey": name, "keySource": "DECLARED"} for index, name in enumerate(judges)
        ],
        "decision": {"kind": "own"} if decision is None else decision,
        "compositeAttempts": [],
    } | others


def attempt(name: str = "t1", child: object = None, **facts: object) -> dict[str, Any]:
    made = {
        "name": name,
        "relation": "cascade_tier",
        "policy": "FINAL_TIER",
        "disposition": "used",
        "verdict": verdict() if child is None else child,
    }
    return {key: value for key, value in (made | facts).items() if value is not None}


def failed_attempt(name: str = "t1", child: object = None, **facts: object) -> dict[str, Any]:
    """A tier that stopped on an individual rejection, as in a boundary rejection of 0.17."""
    child = verdict(judgment("not_applicable"), {"strict": judgment("fail")}) if child is None else child
    made = {
        "policy": "REJECT_ON_ANY_FAIL",
        "disposition": "stage_failed",
        "dispositionReason": "undeclared_not_applicable",
    }
    return attempt(name, child, **(made | facts))


def rejected(tier: dict[str, Any] | None = None, **others: object) -> dict[str, Any]:
    return (
        verdict(
            judgment("error", reasonCode="stage_failed"),
            {"strict": judgment("fail")},
            {"kind": "tier", "tier": "t1", "basis": "individual_rejection"},
            compositeAttempts=[failed_attempt() if tier is None else tier],
        )
        | others
    )


def adopted(tier: dict[str, Any] | None = None, **others: object) -> dict[str, Any]:
    return (
        verdict(
            decision={"kind": "tier", "tier": "t1", "basis": "tier_outcome"},
            compositeAttempts=[attempt() if tier is None else tier],
        )
        | others
    )


def chain(levels: int, leaf: dict[str, Any] | None = None) -> dict[str, Any]:
    """A verdict with that many levels of adopted tiers below it, built without recursion."""
    node = verdict() if leaf is None else leaf
    for _ in range(levels):
        node = adopted(attempt(child=node))
    return node


def broken(stored: dict[str, Any], place: str, value: object) -> dict[str, Any]:
    """A copy with another value at a place such as `compositeAttempts.0.verdict.decision`; null stands for missing."""
    made: dict[str, Any] = json.loads(json.dumps(stored))  # shares nothing, not even within itself
    *parents, last = [int(step) if step.isdigit() else step for step in place.split(".")]
    node: Any = made
    for step in parents:
        node = node[step]
    node[last] = value
    return made


def found(facts: Facts) -> list[str]:
    """The defects in their order, each as `KIND path . field`."""
    return [f"{defect.kind} {defect.path} . {defect.field}" for defect in facts.defects]


def expected(defects: str, **paths: str) -> list[str]:
    """The defects of a `|`-separated text such as `ABSENT Q . status`, with paths put in for their letters."""
    letters = "".join(paths)
    return [
        re.sub(rf"(?<= )[{letters}](?=[ .])", lambda letter: paths[letter[0]], defect, count=1) if paths else defect
        for defect in defects.split(" | ")
        if defect
    ]
