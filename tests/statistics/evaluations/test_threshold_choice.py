from __future__ import annotations

import polars as pl
import pytest

from tests.statistics.evaluations.judged_tickets import FLOOR, PACK, calibrated, stored
from verdict_frames.errors import LabelError, OptionError
from verdict_frames.frames.evaluation_assembly import evaluations_from_records
from verdict_frames.statistics.evaluations.sweeps import sweep
from verdict_frames.statistics.evaluations.threshold_choice import NONE_REACHES_IT, choose_threshold


def test_the_lowest_floor_within_the_target_is_chosen_on_one_half_and_reported_on_the_other() -> None:
    evaluations, labels = calibrated(2_000)
    choice = choose_threshold(evaluations, PACK, FLOOR, labels=labels, max_error=0.06, seed=3)
    assert choice.threshold is not None
    assert choice.note is None
    first, second = choice.chosen_on, choice.reported_on
    assert first is not None
    assert second is not None
    assert first.decided + second.decided == 2_000
    assert first.decided == 1_000
    assert first.bound is not None
    assert first.bound <= 0.06
    both = sweep(evaluations, PACK, FLOOR, labels=labels).at([choice.threshold]).row(0, named=True)
    for name in ("accepted", "checked", "wrong"):
        assert getattr(first, name) + getattr(second, name) == both[name]
    assert (second.accepted, second.checked) == (second.checked, second.accepted)
    assert str(choice).startswith(f"{FLOOR} = {choice.threshold:g} (errors at most 6 %) accepts {second.accepted} of ")
    assert f"of the {second.checked} checked, {second.wrong} wrong, so at most" in str(choice)
    assert "safe" not in str(choice)


def test_no_lower_floor_of_the_first_half_would_do() -> None:
    evaluations, labels = calibrated(600, seed=5)
    choice = choose_threshold(evaluations, PACK, FLOOR, labels=labels, max_error=0.1, seed=1)
    assert choice.chosen_on is not None
    wider = choose_threshold(evaluations, PACK, FLOOR, labels=labels, max_error=0.3, seed=1)
    assert wider.chosen_on is not None
    assert wider.chosen_on.accepted >= choice.chosen_on.accepted
    assert (wider.threshold or 0) <= (choice.threshold or 0)


def test_the_same_seed_deals_the_same_halves() -> None:
    evaluations, labels = calibrated(300)
    options = {"labels": labels, "max_error": 0.2}
    once, again = (choose_threshold(evaluations, PACK, FLOOR, seed=7, **options) for _ in range(2))  # type: ignore[arg-type] # mixed options
    assert once == again
    assert once != choose_threshold(evaluations, PACK, FLOOR, seed=8, **options)  # type: ignore[arg-type] # likewise


def test_none_reaches_it() -> None:
    evaluations, labels = calibrated(60)
    choice = choose_threshold(evaluations, PACK, FLOOR, labels=labels, max_error=0.001)
    assert (choice.threshold, choice.note) == (None, NONE_REACHES_IT)
    assert (choice.chosen_on, choice.reported_on) == (None, None)
    assert str(choice) == f"{FLOOR}: errors at most 0.1 %: none reaches it"


def test_a_budget_needs_no_labels_and_takes_the_strictest_floor_within() -> None:
    evaluations, _ = calibrated(1_000)
    choice = choose_threshold(evaluations, PACK, FLOOR, max_review=0.4)
    first = choice.chosen_on
    assert first is not None
    assert first.checked is None
    assert first.decided - first.accepted <= 0.4 * first.decided
    swept = sweep(evaluations, PACK, FLOOR).steps["threshold"].to_list()
    stricter = swept[swept.index(choice.threshold) + 1]
    half = choose_threshold(evaluations, PACK, FLOOR, max_review=0.4)
    assert half.threshold == choice.threshold
    assert stricter > (choice.threshold or 0)
    everything = choose_threshold(evaluations, PACK, FLOOR, max_review=1)
    assert everything.threshold == 1.0


def test_evaluations_of_one_ticket_stay_in_one_half() -> None:
    rows = [stored(0.9, ticketId="a") for _ in range(5)] + [stored(0.9, idempotencyKey="k") for _ in range(4)]
    choice = choose_threshold(evaluations_from_records(rows), PACK, FLOOR, max_review=1)
    assert choice.chosen_on is not None
    assert choice.reported_on is not None
    assert {choice.chosen_on.decided, choice.reported_on.decided} == {5, 4}


def test_wrong_calls_are_refused() -> None:
    evaluations, labels = calibrated(20)
    with pytest.raises(OptionError, match="nothing to choose by"):
        choose_threshold(evaluations, PACK, FLOOR)
    with pytest.raises(OptionError, match="max_error needs labels"):
        choose_threshold(evaluations, PACK, FLOOR, max_error=0.1)
    with pytest.raises(OptionError, match="max_review is a share from 0 to 1, not 30"):
        choose_threshold(evaluations, PACK, FLOOR, max_review=30)
    reviewed = evaluations.evaluations.filter(pl.col("status") == "review")["ticket_id"]
    with pytest.raises(LabelError, match="label some that audit_sample draws"):
        choose_threshold(
            evaluations, PACK, FLOOR, labels=labels.filter(pl.col("ticket_id").is_in(reviewed.implode())), max_error=0.5
        )
