from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar  # type: ignore[import-untyped]

from verdict_frames.statistics.comparison.significance import MOST_PATTERNS, mcnemar, paired_t, sign_flip

rates = st.sampled_from([Fraction(passes, trials) for trials in (1, 2, 3, 5) for passes in range(trials + 1)])
differences = st.lists(st.tuples(rates, rates).map(lambda pair: pair[1] - pair[0]), min_size=1, max_size=9)


def enumerated(values: list[Fraction]) -> float:
    """The p value of the sign-flip test by going through every pattern of signs, in fractions."""
    seen = abs(sum(values, Fraction(0)))
    patterns = list(product((-1, 1), repeat=len(values)))
    as_large = [
        pattern
        for pattern in patterns
        if abs(sum((sign * value for sign, value in zip(pattern, values, strict=True)), Fraction(0))) >= seen
    ]
    return len(as_large) / len(patterns)


@pytest.mark.parametrize("differing", [*range(1, 25), 101, 1000, 1500])
def test_mcnemars_exact_p_is_that_of_statsmodels(differing: int) -> None:
    for wins in range(0, differing + 1, max(1, differing // 20)):
        expected = statsmodels_mcnemar([[3, wins], [differing - wins, 4]], exact=True).pvalue
        assert mcnemar(wins, differing - wins).exact == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("wins", "losses", "exact", "mid_p"),
    [
        (1, 7, "0.070", "0.039"),  # airway hyper-responsiveness before and after stem cell transplantation
        (6, 16, "0.052", "0.035"),  # complete response before and after consolidation therapy
    ],
)
def test_mid_p_of_published_tables(wins: int, losses: int, exact: str, mid_p: str) -> None:
    """The two data sets of Fagerland, Lydersen and Laake, BMC Medical Research Methodology 13:91, 2013."""
    found = mcnemar(wins, losses)
    assert f"{found.exact:.3f}" == exact
    assert f"{found.mid_p:.3f}" == mid_p


@pytest.mark.parametrize("differing", range(1, 30))
def test_mid_p_counts_half_of_what_is_as_large(differing: int) -> None:
    for wins in range(differing + 1):
        size = abs(2 * wins - differing)
        weights = {heads: Fraction(comb(differing, heads), 2**differing) for heads in range(differing + 1)}
        larger = sum(weight for heads, weight in weights.items() if abs(2 * heads - differing) > size)
        as_large = sum(weight for heads, weight in weights.items() if abs(2 * heads - differing) == size)
        assert mcnemar(wins, differing - wins).mid_p == pytest.approx(float(larger + as_large / 2), rel=1e-12)


def test_where_no_item_differs_nothing_speaks_against_chance() -> None:
    assert mcnemar(0, 0) == (1.0, 1.0)
    assert sign_flip({Fraction(0): 7}, seed=0, resamples=99) == (1.0, None)
    assert sign_flip({}, seed=0, resamples=99) == (1.0, None)
    assert paired_t(Fraction(0), Fraction(0), 7) is None
    assert paired_t(Fraction(1), Fraction(0), 1) is None


@given(differences)
def test_sign_flips_are_counted_as_by_going_through_all(values: list[Fraction]) -> None:
    flipped = sign_flip(Counter(values), seed=0, resamples=1)
    assert flipped.p_value == pytest.approx(enumerated(values), rel=1e-12)
    assert flipped.resamples is None


@pytest.mark.parametrize("seed", range(5))
def test_sign_flips_agree_with_scipys_permutation_test(seed: int) -> None:
    generator = np.random.default_rng(seed)
    treatment, baseline = (generator.integers(0, 4, size=10) for _ in range(2))
    expected = stats.permutation_test(
        (treatment, baseline),
        lambda one, other, axis: np.mean(one - other, axis=axis),
        permutation_type="samples",
        n_resamples=10_000,  # more than the 1,024 patterns there are, so it goes through all of them
        vectorized=True,
    ).pvalue
    counted = Counter(Fraction(int(one - other), 3) for one, other in zip(treatment, baseline, strict=True))
    assert sign_flip(counted, seed=0, resamples=1).p_value == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("wins", "losses"), [(0, 1), (3, 1), (9, 2), (20, 20), (700, 640), (60_000, 60_500)])
