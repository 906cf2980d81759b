"""From files or records of stored evaluations to validated tables."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final, Protocol

from verdict_frames.documents.seen import Problem
from verdict_frames.frames import evaluation_filling, filling
from verdict_frames.frames.arrays import record_batch, to_frame
from verdict_frames.frames.assembly import paused_collector
from verdict_frames.frames.evaluations import Evaluations
from verdict_frames.frames.flatten import WHAT_BECAME
from verdict_frames.frames.schemas.tables import EVALUATION_TABLES
from verdict_frames.frames.validation import validate
from verdict_frames.review.evaluations import EvaluationReader
from verdict_frames.review.stored_files import EvaluationFiles, EvaluationRecords
from verdict_frames.vocabulary import EvaluationSource

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path
    from typing import Any

    import pyarrow as pa

    from verdict_frames.documents.limits import Limits
    from verdict_frames.documents.seen import SourceFile
    from verdict_frames.frames.arrays import Repair
    from verdict_frames.review.packs import Pack
    from verdict_frames.review.stored_files import PlacedEvaluation

    Columns = dict[str, list[Any]]

_PER_BATCH: Final = 5_000


class EvaluationsSource(Protocol):
    """Anything that gives stored evaluations, and then says what it has seen."""

    @property
    def sources(self) -> Sequence[SourceFile]:
        """The files seen; complete once the evaluations have been taken."""

    @property
    def problems(self) -> Sequence[Problem]:
        """What could not be used; complete once the evaluations have been taken."""

    def evaluations(self) -> Iterable[PlacedEvaluation]:
        """Give each evaluation once."""


def read_evaluations(
    paths: str | Path | Iterable[str | Path],
    *,
    pack: Pack | None = None,
    source: EvaluationSource | str = EvaluationSource.RESULT,
    fields: Mapping[str, str] | None = None,
    limits: Limits | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Evaluations:
    r"""Read stored evaluations from files: JSON, arrays and JSON lines, each also packed as `.gz` and in archives.

    Status and reasons are taken as stored. What can't be read costs no more than itself: one bad line of a million is
    one row of `problems`. The form in which evaluations are stored around their result has no public specification;
    where yours differs from the usual places, `fields` says so.

    Args:
        paths: Files, folders (with all that is below them) and globs.
        pack: Gives the order of options, and the ids by which reasons of other wording are told apart.
        source: What wrote the rows: `result` for stored results, bare or in an envelope; `gateway` for responses of
            the evaluation API; `system-one` for those of the native API.
        fields: Part of an evaluation → dotted path, such as `{"result": "payload.result", "idempotency_key": "key"}`.
        limits: How much may come out of packed files and archives; see `read_results`.
        progress: Called with bytes done and bytes in all.

    Returns:
        Validated tables, evaluations in the order of the paths. They are empty when nothing could be read; `sources`
        and `problems` then say what was there.

    Raises:
        MissingPathError: A path doesn't exist, or a glob matches nothing; nothing is read then.
        PatternError: A glob can't be used.
        OptionError: The source is unknown, or the field map can't be used.
        ArgumentError: There is no path, or one is neither text nor a path.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> file = Path(tempfile.mkdtemp(), "stored.jsonl")
        >>> _ = file.write_text('{"status": "review", "answers": {}, "reviewReasons": ["gateway_auth"]}\n{"status')
        >>> evaluations = read_evaluations(file)
        >>> evaluations.evaluations.select("line", "status", "outcome", "failure_code").rows()
        [(1, 'review', 'failed', 'gateway_auth')]
        >>> evaluations.problems.select("kind", "line").rows()
        [('syntax', 2)]
    """
    reader = EvaluationReader(source, pack=pack, fields=fields)
    return build_evaluations(EvaluationFiles(paths, reader, limits=limits, progress=progress))


def evaluations_from_records(
    records: Iterable[object],
    *,
    pack: Pack | None = None,
    source: EvaluationSource | str = EvaluationSource.RESULT,
    fields: Mapping[str, str] | None = None,
) -> Evaluations:
    """Take stored evaluations that are in memory already.

    Args:
        records: Values as parsed from JSON, one an evaluation.
        pack: As for `read_evaluations`.
        source: Likewise.
        fields: Likewise.

    Returns:
        Validated tables in the given order; `path` is `<in memory>`.

    Raises:
        OptionError: The source is unknown, or the field map can't be used.

    Examples:
        >>> answers = {"refund": {"type": "boolean", "probability": 0.5}}
        >>> evaluations_from_records([{"answers": answers}], source="gateway").answers["probability"].to_list()
        [0.5]
    """
    return build_evaluations(EvaluationRecords(records, EvaluationReader(source, pack=pack, fields=fields)))


def build_evaluations(source: EvaluationsSource) -> Evaluations:
    """Flatten and validate all that a source gives.

    Args:
        source: Its evaluations are taken in batches.

    Returns:
        The tables, evaluations in the order in which they were given.

    Raises:
        SchemaError: The tables don't keep to their schema.
    """
    batches: dict[str, list[pa.RecordBatch]] = {table: [] for table in EVALUATION_TABLES}
    repaired: list[Problem] = []
    with paused_collector():
        evaluations = iter(source.evaluations())
        first = 0
        while placed := list(islice(evaluations, _PER_BATCH)):
            records = [one.evaluation for one in placed]
            filled: dict[str, Columns] = {
                "evaluations": evaluation_filling.evaluation_columns(placed, first),
                "answers": evaluation_filling.answer_columns(records, first),
                "review_reasons": evaluation_filling.reason_columns(records, first),
            }
            for table, columns in filled.items():
                batch, repairs = record_batch(table, columns)
                batches[table].append(batch)
                rows = columns["evaluation_index"]
                repaired += [_repair_problem(table, placed[rows[repair.row] - first], repair) for repair in repairs]
            first += len(placed)
        batches["sources"].append(record_batch("sources", filling.source_columns(source.sources))[0])
        problems = filling.problem_columns([*source.problems, *repaired])
        batches["problems"].append(record_batch("problems", problems)[0])
    tables = {table: to_frame(table, batches.pop(table)) for table in EVALUATION_TABLES}
    validate(tables)
    return Evaluations.of_tables(tables)


def _repair_problem(table: str, placed: PlacedEvaluation, repair: Repair) -> Problem:
    message = f"{table}.{repair.column}: {WHAT_BECAME[repair.kind]}"
    return Problem(path=placed.path, kind=repair.kind, line=placed.line, message=message)
