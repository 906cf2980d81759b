"""Verdicts with juries that were counted by hand, for tests about pictures of judges and stages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from verdict_frames.frames.in_memory import from_records

if TYPE_CHECKING:
    from verdict_frames.frames.corpus import Corpus


def judged_by(**statuses: str) -> dict[str, Any]:
    """An item whose root jury has these judges; each made one check, which passed where the judge passed it."""
    judges = {
        name: {"status": status, "checks": [{"name": "rubric", "passed": status == "pass", "message": ""}]}
        for name, status in statuses.items()
    }
    verdict = {"aggregated": {"status": "pass"}, "individual": list(judges.values()), "individualByName": judges}
    return {"verdict": verdict}


def cascade(*tiers: tuple[str, str, str]) -> dict[str, Any]:
    """An item that went through tiers (name, stop condition, status of its only judge); the last one decided."""
    attempts: list[dict[str, Any]] = [
        {
            "name": name,
            "relation": "cascade_tier",
            "policy": policy,
            "disposition": "used",
            "verdict": {
                "aggregated": {"status": status},
                "individual": [{"status": status}],
                "individualByName": {"j": {"status": status}},
                "seats": [{"position": 0, "verdictKey": "j", "keySource": "DECLARED"}],
                "decision": {"kind": "own"},
                "compositeAttempts": [],
            },
        }
        for name, policy, status in tiers
    ]
    last = attempts[-1]
    verdict = last["verdict"] | {
        "decision": {"kind": "tier", "tier": last["name"], "basis": "tier_outcome"},
        "compositeAttempts": attempts,
    }
    return {"verdict": verdict}


def corpus_of(*items: dict[str, Any]) -> Corpus:
    """The items as one run, each under a name of its own."""
    named = [{"itemId": str(place)} | item for place, item in enumerate(items)]
    return from_records(named)
