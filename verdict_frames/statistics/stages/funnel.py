"""How items went through the stages of their verdicts."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import polars as pl

from verdict_frames.frames.display import as_html, as_text
from verdict_frames.statistics.judges.seats import ITEM_KEY, different_items, items_that_count
from verdict_frames.statistics.stages.members import MEMBER_SCHEMA, members_of
from verdict_frames.statistics.stages.tiers import TIER_SCHEMA, tiers_of
from verdict_frames.statistics.vocabulary import EvaluationChoice

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from verdict_frames.frames.corpus import Corpus
    from verdict_frames.statistics.judges.seats import CountedItems

OTHER_STAGE_SCHEMA: Final[Mapping[str, pl.DataType]] = MappingProxyType(
    {"relation": pl.String(), "stages": pl.Int64(), "items": pl.Int64()}
)
"""The columns of the other stages after their group columns, in order, with their types."""

_UNSHOWN: Final = frozenset(
    name
    for name in (*TIER_SCHEMA, *MEMBER_SCHEMA)
    if name in ("place", "jury_policy") or name.startswith(("stopped_", "use", "not_used"))
)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class StageFunnel:
    """How items went through cascades and meta juries.

    Attributes:
        tiers: Grain one group, cascade and tier, sorted by group with null last, then by cascade and place; the group
            columns, then those of `TIER_SCHEMA`:

            * `path`: the cascade's place, empty for the root; `place`: where among its tiers the tier stands, 1 for the
              first, the foremost where that differs; `tier`: its name, null without one; `jury_policy`: its stop
              condition, null where none or different ones are recorded;
            * `entered`: how often the tier was entered, on how many different `items`; `stopped`, `passed_on`,
              `execution_failed`, `unresolved` and `not_recorded` sum to it, and `stage_funnel` says what they are;
            * `stopped_accepted`, `stopped_rejected`, `stopped_undecided`, `stopped_not_applicable`,
              `stopped_not_assessed` and `stopped_no_reading` sum to `stopped`: the verdict's reading where the cascade
              is the root; elsewhere what the cascade's own aggregate says, by the same rule (R88).
        members: Grain one group, meta jury and member, sorted likewise; the group columns, then those of
            `MEMBER_SCHEMA`:

            * `path`: the meta jury's place; `place` and `member`: the member's place and name in it;
            * `listed`: how often it is recorded, on how many different `items`; `used`, `not_used` and
              `use_not_recorded` (always so before 0.17) sum to it;
            * `execution_failed` and, for those that came to a verdict, `passed`, `failed`, `abstained`,
              `not_applicable`, `errored`, `other_status` and `no_status` sum to `listed`, too.
        others: Grain one group and relation that is neither: `relation`, null for the sub-verdicts of 0.13 and for
            attempts that don't say, `stages` and `items`.
    """

    tiers: pl.DataFrame
    members: pl.DataFrame
    others: pl.DataFrame

    def tables(self) -> dict[str, pl.DataFrame]:
        """Return the frames by name."""
        return {"tiers": self.tiers, "members": self.members, "others": self.others}

    def __repr__(self) -> str:
        return as_text("StageFunnel", self.tables())

    def _repr_html_(self) -> str:
        first = next((name for name, frame in self.tables().items() if frame.height), "tiers")
        columns = [name for name in self.tables()[first].columns if name not in _UNSHOWN]
        return as_html("StageFunnel", self.tables(), first=first, columns=columns)


def stage_funnel(
    corpus: Corpus,
    by: str | Sequence[str] | None = None,
    *,
    evaluations: EvaluationChoice | str = EvaluationChoice.LATEST,
) -> StageFunnel:
    """Count how items went through the tiers of cascades, and what the members of meta juries said.

    A cascade enters its tiers in order until one stops it. What became of an item at a tier that it entered, the first
    that holds:

    1. `execution_failed`: the tier never came to a verdict; the cascade may have gone on;
    2. `passed_on`: a later tier was entered;
    3. `stopped`: the verdict names this tier, or one within it, as the one that decided; where the verdict says nothing
       about this cascade, because it is older than 0.17 or the cascade isn't on the way to the decision, the tier meets
       its own stop condition: some judge failed the subject (`REJECT_ON_ANY_FAIL`), every judge passed it
       (`ACCEPT_ON_ALL_PASS`), or it is the `FINAL_TIER`. A tier that wasn't used stops a cascade only by a rejection;
    4. `unresolved`: the cascade ran out of tiers, and this last one didn't stop it;
    5. `not_recorded`: the record doesn't tell, or names another tier.

    Cascades and meta juries may lie within each other; each is counted at its own `path`. Sub-verdicts of 0.13, and
    what an upgrade made of them (`legacy_sub_verdict`), don't say whether they were tiers or members; they are counted
    in `others`, as are unknown relations.

    Args:
        corpus: The corpus; what a tally leaves out doesn't count.
        by: One name or several to group by, as for `tally`; with none, everything is one group.
        evaluations: Which evaluation of items counts where a run was judged again, as for `tally`.

    Returns:
        Counts only; items without stages have none.

    Raises:
        ColumnError: A group name is unknown, ambiguous, given twice, nested, or the name of a column of the result.
        OptionError: There is no such choice of evaluations.
        ArgumentError: An argument is of the wrong kind.

    Example:
        >>> from verdict_frames.frames.in_memory import from_records
        >>> gate = {"aggregated": {"status": "fail"}, "individualByName": {"build": {"status": "fail"}}}
        >>> attempt = {"name": "gate", "relation": "cascade_tier", "policy": "REJECT_ON_ANY_FAIL", "verdict": gate}
        >>> corpus = from_records([gate | {"compositeAttempts": [attempt]}])
        >>> stage_funnel(corpus).tiers.select("tier", "entered", "stopped", "stopped_rejected", "passed_on").row(0)
        ('gate', 1, 1, 1, 0)
    """
    taken = {*TIER_SCHEMA, *MEMBER_SCHEMA, *OTHER_STAGE_SCHEMA}
    counted = items_that_count(corpus, by, evaluations=evaluations, taken=taken)
    return StageFunnel(
        tiers=tiers_of(corpus, counted), members=members_of(corpus, counted), others=_others(corpus, counted)
    )


def _others(corpus: Corpus, counted: CountedItems) -> pl.DataFrame:
    known = pl.col("relation").is_in(["cascade_tier", "meta_member"]).fill_null(value=False)
    keys = [*counted.columns, "relation"]
    return (
        corpus.stages.filter((pl.col("stage_index") > 0) & ~known)
        .select(*ITEM_KEY, "relation")
        .join(counted.items, on=ITEM_KEY, how="inner")
        .group_by(keys)
        .agg(pl.len().alias("stages"), different_items().alias("items"))
        .select(*counted.columns, *(pl.col(name).cast(dtype) for name, dtype in OTHER_STAGE_SCHEMA.items()))
        .sort(keys, nulls_last=True)
    )
