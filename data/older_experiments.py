"""The experiments of the first two eras: `coverage-uplift`, `meta-panel` and `judge-calibration`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from result_files import Run, Task, execution, fixed_uuid, judged_item, thrown_item
from verdict_shapes import (
    CONSENSUS,
    MAJORITY,
    Obj,
    Rule,
    Seats,
    judgment,
    judgment_013,
    jury,
    meta_undecided,
    meta_verdict,
    node_013,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

UPLIFT = "coverage-uplift"
UPLIFT_SESSIONS = ("20260604-081500", "20260611-081500")
UPLIFT_TASKS = tuple(
    Task(f"CU-{number:02d}", slug, number)
    for number, slug in enumerate(("clinic-lite", "shop:orders-api", "ledger-core", "parcel:tracking"), start=1)
)
PANEL_TASKS = tuple(
    Task(f"MP-{number:02d}", slug, number)
    for number, slug in enumerate(
        ("rename:money-type", "split-controller", "drop:dead-flags", "batch:window-size", "upgrade:jdk-25"), start=1
    )
)
CALIBRATION_TASKS = tuple(
    Task(f"JC-{number:02d}", slug, number)
    for number, slug in enumerate(("good:small", "good:large", "weak:no-asserts", "weak:copied", "odd:empty"), start=1)
)


def _yes_no(name: str, status: str, reasoning: str) -> tuple[str, Obj]:
    """A judge of 0.13 that scores with a boolean, false for all but a pass."""
    passed = status == "PASS"
    return name, judgment_013(status, reasoning, {"value": passed}, [(name.partition(":")[0], passed, reasoning)])


def _usefulness(status: str, points: float) -> tuple[str, Obj]:
    reasoning = f"The new tests were worth {points} of 10 points"
    checks = [("asserts-behaviour", points >= 5.0, ""), ("names-the-case", points >= 4.0, "read from the method names")]
    scale = {"value": points, "min": 0.0, "max": 10.0}
    return "tests:usefulness", judgment_013(status, reasoning, scale, checks)


def _gate_013(status: str) -> Seats:
    found = "The build passed" if status == "PASS" else "The build broke in compileTestJava"
    return [
        _yes_no("build:gradle", status, found),
        _yes_no("structure:src/test/java", "PASS", "Test folder present"),
    ]


def _quality_013(outcome: str) -> Seats:
    line = "coverage:line"
    seats: dict[str, Seats] = {
        "pass": [_usefulness("PASS", 7.5), _yes_no(line, "PASS", "Line coverage rose from 41 % to 63 %")],
        "fail": [_usefulness("FAIL", 2.5), _yes_no(line, "FAIL", "Line coverage stayed at 41 %")],
        "abstain": [
            ("tests:usefulness", judgment_013("ABSTAIN", "No new tests to look at", {"value": False})),
            _yes_no(line, "ABSTAIN", "No coverage report was written"),
        ],
        "error": [
            ("tests:usefulness", judgment_013("ERROR", "The model's answer was not JSON", {"value": False})),
            _yes_no(line, "PASS", "Line coverage rose from 41 % to 58 %"),
        ],
    }
    return seats[outcome]


def verdict_013(outcome: str) -> Obj:
    """A cascade of 0.13 whose root repeats its last sub-verdict, for an outcome or `gate` (stopped there)."""
    gate_status = "FAIL" if outcome == "gate" else "PASS"
    spoken = {"pass": "All agreed", "fail": "All disagreed", "abstain": "Nobody took a side", "error": "A judge broke"}
    gate = _gate_013(gate_status)
    gate_root = judgment_013(gate_status, "Gate of two judges, consensus required", {"value": gate_status == "PASS"})
    subs = [node_013(gate_root, gate)]
    if outcome != "gate":
        root = judgment_013(outcome.upper(), spoken[outcome], {"value": outcome == "pass"})
        subs.append(node_013(root, _quality_013(outcome)))
    return {**subs[-1], "subVerdicts": subs}


def _uplift_items(outcomes: str) -> list[Obj]:
    items: list[Obj] = []
    for task, outcome in zip(UPLIFT_TASKS, outcomes.split(), strict=False):
        if outcome == "thrown":
            items.append(thrown_item(task, "java.io.IOException: broken pipe while the agent started"))
            continue
        said = f"Added tests for {task.slug}; branch coverage went up – see the report." if task.number == 1 else ""
        detail = execution(task, said=said) | {"analysis": None, "executionPlan": None}
        detail["metadata"] = {"baselineCoverage": "41.0", "finalCoverage": "63.0", "coverageImprovement": "22.0"}
        items.append(judged_item(task, verdict_013(outcome), passed=outcome == "pass", detail=detail))
    return items


def _uplift_run(when: str, outcomes: str, session: str | None = None, variant: str | None = None) -> Run:
    run_id = fixed_uuid(f"{UPLIFT} {when} {variant}")
    return Run(UPLIFT, run_id, when, "0.5", _uplift_items(outcomes), session=session, variant=variant)


def uplift_runs() -> list[Run]:
    """Two variants in two sessions (a repeat), a run that a re-run overwrote, and a re-evaluation."""
    first, second = UPLIFT_SESSIONS
    runs = [
        _uplift_run("2026-06-04T07:58:41.120334Z", "thrown thrown pass fail"),
        _uplift_run("2026-06-04T08:51:07.402118345Z", "pass gate abstain fail", first, "simple"),
        _uplift_run("2026-06-04T09:32:55.018Z", "pass pass fail thrown", first, "hardened+skills"),
        _uplift_run("2026-06-11T08:47:12.777Z", "pass fail gate error", second, "simple"),
        _uplift_run("2026-06-11T09:29:30.305912Z", "pass pass error fail", second, "hardened+skills"),
    ]
    return [*runs, _re_evaluation(runs[-1])]


def _re_evaluation(original: Run) -> Run:
    rule = Rule("average", threshold=0.6)
    scores = ((0.9, 0.74), (0.7, 0.72), (0.66, 0.62), (0.3, 0.4))
    marks = {"reEvaluated": "true", "systemReinvoked": "false", "reEvaluationJury": "average-of-two"}
    items: list[Obj] = []
    for task, item, pair in zip(UPLIFT_TASKS, original.items, scores, strict=True):
        seats = [
            ("tests:usefulness", judgment("pass" if pair[0] >= 0.6 else "fail", "Read again", score=pair[0])),
            ("coverage:line", judgment("pass" if pair[1] >= 0.6 else "fail", "Taken from the report", score=pair[1])),
        ]
        verdict = jury(seats, rule, "0.14-0.16")
        metadata = {**marks, "originalCostUsd": str(task.cost_usd)}
        passed = verdict["aggregated"]["status"] == "pass"
        items.append(judged_item(task, verdict, passed=passed, detail=item["executionDetail"], metadata=metadata))
    metadata = {
        "reEvaluatedFrom": original.run_id,
        "systemReinvoked": "false",
        "originalTimestamp": original.timestamp,
        "reEvaluationJury": "average-of-two",
    }
    when = "2026-08-21T15:02:09.551Z"
    run_id = fixed_uuid(f"{UPLIFT} {when} re-evaluation")
    return Run(UPLIFT, run_id, when, "0.7", items, metadata=metadata)


def uplift_flat_run() -> Run:
    """A run of 0.1 in the flat layout of that time, with the item key of that time."""
    items = _uplift_items("pass thrown")
    renamed = [
        {"invocationResult" if key == "executionDetail" else key: value for key, value in item.items()}
        for item in items
    ]
    return Run(UPLIFT, "20260317-093012-simple", "2026-03-17T09:41:50Z", "0.1", renamed, variant="simple")


def _member(*judges: tuple[str, str, str]) -> Obj:
    return jury([(name, judgment(status, text)) for name, status, text in judges], CONSENSUS, "0.14-0.16")


def _static(status: str) -> Obj:
    text = "No new findings" if status == "pass" else "Three new findings"
    return _member(("lint/style", status, text), ("deps:licences", status, text))


def _semantic(status: str) -> Obj:
    return _member(("intent:matches", status, "Compared the change with the task text"))


def _reader(status: str) -> Obj:
    return _member(("reader:clarity", status, "Read as a newcomer would"))


def _contradicted_meta() -> Obj:
    members = [("static", _static("pass")), ("semantic", _semantic("pass")), ("reader", _reader("pass"))]
    verdict = meta_verdict(members, MAJORITY, "0.14-0.16")
    aggregated = {**verdict["aggregated"], "status": "fail", "reasoning": "Set to fail after a talk with the team"}
    return {**verdict, "aggregated": aggregated}


def panel_run() -> Run:
    """A stand-alone run of 0.7 with meta juries: passed, failed, tied, a broken member, a contradicting record."""
    votes = (("pass", "pass", "fail"), ("fail", "pass", "fail"), ("pass", "fail", "abstain"))
    verdicts = [
        meta_verdict(
            [("static", _static(a)), ("semantic", _semantic(b)), ("reader", _reader(c))], MAJORITY, "0.14-0.16"
        )
        for a, b, c in votes
    ]
    two = [("static", _static("pass")), ("semantic", _semantic("pass"))]
    verdicts += [meta_undecided(two, "reader", "0.14-0.16"), _contradicted_meta()]
    items = [
        judged_item(task, verdict, passed=verdict["aggregated"]["status"] == "pass")
        for task, verdict in zip(PANEL_TASKS, verdicts, strict=True)
    ]
    when = "2026-08-24T11:20:00.250Z"
    return Run("meta-panel", fixed_uuid(f"meta-panel {when}"), when, "0.7", items, conditions={})


def _calibration_detail(expected: str, given: str) -> Obj:
    label = {"value": "useful" if given == "PASS" else "poor", "allowedValues": ["poor", "fair", "useful"]}
    match = expected == given
    verb = "matches" if match else "misses"
    return {
        "candidateJudgment": judgment_013(given, "Rated by the candidate judge", label),
        "expectedLabel": expected,
        "scorerResult": {"match": match, "score": float(match), "reasoning": f"{given} {verb} the label {expected}"},
    }


def calibration_run() -> Run:
    """A judge experiment: its items ask whether a judge agrees with labels, not whether an agent passed."""
    pairs: Sequence[tuple[str, str]] = (
        ("PASS", "PASS"),
        ("PASS", "PASS"),
        ("FAIL", "PASS"),
        ("FAIL", "FAIL"),
        ("FAIL", "FAIL"),
    )
    items: list[Obj] = []
    for task, (expected, given) in zip(CALIBRATION_TASKS, pairs, strict=True):
        verdict = _semantic("pass") if task.number <= 2 else None
        metadata = {"experimentType": "judge", "expectedLabel": expected}
        detail = _calibration_detail(expected, given)
        items.append(judged_item(task, verdict, passed=expected == given, detail=detail, metadata=metadata))
    metadata = {"experimentType": "judge", "candidateJudge": "tests:usefulness", "scorer": "exact-label"}
    when = "2026-08-19T16:40:31.009Z"
    run_id = fixed_uuid(f"judge-calibration {when}")
    return Run("judge-calibration", run_id, when, "0.7", items, metadata=metadata)
