from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import numpy as np
import polars as pl
import pytest
from matplotlib.dates import date2num

from tests.plots.reading_off import legend, texts
from tests.statistics.corpora import Row, corpus, judged
from verdict_frames.errors import ArgumentError, ColumnError, OptionError
from verdict_frames.plots.history import plot_history
from verdict_frames.statistics.history import run_history


def day(number: int) -> datetime:
    return datetime(2026, 9, number, tzinfo=UTC)


def rows(letters: str) -> list[Row]:
    readings = {"a": "ACCEPTED", "r": "REJECTED", "n": "NOT_ASSESSED"}
    return [judged(readings[letter], item_id=str(place)) for place, letter in enumerate(letters)]


def history(*runs: str, **columns: dict[str, Any]) -> pl.DataFrame:
    """Runs of one group on successive days; each letter is an item."""
    named = {f"r{place}": rows(letters) for place, letters in enumerate(runs)}
    times = {name: day(place + 1) for place, name in enumerate(named)}
    return run_history(corpus(named, **({"timestamp": times} | columns)))


def lines(ax: Any) -> list[list[tuple[int, float]]]:
    """The lines of rates: day of September and percent."""
    first = date2num(day(1))  # type: ignore[no-untyped-call]
    drawn = [np.asarray(line.get_xydata()) for line in ax.lines if line.get_marker() not in ("None", "")]
    return [[(round(float(x - first)) + 1, round(float(y), 3)) for x, y in points] for points in drawn]


def test_rates_of_a_group_are_joined_in_time() -> None:
    ax = plot_history(history("ar", "aaar", "aa"))
    assert lines(ax) == [[(1, 50), (2, 75), (3, 100)]]
    assert legend(ax) == ["all items"]
    assert len(ax.collections) == 3
    assert ax.get_ylim()[1] == 100
    assert [tick for tick in ax.get_yticks() if tick < 0] == []


def test_unlike_runs_and_runs_without_a_rate_are_not_joined() -> None:
    datasets = {"r0": "1", "r1": "1", "r2": "2", "r3": "2", "r4": "2"}
    ax = plot_history(history("ar", "ar", "ar", "n", "aa", dataset_version=datasets))
    assert lines(ax) == [[(1, 50), (2, 50)], [(3, 50)], [(5, 100)]]
    assert legend(ax) == ["all items"]


def test_a_change_of_the_instrument_is_marked_in_both_parts() -> None:
    hashes = {"r0": "x", "r1": "x", "r2": "y"}
    ax = plot_history(history("ar", "ar", "ar", instrument_hash=hashes))
    assert legend(ax) == ["all items", "instrument changed"]
    (beneath,) = ax.child_axes
    for part in (ax, beneath):
        (mark,) = [line for line in part.lines if line.get_linestyle() == "--"]
        assert np.asarray(mark.get_xdata()).tolist() == [date2num(day(3))] * 2  # type: ignore[no-untyped-call]


def test_errors_of_judges_stand_beneath() -> None:
    frame = history("ar", "ar").with_columns(judge_error_rate=pl.Series([0.25, None]))
    (beneath,) = plot_history(frame).child_axes
    assert lines(beneath) == [[(1, 25)]]
    assert beneath.get_ylim() == (0, 100)


def test_groups_are_told_apart_and_ordered() -> None:
    held = corpus(
        {"x": rows("ar"), "y": rows("aa"), "z": rows("rr")},
        variant={"x": "v", "y": "w"},
        timestamp={"x": day(1), "y": day(1), "z": day(1)},
    )
    frame = run_history(held, "variant")
    assert legend(plot_history(frame)) == ["v", "w", "(not recorded)"]
    ax = plot_history(frame, order=["w"])
    assert legend(ax) == ["w", "v", "(not recorded)"]
    assert len({(line.get_color(), line.get_marker()) for line in ax.lines[:-1]}) == 3


def test_runs_without_a_timestamp_are_counted_not_drawn() -> None:
    ax = plot_history(history("ar", "ar", timestamp={"r0": day(1)}))
    assert lines(ax) == [[(1, 50)]]
    assert ax.get_xlabel().endswith("1 of 2 runs without a timestamp aren’t drawn")


def test_without_any_timestamp_there_is_no_axis_of_time() -> None:
    ax = plot_history(history("ar", "ar", timestamp={}))
    assert texts(ax) == ["no run has a timestamp"]
    assert list(ax.get_xticks()) == []


def test_sixty_groups_fit_and_no_runs_are_a_picture_that_says_so() -> None:
    names = {f"r{number}": f"hardened+skills:{number:02}" for number in range(60)}
    held = corpus(dict.fromkeys(names, rows("ar")), variant=names, timestamp=dict.fromkeys(names, day(2)))
    many = plot_history(run_history(held, "variant"))
    assert len(legend(many)) == 60
    figure: Any = many.get_figure(root=True)
    figure.draw_without_rendering()
    assert many.get_window_extent().height > 2.5 * figure.dpi
    ax = plot_history(run_history(corpus({})))
    assert texts(ax) == ["no runs"]
    assert legend(ax) == []


def test_wrong_calls_say_what_is_wrong() -> None:
    with pytest.raises(ColumnError, match="the run_history frame lacks instrument_changed"):
        plot_history(history("a").drop("instrument_changed"))
    with pytest.raises(ArgumentError, match="what run_history returns is needed, not int"):
        plot_history(1)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="`order` names 'q'"):
        plot_history(history("a"), order=["q"])
