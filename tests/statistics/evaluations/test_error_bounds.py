from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, binom

from verdict_frames.errors import OptionError
from verdict_frames.statistics.evaluations.error_bounds import upper_bound, upper_bounds


def test_none_wrong_of_200_is_at_most_one_and_a_half_percent() -> None:
    bound = upper_bound(0, 200)
    assert bound is not None
    assert bound == pytest.approx(1 - 0.05 ** (1 / 200))
    assert 0.0148 < bound < 0.015


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.sampled_from([0.9, 0.95]))
def test_so_few_errors_are_just_likely_enough_at_the_bound(counts: tuple[int, int], level: float) -> None:
    wrong, checked = counts
    bound = upper_bound(wrong, checked, level=level)
    assert bound is not None
    assert wrong / checked <= bound <= 1
    if wrong < checked:
        assert binom.cdf(wrong, checked, bound) == pytest.approx(1 - level, abs=1e-9)
        assert bound == pytest.approx(float(beta.ppf(level, wrong + 1, checked - wrong)), abs=1e-12)
    else:
        assert bound == 1


def test_many_bounds_are_single_ones() -> None:
    wrong, checked = pl.Series([0, 0, 3, 5, 2]), pl.Series([0, 7, 3, 9, 200])
    assert upper_bounds(wrong, checked).to_list() == [
        upper_bound(one, of) for one, of in zip(wrong, checked, strict=True)
    ]
    assert upper_bounds(wrong, checked)[0] is None
    assert upper_bounds(wrong.clear(), checked.clear()).to_list() == []


def test_impossible_counts_and_levels_are_refused() -> None:
    for wrong, checked in ((3, 2), (-1, 2)):
        with pytest.raises(
            OptionError, match=f"errors must lie between 0 and the number of trials; got {wrong} of {checked}"
        ):
            upper_bound(wrong, checked)
    with pytest.raises(OptionError, match="a confidence level lies between 0 and 1"):
        upper_bound(0, 2, level=1.0)
