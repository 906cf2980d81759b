"""The columns of one batch, filled from its records.

Each function takes the records of a batch and returns the columns of one table by name, as lists of equal length. No
row is put together on the way, which is what makes it fast.
"""

from __future__ import annotations

from itertools import chain, repeat
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from verdict_frames._version import __version__
from verdict_frames.frames.schemas.tables import SCHEMA_VERSION, polars_schema
from verdict_frames.interpretation.era import verdict_era
from verdict_frames.interpretation.summary import decided_by_kind
from verdict_frames.records import Evidence

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from verdict_frames.documents.seen import Problem, SourceFile
    from verdict_frames.frames.judged import JudgedItem
    from verdict_frames.records import Check, Defect, Facts, JudgeSeat, Stage
    from verdict_frames.sources.recorded import RecordedRun, RunFact

    Columns = dict[str, list[Any]]

_EVIDENCE_MEMBERS = Evidence.__struct_fields__
_NO_EVIDENCE = Evidence(**dict.fromkeys(_EVIDENCE_MEMBERS))

_RECORDED_OF_RUN = tuple(
    name
    for name in polars_schema("runs")
    if name not in {"run_id", "item_count", "interpreter_version", "schema_version"}
)
_RECORDED_OF_ITEM = (
    "item_id",
    "item_slug",
    "success",
    "passed",
    "execution_status",
    "error",
    "cost_usd",
    "total_tokens",
    "duration_ms",
    "metadata",
    "instrument_failure",
)
_STAGE_FIELDS = {
    "stage": "stage",
    "path": "path",
    "relation": "relation",
    "jury_policy": "policy",
    "disposition": "disposition",
    "disposition_reason": "reason",
    "failure": "failure",
    "used_by_parent": "used_by_parent",
    "status": "status",
    "reason_code": "reason_code",
    "reasoning": "reasoning",
}
_SEAT_FIELDS = ("position", "name", "key_source", "status", "reason_code", "score", "reasoning")
_absorbed = attrgetter("errors_treated_as_fail_count", "errors_treated_as_abstain_count", "ignored_error_count")


def run_columns(runs: Sequence[RecordedRun], run_ids: Sequence[str]) -> Columns:
    """Fill `runs`.

    Args:
        runs: One a row.
        run_ids: The runs' ids as the tables name them, in the same order.
    """
    return {
        "run_id": list(run_ids),
        **_members(runs, _RECORDED_OF_RUN),
        "item_count": [len(run.items) for run in runs],
        "interpreter_version": [__version__] * len(runs),
        "schema_version": [SCHEMA_VERSION] * len(runs),
    }


def run_fact_columns(facts: Sequence[RunFact], run_ids: Sequence[str]) -> Columns:
    """Fill `run_facts`.

    Args:
        facts: One a row.
        run_ids: The run of each, in the same order.
    """
    return {"run_id": list(run_ids), **_members(facts, ("source", "name", "value"))}


def source_columns(sources: Sequence[SourceFile]) -> Columns:
    """Fill `sources`, one row a file."""
    return _members(sources, tuple(polars_schema("sources")))


def problem_columns(problems: Sequence[Problem]) -> Columns:
    """Fill `problems`, one row a problem."""
    return _members(problems, tuple(polars_schema("problems")))


