"""Division of counts."""

from __future__ import annotations

import polars as pl


def share(part: pl.Series, whole: pl.Series) -> pl.Series:
    """Divide counts, null where the whole is 0 or null.

    Python divides, because polars multiplies by the reciprocal where it takes a divisor for one repeated value, and
    which it does can differ between runs: 7 of 10 has then been 0.7000000000000001.
    """
    pairs = zip(part, whole, strict=True)
    return pl.Series([None if some is None or not full else some / full for some, full in pairs], dtype=pl.Float64)
