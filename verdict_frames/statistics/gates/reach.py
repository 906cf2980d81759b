"""Whether what is asked of an agent can be shown at all with as many items as there are, and how many it takes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from verdict_frames.statistics.intervals import clopper_pearson, wilson
from verdict_frames.statistics.vocabulary import IntervalMethod, IntervalOver

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from verdict_frames.statistics.gates.conditions import Requirement

_MOST_ITEMS: Final = 10_000_000
"""Beyond this no number of items is named that would do."""


def out_of_reach(requirement: Requirement, counts: Mapping[str, Any]) -> str | None:
    """Say that nothing an agent did could have satisfied a requirement with so few items; null where something could.

    The best that can be of an end of an interval is that of all items passing, or of none where less is asked for. Over
    items that rests on the number of different items, however often each was tried, and over runs on that of trials.

    Args:
        requirement: What is asked.
        counts: A row of a tally.
    """
    if requirement.name in ("passes", "eligible", "total"):
        whole = counts["total" if requirement.name == "total" else "eligible"]
        if requirement.asks_for_more and not requirement.holds(whole) and requirement.name == "passes":
            wanted = math.floor(requirement.bound) + 1 if requirement.sign == ">" else math.ceil(requirement.bound)
            return f"out of reach: {whole} are eligible; it takes {wanted:,}"
        return None
    if requirement.name not in ("ci_low", "ci_high") or counts["ci_low"] is None or requirement.sign == "==":
        return None
    by_item = counts["over"] == IntervalOver.ITEMS
    number, unit = counts["clusters" if by_item else "eligible"], "items" if by_item else "trials"
    best = _best(requirement, counts)
    if requirement.holds(best(number)):
        return None
    how = f"all {number} passing" if requirement.asks_for_more else f"none of {number} passing"
    least = _least(lambda items: requirement.holds(best(items)), number)
    takes = f"it takes {least:,} {unit}" if least else f"no number of {unit} would do"
    return f"out of reach: {how} gives {best(number):.3g}; {takes}"


def _best(requirement: Requirement, counts: Mapping[str, Any]) -> Callable[[int], float | None]:
    """Return what the end of the interval is at best, for a number of items."""
    exact = counts["ci_method"].startswith(IntervalMethod.CLOPPER_PEARSON)
    method, level = clopper_pearson if exact else wilson, counts["confidence_level"]

    def end(items: int) -> float | None:
        interval = method(items if requirement.asks_for_more else 0, items, level=level)
        if interval is None:
            return None
        return interval.low if requirement.name == "ci_low" else interval.high

    return end


def _least(holds: Callable[[int], bool], short: int) -> int | None:
    """Return the least number that does, where `short` doesn't and more are never worse; null where none does."""
    low, high = short, _MOST_ITEMS
    if not holds(high):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
