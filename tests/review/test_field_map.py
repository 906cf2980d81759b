from __future__ import annotations

from typing import Any

import pytest
from msgspec import UNSET

from verdict_frames.errors import OptionError
from verdict_frames.review.field_map import Keyed, look_up, parse_path, path_text, places, remainder
from verdict_frames.vocabulary import EvaluationSource

ROW = {
    "key": "k",
    "payload": {"result": {"status": "accept"}, "note": None},
    "judgments": [
        {"question": "a", "raw": {"answer": 1, "cost": 2}},
        {"question": "b", "raw": {"answer": None}},
        {"question": "a", "raw": {"answer": 3}},
        {"question": 4, "raw": {"answer": 4}},
        {"question": "c"},
        "odd",
    ],
}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("key", "k"),
        ("payload.result.status", "accept"),
        ("payload.note", None),
        ("payload.other", UNSET),
        ("key.status", UNSET),
        ("judgments.1.question", "b"),
        ("judgments.5", "odd"),
        ("judgments.6", UNSET),
        ("judgments.-1", UNSET),
        ("judgments[question].raw.answer", {"a": 1, "b": None}),
        ("judgments[question].raw.cost", {"a": 2}),
        ("payload[question].raw", UNSET),
    ],
)
def test_paths_are_followed(path: str, expected: Any) -> None:
    assert look_up(ROW, parse_path(path), []) == expected


def test_keys_that_occur_twice_are_told_and_the_first_kept() -> None:
    repeated: list[str] = []
    look_up(ROW, parse_path("judgments[question].raw.answer"), repeated)
    assert repeated == ["a"]


@pytest.mark.parametrize("path", ["a", "a.b.0.c", "judgments[question].raw.answer", "a b.c-d"])
def test_paths_are_written_back(path: str) -> None:
    assert path_text(parse_path(path)) == path


@pytest.mark.parametrize("path", ["", ".", "a.", "a..b", "[a]", "a[]", "a[b", "a[b]c", "a[b][c]", 3, None])
def test_what_is_no_path_is_refused(path: Any) -> None:
    with pytest.raises(OptionError, match="no path of a field map"):
        parse_path(path)


def test_parts_lie_in_the_result_or_beside_it() -> None:
    found = places(EvaluationSource.RESULT, None)
    assert found["status"] == (("result", "status"), ("status",))
    assert found["evaluation_id"] == (("id",),)
    mapped = places(EvaluationSource.RESULT, {"result": "payload.result", "evaluation_id": "key"})
    assert mapped["status"] == (("payload", "result", "status"), ("status",))
    assert mapped["evaluation_id"] == (("key",),)
    keyed = places(EvaluationSource.GATEWAY, {"answers": "judgments[question].raw.answer"})
    assert keyed["answers"] == (("judgments", Keyed("question"), "raw", "answer"),)


def test_an_unknown_part_is_refused_with_what_there_is() -> None:
    with pytest.raises(OptionError, match=r"'idempotencyKey', which is no part.*idempotency_key, input_tokens"):
        places(EvaluationSource.RESULT, {"idempotencyKey": "key"})


def test_the_remainder_is_what_was_not_used() -> None:
    used = [parse_path(path) for path in ("key", "payload.result.status", "judgments")]
    assert remainder(ROW, used) == {"payload": {"note": None}}
    assert remainder({"a": {"b": 1}}, [("a", "b")]) is UNSET
    assert remainder({"a": {"b": 1}}, []) == {"a": {"b": 1}}
    rows = {"j": [{"q": "x", "raw": 1, "more": 2}, {"q": "y", "raw": 3}]}
    assert remainder(rows, [parse_path("j[q].raw")]) == {"j": [{"more": 2}, None]}
    assert remainder(rows, [parse_path("j.1.raw")]) == {"j": [{"q": "x", "raw": 1, "more": 2}, {"q": "y"}]}
    assert ROW["payload"] == {"result": {"status": "accept"}, "note": None}
