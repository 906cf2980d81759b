"""Optional conformance data: each item of the real files with the era, reading and support that the rules give.

The expectations were written down from the rules before the files were read by this package.
"""

from __future__ import annotations

import pytest

from tests.conftest import OPTIONAL_DATA
from verdict_frames.frames.results import read_results

FOLDERS = [OPTIONAL_DATA / "data" / name for name in ("agent-judge", "agent-experiment")]

EXPECTED = {
    # a boolean score and no evidence: the status alone (R50, R91.2)
    ("bud-ddd-9b68576e.verdict.json", 0): ("0.13", "REJECTED", "UNDETERMINED"),
    # consensus, 1 of 1 failed (R94.7)
    ("bud-ddd-a068e50a.verdict.json", 0): ("0.14-0.16", "REJECTED", "SUPPORTED"),
    # an error without evidence, decided by nobody that is named (R91.2)
    ("composite-verdict-0.14.json", 0): ("0.14-0.16", "NOT_ASSESSED", "UNDETERMINED"),
    ("pr-review-ACP-13.verdict.json", 0): ("0.14-0.16", "NOT_ASSESSED", "UNDETERMINED"),
    # undecided, for a reason of the machinery (R90)
    ("composite-verdict-0.17.json", 0): ("0.17", "NOT_ASSESSED", "SUPPORTED"),
    # consensus, 1 passed and 1 failed of 2 (R94.7)
    ("normalized-judgment-0.14.json", 0): ("0.14-0.16", "UNDECIDED", "SUPPORTED"),
    # the same, adopted from a tier (R83)
    ("verdict-0.17-cascade.verdict.json", 0): ("0.17", "UNDECIDED", "SUPPORTED"),
    ("example-0-17-cascade", 0): ("0.17", "UNDECIDED", "SUPPORTED"),
    # no `aggregated`: no status, so no reading (R88.2, R92)
    ("later-v5.json", 0): ("later", None, "UNDETERMINED"),
    ("later-v6.json", 0): ("later", None, "UNDETERMINED"),
    ("legacy-exp-013", 0): ("0.13", "ACCEPTED", "UNDETERMINED"),
    ("never-judged", 0): ("none", None, None),
    ("nothing-scored", 0): ("0.17", "NOT_APPLICABLE", "UNDETERMINED"),
    ("nothing-scored", 1): ("0.17", "NOT_ASSESSED", "UNDETERMINED"),
}


@pytest.mark.skipif(not all(folder.is_dir() for folder in FOLDERS), reason="optional conformance data not present")
def test_items_have_the_era_reading_and_support_that_the_rules_give() -> None:
    corpus = read_results(FOLDERS)
    told = corpus.items.select("run_id", "item_index", "verdict_era", "reading", "reading_support").rows()
    assert {(run_id, index): facts for run_id, index, *facts in told} == {
        key: list(facts) for key, facts in EXPECTED.items()
    }
    assert "no-items" in corpus.runs.get_column("run_id")
    assert sorted(problem["kind"] for problem in corpus.problems.iter_rows(named=True)) == ["foreign", "foreign"]
    assert set(corpus.items.get_column("stored_difference").drop_nulls().list.len()) == {0}
