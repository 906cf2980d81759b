from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verdict_frames.errors import ArgumentError, OptionError
from verdict_frames.statistics.judges.resampling import BOOTSTRAP, NO_SPREAD, Bootstrap


def draws(resamples: int = 200, level: float = 0.9, seed: int = 1) -> Bootstrap:
    return Bootstrap(resamples=resamples, seed=seed, level=level)


def test_sums_are_distributed_as_over_all_ways_to_draw_three_items() -> None:
    """Item 0 has two subjects of kind 0, item 1 one of each kind, item 2 one of kind 1: 27 equally likely draws."""
    terms = np.array([[1.0, 0.0], [0.0, 10.0]])
    kinds, items = np.array([0, 0, 0, 1, 1]), np.array([5, 5, 9, 9, 7])
    of_item = {5: (2.0, 0.0), 9: (1.0, 10.0), 7: (0.0, 10.0)}
    exact = Counter(
        tuple(map(sum, zip(*(of_item[i] for i in drawn), strict=True))) for drawn in product(of_item, repeat=3)
    )
    sums = draws(40_000).sums(terms, kinds, items)
    found = Counter(map(tuple, sums.tolist()))
    assert set(found) == set(exact)
    for value, ways in exact.items():
        assert found[value] / 40_000 == pytest.approx(ways / 27, abs=0.01), value  # 4 standard errors are 0.0100


@given(st.permutations(list(range(6))), st.permutations([10, 20, 30]))
def test_neither_order_nor_names_of_items_matter(order: list[int], names: list[int]) -> None:
    terms = np.array([[1.0], [3.0]])
    kinds, items = np.array([0, 1, 1, 0, 0, 1]), np.array([0, 0, 1, 1, 2, 2])
    expected = draws().sums(terms, kinds, items)
    assert np.array_equal(draws().sums(terms, kinds[order], np.array(names)[items[order]]), expected)


def test_the_interval_leaves_out_the_same_share_at_either_end() -> None:
    low, high, method = draws(100).interval(np.arange(100.0)[::-1].copy())
    assert (low, high, method) == (4.0, 94.0, BOOTSTRAP)  # of 100 values the 5th and the 95th


def test_undefined_resamples_stand_at_both_ends() -> None:
    values = np.arange(100.0)
    values[[3, 50]] = np.nan
    # 98 are left: the 5th from below is now the 3rd of these, the 95th from below stays the 95th of these
    assert draws(100).interval(values) == (2.0, 96.0, BOOTSTRAP)
    values[:6] = np.nan
    assert draws(100).interval(values) == (None, None, "undefined in 7 of 100 resamples")


def test_values_that_are_all_the_same_span_nothing() -> None:
    assert draws(100).interval(np.ones(100)) == (None, None, NO_SPREAD)


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"resamples": 99}, OptionError, "at least 100 resamples, not 99"),
        ({"resamples": 1e3}, ArgumentError, "resamples takes a whole number, not 1000.0"),
        ({"seed": -1}, OptionError, "seed lies between 0 and 4294967295, not -1"),
        ({"seed": "a"}, ArgumentError, "seed takes a whole number, not 'a'"),
        ({"seed": True}, ArgumentError, "seed takes a whole number, not True"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        Bootstrap(**({"resamples": 100, "seed": 0, "level": 0.9} | options))
