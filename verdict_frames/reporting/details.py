"""Everything that is recorded about one item, as a tree: the item, its stages, their judges, checks and defects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from verdict_frames.interpretation.summary import READING_IN_WORDS, SUPPORT_IN_WORDS, decision_in_words
from verdict_frames.reporting.value import Detail
from verdict_frames.vocabulary import Reading, Support

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from verdict_frames.records import Interpretation, JudgeSeat, Stage

_RECORDED: Final = {
    "item_id": "item id",
    "execution_status": "execution",
    "success": "agent's work finished",
    "passed": "recorded as passed",
    "cost_usd": "cost, US dollars",
    "total_tokens": "tokens",
    "duration_ms": "duration, ms",
    "verdict_era": "verdict of",
    "instrument_failure": "marked as instrument failure",
    "stored_difference": "stored interpretation differs in",
}
"""Columns of `items` that a detail shows where something is recorded, and how it calls them."""


def item_detail(
    item: Mapping[str, Any], interpretation: Interpretation | None, *, title: str, place: Iterable[tuple[str, str]]
) -> Detail:
    """Lay out one item.

    Args:
        item: A row of `items`.
        interpretation: Its interpretation; null for an item that nobody judged, or whose reading was mapped.
        title: What the item is called.
        place: Where it belongs and how it was counted, as names with values.
    """
    facts = [*place, *_said(item, interpretation)]
    facts += [(words, _written(item[name])) for name, words in _RECORDED.items() if item[name] not in (None, [])]
    parts = []
    if item["error"]:
        parts.append(Detail(title="Error of the agent's work", text=item["error"]))
    if interpretation is not None:
        parts.append(Detail(title="Summary", text=interpretation.summary))
        parts += [_stage(stage) for stage in (interpretation.root, *interpretation.stages)]
        if interpretation.defects:
            parts.append(
                Detail(
                    title=f"Defects ({len(interpretation.defects)})",
                    facts=tuple(
                        (f"{defect.kind} {defect.path} {defect.field}", defect.note)
                        for defect in interpretation.defects
                    ),
                )
            )
    return Detail(title=title, facts=tuple(facts), parts=tuple(parts))


def _said(item: Mapping[str, Any], interpretation: Interpretation | None) -> list[tuple[str, str]]:
    if item["reading"] is None and item["reading_support"] is None:
        return [("reading", "none: there is no verdict")]
    reading = item["reading"]
    meaning = f"{reading}: {READING_IN_WORDS[Reading(reading)]}" if reading else "none that can be told"
    said = [("reading", meaning), ("record", SUPPORT_IN_WORDS[Support(item["reading_support"])])]
    return [*said, ("decided by", decision_in_words(interpretation))] if interpretation is not None else said


def _stage(stage: Stage) -> Detail:
    where = " / ".join(stage.path) if stage.path else "root"
    title = f"Stage {where}" if stage.stage is not None or not stage.path else f"Anonymous stage below {where}"
    used = {True: "used by its parent", False: "not used by its parent", None: None}[stage.used_by_parent]
    facts = {
        "status": stage.status or "none that can be read",
        "reason code": stage.reason_code,
        "relation": stage.relation,
        "policy": stage.policy,
        "disposition": stage.disposition,
        "reason": stage.reason,
        "failure": stage.failure,
        "use": used,
        "evidence": _evidence(stage),
    }
    return Detail(
        title=title, facts=_present(facts), text=stage.reasoning or "", parts=tuple(map(_judge, stage.judges))
    )


def _evidence(stage: Stage) -> str | None:
    if stage.evidence is None:
        return None
    members = msgspec.structs.asdict(stage.evidence)
    recorded = {name.replace("_", " "): value for name, value in members.items() if value not in (None, {})}
    return ", ".join(f"{name} {_written(value)}" for name, value in recorded.items())


def _judge(judge: JudgeSeat) -> Detail:
    scale = judge.score_scale
    facts = {
        "status": judge.status or "none that can be read",
        "reason code": judge.reason_code,
        "score": None if judge.score is None else f"{judge.score:g}",
        "recorded on": None if scale is None else f"{scale.min:g} to {scale.max:g}",
    }
    checks = tuple((f"{'passed' if check.passed else 'failed'}: {check.name}", check.detail) for check in judge.checks)
    return Detail(
        title=f"Judge {judge.position} {judge.name or '(unnamed)'}",
        facts=_present(facts),
        text=judge.reasoning,
        parts=(Detail(title="Checks", facts=checks),) if checks else (),
    )


def _present(facts: Mapping[str, str | None]) -> tuple[tuple[str, str], ...]:
    return tuple((name, value) for name, value in facts.items() if value is not None)


def _written(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{name} × {count}" for name, count in value.items())
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)
