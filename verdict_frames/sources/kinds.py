"""Telling by its keys what one JSON value holds; no file carries a version, so keys are all there is.

A value is classified by its members: key → value, where a value may still be raw bytes. Only presence and the sort of
JSON value count, never the content of a text.
"""

from __future__ import annotations

from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import msgspec

from verdict_frames.documents.decoding import decode
from verdict_frames.documents.escaping import one_line
from verdict_frames.documents.members import sort_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class Kind(StrEnum):
    """What one JSON value holds; the first four can be read, the others are foreign."""

    RESULT = "result"
    ITEM = "item"
    VERDICT = "verdict"
    INTERPRETATION = "interpretation"
    MANIFEST = "dataset manifest"
    DATASET_ITEM = "dataset item"
    INDEX = "index of a result store"
    SESSION = "session record of a result store"
    SWEEP = "sweep record of a result store"
    JOURNAL_RUN = "run record of an agent journal"
    JOURNAL_EVENT = "agent journal event"
    BENCH = "agent-bench result with trials"
    JUDGMENT = "judgment"
    ITEM_LIST = "list of items of an unknown sort"
    OTHER = "object"
    NO_OBJECT = "value that is no object"


READABLE: Final = frozenset({Kind.RESULT, Kind.ITEM, Kind.VERDICT, Kind.INTERPRETATION})

_CERTAIN_COMPONENTS: Final = frozenset(
    {"aggregated", "individual", "individualByName", "compositeAttempts", "subVerdicts"}
)
_COMMON_COMPONENTS: Final = MappingProxyType({"weights": "object", "seats": "array", "decision": "object"})
_ITEM_FACTS: Final = frozenset(
    {"itemSlug", "success", "passed", "scores", "verdict", "interpretation", "executionDetail", "invocationResult"}
)
_STORE_RECORDS: Final = (
    (frozenset({"entries"}), Kind.INDEX),
    (frozenset({"variants", "sessionName"}), Kind.SESSION),
    (frozenset({"resolutions"}), Kind.SWEEP),
    (frozenset({"trials"}), Kind.BENCH),
    (frozenset({"experimentId", "status", "config"}), Kind.JOURNAL_RUN),
    (frozenset({"@type"}), Kind.JOURNAL_EVENT),
    (frozenset({"slug", "developerTask"}), Kind.DATASET_ITEM),
)
_ADVICE: Final = MappingProxyType(
    {
        Kind.MANIFEST: "it lists work to be done, not results",
        Kind.INDEX: "read the folder that it lies in",
        Kind.SESSION: "read the folder that it lies in",
        Kind.SWEEP: "read the folder that holds the sessions",
        Kind.JUDGMENT: "not a verdict, which holds its judgments under `individual` and `aggregated`",
        Kind.ITEM_LIST: "a result file has an `experimentId`, or items with an `itemId`",
    }
)


class _ItemKeys(msgspec.Struct, rename="camel"):
    """Those keys of an element of `items` that tell a result from a manifest."""

    item_id: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    verdict: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    interpretation: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    id: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    slug: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    path: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


class ItemsPeek(msgspec.Struct):
    """What is told of `items` without decoding them.

    Attributes:
        count: Elements that are objects; what else stands there is no item.
        interpretations: Elements with a stored interpretation.
        of_result: Whether some element has an `itemId`, a verdict or an interpretation.
        of_manifest: Whether some element has the keys of a dataset manifest.
    """

    count: int = 0
    interpretations: int = 0
    of_result: bool = False
    of_manifest: bool = False


_item_keys: Final = msgspec.json.Decoder(list[_ItemKeys | list[msgspec.Raw] | str | bool | int | float | None])


