"""`verdict-frames audit`: what files recorded, beside what their verdicts say."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import polars as pl
from cyclopts import Parameter

from verdict_frames.cli.reading import PLAIN, ReadOptions, read_corpus, report_nothing
from verdict_frames.cli.stored import flat
from verdict_frames.errors import OptionError
from verdict_frames.policies import POLICIES, find_policy
from verdict_frames.reporting.audit_sentences import quotable_audit
from verdict_frames.reporting.rows import RowFormat, render_rows
from verdict_frames.reporting.sentences import files_seen, problem_lines
from verdict_frames.statistics.audit.audits import audit
from verdict_frames.statistics.audit.differences import CAUSES_SCHEMA, RATES_SCHEMA
from verdict_frames.statistics.audit.vocabulary import AuditFrame
from verdict_frames.statistics.grouping import NOT_RECORDED
from verdict_frames.statistics.vocabulary import EvaluationChoice

if TYPE_CHECKING:
    from verdict_frames.statistics.audit.audits import Audit

_RATES_SHOWN = ("recorded_passes", "recorded_items", "recorded_rate", "passes", "eligible", "pass_rate", "difference")
_RATES_WHERE_COUNTED = ("recorded_neither", "without_record", "left_out")
_NAMES = ("experiment_name", "session", "variant", "item_id", "item_slug")
"""Columns that a table for reading leaves out where no row has them."""


def audit_paths(
    *paths: str,
    by: Annotated[list[str] | None, Parameter(name="--by", negative="")] = None,
    only: AuditFrame | None = None,
    policy: Annotated[list[str] | None, Parameter(name="--policy", negative="")] = None,
    evaluations: EvaluationChoice = EvaluationChoice.LATEST,
    format: RowFormat = RowFormat.TABLE,  # noqa: A002 - it is the name of the option
    reading: ReadOptions = PLAIN,
) -> int:
    """Hold what files recorded against what their verdicts say, and explain the difference item by item.

    Args:
        paths: Result files, folders, archives, globs or exported folders.
        by: A column to group rates and causes by, of runs, items or run facts; may be repeated.
        only: Show one frame alone: rates, causes, items, runs, recounts, interpretations, judge_errors, scores or
            copies. Without it a table shows rates and causes, and json holds all frames by name.
        policy: What counts, by default agent-judge-0.17; may be repeated for more recounts, the first one explains.
        evaluations: Which evaluation counts where a run was judged again: latest, original or all.
        format: How the rows come out. With json and csv the sentences go to standard error; csv takes one frame.
        reading: How result files are read.
    """
    if format is RowFormat.CSV and only is None:
        message = f"csv holds one frame; say with --only which: {', '.join(AuditFrame)}"
        raise OptionError(message)
    chosen = [find_policy(name) for name in policy] if policy else list(POLICIES.values())
    corpus = read_corpus(paths, reading)
    if corpus.runs.is_empty():
        return report_nothing(corpus, paths)
    audited = audit(corpus, by, policies=chosen, evaluations=evaluations)
    above = "".join(f"{line}\n" for line in quotable_audit(audited))
    below = "".join(f"{line}\n" for line in [files_seen(corpus), *problem_lines(corpus)])
    if format in (RowFormat.JSON, RowFormat.CSV):
        sys.stdout.write(_rows(audited, only, format))
        sys.stderr.write(above + below)
        return 0
    if only is None:
        rest = ", ".join(f"{name} ({frame.height})" for name, frame in _not_shown(audited).items())
        below = f"more with --only: {rest}\n{below}"
    frames = [AuditFrame.RATES, AuditFrame.CAUSES] if only is None else [only]
    sys.stdout.write(f"{above}\n{''.join(_table(audited, frame, format) for frame in frames)}{below}")
    return 0


def _rows(audited: Audit, only: AuditFrame | None, row_format: RowFormat) -> str:
    frames = audited.frames()
    if only is None:
        members = (f'"{name}": {render_rows(frame, row_format).rstrip()}' for name, frame in frames.items())
        return f"{{{', '.join(members)}}}\n"
    return render_rows(flat(frames[only]) if row_format is RowFormat.CSV else frames[only], row_format)


def _not_shown(audited: Audit) -> dict[str, pl.DataFrame]:
    shown = (AuditFrame.RATES, AuditFrame.CAUSES)
    return {name: frame for name, frame in audited.frames().items() if name not in shown}


def _table(audited: Audit, name: AuditFrame, row_format: RowFormat) -> str:
    frame = flat(audited.frames()[name])
    if frame.is_empty():
        return f"no {name.replace('_', ' ')}\n\n"
    columns = [column for column in frame.columns if column not in _NAMES or frame[column].count()]
    if name in (AuditFrame.RATES, AuditFrame.CAUSES):
        schema = RATES_SCHEMA if name is AuditFrame.RATES else CAUSES_SCHEMA
        groups = [column for column in columns if column not in schema]
        texts = [column for column in groups if frame.schema[column] == pl.String]
        frame = frame.with_columns(pl.col(texts).fill_null(NOT_RECORDED))
        if name is AuditFrame.RATES:
            counted = [column for column in _RATES_WHERE_COUNTED if (frame[column] != 0).any()]
            columns = [*groups, *_RATES_SHOWN, *counted]
    return f"{render_rows(frame, row_format, columns=columns)}\n"
