from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from tests.plots.reading_off import legend, points, texts
from tests.review.packs import boolean, choice, judged, pack_of, selected
from tests.statistics.evaluations.judged_tickets import FLOOR, PACK, stored
from verdict_frames.errors import ArgumentError, OptionError
from verdict_frames.frames.evaluation_assembly import evaluations_from_records
from verdict_frames.plots.risk_coverage import plot_risk_coverage
from verdict_frames.statistics.evaluations.sweeps import Sweep, sweep


def swept(gold: str, *, labels: bool = True) -> Sweep:
    """Four tickets at 0.2, 0.6, 0.6 and 1.0, the pack's floor at 0.5; a gold is b (billing, right) or o (wrong)."""
    tickets = [stored(probability, ticketId=f"t{place}") for place, probability in enumerate([0.2, 0.6, 0.6, 1.0])]
    golds = ["billing" if letter == "b" else "other" for letter in gold]
    names = [f"t{place}" for place in range(len(gold))]
    given = pl.DataFrame({"ticket_id": names, "question_id": "queue", "gold": golds})
    return sweep(evaluations_from_records(tickets), PACK, FLOOR, labels=given if labels else None)


def test_each_place_of_the_threshold_is_a_point_and_the_packs_is_marked() -> None:
    ax = plot_risk_coverage(swept("oobb"))
    wanted = [(25, 0), (75, 100 / 3), (100, 50)]
    assert points(ax, FLOOR) == [pytest.approx(point) for point in wanted]
    (here,) = [line for line in ax.lines if line.get_markersize() == 11]
    assert np.asarray(here.get_xydata())[0] == pytest.approx([75, 100 / 3])
    (bound,) = [line for line in ax.lines if line.get_linestyle() == ":"]
    assert float(np.asarray(bound.get_ydata())[0]) == pytest.approx(95)  # none wrong of one: 0.05 = 1 - p
    assert legend(ax) == [FLOOR]
    assert ax.get_xlim() == (0, 100)


def test_several_thresholds_have_looks_of_their_own() -> None:
    ax = plot_risk_coverage([swept("oobb"), swept("bbbb")])
    drawn = [line for line in ax.lines if line.get_label() == FLOOR]
    assert len({(line.get_color(), line.get_marker()) for line in drawn}) == 2


def test_places_where_nothing_is_checked_are_not_drawn() -> None:
    ax = plot_risk_coverage(swept("obb"))
    assert [x for x, _ in points(ax, FLOOR)] == [75, 100]


def test_wrong_calls_are_refused() -> None:
    with pytest.raises(
        OptionError, match=r"the sweep of queue\.minSelectedProbability has no error rates; give labels"
    ):
        plot_risk_coverage(swept("oobb", labels=False))
    with pytest.raises(OptionError, match="one to 5 sweeps can be told apart in one picture; there are 0"):
        plot_risk_coverage([])
    with pytest.raises(ArgumentError, match="what sweep returns is needed, not int"):
        plot_risk_coverage([3])  # type: ignore[list-item]
    with pytest.raises(ArgumentError, match="or a list of these, not dict"):
        plot_risk_coverage({})  # type: ignore[arg-type]


def test_nothing_accepted_and_checked_says_so() -> None:
    pack = pack_of(queue=choice(0.5), refund=boolean(0.2, 0.8))
    held_back = {"queue": selected(0.9), "refund": judged(0.5)}
    rows = [{"status": "accept", "answers": held_back, "reviewReasons": [], "ticketId": "t0"}]
    labels = pl.DataFrame({"ticket_id": ["t0"], "question_id": ["queue"], "gold": ["billing"]})
    ax = plot_risk_coverage(sweep(evaluations_from_records(rows), pack, FLOOR, labels=labels))
    assert texts(ax) == ["nothing accepted was checked"]
    assert legend(ax) == []
