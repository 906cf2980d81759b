"""`verdict-frames compare`: treatments against a baseline, item by item."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import Annotated, Any, Final

from cyclopts import Parameter

from verdict_frames.cli.gates import NO_COMPARISON_OPTIONS, ComparisonGateOptions, asked_gates
from verdict_frames.cli.reading import PLAIN, ReadOptions, read_corpus, report_nothing
from verdict_frames.cli.stored import put
from verdict_frames.cli.whole_numbers import WholeNumber
from verdict_frames.errors import OptionError, UnlikeRunsError
from verdict_frames.frames.corpus import Corpus
from verdict_frames.policies import AGENT_JUDGE_0_17
from verdict_frames.reporting.comparison_sentences import (
    change_lines,
    difference_lines,
    quotable_comparisons,
    uncounted_lines,
)
from verdict_frames.reporting.rows import RowFormat, render_rows
from verdict_frames.reporting.sentences import files_seen, problem_lines
from verdict_frames.statistics.comparison.compare import compare
from verdict_frames.statistics.comparison.result import Comparison
from verdict_frames.statistics.gates.check import check_comparison_gates, check_gates
from verdict_frames.statistics.gates.gates import Gates
from verdict_frames.statistics.gates.outcome import GateOutcome, unfit
from verdict_frames.statistics.vocabulary import Correction, EvaluationChoice, GateVerdict

_SHOWN: Final = (
    "treatment",
    "pairs",
    "baseline_rate",
    "treatment_rate",
    "difference",
    "ci_low",
    "ci_high",
    "wins",
    "losses",
    "p_value",
    "p_adjusted",
    "lost",
    "bound_low",
    "bound_high",
)


class ComparedRows(StrEnum):
    """Which rows of a comparison come out."""

    OVERALL = "overall"
    ITEMS = "items"
    TRANSITIONS = "transitions"
    LOST = "lost"
    NOT_ASSESSED = "not_assessed"
    DIFFERENCES = "differences"


def compare_paths(
    *paths: str,
    by: str | None = None,
    baseline: str | None = None,
    treatment: Annotated[list[str] | None, Parameter(name="--treatment", negative="")] = None,
    within: Annotated[list[str] | None, Parameter(name="--within", negative="")] = None,
    allow: Annotated[list[str] | None, Parameter(name="--allow", negative="")] = None,
    policy: str = AGENT_JUDGE_0_17.name,
    evaluations: EvaluationChoice = EvaluationChoice.LATEST,
    level: float = 0.95,
    correction: Correction = Correction.HOLM,
    seed: WholeNumber = 0,
    rows: ComparedRows = ComparedRows.OVERALL,
    format: RowFormat = RowFormat.TABLE,  # noqa: A002 - it is the name of the option
    reading: ReadOptions = PLAIN,
    gates: ComparisonGateOptions = NO_COMPARISON_OPTIONS,
) -> int:
    """Compare treatments with a baseline on the same items; without --by two paths, before and after.

    With gates the exit code is 0 where all held, 1 where a treatment didn't hold one, and 3 where the measurement isn't
    fit to tell. Without options for them they are those of verdict-frames.toml, if there is one here.

    Args:
        paths: Result files: files, folders, archives or globs; exported folders.
        by: The column whose values are compared, of runs, items or run facts (`variant`, `conditions.agent.model`).
        baseline: Its value to compare with.
        treatment: Its value to compare; may be repeated. All others where none is given.
        within: Compare in each group of this column by itself; may be repeated.
        allow: In what runs may differ: instrument, description_version, dataset; may be repeated.
        policy: What counts: agent-judge-0.17, agent-experiment-0.9, verified-only or all-items.
        evaluations: Which evaluation counts where a run was judged again.
        level: Confidence level of the intervals.
        correction: How p values of several comparisons are adjusted.
        seed: Seeds the test with repeats, where it has to draw.
        rows: Which rows come out.
        format: How the rows come out. With json and csv the sentences go to standard error.
        reading: How result files are read.
        gates: What is asked, for use in CI.
    """
    asked = asked_gates(gates)
    options: dict[str, Any] = {
        "within": tuple(within or ()),
        "policy": policy,
        "evaluations": evaluations,
        "level": level,
        "correction": correction,
        "allow": tuple(allow or ()),
        "seed": seed,
    }
    if by is None:
        parts = _before_and_after(paths, baseline, treatment)
    elif baseline is None:
        message = f"say with --baseline which value of {by!r} to compare with"
        raise OptionError(message)
    else:
        parts = [paths]
        options |= {"by": by, "baseline": baseline, "treatment": treatment}
    corpora = [read_corpus(part, reading) for part in parts]
    for corpus, part in zip(corpora, parts, strict=True):
        if corpus.runs.is_empty():
            nothing = report_nothing(corpus, part)
            return nothing if asked is None else asked.report_nothing_read(policy=policy)
    try:
        compared = compare(*corpora, **options)
    except (OptionError, UnlikeRunsError) as error:
        outcome = None if asked is None else _unfit(corpora[0], asked.gates, error, by=by, options=options)
        if asked is None or outcome is None:
            raise
        return asked.report(outcome)
    read = [line for corpus in corpora for line in (files_seen(corpus), *problem_lines(corpus))]
    below = [*change_lines(compared), *difference_lines(compared), *uncounted_lines(compared), *read]
    put("\n".join(quotable_comparisons(compared)), _render(compared, rows, format), below, format)
    if asked is None:
        return 0
    return asked.report(check_comparison_gates(compared, asked.gates, *corpora, policy=policy, evaluations=evaluations))


def _unfit(
    corpus: Corpus, gates: Gates, error: OptionError | UnlikeRunsError, *, by: str | None, options: dict[str, Any]
) -> GateOutcome | None:
    """Say that nothing can be compared because of how was measured; null where the call is wrong."""
    if isinstance(error, UnlikeRunsError):
        return unfit("runs that can be compared", str(error), policy=options["policy"])
    if by is None:
        return None
    measurement = replace(gates, require=())
    groups = [*options["within"], by]
    outcome = check_gates(corpus, measurement, groups, policy=options["policy"], evaluations=options["evaluations"])
    return outcome if outcome.verdict is GateVerdict.NOT_EVALUATED else None


def _before_and_after(
    paths: tuple[str, ...], baseline: str | None, treatment: list[str] | None
) -> list[tuple[str, ...]]:
    if baseline is not None or treatment:
        message = "--baseline and --treatment name values of a column; say with --by which"
        raise OptionError(message)
    if len(paths) != 2:
        message = (
            f"without --by two paths are compared, before and after, and {len(paths)} are given; name the column that"
            " tells the sides apart, as in --by variant --baseline simple"
        )
        raise OptionError(message)
    return [paths[:1], paths[1:]]


def _render(compared: Comparison, rows: ComparedRows, row_format: RowFormat) -> str:
    frame = compared.tables()[rows]
    if rows is not ComparedRows.OVERALL:
        return render_rows(frame, row_format)
    left_out = {"p_adjusted"} if frame["comparisons"].max() in (None, 0, 1) else set()
    shown = [name for name in _SHOWN if name not in left_out]
    return render_rows(frame, row_format, columns=[*compared.within, *shown])
