from __future__ import annotations

from itertools import product
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.statistics.corpora import Row, corpus, judged, unjudged
from tests.statistics.reference import Item, as_row, outcome, reference_tally, stored
from verdict_frames.errors import ColumnError, OptionError
from verdict_frames.frames.corpus import concat
from verdict_frames.policies import AGENT_JUDGE_0_17, POLICIES, VERIFIED_ONLY, Policy
from verdict_frames.statistics.audit.audits import audit
from verdict_frames.statistics.audit.vocabulary import AuditCause
from verdict_frames.statistics.tally import tally
from verdict_frames.vocabulary import Bucket

READINGS = ["ACCEPTED", "REJECTED", "UNDECIDED", "NOT_APPLICABLE", "NOT_ASSESSED", None]
SUPPORTS = ["SUPPORTED", "CONTRADICTED", "UNDETERMINED"]
STATES = [*product(READINGS, SUPPORTS), (None, "no verdict"), (None, "no interpretation")]
TRISTATE = [True, False, None]
OF_READING = {"NOT_ASSESSED": "jury_errored", "UNDECIDED": "jury_abstained", "NOT_APPLICABLE": "not_applicable"}


def expected_cause(item: Item, policy: str) -> str | None:
    """The cause of an item as a stored file holds it, told in plain Python."""
    interpretation, bucket = item.get("interpretation"), outcome(item, policy)
    if bucket in ("agent_failed", "unjudged"):
        return {"agent_failed": "agent_failed", "unjudged": "not_judged"}[bucket]
    reading = None if interpretation is None else interpretation["reading"]
    support = None if interpretation is None else interpretation["readingSupport"]
    if support == "CONTRADICTED":
        return "contradicted"
    if reading is None:
        return "no_reading"
    if reading in OF_READING:
        return OF_READING[reading]
    if bucket == "set_aside":
        return "unverified"
    if (reading == "ACCEPTED") is item["passed"]:
        return None
    if reading == "ACCEPTED":
        return "accepted_but_not_passed"
    return "rejected_but_passed" if item["passed"] else "rejected_but_neither"


def stored_items(told: list[tuple[Any, Any]]) -> list[Item]:
    return [stored(*state, success=ok, passed=passed) for state, ok, passed in product(told, TRISTATE, TRISTATE)]


def moves(policy: str | Policy, row: Row) -> tuple[Any, ...]:
    """Cause, changes and bucket of one item of a run that has a record; nulls where it has no cause."""
    found = audit(corpus({"run": [row]}, stored_pass_rate={"run": 0.5}), policies=policy).items
    if found.is_empty():
        return (None, 0, 0, None)
    return found.select("cause", "passes_change", "eligible_change", "bucket").row(0)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (judged("ACCEPTED"), (None, 0, 0, None)),
        (judged("REJECTED"), (None, 0, 0, None)),
        (judged("NOT_ASSESSED"), ("jury_errored", 0, -1, "instrument_failures")),
        (judged("NOT_ASSESSED", passed=True), ("jury_errored", -1, -1, "instrument_failures")),
        (judged("UNDECIDED"), ("jury_abstained", 0, 0, "non_passes")),
        (judged("UNDECIDED", passed=True), ("jury_abstained", -1, 0, "non_passes")),
        (judged("NOT_APPLICABLE", passed=None), ("not_applicable", 0, -1, "excluded")),
        (judged("ACCEPTED", "CONTRADICTED", passed=True), ("contradicted", -1, -1, "unattestable")),
        (judged("REJECTED", "CONTRADICTED"), ("contradicted", 0, -1, "unattestable")),
        (judged(None, "UNDETERMINED", passed=None), ("no_reading", 0, -1, "unattestable")),
        (judged("ACCEPTED", None), ("no_reading", -1, -1, "unattestable")),
        (unjudged(success=False), ("agent_failed", 0, -1, "agent_failed")),
        (unjudged(success=True), ("not_judged", 0, -1, "unjudged")),
        (unjudged(success=None, passed=True), ("not_judged", -1, -1, "unjudged")),
        (judged("REJECTED", passed=True), ("rejected_but_passed", -1, 0, "non_passes")),
        (judged("REJECTED", passed=None), ("rejected_but_neither", 0, 0, "non_passes")),
        (judged("ACCEPTED", passed=False), ("accepted_but_not_passed", 1, 0, "passes")),
        (judged("ACCEPTED", passed=None), ("accepted_but_not_passed", 1, 0, "passes")),
        (judged("ACCEPTED", "UNDETERMINED"), (None, 0, 0, None)),
    ],
)
def test_each_cause_and_what_it_changes(row: Row, expected: tuple[Any, ...]) -> None:
    assert moves(AGENT_JUDGE_0_17, row) == expected


