"""Rows of a frame in the formats of the command line: a table for people, JSON, CSV and Markdown."""

from __future__ import annotations

import io
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

import polars as pl
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from verdict_frames.reporting.comma_separated import inert
from verdict_frames.reporting.markdown_text import escaped
from verdict_frames.reporting.printable import printable

if TYPE_CHECKING:
    from collections.abc import Sequence


class RowFormat(StrEnum):
    """How rows come out."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"


def render_rows(frame: pl.DataFrame, row_format: RowFormat, *, columns: Sequence[str] | None = None) -> str:
    """Render a frame; JSON and CSV hold every column, exact and with nulls, the others are for reading.

    In CSV a text that a spreadsheet would take for a formula has an apostrophe before it (`comma_separated.inert`). In
    Markdown text is escaped, so that nothing in it is a link, a mention or HTML.

    Args:
        frame: Any frame whose cells are scalars or lists of text; CSV joins the texts of a list by "; ".
        row_format: How rows come out.
        columns: What the formats for reading show.

    Returns:
        Text that ends in a line end.
    """
    match row_format:
        case RowFormat.JSON:
            return frame.write_json() + "\n"
        case RowFormat.CSV:
            return inert(frame.with_columns(pl.col(pl.List(pl.String)).list.join("; "))).write_csv()
        case RowFormat.MARKDOWN | RowFormat.TABLE:
            return _render_table(frame.select(columns or frame.columns), markdown=row_format is RowFormat.MARKDOWN)


def _render_table(frame: pl.DataFrame, *, markdown: bool) -> str:
    table = Table(
        box=box.MARKDOWN if markdown else box.SIMPLE_HEAD,
        pad_edge=markdown,
        show_edge=markdown,
        collapse_padding=not markdown,
    )
    for name, dtype in frame.schema.items():
        justify: Literal["left", "right"] = "right" if dtype.is_numeric() else "left"
        header = _cell(name, markdown=markdown)
        if not markdown and justify == "right":
            header = Text(header.plain.replace("_", "\n"))
        table.add_column(header, justify=justify, vertical="bottom", no_wrap=True)
    for row in frame.iter_rows():
        table.add_row(*(_cell(value, markdown=markdown) for value in row))
    out = io.StringIO()
    # as wide as its content: a dashboard's log or a terminal may scroll, but no number is ever cut off
    width = Console(width=1_000_000).measure(table).maximum
    Console(file=out, width=max(width, 1), color_system=None).print(table)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines() if line.strip()) + "\n"


def _cell(value: object, *, markdown: bool) -> Text:
    if value is None:
        return Text("–")
    if isinstance(value, float):
        return Text(f"{value:.3f}")
    text = str(value)
    return Text(escaped(text) if markdown else printable(text, one_line=True))
