"""What stands on axes, read off for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.container import BarContainer

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def points(ax: Axes, label: str) -> list[tuple[float, float]]:
    """The points of the lines with a label, x and y."""
    found = [line for line in ax.lines if line.get_label() == label]
    return [(float(x), float(y)) for line in found for x, y in np.asarray(line.get_xydata())]


def legend(ax: Axes) -> list[str]:
    """The texts of the legend; none without one."""
    shown = ax.get_legend()
    return [] if shown is None else [text.get_text() for text in shown.get_texts()]


def texts(ax: Axes) -> list[str]:
    """The texts written into the axes, in the order of writing."""
    return [text.get_text() for text in ax.texts]


def bars(ax: Axes) -> dict[str, list[tuple[float, float, float]]]:
    """The parts of stacked bars by label: row, where each begins and where it ends."""
    return {
        str(container.get_label()): [
            (
                round(patch.get_y() + patch.get_height() / 2, 6),
                round(patch.get_x(), 6),
                round(patch.get_x() + patch.get_width(), 6),
            )
            for patch in container.patches
        ]
        for container in ax.containers
        if isinstance(container, BarContainer)
    }
