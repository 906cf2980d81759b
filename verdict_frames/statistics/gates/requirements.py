"""What is asked of the agent in each group."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from verdict_frames.statistics.gates.conditions import number_text
from verdict_frames.statistics.gates.outcome import GateLine
from verdict_frames.statistics.gates.reach import out_of_reach
from verdict_frames.statistics.vocabulary import GateSubject

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from verdict_frames.statistics.gates.conditions import Requirement
    from verdict_frames.statistics.gates.gates import Gates
    from verdict_frames.statistics.gates.groups import MeasuredGroup


def check_requirements(groups: Sequence[MeasuredGroup], gates: Gates) -> Iterator[GateLine]:
    """Hold what is asked of the agent against each group that isn't a baseline.

    Args:
        groups: The groups that are asked about.
        gates: What is asked.
    """
    for requirement in gates.require:
        for group in groups:
            if not group.is_baseline:
                yield _checked(requirement, group)


def _checked(requirement: Requirement, group: MeasuredGroup) -> GateLine:
    value = group.counts[requirement.name]
    held = requirement.holds(value)
    asked = f"{requirement.sign} {number_text(requirement.bound)} asked for"
    return GateLine(
        subject=GateSubject.AGENT,
        asked=str(requirement),
        about=group.label,
        value=value,
        held=held,
        message=f"{group.label}: {_found(requirement.name, group.counts)}, {asked}",
        note=None if held else out_of_reach(requirement, group.counts),
    )


def _found(name: str, counts: Mapping[str, Any]) -> str:
    value, passes, eligible = counts[name], counts["passes"], counts["eligible"]
    if value is None:
        return f"no {name} ({_why_null(name, counts)})"
    match name:
        case "pass_rate" | "ci_low" | "ci_high":
            return f"{name} {value:.4g} ({passes} of {eligible} eligible)"
        case "end_to_end_rate":
            return f"{name} {value:.4g} ({passes} of {eligible + counts['agent_failed']})"
        case "naive_rate":
            return f"{name} {value:.4g} ({counts['naive_passes']} of {counts['total']})"
        case _:
            return f"{name} {number_text(value)}"


def _why_null(name: str, counts: Mapping[str, Any]) -> str:
    if name == "naive_rate":
        return "whether items passed is not recorded"
    if name == "end_to_end_rate":
        return "no items eligible, and none on which the agent failed"
    return str(counts["rate_note"] or counts["ci_method"])
