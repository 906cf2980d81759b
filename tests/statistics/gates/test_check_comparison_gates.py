from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.statistics.corpora import Row, corpus, judged, unjudged
from verdict_frames.errors import ArgumentError, OptionError
from verdict_frames.statistics.comparison.compare import compare
from verdict_frames.statistics.gates.check import check_comparison_gates
from verdict_frames.statistics.gates.gates import Gates
from verdict_frames.statistics.vocabulary import GateSubject, GateVerdict

if TYPE_CHECKING:
    from verdict_frames.frames.corpus import Corpus
    from verdict_frames.statistics.gates.outcome import GateLine, GateOutcome


def tried(readings: str) -> list[Row]:
    """Items a, b, c, … by letter: A accepted, R rejected, N not assessed, F agent failed."""
    words = {"A": "ACCEPTED", "R": "REJECTED", "N": "NOT_ASSESSED"}
    return [
        unjudged(success=False, item_id=f"i{place}") if one == "F" else judged(words[one], item_id=f"i{place}")
        for place, one in enumerate(readings)
    ]


def variants(**readings: str) -> Corpus:
    return corpus(
        {name: tried(letters) for name, letters in readings.items()}, variant={name: name for name in readings}
    )


def outcome(held: Corpus, **asked: Any) -> GateOutcome:
    return check_comparison_gates(compare(held, by="variant", baseline="old"), Gates.from_dict(asked), held)


def of_agent(found: GateOutcome) -> list[GateLine]:
    return [line for line in found.lines if line.subject is GateSubject.AGENT]


def test_regressions_are_counted_by_treatment() -> None:
    found = of_agent(outcome(variants(old="AAAAR", new="ARRNA", other="AAAAR"), max_regressions=1))
    assert [(line.about, line.value, line.held) for line in found] == [
        ("new against old", 2, False),
        ("other against old", 0, True),
    ]
    assert found[0].message == (
        "new against old: 2 of 4 items passed less often (1 more can't be compared), at most 1 asked for"
    )


def test_without_pairs_nothing_is_held() -> None:
    found = of_agent(outcome(variants(old="NN", new="AA"), max_regressions=5, max_drop=1))
    assert [(line.value, line.held) for line in found] == [(None, False), (None, False)]
    assert all("no difference (no item counts on both sides)" in line.message for line in found)


def test_a_drop_fails_only_where_chance_cannot_explain_it() -> None:
    (flaky,) = of_agent(outcome(variants(old="A" * 20, new="A" * 17 + "RRR"), max_drop=0.05))
    assert (flaky.value, flaky.held) == (-0.15, True)
    (real,) = of_agent(outcome(variants(old="A" * 20, new="A" * 10 + "R" * 10), max_drop=0.05))
    assert (real.value, real.held) == (-0.5, False)
    assert (
        "difference -0.5 (n = 20), at best -0.19, a drop of 0.05 at most asked for (one-sided, alpha 0.05)"
        in real.message
    )


def test_alpha_is_shared_among_comparisons() -> None:
    one = variants(old="A" * 20, new="A" * 13 + "R" * 7)
    two = variants(old="A" * 20, new="A" * 13 + "R" * 7, same="A" * 20)
    (alone,) = of_agent(outcome(one, max_drop=0.05))
    beside, _ = of_agent(outcome(two, max_drop=0.05))
    assert (alone.held, beside.held) == (False, True)
    (stricter,) = of_agent(outcome(one, max_drop=0.05, alpha=0.025))
    assert stricter.message == beside.message


def test_too_few_items_to_show_a_drop_are_told() -> None:
    (line,) = of_agent(outcome(variants(old="AAA", new="RRR"), max_drop=0.05))
    assert line.held is True
    assert line.note == "too few to show a greater one, even if all were lost: 3 of the 6 items that it takes"
    (never,) = of_agent(outcome(variants(old="AAA", new="RRR"), max_drop=1))
    assert never.note == "no number of items could show a greater one"


def test_the_agent_is_the_treatment_and_the_measurement_both() -> None:
    found = outcome(variants(old="RRRN", new="AAAR", unused="AAAA"), require="pass_rate>=0.5", max={"not_assessed": 1})
    assert [line.about for line in found.lines if line.asked.startswith("not_assessed")] == ["new", "old", "unused"]
    assert [line.about for line in of_agent(found)] == ["new", "unused"]
    assert found.verdict is GateVerdict.HELD
    broken = outcome(variants(old="RRRN", new="AAAR"), require="pass_rate>=0.9", max={"not_assessed": 0})
    assert broken.verdict is GateVerdict.NOT_EVALUATED
    assert [line.held for line in of_agent(broken)] == [None]


def test_only_the_sides_are_asked_about() -> None:
    held = variants(old="AA", new="AA", broken="NN")
    compared = compare(held, by="variant", baseline="old", treatment="new")
    found = check_comparison_gates(compared, Gates.from_dict({"max": ["not_assessed=0"]}), held)
    assert [line.about for line in found.lines[1:]] == ["new", "old"]


def test_groups_are_called_by_their_values_and_their_side() -> None:
    runs = {f"{name}-{set_}": tried("AA") for name in ("old", "new") for set_ in ("x", "y")}
    held = corpus(runs, variant={run: run[:3] for run in runs}, experiment_name={run: run[-1] for run in runs})
    compared = compare(held, by="variant", baseline="old", within="experiment_name")
    gates = Gates.from_dict({"expect_groups": "x/new,y/old", "max_regressions": 0, "max_drop": 0.1})
    found = check_comparison_gates(compared, gates, held)
    assert found.verdict is GateVerdict.HELD
    assert [line.about for line in of_agent(found)] == ["x · new against old"] * 2 + ["y · new against old"] * 2


def test_two_corpora_are_before_and_after() -> None:
    before, after = corpus({"b": tried("AAA")}), corpus({"a": tried("ARN")})
    compared = compare(before, after)
    gates = Gates.from_dict(
        {"max": ["not_assessed=1"], "require": "passes>=1", "max_regressions": 0, "expect_groups": "before"}
    )
    found = check_comparison_gates(compared, gates, before, after)
    assert [(line.about, line.held) for line in found.lines] == [
        ("everything", True),
        ("before", True),
        ("before", True),
        ("after", True),
        ("after", True),
        ("after against before", False),
    ]
    judges = check_comparison_gates(compared, Gates.from_dict({"max_judge_error_rate": 0}), before, after)
    assert [line.about for line in judges.failed()] == ["before: judges", "after: judges"]


def test_the_agents_failures_are_lost_not_regressions() -> None:
    (line,) = of_agent(outcome(variants(old="AAA", new="AFF"), max_regressions=0))
    assert (line.value, line.held) == (0, True)
    (other,) = of_agent(outcome(variants(old="AAA", new="AFF"), require="agent_failed<=1"))
    assert other.held is False


def test_wrong_calls_say_what_is_needed() -> None:
    held = variants(old="A", new="A")
    compared = compare(held, by="variant", baseline="old")
    wrong: Any = held
    with pytest.raises(ArgumentError, match="a comparison, as compare returns it"):
        check_comparison_gates(wrong, Gates(), held)
    with pytest.raises(ArgumentError, match="made of 1 corpus, and 0 are given"):
        check_comparison_gates(compared, Gates())
    wrong = held.items
    with pytest.raises(ArgumentError, match="a corpus, as read_results"):
        check_comparison_gates(compared, Gates(), wrong)
    with pytest.raises(OptionError, match=r"counts by agent-judge-0\.17, not by all-items"):
        check_comparison_gates(compared, Gates(), held, policy="all-items")
