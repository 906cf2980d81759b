"""From a corpus to a report: what is counted, in which order it is told, and the items behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from verdict_frames.errors import OptionError, UnlikeRunsError
from verdict_frames.policies import AGENT_JUDGE_0_17, POLICIES, find_policy
from verdict_frames.reporting.counted import CountedItems
from verdict_frames.reporting.evaluation_items import CountedEvaluations, evaluation_list
from verdict_frames.reporting.items import item_list
from verdict_frames.reporting.sections.audit import audit_section
from verdict_frames.reporting.sections.bounds import bounds_section
from verdict_frames.reporting.sections.comparison import changed_ordinals, comparison_section, unlike_section
from verdict_frames.reporting.sections.costs import cost_section
from verdict_frames.reporting.sections.evaluations import (
    accept_rates_section,
    evaluation_headline,
    questions_section,
    sweeps_section,
    usage_section,
)
from verdict_frames.reporting.sections.grid import grid_section
from verdict_frames.reporting.sections.headline import headline
from verdict_frames.reporting.sections.judges import judges_section
from verdict_frames.reporting.sections.rates import rates_section
from verdict_frames.reporting.sections.records import defects_section, problems_section, provenance_section
from verdict_frames.reporting.sections.stages import stages_section
from verdict_frames.reporting.sentences import counted
from verdict_frames.reporting.value import Quoted, Report, Section
from verdict_frames.statistics.audit.audits import audit
from verdict_frames.statistics.comparison.compare import compare
from verdict_frames.statistics.comparison.result import Comparison
from verdict_frames.statistics.evaluations.policies import RESULTS_ONLY, EvaluationPolicy, find_evaluation_policy
from verdict_frames.statistics.judges.table import judge_table
from verdict_frames.statistics.sensitivity import bounds
from verdict_frames.statistics.tally import tally

if TYPE_CHECKING:
    from collections.abc import Sequence

    from verdict_frames.frames.corpus import Corpus
    from verdict_frames.frames.evaluations import Evaluations
    from verdict_frames.policies import Policy
    from verdict_frames.review.packs import Pack
    from verdict_frames.statistics.vocabulary import EvaluationChoice


def corpus_report(
    corpus: Corpus,
    by: str | Sequence[str] | None,
    *,
    title: str | None,
    policy: Policy | str | None,
    level: float,
    evaluations: EvaluationChoice | str,
    baseline: str | None,
    allow: str | Sequence[str],
) -> Report:
    """Report on judged runs; `verdict_frames.report` is the public form."""
    chosen = find_policy(AGENT_JUDGE_0_17 if policy is None else policy)
    groups = _groups(corpus) if by is None else [by] if isinstance(by, str) else list(by)
    rows = tally(corpus, groups or None, policy=chosen, level=level, evaluations=evaluations)
    overall = tally(corpus, policy=chosen, level=level, evaluations=evaluations).row(0, named=True)
    experiments = ["experiment_name"] if corpus.runs["experiment_name"].n_unique() > 1 else []
    judges = judge_table(corpus, experiments or None, level=level, evaluations=evaluations)
    items = CountedItems.of(corpus, groups, policy=chosen, evaluations=evaluations)
    compared = None
    if baseline is not None:
        compared = _compared(corpus, groups, baseline, policy=chosen, level=level, evaluations=evaluations, allow=allow)
    changed = changed_ordinals(items, compared) if isinstance(compared, Comparison) else ()
    sections = (
        rates_section(items, rows),
        comparison_section(items, compared) if isinstance(compared, Comparison) else compared,
        bounds_section(
            items,
            bounds(corpus, policy=chosen, level=level, evaluations=evaluations),
            policy=chosen,
            by_policy={
                each.name: CountedItems.of(corpus, (), policy=each, evaluations=evaluations)
                for each in _policies(chosen)
            },
        ),
        grid_section(corpus, items, evaluations=evaluations),
        stages_section(corpus, items, by=experiments, evaluations=evaluations),
        judges_section(corpus, items, judges, evaluations=evaluations, level=level),
        cost_section(corpus, items, policy=chosen, level=level, evaluations=evaluations),
        audit_section(items, audit(corpus, policies=_policies(chosen), evaluations=evaluations)),
        defects_section(corpus, items),
        problems_section(corpus),
        provenance_section(corpus, policy=chosen.name, runs=corpus.runs),
    )
    told = f"{counted(overall['total'], 'item')} of {counted(corpus.runs.height, 'run')}"
    return Report(
        title=title if title is not None else _title(corpus),
        subtitle=(f"{told}, counted by the policy ", Quoted(chosen.name)),
        headline=headline(items, overall, judges),
        sections=tuple(section for section in sections if section is not None),
        items=item_list(corpus, items, also=changed),
    )


def evaluations_report(
    evaluations: Evaluations,
    by: str | Sequence[str] | None,
    *,
    title: str | None,
    policy: EvaluationPolicy | str | None,
    level: float,
    pack: Pack | None,
) -> Report:
    """Report on stored evaluations; `verdict_frames.report` is the public form."""
    chosen = find_evaluation_policy(RESULTS_ONLY if policy is None else policy)
    several = [name for name in ("pack_version",) if evaluations.evaluations[name].n_unique() > 1]
    groups = several if by is None else [by] if isinstance(by, str) else list(by)
    rows = tally(evaluations, groups or None, policy=chosen, level=level)
    overall = tally(evaluations, policy=chosen, level=level).row(0, named=True)
    items = CountedEvaluations(evaluations=evaluations, groups=tuple(groups), policy=chosen)
    sections = (
        accept_rates_section(items, rows),
        questions_section(items, pack),
        sweeps_section(items, pack),
        usage_section(items),
        problems_section(evaluations),
        provenance_section(evaluations, policy=chosen.name),
    )
    return Report(
        title=title if title is not None else "Stored evaluations",
        subtitle=(f"{counted(overall['total'], 'evaluation')}, counted by the policy ", Quoted(chosen.name)),
        headline=evaluation_headline(items, overall),
        sections=tuple(section for section in sections if section is not None),
        items=evaluation_list(items),
    )


def _groups(corpus: Corpus) -> list[str]:
    """Group by experiment where there are several, else by variant where there are several."""
    names = ("experiment_name", "variant")
    return [name for name in names if corpus.runs[name].n_unique() > 1][:1]


def _compared(corpus: Corpus, groups: list[str], baseline: str, **options: Any) -> Comparison | Section:  # noqa: ANN401 - see `compare`
    """Compare with the baseline, or say why the runs aren't alike enough for it."""
    if len(groups) != 1:
        message = f"a baseline is one value of the one column that is grouped by, not of {len(groups)} columns"
        raise OptionError(message)
    try:
        return compare(corpus, by=groups[0], baseline=baseline, **options)
    except UnlikeRunsError as unlike:
        return unlike_section(str(unlike))


def _policies(chosen: Policy) -> list[Policy]:
    """The policy that was counted by, then all built-in ones."""
    return [chosen, *(policy for policy in POLICIES.values() if policy.name != chosen.name)]


def _title(corpus: Corpus) -> str:
    experiments = corpus.runs["experiment_name"].drop_nulls().unique().sort().to_list()
    return f"Verdicts of {experiments[0]}" if len(experiments) == 1 else "Verdicts"
