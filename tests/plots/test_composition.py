from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from tests.plots.tallies import by_variant, items, three
from tests.statistics.corpora import corpus, judged
from verdict_frames.errors import OptionError
from verdict_frames.plots.composition import plot_composition
from verdict_frames.plots.palette import BUCKET_LOOKS
from verdict_frames.statistics.tally import tally
from verdict_frames.vocabulary import Bucket

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Bars = dict[str, list[tuple[int, float, float]]]


def bars(ax: Axes) -> Bars:
    """Of each bucket in the legend: row, start, width."""
    return {
        container.get_label(): [  # type: ignore[misc]
            (round(bar.get_y() + bar.get_height() / 2), bar.get_x(), bar.get_width()) for bar in container
        ]
        for container in ax.containers
    }


def beside(ax: Axes) -> list[str]:
    return [text.get_text() for text in ax.texts if text.get_text().startswith("total")]


def inside(ax: Axes) -> list[tuple[float, float, str]]:
    return [(*text.get_position(), text.get_text()) for text in ax.texts if not text.get_text().startswith("total")]


def test_bars_stand_where_they_were_counted_and_sum_to_the_total() -> None:
    ax = plot_composition(three())
    assert bars(ax) == {
        "passes": [(0, 0, 3), (2, 0, 2)],
        "non-passes": [(0, 3, 1)],
        "excluded": [(0, 4, 1), (1, 0, 1)],
        "instrument failures": [(0, 5, 2), (1, 1, 1)],
        "unattestable": [(0, 7, 2)],
        "agent failed": [(0, 9, 3)],
        "unjudged": [(0, 12, 1)],
    }
    assert beside(ax) == ["total 13", "total 2", "total 2"]
    assert ax.get_xlim()[1] == pytest.approx(13, rel=0.01)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["full", "gap", "(not recorded)"]
    assert ax.get_xlabel().splitlines() == ["items", "policy agent-judge-0.17"]


def test_buckets_that_occur_are_in_the_legend_with_their_look() -> None:
    ax = plot_composition(by_variant({"a": items(1, 1, judged("ACCEPTED", "UNDETERMINED"))}, policy="verified-only"))
    shown = ax.get_legend()
    assert shown is not None
    assert [text.get_text() for text in shown.get_texts()] == ["passes", "non-passes", "set aside"]
    for container, bucket in zip(ax.containers, (Bucket.PASSES, Bucket.NON_PASSES, Bucket.SET_ASIDE), strict=True):
        (bar,) = container
        assert (to_hex(bar.get_facecolor()), bar.get_hatch() or "") == (
            BUCKET_LOOKS[bucket].colour,
            BUCKET_LOOKS[bucket].hatch,
        )


def test_counts_are_written_into_parts_that_have_room() -> None:
    ax = plot_composition(by_variant({"a": items(700, 299, judged("NOT_ASSESSED"))}))
    assert inside(ax) == [(350, 0, "700"), (849.5, 0, "299")]
    assert beside(ax) == ["total 1,000"]


def test_written_counts_stay_inside_their_parts_when_drawn() -> None:
    parts = [judged(reading) for reading in ["NOT_APPLICABLE"] * 3 + ["NOT_ASSESSED"] * 7 + ["UNDECIDED"] * 11]
    ax = plot_composition(by_variant({"a name of many words for a group " * 2: items(40, 15, *parts)}))
    figure = ax.get_figure(root=True)
    assert figure is not None
    figure.draw_without_rendering()
    edges = {
        x + width / 2: ax.transData.transform([(x, 0), (x + width, 0)])[:, 0]
        for rows in bars(ax).values()
        for _, x, width in rows
    }
    written = [text for text in ax.texts if not text.get_text().startswith("total")]
    assert len(written) >= 3
    for text in written:
        box = text.get_window_extent()
        left, right = edges[text.get_position()[0]]
        assert left <= box.x0 < box.x1 <= right


def test_what_was_left_out_is_named_beside_the_total() -> None:
    held = corpus({"x": items(2), "judge": items(3)}, kind={"judge": "judge_experiment"})
    assert beside(plot_composition(tally(held))) == ["total 2, 3 left out"]
    assert beside(plot_composition(tally(held, "run_id"))) == ["total 0, 3 left out", "total 2"]


def test_order_moves_bars_and_texts_alike() -> None:
    ax = plot_composition(by_variant({"a": items(1), "b": items(2, 3)}), order=["b"])
    assert bars(ax) == {"passes": [(0, 0, 2), (1, 0, 1)], "non-passes": [(0, 2, 3)]}
    assert beside(ax) == ["total 5", "total 1"]
    with pytest.raises(OptionError, match="isn't a group here"):
        plot_composition(by_variant({"a": items(1)}), order=["z"])


def test_given_axes_are_drawn_on_and_returned() -> None:
    ax = Figure().add_subplot()
    assert plot_composition(three(), ax=ax) is ax
    assert len(ax.containers) == 7


@pytest.mark.parametrize(("by", "said"), [(None, ["total 0"]), ("variant", [])])
def test_nothing_to_count_is_a_picture_too(by: str | None, said: list[str]) -> None:
    ax = plot_composition(tally(corpus({}), by))
    assert bars(ax) == {}
    assert beside(ax) == said
    assert ax.get_legend() is None
