"""The rows of a tally as the rows of a picture: which is where, and what it is called."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from textwrap import wrap
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from verdict_frames.errors import ArgumentError, ColumnError, OptionError, one_line, some_names
from verdict_frames.plots.canvas import as_axes
from verdict_frames.plots.palette import FAINT, INK
from verdict_frames.policies import ColumnKind, require_columns
from verdict_frames.statistics.grouping import EVERYTHING, NOT_RECORDED
from verdict_frames.statistics.tally import TALLY_SCHEMA

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

BLANK: Final = "(blank)"
"""What a group is called whose value is blank text."""
_KINDS: Final = {pl.Int64(): ColumnKind.COUNT, pl.Float64(): ColumnKind.SHARE, pl.String(): ColumnKind.TEXT}
_COLUMNS: Final[Mapping[str, ColumnKind]] = MappingProxyType(
    {name: _KINDS[dtype] for name, dtype in TALLY_SCHEMA.items() if dtype in _KINDS}
)
_MAY_BE_NULL: Final = frozenset(
    {
        *("pass_rate", "ci_low", "ci_high", "ci_method", "rate_note", "end_to_end_rate", "naive_rate"),
        *("clusters", "design_effect", "effective_n"),
    }
)
_NOT_SHARES: Final = frozenset({"design_effect", "effective_n"})
"""Numbers that may lie above 1."""

_LINE: Final = 34
_WIDTH: Final = 8.5
_ROW_INCHES: Final = 0.3
_LINE_INCHES: Final = 0.16
_AROUND_INCHES: Final = 1.3
_TITLE_POINTS: Final = 10
"""How far the title of the groups stands from the longest name."""


@dataclass(frozen=True, kw_only=True)
class GroupRows:
    """The groups of a tally from top to bottom.

    Attributes:
        rows: One mapping a group: the columns of the tally.
        labels: What each group is called, whole; several group columns joined by " · ".
        title: The names of the group columns, joined likewise; empty when there are none.
    """

    rows: list[dict[str, Any]]
    labels: list[str]
    title: str

    def distinct(self, column: str) -> list[Any]:
        """Return the values of a column, each once, from top to bottom."""
        return list(dict.fromkeys(row[column] for row in self.rows))

    def with_value(self, column: str) -> list[tuple[int, dict[str, Any]]]:
        """Return the rows in which a column isn't null, each with its place from the top."""
        return [(place, row) for place, row in enumerate(self.rows) if row[column] is not None]

    def policy_note(self) -> str:
        """Name the policy that was counted by, or the policies."""
        names = self.distinct("policy")
        return f"{'policy' if len(names) == 1 else 'policies'} {', '.join(names)}" if names else ""


def group_rows(tally_frame: pl.DataFrame, order: Sequence[str] | None, *, beside: Container[str] = ()) -> GroupRows:
    """Name the rows of a tally and put them in order.

    Where the rows were counted by several policies, the policy's name ends each label.

    Args:
        tally_frame: What `tally` returns; the columns that aren't the tally's own are its groups.
        order: Labels of the groups that come first; the others follow as they stand in the frame.
        beside: Columns that stand beside those of a tally and aren't groups.

    Raises:
        ArgumentError: The first argument isn't a frame, or the order isn't a list.
        ColumnError: A column of a tally is missing or holds what no tally does, such as a count that is null; or a
            group column can't be shown as text.
        OptionError: The order names a group that the frame doesn't have, or one twice.
    """
    if not isinstance(tally_frame, pl.DataFrame):
        raise ArgumentError(_not_a_tally(tally_frame))
    require_columns(tally_frame.schema, _COLUMNS, table="tally")
    _require_values(tally_frame)
    columns = [name for name in tally_frame.columns if name not in TALLY_SCHEMA and name not in beside]
    named = columns + (["policy"] if tally_frame["policy"].n_unique() > 1 else [])
    texts = _texts(tally_frame, named) if named else []
    labels = [" · ".join(text if columns else (EVERYTHING, *text)) for text in texts or [()] * tally_frame.height]
    rows = tally_frame.to_dicts()
    return in_order_of(GroupRows(rows=rows, labels=labels, title=" · ".join(columns)), order)


def _not_a_tally(given: object) -> str:
    return f"the frame that tally returns is needed, not {type(given).__name__}"


def _require_values(tally_frame: pl.DataFrame) -> None:
    """Refuse what no tally holds, because it would be drawn as something else or as nothing."""
    for name, kind in _COLUMNS.items():
        column = tally_frame[name]
        if name not in _MAY_BE_NULL and column.has_nulls():
            message = f"the tally frame has a null in {name}, which is never null in what tally returns"
            raise ColumnError(message)
        if kind is ColumnKind.COUNT and (column < 0).any():
            message = f"the tally frame has {column.min()!r} in {name}; a number of items is 0 or more"
            raise ColumnError(message)
        if kind is ColumnKind.SHARE and name not in _NOT_SHARES and not column.cast(pl.Float64).is_between(0, 1).all():
            wrong = column.filter(~column.cast(pl.Float64).is_between(0, 1))[0]
            message = f"the tally frame has {wrong} in {name}, which lies from 0 to 1, or is null where there is none"
            raise ColumnError(message)
    if (tally_frame["ci_low"].is_null() != tally_frame["ci_high"].is_null()).any():
        message = "the tally frame has one end of an interval in ci_low and ci_high without the other"
        raise ColumnError(message)


