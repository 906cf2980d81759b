"""`verdict-frames defects`: what the verdicts lack or contradict, counted."""

from __future__ import annotations

import sys

from verdict_frames.cli.reading import PLAIN, ReadOptions, read_corpus, report_nothing
from verdict_frames.reporting.rows import RowFormat, render_rows
from verdict_frames.reporting.sentences import counted, files_seen, problem_lines
from verdict_frames.statistics.defects import count_defects


def count_paths(
    *paths: str,
    format: RowFormat = RowFormat.TABLE,  # noqa: A002 - it is the name of the option
    reading: ReadOptions = PLAIN,
) -> int:
    """Count the defects of verdicts by kind, field and generation of their writer.

    Args:
        paths: Result files, folders, archives, globs or exported folders.
        format: How the rows come out. With json and csv the sentences go to standard error.
        reading: How result files are read.
    """
    corpus = read_corpus(paths, reading)
    if corpus.runs.is_empty():
        return report_nothing(corpus, paths)
    with_defects = (corpus.items["defect_count"] > 0).sum()
    above = f"{counted(corpus.defects.height, 'defect')} in {with_defects} of {corpus.items.height} items\n"
    text = render_rows(count_defects(corpus), format)
    below = "\n".join([files_seen(corpus), *problem_lines(corpus)])
    if format in (RowFormat.JSON, RowFormat.CSV):
        sys.stdout.write(text)
        sys.stderr.write(f"{above}{below}\n")
    else:
        sys.stdout.write(f"{above}\n{text}\n{below}\n")
    return 0
