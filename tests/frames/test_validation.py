from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

from tests.frames.builders import check, corpus_of, evidence, facts, run, seat, stage, stored
from verdict_frames.documents.seen import Problem
from verdict_frames.errors import ArgumentError, SchemaError
from verdict_frames.frames.corpus import concat
from verdict_frames.frames.rules import ROW_RULES
from verdict_frames.frames.schemas.tables import TABLES
from verdict_frames.frames.validation import validate
from verdict_frames.vocabulary import ProblemKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from verdict_frames.frames.corpus import Corpus

WORDS = "private words of a judge"


@cache
def _deep_corpus() -> Corpus:
    judges = [seat("a", score=0.5, reasoning=WORDS, checks=(check(detail=WORDS), check())), seat("b", position=1)]
    item = stored(0, facts(stage(judges=judges, evidence=evidence(pass_count=1)), stage("t", judges=judges)))
    problem = Problem(path="p", kind=ProblemKind.SYNTAX, line=2, message="cut off")
    return corpus_of(run("deep", item), run("none"), problems=[problem])


def deep_tables() -> dict[str, pl.DataFrame]:
    """A run with one item, whose root is a copy of its tier, a run without items, and a problem."""
    return _deep_corpus().tables()


def test_sound_tables_pass() -> None:
    deep, empty = deep_tables(), concat([]).tables()
    validate(deep)
    validate(empty)
    assert {table: deep[table].height for table in ("runs", "items", "stages", "seats", "checks")} == {
        "runs": 2,
        "items": 1,
        "stages": 2,
        "seats": 4,
        "checks": 4,
    }
    assert all(frame.is_empty() for frame in empty.values())


def _set(table: str, row: int = 0, **values: object) -> Callable[[dict[str, pl.DataFrame]], None]:
    def change(tables: dict[str, pl.DataFrame]) -> None:
        frame = tables[table]
        at = pl.int_range(pl.len()) == row
        tables[table] = frame.with_columns(
            pl.when(at).then(pl.lit(value, dtype=frame.schema[name])).otherwise(pl.col(name)).alias(name)
            for name, value in values.items()
        )

    return change


def _drop_row(table: str, row: int = 0) -> Callable[[dict[str, pl.DataFrame]], None]:
    def change(tables: dict[str, pl.DataFrame]) -> None:
        tables[table] = tables[table].with_row_index("n").filter(pl.col("n") != row).drop("n")

    return change


def _repeat_row(table: str) -> Callable[[dict[str, pl.DataFrame]], None]:
    def change(tables: dict[str, pl.DataFrame]) -> None:
        tables[table] = pl.concat([tables[table], tables[table].head(1)])

    return change


def _double(table: str) -> Callable[[dict[str, pl.DataFrame]], None]:
    """Each row twice, one beside the other."""

    def change(tables: dict[str, pl.DataFrame]) -> None:
        tables[table] = tables[table].select(pl.all().repeat_by(2).explode())

    return change


def _columns(table: str, rework: Callable[[pl.DataFrame], pl.DataFrame]) -> Callable[[dict[str, pl.DataFrame]], None]:
    def change(tables: dict[str, pl.DataFrame]) -> None:
        tables[table] = rework(tables[table])

    return change


