"""Copies of result files in which every verdict has its interpretation beside it, and nothing else is changed."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import msgspec

from verdict_frames.documents.contents import read_bytes, unreadable
from verdict_frames.documents.decoding import UndecodableError
from verdict_frames.documents.entries import shape_of, syntax_problem
from verdict_frames.documents.found import ALL_SUFFIXES
from verdict_frames.documents.listing import list_files, path_arguments, printable, require_outside
from verdict_frames.documents.seen import Problem, SourceFile
from verdict_frames.errors import ArgumentError, TargetError, one_line
from verdict_frames.sources.splicing import Splicer, pieces
from verdict_frames.sources.survey import survey
from verdict_frames.vocabulary import DefectKind, ProblemKind, SourceState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from verdict_frames.documents.found import FoundFile


class ReexportedFile(msgspec.Struct, frozen=True, kw_only=True):
    """One file that was written.

    Attributes:
        path: The file it was made from.
        target: The file that was written.
        added: Verdicts that had no interpretation and have one now.
        replaced: Verdicts whose interpretation was null, of an older schema version, or to be replaced.
        kept: Verdicts whose interpretation stayed as it was.
        without_verdict: Items that have no verdict, and so nothing to interpret.
        defects: How many defects of each kind the written interpretations have; a kind without any is left out.
    """

    path: str
    target: str
    added: int
    replaced: int
    kept: int
    without_verdict: int
    defects: Mapping[DefectKind, int]


class ReexportReport(msgspec.Struct, frozen=True, kw_only=True):
    """What became of every file that was seen.

    Attributes:
        files: Those that were written, in path order.
        skipped: Those that were not, because they are skipped by rule or hold nothing of an evaluation.
        problems: What stood in the way: of whole files, which were not written, and of single lines of a file of JSON
            lines, which were copied as they are.
    """

    files: tuple[ReexportedFile, ...]
    skipped: tuple[SourceFile, ...]
    problems: tuple[Problem, ...]

    @property
    def added(self) -> int:
        """Verdicts that had no interpretation and have one now, in all files."""
        return sum(file.added for file in self.files)

    @property
    def replaced(self) -> int:
        """Verdicts whose interpretation was made again, in all files."""
        return sum(file.replaced for file in self.files)

    @property
    def kept(self) -> int:
        """Verdicts whose interpretation stayed as it was, in all files."""
        return sum(file.kept for file in self.files)


def reexport(
    source: str | Path | Iterable[str | Path],
    target: str | Path,
    *,
    replace: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> ReexportReport:
    """Copy result files with an interpretation beside each verdict, and not a byte changed otherwise.

    The key `interpretation` is put right behind an item's `verdict`, and at the end of a bare verdict, laid out as the
    file lays out its own members. An interpretation that is there stays where it is: as it is when it is of this schema
    version or a younger one, made again when it is null or older. Items without a verdict get none. What is read is
    what `read_results` reads; a file that holds no result, item, verdict or interpretation is not copied. Nor is one
    that is packed, or an archive: each is a problem.

    A file is written beside its place and then renamed, so that each is there either as it was or as a whole.

    Args:
        source: Files, folders or globs.
        target: A folder, in which each file keeps its path relative to the argument that it was found under; or for one
            source that is a file, a file. An existing folder, or a name that ends in `/`, is a folder.
        replace: Whether interpretations of this schema version are made again, too.
        progress: Called with bytes done and bytes in all.

    Returns:
        What was written, what was not, and why.

    Raises:
        ArgumentError: There is no path, or a path or the target is neither text nor a path.
        MissingPathError: An argument names nothing that exists.
        PatternError: A glob can't be used.
        TargetError: The target is a source, lies within one, is of the wrong kind, or would hold two files of the same
            path; nothing is written then. Or a file can't be written; those before it are there as a whole.

    Example:
        >>> import tempfile
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "one.json").write_text('{"itemId": "a", "verdict": {"aggregated": null}, "success": true}')
        >>> reexport(folder / "one.json", folder / "out.json").added
        1
        >>> (folder / "out.json").read_text()[:72]
        '{"itemId": "a", "verdict": {"aggregated": null}, "interpretation": {"sch'
    """
    arguments = path_arguments(source)
    given: object = target
    if not isinstance(given, str | Path):
        message = f"the target is a text or a pathlib.Path, not {type(given).__name__}; name a folder or a file"
        raise ArgumentError(message)
    if str(target) == "" or "\0" in str(target):
        message = f"the target can't be called {one_line(target)}; where a path is made of variables, one may be empty"
        raise ArgumentError(message)
    listing = list_files(arguments, suffixes=ALL_SUFFIXES)
    files = [file for file in listing.files if file.packed is None]
    outputs = _outputs(arguments, files, target)
    size, done = sum(file.size for file in files), 0
    written: list[ReexportedFile] = []
    skipped = [row for row in listing.rows if row.state is not SourceState.PROBLEM]
    problems = [*listing.problems, *map(_not_copied, listing.archives)]
    problems += [_not_copied(file) for file in listing.files if file.packed is not None]
    for file, output in zip(files, outputs, strict=True):
        if progress is not None:
            progress(done, size)
        made, troubles = _reexport_file(file, output, replace=replace)
        problems += troubles
        if made is not None:
            written.append(made)
        elif any(trouble.kind is ProblemKind.FOREIGN for trouble in troubles):
            skipped.append(SourceFile(path=file.path, size=file.size, state=SourceState.FOREIGN))
        done += file.size
    if progress is not None:
        progress(size, size)
    return ReexportReport(
        files=tuple(written),
        skipped=tuple(sorted(skipped, key=lambda row: row.path)),
        problems=tuple(sorted(problems, key=lambda problem: problem.path)),
    )


def _not_copied(file: FoundFile) -> Problem:
    message = "it isn't copied, because nothing is written into what is packed; unpack it, and name the folder"
    return Problem(path=file.path, kind=ProblemKind.UNREADABLE, message=message)


def _reexport_file(file: FoundFile, output: Path, *, replace: bool) -> tuple[ReexportedFile | None, list[Problem]]:
    """Write one file, with what stood in the way; null where it isn't written."""
    try:
        data = read_bytes(file)
    except OSError as error:
        return None, [unreadable(file, error)]
    found = survey(file, data, "")
    if isinstance(found, Problem):
        return None, [found]
    splicer = Splicer(data, replace=replace)
    troubles: list[Problem] = []
    readable = 0
    for entry, place in splicer.entries(shape_of(data, file.suffix)):
        try:
            readable += splicer.splice(entry, place)
        except UndecodableError as error:
            troubles.append(syntax_problem(file.path, error, line=entry.line, offset=entry.start))
    if not readable:
        return None, troubles
    _write(output, pieces(data, splicer.splices))
    made = ReexportedFile(
        path=file.path,
        target=printable(output),
        added=splicer.added,
        replaced=splicer.replaced,
        kept=splicer.kept,
        without_verdict=splicer.without_verdict,
        defects=dict(sorted(splicer.defects.items())),
    )
    return made, troubles


