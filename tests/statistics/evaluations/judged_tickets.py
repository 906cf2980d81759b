"""Evaluations and labels that several tests start from."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import polars as pl

from tests.review.packs import choice, pack_of, selected
from verdict_frames.frames.evaluation_assembly import evaluations_from_records

if TYPE_CHECKING:
    from verdict_frames.frames.evaluations import Evaluations

FLOOR = "queue.minSelectedProbability"
PACK = pack_of(queue=choice(0.5))


def stored(probability: Any, **more: Any) -> dict[str, Any]:
    """A stored result with one choice answer, decided by the pack."""
    answers = {"queue": selected(probability)}
    decision = PACK.decide(answers)
    reasons = [reason.text for reason in decision.reasons]
    return {"status": decision.status.value, "answers": answers, "reviewReasons": reasons, **more}


def calibrated(count: int, seed: int = 0) -> tuple[Evaluations, pl.DataFrame]:
    """Tickets whose answers are right as often as their probabilities say, all labelled."""
    rng = random.Random(seed)
    values = [rng.choice([0.2, 0.4, 0.5, 0.6, 0.8, 0.9, 0.95, 0.99, 1.0]) for _ in range(count)]
    labels = [
        {"ticket_id": f"t{place}", "question_id": "queue", "gold": "billing" if rng.random() < value else "other"}
        for place, value in enumerate(values)
    ]
    rows = [stored(value, ticketId=f"t{place}") for place, value in enumerate(values)]
    return evaluations_from_records(rows), pl.DataFrame(labels)
