"""Agreement beyond chance, held against statsmodels, krippendorff, published examples and plain enumeration."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from typing import TYPE_CHECKING

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import cohens_kappa as statsmodels_kappa  # type: ignore[import-untyped]

from verdict_frames.statistics.judges.coefficients import cohens_kappa, jury_coefficients, jury_terms

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from verdict_frames.statistics.judges.coefficients import JuryCoefficients

Ratings = list[list[int | None]]

# Four observers, twelve units, five values: Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), C. The
# same data are the example `cac.raw4raters` of Gwet's irrCAC package.
OBSERVERS: Ratings = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]

units = st.lists(st.lists(st.sampled_from([1, 2, 3, None]), min_size=3, max_size=3), min_size=1, max_size=12)


def counts_of(by_unit: Ratings, categories: int) -> NDArray[np.int64]:
    return np.array([[unit.count(category) for category in range(1, categories + 1)] for unit in by_unit])


def of_jury(by_unit: Ratings, categories: int) -> JuryCoefficients:
    return jury_coefficients(jury_terms(counts_of(by_unit, categories)).sum(axis=0)[None])


def transposed(ratings: Ratings) -> Ratings:
    return [list(unit) for unit in zip(*ratings, strict=True)]


def test_the_published_four_observers_have_the_published_coefficients() -> None:
    found = of_jury(transposed(OBSERVERS), 5)
    assert round(float(found.alpha[0]), 3) == 0.743  # Krippendorff (2011), nominal data
    assert round(float(found.ac1[0]), 5) == 0.77544  # irrCAC, gwet.ac1.raw(cac.raw4raters)
    assert round(float(found.agreement[0]), 7) == 0.8181818  # its percent agreement


@given(units)
def test_alpha_is_that_of_the_krippendorff_package(by_unit: Ratings) -> None:
    paired = [unit for unit in by_unit if 3 - unit.count(None) >= 2]
    assume(len({vote for unit in paired for vote in unit if vote is not None}) > 1)
    data = [[np.nan if vote is None else vote for vote in judge] for judge in transposed(by_unit)]
    expected = krippendorff.alpha(reliability_data=data, level_of_measurement="nominal")
    assert float(of_jury(by_unit, 3).alpha[0]) == pytest.approx(expected, abs=1e-12)


@given(units)
def test_ac1_and_agreement_are_those_of_exact_fractions_over_ordered_pairs(by_unit: Ratings) -> None:
    """Gwet (2008), with missing votes as in his handbook: agreement over units with two votes, prevalence over all."""
    votes = [[vote for vote in unit if vote is not None] for unit in by_unit]
    rated = [unit for unit in votes if unit]
    pairs = [list(permutations(unit, 2)) for unit in votes if len(unit) > 1]
    assume(pairs)
    observed = sum(Fraction(sum(one == other for one, other in unit), len(unit)) for unit in pairs) / len(pairs)
    prevalence = [sum(Fraction(unit.count(k), len(unit)) for unit in rated) / len(rated) for k in (1, 2, 3)]
    by_chance = sum(share * (1 - share) for share in prevalence) / 2
    found = of_jury(by_unit, 3)
    assert float(found.agreement[0]) == pytest.approx(float(observed), abs=1e-12)
    assert float(found.ac1[0]) == pytest.approx(float((observed - by_chance) / (1 - by_chance)), abs=1e-12)


@given(st.lists(st.lists(st.integers(0, 20), min_size=3, max_size=3), min_size=3, max_size=3))
def test_kappa_is_that_of_statsmodels(table: list[list[int]]) -> None:
    cells = np.array(table, dtype=float)
    total = cells.sum()
    assume(total > 0)
    assume(sum(int(cells[k].sum()) * int(cells[:, k].sum()) for k in range(3)) < int(total) ** 2)
    expected = statsmodels_kappa(cells, return_results=False)
    assert float(cohens_kappa(cells[None])[0]) == pytest.approx(expected, abs=1e-12)


def test_one_category_leaves_kappa_and_alpha_undefined_and_ac1_at_one() -> None:
    assert np.isnan(cohens_kappa(np.array([[[7.0, 0.0], [0.0, 0.0]]]))).all()
    found = of_jury([[1, 1], [1, 1, 1]], 2)
    assert np.isnan(found.alpha).all()
    assert found.ac1.tolist() == [1.0]
    with pytest.raises(ValueError, match="more than one value"):  # the oracle refuses as well
        krippendorff.alpha(reliability_data=[[1, 1], [1, 1]], level_of_measurement="nominal")


def test_nothing_that_can_be_paired_leaves_all_undefined() -> None:
    found = of_jury([[1], [2], []], 2)
    assert np.isnan([*found.agreement, *found.alpha, *found.ac1]).all()


@given(st.lists(st.tuples(st.sampled_from([1, 2, 3]), st.integers(2, 4)), min_size=2, max_size=9))
def test_perfect_agreement_on_two_or_more_categories_is_one(rated: list[tuple[int, int]]) -> None:
    assume(len({category for category, _ in rated}) > 1)
    found = of_jury([[category] * judges for category, judges in rated], 3)
    assert found.alpha.tolist() == [1.0]
    assert found.ac1.tolist() == [1.0]
    assert found.agreement.tolist() == [1.0]
    cells = np.diag([float(sum(category == k for category, _ in rated)) for k in (1, 2, 3)])
    assert cohens_kappa(cells[None]).tolist() == [1.0]