def item_columns(judged: Sequence[JudgedItem]) -> Columns:
    """Fill `items`, one row an item."""
    items = [one.item for one in judged]
    known = [one.facts for one in judged]
    deciding = [None if facts is None else facts.decided_by for facts in known]
    stages = [() if facts is None else (facts.root, *facts.stages) for facts in known]
    judges = [[judge for stage in entered for judge in stage.judges] for entered in stages]
    statuses = [_statuses(one, entered) for one, entered in zip(judged, stages, strict=True)]
    return {
        "run_id": [one.run_id for one in judged],
        "item_index": [item.index for item in items],
        **_members(items, _RECORDED_OF_ITEM),
        "has_verdict": [item.has_verdict for item in items],
        "verdict_era": [verdict_era(item.verdict) for item in items],
        "interpretation_origin": [one.origin for one in judged],
        "schema_version": [None if facts is None else facts.schema_version for facts in known],
        "source_version": [None if facts is None else facts.source_version for facts in known],
        "reading": [None if facts is None else facts.reading for facts in known],
        "reading_support": [None if facts is None else facts.reading_support for facts in known],
        "decided_by_kind": [None if facts is None else decided_by_kind(facts) for facts in known],
        "decided_by_stage": [None if decided is None else decided.stage for decided in deciding],
        "decided_by_path": [None if decided is None else decided.path for decided in deciding],
        "decided_by_basis": [None if decided is None else decided.basis for decided in deciding],
        "root_status": [None if facts is None else facts.root.status for facts in known],
        "root_reason_code": [None if facts is None else facts.root.reason_code for facts in known],
        "stage_count": [len(entered) for entered in stages],
        "seat_count": [len(each) for each in judges],
        "check_count": [sum([len(judge.checks) for judge in each]) for each in judges],
        "defect_count": [0 if facts is None else len(facts.defects) for facts in known],
        "stage_failure": [any(stage.failure is not None for stage in entered) for entered in stages],
        "judge_errors": [said.count("error") for said in statuses],
        "judge_abstentions": [said.count("abstain") for said in statuses],
        "errors_absorbed": [None if facts is None else errors_absorbed(facts) for facts in known],
        "stored_reading": [None if one.stored is None else one.stored.reading for one in judged],
        "stored_support": [None if one.stored is None else one.stored.reading_support for one in judged],
        "stored_difference": [one.stored_difference for one in judged],
    }


def errors_absorbed(facts: Facts) -> bool | None:
    """Tell whether the root's reduction let errors of judges go under.

    Args:
        facts: One interpretation.

    Returns:
        True where the root's evidence has errors counted as fails, counted as abstentions, or ignored; false where it
        says of all three that there were none; null where it doesn't say so of each, or where there is no evidence.
    """
    if facts.root.evidence is None:
        return None
    counts = _absorbed(facts.root.evidence)
    if counts == (0, 0, 0):
        return False
    if any(count is not None and count > 0 for count in counts):
        return True
    return None if None in counts else False


def score_columns(judged: Sequence[JudgedItem]) -> Columns:
    """Fill `scores`, one row a score of an item."""
    return {
        "run_id": [one.run_id for one in judged for _ in one.item.scores],
        "item_index": [one.item.index for one in judged for _ in one.item.scores],
        "name": [name for one in judged for name in one.item.scores],
        "value": [value for one in judged for value in one.item.scores.values()],
    }


def defect_columns(judged: Sequence[JudgedItem]) -> Columns:
    """Fill `defects`, one row a defect of an item."""
    run_ids: list[str] = []
    item_indices: list[int] = []
    defect_indices: list[int] = []
    defects: list[Defect] = []
    for one in judged:
        if one.facts is None:
            continue
        count = len(one.facts.defects)
        run_ids.extend([one.run_id] * count)
        item_indices.extend([one.item.index] * count)
        defect_indices.extend(range(count))
        defects.extend(one.facts.defects)
    return {
        "run_id": run_ids,
        "item_index": item_indices,
        "defect_index": defect_indices,
        **_members(defects, ("path", "field", "kind", "note")),
    }


