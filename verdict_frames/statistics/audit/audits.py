"""The audit of a corpus: what its files say of themselves beside what their verdicts say."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from verdict_frames.errors import ArgumentError, OptionError, one_line
from verdict_frames.frames.corpus import Corpus
from verdict_frames.frames.display import as_html, as_text, remark_of
from verdict_frames.policies import AGENT_EXPERIMENT_0_9, POLICIES, Policy, find_policy
from verdict_frames.statistics.audit.differences import find_differences
from verdict_frames.statistics.audit.stated import recount, recounts_by_run, stated_runs
from verdict_frames.statistics.audit.verdicts import (
    copied_runs,
    decided_despite_errors,
    stored_interpretations,
    unexplained_scores,
)
from verdict_frames.statistics.audit.vocabulary import AuditFrame
from verdict_frames.statistics.left_out import left_out_runs
from verdict_frames.statistics.vocabulary import EvaluationChoice

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

_UNSHOWN: Final = frozenset({"recorded_note", "rate_note", "policy"})
_ALL_POLICIES: Final = tuple(POLICIES.values())


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Audit:
    """What the files of a corpus recorded, beside what their verdicts say; nothing is mended.

    "Recorded" is what files say of each item (`passed`), "stored" what they say of themselves as a whole (a pass rate
    up to 0.7, counts after that) or of a verdict (an interpretation). `rates`, `causes`, `items` and `judge_errors` are
    about the items that a tally counts; all other frames are about every run. A `?` marks columns that may be null.

    Attributes:
        rates: Grain one group, sorted with null last; one row without groups. The group columns, then:
            `recorded_passes` of `recorded_items`, `recorded_rate?` (what the record publishes: items recorded as
            passed, of all items; null where there are none, and `recorded_note?` says so), `passes_change` and
            `eligible_change` (the sums over the group's `causes`), `passes` of `eligible`, `pass_rate?` (null where
            nothing is eligible, and `rate_note?` says so), `difference?` (the second rate less the first),
            `recorded_neither` (items recorded neither as passed nor as not passed), `agreeing` (items without a cause),
            `without_record` (items of runs that recorded nothing, in none of these numbers), `left_out` (items that no
            count takes in), `policy`. It always holds that `recorded_passes` + `passes_change` = `passes`,
            `recorded_items` + `eligible_change` = `eligible`, and `agreeing` + the `items` of the group's causes =
            `recorded_items`.
        causes: Grain one cause and recorded value of a group, sorted by group, cause, and true before false before
            null: the group columns, `cause`, `passed?` (as recorded), `items`, and by how much these items move
            numerator and denominator from the recorded rate to the counted one: `passes_change`, `eligible_change`.
        items: Grain one item that has a cause, sorted by cause, then in the order of items: `run_id`, `item_index`,
            `experiment_name?`, `session?`, `variant?`, `item_id?`, `item_slug?`, `cause`, `passed?`, `reading?`,
            `reading_support?`, `bucket` under `policy`, `passes_change` (-1, 0 or 1), `eligible_change` (-1 or 0).
        runs: Grain one run, in the order of runs: its names and `kind`, `left_out` (no count takes its items in),
            `item_count`, `passed_true` and `passed_false` (items so recorded), `stored_pass_rate?`,
            `pass_rate_explained_by?` (`recorded as passed, of all items`, or the policy that gives the same rate; null
            where nothing does), the six stored counts, each `?`, `counts_explained_by?` (the policy that gives the same
            counts, `agent-experiment-0.9` first), `counts_differ?` (counts in which `agent-experiment-0.9` gives
            another number; null where the file states none), `problems` (rows of `corpus.problems` about the run).
        recounts: Grain one run and policy, in this order, judge experiments left out: `run_id`, `policy`, the six
            counts as that consumer books them (`not_judged` is `agent_failed` and `unjudged`; under
            `agent-experiment-0.9` `instrument_failures` overlaps the others), `set_aside`, `pass_rate?`,
            `stored_rate?` (the stored pass rate, or stored passes of passes and non-passes), `difference?`.
        interpretations: Grain one item with a stored interpretation, in the order of items: its names,
            `stored_reading?` and `reading?`, `stored_support` and `reading_support`, `stored_difference?` (fields that
            differ from what the verdict gives, prose aside; empty where none does, null without a verdict).
        judge_errors: Grain one accepted or rejected item of which a judge errored or errors were absorbed into votes,
            in the order of items: its names, `reading`, `reading_support`, `passed?`, `judge_errors` (seats),
            `errors_absorbed?` by the root, `judges` (names of these seats), and the root's own counts
            `errors_treated_as_fail_count?`, `errors_treated_as_abstain_count?`, `ignored_error_count?`.
        scores: Grain one score of an item that no seat explains, in the order of scores: its item's names, `name`,
            `value`, `finding` (`no_seat`: none has this name; `other_value`: none of this name has this score),
            `seat_scores?` (those of the seats of this name; null without one).
        copies: Grain one run that was found more than once, in the order of runs: `run_id`, `experiment_name?`,
            `variant?`, `path` that was read, `copies` (all paths, sorted), `disagreement?` (what `corpus.problems`
            says of copies that differ in more than interpretations).
        policy: Name of the policy that `rates`, `causes` and `items` go by, the first of those given.
    """

    rates: pl.DataFrame
    causes: pl.DataFrame
    items: pl.DataFrame
    runs: pl.DataFrame
    recounts: pl.DataFrame
    interpretations: pl.DataFrame
    judge_errors: pl.DataFrame
    scores: pl.DataFrame
    copies: pl.DataFrame
    policy: str

    def frames(self) -> dict[str, pl.DataFrame]:
        """Return the frames by name."""
        return {name.value: getattr(self, name) for name in AuditFrame}

    def __repr__(self) -> str:
        return as_text("Audit", self.frames(), remark=remark_of(policy=self.policy))

    def _repr_html_(self) -> str:
        columns = [name for name in self.rates.columns if name not in _UNSHOWN]
        remark = remark_of(policy=self.policy)
        return as_html("Audit", self.frames(), first="rates", columns=columns, remark=remark)


def audit(
    corpus: Corpus,
    by: str | Sequence[str] | None = None,
    *,
    policies: Policy | str | Iterable[Policy | str] = _ALL_POLICIES,
    evaluations: EvaluationChoice | str = EvaluationChoice.LATEST,
) -> Audit:
    """Hold what files recorded against what their verdicts say.

    The difference between the recorded and the counted pass rate is explained item by item, each by one cause, and the
    sums close. Beside that: whether the pass rate or counts of each file can be reproduced and by which way of
    counting, stored interpretations beside recomputed ones, verdicts that were reached although a judge errored, scores
    that no judge explains, and runs that were found more than once. It reports and mends nothing.

    Filter a corpus by runs before it is audited, not by items: a file's own rate and counts are about all its items.

    Args:
        corpus: From files, an exported folder or memory. Where nothing was recorded, the frames about the record are
            empty and the notes of `rates` say so.
        by: One name or several to group `rates` and `causes` by, as for `tally`: columns of items or runs, or run
            facts; with none, everything is one group.
        policies: Policies or their names. The first explains: `rates`, `causes` and `items` go by it. `recounts` has a
            row for each.
        evaluations: Which evaluation of items counts where a run was judged again.

    Returns:
        The audit.

    Raises:
        ArgumentError: An argument is of the wrong kind, such as items without their runs.
        ColumnError: A name can't be grouped by.
        OptionError: No policy or choice of evaluations has that name, a policy is given twice, or none is given.

    Example:
        >>> from verdict_frames.frames.in_memory import from_records
        >>> stored = {"item_id": "a", "passed": False, "verdict": {"aggregated": {"status": "error"}}}
        >>> audit(from_records([stored])).causes.row(0, named=True)["cause"]
        'jury_errored'
    """
    _require_corpus(corpus)
    chosen = _policies(policies)
    left_out = left_out_runs(corpus.runs, evaluations=evaluations)
    differences = find_differences(corpus, by, policy=chosen[0], evaluations=evaluations)
    known = {policy.name for policy in chosen}
    tried = [*chosen, *(policy for policy in [AGENT_EXPERIMENT_0_9] if policy.name not in known)]
    recounts = {policy.name: recount(corpus, policy) for policy in tried}
    return Audit(
        rates=differences.rates,
        causes=differences.causes,
        items=differences.items,
        runs=stated_runs(corpus, recounts, left_out),
        recounts=recounts_by_run(corpus, [recounts[policy.name] for policy in chosen]),
        interpretations=stored_interpretations(corpus),
        judge_errors=decided_despite_errors(corpus, left_out),
        scores=unexplained_scores(corpus),
        copies=copied_runs(corpus),
        policy=chosen[0].name,
    )


def _require_corpus(given: object) -> None:
    if not isinstance(given, Corpus):
        message = f"an audit needs a Corpus, because runs state what they hold, not {type(given).__name__}"
        raise ArgumentError(message)


def _policies(given: object) -> list[Policy]:
    listed = [given] if isinstance(given, (str, Policy)) else given
    if not isinstance(listed, Iterable):
        message = f"policies are policies or names of these, not {one_line(given)}"
        raise ArgumentError(message)
    chosen = [find_policy(policy) for policy in listed]
    names = [policy.name for policy in chosen]
    if not names or len(set(names)) < len(names):
        message = f"an audit needs at least one policy, and each once; given are {', '.join(names) or 'none'}"
        raise OptionError(message)
    return chosen
