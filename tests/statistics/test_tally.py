from __future__ import annotations

from itertools import product
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.statistics.corpora import Row, corpus, items_frame, judged, unjudged
from tests.statistics.reference import ABSORBED, Item, as_row, reference_tally, stored
from verdict_frames.policies import POLICIES, Policy, pass_rate
from verdict_frames.statistics.clusters import effective_size
from verdict_frames.statistics.intervals import clopper_pearson, wilson
from verdict_frames.statistics.tally import TALLY_SCHEMA, tally
from verdict_frames.vocabulary import Bucket

READINGS = ["ACCEPTED", "REJECTED", "UNDECIDED", "NOT_APPLICABLE", "NOT_ASSESSED", None]
SUPPORTS = ["SUPPORTED", "CONTRADICTED", "UNDETERMINED"]
POLICY_NAMES = list(POLICIES)
COUNTS = [name for name, dtype in TALLY_SCHEMA.items() if dtype == pl.Int64]


states = st.one_of(
    st.tuples(st.sampled_from(READINGS), st.sampled_from(SUPPORTS)),
    st.tuples(st.none(), st.sampled_from(["no verdict", "no interpretation"])),
)


@st.composite
def stored_items(draw: st.DrawFn) -> Item:
    tristate = st.sampled_from([True, False, None])
    ids = st.sampled_from([None, "a", "b", "c", "d"])
    return stored(
        *draw(states),
        success=draw(tristate),
        passed=draw(tristate),
        failure=draw(st.sampled_from([None, "jury_execution_failed"])),
        mark=draw(st.sampled_from([None, "rosterMismatch"])),
        errors=draw(st.sampled_from(["", "r", "s", "t", "rst"])),
        absorbed=draw(st.sampled_from([None, "nothing", *ABSORBED])),
        item_id=draw(ids),
        slug=draw(ids),
    )


def only(frame: pl.DataFrame) -> dict[str, Any]:
    return frame.row(0, named=True) if frame.height == 1 else pytest.fail(f"{frame.height} rows")


@pytest.mark.parametrize("policy", POLICY_NAMES)
def test_every_state_with_every_mark_is_counted_as_the_plain_python_tally_counts_it(policy: str) -> None:
    told = [*product(READINGS, SUPPORTS), (None, "no verdict"), (None, "no interpretation")]
    tristate = [True, False, None]
    items = [
        stored(*state, success=success, passed=passed, failure=failure, mark=mark, errors=errors, absorbed=absorbed)
        for state, success, passed, failure, mark, errors, absorbed in product(
            told, tristate, tristate, [None, "x"], [None, "rosterMismatch"], ["", "t"], [None, "nothing", ABSORBED[0]]
        )
    ]
    frame = tally(items_frame([as_row(item) for item in items]), "item_index", policy=policy)
    assert frame.height == len(items) == 20 * 9 * 24
    for item, row in zip(items, frame.iter_rows(named=True), strict=True):
        expected = reference_tally([item], 0, policy)
        assert {name: row[name] for name in COUNTS} == {name: expected.get(name, 0) for name in COUNTS}


