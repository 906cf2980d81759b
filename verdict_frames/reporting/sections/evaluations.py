"""Sections about stored evaluations: accept rates, failures, the rules that fire, and what thresholds do."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from verdict_frames.plots.sweep import plot_sweep
from verdict_frames.reporting.cells import (
    count,
    counted_columns,
    number,
    recorded_columns,
    share,
    table_of,
    text,
    words,
)
from verdict_frames.reporting.evaluation_sentences import evaluation_clauses, quotable_sweep
from verdict_frames.reporting.figures import figure
from verdict_frames.reporting.group_tables import INTERVAL, by_words, group_table, interval_in_words
from verdict_frames.reporting.sections.headline import DASH
from verdict_frames.reporting.sentences import percent
from verdict_frames.reporting.value import Headline, KeyNumber, Note, Quoted, Section
from verdict_frames.statistics.evaluations.question_table import question_table
from verdict_frames.statistics.evaluations.sweeps import sweep
from verdict_frames.statistics.evaluations.thresholds import thresholds_of
from verdict_frames.statistics.evaluations.usage import usage_table
from verdict_frames.vocabulary import EVALUATION_FAILURE_CODES

if TYPE_CHECKING:
    from verdict_frames.reporting.evaluation_items import CountedEvaluations
    from verdict_frames.reporting.value import Block
    from verdict_frames.review.packs import Pack

_RATES: Final = {
    "accept_rate": share("accept rate", "Accepted evaluations of the eligible ones."),
    INTERVAL: words("interval", "Where the rate of more such evaluations may lie; or why there is none."),
    "accepted": count("accepted"),
    "eligible": count("eligible", "The denominator: what the policy counts."),
    "reviewed_by_rule": count("reviewed by a rule"),
    "reviewed_invalid_answer": count("invalid answer"),
    "rejected": count("rejected"),
    "failed": count("failed", "No result: an instrument failed, not the ticket."),
    "total": count("all"),
    "keys": count("keys", "Different idempotency keys."),
}
_FAILURES: Final = {name: count(name.replace("_", " ")) for name in (*EVALUATION_FAILURE_CODES, "other_failure")}
_QUESTIONS: Final = {
    "question_id": text("question"),
    "type": words("type"),
    "has_rule": words("has a rule"),
    "evaluations": count("looked at"),
    "answered": count("answered"),
    "fired": count("sent to review", "How many evaluations go to review because of this question."),
    "fired_alone": count("alone", "Only because of it."),
    "fired_with_others": count("with others"),
    "missing_probability": count("missing probability"),
    "below_minimum": count("below the minimum"),
    "score_range": count("in the score range"),
    "probability_band": count("in the band"),
    "invalid_answer": count("invalid answer"),
    "other_rule": count("other wording"),
}
_USAGE: Final = {
    "evaluations": count("evaluations"),
    "latency_p50": number("median, ms"),
    "latency_p95": number("95 %, ms"),
    "latency_p99": number("99 %, ms"),
    "latency_max": number("longest, ms"),
    "input_tokens_total": number("tokens in"),
    "output_tokens_total": number("tokens out"),
    "cost_usd_recorded": count("cost recorded"),
    "cost_usd_total": number("cost, US dollars"),
}


def evaluation_headline(counted: CountedEvaluations, overall: dict[str, Any]) -> Headline:
    """Put the count of all evaluations at the top.

    Args:
        counted: What was counted.
        overall: The row of a tally without groups.
    """
    clauses = [(clause,) for clause in evaluation_clauses(overall)]
    rate, interval = overall["accept_rate"], interval_in_words(overall, "accept_rate")
    of = f"{overall['accepted']:,} accepted of {overall['eligible']:,} eligible"
    numbers = [
        KeyNumber(
            label="Accept rate",
            value=DASH if rate is None else percent(rate),
            basis=f"{of}; {overall['rate_note'] if interval is None else interval}",
            items=counted.behind("eligible"),
        )
    ]
    for name, called, basis in (
        ("failed", "Failed", "no result: left out unless the policy counts them"),
        ("reviewed_invalid_answer", "Invalid answers", "reviewed because an answer can't be used"),
    ):
        numbers.append(
            KeyNumber(
                label=called,
                value=percent(overall[name] / overall["total"]) if overall["total"] else DASH,
                basis=f"{overall[name]:,} of {overall['total']:,} evaluations; {basis}",
                items=counted.behind(name),
            )
        )
    return Headline(clauses=(*clauses, ("policy ", Quoted(overall["policy"]))), numbers=tuple(numbers))


def accept_rates_section(counted: CountedEvaluations, rows: pl.DataFrame) -> Section:
    """Show the accept rates of a tally, and failures by code."""
    by = by_words(counted)
    caption = f"Accept rates{by}"
    blocks: list[Block] = [group_table(counted, rows, _RATES, caption=caption, rate="accept_rate")]
    failures = counted_columns(rows, _FAILURES)
    if failures:
        blocks.append(group_table(counted, rows, failures, caption=f"Failures{by}, by code", rate="accept_rate"))
    else:
        blocks.append(Note(words=("No evaluation failed.",)))
    return Section(key="rates", title="Rates", blocks=tuple(blocks))


def questions_section(counted: CountedEvaluations, pack: Pack | None) -> Section | None:
    """Show which questions send evaluations to review, by the pack's rules or as it was stored."""
    table = question_table(counted.evaluations, pack)
    if table.is_empty():
        return None
    table = table.with_columns(pl.col("has_rule").replace_strict({True: "yes", False: "no"}, return_dtype=pl.String))
    reasons = counted.evaluations.review_reasons
    shown = recorded_columns(table, _QUESTIONS)
    stored = [counted.of_rows(reasons.filter(question_id=name)) for name in table["question_id"]]
    how = "decided by the rules of the pack" if pack is not None else "as the reasons were stored"
    block = table_of(
        table,
        shown,
        caption=f"Questions that send evaluations to review, {how}",
        items={"fired": stored} if pack is None else None,
    )
    return Section(key="questions", title="Rules that fire", blocks=(block,))


def sweeps_section(counted: CountedEvaluations, pack: Pack | None) -> Section | None:
    """Show what each threshold of the pack does wherever it stands, or nothing without a pack."""
    if pack is None:
        return None
    swept = [sweep(counted.evaluations, pack, threshold.name) for threshold in thresholds_of(pack)]
    blocks: list[Block] = []
    for one in swept:
        if one.steps.is_empty():
            continue
        blocks.append(Note(words=(f"{quotable_sweep(one)}.",)))
        blocks.append(
            figure(
                partial(plot_sweep, one),
                caption=f"{one.threshold.name} wherever it stands.",
                alt=f"What is accepted at each place of {one.threshold.name}.",
            )
        )
    return Section(key="sweeps", title="Thresholds", blocks=tuple(blocks), aside=True) if blocks else None


def usage_section(counted: CountedEvaluations) -> Section | None:
    """Show what evaluations took, or nothing where nothing of it is recorded."""
    rows = usage_table(counted.evaluations, counted.groups or None)
    shown = recorded_columns(rows, _USAGE)
    if len(shown) <= 2:
        return None
    table = group_table(counted, rows, shown, caption=f"Time, tokens and cost{by_words(counted)}", rate="")
    return Section(key="usage", title="What evaluations took", blocks=(table,), aside=True)
