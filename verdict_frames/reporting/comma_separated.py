"""Texts in files of comma-separated values, which spreadsheets open: none of them is run as a formula."""

from __future__ import annotations

import re
from typing import Final

import polars as pl

_BEGINS_A_FORMULA: Final = "^['=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]"
"""What a spreadsheet takes for the beginning of a formula, in ASCII and full width, and the apostrophe itself."""


def inert(frame: pl.DataFrame) -> pl.DataFrame:
    """Put an apostrophe before each text that a spreadsheet would take for a formula.

    Such a text begins with `=`, `+`, `-`, `@`, a tab or a line end; so does one that begins with an apostrophe, so that
    taking one apostrophe off gives every text back as it was recorded. Numbers stay numbers, also negative ones.

    Args:
        frame: Any frame.

    Returns:
        The same rows; text columns, and names of columns, with apostrophes.

    Example:
        >>> inert(pl.DataFrame({"variant": ["=cmd()", "plain", "'quoted"], "change": [-1, 0, 1]})).rows()
        [("'=cmd()", -1), ('plain', 0), ("''quoted", 1)]
    """
    texts = [name for name, dtype in frame.schema.items() if dtype.base_type() in (pl.String, pl.Enum, pl.Categorical)]
    names = {name: f"'{name}" for name in frame.columns if re.match(_BEGINS_A_FORMULA, name)}
    return frame.with_columns(_guarded(name) for name in texts).rename(names)


def _guarded(name: str) -> pl.Expr:
    text = pl.col(name).cast(pl.String)
    return pl.when(text.str.contains(_BEGINS_A_FORMULA)).then(pl.lit("'") + text).otherwise(text).alias(name)