@given(
    st.dictionaries(st.sampled_from("xyz"), st.lists(stored_items(), max_size=12), min_size=1),
    st.sampled_from(POLICY_NAMES),
    st.sampled_from(["x", "xz", ""]),
    st.sampled_from(["", "y", "yz"]),
)
def test_a_random_corpus_is_counted_as_the_plain_python_tally_counts_it(
    runs: dict[str, list[Item]], policy: str, judges: str, repeats: str
) -> None:
    held = corpus(
        {run_id: [as_row(item) for item in items] for run_id, items in runs.items()},
        variant={"x": "one", "y": "one", "z": None},
        kind=dict.fromkeys(judges, "judge_experiment"),
        repeat=dict.fromkeys(repeats, 1),
    )
    groups: dict[str | None, tuple[list[Item], list[Item]]] = {}
    for run_id, items in runs.items():
        counted, left_out = groups.setdefault(None if run_id == "z" else "one", ([], []))
        told = [item | {"repeat": 1 if run_id in repeats else None} for item in items]
        (left_out if run_id in judges else counted).extend(told)
    frame = tally(held, "variant", policy=policy, level=0.9)
    assert frame["variant"].to_list() == sorted(groups, key=str, reverse=True)
    for row in frame.iter_rows(named=True):
        counted, left_out = groups[row.pop("variant")]
        expected = reference_tally(counted, len(left_out), policy, level=0.9)
        near = ("ci_low", "ci_high", "design_effect", "effective_n")
        assert [row[name] is None for name in near] == [expected[name] is None for name in near]
        assert [row.pop(name) for name in near] == [pytest.approx(expected[name], abs=1e-12) for name in near]
        assert row == {name: expected.get(name, 0) for name in row}


@given(st.lists(stored_items(), max_size=30), st.sampled_from(POLICY_NAMES))
def test_buckets_partition_the_total_and_nothing_is_not_a_number(items: list[Item], policy: str) -> None:
    row = only(tally(items_frame([as_row(item) for item in items]), policy=policy))
    assert sum(row[bucket] for bucket in Bucket) == row["total"] == len(items)
    assert row["eligible"] == row["passes"] + row["non_passes"]
    assert row["pass_rate"] == pass_rate(row["passes"], row["non_passes"])
    for name in ("pass_rate", "ci_low", "ci_high", "end_to_end_rate", "naive_rate"):
        assert row[name] is None or 0 <= row[name] <= 1
    assert row["ci_low"] is None or row["ci_low"] <= row["pass_rate"] <= row["ci_high"]


@given(st.lists(stored_items(), max_size=20))
def test_the_two_counting_policies_of_the_writers_agree_on_the_rate(items: list[Item]) -> None:
    frame = items_frame([as_row(item) for item in items])
    first, second = (only(tally(frame, policy=name)) for name in ("agent-judge-0.17", "agent-experiment-0.9"))
    assert first["pass_rate"] == second["pass_rate"]
    assert first["excluded"] + first["instrument_failures"] == second["excluded"]


@given(st.lists(stored_items(), max_size=20), st.randoms())
def test_neither_order_nor_a_lazy_frame_nor_plain_text_changes_a_tally(items: list[Item], random: Any) -> None:
    frame = items_frame([as_row(item) for item in items])
    expected = tally(frame, "reading")
    shuffled = frame[random.sample(range(frame.height), frame.height)]
    assert tally(shuffled, "reading").equals(expected)
    assert tally(frame.lazy(), "reading").equals(expected)
    text = frame.with_columns(pl.col("reading", "reading_support").cast(pl.String))
    assert tally(text).equals(tally(frame))


@pytest.mark.parametrize(
    ("items", "counts", "rate"),
    [
        ([stored("ACCEPTED"), stored("REJECTED"), stored("UNDECIDED")], (1, 2, 0, 0, 0, 0), 1 / 3),
        ([stored("NOT_APPLICABLE"), stored("NOT_APPLICABLE")], (0, 0, 2, 0, 0, 0), None),
        ([stored("NOT_ASSESSED")], (0, 0, 1, 1, 0, 0), None),
        ([stored("REJECTED", failure="jury_execution_failed")], (0, 1, 0, 1, 0, 0), 0.0),
        ([stored("ACCEPTED", failure="jury_execution_failed")], (1, 0, 0, 1, 0, 0), 1.0),
        ([stored("ACCEPTED", mark="rosterMismatch")], (1, 0, 0, 1, 0, 0), 1.0),
        ([stored(support="no verdict", success=False)], (0, 0, 0, 0, 1, 0), None),
        ([stored(support="no verdict", mark="rosterMismatch")], (0, 0, 0, 0, 1, 0), None),
        ([stored("ACCEPTED", "CONTRADICTED")], (0, 0, 0, 0, 0, 1), None),
        ([stored("NOT_ASSESSED", "CONTRADICTED")], (0, 0, 0, 1, 0, 1), None),
        ([stored(None, "UNDETERMINED")], (0, 0, 0, 0, 0, 1), None),
        ([stored(support="no interpretation")], (0, 0, 0, 0, 0, 1), None),
        ([stored(support="no interpretation", mark="rosterMismatch")], (0, 0, 0, 1, 0, 1), None),
    ],
)
def test_the_counts_that_a_0_9_file_states_come_out(items: list[Item], counts: tuple[int, ...], rate: Any) -> None:
    row = only(tally(items_frame([as_row(item) for item in items]), policy="agent-experiment-0.9"))
    not_judged = row["agent_failed"] + row["unjudged"]
    names = ["passes", "non_passes", "excluded", "instrument_marks"]
    assert (*(row[name] for name in names), not_judged, row["unattestable"]) == counts
    assert row["pass_rate"] == rate


