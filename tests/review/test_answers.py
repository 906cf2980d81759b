from __future__ import annotations

import math
from typing import Any

import pytest

from tests.review.packs import boolean, choice, judged, pack_of, score, scored, selected
from verdict_frames.review.answers import Answer, read_answer, state_for
from verdict_frames.vocabulary import ValueState

BARE = {"type": "choice", "choice": "billing"}


@pytest.mark.parametrize(
    ("stored", "state"),
    [
        (selected(0.5), ValueState.OK),
        (BARE, ValueState.MISSING),
        ({**BARE, "probabilities": None}, ValueState.NULL),
        ({**BARE, "probabilities": {}}, ValueState.MISSING),
        ({**BARE, "probabilities": [1]}, ValueState.WRONG_TYPE),
        (selected(None), ValueState.NULL),
        (selected(False), ValueState.WRONG_TYPE),
        (selected(-math.inf), ValueState.NOT_FINITE),
        (selected(-1), ValueState.OUT_OF_RANGE),
        (selected(10**400), ValueState.OUT_OF_RANGE),
        (selected(1, option=""), ValueState.UNKNOWN_OPTION),
        ({"type": "choice"}, ValueState.MISSING),
        ({"type": "choice", "choice": None}, ValueState.NULL),
        ({"type": "choice", "choice": 3}, ValueState.WRONG_TYPE),
        (scored(-4), ValueState.OK),
        (scored(math.nan), ValueState.NOT_FINITE),
        (scored(10**400), ValueState.OUT_OF_RANGE),
        ({"type": "score"}, ValueState.MISSING),
        (judged(0), ValueState.OK),
        (judged(None), ValueState.NULL),
        (judged("1"), ValueState.WRONG_TYPE),
        (judged(1.5), ValueState.OUT_OF_RANGE),
        ({"type": "noul", "noul": 0.5}, ValueState.WRONG_TYPE),
        ({"type": 3}, ValueState.WRONG_TYPE),
        ({}, ValueState.WRONG_TYPE),
        (None, ValueState.NULL),
        ([], ValueState.WRONG_TYPE),
    ],
)
def test_state_of_the_needed_value(stored: Any, state: ValueState) -> None:
    assert read_answer(stored).value_state is state


def test_columns_hold_finite_numbers_only_and_keep_what_is_out_of_range() -> None:
    assert read_answer(selected(1, other=math.nan, technical=None)) == Answer(
        type="choice",
        choice="billing",
        selected_probability=1.0,
        options=("billing", "other", "technical"),
        probabilities=(1.0, None, None),
        value_state=ValueState.OK,
    )
    assert read_answer(judged(1.5)).probability == 1.5
    assert read_answer(judged(math.inf)).probability is None
    assert read_answer(scored(2, probabilities={"1": 0, "2": 1})).probabilities == (0.0, 1.0)
    assert isinstance(read_answer(scored(2)).score, float)


def test_only_the_answer_s_own_type_is_read() -> None:
    both = {"type": "boolean", "probability": 0.5, "choice": "billing", "score": 2, "probabilities": {"billing": 1}}
    assert read_answer(both) == Answer(type="boolean", probability=0.5, value_state=ValueState.OK)
    assert read_answer({**both, "type": "box"}).type == "box"
    assert read_answer({**both, "type": "box"}).probability is None


def test_a_question_narrows_the_state() -> None:
    pack = pack_of(queue=choice(), urgency=score(), refund=boolean(), free=choice(options=None))
    queue, urgency, refund, free = pack.questions
    assert state_for(queue, read_answer(selected(1, option="sales"))) is ValueState.UNKNOWN_OPTION
    assert state_for(free, read_answer(selected(1, option="sales"))) is ValueState.OK
    assert state_for(urgency, read_answer(scored(3.5))) is ValueState.OUT_OF_RANGE
    assert state_for(refund, read_answer(scored(0))) is ValueState.WRONG_TYPE
    assert state_for(refund, read_answer(judged(None))) is ValueState.NULL
