"""The threshold rules; a test that is named E07 pins row 7 of the table of edge cases."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tests.review.packs import boolean, choice, judged, pack_of, score, scored, selected
from verdict_frames.errors import AnswerError, ArgumentError, OptionError
from verdict_frames.review.packs import Pack
from verdict_frames.vocabulary import EvaluationStatus, ReasonKind

ACCEPT, REVIEW = EvaluationStatus.ACCEPT, EvaluationStatus.REVIEW
BELOW = "q: selected probability is below the minimum"
MISSING = "q: selected probability is missing"
IN_RANGE = "q: score is in the review range"
IN_BAND = "q: probability is in the review band"
INVALID = "q: invalid answer"

NAN, INF, HUGE = math.nan, math.inf, 10**400
BARE = {"type": "choice", "choice": "billing"}


def above(number: float) -> float:
    return math.nextafter(number, math.inf)


def below(number: float) -> float:
    return math.nextafter(number, -math.inf)


CASES: list[tuple[str, dict[str, Any], Any, str | None]] = [
    ("E01 equal to the floor", choice(0.9), selected(0.9), None),
    ("E02 next double below the floor", choice(0.9), selected(below(0.9)), BELOW),
    ("E02 next double above the floor", choice(0.9), selected(above(0.9)), None),
    ("E03 no probabilities", choice(), BARE, MISSING),
    ("E04 probabilities null", choice(), {**BARE, "probabilities": None}, MISSING),
    ("E04 probabilities empty", choice(), {**BARE, "probabilities": {}}, MISSING),
    ("E04 probabilities a list", choice(), {**BARE, "probabilities": [0.9, 0.1]}, INVALID),
    ("E05 selected option not a key", choice(), {**BARE, "probabilities": {"other": 1}}, MISSING),
    ("E06 selected null", choice(), selected(None), MISSING),
    ("E07 selected NaN", choice(), selected(NAN), INVALID),
    ("E07 selected infinite", choice(), selected(INF), INVALID),
    ("E07 selected negative", choice(), selected(-0.01), INVALID),
    ("E07 selected above 1", choice(), selected(above(1.0)), INVALID),
    ("E07 selected a huge integer", choice(), selected(HUGE), INVALID),
    ("E07 selected NaN without a rule", choice(None), selected(NAN), INVALID),
    ("E08 selected true", choice(), selected(True), INVALID),
    ("E08 selected a text", choice(), selected("0.9"), INVALID),
    ("E09 integer 1", choice(), selected(1), None),
    ("E09 integer 0", choice(), selected(0), BELOW),
    ("E10 another option is NaN", choice(), selected(0.95, other=NAN, technical="x"), None),
    ("E11 selected is not the maximum", choice(0.1), selected(0.2, other=0.8), None),
    ("E12 tie for the maximum", choice(0.5), selected(0.5, other=0.5), None),
    ("E13 choice a number", choice(), {**BARE, "choice": 1}, INVALID),
    ("E13 choice empty", choice(options=None), {"type": "choice", "choice": "", "probabilities": {"": 1}}, INVALID),
    ("E13 choice null", choice(), {**BARE, "choice": None}, INVALID),
    ("E13 choice absent", choice(), {"type": "choice", "probabilities": {"billing": 1}}, INVALID),
    ("E13 choice absent without a rule", choice(None), {"type": "choice"}, INVALID),
    ("E14 choice not among the options", choice(), selected(1, option="sales"), INVALID),
    ("E14 options not known", choice(options=None), selected(1, option="sales"), None),
    ("E14 not among the options without a rule", choice(None), selected(1, option="sales"), INVALID),
    ("E14 not among the options, no probability", choice(), {**BARE, "choice": "sales"}, INVALID),
    ("E15 floor 0, p 0", choice(0), selected(0), None),
    ("E15 floor 0, p missing", choice(0), BARE, MISSING),
    ("E16 floor 1, p 1.0", choice(1), selected(1.0), None),
    ("E16 floor 1, p 0.99", choice(1), selected(0.99), BELOW),
    ("E17 equal to the minimum", score(1, 2), scored(1), IN_RANGE),
    ("E17 equal to the maximum", score(1, 2), scored(2.0), IN_RANGE),
    ("E17 minimum and maximum at once", score(1.5, 1.5), scored(1.5), IN_RANGE),
    ("E17 inside", score(1, 2), scored(1.5), IN_RANGE),
    ("E18 just below", score(1, 2), scored(below(1.0)), None),
    ("E18 just above", score(1, 2), scored(above(2.0)), None),
    ("E19 missing", score(), {"type": "score"}, INVALID),
    ("E19 null", score(), scored(None), INVALID),
    ("E19 NaN", score(), scored(NAN), INVALID),
    ("E19 infinite", score(levels=None), scored(INF), INVALID),
    ("E19 true", score(), scored(True), INVALID),
    ("E19 a text", score(), scored("1.5"), INVALID),
    ("E19 a text without a rule", score(None), scored("1.5"), INVALID),
    ("E20 above the last level", score(), scored(above(3.0)), INVALID),
    ("E20 the last level", score(), scored(3), None),
    ("E20 negative", score(), scored(-0.5), INVALID),
    ("E20 levels not known, outside of the range", score(levels=None), scored(-7), None),
    ("E20 levels not known, inside the range", score(-10, -5, levels=None), scored(-7), IN_RANGE),
    ("E20 levels not known, a huge integer", score(levels=None), scored(HUGE), INVALID),
    ("E21 distribution not used", score(), scored(0, probabilities={"0": "x", "9": NAN}), None),
    ("E22 equal to the low end", boolean(0.2, 0.8), judged(0.2), None),
    ("E22 equal to the high end", boolean(0.2, 0.8), judged(0.8), None),
    ("E23 just inside the low end", boolean(0.2, 0.8), judged(above(0.2)), IN_BAND),
    ("E23 just inside the high end", boolean(0.2, 0.8), judged(below(0.8)), IN_BAND),
    ("E23 empty band", boolean(0.5, 0.5), judged(0.5), None),
    ("E24 band 0 to 1, p 0", boolean(0, 1), judged(0), None),
    ("E24 band 0 to 1, p 1", boolean(0, 1), judged(1), None),
    ("E24 band 0 to 1, smallest positive double", boolean(0, 1), judged(5e-324), IN_BAND),
    ("E25 missing", boolean(), {"type": "boolean"}, INVALID),
    ("E25 null", boolean(), judged(None), INVALID),
    ("E25 NaN", boolean(), judged(NAN), INVALID),
    ("E25 above 1", boolean(), judged(1.01), INVALID),
    ("E25 below 0", boolean(), judged(-1), INVALID),
    ("E25 true", boolean(), judged(True), INVALID),
    ("E25 a text", boolean(), judged("0.9"), INVALID),
    ("E25 null without a rule", boolean(None), judged(None), INVALID),
    ("E26 native form of a boolean answer", boolean(), {"type": "noul", "noul": 0.99}, INVALID),
    ("E27 extra keys", boolean(), judged(0.9, confidence=0.1, legend={}, action="review"), None),
    ("E28 another type", boolean(), selected(1), INVALID),
    ("E28 type absent", boolean(), {"probability": 0.9}, INVALID),
    ("E28 type in another case", boolean(), {"type": "Boolean", "probability": 0.9}, INVALID),
    ("E28 type no text", boolean(), {"type": ["boolean"], "probability": 0.9}, INVALID),
    ("E28 type unknown", boolean(), {"type": "box", "probability": 0.9}, INVALID),
    ("E29 null", boolean(), None, INVALID),
    ("E29 a list", boolean(), [0.9], INVALID),
    ("E29 a number", boolean(), 0.9, INVALID),
    ("E32 another type without a rule", boolean(None), selected(1), INVALID),
    ("E33 no rule and no probabilities", choice(None), BARE, None),
    ("E42 minus zero at the low end", boolean(0, 0.5), judged(-0.0), None),
    ("E42 minus zero in the range", score(0, 1), scored(-0.0), IN_RANGE),
    ("E42 tiny", boolean(0, 0.5), judged(1e-17), IN_BAND),
    ("E44 confidence is no cutoff", choice(0.5), {**selected(0.9), "confidence": 0}, None),
]


@pytest.mark.parametrize(
    ("question", "answer", "reason"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_one_answer(question: dict[str, Any], answer: Any, reason: str | None) -> None:
    decision = pack_of(q=question).decide({"q": answer})
    assert [found.text for found in decision.reasons] == ([] if reason is None else [reason])
    assert [found.question_id for found in decision.reasons] == ([] if reason is None else ["q"])
    assert decision.status is (ACCEPT if reason is None else REVIEW)


def test_unanswered_questions_are_invalid_or_skipped_e30() -> None:
    pack = pack_of(a=boolean(), b=boolean(None))
    decision = pack.decide({"a": judged(0.9)})
    assert (decision.status, decision.unanswered) == (REVIEW, ("b",))
    assert [reason.text for reason in decision.reasons] == ["b: invalid answer"]
    skipped = pack.decide({"a": judged(0.9)}, missing="skip")
    assert (skipped.status, skipped.reasons, skipped.unanswered) == (ACCEPT, (), ("b",))


@pytest.mark.parametrize("answers", [{}, {"other": judged(0.9)}])
def test_skipping_never_accepts_when_nothing_is_answered_e30(answers: dict[str, Any]) -> None:
    decision = pack_of(a=boolean(), b=boolean()).decide(answers, missing="skip")
    assert [reason.text for reason in decision.reasons] == ["a: invalid answer", "b: invalid answer"]


def test_an_answer_that_is_null_is_no_unanswered_question_e29_e30() -> None:
    decision = pack_of(a=boolean(), b=boolean()).decide({"a": None, "b": judged(1)}, missing="skip")
    assert (decision.status, decision.unanswered) == (REVIEW, ())


def test_orphans_are_counted_or_refused_e31() -> None:
    pack = pack_of(a=boolean(None))
    answers = {"z": judged("x"), "a": judged(0.9), "y": None}
    decision = pack.decide(answers)
    assert (decision.status, decision.orphans) == (ACCEPT, ("z", "y"))
    with pytest.raises(AnswerError, match="unknown questions: z, y; the pack asks: a"):
        pack.decide(answers, orphans="raise")


def test_a_pack_without_rules_accepts_what_is_valid_e34() -> None:
    pack = pack_of(a=boolean(None), b=choice(None), c=score(None))
    decision = pack.decide({"a": judged(0.5), "b": selected(0.01), "c": scored(1.5)})
    assert (decision.status, decision.reasons) == (ACCEPT, ())
    assert pack.unruled == ("a", "b", "c")


def test_reasons_are_in_pack_order_one_a_question_e36_e37() -> None:
    pack = pack_of(urgency=score(1, 2), queue=choice(0.9), refund=boolean(), note=boolean(None))
    answers = {"note": judged(2), "refund": judged(0.5), "queue": BARE, "urgency": scored(1.2)}
    decision = pack.decide(answers)
    assert [reason.text for reason in decision.reasons] == [
        "urgency: score is in the review range",
        "queue: selected probability is missing",
        "refund: probability is in the review band",
        "note: invalid answer",
    ]
    assert [reason.kind for reason in decision.reasons] == [
        ReasonKind.SCORE_RANGE,
        ReasonKind.MISSING_PROBABILITY,
        ReasonKind.PROBABILITY_BAND,
        ReasonKind.INVALID_ANSWER,
    ]
    assert pack.decide(dict(reversed(answers.items()))) == decision


def test_listed_questions_give_reasons_in_list_order_e36() -> None:
    document = {"questions": [{"id": "z", **boolean()}, {"id": "a", **boolean()}]}
    decision = Pack.from_dict(document).decide({"a": judged(0.5), "z": judged(0.5)})
    assert [reason.question_id for reason in decision.reasons] == ["z", "a"]


@pytest.mark.parametrize("answers", [None, [], "answers", 3])
def test_answers_that_are_no_mapping_are_a_wrong_call(answers: Any) -> None:
    with pytest.raises(ArgumentError, match=f"not {type(answers).__name__}"):
        pack_of(a=boolean()).decide(answers)


def test_unknown_options_are_refused() -> None:
    pack = pack_of(a=boolean())
    with pytest.raises(OptionError, match=r"missing='ignore'.*'invalid' or 'skip'"):
        pack.decide({}, missing="ignore")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match=r"orphans='ignore'.*'report' or 'raise'"):
        pack.decide({}, orphans="ignore")  # type: ignore[arg-type]
