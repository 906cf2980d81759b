from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import StepPatch

from tests.plots.reading_off import legend, texts
from tests.review.packs import boolean, choice, judged, pack_of
from tests.statistics.evaluations.judged_tickets import FLOOR, PACK, stored
from verdict_frames.errors import ArgumentError
from verdict_frames.frames.evaluation_assembly import evaluations_from_records
from verdict_frames.plots.sweep import plot_sweep
from verdict_frames.statistics.evaluations.sweeps import sweep

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TICKETS = evaluations_from_records(
    [stored(probability, ticketId=f"t{place}") for place, probability in enumerate([0.2, 0.6, 0.6, 1.0])]
)
LABELS = pl.DataFrame({"ticket_id": ["t1", "t2"], "question_id": ["queue", "queue"], "gold": ["billing", "other"]})


def steps(ax: Axes, label: str) -> tuple[list[float], list[float]]:
    """The edges and the values of one step line."""
    (found,) = [patch for patch in ax.patches if isinstance(patch, StepPatch) and patch.get_label() == label]
    values, edges, _ = found.get_data()
    return [float(edge) for edge in edges], [float(value) for value in values]


def test_accepted_and_held_back_stand_where_they_were_counted() -> None:
    ax = plot_sweep(sweep(TICKETS, PACK, FLOOR))
    edges = [0, 0.2, 0.6, 1.0]
    assert steps(ax, "accepted") == (edges, [100, 75, 25])
    assert steps(ax, "held back by this question alone") == (edges, [0, 25, 75])
    assert legend(ax) == ["accepted", "held back by this question alone", "in the pack"]
    assert (ax.get_xlabel(), ax.get_ylim()) == (f"{FLOOR}\nn = 4 decided", (0, 100))


def test_with_labels_the_error_rate_has_a_gap_where_nothing_is_checked() -> None:
    ax = plot_sweep(sweep(TICKETS, PACK, FLOOR, labels=LABELS))
    _, wrong = steps(ax, "wrong, of the accepted and checked")
    assert wrong[:2] == [50, 50]
    assert math.isnan(wrong[2])
    _, bound = steps(ax, "its upper bound, 95 %")
    assert bound[0] == pytest.approx(100 * 0.95**0.5)  # the p for which two are wrong with probability 0.95: p² = 0.95


def test_the_mark_of_the_pack_and_what_was_left_out() -> None:
    rows = [stored(0.7), {"failure": "timeout"}, {"status": "review", "answers": {}, "reviewReasons": ["timeout"]}]
    ax = plot_sweep(sweep(evaluations_from_records(rows), PACK, FLOOR))
    (mark,) = [line for line in ax.lines if line.get_label() == "in the pack"]
    assert np.asarray(mark.get_xdata()).tolist() == [0.5, 0.5]
    assert ax.get_xlabel().splitlines()[1].startswith("n = 1 decided; left out: ")


def test_steps_closed_at_their_lower_end_reach_to_the_right() -> None:
    pack = pack_of(queue=choice(0.5), refund=boolean(0.2, 0.8))
    answers = [{"refund": judged(value)} for value in (0.1, 0.4)]
    ax = plot_sweep(
        sweep(
            evaluations_from_records([{"answers": row} for row in answers], source="gateway"),
            pack,
            "refund.lowExclusive",
            missing="skip",
        )
    )
    edges, accepted = steps(ax, "accepted")
    assert edges == [0, 0.1, 0.4, 0.8]
    assert accepted == [0, 50, 100]


def test_without_evaluations_there_is_no_share_to_draw() -> None:
    ax = plot_sweep(sweep(evaluations_from_records([]), PACK, FLOOR))
    assert ax.get_xlabel().endswith("n = 0 decided")
    assert all(math.isnan(value) for value in steps(ax, "accepted")[1])


def test_given_axes_are_drawn_on_and_wrong_ones_refused() -> None:
    ax = Figure().add_subplot()
    assert plot_sweep(sweep(TICKETS, PACK, FLOOR), ax=ax) is ax
    with pytest.raises(ArgumentError, match="what sweep returns is needed, not DataFrame"):
        plot_sweep(pl.DataFrame())  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="`ax` takes one matplotlib Axes"):
        plot_sweep(sweep(TICKETS, PACK, FLOOR), ax=Figure())  # type: ignore[arg-type]
    assert texts(ax) == []
