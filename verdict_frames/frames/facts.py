"""Facts that users know about items and runs beside what was recorded: columns of `items` and `runs` of their own.

The declarations say which columns a table has. Which further ones were added on purpose is told by `FactColumns`, so
that any other column is still refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec
import polars as pl

from verdict_frames.documents.escaping import one_line as escaped
from verdict_frames.errors import ColumnError, FactsError, MissingPathError, OptionError, SchemaError, one_line
from verdict_frames.errors import some_names as names_of
from verdict_frames.frames.arrays import without_surrogates
from verdict_frames.frames.given import frame_of, texts
from verdict_frames.frames.lookup import find_column
from verdict_frames.frames.schemas.tables import polars_schema
from verdict_frames.vocabulary import ProblemKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from verdict_frames.sources.datasets import Dataset

FACT_KEYS: Final[Mapping[str, str]] = MappingProxyType(
    {"item_id": "items", "item_slug": "items", "run_id": "runs", "variant": "runs"}
)
"""What facts may be joined on, and the table that they become columns of."""

FACT_TABLES: Final = ("runs", "items")
"""The tables that facts can be added to."""

IN_MEMORY: Final = "frame"
"""What stands in place of a path in `problems` where facts come from memory."""

_SINGLE: Final = (
    pl.String,
    pl.Boolean,
    *(pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt16, pl.UInt32, pl.UInt64),
    *(pl.Float32, pl.Float64, pl.Date, pl.Datetime),
)
_ROW: Final = "\0row"


@dataclass(frozen=True, kw_only=True)
class FactColumns:
    """Which columns were added to which table, in the order in which they came.

    Attributes:
        items: Columns of `items`.
        runs: Columns of `runs`.
    """

    items: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()

    def of(self, table: str) -> tuple[str, ...]:
        """Name the columns that were added to a table; none for any other table than these two."""
        return {"items": self.items, "runs": self.runs}.get(table, ())

    @classmethod
    def from_frame(cls, frame: pl.DataFrame) -> FactColumns:
        """Take them from the frame that a corpus keeps."""
        named = {table: frame.filter(pl.col("table") == table)["column"].to_list() for table in FACT_TABLES}
        return cls(**{table: tuple(names) for table, names in named.items()})

    def to_frame(self) -> pl.DataFrame:
        """Put them into a frame: grain one column that was added; `table`, `column`."""
        rows = [(table, name) for table in FACT_TABLES for name in self.of(table)]
        return pl.DataFrame(rows, schema={"table": pl.String, "column": pl.String}, orient="row")


NO_FACTS: Final = FactColumns()


class AddedFacts(NamedTuple):
    """Tables with facts.

    Attributes:
        tables: All tables of the corpus by name.
        columns: Which columns were added, the earlier ones included.
    """

    tables: dict[str, pl.DataFrame]
    columns: FactColumns


def load_facts(facts: object, on: str) -> tuple[pl.DataFrame, str]:
    """Take facts from memory or from a CSV or Parquet file.

    Args:
        facts: A frame of polars, pandas or Arrow, or a path. Of a CSV the key is read as text, so that `007` stays.
        on: The key.

    Returns:
        The frame, and its path for `problems`.

    Raises:
        ArgumentError: It is neither a frame nor a path.
        MissingPathError: There is no such file.
        FactsError: The file can't be read, or its name ends in neither `.csv` nor `.parquet`.
    """
    if not isinstance(facts, str | Path):
        return frame_of(facts), IN_MEMORY
    path = Path(facts)
    shown = escaped(path.as_posix())
    if not path.exists():
        message = f"there is no file {shown}; facts are a CSV or Parquet file, or a frame"
        raise MissingPathError(message)
    try:
        match path.suffix.lower():
            case ".csv":
                return pl.read_csv(path, infer_schema_length=None, schema_overrides={on: pl.String}), shown
            case ".parquet":
                return pl.read_parquet(path, glob=False, hive_partitioning=False), shown
    except (pl.exceptions.PolarsError, OSError) as error:
        message = f"{shown} can't be read: {(str(error).splitlines() or [type(error).__name__])[0]}"
        raise FactsError(message) from error
    message = f"{shown}: facts are read from a file whose name ends in .csv or .parquet; give any other as a frame"
    raise FactsError(message)


def add_facts(
    tables: Mapping[str, pl.DataFrame], columns: FactColumns, facts: pl.DataFrame, *, on: str, path: str
) -> AddedFacts:
    """Add columns to `items` or `runs`; see `Corpus.with_facts`.

    Args:
        tables: All tables by name.
        columns: Which columns were added before.
        facts: Grain one key.
        on: One of `FACT_KEYS`.
        path: Where the facts come from, for `problems`.

    Raises:
        OptionError: They can't be joined on that.
        ColumnError: A column is missing, exists already, or has a type that facts can't have.
        FactsError: A key comes twice, or a number is NaN or infinite.
    """
    if on not in FACT_KEYS:
        message = f"on={one_line(on)}: facts are joined on one of {', '.join(FACT_KEYS)}"
        raise OptionError(message)
    if on not in facts.columns:
        message = f"{path}: there is no column {on!r} to join on; there are {names_of(facts.columns) or 'none'}"
        raise ColumnError(message)
    table = FACT_KEYS[on]
    names = [name for name in facts.columns if name != on]
    _require_new(tables, names, path)
    keyed = facts.select(
        texts(facts, on, role="on").alias(on), *(_plain(facts[name], path) for name in names)
    ).with_row_index(_ROW)
    _require_single(keyed[on], path)
    owners = tables[table]
    joined = owners.join(keyed, on=on, how="left", maintain_order="left")
    troubles = [*_unmatched(keyed, owners, on=on, table=table), *_without(joined, on=on, names=names, table=table)]
    problems = problem_rows(path, ProblemKind.MISSING, troubles)
    added = (*columns.of(table), *names)
    return AddedFacts(
        tables={
            **tables,
            table: joined.select(*owners.columns, *names),
            "problems": pl.concat([tables["problems"], problems]),
        },
        columns=FactColumns(
            items=added if table == "items" else columns.items, runs=added if table == "runs" else columns.runs
        ),
    )


def dataset_facts(dataset: Dataset) -> pl.DataFrame:
    """What a dataset says about its items, as facts on `item_id`."""
    rows = [(item.item_id, item.bucket, item.task_type, item.tags, item.status) for item in dataset.items]
    text = pl.String()
    schema = {"item_id": text, "dataset_bucket": text, "task_type": text, "tags": pl.List(text), "status": text}
    return pl.DataFrame([tuple(map(_storable, row)) for row in rows], schema=schema, orient="row")


def _storable(value: str | list[str] | None) -> str | list[str] | None:
    if isinstance(value, str):
        return without_surrogates(value)
    return None if value is None else [without_surrogates(text) for text in value]


def dataset_problems(dataset: Dataset, runs: pl.DataFrame) -> pl.DataFrame:
    """Rows of `problems` about a dataset: what could not be read, and runs that were made with another release."""
    rows = [msgspec.to_builtins(problem) for problem in dataset.problems]
    others = runs.filter(pl.col("dataset_semantic_version") != pl.lit(dataset.version, dtype=pl.String))
    said = []
    if others.height:
        releases = names_of(others["dataset_semantic_version"].unique().sort().to_list(), most=3)
        made = f"{others.height} of {runs.height} runs were made with {releases}"
        said = [f"`version`: {dataset.version}, and {made}; what it says of an item may have been different then"]
    conflicts = problem_rows(dataset.path, ProblemKind.CONFLICT, said)
    return pl.concat([pl.DataFrame(rows, schema=polars_schema("problems")), conflicts])


def problem_rows(path: str, kind: ProblemKind, messages: Sequence[str]) -> pl.DataFrame:
    """Rows of `problems` about one file, one a message."""
    rows = [{"path": path, "kind": kind.value, "message": message} for message in messages]
    return pl.DataFrame(rows, schema=polars_schema("problems"))


def aligned(parts: Sequence[tuple[Mapping[str, pl.DataFrame], FactColumns]], table: str) -> list[pl.DataFrame]:
    """Give one table of several corpora the same columns: facts that a corpus doesn't have are null there.

    Raises:
        SchemaError: A fact has different types in two corpora, or a column is neither the table's own nor a fact.
    """
    facts: dict[str, pl.DataType] = {}
    for tables, columns in parts:
        require_known(table, tables[table], columns)
        for name in columns.of(table):
            dtype = tables[table].schema[name]
            if facts.setdefault(name, dtype) != dtype:
                message = (
                    f"{table}.{name}: the facts of one corpus are of type {facts[name]}, those of another of type "
                    f"{dtype}; cast one before adding it"
                )
                raise SchemaError(message)
    order = [*polars_schema(table), *facts]
    return [
        tables[table]
        .with_columns(
            pl.lit(None, dtype=dtype).alias(name) for name, dtype in facts.items() if name not in columns.of(table)
        )
        .select(order)
        for tables, columns in parts
    ]


def joined_columns(columns: Sequence[FactColumns]) -> FactColumns:
    """Say which columns several corpora together have.

    Raises:
        SchemaError: A name is a fact about items in one, and about runs in another.
    """
    items = dict.fromkeys(name for each in columns for name in each.items)
    runs = dict.fromkeys(name for each in columns for name in each.runs)
    both = [name for name in items if name in runs]
    if both:
        message = f"{both[0]!r} is a fact about items in one corpus, and about runs in another; rename one"
        raise SchemaError(message)
    return FactColumns(items=tuple(items), runs=tuple(runs))


def recorded_part(table: str, frame: pl.DataFrame, columns: FactColumns) -> pl.DataFrame:
    """A table without the facts that were added to it; columns that nobody added stay.

    Raises:
        SchemaError: A fact that was said to be added isn't there.
    """
    lost = [name for name in columns.of(table) if name not in frame.columns]
    if lost:
        message = f"{table}.{lost[0]}: the column was added by with_facts, and isn't there any more"
        raise SchemaError(message)
    return frame.drop(columns.of(table))


def require_known(table: str, frame: pl.DataFrame, columns: FactColumns) -> None:
    """Refuse a table with columns that are neither its own nor were added as facts.

    Raises:
        SchemaError: The message names the first such column.
    """
    unknown = [name for name in frame.columns if name not in polars_schema(table) and name not in columns.of(table)]
    if unknown:
        message = (
            f"{table}.{unknown[0]}: {table} has no such column, and it wasn't added by with_facts; "
            "corpus.with_facts(frame, on=…) adds columns that stay"
        )
        raise SchemaError(message)


def is_fact_type(dtype: pl.DataType) -> bool:
    """Tell whether facts may be of a type: text, truth values, numbers, dates, times, and lists of these."""
    inner = dtype.inner if isinstance(dtype, pl.List) else dtype
    return isinstance(inner, _SINGLE)


def _require_new(tables: Mapping[str, pl.DataFrame], names: Sequence[str], path: str) -> None:
    if not names:
        message = f"{path}: there is no column beside the key, so there is nothing to add"
        raise ColumnError(message)
    for name in names:
        if not name.strip() or "\0" in name:
            message = f"{path}: {one_line(name)} is no name for a column"
            raise ColumnError(message)
    taken = [name for name in names if _is_known(tables, name)]
    if taken:
        message = f"{path}: the corpus has {names_of(taken)} already; rename or leave out what is there"
        raise ColumnError(message)


def _is_known(tables: Mapping[str, pl.DataFrame], name: str) -> bool:
    try:
        find_column(tables, name)
    except ColumnError:
        return any(name in tables[table].columns for table in ("items", "runs"))
    return True


def _plain(column: pl.Series, path: str) -> pl.Series:
    """A column of facts, categories as text, with nothing that a table can't hold.

    Raises:
        ColumnError: Its type can't be.
        FactsError: It holds NaN or an infinity.
    """
    inner = column.dtype.inner if isinstance(column.dtype, pl.List) else column.dtype
    if isinstance(inner, pl.Categorical | pl.Enum | pl.Null):
        column = column.cast(pl.List(pl.String) if isinstance(column.dtype, pl.List) else pl.String)
    if not is_fact_type(column.dtype):
        message = (
            f"{path}: {column.name!r} is of type {column.dtype}; cast it to text, numbers, dates or lists of these"
        )
        raise ColumnError(message)
    unfit = not_finite(column)
    if unfit:
        message = (
            f"{path}: {column.name!r} holds NaN or an infinity {unfit} time{'s' if unfit > 1 else ''}; if it means "
            f"that it isn't known, make it null first: frame.with_columns(pl.col({column.name!r}).fill_nan(None))"
        )
        raise FactsError(message)
    return column


def not_finite(column: pl.Series) -> int:
    """Count the numbers of a column, or of its lists, that are NaN or infinite."""
    single = column.explode() if isinstance(column.dtype, pl.List) else column
    return int((~single.is_finite()).sum()) if single.dtype.is_float() else 0


def _require_single(keys: pl.Series, path: str) -> None:
    named = keys.drop_nulls()
    twice = named.filter(named.is_duplicated()).unique(maintain_order=True)
    if len(twice):
        message = (
            f"{path}: {len(twice)} value{'s' if len(twice) > 1 else ''} of {keys.name} come more than once, which "
            f"would multiply rows: {names_of(twice.to_list(), most=5)}; keep one row of each"
        )
        raise FactsError(message)


def _unmatched(keyed: pl.DataFrame, owners: pl.DataFrame, *, on: str, table: str) -> list[str]:
    """Say which keys of the facts are those of no row."""
    said = []
    lost = keyed.filter(pl.col(on).is_not_null()).join(owners, on=on, how="anti", maintain_order="left")[on]
    if len(lost):
        said.append(f"{len(lost)} of {keyed.height} rows have the {on} of no {table[:-1]}: {_listed(lost)}")
    nameless = keyed[on].null_count()
    if nameless:
        said.append(f"{nameless} of {keyed.height} rows have no {on}, and so belong to nothing")
    return said


def _without(joined: pl.DataFrame, *, on: str, names: Sequence[str], table: str) -> list[str]:
    """Say which rows of the corpus got no facts."""
    missing = joined.filter(pl.col(_ROW).is_null())
    if not missing.height:
        return []
    keys = missing[on].drop_nulls().unique(maintain_order=True)
    which = f": {_listed(keys)}" if len(keys) else ""
    nameless = missing[on].null_count()
    without = f"; {nameless} of them have no {on}" if nameless else ""
    absent = f"{names_of(names, most=4)} {'is' if len(names) == 1 else 'are'} null there"
    return [f"{missing.height} of {joined.height} {table} are not among the facts, so that {absent}{which}{without}"]


def _listed(keys: pl.Series) -> str:
    return names_of(keys.to_list(), most=5)