def test_a_tally_worked_out_by_hand() -> None:
    rows = [judged("ACCEPTED", item_id=str(number)) for number in range(31)]
    rows += [judged("REJECTED", item_id=str(number), passed=number == 32) for number in range(31, 39)]
    rows += [judged("UNDECIDED", item_id="39")]
    rows += [judged("NOT_ASSESSED", judge_errors=1)] * 5 + [judged("ACCEPTED", "CONTRADICTED")]
    rows += [unjudged(success=False)] * 4 + [unjudged(success=None)]
    row = only(tally(corpus({"run": rows})))
    assert {name: row[name] for name in COUNTS if row[name]} == {
        "passes": 31,
        "non_passes": 9,
        "eligible": 40,
        "clusters": 40,
        "instrument_failures": 5,
        "unattestable": 1,
        "agent_failed": 4,
        "unjudged": 1,
        "total": 51,
        "undecided": 1,
        "not_assessed": 5,
        "instrument_marks": 5,
        "judge_error_items": 5,
        "passed_recorded": 51,
        "naive_passes": 33,
    }
    assert row["pass_rate"] == 31 / 40
    assert (round(row["ci_low"], 2), round(row["ci_high"], 2)) == (0.62, 0.88)
    assert row["end_to_end_rate"] == 31 / 44
    assert row["naive_rate"] == 33 / 51
    assert row["rate_note"] is None
    assert (row["ci_method"], row["confidence_level"], row["policy"]) == ("wilson", 0.95, "agent-judge-0.17")


@pytest.mark.parametrize("policy", ["agent-judge-0.17", "agent-experiment-0.9", "verified-only", "all-items"])
def test_not_assessed_means_the_same_under_every_policy(policy: str) -> None:
    rows = [judged("NOT_ASSESSED"), judged("NOT_ASSESSED", "UNDETERMINED"), judged("NOT_ASSESSED", "CONTRADICTED")]
    rows += [judged("UNDECIDED"), judged(None, None), unjudged(success=True)]
    assert only(tally(items_frame(rows), policy=policy))["not_assessed"] == 3


def test_an_agent_cannot_gain_by_crashing() -> None:
    row = only(tally(items_frame([judged("ACCEPTED"), unjudged(success=False)])))
    assert (row["pass_rate"], row["end_to_end_rate"]) == (1.0, 0.5)
    row = only(tally(items_frame([unjudged(success=False)])))
    assert (row["pass_rate"], row["end_to_end_rate"]) == (None, 0.0)
    row = only(tally(items_frame([unjudged(success=True)])))
    assert (row["pass_rate"], row["end_to_end_rate"]) == (None, None)