def _outputs(arguments: Sequence[str | Path], files: Sequence[FoundFile], target: str | Path) -> list[Path]:
    """Where each file goes; refuses a target before anything is written."""
    root = Path(target)
    require_outside(root, arguments, called="target")
    is_folder = root.is_dir() or os.fspath(target).endswith(("/", os.sep))
    if len(arguments) == 1 and not is_folder and Path(arguments[0]).is_file():
        outputs = [root for _ in files]
    elif root.exists() and not root.is_dir():
        message = f"the target {printable(root)} is a file, and several files may come out; name a folder"
        raise TargetError(message)
    else:
        outputs = [root / _relative(file) for file in files]
    sources = {file.identity: file for file in files}
    taken: dict[str, FoundFile] = {}
    for file, output in zip(files, outputs, strict=True):
        place = os.path.realpath(output)
        if place in sources:
            message = f"{file.path} would be written over the source {sources[place].path}; name another target"
            raise TargetError(message)
        other = taken.setdefault(place, file)
        if other is not file:
            message = f"{other.path} and {file.path} would both be written to {printable(output)}; do one at a time"
            raise TargetError(message)
    return outputs


def _relative(file: FoundFile) -> Path:
    """The path below the argument, with names as the system has them."""
    return Path(*Path(file.opens).parts[-len(PurePosixPath(file.relative).parts) :])


def _write(output: Path, parts: Iterable[bytes | memoryview]) -> None:
    """Write beside the place, then rename: an earlier file stays until the new one is whole."""
    beside = output.parent / f".reexport-{secrets.token_hex(8)}.tmp"
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        try:
            with beside.open("xb") as stream:
                stream.writelines(parts)
                stream.flush()
                os.fsync(stream.fileno())
            beside.replace(output)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        message = f"{printable(output)} can't be written: {error.strerror or error}; files before it are complete"
        raise TargetError(message) from error
