"""Loosely decoded runs and items → recorded ones: every field of the right sort, or null with a problem.

One wrong value costs one field, and one broken item costs one item.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import UNSET, UnsetType

from verdict_frames.documents.decoding import UndecodableError, decode, to_json
from verdict_frames.documents.fields import INT32
from verdict_frames.documents.members import sort_of
from verdict_frames.sources.kinds import Kind
from verdict_frames.sources.recorded import RecordedItem, RecordedRun, RunFact
from verdict_frames.sources.stored import (
    ItemMarks,
    StoredExecution,
    StoredItem,
    StoredResult,
    build_item,
    decode_item,
    decode_marks,
    decode_whole,
)
from verdict_frames.vocabulary import FactSource, RunKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from verdict_frames.documents.decoding import Buffer
    from verdict_frames.sources.fields import FieldReader

_COUNTS: Final = {
    "stored_passes": "passes",
    "stored_non_passes": "nonPasses",
    "stored_excluded": "excluded",
    "stored_instrument_failures": "instrumentFailures",
    "stored_not_judged": "notJudged",
    "stored_unattestable": "unattestable",
}


def clean_run(stored: StoredResult, read: FieldReader, *, run_id: str, path: str) -> RecordedRun:
    """A result file's root and items; its place in a store is not looked at."""
    named = read.text("experimentId", stored.experiment_id)
    if named is not None and not named.strip():
        read.trouble("`experimentId`: it is blank; the path stands in its place")
    metadata = read.mapping("metadata", stored.metadata)
    conditions = read.mapping("conditions", stored.conditions)
    instrument = read.mapping("instrument", stored.instrument)
    counts = read.mapping("counts", stored.counts)
    run = RecordedRun(
        run_id=run_id,
        path=path,
        copies=[path],
        kind=_kind(metadata),
        re_evaluated_from=read.text("metadata.reEvaluatedFrom", metadata.get("reEvaluatedFrom")),
        experiment_name=read.text("experimentName", stored.experiment_name),
        timestamp=read.instant("timestamp", stored.timestamp),
        dataset_version=read.text("datasetVersion", stored.dataset_version),
        dataset_dirty=read.flag("datasetDirty", stored.dataset_dirty),
        dataset_semantic_version=read.text("datasetSemanticVersion", stored.dataset_semantic_version),
        code_version=read.text("codeVersion", stored.code_version),
        code_dirty=read.flag("codeDirty", stored.code_dirty),
        instrument_hash=read.text("instrument.specHash", instrument.get("specHash")),
        description_version=read.integer(
            "instrument.descriptionVersion", instrument.get("descriptionVersion"), limit=INT32
        ),
        stored_pass_rate=read.number("passRate", stored.pass_rate),
        total_cost_usd=read.number("totalCostUsd", stored.total_cost_usd),
        total_tokens=read.integer("totalTokens", stored.total_tokens),
        total_duration_ms=read.integer("totalDurationMs", stored.total_duration_ms),
        facts=[
            *_facts(FactSource.CONDITION, read.mapping("conditions.values", conditions.get("values"))),
            *_facts(FactSource.METADATA, metadata),
            *(
                RunFact(FactSource.SCORE, name, repr(value))
                for name, value in read.numbers("aggregateScores", stored.aggregate_scores)
            ),
        ],
        items=list(_items(stored, read)),
    )
    for field, key in _COUNTS.items():
        setattr(run, field, read.integer(f"counts.{key}", counts.get(key), limit=INT32))
    return run


def clean_item(stored: StoredItem, index: int, read: FieldReader) -> RecordedItem:
    """One item of a run."""
    marks, metadata = _metadata(stored.metadata, read)
    name, execution = _execution(stored)
    if not isinstance(execution, StoredExecution):
        read.mapping(name, execution)
        execution = StoredExecution()
    error_message = read.text(f"{name}.errorMessage", execution.error_message)
    error = read.text("metadata.error", marks.error)
    return RecordedItem(
        index=index,
        item_id=read.text("itemId", stored.item_id),
        item_slug=read.text("itemSlug", stored.item_slug),
        success=read.flag("success", stored.success),
        passed=read.flag("passed", stored.passed),
        execution_status=read.text(f"{name}.status", execution.status),
        error=error if error is not None else error_message,
        cost_usd=read.number("costUsd", stored.cost_usd),
        total_tokens=read.integer("totalTokens", stored.total_tokens),
        duration_ms=read.integer("durationMs", stored.duration_ms),
        scores={name: float(value) for name, value in read.numbers("scores", stored.scores)},
        metadata=metadata,
        instrument_failure=read.text("metadata.instrumentFailure", marks.instrument_failure),
        has_verdict=stored.verdict is not None and stored.verdict is not UNSET,
        verdict=_verdict(stored.verdict, read),
        interpretation=_object_or_none("interpretation", stored.interpretation, read),
    )