BAD: list[tuple[Callable[[dict[str, pl.DataFrame]], None], str]] = [
    (_columns("seats", lambda frame: frame.drop("name")), r"seats\.name: .*in_dataframe"),
    (_columns("seats", lambda frame: frame.with_columns(extra=1)), r"seats\.extra: .*in_schema"),
    (_columns("runs", lambda frame: frame.select(frame.columns[::-1])), r"runs\..*ordered"),
    (_columns("items", lambda frame: frame.cast({"item_index": pl.Int64})), r"items\.item_index: .*dtype.*Int32"),
    (_columns("items", lambda frame: frame.cast({"reading": pl.String})), r"items\.reading: .*dtype.*Enum"),
    (_set("seats", 1, name=None), r"seats\.name: .*not_nullable.* 1 row, first where .*stage_index=0, seat_index=1"),
    (_set("seats", 0, score=1.5), r"seats\.score: .*less_than_or_equal_to\(1\).* 1 row, first where run_id='deep'"),
    (_set("seats", 0, score=float("nan")), r"seats\.score: .*less_than_or_equal_to\(1\)"),
    (_set("seats", 0, seat_index=-1), r"seats\.seat_index: .*greater_than_or_equal_to\(0\)"),
    (_set("items", 0, cost_usd=float("inf")), r"items\.cost_usd: rule 'is finite'"),
    (_set("stages", 0, threshold=float("nan")), r"stages\.threshold: rule 'is finite'"),
    (_set("problems", 0, line=0), r"problems\.line: .*greater_than_or_equal_to\(1\)"),
    *((_double(table), rf"{table}\.run_id.*uniqueness.* rows") for table in ("stages", "seats", "checks")),
    *((_repeat_row(table), rf"{table}\.run_id.*uniqueness.* 2 rows") for table in ("runs", "items", "seats", "checks")),
    (_set("runs", 0, item_count=5), r"runs\.item_count: rule 'equals the rows in items' .* 1 row"),
    (_set("runs", 1, item_count=1), r"runs\.item_count: rule 'equals the rows in items' .*run_id='none'"),
    (_set("items", 0, stage_count=1), r"items\.stage_count: rule 'equals the rows in stages'"),
    (_set("items", 0, seat_count=9), r"items\.seat_count: rule 'equals the rows in seats'"),
    (_set("items", 0, check_count=0), r"items\.check_count: rule 'equals the rows in checks'"),
    (_set("items", 0, defect_count=2), r"items\.defect_count: rule 'equals the rows in defects'"),
    (_set("items", 0, run_id="gone"), r"items\.run_id: rule 'belongs to a row of runs' .* 1 row"),
    (_drop_row("stages", 1), r"seats\.stage_index: rule 'belongs to a row of stages' .* 2 rows"),
    (_drop_row("seats", 3), r"items\.seat_count: rule 'equals the rows in seats'"),
    (_drop_row("seats", 0), r"checks\.seat_index: rule 'belongs to a row of seats' .* 2 rows"),
    (_set("seats", 0, is_copy=False), r"seats\.is_copy: rule 'agrees with stages' .* 1 row"),
    (_set("checks", 0, is_copy=False), r"checks\.is_copy: rule 'agrees with seats' .* 1 row"),
    (_set("stages", 0, copies_stage=7), r"stages\.copies_stage: rule 'is a stage of the item'"),
    (_set("stages", 1, is_copy=True, copies_stage=1), r"stages\.copies_stage: rule 'is a later stage'"),
    (_set("stages", 0, copies_stage=None), r"stages\.is_copy: rule 'agrees with copies_stage'"),
    (_set("stages", 0, has_evidence=False), r"stages\.has_evidence"),
    (_set("seats", 0, scale_min=0.0), r"seats\.scale_min: rule 'is there with scale_max'"),
    (_set("items", 0, reading_support=None), r"items\.reading_support"),
    (_set("items", 0, decided_by_kind=None), r"items\.decided_by_kind"),
    (_set("items", 0, decided_by_kind="stage"), r"items\.decided_by_stage"),
    (_set("items", 0, has_verdict=True), r"items\.verdict_era"),
    (_set("items", 0, judge_errors=5), r"items\.judge_errors"),
    (_set("items", 0, interpretation_origin=None), r"items\.reading_support"),
    (_set("items", 0, interpretation_origin="mapped"), r"items\.stage_count: rule 'is 0 exactly where"),
    (
        _set("items", 0, interpretation_origin="mapped", stage_count=0, has_verdict=True, verdict_era="0.17"),
        r"items\.has_verdict: rule 'is false where the reading is mapped'",
    ),
]


@pytest.mark.parametrize(("spoil", "message"), BAD, ids=[message for _, message in BAD])
def test_bad_tables_are_refused_in_one_line(spoil: Callable[[dict[str, Any]], None], message: str) -> None:
    tables = deep_tables()
    spoil(tables)
    with pytest.raises(SchemaError, match=message) as caught:
        validate(tables)
    assert "\n" not in str(caught.value)
    assert WORDS not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_every_row_rule_is_broken_by_some_bad_table() -> None:
    messages = " ".join(message for _, message in BAD).replace("\\", "")
    rules = {(table, column) for table, entries in ROW_RULES.items() if table in TABLES for column, _, _ in entries}
    reached = {(table, column) for table, column in rules if f"{table}.{column}" in messages}
    assert rules - reached <= {("items", "reading")}  # behind rules that are looked at first


def test_rows_in_another_order_are_as_sound() -> None:
    validate({table: frame[list(range(frame.height))[::-1]] for table, frame in deep_tables().items()})


def test_tables_of_another_name_are_refused() -> None:
    tables = deep_tables()
    del tables["checks"]
    with pytest.raises(SchemaError, match="a corpus has the tables runs, run_facts, items"):
        validate(tables)


def test_lazy_frames_are_refused_since_only_their_types_would_be_looked_at() -> None:
    tables: dict[str, Any] = deep_tables()
    tables["seats"] = tables["seats"].lazy()
    with pytest.raises(ArgumentError, match="seats: only an eager polars frame"):
        validate(tables)


BAD_FRAME_PROGRAM = """
import polars as pl
from verdict_frames.errors import SchemaError
from verdict_frames.frames.corpus import concat
from verdict_frames.frames.validation import validate

tables = concat([]).tables()
bad = {"path": "p", "kind": "syntax", "line": 0, "message": "m"}
tables["problems"] = pl.concat([tables["problems"], pl.DataFrame([bad])], how="diagonal_relaxed").cast(
    dict(tables["problems"].schema)
)
try:
    validate(tables)
except SchemaError as error:
    print("refused:", error)
else:
    print("passed")
"""


@pytest.mark.parametrize(
    "switch",
    [
        {},
        {"PANDERA_VALIDATION_ENABLED": "False"},
        {"PANDERA_VALIDATION_DEPTH": "SCHEMA_ONLY"},
    ],
)
def test_environment_cannot_switch_validation_off(switch: dict[str, str]) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PANDERA_")} | switch
    done = subprocess.run(
        [sys.executable, "-c", BAD_FRAME_PROGRAM], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout.startswith("refused: problems.line: rule 'greater_than_or_equal_to(1)'"), done.stderr
