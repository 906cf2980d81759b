"""How gates came out: one line for each thing that was asked of each group."""

from __future__ import annotations

from dataclasses import dataclass

from verdict_frames.vocabulary import GateSubject, GateVerdict


@dataclass(frozen=True, kw_only=True, slots=True)
class GateLine:
    """How one thing came out that was asked.

    Attributes:
        subject: Whether it was asked of the measurement or of the agent.
        asked: What was asked, such as `pass_rate >= 0.8`.
        about: The group, judge or comparison that it was asked of.
        value: What was found; null where there is nothing to find.
        held: Whether it held.
        message: What was found, in one line.
    """

    subject: GateSubject
    asked: str
    about: str
    value: float | None
    held: bool
    message: str


@dataclass(frozen=True, kw_only=True, slots=True)
class GateOutcome:
    """How all gates came out.

    Attributes:
        lines: In the order in which they were asked, those of the measurement first. Where the measurement isn't fit,
            nothing is asked of the agent.
    """

    lines: tuple[GateLine, ...]

    @property
    def verdict(self) -> GateVerdict:
        """Whether the agent held what was asked, or nothing can be said of it."""
        failed = {line.subject for line in self.lines if not line.held}
        if GateSubject.MEASUREMENT in failed:
            return GateVerdict.NOT_EVALUATED
        return GateVerdict.NOT_HELD if failed else GateVerdict.HELD

    def failed(self) -> tuple[GateLine, ...]:
        """The lines that didn't hold."""
        return tuple(line for line in self.lines if not line.held)
