"""`verdict-frames export`: result files into a folder of Parquet files."""

from __future__ import annotations

import sys
from typing import Annotated

from cyclopts import Parameter

from verdict_frames.cli.reading import export_corpus, report_nothing
from verdict_frames.report.sentences import files_seen, problem_lines


def export_paths(
    *paths: str,
    output: Annotated[str, Parameter(name=["--output", "-o"])],
    path_pattern: str | None = None,
) -> int:
    """Write the tables of judged runs to a folder of Parquet files, one run after the other.

    Args:
        paths: Result files, folders, globs or exported folders.
        output: The folder: new, empty, or exported to before. Runs that are in it are replaced when they come again.
        path_pattern: What the parts of a path name, such as {experiment}/{variant}/{repeat}.json.
    """
    exported = export_corpus(paths, output, path_pattern=path_pattern)
    if not exported.run_count:
        return report_nothing(exported, paths)
    sys.stdout.write(f"{exported.run_count} runs with {exported.item_count} items written to {output}\n")
    sys.stdout.writelines(f"{line}\n" for line in (files_seen(exported), *problem_lines(exported)))
    return 0
