"""`verdict-frames tally`: pass rates, and what is not in them."""

from __future__ import annotations

import sys
from functools import partial
from typing import Annotated

import polars as pl
from cyclopts import Parameter

from verdict_frames.cli.evaluation_tally import tally_stored
from verdict_frames.cli.facts import NO_FACTS, FactOptions
from verdict_frames.cli.gates import NO_OPTIONS, GateOptions, asked_gates
from verdict_frames.cli.reading import PLAIN, ReadOptions, read_corpus, report_nothing
from verdict_frames.cli.stored import FieldOption
from verdict_frames.errors import OptionError
from verdict_frames.policies import AGENT_JUDGE_0_17, find_policy
from verdict_frames.reporting.hints import hints
from verdict_frames.reporting.rows import RowFormat, render_rows
from verdict_frames.reporting.sentences import counted, files_seen, mixtures, problem_lines, quotable
from verdict_frames.statistics.gates.check import check_gates
from verdict_frames.statistics.grouping import NOT_RECORDED
from verdict_frames.statistics.tally import TALLY_SCHEMA, tally
from verdict_frames.statistics.vocabulary import EvaluationChoice, IntervalMethod, IntervalOver
from verdict_frames.vocabulary import Bucket, EvaluationSource

_ALWAYS_SHOWN = ("passes", "eligible", "pass_rate", "ci_low", "ci_high")
_INTERVAL = ("confidence_level", "over", "ci_method")
_SHOWN_WHERE_COUNTED = (
    *(bucket.value for bucket in Bucket if bucket is not Bucket.PASSES),
    *("undecided", "unverified", "left_out"),
)
"""Columns that a table for reading leaves out where they are 0 in every group; JSON and CSV hold all of them."""


def tally_paths(
    *paths: str,
    by: Annotated[list[str] | None, Parameter(name="--by", negative="")] = None,
    policy: str | None = None,
    interval: IntervalMethod = IntervalMethod.WILSON,
    over: IntervalOver = IntervalOver.ITEMS,
    level: float = 0.95,
    evaluations: EvaluationChoice = EvaluationChoice.LATEST,
    format: RowFormat = RowFormat.TABLE,  # noqa: A002 - it is the name of the option
    reading: ReadOptions = PLAIN,
    source: EvaluationSource | None = None,
    field: FieldOption = None,
    latest_per_key: Annotated[bool, Parameter(name="--latest-per-key", negative="")] = False,
    known: FactOptions = NO_FACTS,
    gates: GateOptions = NO_OPTIONS,
) -> int:
    """Count the items of result files, or stored evaluations, by group and show their rates.

    With gates the exit code is 0 where all held, 1 where the agent didn't hold one, and 3 where the measurement isn't
    fit to tell. Without options for them they are those of verdict-frames.toml, if there is one here; stored
    evaluations have none.

    Args:
        paths: Result files or stored evaluations: files, folders, archives or globs; exported folders.
        by: A column to group by, of runs, items or run facts (`variant`, `conditions.agent.model`), or of evaluations
            (`model_id`, `pack_version`); may be repeated.
        policy: What counts: agent-judge-0.17, agent-experiment-0.9, verified-only or all-items; for stored evaluations
            results-only or all-evaluations. The first of each is taken where none is given.
        interval: How intervals are computed: wilson, or clopper-pearson, which is wider and never below its level.
        over: What intervals are about: other items of this kind, or other runs of these same items.
        level: The confidence level of intervals, between 0 and 1.
        evaluations: Which evaluation of items counts where a run was judged again.
        format: How the rows come out. With json and csv the sentences go to standard error.
        reading: How result files are read.
        source: Count stored evaluations, and what wrote them: result, gateway or system-one.
        field: Where a part of a stored evaluation is, as PART=PATH; may be repeated.
        latest_per_key: Count one stored evaluation a key, a result before a failure.
        known: What is known besides.
        gates: What is asked, for use in CI.
    """
    if source is not None:
        _refuse_options_of_items(known, gates, evaluations, over)
        return tally_stored(
            paths,
            by=by,
            policy=policy,
            interval=interval,
            level=level,
            row_format=format,
            source=source,
            fields=field,
            latest_per_key=latest_per_key,
        )
    if field or latest_per_key:
        message = "--field and --latest-per-key are about stored evaluations; say with --source what wrote them"
        raise OptionError(message)
    chosen, asked = find_policy(AGENT_JUDGE_0_17 if policy is None else policy), asked_gates(gates)
    corpus = read_corpus(paths, reading)
    if corpus.runs.is_empty():
        nothing = report_nothing(corpus, paths)
        return nothing if asked is None else asked.report_nothing_read(policy=chosen.name)
    corpus = known.added_to(corpus)
    count = partial(tally, corpus, policy=chosen, interval=interval, over=over, level=level, evaluations=evaluations)
    rows, overall = count(by), count().row(0, named=True)
    for_reading = format in (RowFormat.TABLE, RowFormat.MARKDOWN)
    text = render_rows(_named_groups(rows) if for_reading else rows, format, columns=_shown_columns(rows))
    remarks = [*_remarks(rows), *hints(corpus, rows, _group_columns(rows))]
    above, below = f"{quotable(overall)}\n", "\n".join([*remarks, files_seen(corpus), *problem_lines(corpus)])
    if format in (RowFormat.JSON, RowFormat.CSV):
        sys.stdout.write(text)
        sys.stderr.write(f"{above}{below}\n")
    else:
        sys.stdout.write(f"{above}\n{text}\n{below}\n")
    if asked is None:
        return 0
    check = partial(check_gates, corpus, asked.gates, by, interval=interval, over=over, level=level)
    return asked.report(check(policy=chosen, evaluations=evaluations))


