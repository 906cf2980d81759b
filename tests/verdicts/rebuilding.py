"""Stored verdicts of 0.17 → live ones, as far as they can be built; the way back is `to_stored`."""

from __future__ import annotations

import re
from typing import Any

from verdict_frames.verdicts.judgments import AggregationBlock, Judgment, RecordedCheck
from verdict_frames.verdicts.verdict import CompositeAttempt, Decision, Seat, Verdict


def rebuild(stored: dict[str, Any]) -> Verdict:
    """Build the live verdict of a stored one; what can't be, raises."""
    members = _snake(stored)
    members["aggregated"] = _judgment(members["aggregated"])
    members["individual"] = [_judgment(judgment) for judgment in members["individual"]]
    members["individual_by_name"] = {name: _judgment(said) for name, said in members["individual_by_name"].items()}
    members["weights"] = {int(place): weight for place, weight in members["weights"].items()}
    members["seats"] = [Seat(**_snake(seat)) for seat in members["seats"]]
    members["decision"] = Decision(**_snake(members["decision"]))
    members["composite_attempts"] = [_attempt(attempt) for attempt in members["composite_attempts"]]
    return Verdict(**members)


def _judgment(stored: dict[str, Any]) -> Judgment:
    members = _snake(stored)
    members["checks"] = [RecordedCheck(**_snake(check)) for check in members["checks"]]
    members["metadata"] = dict(members["metadata"])
    block = members["metadata"].pop("aggregation", None)
    return Judgment(**members, aggregation=None if block is None else AggregationBlock(**_snake(block)))


def _attempt(stored: dict[str, Any]) -> CompositeAttempt:
    members = _snake(stored)
    if "verdict" in members:
        members["verdict"] = rebuild(members["verdict"])
    if "failure" in members:
        members["failure"] = members["failure"]["code"]
    return CompositeAttempt(**members)


def _snake(stored: dict[str, Any]) -> dict[str, Any]:
    return {re.sub("[A-Z]", lambda capital: "_" + capital[0].lower(), key): value for key, value in stored.items()}
