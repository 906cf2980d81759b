from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given

from tests.sources.json_texts import documents, values
from verdict_frames.documents.decoding import UndecodableError
from verdict_frames.sources.spans import Element, span_elements, span_value, value_end

if TYPE_CHECKING:
    from collections.abc import Callable


@given(values())
def test_a_value_ends_where_a_decoder_says(text: str) -> None:
    data = f"{text} , 3".encode()
    _, end = json.JSONDecoder().raw_decode(data.decode())
    assert value_end(data, 0) == len(data.decode()[:end].encode())


@given(documents())
def test_members_and_elements_are_those_of_a_decoder(data: bytes) -> None:
    text = data.removeprefix(b"\xef\xbb\xbf")
    start = len(data) - len(text)
    pairs = json.loads(text, object_pairs_hook=lambda pairs: ("object", pairs))
    if isinstance(pairs, list):
        elements, end = span_elements(data, start, unfold="items")
    else:
        elements, pairs = [span_value(data, start, unfold="items")], [pairs]
        end = elements[0].end
    assert data[end:].strip() == b""
    for element, expected in zip(elements, pairs, strict=True):
        check(data, element, expected)


def check(data: bytes, element: Element, expected: Any) -> None:
    """Hold a span against what a decoder makes of the text, pair by pair."""
    members = expected[1] if isinstance(expected, tuple) else []
    assert [member.key for member in element.members] == [key for key, _ in members]
    for member, (key, value) in zip(element.members, members, strict=True):
        assert json.loads(data[member.key_start : member.key_end]) == key
        assert json.loads(data[member.start : member.end], object_pairs_hook=lambda pairs: ("object", pairs)) == value
        assert data[member.after - 1 : member.after] in (b"{", b",")
        assert data[member.after : member.key_start].strip() == b""
        if member.elements is not None:
            assert key == "items"
            for inner, each in zip(member.elements, value, strict=True):
                check(data, inner, each)


def test_the_last_of_two_equal_keys_counts_r104() -> None:
    data = rb'{"verdict": 1, "verd\u0069ct": 2, "x": {"verdict": 3}}'
    member = span_value(data, 0).last("verdict")
    assert member is not None
    assert data[member.start : member.end] == b"2"
    assert span_value(data, 0).last("items") is None


@pytest.mark.parametrize(
    "nested",
    [
        lambda n: b"[" * n + b"]" * n,
        lambda n: b'{"a":[1,' * n + b"2" + b"]}" * n,
        lambda n: b'["' + b'\\"\\\\' * n + b'"]',
        lambda n: b"[" + b'{"a": [{}]},' * n + b"1]",
        lambda n: b'{"":[{"items":[' * n + b"1" + b"]}]}" * n,
    ],
)
def test_depth_and_size_are_no_trouble(nested: Callable[[int], bytes]) -> None:
    data = b'{"items": [{"detail": ' + nested(100_000) + b', "verdict": {}}]}'
    found = span_value(data, 0, unfold="items")
    assert found.end == len(data)
    (item,) = found.members[0].elements or []
    assert [member.key for member in item.members] == ["detail", "verdict"]
    assert data[item.members[1].start : item.members[1].end] == b"{}"


@pytest.mark.parametrize("cut", [b"", b"{", b'{"a"', b'{"a": [1', b'{"a": [1]', b'{"a": {"b": "}'])
def test_cut_texts_are_refused(cut: bytes) -> None:
    with pytest.raises(UndecodableError, match="has no end"):
        span_value(cut, 0)
