"""One recorded item with what its verdict says."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import TYPE_CHECKING

import msgspec

from verdict_frames.errors import InterpretationFormatError
from verdict_frames.frames.copies import copied_stages
from verdict_frames.interpretation.reader import read_facts
from verdict_frames.interpretation.stored_form import differences, from_builtins
from verdict_frames.records import Facts
from verdict_frames.sources.recorded import RecordedItem
from verdict_frames.vocabulary import InterpretationOrigin

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from verdict_frames.records import Evidence

_INT32 = range(-(2**31), 2**31)
_INT64 = range(-(2**63), 2**63)


class JudgedItem(msgspec.Struct, frozen=True, kw_only=True):
    """One item and its interpretation.

    Attributes:
        run_id: The run, as the tables name it.
        item: As recorded.
        facts: What the verdict says; null where there is neither a verdict nor a readable stored interpretation.
        origin: Where `facts` come from; null without them.
        stored: What the file's own interpretation says; null where it has none that can be read.
        stored_problem: Why the file's own interpretation can't be used; null where it can, or where there is none.
        stored_difference: Fields in which the file's own differs from the computed one; null without both.
        copies: For each stage, the root first, the stage whose seats it repeats.
    """

    run_id: str
    item: RecordedItem
    facts: Facts | None
    origin: InterpretationOrigin | None
    stored: Facts | None
    stored_problem: str | None
    stored_difference: list[str] | None
    copies: list[int | None]


def judge_item(run_id: str, item: RecordedItem) -> JudgedItem:
    """Interpret one item.

    A verdict is always interpreted anew; a stored interpretation beside it is only compared. Without a verdict the
    stored interpretation is taken over.

    Args:
        run_id: The run, as the tables name it.
        item: As recorded.
    """
    stored, stored_problem = (None, None) if item.interpretation is None else read_stored(item.interpretation)
    difference: list[str] | None = None
    facts: Facts | None = None
    origin: InterpretationOrigin | None = None
    if item.verdict is not None:
        facts, origin = read_facts(item.verdict), InterpretationOrigin.COMPUTED
        difference = None if stored is None else differences(stored, facts)
    elif stored is not None:
        facts, origin = stored, InterpretationOrigin.STORED
    return JudgedItem(
        run_id=run_id,
        item=item,
        facts=facts,
        origin=origin,
        stored=stored,
        stored_problem=stored_problem,
        stored_difference=difference,
        copies=[] if facts is None else copied_stages(facts),
    )


def read_stored(interpretation: Mapping[str, Any]) -> tuple[Facts | None, str | None]:
    """Read the interpretation that a file stores.

    Args:
        interpretation: As parsed from JSON.

    Returns:
        What it says and null; or null and why it can't be used: it isn't of the stored form, or holds a number that the
        form doesn't allow and the tables have no room for.
    """
    try:
        stored = from_builtins(interpretation)
    except InterpretationFormatError as error:
        return None, str(error)
    unusable = next(_numbers_out_of_range(stored), None)
    return (stored, None) if unusable is None else (None, f"{unusable} is out of range")


def _numbers_out_of_range(facts: Facts) -> Iterator[str]:
    """Name the numbers that no interpretation of a verdict could hold, and that the tables have no room for."""
    versions = (("schemaVersion", facts.schema_version), ("sourceVersion", facts.source_version))
    yield from (name for name, version in versions if version not in _INT32)
    stages = [("root", facts.root), *((f"stages[{index}]", stage) for index, stage in enumerate(facts.stages))]
    for place, stage in stages:
        yield from _evidence_out_of_range(place, stage.evidence)
        for index, judge in enumerate(stage.judges):
            if judge.position not in _INT32:
                yield f"{place}.judges[{index}].position"
            if judge.score is not None and not 0 <= judge.score <= 1:
                yield f"{place}.judges[{index}].score"
            scale = judge.score_scale
            if scale is not None and not (isfinite(scale.min) and isfinite(scale.max)):
                yield f"{place}.judges[{index}].scoreScale"


def _evidence_out_of_range(place: str, evidence: Evidence | None) -> Iterator[str]:
    if evidence is None:
        return
    for member in msgspec.structs.fields(evidence):
        value = getattr(evidence, member.name)
        match value:
            case int():
                fits = value in _INT32
            case float():
                fits = isfinite(value)
            case Mapping():
                fits = all(count in _INT64 for count in value.values())
            case _:
                fits = True
        if not fits:
            yield f"{place}.evidence.{member.encode_name}"