def test_the_policy_says_what_a_cause_changes() -> None:
    strict = Policy(name="strict", undetermined=Bucket.NON_PASSES)
    assert moves(VERIFIED_ONLY, judged("ACCEPTED", "UNDETERMINED")) == ("unverified", -1, -1, "set_aside")
    assert moves(strict, judged("ACCEPTED", "UNDETERMINED")) == ("unverified", -1, 0, "non_passes")
    assert moves(strict, judged("REJECTED", "UNDETERMINED")) == (None, 0, 0, None)
    assert moves("all-items", judged("NOT_ASSESSED")) == ("jury_errored", 0, 0, "non_passes")
    assert moves("agent-experiment-0.9", judged("NOT_ASSESSED")) == ("jury_errored", 0, -1, "excluded")
    aside = Policy(name="undecided-aside", undecided=Bucket.SET_ASIDE)
    assert moves(aside, judged("UNDECIDED")) == ("jury_abstained", 0, -1, "set_aside")


@pytest.mark.parametrize("policy", list(POLICIES))
def test_every_state_has_the_cause_that_plain_python_tells(policy: str) -> None:
    items = stored_items(STATES)
    found = audit(corpus({"run": [as_row(item) for item in items]}), policies=policy).items
    causes = dict(found.select("item_index", "cause").iter_rows())
    assert [causes.get(index) for index in range(len(items))] == [expected_cause(item, policy) for item in items]


def test_each_cause_occurs_and_items_are_sorted_by_it() -> None:
    items = stored_items(STATES)
    found = audit(corpus({"run": [as_row(item) for item in items]}), policies="verified-only").items
    assert found["cause"].unique(maintain_order=True).to_list() == list(AuditCause)
    for _, part in found.group_by("cause", maintain_order=True):
        assert part["item_index"].is_sorted()


some_items = st.lists(
    st.builds(
        lambda state, success, passed: stored(*state, success=success, passed=passed),
        st.sampled_from(STATES),
        st.sampled_from(TRISTATE),
        st.sampled_from(TRISTATE),
    ),
    max_size=12,
)


@given(st.lists(some_items, max_size=4), st.sampled_from(list(POLICIES)))
def test_sums_close_for_every_group_and_policy(runs: list[list[Item]], policy: str) -> None:
    made = corpus(
        {f"run-{number}": [as_row(item) for item in items] for number, items in enumerate(runs)},
        variant={f"run-{number}": "ab"[number % 2] for number in range(len(runs))},
        stored_pass_rate={f"run-{number}": 0.5 for number in range(len(runs))},
    )
    audited = audit(made, "variant", policies=policy)
    for variant, rates in audited.rates.rows_by_key("variant", named=True, unique=True).items():
        causes = audited.causes.filter(variant=variant)
        assert rates["recorded_passes"] + causes["passes_change"].sum() == rates["passes"]
        assert rates["recorded_items"] + causes["eligible_change"].sum() == rates["eligible"]
        assert rates["agreeing"] + causes["items"].sum() == rates["recorded_items"]
        assert rates["passes_change"] == causes["passes_change"].sum()
        assert rates["eligible_change"] == causes["eligible_change"].sum()
        of_variant = [item for number, items in enumerate(runs) if "ab"[number % 2] == variant for item in items]
        counted = reference_tally(of_variant, 0, policy)
        assert (rates["passes"], rates["eligible"]) == (counted.get("passes", 0), counted["eligible"])
        assert rates["pass_rate"] == counted["pass_rate"]
        assert rates["recorded_passes"] == sum(item["passed"] is True for item in of_variant)
        assert rates["recorded_neither"] == sum(item["passed"] is None for item in of_variant)
        assert rates["recorded_items"] == len(of_variant)
    assert audited.items.height == audited.causes["items"].sum()


@given(some_items, st.sampled_from(list(POLICIES)))
def test_names_of_runs_change_nothing(items: list[Item], policy: str) -> None:
    rows = [as_row(item) for item in items]
    half = len(rows) // 2
    stated = {"stored_pass_rate": {"a": 0.5, "b": 0.25, "z": 0.5, "y": 0.25}}
    one = audit(corpus({"a": rows[:half], "b": rows[half:]}, facts=None, **stated), policies=policy)
    other = audit(corpus({"z": rows[:half], "y": rows[half:]}, facts=None, **stated), policies=policy)
    assert one.rates.equals(other.rates)
    assert one.causes.equals(other.causes)
    assert one.items.drop("run_id").equals(other.items.drop("run_id"))
    assert one.runs.drop("run_id").equals(other.runs.drop("run_id"))
    assert one.recounts.drop("run_id").equals(other.recounts.drop("run_id"))


