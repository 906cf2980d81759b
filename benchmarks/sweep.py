"""Time a sweep and a decision over a million evaluations of three questions.

Usage:
    python benchmarks/sweep.py [EVALUATIONS]
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

import verdict_frames as vf
from verdict_frames.frames.evaluations import Evaluations
from verdict_frames.frames.schemas.tables import empty_table, polars_schema
from verdict_frames.frames.validation import validate

if TYPE_CHECKING:
    from collections.abc import Callable

PACK = vf.Pack.from_dict(
    {
        "questions": {
            "queue": {
                "type": "choice",
                "criteria": {"billing": "", "technical": "", "other": ""},
                "review": {"minSelectedProbability": 0.9},
            },
            "urgency": {
                "type": "score",
                "criteria": ["can wait", "today", "now"],
                "review": {"minInclusive": 1.2, "maxInclusive": 1.4},
            },
            "refund": {"type": "boolean", "review": {"lowExclusive": 0.2, "highExclusive": 0.8}},
        }
    }
)


def made_up(count: int) -> Evaluations:
    """Evaluations with random answers; probabilities have all their digits, so that nearly all values differ."""
    rng = np.random.default_rng(7)
    index = np.arange(count)
    rows = {"evaluation_index": index, "path": ["made up"] * count, "answers_recorded": True, "answer_count": 3}
    evaluations = _complete("evaluations", {**rows, "review_reasons": [[]] * count})
    choice = {
        "question_id": "queue",
        "type": "choice",
        "choice": "billing",
        "selected_probability": rng.beta(9, 1, count),
    }
    score = {"question_id": "urgency", "type": "score", "score": rng.uniform(0, 2, count)}
    boolean = {"question_id": "refund", "type": "boolean", "probability": rng.beta(0.2, 0.3, count)}
    answers = [
        _complete("answers", {"evaluation_index": index, "value_state": "ok", **columns})
        for columns in (choice, score, boolean)
    ]
    tables = {
        "evaluations": evaluations,
        "answers": pl.concat(answers),
        **{name: empty_table(name) for name in ("review_reasons", "sources", "problems")},
    }
    validate(tables)
    return Evaluations.of_tables(tables)


def _complete(table: str, columns: dict[str, object]) -> pl.DataFrame:
    schema = polars_schema(table)
    frame = pl.DataFrame(columns)
    absent = [pl.lit(None, dtype=dtype).alias(name) for name, dtype in schema.items() if name not in columns]
    return frame.with_columns(absent).select(pl.col(name).cast(dtype) for name, dtype in schema.items())


def timed(name: str, work: Callable[[], object]) -> None:
    """Do a piece of work three times, and print the shortest time in seconds."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    print(f"{name:<60} {min(times):8.2f} s")


def main() -> None:
    """Make the evaluations up and time what is done with them."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    evaluations = made_up(count)
    print(f"{count:,} evaluations, {evaluations.answers.height:,} answers")
    labels = pl.DataFrame({"evaluation_index": range(0, count, 100), "question_id": "queue", "gold": "billing"})
    timed("decide", lambda: vf.decide(PACK, evaluations))
    for threshold in ("queue.minSelectedProbability", "urgency.maxInclusive", "refund.lowExclusive"):
        timed(f"sweep {threshold}", lambda threshold=threshold: vf.sweep(evaluations, PACK, threshold))
    timed(
        "sweep queue.minSelectedProbability, one in a hundred labelled",
        lambda: vf.sweep(evaluations, PACK, "queue.minSelectedProbability", labels=labels),
    )
    timed("check_answers", lambda: vf.check_answers(PACK, evaluations))
    timed("tally", lambda: vf.tally(evaluations))


if __name__ == "__main__":
    main()