def item_of_kind(kind: Kind, data: Buffer | dict[str, Any], index: int, read: FieldReader) -> RecordedItem:
    """One item, verdict or interpretation that stands alone, as an item of a run.

    Args:
        kind: Which of the three it is.
        data: Its bytes, or its members once decoded.
        index: Its place in the run.
        read: The reader of its fields.

    Raises:
        UndecodableError: If the bytes are no JSON.
    """
    if kind is Kind.ITEM:
        return clean_item(build_item(data) if isinstance(data, dict) else decode_item(data), index, read)
    value = data if isinstance(data, dict) else decode_whole(data)
    if kind is Kind.INTERPRETATION:
        return RecordedItem(index=index, interpretation=value)
    return RecordedItem(index=index, has_verdict=True, verdict=value)


def _items(stored: StoredResult, read: FieldReader) -> Iterator[RecordedItem]:
    if not isinstance(stored.items, list):
        read.trouble(f"`items`: expected an array, found {sort_of(stored.items)}; the run has no items")
        return
    for index, item in enumerate(stored.items):
        at_item = read.of_item(index)
        if isinstance(item, StoredItem):
            yield clean_item(item, index, at_item)
        else:
            at_item.trouble(f"item {index}: expected an object, found {sort_of(item)}; the item is left out")


def _kind(metadata: Mapping[str, Any]) -> RunKind:
    if metadata.get("reEvaluatedFrom") is not None:
        return RunKind.RE_EVALUATION
    return RunKind.JUDGE_EXPERIMENT if metadata.get("experimentType") == "judge" else RunKind.AGENT


def _facts(source: FactSource, members: Mapping[str, Any]) -> Iterator[RunFact]:
    """Each member that isn't null; what is no text is given as JSON text."""
    for name, value in members.items():
        if value is not None:
            yield RunFact(source, name, value if isinstance(value, str) else to_json(value))


def _execution(stored: StoredItem) -> tuple[str, object]:
    """What an item says of its execution, under the key of today or that of 0.1."""
    if stored.execution_detail is None or stored.execution_detail is UNSET:
        return "invocationResult", stored.invocation_result
    return "executionDetail", stored.execution_detail


def _metadata(raw: msgspec.Raw | UnsetType, read: FieldReader) -> tuple[ItemMarks, str | None]:
    if isinstance(raw, UnsetType) or sort_of(raw) == "null":
        return ItemMarks(), None
    if sort_of(raw) != "object":
        read.trouble(f"`metadata`: expected an object, found {sort_of(raw)}; the field stays null")
        return ItemMarks(), None
    try:
        return decode_marks(raw), _compact(raw)
    except (UndecodableError, UnicodeDecodeError) as error:
        reason = error.reason if isinstance(error, UndecodableError) else "the text is not UTF-8"
        read.trouble(f"`metadata`: {reason}; the field stays null")
        return ItemMarks(), None


def _compact(raw: msgspec.Raw) -> str:
    """The same JSON without white space; where the fast formatter refuses, the text is made again from the value."""
    return decode(raw, lambda data: msgspec.json.format(bytes(data), indent=-1).decode(), to_json)


def _verdict(value: object, read: FieldReader) -> Mapping[str, Any] | None:
    if value is None or isinstance(value, dict | UnsetType):
        return None if isinstance(value, UnsetType) else value
    read.trouble(f"`verdict`: expected an object, found {sort_of(value)}; it is read as an empty verdict")
    return {}


def _object_or_none(name: str, value: object, read: FieldReader) -> Mapping[str, Any] | None:
    if value is None or isinstance(value, UnsetType):
        return None
    if isinstance(value, dict):
        return value
    read.mapping(name, value)
    return None
