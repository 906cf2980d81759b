"""How a file lays out its JSON, read off the place where a member is to be put, and values written the same way."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from verdict_frames.sources.spans import Element, Member

_LINE_END: Final = re.compile(rb"(\r\n|\n|\r)([ \t]*)\Z")
_USUAL_COLON: Final = re.compile(rb" ?:[ ]?")
_JACKSON_COLON: Final = " : "


class Layout(NamedTuple):
    """A way to write JSON.

    Attributes:
        gap: What stands between a comma and a key.
        colon: What stands between a key and its value.
        line_end: Line end and indentation of the member itself; null where everything stands in one line.
        unit: What each level is indented by.
    """

    gap: str
    colon: str
    line_end: str | None
    unit: str

    @property
    def is_jackson(self) -> bool:
        """Whether arrays stay in one line and brackets have space within, as Jackson's pretty printer has it."""
        return self.colon == _JACKSON_COLON


def layout_of(data: bytes, owner: Element, member: Member, *, spread: bool) -> Layout:
    """The layout that an object has at one of its members.

    Args:
        data: The text.
        owner: The object.
        member: A member of it.
        spread: Whether a value put there may stand in several lines, where the object's own members do.
    """
    others = owner.members[1:]
    after_comma = others[0] if member is owner.members[0] and others else member
    gap = data[after_comma.after : after_comma.key_start]
    colon = data[member.key_end : member.start]
    if not gap and after_comma is owner.members[0] and colon.endswith(b" "):
        gap = b" "  # there is no comma in the object to learn from
    line = _LINE_END.search(gap)
    closing = _LINE_END.search(data[owner.members[-1].end : owner.end - 1])
    unit = b"  "
    if line is not None and closing is not None and line[2].startswith(closing[2]):
        unit = line[2].removeprefix(closing[2]) or unit
    return Layout(
        gap=gap.decode(),
        colon=colon.decode() if _USUAL_COLON.fullmatch(colon) else ": ",
        line_end=line[0].decode() if line is not None and spread else None,
        unit=unit.decode(),
    )


def write_member(key: str, value: object, layout: Layout) -> bytes:
    """A comma, a key and its value, to be put behind a member."""
    return f',{layout.gap}"{key}"{layout.colon}'.encode() + write_value(value, layout)


def write_value(value: object, layout: Layout) -> bytes:
    """A value as UTF-8 JSON; unpaired surrogates, which UTF-8 can't hold, stay escaped (R106)."""
    write = _as_jackson if layout.is_jackson else _as_python
    try:
        return write(value, layout, ascii_only=False).encode()
    except UnicodeEncodeError:
        return write(value, layout, ascii_only=True).encode()


def _as_python(value: object, layout: Layout, *, ascii_only: bool) -> str:
    """Every member and element in a line of its own, or all in one line."""
    if layout.line_end is None:
        separators = (", " if layout.colon.endswith(" ") else ",", layout.colon)
        return json.dumps(value, ensure_ascii=ascii_only, separators=separators)
    text = json.dumps(value, ensure_ascii=ascii_only, separators=(",", layout.colon), indent=layout.unit)
    return text.replace("\n", layout.line_end)  # a line end within a text is escaped


def _as_jackson(value: object, layout: Layout, *, ascii_only: bool) -> str:
    """Every member in a line of its own, or all in one line; elements never, and brackets with space within."""
    return _jackson_text(value, layout, layout.line_end, json.JSONEncoder(ensure_ascii=ascii_only).encode)


def _jackson_text(value: object, layout: Layout, line_end: str | None, scalar: Callable[[object], str]) -> str:
    if isinstance(value, dict):
        if not value:
            return "{ }"
        below = None if line_end is None else line_end + layout.unit
        members = [
            f"{scalar(key)}{layout.colon}{_jackson_text(member, layout, below, scalar)}"
            for key, member in value.items()
        ]
        if below is None:
            return "{" + ", ".join(members) + "}"
        return "{" + below + ("," + below).join(members) + f"{line_end}}}"
    if isinstance(value, list):
        elements = [_jackson_text(element, layout, line_end, scalar) for element in value]
        return "[ " + ", ".join(elements) + " ]" if elements else "[ ]"
    return scalar(value)
