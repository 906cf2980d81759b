from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest
from matplotlib.figure import Figure

from tests.plots.tallies import by_variant, items, three
from tests.statistics.corpora import corpus, items_frame, judged, unjudged
from verdict_frames.errors import ArgumentError, ColumnError, OptionError
from verdict_frames.plots.palette import BUCKET_LOOKS
from verdict_frames.plots.pass_rates import plot_pass_rates
from verdict_frames.statistics.intervals import wilson
from verdict_frames.statistics.tally import tally
from verdict_frames.vocabulary import Bucket

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def dots(ax: Axes, label: str) -> list[tuple[float, float]]:
    """Where the marks of one legend entry stand: row, percent."""
    found = [line for line in ax.lines if line.get_label() == label]
    return [(float(y), float(x)) for line in found for x, y in np.asarray(line.get_xydata())]


def spans(ax: Axes) -> list[tuple[float, float, float]]:
    segments = [segment for lines in ax.collections for segment in lines.get_segments()]  # type: ignore[attr-defined]
    return [(float(start[1]), float(start[0]), float(end[0])) for start, end in segments]


def texts(ax: Axes) -> list[tuple[float, str]]:
    return [(text.get_position()[1], text.get_text()) for text in ax.texts]


def names(ax: Axes) -> list[str]:
    return [label.get_text() for label in ax.get_yticklabels()]


def legend(ax: Axes) -> list[str]:
    shown = ax.get_legend()
    return [] if shown is None else [text.get_text() for text in shown.get_texts()]


def test_rates_intervals_n_and_the_gap_stand_where_they_were_counted() -> None:
    ax = plot_pass_rates(three())
    assert names(ax) == ["full", "gap", "(not recorded)"]
    assert ax.get_ylim() == (2.5, -0.5)
    assert ax.get_xlim() == (0, 100)
    assert dots(ax, "pass rate") == [(0, 75), (2, 100)]
    interval = wilson(3, 4)
    assert interval is not None
    assert [row for row, _, _ in spans(ax)] == [0]
    assert spans(ax)[0] == pytest.approx((0, 100 * interval.low, 100 * interval.high))
    assert texts(ax) == [
        (0, "n = 4"),
        (1, "n = 0"),
        (1, "no items eligible for the denominator"),
        (2, "n = 2, one item: no interval over items"),
    ]
    assert ax.get_ylabel() == "variant"


def test_the_recorded_rate_is_a_second_mark_where_anything_was_recorded() -> None:
    ax = plot_pass_rates(three())
    assert dots(ax, "recorded as passed, % of all items") == [(0, pytest.approx(500 / 13)), (2, 100)]
    assert legend(ax) == ["pass rate", "95 % interval", "recorded as passed, % of all items"]
    look = BUCKET_LOOKS[Bucket.PASSES]
    assert (ax.lines[0].get_marker(), ax.lines[0].get_color()) == (look.marker, look.colour)


def test_the_policy_and_the_level_are_named() -> None:
    ax = plot_pass_rates(by_variant({"a": items(1, 1)}, policy="verified-only", level=0.9))
    assert ax.get_xlabel().splitlines() == ["pass rate, % of the n eligible items", "policy verified-only"]
    assert "90 % interval" in legend(ax)


def test_several_policies_in_one_frame_are_told_apart() -> None:
    rows = items_frame(items(1, 0, judged("NOT_ASSESSED")))
    ax = plot_pass_rates(pl.concat([tally(rows), tally(rows, policy="all-items")]))
    assert names(ax) == ["all items · agent-judge-0.17", "all items · all-items"]
    assert dots(ax, "pass rate") == [(0, 100), (1, 50)]
    assert ax.get_xlabel().endswith("policies agent-judge-0.17, all-items")


def test_everything_as_one_group_and_several_group_columns() -> None:
    assert names(plot_pass_rates(tally(items_frame(items(1))))) == ["all items"]
    held = corpus({"x": items(1), "y": items(0, 1)}, variant={"x": "simple"}, repeat={"x": 1, "y": 2})
    ax = plot_pass_rates(tally(held, ["variant", "repeat"]))
    assert names(ax) == ["simple · 1", "(not recorded) · 2"]
    assert ax.get_ylabel() == "variant · repeat"


def test_a_gap_is_written_where_the_recorded_mark_is_not() -> None:
    low = plot_pass_rates(by_variant({"a": [judged("NOT_ASSESSED", passed=False)]}))
    high = plot_pass_rates(by_variant({"a": [judged("NOT_ASSESSED", passed=True)]}))
    for ax, mark, side in ((low, 0, "right"), (high, 100, "left")):
        assert dots(ax, "recorded as passed, % of all items") == [(0, mark)]
        (note,) = [text for text in ax.texts if "denominator" in text.get_text()]
        assert note.get_horizontalalignment() == side
        assert abs(note.get_position()[0] - mark) > 90


def test_order_puts_groups_first_and_loses_none() -> None:
    frame = by_variant({name: items(number, 4 - number) for number, name in enumerate("abcd")})
    ax = plot_pass_rates(frame, order=["c", "a"])
    assert names(ax) == ["c", "a", "b", "d"]
    assert dots(ax, "pass rate") == [(0, 50), (1, 0), (2, 25), (3, 75)]
    assert names(plot_pass_rates(three(), order=["(not recorded)"])) == ["(not recorded)", "full", "gap"]


