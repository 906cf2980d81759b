"""How gates came out: one line for each thing that was asked of each group."""

from __future__ import annotations

from dataclasses import dataclass, replace

from verdict_frames.statistics.vocabulary import GateSubject, GateVerdict


@dataclass(frozen=True, kw_only=True, slots=True)
class GateLine:
    """How one thing came out that was asked.

    Attributes:
        subject: Whether it was asked of the measurement or of the agent.
        asked: What was asked, such as `pass_rate >= 0.8`.
        about: The group, judge or comparison that it was asked of.
        value: What was found; null where there is nothing to find, or nothing was looked for.
        held: Whether it held; null where it was not evaluated, because the measurement isn't fit.
        message: What was found, in one line.
        note: What else there is to know, such as that so few items could not have shown it; null mostly.
    """

    subject: GateSubject
    asked: str
    about: str
    value: float | None
    held: bool | None
    message: str
    note: str | None = None

    def not_evaluated(self) -> GateLine:
        """The same line, but not evaluated: without anything that was found."""
        message = f"{self.about}: {self.asked} not evaluated, because the measurement isn't fit"
        return replace(self, value=None, held=None, message=message, note=None)


@dataclass(frozen=True, kw_only=True, slots=True)
class GateOutcome:
    """How all gates came out.

    Attributes:
        lines: In the order in which they were asked, those of the measurement first.
        policy: The name of the policy by which items were counted.
        passed_over: Names of gates that could not be asked here, because they are about comparisons.
    """

    lines: tuple[GateLine, ...]
    policy: str
    passed_over: tuple[str, ...] = ()

    @property
    def verdict(self) -> GateVerdict:
        """Whether the agent held what was asked, or nothing can be said of it."""
        failed = {line.subject for line in self.failed()}
        if GateSubject.MEASUREMENT in failed:
            return GateVerdict.NOT_EVALUATED
        return GateVerdict.NOT_HELD if failed else GateVerdict.HELD

    def failed(self) -> tuple[GateLine, ...]:
        """The lines that didn't hold; those that were not evaluated are not among them."""
        return tuple(line for line in self.lines if line.held is False)


def settled(measurement: list[GateLine], agent: list[GateLine]) -> tuple[GateLine, ...]:
    """Put the lines in order, and take back what was found of the agent where the measurement isn't fit.

    Args:
        measurement: What was asked of the measurement.
        agent: What was asked of the agent.
    """
    if all(line.held for line in measurement):
        return (*measurement, *agent)
    return (*measurement, *(line.not_evaluated() for line in agent))


def unfit(asked: str, message: str, *, policy: str) -> GateOutcome:
    """Return the outcome of gates where there is nothing to hold them against.

    Args:
        asked: What the measurement lacks.
        message: What is wrong with it, in one line.
        policy: The name of the policy.
    """
    line = GateLine(
        subject=GateSubject.MEASUREMENT, asked=asked, about="everything", value=None, held=False, message=message
    )
    return GateOutcome(lines=(line,), policy=policy)
