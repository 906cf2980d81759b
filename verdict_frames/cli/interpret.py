"""`verdict-frames interpret`: copies of result files with an interpretation beside each verdict."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING, Annotated

import msgspec
from cyclopts import Parameter

from verdict_frames.cli.reading import NOTHING_READABLE, progress_bar
from verdict_frames.reporting.sentences import problem_line
from verdict_frames.sources.reexport import reexport

if TYPE_CHECKING:
    from verdict_frames.sources.reexport import ReexportReport


def interpret_paths(
    *paths: str,
    output: Annotated[str, Parameter(name=["--output", "-o"])],
    replace: Annotated[bool, Parameter(negative="")] = False,
) -> int:
    """Copy result files with an `interpretation` beside each verdict, and not a byte changed otherwise.

    Args:
        paths: Result files, folders or globs.
        output: A folder, in which each file keeps its relative path; for one file, a file or a folder.
        replace: Make interpretations of this schema version again, too.
    """
    with progress_bar("interpreting") as advance:
        report = reexport(paths, output, replace=replace, progress=advance)
    sys.stdout.write(f"{_in_words(report)}\n")
    sys.stderr.writelines(f"{problem_line(msgspec.structs.asdict(problem))}\n" for problem in report.problems)
    return 0 if report.files else NOTHING_READABLE


def _in_words(report: ReexportReport) -> str:
    """Say how many files were written, and what was written into them."""
    defects = Counter[str]()
    for file in report.files:
        defects.update(file.defects)
    named = ", ".join(f"{count} {kind}" for kind, count in sorted(defects.items())) or "none"
    files = "1 file" if len(report.files) == 1 else f"{len(report.files)} files"
    return (
        f"{files} written, {len(report.skipped)} skipped; interpretations: {report.added} added,"
        f" {report.replaced} replaced, {report.kept} kept; defects in those written: {named}"
    )
