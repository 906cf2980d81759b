"""What is out of reach, against a search with statsmodels' intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from statsmodels.stats.proportion import proportion_confint  # type: ignore[import-untyped]

from tests.statistics.corpora import corpus, judged
from verdict_frames.statistics.gates.check import check_gates
from verdict_frames.statistics.gates.gates import Gates

if TYPE_CHECKING:
    from verdict_frames.frames.corpus import Corpus
    from verdict_frames.statistics.gates.outcome import GateLine

METHODS = {"wilson": "wilson", "clopper-pearson": "beta"}


def items(accepted: int, rejected: int, *, trials: int = 1) -> Corpus:
    names = [(f"i{place}", "ACCEPTED" if place < accepted else "REJECTED") for place in range(accepted + rejected)]
    return corpus(
        {f"r{trial}": [judged(reading, item_id=name) for name, reading in names] for trial in range(trials)},
        repeat={f"r{trial}": trial for trial in range(trials)},
    )


def only_line(held: Corpus, require: str, **options: str) -> GateLine:
    (line,) = check_gates(held, Gates.from_dict({"require": require}), **options).lines[1:]  # type: ignore[arg-type]
    return line


def least_all_passing(bound: float, method: str) -> int:
    """The least number of items whose lower end reaches the bound if all pass."""
    sizes = (n for n in range(1, 5000) if proportion_confint(n, n, alpha=0.05, method=METHODS[method])[0] >= bound)
    return next(sizes)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("bound", [0.5, 0.7, 0.8, 0.9, 0.95, 0.99])
def test_it_takes_as_many_items_as_a_search_finds(bound: float, method: str) -> None:
    least = least_all_passing(bound, method)
    short = only_line(items(least - 1, 0), f"ci_low>={bound}", interval=method)
    assert short.held is False
    assert short.note is not None
    assert short.note.startswith(f"out of reach: all {least - 1} passing gives ")
    assert short.note.endswith(f"; it takes {least:,} items")
    enough = only_line(items(least, 0), f"ci_low>={bound}", interval=method)
    assert (enough.held, enough.note) == (True, None)
    failed = only_line(items(least - 1, 1), f"ci_low>={bound}", interval=method)
    assert (failed.held, failed.note) == (False, None)


def test_repeats_of_few_items_do_not_bring_them_nearer() -> None:
    line = only_line(items(3, 1, trials=5), "ci_low>=0.7")
    assert line.note == f"out of reach: all 4 passing gives 0.51; it takes {least_all_passing(0.7, 'wilson')} items"


def test_over_runs_trials_are_counted() -> None:
    line = only_line(items(1, 1, trials=4), "ci_low>=0.7", over="runs")
    assert line.note is not None
    assert line.note.startswith("out of reach: all 8 passing gives 0.676; it takes 9")


def test_an_upper_end_is_out_of_reach_where_none_passing_is_too_few() -> None:
    line = only_line(items(0, 3), "ci_high<=0.1")
    least = next(n for n in range(1, 999) if proportion_confint(0, n, alpha=0.05, method="wilson")[1] <= 0.1)
    assert line.note == f"out of reach: none of 3 passing gives 0.561; it takes {least} items"


def test_a_bound_that_no_number_reaches_is_told() -> None:
    line = only_line(items(3, 0), "ci_low>=1")
    assert line.note == "out of reach: all 3 passing gives 0.439; no number of items would do"


def test_more_passes_than_items_are_out_of_reach() -> None:
    assert only_line(items(3, 1), "passes>=10").note == "out of reach: 4 are eligible; it takes 10"
    assert only_line(items(3, 1), "passes>4").note == "out of reach: 4 are eligible; it takes 5"
    assert only_line(items(3, 1), "passes>=4.5").note == "out of reach: 4 are eligible; it takes 5"
    assert only_line(items(3, 1), "passes>=1e8").note == "out of reach: 4 are eligible; it takes 100,000,000"
    assert only_line(items(3, 1), "passes>=4").note is None
    assert only_line(items(3, 1), "total>=10").note is None


@pytest.mark.parametrize("require", ["pass_rate>=1", "ci_low<=0.1", "ci_high>=1", "ci_low==0.5"])
def test_what_can_be_reached_has_no_note(require: str) -> None:
    assert only_line(items(1, 1), require).note is None
