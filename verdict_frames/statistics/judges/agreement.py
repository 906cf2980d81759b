"""Whether judges that judged the same items agree: two by two, and jury by jury."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import polars as pl

from verdict_frames.frames.display import as_html, as_text, remark_of
from verdict_frames.statistics.choices import find_choice
from verdict_frames.statistics.intervals import normal_quantile
from verdict_frames.statistics.judges.juries import JURY_AGREEMENT_SCHEMA, jury_agreement
from verdict_frames.statistics.judges.pairs import PAIR_AGREEMENT_SCHEMA, pair_agreement
from verdict_frames.statistics.judges.resampling import Bootstrap
from verdict_frames.statistics.judges.seats import VOTES, items_that_count, seats_of
from verdict_frames.statistics.vocabulary import EvaluationChoice, MissingVotes, PairedWithin

if TYPE_CHECKING:
    from collections.abc import Sequence

    from verdict_frames.frames.corpus import Corpus

_SHOWN: Final = (
    *("path", "judge", "other_path", "other_judge", "seated", "judged", "agreed", "agreement_rate"),
    *("kappa", "kappa_ci_low", "kappa_ci_high", "kappa_note"),
)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Agreement:
    """How far judges agree.

    Attributes:
        pairs: Grain one group and pair of judges, sorted by group with null last, then by the one and the other judge;
            the group columns, then those of `PAIR_AGREEMENT_SCHEMA`:

            * `path`, `judge`, `occurrence` of the one and `other_path`, `other_judge`, `other_occurrence` of the other,
              as in `judge_table`;
            * `seated`: on how many judged items of runs both sat; `judged`: on how many of these both gave a category;
              `items`: how many different items these are; `agreed`: on how many both gave the same;
            * `agreement_rate`: `agreed` of `judged`, with a Wilson interval as `judge_table` has it;
            * `kappa`: Cohen's kappa, at most 1; null, with the reason in `kappa_note`, where nothing was judged by
              both, or both gave one and the same category throughout (expected agreement is then 1);
            * `kappa_ci_low`, `kappa_ci_high`, `kappa_ci_method`: the bootstrap interval, or null and why;
            * `confidence_level`, `resamples`, `missing`.
        juries: Grain one group and jury, sorted likewise; the group columns, then those of `JURY_AGREEMENT_SCHEMA`:

            * `path`: the jury's place, empty for the root; `judges`: how many different ones gave a category;
            * `judged`: how many judged items of runs have two categories or more; `items`: how many different items
              these are; `votes`: the categories given on them; `categories`: how many there are, pass and fail always
              among them;
            * `agreement`: of two categories given to one item, drawn at random, how often they are the same;
              `alpha`: Krippendorff's alpha for nominal data; `ac1`: Gwet's AC1; each null, with the reason in its
              `…_note`, where undefined, and with its bootstrap interval in `…_ci_low`, `…_ci_high`, `…_ci_method`;
            * `confidence_level`, `resamples`, `missing`.
        missing: What became of statuses that are no vote.
        within: Which judges were paired.
        level: The confidence level of the intervals.
        seed: What the resamples were drawn by.
        resamples: How many there were.
    """

    pairs: pl.DataFrame
    juries: pl.DataFrame
    missing: MissingVotes
    within: PairedWithin
    level: float
    seed: int
    resamples: int

    def tables(self) -> dict[str, pl.DataFrame]:
        """Return the frames by name."""
        return {"pairs": self.pairs, "juries": self.juries}

    def __repr__(self) -> str:
        return as_text("Agreement", self.tables(), remark=self._remark())

    def _repr_html_(self) -> str:
        groups = [name for name in self.pairs.columns if name not in PAIR_AGREEMENT_SCHEMA and name != "missing"]
        return as_html("Agreement", self.tables(), first="pairs", columns=[*groups, *_SHOWN], remark=self._remark())

    def _remark(self) -> str:
        return remark_of(missing=self.missing.value, within=self.within.value, level=self.level)


def agreement(
    corpus: Corpus,
    by: str | Sequence[str] | None = None,
    *,
    missing: MissingVotes | str = MissingVotes.MISSING,
    within: PairedWithin | str = PairedWithin.JURY,
    evaluations: EvaluationChoice | str = EvaluationChoice.LATEST,
    level: float = 0.95,
    seed: int = 0,
    resamples: int = 2000,
) -> Agreement:
    """Compare the judges that judged the same items.

    What is compared is the status of each seat. Pass and fail are votes; abstain, not_applicable, error and unknown
    tokens are either no vote, so that only items count on which both, or two, voted; or categories of their own. A
    status that can't be read is never a category. What was judged is an item in a run, so repeats of an item are judged
    again; the bootstrap draws items, with all their repeats.

    In a cascade, a later jury sees only what an earlier one let through: how far it agrees with the earlier one on
    these says little, so judges are compared within their jury unless `within` says otherwise.

    Args:
        corpus: The corpus; what a tally leaves out, and seats of stages that repeat one below, don't count.
        by: One name or several to group by, as for `tally`; with none, everything is one group.
        missing: "missing", or "category" to compare all statuses.
        within: "jury" for pairs of judges at the same place; "item" for all pairs that judged the same item, save that
            a seat that speaks for a jury is never paired with a judge of another place.
        evaluations: Which evaluation of items counts where a run was judged again, as for `tally`.
        level: The confidence level of the intervals, between 0 and 1.
        seed: What the resamples are drawn by, from 0 to 2**32 - 1.
        resamples: How many are drawn, 100 or more.

    Returns:
        The agreement of each pair and of each jury. Percentile intervals from few items tend to be too
        narrow.

    Raises:
        ColumnError: A group name is unknown, ambiguous, given twice, nested, or the name of a column of the result.
        OptionError: An option has a value that it can't have.
        ArgumentError: An argument is of the wrong kind.

    Example:
        >>> from verdict_frames.frames.in_memory import from_records
        >>> statuses = [("pass", "pass"), ("fail", "fail"), ("pass", "fail"), ("fail", "error")]
        >>> corpus = from_records(
        ...     {"aggregated": {"status": "pass"}, "individualByName": {"a": {"status": one}, "b": {"status": other}}}
        ...     for one, other in statuses
        ... )
        >>> agreement(corpus).pairs.select("judge", "other_judge", "judged", "agreed", "kappa").row(0)
        ('a', 'b', 3, 2, 0.4)
    """
    no_vote = find_choice(MissingVotes, missing, option="missing")
    paired = find_choice(PairedWithin, within, option="within")
    normal_quantile(level)
    bootstrap = Bootstrap(resamples=resamples, seed=seed, level=level)
    taken = {*PAIR_AGREEMENT_SCHEMA, *JURY_AGREEMENT_SCHEMA}
    counted = items_that_count(corpus, by, evaluations=evaluations, taken=taken)
    status = pl.col("status")
    category = status if no_vote is MissingVotes.CATEGORY else pl.when(status.is_in(VOTES)).then(status)
    seats = seats_of(corpus, counted).with_columns(category.alias("category"))
    parts = {
        "pairs": pair_agreement(seats, counted.columns, bootstrap, across_juries=paired is PairedWithin.ITEM),
        "juries": jury_agreement(seats, counted.columns, bootstrap),
    }
    parts = {name: part.with_columns(pl.lit(no_vote.value).alias("missing")) for name, part in parts.items()}
    return Agreement(**parts, missing=no_vote, within=paired, level=level, seed=seed, resamples=resamples)
