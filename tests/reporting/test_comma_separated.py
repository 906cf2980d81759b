"""Texts in CSV: inert in a spreadsheet, and yet exactly those that were recorded."""

from __future__ import annotations

import csv
import io

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from verdict_frames.reporting.comma_separated import inert
from verdict_frames.reporting.rows import RowFormat, render_rows

TEXTS = st.text(st.characters(exclude_categories=["Cs"])) | st.sampled_from(
    ["=cmd()", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "'quoted", "''", "\uff1d1", "plain"]
)


@given(st.lists(TEXTS | st.none(), max_size=8))
def test_no_text_begins_as_a_formula_and_each_can_be_had_back(texts: list[str | None]) -> None:
    shown = inert(pl.DataFrame({"t": texts}, schema={"t": pl.String}))["t"].to_list()
    assert not any((text or "").startswith(tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")) for text in shown)
    assert [text if text is None else text.removeprefix("'") for text in shown] == texts


def test_numbers_and_their_signs_stay() -> None:
    frame = pl.DataFrame(
        {"change": [-1, 1], "rate": [-0.5, 0.5], "state": pl.Series(["=a", "b"], dtype=pl.Enum(["=a", "b"]))}
    )
    assert render_rows(frame, RowFormat.CSV) == "change,rate,state\n-1,-0.5,'=a\n1,0.5,b\n"


def test_names_of_columns_are_texts_too() -> None:
    rows = list(csv.reader(io.StringIO(render_rows(pl.DataFrame({"=cmd()": ["x"], "+": [1]}), RowFormat.CSV))))
    assert rows == [["'=cmd()", "'+"], ["x", "1"]]
