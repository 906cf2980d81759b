"""Plots as figures of a report: SVG that is the same for the same data."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any, Final

from matplotlib import rc_context

from verdict_frames.reporting.value import Figure

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes

_STYLE: Final[dict[Any, Any]] = {"svg.hashsalt": "verdict_frames", "svg.fonttype": "none"}
"""Identifiers follow from the content; text stays text, so that a figure is small and sharp at any size."""
_NOT_IN_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_METADATA: Final = {"Date": None, "Creator": None, "Format": None, "Type": None}


def figure(draw: Callable[[], Axes], *, caption: str, alt: str) -> Figure:
    """Draw a plot and keep it as SVG, which leaves matplotlib's settings as they were.

    Args:
        draw: Makes the axes on a figure of their own.
        caption: What the picture shows.
        alt: The same for those who can't see it.
    """
    out = io.StringIO()
    with rc_context(_STYLE):
        drawn = draw().get_figure(root=True)
        if drawn is not None:
            drawn.savefig(out, format="svg", metadata=_METADATA, bbox_inches="tight")
    svg = _NOT_IN_XML.sub("\ufffd", out.getvalue())
    return Figure(caption=caption, alt=alt, svg=svg[max(svg.find("<svg"), 0) :])
