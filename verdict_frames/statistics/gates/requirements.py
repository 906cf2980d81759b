"""What is asked of the agent in each group, and whether so few items could show it at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from verdict_frames.statistics.gates.outcome import GateLine
from verdict_frames.statistics.grouping import group_label
from verdict_frames.statistics.intervals import clopper_pearson, wilson
from verdict_frames.statistics.tally import TALLY_SCHEMA
from verdict_frames.vocabulary import GateSubject, IntervalMethod, IntervalOver

if TYPE_CHECKING:
    from collections.abc import Iterator

    import polars as pl

    from verdict_frames.statistics.gates.conditions import Requirement
    from verdict_frames.statistics.gates.gates import Gates

_MOST_ITEMS: Final = 1_000_000
"""Beyond this no number of items is named that would do."""


def check_requirements(rows: pl.DataFrame, gates: Gates) -> Iterator[GateLine]:
    """Hold what is asked of the agent against each group of a tally.

    Args:
        rows: What `tally` returns.
        gates: What is asked.
    """
    columns = [name for name in rows.columns if name not in TALLY_SCHEMA]
    for requirement in gates.require:
        for row in rows.iter_rows(named=True):
            yield _checked(requirement, row, group_label(row, columns))


def _checked(requirement: Requirement, row: dict[str, Any], label: str) -> GateLine:
    value = row[requirement.name]
    held = requirement.holds(value)
    reason = "" if held else _out_of_reach(requirement, row)
    return GateLine(
        subject=GateSubject.AGENT,
        asked=str(requirement),
        about=label,
        value=value,
        held=held,
        message=f"{label}: {_found(requirement.name, row)}, asked for {requirement.sign} {requirement.bound:g}{reason}",
    )


def _found(name: str, row: dict[str, Any]) -> str:
    value = row[name]
    if value is None:
        reason = row["rate_note"] or (row["ci_method"] if name.startswith("ci_") else None)
        return f"no {name} ({reason})" if reason else f"no {name}"
    parts = {
        "pass_rate": ("passes", "eligible"),
        "ci_low": ("passes", "eligible"),
        "ci_high": ("passes", "eligible"),
        "naive_rate": ("naive_passes", "total"),
    }
    if name not in parts:
        return f"{name} {value:.4g}"
    part, whole = parts[name]
    return f"{name} {value:.4g} ({row[part]} of {row[whole]}{' eligible' if whole == 'eligible' else ''})"


def _out_of_reach(requirement: Requirement, row: dict[str, Any]) -> str:
    """Say that no agent could have shown it on so few items, where that is so."""
    items = row["clusters"]
    if requirement.name == "ci_low" and requirement.sign in (">=", ">") and row["over"] == IntervalOver.ITEMS:
        best = _best_low(items, row)
        if items and best is not None and not requirement.holds(best):
            enough = _enough(requirement, row)
            takes = f"; it takes {enough:,}" if enough is not None else ""
            return f"; can't be reached with {items} items: all passing gives {best:.3g}{takes}"
    if requirement.name in ("passes", "eligible", "total") and requirement.sign in (">=", ">"):
        whole = row["total" if requirement.name == "total" else "eligible"]
        if requirement.name == "passes" and not requirement.holds(whole):
            return f"; can't be reached with {whole} eligible items"
    return ""


def _best_low(items: int, row: dict[str, Any]) -> float | None:
    """Return the lower end of the interval if every item had passed."""
    exact = (row["ci_method"] or "").startswith(IntervalMethod.CLOPPER_PEARSON)
    interval = (clopper_pearson if exact else wilson)(items, items, level=row["confidence_level"])
    return None if interval is None else interval.low


def _enough(requirement: Requirement, row: dict[str, Any]) -> int | None:
    """Return the least number of items that could show it; none within reason where the bound is 1."""
    low, high = row["clusters"], _MOST_ITEMS
    best = _best_low(high, row)
    if best is None or not requirement.holds(best):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        if requirement.holds(_best_low(middle, row)):
            high = middle
        else:
            low = middle
    return high
