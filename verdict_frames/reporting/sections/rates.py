"""The pass rate of each group, with everything that it rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from verdict_frames.plots.composition import plot_composition
from verdict_frames.plots.pass_rates import plot_pass_rates
from verdict_frames.reporting.cells import count, counted_columns, share, words
from verdict_frames.reporting.figures import figure
from verdict_frames.reporting.group_tables import INTERVAL, by_words, group_table
from verdict_frames.reporting.sentences import mixtures
from verdict_frames.reporting.value import Note, Section

if TYPE_CHECKING:
    import polars as pl

    from verdict_frames.reporting.counted import CountedItems
    from verdict_frames.reporting.value import Block

_COLUMNS: Final = {
    "pass_rate": share("pass rate", "Accepted items of the eligible ones."),
    INTERVAL: words("interval", "Where the rate of more such items may lie; or why there is none."),
    "passes": count("accepted"),
    "eligible": count("eligible", "Accepted items and those that count against: the denominator."),
    "undecided": count("undecided", "No decision; in the denominator under the default policy."),
    "unverified": count("unverified", "The reading can't be checked against the record."),
    "naive_rate": share("recorded as passed", "What would have been published: recorded as passed, of all items."),
    "total": count("all", "Every item that isn't left out; the buckets sum to it."),
}
_OUTSIDE: Final = {
    "instrument_failures": count("not assessed", "The jury ran and could not assess the subject."),
    "excluded": count("not applicable", "The criteria don't apply, or the policy excludes it otherwise."),
    "unattestable": count("contradictory", "The record contradicts itself, or says nothing readable."),
    "set_aside": count("set aside", "The policy doesn't count what can't be checked against the record."),
    "agent_failed": count("agent failed", "Nobody judged it, because the agent's own work failed."),
    "unjudged": count("never judged", "Nobody judged it otherwise."),
    "left_out": count("left out", "Items of judge experiments, and of runs that were judged again later."),
}
_NOTABLE: Final = {name: _COLUMNS[name] for name in ("undecided", "unverified")}
"""Columns that are shown where some group has any."""
MOST_DRAWN: Final = 60
"""How many groups a figure shows; beyond that it can't be read, and the table has them all."""


def rates_section(items: CountedItems, rows: pl.DataFrame) -> Section:
    """Show the rates of a tally, and what is outside of them.

    Args:
        items: What was counted.
        rows: What `tally` gives for it, by the same groups.
    """
    by = by_words(items)
    noted = counted_columns(rows, _NOTABLE)
    shown = {name: column for name, column in _COLUMNS.items() if name not in _NOTABLE or name in noted}
    blocks: list[Block] = [group_table(items, rows, shown, caption=f"Pass rates{by}", rate="pass_rate")]
    outside = counted_columns(rows, _OUTSIDE)
    if outside:
        caption = f"Not counted{by}, and why"
        blocks.append(group_table(items, rows, outside, caption=caption, rate="pass_rate"))
    else:
        blocks.append(Note(words=("Every item is in the denominator.",)))
    blocks += [Note(words=(f"{line}.",)) for line in mixtures(rows.iter_rows(named=True), items.groups)]
    if items.groups and 0 < rows.height <= MOST_DRAWN:
        blocks.append(
            figure(
                lambda: plot_pass_rates(rows),
                caption=f"Pass rates{by}: dots with intervals; the faint mark is the rate as it was recorded.",
                alt=f"Pass rates{by}, as in the table of this name.",
            )
        )
        blocks.append(
            figure(
                lambda: plot_composition(rows),
                caption="What all items of each group were counted as.",
                alt="Stacked bars of the numbers in the two tables before.",
            )
        )
    return Section(key="rates", title="Rates", blocks=tuple(blocks))
