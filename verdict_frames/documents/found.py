"""Files that are to be read, on disk or in an archive, and which names such files have."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Final

import msgspec

from verdict_frames.documents.escaping import one_line
from verdict_frames.documents.limits import Limits

SUFFIXES: Final = frozenset({".json", ".jsonl", ".ndjson"})
LINE_SUFFIXES: Final = frozenset({".jsonl", ".ndjson"})
PACKED_SUFFIX: Final = ".gz"
PACKED_SUFFIXES: Final = frozenset(f"{suffix}{PACKED_SUFFIX}" for suffix in SUFFIXES)
TAPE_SUFFIXES: Final = frozenset({".tar", ".tar.gz", ".tgz"})
ARCHIVE_SUFFIXES: Final = TAPE_SUFFIXES | {".zip"}
ALL_SUFFIXES: Final = SUFFIXES | PACKED_SUFFIXES | ARCHIVE_SUFFIXES
STORE_RECORDS: Final = frozenset(
    {"index.json", "session.json", "sessions-index.json", "sweeps-index.json", "sweep.json"}
)
SKIPPED_FOLDERS: Final = frozenset({"workspaces", "journal"})
_UNDECODED: Final = re.compile("[\ud800-\udfff]")


class Stored(msgspec.Struct, frozen=True):
    """Where in a file on disk some bytes lie.

    Attributes:
        opens: The path by which the file is opened.
        size: Its bytes, when it was listed.
        modified: Time of its last change then, in nanoseconds.
        form: How the bytes are packed: `GZIP`, `DEFLATE`, or 0 for not at all.
        begin: Offset of the first of them.
        end: Offset behind the last of them.
    """

    opens: str
    size: int
    modified: int
    form: int
    begin: int
    end: int


class Packed(msgspec.Struct, frozen=True, kw_only=True):
    """How the content of a file is got that doesn't lie open on disk.

    Attributes:
        stored: What it lies in.
        skip: Offset of its first byte in that, once unpacked.
        length: Its bytes; null for all that is there.
        checksum: Its CRC-32, where that is known beforehand.
        is_gzip: Whether it is gzip in turn.
        limits: How much may come out.
    """

    stored: Stored
    skip: int = 0
    length: int | None = None
    checksum: int | None = None
    is_gzip: bool = False
    limits: Limits


class FoundFile(msgspec.Struct, frozen=True):
    """One file that is to be read: one on disk, or a member of an archive.

    Attributes:
        opens: The path by which it is opened.
        path: The same for people and tables, see `printable`; for a member of an archive its path behind the archive's.
        relative: Its path below the argument that it was found under; for an argument that is a file, its name; for a
            member of an archive that is an argument, the member's path.
        absolute: Its absolute path, links not followed, for people and tables.
        parts: The names in that path as they are; only bytes that are no UTF-8 are escaped.
        identity: Its real path, links followed: two files with the same one are the same.
        size: In bytes, when it was listed; on disk, unless it is a member of an archive.
        modified: Time of the last change then, in nanoseconds.
        archive: Path of the archive that it lies in, for people and tables; null for a file on disk.
        member: Its path in there, likewise.
        packed: How its content is got; null where it lies open on disk.
        named: Whether an argument names it by itself.
    """

    opens: str
    path: str
    relative: str
    absolute: str
    parts: tuple[str, ...]
    identity: str
    size: int
    modified: int
    archive: str | None = None
    member: str | None = None
    packed: Packed | None = None
    named: bool = False

    @property
    def suffix(self) -> str:
        """Ending of its name in lower case, that of the packing left out."""
        name = self.parts[-1].lower()
        return PurePosixPath(name.removesuffix(PACKED_SUFFIX) if self.packed is not None else name).suffix


def as_text(name: str) -> str:
    """A name as text; bytes of it that are no UTF-8 are escaped."""
    return _UNDECODED.sub(lambda found: one_line(found[0]), name)


def is_left_out(name: str) -> bool:
    """Whether a file of that name is passed over unless an argument names it: records of stores, hidden files."""
    return name in STORE_RECORDS or name.startswith(".")


def is_skipped_folder(name: str) -> bool:
    """Whether a folder of that name is passed over with all that is in it."""
    return name in SKIPPED_FOLDERS or (name.startswith(".") and name not in {".", ".."})
