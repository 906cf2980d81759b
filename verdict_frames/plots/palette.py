"""One look for each bucket and each reading, the same in every picture.

The colours keep apart for eyes that don't tell red from green. Neighbours differ in lightness or hatching, so that a
grey print can be read. A reading looks like the bucket that it goes to by default; undecided has a look of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from matplotlib.colors import to_rgb

from verdict_frames.statistics.vocabulary import ItemState, Move
from verdict_frames.vocabulary import Bucket, Reading

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, kw_only=True, slots=True)
class Look:
    """How one bucket or reading is drawn.

    Attributes:
        label: In words, for legends.
        colour: As `#rrggbb`.
        marker: A matplotlib marker, unlike that of every other look.
        hatch: A matplotlib hatch; empty for a plain area.
    """

    label: str
    colour: str
    marker: str
    hatch: str = ""


BUCKET_LOOKS: Final[Mapping[Bucket, Look]] = MappingProxyType(
    {
        Bucket.PASSES: Look(label="passes", colour="#004488", marker="o"),
        Bucket.NON_PASSES: Look(label="non-passes", colour="#dd7755", marker="X"),
        Bucket.EXCLUDED: Look(label="excluded", colour="#c8c8c8", marker="s"),
        Bucket.INSTRUMENT_FAILURES: Look(label="instrument failures", colour="#993366", marker="D", hatch="//"),
        Bucket.UNATTESTABLE: Look(label="unattestable", colour="#eecc66", marker="P", hatch="xx"),
        Bucket.SET_ASIDE: Look(label="set aside", colour="#6699cc", marker="v", hatch=".."),
        Bucket.AGENT_FAILED: Look(label="agent failed", colour="#333333", marker="^", hatch="\\\\"),
        Bucket.UNJUDGED: Look(label="unjudged", colour="#ffffff", marker="d", hatch="--"),
    }
)
"""The look of each bucket, in the order in which they are drawn."""

READING_LOOKS: Final[Mapping[Reading, Look]] = MappingProxyType(
    {
        Reading.ACCEPTED: Look(label="accepted", colour="#004488", marker="o"),
        Reading.REJECTED: Look(label="rejected", colour="#dd7755", marker="X"),
        Reading.UNDECIDED: Look(label="undecided", colour="#555500", marker="p"),
        Reading.NOT_APPLICABLE: Look(label="not applicable", colour="#c8c8c8", marker="s"),
        Reading.NOT_ASSESSED: Look(label="not assessed", colour="#993366", marker="D", hatch="//"),
    }
)
"""The look of each reading, in the order of the vocabulary."""


STATE_LOOKS: Final[Mapping[ItemState, Look]] = MappingProxyType(
    {ItemState(reading): look for reading, look in READING_LOOKS.items()}
    | {
        ItemState.UNATTESTABLE: BUCKET_LOOKS[Bucket.UNATTESTABLE],
        ItemState.AGENT_FAILED: BUCKET_LOOKS[Bucket.AGENT_FAILED],
        ItemState.UNJUDGED: BUCKET_LOOKS[Bucket.UNJUDGED],
    }
)
"""The look of each state of an item: that of its reading, or of the bucket where items without one go."""


STATUS_LOOKS: Final[Mapping[str, Look]] = MappingProxyType(
    {
        "errored": replace(READING_LOOKS[Reading.NOT_ASSESSED], label="errored"),
        "no_status": Look(label="no status that can be read", colour="#ffffff", marker="d", hatch="--"),
        "other_status": Look(label="unknown status", colour="#eecc66", marker="P", hatch="xx"),
        "abstained": replace(READING_LOOKS[Reading.UNDECIDED], label="abstained"),
        "not_applicable": READING_LOOKS[Reading.NOT_APPLICABLE],
        "failed": replace(READING_LOOKS[Reading.REJECTED], label="failed the subject"),
        "passed": replace(READING_LOOKS[Reading.ACCEPTED], label="passed the subject"),
    }
)
"""The look of each status of a judge, that of the reading it leads to; what says nothing of the subject comes first."""

TIER_LOOKS: Final[Mapping[str, Look]] = MappingProxyType(
    {
        "stopped_accepted": replace(READING_LOOKS[Reading.ACCEPTED], label="stopped: accepted"),
        "stopped_rejected": replace(READING_LOOKS[Reading.REJECTED], label="stopped: rejected"),
        "stopped_undecided": replace(READING_LOOKS[Reading.UNDECIDED], label="stopped: undecided"),
        "stopped_not_applicable": replace(READING_LOOKS[Reading.NOT_APPLICABLE], label="stopped: not applicable"),
        "stopped_not_assessed": replace(READING_LOOKS[Reading.NOT_ASSESSED], label="stopped: not assessed"),
        "stopped_no_reading": replace(BUCKET_LOOKS[Bucket.UNATTESTABLE], label="stopped: no reading"),
        "passed_on": replace(BUCKET_LOOKS[Bucket.SET_ASIDE], label="passed on"),
        "execution_failed": replace(BUCKET_LOOKS[Bucket.AGENT_FAILED], label="failed to execute"),
        "unresolved": Look(label="unresolved", colour="#ddddaa", marker="<", hatch="oo"),
        "not_recorded": Look(label="outcome not recorded", colour="#ffffff", marker="d", hatch="--"),
    }
)
"""The look of each thing that can become of an item at a tier."""

MEMBER_LOOKS: Final[Mapping[str, Look]] = MappingProxyType(
    {**STATUS_LOOKS, "execution_failed": TIER_LOOKS["execution_failed"]}
)
"""The look of each thing that a member of a meta jury can come to."""

MOVE_LOOKS: Final[Mapping[Move, Look]] = MappingProxyType(
    {
        Move.STAYED: Look(label="the same with both", colour="#dddddd", marker="s"),
        Move.GAINED: Look(label="accepted with the treatment only", colour="#004488", marker="^"),
        Move.LOST: Look(label="accepted with the baseline only", colour="#dd7755", marker="v", hatch="//"),
        Move.OTHERWISE: Look(label="another change, or unlike trials", colour="#ffffff", marker="o"),
    }
)
"""The look of each change of state between two sides."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LineLook:
    """How one line is drawn; lines differ in more than their colour.

    Attributes:
        colour: As `#rrggbb`.
        line: A matplotlib line style.
        width: In points.
    """

    colour: str
    line: str
    width: float


