from __future__ import annotations

from math import comb
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint  # type: ignore[import-untyped]

from verdict_frames.errors import ArgumentError, OptionError
from verdict_frames.statistics.intervals import Interval, clopper_pearson, interval_ends, normal_quantile, wilson
from verdict_frames.statistics.shares import share
from verdict_frames.statistics.vocabulary import IntervalMethod


@st.composite
def parts(draw: st.DrawFn) -> tuple[int, int]:
    trials = draw(st.integers(1, 5000))
    return draw(st.integers(0, trials)), trials


def of_frame(
    pairs: list[tuple[int, int]], level: float, method: IntervalMethod = IntervalMethod.WILSON
) -> list[tuple[float | None, float | None]]:
    frame = pl.DataFrame(pairs, schema={"k": pl.Int64, "n": pl.Int64}, orient="row")
    low, high = interval_ends(share(frame["k"], frame["n"]), frame["n"], method=method, level=level)
    return list(zip(low.to_list(), high.to_list(), strict=True))


BOTH = pytest.mark.parametrize(("method", "scalar"), [("wilson", wilson), ("clopper-pearson", clopper_pearson)])


@BOTH
@pytest.mark.parametrize("level", [0.5, 0.8, 0.9, 0.95, 0.99, 0.999])
def test_both_methods_equal_statsmodels(method: str, scalar: Any, level: float) -> None:
    pairs = [(k, n) for n in (1, 2, 3, 5, 20, 39, 300) for k in range(n + 1)]
    for (k, n), (low, high) in zip(pairs, of_frame(pairs, level, IntervalMethod(method)), strict=True):
        name = "wilson" if method == "wilson" else "beta"
        expected = proportion_confint(k, n, alpha=1 - level, method=name)
        interval = scalar(k, n, level=level)
        assert interval.method == method
        assert (interval.low, interval.high) == pytest.approx(expected, abs=1e-12)
        assert (low, high) == pytest.approx(expected, abs=1e-12)


@BOTH
@given(pair=parts(), level=st.floats(0.001, 0.9999))
def test_an_interval_holds_its_share_and_mirrors(method: str, scalar: Any, pair: tuple[int, int], level: float) -> None:
    k, n = pair
    interval, mirrored = scalar(k, n, level=level), scalar(n - k, n, level=level)
    assert 0 <= interval.low <= k / n <= interval.high <= 1
    assert (interval.low, interval.high) == pytest.approx((1 - mirrored.high, 1 - mirrored.low), abs=1e-9)
    assert of_frame([pair], level, IntervalMethod(method))[0] == pytest.approx((interval.low, interval.high), abs=1e-12)


@given(parts(), st.floats(0.01, 0.98))
def test_a_higher_level_is_never_narrower(pair: tuple[int, int], level: float) -> None:
    narrow, wide = wilson(*pair, level=level), wilson(*pair, level=level + 0.01)
    assert narrow is not None
    assert wide is not None
    assert wide.low <= narrow.low
    assert narrow.high <= wide.high


@BOTH
@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.99])
def test_ends_are_exact_where_nothing_or_everything_succeeded(method: str, scalar: Any, level: float) -> None:
    trials = [*range(1, 1000), 10**6, 10**9]
    nothing = [scalar(0, n, level=level) for n in trials]
    everything = [scalar(n, n, level=level) for n in trials]
    assert all(interval is not None and interval.low == 0.0 < interval.high < 1 for interval in nothing)
    assert all(interval is not None and interval.high == 1.0 > interval.low > 0 for interval in everything)
    assert {low for low, _ in of_frame([(0, n) for n in trials], level, IntervalMethod(method))} == {0.0}
    assert {high for _, high in of_frame([(n, n) for n in trials], level, IntervalMethod(method))} == {1.0}


@BOTH
def test_nothing_tried_is_no_interval(method: str, scalar: Any) -> None:
    assert scalar(0, 0) is None
    assert of_frame([(0, 0), (1, 1)], 0.95, IntervalMethod(method))[0] == (None, None)
    assert of_frame([], 0.95, IntervalMethod(method)) == []


@pytest.mark.parametrize("n", [1, 3, 8])
def test_the_exact_interval_never_falls_below_its_level(n: int) -> None:
    ends = of_frame([(k, n) for k in range(n + 1)], 0.9, IntervalMethod.CLOPPER_PEARSON)
    for rate in [place / 200 for place in range(1, 200)]:
        held = [
            comb(n, k) * rate**k * (1 - rate) ** (n - k)
            for k, (low, high) in enumerate(ends)
            if low is not None and high is not None and low <= rate <= high
        ]
        assert sum(held) >= 0.9


@BOTH
def test_an_effective_number_may_be_a_fraction(method: str, scalar: Any) -> None:
    interval = scalar(2.5 * 0.3, 2.5)
    low, high = interval_ends(pl.Series([0.3, None, 0.3]), pl.Series([2.5, 2.5, None]), method=IntervalMethod(method))
    assert (low[0], high[0]) == pytest.approx((interval.low, interval.high))
    assert (low.null_count(), high.null_count()) == (2, 2)


def test_an_interval_carries_its_method_and_level() -> None:
    interval = wilson(1, 1, level=0.9)
    assert interval is not None
    assert interval == Interval(low=interval.low, high=1.0, method="wilson", level=0.9)
    assert interval.low == pytest.approx(1 / (1 + normal_quantile(0.9) ** 2))


def test_quantiles_of_printed_tables() -> None:
    assert [round(normal_quantile(level), 4) for level in (0.8, 0.9, 0.95, 0.99)] == [1.2816, 1.6449, 1.96, 2.5758]


@pytest.mark.parametrize("level", [0, 1, -0.5, 95, float("nan")])
def test_levels_outside_0_to_1_are_refused(level: Any) -> None:
    with pytest.raises(OptionError, match="a confidence level lies between 0 and 1"):
        wilson(1, 2, level=level)
    with pytest.raises(OptionError, match="a confidence level lies between 0 and 1"):
        interval_ends(pl.Series([0.5]), pl.Series([2]), level=level)


@pytest.mark.parametrize("level", ["0.95", None, 0.95j])
def test_a_level_that_is_no_number_is_refused(level: Any) -> None:
    with pytest.raises(ArgumentError, match=r"is a number between 0 and 1, such as 0\.95, not "):
        wilson(1, 2, level=level)


@pytest.mark.parametrize(("successes", "trials"), [(-1, 3), (4, 3), (0, -1)])
def test_numbers_that_are_no_part_and_whole_are_refused(successes: int, trials: int) -> None:
    with pytest.raises(OptionError, match=f"got {successes} of {trials}"):
        wilson(successes, trials)
    with pytest.raises(OptionError, match=f"got {successes} of {trials}"):
        clopper_pearson(successes, trials)
