"""How often `max_drop` fails a build by chance: by enumeration of all outcomes, and by simulated builds."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import pytest
from scipy.stats import multinomial

from tests.statistics.corpora import corpus, judged
from verdict_frames.statistics.comparison.compare import compare
from verdict_frames.statistics.gates.check import check_comparison_gates
from verdict_frames.statistics.gates.drop import Pair, best_difference, fewest_pairs
from verdict_frames.statistics.gates.gates import Gates

BOTH, LOST, WON, NEITHER = (1, 1, 1, 1), (1, 1, 0, 1), (0, 1, 1, 1), (0, 1, 0, 1)


@cache
def all_best(items: int, alpha: float) -> tuple[np.ndarray, np.ndarray]:
    """Every table of so many items, and what the difference is at best in each."""
    tables = [table for table in product(range(items + 1), repeat=4) if sum(table) == items]
    kinds: list[Pair] = [BOTH, LOST, WON, NEITHER]
    best = [
        best_difference([kind for kind, count in zip(kinds, table, strict=True) for _ in range(count)], alpha=alpha)
        for table in tables
    ]
    return np.array(tables), np.array(best)


@pytest.mark.parametrize("alpha", [0.05, 0.1])
@pytest.mark.parametrize("drop", [0.0, 0.05, 0.1, 0.2])
@pytest.mark.parametrize("items", [5, 8, 12])
def test_no_kind_of_item_fails_more_builds_than_alpha(items: int, drop: float, alpha: float) -> None:
    tables, best = all_best(items, alpha)
    fails = tables[best < -drop]
    for won, both in product(np.linspace(0, (1 - drop) / 2, 9), np.linspace(0, 1, 6)):
        rest = max(1 - 2 * won - drop, 0)
        chances = [rest * both, won + drop, won, rest * (1 - both)]
        failing = multinomial.pmf(fails, items, chances).sum() if len(fails) else 0
        assert failing <= alpha


@pytest.mark.parametrize(
    "kinds",
    [
        pytest.param([(1.0, 0.9, 0.8)], id="all items a little worse"),
        pytest.param([(0.9, 1.0, 1.0), (0.1, 1.0, 0.0)], id="a few items lost"),
        pytest.param([(0.5, 0.6, 0.4), (0.5, 0.5, 0.5)], id="half of them worse"),
        pytest.param([(0.9, 0.6, 0.6 - 0.2 / 0.9), (0.1, 0.0, 1.0)], id="most a little worse, a few won"),
    ],
)
@pytest.mark.parametrize("repeats", [2, 5])
def test_flaky_items_fail_at_most_alpha_of_builds(kinds: list[tuple[float, float, float]], repeats: int) -> None:
    """Items of these kinds, repeated, whose rate truly drops by just what is allowed (0.1), in 1,000 builds."""
    chance = np.random.default_rng(20260101)
    shares, before, after = (np.array(column) for column in zip(*kinds, strict=True))
    assert (shares * (before - after)).sum() == pytest.approx(0.1)
    failed, builds = 0, 1000
    for _ in range(builds):
        drawn = chance.choice(len(kinds), size=20, p=shares)
        old, new = (chance.binomial(repeats, side[drawn]) for side in (before, after))
        pairs = [(int(x), repeats, int(y), repeats) for x, y in zip(old, new, strict=True)]
        best = best_difference(pairs, alpha=0.05)
        assert best is not None
        failed += best < -0.1
    assert failed / builds <= 0.05 + 2 * (0.05 * 0.95 / builds) ** 0.5


def test_whole_builds_at_just_the_allowed_drop_rarely_fail() -> None:
    """The same from items to the gate, with two treatments and repeats: 50 builds."""
    chance = np.random.default_rng(7)
    gates, builds, failed = Gates.from_dict({"max_drop": 0.2}), 50, 0
    rates = {"old": 0.8, "new": 0.6, "other": 0.6}
    variants = {f"{name}-{repeat}": name for name in rates for repeat in range(2)}
    for _ in range(builds):
        runs = {
            run: [
                judged("ACCEPTED" if passed else "REJECTED", item_id=f"i{place}")
                for place, passed in enumerate(chance.random(12) < rates[name])
            ]
            for run, name in variants.items()
        }
        held = corpus(runs, variant=variants)
        compared = compare(held, by="variant", baseline="old", resamples=1)
        failed += bool(check_comparison_gates(compared, gates, held).failed())
    assert failed / builds <= 0.05 + 2 * (0.05 * 0.95 / builds) ** 0.5


def test_a_collapse_fails() -> None:
    for repeats in (1, 4):
        lost = (repeats, repeats, 0, repeats)
        best = best_difference([lost] * 20, alpha=0.05)
        assert best is not None
        assert best < -0.5


def test_more_losses_are_never_better() -> None:
    for repeats in (1, 3):
        kept, lost = (repeats, repeats, repeats, repeats), (repeats, repeats, 0, repeats)
        bounds = [best_difference([lost] * losses + [kept] * (15 - losses), alpha=0.05) or 0.0 for losses in range(16)]
        assert bounds == sorted(bounds, reverse=True)


@pytest.mark.parametrize("repeated", [False, True])
@pytest.mark.parametrize("most", [0.0, 0.1, 0.3])
def test_the_fewest_items_that_can_tell_are_those_that_do_when_all_are_lost(most: float, repeated: bool) -> None:  # noqa: FBT001
    fewest = fewest_pairs(most, alpha=0.05, repeated=repeated)
    assert fewest is not None
    lost = (3, 3, 0, 3) if repeated else LOST
    beyond = [(best_difference([lost] * items, alpha=0.05) or 0.0) < -most for items in (fewest - 1, fewest)]
    assert beyond == [False, True]


def test_without_items_there_is_no_difference() -> None:
    assert best_difference([], alpha=0.05) is None
    assert best_difference([(2, 2, 0, 2)], alpha=0.05) == 1.0
