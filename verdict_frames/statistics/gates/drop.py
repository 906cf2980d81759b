"""How much lower a treatment's rate may be, so that flaky items don't fail a build.

A drop is too great where the upper end of a one-sided interval for the difference lies beyond what is allowed: in at
most alpha of all builds, then, a drop of just what is allowed is taken for a greater one. The intervals of comparisons
alone don't keep that promise. By enumeration of all outcomes Newcombe's passes it by in up to 7 % of builds at 10 to 30
items, and 11 % at 5, where alpha is 5 %; Student's, on item means, in far more where most items lose a little and a few
win all. So the interval is that of the items and one more, which is imagined: one that passed only with the treatment.
With it the share stays below alpha in every case that was tried (`tests/statistics/gates/test_drop.py`); in exchange
one or two more items must be lost before a build fails.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING

from verdict_frames.statistics.comparison.paired_intervals import newcombe_paired, paired_t_interval

if TYPE_CHECKING:
    from collections.abc import Iterable

Pair = tuple[int, int, int, int]
"""An item that counts on both sides: passes and eligible trials with the baseline, then with the treatment."""


def best_difference(pairs: Iterable[Pair], *, alpha: float) -> float | None:
    """Return what the difference of the rates is at best: the upper end of a one-sided interval, as described above.

    Args:
        pairs: The items.
        alpha: How often, at most, the true difference may lie above it; between 0 and 0.5.

    Returns:
        From -1 to 1; null without items.

    Example:
        >>> lost, kept = (1, 1, 0, 1), (1, 1, 1, 1)
        >>> round(best_difference([lost] * 10 + [kept] * 10, alpha=0.05), 3)
        -0.19
        >>> round(best_difference([lost] * 2 + [kept] * 18, alpha=0.05), 3)
        0.11
    """
    counted = Counter(pairs)
    if not counted:
        return None
    level = 1 - 2 * alpha
    if all(tried == again == 1 for _, tried, _, again in counted):
        cells: Counter[tuple[int, int]] = Counter()
        for (before, _, after, _), number in counted.items():
            cells[before, after] += number
        return newcombe_paired(cells[1, 1], cells[1, 0], cells[0, 1] + 1, cells[0, 0], level=level).high
    differences = Counter({Fraction(1): 1})
    for (before, tried, after, again), number in counted.items():
        differences[Fraction(after, again) - Fraction(before, tried)] += number
    total = differences.total()
    mean = sum((each * number for each, number in differences.items()), Fraction(0)) / total
    squares = sum(((each - mean) ** 2 * number for each, number in differences.items()), Fraction(0))
    interval = paired_t_interval(mean, squares / (total - 1), total, level=level)
    return 1.0 if interval is None else interval.high


def fewest_pairs(most: float, *, alpha: float, repeated: bool) -> int | None:
    """Return how many items it takes for a drop to be told at all: what all items being lost would show.

    Args:
        most: The drop that is allowed, from 0 to 1.
        alpha: As for `best_difference`.
        repeated: Whether items have several trials on a side.

    Returns:
        Null where a thousand items would not do.

    Example:
        >>> fewest_pairs(0.05, alpha=0.05, repeated=False), fewest_pairs(1, alpha=0.05, repeated=False)
        (6, None)
    """
    lost: Pair = (2, 2, 0, 2) if repeated else (1, 1, 0, 1)
    sizes = (number for number in range(1, 1001) if _is_beyond(best_difference([lost] * number, alpha=alpha), most))
    return next(sizes, None)


def _is_beyond(best: float | None, most: float) -> bool:
    return best is not None and best < -most
