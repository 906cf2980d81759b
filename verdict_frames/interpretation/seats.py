"""The judges of one verdict node (R67–R70)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from verdict_frames.interpretation.judgments import read_judgment
from verdict_frames.interpretation.values import is_number, is_object, to_int32
from verdict_frames.records import JudgeSeat
from verdict_frames.vocabulary import KEY_SOURCES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from verdict_frames.interpretation.findings import Findings


def read_judges(node: Mapping[str, Any], path: str, findings: Findings, *, is_root: bool) -> tuple[JudgeSeat, ...]:
    """Read the seats; where the record has none, take the judges from the judgments themselves (R70)."""
    individual = node.get("individual")
    by_name = node.get("individualByName")
    judgments = individual if isinstance(individual, list) else None
    named = by_name if is_object(by_name) else None
    seats = node.get("seats")
    if seats is None:
        if is_root:
            findings.absent(path, "seats")
        return _judges_without_seats(judgments, named, path, findings)
    if not isinstance(seats, list):
        findings.unparseable(path, "seats")
        return ()
    judges: list[JudgeSeat] = []
    for index, seat in enumerate(seats):
        if is_object(seat):
            judges.append(_read_seat(seat, index, judgments, named, path, findings))
        else:
            findings.unparseable(path, f"seats[{index}]")
    return tuple(judges)


def _read_seat(
    seat: Mapping[str, Any],
    index: int,
    judgments: list[Any] | None,
    named: Mapping[str, Any] | None,
    path: str,
    findings: Findings,
) -> JudgeSeat:
    """Read one seat and join its judgment by place in the list, not by `position` (R68)."""
    place = f"{path}.seats[{index}]"
    recorded_position = seat.get("position")
    if is_number(recorded_position):
        position = to_int32(recorded_position)
    else:
        position = index
        findings.unparseable(place, "position")
    name = seat.get("verdictKey")
    if not isinstance(name, str):
        name = ""
        findings.absent(place, "verdictKey")
    key_source = findings.required_token(seat.get("keySource"), KEY_SOURCES, place, "keySource")
    judgment = judgments[index] if judgments is not None and index < len(judgments) else None
    at = f"{path}.individual[{index}]"
    if not is_object(judgment) and named is not None and name:
        judgment = named.get(name)
        at = f"{path}.individualByName[{name}]"
    return _judge(judgment, at, findings, position=position, name=name, key_source=key_source)


def _judges_without_seats(
    judgments: list[Any] | None, named: Mapping[str, Any] | None, path: str, findings: Findings
) -> tuple[JudgeSeat, ...]:
    if named is not None:
        return tuple(
            _judge(judgment, f"{path}.individualByName[{name}]", findings, position=index, name=name, key_source=None)
            for index, (name, judgment) in enumerate(named.items())
        )
    findings.absent(path, "individualByName")
    return tuple(
        _judge(judgment, f"{path}.individual[{index}]", findings, position=index, name="", key_source=None)
        for index, judgment in enumerate(judgments or [])
    )


def _judge(
    judgment: object, path: str, findings: Findings, *, position: int, name: str, key_source: str | None
) -> JudgeSeat:
    if not is_object(judgment):
        findings.absent(path, "judgment")
        return JudgeSeat(
            position=position,
            name=name,
            key_source=key_source,
            status=None,
            reason_code=None,
            score=None,
            reasoning="",
            checks=(),
        )
    read = read_judgment(judgment, path, findings)
    return JudgeSeat(
        position=position,
        name=name,
        key_source=key_source,
        status=read.status,
        reason_code=read.reason_code,
        score=read.score,
        score_scale=read.score_scale,
        reasoning=read.reasoning or "",
        checks=read.checks,
    )