def test_rates_agree_with_a_tally_where_every_run_has_a_record() -> None:
    made = corpus(
        {"x": [judged("ACCEPTED"), judged("NOT_ASSESSED")], "y": [judged("REJECTED")], "empty": []},
        variant={"x": "a", "y": "b", "empty": "c"},
        stored_passes={"empty": 0},
    )
    rates, tallied = audit(made, "variant").rates, tally(made, "variant")
    same = ["variant", "passes", "eligible", "pass_rate", "rate_note", "left_out", "policy"]
    assert rates.select(same).equals(tallied.select(same))
    assert rates["recorded_rate"].to_list() == tallied["naive_rate"].to_list() == [0.5, 0.0, None]
    assert rates["difference"].to_list() == [0.5, 0.0, None]


def test_runs_without_a_record_are_told_and_not_compared() -> None:
    made = corpus({"old": [judged("ACCEPTED")], "bare": [judged("ACCEPTED", passed=None)] * 2})
    audited = audit(made)
    (rates,) = audited.rates.iter_rows(named=True)
    assert (rates["recorded_items"], rates["without_record"], rates["eligible"]) == (1, 2, 1)
    assert audited.items.is_empty()
    (nothing,) = audit(made.filter(run_id="bare")).rates.iter_rows(named=True)
    assert (nothing["recorded_rate"], nothing["pass_rate"], nothing["difference"]) == (None, None, None)
    assert nothing["recorded_note"] == "no counted item is of a run with a record"


def test_runs_that_no_count_takes_in_are_told_as_left_out() -> None:
    made = corpus(
        {
            "first": [judged("ACCEPTED", passed=False)],
            "again": [judged("NOT_ASSESSED")],
            "judges": [judged("REJECTED")],
        },
        kind={"again": "re_evaluation", "judges": "judge_experiment"},
        re_evaluated_from={"again": "first"},
    )
    latest, original = audit(made), audit(made, evaluations="original")
    assert latest.items["run_id"].to_list() == ["again"]
    assert latest.rates["left_out"].to_list() == [2]
    assert original.items.select("run_id", "cause").rows() == [("first", "accepted_but_not_passed")]
    assert audit(made, evaluations="all").rates["left_out"].to_list() == [1]
    assert latest.runs["left_out"].to_list() == [True, False, True]


def test_groups_by_columns_of_items_runs_and_facts() -> None:
    made = corpus(
        {"x": [judged("NOT_ASSESSED", item_id="a"), judged("ACCEPTED", item_id="b")], "y": [judged("UNDECIDED")]},
        facts=[{"run_id": "x", "source": "condition", "name": "model", "value": "m"}],
        experiment_name={"x": "e"},
    )
    by_model = audit(made, "conditions.model")
    assert by_model.rates.select("conditions.model", "recorded_items").rows() == [("m", 2), (None, 1)]
    assert by_model.causes.select("conditions.model", "cause").rows() == [
        ("m", "jury_errored"),
        (None, "jury_abstained"),
    ]
    by_both = audit(made, ["experiment_name", "item_id"])
    assert by_both.rates.select("experiment_name", "item_id", "recorded_items").rows() == [
        ("e", "a", 1),
        ("e", "b", 1),
        (None, None, 1),
    ]
    assert by_both.items["experiment_name"].to_list() == ["e", None]


def test_names_that_can_not_be_grouped_by() -> None:
    made = corpus({"x": [judged("ACCEPTED")]})
    with pytest.raises(ColumnError, match="an audit has a column of that name"):
        audit(made, "passed")
    with pytest.raises(ColumnError, match="varient"):
        audit(made, "varient")
    with pytest.raises(OptionError, match="choose one of latest"):
        audit(made, evaluations="newest")


def test_an_empty_corpus_has_one_row_of_zeros() -> None:
    audited = audit(concat([]))
    (rates,) = audited.rates.iter_rows(named=True)
    numbers = {name for name, value in rates.items() if value == 0}
    assert numbers == {name for name, dtype in audited.rates.schema.items() if dtype == pl.Int64}
    assert rates["recorded_rate"] is None
    assert {name: frame.height for name, frame in audited.frames().items() if name != "rates"} == dict.fromkeys(
        ("causes", "items", "runs", "recounts", "interpretations", "judge_errors", "scores", "copies"), 0
    )
    assert audit(concat([]), "variant").rates.is_empty()
