"""Path arguments → the files that are to be read, and rows for those that are skipped by rule.

Nothing is opened here, so that a wrong argument is told before anything is read.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from verdict_frames.documents.escaping import one_line
from verdict_frames.documents.found import (
    ARCHIVE_SUFFIXES,
    PACKED_SUFFIX,
    STORE_RECORDS,
    SUFFIXES,
    FoundFile,
    Packed,
    Stored,
    as_text,
    is_left_out,
    is_skipped_folder,
)
from verdict_frames.documents.limits import Limits
from verdict_frames.documents.seen import Problem, SourceFile
from verdict_frames.documents.unpacking import GZIP
from verdict_frames.errors import ArgumentError, MissingPathError, PatternError, TargetError
from verdict_frames.vocabulary import ProblemKind, SourceState

_MAGIC: Final = frozenset("*?[")


class Listing(msgspec.Struct):
    """What the path arguments hold, each file once.

    Attributes:
        files: To be read, sorted by path.
        archives: To be opened, sorted by path.
        records: Records of result stores, sorted by path. They hold no results, so that they have a row as well.
        rows: Files and folders that are not: skipped by rule, or impossible to open.
        problems: Why those that are impossible to open are so.
    """

    files: list[FoundFile] = msgspec.field(default_factory=list)
    archives: list[FoundFile] = msgspec.field(default_factory=list)
    records: list[FoundFile] = msgspec.field(default_factory=list)
    rows: list[SourceFile] = msgspec.field(default_factory=list)
    problems: list[Problem] = msgspec.field(default_factory=list)


def list_files(
    paths: str | Path | Iterable[str | Path], *, suffixes: frozenset[str] = SUFFIXES, limits: Limits | None = None
) -> Listing:
    """List what the arguments hold: files, folders with everything below them, and globs, `**` included.

    A file that is named is read whatever its name. In folders and for globs these are skipped, each with a row: the
    records of a result store (`index.json`, `session.json` and their like), hidden files, which a store's temporary
    files are, and files whose name has another ending than `suffixes` (a glob that ends in a suffix asks for it).
    Folders named `workspaces` and `journal`, hidden ones, and those that a link leads to a second time, have one
    row for all that is in them, its path ending in `/`. A file reached by two arguments is listed once.

    Args:
        paths: Files, folders and globs.
        suffixes: Endings of names, in lower case.
        limits: How much may come out of what is packed.

    Raises:
        ArgumentError: If there is no path, or one is neither text nor a path.
        MissingPathError: If an argument names nothing that exists, or a glob matches nothing.
        PatternError: If a glob has `**` beside other text in one part.
    """
    roots = [root for argument in path_arguments(paths) for root in _roots(os.fspath(argument))]
    walk = _Walk(suffixes, limits or Limits())
    for root in sorted(roots, key=lambda root: not root.named_file):
        walk.visit(root)
    for files in (walk.listing.files, walk.listing.archives, walk.listing.records):
        files.sort(key=lambda file: file.path)
    return walk.listing


def row_of(file: FoundFile) -> SourceFile:
    """The row of a file of which nothing has been read yet."""
    path = file.path if file.archive is None else file.archive
    return SourceFile(path=path, member=file.member, size=file.size, state=SourceState.PROBLEM)


def path_arguments(paths: object) -> list[str | Path]:
    """One path or several as a list.

    Raises:
        ArgumentError: If there is none, or one is neither text nor a path.
    """
    one = isinstance(paths, str | bytes | bytearray | Path)
    several: Iterable[object] = paths if isinstance(paths, Iterable) and not one else [paths]
    arguments: list[str | Path] = []
    for argument in several:
        if not isinstance(argument, str | Path):
            msg = f"a path is a text or a pathlib.Path, not {type(argument).__name__}; name files, folders or globs"
            raise ArgumentError(msg)
        arguments.append(argument)
    if not arguments:
        msg = "no path was given; name files, folders or globs"
        raise ArgumentError(msg)
    return arguments


def require_outside(target: Path, sources: Iterable[str | Path], *, called: str) -> None:
    """Refuse a place to write to that is one of the source folders or lies within one, also through links.

    Args:
        target: Where something is to be written; need not exist.
        sources: Files and folders that are read; files are no hindrance.
        called: What the message calls the target.

    Raises:
        TargetError: If it is, or does.
    """
    real = os.path.realpath(target)
    for source in map(Path, sources):
        if source.is_dir() and Path(real).is_relative_to(os.path.realpath(source)):
            msg = f"the {called} {printable(target)} is the source {printable(source)} or lies within it; name another"
            raise TargetError(msg)


def printable(path: Path) -> str:
    """A path for people and tables: with `/`, in one line, and never like that of another file.

    Backslashes, hidden characters and bytes that are no UTF-8 are escaped.
    """
    return one_line(path.as_posix())


class _Root(msgspec.Struct, frozen=True):
    """One existing thing that an argument names; `base` is what run ids leave out."""

    path: Path
    base: Path
    named_file: bool = False
    glob_suffix: str | None = None


def _roots(argument: str) -> list[_Root]:
    path = Path(argument)
    if argument and os.path.exists(argument):  # noqa: PTH110 - Path.exists raises on a NUL
        return [_Root(path, path)] if _is_folder(path) else [_Root(path, path.parent, named_file=True)]
    if not _MAGIC & set(argument):
        raise MissingPathError(_missing(argument))
    if any("**" in part and part != "**" for part in path.parts):
        msg = f"glob {argument!r} can't be used: ** must be a whole part of the path, as in results/**/*.json"
        raise PatternError(msg)
    first = next(place for place, part in enumerate(path.parts) if _MAGIC & set(part))
    base = Path(*path.parts[:first])
    if not _is_folder(base):
        raise MissingPathError(_missing(str(base)))
    try:
        matches = sorted(base.glob("/".join(path.parts[first:])))
    except OSError as error:
        msg = f"glob {argument!r} can't be used: {error.strerror}"
        raise PatternError(msg) from None
    if not matches:
        msg = f"nothing matches the glob {argument!r}; {_contents(base)}; a folder is read whole without a glob"
        raise MissingPathError(msg)
    return [_Root(match, base, glob_suffix=path.suffix) for match in matches]


def _missing(argument: str) -> str:
    parent = Path(argument).parent
    if argument and _is_folder(parent):
        return f"there is no file or folder {argument!r}; {_contents(parent)}"
    return f"there is no file or folder {argument!r}; paths are taken from '{printable(Path.cwd())}'"


def _contents(folder: Path) -> str:
    try:
        names = sorted(printable(Path(name)) for name in os.listdir(folder))  # noqa: PTH208 - names are wanted
    except OSError:
        return f"'{printable(folder)}' can't be listed"
    shown = ", ".join(names[:8]) if names else "nothing"
    return f"'{printable(folder)}' holds {shown}{', …' if len(names) > 8 else ''}"


class _Walk:
    """Gathers files over several roots."""

    def __init__(self, suffixes: frozenset[str], limits: Limits) -> None:
        self._suffixes = suffixes
        self._limits = limits
        self.listing = Listing()
        self._seen: set[str] = set()
        self._walked: set[str] = set()

    def visit(self, root: _Root) -> None:
        if root.glob_suffix is None:
            if root.named_file:
                self._add(root.path, root.base, named=True)
            else:
                self._walk(root.path, root.base)
            return
        folder = root.base
        for name in root.path.relative_to(root.base).parts:
            folder /= name
            if is_skipped_folder(name) and _is_folder(folder):
                self._row(folder, SourceState.SKIPPED, folder=True)
                return
        if _is_folder(root.path):
            self._walk(root.path, root.base)
        elif self._is_wanted(root.path, asked=root.glob_suffix):
            self._add(root.path, root.base)
        else:
            self._pass_over(root.path, root.base)

    def _walk(self, start: Path, base: Path) -> None:
        """Walk real folders first and those behind links last, so that a link never hides what it leads to."""
        folders = [start]
        links: list[Path] = []
        while folders or links:
            path = folders.pop() if folders else links.pop(0)
            real = os.path.realpath(path)
            if real in self._walked:
                if path.is_symlink():
                    self._row(path, SourceState.SKIPPED, folder=True)
                continue
            self._walked.add(real)
            try:
                entries = sorted(os.scandir(path), key=lambda entry: entry.name)
            except OSError as error:
                self._refuse(path, f"the folder can't be listed: {error.strerror}", folder=True)
                continue
            for entry in entries:
                if self._enters(path / entry.name, entry, base):
                    (links if entry.is_symlink() else folders).append(path / entry.name)

    def _enters(self, path: Path, entry: os.DirEntry[str], base: Path) -> bool:
        """Add what is no folder, or a folder that is skipped; whether it is one to be walked."""
        try:
            is_folder = entry.is_dir()
        except OSError as error:  # a link in a circle, or into a closed folder
            if is_skipped_folder(entry.name) or entry.name in STORE_RECORDS:
                self._row(path, SourceState.SKIPPED)
            else:
                self._refuse(path, f"the link can't be followed: {error.strerror}")
            return False
        if not is_folder:
            if self._is_wanted(path):
                self._add(path, base)
            else:
                self._pass_over(path, base)
            return False
        if is_skipped_folder(entry.name):
            self._row(path, SourceState.SKIPPED, folder=True)
            return False
        return True

    def _add(self, path: Path, base: Path, *, named: bool = False) -> None:
        absolute = os.path.abspath(path)  # noqa: PTH100 - links must not be followed here
        if absolute in self._seen:
            return
        try:
            status = path.stat()
        except OSError as error:
            self._refuse(path, f"the file can't be opened: {error.strerror}")
            return
        if not stat.S_ISREG(status.st_mode):
            if named:
                self._refuse(path, "this is a pipe or a device; write its output to a file and name that")
            else:
                self._row(path, SourceState.SKIPPED)
            return
        self._seen.add(absolute)
        found = _found(path, base, absolute, status)
        name = path.name.lower()
        if name.endswith(tuple(ARCHIVE_SUFFIXES & self._suffixes)):
            self.listing.archives.append(msgspec.structs.replace(found, named=named))
            return
        if name.endswith(PACKED_SUFFIX):
            stored = Stored(found.opens, found.size, found.modified, GZIP, 0, found.size)
            found = msgspec.structs.replace(found, packed=Packed(stored=stored, limits=self._limits))
        self.listing.files.append(found)
        if path.name in STORE_RECORDS:
            self.listing.records.append(found)

    def _pass_over(self, path: Path, base: Path) -> None:
        """Add the row of a file that isn't read; a record of a store is listed as one."""
        if self._row(path, SourceState.SKIPPED) is None or path.name not in STORE_RECORDS:
            return
        with suppress(OSError):  # a link to nothing
            status = path.stat()
            if stat.S_ISREG(status.st_mode):
                absolute = os.path.abspath(path)  # noqa: PTH100 - links must not be followed here
                self.listing.records.append(_found(path, base, absolute, status))

    def _is_wanted(self, path: Path, *, asked: str = "") -> bool:
        """Whether a file that wasn't named by itself is read; `asked` is a suffix that a glob asks for."""
        if is_left_out(path.name):
            return False
        return path.name.lower().endswith(tuple(self._suffixes)) or (asked != "" and path.suffix == asked)

    def _row(self, path: Path, state: SourceState, *, folder: bool = False) -> str | None:
        """Add a row unless there is one; its path, for a problem that belongs to it."""
        absolute = os.path.abspath(path)  # noqa: PTH100 - links must not be followed here
        if absolute in self._seen:
            return None
        self._seen.add(absolute)
        shown = printable(path) + ("/" if folder else "")
        self.listing.rows.append(SourceFile(path=shown, size=None if folder else _size(path), state=state))
        return shown

    def _refuse(self, path: Path, message: str, *, folder: bool = False) -> None:
        shown = self._row(path, SourceState.PROBLEM, folder=folder)
        if shown is not None:
            self.listing.problems.append(Problem(path=shown, kind=ProblemKind.UNREADABLE, message=message))


def _found(path: Path, base: Path, absolute: str, status: os.stat_result) -> FoundFile:
    return FoundFile(
        opens=str(path),
        path=printable(path),
        relative=printable(path.relative_to(base)),
        absolute=printable(Path(absolute)),
        parts=tuple(map(as_text, Path(absolute).parts[1:])),
        identity=os.path.realpath(path),
        size=status.st_size,
        modified=status.st_mtime_ns,
    )


def _is_folder(path: Path) -> bool:
    return os.path.isdir(path)  # noqa: PTH112 - Path.is_dir raises on names that are too long and in closed folders


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except OSError:
        return None
