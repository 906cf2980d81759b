"""Between the passes: which places hold the same run, which of them is read, and what the run is called."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import count
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import TYPE_CHECKING

import msgspec

from verdict_frames.documents.entries import Shape
from verdict_frames.documents.escaping import one_line
from verdict_frames.errors import PatternError
from verdict_frames.sources.path_facts import PathFacts, layout_facts, names_run, repeat_number
from verdict_frames.sources.repeats import number_repeats
from verdict_frames.sources.survey import RunCopy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from verdict_frames.sources.path_facts import PathPattern
    from verdict_frames.sources.store_records import StoreRecords


class RunPlan(msgspec.Struct, frozen=True, kw_only=True):
    """One run that is to be read.

    Attributes:
        run_id: Its id.
        copies: The places that hold it, best first: most items, then more interpretations, then named by the run's own
            id or a UUID, then path order.
        facts: What its paths and its store tell, aliases applied, see `plan_runs`.
        inherited: Session, variant and repeat of the run that it judges again, for those that aren't told of itself.
        disagreements: What is told differently, one line each.
    """

    run_id: str
    copies: tuple[RunCopy, ...]
    facts: PathFacts
    inherited: PathFacts
    disagreements: tuple[str, ...]


class _Told(msgspec.Struct, frozen=True):
    """What is told of a run in one place: by the pattern, by the store's folders, by the store's records."""

    by_pattern: PathFacts = PathFacts()
    by_layout: PathFacts = PathFacts()
    by_records: PathFacts = PathFacts()


def plan_runs(
    copies: Iterable[RunCopy],
    pattern: PathPattern | None = None,
    *,
    records: StoreRecords,
    aliases: Mapping[str, str] = MappingProxyType({}),
) -> list[RunPlan]:
    """Gather the places of each run, in the order of the paths that will be read.

    Runs that record an `experimentId` are the same where it is the same; others where they are the same file. Those
    are called by what the pattern finds as `{run}`, else by the path relative to the argument, with `#` and the place
    in the file for a result among others; where that is no run's alone, by the whole path, then by the absolute one,
    and at last with `~2` and so on behind it.

    Experiment, session and variant are what the pattern finds; else what the store's folders and, for the experiment,
    the file itself say; else what session and index files say of the run, by its id or by its file; else what the run's
    own metadata say. Variants get their names of today by the aliases. Repeats are numbered as
    `verdict_frames.sources.repeats` says.

    A run that judges another one again, which is among them, inherits from it what isn't told of itself of session,
    variant and repeat; where that one judges again, too, from the first of the chain that has it.

    Raises:
        PatternError: If there are paths, and the pattern matches none of them.
    """
    groups: defaultdict[tuple[str, ...], list[RunCopy]] = defaultdict(list)
    for copy in copies:
        place = (copy.file.identity, str(copy.entry))
        groups[place if copy.experiment_id is None else (copy.experiment_id,)].append(copy)
    ranked = sorted((sorted(group, key=_rank) for group in groups.values()), key=lambda group: _place(group[0]))
    if pattern is not None:
        _require_match(pattern, [copy for group in ranked for copy in group])
    found = [list(_told_of(group, pattern, records, aliases)) for group in ranked]
    ids = _run_ids(ranked, found)
    facts = dict(zip(ids, map(_merged, found), strict=True))
    best = {run_id: group[0] for run_id, group in zip(ids, ranked, strict=True)}
    facts = number_repeats(facts, best, records)
    return [
        RunPlan(
            run_id=run_id,
            copies=tuple(group),
            facts=facts[run_id],
            inherited=_inherited(run_id, best, facts),
            disagreements=tuple(_disagreements(each)),
        )
        for run_id, group, each in zip(ids, ranked, found, strict=True)
    ]


def _rank(copy: RunCopy) -> tuple[object, ...]:
    own_name = names_run(PurePosixPath(copy.file.parts[-1]).stem, copy.experiment_id)
    return (-copy.item_count, -copy.interpretation_count, not own_name, *_place(copy))


def _place(copy: RunCopy) -> tuple[str, bool, int]:
    return (copy.file.path, copy.entry is None, copy.entry or 0)


def _require_match(pattern: PathPattern, copies: Sequence[RunCopy]) -> None:
    """Refuse a pattern that says nothing about any of the files; single files that don't match keep their nulls."""
    if copies and not any(pattern.match(copy.file.parts) is not None for copy in copies):
        message = (
            f"path pattern {pattern.text!r} matches none of {len(copies)} paths, such as {copies[0].file.path};"
            " it is held against the end of a path, file name included, as in {variant}/{repeat}.json"
        )
        raise PatternError(message)


