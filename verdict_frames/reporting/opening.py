"""The public door to reports: for judged runs and for stored evaluations."""

from __future__ import annotations

from types import NoneType
from typing import TYPE_CHECKING

from verdict_frames.errors import ArgumentError
from verdict_frames.frames.corpus import Corpus
from verdict_frames.frames.evaluations import Evaluations
from verdict_frames.policies import Policy
from verdict_frames.reporting.building import corpus_report, evaluations_report
from verdict_frames.statistics.evaluations.policies import EvaluationPolicy
from verdict_frames.statistics.vocabulary import EvaluationChoice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from verdict_frames.reporting.value import Report
    from verdict_frames.review.packs import Pack


def report(  # noqa: PLR0913 - the options of one report
    judged: Corpus | Evaluations,
    by: str | Sequence[str] | None = None,
    *,
    baseline: str | None = None,
    title: str | None = None,
    policy: Policy | EvaluationPolicy | str | None = None,
    level: float = 0.95,
    evaluations: EvaluationChoice | str = EvaluationChoice.LATEST,
    allow: str | Sequence[str] = (),
    pack: Pack | None = None,
) -> Report:
    """Put together what there is to say about judged runs, or about stored evaluations.

    A headline that can be quoted, the rates by group with what was not counted beside them, and then a section for each
    result that has something to show. Every count in it knows the items that it stands for. `report_html` makes a page
    of it, `report_markdown` a comment.

    Args:
        judged: A corpus or stored evaluations.
        by: One name or several to group by, as for `tally`. With none, items are grouped by experiment where there are
            several, else by variant where there are several; evaluations by the version of the pack.
        baseline: A value of the column that is grouped by; all others are compared with it. Where the runs are too
            unlike for that, the report says so in place of a comparison.
        title: What stands at the top.
        policy: A policy or the name of one, as for `tally`.
        level: The confidence level of the intervals, between 0 and 1.
        evaluations: Which evaluation of items counts where a run was judged again.
        allow: In what runs that are compared may differ, as for `compare`.
        pack: For stored evaluations: decides which rules fire, and whose thresholds are moved.

    Returns:
        A frozen value; equal input gives an equal one.

    Raises:
        ColumnError: A group name is unknown, ambiguous, given twice, nested, or the name of a column of the tally.
        OptionError: No policy or choice of evaluations has that name, the level isn't between 0 and 1, or the baseline
            is no value of the one column that is grouped by.
        ArgumentError: An argument is of the wrong kind, or doesn't belong to what is reported on.

    Example:
        >>> from verdict_frames.frames.in_memory import from_records
        >>> report(from_records([{"aggregated": {"status": "pass"}}]), title="Nightly")
        Report('Nightly', sections: rates, bounds, defects, provenance, items: 1)
    """
    _require(judged, (Corpus, Evaluations), "a Corpus or Evaluations are needed")
    _require(baseline, (str, NoneType), "a baseline is a value as text")
    _require(title, (str, NoneType), "a title is text")
    if isinstance(judged, Evaluations):
        if isinstance(policy, Policy):
            message = f"evaluations are counted by an EvaluationPolicy, and {policy.name!r} is a Policy for items"
            raise ArgumentError(message)
        if baseline is not None:
            message = f"a baseline belongs to judged runs, and {baseline!r} was given with stored evaluations"
            raise ArgumentError(message)
        return evaluations_report(judged, by, title=title, policy=policy, level=level, pack=pack)
    if isinstance(policy, EvaluationPolicy):
        message = f"items are counted by a Policy, and {policy.name!r} is an EvaluationPolicy"
        raise ArgumentError(message)
    if pack is not None:
        message = "a pack belongs to stored evaluations, and these are judged runs"
        raise ArgumentError(message)
    return corpus_report(
        judged,
        by,
        title=title,
        policy=policy,
        level=level,
        evaluations=evaluations,
        baseline=baseline,
        allow=allow,
    )


def _require(given: object, kind: tuple[type, ...], what: str) -> None:
    if not isinstance(given, kind):
        message = f"{what}, not {type(given).__name__}"
        raise ArgumentError(message)
