"""The aggregation block of an aggregate (R59–R66)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import msgspec

from verdict_frames.interpretation.values import UNSOUND, is_number, is_object, member, to_count, to_double, to_int64
from verdict_frames.records import Evidence
from verdict_frames.vocabulary import ERROR_POLICIES, NOT_APPLICABLE_POLICIES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from verdict_frames.interpretation.findings import Findings

_REALS = frozenset({float, int, type(None)})

BLOCK = "metadata.aggregation"
"""The field that defects of the block and its members are reported under."""


def read_evidence(aggregate: Mapping[str, Any], path: str, findings: Findings) -> Evidence | None:
    """Read the nineteen members in their order; null when there is no block, which is no defect by itself (R59)."""
    stored = member(aggregate.get("metadata"), "aggregation")
    if stored is None:
        return None
    if not is_object(stored):
        findings.unparseable(path, BLOCK)
        return None
    return _read_sound(stored) or _read_with_care(stored, path, findings)


def _read_sound(stored: Mapping[str, Any]) -> Evidence | None:
    """Read a block that no rule has anything to note about, in one go; null for any other."""
    if not has_plain_weights(stored):
        return None
    try:
        read = msgspec.convert(stored, Evidence)
    except UNSOUND:
        return None
    return read if has_known_policies(read) else None


def has_plain_weights(stored: Mapping[str, Any]) -> bool:
    """Whether a block holds none of what JSON doesn't have and the conversion would take for a number."""
    return (
        type(stored.get("threshold")) in _REALS
        and type(stored.get("inputWeight")) in _REALS
        and type(stored.get("eligibleWeight")) in _REALS
    )


def has_known_policies(evidence: Evidence) -> bool:
    """Whether no rule has anything to note about a block once it is converted."""
    return (evidence.error_policy is None or evidence.error_policy in ERROR_POLICIES) and (
        evidence.not_applicable_policy is None or evidence.not_applicable_policy in NOT_APPLICABLE_POLICIES
    )


def _read_with_care(stored: Mapping[str, Any], path: str, findings: Findings) -> Evidence:
    """Read a block member by member, noting what is wrong with each."""
    block = _Block(stored, path, findings)
    return Evidence(  # arguments are evaluated in the order in which the members are read, R60
        strategy=block.text("strategy"),
        error_policy=block.token("errorPolicy", ERROR_POLICIES),
        not_applicable_policy=block.token("notApplicablePolicy", NOT_APPLICABLE_POLICIES),
        input_count=block.count("inputCount"),
        eligible_count=block.count("eligibleCount"),
        explicit_abstain_count=block.count("explicitAbstainCount"),
        not_applicable_count=block.count("notApplicableCount"),
        error_count=block.count("errorCount"),
        ignored_error_count=block.count("ignoredErrorCount"),
        errors_treated_as_abstain_count=block.count("errorsTreatedAsAbstainCount"),
        errors_treated_as_fail_count=block.count("errorsTreatedAsFailCount"),
        not_applicable_treated_as_fail_count=block.count("notApplicableTreatedAsFailCount"),
        error_code_counts=block.code_counts("errorCodeCounts"),
        pass_count=block.count("passCount"),
        fail_count=block.count("failCount"),
        threshold=block.decimal("threshold"),
        binding_index=block.count("bindingIndex"),
        input_weight=block.decimal("inputWeight"),
        eligible_weight=block.decimal("eligibleWeight"),
    )


class _Block:
    """The block's members by type; a missing one is null with no defect, an unreadable one null with one."""

    def __init__(self, stored: Mapping[str, Any], path: str, findings: Findings) -> None:
        self._stored = stored
        self._path = path
        self._findings = findings

    def text(self, name: str) -> str | None:
        """Read free text (R61)."""
        value = self._stored.get(name)
        if value is None or isinstance(value, str):
            return value
        self._unparseable(name)
        return None

    def token(self, name: str, known: frozenset[str]) -> str | None:
        """Read a token, keeping unknown ones (R62)."""
        return self._findings.token(self._stored.get(name), known, self._path, f"{BLOCK}.{name}")

    def count(self, name: str) -> int | None:
        """Read a whole number (R63)."""
        value = self._stored.get(name)
        if value is None:
            return None
        whole = to_count(value) if is_number(value) else None
        if whole is None:
            self._unparseable(name)
        return whole

    def decimal(self, name: str) -> float | None:
        """Read a finite double (R64)."""
        value = self._stored.get(name)
        if value is None:
            return None
        double = to_double(value) if is_number(value) else math.inf
        if math.isfinite(double):
            return double
        self._unparseable(name)
        return None

    def code_counts(self, name: str) -> dict[str, int] | None:
        """Read counts by reason code, dropping those that are no numbers (R65)."""
        value = self._stored.get(name)
        if value is None:
            return None
        if not is_object(value):
            self._unparseable(name)
            return None
        counts: dict[str, int] = {}
        for code, number in value.items():
            if is_number(number):
                counts[code] = to_int64(number)
            else:
                self._unparseable(f"{name}.{code}")
        return counts

    def _unparseable(self, name: str) -> None:
        self._findings.unparseable(self._path, f"{BLOCK}.{name}")