def test_passed_that_was_never_recorded_is_told_apart_from_recorded_as_not_passed() -> None:
    never, no = (only(tally(items_frame([judged("ACCEPTED", passed=passed)]))) for passed in (None, False))
    assert (never["passed_recorded"], never["naive_passes"], never["naive_rate"]) == (0, 0, None)
    assert (no["passed_recorded"], no["naive_passes"], no["naive_rate"]) == (1, 0, 0.0)
    half = only(tally(items_frame([judged("ACCEPTED", passed=None), judged("ACCEPTED")])))
    assert (half["passed_recorded"], half["naive_rate"]) == (1, 0.5)


@pytest.mark.parametrize("held", [corpus({}), corpus({"run": []}), items_frame([])], ids=["no runs", "a run", "items"])
def test_grouped_by_nothing_there_is_always_one_row(held: Any) -> None:
    row = only(tally(held))
    assert {row[name] for name in COUNTS} == {0}
    assert [row[name] for name in ("pass_rate", "ci_low", "ci_high", "ci_method", "naive_rate")] == [None] * 5
    assert row["rate_note"] == "no items eligible for the denominator"
    assert tally(held, []).equals(tally(held))


@pytest.mark.parametrize("held", [corpus({}), corpus({"run": [judged("ACCEPTED")]}), items_frame([])])
def test_columns_and_types_are_the_same_whatever_there_is_to_count(held: Any) -> None:
    frame = tally(held, "item_slug")
    assert frame.schema == {"item_slug": pl.String(), **TALLY_SCHEMA}


def test_an_empty_corpus_has_no_groups_but_a_run_without_items_keeps_its_own() -> None:
    assert tally(corpus({}), "variant").height == 0
    held = corpus({"a": [], "b": [judged("REJECTED")], "c": []}, variant={"a": "empty", "b": "full", "c": "full"})
    frame = tally(held, "variant")
    assert frame.select("variant", "total", "pass_rate", "rate_note", "left_out").rows() == [
        ("empty", 0, None, "no items eligible for the denominator", 0),
        ("full", 1, 0.0, None, 0),
    ]
    assert tally(held, "run_id")["run_id"].to_list() == ["a", "b", "c"]
    assert tally(held, ["variant", "item_index"])["variant"].to_list() == ["full"]


AT_EFFECTIVE_N = "wilson, at the effective sample size"
ONE_ITEM = "one item: no interval over items"


def repeated(rows: list[Row], **options: Any) -> tuple[Any, ...]:
    row = only(tally(items_frame(rows), **options))
    return row["ci_method"], row["ci_low"] is None, row["pass_rate"]


def test_a_repeated_item_is_a_cluster_and_one_item_alone_has_no_interval() -> None:
    a, b = judged("ACCEPTED", item_id="a"), judged("REJECTED", item_id="b")
    assert repeated([a, b]) == ("wilson", False, 0.5)
    assert repeated([a, a, b, b]) == (AT_EFFECTIVE_N, False, 0.5)
    slugs = [judged("ACCEPTED", item_slug="a"), judged("REJECTED", item_slug="a")]
    assert repeated(slugs) == (ONE_ITEM, True, 0.5)
    same_slug = [a | {"item_slug": "s"}, b | {"item_slug": "s"}]
    assert repeated(same_slug) == ("wilson", False, 0.5)
    nameless = [judged("ACCEPTED"), judged("REJECTED")]
    assert repeated(nameless) == ("wilson", False, 0.5)


def test_items_repeat_within_a_group_and_among_what_is_eligible() -> None:
    a, not_assessed = judged("ACCEPTED", item_id="a"), judged("NOT_ASSESSED", item_id="a")
    assert repeated([a, not_assessed]) == ("wilson", False, 1.0)
    assert repeated([a, not_assessed], policy="all-items") == (ONE_ITEM, True, 0.5)
    assert repeated([not_assessed, not_assessed]) == (None, True, None)
    held = corpus({"x": [a], "y": [a]}, variant={"x": "one", "y": "two"})
    assert tally(held, "variant")["ci_method"].to_list() == ["wilson", "wilson"]
    assert tally(held)["ci_method"].to_list() == [ONE_ITEM]
    assert tally(corpus({"x": [a], "y": [a]}, kind={"y": "judge_experiment"}))["ci_method"].to_list() == ["wilson"]


