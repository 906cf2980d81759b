"""What stands at the top: the sentence to quote, the published rate beside the honest one, and how the judges did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from verdict_frames.reporting.group_tables import interval_in_words
from verdict_frames.reporting.sentences import counted, percent, quotable_clauses
from verdict_frames.reporting.value import Headline, KeyNumber, Quoted

if TYPE_CHECKING:
    from verdict_frames.reporting.counted import CountedItems

DASH = "–"


def headline(items: CountedItems, overall: dict[str, Any], judges: pl.DataFrame) -> Headline:
    """Put the count of everything at the top.

    Args:
        items: What was counted.
        overall: The row of a tally without groups.
        judges: What `judge_table` gives for the same items.
    """
    clauses = [(clause,) for clause in quotable_clauses(overall)]
    numbers = [_honest(items, overall), _published(items, overall)]
    if overall["agent_failed"]:
        numbers.append(_end_to_end(items, overall))
    return Headline(
        clauses=(*clauses, ("policy ", Quoted(overall["policy"]))), numbers=(*numbers, _judges(items, judges))
    )


def _honest(items: CountedItems, overall: dict[str, Any]) -> KeyNumber:
    of = f"{overall['passes']:,} accepted of {overall['eligible']:,} eligible"
    said = interval_in_words(overall, "pass_rate")
    if said is None:
        said = overall["rate_note"]
    elif overall["ci_low"] is None:
        said = f"no interval: {said}"
    else:
        said = f"{100 * overall['confidence_level']:g} % interval {said}"
    return KeyNumber(
        label="Pass rate", value=_share(overall["pass_rate"]), basis=f"{of}; {said}", items=items.behind("eligible")
    )


def _published(items: CountedItems, overall: dict[str, Any]) -> KeyNumber:
    recorded = overall["naive_rate"] is not None
    basis = f"{overall['naive_passes']:,} of all {overall['total']:,} items; what would have been published"
    return KeyNumber(
        label="Recorded as passed",
        value=_share(overall["naive_rate"]),
        basis=basis if recorded else "whether items passed is not recorded",
        items=items.behind("naive_passes") if recorded else None,
    )


def _end_to_end(items: CountedItems, overall: dict[str, Any]) -> KeyNumber:
    tried = overall["eligible"] + overall["agent_failed"]
    return KeyNumber(
        label="End to end",
        value=_share(overall["end_to_end_rate"]),
        basis=f"{overall['passes']:,} of {tried:,}, with {overall['agent_failed']:,} whose agent failed before judging",
        items=items.behind("tried"),
    )


def _judges(items: CountedItems, judges: pl.DataFrame) -> KeyNumber:
    own = judges.filter(~pl.col("is_jury"))
    seats, errors, abstentions = (int(own[name].sum()) for name in ("seats", "errored", "abstained"))
    if not seats:
        return KeyNumber(label="Judges that erred", value=DASH, basis="no judges are recorded")
    touched = items.behind("judge_error_items")
    said = f"{errors:,} of {seats:,} judgments, in {counted(len(touched), 'item')}"
    abstained = f"{abstentions:,} abstained ({percent(abstentions / seats)})"
    return KeyNumber(
        label="Judges that erred",
        value=percent(errors / seats),
        basis=f"{said}; {abstained}",
        items=touched,
    )


def _share(value: float | None) -> str:
    return DASH if value is None else percent(value)
