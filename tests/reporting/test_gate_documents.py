from __future__ import annotations

import json
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verdict_frames.reporting.gate_documents import gates_json, gates_junit
from verdict_frames.reporting.gate_sentences import gate_lines
from verdict_frames.statistics.gates.outcome import GateLine, GateOutcome, settled
from verdict_frames.statistics.vocabulary import GateSubject

MEASUREMENT, AGENT = GateSubject.MEASUREMENT, GateSubject.AGENT


def line(subject: GateSubject, *, held: bool, about: str = "plain", note: str | None = None) -> GateLine:
    return GateLine(
        subject=subject, asked="x >= 1", about=about, value=0.5, held=held, message=f"{about}: x 0.5", note=note
    )


def outcome(measurement: list[GateLine], agent: list[GateLine], *, over: tuple[str, ...] = ()) -> GateOutcome:
    return GateOutcome(lines=settled(measurement, agent), policy="mine", passed_over=over)


HELD = outcome([line(MEASUREMENT, held=True)], [line(AGENT, held=True, about="a"), line(AGENT, held=True, about="b")])
NOT_HELD = outcome(
    [line(MEASUREMENT, held=True)], [line(AGENT, held=False, note="out of reach"), line(AGENT, held=True)]
)
UNFIT = outcome([line(MEASUREMENT, held=False)] * 5, [line(AGENT, held=False)])


def test_lines_say_what_held() -> None:
    noted = outcome([line(MEASUREMENT, held=True, note="few")], [], over=("max_drop",))
    assert gate_lines(HELD) == ["gates held: x >= 1 (each of 3); policy mine"]
    assert gate_lines(noted) == [
        "gates held: x >= 1 (plain); plain: few; not asked, being about comparisons: max_drop; policy mine"
    ]


def test_lines_say_what_failed_and_of_what_nothing_is_known() -> None:
    assert gate_lines(NOT_HELD) == ["gate not held: plain: x 0.5 (out of reach); policy mine"]
    assert gate_lines(UNFIT) == [
        "gate not evaluated: plain: x 0.5; plain: x 0.5; plain: x 0.5; and 2 more; this says nothing about the agent"
    ]


def test_lines_stay_lines_whatever_groups_are_called() -> None:
    (shown,) = gate_lines(outcome([], [line(AGENT, held=False, about="a\n\x1b[31m")]))
    assert shown == "gate not held: a\\n\\x1b[31m: x 0.5; policy mine"


def test_json_holds_every_line_under_stable_names() -> None:
    assert json.loads(gates_json(UNFIT)) == {
        "schema_version": 1,
        "verdict": "not_evaluated",
        "policy": "mine",
        "summary": gate_lines(UNFIT),
        "passed_over": [],
        "gates": [
            {
                "subject": "measurement",
                "asked": "x >= 1",
                "about": "plain",
                "value": 0.5,
                "held": False,
                "message": "plain: x 0.5",
                "note": None,
            }
        ]
        * 5
        + [
            {
                "subject": "agent",
                "asked": "x >= 1",
                "about": "plain",
                "value": None,
                "held": None,
                "message": "plain: x >= 1 not evaluated, because the measurement isn't fit",
                "note": None,
            }
        ],
    }
    assert [json.loads(gates_json(one))["verdict"] for one in (HELD, NOT_HELD)] == ["held", "not_held"]


@pytest.mark.parametrize(
    ("found", "counts", "kinds"),
    [
        (HELD, ("3", "0", "0", "0"), [None, None, None]),
        (NOT_HELD, ("3", "1", "0", "0"), [None, "failure", None]),
        (UNFIT, ("6", "0", "5", "1"), ["error"] * 5 + ["skipped"]),
    ],
)
def test_junit_tells_failures_from_a_measurement_that_is_not_fit(
    found: GateOutcome, counts: tuple[str, ...], kinds: list[str | None]
) -> None:
    root = ET.fromstring(gates_junit(found))
    (suite,) = root
    for element in (root, suite):
        assert tuple(element.attrib[name] for name in ("tests", "failures", "errors", "skipped")) == counts
    assert [None if len(case) == 0 else case[0].tag for case in suite] == kinds
    assert suite[0].attrib == {"classname": "gates.measurement", "name": "plain: x >= 1"}


def test_junit_says_what_failed() -> None:
    (failure,) = ET.fromstring(gates_junit(NOT_HELD)).iter("failure")
    assert failure.attrib["message"] == "plain: x 0.5 (out of reach)"


@given(st.text(st.characters(codec=None, categories=None), max_size=8))
def test_junit_and_json_are_well_formed_whatever_groups_are_called(name: str) -> None:
    found = outcome([], [line(AGENT, held=False, about=f"<{name}\x00\x1b\ud800\ufffe&\"'")])
    (case,) = ET.fromstring(gates_junit(found).encode("utf-8")).iter("testcase")
    assert case.attrib["name"].endswith("\\x00\\x1b\\ud800\\ufffe&\"': x >= 1")
    assert json.loads(gates_json(found).encode("utf-8"))["gates"][0]["held"] is False
