from __future__ import annotations

from datetime import UTC, datetime
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verdict_frames.documents.escaping import LONGEST, brief, one_line
from verdict_frames.documents.html_tables import fragment, rest, table, written

ANY_TEXT = st.text(st.characters() | st.sampled_from("<>&\"'\\\n\t\x1b\u202e\ud800"))


class Cells(HTMLParser):
    """What a browser makes of a fragment: the tags in it, their attributes, and the text of each cell."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.cells: list[str] = []
        self.in_cell = False
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag in ("td", "th"):
            self.in_cell = True
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        self.in_cell = self.in_cell and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self.in_cell:
            self.cells[-1] += data


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "–"),
        (True, "true"),
        (False, "false"),
        (0, "0"),
        ("", ""),
        ([], "[]"),
        (1_234_567, "1,234,567"),
        (0.0, "0"),
        (12 / 39, "0.307692"),
        (0.99999, "0.99999"),
        (0.00025, "0.00025"),
        (1234567.8, "1,234,568"),
        (datetime(2026, 8, 26, 9, 41, 3, 118402, tzinfo=UTC), "2026-08-26 09:41:03+00:00"),
        (["gate", None, 2], "[gate, –, 2]"),
        (list("abcdefg"), "[a, b, c, d, e, f, …]"),
        ("a\nb\u202e", r"a\nb\u202e"),
        ("x" * LONGEST, "x" * LONGEST),
        ("x" * (LONGEST + 1), "x" * LONGEST + "…"),
    ],
)
def test_values_are_written_so_that_null_zero_false_and_empty_are_told_apart(value: object, shown: str) -> None:
    assert written(value) == shown


@given(st.lists(ANY_TEXT, min_size=1, max_size=4))
def test_no_text_becomes_markup_and_short_ones_come_back_whole(texts: list[str]) -> None:
    page = table(texts, [texts])
    found = Cells(page)
    assert found.tags == ["table", "thead", "tr", *["th"] * len(texts), "tbody", "tr", *["td"] * len(texts)]
    assert found.attributes == []
    assert found.cells == [brief(text) for text in texts] * 2
    page.encode()


@given(ANY_TEXT)
def test_what_is_brief_is_one_line_and_begins_as_the_text_does(text: str) -> None:
    assert brief(text, longest=5) == (one_line(text) if len(text) <= 5 else one_line(text[:5]) + "…")
    assert len(brief(text).splitlines()) <= 1


def test_a_text_of_any_length_leaves_a_table_small() -> None:
    long = "<\u202e" * 50_000
    assert len(table([long], [[long], [[long] * 1000]])) < 12_000


def test_titles_and_remarks_are_escaped() -> None:
    assert fragment("a<b", ["<hr>"], remark="x & y") == (
        "<div><p><strong>a&lt;b</strong></p><p>x &amp; y</p><hr></div>"
    )
    assert fragment("a", []) == "<div><p><strong>a</strong></p></div>"


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (0, ""),
        (1, "<p>and 1 more row of a&lt;b</p>"),
        (1234, "<p>and 1,234 more rows of a&lt;b</p>"),
    ],
)
def test_rows_that_are_not_shown_are_counted(count: int, said: str) -> None:
    assert rest(count, "a<b") == said
