from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl
import pyarrow as pa
import pytest

from verdict_frames import vocabulary
from verdict_frames.frames.schemas.tables import (
    EVALUATION_TABLES,
    TABLES,
    arrow_schema,
    empty_table,
    key,
    polars_schema,
)
from verdict_frames.records import Evidence

if TYPE_CHECKING:
    from enum import StrEnum

ENUMS: dict[tuple[str, str], type[StrEnum]] = {
    ("runs", "kind"): vocabulary.RunKind,
    ("run_facts", "source"): vocabulary.FactSource,
    ("items", "verdict_era"): vocabulary.VerdictEra,
    ("items", "interpretation_origin"): vocabulary.InterpretationOrigin,
    ("items", "reading"): vocabulary.Reading,
    ("items", "reading_support"): vocabulary.Support,
    ("items", "decided_by_kind"): vocabulary.DecidedByKind,
    ("items", "stored_reading"): vocabulary.Reading,
    ("items", "stored_support"): vocabulary.Support,
    ("defects", "kind"): vocabulary.DefectKind,
    ("sources", "state"): vocabulary.SourceState,
    ("problems", "kind"): vocabulary.ProblemKind,
    ("evaluations", "status"): vocabulary.EvaluationStatus,
    ("evaluations", "outcome"): vocabulary.EvaluationOutcome,
    ("answers", "value_state"): vocabulary.ValueState,
    ("review_reasons", "kind"): vocabulary.ReasonKind,
}
MODELS = {**TABLES, **EVALUATION_TABLES}


def test_closed_vocabularies_are_enums_and_nothing_else_is() -> None:
    found = {
        (table, column): dtype.categories.to_list()
        for table in MODELS
        for column, dtype in polars_schema(table).items()
        if isinstance(dtype, pl.Enum)
    }
    assert found == {place: [member.value for member in members] for place, members in ENUMS.items()}


@pytest.mark.parametrize("table", MODELS)
def test_every_column_is_described_in_one_sentence(table: str) -> None:
    descriptions = {column.name: column.description for column in MODELS[table].columns}
    for name, description in descriptions.items():
        assert description, name
        assert description.endswith("."), name
        assert description[0].isupper(), name
        assert ". " not in description, name
        assert "\n" not in description, name
    assert len(set(descriptions.values())) == len(descriptions)


@pytest.mark.parametrize("table", MODELS)
def test_arrow_schema_follows_the_declaration(table: str) -> None:
    columns = MODELS[table].columns
    schema = arrow_schema(table)
    assert schema.names == [column.name for column in columns]
    for field, column in zip(schema, columns, strict=True):
        assert field.nullable == column.nullable
        dtype = polars_schema(table)[field.name]
        expected = pl.String() if isinstance(dtype, pl.Enum) else dtype
        assert pl.DataFrame(pl.from_arrow(pa.table({"x": pa.array([], field.type)}))).schema["x"] == expected


@pytest.mark.parametrize("table", MODELS)
def test_table_begins_with_its_key(table: str) -> None:
    columns = list(polars_schema(table))
    assert tuple(columns[: len(key(table))]) == key(table)


@pytest.mark.parametrize("table", sorted(set(MODELS) - {"sources", "problems"}))
def test_key_is_declared_unique_and_never_null(table: str) -> None:
    declared = MODELS[table]
    assert declared.key == key(table)
    assert not any(column.nullable for column in declared.columns if column.name in declared.key)


def test_nineteen_members_of_the_evidence_follow_has_evidence_r60() -> None:
    columns = list(polars_schema("stages"))
    start = columns.index("has_evidence") + 1
    assert columns[start : start + 19] == list(Evidence.__struct_fields__)


def test_text_moments_and_lists_have_full_types() -> None:
    assert polars_schema("runs")["timestamp"] == pl.Datetime("us", "UTC")
    assert polars_schema("stages")["path"] == pl.List(pl.String)
    assert polars_schema("stages")["error_code_counts"] == pl.List(pl.Struct({"code": pl.String, "count": pl.Int64}))


@pytest.mark.parametrize("table", MODELS)
def test_no_column_is_declared_twice(table: str) -> None:
    names = [column.name for column in MODELS[table].columns]
    assert sorted(set(names)) == sorted(names)


@pytest.mark.parametrize("table", MODELS)
def test_empty_table_has_every_column(table: str) -> None:
    empty = empty_table(table)
    assert empty.height == 0
    assert empty.schema == polars_schema(table)
