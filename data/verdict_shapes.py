"""Stored verdicts as three generations of the judge library wrote them, for a corpus of our own making.

A seat is a pair (judge name, judgment). A rule reduces seats to one aggregate, and a node function lays the
aggregate and its seats out in the keys of one generation: 0.13, 0.14-0.16 or 0.17.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

Obj: TypeAlias = dict[str, Any]
Seat: TypeAlias = tuple[str, Obj]
Seats: TypeAlias = Sequence[Seat]
Check: TypeAlias = tuple[str, bool, str]

STAGE_FAILED = "One or more members gave no usable determination; nothing was reduced."


@dataclass(frozen=True)
class Rule:
    """How a jury reduces its seats to one status."""

    strategy: str
    errors: str = "propagate"
    not_applicable: str = "refuse"
    threshold: float | None = None


CONSENSUS = Rule("consensus")
CONSENSUS_EXCLUDING = Rule("consensus", not_applicable="exclude")
MAJORITY = Rule("majority")


def checks_of(checks: Sequence[Check]) -> list[Obj]:
    """Write checks in the one form that every generation shares."""
    return [{"name": name, "passed": passed, "message": message} for name, passed, message in checks]


def judgment(
    status: str,
    reasoning: str,
    *,
    score: float | None = None,
    label: str | None = None,
    code: str | None = None,
    checks: Sequence[Check] = (),
    metadata: Obj | None = None,
) -> Obj:
    """One judgment since 0.14: lower-case status, bare score, absent optionals left out."""
    optional = {"score": score, "label": label, "reasonCode": code}
    return {
        "status": status,
        **{key: value for key, value in optional.items() if value is not None},
        "reasoning": reasoning,
        "checks": checks_of(checks),
        "metadata": metadata if metadata is not None else {},
    }


def judgment_013(status: str, reasoning: str, score: Obj, checks: Sequence[Check] = ()) -> Obj:
    """One judgment of 0.13: the score object first, upper-case status, never a reason code."""
    return {
        "score": score,
        "status": status,
        "reasoning": reasoning,
        "checks": checks_of(checks),
        "metadata": {},
    }


def evidence(seats: Seats, rule: Rule, era: str) -> Obj:
    """The aggregation block that a reduction leaves behind."""
    seen = Counter(str(judged["status"]) for _, judged in seats)
    absorbed = seen["error"] if rule.errors == "treatAsAbstain" else 0
    block: Obj = {"strategy": rule.strategy, "errorPolicy": rule.errors}
    if era == "0.17":
        block["notApplicablePolicy"] = rule.not_applicable
    block |= {
        "inputCount": len(seats),
        "eligibleCount": seen["pass"] + seen["fail"],
        "explicitAbstainCount": seen["abstain"],
    }
    if era == "0.17":
        block["notApplicableCount"] = seen["not_applicable"]
    block |= {
        "errorCount": seen["error"],
        "ignoredErrorCount": 0,
        "errorsTreatedAsAbstainCount": absorbed,
        "errorsTreatedAsFailCount": 0,
    }
    if era == "0.17":
        codes = Counter(str(judged["reasonCode"]) for _, judged in seats if judged["status"] == "error")
        block |= {"notApplicableTreatedAsFailCount": 0, "errorCodeCounts": dict(codes)}
    cut_short = seen["error"] > absorbed
    if rule.threshold is not None:
        block["threshold"] = rule.threshold
    elif not cut_short:
        block |= {"passCount": seen["pass"], "failCount": seen["fail"]}
    return block


def outcome(block: Obj, mean: float | None) -> tuple[str, str]:
    """The status and the sentence that a jury records for a block."""
    if block["errorCount"] > block["errorsTreatedAsAbstainCount"]:
        return "error", f"{block['errorCount']} of {block['inputCount']} judge(s) errored, so nothing was reduced"
    if block["eligibleCount"] == 0:
        if block.get("notApplicableCount"):
            return "not_applicable", "The criteria of every judge lie outside this change"
        return "abstain", "No judge took a side"
    if mean is not None:
        status = "pass" if mean >= block["threshold"] else "fail"
        return status, f"Mean score {mean} against a threshold of {block['threshold']}"
    passes, fails = block["passCount"], block["failCount"]
    tallied = f"{passes} for and {fails} against"
    if block["strategy"] == "consensus":
        agreed = {0: "fail", block["eligibleCount"]: "pass"}
        return agreed.get(passes, "abstain"), f"Consensus asked for, {tallied}"
    return ("abstain" if passes == fails else "pass" if passes > fails else "fail"), f"Majority asked for, {tallied}"


def reduce_seats(seats: Seats, rule: Rule, era: str) -> Obj:
    """Reduce seats to the aggregate judgment of a jury, with its evidence."""
    block = evidence(seats, rule, era)
    mean = None
    if rule.threshold is not None:
        mean = round(sum(float(judged["score"]) for _, judged in seats) / len(seats), 4)
    status, reasoning = outcome(block, mean)
    code = "errors_propagated" if era == "0.17" and status == "error" else None
    return judgment(status, reasoning, score=mean, code=code, metadata={"aggregation": block})


def _judges(seats: Seats) -> Obj:
    return {
        "individual": [judged for _, judged in seats],
        "individualByName": dict(seats),
        "weights": {str(index): 1.0 for index in range(len(seats))},
    }


def node_013(aggregated: Obj, seats: Seats, subs: Sequence[Obj] = ()) -> Obj:
    """A verdict of 0.13; its composite parts have no names."""
    return {"aggregated": aggregated, **_judges(seats), "subVerdicts": list(subs)}


def node_014(aggregated: Obj, seats: Seats, attempts: Sequence[Obj] = ()) -> Obj:
    """A verdict of 0.14 to 0.16: named attempts, no recorded decision."""
    return {"aggregated": aggregated, **_judges(seats), "compositeAttempts": list(attempts)}


def node_017(aggregated: Obj, seats: Seats, decision: Obj, attempts: Sequence[Obj] = ()) -> Obj:
    """A verdict of 0.17 with its seven components."""
    listed = [{"position": index, "verdictKey": name, "keySource": "DECLARED"} for index, (name, _) in enumerate(seats)]
    return {
        "aggregated": aggregated,
        **_judges(seats),
        "seats": listed,
        "decision": decision,
        "compositeAttempts": list(attempts),
    }


def jury(seats: Seats, rule: Rule, era: str) -> Obj:
    """A simple jury that decided by its own reduction."""
    aggregated = reduce_seats(seats, rule, era)
    if era == "0.17":
        return node_017(aggregated, seats, {"kind": "own"})
    return node_014(aggregated, seats)


def attempt(
    name: str,
    verdict: Obj | None,
    *,
    policy: str | None = None,
    disposition: str | None = None,
    reason: str | None = None,
) -> Obj:
    """One entered stage: a cascade tier when it has a policy, else a member of a meta jury.

    Without a verdict it is written as a stage that failed to execute, in the spelling of the experiment runner.
    """
    optional = {"policy": policy, "disposition": disposition, "dispositionReason": reason}
    return {
        "name": name,
        "relation": "meta_member" if policy is None else "cascade_tier",
        **{key: value for key, value in optional.items() if value is not None},
        **({"failureCode": "jury_execution_failed"} if verdict is None else {"verdict": verdict}),
    }


def cascade_014(tiers: Sequence[tuple[str, str, Obj]]) -> Obj:
    """A cascade whose root repeats the last tier entered."""
    last = tiers[-1][2]
    attempts = [attempt(name, verdict, policy=policy) for name, policy, verdict in tiers]
    return {**last, "compositeAttempts": attempts}


def cascade_017(attempts: Sequence[Obj], basis: str = "tier_outcome") -> Obj:
    """A cascade that stopped at its last attempt; it takes over that tier's aggregate and judges."""
    last = attempts[-1]
    return {
        **last["verdict"],
        "decision": {"kind": "tier", "tier": last["name"], "basis": basis},
        "compositeAttempts": list(attempts),
    }


