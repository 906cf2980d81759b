"""Data frames for corpora of jury verdicts: how many passed, honestly, and what was not counted.

>>> import verdict_frames as vf
>>> reading = vf.interpret({"aggregated": {"status": "pass", "reasoning": "builds"}}).reading
>>> reading.value
'ACCEPTED'
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from verdict_frames._version import __version__
from verdict_frames.documents.limits import Limits
from verdict_frames.errors import VerdictFramesError
from verdict_frames.frames.answer_checks import check_answers
from verdict_frames.frames.corpus import Corpus, concat
from verdict_frames.frames.decisions import decide
from verdict_frames.frames.evaluation_assembly import evaluations_from_records, read_evaluations
from verdict_frames.frames.evaluations import Evaluations
from verdict_frames.frames.in_memory import from_records
from verdict_frames.frames.mapped import from_items
from verdict_frames.frames.results import read_results
from verdict_frames.frames.schemas.dictionary import data_dictionary
from verdict_frames.frames.storage.exporting import export_results
from verdict_frames.frames.storage.reading import read_parquet, scan_parquet
from verdict_frames.interpretation.reader import interpret
from verdict_frames.interpretation.stored_form import from_builtins, from_json, to_builtins, to_json
from verdict_frames.interpretation.summary import summarize
from verdict_frames.policies import (
    AGENT_EXPERIMENT_0_9,
    AGENT_JUDGE_0_17,
    ALL_ITEMS,
    VERIFIED_ONLY,
    Policy,
    pass_rate,
    policy_table,
    with_bucket,
)
from verdict_frames.records import Interpretation
from verdict_frames.reporting.value import Report
from verdict_frames.review.packs import Pack
from verdict_frames.sources.reexport import reexport
from verdict_frames.statistics.comparison.result import Comparison
from verdict_frames.statistics.curated import curated_tables, write_curated
from verdict_frames.statistics.defects import count_defects
from verdict_frames.statistics.evaluations.audit_samples import audit_sample
from verdict_frames.statistics.evaluations.policies import ALL_EVALUATIONS, RESULTS_ONLY, EvaluationPolicy
from verdict_frames.statistics.evaluations.question_table import question_table
from verdict_frames.statistics.evaluations.rechecks import recheck
from verdict_frames.statistics.evaluations.usage import usage_table
from verdict_frames.statistics.gates.gates import Gates
from verdict_frames.statistics.gates.outcome import GateOutcome
from verdict_frames.statistics.grid import item_grid
from verdict_frames.statistics.likeness import unlike_aspects
from verdict_frames.statistics.stages.funnel import stage_funnel
from verdict_frames.verdicts.judgments import AggregationBlock, Judgment, RecordedCheck
from verdict_frames.verdicts.reduction import reduce_judgments
from verdict_frames.verdicts.stored import to_stored
from verdict_frames.verdicts.verdict import CompositeAttempt, Decision, Seat, Verdict
from verdict_frames.vocabulary import Bucket, Counting, Reading, Support

if TYPE_CHECKING:
    from verdict_frames.plots.bounds import plot_bounds
    from verdict_frames.plots.checks import plot_checks
    from verdict_frames.plots.composition import plot_composition
    from verdict_frames.plots.cost import plot_cost
    from verdict_frames.plots.grid import plot_grid
    from verdict_frames.plots.history import plot_history
    from verdict_frames.plots.judges import plot_judges
    from verdict_frames.plots.pass_rates import plot_pass_rates
    from verdict_frames.plots.risk_coverage import plot_risk_coverage
    from verdict_frames.plots.stage_funnel import plot_stage_funnel
    from verdict_frames.plots.sweep import plot_sweep
    from verdict_frames.plots.transitions import plot_transitions
    from verdict_frames.reporting.html import report_html
    from verdict_frames.reporting.markdown import report_markdown
    from verdict_frames.reporting.opening import report
    from verdict_frames.statistics.audit.audits import Audit, audit
    from verdict_frames.statistics.comparison.compare import compare
    from verdict_frames.statistics.costs import cost_table
    from verdict_frames.statistics.evaluations.reliability import reliability
    from verdict_frames.statistics.evaluations.sweeps import sweep
    from verdict_frames.statistics.evaluations.threshold_choice import choose_threshold
    from verdict_frames.statistics.gates.check import check_comparison_gates, check_gates
    from verdict_frames.statistics.history import run_history
    from verdict_frames.statistics.judges.agreement import agreement
    from verdict_frames.statistics.judges.check_shares import check_table
    from verdict_frames.statistics.judges.history import judge_history
    from verdict_frames.statistics.judges.table import judge_table
    from verdict_frames.statistics.pass_at_k import pass_at_k
    from verdict_frames.statistics.sensitivity import bounds
    from verdict_frames.statistics.tally import tally

__all__ = [
    "AGENT_EXPERIMENT_0_9",
    "AGENT_JUDGE_0_17",
    "ALL_EVALUATIONS",
    "ALL_ITEMS",
    "RESULTS_ONLY",
    "VERIFIED_ONLY",
    "AggregationBlock",
    "Audit",
    "Bucket",
    "Comparison",
    "CompositeAttempt",
    "Corpus",
    "Counting",
    "Decision",
    "EvaluationPolicy",
    "Evaluations",
    "GateOutcome",
    "Gates",
    "Interpretation",
    "Judgment",
    "Limits",
    "Pack",
    "Policy",
    "Reading",
    "RecordedCheck",
    "Report",
    "Seat",
    "Support",
    "Verdict",
    "VerdictFramesError",
    "__version__",
    "agreement",
    "audit",
    "audit_sample",
    "bounds",
    "check_answers",
    "check_comparison_gates",
    "check_gates",
    "check_table",
    "choose_threshold",
    "compare",
    "concat",
    "cost_table",
    "count_defects",
    "curated_tables",
    "data_dictionary",
    "decide",
    "evaluations_from_records",
    "export_results",
    "from_builtins",
    "from_items",
    "from_json",
    "from_records",
    "interpret",
    "item_grid",
    "judge_history",
    "judge_table",
    "pass_at_k",
    "pass_rate",
    "plot_bounds",
    "plot_checks",
    "plot_composition",
    "plot_cost",
    "plot_grid",
    "plot_history",
    "plot_judges",
    "plot_pass_rates",
    "plot_risk_coverage",
    "plot_stage_funnel",
    "plot_sweep",
    "plot_transitions",
    "policy_table",
    "question_table",
    "read_evaluations",
    "read_parquet",
    "read_results",
    "recheck",
    "reduce_judgments",
    "reexport",
    "reliability",
    "report",
    "report_html",
    "report_markdown",
    "run_history",
    "scan_parquet",
    "stage_funnel",
    "summarize",
    "sweep",
    "tally",
    "to_builtins",
    "to_json",
    "to_stored",
    "unlike_aspects",
    "usage_table",
    "with_bucket",
    "write_curated",
]

_LATER = {
    "Audit": "verdict_frames.statistics.audit.audits",
    "agreement": "verdict_frames.statistics.judges.agreement",
    "audit": "verdict_frames.statistics.audit.audits",
    "bounds": "verdict_frames.statistics.sensitivity",
    "check_comparison_gates": "verdict_frames.statistics.gates.check",
    "check_gates": "verdict_frames.statistics.gates.check",
    "check_table": "verdict_frames.statistics.judges.check_shares",
    "choose_threshold": "verdict_frames.statistics.evaluations.threshold_choice",
    "compare": "verdict_frames.statistics.comparison.compare",
    "cost_table": "verdict_frames.statistics.costs",
    "judge_history": "verdict_frames.statistics.judges.history",
    "judge_table": "verdict_frames.statistics.judges.table",
    "pass_at_k": "verdict_frames.statistics.pass_at_k",
    "plot_bounds": "verdict_frames.plots.bounds",
    "plot_checks": "verdict_frames.plots.checks",
    "plot_composition": "verdict_frames.plots.composition",
    "plot_cost": "verdict_frames.plots.cost",
    "plot_grid": "verdict_frames.plots.grid",
    "plot_history": "verdict_frames.plots.history",
    "plot_judges": "verdict_frames.plots.judges",
    "plot_pass_rates": "verdict_frames.plots.pass_rates",
    "plot_risk_coverage": "verdict_frames.plots.risk_coverage",
    "plot_stage_funnel": "verdict_frames.plots.stage_funnel",
    "plot_sweep": "verdict_frames.plots.sweep",
    "plot_transitions": "verdict_frames.plots.transitions",
    "reliability": "verdict_frames.statistics.evaluations.reliability",
    "report": "verdict_frames.reporting.opening",
    "report_html": "verdict_frames.reporting.html",
    "report_markdown": "verdict_frames.reporting.markdown",
    "run_history": "verdict_frames.statistics.history",
    "sweep": "verdict_frames.statistics.evaluations.sweeps",
    "tally": "verdict_frames.statistics.tally",
}
"""Where names live that are imported when first asked for, because matplotlib, scipy and Jinja2 take long to import."""


def __getattr__(name: str) -> Any:  # noqa: ANN401 - what a module attribute is can't be narrower
    if name not in _LATER:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    return getattr(importlib.import_module(_LATER[name]), name)


def __dir__() -> list[str]:
    return __all__
