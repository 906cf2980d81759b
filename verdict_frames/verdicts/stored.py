"""The stored form of a live verdict: exactly what agent-judge 0.17 writes (R29)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import msgspec

    from verdict_frames.verdicts.judgments import AggregationBlock, Judgment
    from verdict_frames.verdicts.verdict import CompositeAttempt, Verdict


def to_stored(verdict: Verdict) -> dict[str, Any]:
    """Turn a live verdict into dicts, lists and scalars, exactly as it is stored.

    Args:
        verdict: The verdict.

    Returns:
        The seven components in their order; what is optional and left out has no key. Nothing is shared with the
        verdict.

    Example:
        >>> from verdict_frames.verdicts.judgments import Judgment
        >>> from verdict_frames.verdicts.verdict import Verdict
        >>> passes = Judgment(status="pass", score=1, reasoning="it builds")
        >>> stored = to_stored(Verdict.of({"build": passes}, passes))
        >>> list(stored)
        ['aggregated', 'individual', 'individualByName', 'weights', 'seats', 'decision', 'compositeAttempts']
        >>> stored["aggregated"]
        {'status': 'pass', 'score': 1.0, 'reasoning': 'it builds', 'checks': [], 'metadata': {}}
    """
    return {
        "aggregated": judgment_to_stored(verdict.aggregated),
        "individual": [judgment_to_stored(judgment) for judgment in verdict.individual],
        "individualByName": {key: judgment_to_stored(each) for key, each in verdict.individual_by_name.items()},
        "weights": {str(place): weight for place, weight in verdict.weights.items()},
        "seats": [_members(seat) for seat in verdict.seats],
        "decision": _members(verdict.decision),
        "compositeAttempts": [_attempt_to_stored(attempt) for attempt in verdict.composite_attempts],
    }


def judgment_to_stored(judgment: Judgment) -> dict[str, Any]:
    """One judgment as it is stored, the aggregation block inside of its metadata."""
    stored = _members(judgment)
    stored["checks"] = [_members(check) for check in judgment.checks]
    stored["metadata"] = _copied(judgment.metadata)
    if judgment.aggregation is not None:
        del stored["aggregation"]
        stored["metadata"]["aggregation"] = _block_to_stored(judgment.aggregation)
    return stored


def _block_to_stored(block: AggregationBlock) -> dict[str, Any]:
    return _members(block) | {"errorCodeCounts": dict(block.error_code_counts)}


def _attempt_to_stored(attempt: CompositeAttempt) -> dict[str, Any]:
    stored = _members(attempt)
    if attempt.verdict is not None:
        stored["verdict"] = to_stored(attempt.verdict)
    if attempt.failure is not None:
        stored["failure"] = {"code": attempt.failure}
    return stored


def _members(value: msgspec.Struct) -> dict[str, Any]:
    """The members that are there, under their stored names and in stored order."""
    names = zip(value.__struct_fields__, value.__struct_encode_fields__, strict=True)
    return {key: getattr(value, name) for name, key in names if getattr(value, name) is not None}


def _copied(value: Any) -> Any:  # noqa: ANN401 - JSON has no narrower type
    if isinstance(value, dict):
        return {key: _copied(member) for key, member in value.items()}
    return list(map(_copied, value)) if isinstance(value, list) else value
