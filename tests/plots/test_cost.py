from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.plots.reading_off import points, texts
from tests.statistics.corpora import corpus, judged
from verdict_frames.errors import ArgumentError, ColumnError, OptionError
from verdict_frames.plots.cost import plot_cost
from verdict_frames.statistics.costs import cost_table
from verdict_frames.statistics.tally import tally

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes


def costs(variants: dict[str, list[dict[str, Any]]], **options: Any) -> pl.DataFrame:
    return cost_table(corpus(variants, variant={name: name for name in variants}), "variant", **options)


def items(*marks: tuple[str, float | None]) -> list[dict[str, Any]]:
    """One item each: accepted or rejected, and what it cost."""
    readings = {"+": "ACCEPTED", "-": "REJECTED", "?": "NOT_ASSESSED"}
    return [judged(readings[mark], cost_usd=cost, item_id=str(place)) for place, (mark, cost) in enumerate(marks)]


def segments(ax: Axes) -> list[list[list[float]]]:
    return [np.round(part, 3).tolist() for lines in ax.collections for part in lines.get_segments()]  # type: ignore[attr-defined]


def test_a_mean_below_zero_has_its_point_within_the_axes() -> None:
    ax = plot_cost(costs({"a": items(("+", -4.0), ("-", -2.0)), "b": items(("+", 5.0))}))
    assert points(ax, "a") == [(-3.0, 50.0)]
    assert ax.get_xlim()[0] == pytest.approx(-3 - 12.706, abs=1e-3)
    assert plot_cost(costs({"b": items(("+", 5.0))})).get_xlim()[0] == 0


def test_each_group_is_a_point_at_its_mean_and_rate() -> None:
    ax = plot_cost(costs({"a": items(("+", 1.0), ("-", 3.0)), "b": items(("+", 0.5), ("+", 0.5))}))
    assert points(ax, "a") == [(2.0, 50.0)]
    assert points(ax, "b") == [(0.5, 100.0)]
    assert texts(ax) == ["a", "b"]
    horizontal = [part for part in segments(ax) if part[0][1] == part[1][1]]
    assert horizontal == [[[0.0, 50.0], [pytest.approx(2 + 12.706, abs=1e-3), 50.0]]]  # t with one degree of freedom
    assert ax.get_xlabel() == "cost, US dollars an item"
    assert ax.get_ylabel().endswith("policy agent-judge-0.17")


def test_groups_without_a_rate_or_a_mean_are_counted_not_drawn() -> None:
    ax = plot_cost(costs({"a": items(("+", 1.0)), "b": items(("?", 1.0)), "c": items(("+", None))}))
    assert texts(ax) == ["a"]
    assert ax.get_xlabel().endswith("2 of 3 groups without a rate or a mean")
    assert texts(plot_cost(costs({"c": items(("+", None))}))) == ["no group has both a rate and a mean"]


def test_many_groups_are_numbered_and_named_beside() -> None:
    many = {f"hardened+skills:{number:02}": items(("+", float(number))) for number in range(60)}
    ax = plot_cost(costs(many), order=["hardened+skills:59"])
    written = texts(ax)
    assert written[:3] == ["1", "2", "3"]
    assert points(ax, "1") == [(59.0, 100.0)]
    assert written[60].splitlines()[:2] == ["1  hardened+skills:59", "2  hardened+skills:00"]
    assert sum(len(column.splitlines()) for column in written[60:]) == 60


def test_wrong_calls_say_what_is_wrong() -> None:
    table = costs({"a": items(("+", 1.0))})
    with pytest.raises(ColumnError, match="the cost_table frame lacks measure"):
        plot_cost(table.drop("measure"))
    with pytest.raises(ColumnError, match="lacks measure"):
        plot_cost(tally(corpus({})))
    with pytest.raises(ArgumentError, match="what cost_table returns is needed, not list"):
        plot_cost([])  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="isn't a group here"):
        plot_cost(table, order=["b"])
