"""Which repetition of its variant a run is.

The nth run of a variant of an experiment is repeat n, counted from 1 among the runs that are read together. Runs are
put into the order of their sessions, and within one session into that of their ends, then of their ids. A session comes
by its `createdAt`, then by its name; where `createdAt` isn't known of every session that the variant was run in, by
their names alone, which begin with the date wherever the runner chose them.

Not numbered is a run of which experiment, session or variant aren't known, one that judges another one again (it
inherits), and one whose path has a repeat by the caller's pattern. Such a one stays as it is, and its number isn't
given to another run of the variant. Runs of judge experiments are numbered among themselves.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import UTC, datetime
from itertools import count
from typing import TYPE_CHECKING

import msgspec

from verdict_frames.sources.path_facts import repeat_number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from verdict_frames.sources.path_facts import PathFacts
    from verdict_frames.sources.store_records import StoreRecords
    from verdict_frames.sources.survey import RunCopy

_BEFORE_ALL = datetime.min.replace(tzinfo=UTC)


def number_repeats(
    facts: Mapping[str, PathFacts], runs: Mapping[str, RunCopy], records: StoreRecords
) -> dict[str, PathFacts]:
    """Give the runs of each variant of each experiment their numbers, for those that have none.

    Args:
        facts: Run id → what is told of the run.
        runs: Run id → the best of its copies.
        records: Says when sessions were begun.

    Returns:
        The facts with the numbers in them.
    """
    groups: defaultdict[tuple[str, str, str | None], list[str]] = defaultdict(list)
    for run_id, told in facts.items():
        if told.experiment and told.variant and runs[run_id].re_evaluated_from is None:
            groups[told.experiment, told.variant, runs[run_id].experiment_type].append(run_id)
    numbered = dict(facts)
    for (experiment, _, _), members in groups.items():
        given = {repeat_number(facts[run_id].repeat) for run_id in members}
        numbers = (number for number in count(1) if number not in given)
        bare = [run_id for run_id in members if facts[run_id].repeat is None and facts[run_id].session is not None]
        for run_id in _in_order(bare, experiment, facts, runs, records):
            numbered[run_id] = msgspec.structs.replace(facts[run_id], repeat=str(next(numbers)))
    return numbered


def _in_order(
    run_ids: Sequence[str],
    experiment: str,
    facts: Mapping[str, PathFacts],
    runs: Mapping[str, RunCopy],
    records: StoreRecords,
) -> list[str]:
    begun = {session: records.created(experiment, session) for run_id in run_ids if (session := facts[run_id].session)}
    all_known = None not in begun.values()

    def place(run_id: str) -> tuple[datetime, str, datetime, str]:
        session = facts[run_id].session or ""
        created = begun.get(session) if all_known else None
        return created or _BEFORE_ALL, session, runs[run_id].timestamp or _BEFORE_ALL, run_id

    return sorted(run_ids, key=place)
