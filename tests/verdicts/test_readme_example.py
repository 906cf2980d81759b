from __future__ import annotations

import json
import re

import pytest

from verdict_frames.interpretation.reader import interpret
from verdict_frames.interpretation.stored_form import to_json
from verdict_frames.verdicts.judgments import Judgment, RecordedCheck
from verdict_frames.verdicts.reduction import reduce_judgments
from verdict_frames.verdicts.stored import to_stored
from verdict_frames.verdicts.verdict import CompositeAttempt, Verdict
from verdict_frames.vocabulary import Reading, Support


def is_code(answer: str) -> Judgment:
    """A gate: the answer must be Python at all."""
    try:
        compile(answer, "answer", "exec")
    except SyntaxError as error:
        return Judgment(status="fail", reasoning=f"no Python: {error.msg}")
    return Judgment(status="pass", reasoning="it compiles")


def has_docstring(answer: str) -> Judgment:
    checks = [RecordedCheck(name="docstring", passed='"""' in answer)]
    return Judgment(status="pass" if checks[0].passed else "fail", checks=tuple(checks))


def is_short(answer: str) -> Judgment:
    lines = len(answer.splitlines())
    return Judgment(status="pass" if lines <= 20 else "fail", score=min(1.0, 20 / lines), reasoning=f"{lines} lines")


def has_types(answer: str) -> Judgment:
    if "def " not in answer:
        return Judgment(status="abstain", reasoning="no function to look at")
    return Judgment(status="pass" if re.search(r"\) ->", answer) else "fail")


def judge(answer: str) -> Verdict:
    """A cascade: who fails the gate is out; for the others three judges vote."""
    gate = {"is_code": is_code(answer)}
    quick = Verdict.of(gate, reduce_judgments(gate.values(), "allMustPass"))
    tiers = [CompositeAttempt(name="gate", policy="REJECT_ON_ANY_FAIL", verdict=quick)]
    if quick.aggregated.status == "fail":
        return Verdict.adopting("gate", tiers)
    votes = {each.__name__: each(answer) for each in (has_docstring, is_short, has_types)}
    jury = Verdict.of(votes, reduce_judgments(votes.values(), "majority"))
    tiers.append(CompositeAttempt(name="style", policy="FINAL_TIER", verdict=jury))
    return Verdict.adopting("style", tiers)


@pytest.mark.parametrize(
    ("answer", "reading", "stage", "words"),
    [
        ("def f() -> int:\n    return 1\n", Reading.ACCEPTED, "style", "majority: 2 passed and 1 failed of 3 judges"),
        ("def f(:\n", Reading.REJECTED, "gate", "allMustPass: 0 passed and 1 failed of 1 judge"),
        ("x = 1\n", Reading.UNDECIDED, "style", "majority: 1 passed and 1 failed of 3 judges"),
        ("x = 1\n" * 21, Reading.REJECTED, "style", "majority: 0 passed and 2 failed of 3 judges"),
    ],
)
def test_three_judges_a_majority_and_a_cascade(answer: str, reading: Reading, stage: str, words: str) -> None:
    live = judge(answer)
    interpretation = interpret(live)
    assert (interpretation.reading, interpretation.reading_support) == (reading, Support.SUPPORTED)
    assert interpretation.defects == ()
    assert interpretation.decided_by is not None
    assert interpretation.decided_by.path == (stage,)
    assert interpretation.root.reasoning == words
    stored = json.dumps(to_stored(live))
    assert to_json(interpret(json.loads(stored))) == to_json(interpretation)
