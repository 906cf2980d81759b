"""What the items took beside how often they passed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from verdict_frames.plots.cost import plot_cost
from verdict_frames.reporting.cells import count, number, share
from verdict_frames.reporting.figures import figure
from verdict_frames.reporting.group_tables import by_words, group_table
from verdict_frames.reporting.value import Section
from verdict_frames.statistics.costs import cost_table

if TYPE_CHECKING:
    from verdict_frames.frames.corpus import Corpus
    from verdict_frames.reporting.counted import CountedItems
    from verdict_frames.reporting.value import Block

_COLUMNS: Final = {
    "pass_rate": share("pass rate"),
    "mean": number("mean cost an item", "US dollars; items that record no cost take no part."),
    "mean_low": number("from", "Lower end of the interval of the mean, over items."),
    "mean_high": number("to", "Upper end of it."),
    "sum": number("sum", "US dollars."),
    "per_pass": number("cost a pass", "The sum divided by the accepted items; none where an item records no cost."),
    "passes": count("accepted"),
}
MOST_DRAWN: Final = 20
"""How many groups a picture of costs can name."""


def cost_section(corpus: Corpus, items: CountedItems, **counting: Any) -> Section | None:  # noqa: ANN401 - see `cost_table`
    """Show what items cost by group, or nothing where no cost is recorded.

    Args:
        corpus: What was counted.
        items: Its items, by the groups of the report.
        counting: Policy, level and choice of evaluations, as `cost_table` takes them.
    """
    rows = cost_table(corpus, items.groups or None, **counting)
    if not (rows["measured"] > 0).any():
        return None
    caption = f"Cost{by_words(items)}, in US dollars as recorded"
    blocks: list[Block] = [group_table(items, rows, _COLUMNS, caption=caption, rate="pass_rate")]
    if 1 < rows.height <= MOST_DRAWN:
        alt = "The table before, as a picture."
        blocks.append(figure(lambda: plot_cost(rows), caption="Cost against pass rate.", alt=alt))
    return Section(key="cost", title="Cost", blocks=tuple(blocks), aside=True)
