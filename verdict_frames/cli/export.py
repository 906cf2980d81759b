"""`verdict-frames export`: result files into a folder of Parquet files, as all tables or as those that scripts read."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from verdict_frames.cli.reading import PLAIN, ReadOptions, export_corpus, read_corpus, report_nothing
from verdict_frames.documents.listing import require_outside
from verdict_frames.errors import OptionError
from verdict_frames.policies import AGENT_JUDGE_0_17
from verdict_frames.reporting.printable import printable
from verdict_frames.reporting.sentences import counted, files_seen, problem_lines
from verdict_frames.statistics.curated import write_curated


class Layout(StrEnum):
    """Which tables an export writes."""

    TABLES = "tables"
    CURATED = "curated"


def export_paths(
    *paths: str,
    output: Annotated[str, Parameter(name=["--output", "-o"])],
    reading: ReadOptions = PLAIN,
    layout: Layout = Layout.TABLES,
    policy: str | None = None,
    score: Annotated[list[str] | None, Parameter(name="--score", negative="")] = None,
) -> int:
    """Write the tables of judged runs to a folder of Parquet files, one run after the other.

    Args:
        paths: Result files, folders, archives, globs or exported folders.
        output: The folder: new, empty, or exported to before. Runs that are in it are replaced when they come again.
        reading: How result files are read.
        layout: tables writes all tables, one run after the other; curated the three that scripts of experiments read:
            runs.parquet, item_results.parquet and judge_details.parquet.
        policy: For curated: what `passed` and `pass_rate` go by, as for tally.
        score: For curated: which score a column of item_results stands for, as COLUMN=SCORE (t0_build=build:maven);
            may be repeated.
    """
    if layout is Layout.CURATED:
        return _export_curated(paths, output, reading, policy=policy, scores=_scores(score))
    if policy is not None or score:
        message = "--policy and --score are for --layout curated; the tables hold what every policy counts by"
        raise OptionError(message)
    exported = export_corpus(paths, output, reading)
    if not exported.run_count:
        return report_nothing(exported, paths)
    runs, items = counted(exported.run_count, "run"), counted(exported.item_count, "item")
    sys.stdout.write(f"{runs} with {items} written to {printable(output, one_line=True)}\n")
    sys.stdout.writelines(f"{line}\n" for line in (files_seen(exported), *problem_lines(exported)))
    return 0


def _export_curated(
    paths: Sequence[str],
    output: str,
    reading: ReadOptions,
    *,
    policy: str | None,
    scores: dict[str, str],
) -> int:
    corpus = read_corpus(paths, reading)
    if corpus.runs.is_empty():
        return report_nothing(corpus, paths)
    require_outside(Path(output), paths, called="folder")
    done = write_curated(corpus, output, policy=policy or AGENT_JUDGE_0_17, scores=scores)
    written = f"{counted(done.run_count, 'run')} with {counted(done.item_count, 'item')}"
    left_out = f"; {done.left_out} left out: judge experiments or judged again later" if done.left_out else ""
    sys.stdout.write(f"{written} written to {printable(output, one_line=True)}{left_out}\n")
    sys.stdout.writelines(f"{line}\n" for line in (files_seen(corpus), *problem_lines(corpus)))
    return 0


def _scores(given: Sequence[str] | None) -> dict[str, str]:
    scores = {}
    for pair in given or ():
        column, equals, score = pair.partition("=")
        if not equals:
            message = f"--score {pair!r}: write COLUMN=SCORE, such as t0_build=build:maven"
            raise OptionError(message)
        scores[column] = score
    return scores
