from __future__ import annotations

from collections import Counter
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint  # type: ignore[import-untyped]

from tests.review.packs import judged
from verdict_frames.errors import ArgumentError, ColumnError, OptionError
from verdict_frames.frames.evaluation_assembly import evaluations_from_records
from verdict_frames.policies import AGENT_JUDGE_0_17
from verdict_frames.statistics.evaluations.policies import ALL_EVALUATIONS, EvaluationPolicy, find_evaluation_policy
from verdict_frames.statistics.evaluations.tally import EVALUATION_TALLY_SCHEMA, NO_ACCEPT_RATE, REPEATED_KEYS
from verdict_frames.statistics.intervals import wilson
from verdict_frames.statistics.tally import tally
from verdict_frames.vocabulary import EVALUATION_FAILURE_CODES, Counting, EvaluationOutcome

ANSWERS = {"q": judged(0.99)}
RULE = "q: probability is in the review band"
INVALID = "q: invalid answer"


def stored(status: str | None = "accept", *reasons: str, **more: Any) -> dict[str, Any]:
    row: dict[str, Any] = {"answers": ANSWERS, "reviewReasons": list(reasons), **more}
    return row if status is None else {"status": status, **row}


def failure(code: str, **more: Any) -> dict[str, Any]:
    return {"status": "review", "answers": {}, "modelId": "none", "reviewReasons": [code], **more}


EVERY_SORT = [
    *[stored()] * 7,
    *[stored("review", RULE)] * 2,
    stored("review", INVALID, RULE),
    stored("reject"),
    *[failure(code) for code in (*EVALUATION_FAILURE_CODES, "gateway_auth", "model_on_strike")],
    {"status": "review", "answers": {}, "reviewReasons": [RULE], "modelId": "m"},
]


def test_every_outcome_is_counted_where_it_belongs() -> None:
    (row,) = tally(evaluations_from_records(EVERY_SORT)).iter_rows(named=True)
    interval = wilson(7, 12)
    assert interval is not None
    assert row == {
        "accepted": 7,
        "eligible": 12,
        "accept_rate": 7 / 12,
        "ci_low": pytest.approx(interval.low, abs=1e-12),
        "ci_high": pytest.approx(interval.high, abs=1e-12),
        "ci_method": "wilson",
        "confidence_level": 0.95,
        "rate_note": None,
        "total": 19,
        "reviewed_by_rule": 3,
        "reviewed_invalid_answer": 1,
        "rejected": 1,
        "failed": 7,
        "no_status": 0,
        "gateway_auth": 2,
        "gateway_unavailable": 1,
        "invalid_model_output": 1,
        "invalid_pack": 1,
        "invalid_ticket": 1,
        "other_failure": 1,
        "answers_not_recorded": 1,
        "keys": 0,
        "without_key": 19,
        "repeated_keys": 0,
        "left_out": 0,
        "policy": "results-only",
    }


@pytest.mark.parametrize(
    ("policy", "eligible"),
    [
        ("results-only", 12),
        ("all-evaluations", 19),
        (EvaluationPolicy(name="p", rejected=Counting.SET_ASIDE), 11),
        (EvaluationPolicy(name="p", invalid_answers=Counting.SET_ASIDE), 11),
        (EvaluationPolicy(name="p", failed=Counting.AGAINST, rejected=Counting.SET_ASIDE), 18),
    ],
)
def test_a_policy_says_what_is_in_the_denominator_and_nothing_else(
    policy: EvaluationPolicy | str, eligible: int
) -> None:
    evaluations = evaluations_from_records(EVERY_SORT)
    counted, default = tally(evaluations, policy=policy), tally(evaluations)
    assert counted["eligible"].item() == eligible
    assert counted["accept_rate"].item() == 7 / eligible
    rates = ["eligible", "accept_rate", "ci_low", "ci_high", "policy"]
    assert counted.drop(rates).equals(default.drop(rates))
    assert counted["policy"].item() == find_evaluation_policy(policy).name


def test_nothing_eligible_has_no_rate() -> None:
    for rows in ([], [failure("gateway_auth")], [stored(None)]):
        source = "gateway" if rows and "status" not in rows[0] else "result"
        row = tally(evaluations_from_records(rows, source=source)).row(0, named=True)
        assert (row["eligible"], row["accept_rate"], row["rate_note"]) == (0, None, NO_ACCEPT_RATE)
        assert (row["ci_low"], row["ci_high"], row["ci_method"]) == (None, None, None)
        assert row["total"] == len(rows)
        assert row["no_status"] == (source == "gateway")