def test_wrong_calls_say_what_is_wrong() -> None:
    with pytest.raises(OptionError, match=r"`order` names 'e', which isn't a group here; the groups are a, b"):
        plot_pass_rates(by_variant({"a": items(1), "b": items(1)}), order=["b", "e"])
    with pytest.raises(OptionError, match=r"names a group twice: a, a"):
        plot_pass_rates(by_variant({"a": items(1)}), order=["a", "a"])
    with pytest.raises(ArgumentError, match="frame that tally returns is needed, not Corpus"):
        plot_pass_rates(corpus({}))  # type: ignore[arg-type]
    with pytest.raises(ColumnError, match=r"tally frame lacks pass_rate; it has variant, passes"):
        plot_pass_rates(three().drop("pass_rate"))


def test_the_number_of_items_stands_beside_n_where_some_were_tried_again() -> None:
    twice = [judged("ACCEPTED", item_id="a"), judged("REJECTED", item_id="b")] * 2
    over_items, over_runs = (plot_pass_rates(by_variant({"x": twice}, over=over)) for over in ("items", "runs"))
    for ax, words in ((over_items, "95 % interval"), (over_runs, "95 % interval over runs")):
        assert texts(ax) == [(0, "n = 4, 2 items")]
        assert words in legend(ax)
        assert len(spans(ax)) == 1


def test_repeats_of_items_without_a_name_are_named_beside_n() -> None:
    held = corpus({"x": [judged("ACCEPTED")], "y": [judged("REJECTED")]}, repeat={"x": 1, "y": 2})
    ax = plot_pass_rates(tally(held))
    assert texts(ax) == [(0, "n = 2, items without a name")]
    assert spans(ax) == []
    assert dots(ax, "pass rate") == [(0, 50)]


def test_given_axes_are_drawn_on_and_returned() -> None:
    figure = Figure()
    left, right = figure.subplots(1, 2)
    left.invert_yaxis()
    assert plot_pass_rates(three(), ax=left) is left
    assert names(left) == ["full", "gap", "(not recorded)"]
    assert left.get_ylim() == (2.5, -0.5)
    assert len(right.lines) == 0
    assert tuple(figure.get_size_inches()) == tuple(Figure().get_size_inches())


def test_no_groups_is_a_picture_that_says_so() -> None:
    ax = plot_pass_rates(tally(corpus({}), "variant"))
    assert [text.get_text() for text in ax.texts] == ["no groups"]
    assert legend(ax) == []


def test_nothing_at_all_recorded_is_a_gap_without_marks() -> None:
    ax = plot_pass_rates(tally(items_frame([unjudged(success=None, passed=None)])))
    assert len(ax.lines) == 0
    assert legend(ax) == []
    assert texts(ax)[1] == (0, "no items eligible for the denominator")


def height(ax: Axes) -> float:
    figure = ax.get_figure(root=True)
    assert figure is not None
    return float(figure.get_figheight())


def overlaps(ax: Axes) -> list[tuple[str, str]]:
    """Names of neighbours that cover each other when drawn."""
    figure: Any = ax.get_figure(root=True)
    figure.draw_without_rendering()
    boxes = [(label.get_text(), label.get_window_extent()) for label in ax.get_yticklabels()]
    inside = figure.bbox
    assert all(inside.x0 <= box.x0 and box.y0 >= inside.y0 and box.y1 <= inside.y1 for _, box in boxes)
    return [(one[0], other[0]) for one, other in pairwise(boxes) if one[1].overlaps(other[1])]


def test_sixty_groups_and_long_names_fit() -> None:
    few = plot_pass_rates(by_variant({f"v{number}": items(1) for number in range(6)}))
    sixty = plot_pass_rates(by_variant({f"variant+{number:02}:skills": items(1) for number in range(60)}))
    long = plot_pass_rates(by_variant({f"hardened-with-{'preanalysis-' * 6}{number}": items(1) for number in range(6)}))
    assert height(sixty) > 5 * height(few)
    assert height(long) > height(few)
    assert overlaps(few) == overlaps(sixty) == overlaps(long) == []
    assert all(name.count("\n") == 2 for name in names(long))


def test_thousands_of_groups_can_be_saved() -> None:
    assert height(plot_pass_rates(by_variant({f"v{number}": items(1) for number in range(1500)}))) == 200


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a" * 60, f"{'a' * 34}\n{'a' * 26}"),
        ("$x_1$ costs $\\foo$", "$x_1$ costs $\\foo$"),
        ("two\nlines\tand\x07a bell", "two lines and a bell"),
        ("", "(blank)"),
        ("head " + "x" * 100_000 + " tail", f"head {'x' * 29}\n{'x' * 34}\n…{'x' * 28} tail"),
    ],
)
def test_names_of_any_kind_are_shown_as_they_are_or_shortened_in_the_middle(name: str, shown: str) -> None:
    ax = plot_pass_rates(by_variant({name: items(1)}))
    assert names(ax) == [shown]
    assert overlaps(ax) == []
