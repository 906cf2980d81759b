from __future__ import annotations

import polars as pl

from verdict_frames.statistics.shares import share


def test_shares_are_those_of_python_also_where_polars_repeats_one_divisor() -> None:
    pairs = [(part, whole) for whole in range(1, 200) for part in range(whole + 1)]
    parts, wholes = (pl.Series(values) for values in zip(*pairs, strict=True))
    assert share(parts, wholes).to_list() == [part / whole for part, whole in pairs]
    for whole in (10, 49, 93):
        repeated = pl.DataFrame({"part": range(whole + 1)}).with_columns(whole=pl.lit(whole))
        shares = share(repeated["part"], repeated["whole"])
        assert shares.to_list() == [part / whole for part in range(whole + 1)]


def test_shares_of_nothing_are_null() -> None:
    assert share(pl.Series([0, 0, 3]), pl.Series([0, 2, 3])).to_list() == [None, 0.0, 1.0]
    assert share(pl.Series([], dtype=pl.Int64), pl.Series([], dtype=pl.Int64)).dtype == pl.Float64