def _told_of(
    group: Sequence[RunCopy], pattern: PathPattern | None, records: StoreRecords, aliases: Mapping[str, str]
) -> Iterator[_Told]:
    """What is told of each copy, and then of the run whatever its copies."""
    for copy in group:
        parts = copy.file.parts
        told = [PathFacts() if pattern is None else pattern.match(parts) or PathFacts(), PathFacts(), PathFacts()]
        if copy.shape is Shape.DOCUMENT and copy.entry is not None:
            told[1] = layout_facts(parts, experiment_id=copy.experiment_id, experiment_name=copy.experiment_name)
            told[2] = records.names_of_file(parts, copy.experiment_id)
        told[1] = msgspec.structs.replace(told[1], experiment=copy.experiment_name)
        yield _Told(*(_with_alias(facts, aliases) for facts in told))
    own = PathFacts(session=group[0].session, variant=group[0].variant)
    for names in (*records.names_of_run(group[0].experiment_id), own):
        yield _Told(by_records=_with_alias(names, aliases))


def _with_alias(facts: PathFacts, aliases: Mapping[str, str]) -> PathFacts:
    if facts.variant is None or facts.variant not in aliases:
        return facts
    return msgspec.structs.replace(facts, variant=aliases[facts.variant])


def _values(told: Sequence[_Told], name: str) -> list[str]:
    """What was found under a name: by the pattern, or where that found nothing anywhere, by the store."""
    by_pattern, by_layout, by_records = (
        [value for value in (getattr(getattr(each, source), name) for each in told) if value is not None]
        for source in _Told.__struct_fields__
    )
    return by_pattern or [*by_layout, *by_records]


def _merged(told: Sequence[_Told]) -> PathFacts:
    return PathFacts(**{name: next(iter(_values(told, name)), None) for name in PathFacts.__struct_fields__})


def _disagreements(told: Sequence[_Told]) -> Iterator[str]:
    by_paths = [_Told(each.by_pattern, each.by_layout) for each in told]
    for name in PathFacts.__struct_fields__:
        shown = [one_line(value) for value in dict.fromkeys(_values(told, name))]
        if len(shown) > 1:
            several_paths = len(set(_values(by_paths, name))) > 1
            who = "its copies lie under" if several_paths else "its store and its own file name"
            yield f"{who} several {name}s ({', '.join(shown)}); {shown[0]} was taken"


def _inherited(run_id: str, runs: Mapping[str, RunCopy], facts: Mapping[str, PathFacts]) -> PathFacts:
    session = variant = repeat = None
    passed = {run_id}
    origin = runs[run_id].re_evaluated_from
    while origin is not None and origin in facts and origin not in passed:
        passed.add(origin)
        session = session or facts[origin].session
        variant = variant or facts[origin].variant
        repeat = repeat or (None if repeat_number(facts[origin].repeat) is None else facts[origin].repeat)
        origin = None if session and variant and repeat else runs[origin].re_evaluated_from
    return PathFacts(session=session, variant=variant, repeat=repeat)


def _run_ids(groups: Sequence[Sequence[RunCopy]], told: Sequence[Sequence[_Told]]) -> list[str]:
    ids: list[str] = []
    for group, found in zip(groups, told, strict=True):
        named = next(iter(_values(found, "run")), None)
        ids.append(group[0].experiment_id or named or _with_place(group[0], group[0].file.relative))
    for whole_path in ("path", "absolute"):
        uses = Counter(ids)
        for place, group in enumerate(groups):
            if uses[ids[place]] > 1 and group[0].experiment_id is None:
                ids[place] = _with_place(group[0], getattr(group[0].file, whole_path))
    taken = {group[0].experiment_id for group in groups}
    for place, group in enumerate(groups):
        if group[0].experiment_id is None:
            ids[place] = next(name for name in _numbered(ids[place]) if name not in taken)
            taken.add(ids[place])
    return ids


def _numbered(name: str) -> Iterator[str]:
    yield name
    yield from (f"{name}~{number}" for number in count(2))


def _with_place(copy: RunCopy, path: str) -> str:
    return path if copy.shape is Shape.DOCUMENT or copy.entry is None else f"{path}#{copy.entry}"
