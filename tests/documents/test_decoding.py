from __future__ import annotations

import json
import math
import sys

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verdict_frames.documents.decoding import UndecodableError, decode, decode_tolerantly, to_json
from verdict_frames.sources.stored import (
    StoredExecution,
    StoredItem,
    StoredResult,
    decode_item,
    decode_result,
    decode_whole,
)
from verdict_frames.vocabulary import ProblemKind

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
KEYS = st.sampled_from(
    ["itemId", "verdict", "metadata", "executionDetail", "invocationResult", "status", "items", "scores", "x"]
)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS | st.text(max_size=3), inner, max_size=6),
    max_leaves=20,
)


def tolerant_only(data: bytes) -> object:
    def refuse(_: object) -> object:
        raise msgspec.DecodeError

    return decode(data, refuse, lambda value: value)


@given(JSON, st.sampled_from([None, 2]), st.booleans())
def test_both_decoders_give_the_same_value(value: object, indent: int | None, ascii_only: bool) -> None:  # noqa: FBT001
    data = json.dumps(value, indent=indent, ensure_ascii=ascii_only).encode()
    assert repr(decode_whole(data)) == repr(tolerant_only(data)) == repr(json.loads(data))


@given(st.dictionaries(KEYS, JSON))
def test_both_decoders_give_the_same_struct(value: dict[str, object]) -> None:
    """An unpaired surrogate under a key that nobody reads forces the second try."""
    data = json.dumps(value).encode()
    for fast_result, plain in ((decode_item(data), StoredItem), (decode_result(data), StoredResult)):
        slow = (decode_item if plain is StoredItem else decode_result)(
            data[:-1] + (b"," if value else b"") + rb'"?":"\ud800"}'
        )
        for name in plain.__struct_fields__:
            assert _comparable(getattr(fast_result, name)) == _comparable(getattr(slow, name)), name


def _comparable(value: object) -> object:
    if isinstance(value, msgspec.Raw):
        return _comparable(json.loads(bytes(value)))
    if isinstance(value, StoredExecution | StoredItem):
        return {name: _comparable(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, list):
        return [_comparable(part) for part in value]
    if isinstance(value, dict):
        return {key: _comparable(part) for key, part in value.items()}
    return repr(value)


def test_numbers_beyond_a_double_are_read() -> None:
    assert decode_whole(b'{"a": 1e400, "b": -1e400}') == {"a": math.inf, "b": -math.inf}


def test_unpaired_surrogates_are_read() -> None:
    """R106."""
    assert decode_whole(rb'{"a": "x\ud800", "\udc00": 1}') == {"a": "x\ud800", "\udc00": 1}


@pytest.mark.parametrize("length", [4_300, 4_301, 9_999, 60_000])
def test_integers_of_any_length_are_exact(length: int) -> None:
    """R105."""
    limit = sys.get_int_max_str_digits()
    assert decode_whole(b'[-1, "\\ud800", ' + b"9" * length + b"]")[2] == 10**length - 1
    assert decode_whole(b"[-" + b"9" * length + b"]") == [-(10**length - 1)]
    assert sys.get_int_max_str_digits() == limit


def test_the_last_of_duplicate_keys_wins() -> None:
    """R104."""
    doubled = b'{"itemId": "a", "b": 1, "itemId": "c"}'
    assert decode_item(doubled).item_id == "c"
    assert decode_item(doubled[:-1] + rb', "z": "\ud800"}').item_id == "c"
    assert list(decode_whole(doubled).items()) == [("itemId", "c"), ("b", 1)]


@pytest.mark.parametrize(
    ("data", "line", "byte", "words"),
    [
        (b"", 1, 0, "empty"),
        (b" \n\t", 1, 0, "empty"),
        (b'{"a": NaN}', 1, 6, "NaN is no JSON value; write null"),
        (b'{"a": "NaN",\n "b": [1, -Infinity]}', 2, 23, "-Infinity is no JSON value"),
        ('{"é": 1e400,\n "b": Infinity}'.encode(), 2, 20, "Infinity is no JSON value"),
        (b'{"a": [1, 2', 1, 11, "cut off"),
        (b'{"a":\n "unfini', 2, 14, "cut off"),
        (b'{"a": 1}\n{"a": 2}', 2, 9, ".jsonl"),
        (b"2026-09-17 INFO started", 1, 4, ".jsonl"),
        (b"INFO started", 1, 0, "no JSON (expecting value)"),
        (b"{'a': 1}", 1, 1, "no JSON"),
        (b'{"a": "\xff"}', 1, 7, "not UTF-8"),
        ('{"a": 1}'.encode("utf-16"), 1, 0, "UTF-16"),
        (b'{"a": "x\ny"}', 1, 8, "control character"),
        (b'{"a" 1}', 1, 5, "no JSON"),
        (b'{"a": tru', 1, 9, "cut off"),
    ],
)
def test_what_is_no_json_is_a_syntax_problem_with_its_place(data: bytes, line: int, byte: int, words: str) -> None:
    with pytest.raises(UndecodableError) as caught:
        decode_whole(data)
    assert (caught.value.kind, caught.value.line, caught.value.byte) == (ProblemKind.SYNTAX, line, byte)
    assert words in caught.value.reason
    assert "\n" not in caught.value.reason


@given(st.dictionaries(st.text(max_size=3), JSON, min_size=1), st.booleans(), st.data())
def test_any_beginning_of_an_object_was_cut_off(value: object, ascii_only: bool, data: st.DataObject) -> None:  # noqa: FBT001
    whole = json.dumps(value, ensure_ascii=ascii_only).encode()
    length = data.draw(st.integers(1, len(whole) - 1))
    with pytest.raises(UndecodableError, match="cut off") as caught:
        decode_whole(whole[:length])
    assert caught.value.byte == len(whole[:length].rstrip())


def test_nesting_that_is_too_deep_is_a_limit() -> None:
    with pytest.raises(UndecodableError) as caught:
        decode_whole(b"[" * 50_000 + b"]" * 50_000)
    assert caught.value.kind is ProblemKind.LIMIT


def test_200_levels_are_read() -> None:
    """R107."""
    assert decode_whole(b'{"a":' * 200 + b"1" + b"}" * 200)["a"] is not None


@given(JSON)
def test_json_text_reads_back(value: object) -> None:
    text = to_json(value)
    assert repr(json.loads(text)) == repr(value)
    assert text == json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def test_json_text_of_what_only_the_tolerant_decoder_reads() -> None:
    data = rb'{"a":[1e999,-1e999,"\ud800\u00e9"],"b":' + b"7" * 5_000 + b"}"
    text = to_json(decode_tolerantly(data))
    assert text.startswith(r'{"a":[1e999,-1e999,"\ud800\u00e9"],"b":777')
    assert decode_tolerantly(text.encode()) == decode_tolerantly(data)


def test_json_text_of_deep_values() -> None:
    value: object = 1
    for _ in range(5_000):
        value = [{"a": value}]
    assert to_json(value) == '[{"a":' * 5_000 + "1" + "}]" * 5_000
