"""What is told of files: what became of each, and what stood in the way of reading it."""

from __future__ import annotations

import msgspec

from verdict_frames.vocabulary import ProblemKind, SourceState


class SourceFile(msgspec.Struct, kw_only=True):
    """What became of one file that was seen.

    Attributes:
        path: As found, with `/`; a folder that was passed over whole ends in `/`.
        member: Member of an archive; null for a plain file.
        size: In bytes; null when it can't be told.
        sha256: Of the file's bytes, for files that were read.
        state: What became of it.
        run_id: The run it holds, for `read` and `copy`; null where it holds several. A file that one run was read from
            and that repeats another is `read`.
    """

    path: str
    member: str | None = None
    size: int | None = None
    sha256: str | None = None
    state: SourceState
    run_id: str | None = None


class Problem(msgspec.Struct, kw_only=True):
    """What stood in the way, where, and what it cost.

    Attributes:
        path: The file.
        member: Member of an archive.
        kind: What sort of trouble.
        run_id: The run concerned, where known.
        item_index: The item concerned.
        line: Line in a file of JSON lines or of a syntax error, from 1.
        byte: Offset in the file, from 0.
        message: One line: what, where and the remedy.
    """

    path: str
    member: str | None = None
    kind: ProblemKind
    run_id: str | None = None
    item_index: int | None = None
    line: int | None = None
    byte: int | None = None
    message: str
