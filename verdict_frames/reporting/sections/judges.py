"""Whether the judges were sound: what each of them said, what its checks found, and whether they agree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from verdict_frames.plots.checks import plot_checks
from verdict_frames.plots.judges import plot_judges
from verdict_frames.reporting.cells import count, counted_columns, number, share, table_of, text, with_interval, words
from verdict_frames.reporting.figures import figure
from verdict_frames.reporting.value import Section
from verdict_frames.statistics.judges.agreement import agreement
from verdict_frames.statistics.judges.check_shares import check_table
from verdict_frames.statistics.judges.seats import items_that_count, seats_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from verdict_frames.frames.corpus import Corpus
    from verdict_frames.reporting.counted import CountedItems
    from verdict_frames.reporting.value import Block
    from verdict_frames.statistics.vocabulary import EvaluationChoice

_WHO: Final = {
    "experiment_name": text("experiment"),
    "path": text("stage"),
    "judge": text("judge"),
    "occurrence": number("of this name", "Which of several judges of one name in one item it is."),
}
_STATUSES: Final = {
    "passed": "pass",
    "failed": "fail",
    "abstained": "abstain",
    "not_applicable": "not_applicable",
    "errored": "error",
}
_SAID: Final = {
    "seats": count("judgments"),
    "passed": count("passed"),
    "failed": count("failed"),
    "abstained": count("abstained"),
    "not_applicable": count("not applicable"),
    "errored": count("errored"),
    "other_status": count("other status"),
    "no_status": count("no status"),
    "error_rate": share("error rate", "Errored judgments of all judgments of this judge."),
    "error_interval": words("interval"),
    "abstain_rate": share("abstain rate"),
    "alone_rate": share("stood alone", "Of the juries in which two others voted, those that all voted against it."),
    "score_mean": number("mean score", "Of the scores that were recorded, from 0 to 1."),
}  # fmt: skip
_SOMETIMES: Final = ("abstained", "not_applicable", "other_status", "no_status")
_CHECKS: Final = {
    "check": text("check"),
    "checks": count("made"),
    "passed": count("passed"),
    "pass_rate": share("pass share"),
    "pass_interval": words("interval"),
}
_JURIES: Final = {
    "judges": count("judges"),
    "judged": count("judged by two", "Items of runs on which at least two of them voted pass or fail."),
    "agreement": share("agreement", "Of two votes on one item, drawn at random: how often they are the same."),
    "alpha": number("alpha", "Krippendorff's alpha: 1 is full agreement, 0 what chance gives."),
    "alpha_interval": words("interval"),
    "ac1": number("AC1", "Gwet's AC1, which stays usable where nearly all votes are the same."),
}
MOST_DRAWN: Final = 40
"""How many judges or checks a picture has."""
MOST_CHECKS: Final = 200
"""How many checks are listed, the worst ones."""


def judges_section(
    corpus: Corpus, items: CountedItems, table: pl.DataFrame, *, evaluations: EvaluationChoice | str, level: float
) -> Section | None:
    """Show what judges said, what their checks found and how far they agree, or nothing where none are recorded.

    Args:
        corpus: What was counted.
        items: Its items.
        table: What `judge_table` gives, by experiment or for all items together.
        evaluations: Which evaluation of the same work counts.
        level: The confidence level of the intervals.
    """
    if table.is_empty():
        return None
    groups = [name for name in ("experiment_name",) if name in table.columns]
    who = {name: column for name, column in _WHO.items() if name in (*groups, "path", "judge")}
    who |= {name: column for name, column in _WHO.items() if name == "occurrence" and (table[name] > 1).any()}
    said = {name: column for name, column in _SAID.items() if name not in _SOMETIMES}
    noted = counted_columns(table, {name: _SAID[name] for name in _SOMETIMES})
    told = {name: column for name, column in {**who, **_SAID}.items() if name in {**who, **said, **noted}}
    shown = _placed(with_interval(table, "error_interval", "error_ci"))
    judged = _behind(corpus, items, table, groups, evaluations=evaluations)
    blocks: list[Block] = [
        table_of(shown, told, caption="What each judge said", heads=len(who), items=judged),
    ]
    if table.height <= MOST_DRAWN:
        alt = "The table before, as a picture."
        blocks.append(figure(lambda: plot_judges(table), caption="What each judge said, errors first.", alt=alt))
    checks = check_table(corpus, groups or None, evaluations=evaluations, level=level)
    if not checks.is_empty():
        worst = with_interval(checks, "pass_interval", "ci", prefix="pass_").sort("pass_rate", maintain_order=True)
        shown_by = {name: column for name, column in who.items() if name != "occurrence"}
        caption = "Checks, those that passed least first"
        followed = _behind_checks(corpus, items, worst, groups, evaluations=evaluations)
        columns, heads = {**shown_by, **_CHECKS}, len(shown_by) + 1
        blocks.append(table_of(_placed(worst), columns, caption=caption, heads=heads, items=followed, most=MOST_CHECKS))
        if checks.height <= MOST_DRAWN:
            alt = "The table before, as a picture."
            blocks.append(figure(lambda: plot_checks(checks), caption="Share of each check that passed.", alt=alt))
    juries = agreement(corpus, groups or None, evaluations=evaluations, level=level).juries
    juries = juries.filter(pl.col("judged") > 0)
    if not juries.is_empty():
        places = {name: column for name, column in _WHO.items() if name in (*groups, "path")}
        agreed = with_interval(juries, "alpha_interval", "alpha_ci", shares=False)
        caption = "How far the judges of each jury agree"
        blocks.append(table_of(_placed(agreed), {**places, **_JURIES}, caption=caption, heads=len(places)))
    return Section(key="judges", title="Judges", blocks=tuple(blocks), aside=True)


def _placed(table: pl.DataFrame) -> pl.DataFrame:
    """Write the place of a jury in one text; the root's own is called that."""
    place = pl.col("path").list.join(" / ")
    return table.with_columns(pl.when(place == "").then(pl.lit("(root)")).otherwise(place).alias("path"))


