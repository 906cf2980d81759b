"""`verdict-frames tally --source …`: accept rates of stored evaluations, and what is not in them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from verdict_frames.cli.stored import put, read_stored, report_no_evaluations
from verdict_frames.reporting.evaluation_sentences import quotable_evaluations
from verdict_frames.reporting.rows import RowFormat, render_rows
from verdict_frames.reporting.sentences import files_seen, problem_lines
from verdict_frames.statistics.evaluations.tally import EVALUATION_TALLY_SCHEMA
from verdict_frames.statistics.tally import tally

if TYPE_CHECKING:
    from collections.abc import Sequence

    from verdict_frames.statistics.vocabulary import IntervalMethod
    from verdict_frames.vocabulary import EvaluationSource

_ALWAYS_SHOWN: Final = ("accepted", "eligible", "accept_rate", "ci_low", "ci_high", "total")
_WORDS: Final = frozenset({"ci_method", "confidence_level", "rate_note", "policy"})


def tally_stored(
    paths: Sequence[str],
    *,
    by: Sequence[str] | None,
    policy: str | None,
    interval: IntervalMethod,
    level: float,
    row_format: RowFormat,
    source: EvaluationSource,
    fields: Sequence[str] | None,
    latest_per_key: bool,
) -> int:
    """Count stored evaluations for the command `tally`, whose options these are."""
    evaluations = read_stored(paths, source=source, fields=fields, latest_per_key=latest_per_key)
    if evaluations.evaluations.is_empty():
        return report_no_evaluations(evaluations, paths)
    count = partial(tally, evaluations, policy=policy, interval=interval, level=level)
    rows, overall = count(by), count().row(0, named=True)
    groups = [name for name in rows.columns if name not in EVALUATION_TALLY_SCHEMA]
    counts = [name for name in EVALUATION_TALLY_SCHEMA if name not in {*_ALWAYS_SHOWN, *_WORDS}]
    counted = [name for name in counts if (rows[name] != 0).any()]
    zeros = [name for name in counts if name not in counted]
    text = render_rows(rows, row_format, columns=[*groups, *_ALWAYS_SHOWN, *counted])
    below = [f"0 in every group: {', '.join(zeros)}"] if zeros else []
    below += [files_seen(evaluations), *problem_lines(evaluations)]
    put(quotable_evaluations(overall), text, below, row_format)
    return 0
