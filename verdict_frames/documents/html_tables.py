"""Fragments of HTML by which values show themselves in a notebook: recorded text is inert in them, and never long."""

from __future__ import annotations

from datetime import datetime
from html import escape
from typing import TYPE_CHECKING, Final

from verdict_frames.documents.escaping import brief

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

ROWS_SHOWN: Final = 10
"""How many rows of a table are shown."""

NULL: Final = "–"
"""What stands for a null."""

_PARTS_SHOWN: Final = 6
_LARGE: Final = 100_000


def written(value: object) -> str:
    """Write a value as a cell shows it: null as a dash, numbers to six digits, of long texts and lists the beginning.

    Args:
        value: A value of a table: a scalar, or a list of these; a time is written to the second.

    Examples:
        >>> [written(value) for value in (None, True, 1234, 1 / 3, 0.00025, ["gate", None])]
        ['–', 'true', '1,234', '0.333333', '0.00025', '[gate, –]']
    """
    if value is None:
        return NULL
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= _LARGE else f"{value:.6g}"
    if isinstance(value, datetime):
        return value.isoformat(" ", "seconds")
    if isinstance(value, list | tuple):
        more = ["…"] if len(value) > _PARTS_SHOWN else []
        return f"[{', '.join([written(part) for part in value[:_PARTS_SHOWN]] + more)}]"
    return brief(str(value))


def table(header: Iterable[str], rows: Iterable[Sequence[object]]) -> str:
    """Make a table of values.

    Args:
        header: The name of each column.
        rows: The values of each row, in the order of the header.
    """
    head = "".join(f"<th>{escape(brief(name))}</th>" for name in header)
    body = "".join(f"<tr>{''.join(f'<td>{escape(written(value))}</td>' for value in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def rest(count: int, of: str) -> str:
    """Say how many rows aren't shown; nothing where all are.

    Args:
        count: How many rows aren't shown.
        of: The name of their table.
    """
    return f"<p>and {count:,} more row{'s' if count > 1 else ''} of {escape(of)}</p>" if count else ""


def fragment(title: str, parts: Iterable[str], *, remark: str = "") -> str:
    """Put a fragment together.

    Args:
        title: What the value is.
        parts: What stands below, in HTML.
        remark: What else is to be said, as plain text.
    """
    said = f"<p>{escape(remark)}</p>" if remark else ""
    return f"<div><p><strong>{escape(title)}</strong></p>{said}{''.join(parts)}</div>"
