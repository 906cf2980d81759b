from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.review.packs import boolean, choice, judged, pack_of, score, scored, selected
from tests.review.strategies import answers as any_answers
from tests.review.strategies import packs
from verdict_frames.errors import AnswerError, ArgumentError, ColumnError, OptionError
from verdict_frames.frames.decisions import decide, fired_rules
from verdict_frames.frames.evaluation_assembly import evaluations_from_records
from verdict_frames.frames.schemas.tables import polars_schema
from verdict_frames.review.answers import read_answer
from verdict_frames.review.rules import fired_rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from verdict_frames.review.packs import Pack
    from verdict_frames.review.questions import AnyQuestion

ROWS_PER_EXAMPLE = 1_100
EXAMPLES = 100
"""More than 100,000 rows together."""
JUNK: list[Any] = [
    None,
    True,
    False,
    "0.9",
    "",
    math.nan,
    math.inf,
    -math.inf,
    -0.0,
    5e-324,
    1e-17,
    -1,
    0,
    1,
    2,
    3,
    10**400,
    [],
    {},
]


def _as_held(value: Any) -> Any:
    """A value as a frame holds it, which can't be an unpaired surrogate."""
    return value.encode(errors="replace").decode() if isinstance(value, str) else value


def raw_frame(rows: list[dict[str, Any]]) -> pl.DataFrame:
    """A frame of answers made of single records, without the readers of files."""
    columns: dict[str, list[Any]] = {name: [] for name in polars_schema("answers")}
    for index, row in enumerate(rows):
        for question_id, stored in row.items():
            answer = read_answer(stored)
            columns["evaluation_index"].append(index)
            columns["question_id"].append(question_id)
            columns["confidence"].append(None)
            for name in columns.keys() - {"evaluation_index", "question_id", "confidence"}:
                columns[name].append(_as_held(getattr(answer, name)))
    return pl.DataFrame(columns, schema=polars_schema("answers"))


def around(*thresholds: float) -> Iterator[float]:
    for threshold in thresholds:
        yield from (threshold, math.nextafter(threshold, -math.inf), math.nextafter(threshold, math.inf))


def thresholds_of(question: AnyQuestion) -> list[float]:
    rule = question.review
    return [] if rule is None else [getattr(rule, name) for name in rule.__struct_fields__]


def random_answer(question: AnyQuestion, rng: random.Random) -> Any:
    values = [*around(*thresholds_of(question), 0.0, 1.0), rng.random(), rng.choice(JUNK), rng.choice(JUNK)]
    value = rng.choice(values)
    kind = rng.choice([question.type.value] * 12 + ["choice", "score", "boolean", "noul", None, 1])
    if kind == "choice":
        option: Any = rng.choice(["x", "y", "z", "w", "", None, 3] if rng.random() < 0.2 else ["x", "y", "z"])
        stored: dict[str, Any] = {"type": kind, "choice": option}
        shape = rng.randrange(12)
        if shape < 9:
            stored["probabilities"] = {"x": rng.choice(values), "y": value, "z": value}
        elif shape < 11:
            stored["probabilities"] = rng.choice([None, {}, [], "x", {"v": 0.5}])
        return stored
    member = {"score": "score", "boolean": "probability", "noul": "noul"}.get(str(kind), "value")
    stored = {"type": kind, member: value}
    if rng.random() < 0.05:
        return rng.choice([{"type": kind}, {member: value}, None, [], "x", 1.5])
    return stored


@settings(max_examples=EXAMPLES, deadline=None)
@given(packs(), st.integers(0, 2**32), st.sampled_from(["invalid", "skip"]))
def test_many_decide_as_one_does(pack: Pack, seed: int, missing: Any) -> None:
    rng = random.Random(seed)
    rows: list[dict[str, Any]] = []
    for _ in range(ROWS_PER_EXAMPLE):
        row = {question.id: random_answer(question, rng) for question in pack.questions if rng.random() < 0.97}
        if rng.random() < 0.02 or not row:
            row["stranger"] = judged(0.5)
        rows.append(row)
    decided = decide(pack, raw_frame(rows), missing=missing)
    assert decided["evaluation_index"].to_list() == list(range(ROWS_PER_EXAMPLE))
    for row, found in zip(rows, decided.iter_rows(named=True), strict=True):
        single = pack.decide(row, missing=missing)
        assert found["reasons"] == [reason.text for reason in single.reasons], row
        assert found["status"] == single.status.value
        assert (found["unanswered"], found["orphans"]) == (len(single.unanswered), len(single.orphans))


@given(packs(), st.lists(any_answers().filter(bool), min_size=1, max_size=8), st.sampled_from(["invalid", "skip"]))
def test_whatever_the_reader_makes_of_it(pack: Pack, rows: list[dict[str, Any]], missing: Any) -> None:
    stored = evaluations_from_records([{"answers": row} for row in rows], source="gateway", pack=pack)
    decided = decide(pack, stored, missing=missing)
    assert decided["not_decided"].null_count() == len(rows)
    for row, found in zip(rows, decided["reasons"].to_list(), strict=True):
        assert found == [reason.text for reason in pack.decide(row, missing=missing).reasons]


