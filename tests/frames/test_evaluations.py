from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from tests.review.packs import judged
from verdict_frames.errors import ArgumentError, ColumnError, SchemaError
from verdict_frames.frames.evaluation_assembly import evaluations_from_records
from verdict_frames.frames.validation import validate


def stored(key: str | None = None, at: int | None = None, *, failed: bool = False, **more: Any) -> dict[str, Any]:
    row: dict[str, Any] = {"status": "accept", "answers": {"q": judged(0.99)}, "reviewReasons": [], **more}
    if failed:
        row |= {"status": "review", "answers": {}, "reviewReasons": ["gateway_unavailable"], "modelId": "none"}
    if key is not None:
        row["idempotencyKey"] = key
    if at is not None:
        row["createdAt"] = f"2026-09-17T10:00:{at:02}Z"
    return row


def kept(*rows: dict[str, Any]) -> list[int]:
    latest = evaluations_from_records(rows).latest_per_key()
    validate(latest.tables())
    assert latest.superseded.height == len(rows) - latest.evaluations.height
    return latest.evaluations["evaluation_index"].to_list()


def test_a_result_goes_before_a_failure_even_a_later_one() -> None:
    assert kept(stored("a", 1), stored("a", 9, failed=True), stored("b", 1, failed=True)) == [0, 2]


def test_the_latest_of_a_kind_is_kept_and_no_time_is_the_earliest() -> None:
    assert kept(stored("a", 5), stored("a", 3), stored("a")) == [0]
    assert kept(stored("a"), stored("a")) == [1]
    assert kept(stored("a", 1, failed=True), stored("a", 2, failed=True)) == [1]


def test_evaluations_without_a_key_all_stay() -> None:
    assert kept(stored(), stored(failed=True), stored("a"), stored()) == [0, 1, 2, 3]


def test_being_reduced_is_told() -> None:
    whole = evaluations_from_records([stored("a"), stored("a"), stored("b")])
    assert "left out" not in repr(whole) + whole._repr_html_()
    latest = whole.latest_per_key()
    assert "left out for another one of the same key: 1" in repr(latest)
    assert "left out for another one of the same key: 1" in latest._repr_html_()
    assert latest.filter(idempotency_key="a").superseded["evaluation_index"].to_list() == [0]
    assert latest.filter(idempotency_key="b").superseded.is_empty()
    assert latest.latest_per_key().superseded.height == 1


def test_a_filter_takes_answers_and_reasons_along() -> None:
    whole = evaluations_from_records([stored("a", modelId="m"), stored("b", failed=True), stored("c", modelId="n")])
    part = whole.filter(pl.col("failure_code").is_null(), model_id=["m", None])
    assert part.evaluations["idempotency_key"].to_list() == ["a"]
    assert part.answers["evaluation_index"].to_list() == [0]
    assert part.review_reasons.is_empty()
    assert whole.filter(outcome="failed").review_reasons["text"].to_list() == ["gateway_unavailable"]
    assert whole.filter().evaluations.height == 3
    validate(part.tables())


def test_a_filter_that_can_t_be_is_refused() -> None:
    whole = evaluations_from_records([stored()])
    with pytest.raises(ColumnError, match="there is no column 'colour'; available are evaluation_index"):
        whole.filter(colour="red")
    with pytest.raises(ColumnError, match="there is no column 'colour'"):
        whole.filter(pl.col("colour") == "red")
    with pytest.raises(ColumnError, match="is never 'done'; it is one of accept, review, reject"):
        whole.filter(status="done")
    with pytest.raises(ColumnError, match="can't be evaluated"):
        whole.filter(pl.col("latency_ms") + 1)
    with pytest.raises(ArgumentError, match="a condition is a polars expression"):
        whole.filter("status")  # type: ignore[arg-type] # what is being tested


def test_it_shows_itself_and_escapes_what_was_recorded() -> None:
    whole = evaluations_from_records([stored(ticketId="<b>")] * 12)
    assert repr(whole) == "Evaluations(evaluations: 12, answers: 12, review_reasons: 0, sources: 0, problems: 0)"
    html = whole._repr_html_()
    assert "&lt;b&gt;" in html
    assert "<b>" not in html
    assert "and 2 more rows of evaluations" in html


def _with(frame: pl.DataFrame, **values: Any) -> pl.DataFrame:
    return frame.with_columns(pl.lit(value, dtype=frame.schema[name]).alias(name) for name, value in values.items())


@pytest.mark.parametrize(
    ("table", "values", "rule"),
    [
        ("evaluations", {"answers_recorded": False}, "answers_recorded: rule 'is true exactly where"),
        ("evaluations", {"failure_code": "x"}, "failure_code: rule 'is there exactly where"),
        ("evaluations", {"outcome": None}, "outcome: rule 'is null exactly where"),
        ("evaluations", {"answer_count": 2}, "answer_count: rule 'equals the rows in answers'"),
        ("evaluations", {"latency_ms": float("inf")}, "latency_ms: rule 'is finite'"),
        ("evaluations", {"input_tokens": -1}, "input_tokens"),
        ("evaluations", {"evaluation_index": 7}, "answers.evaluation_index: rule 'belongs to a row of evaluations'"),
        ("answers", {"options": ["a"]}, "options: rule 'are as many as the probabilities'"),
        ("answers", {"confidence": 1.5}, "confidence"),
        ("answers", {"value_state": None}, "value_state"),
        ("review_reasons", {"evaluation_index": 7}, "evaluation_index: rule 'belongs to a row of evaluations'"),
    ],
)
def test_bad_tables_are_stopped_at_the_door(table: str, values: dict[str, Any], rule: str) -> None:
    tables = evaluations_from_records([stored(reviewReasons=["q: invalid answer"])]).tables()
    validate(tables)
    tables[table] = _with(tables[table], **values)
    with pytest.raises(SchemaError) as raised:
        validate(tables)
    assert rule in str(raised.value)


def test_a_lacking_table_is_named() -> None:
    tables = evaluations_from_records([]).tables()
    del tables["answers"]
    with pytest.raises(SchemaError, match="evaluations have the tables evaluations, answers, review_reasons"):
        validate(tables)
