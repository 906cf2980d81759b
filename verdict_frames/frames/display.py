"""How values that are made of tables show themselves at a prompt and in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verdict_frames.documents.html_tables import ROWS_SHOWN, fragment, rest, table, written

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl


def remark_of(**said: object) -> str:
    """Say by name what a value goes by; what is null is left out.

    Args:
        said: Name, with underscores for spaces → value; of a long text the beginning is shown.

    Examples:
        >>> remark_of(policy="all-items", left_out=None, k=2)
        'policy: all-items, k: 2'
    """
    return ", ".join(f"{name.replace('_', ' ')}: {written(value)}" for name, value in said.items() if value is not None)


def as_text(name: str, tables: Mapping[str, pl.DataFrame], *, remark: str = "") -> str:
    """Say in one line how many rows each table has.

    Args:
        name: What the tables are.
        tables: All tables by name.
        remark: What else is to be said.
    """
    counts = [f"{table_name}: {frame.height:,}" for table_name, frame in tables.items()]
    return f"{name}({', '.join([*counts, remark] if remark else counts)})"


def as_html(
    name: str,
    tables: Mapping[str, pl.DataFrame],
    *,
    first: str,
    columns: Sequence[str],
    rows: pl.DataFrame | None = None,
    start: int = 0,
    remark: str = "",
) -> str:
    """Show the number of rows of each table, and some rows of one.

    Args:
        name: What the tables are.
        tables: All tables by name.
        first: The table of which rows are shown.
        columns: Which of its columns.
        rows: Those of its rows that are worth showing; with none, all are.
        start: The place among these of the first row that is shown.
        remark: What else is to be said.

    Returns:
        A fragment of HTML in which everything recorded is escaped.
    """
    counts = table(tables, [[frame.height for frame in tables.values()]])
    shown = (tables[first] if rows is None else rows).slice(start, ROWS_SHOWN).select(columns)
    body = table(columns, shown.iter_rows()) if shown.height else ""
    return fragment(name, [counts, body, rest(tables[first].height - shown.height, first)], remark=remark)
