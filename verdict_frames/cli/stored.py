"""What the commands on stored evaluations share: reading them, their options, and where rows go."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import polars as pl
from cyclopts import Parameter

from verdict_frames.cli.outputs import write_whole
from verdict_frames.cli.reading import NOTHING_READABLE, progress_bar
from verdict_frames.errors import OptionError
from verdict_frames.frames.evaluation_assembly import read_evaluations
from verdict_frames.reporting.rows import RowFormat
from verdict_frames.reporting.sentences import files_seen, problem_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from verdict_frames.frames.evaluations import Evaluations
    from verdict_frames.review.packs import Pack
    from verdict_frames.vocabulary import EvaluationSource

FieldOption = Annotated[list[str] | None, Parameter(name="--field", negative="")]
"""`--field PART=PATH`, as often as wanted."""

_WRITERS: Final[dict[str, Callable[[pl.DataFrame, Path], None]]] = {
    ".csv": lambda frame, path: frame.write_csv(path),
    ".json": lambda frame, path: frame.write_json(path),
    ".jsonl": lambda frame, path: frame.write_ndjson(path),
    ".parquet": lambda frame, path: frame.write_parquet(path),
}


def read_stored(
    paths: Sequence[str],
    *,
    source: EvaluationSource,
    fields: Sequence[str] | None,
    pack: Pack | None = None,
    latest_per_key: bool = False,
) -> Evaluations:
    """Read the evaluations of a command line, showing progress where standard error is a terminal."""
    with progress_bar("reading") as advance:
        read = read_evaluations(paths, pack=pack, source=source, fields=_field_map(fields), progress=advance)
    return read.latest_per_key() if latest_per_key else read


def report_no_evaluations(evaluations: Evaluations, paths: Sequence[str]) -> int:
    """Say on standard error what was seen in place of evaluations, and return the exit code for it."""
    seen = f"{files_seen(evaluations)}; --source says what wrote them, --field PART=PATH where a part is"
    sys.stderr.write(f"verdict-frames: no stored evaluation in {', '.join(paths)}: {seen}\n")
    sys.stderr.writelines(f"  {line}\n" for line in problem_lines(evaluations))
    return NOTHING_READABLE


def put(above: str, text: str, below: Sequence[str], row_format: RowFormat) -> None:
    """Print rows between their sentences; with JSON and CSV the rows alone go to standard output."""
    after = "".join(f"{line}\n" for line in below)
    if row_format in (RowFormat.JSON, RowFormat.CSV):
        sys.stdout.write(text)
        sys.stderr.write(f"{above}\n{after}")
    else:
        sys.stdout.write(f"{above}\n\n{text}\n{after}")


def write_rows(frame: pl.DataFrame, target: str) -> None:
    """Write rows to a file of the form that its name ends in; a table of lists becomes text in CSV.

    Raises:
        OptionError: The name ends in something else.
        TargetError: The file can't be written.
    """
    path = Path(target)
    writer = _WRITERS.get(path.suffix.lower())
    if writer is None:
        message = f"{target}: rows are written as {', '.join(_WRITERS)}; let the name end in one of these"
        raise OptionError(message)
    rows = flat(frame) if path.suffix.lower() == ".csv" else frame
    write_whole(path, lambda beside: writer(rows, beside), what="the file")


def flat(frame: pl.DataFrame) -> pl.DataFrame:
    """The same rows with each list as one text, its parts joined by ` | `."""
    lists = [name for name, dtype in frame.schema.items() if isinstance(dtype, pl.List)]
    return frame.with_columns(pl.col(name).cast(pl.List(pl.String)).list.join(" | ") for name in lists)


def _field_map(fields: Sequence[str] | None) -> dict[str, str] | None:
    placed = {}
    for field in fields or ():
        part, equals, path = field.partition("=")
        if not equals:
            message = f"--field {field!r}: write PART=PATH, such as result=payload.result"
            raise OptionError(message)
        placed[part] = path
    return placed or None
