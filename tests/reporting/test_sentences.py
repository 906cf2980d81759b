from __future__ import annotations

from typing import Any

import pytest

from verdict_frames.reporting.sentences import mixtures, quotable

ROW: dict[str, Any] = {
    "passes": 31,
    "eligible": 40,
    "pass_rate": 0.775,
    "ci_low": 0.6250,
    "ci_high": 0.8768,
    "ci_method": "wilson",
    "over": "items",
    "clusters": 40,
    "confidence_level": 0.95,
    "rate_note": None,
    "total": 50,
    "excluded": 0,
    "instrument_failures": 5,
    "unattestable": 1,
    "set_aside": 0,
    "agent_failed": 4,
    "unjudged": 0,
    "undecided": 0,
    "passed_recorded": 50,
    "naive_passes": 31,
    "naive_rate": 0.62,
    "left_out": 0,
    "policy": "agent-judge-0.17",
}


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {},
            "31 accepted of 40 eligible (77.5 %, 95 % interval 62–88 %); left out: 5 not assessed, 1 contradictory or"
            " without a reading; agent failed before judging: 4 (end to end 31 of 44); recorded as passed: 31 of 50"
            " (62.0 %); policy agent-judge-0.17",
        ),
        (
            {
                **dict.fromkeys(("passes", "eligible", "agent_failed", "instrument_failures", "unattestable"), 0),
                **dict.fromkeys(("pass_rate", "ci_low", "naive_rate")),
                **dict.fromkeys(("passed_recorded", "naive_passes", "total"), 0),
                "rate_note": "no items eligible for the denominator",
            },
            "0 accepted of 0 eligible (no rate: no items eligible for the denominator); left out: nothing;"
            " whether items passed is not recorded; policy agent-judge-0.17",
        ),
        (
            {
                "ci_low": None,
                "ci_method": "items without a name",
                "clusters": None,
                "excluded": 2,
                "set_aside": 3,
                "unjudged": 1,
                "left_out": 9,
            },
            "31 accepted of 40 eligible (77.5 %, no interval: items without a name); left out: 5 not assessed, 2"
            " excluded, 1 contradictory or without a reading, 3 set aside, 1 never judged; agent failed before judging:"
            " 4 (end to end 31 of 44); recorded as passed: 31 of 50 (62.0 %);"
            " not in these numbers: 9 items of judge experiments or judged again later; policy agent-judge-0.17",
        ),
        (
            {"clusters": 8},
            "31 accepted of 40 eligible (77.5 %, 95 % interval 62–88 % over 8 items); left out: 5 not assessed, 1"
            " contradictory or without a reading; agent failed before judging: 4 (end to end 31 of 44); recorded as"
            " passed: 31 of 50 (62.0 %); policy agent-judge-0.17",
        ),
        (
            {"over": "runs", "clusters": 1},
            "31 accepted of 40 eligible (77.5 %, 95 % interval 62–88 % over runs of 1 item); left out: 5 not assessed,"
            " 1 contradictory or without a reading; agent failed before judging: 4 (end to end 31 of 44); recorded as"
            " passed: 31 of 50 (62.0 %); policy agent-judge-0.17",
        ),
        (
            {
                "undecided": 6,
                "passed_recorded": 46,
                "pass_rate": 1.0,
                "ci_low": 0.991,
                "ci_high": 1.0,
                "confidence_level": 0.999,
                "policy": "a\x1bb",
            },
            "31 accepted of 40 eligible, 6 of them undecided (100.0 %, 99.9 %"
            " interval 99–100 %); left out: 5 not assessed, 1 contradictory"
            " or without a reading; agent failed before judging: 4 (end to end 31 of 44); recorded as passed:"
            " 31 of 50 (62.0 %), 4 of them recorded as neither; policy a\\x1bb",
        ),
    ],
)
def test_sentence_carries_the_rate_and_everything_beside_it(changes: dict[str, Any], sentence: str) -> None:
    assert quotable(ROW | changes) == sentence


def test_each_group_of_unlike_runs_is_a_sentence() -> None:
    rows: list[dict[str, Any]] = [
        {"variant": "simple", "model": None, "notes": ["2 instruments", "2 dataset versions"]},
        {"variant": "rich\x1b", "model": "m", "notes": ["2 instruments"]},
        {"variant": "alike", "model": "m", "notes": []},
    ]
    assert mixtures(rows, ["variant", "model"]) == [
        "simple / (not recorded) mixes 2 instruments; 2 dataset versions",
        "rich\\x1b / m mixes 2 instruments",
    ]
    assert mixtures(rows[1:], []) == ["everything mixes 2 instruments"]
    assert mixtures(rows, ["model"], most=1)[1:] == ["… and 1 more groups mix runs (see `notes`)"]
