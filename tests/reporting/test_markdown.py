"""Markdown: what others have written shows as it is and does nothing, held against a parser of Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.reporting.pages import HOSTILE, hostile_corpus
from tests.statistics.corpora import corpus, judged
from verdict_frames.reporting import markdown
from verdict_frames.reporting.markdown import report_markdown
from verdict_frames.reporting.markdown_text import code_span, escaped, in_html
from verdict_frames.reporting.opening import report
from verdict_frames.reporting.printable import printable

if TYPE_CHECKING:
    from markdown_it.token import Token

PARSER = MarkdownIt("gfm-like", {"linkify": False})
TEXTS = st.text(st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from(list("`|\\*_[]()<>#@:!&~\n ")))) | (
    st.sampled_from(sorted(HOSTILE.values()))
)


def inline(tokens: list[Token]) -> list[Token]:
    return [child for token in tokens if token.type == "inline" for child in token.children or []]


def cells(row: str) -> list[list[Token]]:
    """What the cells of the only row of a table hold."""
    tokens = PARSER.parse(f"| a | b |\n| --- | --- |\n{row}\n")
    assert [token.type for token in tokens].count("tr_open") == 2
    return [token.children or [] for token in tokens if token.type == "inline"][2:]


def said(tokens: list[Token]) -> str:
    return "".join(token.content for token in tokens).replace("\u200b", "")


@given(TEXTS)
def test_a_code_span_holds_the_text_and_nothing_else(text: str) -> None:
    shown = printable(text, one_line=True)
    first, second = cells(f"| {code_span(text, longest=10_000)} | end |")
    assert said(second) == "end"
    if not shown.strip():
        assert said(first) == "(blank)"
    else:
        assert [token.type for token in first] == ["code_inline"]
        assert said(first) == shown


@given(TEXTS)
def test_escaped_text_shows_as_it_is(text: str) -> None:
    first, second = cells(f"| x{escaped(text)}x | end |")
    assert said(second) == "end"
    assert {token.type for token in first} <= {"text", "text_special"}
    assert said(first) == f"x{printable(text, one_line=True)}x".replace("\u200b", "")


@given(TEXTS)
def test_text_in_html_stays_text(text: str) -> None:
    assert not set(in_html(text)) & set("<>\"'\n")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("@someone", "@&#8203;someone"),
        ("fixes #12", "fixes \\#&#8203;12"),
        (":smile:", "\\:&#8203;smile:"),
        ("https://evil.example", "https\\://evil\\.example"),
        ("49.1 %, 10:30", "49.1 %, 10:30"),
        ("snake_case _so_", "snake_case \\_so\\_"),
    ],
)
def test_what_github_would_make_of_plain_text_is_stopped(text: str, shown: str) -> None:
    assert escaped(text) == shown


def test_a_long_text_is_cut_and_says_so() -> None:
    assert code_span("a" * 1000) == f"`{'a' * 200}` (1,000 characters)"


def test_a_report_of_hostile_texts_is_plain() -> None:
    text = report_markdown(report(hostile_corpus(), "variant", title="@all <b> [x](http://evil.example)"))
    tokens = PARSER.parse(text)
    kinds = {token.type for token in inline(tokens)}
    assert kinds <= {"text", "text_special", "code_inline", "strong_open", "strong_close"}
    blocks = [token.content.strip() for token in tokens if token.type == "html_block"]
    assert blocks
    assert {block for block in blocks if block != "</details>"} == {
        f"<details><summary>{title}</summary>"
        for title in (
            "What the rate depends on",
            "Judges",
            "Item by variant",
            "Recorded and counted",
            "Defects of the records",
            "Where this comes from",
        )
        if title in text
    }
    code = [token.content for token in inline(tokens) if token.type == "code_inline"]
    for hostile in HOSTILE.values():
        assert printable(hostile, one_line=True) in code


def test_long_tables_and_long_reports_are_cut_and_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = {f"run {number:02}": [judged("ACCEPTED")] for number in range(25)}
    made = report(corpus(runs, variant={name: name for name in runs}), "variant")
    text = report_markdown(made)
    assert text.count("| `run ") == 20
    assert "\n… and 5 more rows\n" in text
    monkeypatch.setattr(markdown, "LONGEST_COMMENT", 1_000)
    short = report_markdown(made)
    assert short.endswith("Too long to be shown here: Rates\n") or "Too long to be shown here: Rates, " in short
    assert len(short) < 1_200
