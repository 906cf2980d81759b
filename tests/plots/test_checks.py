from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.plots.juries import corpus_of, judged_by
from tests.plots.reading_off import legend, points, texts
from verdict_frames.errors import ArgumentError, ColumnError
from verdict_frames.plots.checks import plot_checks
from verdict_frames.statistics.judges.check_shares import check_table

if TYPE_CHECKING:
    import polars as pl


def three() -> pl.DataFrame:
    """The check of `build` passed on two of two items, that of `style` on one of two, that of `tone` on none of one."""
    return check_table(
        corpus_of(judged_by(build="pass", style="fail"), judged_by(build="pass", style="pass", tone="fail"))
    )


def test_the_least_share_stands_at_the_top() -> None:
    ax = plot_checks(three())
    assert [label.get_text() for label in ax.get_yticklabels()] == ["tone · rubric", "style · rubric", "build · rubric"]
    assert points(ax, "passed") == [(0, 0), (50, 1), (100, 2)]
    assert texts(ax) == ["0 of 1", "1 of 2", "2 of 2"]
    assert legend(ax) == ["passed", "95 % interval"]
    assert ax.get_ylabel() == "judge · check"


def test_order_and_wrong_calls() -> None:
    ordered = plot_checks(three(), order=["build · rubric"])
    assert points(ordered, "passed") == [(100, 0), (0, 1), (50, 2)]
    with pytest.raises(ColumnError, match="the check_table frame lacks check"):
        plot_checks(three().drop("check"))
    with pytest.raises(ArgumentError, match="what check_table returns is needed"):
        plot_checks("checks")  # type: ignore[arg-type]
    assert texts(plot_checks(check_table(corpus_of()))) == ["no checks recorded"]
