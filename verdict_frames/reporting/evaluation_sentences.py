"""Tallies and sweeps of stored evaluations in sentences that a person can quote."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from verdict_frames.reporting.printable import printable
from verdict_frames.reporting.sentences import percent
from verdict_frames.vocabulary import EVALUATION_FAILURE_CODES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from verdict_frames.statistics.evaluations.sweeps import Sweep

_REVIEWED: Final = {
    "reviewed_by_rule": "reviewed by a rule",
    "reviewed_invalid_answer": "reviewed for an invalid answer",
    "rejected": "rejected",
}


def quotable_evaluations(row: Mapping[str, Any]) -> str:
    """Put one row of a tally of evaluations into a sentence: the rate, its interval, and all that isn't accepted.

    Args:
        row: A row of what `verdict_frames.tally` gives for evaluations, as a mapping.
    """
    return "; ".join([*evaluation_clauses(row), f"policy {printable(row['policy'], one_line=True)}"])


def evaluation_clauses(row: Mapping[str, Any]) -> list[str]:
    """Return the clauses of that sentence, the rate first, without the policy.

    Args:
        row: A row of what `verdict_frames.tally` gives for evaluations, as a mapping.
    """
    clauses = [_rate(row)]
    clauses += [f"{row[name]} {words}" for name, words in _REVIEWED.items() if row[name]]
    if row["failed"]:
        codes = [name for name in (*EVALUATION_FAILURE_CODES, "other_failure") if row[name]]
        clauses.append(f"{row['failed']} failed ({', '.join(f'{row[code]} {code}' for code in codes)})")
    if row["no_status"]:
        clauses.append(f"{row['no_status']} without a stored status")
    if row["answers_not_recorded"]:
        clauses.append(f"answers not recorded: {row['answers_not_recorded']}")
    keys = f"{row['total']} rows, {row['keys']} different keys"
    keys += f" ({row['repeated_keys']} of them repeated)" if row["repeated_keys"] else ""
    clauses.append(keys + (f", {row['without_key']} without a key" if row["without_key"] else ""))
    if row["left_out"]:
        clauses.append(f"{row['left_out']} left out for another one of the same key")
    return clauses


def quotable_sweep(swept: Sweep) -> str:
    """Say what was decided, what was left out, and what the pack's own threshold does.

    Args:
        swept: What `verdict_frames.sweep` gives.
    """
    name = printable(swept.threshold.name, one_line=True)
    clauses = [f"{swept.decided} evaluations decided"]
    for row in swept.current().iter_rows(named=True):
        share = "" if row["accept_rate"] is None else f" ({percent(row['accept_rate'])})"
        clauses.append(f"at the pack's {name} = {row['threshold']:g} it accepts {row['accepted']}{share}")
        if swept.labelled is not None:
            clauses.append(checked(row, swept.level))
    if swept.failed:
        clauses.append(f"{swept.failed} failed and are left out")
    if swept.answers_not_recorded:
        clauses.append(f"{swept.answers_not_recorded} without recorded answers are left out")
    if swept.repeated_keys:
        clauses.append(f"{swept.repeated_keys} keys are repeated, so these are not independent")
    return "; ".join(clauses)


def checked(row: Mapping[str, Any], level: float) -> str:
    """Say of the accepted ones that were checked how many were wrong, and how large the error rate may be.

    Args:
        row: A row of the steps of a sweep with labels.
        level: The confidence level of its bounds.
    """
    if row["bound"] is None:
        return "none of the accepted ones was checked"
    most = f"at most {percent(row['bound'])} wrong with {100 * level:g} % confidence"
    return f"of the {row['checked']} checked, {row['wrong']} wrong ({most})"


def _rate(row: Mapping[str, Any]) -> str:
    counted = f"{row['accepted']} accepted of {row['eligible']} eligible"
    if row["accept_rate"] is None:
        return f"{counted} (no rate: {row['rate_note']})"
    if row["ci_low"] is None:
        return f"{counted} ({percent(row['accept_rate'])}, no interval: {row['ci_method']})"
    interval = f"{100 * row['confidence_level']:g} % interval {100 * row['ci_low']:.0f}–{100 * row['ci_high']:.0f} %"
    return f"{counted} ({percent(row['accept_rate'])}, {interval})"
