"""All the tables about a set of runs, as one value."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from numbers import Integral
from typing import TYPE_CHECKING

import polars as pl

from verdict_frames.errors import ArgumentError, MissingPackageError, SchemaError, one_line
from verdict_frames.frames.display import as_html, as_text
from verdict_frames.frames.facts import (
    FACT_TABLES,
    NO_FACTS,
    FactColumns,
    add_facts,
    aligned,
    dataset_facts,
    dataset_problems,
    joined_columns,
    load_facts,
)
from verdict_frames.frames.rebuild import Rebuilder
from verdict_frames.frames.schemas.tables import TABLES, empty_table
from verdict_frames.frames.selection import select
from verdict_frames.frames.storage.writing import write_tables
from verdict_frames.sources.datasets import read_dataset

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

    from verdict_frames.records import Interpretation

_ALIKE = tuple(table for table in TABLES if table not in FACT_TABLES)
"""The tables that have the same columns in every corpus."""

_RUN_COLUMNS = ("run_id", "kind", "experiment_name", "variant", "timestamp", "item_count")


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Corpus:
    """Judged runs in ten tables that join by their keys.

    Every table begins with its key. `runs` has one row a run and `items` one row an item; `stages`, `seats`, `checks`
    and `defects` hold what the items' verdicts say, and nothing of that is lost. `sources` lists every file that was
    seen, `problems` what could not be read. The frames are not to be changed in place; `filter` and `concat` make new
    ones.

    Attributes:
        runs: Grain one run; key `run_id`.
        run_facts: Grain one condition, metadata entry or aggregate score of a run; key `run_id`, `source`, `name`.
        items: Grain one item; key `run_id`, `item_index`.
        scores: Grain one score of an item; key `run_id`, `item_index`, `name`.
        stages: Grain one stage of an item, 0 being the root; key `run_id`, `item_index`, `stage_index`.
        seats: Grain one judge of a stage; the stage's key and `seat_index`.
        checks: Grain one check of a judge; the seat's key and `check_index`.
        defects: Grain one defect of an item; key `run_id`, `item_index`, `defect_index`.
        sources: Grain one file seen.
        problems: Grain one thing that could not be read.
        fact_columns: Grain one column that `with_facts` or `with_dataset` has added; `table`, `column`.
    """

    runs: pl.DataFrame
    run_facts: pl.DataFrame
    items: pl.DataFrame
    scores: pl.DataFrame
    stages: pl.DataFrame
    seats: pl.DataFrame
    checks: pl.DataFrame
    defects: pl.DataFrame
    sources: pl.DataFrame
    problems: pl.DataFrame
    fact_columns: pl.DataFrame = field(default_factory=NO_FACTS.to_frame)

    def tables(self) -> dict[str, pl.DataFrame]:
        """Return the tables by name, parents before their children.

        Examples:
            >>> list(concat([]).tables())[:3]
            ['runs', 'run_facts', 'items']
        """
        return {table: getattr(self, table) for table in TABLES}

    def filter(self, *expressions: pl.Expr, **constraints: object) -> Corpus:
        """Keep some runs and items, with what belongs to them in every table.

        A condition may name the columns of `items`, of `runs`, and run facts such as `conditions.model`; a name that
        both tables have must say which is meant, as in `runs.total_tokens`. All conditions must hold.

        * Conditions that name nothing but runs and run facts choose runs. A run without items stays when they hold.
        * All other conditions choose items. A run that has none of these goes, also one that never had items.

        Rows of `sources` and `problems` stay unless their run goes. `runs.item_count` is counted anew; the `stored_…`
        counts are what the file says and stay. Rows keep their order.

        Which runs `tally` takes as replaced by a later evaluation is decided anew among the runs that remain. A filter
        that drops a re-evaluation therefore brings the original back into the count: `filter(kind="agent")`, and also
        a condition on items that no item of the re-evaluation meets.

        Args:
            expressions: Polars expressions, true for what stays; null counts as false.
            constraints: Name of a column → its value, or a list of allowed values; `None` stands for null. A name with
                a dot can be given as `**{"conditions.model": "m"}`.

        Returns:
            A new corpus.

        Raises:
            ColumnError: A name stands for no column or for two, a value can't occur in its column, or an expression
                can't be evaluated to true or false.
            ArgumentError: A condition isn't a polars expression.

        Examples:
            >>> corpus = concat([])
            >>> corpus.filter(pl.col("cost_usd") > 1, variant="simple", reading=["ACCEPTED", "REJECTED"]).items.height
            0
        """
        return Corpus(**select(self.tables(), expressions, constraints), fact_columns=self.fact_columns)

    def with_facts(self, facts: object, *, on: str) -> Corpus:
        """Add what you know about items or runs as columns to group and filter by.

        The columns keep their names and types. They become columns of `items` where the facts are about items
        (`item_id`, `item_slug`), of `runs` where they are about runs (`run_id`, `variant`), and stay in `filter`,
        `concat`, Parquet and pandas. Facts about different experiments are added to each part and joined by `concat`.

        What doesn't match is told in `problems`, kind `missing`: keys that no item or run has, rows without a key,
        which match nothing, and items or runs that the facts don't have, whose columns are null.

        Args:
            facts: Grain one key; at least one column beside the key, of text, truth values, numbers, dates, times, or
                lists of these. A frame of polars, pandas or Arrow, or the path of a CSV or Parquet file. In a CSV the
                key is read as text, so that `007` stays; in a frame it may be integers.
            on: The key: `item_id`, `item_slug`, `run_id` or `variant`; the facts have a column of that name.

        Returns:
            A new corpus with the same rows.

        Raises:
            FactsError: A key comes more than once, which would multiply rows; a number is NaN or infinite, which says
                nothing about whether it is known; or the file can't be read.
            ColumnError: The key isn't among the columns, a column has the name of one that the corpus has already, or
                is of another type than those above.
            OptionError: Facts can't be joined on that.
            MissingPathError: There is no such file.
            ArgumentError: The facts are neither a frame nor a path.

        Examples:
            >>> from verdict_frames.frames.in_memory import from_records
            >>> corpus = from_records([{"item_id": "i1", "verdict": None}, {"item_id": "i2", "verdict": None}])
            >>> told = corpus.with_facts(pl.DataFrame({"item_id": ["i1"], "difficulty": ["hard"]}), on="item_id")
            >>> told.items.select("item_id", "difficulty").rows()
            [('i1', 'hard'), ('i2', None)]
            >>> told.problems["message"].to_list()
            ['1 of 2 items are not among the facts, so that difficulty is null there: i2']
        """
        frame, path = load_facts(facts, on)
        added = add_facts(self.tables(), FactColumns.from_frame(self.fact_columns), frame, on=on, path=path)
        return Corpus(**added.tables, fact_columns=added.columns.to_frame())

    def with_dataset(self, dataset: str | Path) -> Corpus:
        """Add what a dataset says about its items: `dataset_bucket`, `task_type`, `tags` (a list) and `status`.

        Items are found by their `item_id`. Each item's own record (`item.json`, in the folder that the manifest names)
        counts before the manifest's entry. Told in `problems` are records that can't be read, entries and records that
        say different things (kind `conflict`), runs made with another release of the dataset, items of the dataset
        without results, and results whose item the dataset doesn't list; these have null there.

        Args:
            dataset: A folder with a `dataset.json`, or that file.

        Returns:
            A new corpus with the same rows; the columns behave as those of `with_facts`.

        Raises:
            FactsError: The manifest can't be read, or is none.
            ColumnError: The corpus has such columns already, for instance those of another dataset: add each to the
                part of the corpus that it is about, and join the parts with `concat`.
            MissingPathError: There is no such folder or file.
            ArgumentError: The dataset is neither given as text nor as a path.

        Examples:
            >>> import tempfile
            >>> from pathlib import Path
            >>> file = Path(tempfile.mkdtemp()) / "dataset.json"
            >>> _ = file.write_text('{"items": [{"id": "i1", "bucket": "A", "taskType": "rename"}]}')
            >>> from verdict_frames.frames.in_memory import from_records
            >>> corpus = from_records([{"item_id": "i1", "verdict": None}]).with_dataset(file)
            >>> corpus.items.select("item_id", "dataset_bucket", "task_type", "tags", "status").rows()
            [('i1', 'A', 'rename', None, None)]
        """
        read = read_dataset(dataset)
        tables = self.tables()
        columns = FactColumns.from_frame(self.fact_columns)
        added = add_facts(tables, columns, dataset_facts(read), on="item_id", path=read.path)
        problems = pl.concat([added.tables["problems"], dataset_problems(read, self.runs)])
        return Corpus(**added.tables | {"problems": problems}, fact_columns=added.columns.to_frame())

    def interpretation(self, run_id: str, item_index: int) -> Interpretation:
        """Rebuild the interpretation of one item from the tables.

        It equals the one that the tables were made from, save that unpaired surrogates have become U+FFFD; the summary
        is made from the fields. The first call takes stock of all tables, each further one touches one item's rows.

        Args:
            run_id: The run.
            item_index: The item's place in it.

        Raises:
            NotFoundError: There is no such run or item, or the item has no interpretation.
            ArgumentError: The run isn't given as text, or the place isn't a whole number.
        """
        if not _is_place(run_id, item_index):
            given = f"{one_line(run_id)} and {one_line(item_index)}"
            message = f"an item is named by its run_id and its place in the run, such as 'run-1' and 0, not {given}"
            raise ArgumentError(message)
        return self._rebuilder.interpretation(run_id, item_index)

    def write_parquet(self, folder: str | Path) -> None:
        """Write the tables to a folder of Parquet files, which `read_parquet` reads back as they are.

        There is one file for each table of each run, named after the run (`items/<run>.parquet`), one for the whole of
        `sources` and of `problems`, and `policies.parquet`, the policy table. Enums are plain strings. Every file
        states its schema version and the interpreter's, and equal tables give equal bytes. Columns that `with_facts`
        has added lie in files of their own (`facts_of_items/<run>.parquet`, `facts_of_runs/<run>.parquet`), which join
        by the table's key, so that the files of a table have the same columns in every folder.

        The folder may hold an earlier export. A run that is written anew replaces its former self; the other runs stay,
        as do rows of `sources` and `problems` about paths and runs that aren't in this corpus. Whatever goes wrong on
        the way, the folder shows complete runs only: a run shows once its file in `runs` is there, and that is written
        last. One export at a time may write to a folder.

        Args:
            folder: New, empty, or written by an export before.

        Raises:
            TargetError: The folder is a file or holds other things, or a file can't be written, for instance because
                the disk is full.
            SchemaError: A run is in the corpus twice, a table has a column that is neither its own nor was added by
                `with_facts`, or a newer version of this package wrote the folder.
            ArgumentError: The folder is neither text nor a path.

        Examples:
            >>> import tempfile
            >>> from pathlib import Path
            >>> folder = Path(tempfile.mkdtemp())
            >>> concat([]).write_parquet(folder)
            >>> sorted(path.name for path in folder.iterdir())[:4]
            ['checks', 'defects', 'items', 'policies.parquet']
        """
        write_tables(self.tables(), folder, FactColumns.from_frame(self.fact_columns))

    def to_pandas(self) -> dict[str, pd.DataFrame]:
        """Return the tables as pandas frames by name, with Arrow types, so that null stays null.

        Integers and truth values with nulls stay integers and truth values; the closed vocabularies are text.

        Raises:
            MissingPackageError: pandas isn't installed.

        Examples:
            >>> concat([]).to_pandas()["scores"].dtypes["item_index"]
            int32[pyarrow]
        """
        try:
            return {
                name: frame.cast({pl.Enum: pl.String}).to_pandas(use_pyarrow_extension_array=True)
                for name, frame in self.tables().items()
            }
        except ModuleNotFoundError as error:
            message = "to_pandas needs pandas, which isn't installed; pip install 'verdict-frames[pandas]'"
            raise MissingPackageError(message) from error

    @cached_property
    def _rebuilder(self) -> Rebuilder:
        return Rebuilder(self.tables())

    def __repr__(self) -> str:
        return as_text("Corpus", self.tables())

    def _repr_html_(self) -> str:
        return as_html("Corpus", self.tables(), first="runs", columns=_RUN_COLUMNS)


def _is_place(run_id: object, item_index: object) -> bool:
    return isinstance(run_id, str) and isinstance(item_index, Integral) and not isinstance(item_index, bool)


def concat(corpora: Iterable[Corpus]) -> Corpus:
    """Join corpora into one.

    Args:
        corpora: In the order in which their rows shall stand; none gives a corpus without rows.

    Returns:
        A new corpus. Rows of `sources` and `problems` that are equal in every column stand once. Facts that were added
        to some of them only are null for the others.

    Raises:
        SchemaError: A run is in more than one of them; the message names it. Which of its copies should count is for
            the caller to say, for instance by reading all paths in one call. Or facts of the same name are of different
            types, or about items in one and about runs in another.
        ArgumentError: The argument isn't a list of corpora.

    Examples:
        >>> concat([]).runs.height
        0
    """
    given = _corpora(corpora)
    parts = [corpus.tables() for corpus in given]
    run_ids = pl.concat([empty_table("runs")["run_id"], *(part["runs"]["run_id"] for part in parts)])
    twice = run_ids.filter(run_ids.is_duplicated()).unique(maintain_order=True)
    if len(twice):
        named = ", ".join(repr(run_id) for run_id in twice.head(5))
        message = (
            f"runs.run_id: {len(twice)} run{'s are' if len(twice) > 1 else ' is'} in more than one corpus: {named}; "
            "filter one of them, or read all paths in one call, which merges copies of a run"
        )
        raise SchemaError(message)
    columns = [FactColumns.from_frame(corpus.fact_columns) for corpus in given]
    joined = {table: pl.concat([empty_table(table), *(part[table] for part in parts)]) for table in _ALIKE}
    empty = ({table: empty_table(table) for table in FACT_TABLES}, NO_FACTS)
    told = [empty, *zip(parts, columns, strict=True)]
    joined |= {table: pl.concat(aligned(told, table)) for table in FACT_TABLES}
    for table in ("sources", "problems"):
        joined[table] = joined[table].unique(maintain_order=True)
    return Corpus(**joined, fact_columns=joined_columns(columns).to_frame())


def _corpora(given: object) -> list[Corpus]:
    """Take what was given as a list of corpora, or say what it is instead."""
    if not isinstance(given, Iterable):
        message = f"concat takes a list of corpora, such as [corpus, other], not {type(given).__name__}"
        raise ArgumentError(message)
    corpora = []
    for part in given:
        if not isinstance(part, Corpus):
            message = f"concat takes a list of corpora; this one holds {type(part).__name__}"
            raise ArgumentError(message)
        corpora.append(part)
    return corpora
