from __future__ import annotations

from itertools import product
from math import comb, prod
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t
from statsmodels.api import OLS  # type: ignore[import-untyped]
from statsmodels.stats.proportion import proportion_confint  # type: ignore[import-untyped]

from verdict_frames.errors import ArgumentError, OptionError
from verdict_frames.statistics.clusters import (
    NAMELESS_ITEMS,
    ONE_ITEM,
    TRIED_ONCE,
    cluster_sums,
    clustered_intervals,
    effective_size,
)
from verdict_frames.statistics.counted import ITEM, NAMELESS

Items = list[tuple[int, int]]

tried = st.integers(1, 6).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
several = st.lists(tried, min_size=2, max_size=8)


def trials_of(items: Items, group: Any = 0) -> pl.DataFrame:
    rows = [(group, str(name), place < x) for name, (x, n) in enumerate(items) for place in range(n)]
    return pl.DataFrame(rows, schema={"g": pl.Int64, ITEM: pl.String, "passed": pl.Boolean}, orient="row").with_columns(
        pl.lit(value=False).alias(NAMELESS)
    )


def intervals(trials: pl.DataFrame, **options: Any) -> dict[str, Any]:
    return clustered_intervals(cluster_sums(trials.lazy(), [], pl.col("passed")).collect(), **options).row(
        0, named=True
    )


@given(several)
def test_the_design_effect_is_that_of_statsmodels_cluster_robust_variance(items: Items) -> None:
    """An ordinary regression on a constant alone, with the covariance clustered by item, gives the variance."""
    n, rate = sum(n for _, n in items), sum(x for x, _ in items) / sum(n for _, n in items)
    size = effective_size(*zip(*items, strict=True))
    if rate in (0, 1):
        assert (size.design_effect, size.effective_n) == (None, len(items))
        return
    trials = trials_of(items)
    fitted = OLS(trials["passed"].cast(pl.Float64).to_numpy(), np.ones(n)).fit(
        cov_type="cluster", cov_kwds={"groups": trials[ITEM].cast(pl.Int64).to_numpy()}
    )
    effect = float(fitted.cov_params()[0, 0]) / (rate * (1 - rate) / (n - 1))
    assert size.design_effect == pytest.approx(effect, abs=1e-9)
    quantiles = [t.ppf(0.975, degrees) for degrees in (n - 1, len(items) - 1)]
    corrected = n / effect * (quantiles[0] / quantiles[1]) ** 2 if effect > 1e-9 else n
    assert size.effective_n == pytest.approx(min(n, corrected), rel=1e-9)


@pytest.mark.parametrize("rates", [(0.3, 0.3), (0.1, 0.9, 0.5), (1.0, 0.2)])
def test_the_variance_over_runs_is_unbiased_by_enumeration_of_all_outcomes(rates: tuple[float, ...]) -> None:
    trials = [3, 2, 4][: len(rates)]
    n = sum(trials)
    expected = 0.0
    for passes in product(*(range(each + 1) for each in trials)):
        chance = prod(
            comb(each, x) * rate**x * (1 - rate) ** (each - x)
            for each, x, rate in zip(trials, passes, rates, strict=True)
        )
        share = sum(passes) / n
        effect = effective_size(passes, trials, over="runs").design_effect
        expected += chance * (0.0 if effect is None else effect * share * (1 - share) / (n - 1))
    assert expected == pytest.approx(
        sum(each * rate * (1 - rate) for each, rate in zip(trials, rates, strict=True)) / n**2
    )


@given(several, st.sampled_from([0.8, 0.95]), st.sampled_from(["wilson", "clopper-pearson"]), st.randoms())
def test_names_and_order_change_nothing_and_the_interval_holds_its_rate(
    items: Items, level: float, interval: str, random: Any
) -> None:
    trials = trials_of(items)
    names = random.sample([f"name {name}" for name in range(len(items))], len(items))
    renamed = trials.with_columns(pl.col(ITEM).replace_strict([str(old) for old in range(len(items))], names))
    shuffled = renamed[random.sample(range(trials.height), trials.height)]
    for over in ("items", "runs"):
        row = intervals(trials, over=over, level=level, interval=interval)
        assert intervals(shuffled, over=over, level=level, interval=interval) == row
        if row["ci_low"] is not None:
            assert 0 <= row["ci_low"] <= row["rate"] <= row["ci_high"] <= 1
            assert row["ci_low"] < row["ci_high"]