def _refuse_options_of_items(
    known: FactOptions, gates: GateOptions, evaluations: EvaluationChoice, over: IntervalOver
) -> None:
    """Refuse what can't be asked of stored evaluations."""
    if known != NO_FACTS:
        message = "--facts, --on and --dataset are about items, and --source is about stored evaluations"
        raise OptionError(message)
    if gates not in (NO_OPTIONS, GateOptions(no_gates=True)):
        message = "gates are about items of result files; leave their options out with --source"
        raise OptionError(message)
    if evaluations is not EvaluationChoice.LATEST or over is not IntervalOver.ITEMS:
        message = "--evaluations and --over are about runs; of stored evaluations see --latest-per-key"
        raise OptionError(message)


def _shown_columns(rows: pl.DataFrame) -> list[str]:
    shown = [name for name in _SHOWN_WHERE_COUNTED if _is_counted(rows, name)]
    end_to_end = ["end_to_end_rate"] if _is_counted(rows, "agent_failed") else []
    clusters = ["clusters"] if (rows["clusters"] != rows["eligible"]).any() else []
    return [*_group_columns(rows), *_ALWAYS_SHOWN, *clusters, *shown, *end_to_end, "total", "naive_rate"]


def _group_columns(rows: pl.DataFrame) -> list[str]:
    return [name for name in rows.columns if name not in TALLY_SCHEMA]


def _named_groups(rows: pl.DataFrame) -> pl.DataFrame:
    """Say in words that what a group goes by is not recorded, so that it isn't taken for a null number."""
    groups = [name for name in _group_columns(rows) if rows.schema[name] == pl.String]
    return rows.with_columns(pl.col(groups).fill_null(NOT_RECORDED))


def _is_counted(rows: pl.DataFrame, name: str) -> bool:
    return bool((rows.get_column(name) != 0).any())


def _remarks(rows: pl.DataFrame) -> list[str]:
    """Say what the table leaves out, what its intervals are or why they are missing, and which groups are mixtures."""
    zeros = [name for name in _SHOWN_WHERE_COUNTED if not _is_counted(rows, name)]
    lines = [f"0 in every group: {', '.join(zeros)}"] if zeros else []
    with_interval = rows.filter(pl.col("ci_low").is_not_null())
    for level, over, method, count in with_interval.group_by(_INTERVAL).len().sort(_INTERVAL).iter_rows():
        lines.append(
            f"{count} of {counted(rows.height, 'group')} with a {100 * level:g} % interval over {over}: {method}"
        )
    without_interval = rows.filter(pl.col("pass_rate").is_not_null() & pl.col("ci_low").is_null())
    for what, reasons in (("a rate", rows["rate_note"]), ("an interval", without_interval["ci_method"])):
        for reason, count in reasons.drop_nulls().value_counts(sort=True).iter_rows():
            lines.append(f"{count} of {counted(rows.height, 'group')} without {what}: {reason}")
    return [*lines, *mixtures(rows.iter_rows(named=True), _group_columns(rows))]
