from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from verdict_frames.documents.contents import read_bytes, unreadable
from verdict_frames.documents.found import PACKED_SUFFIXES, SUFFIXES
from verdict_frames.documents.listing import list_files

if TYPE_CHECKING:
    from pathlib import Path


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
