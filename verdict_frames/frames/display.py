"""How a corpus shows itself at a prompt and in a notebook."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import polars as pl

_RUNS_SHOWN = 5
_RUN_COLUMNS = ("run_id", "kind", "experiment_name", "variant", "timestamp", "item_count")


def as_text(tables: Mapping[str, pl.DataFrame]) -> str:
    """Say in one line how many rows each table has.

    Args:
        tables: All tables by name.
    """
    return f"Corpus({', '.join(f'{name}: {frame.height:,}' for name, frame in tables.items())})"


def as_html(tables: Mapping[str, pl.DataFrame]) -> str:
    """Show the number of rows of each table, and the first runs.

    Args:
        tables: All tables by name.

    Returns:
        A fragment of HTML in which everything recorded is escaped.
    """
    counts = _table(tables, [[f"{frame.height:,}" for frame in tables.values()]])
    runs = tables["runs"].select(_RUN_COLUMNS)
    rows = [["–" if value is None else value for value in row] for row in runs.head(_RUNS_SHOWN).iter_rows()]
    more = runs.height - len(rows)
    rest = f"<p>and {more:,} more run{'s' if more > 1 else ''}</p>" if more else ""
    return f"<div><p><strong>Corpus</strong></p>{counts}{_table(_RUN_COLUMNS, rows) if rows else ''}{rest}</div>"


def _table(header: Iterable[str], rows: Sequence[Sequence[object]]) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in header)
    body = "".join(f"<tr>{''.join(f'<td>{escape(str(value))}</td>' for value in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
