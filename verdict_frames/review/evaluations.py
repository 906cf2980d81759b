"""Stored evaluations, one decoded JSON value at a time → records; trouble inside one costs the field, not the row.

The envelope around a stored result has no public specification, so a field map can say where things are. What the rules
would say today plays no part here: status and reasons are those that were stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import UNSET

from verdict_frames.documents.wording import place, shown
from verdict_frames.errors import OptionError, one_line
from verdict_frames.interpretation.values import is_object, member
from verdict_frames.review.answers import Answer, from_native, in_order, read_answer
from verdict_frames.review.cells import Cells, EvaluationProblem
from verdict_frames.review.field_map import Path, look_up, path_text, places, remainder
from verdict_frames.review.questions import expected_keys
from verdict_frames.review.reasons import Reason, classify_reason
from verdict_frames.vocabulary import EvaluationOutcome, EvaluationSource, EvaluationStatus, ProblemKind, ReasonKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from verdict_frames.review.packs import Pack

NO_MODEL: Final = "none"
"""The model id of an evaluation that failed."""

_STATUSES: Final = {status.value: status for status in EvaluationStatus}
_EVIDENCE: Final = ("answers", "status", "review_reasons", "error")
_TOKEN_KEYS: Final = {
    "input_tokens": ("inputTokens", "input_tokens"),
    "output_tokens": ("outputTokens", "output_tokens"),
}
_SUM_KEYS: Final = ("totalTokens", "total_tokens")


class RecordedAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One answer of a stored evaluation.

    Attributes:
        question_id: The question that it answers.
        answer: Its record. Its options are in the order of the pack where one was given that has the question, options
            unknown to the pack last; else as recorded.
        confidence: As the provider gave it, in [0, 1], for choice and score answers; never a cutoff.
    """

    question_id: str
    answer: Answer
    confidence: float | None


class RecordedEvaluation(msgspec.Struct, frozen=True, kw_only=True):
    """One stored evaluation.

    Attributes:
        evaluation_id: As recorded.
        created_at: UTC.
        idempotency_key: As recorded. A failure doesn't use its key up, so that several evaluations may have one key.
        ticket_id: As recorded.
        pack_id: As recorded.
        pack_version: As recorded.
        status: As stored; null where the row has none, as raw answers, or an unknown one.
        outcome: How it counts, by `outcome_of`; null where neither a status nor a reason was stored.
        answers_recorded: Whether any answer was stored. Without answers and without a failure nothing can be said of
            single questions, and nothing can be decided again.
        failure_code: The first failure, known or not; null where it didn't fail.
        model_id: As recorded; `none` on failures.
        latency_ms: At least 0.
        input_tokens: Null where not recorded, which isn't 0.
        output_tokens: Likewise.
        cost_usd: At least 0.
        answers: In recorded order.
        reasons: In stored order, classified.
        derived: As recorded; null where left out.
        provider_metadata: As recorded.
        extra: What was recorded besides; null where nothing was.
        problems: What couldn't be used, and contradictions.
    """

    evaluation_id: str | None
    created_at: datetime | None
    idempotency_key: str | None
    ticket_id: str | None
    pack_id: str | None
    pack_version: str | None
    status: EvaluationStatus | None
    outcome: EvaluationOutcome | None
    answers_recorded: bool
    failure_code: str | None
    model_id: str | None
    latency_ms: float | None
    input_tokens: int | None
    output_tokens: int | None
    cost_usd: float | None
    answers: tuple[RecordedAnswer, ...]
    reasons: tuple[Reason, ...]
    derived: Mapping[str, Any] | None
    provider_metadata: Mapping[str, Any] | None
    extra: Mapping[str, Any] | None
    problems: tuple[EvaluationProblem, ...]


class Refusal(msgspec.Struct, frozen=True):
    """Why a value is no stored evaluation, in one line that says what would mend it."""

    reason: str


