"""One recorded item with what its verdict says."""

from __future__ import annotations

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
    from collections.abc import Mapping
    from typing import Any


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
        What it says and null; or null and why it can't be used: it isn't of the stored form.
    """
    try:
        return from_builtins(interpretation), None
    except InterpretationFormatError as error:
        return None, str(error)
