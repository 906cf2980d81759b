"""Packs and answers that several tests start from."""

from __future__ import annotations

from typing import Any

from verdict_frames.review.packs import Pack

QUEUES = ("billing", "technical", "other")


def choice(floor: float | None = 0.9, *, options: tuple[str, ...] | None = QUEUES) -> dict[str, Any]:
    question: dict[str, Any] = {"type": "choice", "instructions": "Which queue?"}
    if options is not None:
        question["criteria"] = dict.fromkeys(options, "")
    return question if floor is None else {**question, "review": {"minSelectedProbability": floor}}


def score(low: float | None = 1, high: float | None = 2, *, levels: int | None = 4) -> dict[str, Any]:
    question: dict[str, Any] = {"type": "score", "instructions": "How urgent?"}
    if levels is not None:
        question["criteria"] = [f"level {level}" for level in range(levels)]
    return question if low is None else {**question, "review": {"minInclusive": low, "maxInclusive": high}}


def boolean(low: float | None = 0.2, high: float | None = 0.8) -> dict[str, Any]:
    question = {"type": "boolean", "instructions": "A refund?"}
    return question if low is None else {**question, "review": {"lowExclusive": low, "highExclusive": high}}


def pack_of(**questions: dict[str, Any]) -> Pack:
    return Pack.from_dict({"id": "triage", "version": "1", "questions": questions})


def selected(probability: Any, *, option: str = "billing", **others: Any) -> dict[str, Any]:
    """A choice answer with the probability of its selected option."""
    return {"type": "choice", "choice": option, "probabilities": {option: probability, **others}}


def scored(value: Any, **more: Any) -> dict[str, Any]:
    return {"type": "score", "score": value, **more}


def judged(value: Any, **more: Any) -> dict[str, Any]:
    return {"type": "boolean", "probability": value, **more}