class EvaluationReader:
    """Reads rows of one source; it keeps nothing between rows.

    Args:
        source: What wrote the rows: `result` for stored results, bare or in an envelope; `gateway` for responses of the
            evaluation API; `system-one` for responses of the native API, whose `noul` answers become boolean ones.
        pack: Gives the order of options, and the ids by which unknown reasons are told apart.
        fields: Part → dotted path, for rows that keep parts elsewhere; see `verdict_frames.review.field_map`.

    Raises:
        OptionError: If the source is unknown or the map can't be used.

    Example:
        >>> reader = EvaluationReader("result", fields={"result": "payload.result", "idempotency_key": "key"})
        >>> stored = {"key": "k1", "payload": {"result": {"status": "review", "answers": {}, "modelId": "none",
        ...           "reviewReasons": ["gateway_auth"]}}}
        >>> read = reader.read(stored)
        >>> read.idempotency_key, read.outcome.value, read.failure_code
        ('k1', 'failed', 'gateway_auth')
    """

    def __init__(
        self,
        source: EvaluationSource | str = EvaluationSource.RESULT,
        *,
        pack: Pack | None = None,
        fields: Mapping[str, str] | None = None,
    ) -> None:
        if source not in [*EvaluationSource]:
            message = f"{one_line(source)} is no source of evaluations; use one of {', '.join(EvaluationSource)}"
            raise OptionError(message)
        self._source = EvaluationSource(source)
        self._places = places(self._source, fields)
        self._mapped = frozenset(fields or ())
        self._orders = {} if pack is None else {question.id: expected_keys(question) for question in pack.questions}

    def read(self, stored: object) -> RecordedEvaluation | Refusal:
        """Read one decoded JSON value; whatever it holds, nothing is raised.

        Args:
            stored: The value; it isn't changed.

        Returns:
            The evaluation, or why it is none.
        """
        if not is_object(stored):
            return Refusal(f"expected an object that holds an evaluation, found {shown(stored)}")
        row = _Row(stored, self._places)
        evidence = {name: row.find(name) for name in _EVIDENCE}
        if all(value is UNSET or (name == "error" and value is None) for name, value in evidence.items()):
            return Refusal(f"no evaluation: nothing at {', '.join(row.tried(_EVIDENCE))}; a field map can say where")
        provider = row.cells.members("provider_metadata", row.find("provider_metadata"))
        answers = self._answers(row, evidence["answers"], provider)
        reasons = self._reasons(row, evidence, answers)
        status = self._status(row, evidence["status"])
        model = row.label("model_id")
        if status is not None:
            for message in _conflicts(status, reasons, model, answered=bool(answers)):
                row.cells.note(ProblemKind.CONFLICT, message)
        tokens = row.tokens()
        return RecordedEvaluation(
            evaluation_id=row.label("evaluation_id"),
            created_at=row.cells.instant("created_at", row.find("created_at")),
            idempotency_key=row.label("idempotency_key"),
            ticket_id=row.label("ticket_id"),
            pack_id=row.label("pack_id"),
            pack_version=row.label("pack_version"),
            status=status,
            outcome=outcome_of(status, reasons),
            answers_recorded=bool(answers),
            failure_code=_failure_of(reasons),
            model_id=model,
            latency_ms=row.latency(),
            input_tokens=tokens["input_tokens"],
            output_tokens=tokens["output_tokens"],
            cost_usd=row.cost(provider),
            answers=answers,
            reasons=reasons,
            derived=row.cells.members("derived", row.find("derived")),
            provider_metadata=provider,
            extra=row.extra(),
            problems=tuple(row.cells.problems),
        )

    def _status(self, row: _Row, found: object) -> EvaluationStatus | None:
        if isinstance(found, str) and found in _STATUSES:
            return _STATUSES[found]
        expected = self._source is EvaluationSource.RESULT or "status" in self._mapped
        if expected:
            what = "absent" if found is UNSET else f"expected {', '.join(EvaluationStatus)}, found {shown(found)}"
            row.cells.note(ProblemKind.FIELD, f"`status`: {what}; the field stays null")
        return None

    def _answers(self, row: _Row, found: object, provider: Mapping[str, Any] | None) -> tuple[RecordedAnswer, ...]:
        native = self._source is EvaluationSource.SYSTEM_ONE
        stored = row.cells.members("answers", found) or {}
        if "confidence" in self._mapped:
            given = row.find("confidence")
        elif native:
            given = {question_id: member(answer, "confidence") for question_id, answer in stored.items()}
        else:
            given = member(member(provider, "typesafe"), "confidence")
        confidences = row.cells.members("confidence", given) or {}
        return tuple(
            self._answer(row.cells, key, from_native(answer) if native else answer, confidences.get(key))
            for key, answer in stored.items()
        )

    def _answer(self, cells: Cells, question_id: str, stored: object, confidence: object) -> RecordedAnswer:
        answer = in_order(read_answer(stored), self._orders.get(question_id))
        if answer.options is None and member(stored, "probabilities") is not None:
            cells.members(place("answers", question_id, "probabilities"), member(stored, "probabilities"))
        value = None
        if confidence is not None:
            where = place("confidence", question_id)
            if answer.type in ("choice", "score"):
                value = cells.share(where, confidence)
            else:
                cells.note(ProblemKind.FIELD, f"`{where}`: only choice and score answers have one; it stays null")
        return RecordedAnswer(question_id=question_id, answer=answer, confidence=value)

    def _reasons(self, row: _Row, evidence: Mapping[str, Any], answers: Sequence[RecordedAnswer]) -> tuple[Reason, ...]:
        texts = row.cells.texts("review_reasons", evidence["review_reasons"])
        known = [*self._orders, *(answer.question_id for answer in answers)]
        reasons = [classify_reason(text, known) for text in texts]
        if evidence["error"] is not UNSET and evidence["error"] is not None:
            reasons.append(Reason(question_id=None, kind=ReasonKind.FAILURE, text=_error_code(evidence["error"])))
        return tuple(reasons)


