"""Files of the 0.9 line state counts: the recount under that policy comes to the same."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from tests.conftest import OPTIONAL_DATA
from verdict_frames.frames.results import read_results
from verdict_frames.policies import AGENT_EXPERIMENT_0_9
from verdict_frames.statistics.tally import tally

RECOUNT = {
    "stored_passes": pl.col("passes"),
    "stored_non_passes": pl.col("non_passes"),
    "stored_excluded": pl.col("excluded"),
    "stored_instrument_failures": pl.col("instrument_marks"),
    "stored_not_judged": pl.col("agent_failed") + pl.col("unjudged"),
    "stored_unattestable": pl.col("unattestable"),
}
FOLDERS = {
    "sample": (Path(__file__).parents[2] / "data" / "results", 4),
    "optional": (OPTIONAL_DATA / "data" / "agent-experiment", 3),
}


@pytest.mark.parametrize("folder", FOLDERS)
def test_stored_counts_equal_the_recount(folder: str) -> None:
    path, runs = FOLDERS[folder]
    if not path.exists():
        pytest.skip("optional conformance data is absent")
    held = read_results(path)
    recounted = tally(held, "run_id", policy=AGENT_EXPERIMENT_0_9).filter(pl.col("left_out") == 0)
    stating = recounted.join(held.runs.filter(pl.col("stored_passes").is_not_null()), on="run_id")
    assert stating.height == runs
    assert stating.select(list(RECOUNT)).rows() == stating.select(**RECOUNT).rows()
