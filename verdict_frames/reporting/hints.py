"""What a user is likely to have overlooked, told under a tally."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from verdict_frames.vocabulary import DefectKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from verdict_frames.frames.corpus import Corpus

_BY_PATH: Final = ("experiment_name", "session", "variant", "repeat")
"""Columns of runs that a path pattern can fill."""


def hints(corpus: Corpus, rows: pl.DataFrame, groups: Sequence[str]) -> list[str]:
    """Say where statuses are unknown words, and where nothing tells what is grouped by; nothing where all is well.

    Args:
        corpus: What was counted.
        rows: Its tally.
        groups: The group columns.
    """
    lines = [
        f"no run has a {name}; --path-pattern, such as '{{variant}}/{{repeat}}.json', takes it from where files lie"
        for name in groups
        if name in _BY_PATH and rows.height and rows[name].null_count() == rows.height
    ]
    unknown = corpus.defects.filter(
        (pl.col("kind").cast(pl.String) == DefectKind.UNKNOWN_VOCABULARY) & (pl.col("field") == "status")
    )
    items = unknown.select("run_id", "item_index").n_unique() if unknown.height else 0
    if items:
        noun = "1 item has" if items == 1 else f"{items:,} items have"
        lines.append(f"{noun} a status that is no known word, which is no reading; `verdict-frames describe` shows it")
    return lines
