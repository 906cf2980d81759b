"""Agreement of judges beyond what chance would bring: Cohen's kappa, Krippendorff's alpha, Gwet's AC1.

All three are functions of sums over what was judged, so that one resample of items is one more row of sums. Sums are
arrays with one row a resample. An undefined coefficient is NaN here, and null with a reason wherever it leaves the
package.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]


def cohens_kappa(cells: Numbers) -> Numbers:
    """Return Cohen's kappa of two judges (Cohen 1960).

    Args:
        cells: Axes resample, category of the one, category of the other: how often both occurred together.

    Returns:
        One value a resample, at most 1; NaN where nothing was judged, and where chance alone would always agree,
        because both gave one and the same category throughout.
    """
    total = cells.sum(axis=(1, 2))
    agreed = np.trace(cells, axis1=1, axis2=2)
    by_chance = (cells.sum(axis=2) * cells.sum(axis=1)).sum(axis=1)
    return _ratio(total * agreed - by_chance, total * total - by_chance)


@dataclass(frozen=True, kw_only=True)
class JuryCoefficients:
    """What a jury of any number of judges agrees on; one value a resample, NaN where undefined.

    Attributes:
        agreement: Of two votes on the same subject, drawn at random, the share that are equal, averaged over subjects
            with two votes or more.
        alpha: Krippendorff's alpha for nominal data.
        ac1: Gwet's AC1.
    """

    agreement: Numbers
    alpha: Numbers
    ac1: Numbers


def jury_terms(counts: NDArray[np.int64]) -> Numbers:
    """Return what each subject adds to the sums that `jury_coefficients` takes.

    Args:
        counts: Axes subject, category: how many judges gave that category.

    Returns:
        Axes subject, term: whether any judge voted; whether two did, and how far they agree and disagree; then for each
        category its share of the votes, and its votes where there are two or more.
    """
    votes = counts.sum(axis=1)
    pairable = votes >= 2
    same = (counts * (counts - 1)).sum(axis=1)
    unequal = (votes * votes - (counts * counts).sum(axis=1)).astype(np.float64)
    shares = counts / np.maximum(votes, 1)[:, None]
    return np.column_stack(
        [
            votes >= 1,
            pairable,
            np.where(pairable, same / np.maximum(votes * (votes - 1), 1), 0.0),
            np.where(pairable, unequal / np.maximum(votes - 1, 1), 0.0),
            shares,
            counts * pairable[:, None],
        ]
    )


def jury_coefficients(sums: Numbers) -> JuryCoefficients:
    """Return the coefficients of a jury from sums of `jury_terms`.

    Alpha (Krippendorff 2011) is undefined where all votes that can be paired are of one category, since nothing could
    then have disagreed. AC1 (Gwet 2008) takes all categories that there are, also those that nobody used, and all
    subjects with a vote for what chance would bring; it needs two categories.

    Args:
        sums: Axes resample, term.
    """
    rated, pairable, same, unequal = sums[:, :4].T
    categories = (sums.shape[1] - 4) // 2
    prevalence = sums[:, 4 : 4 + categories] / np.maximum(rated, 1)[:, None]
    votes = sums[:, 4 + categories :]
    total = votes.sum(axis=1)
    agreement = _ratio(same, pairable)
    by_chance = (prevalence * (1 - prevalence)).sum(axis=1) / max(categories - 1, 1)
    return JuryCoefficients(
        agreement=agreement,
        alpha=1 - _ratio((total - 1) * unequal, total * total - (votes * votes).sum(axis=1)),
        ac1=(agreement - by_chance) / (1 - by_chance),
    )


def _ratio(part: Numbers, whole: Numbers) -> Numbers:
    """Divide, NaN where the whole is 0."""
    return np.divide(part, whole, out=np.full_like(whole, np.nan, dtype=np.float64), where=whole != 0)
