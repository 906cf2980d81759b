"""A place to draw on that leaves matplotlib's global state alone.

Figures are made without pyplot, so nothing is registered, shown or styled behind the user's back. A notebook shows such
axes as a picture because they know how to draw themselves.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Final

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from verdict_frames.errors import ArgumentError
from verdict_frames.plots.palette import GRID
from verdict_frames.policies import ColumnKind, require_columns

if TYPE_CHECKING:
    from collections.abc import Mapping

_TALLEST: Final = 200.0
"""Inches; more pixels than a renderer takes lie beyond."""


class PictureAxes(Axes):
    """Axes that a notebook shows as a picture of their figure, when they are the value of a cell."""

    def _repr_png_(self) -> bytes | None:
        figure = self.get_figure(root=True)
        if figure is None:
            return None
        picture = BytesIO()
        figure.savefig(picture, format="png")
        return picture.getvalue()


def new_axes(*, width: float, height: float) -> Axes:
    """Return axes on a new figure that makes room for long labels.

    Args:
        width: In inches.
        height: In inches; what exceeds 200 is cut.
    """
    figure = Figure(figsize=(width, min(height, _TALLEST)), layout="constrained")
    return figure.add_subplot(axes_class=PictureAxes)


def inches_wide(ax: Axes) -> float:
    """Return the width of axes as they stand now, before a layout moves them; 0 for axes on no figure."""
    figure = ax.get_figure(root=True)
    return ax.bbox.width / figure.dpi if figure is not None else 0.0


def as_axes(ax: object, *, width: float, height: float) -> Axes:
    """Return the axes that were given to draw on, or new ones, with lines for the eye and no frame.

    Args:
        ax: Axes, or none.
        width: Of a new figure, in inches.
        height: Likewise.

    Raises:
        ArgumentError: What was given to draw on isn't axes.
    """
    if ax is not None and not isinstance(ax, Axes):
        message = f"`ax` takes one matplotlib Axes to draw on, such as Figure().add_subplot(), not {type(ax).__name__}"
        raise ArgumentError(message)
    drawn = new_axes(width=width, height=height) if ax is None else ax
    drawn.grid(visible=True, color=GRID, linewidth=0.6)
    drawn.set_axisbelow(True)
    drawn.spines[["top", "right"]].set_visible(False)
    return drawn


def require_columns_of(frame: object, columns: Mapping[str, ColumnKind], *, made_by: str) -> None:
    """Refuse what isn't the frame that a picture is made of.

    Args:
        frame: What was given.
        columns: The columns that it must have.
        made_by: The function that returns such a frame.

    Raises:
        ArgumentError: It is no frame.
        ColumnError: A column is missing or of a type that can't be what it should.
    """
    require(frame, pl.DataFrame, made_by=made_by)
    if isinstance(frame, pl.DataFrame):
        require_columns(frame.schema, columns, table=made_by)


def require(result: object, kind: type, *, made_by: str) -> None:
    """Refuse what isn't the result that a picture is made of.

    Args:
        result: What was given.
        kind: What it must be.
        made_by: The function that returns such a result.

    Raises:
        ArgumentError: It is something else.
    """
    if not isinstance(result, kind):
        message = f"what {made_by} returns is needed, not {type(result).__name__}"
        raise ArgumentError(message)
