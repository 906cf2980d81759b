"""An audit in sentences that a person can quote, each claiming no more than what was recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from verdict_frames.reporting.printable import printable
from verdict_frames.reporting.sentences import counted, percent
from verdict_frames.statistics.audit.stated import PASSED_OF_ALL
from verdict_frames.statistics.audit.vocabulary import AuditCause
from verdict_frames.vocabulary import RunKind

if TYPE_CHECKING:
    from verdict_frames.statistics.audit.audits import Audit

NAMED: Final = 5
"""How many runs, fields or scores a sentence names."""

_CAUSES: Final = {
    AuditCause.AGENT_FAILED: "agent failed",
    AuditCause.NOT_JUDGED: "never judged",
    AuditCause.CONTRADICTED: "record contradicts itself",
    AuditCause.NO_READING: "no reading",
    AuditCause.JURY_ERRORED: "jury errored",
    AuditCause.JURY_ABSTAINED: "jury abstained",
    AuditCause.NOT_APPLICABLE: "not applicable",
    AuditCause.UNVERIFIED: "can't be checked against the record",
    AuditCause.REJECTED_BUT_PASSED: "rejected",
    AuditCause.ACCEPTED_BUT_NOT_PASSED: "accepted",
    AuditCause.REJECTED_BUT_NEITHER: "rejected",
}
_OUTCOMES: Final = {AuditCause.JURY_ERRORED: "errored", AuditCause.JURY_ABSTAINED: "abstained"}


def quotable_audit(audit: Audit) -> list[str]:
    """Say what was recorded, what counts, why the two differ, and what else of the record doesn't hold.

    Args:
        audit: What `verdict_frames.audit` gives, whatever it is grouped by.

    Returns:
        Lines, those about pass rates first.
    """
    totals = audit.rates.select(pl.col("recorded_passes", "recorded_items", "passes", "eligible").sum())
    beside = audit.rates.select(pl.col("recorded_neither", "without_record", "left_out").sum())
    row = totals.row(0, named=True) | beside.row(0, named=True)
    lines = [_outset(row, audit.policy)]
    if row["recorded_items"]:
        causes = audit.causes.group_by("cause", "passed").agg(pl.col("items", "passes_change", "eligible_change").sum())
        causes = causes.sort("cause", "passed")
        lines += _misrecorded(causes)
        lines += [_way(row, causes, "eligible"), _way(row, causes, "passes")]
    return [*lines, *_stated(audit), *_beside(audit)]


def _outset(row: dict[str, int], policy: str) -> str:
    items, passes = row["recorded_items"], row["recorded_passes"]
    left = []
    if row["without_record"]:
        left.append(f"{counted(row['without_record'], 'item')} of runs that recorded nothing about passing")
    if row["left_out"]:
        left.append(f"{counted(row['left_out'], 'item')} of judge experiments or judged again later")
    beside = f"; not in these numbers: {', '.join(left)}" if left else ""
    if not items:
        return f"nothing to audit: no counted item is of a run that recorded whether items passed{beside}"
    neither = f", {row['recorded_neither']} as neither" if row["recorded_neither"] else ""
    failed = items - passes - row["recorded_neither"]
    rate = f" ({percent(row['passes'] / row['eligible'])})" if row["eligible"] else " (no rate)"
    return (
        f"{counted(items, 'item')} recorded: {passes} as passed ({percent(passes / items)}), {failed} as not passed"
        f"{neither}; accepted: {row['passes']} of {row['eligible']} eligible{rate}{beside}; "
        f"policy {printable(policy, one_line=True)}"
    )


def _misrecorded(causes: pl.DataFrame) -> list[str]:
    """Say what stands behind the items that were recorded as not passed, as neither, and as passed."""
    counts: dict[bool | None, dict[AuditCause, int]] = {False: {}, None: {}, True: {}}
    for cause, passed, items in causes.select("cause", "passed", "items").iter_rows():
        counts[passed][AuditCause(cause)] = items
    lines = []
    not_passed = counts[False]
    without_decision = {words: not_passed.pop(cause) for cause, words in _OUTCOMES.items() if cause in not_passed}
    if without_decision:
        total = sum(without_decision.values())
        parts = [words if len(without_decision) == 1 else f"{words} ({n})" for words, n in without_decision.items()]
        outcomes = " or ".join(parts)
        lines.append(f"{total} had a jury that {outcomes} and {'was' if total == 1 else 'were'} recorded as not passed")
    others = {
        f"recorded as not passed{' beside these' if without_decision else ''}": not_passed,
        "recorded as neither": counts[None],
        "recorded as passed, but not counted so": counts[True],
    }
    for words, listed in others.items():
        if listed:
            causes_of = ", ".join(f"{items} {_CAUSES[cause]}" for cause, items in listed.items())
            lines.append(f"{words}: {sum(listed.values())} ({causes_of})")
    return lines


def _way(row: dict[str, int], causes: pl.DataFrame, part: str) -> str:
    """Write out the sum that leads from the recorded to the counted number."""
    start, what = (
        (row["recorded_items"], "denominator") if part == "eligible" else (row["recorded_passes"], "numerator")
    )
    changes = causes.group_by("cause", maintain_order=True).agg(pl.col(f"{part}_change").sum().alias("change"))
    steps = [
        f" {'+' if change > 0 else '-'} {abs(change)} {_CAUSES[AuditCause(cause)]}"
        for cause, change in changes.iter_rows()
        if change
    ]
    end = f"{row[part]} {'eligible' if part == 'eligible' else 'accepted'}"
    return f"{what}: {start} recorded{' as passed' if part == 'passes' else ''}{''.join(steps)} = {end}"


def _stated(audit: Audit) -> list[str]:
    """Say which way of counting gives what files state of themselves."""
    runs = audit.runs
    rates = runs.filter(pl.col("stored_pass_rate").is_not_null())
    counts = runs.filter(
        pl.any_horizontal(pl.col("^stored_.*$").exclude("stored_pass_rate").is_not_null()),
        pl.col("kind").cast(pl.String) != RunKind.JUDGE_EXPERIMENT,
    )
    told = [
        ("a pass rate", rates, "pass_rate_explained_by", "it is"),
        ("counts", counts, "counts_explained_by", "they are those of"),
    ]
    return [_reproduced(*each) for each in told if each[1].height]


def _reproduced(what: str, stating: pl.DataFrame, column: str, verb: str) -> str:
    named = stating[column].drop_nulls().value_counts(name="runs").sort("runs", column, descending=[True, False])
    told = []
    for by, runs in named.iter_rows():
        way = "items recorded as passed, of all items" if by == PASSED_OF_ALL else printable(by, one_line=True)
        told.append(f"in {runs} {verb} {way}")
    unexplained = stating.filter(pl.col(column).is_null())["run_id"]
    if len(unexplained):
        told.append(f"in {len(unexplained)} no way of counting here gives the same ({_names(unexplained)})")
    return f"{counted(stating.height, 'run')} {'states' if stating.height == 1 else 'state'} {what}: {'; '.join(told)}"


def _names(run_ids: pl.Series) -> str:
    named = ", ".join(printable(run_id, one_line=True) for run_id in run_ids.head(NAMED))
    return named + (f" and {len(run_ids) - NAMED} more" if len(run_ids) > NAMED else "")


def _beside(audit: Audit) -> list[str]:
    lines = [_interpretations(audit.interpretations)] if audit.interpretations.height else []
    if errors := audit.judge_errors.height:
        reached = counted(errors, "accepted or rejected verdict")
        lines.append(f"{reached} in which a judge errored or errors were absorbed into votes")
    if scores := audit.scores.height:
        lines.append(f"{counted(scores, 'score')} that no seat explains: {_most_frequent(audit.scores['name'])}")
    if copied := audit.copies.height:
        differing = audit.copies["disagreement"].count()
        differ = f", in {differing} of them the copies differ" if differing else ""
        lines.append(f"{copied} of {counted(audit.runs.height, 'run')} found more than once{differ}")
    return lines


def _interpretations(stored: pl.DataFrame) -> str:
    compared = stored["stored_difference"].drop_nulls()
    differing = compared.filter(compared.list.len() > 0)
    words = f"{counted(stored.height, 'stored interpretation')}: {len(differing) or 'none'} "
    words += f"{'differs' if len(differing) < 2 else 'differ'} from what its verdict gives"
    if len(differing):
        words += f" ({_most_frequent(differing.explode())})"
    without = stored.height - len(compared)
    return words + (f"; {without} without a verdict to compare with" if without else "")


def _most_frequent(texts: pl.Series) -> str:
    """List the texts that occur most often, with how often they do."""
    counts = texts.rename("text").value_counts(name="times").sort("times", "text", descending=[True, False])
    named = ", ".join(f"{printable(text, one_line=True)}: {times}" for text, times in counts.head(NAMED).iter_rows())
    return named + (f" and {counts.height - NAMED} more" if counts.height > NAMED else "")
