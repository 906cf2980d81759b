"""Small corpora for tests about counting: rows are given by the columns that matter, the rest is filled in."""

from __future__ import annotations

from typing import Any

import polars as pl

from verdict_frames.frames.corpus import Corpus
from verdict_frames.frames.schemas.tables import TABLES, empty_table, polars_schema

_ITEM = {
    "has_verdict": True,
    "verdict_era": "0.17",
    "stage_count": 1,
    "seat_count": 0,
    "check_count": 0,
    "defect_count": 0,
    "stage_failure": False,
    "judge_errors": 0,
    "judge_abstentions": 0,
    "success": True,
}
_RUN = {"kind": "agent", "path": "run.json", "copies": ["run.json"], "interpreter_version": "0", "schema_version": 1}

Row = dict[str, Any]


def judged(reading: str | None, support: str | None = "SUPPORTED", **columns: Any) -> Row:
    """One item with a verdict; recorded as passed exactly if it is accepted, unless told otherwise."""
    return {"reading": reading, "reading_support": support, "passed": reading == "ACCEPTED", **columns}


def unjudged(*, success: bool | None, **columns: Any) -> Row:
    """One item with neither verdict nor interpretation."""
    return {"has_verdict": False, "verdict_era": "none", "success": success, "passed": False, **columns}


def items_frame(rows: list[Row]) -> pl.DataFrame:
    """The rows as the items of one run named "run", in order."""
    full = [{"run_id": "run", "item_index": index} | _ITEM | row for index, row in enumerate(rows)]
    return pl.DataFrame(full, schema=polars_schema("items"))


def corpus(runs: dict[str, list[Row]], *, facts: list[Row] | None = None, **run_columns: dict[str, Any]) -> Corpus:
    """A corpus of runs by id; each further argument is a column of runs, with its values by run id."""
    run_rows = [
        {"run_id": run_id, "item_count": len(rows)}
        | _RUN
        | {name: values[run_id] for name, values in run_columns.items() if run_id in values}
        for run_id, rows in runs.items()
    ]
    tables = {name: empty_table(name) for name in TABLES}
    tables["runs"] = pl.DataFrame(run_rows, schema=polars_schema("runs"))
    tables["items"] = pl.concat(
        [empty_table("items")]
        + [items_frame([{"run_id": run_id} | row for row in rows]) for run_id, rows in runs.items()]
    )
    tables["run_facts"] = pl.DataFrame(facts or [], schema=polars_schema("run_facts"))
    return Corpus(**tables)
