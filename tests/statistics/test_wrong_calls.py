from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from tests.statistics.corpora import corpus, items_frame, judged
from verdict_frames.errors import ArgumentError, ColumnError, OptionError
from verdict_frames.statistics.tally import tally


@pytest.mark.parametrize("level", [0, 1, 95, float("nan")])
def test_a_level_outside_0_to_1_is_refused_with_or_without_items(level: float) -> None:
    with pytest.raises(OptionError, match="a confidence level lies between 0 and 1"):
        tally(corpus({}), level=level)


@pytest.mark.parametrize("level", ["0.95", None, [0.95], pl.DataFrame({"a": [1]})])
def test_a_level_that_is_no_number_is_refused_in_one_line(level: Any) -> None:
    with pytest.raises(ArgumentError, match="a confidence level is a number between 0 and 1") as raised:
        tally(corpus({}), level=level)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("name", "values", "needed"),
    [
        ("reading", [3], "text"),
        ("reading_support", [True], "text"),
        ("has_verdict", ["x"], "true and false"),
        ("success", ["no"], "true and false"),
        ("passed", ["x"], "true and false"),
        ("stage_failure", [0.5], "true and false"),
        ("errors_absorbed", [["x"]], "true and false"),
        ("judge_errors", ["x"], "whole numbers"),
        ("judge_errors", [float("nan")], "whole numbers"),
        ("item_id", [1.5], "text or whole numbers"),
        ("item_slug", [["x"]], "text or whole numbers"),
        ("instrument_failure", [object()], "text"),
    ],
)
@pytest.mark.parametrize("lazy", [False, True])
def test_a_column_that_cannot_be_what_it_should_is_refused(name: str, values: Any, needed: str, *, lazy: bool) -> None:
    frame = items_frame([judged("ACCEPTED")]).with_columns(pl.Series(name, values))
    with pytest.raises(
        ColumnError, match=f"items frame has {name} as .*; cast it, as it has to hold {needed}$"
    ) as raised:
        tally(frame.lazy() if lazy else frame)
    assert "\n" not in str(raised.value)


def test_columns_as_another_program_may_hand_them_over_are_counted_alike() -> None:
    rows = [judged("ACCEPTED", item_id="1", errors_absorbed=True), judged("REJECTED", item_id="2", passed=None)]
    frame = items_frame(rows)
    flags = ["has_verdict", "success", "passed", "stage_failure", "errors_absorbed"]
    told = frame.with_columns(
        pl.col(flags).cast(pl.Int8), pl.col("item_id").cast(pl.Int64), pl.col("reading").cast(pl.Categorical)
    )
    assert tally(told).equals(tally(frame))
    nulls = told.with_columns(pl.lit(None).alias(name) for name in ("judge_errors", "item_slug", "stage_failure"))
    assert tally(nulls).equals(tally(frame))


def test_wrong_calls_say_what_is_wrong() -> None:
    with pytest.raises(OptionError, match="interval='wald': choose one of wilson, clopper-pearson"):
        tally(corpus({}), interval="wald")
    with pytest.raises(OptionError, match="over=None: choose one of items, runs"):
        tally(corpus({}), over=None)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="no policy named 'strict'"):
        tally(corpus({}), policy="strict")
    with pytest.raises(ArgumentError, match="Corpus or a polars frame of items is needed, not str"):
        tally("results")  # type: ignore[arg-type]
    with pytest.raises(ColumnError, match=r"items frame lacks passed, judge_errors; it has run_id, item_index"):
        tally(items_frame([]).drop("passed", "judge_errors"))
    with pytest.raises(ColumnError, match=r"'total' can't be grouped by: a tally has a column of that name"):
        tally(items_frame([]).with_columns(total=pl.lit(1)), "total")
