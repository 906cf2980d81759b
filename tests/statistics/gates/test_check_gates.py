from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.statistics.corpora import Row, corpus, judged, unjudged
from verdict_frames.errors import ArgumentError, ColumnError, OptionError
from verdict_frames.frames.in_memory import from_records
from verdict_frames.statistics.gates.check import check_gates
from verdict_frames.statistics.gates.gates import Gates
from verdict_frames.statistics.vocabulary import GateSubject, GateVerdict

if TYPE_CHECKING:
    from verdict_frames.frames.corpus import Corpus
    from verdict_frames.statistics.gates.outcome import GateLine


def rows(accepted: int, rejected: int, not_assessed: int = 0) -> list[Row]:
    readings = ["ACCEPTED"] * accepted + ["REJECTED"] * rejected + ["NOT_ASSESSED"] * not_assessed
    return [judged(reading, item_id=f"i{place}") for place, reading in enumerate(readings)]


def two_variants() -> Corpus:
    """`good`: 8 of 10 accepted; `poor`: 3 of 6 accepted, 2 not assessed."""
    return corpus({"g": rows(8, 2), "p": rows(3, 3, 2)}, variant={"g": "good", "p": "poor"})


def lines(held: Corpus, by: str | None = "variant", **asked: Any) -> tuple[GateLine, ...]:
    return check_gates(held, Gates.from_dict(asked), by).lines[1:]


def test_each_group_has_a_line_for_each_requirement() -> None:
    found = lines(two_variants(), require=["pass_rate>=0.8", "passes>=3"])
    assert [(line.about, line.asked, line.value, line.held) for line in found] == [
        ("good", "pass_rate >= 0.8", 0.8, True),
        ("poor", "pass_rate >= 0.8", 0.5, False),
        ("good", "passes >= 3", 8, True),
        ("poor", "passes >= 3", 3, True),
    ]
    assert found[1].message == "poor: pass_rate 0.5 (3 of 6 eligible), >= 0.8 asked for"
    assert {line.subject for line in found} == {GateSubject.AGENT}


@pytest.mark.parametrize(
    ("policy", "value"), [("agent-judge-0.17", 0.25), ("agent-experiment-0.9", 0.25), ("all-items", 0.25)]
)
def test_a_limit_on_what_was_not_assessed_means_the_same_under_every_policy(policy: str, value: float) -> None:
    gates = Gates.from_dict({"max": {"not_assessed_rate": 0.05, "not_assessed": 2}})
    found = check_gates(two_variants(), gates, "variant", policy=policy).lines[1:]
    assert [(line.about, line.value, line.held) for line in found] == [
        ("good", 0.0, True),
        ("poor", value, False),
        ("good", 0, True),
        ("poor", 2, True),
    ]
    assert found[1].message == "poor: not_assessed_rate 0.25 (2 of 8), at most 0.05 asked for"


def test_a_limit_holds_at_just_its_value() -> None:
    held = corpus({"r": rows(19, 0, 1)})
    (line,) = lines(held, None, max={"not_assessed_rate": 0.05})
    assert (line.value, line.held) == (0.05, True)


def test_groups_are_expected_by_label() -> None:
    found = lines(two_variants(), expect_groups="good,better")
    assert [(line.about, line.value, line.held) for line in found] == [("good", 10, True), ("better", 0, False)]
    assert found[1].message == "no items of the group better; the groups are good, poor"


def test_a_group_of_several_columns_is_called_by_both() -> None:
    held = corpus({"a": rows(1, 0), "b": rows(1, 0)}, variant={"a": "x", "b": "x"}, repeat={"a": 1})
    gates = Gates.from_dict({"expect_groups": ["x · 1", "x/1", "x/(not recorded)", "x/2"]})
    outcome = check_gates(held, gates, ["variant", "repeat"])
    assert [line.held for line in outcome.lines[1:]] == [True, True, True, False]


def test_a_group_without_items_is_not_there() -> None:
    held = corpus({"a": rows(1, 0), "b": []}, variant={"a": "x", "b": "y"})
    (line,) = lines(held, expect_groups=["y"])
    assert line.held is False
    (limited,) = (line for line in lines(held, max={"unjudged_rate": 0}) if line.about == "y")
    assert (limited.value, limited.held) == (None, False)


def test_different_items_are_expected_however_often_each_was_tried() -> None:
    again = [judged("ACCEPTED", item_id="a"), judged("NOT_ASSESSED", item_id="a"), unjudged(success=None, item_id="b")]
    held = corpus({"r": [*again, judged("REJECTED", item_slug="c"), judged("REJECTED"), judged("REJECTED")]})
    assert [line.value for line in lines(held, None, expect_items=5)] == [5]
    assert [line.held for line in lines(held, None, expect_items=5)] == [True]
    assert [line.held for line in lines(held, None, expect_items=6)] == [False]


def test_problems_are_counted() -> None:
    from_files = from_records([{"aggregated": {"status": "pass"}}])
    assert [line.held for line in lines(from_files, None, max_problems=0)] == [True]


def test_each_judge_is_held_by_its_own_error_rate() -> None:
    said = {"build": "pass pass pass error", "style": "error error pass pass"}
    records = [
        {
            "aggregated": {"status": "pass"},
            "individualByName": {name: {"status": statuses.split()[place]} for name, statuses in said.items()},
        }
        for place in range(4)
    ]
    found = lines(from_records(records), None, max_judge_error_rate=0.25)
    assert [(line.about, line.value, line.held) for line in found] == [
        ("judge build", 0.25, True),
        ("judge style", 0.5, False),
    ]
    assert found[1].message == "judge style errored in 2 of 4 (0.5), at most 0.25 asked for"


