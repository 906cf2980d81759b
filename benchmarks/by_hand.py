"""The yardstick: a flatten written by hand for well-formed verdicts, with no interpretation and no validation.

It makes the five tables of verdicts, stages, seats, checks and notes of what is missing, in batches of 2,000 with
explicit Arrow schemas and the cyclic garbage collector off: about the fastest that plain Python does for one layout.
"""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Any

import msgspec
import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BATCH = 2_000

TEXT, INT, REAL, FLAG = pa.string(), pa.int32(), pa.float64(), pa.bool_()
SCHEMAS = {
    "verdicts": pa.schema({"verdict": INT, "status": TEXT, "reasoning": TEXT, "tier": TEXT, "stages": INT}),
    "stages": pa.schema(
        {"verdict": INT, "stage": INT, "name": TEXT, "policy": TEXT, "disposition": TEXT, "status": TEXT}
        | {"reasoning": TEXT, "strategy": TEXT, "inputs": INT, "eligible": INT, "passes": INT, "fails": INT}
    ),
    "seats": pa.schema(
        {"verdict": INT, "stage": INT, "seat": INT, "name": TEXT, "status": TEXT, "score": REAL, "reasoning": TEXT}
    ),
    "checks": pa.schema(
        {"verdict": INT, "stage": INT, "seat": INT, "check": INT, "name": TEXT, "passed": FLAG, "detail": TEXT}
    ),
    "missing": pa.schema({"verdict": INT, "stage": INT, "field": TEXT}),
}


def flatten(path: Path) -> dict[str, pa.Table]:
    """Flatten a file of JSON lines."""
    batches: dict[str, list[pa.RecordBatch]] = {name: [] for name in SCHEMAS}
    gc.disable()
    try:
        for rows in _batches(path):
            for name, schema in SCHEMAS.items():
                arrays = [pa.array(column, field.type) for column, field in zip(rows[name], schema, strict=True)]
                batches[name].append(pa.RecordBatch.from_arrays(arrays, schema=schema))
    finally:
        gc.enable()
    return {name: pa.Table.from_batches(batches[name], schema) for name, schema in SCHEMAS.items()}


def _batches(path: Path) -> Iterator[dict[str, list[list[Any]]]]:
    decode = msgspec.json.Decoder().decode
    rows = _empty()
    with path.open("rb") as lines:
        for number, line in enumerate(lines):
            _add(rows, number, decode(line))
            if (number + 1) % BATCH == 0:
                yield rows
                rows = _empty()
    yield rows


def _empty() -> dict[str, list[list[Any]]]:
    return {name: [[] for _ in schema] for name, schema in SCHEMAS.items()}


def _append(columns: list[list[Any]], *values: object) -> None:
    for column, value in zip(columns, values, strict=True):
        column.append(value)


def _add(rows: dict[str, list[list[Any]]], number: int, verdict: dict[str, Any]) -> None:
    attempts = verdict["compositeAttempts"]
    aggregate, decision = verdict["aggregated"], verdict["decision"]
    _append(rows["verdicts"], number, aggregate["status"], aggregate["reasoning"], decision.get("tier"), len(attempts))
    _add_stage(rows, number, 0, {}, verdict)
    for place, attempt in enumerate(attempts, 1):
        if "disposition" not in attempt:
            _append(rows["missing"], number, place, "disposition")
        _add_stage(rows, number, place, attempt, attempt["verdict"])


def _add_stage(
    rows: dict[str, list[list[Any]]], number: int, place: int, attempt: dict[str, Any], node: dict[str, Any]
) -> None:
    aggregate = node["aggregated"]
    block = aggregate["metadata"]["aggregation"]
    _append(
        rows["stages"],
        number,
        place,
        attempt.get("name"),
        attempt.get("policy"),
        attempt.get("disposition"),
        aggregate["status"],
        aggregate["reasoning"],
        block["strategy"],
        block["inputCount"],
        block["eligibleCount"],
        block["passCount"],
        block["failCount"],
    )
    for index, (seat, judgment) in enumerate(zip(node["seats"], node["individual"], strict=True)):
        name, status, score = seat["verdictKey"], judgment["status"], judgment.get("score")
        _append(rows["seats"], number, place, index, name, status, score, judgment["reasoning"])
        for at, check in enumerate(judgment["checks"]):
            _append(rows["checks"], number, place, index, at, check["name"], check["passed"], check["message"])
