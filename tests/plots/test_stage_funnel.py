from __future__ import annotations

import pytest

from tests.plots.juries import cascade, corpus_of
from tests.plots.reading_off import bars, legend, texts
from verdict_frames.errors import ArgumentError, OptionError
from verdict_frames.plots.stage_funnel import plot_stage_funnel
from verdict_frames.statistics.stages.funnel import StageFunnel, stage_funnel

GATE, PANEL = ("gate", "REJECT_ON_ANY_FAIL"), ("panel", "FINAL_TIER")


def five() -> StageFunnel:
    """Of five items one stopped at the gate, rejected; four went on to the panel: three accepted, one rejected."""
    on = [cascade((*GATE, "pass"), (*PANEL, status)) for status in ("pass", "pass", "pass", "fail")]
    return stage_funnel(corpus_of(cascade((*GATE, "fail")), *on))


def test_what_a_tier_passes_on_enters_the_next() -> None:
    ax = plot_stage_funnel(five())
    assert [label.get_text() for label in ax.get_yticklabels()] == ["gate", "panel"]
    assert bars(ax) == {
        "stopped: accepted": [(1, 0, 3)],
        "stopped: rejected": [(0, 0, 1), (1, 3, 4)],
        "passed on": [(0, 1, 5)],
    }
    assert texts(ax)[-2:] == ["entered 5", "entered 4"]
    assert legend(ax) == ["stopped: accepted", "stopped: rejected", "passed on"]


def test_members_are_drawn_by_what_they_came_to() -> None:
    attempts = [
        {"name": name, "relation": "meta_member", "disposition": "used", "verdict": {"aggregated": {"status": status}}}
        for name, status in (("static", "pass"), ("reader", "error"))
    ]
    verdict = {"aggregated": {"status": "pass"}, "compositeAttempts": attempts}
    ax = plot_stage_funnel(stage_funnel(corpus_of({"verdict": verdict})), part="members")
    assert bars(ax) == {"errored": [(1, 0, 1)], "passed the subject": [(0, 0, 1)]}
    assert [label.get_text() for label in ax.get_yticklabels()] == ["static", "reader"]
    assert texts(ax)[-2:] == ["listed 1", "listed 1"]


def test_order_nothing_to_draw_and_wrong_calls() -> None:
    ax = plot_stage_funnel(five(), order=["panel"])
    assert bars(ax)["passed on"] == [(1, 1, 5)]
    assert texts(plot_stage_funnel(stage_funnel(corpus_of()))) == ["no tiers recorded"]
    with pytest.raises(OptionError, match="part='all': choose one of tiers, members"):
        plot_stage_funnel(five(), part="all")
    with pytest.raises(ArgumentError, match="what stage_funnel returns is needed, not int"):
        plot_stage_funnel(3)  # type: ignore[arg-type]
