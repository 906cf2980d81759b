"""What became of items at each tier of a cascade, and what each member of a meta jury came to."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from matplotlib.ticker import MaxNLocator

from verdict_frames.errors import OptionError, one_line
from verdict_frames.plots.bars import draw_bars
from verdict_frames.plots.canvas import require
from verdict_frames.plots.groups import GroupRows, draw_group_axis, in_order_of, write_beside
from verdict_frames.plots.marks import draw_legend
from verdict_frames.plots.palette import MEMBER_LOOKS, TIER_LOOKS
from verdict_frames.statistics.grouping import group_label
from verdict_frames.statistics.stages.funnel import StageFunnel
from verdict_frames.statistics.stages.members import MEMBER_SCHEMA
from verdict_frames.statistics.stages.tiers import TIER_SCHEMA

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes


class FunnelPart(StrEnum):
    """Which stages are drawn: the tiers of cascades, or the members of meta juries."""

    TIERS = "tiers"
    MEMBERS = "members"


_SCHEMAS: Final = {FunnelPart.TIERS: TIER_SCHEMA, FunnelPart.MEMBERS: MEMBER_SCHEMA}
_LOOKS: Final = {FunnelPart.TIERS: TIER_LOOKS, FunnelPart.MEMBERS: MEMBER_LOOKS}
_NAMES: Final = {FunnelPart.TIERS: "tier", FunnelPart.MEMBERS: "member"}
_WHOLES: Final = {FunnelPart.TIERS: "entered", FunnelPart.MEMBERS: "listed"}


def plot_stage_funnel(
    funnel: StageFunnel,
    *,
    part: FunnelPart | str = FunnelPart.TIERS,
    ax: Axes | None = None,
    order: Sequence[str] | None = None,
) -> Axes:
    """Draw one bar for each tier, as long as the number of times it was entered, by what became of it there.

    The tiers of a cascade stand one below the other in their order, so that what the one passes on enters the next.
    Members of meta juries are drawn likewise, by what they came to.

    Args:
        funnel: What `stage_funnel` returns.
        part: Whether tiers or members are drawn.
        ax: Axes to draw on; with none, a new figure as tall as the stages need, made without pyplot.
        order: Labels of the stages that come first, from the top; the others follow as they stand in the funnel.

    Returns:
        The axes; the row of each stage is at 0, 1, 2 … from the top, and each outcome that occurs is one container of
        bars.

    Raises:
        ArgumentError: The first argument isn't a funnel, `ax` isn't axes, or the order isn't a list.
        OptionError: There is no such part, or the order names a stage that isn't there, or one twice.
    """
    require(funnel, StageFunnel, made_by="stage_funnel")
    chosen = _part(part)
    frame = funnel.tiers if chosen is FunnelPart.TIERS else funnel.members
    columns = [name for name in frame.columns if name not in _SCHEMAS[chosen]]
    rows = frame.to_dicts()
    labels = [_label(row, columns, _NAMES[chosen]) for row in rows]
    groups = in_order_of(GroupRows(rows=rows, labels=labels, title=" · ".join([*columns, _NAMES[chosen]])), order)
    ax = draw_group_axis(groups, ax, nothing=f"no {chosen.value} recorded")
    whole = _WHOLES[chosen]
    most = max((row[whole] for row in groups.rows), default=0) or 1
    ax.set_xlim(0, most * 1.005)
    draw_bars(ax, groups.rows, _LOOKS[chosen], most=most)
    for y, row in enumerate(groups.rows):
        write_beside(ax, y, f"{whole} {row[whole]:,}")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set_xlabel("times entered" if chosen is FunnelPart.TIERS else "times recorded")
    draw_legend(ax)
    return ax


def _part(part: object) -> FunnelPart:
    if isinstance(part, str) and part in set(FunnelPart):
        return FunnelPart(part)
    message = f"part={one_line(part)}: choose one of {', '.join(FunnelPart)}"
    raise OptionError(message)


def _label(row: dict[str, Any], columns: Sequence[str], name: str) -> str:
    own = "/".join([*row["path"], row[name] if row[name] is not None else "(unnamed)"])
    return " · ".join([*([group_label(row, columns)] if columns else []), own])
