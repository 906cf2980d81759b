from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.review.packs import boolean, choice, judged, pack_of, score, scored, selected
from verdict_frames.review.checking import check_answer, check_result

QUESTIONS = pack_of(
    queue=choice(), urgency=score(), refund=boolean(), free=choice(options=None), open=score(levels=None)
).questions
QUEUE, URGENCY, REFUND, FREE, OPEN = QUESTIONS
EVEN = {"billing": 0.5, "technical": 0.25, "other": 0.25}


def chosen(option: Any, **probabilities: Any) -> dict[str, Any]:
    return {"type": "choice", "choice": option, "probabilities": probabilities}


def levels(*probabilities: float) -> dict[str, float]:
    return {str(level): probability for level, probability in enumerate(probabilities)}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (QUEUE, chosen("billing", **EVEN)),
        (QUEUE, chosen("billing", other=0, technical=0, billing=1)),
        (QUEUE, chosen("billing", billing=0.5, technical=0.5, other=0)),
        (QUEUE, chosen("billing", billing=0.335, technical=0.33, other=0.33)),
        (QUEUE, {"type": "choice", "choice": "billing"}),
        (URGENCY, scored(1.5, probabilities=levels(0, 0.5, 0.5, 0))),
        (URGENCY, scored(1.09, probabilities=levels(0, 0.9, 0.1, 0))),
        (URGENCY, scored(3)),
        (REFUND, judged(0)),
        (REFUND, judged(1, confidence=3, probabilities=[])),
        (FREE, chosen("sales", sales=1)),
        (OPEN, scored(7.5)),
        (OPEN, scored(1, probabilities=levels(0.5, 0, 0.5))),
    ],
)
def test_what_is_as_it_should_be_has_no_finding(question: Any, answer: Any) -> None:
    assert check_answer(question, answer) == []


@pytest.mark.parametrize(
    ("question", "answer", "faults", "message"),
    [
        (REFUND, None, "wrong_type", "the answer is null instead of boolean"),
        (REFUND, selected(1), "wrong_type", 'of type the text "choice" instead of boolean'),
        (REFUND, {"type": "noul", "noul": 1}, "wrong_type", '"noul"'),
        (REFUND, {"type": "boolean"}, "bad_value", "probability is absent"),
        (REFUND, judged(None), "bad_value", "probability is null"),
        (REFUND, judged(math.nan), "bad_value", "probability is NaN"),
        (REFUND, judged(1.2), "out_of_range", "the number 1.2, which is out of range"),
        (URGENCY, scored("2"), "bad_value", 'score is the text "2"'),
        (URGENCY, scored(3.5), "out_of_range", "score is the number 3.5"),
        (URGENCY, scored(10**400), "out_of_range", "a number beyond 40 digits"),
        (URGENCY, scored(1, probabilities=levels(0, 0.5, 0.5, 0)), "not_mean", "score is 1, but"),
        (URGENCY, scored(1, probabilities=levels(0, 1, 0)), "wrong_keys", 'lacks the text "3"'),
        (URGENCY, scored(1, probabilities=[0, 1]), "bad_distribution", "an array instead of an object"),
        (URGENCY, scored(1, probabilities=None), "bad_distribution", "null instead of an object"),
        (QUEUE, {"type": "choice"}, "bad_value", "choice is absent"),
        (QUEUE, chosen("", **EVEN), "unknown_option", 'choice is the text "", which is no option'),
        (QUEUE, chosen("sales", **EVEN), "unknown_option", '"sales", which is no option'),
        (QUEUE, chosen("billing", billing=1), "wrong_keys", 'lacks the text "technical", the text "other"'),
        (QUEUE, chosen("billing", **EVEN, x=0), "wrong_keys", 'has the unknown the text "x"'),
        (QUEUE, chosen("billing", billing=1, x=0), "wrong_keys", "lacks"),
        (QUEUE, chosen("other", **EVEN), "not_maximum", '"other" has 0.25, but another option has 0.5'),
        (QUEUE, chosen("billing", billing=1, technical="0", other=0), "bad_probability", '"technical" is the text "0"'),
        (QUEUE, chosen("billing", billing=1, technical=True, other=0), "bad_probability", "the boolean true"),
        (QUEUE, chosen("billing", billing=1.5, technical=0, other=0), "bad_probability", "the number 1.5"),
        (QUEUE, chosen("billing", billing=0.98, technical=0, other=0), "wrong_sum", "sum to 0.98"),
        (QUEUE, chosen("billing"), "wrong_keys wrong_sum", ""),
        (FREE, chosen("sales", billing=1), "wrong_keys", 'lacks the text "sales"'),
    ],
)
def test_findings(question: Any, answer: Any, faults: str, message: str) -> None:
    findings = check_answer(question, answer)
    assert [finding.fault.value for finding in findings] == faults.split()
    assert message in findings[0].message
    assert {finding.question_id for finding in findings} == {question.id}


@pytest.mark.parametrize("count", [2, 3, 10, 19, 21, 200])
def test_the_tolerance_of_a_sum_grows_with_the_options_up_to_a_tenth(count: int) -> None:
    allowed = min(0.1, 1e-6 + count * 0.005)
    names = [f"o{index}" for index in range(count)]
    (question,) = pack_of(q=choice(options=tuple(names))).questions

    def findings(total: float) -> list[str]:
        answer = chosen("o0", **dict.fromkeys(names, 0.0) | {"o0": total})
        return [finding.fault.value for finding in check_answer(question, answer)]

    assert findings(1 - allowed + 1e-9) == []
    assert findings(1 - allowed - 1e-6) == ["wrong_sum"]


def test_selected_may_be_a_millionth_below_the_maximum() -> None:
    assert check_answer(QUEUE, chosen("other", other=0.5 - 5e-7, billing=0.5, technical=0)) == []
    assert len(check_answer(QUEUE, chosen("other", other=0.5 - 5e-6, billing=0.5, technical=0))) == 1


@given(st.lists(st.integers(0, 1000), min_size=2, max_size=8).filter(any))
def test_what_rounding_to_hundredths_does_is_within_tolerance(weights: list[int]) -> None:
    exact = [weight / sum(weights) for weight in weights]
    mean = math.fsum(level * probability for level, probability in enumerate(exact))
    (question,) = pack_of(q=score(levels=len(weights))).questions
    rounded = levels(*(round(probability, 2) for probability in exact))
    assert check_answer(question, scored(round(mean, 2), probabilities=rounded)) == []


def test_one_answer_a_question_and_no_others() -> None:
    answers = {"other": judged(1), "refund": judged(2), "queue": chosen("billing", **EVEN)}
    pack = pack_of(queue=choice(), urgency=score(), refund=boolean())
    found = [(finding.question_id, finding.fault.value) for finding in check_result(pack.questions, answers)]
    assert found == [("urgency", "no_answer"), ("refund", "out_of_range"), ("other", "no_question")]
