"""The bootstrap over items: sums over items that are drawn again, and the interval that a statistic of them spans."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from verdict_frames.errors import ArgumentError, OptionError, one_line

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

BOOTSTRAP: Final = "percentile bootstrap over items"
"""What a `…ci_method` says of an interval made here."""

NO_SPREAD: Final = "no spread over resamples"
"""What it says where resamples give one and the same value, as under perfect agreement, so that nothing is spanned."""

FEWEST_RESAMPLES: Final = 100


@dataclass(frozen=True, kw_only=True)
class Bootstrap:
    """How items are drawn again.

    Attributes:
        resamples: How many times as many items as there are are drawn with replacement; 100 or more.
        seed: What the draws follow from, from 0 to 2**32 - 1.
        level: The confidence level of the intervals, between 0 and 1.

    Raises:
        OptionError: The number of resamples is too small, or the seed isn't in its range.
        ArgumentError: One of them isn't a whole number.
    """

    resamples: int
    seed: int
    level: float

    def __post_init__(self) -> None:
        for name in ("resamples", "seed"):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool):
                message = f"{name} takes a whole number, not {one_line(value)}"
                raise ArgumentError(message)
        if self.resamples < FEWEST_RESAMPLES:
            message = f"an interval needs at least {FEWEST_RESAMPLES} resamples, not {self.resamples}"
            raise OptionError(message)
        if not 0 <= self.seed < 2**32:
            message = f"seed lies between 0 and {2**32 - 1}, not {self.seed}"
            raise OptionError(message)

    def sums(self, terms: Numbers, kinds: NDArray[np.int64], items: NDArray[np.int64]) -> Numbers:
        """Sum the terms of all subjects, in each resample.

        Subjects of the same item are drawn together. Items that are made up alike are interchangeable, so how often
        each make-up is drawn follows a multinomial law; the result depends on neither the order nor the names of items.

        Args:
            terms: Axes kind of subject, term: what a subject of that kind adds.
            kinds: The kind of each subject.
            items: The item of each subject, as any whole number.

        Returns:
            Axes resample, term.
        """
        _, item = np.unique(items, return_inverse=True)
        made_up = np.zeros((int(item.max()) + 1, len(terms)), dtype=np.int64)
        np.add.at(made_up, (item, kinds), 1)
        alike, times = np.unique(made_up, axis=0, return_counts=True)
        # the stream of the older generator is frozen, so that a seed gives the same interval with every numpy
        draw = np.random.RandomState(self.seed)
        draws = draw.multinomial(len(made_up), times / len(made_up), size=self.resamples)
        return np.asarray(draws @ alike @ terms, dtype=np.float64)

    def interval(self, values: Numbers) -> tuple[float | None, float | None, str]:
        """Return the percentile interval of a statistic.

        Resamples in which the statistic is undefined might have given any value. They stand below all others for the
        lower end and above all for the upper one, so that the interval is null where they are too many to tell.

        Args:
            values: The statistic in each resample, NaN where undefined.

        Returns:
            Lower and upper end, and `BOOTSTRAP`; or two nulls and the reason.
        """
        undefined = np.isnan(values)
        low = _order_statistic(np.where(undefined, -np.inf, values), (1 - self.level) / 2)
        high = _order_statistic(np.where(undefined, np.inf, values), (1 + self.level) / 2)
        if not np.isfinite([low, high]).all():
            return None, None, f"undefined in {int(undefined.sum())} of {self.resamples} resamples"
        if low == high:
            return None, None, NO_SPREAD
        return low, high, BOOTSTRAP


def _order_statistic(values: Numbers, share: float) -> float:
    """Return the smallest value that at least this share of all doesn't exceed."""
    # a product that should be whole, such as 0.025 × 2000, may come out a trifle above
    place = max(int(np.ceil(share * len(values) - 1e-6)) - 1, 0)
    return float(np.partition(values, place)[place])
