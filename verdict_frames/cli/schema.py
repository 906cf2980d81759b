"""`verdict-frames schema`: the data dictionary."""

from __future__ import annotations

import sys

from verdict_frames.frames.schemas.dictionary import data_dictionary
from verdict_frames.reporting.rows import RowFormat, render_rows


def print_schema(
    table: str | None = None,
    *,
    format: RowFormat = RowFormat.TABLE,  # noqa: A002 - it is the name of the option
) -> int:
    """Show what each column of the tables means.

    Args:
        table: One table, such as items; all of them without it.
        format: How the rows come out.
    """
    sys.stdout.write(render_rows(data_dictionary(table), format))
    return 0
