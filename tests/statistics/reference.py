"""A second tally in plain Python, over items as a stored file holds them, to compare with."""

from __future__ import annotations

from collections import Counter
from typing import Any

Item = dict[str, Any]

BUCKET = {
    "ACCEPTED": "passes",
    "REJECTED": "non_passes",
    "UNDECIDED": "non_passes",
    "NOT_APPLICABLE": "excluded",
    "NOT_ASSESSED": "instrument_failures",
}


def outcome(item: Item, policy: str) -> str:
    """Where one stored item goes."""
    interpretation = item.get("interpretation")
    if interpretation is None and item.get("verdict") is None:
        return "agent_failed" if item["success"] is False else "unjudged"
    lenient = policy != "all-items"
    if (
        interpretation is None
        or interpretation["readingSupport"] == "CONTRADICTED"
        or interpretation["reading"] is None
    ):
        return "unattestable" if lenient else "non_passes"
    if policy == "verified-only" and interpretation["readingSupport"] == "UNDETERMINED":
        return "set_aside"
    bucket = BUCKET[interpretation["reading"]]
    if policy == "agent-experiment-0.9" and interpretation["reading"] == "NOT_ASSESSED":
        return "excluded"
    return bucket if lenient or bucket == "passes" else "non_passes"


def marks(item: Item) -> list[str]:
    """The overlapping counts that one stored item belongs to."""
    found = []
    if item["passed"] is not None:
        found.append("passed_recorded")
    if item["passed"]:
        found.append("naive_passes")
    interpretation = item.get("interpretation")
    judged = item.get("verdict") is not None or interpretation is not None
    marked = judged and item["metadata"].get("instrumentFailure") is not None
    if interpretation is not None:
        reading = interpretation["reading"]
        marked = marked or reading == "NOT_ASSESSED" or any(stage["failure"] for stage in interpretation["stages"])
        if reading is not None and interpretation["readingSupport"] == "UNDETERMINED":
            found.append("unverified")
        if reading == "UNDECIDED":
            found.append("undecided")
        root = interpretation["root"]
        absorbed = root["evidence"] is not None and root["evidence"]["errorsTreatedAsFailCount"] > 0
        if absorbed or any(judge["status"] == "error" for judge in root["judges"]):
            found.append("judge_error_items")
    return [*found, "instrument_marks"] if marked else found


def reference_tally(items: list[Item], left_out: int, policy: str) -> dict[str, Any]:
    """All counts and rates of one group; absent counts are 0."""
    outcomes = [outcome(item, policy) for item in items]
    counts: Counter[str] = Counter(outcomes)
    for item in items:
        counts.update(marks(item))
    eligible = counts["passes"] + counts["non_passes"]
    ids = [
        item["itemId"] or item["itemSlug"]
        for item, bucket in zip(items, outcomes, strict=True)
        if bucket in ("passes", "non_passes") and (item["itemId"] or item["itemSlug"])
    ]
    repeated = len(set(ids)) < len(ids)
    return {
        **counts,
        "total": len(items),
        "left_out": left_out,
        "eligible": eligible,
        "pass_rate": counts["passes"] / eligible if eligible else None,
        "rate_note": None if eligible else "no items eligible for the denominator",
        "ci_method": "repeated items" if repeated else "wilson" if eligible else None,
        "end_to_end_rate": _share(counts["passes"], eligible + counts["agent_failed"]),
        "naive_rate": _share(counts["naive_passes"], len(items)),
        "policy": policy,
    }


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def as_row(item: Item) -> dict[str, Any]:
    """The columns of `items` that follow from a stored item."""
    interpretation = item.get("interpretation")
    row = {
        "item_id": item["itemId"],
        "item_slug": item["itemSlug"],
        "success": item["success"],
        "passed": item["passed"],
        "has_verdict": item.get("verdict") is not None,
        "instrument_failure": item["metadata"].get("instrumentFailure"),
    }
    if interpretation is None:
        return row
    root = interpretation["root"]
    return row | {
        "reading": interpretation["reading"],
        "reading_support": interpretation["readingSupport"],
        "stage_failure": any(stage["failure"] is not None for stage in interpretation["stages"]),
        "judge_errors": sum(judge["status"] == "error" for judge in root["judges"]),
        "errors_absorbed": root["evidence"] and root["evidence"]["errorsTreatedAsFailCount"] > 0,
    }
