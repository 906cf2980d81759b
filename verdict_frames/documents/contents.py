"""The bytes of a listed file, also of one that is packed or a member of an archive."""

from __future__ import annotations

import io
import os
import zlib
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import msgspec

from verdict_frames.documents.seen import Problem
from verdict_frames.documents.unpacking import GZIP, Unpacked
from verdict_frames.vocabulary import ProblemKind

if TYPE_CHECKING:
    from verdict_frames.documents.found import FoundFile, Packed, Stored


class Content(msgspec.Struct):
    """What could be read of a file.

    Attributes:
        data: Its bytes, or those before the damage.
        damage: What is wrong with a packed file or an archive, in a few words; null where all of it was read.
    """

    data: bytes
    damage: str | None = None


def read_content(file: FoundFile) -> Content:
    """All of a file, unpacked.

    Raises:
        OSError: If it can't be read, or was changed since it was listed.
        UndecodableError: If it exceeds a limit.
    """
    packed = file.packed
    if packed is None:
        return Content(read_bytes(file))
    content = _stored(packed, 0, None)
    if packed.checksum is not None and content.damage is None and zlib.crc32(content.data) != packed.checksum:
        content = Content(b"", "its checksum doesn't fit")
    if not packed.is_gzip:
        return content
    inner = _in_memory(content.data, packed)
    return inner if content.damage is None else Content(inner.data, content.damage)


def read_bytes(file: FoundFile, *, start: int = 0, end: int | None = None) -> bytes:
    """The bytes of a file, or of a part of it, unpacked and as far as they can be read.

    Raises:
        OSError: If it can't be read, or was changed since it was listed.
        UndecodableError: If it exceeds a limit.
    """
    packed = file.packed
    if packed is None:
        with _open_unchanged(file.opens, file.size, file.modified) as stream:
            stream.seek(start)
            return stream.read(-1 if end is None else end - start)
    if start == 0 and end is None:
        return read_content(file).data
    if packed.is_gzip:
        return read_content(file).data[start:end]
    return _stored(packed, start, end).data


def unreadable(file: FoundFile, error: OSError) -> Problem:
    """The row for a file that the system doesn't give out."""
    message = f"the file can't be read: {error.strerror or error}"
    return Problem(path=file.path, kind=ProblemKind.UNREADABLE, message=message)


def damaged(file: FoundFile, damage: str) -> Problem:
    """The row for a packed file, or a member of an archive, that can't be read to its end."""
    message = f"it can't be unpacked as a whole ({damage}); restore it or pack it again"
    return Problem(path=file.path, kind=ProblemKind.UNREADABLE, message=message)


def open_stored(stored: Stored) -> BinaryIO:
    """Open the file that something is stored in.

    Raises:
        OSError: If it can't be opened, or was changed since it was listed.
    """
    return _open_unchanged(stored.opens, stored.size, stored.modified)


@lru_cache(maxsize=2)
def unpacked(stored: Stored, ratio: int) -> Unpacked:
    """The stream that something lies in; the last two are kept, since neighbours are asked for one after the other."""
    return Unpacked(
        partial(open_stored, stored), form=stored.form, begin=stored.begin, size=stored.end - stored.begin, ratio=ratio
    )


def _stored(packed: Packed, start: int, end: int | None) -> Content:
    """A part of the bytes that are stored, before they are unpacked once more where they are gzip in themselves."""
    stored = packed.stored
    begin = packed.skip + start
    last = None if packed.length is None else packed.skip + packed.length
    stop = last if end is None else packed.skip + end if last is None else min(last, packed.skip + end)
    stream: Unpacked | None = None
    if stored.form:
        stream = unpacked(stored, packed.limits.ratio)
        data = stream.read(begin, stop, most=packed.limits.member_bytes)
    else:
        with open_stored(stored) as file:
            file.seek(stored.begin + begin)
            data = file.read((stored.end if stop is None else stop) - begin)
    is_whole = stop is not None and len(data) == stop - begin
    if stream is not None and stream.damage is not None and not is_whole:
        return Content(b"" if stream.is_void else data, stream.damage)
    return Content(data, None if is_whole or stop is None else "it ends too soon, so it was cut off")


def _in_memory(data: bytes, packed: Packed) -> Content:
    stream = Unpacked(lambda: io.BytesIO(data), form=GZIP, begin=0, size=len(data), ratio=packed.limits.ratio)
    inner = stream.read(0, None, most=packed.limits.member_bytes)
    return Content(b"" if stream.is_void else inner, stream.damage)


def _open_unchanged(opens: str, size: int, modified: int) -> BinaryIO:
    stream = Path(opens).open("rb")  # noqa: SIM115 - it is the caller who closes it
    status = os.fstat(stream.fileno())
    if (status.st_size, status.st_mtime_ns) != (size, modified):
        stream.close()
        raise OSError(0, "it was changed while it was being read; read it again when its writer is done")
    return stream
