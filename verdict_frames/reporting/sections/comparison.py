"""Treatments beside a baseline on the same items: what changed, and whether it may be chance."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

import polars as pl

from verdict_frames.plots.transitions import plot_transitions
from verdict_frames.reporting.cells import count, number, share, table_of, text, with_interval, words
from verdict_frames.reporting.comparison_sentences import difference_lines, quotable_comparisons, uncounted_lines
from verdict_frames.reporting.counted import ORDINAL
from verdict_frames.reporting.figures import figure
from verdict_frames.reporting.value import Note, Quoted, Section
from verdict_frames.statistics.counted import ITEM, LEFT_OUT
from verdict_frames.statistics.vocabulary import Change

if TYPE_CHECKING:
    from verdict_frames.reporting.counted import CountedItems
    from verdict_frames.reporting.value import Block, Table
    from verdict_frames.statistics.comparison.result import Comparison

_OVERALL: Final = {
    "treatment": text("treatment"),
    "pairs": count("pairs", "Items that are counted on both sides; the rates are about these."),
    "baseline_rate": share("baseline"),
    "treatment_rate": share("treatment"),
    "difference": share("difference"),
    "interval": words("interval", "The difference that more such items would show."),
    "wins": count("wins", "Items that passed more often with the treatment."),
    "losses": count("losses", "Items that passed less often with it."),
    "p_value": number("p", "That a treatment without effect shows such a difference."),
    "p_adjusted": number("p adjusted", "The same, adjusted for the number of comparisons."),
    "lost": count("lost", "Items that are no pair."),
    "bound_low": share("least", "The difference if every lost trial spoke against the treatment."),
    "bound_high": share("most", "The difference if every lost trial spoke for it."),
}
_CHANGED: Final = {
    "treatment": text("treatment"),
    "item": text("item"),
    "change": words("change"),
    "baseline_state": words("baseline"),
    "treatment_state": words("with the treatment"),
    "baseline_rate": share("baseline rate"),
    "treatment_rate": share("treatment rate"),
    "trials": count("trials"),
}
_TRANSITIONS: Final = {
    "treatment": text("treatment"),
    "baseline_state": words("baseline"),
    "treatment_state": words("with the treatment"),
    "items": count("items"),
}
MOST_CHANGED: Final = 300
"""How many items that changed are listed."""
MOST_DRAWN: Final = 4
"""How many treatments have a picture of their transitions."""


def comparison_section(items: CountedItems, compared: Comparison) -> Section:
    """Show a comparison.

    Args:
        items: What was counted, by the column that is compared by.
        compared: What `compare` gives for it, within nothing.
    """
    trials = _trials(items, compared)
    blocks: list[Block] = [Note(words=(f"{line}.",)) for line in quotable_comparisons(compared)]
    blocks.append(_overall_table(trials, compared))
    changed = changed_items(compared)
    if not changed.is_empty():
        blocks.append(_changed_table(trials, changed))
    blocks.append(_transition_table(trials, compared))
    for treatment in compared.treatments[:MOST_DRAWN]:
        name = f"From {compared.baseline} to {treatment}, in items."
        alt = "The table of the same transitions, as a picture."
        blocks.append(figure(partial(plot_transitions, compared, treatment=treatment), caption=name, alt=alt))
    lines = [*difference_lines(compared), *uncounted_lines(compared)]
    blocks += [Note(words=(f"{line}.",)) for line in lines]
    return Section(key="comparison", title="Comparison", blocks=tuple(blocks))


def unlike_section(why: str) -> Section:
    """Say why there is no comparison.

    Args:
        why: In what the runs are unlike.
    """
    return Section(key="comparison", title="Comparison", blocks=(Note(words=("No comparison: ", Quoted(why))),))


def changed_items(compared: Comparison) -> pl.DataFrame:
    """Return the rows of the items of a comparison that passed more or less often with the treatment."""
    return pl.concat([compared.wins(), compared.losses()])


def changed_ordinals(items: CountedItems, compared: Comparison) -> tuple[int, ...]:
    """Return the ordinals of all trials of items that changed."""
    return _ordinals(_trials(items, compared), changed_items(compared))


def _overall_table(trials: pl.DataFrame, compared: Comparison) -> Table:
    conditions = {
        "pairs": pl.col("cause").is_null(),
        "lost": pl.col("cause").is_not_null(),
        "wins": (pl.col("change") == Change.WIN).fill_null(value=False),
        "losses": (pl.col("change") == Change.LOSS).fill_null(value=False),
    }
    followed = {
        name: [_ordinals(trials, compared.items.filter(condition, treatment=each)) for each in compared.treatments]
        for name, condition in conditions.items()
    }
    overall = with_interval(compared.overall, "interval", "ci", method="ci_note")
    caption = f"Each treatment beside the baseline {compared.baseline}"
    return table_of(overall, _OVERALL, caption=caption, items=followed)


def _changed_table(trials: pl.DataFrame, changed: pl.DataFrame) -> Table:
    followed = [_ordinals(trials, row) for row in changed.iter_slices(1)]
    counts = pl.Series("trials", [len(row) for row in followed], dtype=pl.Int64)
    table = _in_words(changed).with_columns(counts)
    return table_of(
        table, _CHANGED, caption="Items that changed", heads=2, items={"trials": followed}, most=MOST_CHANGED
    )


def _transition_table(trials: pl.DataFrame, compared: Comparison) -> Table:
    key = ["treatment", "baseline_state", "treatment_state"]
    followed = [
        _ordinals(trials, compared.items.join(row, on=key, how="semi")) for row in compared.transitions.iter_slices(1)
    ]
    table = _in_words(compared.transitions)
    return table_of(table, _TRANSITIONS, caption="From state to state", heads=3, items={"items": followed})


def _in_words(rows: pl.DataFrame) -> pl.DataFrame:
    states = pl.col("baseline_state", "treatment_state").cast(pl.String)
    return rows.with_columns(states.str.to_lowercase().str.replace_all("_", " "))


def _trials(items: CountedItems, compared: Comparison) -> pl.DataFrame:
    """Return the counted trials that can be paired, by `item` and the `side` that they are on."""
    (by,) = items.groups
    counted = items.frame.filter(~pl.col(LEFT_OUT), pl.col(ITEM).is_not_null())
    side = pl.col(by).cast(pl.String)
    chosen = counted.select(pl.col(ITEM).alias("item"), side.alias("side"), ORDINAL)
    return chosen.with_columns((pl.col("side") == compared.baseline).alias("is_baseline"))


def _ordinals(trials: pl.DataFrame, rows: pl.DataFrame) -> tuple[int, ...]:
    """Return the trials of the items of these rows, on the side of the baseline and on that of their treatment."""
    before = trials.filter("is_baseline").join(rows, on="item", how="semi")
    after = trials.join(rows, left_on=["item", "side"], right_on=["item", "treatment"], how="semi")
    return tuple(pl.concat([before, after])[ORDINAL].unique().sort().to_list())
