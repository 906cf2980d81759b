"""The order of work: one stored verdict in, one interpretation out (R32–R39)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verdict_frames.errors import ArgumentError
from verdict_frames.interpretation.decision import follow_decisions
from verdict_frames.interpretation.findings import Findings
from verdict_frames.interpretation.stages import read_root, read_stages
from verdict_frames.interpretation.summary import summarize
from verdict_frames.interpretation.support import reading_of, support_of
from verdict_frames.records import SCHEMA_VERSION, Facts, Interpretation
from verdict_frames.verdicts.stored import to_stored
from verdict_frames.verdicts.verdict import Verdict


def interpret(verdict: Mapping[str, Any] | Verdict) -> Interpretation:
    """Read one stored verdict of agent-judge 0.13–0.17, whole or damaged, or a live one as its stored form.

    Whatever the verdict holds, it is read as far as it can be: what it lacks, can't say, says in an unknown token or
    contradicts becomes a defect. The input isn't changed, and the same input gives the same result.

    Args:
        verdict: The verdict as parsed from JSON, or as built in Python.

    Returns:
        The interpretation. Its `reading` is null where the record says nothing readable about the subject.

    Raises:
        ArgumentError: `verdict` is neither a mapping nor a `Verdict`; no content of a mapping raises.

    Example:
        >>> read = interpret({"aggregated": {"status": "error", "reasoning": "the judge's model timed out"}})
        >>> read.reading, read.reading_support
        (<Reading.NOT_ASSESSED: 'NOT_ASSESSED'>, <Support.UNDETERMINED: 'UNDETERMINED'>)
        >>> [f"{defect.kind} {defect.path}.{defect.field}" for defect in read.defects][:2]
        ['ABSENT verdict.aggregated.reasonCode', 'ABSENT verdict.aggregated.checks']
    """
    facts = read_facts(verdict)
    fields = {name: getattr(facts, name) for name in facts.__struct_fields__}
    return Interpretation(**fields, summary=summarize(facts))


def read_facts(verdict: Mapping[str, Any] | Verdict) -> Facts:
    """Read one verdict without putting it into words; see `interpret`."""
    stored = to_stored(verdict) if isinstance(verdict, Verdict) else verdict
    _require_mapping(stored)
    findings = Findings()
    root = read_root(stored, findings)
    stages = read_stages(stored, findings)
    walk = follow_decisions(stored, findings)
    reading = reading_of(root, walk)
    support = support_of(stored, root, walk, reading, findings)
    stamped = stored.get("decision") is not None and stored.get("seats") is not None
    return Facts(
        schema_version=SCHEMA_VERSION,
        source_version=1 if stamped else 0,
        reading=reading,
        reading_support=support,
        decided_by=walk.decided_by,
        root=root,
        stages=stages,
        defects=tuple(findings.defects),
    )


def _require_mapping(stored: object) -> None:
    if not isinstance(stored, Mapping):
        message = (
            "a verdict is a live Verdict, or a mapping such as json.loads gives for an object, not "
            f"{type(stored).__name__}; an item without a verdict has nothing to interpret"
        )
        raise ArgumentError(message)
