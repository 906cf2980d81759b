"""Gates held against a corpus: the measurement first, and the agent only where that is fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from verdict_frames.errors import ArgumentError
from verdict_frames.frames.corpus import Corpus
from verdict_frames.statistics.gates.comparing import check_comparison
from verdict_frames.statistics.gates.fitness import check_measurement
from verdict_frames.statistics.gates.gates import Gates
from verdict_frames.statistics.gates.outcome import GateOutcome
from verdict_frames.statistics.gates.requirements import check_requirements
from verdict_frames.statistics.tally import tally
from verdict_frames.vocabulary import EvaluationChoice, IntervalMethod, IntervalOver

if TYPE_CHECKING:
    from verdict_frames.policies import Policy
    from verdict_frames.statistics.comparison.result import Comparison


def check_gates(
    corpus: Corpus,
    gates: Gates,
    by: str | Sequence[str] | None = None,
    *,
    comparison: Comparison | None = None,
    policy: Policy | str | None = None,
    interval: IntervalMethod | str = IntervalMethod.WILSON,
    over: IntervalOver | str = IntervalOver.ITEMS,
    level: float = 0.95,
    evaluations: EvaluationChoice | str = EvaluationChoice.LATEST,
) -> GateOutcome:
    """Hold gates against a corpus, in order: first whether the measurement is fit, and only then the agent.

    Where something that is asked of the measurement doesn't hold, nothing is asked of the agent, because nothing can be
    said of it. A null rate satisfies nothing.

    Args:
        corpus: What was read.
        gates: What is asked.
        by: The groups that are asked about, as for `tally`; with none, everything is one group.
        comparison: What `max_regressions` and `max_drop` are held against; made of the same corpus.
        policy: As for `tally`.
        interval: As for `tally`.
        over: As for `tally`.
        level: As for `tally`.
        evaluations: As for `tally`.

    Returns:
        One line for each thing that was asked of each group, judge or comparison.

    Raises:
        ArgumentError: An argument is of the wrong kind, or a comparison is asked about and none was given.
        ColumnError: A name can't be grouped by.
        OptionError: There is no such policy or choice, or the level isn't between 0 and 1.

    Example:
        >>> import verdict_frames as vf
        >>> corpus = vf.from_records([{"aggregated": {"status": "fail"}}])
        >>> outcome = check_gates(corpus, Gates.from_dict({"require": ["pass_rate>=0.8"]}))
        >>> outcome.verdict.value, outcome.lines[-1].message
        ('not_held', 'all items: pass_rate 0 (0 of 1 eligible), asked for >= 0.8')
    """
    _require(corpus, gates, comparison)
    rows = tally(corpus, by, policy=policy, interval=interval, over=over, level=level, evaluations=evaluations)
    of_measurement = tuple(check_measurement(corpus, rows, gates, evaluations=evaluations))
    if not all(line.held for line in of_measurement):
        return GateOutcome(lines=of_measurement)
    of_agent = (*check_requirements(rows, gates), *(() if comparison is None else check_comparison(comparison, gates)))
    return GateOutcome(lines=(*of_measurement, *of_agent))


def _require(corpus: object, gates: object, comparison: object) -> None:
    for given, kind, made_by in ((corpus, Corpus, "read_results"), (gates, Gates, "Gates.from_dict")):
        if not isinstance(given, kind):
            message = f"a {kind.__name__} is needed, as {made_by} returns it, not {type(given).__name__}"
            raise ArgumentError(message)
    if comparison is None and isinstance(gates, Gates) and gates.about_comparisons:
        message = "max_regressions and max_drop are about comparisons; give what compare returns"
        raise ArgumentError(message)
