"""How a corpus and evaluations show themselves at a prompt and in a notebook."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import polars as pl

_ROWS_SHOWN = 5


def as_text(name: str, tables: Mapping[str, pl.DataFrame], *, remark: str = "") -> str:
    """Say in one line how many rows each table has.

    Args:
        name: What the tables are.
        tables: All tables by name.
        remark: What else is to be said.
    """
    counts = [f"{table}: {frame.height:,}" for table, frame in tables.items()]
    return f"{name}({', '.join([*counts, remark] if remark else counts)})"


def as_html(
    name: str, tables: Mapping[str, pl.DataFrame], *, first: str, columns: Sequence[str], remark: str = ""
) -> str:
    """Show the number of rows of each table, and the first rows of one.

    Args:
        name: What the tables are.
        tables: All tables by name.
        first: The table whose first rows are shown.
        columns: Which of its columns.
        remark: What else is to be said.

    Returns:
        A fragment of HTML in which everything recorded is escaped.
    """
    counts = _table(tables, [[f"{frame.height:,}" for frame in tables.values()]])
    shown = tables[first].select(columns)
    rows = [["–" if value is None else value for value in row] for row in shown.head(_ROWS_SHOWN).iter_rows()]
    more = shown.height - len(rows)
    rest = f"<p>and {more:,} more {first if more > 1 else first[:-1]}</p>" if more else ""
    said = f"<p>{escape(remark)}</p>" if remark else ""
    title = f"<p><strong>{escape(name)}</strong></p>{said}"
    return f"<div>{title}{counts}{_table(columns, rows) if rows else ''}{rest}</div>"


def _table(header: Iterable[str], rows: Sequence[Sequence[object]]) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in header)
    body = "".join(f"<tr>{''.join(f'<td>{escape(str(value))}</td>' for value in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
