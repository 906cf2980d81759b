"""How far the rate depends on the policy, and on what isn't known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from verdict_frames.plots.bounds import plot_bounds
from verdict_frames.reporting.cells import count, share, table_of, with_interval, words
from verdict_frames.reporting.figures import figure
from verdict_frames.reporting.value import Note, Quoted, Section
from verdict_frames.statistics.sensitivity import cause_expression
from verdict_frames.statistics.vocabulary import Cause

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from verdict_frames.policies import Policy
    from verdict_frames.reporting.counted import CountedItems
    from verdict_frames.reporting.value import Block
    from verdict_frames.statistics.sensitivity import Bounds

_POLICIES: Final = {
    "policy": words("policy"),
    "pass_rate": share("pass rate"),
    "interval": words("interval"),
    "passes": count("accepted"),
    "eligible": count("eligible"),
}
_CAUSES: Final = {
    "cause": words("if these items"),
    "items": count("items"),
    "worst_rate": share("had all failed"),
    "best_rate": share("had all passed"),
    "worst_ci_low": share("from", "Lower end of the interval of the worst rate."),
    "best_ci_high": share("to", "Upper end of the interval of the best rate."),
}


def bounds_section(
    items: CountedItems, bounded: Bounds, *, policy: Policy, by_policy: Mapping[str, CountedItems]
) -> Section:
    """Show what other policies make of the rate, and what it could be if what isn't known were known.

    Args:
        items: What was counted.
        bounded: What `bounds` gives without groups.
        policy: The policy of the report.
        by_policy: The same items as each of its policies counts them, by the policy's name.
    """
    policies = with_interval(bounded.policies, "interval", "ci")
    followed = {
        name: [by_policy[policy].behind(name) for policy in policies["policy"]] for name in ("passes", "eligible")
    }
    blocks: list[Block] = [table_of(policies, _POLICIES, caption="All items under each policy", items=followed)]
    open_causes = bounded.causes.filter(pl.col("items") > 0)
    if not open_causes.is_empty():
        named = open_causes.with_columns(pl.col("cause").cast(pl.String).str.replace_all("_", " "))
        blocks.append(
            Note(
                words=("What isn't known, resolved against the subject and for it, under ", Quoted(bounded.policy), ":")
            )
        )
        behind = _behind(items, policy, open_causes["cause"].cast(pl.String).to_list())
        blocks.append(table_of(named, _CAUSES, caption="Worst and best case", items={"items": behind}))
        blocks.append(
            figure(
                lambda: plot_bounds(bounded),
                caption="The rate with its interval, other policies, and worst and best case.",
                alt="The two tables before, as a picture.",
            )
        )
    return Section(key="bounds", title="What the rate depends on", blocks=tuple(blocks), aside=True)


def _behind(items: CountedItems, policy: Policy, causes: list[str]) -> list[Iterable[int]]:
    """Return the items of each cause."""
    why = cause_expression(policy)
    return [items.where(why.is_not_null() if cause == Cause.ALL else why == cause) for cause in causes]
