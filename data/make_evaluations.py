"""Write the evaluations, the packs and the labels of `evaluations/` beside this file, or check that they are there.

Usage:
    python data/make_evaluations.py            write them
    python data/make_evaluations.py --check    compare only; exits 1 when something differs

They are made up: no real ticket, model output or person stands behind them. README.md says what must come out of them.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

HERE: Final = Path(__file__).resolve().parent / "evaluations"
OPTIONS: Final = ("billing", "technical", "account", "other")
BELOW: Final = "queue: selected probability is below the minimum"
MISSING: Final = "queue: selected probability is missing"
RANGE: Final = "urgency: score is in the review range"
BAND: Final = "refund: probability is in the review band"
INVALID: Final = "queue: invalid answer"
LINES_CUT_OFF: Final = '{"id":"ev-cut","packId":"support-triage","result":{"status":"acc\n'


def pack(version: str, floor: float) -> dict[str, Any]:
    """The pack with its floor of that version."""
    return {
        "id": "support-triage",
        "version": version,
        "questions": {
            "queue": {
                "type": "choice",
                "instructions": "Which team takes the ticket?",
                "criteria": {
                    "billing": "money, invoices, refunds",
                    "technical": "something doesn't work",
                    "account": "sign-in, profile, access",
                    "other": None,
                },
                "review": {"minSelectedProbability": floor},
            },
            "urgency": {
                "type": "score",
                "instructions": "How soon must somebody answer?",
                "criteria": ["this week", "tomorrow", "today", "now"],
                "review": {"minInclusive": 1.5, "maxInclusive": 2.5},
            },
            "refund": {
                "type": "boolean",
                "instructions": "Does the ticket ask for money back?",
                "review": {"lowExclusive": 0.2, "highExclusive": 0.8},
            },
            "language": {"type": "choice", "instructions": "Which language?", "criteria": {"en": None, "de": None}},
        },
    }


@dataclass(frozen=True, kw_only=True)
class Block:
    """Tickets that are alike.

    Attributes:
        count: How many.
        status: As stored.
        reasons: As stored.
        queue: Probability of the selected option; null for an answer without probabilities.
        urgency: Score.
        refund: Probability.
        version: The pack's version.
        labelled: Whether they are labelled.
        wrong: How many of the labelled ones are labelled otherwise than answered.
        answers: Whether answers are stored.
        invalid: Whether the question `queue` is answered as if it were boolean.
    """

    count: int
    status: str = "review"
    reasons: Sequence[str] = ()
    queue: float | None = 0.99
    urgency: float = 0.4
    refund: float = 0.02
    version: str = "2"
    labelled: bool = False
    wrong: int = 0
    answers: bool = True
    invalid: bool = False


def _failure(code: str, count: int) -> Block:
    return Block(count=count, reasons=[code], answers=False)


BLOCKS: Final = (
    Block(count=60, status="accept", labelled=True, wrong=1),
    Block(count=40, status="accept", queue=0.95, labelled=True, wrong=2),
    Block(count=20, status="accept", queue=0.9, labelled=True, wrong=3),
    Block(count=20, status="accept", queue=0.85, version="1", labelled=True, wrong=1),
    Block(count=20, reasons=[BELOW], queue=0.89, labelled=True, wrong=5),
    Block(count=30, reasons=[BELOW], queue=0.6),
    Block(count=12, reasons=[MISSING], queue=None),
    Block(count=4, reasons=[RANGE], urgency=1.5),
    Block(count=16, reasons=[RANGE], urgency=2),
    Block(count=4, reasons=[RANGE], urgency=2.5),
    Block(count=18, reasons=[BAND], refund=0.5),
    Block(count=10, reasons=[BELOW, BAND], queue=0.6, refund=0.5),
    Block(count=8, reasons=[INVALID], invalid=True),
    Block(count=3, reasons=["queue: the customer is a friend of the house"], queue=0.93),
    Block(count=2, status="reject", queue=0.97),
    Block(count=5, reasons=[RANGE], answers=False),
    _failure("gateway_auth", 3),
    _failure("gateway_unavailable", 9),
    _failure("invalid_model_output", 4),
    _failure("invalid_pack", 2),
    _failure("invalid_ticket", 2),
    _failure("quota_exceeded", 1),
)
RETRIED: Final = 7
"""Of the `gateway_unavailable` failures: six were tried again with success, and one of these had failed twice."""


def rows() -> Iterator[tuple[Block, int, dict[str, Any]]]:
    """Each evaluation with its block and its place in it."""
    start = datetime(2026, 10, 5, 8, tzinfo=UTC)
    number = 0
    for block in BLOCKS:
        for place in range(block.count):
            is_failure = ":" not in (block.reasons or [":"])[0]
            retried = block.reasons == ["gateway_unavailable"] and place < RETRIED
            ticket = place % (RETRIED - 1) + 1 if retried else number + 1
            at = start + timedelta(minutes=2 * ticket - (1 if retried else 0), seconds=-10 * (place >= RETRIED - 1))
            yield block, place, _stored(block, number, ticket, at, is_failure=is_failure)
            number += 1


def _stored(block: Block, number: int, ticket: int, at: datetime, *, is_failure: bool) -> dict[str, Any]:
    model = "typesafe-ai/jev-lite" if number % 10 == 9 else "typesafe-ai/jev"
    result: dict[str, Any] = {
        "status": block.status,
        "answers": _answers(block) if block.answers else {},
        "reviewReasons": list(block.reasons),
        "modelId": "none" if is_failure else model,
        "latencyMs": 30_000 if is_failure else 700 + 10 * (number % 20),
    }
    envelope: dict[str, Any] = {
        "id": f"ev-{number + 1:03}",
        "createdAt": at.isoformat().replace("+00:00", "Z"),
        "idempotencyKey": f"key-{ticket:03}",
        "ticketId": f"T-{ticket:03}",
        "packId": "support-triage",
        "packVersion": block.version,
        "result": result,
    }
    if not is_failure:
        result["usage"] = {"inputTokens": 900, "outputTokens": 100 + number % 5}
        result["derived"] = {"department": "billing", "tags": ["made-up"]}
        if block.queue is not None and block.answers and not block.invalid:
            confidence = {"queue": round((4 * block.queue - 1) / 3, 2)}
            envelope["providerMetadata"] = {"typesafe": {"confidence": confidence}, "gateway": {"cost": "0.00025"}}
    return envelope


def _answers(block: Block) -> dict[str, Any]:
    queue: dict[str, Any] = {"type": "choice", "choice": "billing"}
    if block.queue is not None:
        rest = round((1 - block.queue) / 2, 3)
        queue["probabilities"] = {"other": 0, "billing": block.queue, "technical": rest, "account": rest}
    if block.invalid:
        queue = {"type": "boolean", "probability": 0.99}
    return {
        "queue": queue,
        "urgency": {"type": "score", "score": block.urgency},
        "refund": {"type": "boolean", "probability": block.refund},
        "language": {"type": "choice", "choice": "de"},
    }


def labels() -> Iterator[str]:
    """Lines of the file of labels, one a labelled ticket: what people say the queue should have been."""
    yield "ticket_id,question_id,gold"
    for block, place, row in rows():
        if block.labelled:
            gold = "technical" if place < block.wrong else "billing"
            yield f"{row['ticketId']},queue,{gold}"


def contents() -> dict[str, str]:
    """Every file by its name."""
    lines = [json.dumps(row, separators=(",", ":")) + "\n" for _, _, row in rows()]
    lines.insert(200, LINES_CUT_OFF)
    return {
        "pack-1.json": json.dumps(pack("1", 0.8), indent=2) + "\n",
        "pack-2.json": json.dumps(pack("2", 0.9), indent=2) + "\n",
        "stored.jsonl": "".join(lines),
        "labels.csv": "".join(f"{line}\n" for line in labels()),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or check the files; the exit code says whether they are as they should be."""
    parser = argparse.ArgumentParser(description="Write the evaluations of this folder, or check them.")
    parser.add_argument("--check", action="store_true", help="compare only; exit 1 when something differs")
    options = parser.parse_args(arguments)
    files = contents()
    if not options.check:
        HERE.mkdir(exist_ok=True)
        for name, text in files.items():
            (HERE / name).write_text(text, encoding="utf-8")
    differing = [
        name
        for name, text in files.items()
        if not (HERE / name).is_file() or (HERE / name).read_text(encoding="utf-8") != text
    ]
    for name in differing:
        print(f"differs: {name}")
    print(f"{len(files)} files, {len(differing)} difference(s)")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
