"""Interpretations put into the bytes of a file: which members are written where, and nothing else is touched."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import UNSET

from verdict_frames.documents.entries import Shape, entries_of
from verdict_frames.documents.members import members_of
from verdict_frames.interpretation.reader import interpret
from verdict_frames.interpretation.stored_form import to_builtins
from verdict_frames.records import SCHEMA_VERSION
from verdict_frames.sources.kinds import Kind, classify
from verdict_frames.sources.layout import layout_of, write_member, write_value
from verdict_frames.sources.spans import Element, span_elements, span_value
from verdict_frames.sources.stored import StoredItem, decode_item, decode_result, decode_whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from verdict_frames.documents.entries import Entry
    from verdict_frames.vocabulary import DefectKind

_KEY = "interpretation"


class Splice(NamedTuple):
    """Bytes that go in place of others, or where start and end are the same, between others."""

    start: int
    end: int
    text: bytes


class Splicer:
    """Finds what is to be written into one file.

    Args:
        data: The file's bytes.
        replace: Whether interpretations of this schema version are made again.

    Attributes:
        splices: What is to be written, in the order of the file.
        added: Verdicts that had no interpretation.
        replaced: Verdicts that had one which is null, older or, if so asked, as young as this version.
        kept: Verdicts whose own one stays.
        without_verdict: Items that have no verdict.
        defects: How many defects of each kind the interpretations that are written have.
    """

    def __init__(self, data: bytes, *, replace: bool) -> None:
        self._data = data
        self._replace = replace
        self.splices: list[Splice] = []
        self.added = self.replaced = self.kept = self.without_verdict = 0
        self.defects: Counter[DefectKind] = Counter()

    def entries(self, shape: Shape) -> Iterator[tuple[Entry, Element | None]]:
        """The values of the file, those of an array with the place where each stands."""
        entries = entries_of(self._data, shape)
        if shape is not Shape.ARRAY:
            for entry in entries:
                yield entry, None
            return
        start = self._data.index(b"[")
        elements, _ = span_elements(self._data, start, unfold="items")
        yield from zip(entries, elements, strict=True)

    def splice(self, entry: Entry, place: Element | None) -> bool:
        """Find what is to be written into one value; whether it is one that an interpretation may go into.

        Raises:
            UndecodableError: If it can't be decoded; nothing is written into it then.
        """
        members = members_of(entry.data)
        kind = Kind.NO_OBJECT if members is None else classify(members)
        if kind is Kind.INTERPRETATION:
            return True
        if kind not in (Kind.RESULT, Kind.ITEM, Kind.VERDICT):
            return False
        stored: Any = _DECODERS[kind](entry.data)
        span = place or span_value(self._data, entry.start or 0, unfold="items")
        if kind is Kind.VERDICT:
            self._into_verdict(stored, span)
        elif kind is Kind.ITEM:
            self._into_item(stored, span)
        elif isinstance(stored.items, list):
            self._into_items(stored.items, span)
        return True

    def _into_items(self, items: Sequence[object], span: Element) -> None:
        found = span.last("items")
        elements = (found.elements if found is not None else None) or []
        for item, element in zip(items, elements, strict=True):
            if isinstance(item, StoredItem):
                self._into_item(item, element)

    def _into_item(self, item: StoredItem, span: Element) -> None:
        """Right behind the item's verdict, or in place of what is there."""
        verdict = span.last("verdict")
        if verdict is None or item.verdict is None:
            self.without_verdict += 1
            return
        is_object = isinstance(item.verdict, dict)
        value = self._data[verdict.start : verdict.end]
        spread = not (is_object and item.verdict) or b"\n" in value or b"\r" in value
        stored = item.verdict if is_object else {}  # read as an empty verdict, like everywhere
        self._write(stored, item.interpretation, span, verdict_at=span.members.index(verdict), spread=spread)

    def _into_verdict(self, verdict: dict[str, Any], span: Element) -> None:
        """As the verdict's last member, or in place of what is there."""
        self._write(verdict, verdict.get(_KEY, UNSET), span, verdict_at=len(span.members) - 1, spread=True)

    def _write(
        self, verdict: dict[str, Any], present: object, owner: Element, *, verdict_at: int, spread: bool
    ) -> None:
        if _is_current(present) and not self._replace:
            self.kept += 1
            return
        interpretation = interpret(verdict)
        self.defects.update(defect.kind for defect in interpretation.defects)
        value = to_builtins(interpretation)
        member = owner.last(_KEY)
        if member is None:
            member = owner.members[verdict_at]
            text = write_member(_KEY, value, layout_of(self._data, owner, member, spread=spread))
            self.splices.append(Splice(member.end, member.end, text))
            self.added += 1
        else:
            text = write_value(value, layout_of(self._data, owner, member, spread=spread))
            self.splices.append(Splice(member.start, member.end, text))
            self.replaced += 1


_DECODERS = {Kind.RESULT: decode_result, Kind.ITEM: decode_item, Kind.VERDICT: decode_whole}


def pieces(data: bytes, splices: Sequence[Splice]) -> Iterator[bytes | memoryview]:
    """The bytes with the splices put in."""
    view = memoryview(data)
    at = 0
    for splice in splices:
        yield view[at : splice.start]
        yield splice.text
        at = splice.end
    yield view[at:]


def _is_current(interpretation: object) -> bool:
    """Whether a stored interpretation is of this schema version or a younger one."""
    version = interpretation.get("schemaVersion") if isinstance(interpretation, dict) else None
    return isinstance(version, int | float) and not isinstance(version, bool) and version >= SCHEMA_VERSION
