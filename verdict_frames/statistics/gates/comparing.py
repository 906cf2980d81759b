"""What is asked of a treatment against its baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from verdict_frames.errors import OptionError
from verdict_frames.statistics.gates.outcome import GateLine
from verdict_frames.statistics.grouping import group_label
from verdict_frames.vocabulary import GateSubject

if TYPE_CHECKING:
    from collections.abc import Iterator

    from verdict_frames.statistics.comparison.result import Comparison
    from verdict_frames.statistics.gates.gates import Gates


def check_comparison(comparison: Comparison, gates: Gates) -> Iterator[GateLine]:
    """Hold what is asked of treatments against a comparison.

    Args:
        comparison: What `compare` returns; for `max_drop` with intervals at the level 1 - 2 alpha, so that their ends
            are one-sided bounds for `alpha`.
        gates: What is asked.

    Raises:
        OptionError: The intervals are of another level.
    """
    wanted = 1 - 2 * gates.alpha
    if gates.max_drop is not None and abs(comparison.level - wanted) > 1e-9:
        message = (
            f"max_drop with alpha {gates.alpha:g} needs intervals at the level {wanted:g}, and these are at"
            f" {comparison.level:g}; compare with level={wanted:g}"
        )
        raise OptionError(message)
    for row in comparison.overall.iter_rows(named=True):
        about = f"{group_label(row, [*comparison.within, 'treatment'])} against {row['baseline']}"
        if gates.max_regressions is not None:
            yield _regressions(row, about, gates.max_regressions)
        if gates.max_drop is not None:
            yield _drop(row, about, gates.max_drop, gates.alpha)


def _regressions(row: dict[str, Any], about: str, most: int) -> GateLine:
    losses, pairs = row["losses"], row["pairs"]
    found = f"{losses} of {pairs} pairs passed less often" if pairs else "no item can be compared"
    return GateLine(
        subject=GateSubject.AGENT,
        asked=f"at most {most} regressions",
        about=about,
        value=losses if pairs else None,
        held=pairs > 0 and losses <= most,
        message=f"{about}: {found}, at most {most} asked for",
    )


def _drop(row: dict[str, Any], about: str, most: float, alpha: float) -> GateLine:
    """Hold a drop against its one-sided bound: it is too great where all of the interval lies beyond."""
    difference, high = row["difference"], row["ci_high"]
    asked = f"a drop of at most {most:g}, alpha {alpha:g}"
    if difference is None:
        message = f"{about}: no difference ({row['difference_note']}), {asked} asked for"
        return GateLine(subject=GateSubject.AGENT, asked=asked, about=about, value=None, held=False, message=message)
    end = difference if high is None else high
    bound = "no interval, so taken as it is" if high is None else f"at best {high:+.3g}"
    return GateLine(
        subject=GateSubject.AGENT,
        asked=asked,
        about=about,
        value=difference,
        held=end >= -most,
        message=f"{about}: difference {difference:+.3g} ({bound}), {asked} asked for",
    )
