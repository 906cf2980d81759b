"""What came of gates, in lines that a CI log shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from verdict_frames.reporting.printable import printable
from verdict_frames.statistics.vocabulary import GateVerdict

if TYPE_CHECKING:
    from collections.abc import Iterable

    from verdict_frames.statistics.gates.outcome import GateLine, GateOutcome

REASONS_SHOWN: Final = 3
"""How many reasons are given for which gates are not evaluated; the rest is counted."""


def gate_lines(outcome: GateOutcome) -> list[str]:
    """Say what came of gates.

    Args:
        outcome: What `check_gates` gives.

    Returns:
        One line where all held, or where the measurement isn't fit, which says nothing about the agent; otherwise one
        for each thing that the agent didn't hold.

    Example:
        >>> from verdict_frames.statistics.gates.outcome import GateLine, GateOutcome
        >>> from verdict_frames.statistics.vocabulary import GateSubject
        >>> found = GateLine(subject=GateSubject.MEASUREMENT, asked="problems at most 0", about="the files", value=2,
        ...                  held=False, message="problems in reading: 2, at most 0 asked for")
        >>> gate_lines(GateOutcome(lines=(found,), policy="agent-judge-0.17"))[0]
        'gate not evaluated: problems in reading: 2, at most 0 asked for; this says nothing about the agent'
    """
    failed = outcome.failed()
    match outcome.verdict:
        case GateVerdict.NOT_EVALUATED:
            reasons = [gate_sentence(line) for line in failed[:REASONS_SHOWN]]
            more = [f"and {len(failed) - REASONS_SHOWN} more"] if len(failed) > REASONS_SHOWN else []
            lines = [f"gate not evaluated: {'; '.join([*reasons, *more])}; this says nothing about the agent"]
        case GateVerdict.NOT_HELD:
            lines = [f"gate not held: {gate_sentence(line)}; policy {outcome.policy}" for line in failed]
        case GateVerdict.HELD:
            lines = [f"gates held: {'; '.join([*_held(outcome.lines), *_beside(outcome)])}; policy {outcome.policy}"]
    return [printable(line, one_line=True) for line in lines]


def gate_sentence(line: GateLine) -> str:
    """Say what was found, with the note if there is one."""
    return line.message if line.note is None else f"{line.message} ({line.note})"


def _held(lines: Iterable[GateLine]) -> list[str]:
    """Name each thing that was asked, with what it was asked of, or of how many."""
    about: dict[str, list[str]] = {}
    for line in lines:
        about.setdefault(line.asked, []).append(line.about)
    return [f"{asked} ({names[0] if len(names) == 1 else f'each of {len(names)}'})" for asked, names in about.items()]


def _beside(outcome: GateOutcome) -> list[str]:
    notes = [f"{line.about}: {line.note}" for line in outcome.lines if line.note is not None]
    over = [f"not asked, being about comparisons: {', '.join(outcome.passed_over)}"] if outcome.passed_over else []
    return [*notes, *over]
