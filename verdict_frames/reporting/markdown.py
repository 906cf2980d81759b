"""A report in Markdown, short enough for a comment on a pull request.

What others have written stands in code spans, in which nothing is a link, a mention, a heading or HTML.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from verdict_frames.reporting.cells import written
from verdict_frames.reporting.markdown_text import code_span, escaped, in_html
from verdict_frames.reporting.value import CellKind, Note, Quoted, Table, require_report

if TYPE_CHECKING:
    from collections.abc import Iterator

    from verdict_frames.reporting.value import Cell, Column, Report, Section, Words

ROWS: Final = 20
"""How many rows of a table are shown."""
LONGEST_COMMENT: Final = 60_000
"""How many characters a report has at most; GitHub takes 65,536 in a comment."""


def report_markdown(report: Report) -> str:
    """Render the headline and the tables of a report as GitHub-flavoured Markdown.

    Figures, the list of items and tables that are there to be looked up are left to the page that `report_html` makes;
    long tables and long texts are cut and say so. What others have written is inert: it stands in code spans.

    Args:
        report: What `verdict_frames.report` returns.

    Returns:
        Markdown that ends in a line end.

    Raises:
        ArgumentError: The argument isn't a report.

    Example:
        >>> from verdict_frames.frames.in_memory import from_records
        >>> from verdict_frames.reporting.opening import report
        >>> made = report(from_records([{"aggregated": {"status": "pass"}}]), title="Nightly")
        >>> report_markdown(made).splitlines()[2][:26]
        '**1 accepted of 1 eligible'
    """
    require_report(report)
    text, left_out = "\n".join(_headline(report)), []
    for section in report.sections:
        told = "\n".join(["", *_section(section)]).rstrip("\n")
        if len(text) + len(told) > LONGEST_COMMENT:
            left_out.append(escaped(section.title))
        else:
            text += told
    return text + (f"\n\nToo long to be shown here: {', '.join(left_out)}" if left_out else "") + "\n"


def _headline(report: Report) -> Iterator[str]:
    yield f"## {escaped(report.title)}"
    yield ""
    first, *others = report.headline.clauses
    yield f"**{_words(first)}**"
    yield ""
    yield "; ".join(_words(clause) for clause in others)
    yield ""
    yield "| | | |"
    yield "| --- | ---: | --- |"
    for number in report.headline.numbers:
        yield f"| {escaped(number.label)} | {number.value} | {escaped(number.basis)} |"


def _section(section: Section) -> Iterator[str]:
    read = [block for block in section.blocks if isinstance(block, Note | Table)]
    blocks = [block for block in read if not (isinstance(block, Table) and block.folded)]
    if not blocks:
        return
    yield ""
    yield f"<details><summary>{in_html(section.title)}</summary>" if section.aside else f"### {escaped(section.title)}"
    for block in blocks:
        yield ""
        yield from _table(block) if isinstance(block, Table) else [_words(block.words)]
    if section.aside:
        yield ""
        yield "</details>"


def _table(table: Table) -> Iterator[str]:
    yield f"{escaped(table.caption)}:"
    yield ""
    left = (CellKind.TEXT, CellKind.WORDS)
    yield "| " + " | ".join(escaped(column.label) for column in table.columns) + " |"
    yield "| " + " | ".join("---" if column.kind in left else "---:" for column in table.columns) + " |"
    for row in table.rows[:ROWS]:
        yield "| " + " | ".join(_cell(cell, column) for cell, column in zip(row, table.columns, strict=True)) + " |"
    more = max(len(table.rows) - ROWS, 0) + table.hidden
    if more:
        yield ""
        yield f"… and {more:,} more rows"


def _cell(cell: Cell, column: Column) -> str:
    if column.kind is CellKind.TEXT and isinstance(cell.value, str):
        return code_span(cell.value)
    return escaped(written(cell.value, column.kind))


def _words(words: Words) -> str:
    return "".join(code_span(part.text) if isinstance(part, Quoted) else escaped(part) for part in words)
