from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl
import pytest
from matplotlib.figure import Figure

from tests.plots.tallies import items, three
from tests.statistics.corpora import corpus
from verdict_frames.errors import ArgumentError, ColumnError
from verdict_frames.plots.composition import plot_composition
from verdict_frames.plots.pass_rates import plot_pass_rates
from verdict_frames.statistics.tally import tally

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes

PLOTS = pytest.mark.parametrize("plot", [plot_pass_rates, plot_composition])


@PLOTS
@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("passes", None, "a null in passes"),
        ("total", pl.lit(None, pl.Int64), "a null in total"),
        ("eligible", -1, "-1 in eligible"),
        ("non_passes", 1.5, "non_passes as Float64; cast it, as it has to hold whole numbers"),
        ("pass_rate", float("nan"), "nan in pass_rate"),
        ("naive_rate", float("inf"), "inf in naive_rate"),
        ("ci_low", 50.0, r"50\.0 in ci_low"),
        ("ci_high", None, "one end of an interval"),
        ("confidence_level", None, "a null in confidence_level"),
        ("pass_rate", "75 %", "pass_rate as String; cast it, as it has to hold numbers"),
        ("policy", None, "a null in policy"),
        ("variant", pl.lit([[1]]), "the groups can't be shown as text: variant must"),
    ],
)
def test_what_no_tally_holds_is_refused_before_anything_is_drawn(
    plot: Callable[..., Axes], name: str, value: Any, message: str
) -> None:
    ax = Figure().add_subplot()
    with pytest.raises(ColumnError, match=message) as raised:
        plot(three().with_columns((value if isinstance(value, pl.Expr) else pl.lit(value)).alias(name)), ax=ax)
    assert "\n" not in str(raised.value)
    assert not ax.has_data()


@PLOTS
@pytest.mark.parametrize("ax", ["x", 3, Figure(), [None]])
def test_what_cannot_be_drawn_on_is_refused(plot: Callable[..., Axes], ax: Any) -> None:
    with pytest.raises(ArgumentError, match=rf"`ax` takes one matplotlib Axes .*, not {type(ax).__name__}"):
        plot(three(), ax=ax)


@PLOTS
@pytest.mark.parametrize("order", ["full", 3, {"full"}])
def test_an_order_that_is_no_list_is_refused(plot: Callable[..., Axes], order: Any) -> None:
    with pytest.raises(ArgumentError, match="`order` takes a list of labels of groups, not "):
        plot(three(), order=order)


@PLOTS
def test_the_title_of_the_groups_keeps_clear_of_their_names(plot: Callable[..., Axes]) -> None:
    held = corpus({"x": items(1), "y": items(1)}, experiment_name={"x": "judge-calibration", "y": "pr-triage"})
    ax = plot(tally(held, "experiment_name"))
    figure: Any = ax.get_figure(root=True)
    figure.draw_without_rendering()
    longest = min(label.get_window_extent().x0 for label in ax.get_yticklabels())
    assert 72 / figure.dpi * (longest - ax.yaxis.label.get_window_extent().x1) > 8