LINE_LOOKS: Final[Mapping[str, LineLook]] = MappingProxyType(
    {
        "accepted": LineLook(colour="#004488", line="-", width=2),
        "held_back": LineLook(colour="#666666", line="--", width=1.4),
        "error": LineLook(colour="#c25535", line="-", width=2),
        "bound": LineLook(colour="#c25535", line=":", width=1.6),
    }
)
"""The look of what is accepted, of what a rule holds back, of an error rate, and of its upper bound."""

SERIES_LOOKS: Final = (
    Look(label="", colour="#004488", marker="o"),
    Look(label="", colour="#bb5533", marker="X"),
    Look(label="", colour="#228833", marker="s"),
    Look(label="", colour="#993366", marker="D"),
    Look(label="", colour="#555500", marker="^"),
)
"""Looks for lines that stand for groups of the user's own, in the order in which they are taken."""

INK: Final = "#222222"
"""For lines and text on a light ground."""
GRID: Final = "#e6e6e6"
"""For lines that guide the eye."""
FAINT: Final = "#808080"
"""For what stands beside the main thing, such as the recorded rate."""


def lightness(colour: str) -> float:
    """Return how light a colour looks in grey, as CIE L*.

    Args:
        colour: As `#rrggbb`.

    Returns:
        From 0 for black to 100 for white.

    Example:
        >>> round(lightness("#ffffff")), round(lightness("#000000"))
        (100, 0)
    """
    linear = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in to_rgb(colour))
    luminance = sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
    return 116 * luminance ** (1 / 3) - 16 if luminance > 216 / 24389 else luminance * 24389 / 27


def ink_on(colour: str) -> str:
    """Return the colour of text that can be read on the given one: white on dark grounds, else dark.

    Args:
        colour: The ground, as `#rrggbb`.
    """
    return "#ffffff" if lightness(colour) < 55 else INK
