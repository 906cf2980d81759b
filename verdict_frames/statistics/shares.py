"""Division of counts."""

from __future__ import annotations

import polars as pl
import pyarrow.compute as pc


def share(part: pl.Series, whole: pl.Series) -> pl.Series:
    """Divide counts, null where the whole is 0 or null.

    Arrow divides, because polars multiplies by the reciprocal where it takes a divisor for one repeated value, and
    which it does can differ between runs: 7 of 10 has then been 0.7000000000000001.
    """
    divisor = whole.cast(pl.Float64).to_frame("n").select(pl.when(pl.col("n") > 0).then("n")).to_series()
    return pl.Series(pc.divide(part.cast(pl.Float64).to_arrow(), divisor.to_arrow()), dtype=pl.Float64)
