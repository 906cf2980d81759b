"""Tallies and readings of a store in sentences that a person can quote."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from verdict_frames.reporting.printable import printable
from verdict_frames.statistics.grouping import NOT_RECORDED
from verdict_frames.statistics.vocabulary import IntervalOver
from verdict_frames.vocabulary import Bucket, SourceState

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import polars as pl


class Account(Protocol):
    """What says which files were seen and what could not be read: a corpus, or the outcome of an export."""

    @property
    def sources(self) -> pl.DataFrame:
        """Grain one file seen."""

    @property
    def problems(self) -> pl.DataFrame:
        """Grain one thing that could not be read."""


_LEFT_OUT = {
    Bucket.INSTRUMENT_FAILURES: "not assessed",
    Bucket.EXCLUDED: "excluded",
    Bucket.UNATTESTABLE: "contradictory or without a reading",
    Bucket.SET_ASIDE: "set aside",
    Bucket.UNJUDGED: "never judged",
}
"""How the buckets outside the denominator are called; agents that failed have a clause of their own."""

_STATES = {
    SourceState.READ: "read",
    SourceState.COPY: "copies of these",
    SourceState.SKIPPED: "skipped by rule",
    SourceState.FOREIGN: "foreign",
    SourceState.PROBLEM: "unreadable",
}

MIXTURES_SHOWN = 12
"""How many groups of unlike runs are named one by one."""

PROBLEMS_SHOWN = 20
"""How many problems are listed one by one."""


def quotable(row: Mapping[str, Any]) -> str:
    """Put one row of a tally into a sentence: the rate, its interval, what is not in it, and the policy.

    Args:
        row: A row of what `verdict_frames.tally` gives, as a mapping.
    """
    return "; ".join([*quotable_clauses(row), f"policy {printable(row['policy'], one_line=True)}"])


def quotable_clauses(row: Mapping[str, Any]) -> list[str]:
    """Return the clauses of that sentence, the rate first, without the policy.

    Args:
        row: A row of what `verdict_frames.tally` gives, as a mapping.
    """
    clauses = [_rate(row)]
    left_out = [f"{row[bucket]} {words}" for bucket, words in _LEFT_OUT.items() if row[bucket]]
    clauses.append(f"left out: {', '.join(left_out) or 'nothing'}")
    if row["agent_failed"]:
        end_to_end = f"{row['passes']} of {row['eligible'] + row['agent_failed']}"
        clauses.append(f"agent failed before judging: {row['agent_failed']} (end to end {end_to_end})")
    if row["passed_recorded"]:
        published = percent(row["naive_rate"])
        unrecorded = row["total"] - row["passed_recorded"]
        nothing = f", {unrecorded} of them recorded as neither" if unrecorded else ""
        clauses.append(f"recorded as passed: {row['naive_passes']} of {row['total']} ({published}){nothing}")
    else:
        clauses.append("whether items passed is not recorded")
    if row["left_out"]:
        clauses.append(f"not in these numbers: {row['left_out']} items of judge experiments or judged again later")
    return clauses


def _rate(row: Mapping[str, Any]) -> str:
    undecided = f", {row['undecided']} of them undecided" if row["undecided"] else ""
    accepted = f"{row['passes']} accepted of {row['eligible']} eligible{undecided}"
    if row["pass_rate"] is None:
        return f"{accepted} (no rate: {row['rate_note']})"
    if row["ci_low"] is None:
        return f"{accepted} ({percent(row['pass_rate'])}, no interval: {row['ci_method']})"
    interval = f"{100 * row['confidence_level']:g} % interval {100 * row['ci_low']:.0f}–{100 * row['ci_high']:.0f} %"
    return f"{accepted} ({percent(row['pass_rate'])}, {interval}{what_over(row)})"


def what_over(row: Mapping[str, Any]) -> str:
    """Say what an interval is about, where it isn't about as many items as there are trials."""
    if row["over"] == IntervalOver.RUNS:
        return f" over runs of {counted(row['clusters'], 'item')}"
    return f" over {counted(row['clusters'], 'item')}" if row["clusters"] < row["eligible"] else ""


def mixtures(rows: Iterable[Mapping[str, Any]], groups: Sequence[str], *, most: int = MIXTURES_SHOWN) -> list[str]:
    """Say of each group whose runs are unlike what it mixes.

    Args:
        rows: Rows of what `verdict_frames.tally` gives, as mappings.
        groups: The group columns.
        most: How many groups are named; of the rest it is said how many they are.
    """
    lines = []
    for row in rows:
        if row["notes"]:
            named = [NOT_RECORDED if row[name] is None else str(row[name]) for name in groups] or ["everything"]
            lines.append(printable(f"{' / '.join(named)} mixes {'; '.join(row['notes'])}", one_line=True))
    more = len(lines) - most
    return lines if more <= 0 else [*lines[:most], f"… and {more} more groups mix runs (see `notes`)"]


def percent(share: float) -> str:
    """Write a share as a percentage with one decimal."""
    return f"{100 * share:.1f} %"


def files_seen(corpus: Account) -> str:
    """Say how many files were read, skipped or unreadable."""
    states = corpus.sources.get_column("state").cast(str).value_counts()
    counts = dict(states.iter_rows())
    named = [f"{counts[state]} {words}" for state, words in _STATES.items() if counts.get(state)]
    return f"{counted(corpus.sources.height, 'file')}: {', '.join(named) or 'none'}"


def counted(count: int, thing: str) -> str:
    """Say how many there are.

    Args:
        count: 0 or more.
        thing: What is counted, for one of it.

    Example:
        >>> counted(1, "run"), counted(0, "item")
        ('1 run', '0 items')
    """
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def problem_lines(corpus: Account, *, most: int = PROBLEMS_SHOWN) -> list[str]:
    """List the problems, each in one line with its place; beyond `most` the rest is counted."""
    lines = [problem_line(problem) for problem in corpus.problems.head(most).iter_rows(named=True)]
    if corpus.problems.height > most:
        lines.append(f"… and {corpus.problems.height - most} more problems (see `problems`)")
    return lines


def problem_line(problem: Mapping[str, Any]) -> str:
    """Put one problem into a line: its kind, its place and what it is."""
    path, message = problem["path"], problem["message"]
    places = [path] if problem["member"] is None else [path, problem["member"]]
    for name, place in (("line", problem["line"]), ("item", problem["item_index"])):
        if place is not None and f"{name} {place}" not in message:
            places.append(f"{name} {place}")
    return printable(f"{problem['kind']}: {', '.join(places)}: {message}", one_line=True)