@given(several, st.sampled_from(["items", "runs"]))
def test_the_scalar_says_what_the_column_says(items: Items, over: str) -> None:
    row = intervals(trials_of(items), over=over)
    size = effective_size(*zip(*items, strict=True), over=over)
    assert (size.clusters, size.design_effect, size.effective_n) == (
        row["clusters"],
        row["design_effect"],
        row["effective_n"],
    )
    assert size.note == (row["ci_method"] if row["ci_low"] is None else None)


@pytest.mark.parametrize(("method", "theirs"), [("wilson", "wilson"), ("clopper-pearson", "beta")])
def test_with_one_trial_an_item_it_is_the_plain_interval(method: str, theirs: str) -> None:
    for n in (1, 2, 7, 40):
        for x in range(n + 1):
            row = intervals(trials_of([(int(place < x), 1) for place in range(n)]), interval=method, level=0.9)
            assert (row["ci_method"], row["clusters"], row["effective_n"]) == (method, n, n)
            assert row["design_effect"] == (1 if 0 < x < n else None)
            assert (row["ci_low"], row["ci_high"]) == pytest.approx(
                proportion_confint(x, n, alpha=0.1, method=theirs), abs=1e-12
            )


def test_a_tally_of_repeats_worked_out_by_hand() -> None:
    """Off the rate of 0.6 lie 4, 3, 0 and 5 of 5 by 1, 0, -3 and 2: 14 in squares, times 4/3, over 20²."""
    size = effective_size([4, 3, 0, 5], [5, 5, 5, 5])
    effect = (14 * 4 / 3 / 400) / (0.24 / 19)
    assert size.design_effect == pytest.approx(effect)
    assert size.effective_n == pytest.approx(20 / effect * (2.0930240544 / 3.1824463053) ** 2)
    runs = effective_size([4, 3, 0, 5], [5, 5, 5, 5], over="runs")
    assert runs.design_effect == pytest.approx((4 * 1 / 4 + 3 * 2 / 4) / 400 / (0.24 / 19))
    assert runs.effective_n == pytest.approx(
        20 / ((3.8414588207 / 400) / (0.24 / 19)) * (2.0930240544 / 2.1199052992) ** 2
    )


def test_where_there_is_no_interval_the_reason_stands_in_its_place() -> None:
    assert intervals(trials_of([(2, 3)]))["ci_method"] == ONE_ITEM
    assert intervals(trials_of([(2, 3), (1, 1)]), over="runs")["ci_method"] == TRIED_ONCE
    nameless = trials_of([(2, 3), (1, 1)]).with_columns(pl.Series(NAMELESS, [False] * 3 + [True]))
    row = intervals(nameless)
    assert (row["ci_method"], row["clusters"], row["effective_n"], row["rate"]) == (NAMELESS_ITEMS, None, None, 0.75)
    nothing = {"clusters": 0} | dict.fromkeys(
        ("rate", "ci_low", "ci_high", "ci_method", "design_effect", "effective_n")
    )
    for over in ("items", "runs"):
        assert intervals(trials_of([]), over=over) == nothing


def test_items_without_a_name_that_are_none_of_repeated_runs_are_each_their_own() -> None:
    trials = trials_of([(2, 3), (1, 1), (0, 1)]).with_columns(pl.Series(ITEM, ["a", "a", "a", None, None]))
    assert intervals(trials) == intervals(trials_of([(2, 3), (1, 1), (0, 1)]))
    assert intervals(trials)["clusters"] == 3


def test_where_all_trials_came_out_alike_items_are_what_counts_and_over_runs_trials_are() -> None:
    for x in (0, 4):
        row, runs = (intervals(trials_of([(x, 4)] * 3), over=over) for over in ("items", "runs"))
        assert (row["design_effect"], row["effective_n"]) == (None, 3)
        assert (runs["design_effect"], runs["effective_n"]) == (None, 12)
        assert row["ci_method"] == runs["ci_method"] == "wilson, at the effective sample size"
        assert row["ci_high"] - row["ci_low"] > runs["ci_high"] - runs["ci_low"] > 0


def test_items_that_never_vary_have_an_interval_over_runs_that_does_not_collapse() -> None:
    row, runs = (intervals(trials_of([(0, 5), (5, 5)] * 4), over=over) for over in ("items", "runs"))
    assert (runs["design_effect"], runs["rate"]) == (0, 0.5)
    assert 0 < runs["ci_high"] - runs["ci_low"] < row["ci_high"] - row["ci_low"]


def test_items_more_alike_than_chance_never_narrow_the_interval() -> None:
    row = intervals(trials_of([(1, 2)] * 10))
    assert (row["design_effect"], row["effective_n"]) == (0, 20)


