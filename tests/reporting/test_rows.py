from __future__ import annotations

import json

import polars as pl

from verdict_frames.reporting.printable import printable
from verdict_frames.reporting.rows import RowFormat, render_rows

FRAME = pl.DataFrame(
    {"name": ["a|b", "tab\there", None], "rate": [0.5, None, 1 / 3], "n": [1, 0, 12_345_678]},
    schema={"name": pl.String, "rate": pl.Float64, "n": pl.Int64},
)


def test_json_and_csv_are_exact_and_keep_null() -> None:
    assert json.loads(render_rows(FRAME, RowFormat.JSON, columns=["name"])) == FRAME.rows(named=True)
    assert render_rows(FRAME, RowFormat.CSV).splitlines()[1:] == ["a|b,0.5,1", "tab\there,,0", f",{1 / 3},12345678"]


def test_tables_show_null_as_a_dash_and_never_cut_a_cell() -> None:
    wide = pl.DataFrame({f"column-{number}": ["x" * 40] for number in range(12)})
    (header, _, row) = render_rows(wide, RowFormat.TABLE).splitlines()
    assert row.split() == ["x" * 40] * 12
    assert header.split() == wide.columns
    lines = render_rows(FRAME, RowFormat.TABLE).splitlines()
    assert [line.split() for line in lines[2:]] == [
        ["a|b", "0.500", "1"],
        ["tab\\there", "–", "0"],
        ["–", "0.333", "12345678"],
    ]


def test_markdown_escapes_what_would_end_a_cell() -> None:
    lines = render_rows(FRAME, RowFormat.MARKDOWN, columns=["name", "n"]).splitlines()
    assert [part.strip() for part in lines[2].strip("|").rsplit("|", 1)] == ["a\\|b", "1"]
    assert {line.replace("\\|", "").count("|") for line in lines} == {3}


def test_headers_are_other_peoples_text_too() -> None:
    named = pl.DataFrame({"conditions.a|b\x1b[31m": ["x"], "n": [1]})
    lines = render_rows(named, RowFormat.MARKDOWN).splitlines()
    assert {line.replace("\\|", "").count("|") for line in lines} == {3}
    assert "\x1b" not in render_rows(named, RowFormat.TABLE)


def test_printable_shows_what_would_act() -> None:
    assert printable("a\x1b[0m\u202eb\u2028c\ud800\nd") == "a\\x1b[0m\\u202eb\\u2028c\\ud800\nd"
    assert printable("a\nb\tc", one_line=True) == "a\\nb\\tc"
    assert printable("naïve – 漢字 😀") == "naïve – 漢字 😀"


def test_csv_joins_lists_of_text() -> None:
    frame = pl.DataFrame({"notes": [["a", "b"], []]}, schema={"notes": pl.List(pl.String)})
    assert render_rows(frame, RowFormat.CSV) == 'notes\na; b\n""\n'
    assert json.loads(render_rows(frame, RowFormat.JSON)) == frame.rows(named=True)
