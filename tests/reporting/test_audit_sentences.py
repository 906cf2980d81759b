from __future__ import annotations

from tests.statistics.corpora import corpus, judged, unjudged
from verdict_frames.frames.corpus import concat
from verdict_frames.reporting.audit_sentences import quotable_audit
from verdict_frames.statistics.audit.audits import audit


def test_the_difference_is_told_cause_by_cause_and_the_sums_are_written_out() -> None:
    rows = [
        *[judged("ACCEPTED")] * 12,
        *[judged("REJECTED")] * 7,
        *[judged("NOT_ASSESSED")] * 14,
        *[judged("UNDECIDED")] * 6,
    ]
    assert quotable_audit(audit(corpus({"run": rows}, stored_pass_rate={"run": 12 / 39}))) == [
        "39 items recorded: 12 as passed (30.8 %), 27 as not passed; accepted: 12 of 25 eligible (48.0 %); "
        "policy agent-judge-0.17",
        "20 had a jury that errored (14) or abstained (6) and were recorded as not passed",
        "denominator: 39 recorded - 14 jury errored = 25 eligible",
        "numerator: 12 recorded as passed = 12 accepted",
        "1 run states a pass rate: in 1 it is items recorded as passed, of all items",
    ]


def test_items_recorded_as_passed_or_as_neither_are_told_apart() -> None:
    rows = [
        judged("ACCEPTED"),
        judged("ACCEPTED", passed=False),
        judged("REJECTED", passed=True),
        judged("NOT_ASSESSED", passed=True),
        judged("NOT_ASSESSED"),
        judged("NOT_APPLICABLE", passed=None),
        judged("ACCEPTED", passed=None),
        unjudged(success=False),
    ]
    made = corpus(
        {"run": rows, "bare": [judged("ACCEPTED", passed=None)], "judges": [judged("ACCEPTED")] * 2},
        kind={"judges": "judge_experiment"},
    )
    assert quotable_audit(audit(made)) == [
        "8 items recorded: 3 as passed (37.5 %), 3 as not passed, 2 as neither; accepted: 3 of 4 eligible (75.0 %); "
        "not in these numbers: 1 item of runs that recorded nothing about passing, "
        "2 items of judge experiments or judged again later; policy agent-judge-0.17",
        "1 had a jury that errored and was recorded as not passed",
        "recorded as not passed beside these: 2 (1 agent failed, 1 accepted)",
        "recorded as neither: 2 (1 not applicable, 1 accepted)",
        "recorded as passed, but not counted so: 2 (1 jury errored, 1 rejected)",
        "denominator: 8 recorded - 1 agent failed - 2 jury errored - 1 not applicable = 4 eligible",
        "numerator: 3 recorded as passed - 1 jury errored - 1 rejected + 2 accepted = 3 accepted",
    ]


def test_groups_are_added_up() -> None:
    made = corpus(
        {"x": [judged("ACCEPTED"), judged("NOT_ASSESSED")], "y": [judged("NOT_ASSESSED")]},
        variant={"x": "a", "y": "b"},
    )
    assert quotable_audit(audit(made, "variant")) == quotable_audit(audit(made))


def test_what_no_way_of_counting_gives_is_named() -> None:
    made = corpus(
        {name: [judged("ACCEPTED"), judged("REJECTED")] for name in "abcdefgh"},
        stored_pass_rate={"a": 0.5} | dict.fromkeys("bcdefg", 0.3),
        stored_passes={"h": 1},
        stored_non_passes={"h": 2},
    )
    assert quotable_audit(audit(made))[-2:] == [
        "7 runs state a pass rate: in 1 it is items recorded as passed, of all items; "
        "in 6 no way of counting here gives the same (b, c, d, e, f and 1 more)",
        "1 run states counts: in 1 no way of counting here gives the same (h)",
    ]


def test_where_nothing_was_recorded_it_says_so_and_claims_nothing() -> None:
    assert quotable_audit(audit(concat([]))) == [
        "nothing to audit: no counted item is of a run that recorded whether items passed"
    ]
    bare = corpus({"run": [judged("NOT_ASSESSED", passed=None)] * 2})
    assert quotable_audit(audit(bare)) == [
        "nothing to audit: no counted item is of a run that recorded whether items passed; "
        "not in these numbers: 2 items of runs that recorded nothing about passing"
    ]


def test_without_an_eligible_item_there_is_no_rate() -> None:
    made = corpus({"run": [judged("NOT_APPLICABLE", passed=None)]}, stored_excluded={"run": 1})
    assert quotable_audit(audit(made)) == [
        "1 item recorded: 0 as passed (0.0 %), 0 as not passed, 1 as neither; accepted: 0 of 0 eligible (no rate); "
        "policy agent-judge-0.17",
        "recorded as neither: 1 (1 not applicable)",
        "denominator: 1 recorded - 1 not applicable = 0 eligible",
        "numerator: 0 recorded as passed = 0 accepted",
        "1 run states counts: in 1 they are those of agent-experiment-0.9",
    ]


def test_names_of_others_can_not_move_a_cursor() -> None:
    made = corpus({"\x1b[31m": [judged("ACCEPTED")]}, stored_pass_rate={"\x1b[31m": 0.9})
    assert r"(\x1b[31m)" in quotable_audit(audit(made))[-1]
