"""Which stages repeat the seats of a stage below them.

A cascade's root is recorded with the seats of the tier at which it stopped, so whoever counts seats over root and
stages counts these twice. To tell, one has to know which stage lies below which. Stages are listed depth first, and a
path of names settles most of it; stages without a name have their parent's path, and their place is told by the defect
that every missing name leaves.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from verdict_frames.vocabulary import DefectKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from verdict_frames.records import Facts, JudgeSeat, Stage

_CONTAINER = re.compile(r"\.(compositeAttempts|subVerdicts)\[\d+\]")


class _Place(NamedTuple):
    depth: int
    in_sub_verdicts: bool


def copied_stages(facts: Facts) -> list[int | None]:
    """Find for each stage the one whose seats it repeats.

    A stage is a copy when it has seats and they equal those of a stage below it. How the seats' names came about
    (`key_source`) isn't compared: a nested verdict may leave it out, though it tells of the same judges.

    Args:
        facts: One interpretation.

    Returns:
        One entry a stage, the root first: the index of the deepest stage below with equal seats, of several equally
        deep ones the first; null for a stage that is no copy.
    """
    stages = (facts.root, *facts.stages)
    copies: list[int | None] = [None] * len(stages)
    if len(stages) == 1:
        return copies
    parents = parent_stages(facts)
    depths = [0] * len(stages)
    for index in range(1, len(stages)):
        depths[index] = depths[parents[index]] + 1
        judges = stages[index].judges
        ancestor = index
        while judges and ancestor > 0:
            ancestor = parents[ancestor]
            known = copies[ancestor]
            if (known is None or depths[index] > depths[known]) and _same_judges(stages[ancestor].judges, judges):
                copies[ancestor] = index
    return copies


def parent_stages(facts: Facts) -> list[int]:
    """Find the parent of each stage.

    A named stage lies below the last listed stage whose path is its own without the last name. Below an unnamed one,
    which has the same path as its parent, the nearer to the root is taken, unless that one can't have further attempts
    because a sub-verdict of its own came before (R73: attempts are listed before sub-verdicts). An unnamed stage lies
    as deep as the defect on its name says (R72, R75); where the defects don't account for every unnamed stage, it is
    taken to lie as near to the root as its path allows.

    Args:
        facts: One interpretation.

    Returns:
        One entry a stage, the root first: the index of its parent. The root's own entry is 0.
    """
    stages = (facts.root, *facts.stages)
    places = iter(_places_of_unnamed(facts))
    parents = [0] * len(stages)
    chain = [0]
    without_attempts: set[int] = set()
    for index, stage in enumerate(facts.stages, start=1):
        if stage.stage is None:
            place = next(places)
            level = _level_of(chain, stages, stage.path, place.depth)
            if place.in_sub_verdicts:
                without_attempts.add(chain[level])
        else:
            above = stage.path[:-1]
            levels = [level for level, open_stage in enumerate(chain) if stages[open_stage].path == above]
            level = next((level for level in levels if chain[level] not in without_attempts), 0)
        parents[index] = chain[level]
        chain[level + 1 :] = [index]
    return parents


def _places_of_unnamed(facts: Facts) -> Iterable[_Place]:
    unnamed = [stage for stage in facts.stages if stage.stage is None]
    told = [
        _Place(len(containers), containers[-1] == "subVerdicts")
        for defect in facts.defects
        if defect.field == "name"
        and defect.kind is DefectKind.ABSENT
        and (containers := _CONTAINER.findall(defect.path))
    ]
    if len(told) == len(unnamed):
        return told
    return [_Place(0, _is_sub_verdict(stage)) for stage in unnamed]


def _is_sub_verdict(stage: Stage) -> bool:
    """Sub-verdicts have none of the facts of an attempt (R75)."""
    facts = (stage.relation, stage.policy, stage.disposition, stage.reason, stage.failure)
    return all(fact is None for fact in facts)


def _level_of(chain: list[int], stages: Sequence[Stage], path: tuple[str, ...], depth: int) -> int:
    """Find the place in the chain of open stages of the parent that has this path."""
    if 0 < depth <= len(chain) and stages[chain[depth - 1]].path == path:
        return depth - 1
    return next((level for level, open_stage in enumerate(chain) if stages[open_stage].path == path), 0)


def _same_judges(one: tuple[JudgeSeat, ...], other: tuple[JudgeSeat, ...]) -> bool:
    return len(one) == len(other) and all(map(_same_judge, one, other))


def _same_judge(one: JudgeSeat, other: JudgeSeat) -> bool:
    return (
        one.name == other.name
        and one.status == other.status
        and one.position == other.position
        and one.reason_code == other.reason_code
        and one.score == other.score
        and one.score_scale == other.score_scale
        and one.reasoning == other.reasoning
        and one.checks == other.checks
    )
