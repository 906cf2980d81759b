"""An interpretation in prose, from its fields and nothing else (R98–R102).

Recorded text (names, reasonings, unknown tokens, paths) stands verbatim inside “…”; every word outside is ours or a
known token that the fields hold. Counts go by the names of their members, so that no status is mentioned by the way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from verdict_frames.vocabulary import (
    DECISION_BASES,
    DISPOSITION_REASONS,
    ERROR_POLICIES,
    FAILURE_CODES,
    NOT_APPLICABLE_POLICIES,
    REASON_CODES,
    RELATIONS,
    STATUSES,
    TIER_POLICIES,
    DecidedByKind,
    Reading,
    Support,
)

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from verdict_frames.records import Defect, Evidence, Facts, JudgeSeat, Stage

READING_IN_WORDS = {
    Reading.ACCEPTED: "the subject met the criteria",
    Reading.REJECTED: "the subject did not meet the criteria",
    Reading.UNDECIDED: "the jury came to no decision",
    Reading.NOT_APPLICABLE: "the criteria do not apply to the subject",
    Reading.NOT_ASSESSED: "the jury could not assess the subject",
}
"""What each reading means for a reader who doesn't know the token."""

SUPPORT_IN_WORDS = {
    Support.SUPPORTED: "the record is consistent",
    Support.CONTRADICTED: "the record contradicts itself",
    Support.UNDETERMINED: "the reading can't be checked against the record",
}
"""What each support means; none of them says that the verdict is right."""

_FORM = {0: "an unstamped form older than 0.17", 1: "the seven-component form of 0.17"}


def summarize(facts: Facts) -> str:
    """Put an interpretation into words.

    The text is a function of the fields alone: it names every stage, judge, status, reason code and defect, the
    evidence, who decided, the reading and its support. Scores, checks and weights are left to the fields.

    Args:
        facts: An interpretation; its own `summary` isn't looked at.

    Returns:
        A few sentences in one line, save for line ends inside quoted text.
    """
    parts = [
        f"{_reading(facts)}.",
        f"{decision_in_words(facts)}.",
        _node("The root", facts.root),
        *(_stage(stage) for stage in facts.stages),
        f"Source version {facts.source_version}: {_FORM.get(facts.source_version, 'a form unknown here')}.",
        _defects(facts.defects),
    ]
    return " ".join(parts)


def decided_by_kind(facts: Facts) -> DecidedByKind:
    """Tell "the root decided itself" from "not recorded", which both have no `decided_by` (R102)."""
    if facts.decided_by is not None:
        return DecidedByKind.STAGE
    for defect in facts.defects:
        if defect.path == "verdict.decision" or (defect.path == "verdict" and defect.field == "decision"):
            return DecidedByKind.NOT_RECORDED
    return DecidedByKind.ROOT


def decision_in_words(facts: Facts) -> str:
    """Say who decided, in a clause without a full stop."""
    if facts.decided_by is None:
        by_root = decided_by_kind(facts) is DecidedByKind.ROOT
        return "The root’s own reduction decided" if by_root else "Who decided is not recorded"
    basis = _token(facts.decided_by.basis, DECISION_BASES)
    path = _path(facts.decided_by.path)
    return f"The stage {_quoted(facts.decided_by.stage)} decided (path {path}) on the basis {basis}"


def _reading(facts: Facts) -> str:
    reading = (
        f"Reading {facts.reading}: {READING_IN_WORDS[facts.reading]}" if facts.reading else "No reading can be told"
    )
    return f"{reading}. Support {facts.reading_support}: {SUPPORT_IN_WORDS[facts.reading_support]}"


def _stage(stage: Stage) -> str:
    where = _path(stage.path) if stage.path else "the root"
    label = f"The stage {where}" if stage.stage is not None else f"An anonymous stage below {where}"
    facts = [_token(stage.relation, RELATIONS), _token(stage.policy, TIER_POLICIES), _use(stage)]
    if stage.failure is not None:
        facts.append(f"failure code {_token(stage.failure, FAILURE_CODES)}")
    return _node(f"{label} ({', '.join(fact for fact in facts if fact)})", stage)


def _use(stage: Stage) -> str:
    reason = f" because of {_token(stage.reason, DISPOSITION_REASONS)}" if stage.reason is not None else ""
    if stage.used_by_parent is not None:
        return ("used by its parent" if stage.used_by_parent else "not used by its parent") + reason
    if stage.disposition is not None:
        return f"with the unrecognised disposition {_quoted(stage.disposition)}{reason}"
    return f"its use by the parent is not recorded{reason}"


def _node(label: str, stage: Stage) -> str:
    sentences = [f"{label}: {_judgment(stage.status, stage.reason_code, stage.reasoning)}."]
    if stage.evidence is not None and (evidence := _evidence(stage.evidence)):
        sentences.append(f"Its evidence: {evidence}.")
    judges = "; ".join(_judge(judge) for judge in stage.judges)
    sentences.append(f"Its judges: {judges}." if judges else "No judges are recorded for it.")
    return " ".join(sentences)


def _judge(judge: JudgeSeat) -> str:
    return f"{_quoted(judge.name)} {_judgment(judge.status, judge.reason_code, judge.reasoning)}"


def _judgment(status: str | None, reason_code: str | None, reasoning: str | None) -> str:
    words = _token(status, STATUSES) or "without a readable status"
    if reason_code is not None:
        words += f" [{_token(reason_code, REASON_CODES)}]"
    if reasoning:
        words += f" {_quoted(reasoning)}"
    return words


def _evidence(evidence: Evidence) -> str:
    """List the members that R99 asks for, each under its stored name, nulls left out."""
    strategy = None if evidence.strategy is None else _quoted(evidence.strategy)
    codes = ", ".join(
        f"{_token(code, REASON_CODES)} × {count}" for code, count in (evidence.error_code_counts or {}).items()
    )
    members: Iterable[tuple[str, object]] = (
        ("strategy", strategy),
        ("errorPolicy", _token(evidence.error_policy, ERROR_POLICIES)),
        ("notApplicablePolicy", _token(evidence.not_applicable_policy, NOT_APPLICABLE_POLICIES)),
        ("threshold", evidence.threshold),
        ("inputCount", evidence.input_count),
        ("eligibleCount", evidence.eligible_count),
        ("passCount", evidence.pass_count),
        ("failCount", evidence.fail_count),
        ("errorCount", evidence.error_count),
        ("notApplicableCount", evidence.not_applicable_count),
        ("explicitAbstainCount", evidence.explicit_abstain_count),
        ("errorCodeCounts", codes or None),
    )
    return ", ".join(f"{name} {value}" for name, value in members if value is not None)


def _defects(defects: tuple[Defect, ...]) -> str:
    if not defects:
        return "No defects."
    listed = "; ".join(f"{defect.kind} {_quoted(defect.path)} {_quoted(defect.field)}" for defect in defects)
    return f"Defects ({len(defects)}): {listed}."


def _path(segments: tuple[str, ...]) -> str:
    return " / ".join(_quoted(segment) for segment in segments)


def _token(token: str | None, known: Container[str]) -> str | None:
    """Give a known token bare and any other text quoted."""
    return token if token is None or token in known else _quoted(token)


def _quoted(text: str) -> str:
    return f"“{text}”"
