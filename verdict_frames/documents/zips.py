"""The members of a zip archive, from its directory, or one after the other where that is lost."""

from __future__ import annotations

import stat
import struct
import zipfile
from functools import partial
from typing import TYPE_CHECKING, BinaryIO, Final

from verdict_frames.documents.archived import Member
from verdict_frames.documents.contents import open_stored
from verdict_frames.documents.decoding import UndecodableError
from verdict_frames.documents.found import Stored
from verdict_frames.documents.unpacking import DEFLATE, Unpacked
from verdict_frames.vocabulary import ProblemKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from verdict_frames.documents.found import FoundFile
    from verdict_frames.documents.limits import Limits

_LOCAL: Final = struct.Struct("<4s5H3L2H")
_SIGNATURE: Final = b"PK\3\4"
_FORMS: Final = {zipfile.ZIP_STORED: 0, zipfile.ZIP_DEFLATED: DEFLATE}
_ENCRYPTED: Final = 0x1
_SIZES_BEHIND: Final = 0x8
_UTF8: Final = 0x800
_UNIX: Final = 3
_WRONG_DIRECTORIES: Final = (zipfile.BadZipFile, ValueError, LookupError, NotImplementedError, struct.error)
_LOST: Final = (ProblemKind.UNREADABLE, "where it lies in the archive can't be told; pack it again")


def zip_members(archive: FoundFile, limits: Limits) -> Iterator[Member]:
    """The members in the order of the directory.

    Raises:
        OSError: If the file can't be read.
        UndecodableError: If the directory can't be, or a limit is exceeded; members that were found were given.
    """
    whole = Stored(archive.opens, archive.size, archive.modified, 0, 0, archive.size)
    with open_stored(whole) as file:
        try:
            entries = zipfile.ZipFile(file).infolist()
        except _WRONG_DIRECTORIES as error:
            yield from _without_directory(file, whole, limits)
            ground = " ".join(str(error).split()) or type(error).__name__
            raise UndecodableError(ProblemKind.UNREADABLE, ground[0].lower() + ground[1:]) from None
        for entry in entries:
            yield _member(file, whole, entry)


def _member(file: BinaryIO, whole: Stored, entry: zipfile.ZipInfo) -> Member:
    mode = stat.S_IFMT(entry.external_attr >> 16) if entry.create_system == _UNIX else 0
    begin = _data_begin(file, whole, entry.header_offset)
    form = _FORMS.get(entry.compress_type)
    end = (begin or 0) + entry.compress_size
    trouble = None
    if entry.flag_bits & _ENCRYPTED:
        trouble = (ProblemKind.UNREADABLE, "it is encrypted; unpack it with its password, and read the folder")
    elif form is None:
        message = f"it is packed by method {entry.compress_type}, which isn't read; pack it again by deflate"
        trouble = (ProblemKind.UNREADABLE, message)
    elif begin is None or end > whole.size:
        trouble = _LOST
    return Member(
        name=entry.filename,
        is_file=mode in {0, stat.S_IFREG} and not entry.filename.endswith("/"),
        is_folder=entry.filename.endswith("/"),
        size=entry.file_size,
        stored=Stored(whole.opens, whole.size, whole.modified, form or 0, begin or 0, end),
        checksum=entry.CRC,
        trouble=trouble,
    )


def _data_begin(file: BinaryIO, whole: Stored, offset: int) -> int | None:
    """Where the bytes of a member begin, behind its own header; null where there is no such header."""
    if not 0 <= offset < whole.size:
        return None
    file.seek(offset)
    header = file.read(_LOCAL.size)
    if len(header) < _LOCAL.size or not header.startswith(_SIGNATURE):
        return None
    *_, name_size, extra_size = _LOCAL.unpack(header)
    begin = int(offset + _LOCAL.size + name_size + extra_size)
    return begin if begin <= whole.size else None


def _without_directory(file: BinaryIO, whole: Stored, limits: Limits) -> Iterator[Member]:
    """The members from the beginning on, as far as each header leads to the next; the last one may be cut off."""
    offset = 0
    while (begin := _data_begin(file, whole, offset)) is not None:
        file.seek(offset)
        _, _, flags, method, _, _, checksum, packed_size, size, name_size, _ = _LOCAL.unpack(file.read(_LOCAL.size))
        name = file.read(name_size).decode("utf-8" if flags & _UTF8 else "cp437", "replace")
        form = _FORMS.get(method)
        if form is None or flags & _ENCRYPTED:
            return
        known = not flags & _SIZES_BEHIND
        if not known:
            if form == 0:
                return  # nothing says where it ends
            packed_size, size = _unpacked_size(whole, begin, limits)
        end = min(begin + packed_size, whole.size)
        yield Member(
            name=name,
            is_folder=name.endswith("/"),
            is_file=not name.endswith("/"),
            size=size,
            stored=Stored(whole.opens, whole.size, whole.modified, form, begin, end),
            checksum=checksum if known else None,
        )
        offset = begin + packed_size
        if not known:
            offset += _descriptor_size(file, offset)


def _unpacked_size(whole: Stored, begin: int, limits: Limits) -> tuple[int, int]:
    """How many bytes a deflated member takes up and comes to, told by unpacking it."""
    step = 2**20
    opens = partial(open_stored, whole)
    stream = Unpacked(opens, form=DEFLATE, begin=begin, size=whole.size - begin, ratio=limits.ratio)
    size = 0
    while part := stream.read(size, size + step):
        size += len(part)
    return stream.taken, size


def _descriptor_size(file: BinaryIO, offset: int) -> int:
    """How long is what stands behind a member whose sizes were not known when it was begun."""
    file.seek(offset)
    descriptor = file.read(16)
    return 16 if descriptor.startswith(b"PK\7\x08") else 12
