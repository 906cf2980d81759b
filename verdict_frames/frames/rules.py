"""What must hold between the columns of a row and between the tables.

Each table's declaration says what a column may hold; these rules say the rest. A rule's name is what an error message
gives.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from verdict_frames.frames.neighbours import first_rows, row_counts
from verdict_frames.frames.schemas.tables import key, polars_schema
from verdict_frames.records import Evidence
from verdict_frames.vocabulary import DecidedByKind, EvaluationOutcome, InterpretationOrigin, VerdictEra

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class Breach(NamedTuple):
    """Rows that break a rule.

    Attributes:
        table: The table concerned.
        column: The column concerned; for a rule about several, the one that names it best.
        rule: What should hold, in words.
        rows: The rows that break it, with at least the table's key.
    """

    table: str
    column: str
    rule: str
    rows: pl.DataFrame


_Rule = tuple[str, str, pl.Expr]
_NO_INTERPRETATION = pl.col("interpretation_origin").is_null()
_IS_MAPPED = (pl.col("interpretation_origin") == InterpretationOrigin.MAPPED.value).fill_null(value=False)

ROW_RULES: Mapping[str, tuple[_Rule, ...]] = {
    "items": (
        (
            "reading_support",
            "is null exactly where there is no interpretation",
            pl.col("reading_support").is_null() != _NO_INTERPRETATION,
        ),
        (
            "decided_by_kind",
            "is null exactly where there is no interpretation",
            pl.col("decided_by_kind").is_null() != _NO_INTERPRETATION,
        ),
        (
            "decided_by_stage",
            "is there exactly where decided_by_kind is stage",
            pl.col("decided_by_stage").is_not_null()
            != (pl.col("decided_by_kind") == DecidedByKind.STAGE.value).fill_null(value=False),
        ),
        (
            "reading",
            "is null where there is no interpretation",
            pl.col("reading").is_not_null() & _NO_INTERPRETATION,
        ),
        (
            "stage_count",
            "is 0 exactly where there is no interpretation, or only a mapped reading",
            (pl.col("stage_count") == 0) != (_NO_INTERPRETATION | _IS_MAPPED),
        ),
        (
            "has_verdict",
            "is false where the reading is mapped",
            _IS_MAPPED & pl.col("has_verdict"),
        ),
        (
            "reading",
            "is there where it is mapped",
            _IS_MAPPED & pl.col("reading").is_null(),
        ),
        (
            "verdict_era",
            "is none exactly where there is no verdict",
            (pl.col("verdict_era") == VerdictEra.NONE.value) == pl.col("has_verdict"),
        ),
        (
            "judge_errors",
            "errors and abstentions are no more than the seats",
            pl.col("judge_errors") + pl.col("judge_abstentions") > pl.col("seat_count"),
        ),
    ),
    "stages": (
        ("is_copy", "agrees with copies_stage", pl.col("is_copy") != pl.col("copies_stage").is_not_null()),
        ("copies_stage", "is a later stage", pl.col("copies_stage") <= pl.col("stage_index")),
        (
            "has_evidence",
            "is true where a member of the evidence is there",
            ~pl.col("has_evidence") & pl.any_horizontal(pl.col(Evidence.__struct_fields__).is_not_null()),
        ),
    ),
    "seats": (
        ("scale_min", "is there with scale_max", pl.col("scale_min").is_null() != pl.col("scale_max").is_null()),
    ),
    "evaluations": (
        (
            "answers_recorded",
            "is true exactly where there are answers",
            pl.col("answers_recorded") != (pl.col("answer_count") > 0),
        ),
        (
            "failure_code",
            "is there exactly where the outcome is failed",
            pl.col("failure_code").is_not_null()
            != (pl.col("outcome") == EvaluationOutcome.FAILED.value).fill_null(value=False),
        ),
        (
            "outcome",
            "is null exactly where neither status nor reasons are there",
            pl.col("outcome").is_null() != (pl.col("status").is_null() & (pl.col("review_reasons").list.len() == 0)),
        ),
    ),
    "answers": (
        (
            "options",
            "are as many as the probabilities",
            pl.col("options").list.len().fill_null(0) != pl.col("probabilities").list.len().fill_null(0),
        ),
    ),
}
"""For each table: the column, what should hold, and an expression that is true for rows that break it."""

PARENTS: Mapping[str, str] = {
    "run_facts": "runs",
    "items": "runs",
    "scores": "items",
    "stages": "items",
    "seats": "stages",
    "checks": "seats",
    "defects": "items",
    "sources": "runs",
    "answers": "evaluations",
    "review_reasons": "evaluations",
}
"""The table that each row of a table belongs to. A problem may name a run or an item that could not be read at all."""

_SHARING_COPY_MARK = ("seats", "checks")

COUNTS: tuple[tuple[str, str, str], ...] = (
    ("runs", "item_count", "items"),
    ("items", "stage_count", "stages"),
    ("items", "seat_count", "seats"),
    ("items", "check_count", "checks"),
    ("items", "defect_count", "defects"),
    ("evaluations", "answer_count", "answers"),
)
"""The columns that count rows of another table: table, column, table counted."""


def breaches(tables: Mapping[str, pl.DataFrame]) -> Iterator[Breach]:
    """Look for rows that break a rule.

    Args:
        tables: All tables of a corpus or about evaluations by name, each in keeping with its declaration.

    Yields:
        One breach for each rule that is broken, and breaches without rows.
    """
    for table, frame in tables.items():
        yield from _within_rows(table, frame)
    for child, parent in PARENTS.items():
        if child in tables and parent in tables:
            yield from _parentage(tables, child, parent)
    if "stages" in tables:
        yield from _copies(tables["stages"])
    for table, column, counted in COUNTS:
        if table not in tables:
            continue
        yield Breach(table, column, f"equals the rows in {counted}", _miscounted(tables, table, column, counted))


def _within_rows(table: str, frame: pl.DataFrame) -> Iterator[Breach]:
    numbers = [column for column, dtype in polars_schema(table).items() if dtype == pl.Float64]
    rules = [*((column, "is finite", ~pl.col(column).is_finite()) for column in numbers), *ROW_RULES.get(table, ())]
    found = frame.select(expression.any().alias(str(place)) for place, (_, _, expression) in enumerate(rules))
    for (column, rule, expression), is_broken in zip(rules, found.row(0) if rules else (), strict=True):
        if is_broken:
            yield Breach(table, column, rule, frame.filter(expression))


def _parentage(tables: Mapping[str, pl.DataFrame], child: str, parent: str) -> Iterator[Breach]:
    on = list(key(parent))
    shared = [*on, "is_copy"] if child in _SHARING_COPY_MARK else on
    differing = _without_match(tables[child], tables[parent], shared)
    yield Breach(child, on[-1], f"belongs to a row of {parent}", _without_match(differing, tables[parent], on))
    if child in _SHARING_COPY_MARK:
        yield Breach(child, "is_copy", f"agrees with {parent}", differing)


def _without_match(rows: pl.DataFrame, others: pl.DataFrame, on: list[str]) -> pl.DataFrame:
    """The rows that name no row of the others; those with a null name none, and none is missed."""
    if rows.is_empty():
        return rows
    unmatched = first_rows(rows, on).drop_nulls().join(others.select(on), on=on, how="anti")
    return rows.join(unmatched, on=on, how="semi") if unmatched.height else rows.clear()


def _copies(stages: pl.DataFrame) -> Iterator[Breach]:
    copied = stages.filter(pl.col("copies_stage").is_not_null())
    on = ["run_id", "item_index", "stage_index"]
    lost = copied.join(stages.select(on), left_on=[*on[:2], "copies_stage"], right_on=on, how="anti")
    yield Breach("stages", "copies_stage", "is a stage of the item", lost)


def _miscounted(tables: Mapping[str, pl.DataFrame], table: str, column: str, counted: str) -> pl.DataFrame:
    on = list(key(table))
    counts = row_counts(tables[counted], on, "rows_there")
    rows = tables[table].select(*on, column).join(counts, on=on, how="left")
    return rows.filter(pl.col(column) != pl.col("rows_there").fill_null(0))
