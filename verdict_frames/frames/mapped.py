"""Items of anyone else's evaluations in, a corpus out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import polars as pl

from verdict_frames._version import __version__
from verdict_frames.errors import OptionError
from verdict_frames.frames.corpus import Corpus
from verdict_frames.frames.given import columns_of, flags, integers, messages, supports, texts
from verdict_frames.frames.outcomes import condition_of, meanings_by_condition, meanings_by_value
from verdict_frames.frames.schemas.tables import SCHEMA_VERSION, TABLES, empty_table, polars_schema
from verdict_frames.frames.validation import validate
from verdict_frames.sources.run_names import RunNames, name_runs
from verdict_frames.vocabulary import Bucket, DecidedByKind, InterpretationOrigin, Reading, RunKind, VerdictEra

if TYPE_CHECKING:
    from collections.abc import Mapping

PLACE: Final = "frame"
"""What stands in place of a path, and the id of a run without any name."""

_COUNTS: Final = ("stage_count", "seat_count", "check_count", "defect_count", "judge_errors", "judge_abstentions")


def from_items(  # noqa: PLR0913 - each names a column
    frame: object,
    *,
    item_id: str,
    outcome: str | None = None,
    mapping: Mapping[Any, str] | None = None,
    pass_if: tuple[str, float] | pl.Expr | None = None,
    support: str | None = None,
    passed: str | None = None,
    run: str | None = None,
    variant: str | None = None,
    repeat: str | None = None,
    error: str | None = None,
) -> Corpus:
    """Take over the items of any other evaluation, so that `tally`, `filter` and the plots serve it.

    What an outcome means is for the caller to say, and nothing is guessed. Either `mapping` gives each value of the
    column `outcome` a meaning, or `pass_if` tells accepted from rejected items by a score. A meaning is one of the five
    readings, `"agent_failed"` (the agent's own work failed before anything could be judged) or `"unjudged"`. A missing
    value and NaN have a meaning only where the mapping has the key `None` or NaN. A frame of pandas writes what is
    missing as NaN; it is missing here.

    There is no record behind such a reading, so that it can't be checked: its support is `UNDETERMINED`, unless a
    column says more. The items have `interpretation_origin` `mapped`, no verdict, and nothing in `stages`, `seats`,
    `checks` and `defects`.

    Rows with the same run, variant and repetition are one run. A run is called by its run's name, where several have
    the same by the others too (`nightly/variant=b`), and `frame` where no column names it. The `item_index` is the
    row's number in the frame, from 0.

    Args:
        frame: Grain one item of one run. A frame of polars, pandas or Arrow, or anything with an Arrow stream.
        item_id: Column with the item's id, text or integers; the same in all runs, or they can't be compared.
        outcome: Column with the outcome; left out where `pass_if` is an expression.
        mapping: Value → meaning. With `pass_if`, what `None` and NaN mean, and nothing else.
        pass_if: A comparison of the outcome with a number, such as `(">=", 0.5)`; or an expression over the frame's
            columns that is true for accepted items. Scores need it.
        support: Column that says how well the record bears out each reading, with the tokens of `Support`; where it is
            null, `UNDETERMINED`.
        passed: Column that says whether the other tool counted the item as passed, for `naive_rate`.
        run: Column with the name of the run.
        variant: Column with the name of the variant.
        repeat: Column with the number of the repetition.
        error: Column with a message of what went wrong. It is only kept: what an error means is for the mapping to say.

    Returns:
        A validated corpus: runs in the order in which they first come, the items of each in the order of their rows.

    Raises:
        ColumnError: A column doesn't exist or holds what it can't; a value of the outcome has no meaning.
        OptionError: The mapping or `pass_if` can't be used, or they don't go together.
        ArgumentError: `frame` is no frame.

    Examples:
        >>> log = pl.DataFrame({"id": ["a", "b", "c"], "score": ["C", "I", None]})
        >>> meaning = {"C": "ACCEPTED", "I": "REJECTED", None: "NOT_ASSESSED"}
        >>> corpus = from_items(log, item_id="id", outcome="score", mapping=meaning)
        >>> corpus.items["reading"].to_list()
        ['ACCEPTED', 'REJECTED', 'NOT_ASSESSED']
    """
    named = {
        "item_id": item_id,
        "outcome": outcome,
        "support": support,
        "passed": passed,
        "run": run,
        "variant": variant,
        "repeat": repeat,
        "error": error,
    }
    columns = {role: column for role, column in named.items() if column is not None or role == "item_id"}
    if isinstance(pass_if, pl.Expr):
        columns |= {f"pass_if of {name}": name for name in pass_if.meta.root_names()}
    given = columns_of(frame, columns)
    rows = pl.DataFrame(
        {
            "item_id": texts(given, item_id, role="item_id"),
            "meaning": _meanings(given, outcome, mapping, pass_if),
            "support": supports(given, support, role="support"),
            "passed": flags(given, passed, role="passed"),
            "error": messages(given, error, role="error"),
            "run": texts(given, run, role="run"),
            "variant": texts(given, variant, role="variant"),
            "repeat": integers(given, repeat, role="repeat"),
        }
    )
    tables = _tables(rows.with_row_index("item_index"))
    validate(tables)
    return Corpus(**tables)


def _meanings(
    given: pl.DataFrame, outcome: str | None, mapping: Mapping[Any, str] | None, pass_if: object
) -> pl.Series:
    """What each row means, by the mapping, by a comparison or by an expression."""
    if isinstance(pass_if, pl.Expr):
        if outcome is not None:
            message = f"pass_if is an expression, which names its columns itself; leave out outcome={outcome!r}"
            raise OptionError(message)
        return meanings_by_condition(given, pass_if, mapping or {}, name="pass_if")
    if outcome is None:
        message = "outcome= names the column that says how each item ended; only an expression as pass_if= needs none"
        raise OptionError(message)
    if pass_if is not None:
        condition = condition_of(pass_if, given[outcome])
        return meanings_by_condition(given, condition, mapping or {}, name=f"whether {outcome!r} passes")
    if mapping is None:
        message = f"say what {outcome!r} means, as in mapping={{'C': 'ACCEPTED'}}, or pass_if=('>=', 0.5) for a score"
        raise OptionError(message)
    return meanings_by_value(given[outcome], mapping)


def _tables(rows: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """All tables of a corpus; rows have the columns of `from_items` and their number."""
    names = ["run", "variant", "repeat"]
    runs = rows.group_by(names, maintain_order=True).agg(pl.len().alias("item_count"))
    told = [RunNames(run_id=run, variant=variant, repeat=repeat) for run, variant, repeat in runs.select(names).rows()]
    runs = runs.with_columns(
        pl.Series("run_id", name_runs(told, otherwise=PLACE), dtype=pl.String), path=pl.lit(PLACE)
    ).with_row_index("place")
    items = rows.join(runs.select(*names, "run_id", "place"), on=names, nulls_equal=True, maintain_order="left")
    judged = pl.col("meaning").cast(pl.String).is_in(list(map(str, Reading)))
    items = items.sort("place", maintain_order=True).with_columns(
        success=pl.when(pl.col("meaning") == str(Bucket.AGENT_FAILED)).then(pl.lit(value=False)),
        reading=pl.when(judged).then(pl.col("meaning").cast(pl.String)),
        reading_support=pl.when(judged).then("support"),
        interpretation_origin=pl.when(judged).then(pl.lit(str(InterpretationOrigin.MAPPED))),
        decided_by_kind=pl.when(judged).then(pl.lit(str(DecidedByKind.NOT_RECORDED))),
        has_verdict=pl.lit(value=False),
        verdict_era=pl.lit(str(VerdictEra.NONE)),
        stage_failure=pl.lit(value=False),
        **{count: pl.lit(0) for count in _COUNTS},
    )
    runs = runs.with_columns(
        copies=pl.concat_list("path"),
        kind=pl.lit(str(RunKind.AGENT)),
        interpreter_version=pl.lit(__version__),
        schema_version=pl.lit(SCHEMA_VERSION),
    )
    return {table: empty_table(table) for table in TABLES} | {
        "runs": _filled("runs", runs),
        "items": _filled("items", items),
    }


def _filled(table: str, frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with the columns of a table; those that it lacks are null."""
    return frame.select(
        pl.col(name).cast(dtype) if name in frame.columns else pl.lit(None, dtype).alias(name)
        for name, dtype in polars_schema(table).items()
    )
