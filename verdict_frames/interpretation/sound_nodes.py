"""Verdict nodes that no rule has anything to note about, read in one go.

Nearly all nodes are such. Any other is read member by member, with care; what comes of a sound node is the same either
way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec

from verdict_frames.interpretation.evidence import has_known_policies, has_plain_weights
from verdict_frames.interpretation.judgments import StoredJudgment, has_plain_values, read_converted
from verdict_frames.interpretation.values import UNSOUND
from verdict_frames.records import Evidence, Int32, JudgeSeat

if TYPE_CHECKING:
    from collections.abc import Mapping


class SoundNode(NamedTuple):
    """What a sound node says."""

    status: str
    reason_code: str | None
    reasoning: str
    evidence: Evidence | None
    judges: tuple[JudgeSeat, ...]


class _StoredSeat(msgspec.Struct, rename="camel"):
    position: Int32
    verdict_key: str
    key_source: Literal["DECLARED", "DEDUPLICATED", "POSITIONAL"]


class _StoredMetadata(msgspec.Struct):
    aggregation: Evidence | None = None


class _StoredAggregate(StoredJudgment, rename="camel", kw_only=True):
    metadata: _StoredMetadata | None = None


class _StoredNode(msgspec.Struct):
    aggregated: _StoredAggregate
    individual: list[StoredJudgment]
    seats: list[_StoredSeat]


def _is_sound(stored: Mapping[str, Any], evidence: Evidence) -> bool:
    return has_plain_weights(stored) and has_known_policies(evidence)


def read_sound_node(node: Mapping[str, Any]) -> SoundNode | None:
    """Read aggregate, evidence and seats of a node; null where one of them isn't sound."""
    if type(node.get("seats")) is not list or type(node.get("individual")) is not list:
        return None  # what JSON doesn't have, the conversion might take for what it has
    try:
        read = msgspec.convert(node, _StoredNode)
    except UNSOUND:
        return None
    if len(read.individual) < len(read.seats):
        return None
    stored = node["aggregated"]
    aggregate = read_converted(read.aggregated) if has_plain_values(stored) else None
    evidence = None if read.aggregated.metadata is None else read.aggregated.metadata.aggregation
    if aggregate is None or (evidence is not None and not _is_sound(stored["metadata"]["aggregation"], evidence)):
        return None
    judges: list[JudgeSeat] = []
    for seat, judgment, raw in zip(read.seats, read.individual, node["individual"], strict=False):
        said = read_converted(judgment) if has_plain_values(raw) else None
        if said is None:
            return None
        judges.append(
            JudgeSeat(
                position=seat.position,
                name=seat.verdict_key,
                key_source=seat.key_source,
                status=said[0],
                reason_code=judgment.reason_code,
                score=judgment.score,
                reasoning=judgment.reasoning,
                checks=said[1],
            )
        )
    return SoundNode(aggregate[0], read.aggregated.reason_code, read.aggregated.reasoning, evidence, tuple(judges))
