from __future__ import annotations

import pytest

from verdict_frames.documents.decoding import UndecodableError
from verdict_frames.documents.entries import Shape, entries_of, shape_of

MARK = b"\xef\xbb\xbf"


@pytest.mark.parametrize(
    ("data", "suffix", "shape"),
    [
        (b'{"a": 1}', ".json", Shape.DOCUMENT),
        (b'{"a": 1}', ".jsonl", Shape.LINES),
        (b'{"a": 1}\n{"a": 2}\n', ".json", Shape.LINES),
        (b'{"a":\n1}', ".jsonl", Shape.DOCUMENT),
        (b"[1, 2]", ".json", Shape.ARRAY),
        (b"[\n1, 2]", ".jsonl", Shape.ARRAY),
        (b'{"a": 1}\n{"a": ', ".json", Shape.LINES),
    ],
)
def test_content_goes_before_the_suffix(data: bytes, suffix: str, shape: Shape) -> None:
    assert shape_of(data, suffix) is shape
    assert shape_of(MARK + data, suffix) is shape


@pytest.mark.parametrize("data", [b"", b"  \n", b"{", b"x"])
def test_what_holds_no_value_is_refused(data: bytes) -> None:
    with pytest.raises(UndecodableError):
        shape_of(data, ".json")


def test_lines_know_their_places() -> None:
    entries = list(entries_of(MARK + b'{"a": 1}\n\n  {"b": 2}\r\n[3]', Shape.LINES))
    assert [(entry.index, entry.line, entry.start, entry.data.strip()) for entry in entries] == [
        (0, 1, 3, b'{"a": 1}'),
        (1, 3, 13, b'{"b": 2}'),
        (2, 4, 25, b"[3]"),
    ]


def test_elements_of_an_array_have_an_index_only() -> None:
    entries = list(entries_of(b'[{"a": 1}, "\\ud800", 1e999]', Shape.ARRAY))
    assert [(entry.index, entry.line, entry.start, entry.data) for entry in entries] == [
        (0, None, None, b'{"a":1}'),
        (1, None, None, b'"\\ud800"'),
        (2, None, None, b"1e999"),
    ]
    assert [entry.data for entry in entries_of(b'[{"a": 1}]', Shape.ARRAY)] == [b'{"a": 1}']
    assert [entry.data for entry in entries_of(MARK + b"{}", Shape.DOCUMENT)] == [b"{}"]
