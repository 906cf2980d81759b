from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

from verdict_frames.documents.contents import read_bytes, unpack, unreadable
from verdict_frames.documents.decoding import UndecodableError
from verdict_frames.documents.listing import PACKED_SUFFIXES, SUFFIXES, list_files
from verdict_frames.vocabulary import ProblemKind

if TYPE_CHECKING:
    from pathlib import Path


def test_packed_bytes_come_out_as_they_went_in() -> None:
    assert unpack(gzip.compress(b"one") + gzip.compress(b" two")) == b"one two"


@pytest.mark.parametrize("data", [b"{}", gzip.compress(b"a" * 99)[:-9], gzip.compress(b"a")[:-4] + b"1234"])
def test_damaged_gzip_is_told_in_one_line(data: bytes) -> None:
    with pytest.raises(UndecodableError, match="the gzip file can't be unpacked") as raised:
        unpack(data)
    assert raised.value.kind is ProblemKind.UNREADABLE
    assert "\n" not in raised.value.reason


def test_a_file_that_changed_since_it_was_listed_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("{}")
    (file,) = list_files(path).files
    assert read_bytes(file, start=1) == b"}"
    path.write_text("{ }")
    with pytest.raises(OSError, match="changed while it was being read") as raised:
        read_bytes(file)
    assert unreadable(file, raised.value).message.startswith("the file can't be read: it was changed")


def test_packed_files_are_listed_where_asked_for(tmp_path: Path) -> None:
    for name in ("a.json", "b.JSONL.gz", "c.txt.gz", "d.gz"):
        (tmp_path / name).write_bytes(b"")
    assert [file.relative for file in list_files(tmp_path).files] == ["a.json"]
    listed = list_files(tmp_path, suffixes=SUFFIXES | PACKED_SUFFIXES).files
    assert [file.relative for file in listed] == ["a.json", "b.JSONL.gz"]
