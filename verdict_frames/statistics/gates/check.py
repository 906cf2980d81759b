"""Gates held against what was read: the measurement first, and the agent only where that is fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verdict_frames.errors import ArgumentError, OptionError
from verdict_frames.frames.corpus import Corpus
from verdict_frames.policies import AGENT_JUDGE_0_17, find_policy
from verdict_frames.statistics.comparison.result import Comparison
from verdict_frames.statistics.comparison.sides import BEFORE_AND_AFTER
from verdict_frames.statistics.gates.comparing import check_comparison
from verdict_frames.statistics.gates.fitness import check_measurement
from verdict_frames.statistics.gates.gates import Gates
from verdict_frames.statistics.gates.groups import Counted, compared_groups, measured_groups
from verdict_frames.statistics.gates.outcome import GateOutcome, settled
from verdict_frames.statistics.gates.requirements import check_requirements
from verdict_frames.statistics.vocabulary import EvaluationChoice, IntervalMethod, IntervalOver

if TYPE_CHECKING:
    from collections.abc import Sequence

    from verdict_frames.policies import Policy


def check_gates(
    corpus: Corpus,
    gates: Gates,
    by: str | Sequence[str] | None = None,
    *,
    policy: Policy | str = AGENT_JUDGE_0_17,
    interval: IntervalMethod | str = IntervalMethod.WILSON,
    over: IntervalOver | str = IntervalOver.ITEMS,
    level: float = 0.95,
    evaluations: EvaluationChoice | str = EvaluationChoice.LATEST,
) -> GateOutcome:
    """Hold gates against a corpus, in order: first whether the measurement is fit, and only then the agent.

    Where something that is asked of the measurement doesn't hold, what is asked of the agent isn't evaluated, because
    nothing can be said of it. A null rate satisfies nothing. Gates that are about comparisons are passed over; see
    `check_comparison_gates`.

    Args:
        corpus: What was read.
        gates: What is asked.
        by: The groups that are asked about, as for `tally`; with none, everything is one group.
        policy: As for `tally`.
        interval: As for `tally`.
        over: As for `tally`.
        level: As for `tally`.
        evaluations: As for `tally`.

    Returns:
        One line for each thing that was asked of each group or judge.

    Raises:
        ArgumentError: An argument is of the wrong kind.
        ColumnError: A name can't be grouped by.
        OptionError: There is no such policy or choice, or the level isn't between 0 and 1.

    Example:
        >>> from verdict_frames.frames.in_memory import from_records
        >>> corpus = from_records([{"aggregated": {"status": "fail"}}])
        >>> outcome = check_gates(corpus, Gates.from_dict({"require": ["pass_rate>=0.8"]}))
        >>> outcome.verdict.value, outcome.lines[-1].message
        ('not_held', 'all items: pass_rate 0 (0 of 1 eligible), >= 0.8 asked for')
    """
    _require(corpus, Corpus, "a corpus, as read_results returns it")
    _require(gates, Gates, "gates, as Gates.from_dict or Gates.from_file makes them")
    chosen = find_policy(policy)
    counted = Counted(policy=chosen, evaluations=evaluations, interval=interval, over=over, level=level)
    groups = measured_groups(corpus, by, counted)
    measurement = check_measurement({"": corpus}, groups, gates, evaluations=evaluations)
    return GateOutcome(
        lines=settled(list(measurement), list(check_requirements(groups, gates))),
        policy=chosen.name,
        passed_over=gates.about_comparisons,
    )


def check_comparison_gates(
    comparison: Comparison,
    gates: Gates,
    *corpora: Corpus,
    policy: Policy | str | None = None,
    evaluations: EvaluationChoice | str = EvaluationChoice.LATEST,
) -> GateOutcome:
    """Hold gates against a comparison, in the same order: the measurement of all sides, and only then the treatments.

    The groups are the sides of the comparison, each in every group of `within`: a group is called by the values of
    these columns and the name of its side. What is asked of the measurement is asked of every side, of the judges over
    everything that was read; what is asked of the agent is asked of the treatments alone.

    Args:
        comparison: What `compare` returns.
        gates: What is asked.
        corpora: What the comparison was made of: one corpus, or the one before and the one after.
        policy: As it was given to `compare`; with none, that of the same name.
        evaluations: As it was given to `compare`.

    Returns:
        One line for each thing that was asked of each side, judge or comparison.

    Raises:
        ArgumentError: An argument is of the wrong kind, or there are not as many corpora as were compared.
        OptionError: The policy is another one, or there is no such choice of evaluations.

    Example:
        >>> import verdict_frames as vf
        >>> rows = [
        ...     {"run_id": name, "variant": name, "item_id": f"i{place}", "verdict": {"aggregated": {"status": status}}}
        ...     for name, statuses in (("simple", "pass pass fail"), ("hardened", "pass fail fail"))
        ...     for place, status in enumerate(statuses.split())
        ... ]
        >>> corpus = vf.from_records(rows)
        >>> compared = vf.compare(corpus, by="variant", baseline="simple")
        >>> outcome = check_comparison_gates(compared, Gates.from_dict({"max_regressions": 0}), corpus)
        >>> outcome.failed()[0].message
        'hardened against simple: 1 of 3 items passed less often, at most 0 asked for'
    """
    _require(comparison, Comparison, "a comparison, as compare returns it")
    _require(gates, Gates, "gates, as Gates.from_dict or Gates.from_file makes them")
    for corpus in corpora:
        _require(corpus, Corpus, "a corpus, as read_results returns it")
    wanted = 2 if comparison.by is None else 1
    if len(corpora) != wanted:
        made = "1 corpus" if wanted == 1 else "2 corpora"
        message = f"the comparison was made of {made}, and {len(corpora)} are given; give what was compared"
        raise ArgumentError(message)
    chosen = find_policy(comparison.policy if policy is None else policy)
    if chosen.name != comparison.policy:
        message = f"the comparison counts by {comparison.policy}, not by {chosen.name}; give its own policy"
        raise OptionError(message)
    counted = Counted(policy=chosen, evaluations=evaluations, level=comparison.level)
    groups = list(compared_groups(comparison, corpora, counted))
    called = dict(zip(BEFORE_AND_AFTER, corpora, strict=False))
    measurement = check_measurement(called, groups, gates, evaluations=evaluations)
    agent = [*check_requirements(groups, gates), *check_comparison(comparison, gates)]
    return GateOutcome(lines=settled(list(measurement), agent), policy=chosen.name)


def _require(given: object, kind: type, wanted: str) -> None:
    if not isinstance(given, kind):
        message = f"{wanted}, is needed, not {type(given).__name__}"
        raise ArgumentError(message)
