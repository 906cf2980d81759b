"""Where cascades stopped, tier by tier."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import polars as pl

from verdict_frames.statistics.judges.seats import ITEM_KEY, different_items
from verdict_frames.statistics.stages.attempts import attempts_of, failed_to_execute
from verdict_frames.vocabulary import DecidedByKind, Reading

if TYPE_CHECKING:
    from collections.abc import Mapping

    from verdict_frames.frames.corpus import Corpus
    from verdict_frames.statistics.judges.seats import CountedItems

_OUTCOMES: Final = ("stopped", "passed_on", "execution_failed", "unresolved", "not_recorded")
_STOPPED_WITH: Final = {f"stopped_{reading.value.lower()}": reading.value for reading in Reading}

TIER_SCHEMA: Final[Mapping[str, pl.DataType]] = MappingProxyType(
    {
        "path": pl.List(pl.String()),
        "place": pl.Int64(),
        "tier": pl.String(),
        "jury_policy": pl.String(),
        "entered": pl.Int64(),
        "items": pl.Int64(),
        **dict.fromkeys((*_OUTCOMES, *_STOPPED_WITH, "stopped_no_reading"), pl.Int64()),
    }
)
"""The columns of the tiers after their group columns, in order, with their types."""

_READING_OF: Final = {
    "pass": Reading.ACCEPTED.value,
    "fail": Reading.REJECTED.value,
    "abstain": Reading.UNDECIDED.value,
    "not_applicable": Reading.NOT_APPLICABLE.value,
    "error": Reading.NOT_ASSESSED.value,
}
"""R88, for the aggregate of a cascade that isn't the root."""


def tiers_of(corpus: Corpus, counted: CountedItems) -> pl.DataFrame:
    """Count tiers; `verdict_frames.statistics.stages.funnel.stage_funnel` is the public form."""
    tiers = attempts_of(corpus, counted, "cascade_tier").join(_votes(corpus), on=[*ITEM_KEY, "stage_index"], how="left")
    decided = corpus.items.select(*ITEM_KEY, "reading", "decided_by_kind", "decided_by_path")
    facts = tiers.join(decided, on=ITEM_KEY, how="left", suffix="_of_item").with_columns(
        pl.col("any_fail").fill_null(value=False), pl.col("all_pass").fill_null(value=True)
    )
    outcomes = facts.with_columns(_outcome().alias("\0outcome")).with_columns(_reading().alias("\0reading"))
    keys = [*counted.columns, "\0cascade", "\0tier"]
    outcome, reading = pl.col("\0outcome"), pl.col("\0reading")
    stopped = outcome == "stopped"
    table = (
        outcomes.with_columns(pl.col("parent_path").alias("\0cascade"), pl.col("stage").alias("\0tier"))
        .group_by(keys)
        .agg(
            pl.col("place").min().alias("\0place"),
            pl.when(pl.col("jury_policy").n_unique() == 1).then(pl.col("jury_policy").first()).alias("\0policy"),
            pl.len().alias("entered"),
            different_items().alias("items"),
            *((outcome == name).sum().alias(name) for name in _OUTCOMES),
            *((stopped & (reading == token)).sum().alias(name) for name, token in _STOPPED_WITH.items()),
            (stopped & reading.is_null()).sum().alias("stopped_no_reading"),
        )
    )
    own = {"path": "\0cascade", "place": "\0place", "tier": "\0tier", "jury_policy": "\0policy"}
    return table.select(
        *counted.columns, *(pl.col(own.get(name, name)).cast(dtype).alias(name) for name, dtype in TIER_SCHEMA.items())
    ).sort(*counted.columns, "path", "place", "tier", nulls_last=True)


def _votes(corpus: Corpus) -> pl.DataFrame:
    """Say of each stage what its stop condition asks about its judges (R85)."""
    status = pl.col("status")
    return corpus.seats.group_by(*ITEM_KEY, "stage_index").agg(
        (status == "fail").any().alias("any_fail"),
        (status == "pass").fill_null(value=False).all().alias("all_pass"),
    )


def _outcome() -> pl.Expr:
    """Say what became of the item at a tier; the branches are those that `stage_funnel` tells of, first match first."""
    last = pl.col("place") == pl.col("place").max().over(*ITEM_KEY, "parent_index")
    path, decided = pl.col("path"), pl.col("decided_by_path")
    decider = (decided.list.head(path.list.len()) == path).fill_null(value=False)
    kind, of_root = pl.col("decided_by_kind").cast(pl.String), pl.col("parent_index") == 0
    policy = pl.col("jury_policy")
    unused = (~pl.col("used_by_parent")).fill_null(value=False)
    met = (
        pl.when(policy == "REJECT_ON_ANY_FAIL")
        .then("any_fail")
        .when(policy == "ACCEPT_ON_ALL_PASS")
        .then(pl.col("all_pass") & ~unused)
        .when(policy == "FINAL_TIER")
        .then(~unused)
    )
    silent = pl.col("status").is_null() & ~unused
    return (
        pl.when(failed_to_execute())
        .then(pl.lit("execution_failed"))
        .when(~last)
        .then(pl.lit("passed_on"))
        .when(decider)
        .then(pl.lit("stopped"))
        .when(of_root & (kind == DecidedByKind.STAGE))
        .then(pl.lit("not_recorded"))
        .when(of_root & (kind == DecidedByKind.ROOT))
        .then(pl.lit("unresolved"))
        .when(silent | met.is_null())
        .then(pl.lit("not_recorded"))
        .when(met)
        .then(pl.lit("stopped"))
        .otherwise(pl.lit("unresolved"))
    )


def _reading() -> pl.Expr:
    """Say what the cascade says of the item: the verdict's reading at the root, elsewhere what its own record gives."""
    rejected = (~pl.col("used_by_parent")).fill_null(value=False) & pl.col("any_fail")
    own = pl.col("parent_status").replace_strict(_READING_OF, default=None, return_dtype=pl.String)
    nested = pl.when(rejected).then(pl.lit(Reading.REJECTED.value)).otherwise(own)
    return pl.when(pl.col("parent_index") == 0).then(pl.col("reading").cast(pl.String)).otherwise(nested)
