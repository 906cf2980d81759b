"""How items went through the tiers of cascades, and what the members of meta juries said."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

import polars as pl

from verdict_frames.plots.stage_funnel import plot_stage_funnel
from verdict_frames.reporting.cells import count, counted_columns, table_of, text, words
from verdict_frames.reporting.figures import figure
from verdict_frames.reporting.value import Section
from verdict_frames.statistics.judges.seats import items_that_count
from verdict_frames.statistics.stages.attempts import attempts_of
from verdict_frames.statistics.stages.funnel import stage_funnel

if TYPE_CHECKING:
    from collections.abc import Iterable

    from verdict_frames.frames.corpus import Corpus
    from verdict_frames.reporting.counted import CountedItems
    from verdict_frames.reporting.value import Block, Column
    from verdict_frames.statistics.vocabulary import EvaluationChoice

_PLACES: Final = {"experiment_name": text("experiment"), "path": text("below")}
_TIERS: Final = {
    "tier": text("tier"),
    "jury_policy": words("stops"),
    "entered": count("entered"),
    "passed_on": count("passed on"),
    "stopped": count("stopped here"),
    "stopped_accepted": count("accepted"),
    "stopped_rejected": count("rejected"),
    "stopped_undecided": count("undecided"),
    "stopped_not_applicable": count("not applicable"),
    "stopped_not_assessed": count("not assessed"),
    "stopped_no_reading": count("no reading"),
    "execution_failed": count("failed to execute", "The tier never came to a verdict; the cascade may have gone on."),
    "unresolved": count("unresolved", "The cascade ran out of tiers."),
    "not_recorded": count("not recorded", "The record doesn't tell what became of the item here."),
}
_MEMBERS: Final = {
    "member": text("member"),
    "listed": count("listed"),
    "used": count("used"),
    "not_used": count("not used"),
    "use_not_recorded": count("use not recorded"),
    "execution_failed": count("failed to execute"),
    "passed": count("passed"),
    "failed": count("failed"),
    "abstained": count("abstained"),
    "not_applicable": count("not applicable"),
    "errored": count("errored"),
    "other_status": count("other status"),
    "no_status": count("no status"),
}
MOST_DRAWN: Final = 40
"""How many tiers or members a picture has."""
_ALWAYS: Final = ("tier", "member", "jury_policy", "entered", "passed_on", "stopped", "listed", "passed", "failed")


def stages_section(
    corpus: Corpus, items: CountedItems, *, by: list[str], evaluations: EvaluationChoice | str
) -> Section | None:
    """Show tiers and members, or nothing where there are none.

    Args:
        corpus: What was counted.
        items: Its items.
        by: What stages are told apart by, beside their place: the experiment, or nothing.
        evaluations: Which evaluation of the same work counts.
    """
    funnel = stage_funnel(corpus, by or None, evaluations=evaluations)
    blocks: list[Block] = []
    for part, table, columns, relation, entered, caption in (
        ("tiers", funnel.tiers, _TIERS, "cascade_tier", "entered", "How items went through the tiers of cascades"),
        ("members", funnel.members, _MEMBERS, "meta_member", "listed", "What the members of meta juries said"),
    ):
        if table.is_empty():
            continue
        name = next(iter(columns))
        behind = _behind(corpus, items, table, relation, [*by, name], evaluations=evaluations)
        place = pl.col("path").list.join(" / ")
        placed = table.with_columns(pl.when(place == "").then(pl.lit("(root)")).otherwise(place).alias("path"))
        shown = {column: _PLACES[column] for column in (*by, "path")} | _noted(table, columns)
        heads = len(by) + 2
        blocks.append(table_of(placed, shown, caption=caption, heads=heads, items={entered: behind}))
        if table.height <= MOST_DRAWN:
            alt = "The table before, as a picture."
            blocks.append(figure(partial(plot_stage_funnel, funnel, part=part), caption=f"{caption}.", alt=alt))
    return Section(key="stages", title="Stages", blocks=tuple(blocks), aside=True) if blocks else None


def _noted(table: pl.DataFrame, columns: dict[str, Column]) -> dict[str, Column]:
    """Leave out counts that are 0 throughout."""
    sometimes = {name: column for name, column in columns.items() if name not in _ALWAYS}
    noted = counted_columns(table, sometimes)
    return {name: column for name, column in columns.items() if name in _ALWAYS or name in noted}


def _behind(
    corpus: Corpus,
    items: CountedItems,
    table: pl.DataFrame,
    relation: str,
    key: list[str],
    *,
    evaluations: EvaluationChoice | str,
) -> list[Iterable[int]]:
    """Return the items that came to each tier or member."""
    *by, name = key
    counted = items_that_count(corpus, by or None, evaluations=evaluations, taken=())
    attempts = attempts_of(corpus, counted, relation).with_columns(pl.col("parent_path").list.join("\0"))
    found = items.of_rows(attempts, [*by, "parent_path", "stage"])
    rows = table.select(*by, pl.col("path").list.join("\0"), name).rows()
    return [found.get(row, ()) for row in rows]
