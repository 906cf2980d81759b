"""The keys of result files that are read, as they are stored: loosely typed, so that a wrong value stops nothing.

Whatever isn't named here is stepped over by the decoder. Of `executionDetail`, which is most of a file's bytes, only
two members are kept. Cleaning is `verdict_frames.sources.cleaning`'s work.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import UNSET, Raw, UnsetType

from verdict_frames.documents.decoding import decode, to_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from verdict_frames.documents.decoding import Buffer

_Scalar = str | bool | int | float | None


class StoredExecution(msgspec.Struct, rename="camel"):
    """What is read of `executionDetail` (`invocationResult` in 0.1)."""

    status: Any = UNSET
    error_message: Any = UNSET


class StoredItem(msgspec.Struct, rename="camel"):
    """One item; `metadata` stays text, so that it survives letter by letter."""

    item_id: Any = UNSET
    item_slug: Any = UNSET
    success: Any = UNSET
    passed: Any = UNSET
    cost_usd: Any = UNSET
    total_tokens: Any = UNSET
    duration_ms: Any = UNSET
    scores: Any = UNSET
    execution_detail: StoredExecution | list[Raw] | _Scalar | UnsetType = UNSET
    invocation_result: StoredExecution | list[Raw] | _Scalar | UnsetType = UNSET
    verdict: Any = UNSET
    interpretation: Any = UNSET
    metadata: Raw | UnsetType = UNSET


class StoredResult(msgspec.Struct, rename="camel"):
    """The root of a result file."""

    experiment_id: Any = UNSET
    experiment_name: Any = UNSET
    dataset_version: Any = UNSET
    dataset_dirty: Any = UNSET
    dataset_semantic_version: Any = UNSET
    timestamp: Any = UNSET
    items: list[StoredItem | list[Raw] | _Scalar] | dict[str, Raw] | _Scalar | UnsetType = UNSET
    metadata: Any = UNSET
    aggregate_scores: Any = UNSET
    pass_rate: Any = UNSET
    counts: Any = UNSET
    total_cost_usd: Any = UNSET
    total_tokens: Any = UNSET
    total_duration_ms: Any = UNSET
    code_version: Any = UNSET
    code_dirty: Any = UNSET
    conditions: Any = UNSET
    instrument: Any = UNSET


class ItemMarks(msgspec.Struct, rename="camel"):
    """What is read of an item's `metadata` beside its text."""

    error: Any = UNSET
    instrument_failure: Any = UNSET


_any: Final = msgspec.json.Decoder()
_result: Final = msgspec.json.Decoder(StoredResult)
_item: Final = msgspec.json.Decoder(StoredItem)
_marks: Final = msgspec.json.Decoder(ItemMarks)


def decode_result(data: Buffer) -> StoredResult:
    """Decode an object as the root of a result file.

    Raises:
        UndecodableError: If the bytes are no JSON.
    """
    return decode(data, _result.decode, build_result)


def decode_item(data: Buffer) -> StoredItem:
    """Decode an object as an item.

    Raises:
        UndecodableError: If the bytes are no JSON.
    """
    return decode(data, _item.decode, build_item)


def decode_marks(metadata: Raw) -> ItemMarks:
    """Decode an object as an item's metadata.

    Raises:
        UndecodableError: If the bytes are no JSON.
    """
    return decode(metadata, _marks.decode, lambda value: ItemMarks(**_known_members(ItemMarks, value)))


def decode_whole(data: Buffer) -> Any:  # noqa: ANN401
    """Decode everything.

    Raises:
        UndecodableError: If the bytes are no JSON.
    """
    return decode(data, _any.decode, lambda value: value)


def build_result(value: Mapping[str, Any]) -> StoredResult:
    """The root of a result file from its decoded members."""
    result = StoredResult(**_known_members(StoredResult, value))
    if isinstance(result.items, list):
        items: list[Any] = result.items
        result.items = [build_item(item) if isinstance(item, dict) else item for item in items]
    return result


def build_item(value: Mapping[str, Any]) -> StoredItem:
    """An item from its decoded members."""
    members = _known_members(StoredItem, value)
    for name in ("execution_detail", "invocation_result"):
        if isinstance(members.get(name), dict):
            members[name] = StoredExecution(**_known_members(StoredExecution, members[name]))
    if "metadata" in members:
        members["metadata"] = Raw(to_json(members["metadata"]).encode())
    return StoredItem(**members)


def _known_members(struct: type[msgspec.Struct], value: Mapping[str, Any]) -> dict[str, Any]:
    names = zip(struct.__struct_fields__, struct.__struct_encode_fields__, strict=True)
    return {name: value[key] for name, key in names if key in value}