def test_without_judges_there_is_no_error_rate() -> None:
    (line,) = lines(corpus({"r": rows(1, 0)}), None, max_judge_error_rate=1)
    assert (line.value, line.held) == (None, False)


def test_the_agent_is_not_evaluated_where_the_measurement_is_not_fit() -> None:
    gates = Gates.from_dict({"max": ["not_assessed_rate=0"], "require": ["pass_rate>=0.9"]})
    outcome = check_gates(two_variants(), gates, "variant")
    assert outcome.verdict is GateVerdict.NOT_EVALUATED
    assert [(line.subject.value, line.held) for line in outcome.lines] == [
        ("measurement", True),
        ("measurement", True),
        ("measurement", False),
        ("agent", None),
        ("agent", None),
    ]
    assert all(line.value is None for line in outcome.lines if line.subject is GateSubject.AGENT)
    assert [line.about for line in outcome.failed()] == ["poor"]


def test_the_verdict_goes_by_the_lines() -> None:
    held = two_variants()
    assert check_gates(held, Gates.from_dict({"require": "pass_rate>=0.5"}), "variant").verdict is GateVerdict.HELD
    failed = check_gates(held, Gates.from_dict({"require": "pass_rate>=0.6"}), "variant")
    assert failed.verdict is GateVerdict.NOT_HELD
    assert [line.about for line in failed.failed()] == ["poor"]
    assert failed.policy == "agent-judge-0.17"


@pytest.mark.parametrize(
    ("items", "name", "reason"),
    [
        ([judged("NOT_ASSESSED")], "pass_rate", "no items eligible for the denominator"),
        ([judged("NOT_ASSESSED")], "ci_low", "no items eligible for the denominator"),
        ([judged("NOT_ASSESSED")], "end_to_end_rate", "none on which the agent failed"),
        ([judged("ACCEPTED", item_id="a"), judged("ACCEPTED", item_id="a")], "ci_low", "one item: no interval"),
        ([judged("ACCEPTED", passed=None)], "naive_rate", "not recorded"),
    ],
)
def test_a_null_rate_satisfies_nothing(items: list[Row], name: str, reason: str) -> None:
    for sign in (">=", "<="):
        (line,) = lines(corpus({"r": items}), None, require=f"{name}{sign}{0 if sign == '>=' else 1}")
        assert (line.value, line.held) == (None, False)
        assert f"no {name} (" in line.message
        assert reason in line.message


@pytest.mark.parametrize(
    "held", [corpus({}), corpus({"r": []}), from_records([])], ids=["nothing", "a run", "no records"]
)
def test_where_nothing_counts_nothing_is_evaluated(held: Corpus) -> None:
    outcome = check_gates(held, Gates.from_dict({"require": "pass_rate>=0", "expect_items": 0}))
    assert outcome.verdict is GateVerdict.NOT_EVALUATED
    assert outcome.failed()[0].message == "no item counts"
    by_group = check_gates(held, Gates.from_dict({"require": "pass_rate>=0"}), "variant")
    assert by_group.verdict is GateVerdict.NOT_EVALUATED


@pytest.mark.parametrize("name", ["naive_rate", "end_to_end_rate", "agent_failed", "total", "ci_high"])
def test_what_was_found_is_said_with_its_parts(name: str) -> None:
    items = [*rows(2, 1), unjudged(success=False)]
    (line,) = lines(corpus({"r": items}), None, require=f"{name}>=0")
    shown = {
        "naive_rate": "naive_rate 0.5 (2 of 4)",
        "end_to_end_rate": "end_to_end_rate 0.5 (2 of 4)",
        "agent_failed": "agent_failed 1,",
        "total": "total 4,",
        "ci_high": "(2 of 3 eligible)",
    }
    assert shown[name] in line.message


def test_gates_about_comparisons_are_passed_over_and_named() -> None:
    outcome = check_gates(two_variants(), Gates.from_dict({"max_drop": 0.1, "max_regressions": 0}))
    assert (outcome.verdict, outcome.passed_over) == (GateVerdict.HELD, ("max_regressions", "max_drop"))


def test_the_counts_go_by_the_options() -> None:
    gates = Gates.from_dict({"require": "ci_low>=0.5"})
    narrow = check_gates(two_variants(), gates, "variant", level=0.5).lines[1]
    wide = check_gates(two_variants(), gates, "variant", level=0.99, interval="clopper-pearson").lines[1]
    assert narrow.held is True
    assert wide.held is False


def test_wrong_calls_say_what_is_needed() -> None:
    wrong: Any = {"require": "pass_rate>=0.8"}
    with pytest.raises(ArgumentError, match=r"gates, as Gates\.from_dict"):
        check_gates(two_variants(), wrong)
    wrong = two_variants().items
    with pytest.raises(ArgumentError, match="a corpus, as read_results"):
        check_gates(wrong, Gates())
    with pytest.raises(ColumnError, match="flavour"):
        check_gates(two_variants(), Gates(), "flavour")
    with pytest.raises(OptionError, match="mine"):
        check_gates(two_variants(), Gates(), policy="mine")
