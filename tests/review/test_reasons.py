from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verdict_frames.review.reasons import SUFFIXES, classify_reason, rule_reason
from verdict_frames.vocabulary import EVALUATION_FAILURE_CODES, ReasonKind

QUESTION_IDS = st.text(min_size=1) | st.sampled_from(["a: invalid answer", "re: order", ": ", "gateway_auth", "x:"])


@given(QUESTION_IDS, st.sampled_from(sorted(SUFFIXES)))
def test_what_is_written_is_read_back_whatever_the_question_id(question_id: str, kind: ReasonKind) -> None:
    reason = rule_reason(question_id, kind)
    assert classify_reason(reason.text) == reason


@given(st.text(), st.lists(st.text(min_size=1), max_size=3))
def test_every_text_is_classified_and_kept(text: str, known: list[str]) -> None:
    reason = classify_reason(text, known)
    assert reason.text == text
    assert reason.question_id is None or text.startswith(f"{reason.question_id}: ")
    assert (reason.kind is ReasonKind.FAILURE) <= (reason.question_id is None)


@pytest.mark.parametrize("code", [*sorted(EVALUATION_FAILURE_CODES), "gateway_timeout", "x", "e2"])
def test_codes_are_failures_known_or_not(code: str) -> None:
    reason = classify_reason(code)
    assert (reason.kind, reason.question_id) == (ReasonKind.FAILURE, None)


@pytest.mark.parametrize(
    ("text", "question_id"),
    [
        ("queue: selected probability is low", "queue"),
        ("re: queue: too close to call", None),
        ("Gateway down", None),
        ("gateway_auth ", None),
        ("", None),
        (": invalid answer", None),
        ("queue:invalid answer", None),
    ],
)
def test_other_texts_are_other_rules(text: str, question_id: str | None) -> None:
    reason = classify_reason(text)
    assert (reason.kind, reason.question_id) == (ReasonKind.OTHER_RULE, question_id)


def test_the_longest_known_id_is_taken_for_an_unknown_ending() -> None:
    assert classify_reason("re: queue: odd", ["re", "queue", "re: queue"]).question_id == "re: queue"
    assert classify_reason("re: queue: odd", ["queue"]).question_id is None


def test_a_question_called_like_a_code_is_no_failure() -> None:
    reason = classify_reason("gateway_auth: invalid answer")
    assert (reason.kind, reason.question_id) == (ReasonKind.INVALID_ANSWER, "gateway_auth")
