"""`verdict-frames sweep`: what one threshold does wherever it stands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import polars as pl
from cyclopts import Parameter

from verdict_frames.cli.stored import FieldOption, put, read_stored, report_no_evaluations
from verdict_frames.cli.whole_numbers import WholeNumber
from verdict_frames.errors import MissingPathError, OptionError
from verdict_frames.reporting.evaluation_sentences import quotable_sweep
from verdict_frames.reporting.rows import RowFormat, render_rows
from verdict_frames.reporting.sentences import files_seen, problem_lines
from verdict_frames.review.packs import Pack
from verdict_frames.statistics.evaluations.sweeps import sweep
from verdict_frames.statistics.evaluations.threshold_choice import choose_threshold
from verdict_frames.vocabulary import EvaluationSource

_MOST_STEPS: Final = 40
"""How many steps a table for reading shows; JSON and CSV hold all of them."""

_LABEL_SUFFIXES: Final = (".csv", ".json", ".jsonl", ".parquet")


def sweep_paths(
    threshold: str,
    pack: str,
    *paths: str,
    labels: str | None = None,
    at: Annotated[list[float] | None, Parameter(name="--at", negative="")] = None,
    max_error: float | None = None,
    max_review: float | None = None,
    seed: WholeNumber = 0,
    source: EvaluationSource = EvaluationSource.RESULT,
    field: FieldOption = None,
    format: RowFormat = RowFormat.TABLE,  # noqa: A002 - it is the name of the option
) -> int:
    """Move one threshold of a pack over stored answers and count what is accepted at each place.

    Args:
        threshold: Its name, such as queue.minSelectedProbability.
        pack: The pack, a JSON or YAML file.
        paths: Stored evaluations: files, folders or globs.
        labels: What is right: a file (.csv, .json, .jsonl, .parquet) with question_id, gold and one of
            evaluation_index, evaluation_id, ticket_id, idempotency_key.
        at: Show this threshold instead of all steps; may be repeated.
        max_error: Choose a threshold whose error rate is at most this, on one half, and report on the other.
        max_review: Choose one that sends at most this share to review.
        seed: Draws the halves.
        source: What wrote the evaluations.
        field: Where a part of an evaluation is, as PART=PATH; may be repeated.
        format: How the rows come out. With json and csv the sentences go to standard error.
    """
    read = Pack.from_file(pack)
    gold = None if labels is None else _labels(labels)
    evaluations = read_stored(paths, source=source, fields=field, pack=read)
    if evaluations.evaluations.is_empty():
        return report_no_evaluations(evaluations, paths)
    swept = sweep(evaluations, read, threshold, labels=gold)
    rows = swept.steps if at is None else swept.at(at)
    below = [files_seen(evaluations), *problem_lines(evaluations)]
    if max_error is not None or max_review is not None:
        chosen = choose_threshold(
            evaluations, read, threshold, labels=gold, max_error=max_error, max_review=max_review, seed=seed
        )
        below = [f"chosen on one half: {chosen}", *below]
    if format in (RowFormat.TABLE, RowFormat.MARKDOWN) and rows.height > _MOST_STEPS:
        below = [f"{rows.height} steps, every {-(-rows.height // _MOST_STEPS)}th shown; --at shows others", *below]
        rows = rows.gather_every(-(-rows.height // _MOST_STEPS))
    put(quotable_sweep(swept), render_rows(rows, format), below, format)
    return 0


def _labels(path: str) -> pl.DataFrame:
    suffix = Path(path).suffix.lower()
    if suffix not in _LABEL_SUFFIXES:
        message = f"{path}: labels are read from {', '.join(_LABEL_SUFFIXES)}; let the name end in one of these"
        raise OptionError(message)
    if not Path(path).is_file():
        message = f"{path}: there is no such file of labels"
        raise MissingPathError(message)
    try:
        match suffix:
            case ".csv":
                keys = ("evaluation_id", "ticket_id", "idempotency_key")
                return pl.read_csv(path, schema_overrides=dict.fromkeys([*keys, "gold"], pl.String))
            case ".json":
                return pl.read_json(path)
            case ".jsonl":
                return pl.read_ndjson(path)
            case _:
                return pl.read_parquet(path)
    except (pl.exceptions.PolarsError, OSError) as error:
        message = f"{path}: the labels can't be read: {str(error).splitlines()[0]}"
        raise OptionError(message) from None
