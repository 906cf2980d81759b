"""The columns of one batch of stored evaluations, filled from their records; see `verdict_frames.frames.filling`."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

from verdict_frames.documents.decoding import to_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from verdict_frames.review.evaluations import RecordedEvaluation
    from verdict_frames.review.stored_files import PlacedEvaluation

    Columns = dict[str, list[Any]]

_RECORDED: Final = (
    "evaluation_id",
    "created_at",
    "idempotency_key",
    "ticket_id",
    "pack_id",
    "pack_version",
    "status",
    "outcome",
    "answers_recorded",
    "failure_code",
    "model_id",
    "latency_ms",
    "input_tokens",
    "output_tokens",
    "cost_usd",
)
_JSON: Final = ("derived", "provider_metadata", "extra")
_OF_ANSWER: Final = (
    "type",
    "choice",
    "score",
    "probability",
    "selected_probability",
    "value_state",
    "options",
    "probabilities",
)


def evaluation_columns(placed: Sequence[PlacedEvaluation], first: int) -> Columns:
    """Fill `evaluations`.

    Args:
        placed: One a row.
        first: Index of the first one.
    """
    records = [one.evaluation for one in placed]
    return {
        "evaluation_index": list(range(first, first + len(placed))),
        "path": [one.path for one in placed],
        "line": [one.line for one in placed],
        **_members(records, _RECORDED),
        "answer_count": [len(record.answers) for record in records],
        "review_reasons": [[reason.text for reason in record.reasons] for record in records],
        **{name: [_text(getattr(record, name)) for record in records] for name in _JSON},
    }


def answer_columns(records: Sequence[RecordedEvaluation], first: int) -> Columns:
    """Fill `answers`, one row an answer.

    Args:
        records: The evaluations.
        first: Index of the first one.
    """
    recorded = [answer for record in records for answer in record.answers]
    answers = [one.answer for one in recorded]
    return {
        "evaluation_index": [index for index, record in enumerate(records, first) for _ in record.answers],
        "question_id": [one.question_id for one in recorded],
        "confidence": [one.confidence for one in recorded],
        **_members(answers, _OF_ANSWER),
    }


def reason_columns(records: Sequence[RecordedEvaluation], first: int) -> Columns:
    """Fill `review_reasons`, one row a stored reason.

    Args:
        records: The evaluations.
        first: Index of the first one.
    """
    reasons = [reason for record in records for reason in record.reasons]
    return {
        "evaluation_index": [index for index, record in enumerate(records, first) for _ in record.reasons],
        "position": [position for record in records for position in range(len(record.reasons))],
        **_members(reasons, ("question_id", "kind", "text")),
    }


def _members(records: Sequence[object], names: Iterable[str]) -> Columns:
    return {name: list(map(attrgetter(name), records)) for name in names}


def _text(members: Mapping[str, Any] | None) -> str | None:
    return None if members is None else to_json(members)