def test_repeats_of_items_without_a_name_have_no_interval() -> None:
    nameless, named = judged("ACCEPTED"), judged("REJECTED", item_slug="a")
    rows = {"x": [nameless], "y": [nameless]}
    method = "items without a name"
    held = corpus(rows, variant={"x": "one", "y": "one"}, repeat={"x": 1, "y": 2})
    row = only(tally(held, "variant"))
    assert (row["ci_method"], row["ci_low"], row["ci_high"], row["pass_rate"]) == (method, None, None, 1.0)
    assert tally(corpus(rows))["ci_method"].to_list() == ["wilson"]
    assert tally(held.items)["ci_method"].to_list() == ["wilson"]
    mixed = corpus(rows | {"z": [named, nameless]}, repeat={"x": 1}, variant={"x": "one", "y": "two", "z": "two"})
    assert tally(mixed, "variant")["ci_method"].to_list() == [method, "wilson"]
    assert tally(mixed)["ci_method"].to_list() == [method]


def test_only_eligible_items_without_a_name_take_the_interval() -> None:
    nameless, a = judged("NOT_ASSESSED"), judged("ACCEPTED", item_id="a")
    one = corpus({"x": [nameless, a]}, repeat={"x": 1})
    assert tally(one)["ci_method"].to_list() == ["wilson"]
    assert tally(one, policy="all-items")["ci_method"].to_list() == ["items without a name"]
    assert tally(corpus({"x": [nameless]}, repeat={"x": 1}))["ci_method"].to_list() == [None]
    known = corpus({"x": [judged("REJECTED"), a], "y": [a]}, repeat={"x": 1, "y": 2})
    assert tally(known)["ci_method"].to_list() == ["items without a name"]
    judges = corpus({"x": [judged("REJECTED")], "y": [a]}, repeat={"x": 1}, kind={"x": "judge_experiment"})
    assert tally(judges)["ci_method"].to_list() == ["wilson"]


def test_a_re_evaluation_without_items_replaces_nothing_and_one_of_some_items_the_whole_run() -> None:
    work = [judged("ACCEPTED", item_id="a"), judged("REJECTED", item_id="b")]
    options: Any = {"kind": {"again": "re_evaluation"}, "re_evaluated_from": {"again": "x"}}
    row = only(tally(corpus({"x": work, "again": []}, **options)))
    assert (row["passes"], row["eligible"], row["left_out"]) == (1, 2, 0)
    row = only(tally(corpus({"x": work, "again": work[:1]}, **options)))
    assert (row["passes"], row["eligible"], row["left_out"]) == (1, 1, 2)


def test_what_is_left_out_is_counted_beside_and_nowhere_else() -> None:
    marked = judged("ACCEPTED", "UNDETERMINED", instrument_failure="x", judge_errors=2)
    held = corpus(
        {"x": [marked, marked], "again": [judged("REJECTED")], "judge": [marked, unjudged(success=False)]},
        kind={"again": "re_evaluation", "judge": "judge_experiment"},
        re_evaluated_from={"again": "x"},
    )
    row = only(tally(held))
    assert {name: row[name] for name in COUNTS if row[name]} == {
        "non_passes": 1,
        "eligible": 1,
        "clusters": 1,
        "total": 1,
        "passed_recorded": 1,
        "left_out": 4,
    }
    by_run = tally(held, "run_id").select("run_id", "total", "left_out", "pass_rate").rows()
    assert by_run == [("again", 1, 0, 0.0), ("judge", 0, 2, None), ("x", 0, 2, None)]
    assert only(tally(held.items))["total"] == 5


