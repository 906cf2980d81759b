"""One item in words: what its verdict says, who decided, and every stage, judge, check and defect."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from verdict_frames.interpretation.summary import READING_IN_WORDS, SUPPORT_IN_WORDS, decision_in_words
from verdict_frames.reporting.printable import printable
from verdict_frames.vocabulary import Reading, Support

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from verdict_frames.records import Defect, Interpretation, JudgeSeat, Stage

SUMMARY_WIDTH = 110
"""Where the lines of a summary are broken."""


def describe_item(item: Mapping[str, Any], interpretation: Interpretation | None) -> list[str]:
    """Describe one item, a line a fact.

    Args:
        item: A row of `items`.
        interpretation: Its interpretation; null for an item that nobody judged, or whose reading was mapped.
    """
    label = _first(item["item_slug"], item["item_id"]) or f"item {item['item_index']}"
    if interpretation is None:
        said = _without_verdict(item) if item["reading"] is None else _mapped(item)
        return [f"{_name(label)}: {said}"]
    lines = [f"{_name(label)}: {_reading(interpretation)}", f"  {decision_in_words(interpretation)}."]
    for stage in (interpretation.root, *interpretation.stages):
        lines.extend(_stage(stage))
    lines.extend(_defects(interpretation.defects))
    lines += textwrap.wrap(
        _name(interpretation.summary),
        SUMMARY_WIDTH,
        initial_indent="  ",
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return lines


def _defects(defects: Sequence[Defect]) -> Iterator[str]:
    """One line for defects of one kind, field and note, however many places have them; the summary names them all."""
    places: dict[tuple[str, str, str], list[str]] = {}
    for defect in defects:
        places.setdefault((defect.kind, defect.field, defect.note), []).append(defect.path)
    for (kind, field, note), paths in places.items():
        others = len(paths) - 1
        more = f" (and {others} more place{'s' if others > 1 else ''})" if others else ""
        yield f"  ! {kind} {_name(paths[0])} {_name(field)}{more}: {_name(note)}"


def _without_verdict(item: Mapping[str, Any]) -> str:
    failed = item["success"] is False
    words = "no verdict: the agent failed before judging" if failed else "no verdict: it was never judged"
    details = [text for text in (item["execution_status"], item["error"]) if text]
    return words + (f" ({_name(', '.join(details))})" if details else "")


def _mapped(item: Mapping[str, Any]) -> str:
    support = SUPPORT_IN_WORDS[Support(item["reading_support"])]
    meaning = READING_IN_WORDS[Reading(item["reading"])]
    words = f"{item['reading']}, {meaning} (mapped from another tool's outcome; {support})"
    return words + (f" ({_name(item['error'])})" if item["error"] else "")


def _reading(interpretation: Interpretation) -> str:
    reading = interpretation.reading
    if reading is None:
        return "no reading (nothing that can be read about the subject is recorded)"
    support = SUPPORT_IN_WORDS[Support(interpretation.reading_support)]
    return f"{reading}, {READING_IN_WORDS[Reading(reading)]} ({support})"


def _stage(stage: Stage) -> Iterator[str]:
    where = "/".join(stage.path) or "<root>"
    if stage.stage is None and stage.path:
        where += "/<anonymous>"
    facts = [fact for fact in (stage.relation, stage.policy, stage.disposition, stage.reason, stage.failure) if fact]
    marks = f" [{', '.join(facts)}]" if facts else ""
    yield f"  {_name(where)}{_name(marks)} {_judgment(stage.status, stage.reason_code, stage.reasoning)}"
    for judge in stage.judges:
        yield from _judge(judge)


def _judge(judge: JudgeSeat) -> Iterator[str]:
    score = "" if judge.score is None else f" {judge.score:g}"
    said = _judgment(judge.status, judge.reason_code, judge.reasoning, score=score)
    yield f"    seat {judge.position} {_name(judge.name) or '(unnamed)'}: {said}"
    for check in judge.checks:
        detail = f": {_name(check.detail)}" if check.detail else ""
        yield f"      [{'x' if check.passed else ' '}] {_name(check.name)}{detail}"


def _judgment(status: str | None, reason_code: str | None, reasoning: str | None, *, score: str = "") -> str:
    code = f" ({reason_code})" if reason_code is not None else ""
    words = f": {reasoning}" if reasoning else ""
    return _name(f"{status or 'no status'}{score}{code}{words}")


def _first(*texts: str | None) -> str | None:
    return next((text for text in texts if text is not None), None)


def _name(text: str) -> str:
    return printable(text, one_line=True)