def _behind(
    corpus: Corpus, items: CountedItems, table: pl.DataFrame, groups: list[str], *, evaluations: EvaluationChoice | str
) -> dict[str, list[Iterable[int]]]:
    """Return the items behind the judgments of each judge, in all and by status."""
    counted = items_that_count(corpus, groups or None, evaluations=evaluations, taken=())
    seats = seats_of(corpus, counted).with_columns(pl.col("path").list.join("\0"))
    who = [*groups, "path", "judge", "occurrence"]
    judges = table.with_columns(pl.col("path").list.join("\0")).select(who).rows()
    every, by_status = items.of_rows(seats, who), items.of_rows(seats, [*who, "status"])
    found: dict[str, list[Iterable[int]]] = {"seats": [every[judge] for judge in judges]}
    for name, status in _STATUSES.items():
        found[name] = [by_status.get((*judge, status), ()) for judge in judges]
    return found


def _behind_checks(
    corpus: Corpus, items: CountedItems, table: pl.DataFrame, groups: list[str], *, evaluations: EvaluationChoice | str
) -> dict[str, list[Iterable[int]]]:
    """Return the items on which each check was made, and those on which it passed."""
    counted = items_that_count(corpus, groups or None, evaluations=evaluations, taken=())
    seats = seats_of(corpus, counted).with_columns(pl.col("path").list.join("\0"))
    made = corpus.checks.filter(~pl.col("is_copy")).rename({"name": "check"})
    rows = seats.join(made, on=["run_id", "item_index", "stage_index", "seat_index"], how="inner")
    which = [*groups, "path", "judge", "occurrence", "check"]
    checks = table.with_columns(pl.col("path").list.join("\0")).select(which).rows()
    every, passed = items.of_rows(rows, which), items.of_rows(rows.filter("passed"), which)
    return {"checks": [every[check] for check in checks], "passed": [passed.get(check, ()) for check in checks]}
