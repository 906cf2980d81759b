"""Which runs are unlike: those that were made under other conditions, or measured by another instrument.

A rate over runs of two juries, or of two versions of a dataset, is a mixture. Nothing is refused for it; it is said.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import polars as pl

from verdict_frames.errors import ArgumentError, one_line
from verdict_frames.frames.corpus import Corpus
from verdict_frames.statistics.counted import LEFT_OUT, counted_items
from verdict_frames.statistics.grouping import require_free_names
from verdict_frames.statistics.vocabulary import EvaluationChoice
from verdict_frames.vocabulary import FactSource

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from verdict_frames.statistics.grouping import GroupedItems

INSTRUMENT: Final = "instrument"
CONDITIONS: Final = "conditions."
"""What the name of each aspect begins with that is a condition."""

ASPECTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        INSTRUMENT: "instrument_hash",
        "description_version": "description_version",
        "dataset_version": "dataset_version",
        "dataset_dirty": "dataset_dirty",
        "dataset_semantic_version": "dataset_semantic_version",
    }
)
"""The aspects that every run has, in the order in which they are listed, and the columns of `runs` that hold them."""

_NOUNS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        INSTRUMENT: ("instrument", "instruments"),
        "description_version": ("version of the instrument's description", "versions of the instrument's description"),
        "dataset_version": ("dataset version", "dataset versions"),
        "dataset_dirty": ("state of the dataset", "states of the dataset, clean and dirty"),
        "dataset_semantic_version": ("release number of the dataset", "release numbers of the dataset"),
    }
)
_OUTCOME: Final[Mapping[str, pl.DataType]] = MappingProxyType(
    {
        "aspect": pl.String(),
        "distinct": pl.Int64(),
        "values": pl.List(pl.String()),
        "runs": pl.Int64(),
        "not_recorded": pl.Int64(),
    }
)
_GROUP: Final = "\0group"
_EVERYTHING: Final = "\0everything"
_RUN: Final = "\0run"


def run_aspects(corpus: Corpus, *, evaluations: EvaluationChoice | str = EvaluationChoice.LATEST) -> pl.DataFrame:
    """List under what each run was made: its instrument, its dataset and its conditions.

    Runs that are left out of every count (see `left_out_runs`) and runs without items aren't listed.

    Args:
        corpus: The runs.
        evaluations: Which evaluation of the same work counts.

    Returns:
        Grain one aspect of a run, in the order of `runs`, the aspects of `ASPECTS` first and then the conditions by
        name: `run_id`; `aspect`, one of `ASPECTS` or the name of a condition that some run of the corpus has, with
        `conditions.` before it; `value` as text, null where the run doesn't record it; `comparable_within`: for the
        instrument the version of its description, because hashes of different versions can't be compared; null for all
        other aspects.

    Raises:
        ArgumentError: The runs aren't given as a corpus.
        OptionError: There is no such choice of evaluations.

    Example:
        >>> from verdict_frames.frames.in_memory import from_records
        >>> stored = {"experimentId": "a", "conditions": {"values": {"model": "m"}}, "items": [{"itemId": "i"}]}
        >>> run_aspects(from_records([stored])).select("aspect", "value").rows()[-1]
        ('conditions.model', 'm')
    """
    _require_runs(corpus)
    counted = counted_items(corpus, evaluations=evaluations).items.filter(~pl.col(LEFT_OUT))
    counting = counted.select(pl.col("run_id").unique()).collect()
    return _aspects(corpus.runs.join(counting, on="run_id", how="semi", maintain_order="left"), corpus.run_facts)


def unlike_aspects(
    corpus: Corpus,
    by: str | Sequence[str] | None = None,
    *,
    evaluations: EvaluationChoice | str = EvaluationChoice.LATEST,
) -> pl.DataFrame:
    """Find the aspects in which runs of the same group differ, or may differ.

    Aspects that differ between groups only aren't listed. Runs that are left out of every count, and runs without
    items, take no part; a run whose items are in several groups takes part in each of these.

    Args:
        corpus: The runs.
        by: One name, several, or none for one group of everything; as `tally` takes them.
        evaluations: Which evaluation of the same work counts.

    Returns:
        Grain one aspect of a group that its runs aren't known to agree in, groups sorted with null last, aspects in the
        order of `run_aspects`: the group columns, then

        * `aspect`, as `run_aspects` names it;
        * `distinct`: how many different values are recorded. It is 2 or more where runs differ. It is 1 where some
          runs record that value and the others none, so that whether they differ isn't known. Where no run records a
          value, nothing is listed. Hashes of instruments are counted among runs with the same version of their
          description (or with none), and the greatest of these numbers is given;
        * `values`: the recorded values, each once, sorted;
        * `runs`, `not_recorded`: how many runs the group has, and how many of these don't record the aspect.

    Raises:
        ColumnError: A name can't be grouped by, or is the name of a column of the result.
        ArgumentError: The runs aren't given as a corpus, or the names aren't text.
        OptionError: There is no such choice of evaluations.

    Example:
        >>> from verdict_frames.frames.in_memory import from_records
        >>> runs = [
        ...     {"experimentId": name, "datasetVersion": version, "items": [{"itemId": "i"}]}
        ...     for name, version in (("a", "v1"), ("b", "v2"), ("c", None))
        ... ]
        >>> unlike_aspects(from_records(runs)).rows()
        [('dataset_version', 2, ['v1', 'v2'], 3, 1)]
    """
    _require_runs(corpus)
    grouped = counted_items(corpus, by, evaluations=evaluations)
    require_free_names(grouped.columns, _OUTCOME, of="the result has")
    result = _by_group(corpus, grouped).drop(_EVERYTHING)
    return result.sort(grouped.columns, nulls_last=True, maintain_order=True) if grouped.columns else result


def differing_aspects(aspects: pl.DataFrame, by: Sequence[str]) -> pl.DataFrame:
    """Find the aspects in which runs differ, or may differ, within groups that are given as columns.

    Args:
        aspects: What `run_aspects` lists, with the columns to group by beside its own.
        by: Names of these columns; none for one group of everything.

    Returns:
        The group columns, then the columns that `unlike_aspects` describes; groups and aspects in the order in which
        they first come.
    """
    keys = [*by, "aspect"]
    recorded = pl.col("value").is_not_null()
    comparable = (
        aspects.filter(recorded)
        .group_by(*keys, "comparable_within")
        .agg(pl.col("value").n_unique().cast(pl.Int64).alias("distinct"))
        .group_by(keys)
        .agg(pl.col("distinct").max())
    )
    counts = aspects.group_by(keys, maintain_order=True).agg(
        pl.col("value").drop_nulls().unique().sort().alias("values"),
        pl.col("run_id").n_unique().cast(pl.Int64).alias("runs"),
        (~recorded).sum().cast(pl.Int64).alias("not_recorded"),
    )
    found = counts.join(comparable, on=keys, how="inner", nulls_equal=True, maintain_order="left")
    return found.filter((pl.col("distinct") > 1) | (pl.col("not_recorded") > 0)).select(*by, *_OUTCOME)


def with_notes(counts: pl.DataFrame, judged: object, grouped: GroupedItems) -> pl.DataFrame:
    """Put what the runs of each group differ in beside the counts of the group.

    Args:
        counts: One row a group.
        judged: The corpus that was counted; items without their runs get no notes.
        grouped: The items of the groups, with their marks.

    Returns:
        The same rows in the same order, with `notes`: phrases such as "2 instruments" or "1 dataset version and runs
        that record none", an empty list where all runs are alike as far as they are recorded. That some runs have no
        description of the instrument is said by "instruments" alone.
    """
    none = pl.lit([], dtype=pl.List(pl.String))
    if not isinstance(judged, Corpus):
        return counts.with_columns(none.alias("notes"))
    found = _by_group(judged, grouped)
    worth_saying = found.filter((pl.col("aspect") != "description_version") | (pl.col("distinct") > 1))
    said = pl.Series("notes", [_phrase(row) for row in worth_saying.iter_rows(named=True)], pl.String)
    phrases = worth_saying.select(*grouped.columns, _EVERYTHING, said)
    keys = [*grouped.columns, _EVERYTHING]
    notes = phrases.group_by(keys, maintain_order=True).all()
    joined = counts.with_columns(pl.lit(0).alias(_EVERYTHING)).join(
        notes, on=keys, how="left", nulls_equal=True, maintain_order="left"
    )
    return joined.drop(_EVERYTHING).with_columns(pl.col("notes").fill_null(none))


def _require_runs(corpus: object) -> None:
    if not isinstance(corpus, Corpus):
        message = f"which runs are unlike is asked of a corpus, not of {one_line(corpus)}"
        raise ArgumentError(message)


def _phrase(row: Mapping[str, object]) -> str:
    aspect = str(row["aspect"])
    one, several = _NOUNS.get(aspect, (f"value of {aspect}", f"values of {aspect}"))
    missing = " and runs that record none" if row["not_recorded"] else ""
    return f"{row['distinct']} {one if row['distinct'] == 1 else several}{missing}"


def _by_group(corpus: Corpus, grouped: GroupedItems) -> pl.DataFrame:
    """Find what is unlike in each group: the group columns and `_EVERYTHING`, then what `differing_aspects` finds."""
    keys = [*grouped.columns, _EVERYTHING]
    counting = grouped.items.filter(~pl.col(LEFT_OUT))
    # a group column may have any name, also one that is used here, so runs go by another name and groups by number
    members = counting.select(pl.col("run_id").alias(_RUN), *grouped.columns, pl.lit(0).alias(_EVERYTHING)).unique()
    placed = members.collect()
    groups = placed.select(keys).unique().with_row_index(_GROUP)
    numbered = placed.join(groups, on=keys, how="inner", nulls_equal=True).select(pl.col(_RUN).alias("run_id"), _GROUP)
    runs = corpus.runs.join(numbered, on="run_id", how="semi", maintain_order="left")
    aspects = _aspects(runs, corpus.run_facts)
    # what all runs have alike is alike in each group, and needn't be looked at group by group
    in_question = aspects.join(differing_aspects(aspects, []), on="aspect", how="semi", maintain_order="left")
    found = differing_aspects(in_question.join(numbered, on="run_id", how="inner", maintain_order="left"), [_GROUP])
    return groups.join(found, on=_GROUP, how="inner", maintain_order="right").drop(_GROUP)


def _aspects(runs: pl.DataFrame, run_facts: pl.DataFrame) -> pl.DataFrame:
    version = pl.col("description_version").cast(pl.String)
    nothing = pl.lit(None, dtype=pl.String)
    parts = [
        runs.select(
            "run_id",
            pl.lit(aspect).alias("aspect"),
            pl.col(column).cast(pl.String).alias("value"),
            (version if aspect == INSTRUMENT else nothing).alias("comparable_within"),
        )
        for aspect, column in ASPECTS.items()
    ]
    facts = run_facts.filter(pl.col("source") == FactSource.CONDITION.value)
    conditions = facts.select(pl.col("name").unique().sort())
    every = runs.select("run_id").join(conditions, how="cross", maintain_order="left_right")
    values = every.join(facts, on=["run_id", "name"], how="left", maintain_order="left")
    parts.append(
        values.select(
            "run_id", (CONDITIONS + pl.col("name")).alias("aspect"), "value", nothing.alias("comparable_within")
        )
    )
    places = runs.select("run_id").with_row_index("\0place")
    return (
        pl.concat(parts)
        .join(places, on="run_id", how="left", maintain_order="left")
        .sort("\0place", maintain_order=True)
        .drop("\0place")
    )