def test_what_replaces_a_run_is_looked_for_in_the_corpus_at_hand() -> None:
    held = corpus(
        {"x": [judged("ACCEPTED")], "again": [judged("REJECTED")]},
        kind={"again": "re_evaluation"},
        re_evaluated_from={"again": "x"},
    )
    assert only(tally(held))["pass_rate"] == 0.0
    assert only(tally(held.filter(kind="agent")))["pass_rate"] == 1.0
    assert only(tally(held.filter(reading="ACCEPTED")))["pass_rate"] == 1.0


def test_groups_are_sorted_with_null_last() -> None:
    held = corpus(
        {name: [judged("ACCEPTED")] for name in "abcd"}, variant={"a": "b", "b": "a", "d": ""}, repeat={"a": 2}
    )
    assert tally(held, "variant")["variant"].to_list() == ["", "a", "b", None]
    assert tally(held, ["repeat", "variant"]).select("repeat", "variant").rows() == [
        (2, "b"),
        (None, ""),
        (None, "a"),
        (None, None),
    ]


def test_a_policy_of_ones_own_names_itself_in_the_row() -> None:
    own = Policy(name="undecided set aside", undecided=Bucket.SET_ASIDE)
    row = only(tally(items_frame([judged("UNDECIDED"), judged("ACCEPTED")]), policy=own))
    assert (row["set_aside"], row["pass_rate"], row["policy"]) == (1, 1.0, "undecided set aside")
    assert (row["unverified"], row["undecided"]) == (0, 1)


@pytest.mark.parametrize(
    ("evaluations", "passes", "total", "left_out"), [("latest", 2, 2, 2), ("original", 1, 2, 2), ("all", 3, 4, 0)]
)
def test_the_caller_chooses_which_evaluation_of_the_same_work_counts(
    evaluations: str, passes: int, total: int, left_out: int
) -> None:
    held = corpus(
        {"x": [judged("ACCEPTED"), judged("REJECTED")], "again": [judged("ACCEPTED"), judged("ACCEPTED")]},
        kind={"again": "re_evaluation"},
        re_evaluated_from={"again": "x"},
    )
    row = tally(held, evaluations=evaluations).row(0, named=True)
    assert (row["passes"], row["total"], row["left_out"]) == (passes, total, left_out)


def test_intervals_of_a_tally_are_those_of_the_chosen_method_and_say_what_they_are_about() -> None:
    a, b = judged("ACCEPTED", item_id="a"), judged("REJECTED", item_id="b")
    frame = items_frame([a, a, a | {"reading": "REJECTED"}, b, b])
    rows = [
        only(tally(frame, interval=interval, over=over))
        for interval, over in product(["wilson", "clopper-pearson"], ["items", "runs"])
    ]
    assert [(row["ci_method"], row["over"], row["clusters"]) for row in rows] == [
        ("wilson, at the effective sample size", "items", 2),
        ("wilson, at the effective sample size", "runs", 2),
        ("clopper-pearson, at the effective sample size", "items", 2),
        ("clopper-pearson, at the effective sample size", "runs", 2),
    ]
    assert [row["effective_n"] for row in rows[:2]] == [row["effective_n"] for row in rows[2:]]
    for row in rows:
        size = effective_size([2, 0], [3, 2], over=row["over"])
        interval = (wilson if "wilson" in row["ci_method"] else clopper_pearson)(
            0.4 * (size.effective_n or 0), size.effective_n or 0
        )
        assert interval is not None
        assert (row["design_effect"], row["effective_n"]) == (size.design_effect, size.effective_n)
        assert (row["ci_low"], row["ci_high"]) == pytest.approx((interval.low, interval.high))


def test_over_runs_an_item_that_was_tried_once_takes_the_interval() -> None:
    a, b = judged("ACCEPTED", item_id="a"), judged("REJECTED", item_id="b")
    row = only(tally(items_frame([a, a, b]), over="runs"))
    assert (row["ci_method"], row["ci_low"], row["effective_n"]) == (
        "items tried once: no interval over runs",
        None,
        None,
    )
    assert row["clusters"] == 2
