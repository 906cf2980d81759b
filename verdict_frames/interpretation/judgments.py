"""One judgment: an aggregate's or a judge's (R44–R58)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from verdict_frames.interpretation.values import UNSOUND, is_blank, is_number, is_object, normal_status, to_double
from verdict_frames.records import Check, ScoreScale, UnitInterval
from verdict_frames.vocabulary import BLANKS, REASON_CODES, STATUS_SPELLINGS, STATUSES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from verdict_frames.interpretation.findings import Findings


_STATUS_OF = dict(STATUS_SPELLINGS)
_PLAIN_SCORES = frozenset({float, int, type(None)})


class Judgment(NamedTuple):
    """What one judgment says, as far as it can be read."""

    status: str | None
    reason_code: str | None
    reasoning: str | None
    score: float | None
    score_scale: ScoreScale | None
    checks: tuple[Check, ...]


class _StoredCheck(msgspec.Struct):
    """A check as stored, when there is nothing to note about it."""

    name: str
    passed: bool
    message: str


class StoredJudgment(msgspec.Struct, rename="camel"):
    """A judgment as stored, when there is nothing to note about it and its score needs no scale."""

    status: str
    reasoning: str
    checks: list[_StoredCheck]
    reason_code: str | None = None
    score: UnitInterval | None = None


def read_judgment(stored: Mapping[str, Any], path: str, findings: Findings) -> Judgment:
    """Read a judgment at `path`: status, reason code, reasoning, score and checks, in this order.

    Nearly all judgments are sound, and these are read in one go; any other is read with care, member by member.
    """
    return _read_sound(stored) or _read_with_care(stored, path, findings)


def _read_sound(stored: Mapping[str, Any]) -> Judgment | None:
    """Read a judgment that no rule has anything to note about; null for any other."""
    if not has_plain_values(stored):
        return None
    try:
        read = msgspec.convert(stored, StoredJudgment)
    except UNSOUND:
        return None
    said = read_converted(read)
    return said and Judgment(said[0], read.reason_code, read.reasoning, read.score, None, said[1])


def has_plain_values(stored: Mapping[str, Any]) -> bool:
    """Whether a judgment holds none of what JSON doesn't have and the conversion would take for what it has."""
    return type(stored.get("checks")) is list and type(stored.get("score")) in _PLAIN_SCORES


def read_converted(read: StoredJudgment) -> tuple[str, tuple[Check, ...]] | None:
    """Read status and checks of a converted judgment; null where some rule has something to note about it."""
    status = _STATUS_OF.get(read.status)
    if status is None:
        return None
    if read.reason_code not in REASON_CODES if read.reason_code is not None else status == "error":
        return None
    stored = read.checks
    if not stored:
        return status, ()
    checks = [
        Check(name=name, passed=check.passed, detail=check.message)
        for check in stored
        if (name := check.name).strip(BLANKS)
    ]
    return (status, tuple(checks)) if len(checks) == len(stored) else None


def _read_with_care(stored: Mapping[str, Any], path: str, findings: Findings) -> Judgment:
    """Read a judgment member by member, noting what is wrong with each."""
    status = _read_status(stored.get("status"), path, findings)
    code = stored.get("reasonCode")
    if code is None and status == "error":
        findings.absent(path, "reasonCode")
    reason_code = findings.token(code, REASON_CODES.keys(), path, "reasonCode")
    reasoning = _read_reasoning(stored.get("reasoning"), path, findings)
    score, scale = _read_score(stored.get("score"), path, findings)
    checks = _read_checks(stored.get("checks"), path, findings)
    return Judgment(status, reason_code, reasoning, score, scale, checks)


def _read_status(status: object, path: str, findings: Findings) -> str | None:
    """Read a status, normalising the accepted spellings and keeping unknown ones (R44)."""
    if isinstance(status, str):
        status = normal_status(status)
    return findings.required_token(status, STATUSES, path, "status")


def _read_reasoning(reasoning: object, path: str, findings: Findings) -> str | None:
    """Read the judge's own words; empty text is text (R46)."""
    if isinstance(reasoning, str):
        return reasoning
    if reasoning is None:
        findings.absent(path, "reasoning")
    else:
        findings.unparseable(path, "reasoning")
    return None


def _read_score(score: object, path: str, findings: Findings) -> tuple[float | None, ScoreScale | None]:
    """Read a bare score in [0, 1], or normalise one on its recorded scale (R47–R55)."""
    value: float | None = None
    scale: ScoreScale | None = None
    if score is None:
        return None, None
    if is_number(score):
        value = to_double(score)
    elif is_object(score):
        value, scale = _scaled(score.get("value"), score.get("min"), score.get("max"))
    if value is None or not 0 <= value <= 1:
        findings.unparseable(path, "score")
        return None, scale
    return value, scale


def _scaled(value: object, low: object, high: object) -> tuple[float | None, ScoreScale | None]:
    """Normalise `value` on [low, high]; both results null where one of them is no number or the bounds are bad."""
    if not (is_number(value) and is_number(low) and is_number(high)):
        return None, None
    at, lowest, highest = to_double(value), to_double(low), to_double(high)
    if not (math.isfinite(lowest) and math.isfinite(highest) and lowest < highest):
        return None, None
    return (at - lowest) / (highest - lowest), ScoreScale(min=lowest, max=highest)


def _read_checks(checks: object, path: str, findings: Findings) -> tuple[Check, ...]:
    """Read the checks, dropping entries that name nothing or don't say whether they passed (R56)."""
    if checks is None:
        findings.absent(path, "checks")
        return ()
    if not isinstance(checks, list):
        findings.unparseable(path, "checks")
        return ()
    read: list[Check] = []
    for index, entry in enumerate(checks):
        name, passed = (entry.get("name"), entry.get("passed")) if is_object(entry) else (None, None)
        if not isinstance(name, str) or is_blank(name) or not isinstance(passed, bool):
            findings.unparseable(path, f"checks[{index}]")
            continue
        detail = entry.get("message")
        if not isinstance(detail, str):
            note = findings.absent if detail is None else findings.unparseable
            note(f"{path}.checks[{index}]", "message")
            detail = ""
        read.append(Check(name=name, passed=passed, detail=detail))
    return tuple(read)