def _texts(tally_frame: pl.DataFrame, named: list[str]) -> list[tuple[str, ...]]:
    try:
        return tally_frame.select(pl.col(named).cast(pl.String).fill_null(NOT_RECORDED)).rows()
    except pl.exceptions.PolarsError:
        message = f"the groups can't be shown as text: {some_names(named)} must hold single values"
        raise ColumnError(message) from None


def in_order(labels: list[str], order: Sequence[str] | None) -> list[str]:
    """Put labels in the order that was asked for.

    Args:
        labels: What there is.
        order: Labels that come first; the others follow as they stand.

    Raises:
        ArgumentError: The order isn't a list.
        OptionError: The order names what isn't there, or something twice.
    """
    return [labels[place] for place in _places(labels, _labels_of(order))]


def in_order_of(groups: GroupRows, order: Sequence[str] | None) -> GroupRows:
    """Put rows in the order that was asked for; see `in_order`.

    Args:
        groups: The rows.
        order: Labels of those that come first.

    Raises:
        ArgumentError: The order isn't a list.
        OptionError: The order names what isn't there, or something twice.
    """
    places = _places(groups.labels, _labels_of(order))
    return GroupRows(
        rows=[groups.rows[place] for place in places],
        labels=[groups.labels[place] for place in places],
        title=groups.title,
    )


def name_of(value: object) -> str:
    """Return what a group is called that has this value."""
    return NOT_RECORDED if value is None else str(value)


def _labels_of(order: object) -> list[Any]:
    if order is None:
        return []
    if isinstance(order, str) or not isinstance(order, Sequence):
        message = f"`order` takes a list of labels of groups, not {one_line(order)}"
        raise ArgumentError(message)
    return list(order)


def _places(labels: list[str], order: list[Any]) -> list[int]:
    unknown = [label for label in order if label not in labels]
    if unknown:
        known = some_names(labels) or "none"
        message = f"`order` names {one_line(unknown[0])}, which isn't a group here; the groups are {known}"
        raise OptionError(message)
    if len(set(order)) < len(order):
        message = f"`order` names a group twice: {some_names(order)}"
        raise OptionError(message)
    first = [place for label in order for place, other in enumerate(labels) if other == label]
    return first + [place for place, label in enumerate(labels) if label not in order]


def draw_group_axis(groups: GroupRows, ax: Axes | None, *, nothing: str = "no groups") -> Axes:
    """Lay out one row a group, from 0 at the top, with its name at the left.

    Args:
        groups: The rows.
        ax: Axes to draw on; with none, new ones that are as tall as the rows need.
        nothing: What is written where there are no rows.

    Returns:
        The axes, with nothing drawn yet but lines for the eye.

    Raises:
        ArgumentError: What was given to draw on isn't axes.
    """
    labels = [broken_label(label) for label in groups.labels]
    most_lines = max((label.count("\n") for label in labels), default=0) + 1
    row_inches = max(_ROW_INCHES, _LINE_INCHES * most_lines + 0.12)
    ax = as_axes(ax, width=_WIDTH, height=_AROUND_INCHES + row_inches * max(len(labels), 1))
    ax.set_yticks(range(len(labels)), labels, parse_math=False)
    ax.set_ylim(max(len(labels), 1) - 0.5, -0.5)
    ax.set_ylabel(groups.title, parse_math=False, labelpad=_TITLE_POINTS)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    if not labels:
        ax.text(0.5, 0.5, nothing, transform=ax.transAxes, ha="center", va="center", color=FAINT)
    return ax


def write_beside(ax: Axes, place: int, text: str) -> None:
    """Write a short text at the right of a row, outside of the axes.

    Args:
        ax: Axes laid out by `draw_group_axis`.
        place: The row, from 0 at the top.
        text: One line.
    """
    ax.text(1.02, place, text, transform=ax.get_yaxis_transform(), va="center", fontsize="small", color=INK)


def short_label(label: str) -> str:
    """Show a name in one line; of one that is too long, the middle is left out.

    Args:
        label: Any text; characters that can't be printed become spaces.
    """
    shown = _printable(label)
    return (shown if len(shown) <= _LINE else f"{shown[: _LINE // 2]}…{shown[1 - _LINE // 2 :]}") or BLANK


def broken_label(label: str) -> str:
    """Break a name into at most three lines; of one that is too long for that, the middle is left out.

    Args:
        label: Any text; characters that can't be printed become spaces.
    """
    kept = label if len(label) <= 4 * _LINE else f"{label[: 3 * _LINE]} {label[-_LINE:]}"
    printable = _printable(kept)
    lines = wrap(printable, _LINE)
    if len(lines) > 3 or kept != label:
        lines = [*lines[:2], f"…{printable[1 - _LINE :].lstrip()}"]
    return "\n".join(lines) or BLANK


def _printable(text: str) -> str:
    return "".join(character if character.isprintable() else " " for character in text).strip()