def test_repeated_keys_are_told_and_take_the_interval_away_only_where_they_count() -> None:
    retried = [failure("gateway_unavailable", idempotencyKey="a"), stored(idempotencyKey="a"), stored()]
    row = tally(evaluations_from_records(retried)).row(0, named=True)
    assert (row["total"], row["keys"], row["without_key"], row["repeated_keys"]) == (3, 1, 1, 1)
    assert row["ci_method"] == "wilson"
    against = tally(evaluations_from_records(retried), policy=ALL_EVALUATIONS).row(0, named=True)
    assert (against["accept_rate"], against["ci_low"], against["ci_method"]) == (2 / 3, None, REPEATED_KEYS)
    latest = tally(evaluations_from_records(retried).latest_per_key(), policy=ALL_EVALUATIONS).row(0, named=True)
    assert (latest["accept_rate"], latest["left_out"], latest["total"], latest["ci_method"]) == (1.0, 1, 2, "wilson")


def test_groups_are_sorted_and_a_group_of_left_out_rows_is_kept() -> None:
    rows = [
        stored(modelId="b"),
        stored("review", RULE, modelId="a"),
        failure("gateway_auth", idempotencyKey="k"),
        stored(modelId="b", idempotencyKey="k"),
        {key: value for key, value in stored().items() if key != "modelId"},
    ]
    counted = tally(evaluations_from_records(rows).latest_per_key(), by="model_id")
    assert counted.select("model_id", "accepted", "total", "left_out", "accept_rate").rows() == [
        ("a", 0, 1, 0, 0.0),
        ("b", 2, 2, 0, 1.0),
        ("none", 0, 0, 1, None),
        (None, 1, 1, 0, 1.0),
    ]
    assert tally(evaluations_from_records([]), by=["pack_id", "pack_version"]).is_empty()


@given(
    st.lists(
        st.builds(
            lambda status, reasons, model: stored(status, *reasons, modelId=model),
            st.sampled_from(["accept", "review", "reject", None]),
            st.lists(st.sampled_from([RULE, INVALID, "gateway_auth", "strange_code", "q: say"]), max_size=2),
            st.sampled_from(["m", "n", "none"]),
        ),
        max_size=12,
    )
)
def test_parts_sum_to_their_wholes(rows: list[dict[str, Any]]) -> None:
    evaluations = evaluations_from_records(rows)
    by_hand = Counter(evaluations.evaluations["outcome"].to_list())
    whole = tally(evaluations).row(0, named=True)
    assert {outcome.value: whole[outcome.value] for outcome in EvaluationOutcome} == {
        outcome.value: by_hand[outcome.value] for outcome in EvaluationOutcome
    }
    for counts in (tally(evaluations), tally(evaluations, by=["model_id", "outcome"][:1])):
        for row in counts.iter_rows(named=True):
            assert row["total"] == row["no_status"] + sum(row[outcome.value] for outcome in EvaluationOutcome)
            codes = [*EVALUATION_FAILURE_CODES, "other_failure"]
            assert row["failed"] == sum(row[code] for code in codes)
            assert row["eligible"] == row["total"] - row["failed"] - row["no_status"]
    parts = tally(evaluations, by="model_id")
    assert parts.columns == ["model_id", *EVALUATION_TALLY_SCHEMA]
    assert parts.select(pl.col(pl.Int64).exclude("keys", "repeated_keys").sum()).row(0) == tuple(
        whole[name] for name in parts.select(pl.col(pl.Int64).exclude("keys", "repeated_keys")).columns
    )


def test_wrong_calls_are_refused() -> None:
    evaluations = evaluations_from_records([stored()])
    with pytest.raises(ColumnError, match="no column 'variant' in evaluations; available are evaluation_index"):
        tally(evaluations, by="variant")
    with pytest.raises(ColumnError, match="'review_reasons' can't be grouped by: its values are of type List"):
        tally(evaluations, by="review_reasons")
    with pytest.raises(OptionError, match="no policy for evaluations named 'verified-only'; choose one of results"):
        tally(evaluations, policy="verified-only")
    with pytest.raises(ArgumentError, match="is a Policy for items"):
        tally(evaluations, policy=AGENT_JUDGE_0_17)
    with pytest.raises(ArgumentError, match="is an EvaluationPolicy"):
        tally(pl.DataFrame(), policy=ALL_EVALUATIONS)
    with pytest.raises(OptionError, match="failed can't be 'maybe'; choose one of against, set_aside"):
        EvaluationPolicy(name="p", failed="maybe")  # type: ignore[arg-type] # what is being tested
    with pytest.raises(OptionError, match="one line of printable text"):
        EvaluationPolicy(name=" ")
    with pytest.raises(OptionError, match="a confidence level lies between 0 and 1"):
        tally(evaluations, level=1)


def test_intervals_of_evaluations_may_be_exact_and_are_never_over_runs() -> None:
    held = evaluations_from_records([stored()] * 3 + [stored("review", RULE)])
    found = tally(held, interval="clopper-pearson").row(0, named=True)
    assert (found["ci_low"], found["ci_high"]) == pytest.approx(proportion_confint(3, 4, method="beta"))
    assert found["ci_method"] == "clopper-pearson"
    with pytest.raises(OptionError, match="over='runs': evaluations have no runs to draw again"):
        tally(held, over="runs")
