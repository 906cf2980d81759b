from __future__ import annotations

import pytest

from tests.review.packs import boolean, pack_of
from verdict_frames.review.packs import Pack

NASTY = "<script>alert(1)</script>\u202e\x1b[31m\"'&"


def test_a_pack_is_short_at_the_prompt() -> None:
    pack = Pack.from_dict({"id": "triage", "version": "2", "questions": {"refund": {"type": "boolean"}}})
    assert repr(pack) == "Pack(id: triage, version: 2, questions: 1, rules: 0, warnings: 0)"
    unnamed = Pack.from_dict({"questions": {"q": boolean()}})
    assert repr(unnamed) == "Pack(questions: 1, rules: 1, warnings: 0)"


def test_questions_stand_with_their_answers_and_the_thresholds_of_the_pack() -> None:
    document = {
        "queue": {"type": "choice", "criteria": {"a": "", "b": ""}, "review": {"minSelectedProbability": 0.99999}},
        "urgency": {"type": "score", "criteria": ["low", "high"], "review": {"minInclusive": 0, "maxInclusive": 0.5}},
        "refund": {"type": "boolean", "review": {"lowExclusive": 0.1, "highExclusive": 0.9}},
        "language": {"type": "choice"},
    }
    page = Pack.from_dict({"questions": document})._repr_html_()
    rows = [
        "<td>queue</td><td>choice</td><td>[a, b]</td><td>minSelectedProbability 0.99999</td>",
        "<td>urgency</td><td>score</td><td>[0, 1]</td><td>minInclusive 0.0, maxInclusive 0.5</td>",
        "<td>refund</td><td>boolean</td><td>–</td><td>lowExclusive 0.1, highExclusive 0.9</td>",
        "<td>language</td><td>choice</td><td>–</td><td>–</td>",
    ]
    assert "".join(f"<tr>{row}</tr>" for row in rows) in page
    assert "warnings" not in pack_of(q=boolean())._repr_html_()


def test_warnings_are_listed() -> None:
    pack = pack_of(refund=boolean(0.5, 0.5))
    assert len(pack.warnings) == 1
    page = pack._repr_html_()
    assert page.count("<li>") == 1
    assert "refund" in page.split("<li>")[1]


@pytest.mark.parametrize("text", [NASTY, NASTY * 3000])
def test_other_peoples_text_is_inert_and_never_long(text: str) -> None:
    question = {"type": "choice", "instructions": text, "criteria": {f"{text}{place}": text for place in range(40)}}
    names = {f"{place}{text}": question for place in range(30)}
    pack = Pack.from_dict({"id": text, "version": text, "questions": names})
    page = pack._repr_html_()
    assert "<script" not in page
    assert "\u202e" not in page + repr(pack)
    assert "\x1b" not in page + repr(pack)
    assert "&lt;script&gt;" in page
    assert r"\u202e" in page
    assert "and 20 more rows of questions" in page
    assert len(page) < 30_000
    assert len(repr(pack)) < 700
    assert "\n" not in repr(pack)
