from __future__ import annotations

from typing import Any

import pytest

from tests.statistics.corpora import Row, corpus, judged, unjudged
from verdict_frames.policies import Policy
from verdict_frames.statistics.audit.audits import audit
from verdict_frames.statistics.audit.stated import PASSED_OF_ALL
from verdict_frames.vocabulary import Bucket

COUNTS = ("passes", "non_passes", "excluded", "instrument_failures", "not_judged", "unattestable")

EVERYTHING = [
    judged("ACCEPTED"),
    judged("ACCEPTED", stage_failure=True),
    judged("REJECTED"),
    judged("UNDECIDED", instrument_failure="rosterMismatch"),
    judged("NOT_APPLICABLE", passed=None),
    judged("NOT_ASSESSED", passed=None),
    judged("REJECTED", "CONTRADICTED", passed=None),
    unjudged(success=True, passed=None),
    unjudged(success=False, passed=None, instrument_failure="rosterMismatch"),
]


def stated(rows: list[Row], counts: tuple[int | None, ...] | None = None, **columns: Any) -> dict[str, Any]:
    named = {} if counts is None else dict(zip((f"stored_{name}" for name in COUNTS), counts, strict=True))
    made = corpus({"run": rows}, facts=None, **{name: {"run": value} for name, value in (named | columns).items()})
    return audit(made).runs.row(0, named=True)


@pytest.mark.parametrize(
    ("rows", "rate", "explained"),
    [
        ([judged("ACCEPTED"), judged("NOT_ASSESSED"), judged("REJECTED")], 1 / 3, PASSED_OF_ALL),
        ([judged("ACCEPTED"), judged("NOT_ASSESSED"), judged("REJECTED")], 0.3333333333, PASSED_OF_ALL),
        ([judged("ACCEPTED"), judged("NOT_ASSESSED"), judged("REJECTED")], 0.5, "agent-judge-0.17"),
        ([judged("ACCEPTED"), judged("NOT_ASSESSED"), judged("REJECTED")], 0.34, None),
        ([judged("ACCEPTED"), judged("REJECTED", "UNDETERMINED"), judged("NOT_ASSESSED")], 1.0, "verified-only"),
        ([judged("ACCEPTED"), judged("NOT_ASSESSED")], None, None),
        ([judged("NOT_ASSESSED", passed=None)], 0.0, "all-items"),
        ([], 0.0, PASSED_OF_ALL),
        ([], 1.0, None),
    ],
)
def test_what_gives_the_stored_pass_rate(rows: list[Row], rate: float | None, explained: str | None) -> None:
    found = stated(rows, stored_pass_rate=rate)
    assert found["stored_pass_rate"] == rate
    assert found["pass_rate_explained_by"] == explained


@pytest.mark.parametrize(
    ("counts", "explained", "differ"),
    [
        ((2, 2, 2, 3, 2, 1), "agent-experiment-0.9", []),
        ((2, 2, 1, 1, 2, 1), "agent-judge-0.17", ["excluded", "instrument_failures"]),
        ((2, 2, 3, 3, 2, 1), None, ["excluded"]),
        ((2, 5, 0, 0, 2, 0), "all-items", ["non_passes", "excluded", "instrument_failures", "unattestable"]),
        ((2, None, None, None, None, None), "agent-experiment-0.9", []),
        ((3, None, None, None, None, None), None, ["passes"]),
        ((None,) * 6, None, None),
    ],
)
def test_what_gives_the_stored_counts(
    counts: tuple[int | None, ...], explained: str | None, differ: list[str] | None
) -> None:
    found = stated(EVERYTHING, counts)
    assert (found["counts_explained_by"], found["counts_differ"]) == (explained, differ)
    assert tuple(found[f"stored_{name}"] for name in COUNTS) == counts


@pytest.mark.parametrize(
    ("rows", "counts"),
    [
        ([judged("ACCEPTED"), judged("REJECTED"), judged("UNDECIDED")], (1, 2, 0, 0, 0, 0)),
        ([judged("NOT_APPLICABLE")] * 2, (0, 0, 2, 0, 0, 0)),
        ([judged("NOT_ASSESSED")], (0, 0, 1, 1, 0, 0)),
        ([judged("REJECTED", stage_failure=True)], (0, 1, 0, 1, 0, 0)),
        ([judged("ACCEPTED", stage_failure=True)], (1, 0, 0, 1, 0, 0)),
        ([unjudged(success=True)], (0, 0, 0, 0, 1, 0)),
        ([], (0, 0, 0, 0, 0, 0)),
    ],
)
def test_the_oracles_of_the_writers_own_counting(rows: list[Row], counts: tuple[int, ...]) -> None:
    assert stated(rows, counts)["counts_explained_by"] == "agent-experiment-0.9"
    (recount,) = audit(corpus({"run": rows}), policies="agent-experiment-0.9").recounts.iter_rows(named=True)
    assert tuple(recount[name] for name in COUNTS) == counts


def test_what_is_set_aside_has_no_place_in_stored_counts() -> None:
    found = stated([judged("ACCEPTED"), judged("REJECTED", "UNDETERMINED")], (1, 0, 0, 0, 0, 0))
    assert found["counts_explained_by"] is None


def test_recounts_have_a_row_for_every_run_and_policy() -> None:
    made = corpus(
        {
            "b": EVERYTHING,
            "a": [judged("ACCEPTED"), judged("REJECTED", "UNDETERMINED")],
            "judges": [judged("ACCEPTED")],
        },
        kind={"judges": "judge_experiment"},
        stored_pass_rate={"a": 0.5},
        stored_passes={"b": 3},
        stored_non_passes={"b": 1},
    )
    own = Policy(name="own", not_assessed=Bucket.NON_PASSES)
    recounts = audit(made, policies=["verified-only", own]).recounts
    assert recounts.select("run_id", "policy", *COUNTS, "set_aside").rows() == [
        ("b", "verified-only", 2, 2, 1, 1, 2, 1, 0),
        ("b", "own", 2, 3, 1, 0, 2, 1, 0),
        ("a", "verified-only", 1, 0, 0, 0, 0, 0, 1),
        ("a", "own", 1, 1, 0, 0, 0, 0, 0),
    ]
    assert recounts.select("pass_rate", "stored_rate", "difference").rows() == [
        (0.5, 0.75, -0.25),
        (0.4, 0.75, pytest.approx(-0.35)),
        (1.0, 0.5, 0.5),
        (0.5, 0.5, 0.0),
    ]


def test_a_run_that_is_judged_again_is_held_against_its_own_record() -> None:
    made = corpus(
        {"first": [judged("ACCEPTED")], "again": [judged("REJECTED")]},
        kind={"again": "re_evaluation"},
        re_evaluated_from={"again": "first"},
        stored_pass_rate={"first": 1.0, "again": 1.0},
    )
    runs = audit(made).runs
    assert runs["left_out"].to_list() == [True, False]
    assert runs["pass_rate_explained_by"].to_list() == [PASSED_OF_ALL, None]
    assert audit(made).recounts["run_id"].unique(maintain_order=True).to_list() == ["first", "again"]


def test_how_items_were_recorded_is_counted() -> None:
    found = stated([judged("ACCEPTED"), judged("REJECTED"), judged("REJECTED"), judged("NOT_APPLICABLE", passed=None)])
    assert (found["passed_true"], found["passed_false"], found["item_count"], found["problems"]) == (1, 2, 4, 0)
