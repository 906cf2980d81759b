"""`verdict-frames export`: result files into a folder of Parquet files."""

from __future__ import annotations

import sys
from typing import Annotated

from cyclopts import Parameter

from verdict_frames.cli.reading import PLAIN, ReadOptions, export_corpus, report_nothing
from verdict_frames.report.printable import printable
from verdict_frames.report.sentences import counted, files_seen, problem_lines


def export_paths(
    *paths: str,
    output: Annotated[str, Parameter(name=["--output", "-o"])],
    reading: ReadOptions = PLAIN,
) -> int:
    """Write the tables of judged runs to a folder of Parquet files, one run after the other.

    Args:
        paths: Result files, folders, archives, globs or exported folders.
        output: The folder: new, empty, or exported to before. Runs that are in it are replaced when they come again.
        reading: How result files are read.
    """
    exported = export_corpus(paths, output, reading)
    if not exported.run_count:
        return report_nothing(exported, paths)
    runs, items = counted(exported.run_count, "run"), counted(exported.item_count, "item")
    sys.stdout.write(f"{runs} with {items} written to {printable(output, one_line=True)}\n")
    sys.stdout.writelines(f"{line}\n" for line in (files_seen(exported), *problem_lines(exported)))
    return 0
