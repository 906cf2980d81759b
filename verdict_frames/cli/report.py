"""`verdict-frames report`: one page, or a comment, that tells what there is to tell."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Annotated

from cyclopts import Parameter

from verdict_frames.cli.facts import NO_FACTS, FactOptions
from verdict_frames.cli.outputs import write_text_whole
from verdict_frames.cli.reading import PLAIN, ReadOptions, read_corpus, report_nothing
from verdict_frames.cli.stored import FieldOption, read_stored, report_no_evaluations
from verdict_frames.errors import OptionError
from verdict_frames.frames.corpus import Corpus
from verdict_frames.frames.evaluations import Evaluations
from verdict_frames.reporting.html import report_html
from verdict_frames.reporting.markdown import report_markdown
from verdict_frames.reporting.opening import report
from verdict_frames.reporting.printable import printable
from verdict_frames.reporting.sentences import files_seen, problem_lines
from verdict_frames.review.packs import Pack
from verdict_frames.vocabulary import EvaluationSource


class ReportFormat(StrEnum):
    """What a report is rendered as."""

    HTML = "html"
    MARKDOWN = "markdown"


def report_paths(
    *paths: str,
    output: Annotated[str | None, Parameter(name=["--output", "-o"])] = None,
    by: Annotated[list[str] | None, Parameter(name="--by", negative="")] = None,
    baseline: str | None = None,
    allow: Annotated[list[str] | None, Parameter(name="--allow", negative="")] = None,
    policy: str | None = None,
    title: str | None = None,
    format: ReportFormat | None = None,  # noqa: A002 - it is the name of the option
    source: EvaluationSource | None = None,
    field: FieldOption = None,
    pack: str | None = None,
    latest_per_key: Annotated[bool, Parameter(name="--latest-per-key", negative="")] = False,
    reading: ReadOptions = PLAIN,
    known: FactOptions = NO_FACTS,
) -> int:
    """Write a report on result files or stored evaluations: a page that needs no network, or a Markdown comment.

    Args:
        paths: Result files or stored evaluations: files, folders, archives or globs; exported folders.
        output: The file to write. Without one the report goes to standard output.
        by: A column to group by, of runs, items or run facts, or of evaluations; may be repeated. With none, the
            experiment where there are several, else the variant.
        baseline: A value of that column, which all others are compared with.
        allow: In what runs that are compared may differ: instrument, description_version, dataset; may be repeated.
        policy: What counts, as for `tally`.
        title: What stands at the top.
        format: html or markdown; with none, what the name of the output ends in (.md is markdown), else html.
        source: Report on stored evaluations, and what wrote them: result, gateway or system-one.
        field: Where a part of a stored evaluation is, as PART=PATH; may be repeated.
        pack: The pack whose rules and thresholds are shown for stored evaluations, a JSON or YAML file.
        latest_per_key: Count one stored evaluation a key, a result before a failure.
        reading: How result files are read.
        known: What is known besides.
    """
    if source is None and (field or latest_per_key or pack):
        message = "--field, --pack and --latest-per-key are about stored evaluations; say with --source what wrote them"
        raise OptionError(message)
    if source is not None and known != NO_FACTS:
        message = "--facts, --on and --dataset are about items, and --source is about stored evaluations"
        raise OptionError(message)
    rules = None if pack is None else Pack.from_file(pack)
    read: Corpus | Evaluations
    if source is not None:
        read = read_stored(paths, source=source, fields=field, pack=rules, latest_per_key=latest_per_key)
        if read.evaluations.is_empty():
            return report_no_evaluations(read, paths)
    else:
        read = read_corpus(paths, reading)
        if read.runs.is_empty():
            return report_nothing(read, paths)
        read = known.added_to(read)
    made = report(read, by, baseline=baseline, title=title, policy=policy, allow=tuple(allow or ()), pack=rules)
    text = report_markdown(made) if _format(format, output) is ReportFormat.MARKDOWN else report_html(made)
    if output is None:
        sys.stdout.write(text)
        return 0
    write_text_whole(output, text, what="the report")
    lines = [f"{printable(output, one_line=True)}: written", files_seen(read), *problem_lines(read)]
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


def _format(given: ReportFormat | None, output: str | None) -> ReportFormat:
    if given is not None:
        return given
    return ReportFormat.MARKDOWN if output is not None and output.lower().endswith(".md") else ReportFormat.HTML
