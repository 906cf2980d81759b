from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure

from tests.plots.reading_off import legend, points, texts
from tests.statistics.corpora import corpus, judged, unjudged
from verdict_frames.errors import ArgumentError, ColumnError, OptionError
from verdict_frames.plots.grid import plot_grid
from verdict_frames.plots.palette import STATE_LOOKS
from verdict_frames.statistics.grid import item_grid
from verdict_frames.statistics.vocabulary import ItemState

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes


def cells(ax: Axes, label: str) -> list[tuple[float, float, float, float]]:
    """The rectangles of one state: left, right, top, bottom."""
    (found,) = [each for each in ax.collections if isinstance(each, PolyCollection) and each.get_label() == label]
    boxes = [path.get_extents() for path in found.get_paths()]
    return [(round(box.x0, 3), round(box.x1, 3), round(box.y0, 3), round(box.y1, 3)) for box in boxes]


def names(ax: Axes) -> tuple[list[str], list[str]]:
    return [text.get_text() for text in ax.get_xticklabels()], [text.get_text() for text in ax.get_yticklabels()]


def two() -> pl.DataFrame:
    """Item a: v rejected, then accepted, w not assessed; item b: v contradicted acceptance, w nothing at all."""
    rows = {
        "v1": [judged("REJECTED", item_id="a"), judged("ACCEPTED", "CONTRADICTED", item_id="b")],
        "v2": [judged("ACCEPTED", item_id="a")],
        "w": [judged("NOT_ASSESSED", item_id="a")],
    }
    return item_grid(corpus(rows, variant={"v1": "v", "v2": "v", "w": "w"}, repeat={"v1": 1, "v2": 2}))


def test_each_trial_has_its_part_of_the_cell() -> None:
    ax = plot_grid(two())
    assert names(ax) == (["v", "w"], ["a", "b"])
    assert cells(ax, "rejected") == [(-0.44, 0.0, -0.44, 0.44)]
    assert cells(ax, "accepted") == [(0.0, 0.44, -0.44, 0.44)]
    assert cells(ax, "unattestable") == [(-0.44, 0.44, 0.56, 1.44)]
    assert cells(ax, "not assessed") == [(0.56, 1.44, -0.44, 0.44)]
    assert points(ax, "no trial") == [(1, 1)]
    assert texts(ax) == ["!"]
    assert ax.texts[0].get_position() == pytest.approx((0, 1))
    assert legend(ax) == ["accepted", "rejected", "not assessed", "unattestable"]
    assert (ax.get_xlabel(), ax.get_xlim(), ax.get_ylim()) == ("variant", (-0.5, 1.5), (1.5, -0.5))


def test_every_state_has_the_look_of_its_reading_or_bucket_and_none_looks_like_another() -> None:
    states = [judged(reading, item_id=reading) for reading in list(ItemState)[:5]]
    rows = [
        *states,
        judged(None, item_id="x"),
        unjudged(success=False, item_id="y"),
        unjudged(success=None, item_id="z"),
    ]
    ax = plot_grid(item_grid(corpus({"r": rows}), "run_id"))
    assert legend(ax) == [look.label for look in STATE_LOOKS.values()]
    drawn = {tuple(np.asarray(each.get_facecolor())[0]) for each in ax.collections}
    assert len(drawn) == len(STATE_LOOKS)


def test_order_puts_groups_first_and_null_last() -> None:
    row = [judged("ACCEPTED", item_id="a")]
    grid = item_grid(corpus({"x": row, "y": row, "z": row}, variant={"x": "b", "y": "a"}))
    assert names(plot_grid(grid))[0] == ["a", "b", "(not recorded)"]
    assert names(plot_grid(grid, order=["b"]))[0] == ["b", "a", "(not recorded)"]
    with pytest.raises(OptionError, match="`order` names 'q', which isn't a group here"):
        plot_grid(grid, order=["q"])


def test_wrong_frames_and_axes_are_refused() -> None:
    with pytest.raises(ArgumentError, match="what item_grid returns is needed, not dict"):
        plot_grid({})  # type: ignore[arg-type]
    with pytest.raises(ColumnError, match="the item_grid frame lacks state"):
        plot_grid(two().drop("state"))
    with pytest.raises(ColumnError, match="no column for its groups"):
        plot_grid(two().drop("variant", "run_id"))
    with pytest.raises(ArgumentError, match="`ax` takes one matplotlib Axes"):
        plot_grid(two(), ax=Figure())  # type: ignore[arg-type]


def test_no_items_is_a_picture_that_says_so() -> None:
    ax = plot_grid(item_grid(corpus({})))
    assert texts(ax) == ["no items"]
    assert legend(ax) == []


def test_sixty_groups_and_names_of_any_length_fit() -> None:
    rows = [
        judged("ACCEPTED", item_id=f"merged:spring-batch+{number:03}-{'x' * 100_000 * (number == 0)}")
        for number in range(40)
    ]
    variants = {f"r{number}": f"hardened+skills:{number:02}" for number in range(60)}
    ax = plot_grid(item_grid(corpus(dict.fromkeys(variants, rows), variant=variants)))
    figure: Any = ax.get_figure(root=True)
    figure.draw_without_rendering()
    boxes = [label.get_window_extent() for label in ax.get_yticklabels()]
    assert len(boxes) == 40
    assert all(box.x0 >= 0 for box in boxes)
    assert all(one.y0 >= other.y1 - 1 for one, other in pairwise(boxes))
    assert max(map(len, names(ax)[1])) <= 34
    assert len(cells(ax, "accepted")) == 2400
