"""Any part of a gzip or deflate stream, without the whole of it in memory or on disk.

A stream can only be unpacked from its beginning. So the state of the unpacker is kept at some places on the way, no
more than `_MOST_MARKS` however long the stream, and a part is unpacked from the nearest of them on.
"""

from __future__ import annotations

import zlib
from bisect import bisect_right
from threading import Lock
from typing import TYPE_CHECKING, Any, BinaryIO, Final

import msgspec

from verdict_frames.documents.decoding import UndecodableError
from verdict_frames.vocabulary import ProblemKind

if TYPE_CHECKING:
    from collections.abc import Callable

GZIP: Final = 16 + zlib.MAX_WBITS
DEFLATE: Final = -zlib.MAX_WBITS

_TAKEN_AT_ONCE: Final = 4 * 2**10
_FIRST_SPACING: Final = 2**18
_MOST_MARKS: Final = 512
_WRONG_SUMS: Final = frozenset({"incorrect data check", "incorrect length check"})
_HARMLESS: Final = 64 * 2**20


class _Mark(msgspec.Struct, frozen=True):
    """A state to go on from: bytes taken in and given out so far, and the unpacker after them."""

    taken: int
    given: int
    unpacker: Any


class Unpacked:
    """The bytes inside of a packed stream.

    Args:
        opens: Opens the file that the stream lies in.
        form: `GZIP` or `DEFLATE`.
        begin: Offset in the file of the stream's first byte.
        size: Bytes of the packed stream.
        ratio: How many bytes may come out for each that goes in.

    Attributes:
        damage: What is wrong with the stream, in a few words, once it has been met; nothing behind it can be read.
        is_void: Whether what comes before the damage is no good either, because its checksum doesn't fit.
    """

    def __init__(self, opens: Callable[[], BinaryIO], *, form: int, begin: int, size: int, ratio: int) -> None:
        self.damage: str | None = None
        self.is_void = False
        self._opens, self._form, self._begin, self._size, self._ratio = opens, form, begin, size, ratio
        self._lock = Lock()
        self._spacing = _FIRST_SPACING
        self._marks = [_Mark(0, 0, zlib.decompressobj(form))]
        self._go_back(self._marks[0])

    def read(self, start: int, end: int | None, *, most: int | None = None) -> bytes:
        """A part; less where the stream is damaged or ends before.

        Args:
            start: Offset of its first byte.
            end: Offset behind its last one; null for all that there is.
            most: How long it may be.

        Raises:
            OSError: If the file can't be read.
            UndecodableError: If a limit is exceeded.
        """
        parts: list[bytes] = []
        at = start
        with self._lock, self._opens() as file:
            mark = self._marks[bisect_right(self._marks, start, key=lambda mark: mark.given) - 1]
            if start < self._place or mark.given > self._place + len(self._out):
                self._go_back(mark)
            file.seek(self._begin + self._taken)
            while end is None or at < end:
                if self._place <= at < self._place + len(self._out):
                    part = self._out[at - self._place : None if end is None else end - self._place]
                    parts.append(part)
                    at += len(part)
                    if most is not None and at - start > most:
                        what = f"it comes to more than {most} bytes"
                        raise _beyond(what)
                elif not self._go_on(file):
                    break
        return b"".join(parts)

    @property
    def taken(self) -> int:
        """How many packed bytes were taken in so far."""
        return self._taken

    def _go_back(self, mark: _Mark) -> None:
        self._taken, self._place, self._out = mark.taken, mark.given, b""
        self._unpacker = mark.unpacker.copy()

    def _go_on(self, file: BinaryIO) -> bool:
        """Unpack the next few bytes; false at the end of the stream, or of what can be read of it."""
        if self._unpacker.eof and not self._begin_next(file):
            return False
        given = self._place + len(self._out)
        if given >= self._marks[-1].given + self._spacing:
            self._mark(given)
        packed = file.read(min(_TAKEN_AT_ONCE, self._size - self._taken))
        if not packed:
            self.damage = "it ends too soon, so it was cut off"
            return False
        try:
            out = self._unpacker.decompress(packed)
        except zlib.error as error:
            self.damage = str(error).rpartition(": ")[2]
            self.is_void = self.damage in _WRONG_SUMS
            return False
        self._place, self._out = given, out
        self._taken += len(packed) - len(self._unpacker.unused_data)
        file.seek(self._begin + self._taken)
        if given + len(out) > max(_HARMLESS, self._ratio * self._taken):
            what = f"more than {self._ratio} bytes come out of each byte of it"
            raise _beyond(what)
        return True

    def _begin_next(self, file: BinaryIO) -> bool:
        """Go over to the stream behind one that has ended, of which gzip may have several, with zeros in between."""
        while self._form == GZIP and (packed := file.read(min(_TAKEN_AT_ONCE, self._size - self._taken))):
            rest = packed.lstrip(b"\0")
            self._taken += len(packed) - len(rest)
            if rest:
                file.seek(self._begin + self._taken)
                self._unpacker = zlib.decompressobj(GZIP)
                return True
        return False

    def _mark(self, given: int) -> None:
        self._marks.append(_Mark(self._taken, given, self._unpacker.copy()))
        if len(self._marks) > _MOST_MARKS:
            del self._marks[1::2]
            self._spacing *= 2


def _beyond(what: str) -> UndecodableError:
    return UndecodableError(ProblemKind.LIMIT, f"{what}; raise the limit if that is as it should be")
