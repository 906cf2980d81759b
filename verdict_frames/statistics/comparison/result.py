"""What a comparison comes to, as one value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from verdict_frames.frames.display import as_html, as_text, remark_of
from verdict_frames.statistics.vocabulary import Change

if TYPE_CHECKING:
    from verdict_frames.statistics.vocabulary import Correction

_SHOWN = (
    "treatment",
    "pairs",
    "baseline_rate",
    "treatment_rate",
    "difference",
    "ci_low",
    "ci_high",
    "wins",
    "losses",
    "p_value",
    "p_adjusted",
    "lost",
)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Comparison:
    """Treatments against a baseline on the same items.

    A *comparison* is one treatment, in one group where `within` was given. Every frame begins with the columns of
    `within`, then `treatment`. *Trials* of an item are its rows on one side, and one is *eligible* where the policy
    counts it. `baseline_…` and `treatment_…` columns say the same of either side.

    Attributes:
        overall: Grain one comparison.

            * `baseline`; `pairs`: items with an eligible trial on both sides, which all numbers up to `p_adjusted` are
              about; `…_passes`, `…_eligible` (trials of these items), `…_rate?` (mean of the items' own rates);
            * `difference?`: the treatment's rate less the baseline's, -1 to 1, null without pairs (`difference_note?`);
              `ci_low?`, `ci_high?`, `ci_method?`, `confidence_level`: the difference that more such items would show,
              Newcombe's paired score interval (`newcombe_paired`) with one eligible trial on each side of every pair,
              Student's over item means (`paired_t`) otherwise; null where `ci_note?` says why. Intervals aren't
              widened for the number of comparisons;
            * `wins`, `losses`, `ties`: items that passed more often with the treatment, less often, as often;
            * `p_value?`, `p_method?`: two-sided, that a treatment without effect shows such a difference.
              `mcnemar_exact` with one eligible trial on each side of every pair; otherwise the sign-flip test on item
              means, over all patterns of signs (`sign_flip_exact`) or over `resamples?` drawn ones
              (`sign_flip_sampled`). `p_beside?`, `p_beside_method?`: `mcnemar_mid_p` or `paired_t`, null where
              `p_beside_note?` says why; `p_adjusted?`, `correction`, `comparisons` (with a p value, which it is
              adjusted for);
            * `lost`: items that are no pair, `bound_low?`, `bound_high?`: the least and the greatest difference over
              the `bound_pairs` items there are when every trial that went without a judgment that counts is taken for
              and against the treatment, and an item with no trial on a side likewise. It is no interval: it carries no
              chance. What was recorded on the other side holds, so where lost items did unlike the pairs, `difference`
              can lie outside. Items that the criteria don't apply to on either side are not among these;
            * `by_slug`: pairs that go by `item_slug`, having no `item_id`; `baseline_nameless`,
              `treatment_nameless`: trials that have neither, so that they can't be paired and count nowhere else;
              `policy`.
        items: Grain one item of a comparison that has a trial on either side: `item`, `by_slug`; of each side `trials`,
            `eligible`, `passes`, `open` (neither eligible nor not applicable), `not_assessed`, `rate?`, `state` (see
            `transitions`); `difference?`; `change?` (`win`, `loss`, `tie`; null where it is no pair); `cause?` and
            `lost_on?` (why it is no pair, and on which side no trial is eligible, or there is none where the cause is
            `new` or `removed`; null for pairs).
        transitions: Grain one pair of states, `baseline_state` and `treatment_state`, that some item has: `items`,
            which sum to the rows of `items`. A state is what the record says whatever the policy: a reading,
            `unattestable` (the record contradicts itself, or holds no reading), `agent_failed`, `unjudged`; `mixed`
            where the trials of the item on this side are in different states; `new` and `removed` for no trial there.
        lost: Grain one `cause` and `lost_on`: `items`, which sum to `lost`. See `LostCause`.
        not_assessed: Grain one `side` and `other_outcome`: items with trials on that side, their `trials`, how many of
            these the jury could not assess (`not_assessed`) and their share. `other_outcome` tells how the item did on
            the other side, `any` being all. Shares that differ by outcome hint that what is missing isn't missing at
            random.
        differences: Grain one aspect in which the runs of a comparison differ, or may because some don't record it:
            `aspect` as `run_aspects` names it, `differs` (false where it isn't known), the recorded values of each
            side, `runs`, `not_recorded`. Conditions may differ, and so may what was allowed to.
        by: The column that tells the sides apart; null for two corpora.
        within: The columns in whose groups the sides are compared.
        baseline: What the baseline is called.
        treatments: What the treatments are called.
        policy: The name of the policy.
        level: The confidence level of the intervals.
        correction: How p values are adjusted.
        seed: What the patterns of signs are drawn by, where they are drawn.
        without_side: How many trials have no value to be compared by, and so are in none of the frames.
        left_out: How many items are of judge experiments, or of runs in whose place another one counts.
    """

    overall: pl.DataFrame
    items: pl.DataFrame
    transitions: pl.DataFrame
    lost: pl.DataFrame
    not_assessed: pl.DataFrame
    differences: pl.DataFrame
    by: str | None
    within: tuple[str, ...]
    baseline: str
    treatments: tuple[str, ...]
    policy: str
    level: float
    correction: Correction
    seed: int
    without_side: int
    left_out: int

    def tables(self) -> dict[str, pl.DataFrame]:
        """Return the frames by name."""
        return {
            "overall": self.overall,
            "items": self.items,
            "transitions": self.transitions,
            "lost": self.lost,
            "not_assessed": self.not_assessed,
            "differences": self.differences,
        }

    def wins(self) -> pl.DataFrame:
        """The rows of `items` that passed more often with the treatment, by comparison, the greatest change first."""
        return self._changed(Change.WIN)

    def losses(self) -> pl.DataFrame:
        """The rows of `items` that passed less often with the treatment, by comparison, the greatest change first."""
        return self._changed(Change.LOSS)

    def _changed(self, change: Change) -> pl.DataFrame:
        places = self.overall.select(*self.within, "treatment").with_row_index("\0place")
        on = [*self.within, "treatment"]
        chosen = self.items.filter(pl.col("change") == change).join(places, on=on, how="left", nulls_equal=True)
        size = pl.col("difference").abs()
        order = chosen.with_columns(size.alias("\0size")).sort(
            "\0place", "\0size", "item", descending=[False, True, False]
        )
        return order.drop("\0place", "\0size")

    def __repr__(self) -> str:
        return as_text("Comparison", self.tables(), remark=self._remark())

    def _repr_html_(self) -> str:
        columns = (*self.within, *_SHOWN)
        return as_html("Comparison", self.tables(), first="overall", columns=columns, remark=self._remark())

    def _remark(self) -> str:
        return remark_of(baseline=self.baseline, policy=self.policy)
