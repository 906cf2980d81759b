from __future__ import annotations

import numpy as np
import pytest

from tests.plots.reading_off import bars, legend, points, texts
from tests.statistics.corpora import corpus, judged, unjudged
from verdict_frames.errors import ArgumentError, OptionError
from verdict_frames.plots.bounds import plot_bounds
from verdict_frames.statistics.intervals import wilson
from verdict_frames.statistics.sensitivity import Bounds, bounds


def two() -> Bounds:
    """Group v: two accepted, one rejected, one not assessed; group w: nobody judged its only item."""
    states = ["ACCEPTED", "ACCEPTED", "REJECTED", "NOT_ASSESSED"]
    rows = [judged(reading, item_id=str(place)) for place, reading in enumerate(states)]
    held = corpus({"x": rows, "y": [unjudged(success=None, item_id="0")]}, variant={"x": "v", "y": "w"})
    return bounds(held, "variant")


def test_worst_and_best_case_stand_apart_from_interval_and_policies() -> None:
    ax = plot_bounds(two())
    assert bars(ax) == {"worst to best case": [(0, 50, 75), (1, 0, 100)]}
    (rate,) = points(ax, "rate, agent-judge-0.17")
    assert rate == pytest.approx((200 / 3, 0))
    assert points(ax, "rate, all-items") == [(50, 0)]
    interval, low, high = wilson(2, 3), wilson(2, 4), wilson(3, 4)
    assert interval is not None
    assert low is not None
    assert high is not None
    drawn = {
        str(lines.get_label()): np.asarray(lines.get_segments()[0])[:, 0].tolist()  # type: ignore[attr-defined]
        for lines in ax.collections
    }
    assert drawn["interval, agent-judge-0.17"] == pytest.approx([100 * interval.low, 100 * interval.high])
    assert drawn["with sampling error, 95 %"] == pytest.approx([100 * low.low, 100 * high.high])
    assert texts(ax) == ["1 unknown, n = 4", "1 unknown, n = 1"]
    assert ax.get_xlabel() == "pass rate, %; resolved either way: whatever isn’t known"


def test_one_cause_can_be_looked_at() -> None:
    ax = plot_bounds(two(), cause="unjudged")
    known, unknown = bars(ax)["worst to best case"]
    assert list(known) == pytest.approx([0, 200 / 3, 200 / 3], abs=1e-5)
    assert list(unknown) == [1, 0, 100]
    assert ax.get_xlabel().endswith("resolved either way: unjudged")
    with pytest.raises(OptionError, match="cause='weather': choose one of not_assessed"):
        plot_bounds(two(), cause="weather")


def test_order_nothing_to_draw_and_wrong_calls() -> None:
    ax = plot_bounds(two(), order=["w"])
    assert [label.get_text() for label in ax.get_yticklabels()] == ["w", "v"]
    (rate,) = points(ax, "rate, agent-judge-0.17")
    assert rate == pytest.approx((200 / 3, 1))
    empty = plot_bounds(bounds(corpus({}), "variant"))
    assert (texts(empty), legend(empty)) == (["no groups"], [])
    with pytest.raises(ArgumentError, match="what bounds returns is needed, not float"):
        plot_bounds(0.5)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="`order` names 'q'"):
        plot_bounds(two(), order=["q"])