def test_with_single_trials_the_sign_flip_test_is_mcnemars(wins: int, losses: int) -> None:
    flipped = sign_flip({Fraction(1): wins, Fraction(-1): losses, Fraction(0): 5}, seed=0, resamples=1)
    assert flipped.p_value == pytest.approx(mcnemar(wins, losses).exact, rel=1e-7)
    assert flipped.resamples is None


def test_sizes_that_are_shares_of_large_primes_are_compared_exactly() -> None:
    primes = (1_000_003, 1_000_033, 1_000_037, 1_000_039)
    values = [Fraction(number, prime) for number, prime in zip((1, 2, 3, -4), primes, strict=True)]
    assert sign_flip(Counter(values), seed=0, resamples=1).p_value == enumerated(values)


def test_where_there_are_too_many_patterns_some_are_drawn() -> None:
    values = [Fraction(number, 60) for number in range(1, 22)]  # 21 sizes: 2 ** 21 different sums
    values = [-value if place % 3 == 0 else value for place, value in enumerate(values)]
    assert 2 ** len(values) > MOST_PATTERNS
    sums = np.zeros(1, dtype=np.int64)
    for value in values:
        sums = np.concatenate([sums + int(60 * value), sums - int(60 * value)])
    exact = float((np.abs(sums) >= abs(int(60 * sum(values)))).mean())
    drawn = sign_flip(Counter(values), seed=7, resamples=20_000)
    assert drawn.resamples == 20_000
    assert abs(drawn.p_value - exact) < 4 * (exact * (1 - exact) / 20_000) ** 0.5
    assert sign_flip(Counter(values), seed=7, resamples=20_000) == drawn
    assert sign_flip(Counter(values[::-1]), seed=7, resamples=20_000) == drawn
    assert sign_flip(Counter(-value for value in values), seed=7, resamples=20_000) == drawn
    assert len({sign_flip(Counter(values), seed=seed, resamples=20_000).p_value for seed in range(4)}) > 2
    one_sided = Counter(abs(value) for value in values)
    assert sign_flip(one_sided, seed=0, resamples=9).p_value == 1 / 10  # what was seen counts, so it is never 0


@given(differences)
def test_paired_t_is_scipys(values: list[Fraction]) -> None:
    if len(values) < 2 or len(set(values)) == 1:
        return
    mean = sum(values, Fraction(0)) / len(values)
    variance = sum(((value - mean) ** 2 for value in values), Fraction(0)) / (len(values) - 1)
    expected = stats.ttest_1samp([float(value) for value in values], 0).pvalue
    assert paired_t(mean, variance, len(values)) == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_mcnemar_keeps_its_level_where_the_treatment_changes_nothing() -> None:
    """Simulated: 40 items whose two trials pass with the item's own chance; the mid-p value is nearer to the level."""
    generator = np.random.default_rng(20)
    chances = generator.beta(1.5, 1.5, size=(6000, 40))
    baseline, treatment = (generator.random(chances.shape) < chances for _ in range(2))
    wins, losses = (treatment & ~baseline).sum(axis=1), (baseline & ~treatment).sum(axis=1)
    found = [mcnemar(int(one), int(other)) for one, other in zip(wins, losses, strict=True)]
    exact, mid_p = (float(np.mean([getattr(p, name) <= 0.05 for p in found])) for name in ("exact", "mid_p"))
    error = (0.05 * 0.95 / 6000) ** 0.5
    assert exact <= 0.05 + 3 * error
    assert exact < mid_p <= 0.05 + 3 * error
    assert mid_p > 0.035


def test_the_test_on_item_means_keeps_its_level_where_the_treatment_changes_nothing() -> None:
    """Simulated: 40 items with 3 trials a side, where taking trials as independent would be wrong."""
    generator = np.random.default_rng(21)
    chances = generator.beta(1.5, 1.5, size=(1500, 40))
    passes = [generator.binomial(3, chances) for _ in range(2)]
    rejected = [
        sign_flip(Counter(Fraction(int(size), 3) for size in row), seed=0, resamples=999).p_value <= 0.05
        for row in passes[1] - passes[0]
    ]
    error = (0.05 * 0.95 / 1500) ** 0.5
    assert 0.05 - 3 * error <= float(np.mean(rejected)) <= 0.05 + 3 * error
