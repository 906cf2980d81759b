"""Comparisons in sentences that a person can quote."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import polars as pl

from verdict_frames.reporting.printable import printable
from verdict_frames.reporting.sentences import counted
from verdict_frames.statistics.comparison.estimates import (
    MCNEMAR_EXACT,
    MCNEMAR_MID_P,
    SIGN_FLIP_EXACT,
    SIGN_FLIP_SAMPLED,
)
from verdict_frames.statistics.comparison.paired_intervals import PAIRED_T
from verdict_frames.statistics.grouping import NOT_RECORDED
from verdict_frames.statistics.vocabulary import ComparedSide, Correction, LostCause

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from verdict_frames.statistics.comparison.result import Comparison

_TESTS: Final = {
    MCNEMAR_EXACT: "exact McNemar p",
    SIGN_FLIP_EXACT: "sign-flip p",
    SIGN_FLIP_SAMPLED: "sign-flip p",
    MCNEMAR_MID_P: "mid-p",
    PAIRED_T: "paired t",
}
_CORRECTIONS: Final = {Correction.HOLM: "Holm", Correction.BH: "Benjamini–Hochberg"}
_CAUSES: Final = {
    LostCause.NEW: "new",
    LostCause.REMOVED: "removed",
    LostCause.AGENT_FAILED: "agent failed",
    LostCause.UNJUDGED: "never judged",
    LostCause.NOT_ASSESSED: "not assessed",
    LostCause.UNATTESTABLE: "contradictory or without a reading",
    LostCause.UNDETERMINED: "can't be checked",
    LostCause.UNDECIDED: "undecided",
    LostCause.NOT_APPLICABLE: "not applicable",
}
_LEAST: Final = 0.0005
"""Below this, a p value is shown as "< 0.001" only."""

ITEMS_SHOWN: Final = 20
"""How many wins, and how many losses, of one comparison are named."""


def quotable_comparisons(compared: Comparison) -> list[str]:
    """Put each comparison into a sentence: what changed, by how much, whether it may be chance, and what was lost.

    Args:
        compared: What `verdict_frames.compare` gives.

    Returns:
        One line for each row of `overall`, in its order.
    """
    keys = [*compared.within, "treatment"]
    lines = []
    for row in compared.overall.iter_rows(named=True):
        lost = compared.lost.filter(pl.col(name).eq_missing(pl.lit(row[name])) for name in keys)
        clauses = [_head(row, compared), *_test(row), *_lost(row, lost), *_pairing(row), f"policy {row['policy']}"]
        lines.append(printable("; ".join(clauses), one_line=True))
    return lines


def change_lines(compared: Comparison, *, most: int = ITEMS_SHOWN) -> list[str]:
    """Name the items that were accepted more often with a treatment, and less often.

    Args:
        compared: What `verdict_frames.compare` gives.
        most: How many items a line names; the rest is counted.

    Returns:
        Up to two lines for each comparison, none where no item changed.
    """
    keys = [*compared.within, "treatment"]
    changes = ((compared.wins(), "more"), (compared.losses(), "less"))
    lines = []
    for row in compared.overall.iter_rows(named=True):
        for changed, words in changes:
            items = changed.filter(pl.col(name).eq_missing(pl.lit(row[name])) for name in keys)
            named = [_moved(item) for item in items.head(most).iter_rows(named=True)]
            more = f" and {items.height - most} more (see `items`)" if items.height > most else ""
            if named:
                line = f"{_name(row, compared)}, accepted {words} often: {', '.join(named)}{more}"
                lines.append(printable(line, one_line=True))
    return lines


def difference_lines(compared: Comparison) -> list[str]:
    """Say in what the runs of each comparison differ, or may.

    Args:
        compared: What `verdict_frames.compare` gives.
    """
    return [
        printable(f"{_name(row, compared)}: {_aspect(row)}", one_line=True)
        for row in compared.differences.iter_rows(named=True)
    ]


def uncounted_lines(compared: Comparison) -> list[str]:
    """Say how many items are on no side.

    Args:
        compared: What `verdict_frames.compare` gives.
    """
    lines = []
    if compared.without_side:
        lines.append(f"on no side: {counted(compared.without_side, 'item')} for which {compared.by} is not recorded")
    if compared.left_out:
        lines.append(f"left out: {counted(compared.left_out, 'item')} of judge experiments or judged in another run")
    return lines


def _aspect(row: Mapping[str, Any]) -> str:
    sides = [", ".join(row[f"{side}_values"]) or "none recorded" for side in ("baseline", "treatment")]
    missing = f", {row['not_recorded']} of {row['runs']} runs record none" if row["not_recorded"] else ""
    differs = "differs" if row["differs"] else "may differ"
    return f"{row['aspect']} {differs} ({' against '.join(sides)}{missing})"


def _moved(item: Mapping[str, Any]) -> str:
    rates = [f"{item[f'{side}_passes']}/{item[f'{side}_eligible']}" for side in ("baseline", "treatment")]
    return f"{item['item']} ({' → '.join(rates)})"


def _name(row: Mapping[str, Any], compared: Comparison) -> str:
    groups = [NOT_RECORDED if row[name] is None else str(row[name]) for name in compared.within]
    return " / ".join([*groups, row["treatment"]])


def _head(row: Mapping[str, Any], compared: Comparison) -> str:
    name = f"{_name(row, compared)} vs {row['baseline']}"
    if row["difference"] is None:
        return f"{name}: not comparable, because {row['difference_note']}"
    pairs = f"{counted(row['pairs'], 'item')} counted on both sides"
    if row["p_method"] == MCNEMAR_EXACT:
        changes = f"{row['wins']} more accepted, {row['losses']} fewer"
    else:
        pairs += f" ({row['baseline_eligible']} and {row['treatment_eligible']} trials)"
        changes = f"{row['wins']} accepted more often, {row['losses']} less often"
    if row["ci_low"] is None:
        interval = f"no interval: {row['ci_note']}"
    else:
        interval = f"{100 * row['confidence_level']:g} % interval {points(row['ci_low'])} to {points(row['ci_high'])}"
    return f"{name}, {pairs}: {changes}; difference {points(row['difference'])} points ({interval})"


def _test(row: Mapping[str, Any]) -> Iterator[str]:
    if row["p_value"] is None:
        return
    notes = []
    if row["p_method"] == SIGN_FLIP_EXACT:
        notes.append("all patterns of signs")
    if row["resamples"] is not None:
        notes.append(f"{row['resamples']:,} patterns of signs drawn")
    if row["p_beside"] is not None:
        notes.append(f"{_TESTS[row['p_beside_method']]} {_probability(row['p_beside'])}")
    yield f"{_TESTS[row['p_method']]} {_equals(row['p_value'])} ({', '.join(notes)})"
    if row["comparisons"] > 1:
        adjusted = _probability(row["p_adjusted"])
        yield f"{adjusted} after {_CORRECTIONS[row['correction']]} for {row['comparisons']} comparisons"


def _lost(row: Mapping[str, Any], lost: pl.DataFrame) -> Iterator[str]:
    if not row["lost"]:
        yield "no item lost"
        return
    causes = [
        f"{count} {_CAUSES[cause]}{_on(cause, side, row)}"
        for cause, side, count in lost.select("cause", "lost_on", "items").iter_rows()
    ]
    yield f"{counted(row['lost'], 'item')} lost: {', '.join(causes)}"
    if row["bound_low"] is not None:
        either = f"{points(row['bound_low'])} to {points(row['bound_high'])} points"
        unlike = row["difference"] is not None and not row["bound_low"] <= row["difference"] <= row["bound_high"]
        warning = ", so the lost ones are unlike the others" if unlike else ""
        yield f"with the lost ones counted either way {either}{warning}"


def _on(cause: str, side: str, row: Mapping[str, Any]) -> str:
    if cause in (LostCause.NEW, LostCause.REMOVED):
        return ""
    if side == ComparedSide.BOTH:
        return " on both sides"
    return f" with {row[side]}"


def _pairing(row: Mapping[str, Any]) -> Iterator[str]:
    if row["by_slug"]:
        yield f"{row['by_slug']} of the items go by slug, having no id"
    if row["baseline_nameless"] or row["treatment_nameless"]:
        yield f"without a name, so never paired: {row['baseline_nameless']} and {row['treatment_nameless']} trials"


def points(difference: float) -> str:
    """Write a difference of shares in percentage points, with its sign and one decimal.

    Example:
        >>> points(0.075), points(-0.2), points(0.0)
        ('+7.5', '-20.0', '0.0')
    """
    rounded = round(100 * difference, 1)
    return f"{rounded:+.1f}" if rounded else "0.0"


def _equals(p: float) -> str:
    return f"= {_probability(p)}" if p >= _LEAST else _probability(p)


def _probability(p: float) -> str:
    return f"{p:.3f}" if p >= _LEAST else "< 0.001"
