from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verdict_frames.errors import ColumnError
from verdict_frames.frames.evaluation_assembly import evaluations_from_records
from verdict_frames.statistics.evaluations.usage import USAGE_COLUMNS, usage_table


def stored(latency: float | None = None, **more: Any) -> dict[str, Any]:
    row = {"status": "accept", "answers": {}, "reviewReasons": [], **more}
    return row if latency is None else {**row, "latencyMs": latency}


def test_null_is_never_zero() -> None:
    (row,) = usage_table(evaluations_from_records([stored(), stored()])).iter_rows(named=True)
    assert row["evaluations"] == 2
    recorded = [name for name in USAGE_COLUMNS if name.endswith("_recorded")]
    assert [row[name] for name in recorded] == [0, 0, 0, 0]
    assert {row[name] for name in USAGE_COLUMNS if name not in (*recorded, "evaluations")} == {None}


def test_groups_and_sums() -> None:
    rows = [
        stored(10, modelId="b", usage={"inputTokens": 5}),
        stored(30, modelId="b", usage={"inputTokens": 7, "outputTokens": 0}),
        stored(modelId="a", providerMetadata={"gateway": {"cost": "0.25"}}),
    ]
    table = usage_table(evaluations_from_records(rows), by="model_id")
    assert table.select("model_id", "latency_p50", "latency_max", "input_tokens_total", "input_tokens_mean").rows() == [
        ("a", None, None, None, None),
        ("b", 10.0, 30.0, 12, 6.0),
    ]
    assert table.select("output_tokens_recorded", "output_tokens_total", "cost_usd_total").rows() == [
        (0, None, 0.25),
        (1, 0, None),
    ]
    assert usage_table(evaluations_from_records([]), by="model_id").is_empty()


@given(st.lists(st.integers(0, 500), min_size=1, max_size=260))
def test_percentiles_are_latencies_that_were_measured(latencies: list[int]) -> None:
    row = usage_table(evaluations_from_records([stored(latency) for latency in latencies])).row(0, named=True)
    for name, share in (("latency_p50", 50), ("latency_p95", 95), ("latency_p99", 99)):
        expected = sorted(latencies)[math.ceil(len(latencies) * share / 100) - 1]
        assert row[name] == expected


def test_names_that_the_table_has_are_refused() -> None:
    with pytest.raises(ColumnError, match="no column 'latency_p50'"):
        usage_table(evaluations_from_records([]), by="latency_p50")
