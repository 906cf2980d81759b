"""What is told of files: what became of each, and what stood in the way of reading it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from verdict_frames.vocabulary import ProblemKind, SourceState

if TYPE_CHECKING:
    from collections.abc import Iterable


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

    def place(self) -> str:
        """The whole path, for putting rows into order."""
        return whole_path(self.path, self.member)


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

    def place(self) -> str:
        """The whole path, for putting rows into order."""
        return whole_path(self.path, self.member)


def whole_path(path: str, member: str | None) -> str:
    """A member's path behind that of its archive; that of a plain file as it is."""
    return path if member is None else f"{path}/{member}"


def name_members(problems: Iterable[Problem], sources: Iterable[SourceFile]) -> None:
    """Tell archive and member apart in problems that have the whole path of a member."""
    members = {source.place(): source for source in sources if source.member is not None}
    for problem in problems:
        source = members.get(problem.path)
        if source is not None and problem.member is None:
            problem.path, problem.member = source.path, source.member
