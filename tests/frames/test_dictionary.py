from __future__ import annotations

import pytest

from verdict_frames.errors import OptionError
from verdict_frames.frames.schemas.dictionary import data_dictionary
from verdict_frames.frames.schemas.tables import MODELS, arrow_schema, key, polars_schema


def test_every_column_of_every_table_is_there_in_order() -> None:
    rows = data_dictionary()
    assert rows.select("table", "column").rows() == [
        (name, column) for name in MODELS for column in polars_schema(name)
    ]
    assert rows.null_count().sum_horizontal().item() == 0


@pytest.mark.parametrize("table", MODELS)
def test_one_table_says_what_its_schema_says(table: str) -> None:
    rows = data_dictionary(table)
    assert rows["nullable"].to_list() == [field.nullable for field in arrow_schema(table)]
    keys = () if table in ("sources", "problems") else key(table)
    assert rows.filter("is_key")["column"].to_list() == list(keys)
    descriptions = {column.name: column.description for column in MODELS[table].columns}
    assert dict(rows.select("column", "description").iter_rows()) == descriptions


@pytest.mark.parametrize(
    ("table", "column", "type_name"),
    [
        ("items", "item_index", "Int32"),
        ("items", "reading_support", "Enum(SUPPORTED, CONTRADICTED, UNDETERMINED)"),
        ("items", "decided_by_path", "List(String)"),
        ("runs", "timestamp", "Datetime(us, UTC)"),
        ("stages", "error_code_counts", "List(Struct(code: String, count: Int64))"),
    ],
)
def test_types_are_written_out(table: str, column: str, type_name: str) -> None:
    assert data_dictionary(table).filter(column=column)["type"].to_list() == [type_name]


def test_an_unknown_table_is_refused() -> None:
    with pytest.raises(OptionError, match="there is no table 'item'; choose one of runs, run_facts, items"):
        data_dictionary("item")