def test_groups_are_told_apart_and_a_million_trials_do_not_overflow() -> None:
    trials = pl.concat([trials_of([(1, 2), (2, 2)], 1), trials_of([(0, 3), (1, 1)], 2)])
    sums = cluster_sums(trials.lazy(), ["g"], pl.col("passed")).collect().sort("g")
    assert sums.select("g", "clusters", "trials", "passes").rows() == [(1, 2, 4, 3), (2, 2, 4, 1)]
    many = effective_size([400_000, 500_000], [10**6, 10**6])
    assert many.design_effect == pytest.approx(2 * 2 * 50_000**2 / (2 * 10**6) ** 2 / (0.45 * 0.55 / (2 * 10**6 - 1)))


def held(rng: np.random.Generator, trials: list[int], rate: float, icc: float, over: str) -> tuple[float, float]:
    """How often the interval, and Wilson's over all trials, hold the true rate: 2,500 draws of items and trials.

    Rates of items are beta distributed; over runs, those of one draw of items are held fixed.
    """
    draws, items = 2500, len(trials)
    spread = (1 - icc) / icc
    rates = rng.beta(rate * spread, (1 - rate) * spread, (draws if over == "items" else 1, items))
    passes = rng.binomial(trials, rates, (draws, items))
    truth = rate if over == "items" else float((rates[0] * trials).sum() / sum(trials))
    name = np.repeat(np.arange(items), trials)
    place = np.concatenate([np.arange(n) for n in trials])
    frame = pl.DataFrame({"draw": np.repeat(np.arange(draws), len(name)), "item": np.tile(name, draws)}).with_columns(
        pl.Series("passed", (place < passes[:, name]).ravel()),
        pl.col("item").cast(pl.String).alias(ITEM),
        pl.lit(value=False).alias(NAMELESS),
    )
    sums = cluster_sums(frame.lazy(), ["draw"], pl.col("passed")).collect()
    found = clustered_intervals(sums, over=over)
    low, high = proportion_confint(sums["passes"].to_numpy(), sums["trials"].to_numpy(), method="wilson")
    assert found["ci_low"].null_count() == 0
    return (
        float(((found["ci_low"] <= truth) & (truth <= found["ci_high"])).mean()),  # type: ignore[arg-type]
        float(((low <= truth) & (truth <= high)).mean()),
    )


@pytest.mark.parametrize(
    ("trials", "rate", "icc", "at_least", "naive_at_most"),
    [
        ([10] * 30, 0.7, 0.3, 0.93, 0.75),
        ([5] * 10, 0.9, 0.3, 0.93, 0.90),
        ([4] * 50, 0.5, 0.2, 0.93, 0.90),
        ([5] * 100, 0.95, 0.4, 0.93, 0.80),
        ([3] * 20, 0.9, 0.5, 0.91, 0.86),
        ([1, 2, 4, 8, 16] * 6, 0.6, 0.3, 0.91, 0.80),
    ],
)
def test_the_interval_over_items_holds_the_rate_where_one_over_trials_does_not(
    trials: list[int], rate: float, icc: float, at_least: float, naive_at_most: float
) -> None:
    ours, naive = held(np.random.default_rng(20261130), trials, rate, icc, "items")
    assert at_least <= ours <= 0.99
    assert naive <= naive_at_most


@pytest.mark.parametrize(
    ("trials", "rate", "icc"),
    [([10] * 30, 0.7, 0.3), ([3] * 20, 0.9, 0.5), ([2] * 40, 0.5, 0.95), ([2, 3, 5, 8] * 5, 0.6, 0.3)],
)
def test_the_interval_over_runs_holds_the_rate_of_these_items(trials: list[int], rate: float, icc: float) -> None:
    ours, _ = held(np.random.default_rng(20261130), trials, rate, icc, "runs")
    assert ours >= 0.93


def test_wrong_calls_say_what_is_wrong() -> None:
    with pytest.raises(OptionError, match="over='rows': choose one of items, runs"):
        effective_size([1], [1], over="rows")
    with pytest.raises(OptionError, match="interval='wald': choose one of wilson, clopper-pearson"):
        intervals(trials_of([(1, 1)]), interval="wald")
    for passes, trials in (([2], [1]), ([1], [1, 1]), ([-1], [1])):
        with pytest.raises(OptionError, match="no item passes more often than it was tried"):
            effective_size(passes, trials)
    with pytest.raises(ArgumentError, match="a confidence level is a number"):
        effective_size([1], [1], level="0.9")  # type: ignore[arg-type]
