"""The members of a tar archive, packed by gzip or not, read from its headers alone."""

from __future__ import annotations

import tarfile
from typing import TYPE_CHECKING, Any, Final, cast

from verdict_frames.documents.archived import Member
from verdict_frames.documents.contents import open_stored, unpacked
from verdict_frames.documents.decoding import UndecodableError
from verdict_frames.documents.found import Stored
from verdict_frames.documents.unpacking import GZIP
from verdict_frames.vocabulary import ProblemKind

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import IO

    from verdict_frames.documents.found import FoundFile
    from verdict_frames.documents.limits import Limits
    from verdict_frames.documents.unpacking import Unpacked

_BLOCK: Final = tarfile.BLOCKSIZE
_LONGEST_HEADER: Final = 2**20
_WRONG_HEADERS: Final = (tarfile.TarError, ValueError, ArithmeticError, LookupError, RecursionError)
"""What comes of headers that nobody has written; Unicode errors are value errors."""


def tape_members(archive: FoundFile, limits: Limits) -> Iterator[Member]:
    """The members in their order.

    Raises:
        OSError: If the file can't be read.
        UndecodableError: Once the archive turns out to be damaged or to exceed a limit; the members before were given.
    """
    form = 0 if archive.parts[-1].lower().endswith(".tar") else GZIP
    stored = Stored(archive.opens, archive.size, archive.modified, form, 0, archive.size)
    stream = unpacked(stored, limits.ratio) if form else None
    reader = _Reader(stored, stream)
    try:
        yield from _members(reader, stored)
    except _WRONG_HEADERS as error:
        damage = None if stream is None else stream.damage
        ground = damage or " ".join(str(error).split()) or type(error).__name__
        raise UndecodableError(ProblemKind.UNREADABLE, ground) from None
    if stream is not None:
        reader.run_out()
        if stream.damage is not None:
            raise UndecodableError(ProblemKind.UNREADABLE, stream.damage)


def _members(reader: _Reader, stored: Stored) -> Iterator[Member]:
    places: dict[str, tuple[int, int]] = {}
    last = -1
    tape: Any = tarfile.TarFile(fileobj=cast("IO[bytes]", reader), encoding="utf-8", errors="surrogateescape")
    while (header := tape.next()) is not None:
        tape.members.clear()  # or it would keep them all
        if header.size < 0 or header.offset_data <= last:
            message = f"the header of a member at byte {header.offset} says what can't be"
            raise tarfile.ReadError(message)
        last = header.offset_data
        size, skip = header.size, header.offset_data
        if header.isreg():
            places[header.name] = size, skip
        elif header.islnk():
            size, skip = places.get(header.linkname, (0, -1))
        trouble = None
        if header.issparse():
            trouble = (ProblemKind.UNREADABLE, "it is a sparse file, which isn't read; pack it as a plain one")
        yield Member(
            name=header.name,
            is_file=header.isreg() or (header.islnk() and skip >= 0),
            is_folder=header.isdir(),
            size=size,
            stored=stored,
            skip=max(skip, 0),
            trouble=trouble,
        )
    end = reader.at(tape.offset, _BLOCK)
    if end.strip(b"\0"):
        message = f"the header at byte {tape.offset} can't be read"
        raise tarfile.ReadError(message)
    if not end:
        message = "it has no end mark, so it was cut off"
        raise tarfile.ReadError(message)


class _Reader:
    """A tape as `tarfile` wants to have it, which reads headers from it and steps over all else."""

    def __init__(self, stored: Stored, stream: Unpacked | None) -> None:
        self._stored = stored
        self._stream = stream
        self._at = 0

    def tell(self) -> int:
        return self._at

    def seek(self, place: int) -> None:
        if place < 0:
            message = "a header points back before the beginning"
            raise tarfile.ReadError(message)
        self._at = place

    def read(self, size: int) -> bytes:
        if not 0 <= size <= _LONGEST_HEADER:
            message = f"a header of {size} bytes"
            raise tarfile.ReadError(message)
        data = self.at(self._at, size)
        self._at += len(data)
        return data

    def at(self, place: int, size: int) -> bytes:
        """Some bytes of the tape; fewer at its end."""
        if self._stream is not None:
            return self._stream.read(place, place + size)
        with open_stored(self._stored) as file:
            file.seek(place)
            return file.read(size)

    def run_out(self) -> None:
        """Go on to the end, since only there it is known whether all is well."""
        if self._stream is not None:
            while self._stream.read(self._at, self._at + _LONGEST_HEADER):
                self._at += _LONGEST_HEADER