def meta_verdict(members: Sequence[tuple[str, Obj]], rule: Rule, era: str) -> Obj:
    """A meta jury: each member is a jury, and the members' aggregates are its seats."""
    seats = [(name, member["aggregated"]) for name, member in members]
    aggregated = reduce_seats(seats, rule, era)
    if era == "0.17":
        attempts = [attempt(name, member, disposition="used") for name, member in members]
        return node_017(aggregated, seats, {"kind": "own"}, attempts) | {"weights": {}}
    return node_014(aggregated, seats, [attempt(name, member) for name, member in members]) | {"weights": {}}


def meta_undecided(members: Sequence[tuple[str, Obj]], broken: str, era: str) -> Obj:
    """A meta jury of which one member failed to execute, so that it reduced nothing."""
    seats = [(name, member["aggregated"]) for name, member in members]
    if era != "0.17":
        attempts = [*(attempt(name, member) for name, member in members), attempt(broken, None)]
        return node_014(judgment("error", STAGE_FAILED), seats, attempts) | {"weights": {}}
    attempts = [
        *(attempt(name, member, disposition="used") for name, member in members),
        attempt(broken, None, disposition="stage_failed", reason="execution_failed"),
    ]
    aggregated = judgment("error", STAGE_FAILED, code="stage_failed")
    return node_017(aggregated, seats, {"kind": "undecided"}, attempts) | {"weights": {}}