def classify(members: Mapping[str, Any]) -> Kind:
    """What an object holds, first match.

    `items` makes a result (with `experimentId`, or an element with `itemId`, a verdict or an interpretation), a
    manifest or a list of an unknown sort. Then an item by `itemId` and one more fact, or by a `verdict` or
    `interpretation` that is an object; a verdict by a component that only verdicts have, or by `judgment` with a
    `schemaVersion` from 5 on; an interpretation by its reading and `root`; the records of stores and journals by
    theirs. `weights`, `seats` and `decision` are common words, and make a verdict only where they have the sort of
    value that a verdict gives them.
    """
    keys = members.keys()
    if "items" in keys:
        return _kind_with_items(members)
    if "itemId" in keys and keys & _ITEM_FACTS:
        return Kind.ITEM
    if keys & _CERTAIN_COMPONENTS or _is_later_verdict(members):
        return Kind.VERDICT
    if sort_of(members.get("verdict")) == "object":
        return Kind.ITEM
    if "root" in keys and keys & {"readingSupport", "reading"}:
        return Kind.INTERPRETATION
    has_common_component = any(sort_of(members.get(key)) == sort for key, sort in _COMMON_COMPONENTS.items())
    if sort_of(members.get("interpretation")) == "object":
        return Kind.VERDICT if has_common_component else Kind.ITEM  # a bare verdict may have been re-exported
    record = next((kind for signs, kind in _STORE_RECORDS if signs <= keys), None)
    if record is not None:
        return record
    if has_common_component:
        return Kind.VERDICT
    if keys & {"status", "producerStatus"} and keys & {"reasoning", "checks"}:
        return Kind.JUDGMENT
    return Kind.OTHER


def peek_items(items: object) -> ItemsPeek:
    """Count the elements of `items`, raw or decoded, and look for the keys that tell what they are."""
    if sort_of(items) != "array":
        return ItemsPeek()
    elements: list[Any]
    if isinstance(items, msgspec.Raw):
        elements = decode(items, _item_keys.decode, lambda value: list(map(_keys_of, value)))
    else:
        elements = list(map(_keys_of, items)) if isinstance(items, list) else []
    peek = ItemsPeek()
    for element in elements:
        if isinstance(element, _ItemKeys):
            peek.count += 1
            peek.interpretations += sort_of(element.interpretation) == "object"
            peek.of_result |= _any_set(element.item_id, element.verdict, element.interpretation)
            peek.of_manifest |= _any_set(element.id) and _any_set(element.slug, element.path)
    return peek


def describe_foreign(kind: Kind, keys: Iterable[str], *, count: int = 1) -> str:
    """One line on what was found in place of results: its name, its keys where it has no name, and advice."""
    article = "an" if kind[0] in "aeiou" else "a"
    if kind is Kind.OTHER:
        shown = ", ".join(f"`{one_line(key)}`" for key in sorted(keys)[:6]) or "none"
        found = (
            f"an object with the keys {shown}" if count == 1 else f"{count} objects, the first with the keys {shown}"
        )
        advice = "no verdict keys such as `aggregated`"
    else:
        several = f"{count} values, each {article} {kind}" if " " in kind else f"a list of {count} {kind}s"
        found = f"{article} {kind}" if count == 1 else several
        advice = _ADVICE.get(kind, "it holds no verdict")
    return f"{found}: {advice}"


def _kind_with_items(members: Mapping[str, Any]) -> Kind:
    if "experimentId" in members:
        return Kind.RESULT
    peek = peek_items(members["items"])
    if peek.of_result:
        return Kind.RESULT
    return Kind.MANIFEST if peek.of_manifest else Kind.ITEM_LIST


def _is_later_verdict(members: Mapping[str, Any]) -> bool:
    if "judgment" not in members:
        return False
    version = members.get("schemaVersion")
    if isinstance(version, msgspec.Raw):
        version = decode(version, msgspec.json.decode, lambda value: value)
    return isinstance(version, int | float) and not isinstance(version, bool) and version >= 5


def _keys_of(element: object) -> object:
    if not isinstance(element, dict):
        return element
    fields = zip(_ItemKeys.__struct_fields__, _ItemKeys.__struct_encode_fields__, strict=True)
    return _ItemKeys(**{name: element[key] for name, key in fields if key in element})


def _any_set(*values: object) -> bool:
    return any(value is not msgspec.UNSET for value in values)
