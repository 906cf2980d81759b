"""The `interpretation` objects that result files of 0.9 store beside their verdicts.

The stage views follow from well-formed verdicts of 0.17. What a verdict says - reading, support, who decided, defects -
is never worked out here: whoever made the verdict states it, so that the corpus can be held against a reader.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from verdict_shapes import Obj

EVIDENCE_MEMBERS = (
    "strategy",
    "errorPolicy",
    "notApplicablePolicy",
    "inputCount",
    "eligibleCount",
    "explicitAbstainCount",
    "notApplicableCount",
    "errorCount",
    "ignoredErrorCount",
    "errorsTreatedAsAbstainCount",
    "errorsTreatedAsFailCount",
    "notApplicableTreatedAsFailCount",
    "errorCodeCounts",
    "passCount",
    "failCount",
    "threshold",
    "bindingIndex",
    "inputWeight",
    "eligibleWeight",
)


@dataclass(frozen=True)
class Said:
    """What a verdict says, as its maker states it."""

    reading: str | None
    support: str
    stage: str | None = None
    basis: str = "tier_outcome"
    defects: tuple[tuple[str, str, str, str], ...] = ()


def _evidence_view(aggregated: Obj) -> Obj | None:
    block = aggregated["metadata"].get("aggregation")
    return None if block is None else {member: block.get(member) for member in EVIDENCE_MEMBERS}


def _seat_view(seat: Obj, judged: Obj) -> Obj:
    return {
        "position": seat["position"],
        "name": seat["verdictKey"],
        "keySource": seat["keySource"],
        "status": judged["status"],
        "reasonCode": judged.get("reasonCode"),
        "score": judged.get("score"),
        "reasoning": judged["reasoning"],
        "checks": [
            {"name": check["name"], "passed": check["passed"], "detail": check["message"]} for check in judged["checks"]
        ],
    }


def _stage_view(verdict: Obj | None, entered: Obj, path: list[str]) -> Obj:
    aggregated = verdict["aggregated"] if verdict else {}
    seats = zip(verdict["seats"], verdict["individual"], strict=True) if verdict else ()
    disposition = entered.get("disposition")
    failure = entered.get("failureCode", entered.get("failure"))
    return {
        "stage": entered.get("name"),
        "path": path,
        "relation": entered.get("relation"),
        "policy": entered.get("policy"),
        "disposition": disposition,
        "reason": entered.get("dispositionReason"),
        "failure": failure["code"] if isinstance(failure, dict) else failure,
        "usedByParent": None if disposition is None else disposition == "used",
        "status": aggregated.get("status"),
        "reasonCode": aggregated.get("reasonCode"),
        "reasoning": aggregated.get("reasoning"),
        "evidence": _evidence_view(aggregated) if aggregated else None,
        "judges": [_seat_view(seat, judged) for seat, judged in seats],
    }


def _stage_views(verdict: Obj, path: list[str]) -> list[Obj]:
    views: list[Obj] = []
    for entered in verdict["compositeAttempts"]:
        inside = [*path, entered["name"]]
        child = entered.get("verdict")
        views.append(_stage_view(child, entered, inside))
        if child:
            views += _stage_views(child, inside)
    return views


def _summary(said: Said, stages: Sequence[Obj]) -> str:
    names = ", ".join("/".join(stage["path"]) for stage in stages) or "none"
    decider = said.stage or "the root itself"
    return (
        f"Reading {said.reading or 'not readable'}, support {said.support}. Decided by {decider}. "
        f"Stages entered: {names}. Defects: {len(said.defects)}."
    )


def interpretation(verdict: Obj, said: Said) -> Obj:
    """The interpretation to store beside a verdict of 0.17, keys in written order."""
    stages = _stage_views(verdict, [])
    decided = None
    if said.stage is not None:
        decided = {"stage": said.stage, "path": [said.stage], "basis": said.basis}
    return {
        "schemaVersion": 1,
        "sourceVersion": 1,
        "reading": said.reading,
        "readingSupport": said.support,
        "decidedBy": decided,
        "root": _stage_view(verdict, {}, []),
        "stages": stages,
        "defects": [
            {"path": path, "field": field, "kind": kind, "note": note} for path, field, kind, note in said.defects
        ],
        "summary": _summary(said, stages),
    }
