"""How often each status occurs."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import polars as pl

from verdict_frames.vocabulary import STATUSES

if TYPE_CHECKING:
    from collections.abc import Mapping

_TOKENS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "passed": "pass",
        "failed": "fail",
        "abstained": "abstain",
        "not_applicable": "not_applicable",
        "errored": "error",
    }
)

STATUS_COUNTS_SCHEMA: Final[Mapping[str, pl.DataType]] = MappingProxyType(
    dict.fromkeys((*_TOKENS, "other_status", "no_status"), pl.Int64())
)
"""A column for each known status (R13), for unknown tokens and for statuses that can't be read, with their types."""


def status_counts(status: pl.Expr) -> list[pl.Expr]:
    """Count the rows of each column of `STATUS_COUNTS_SCHEMA`; together they are all rows."""
    known = [(status == token).sum().alias(name) for name, token in _TOKENS.items()]
    other = (~status.is_in(sorted(STATUSES))).sum().alias("other_status")
    return [*known, other, status.is_null().sum().alias("no_status")]
