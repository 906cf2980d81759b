"""Records in memory in, a corpus out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import polars as pl
import pyarrow as pa

from verdict_frames.errors import ArgumentError
from verdict_frames.frames.assembly import build_corpus
from verdict_frames.records import Interpretation
from verdict_frames.sources.in_memory import Records
from verdict_frames.sources.python_values import PARTS
from verdict_frames.verdicts.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from verdict_frames.frames.corpus import Corpus


def from_records(
    records: Iterable[object],
    *,
    defaults: Mapping[str, object] | None = None,
    aliases: Mapping[str, str] | None = None,
) -> Corpus:
    """Interpret verdicts that are in memory, such as a column of a database.

    A record is an item, a bare verdict, a whole result or a stored interpretation, as `read_results` finds them in
    files: a mapping, or its JSON as text or bytes. It may also be a live `Verdict` or an `Interpretation`; `None`, or
    what pandas marks as missing, is an item without a verdict.

    A record that is an object may say more beside its own keys, as the rows of a database do:

    * of its run: `run_id`, `experiment_name`, `session`, `variant`, `repeat`;
    * of its item, as the columns of `items` are called: `item_id`, `item_slug`, `error`, `cost_usd`, `total_tokens`,
      `duration_ms`, beside the stored `success`, `passed`, `scores` and `metadata`;
    * its `verdict` or `interpretation` may be a JSON text, a live value, or missing.

    Records that name the same run, repetition and so on are one run; a result is a run of its own, and results with the
    same `experimentId` are copies of it. A run is called by its `run_id`, where several runs have the same by its other
    names too (`nightly/variant=b`), and `records` where it has no name. The `item_index` is the record's place among
    the records, from 0; within a result, the item's own.

    What can't be used costs no more than itself and has a row in `problems`, with `records[3]` as its path. There are
    no `sources`.

    Args:
        records: Any iterable, or a column: a series of polars or pandas, an Arrow array. In a column of structs every
            row has the keys of all rows, so null stands there for an absent key; JSON text loses nothing.
        defaults: `run_id`, `experiment_name`, `session`, `variant` and `repeat` of records that don't say theirs.
        aliases: Name of a variant → the name that it has today, applied before runs are told apart.

    Returns:
        A validated corpus, runs in the order in which their first record comes, items in the order of the records.

    Raises:
        ArgumentError: `records` is a single record, a frame, or not iterable; the defaults have an unknown name or a
            value of the wrong kind; or the aliases are no mapping of text to text. No content of a record raises.
        OptionError: The aliases can't be followed.

    Examples:
        >>> row = {"run_id": "nightly", "item_id": "i1", "verdict": '{"aggregated": {"status": "pass"}}'}
        >>> corpus = from_records([row, {"run_id": "nightly", "item_id": "i2", "verdict": None}])
        >>> corpus.items.select("run_id", "item_id", "has_verdict", "reading").rows()
        [('nightly', 'i1', True, 'ACCEPTED'), ('nightly', 'i2', False, None)]
    """
    return build_corpus(Records(_values_of(records), defaults=defaults, aliases=aliases))


def _values_of(records: object) -> Iterable[object]:
    """The records one by one, whatever holds them."""
    if isinstance(records, str | bytes | bytearray | memoryview | Mapping | Verdict | Interpretation):
        what = "files are read by read_results" if isinstance(records, str) else "put a single record into a list"
        message = f"records are given as an iterable or a column, not as one {type(records).__name__}; {what}"
        raise ArgumentError(message)
    if isinstance(records, pl.LazyFrame | pa.RecordBatchReader) or hasattr(records, "columns"):
        message = (
            f"a {type(records).__name__} has several columns; give one of them, or its rows as dicts (to_dicts() in "
            "polars, to_dict('records') in pandas, to_pylist() in Arrow)"
        )
        raise ArgumentError(message)
    if isinstance(records, pl.Series):
        return _without_absent(records.to_list(), nested=records.dtype.is_nested())
    dtype: object = getattr(records, "dtype", None)
    if isinstance(records, pa.Array | pa.ChunkedArray):
        return _without_absent(records.to_pylist(), nested=pa.types.is_nested(records.type))
    if hasattr(dtype, "pyarrow_dtype"):  # a series of pandas that Arrow holds
        return _values_of(pa.array(records))
    if hasattr(records, "isna") and hasattr(records, "tolist"):  # any other series of pandas
        values: list[object] = records.tolist()
        return values
    if isinstance(records, Iterable):
        return records
    if hasattr(records, "__arrow_c_stream__"):
        return _values_of(pa.chunked_array(records))
    if hasattr(records, "__arrow_c_array__"):
        return _values_of(pa.array(records))
    message = f"records are given as an iterable or a column, not as {type(records).__name__}"
    raise ArgumentError(message)


def _without_absent(values: list[Any], *, nested: bool) -> list[Any]:
    """Leave out the nulls of structs, which stand there for absent keys.

    An interpretation has its nulls by right, and a missing verdict is worth knowing of.
    """
    return [_present(value, but=PARTS) for value in values] if nested else values


def _present(value: object, *, but: Sequence[str] = ()) -> object:
    if isinstance(value, list):
        return list(map(_present, value))
    if not isinstance(value, dict) or "readingSupport" in value:
        return value
    return {key: _present(member) for key, member in value.items() if member is not None or key in but}
