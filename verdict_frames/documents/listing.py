"""Path arguments → the files that are to be read, and rows for those that are skipped by rule.

Nothing is opened here, so that a wrong argument is told before anything is read.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from verdict_frames.documents.seen import Problem, SourceFile
from verdict_frames.errors import ArgumentError, MissingPathError, PatternError
from verdict_frames.vocabulary import ProblemKind, SourceState

if TYPE_CHECKING:
    from collections.abc import Iterable

SUFFIXES: Final = frozenset({".json", ".jsonl", ".ndjson"})
LINE_SUFFIXES: Final = frozenset({".jsonl", ".ndjson"})
PACKED_SUFFIXES: Final = frozenset(f"{suffix}.gz" for suffix in SUFFIXES)
STORE_RECORDS: Final = frozenset(
    {"index.json", "session.json", "sessions-index.json", "sweeps-index.json", "sweep.json"}
)
SKIPPED_FOLDERS: Final = frozenset({"workspaces", "journal"})
_MAGIC: Final = frozenset("*?[")


class FoundFile(msgspec.Struct, frozen=True):
    r"""One file that is to be read.

    Attributes:
        opens: The path by which it is opened.
        path: The same for people and tables, with `/`; a byte of the name that is no UTF-8 shows as `\xff`.
        relative: Its path below the argument that it was found under; for an argument that is a file, its name.
        absolute: Its absolute path, links not followed, for people and tables.
        identity: Its real path, links followed: two files with the same one are the same.
        size: In bytes, when it was listed.
        modified: Time of the last change then, in nanoseconds.
    """

    opens: str
    path: str
    relative: str
    absolute: str
    identity: str
    size: int
    modified: int


class Listing(msgspec.Struct):
    """What the path arguments hold, each file once.

    Attributes:
        files: To be read, sorted by path.
        rows: Files and folders that are not: skipped by rule, or impossible to open.
        problems: Why those that are impossible to open are so.
    """

    files: list[FoundFile] = msgspec.field(default_factory=list)
    rows: list[SourceFile] = msgspec.field(default_factory=list)
    problems: list[Problem] = msgspec.field(default_factory=list)


def list_files(paths: str | Path | Iterable[str | Path], *, suffixes: frozenset[str] = SUFFIXES) -> Listing:
    """List what the arguments hold: files, folders with everything below them, and globs, `**` included.

    A file that is named is read whatever its name. In folders and for globs these are skipped, each with a row: the
    records of a result store (`index.json`, `session.json` and their like), hidden files, which a store's temporary
    files are, and files whose name has another ending than `suffixes` (a glob that ends in a suffix asks for it).
    Folders named `workspaces` and `journal`, hidden ones, and those that a link leads to a second time, have one
    row for all that is in them, its path ending in `/`. A file reached by two arguments is listed once.

    Args:
        paths: Files, folders and globs.
        suffixes: Endings of names, in lower case.

    Raises:
        ArgumentError: If there is no path, or one is neither text nor a path.
        MissingPathError: If an argument names nothing that exists, or a glob matches nothing.
        PatternError: If a glob has `**` beside other text in one part.
    """
    arguments: list[object] = [paths] if isinstance(paths, str | Path) else list(paths)
    if not arguments:
        msg = "no path was given; name files, folders or globs"
        raise ArgumentError(msg)
    roots: list[_Root] = []
    for argument in arguments:
        if not isinstance(argument, str | Path):
            msg = f"a path is a text or a pathlib.Path, not {type(argument).__name__}: {argument!r}"
            raise ArgumentError(msg)
        roots += _roots(os.fspath(argument))
    walk = _Walk(suffixes)
    for root in sorted(roots, key=lambda root: not root.named_file):
        walk.visit(root)
    walk.listing.files.sort(key=lambda file: file.path)
    return walk.listing


def printable(path: Path) -> str:
    r"""A path for people and tables: with `/`, and with bytes that are no UTF-8 as `\xff`."""
    return os.fsencode(path.as_posix()).decode("utf-8", "backslashreplace")


class _Root(msgspec.Struct, frozen=True):
    """One existing thing that an argument names; `base` is what run ids leave out."""

    path: Path
    base: Path
    named_file: bool = False
    glob_suffix: str | None = None


def _roots(argument: str) -> list[_Root]:
    path = Path(argument)
    if argument and os.path.exists(argument):  # noqa: PTH110 - Path.exists raises on a NUL
        return [_Root(path, path)] if path.is_dir() else [_Root(path, path.parent, named_file=True)]
    if not _MAGIC & set(argument):
        raise MissingPathError(_missing(argument))
    if any("**" in part and part != "**" for part in path.parts):
        msg = f"glob {argument!r} can't be used: ** must be a whole part of the path, as in results/**/*.json"
        raise PatternError(msg)
    first = next(place for place, part in enumerate(path.parts) if _MAGIC & set(part))
    base = Path(*path.parts[:first])
    if not base.is_dir():
        raise MissingPathError(_missing(str(base)))
    matches = sorted(base.glob("/".join(path.parts[first:])))
    if not matches:
        msg = f"nothing matches the glob {argument!r}; {_contents(base)}; a folder is read whole without a glob"
        raise MissingPathError(msg)
    return [_Root(match, base, glob_suffix=path.suffix) for match in matches]


def _missing(argument: str) -> str:
    parent = Path(argument).parent
    if argument and parent.is_dir():
        return f"there is no file or folder {argument!r}; {_contents(parent)}"
    return f"there is no file or folder {argument!r}; paths are taken from {printable(Path.cwd())!r}"


def _contents(folder: Path) -> str:
    try:
        names = sorted(printable(Path(name)) for name in os.listdir(folder))  # noqa: PTH208 - names are wanted
    except OSError:
        return f"{printable(folder)!r} can't be listed"
    shown = ", ".join(names[:8]) if names else "nothing"
    return f"{printable(folder)!r} holds {shown}{', …' if len(names) > 8 else ''}"


class _Walk:
    """Gathers files over several roots."""

    def __init__(self, suffixes: frozenset[str]) -> None:
        self._suffixes = suffixes
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
            if _is_skipped_folder(name) and folder.is_dir():
                self._row(folder, SourceState.SKIPPED, folder=True)
                return
        if root.path.is_dir():
            self._walk(root.path, root.base)
        elif self._is_wanted(root.path, asked=root.glob_suffix):
            self._add(root.path, root.base)
        else:
            self._row(root.path, SourceState.SKIPPED)

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
                below = path / entry.name
                if not entry.is_dir():
                    if self._is_wanted(below):
                        self._add(below, base)
                    else:
                        self._row(below, SourceState.SKIPPED)
                elif _is_skipped_folder(entry.name):
                    self._row(below, SourceState.SKIPPED, folder=True)
                else:
                    (links if entry.is_symlink() else folders).append(below)

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
        found = FoundFile(
            opens=str(path),
            path=printable(path),
            relative=printable(path.relative_to(base)),
            absolute=printable(Path(absolute)),
            identity=os.path.realpath(path),
            size=status.st_size,
            modified=status.st_mtime_ns,
        )
        self.listing.files.append(found)

    def _is_wanted(self, path: Path, *, asked: str = "") -> bool:
        """Whether a file that wasn't named by itself is read; `asked` is a suffix that a glob asks for."""
        if path.name in STORE_RECORDS or path.name.startswith("."):
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


def _is_skipped_folder(name: str) -> bool:
    return name in SKIPPED_FOLDERS or name.startswith(".")


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except OSError:
        return None
