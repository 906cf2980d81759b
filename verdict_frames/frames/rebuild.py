"""From the rows of the tables back to interpretations."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

import polars as pl

from verdict_frames.errors import NotFoundError
from verdict_frames.interpretation.summary import summarize
from verdict_frames.records import (
    Check,
    DecidedBy,
    Defect,
    Evidence,
    Facts,
    Interpretation,
    JudgeSeat,
    ScoreScale,
    Stage,
)
from verdict_frames.vocabulary import DefectKind, InterpretationOrigin, Reading, Support

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_ITEM_KEY = ["run_id", "item_index"]
_ITEM_COLUMNS = [
    "schema_version",
    "source_version",
    "reading",
    "reading_support",
    "interpretation_origin",
    "decided_by_stage",
    "decided_by_path",
    "decided_by_basis",
]
_ROW = "row of items"
_SHOWN = 5


class Rebuilder:
    """Knows where the rows of each item are, so that each item is rebuilt from its own rows alone.

    Args:
        tables: All tables by name; rows may be in any order.
    """

    def __init__(self, tables: Mapping[str, pl.DataFrame]) -> None:
        items = tables["items"]
        self._items = items.select(_ITEM_COLUMNS)
        self._row_of = {item_key: row for row, item_key in enumerate(items.select(_ITEM_KEY).iter_rows())}
        self._run_ids = tables["runs"]["run_id"].to_list()
        rows = items.select(_ITEM_KEY).with_row_index(_ROW)
        self._stages = _ItemRows(tables["stages"], rows, ["stage_index"])
        self._seats = _ItemRows(tables["seats"], rows, ["stage_index", "seat_index"])
        self._checks = _ItemRows(tables["checks"], rows, ["stage_index", "seat_index", "check_index"])
        self._defects = _ItemRows(tables["defects"], rows, ["defect_index"])

    def interpretation(self, run_id: str, item_index: int) -> Interpretation:
        """Rebuild one item's interpretation; see `Corpus.interpretation`."""
        row = self._row_of.get((run_id, item_index))
        if row is None:
            raise NotFoundError(self._missing(run_id, item_index))
        item = self._items.row(row, named=True)
        if item["reading_support"] is None:
            message = f"item {item_index} of run {run_id!r} has no interpretation: no verdict was stored with it"
            raise NotFoundError(message)
        if item["interpretation_origin"] == InterpretationOrigin.MAPPED:
            message = (
                f"item {item_index} of run {run_id!r} has no interpretation: its reading {item['reading']} was mapped "
                "from another tool's outcome"
            )
            raise NotFoundError(message)
        root, *stages = self._rebuild_stages(row)
        facts = Facts(
            schema_version=item["schema_version"],
            source_version=item["source_version"],
            reading=None if item["reading"] is None else Reading(item["reading"]),
            reading_support=Support(item["reading_support"]),
            decided_by=_decided_by(item),
            root=root,
            stages=tuple(stages),
            defects=tuple(_defect(defect) for defect in self._defects.of(row)),
        )
        fields = {name: getattr(facts, name) for name in Facts.__struct_fields__}
        return Interpretation(**fields, summary=summarize(facts))

    def _rebuild_stages(self, row: int) -> list[Stage]:
        checks: defaultdict[tuple[int, int], list[Check]] = defaultdict(list)
        for check in self._checks.of(row):
            checks[check["stage_index"], check["seat_index"]].append(
                Check(name=check["name"], passed=check["passed"], detail=check["detail"])
            )
        seats: defaultdict[int, list[JudgeSeat]] = defaultdict(list)
        for seat in self._seats.of(row):
            seats[seat["stage_index"]].append(_seat(seat, checks[seat["stage_index"], seat["seat_index"]]))
        return [_stage(stage, seats[stage["stage_index"]]) for stage in self._stages.of(row)]

    def _missing(self, run_id: str, item_index: int) -> str:
        if run_id not in self._run_ids:
            count = len(self._run_ids)
            return f"there is no run {run_id!r}; the corpus has {count} run{_s(count)}: {_some(self._run_ids)}"
        indices = sorted(index for run, index in self._row_of if run == run_id)
        count = len(indices)
        return f"run {run_id!r} has no item {item_index!r}; it has {count} item{_s(count)}: {_some(indices)}"


class _ItemRows:
    """The rows of one table, each item's together."""

    def __init__(self, frame: pl.DataFrame, items: pl.DataFrame, order: Sequence[str]) -> None:
        ordered = frame.join(items, on=_ITEM_KEY, how="inner", maintain_order="left").sort(_ROW, *order)
        bounds = pl.Series(range(items.height + 1), dtype=pl.UInt32)
        self._starts = ordered[_ROW].search_sorted(bounds).to_list()
        self._frame = ordered.drop(*_ITEM_KEY, _ROW)

    def of(self, row: int) -> list[dict[str, Any]]:
        start = self._starts[row]
        return self._frame.slice(start, self._starts[row + 1] - start).rows(named=True)


def _decided_by(item: Mapping[str, Any]) -> DecidedBy | None:
    if item["decided_by_stage"] is None:
        return None
    return DecidedBy(
        stage=item["decided_by_stage"], path=tuple(item["decided_by_path"]), basis=item["decided_by_basis"]
    )


def _defect(row: Mapping[str, Any]) -> Defect:
    return Defect(path=row["path"], field=row["field"], kind=DefectKind(row["kind"]), note=row["note"])


def _stage(row: Mapping[str, Any], seats: Sequence[JudgeSeat]) -> Stage:
    return Stage(
        stage=row["stage"],
        path=tuple(row["path"]),
        relation=row["relation"],
        policy=row["jury_policy"],
        disposition=row["disposition"],
        reason=row["disposition_reason"],
        failure=row["failure"],
        used_by_parent=row["used_by_parent"],
        status=row["status"],
        reason_code=row["reason_code"],
        reasoning=row["reasoning"],
        evidence=_evidence(row) if row["has_evidence"] else None,
        judges=tuple(seats),
    )


def _evidence(row: Mapping[str, Any]) -> Evidence:
    members = {name: row[name] for name in Evidence.__struct_fields__}
    counts = members["error_code_counts"]
    members["error_code_counts"] = None if counts is None else {entry["code"]: entry["count"] for entry in counts}
    return Evidence(**members)


def _seat(row: Mapping[str, Any], checks: Sequence[Check]) -> JudgeSeat:
    scaled = row["scale_min"] is not None
    return JudgeSeat(
        position=row["position"],
        name=row["name"],
        key_source=row["key_source"],
        status=row["status"],
        reason_code=row["reason_code"],
        score=row["score"],
        score_scale=ScoreScale(min=row["scale_min"], max=row["scale_max"]) if scaled else None,
        reasoning=row["reasoning"],
        checks=tuple(checks),
    )


def _s(count: int) -> str:
    return "" if count == 1 else "s"


def _some(values: Sequence[object]) -> str:
    shown = ", ".join(repr(value) for value in values[:_SHOWN]) or "none"
    return f"{shown}, …" if len(values) > _SHOWN else shown
