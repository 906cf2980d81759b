"""One member of an archive, of whatever sort the archive is."""

from __future__ import annotations

import msgspec

from verdict_frames.documents.found import Stored
from verdict_frames.vocabulary import ProblemKind


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """What an archive says of one member.

    Attributes:
        name: Its path as it stands there, with `/`; it may be anything.
        is_file: Whether it is a file with bytes of its own, and no link, device or the like.
        is_folder: Whether it is a folder.
        size: Its bytes, once unpacked.
        stored: Where it lies.
        skip: Offset of its first byte in that, once unpacked.
        checksum: Its CRC-32, where the archive says it.
        trouble: Why its bytes can't be had, as kind and message.
    """

    name: str
    is_file: bool = True
    is_folder: bool = False
    size: int = 0
    stored: Stored
    skip: int = 0
    checksum: int | None = None
    trouble: tuple[ProblemKind, str] | None = None
