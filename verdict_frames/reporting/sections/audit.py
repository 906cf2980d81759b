"""What the files recorded beside what their verdicts say, and why the two differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from verdict_frames.reporting.audit_sentences import quotable_audit
from verdict_frames.reporting.cells import count, number, recorded_columns, share, table_of, text, words
from verdict_frames.reporting.value import Note, Section

if TYPE_CHECKING:
    from verdict_frames.reporting.counted import CountedItems
    from verdict_frames.reporting.value import Block
    from verdict_frames.statistics.audit.audits import Audit

_CAUSES: Final = {
    "cause": words("cause"),
    "passed": words("recorded as passed"),
    "items": count("items"),
    "passes_change": number("change of the numerator", "From items recorded as passed to accepted ones."),
    "eligible_change": number("change of the denominator", "From all recorded items to eligible ones."),
}
_RECOUNTS: Final = {
    "run_id": text("run"),
    "policy": words("policy"),
    "passes": count("passes"),
    "non_passes": count("non-passes"),
    "excluded": count("excluded"),
    "instrument_failures": count("instrument failures"),
    "unattestable": count("unattestable"),
    "not_judged": count("not judged"),
    "set_aside": count("set aside"),
    "pass_rate": share("pass rate"),
    "stored_rate": share("as stored", "The rate that the file states, or that its stored counts give."),
    "difference": number("difference", "The pass rate less the stored one, as a share."),
}
MOST_RECOUNTS: Final = 200
"""How many rows of recounts are listed."""


def audit_section(items: CountedItems, audited: Audit) -> Section | None:
    """Show an audit, or nothing where no counted item is of a run that recorded whether items passed.

    Args:
        items: What was counted.
        audited: What `audit` gives without groups.
    """
    if not (audited.rates["recorded_items"] > 0).any():
        return None
    blocks: list[Block] = [Note(words=(f"{line}.",)) for line in quotable_audit(audited)]
    if not audited.causes.is_empty():
        key = ["cause", "passed"]
        behind = items.of_rows(audited.items, key)
        causes = audited.causes.with_columns(
            pl.col("cause").cast(pl.String).str.replace_all("_", " "),
            pl.col("passed").replace_strict({True: "yes", False: "no"}, default="neither", return_dtype=pl.String),
        )
        followed = [behind[group] for group in audited.causes.select(key).iter_rows()]
        caption = "Items that were recorded otherwise than they count"
        blocks.append(table_of(causes, _CAUSES, caption=caption, heads=2, items={"items": followed}))
    recounts = audited.recounts
    if not recounts.is_empty():
        caption = "Each run as each policy counts it"
        shown = recorded_columns(recounts, _RECOUNTS)
        blocks.append(table_of(recounts, shown, caption=caption, heads=2, most=MOST_RECOUNTS, folded=True))
    return Section(key="audit", title="Recorded and counted", blocks=tuple(blocks), aside=True)
