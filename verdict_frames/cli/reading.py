"""Reading a corpus for a command: progress on a terminal, and a word when nothing was found."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from verdict_frames.frames.results import read_results
from verdict_frames.report.printable import printable
from verdict_frames.report.sentences import files_seen, problem_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from verdict_frames.frames.corpus import Corpus

NOTHING_READABLE = 3


def read_corpus(paths: Sequence[str], *, path_pattern: str | None) -> Corpus:
    """Read the paths of a command line, showing progress where standard error is a terminal."""
    with progress_bar("reading") as advance:
        return read_results(paths, path_pattern=path_pattern, progress=advance)


def report_nothing(corpus: Corpus, paths: Sequence[str]) -> int:
    """Say on standard error what was seen in place of results, and return the exit code for it."""
    seen = f"{files_seen(corpus)}; no result file and no verdict keys such as `aggregated`"
    named = printable(", ".join(paths), one_line=True)
    sys.stderr.write(f"verdict-frames: nothing to count in {named}: {seen}\n")
    sys.stderr.writelines(f"  {line}\n" for line in problem_lines(corpus))
    return NOTHING_READABLE


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
