"""Every plot with something small to draw, for tests about what all of them have in common."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import polars as pl

from tests.plots.juries import cascade, corpus_of, judged_by
from tests.plots.tallies import items, three
from tests.statistics.corpora import corpus
from tests.statistics.evaluations.judged_tickets import FLOOR, PACK, stored
from verdict_frames.frames.evaluation_assembly import evaluations_from_records
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
from verdict_frames.statistics.comparison.compare import compare
from verdict_frames.statistics.costs import cost_table
from verdict_frames.statistics.evaluations.sweeps import Sweep, sweep
from verdict_frames.statistics.grid import item_grid
from verdict_frames.statistics.history import run_history
from verdict_frames.statistics.judges.check_shares import check_table
from verdict_frames.statistics.judges.table import judge_table
from verdict_frames.statistics.sensitivity import bounds
from verdict_frames.statistics.stages.funnel import stage_funnel

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes

    from verdict_frames.frames.corpus import Corpus


def _two_variants() -> Corpus:
    rows = {"x": items(3, 1), "y": items(1, 3)}
    priced = {run: [row | {"cost_usd": float(place)} for place, row in enumerate(each)] for run, each in rows.items()}
    times = {"x": datetime(2026, 9, 1, tzinfo=UTC), "y": datetime(2026, 9, 2, tzinfo=UTC)}
    return corpus(priced, variant={"x": "v", "y": "w"}, timestamp=times)


def _swept() -> Sweep:
    tickets = evaluations_from_records([stored(0.6, ticketId="t0"), stored(0.9, ticketId="t1")])
    return sweep(
        tickets, PACK, FLOOR, labels=pl.DataFrame({"ticket_id": ["t1"], "question_id": "queue", "gold": "billing"})
    )


EVERY_PLOT: dict[str, Callable[[], Axes]] = {
    "bounds": lambda: plot_bounds(bounds(_two_variants(), "variant")),
    "checks": lambda: plot_checks(check_table(corpus_of(judged_by(build="pass", style="fail")))),
    "composition": lambda: plot_composition(three()),
    "cost": lambda: plot_cost(cost_table(_two_variants(), "variant")),
    "grid": lambda: plot_grid(item_grid(_two_variants())),
    "history": lambda: plot_history(run_history(_two_variants(), "variant")),
    "judges": lambda: plot_judges(judge_table(corpus_of(judged_by(build="pass", style="error")))),
    "pass_rates": lambda: plot_pass_rates(three()),
    "risk_coverage": lambda: plot_risk_coverage(_swept()),
    "stage_funnel": lambda: plot_stage_funnel(stage_funnel(corpus_of(cascade(("gate", "FINAL_TIER", "pass"))))),
    "sweep": lambda: plot_sweep(_swept()),
    "transitions": lambda: plot_transitions(compare(_two_variants(), by="variant", baseline="v")),
}
"""The plots by the names of their modules."""