class _Row:
    """One row with the places that were used of it."""

    def __init__(self, stored: Mapping[str, Any], where: Mapping[str, tuple[Path, ...]]) -> None:
        self.cells = Cells()
        self._stored = stored
        self._where = where
        self._used: list[Path] = []

    def find(self, name: str) -> Any:  # noqa: ANN401
        """The first value that is there and not null; else null or UNSET."""
        best: Any = UNSET
        for path in self._where.get(name, ()):
            if path[0] not in self._stored:
                continue
            repeated: list[str] = []
            value = look_up(self._stored, path, repeated)
            if value is UNSET:
                continue
            self._used.append(path)
            for key in repeated:
                message = f"`{path_text(path)}`: several elements for {key!r}; the first is taken"
                self.cells.note(ProblemKind.CONFLICT, message)
            best = value
            if value is not None:
                break
        return best

    def tried(self, names: Sequence[str]) -> list[str]:
        """The places of some parts, for a message."""
        return [f"`{path_text(path)}`" for name in names for path in self._where.get(name, ())]

    def label(self, name: str) -> str | None:
        """An id or name."""
        return self.cells.label(name, self.find(name))

    def latency(self) -> float | None:
        """Milliseconds, also from a field of seconds that the map places."""
        seconds = self.cells.amount("latency_s", self.find("latency_s"))
        milliseconds = self.cells.amount("latency_ms", self.find("latency_ms"))
        return milliseconds if seconds is None else seconds * 1000

    def tokens(self) -> dict[str, int | None]:
        """Tokens in and out, from `usage` or from fields that the map places."""
        counts = {name: self.cells.count(name, self.find(name)) for name in _TOKEN_KEYS}
        before = len(self._used)
        usage = self.cells.members("usage", self.find("usage"))
        if usage is None:
            return counts
        path = self._used.pop() if len(self._used) > before else ()
        self._used += [(*path, key) for keys in (*_TOKEN_KEYS.values(), _SUM_KEYS) for key in keys]
        for name, keys in _TOKEN_KEYS.items():
            value = next((usage[key] for key in keys if usage.get(key) is not None), None)
            if counts[name] is None:
                counts[name] = self.cells.count(f"usage.{name}", value)
        return counts

    def cost(self, provider: Mapping[str, Any] | None) -> float | None:
        """US dollars, from the place that the map gives or from the gateway's metadata."""
        if "cost_usd" in self._where:
            return self.cells.cost("cost_usd", self.find("cost_usd"))
        gateway = provider.get("gateway") if provider is not None else None
        return self.cells.cost("provider_metadata.gateway.cost", gateway.get("cost")) if is_object(gateway) else None

    def extra(self) -> Mapping[str, Any] | None:
        """What no part was read from."""
        rest = remainder(self._stored, self._used)
        return None if rest is UNSET else rest


def outcome_of(status: EvaluationStatus | None, reasons: Sequence[Reason]) -> EvaluationOutcome | None:
    """Tell how a stored evaluation counts.

    A failure goes before a rejection, that before an invalid answer, that before any other reason; and a reason goes
    before a stored `accept`, because a fired rule means review.

    Args:
        status: As stored.
        reasons: As stored.

    Returns:
        The outcome; null without a status and without reasons.
    """
    kinds = {reason.kind for reason in reasons}
    if ReasonKind.FAILURE in kinds:
        return EvaluationOutcome.FAILED
    if status is EvaluationStatus.REJECT:
        return EvaluationOutcome.REJECTED
    if ReasonKind.INVALID_ANSWER in kinds:
        return EvaluationOutcome.REVIEWED_INVALID_ANSWER
    if kinds or status is EvaluationStatus.REVIEW:
        return EvaluationOutcome.REVIEWED_BY_RULE
    return None if status is None else EvaluationOutcome.ACCEPTED


def _conflicts(
    status: EvaluationStatus, reasons: Sequence[Reason], model: str | None, *, answered: bool
) -> Iterator[str]:
    """Where the parts of a stored result contradict each other; nothing is put right."""
    failure = _failure_of(reasons)
    if failure is None:
        if model == NO_MODEL:
            yield f"`model_id`: {NO_MODEL}, as failures have, but no failure code is stored; it doesn't count as failed"
        if status is EvaluationStatus.ACCEPT and reasons:
            yield "`status`: accept in spite of review reasons; it counts by its reasons"
        if status is EvaluationStatus.REVIEW and not reasons:
            yield "`review_reasons`: none are stored for a review; it counts as reviewed by a rule"
        return
    if len(reasons) > 1:
        yield f"`review_reasons`: the failure {failure} stands beside other reasons; it counts as failed"
    if status is not EvaluationStatus.REVIEW:
        yield f"`status`: {status} in spite of the failure {failure}; it counts as failed"
    if answered:
        yield f"`answers`: some are stored in spite of the failure {failure}; it counts as failed"
    if model not in (None, NO_MODEL):
        yield f"`model_id`: {shown(model)} in spite of the failure {failure}; it counts as failed"


def _failure_of(reasons: Sequence[Reason]) -> str | None:
    return next((reason.text for reason in reasons if reason.kind is ReasonKind.FAILURE), None)


def _error_code(error: object) -> str:
    """What a recorder's `error` says in one text."""
    if isinstance(error, str) and error:
        return error
    if is_object(error):
        for key in ("code", "type", "message"):
            if isinstance(error.get(key), str) and error[key]:
                return str(error[key])
    return "error"
