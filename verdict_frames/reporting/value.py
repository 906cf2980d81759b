"""What a report says, as one frozen value: a headline, sections of tables, notes and figures, and the items behind.

Nothing here knows how a page looks. Text that others have written (names, reasonings, details) is held as it was
recorded; making it inert is the renderer's work, and it does so for all text alike.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TypeAlias

from verdict_frames.errors import ArgumentError


@dataclass(frozen=True, slots=True)
class Quoted:
    """Text that others have written, in the middle of a sentence of ours.

    Attributes:
        text: As recorded.
    """

    text: str


Words: TypeAlias = tuple[str | Quoted, ...]
"""A sentence: parts of ours, and quoted ones between them."""


class CellKind(Enum):
    """What the cells of a column hold, which decides how they are written, aligned and sorted.

    Attributes:
        TEXT: Names and other recorded text.
        WORDS: A word or sentence of ours.
        COUNT: A whole number of things.
        SHARE: A share from 0 to 1, shown as a percentage.
        NUMBER: Any other number.
    """

    TEXT = auto()
    WORDS = auto()
    COUNT = auto()
    SHARE = auto()
    NUMBER = auto()


@dataclass(frozen=True, kw_only=True, slots=True)
class Column:
    """One column of a table.

    Attributes:
        label: What stands above it.
        kind: What its cells hold.
        about: What the column means, in a sentence; empty where the label says it.
    """

    label: str
    kind: CellKind
    about: str = ""


Value: TypeAlias = str | int | float | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Cell:
    """One cell of a table.

    Attributes:
        value: Null where there is none, which is not 0.
        items: Ordinals of the items that the value stands for, ascending; null where it can't be followed to items.
    """

    value: Value
    items: tuple[int, ...] | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Table:
    """Rows under a caption.

    Attributes:
        caption: What the rows are.
        columns: From left to right; at least one.
        rows: From top to bottom; each has one cell a column.
        heads: How many columns from the left name the row.
        hidden: How many rows there are beyond these.
        folded: Whether the table is to be looked up rather than read, so that a page may show it on demand.
    """

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    heads: int = 1
    hidden: int = 0
    folded: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Figure:
    """A picture.

    Attributes:
        caption: What it shows.
        alt: The same for those who can't see it.
        svg: The picture as an SVG document.
    """

    caption: str
    alt: str
    svg: str = field(repr=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class Note:
    """A sentence or paragraph.

    Attributes:
        words: What it says.
    """

    words: Words


Block: TypeAlias = Table | Figure | Note


@dataclass(frozen=True, kw_only=True, slots=True)
class Section:
    """One subject of a report.

    Attributes:
        key: Names the section in links; lower-case letters and hyphens.
        title: Its heading.
        blocks: What it shows, in order.
        aside: Whether it is for those who look closer, so that a short rendering may fold it.
    """

    key: str
    title: str
    blocks: tuple[Block, ...]
    aside: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class KeyNumber:
    """One number of the headline with what it rests on.

    Attributes:
        label: What the number is.
        value: The number as it is written; a dash where there is none.
        basis: What it rests on, or why there is none.
        items: Ordinals of the items behind it; null where it can't be followed to items.
    """

    label: str
    value: str
    basis: str
    items: tuple[int, ...] | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Headline:
    """What stands at the top.

    Attributes:
        clauses: A sentence that can be quoted, clause by clause, the main one first.
        numbers: The numbers to look at first.
    """

    clauses: tuple[Words, ...]
    numbers: tuple[KeyNumber, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Detail:
    """What is recorded about one thing, with its parts: an item, its stages, their judges.

    Attributes:
        title: What it is.
        facts: Names of ours with recorded values.
        text: Recorded prose; empty where there is none.
        parts: What belongs to it.
    """

    title: str
    facts: tuple[tuple[str, str], ...] = ()
    text: str = ""
    parts: tuple[Detail, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class ItemList:
    """Every item, for a table to look them up in, and the details of some or all.

    Attributes:
        thing: What one of them is called.
        columns: From left to right; the first names the item.
        rows: One row of values an item; its place is the item's ordinal.
        details: Ordinal of an item → its detail.
        note: Which items have a detail, where not all do; empty where all do.
    """

    thing: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Value, ...], ...] = field(repr=False)
    details: tuple[tuple[int, Detail], ...] = field(repr=False)
    note: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Report:
    """A report, ready to be rendered by `report_html` or `report_markdown`.

    Attributes:
        title: As given, or from what is reported on.
        subtitle: What was counted, and by which policy.
        headline: What stands at the top.
        sections: In the order in which they are read.
        items: The items behind the numbers.
    """

    title: str
    subtitle: Words
    headline: Headline
    sections: tuple[Section, ...]
    items: ItemList

    def __repr__(self) -> str:
        names = ", ".join(section.key for section in self.sections)
        return f"Report({self.title!r}, sections: {names}, items: {len(self.items.rows):,})"


def require_report(given: object) -> None:
    """Refuse what isn't a report.

    Raises:
        ArgumentError: It is something else.
    """
    if not isinstance(given, Report):
        message = f"what verdict_frames.report returns is needed, not {type(given).__name__}"
        raise ArgumentError(message)
