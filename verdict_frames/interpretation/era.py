"""Which generation of writers a verdict's own keys point to. It describes; nothing is decided by it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from verdict_frames.interpretation.values import is_number, is_object, member
from verdict_frames.vocabulary import STATUSES, VerdictEra

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_UPPER_CASE = frozenset(status.upper() for status in STATUSES)


def verdict_era(stored: Mapping[str, Any] | None) -> VerdictEra:
    """Tell a stored verdict's era by its keys, first match first; mixtures count as the youngest.

    Example:
        >>> verdict_era({"aggregated": {"status": "pass"}, "seats": []}).value
        '0.17'
        >>> verdict_era({"aggregated": {"status": "PASS"}}).value, verdict_era(None).value
        ('0.13', 'none')
    """
    if stored is None:
        return VerdictEra.NONE
    aggregate = stored.get("aggregated")
    version = stored.get("schemaVersion")
    if aggregate is None and (stored.get("judgment") is not None or (is_number(version) and version >= 5)):
        return VerdictEra.LATER
    if stored.get("seats") is not None or stored.get("decision") is not None:
        return VerdictEra.V0_17
    if stored.get("compositeAttempts") or member(member(aggregate, "metadata"), "aggregation") is not None:
        return VerdictEra.V0_14
    if stored.get("subVerdicts") or any(_is_old(judgment) for judgment in _judgments(stored)):
        return VerdictEra.V0_13
    return VerdictEra.V0_14 if aggregate is not None else VerdictEra.UNKNOWN


def _judgments(stored: Mapping[str, Any]) -> Iterator[object]:
    yield stored.get("aggregated")
    individual, by_name = stored.get("individual"), stored.get("individualByName")
    if isinstance(individual, list):
        yield from individual
    if is_object(by_name):
        yield from by_name.values()


def _is_old(judgment: object) -> bool:
    status = member(judgment, "status")
    return (isinstance(status, str) and status in _UPPER_CASE) or is_object(member(judgment, "score"))
