"""The bytes of a listed file."""

from __future__ import annotations

import gzip
import os
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Final

from verdict_frames.documents.decoding import UndecodableError
from verdict_frames.documents.seen import Problem
from verdict_frames.vocabulary import ProblemKind

if TYPE_CHECKING:
    from verdict_frames.documents.listing import FoundFile

PACKED_SUFFIX: Final = ".gz"


def read_bytes(file: FoundFile, *, start: int = 0, end: int | None = None) -> bytes:
    """The bytes of a file, or of a part of it.

    Raises:
        OSError: If it can't be read, or was changed since it was listed.
    """
    with Path(file.opens).open("rb") as stream:
        status = os.fstat(stream.fileno())
        if (status.st_size, status.st_mtime_ns) != (file.size, file.modified):
            raise OSError(0, "it was changed while it was being read; read it again when its writer is done")
        stream.seek(start)
        return stream.read(-1 if end is None else end - start)


def unreadable(file: FoundFile, error: OSError) -> Problem:
    """The row for a file that the system doesn't give out."""
    message = f"the file can't be read: {error.strerror or error}"
    return Problem(path=file.path, kind=ProblemKind.UNREADABLE, message=message)


def unpack(data: bytes) -> bytes:
    """The bytes inside of gzip.

    Raises:
        UndecodableError: If they are no gzip, or damaged.
    """
    try:
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        ground = str(error) or "it is damaged"
        reason = f"the gzip file can't be unpacked ({ground[0].lower()}{ground[1:]}); restore it or pack it again"
        raise UndecodableError(ProblemKind.UNREADABLE, reason) from None
