from __future__ import annotations

from fractions import Fraction
from math import isfinite, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint  # type: ignore[import-untyped]

from verdict_frames.errors import OptionError
from verdict_frames.statistics.comparison.paired_intervals import newcombe_paired, paired_t_interval

tables = st.tuples(*[st.integers(0, 30)] * 4).filter(any)


def textbook(a: int, b: int, c: int, d: int, level: float) -> tuple[float, float]:
    """Method 10 as Newcombe prints it, with the Wilson intervals of statsmodels: a both, b first, c second, d none."""
    n = a + b + c + d
    (l1, u1), (l2, u2) = (proportion_confint(part, n, 1 - level, method="wilson") for part in (a + b, a + c))
    p1, p2 = (a + b) / n, (a + c) / n
    below = (a + b) * (c + d) * (a + c) * (b + d)
    above = float(a * d - b * c)
    above = above - n / 2 if above > n / 2 else min(0, above)
    phi = above / sqrt(below) if below else 0.0
    delta = sqrt(max(0.0, (p1 - l1) ** 2 - 2 * phi * (p1 - l1) * (u2 - p2) + (u2 - p2) ** 2))
    epsilon = sqrt(max(0.0, (p2 - l2) ** 2 - 2 * phi * (p2 - l2) * (u1 - p1) + (u1 - p1) ** 2))
    return p1 - p2 - delta, p1 - p2 + epsilon


@pytest.mark.parametrize(
    ("table", "low", "high"),
    [
        ((36, 12, 2, 0), "0.0569", "0.3404"),  # Newcombe, Statistics in Medicine 17:2635, 1998, method 10
        ((1, 7, 1, 12), "0.026", "0.507"),  # Fagerland, Lydersen and Laake, Statistics in Medicine 33:2850, 2014
    ],
)
def test_published_intervals(table: tuple[int, int, int, int], low: str, high: str) -> None:
    both, treatment_only, baseline_only, neither = table
    found = newcombe_paired(both, baseline_only, treatment_only, neither, level=0.95)
    digits = len(low) - 2
    assert (f"{found.low:.{digits}f}", f"{found.high:.{digits}f}") == (low, high)
    assert (found.method, found.level) == ("newcombe_paired", 0.95)


@given(tables, st.sampled_from([0.8, 0.95, 0.99]))
def test_newcombes_interval_is_that_of_the_textbook(table: tuple[int, int, int, int], level: float) -> None:
    both, treatment_only, baseline_only, neither = table
    found = newcombe_paired(both, baseline_only, treatment_only, neither, level=level)
    assert (found.low, found.high) == pytest.approx(textbook(*table, level), abs=1e-12)


@given(tables, st.sampled_from([0.5, 0.95]))
def test_newcombes_interval_holds_the_difference_and_is_mirrored(
    table: tuple[int, int, int, int], level: float
) -> None:
    both, treatment_only, baseline_only, neither = table
    found = newcombe_paired(both, baseline_only, treatment_only, neither, level=level)
    assert -1 <= found.low <= (treatment_only - baseline_only) / sum(table) <= found.high <= 1
    assert found.low < found.high
    mirrored = newcombe_paired(both, treatment_only, baseline_only, neither, level=level)
    assert (mirrored.low, mirrored.high) == (-found.high, -found.low)
    failures = newcombe_paired(neither, treatment_only, baseline_only, both, level=level)
    assert (failures.low, failures.high) == pytest.approx((-found.high, -found.low), abs=1e-12)


@given(st.lists(st.fractions(-1, 1, max_denominator=12), min_size=2, max_size=20), st.sampled_from([0.8, 0.95]))
def test_students_interval_is_scipys_cut_at_the_ends(values: list[Fraction], level: float) -> None:
    mean = sum(values, Fraction(0)) / len(values)
    variance = sum(((value - mean) ** 2 for value in values), Fraction(0)) / (len(values) - 1)
    found = paired_t_interval(mean, variance, len(values), level=level)
    if len(set(values)) == 1:
        assert found is None
        return
    floats = [float(value) for value in values]
    expected = stats.ttest_rel(floats, [0.0] * len(floats)).confidence_interval(level)
    assert found is not None
    assert found.low == pytest.approx(max(expected.low, -1), abs=1e-9)
    assert found.high == pytest.approx(min(expected.high, 1), abs=1e-9)
    assert isfinite(found.low)
    assert found.low <= float(mean) <= found.high


def test_what_can_not_have_an_interval() -> None:
    assert paired_t_interval(Fraction(1), Fraction(0), 1, level=0.95) is None
    with pytest.raises(OptionError, match="at least one item"):
        newcombe_paired(0, 0, 0, 0, level=0.95)
    with pytest.raises(OptionError, match="between 0 and 1"):
        newcombe_paired(1, 0, 0, 0, level=1)
    with pytest.raises(OptionError, match="between 0 and 1"):
        paired_t_interval(Fraction(0), Fraction(1), 5, level=0)
