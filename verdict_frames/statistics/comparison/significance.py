"""Could chance alone have made such a difference? Tests for outcomes of the same items on two sides.

All take items as the independent units. If a treatment changes nothing, an item's two sides could as well be swapped,
so its difference is as likely to come out with the opposite sign. The sign-flip test counts how many of all patterns of
signs give a difference as large as the one seen; with one trial on each side that is McNemar's exact test.
"""

from __future__ import annotations

from math import comb, lcm, prod
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from scipy.special import bdtr, gammaln, stdtr

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

MOST_PATTERNS: Final = 1 << 20
"""Up to how many different sums all patterns of signs are counted; beyond, some are drawn."""

_EXACT_INTEGERS: Final = 1 << 62


class McNemar(NamedTuple):
    """McNemar's test on items that passed on one side only.

    Attributes:
        exact: Two-sided p value of the exact conditional test.
        mid_p: The same, counting half of the probability of what was seen.
    """

    exact: float
    mid_p: float


def mcnemar(wins: int, losses: int) -> McNemar:
    """Test whether items pass on either side alone equally often.

    The exact test is the two-sided binomial test on the items that differ. It keeps its level whatever the numbers, and
    is cautious where they are small; the mid-p value is less so (Fagerland, Lydersen and Laake, BMC Medical Research
    Methodology 13:91, 2013), 1 - f/2 where wins equal losses, f being the probability of just that.

    Args:
        wins: How many items passed with the treatment only.
        losses: How many passed with the baseline only.

    Returns:
        Both p values; 1 where no item differs.

    Example:
        >>> mcnemar(1, 7)
        McNemar(exact=0.0703125, mid_p=0.0390625)
    """
    differing, fewer = wins + losses, min(wins, losses)
    if differing == 0:
        return McNemar(1.0, 1.0)
    seen = float(_halves(differing)[fewer])
    exact = min(1.0, 2 * float(bdtr(fewer, differing, 0.5)))
    return McNemar(exact, 1 - seen / 2 if wins == losses else exact - seen)


class SignFlip(NamedTuple):
    """The sign-flip test.

    Attributes:
        p_value: Two-sided.
        resamples: How many patterns of signs were drawn; null where all of them were counted.
    """

    p_value: float
    resamples: int | None


def sign_flip(differences: Mapping[Fraction, int], *, seed: int, resamples: int) -> SignFlip:
    """Test whether differences of items are as likely to be above 0 as below, by flipping their signs.

    Equal sizes of differences are taken together, so all patterns are counted also for hundreds of items, as long as
    these have few different sizes. Sums are compared as whole numbers, without rounding. Where patterns are drawn, the
    one that was seen counts among them, so p is never 0 (Phipson and Smyth, Statistical Applications in Genetics and
    Molecular Biology 9:39, 2010).

    Args:
        differences: How many items have each difference.
        seed: Seeds the patterns where they are drawn.
        resamples: How many are drawn then, at least 1.

    Returns:
        The p value, 1 where the differences sum to 0.

    Example:
        >>> from fractions import Fraction
        >>> sign_flip({Fraction(1, 3): 3, Fraction(0): 2}, seed=0, resamples=999)
        SignFlip(p_value=0.25, resamples=None)
    """
    sizes: dict[Fraction, int] = {}
    for difference, count in differences.items():
        if difference:
            sizes[abs(difference)] = sizes.get(abs(difference), 0) + count
    scale = lcm(*(size.denominator for size in sizes))
    counts = {int(size * scale): sizes[size] for size in sorted(sizes)}
    seen = abs(int(sum(difference * count for difference, count in differences.items()) * scale))
    if seen == 0:
        return SignFlip(1.0, None)
    largest = sum(size * count for size, count in counts.items())
    dtype = np.int64 if largest < _EXACT_INTEGERS else np.object_
    sums: Any = np.zeros(1, dtype=dtype)
    if prod(count + 1 for count in counts.values()) <= MOST_PATTERNS:
        shares: Any = np.ones(1)
        for size, count in counts.items():
            steps = np.arange(-count, count + 1, 2).astype(dtype) * size
            sums = np.add.outer(sums, steps).ravel()
            shares = np.multiply.outer(shares, _halves(count)).ravel()
        return SignFlip(min(1.0, float(shares[np.abs(sums) >= seen].sum())), None)
    generator = np.random.default_rng(seed)
    for size, count in counts.items():
        sums = sums + (2 * generator.binomial(count, 0.5, size=resamples) - count).astype(dtype) * size
    as_large = int((np.abs(sums) >= seen).sum())
    return SignFlip((1 + as_large) / (1 + resamples), resamples)


def paired_t(mean: Fraction, variance: Fraction, items: int) -> float | None:
    """Return the two-sided p value of the paired t test on differences of items.

    Args:
        mean: Of the differences.
        variance: Of the differences, with `items - 1` below the line.
        items: How many there are.

    Returns:
        Null where there are fewer than 2 items, or all differ alike, so that nothing tells how much chance does.
    """
    if items < 2 or variance == 0:
        return None
    statistic = float(mean) / (float(variance) / items) ** 0.5
    return float(2 * stdtr(items - 1, -abs(statistic)))


def _halves(count: int) -> Any:  # noqa: ANN401 - an array of any length
    """Return the probabilities of 0, 1 … `count` heads of as many fair coins."""
    if count < 1000:
        return np.array([comb(count, heads) / (1 << count) for heads in range(count + 1)])
    heads = np.arange(count + 1)
    return np.exp(gammaln(count + 1) - gammaln(heads + 1) - gammaln(count - heads + 1) - count * np.log(2))
