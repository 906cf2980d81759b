"""Which runs are left out of every count: judges under test, and all but one evaluation of the same work.

A re-evaluation judges the work of an earlier run again. Counting both would count the same work twice, so of all
evaluations of the same work only the last one counts, or the first one, as the caller chooses.
"""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

import polars as pl

from verdict_frames.statistics.choices import find_choice
from verdict_frames.statistics.vocabulary import EvaluationChoice
from verdict_frames.vocabulary import RunKind


class _Evaluation(NamedTuple):
    run_id: str
    source: str
    has_items: bool


def left_out_runs(runs: pl.DataFrame, *, evaluations: EvaluationChoice | str = EvaluationChoice.LATEST) -> pl.Series:
    """Return the runs whose items no count takes in.

    Left out are judge experiments, and every run in whose place another run of the frame counts. A run and its
    re-evaluations, and their re-evaluations in turn, judge the same work:

    * of these the `latest` is the re-evaluation at the end of its chain, of several such ends the one with the latest
      timestamp (none being the earliest), then the one with the greatest `run_id`. That holds also where the original
      isn't in the frame: a single re-evaluation of it counts, and of several the one that would count beside it. A
      chain that runs in a circle has no end, so all of it takes part;
    * the `original` is the run where the chain began; where that isn't in the frame, the earliest of the re-evaluations
      that judged it;
    * with `all`, every one counts.

    A re-evaluation without items, such as one that broke off at once, replaces nothing; it only links what stands
    before it in its chain to what comes after. One that judged some of the original's items again replaces the original
    as a whole all the same: none of the original's items counts.

    Args:
        runs: Grain one run; `run_id`, `kind`, `re_evaluated_from`, `timestamp` and `item_count` are read.
        evaluations: Which evaluation of the same work counts.

    Returns:
        The `run_id` of each run that is left out, each once, in no particular order.

    Raises:
        OptionError: There is no such choice.
    """
    choice = find_choice(EvaluationChoice, evaluations, option="evaluations")
    kind = pl.col("kind").cast(pl.String)
    under_test = runs.filter(kind == RunKind.JUDGE_EXPERIMENT)["run_id"]
    if choice is EvaluationChoice.ALL:
        return under_test
    again = runs.filter(
        (kind == RunKind.RE_EVALUATION)
        & pl.col("re_evaluated_from").is_not_null()
        & (pl.col("re_evaluated_from") != pl.col("run_id"))
    ).sort("timestamp", "run_id", nulls_last=False)
    rows = again.select("run_id", "re_evaluated_from", pl.col("item_count") > 0).iter_rows()
    evaluated = [_Evaluation(*row) for row in rows]
    replaced = _replaced(evaluated) if choice is EvaluationChoice.LATEST else _repeated(evaluated, set(runs["run_id"]))
    present = runs.filter((kind != RunKind.JUDGE_EXPERIMENT) & pl.col("run_id").is_in(sorted(replaced)))["run_id"]
    return pl.concat([under_test, present])


def _repeated(evaluations: list[_Evaluation], present: set[str]) -> set[str]:
    """Return all runs of each family but the first; the evaluations come from earliest to latest."""
    repeated = set()
    for origin, members in _families(evaluations).items():
        first = next((member.run_id for member in members if member.has_items), None)
        repeated |= {origin, *(member.run_id for member in members)} - {origin if origin in present else first}
    return repeated


def _families(evaluations: list[_Evaluation]) -> dict[str, list[_Evaluation]]:
    """Gather the evaluations of the same work under the run where their chain began."""
    sources = {evaluation.run_id: evaluation.source for evaluation in evaluations}
    families: defaultdict[str, list[_Evaluation]] = defaultdict(list)
    origins: dict[str, str] = {}
    for evaluation in evaluations:
        families[_origin(evaluation.run_id, sources, origins)].append(evaluation)
    return families


def _replaced(evaluations: list[_Evaluation]) -> set[str]:
    """Return all runs of each family but the one that counts; the evaluations come from earliest to latest."""
    sources = {evaluation.run_id: evaluation.source for evaluation in evaluations}
    replaced = set()
    empty = {evaluation.run_id for evaluation in evaluations if not evaluation.has_items}
    for origin, members in _families(evaluations).items():
        judging = [member for member in members if member.has_items]
        continued = {_source_with_items(member, sources, empty) for member in judging}
        ends = [member for member in judging if member.run_id not in continued] or judging
        if ends:
            replaced |= {origin, *(member.run_id for member in members)} - {ends[-1].run_id}
    return replaced


def _source_with_items(evaluation: _Evaluation, sources: dict[str, str], empty: set[str]) -> str:
    """Follow the chain of sources past evaluations without items; a circle of these leads nowhere else."""
    source, passed = evaluation.source, set[str]()
    while source in empty and source not in passed:
        passed.add(source)
        source = sources[source]
    return source


def _origin(run_id: str, sources: dict[str, str], origins: dict[str, str]) -> str:
    """Follow the chain of sources to the run where it began; a circle begins at the smallest `run_id` on it."""
    chain: dict[str, None] = {}
    while run_id in sources and run_id not in origins and run_id not in chain:
        chain[run_id] = None
        run_id = sources[run_id]
    if run_id in chain:
        members = list(chain)
        run_id = min(members[members.index(run_id) :])
    origin = origins.get(run_id, run_id)
    origins.update(dict.fromkeys(chain, origin))
    return origin
