from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.plots.juries import corpus_of, judged_by
from tests.plots.reading_off import bars, legend, texts
from verdict_frames.errors import ArgumentError, ColumnError, OptionError
from verdict_frames.plots.judges import plot_judges
from verdict_frames.statistics.intervals import wilson
from verdict_frames.statistics.judges.table import judge_table

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes


def four() -> pl.DataFrame:
    """Of four items `style` errored on two and passed one; `build` passed three; each failed one."""
    return judge_table(
        corpus_of(
            judged_by(build="pass", style="error"),
            judged_by(build="pass", style="error"),
            judged_by(build="pass", style="pass"),
            judged_by(build="fail", style="fail"),
        )
    )


def names(ax: Axes) -> list[str]:
    return [label.get_text() for label in ax.get_yticklabels()]


def test_shares_of_each_status_begin_with_those_that_say_nothing_of_the_subject() -> None:
    ax = plot_judges(four())
    assert names(ax) == ["build", "style"]
    assert bars(ax) == {
        "errored": [(1, 0, 50)],
        "failed the subject": [(0, 0, 25), (1, 50, 75)],
        "passed the subject": [(0, 25, 100), (1, 75, 100)],
    }
    assert texts(ax) == ["2", "1", "1", "3", "1", "n = 4", "n = 4"]
    assert legend(ax) == [
        "error rate, 95 % interval",
        "errored",
        "failed the subject",
        "passed the subject",
    ]


def test_the_interval_is_that_of_the_error_rate() -> None:
    ax = plot_judges(four())
    (lines,) = [each for each in ax.collections if each.get_label() == "error rate, 95 % interval"]
    ends = [np.asarray(part)[:, 0].tolist() for part in lines.get_segments()]  # type: ignore[attr-defined]
    wanted = [wilson(0, 4), wilson(2, 4)]
    assert [end for part in ends for end in part] == pytest.approx(
        [100 * end for interval in wanted if interval for end in (interval.low, interval.high)]
    )


def test_order_and_wrong_calls() -> None:
    assert names(plot_judges(four(), order=["style"])) == ["style", "build"]
    with pytest.raises(OptionError, match="`order` names 'x', which isn't a group here; the groups are build, style"):
        plot_judges(four(), order=["x"])
    with pytest.raises(ColumnError, match="the judge_table frame lacks errored"):
        plot_judges(four().drop("errored"))
    with pytest.raises(ArgumentError, match="what judge_table returns is needed, not None"):
        plot_judges(None)  # type: ignore[arg-type]


def test_without_judges_the_picture_says_so() -> None:
    ax = plot_judges(judge_table(corpus_of()))
    assert texts(ax) == ["no judges recorded"]
