"""Reading a corpus for a command: progress on a terminal, and a word when nothing was found."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple

from cyclopts import Parameter
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from verdict_frames.cli.whole_numbers import WholeNumber
from verdict_frames.documents.limits import Limits
from verdict_frames.errors import OptionError
from verdict_frames.frames.corpus import Corpus, concat
from verdict_frames.frames.results import read_results
from verdict_frames.frames.storage.exporting import Exported, export_results
from verdict_frames.frames.storage.layout import is_exported
from verdict_frames.frames.storage.reading import read_parquet
from verdict_frames.reporting.printable import printable
from verdict_frames.reporting.sentences import files_seen, problem_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

NOTHING_READABLE = 3


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class ReadOptions:
    """How result files are read, with the options that every command has for it.

    Attributes:
        path_pattern: What the end of each path names, such as {experiment}/{variant}/{repeat}.json; also {session},
            {run}, and {_} for what doesn't matter.
        alias: A variant that was renamed, as OLD=NEW; may be repeated.
        member_bytes: How many bytes one packed file, or one member of an archive, may come to.
        ratio: How many bytes may come out of each byte of what is packed.
        workers: How many processes read; more than one pays from some tens of megabytes on.
    """

    path_pattern: str | None = None
    alias: Annotated[list[str] | None, Parameter(name="--alias", negative="")] = None
    member_bytes: WholeNumber = Limits.member_bytes
    ratio: WholeNumber = Limits.ratio
    workers: WholeNumber = 1

    def aliases(self) -> dict[str, str]:
        """The aliases by their old names.

        Raises:
            OptionError: One isn't written OLD=NEW, or two give one name different ones.
        """
        named: dict[str, str] = {}
        for alias in self.alias or ():
            old, equals, new = alias.partition("=")
            if not equals or named.setdefault(old, new) != new:
                wrong = "write OLD=NEW, such as simple=baseline" if not equals else "its old name has another new one"
                message = f"--alias {alias!r}: {wrong}"
                raise OptionError(message)
        return named

    def limits(self) -> Limits:
        """How much may come out of what is packed."""
        return Limits(member_bytes=self.member_bytes, ratio=self.ratio)


PLAIN: Final = ReadOptions()
"""Options where none is given."""


def read_corpus(paths: Sequence[str], options: ReadOptions) -> Corpus:
    """Read the paths of a command line, exported folders among them, in the order: folders, then all other paths.

    Progress is shown where standard error is a terminal.

    Raises:
        OptionError: There is a path pattern or an alias, and nothing but exported folders that it could be for.
        SchemaError: A run is in more than one of the folders, or in a folder and in the other paths.
    """
    given = _sorted_out(paths, options)
    corpora = [read_parquet(folder) for folder in given.exported]
    if given.others or not given.exported:
        with progress_bar("reading") as advance:
            corpus = read_results(
                given.others,
                path_pattern=options.path_pattern,
                aliases=options.aliases(),
                limits=options.limits(),
                progress=advance,
                workers=options.workers,
            )
        corpora.append(corpus)
    return corpora[0] if len(corpora) == 1 else concat(corpora)


def export_corpus(paths: Sequence[str], output: str, options: ReadOptions) -> Exported:
    """Export the paths of a command line, one run after the other; exported folders among them are read whole.

    Raises:
        OptionError: There is a path pattern or an alias, and nothing but exported folders that it could be for.
    """
    if not _sorted_out(paths, options).exported:
        with progress_bar("reading") as advance:
            return export_results(
                paths,
                output,
                path_pattern=options.path_pattern,
                aliases=options.aliases(),
                limits=options.limits(),
                progress=advance,
                workers=options.workers,
            )
    corpus = read_corpus(paths, options)
    corpus.write_parquet(output)
    return Exported(
        run_count=corpus.runs.height,
        item_count=corpus.items.height,
        sources=corpus.sources,
        problems=corpus.problems,
    )


def report_nothing(corpus: Corpus | Exported, paths: Sequence[str]) -> int:
    """Say on standard error what was seen in place of results, and return the exit code for it."""
    seen = f"{files_seen(corpus)}; no result file and no verdict keys such as `aggregated`"
    named = printable(", ".join(paths), one_line=True)
    sys.stderr.write(f"verdict-frames: nothing to count in {named}: {seen}\n")
    sys.stderr.writelines(f"  {line}\n" for line in problem_lines(corpus))
    return NOTHING_READABLE


class _Given(NamedTuple):
    exported: list[str]
    others: list[str]


def _sorted_out(paths: Sequence[str], options: ReadOptions) -> _Given:
    given = _Given([], [])
    for path in dict.fromkeys(paths):
        (given.exported if is_exported(Path(path)) else given.others).append(path)
    for name, value in (("--path-pattern", options.path_pattern), ("--alias", options.alias)):
        if value and given.exported and not given.others:
            message = f"{name} is for result files; an exported folder has the names of its runs already"
            raise OptionError(message)
    return given


@contextmanager
def progress_bar(doing: str) -> Iterator[Callable[[int, int], None] | None]:
    """Give a function to report progress in bytes with; null where standard error is no terminal."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    columns = (TextColumn(doing), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(doing, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