def stage_columns(judged: Sequence[JudgedItem]) -> Columns:
    """Fill `stages`, one row a stage of an item, the root first."""
    run_ids: list[str] = []
    item_indices: list[int] = []
    stage_indices: list[int] = []
    stages: list[Stage] = []
    copies: list[int | None] = []
    for one in judged:
        if one.facts is None:
            continue
        count = 1 + len(one.facts.stages)
        run_ids.extend([one.run_id] * count)
        item_indices.extend([one.item.index] * count)
        stage_indices.extend(range(count))
        stages.append(one.facts.root)
        stages.extend(one.facts.stages)
        copies.extend(one.copies)
    evidence = [_NO_EVIDENCE if stage.evidence is None else stage.evidence for stage in stages]
    members = _members(evidence, _EVIDENCE_MEMBERS)
    members["error_code_counts"] = [
        None if counts is None else [{"code": code, "count": count} for code, count in counts.items()]
        for counts in members["error_code_counts"]
    ]
    return {
        "run_id": run_ids,
        "item_index": item_indices,
        "stage_index": stage_indices,
        **{name: list(map(attrgetter(field), stages)) for name, field in _STAGE_FIELDS.items()},
        "has_evidence": [stage.evidence is not None for stage in stages],
        **members,
        "is_copy": [copied is not None for copied in copies],
        "copies_stage": copies,
    }


def seat_columns(judged: Sequence[JudgedItem]) -> Columns:
    """Fill `seats`, one row a judge of a stage."""
    run_ids: list[str] = []
    item_indices: list[int] = []
    stage_indices: list[int] = []
    are_copies: list[bool] = []
    counts: list[int] = []
    seats: list[JudgeSeat] = []
    for one in judged:
        for stage_index, (stage, copied) in enumerate(zip(_stages(one), one.copies, strict=True)):
            run_ids.append(one.run_id)
            item_indices.append(one.item.index)
            stage_indices.append(stage_index)
            are_copies.append(copied is not None)
            counts.append(len(stage.judges))
            seats.extend(stage.judges)
    scales = [seat.score_scale for seat in seats]
    return {
        "run_id": _spread(run_ids, counts),
        "item_index": _spread(item_indices, counts),
        "stage_index": _spread(stage_indices, counts),
        "seat_index": list(chain.from_iterable(map(range, counts))),
        **_members(seats, _SEAT_FIELDS),
        "scale_min": [None if scale is None else scale.min for scale in scales],
        "scale_max": [None if scale is None else scale.max for scale in scales],
        "is_copy": _spread(are_copies, counts),
    }


def check_columns(judged: Sequence[JudgedItem]) -> Columns:
    """Fill `checks`, one row a check of a judge."""
    run_ids: list[str] = []
    item_indices: list[int] = []
    stage_indices: list[int] = []
    seat_indices: list[int] = []
    are_copies: list[bool] = []
    counts: list[int] = []
    checks: list[Check] = []
    for one in judged:
        for stage_index, (stage, copied) in enumerate(zip(_stages(one), one.copies, strict=True)):
            for seat_index, seat in enumerate(stage.judges):
                run_ids.append(one.run_id)
                item_indices.append(one.item.index)
                stage_indices.append(stage_index)
                seat_indices.append(seat_index)
                are_copies.append(copied is not None)
                counts.append(len(seat.checks))
                checks.extend(seat.checks)
    return {
        "run_id": _spread(run_ids, counts),
        "item_index": _spread(item_indices, counts),
        "stage_index": _spread(stage_indices, counts),
        "seat_index": _spread(seat_indices, counts),
        "check_index": list(chain.from_iterable(map(range, counts))),
        **_members(checks, ("name", "passed", "detail")),
        "is_copy": _spread(are_copies, counts),
    }


def _spread(values: Sequence[Any], counts: Sequence[int]) -> list[Any]:
    """Repeat each value as often as the count beside it says."""
    return list(chain.from_iterable(map(repeat, values, counts)))


def _members(records: Sequence[object], names: Iterable[str]) -> Columns:
    return {name: list(map(attrgetter(name), records)) for name in names}


def _stages(judged: JudgedItem) -> tuple[Stage, ...]:
    return () if judged.facts is None else (judged.facts.root, *judged.facts.stages)


def _statuses(judged: JudgedItem, stages: Iterable[Stage]) -> list[str | None]:
    """The statuses of all judges, copies left out."""
    return [
        judge.status
        for stage, copied in zip(stages, judged.copies, strict=True)
        if copied is None
        for judge in stage.judges
    ]
