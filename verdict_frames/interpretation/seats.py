"""The judges of one verdict node (R67–R70)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import msgspec

from verdict_frames.interpretation.judgments import Judgment, read_judgment
from verdict_frames.interpretation.values import is_number, is_object, to_int32
from verdict_frames.records import Int32, JudgeSeat
from verdict_frames.vocabulary import KEY_SOURCES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from verdict_frames.interpretation.findings import Findings


class _StoredSeat(msgspec.Struct, rename="camel"):
    """A seat as stored, when there is nothing to note about it."""

    position: Int32
    verdict_key: str
    key_source: Literal["DECLARED", "DEDUPLICATED", "POSITIONAL"]


def read_judges(node: Mapping[str, Any], path: str, findings: Findings, *, is_root: bool) -> tuple[JudgeSeat, ...]:
    """Read the seats; where the record has none, take the judges from the judgments themselves (R70)."""
    jury = _Jury(node, path, findings)
    seats = node.get("seats")
    if seats is None:
        if is_root:
            findings.absent(path, "seats")
        return jury.without_seats()
    if not isinstance(seats, list):
        findings.unparseable(path, "seats")
        return ()
    return jury.with_seats(seats)


class _Jury:
    """The judgments of one node, to be joined to its seats; containers of the wrong type are none."""

    def __init__(self, node: Mapping[str, Any], path: str, findings: Findings) -> None:
        individual, by_name = node.get("individual"), node.get("individualByName")
        self._judgments: list[Any] | None = individual if isinstance(individual, list) else None
        self._named = by_name if is_object(by_name) else None
        self._path = path
        self._findings = findings

    def with_seats(self, seats: list[Any]) -> tuple[JudgeSeat, ...]:
        """Read each seat with its judgment; sound seats, which nearly all are, in one go."""
        try:
            sound = msgspec.convert(seats, list[_StoredSeat])
        except msgspec.ValidationError:
            return tuple(self._read_with_care(seats))
        return tuple(
            [self._seat(index, seat.position, seat.verdict_key, seat.key_source) for index, seat in enumerate(sound)]
        )

    def without_seats(self) -> tuple[JudgeSeat, ...]:
        """Make a judge of each judgment: by name, or else in the order of the list (R70)."""
        if self._named is not None:
            return tuple(
                self._judge(judgment, f"individualByName[{name}]", index, name, None)
                for index, (name, judgment) in enumerate(self._named.items())
            )
        self._findings.absent(self._path, "individualByName")
        return tuple(
            self._judge(judgment, f"individual[{index}]", index, "", None)
            for index, judgment in enumerate(self._judgments or [])
        )

    def _read_with_care(self, seats: list[Any]) -> Iterator[JudgeSeat]:
        """Read each seat member by member, noting what is wrong with each (R68)."""
        findings = self._findings
        for index, seat in enumerate(seats):
            if not is_object(seat):
                findings.unparseable(self._path, f"seats[{index}]")
                continue
            at = f"{self._path}.seats[{index}]"
            position, name = seat.get("position"), seat.get("verdictKey")
            if not is_number(position):
                findings.unparseable(at, "position")
                position = index
            if not isinstance(name, str):
                findings.absent(at, "verdictKey")
                name = ""
            key_source = findings.required_token(seat.get("keySource"), KEY_SOURCES, at, "keySource")
            yield self._seat(index, to_int32(position), name, key_source)

    def _seat(self, index: int, position: int, name: str, key_source: str | None) -> JudgeSeat:
        """Join a seat's judgment by place in the list, not by `position`; by name where that fails (R68)."""
        judgments = self._judgments
        judgment = judgments[index] if judgments is not None and index < len(judgments) else None
        if self._named is not None and name and not is_object(judgment):
            return self._judge(self._named.get(name), f"individualByName[{name}]", position, name, key_source)
        return self._judge(judgment, f"individual[{index}]", position, name, key_source)

    def _judge(self, judgment: object, at: str, position: int, name: str, key_source: str | None) -> JudgeSeat:
        if not is_object(judgment):
            self._findings.absent(f"{self._path}.{at}", "judgment")
            read = _NO_JUDGMENT
        else:
            read = read_judgment(judgment, f"{self._path}.{at}", self._findings)
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


_NO_JUDGMENT = Judgment(None, None, None, None, None, ())