@given(packs(), st.lists(any_answers(), max_size=5))
def test_each_question_fires_as_its_own_rule_says(pack: Pack, rows: list[dict[str, Any]]) -> None:
    fired = fired_rules(pack, raw_frame(rows))
    there = [row for row in rows if row]
    for place, question in enumerate(pack.questions):
        records = [read_answer(row[question.id]) if question.id in row else None for row in there]
        assert fired.kinds[place].to_list() == [fired_rule(question, record) for record in records]
        assert fired.answered[place].to_list() == [record is not None for record in records]
    assert fired.fired_count.to_list() == [len(pack.decide(row).reasons) for row in there]


PACK = pack_of(queue=choice(0.9), urgency=score(1, 2), refund=boolean(0.2, 0.8))


def test_failures_and_unrecorded_answers_are_not_decided() -> None:
    good = {"queue": selected(0.9), "urgency": scored(0), "refund": judged(0.2)}
    stored = evaluations_from_records(
        [
            {"status": "review", "answers": {}, "reviewReasons": ["urgency: score is in the review range"]},
            {"status": "accept", "answers": good, "reviewReasons": []},
            {"status": "review", "answers": good, "reviewReasons": ["gateway_auth"]},
            {"status": "reject", "answers": {"queue": selected(0.5)}, "reviewReasons": []},
        ]
    )
    decided = decide(PACK, stored)
    assert decided.columns == ["evaluation_index", "status", "reasons", "unanswered", "orphans", "not_decided"]
    assert decided.rows() == [
        (0, None, None, None, None, "answers_not_recorded"),
        (1, "accept", [], 0, 0, None),
        (2, None, None, None, None, "failed"),
        (
            3,
            "review",
            ["queue: selected probability is below the minimum", "urgency: invalid answer", "refund: invalid answer"],
            2,
            0,
            None,
        ),
    ]


@pytest.mark.parametrize("value", [math.nan, math.inf, -0.5, 1.5, None])
def test_a_frame_of_one_s_own_can_t_smuggle_bad_numbers_in(value: float | None) -> None:
    frame = pl.DataFrame(
        {
            "evaluation_index": [7, 7, 7],
            "question_id": ["refund", "urgency", "queue"],
            "type": ["boolean", "score", "choice"],
            "choice": [None, None, "billing"],
            "score": [None, -1.0 if value == -0.5 else 4.0 if value == 1.5 else value, None],
            "probability": [value, None, None],
            "selected_probability": [None, None, value],
        },
        schema_overrides=dict.fromkeys(("score", "probability", "selected_probability"), pl.Float64),
    )
    text = "selected probability is missing" if value is None else "invalid answer"
    reasons = [f"queue: {text}", "urgency: invalid answer", "refund: invalid answer"]
    assert decide(PACK, frame)["reasons"].to_list() == [reasons]
    assert decide(PACK, frame.lazy())["reasons"].to_list() == [reasons]


def test_no_rows_make_no_rows() -> None:
    empty = decide(PACK, raw_frame([]))
    assert empty.is_empty()
    assert empty.schema == decide(PACK, raw_frame([{"queue": selected(1)}])).schema
    assert decide(PACK, evaluations_from_records([])).schema == empty.schema


def test_orphans_are_counted_or_refused() -> None:
    frame = raw_frame([{"queue": selected(1)}, {"colour": judged(1), "size": scored(1)}])
    assert decide(PACK, frame)["orphans"].to_list() == [0, 2]
    with pytest.raises(AnswerError, match="unknown questions: colour, size; the pack asks: queue, urgency, refund"):
        decide(PACK, frame, orphans="raise")


def test_wrong_calls_are_refused() -> None:
    frame = raw_frame([{"queue": selected(1)}])
    with pytest.raises(ColumnError, match="lacks choice; it has evaluation_index"):
        decide(PACK, frame.drop("choice"))
    with pytest.raises(ColumnError, match="question 'queue' of evaluation 0 more than once"):
        decide(PACK, pl.concat([frame, frame]))
    with pytest.raises(OptionError, match="missing='drop'"):
        decide(PACK, frame, missing="drop")  # type: ignore[arg-type] # what is being tested
    with pytest.raises(OptionError, match="orphans='drop'"):
        decide(PACK, frame, orphans="drop")  # type: ignore[arg-type] # what is being tested
    with pytest.raises(ArgumentError, match="a Pack is needed"):
        decide({"questions": {}}, frame)  # type: ignore[arg-type] # what is being tested
    with pytest.raises(ArgumentError, match="Evaluations or a polars frame"):
        decide(PACK, [{}])  # type: ignore[arg-type] # what is being tested
