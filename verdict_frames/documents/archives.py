"""What lies in archives, as if it lay in a folder. Nothing is extracted: a member's path is no more than a name.

Members are sorted out as files below a folder are, see `verdict_frames.documents.listing.list_files`. Links, devices
and archives within archives are skipped, each with a row, and so is every member but the last of several with one path,
since unpacking would leave the last one alone. A second name of a member (a hard link) stands for the same bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from verdict_frames.documents.decoding import UndecodableError
from verdict_frames.documents.escaping import one_line
from verdict_frames.documents.found import (
    ALL_SUFFIXES,
    ARCHIVE_SUFFIXES,
    PACKED_SUFFIX,
    STORE_RECORDS,
    TAPE_SUFFIXES,
    FoundFile,
    Packed,
    as_text,
    is_left_out,
    is_skipped_folder,
)
from verdict_frames.documents.listing import Listing
from verdict_frames.documents.seen import Problem, SourceFile
from verdict_frames.documents.tapes import tape_members
from verdict_frames.documents.zips import zip_members
from verdict_frames.vocabulary import ProblemKind, SourceState

if TYPE_CHECKING:
    from collections.abc import Iterable

    from verdict_frames.documents.archived import Member
    from verdict_frames.documents.limits import Limits

_DAMAGED: Final = "restore the archive or pack it again"


class Opened(msgspec.Struct):
    """A listing with what its archives hold.

    Attributes:
        listing: As before, and the members among its files, records, rows and problems; no archives.
        contents: Path by which an archive is opened → the paths of all files and folders in it, as names from the root
            of the file system on.
    """

    listing: Listing
    contents: dict[str, frozenset[tuple[str, ...]]]


def open_archives(listing: Listing, limits: Limits) -> Opened:
    """Add what the archives of a listing hold, sorted by path.

    An archive that is damaged, or exceeds a limit, has what was found before that, and a problem.
    """
    opened = Opened(Listing(), {})
    whole = opened.listing
    for name in ("files", "records", "rows", "problems"):
        setattr(whole, name, list(getattr(listing, name)))
    for archive in listing.archives:
        sorting = _Sorting(archive, limits, whole)
        state = SourceState.READ
        try:
            sorting.add_all(_members_of(archive, limits))
        except OSError as error:
            reason, kind = f"the archive can't be read: {error.strerror or error}", ProblemKind.UNREADABLE
        except UndecodableError as error:
            reason, kind = error.reason, error.kind
            if kind is ProblemKind.UNREADABLE:
                reason = f"the archive can't be read as a whole ({reason}); {_DAMAGED}"
        else:
            reason = ""
        if reason:
            whole.problems.append(Problem(path=archive.path, kind=kind, message=reason))
            state = SourceState.READ if sorting.places else SourceState.PROBLEM
        whole.rows.append(SourceFile(path=archive.path, size=archive.size, state=state))
        sorting.close()
        opened.contents[archive.opens] = frozenset(sorting.places)
    for files in (whole.files, whole.records):
        files.sort(key=lambda file: file.path)
    return opened


def _members_of(archive: FoundFile, limits: Limits) -> Iterable[Member]:
    name = archive.parts[-1].lower()
    return tape_members(archive, limits) if name.endswith(tuple(TAPE_SUFFIXES)) else zip_members(archive, limits)


class _Sorting:
    """Sorts the members of one archive out into a listing.

    Attributes:
        places: The paths of all that it has met, and of the folders above.
    """

    def __init__(self, archive: FoundFile, limits: Limits, listing: Listing) -> None:
        self.places: set[tuple[str, ...]] = set()
        self._archive = archive
        self._limits = limits
        self._listing = listing
        self._folders: set[str] = set()
        self._last: dict[str, tuple[Member, tuple[str, ...]]] = {}
        self._counts: dict[str, int] = {}

    def add_all(self, members: Iterable[Member]) -> None:
        """Take note of the members, which may end in an error."""
        for member in members:
            parts = tuple(part for part in member.name.split("/") if part not in {"", "."})
            place = (*self._archive.parts, *map(as_text, parts))
            self.places |= {place[:end] for end in range(len(self._archive.parts), len(place) + 1)}
            if member.is_folder:
                self._passes_over_folder((*parts, ""))
            elif not parts:
                self._row(one_line(member.name), member.size, SourceState.SKIPPED)
            elif not self._passes_over_folder(parts):
                self._add(member, parts)

    def close(self) -> None:
        """Enter what was found, once it is known which member of a path is the last."""
        for shown, (member, parts) in self._last.items():
            if self._counts[shown] > 1:
                message = f"the archive holds {self._counts[shown]} files of this path; the last one is read"
                self._trouble(shown, ProblemKind.CONFLICT, message)
            if member.trouble is not None:
                self._row(shown, member.size, SourceState.PROBLEM)
                self._trouble(shown, *member.trouble)
            elif member.size > self._limits.member_bytes:
                self._row(shown, member.size, SourceState.PROBLEM)
                message = f"it comes to more than {self._limits.member_bytes} bytes ({member.size})"
                self._trouble(shown, ProblemKind.LIMIT, f"{message}; raise the limit if that is as it should be")
            else:
                self._enter(member, parts, shown)

    def _passes_over_folder(self, parts: tuple[str, ...]) -> bool:
        for depth, name in enumerate(parts[:-1], start=1):
            if is_skipped_folder(name):
                shown = _shown(parts[:depth]) + "/"
                if shown not in self._folders:
                    self._folders.add(shown)
                    self._row(shown, None, SourceState.SKIPPED)
                return True
        return False

    def _add(self, member: Member, parts: tuple[str, ...]) -> None:
        name = parts[-1]
        shown = ("/" if member.name.startswith("/") else "") + _shown(parts)
        is_record = name in STORE_RECORDS
        wanted = is_record or (not is_left_out(name) and name.lower().endswith(tuple(ALL_SUFFIXES - ARCHIVE_SUFFIXES)))
        if not wanted or not member.is_file or name.lower().endswith(tuple(ARCHIVE_SUFFIXES)):
            self._row(shown, member.size, SourceState.SKIPPED)
            return
        if shown in self._last:
            self._row(shown, self._last[shown][0].size, SourceState.SKIPPED)
        self._last[shown] = member, parts
        self._counts[shown] = self._counts.get(shown, 0) + 1

    def _enter(self, member: Member, parts: tuple[str, ...], shown: str) -> None:
        archive = self._archive
        found = FoundFile(
            opens=archive.opens,
            path=f"{archive.path}/{shown}",
            relative=shown if archive.named else f"{archive.relative}/{shown}",
            absolute=f"{archive.absolute}/{shown}",
            parts=(*archive.parts, *map(as_text, parts)),
            identity=f"{archive.identity}\0{shown}",
            size=member.size,
            modified=archive.modified,
            archive=archive.path,
            member=shown,
            packed=Packed(
                stored=member.stored,
                skip=member.skip,
                length=member.size,
                checksum=member.checksum,
                is_gzip=parts[-1].lower().endswith(PACKED_SUFFIX),
                limits=self._limits,
            ),
        )
        if parts[-1] in STORE_RECORDS:
            self._row(shown, member.size, SourceState.SKIPPED)
            self._listing.records.append(found)
        else:
            self._listing.files.append(found)

    def _row(self, shown: str, size: int | None, state: SourceState) -> None:
        self._listing.rows.append(SourceFile(path=self._archive.path, member=shown, size=size, state=state))

    def _trouble(self, shown: str, kind: ProblemKind, message: str) -> None:
        self._listing.problems.append(Problem(path=self._archive.path, member=shown, kind=kind, message=message))


def _shown(parts: tuple[str, ...]) -> str:
    return "/".join(map(one_line, parts))
