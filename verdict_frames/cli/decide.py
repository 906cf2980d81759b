"""`verdict-frames decide`: what the rules of a pack make of stored answers; `--check` looks at the pack alone."""

from __future__ import annotations

import sys
from typing import Annotated

import polars as pl
from cyclopts import Parameter

from verdict_frames.cli.stored import FieldOption, flat, put, read_stored, report_no_evaluations, write_rows
from verdict_frames.errors import OptionError
from verdict_frames.frames.decisions import decide
from verdict_frames.reporting.printable import printable
from verdict_frames.reporting.rows import RowFormat, render_rows
from verdict_frames.reporting.sentences import files_seen, percent, problem_lines
from verdict_frames.review.packs import Pack
from verdict_frames.statistics.evaluations.question_table import question_table
from verdict_frames.vocabulary import EvaluationSource

_PLACE = ("evaluation_index", "path", "line", "evaluation_id", "ticket_id", "idempotency_key")


def decide_paths(
    pack: str,
    *paths: str,
    output: Annotated[str | None, Parameter(name=["--output", "-o"])] = None,
    check: Annotated[bool, Parameter(name="--check", negative="")] = False,
    source: EvaluationSource = EvaluationSource.RESULT,
    field: FieldOption = None,
    format: RowFormat = RowFormat.TABLE,  # noqa: A002 - it is the name of the option
) -> int:
    """Decide stored answers by the rules of a pack, or check the pack itself.

    Args:
        pack: The pack, a JSON or YAML file.
        paths: Stored evaluations: files, folders or globs.
        output: Write one row an evaluation to this file (.csv, .json, .jsonl or .parquet).
        check: Look at the pack only: its faults, its warnings, and the questions that have no rule.
        source: What wrote the evaluations.
        field: Where a part of an evaluation is, as PART=PATH; may be repeated.
        format: How the table of questions comes out. With json and csv the sentences go to standard error.
    """
    read = Pack.from_file(pack)
    if check:
        if paths:
            message = f"--check looks at the pack alone; leave {' '.join(paths)} out, or --check"
            raise OptionError(message)
        return _check(read)
    if not paths:
        message = "no answers were given; name files of stored evaluations, or use --check to look at the pack alone"
        raise OptionError(message)
    evaluations = read_stored(paths, source=source, fields=field, pack=read)
    if evaluations.evaluations.is_empty():
        return report_no_evaluations(evaluations, paths)
    decided = decide(read, evaluations)
    if output is not None:
        places = evaluations.evaluations.select(_PLACE)
        write_rows(places.join(decided, on="evaluation_index", how="left", maintain_order="left"), output)
    text = render_rows(flat(question_table(evaluations, read)), format)
    below = [files_seen(evaluations), *problem_lines(evaluations)]
    put(_sentence(decided), text, [f"written: {output}", *below] if output is not None else below, format)
    return 0


def _check(pack: Pack) -> int:
    """Say what there is to say of a pack without faults; faults raise before."""
    sys.stdout.write(f"{len(pack.questions)} questions, no faults\n")
    sys.stdout.writelines(f"warning: {printable(str(warning), one_line=True)}\n" for warning in pack.warnings)
    for name in pack.unruled:
        sys.stdout.write(f"no rule: {printable(name, one_line=True)}: every valid answer is accepted\n")
    return 0


def _sentence(decided: pl.DataFrame) -> str:
    status = decided["status"].drop_nulls().cast(pl.String)
    accepted = int((status == "accept").sum())
    share = f" ({percent(accepted / len(status))})" if len(status) else ""
    left_out = decided["not_decided"].drop_nulls().cast(pl.String)
    failed = int((left_out == "failed").sum())
    clauses = [f"accepts {accepted} of {len(status)} decided{share}"]
    clauses += [f"{failed} failed and are not decided again"] if failed else []
    clauses += [f"{len(left_out) - failed} without recorded answers"] if len(left_out) > failed else []
    unanswered, orphans = int(decided["unanswered"].sum()), int(decided["orphans"].sum())
    clauses += [f"{unanswered} answers lacking"] if unanswered else []
    clauses += [f"{orphans} answers to no question of the pack"] if orphans else []
    return "; ".join(clauses)
