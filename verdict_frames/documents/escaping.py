"""Names and keys as other people chose them, shown so that they stay in one line and can't be taken for another."""

from __future__ import annotations

import unicodedata
from typing import Final

HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""The Unicode categories of what moves a cursor, breaks a line or turns the direction, or can't be written at all."""

LONGEST: Final = 80
"""How many characters of a recorded text are shown where a value shows itself."""


def one_line(text: str) -> str:
    r"""Text with escapes for what would move a cursor, break a line or turn the direction; two texts never show alike.

    A backslash is doubled, a byte of a file name that is no UTF-8 shows as `\xff`, an ASCII control character as `\n`
    or `\x1b`, and any other hidden character by its code, such as `\u202e`.

    Examples:
        >>> print(one_line("a\x1b[31m\\b"))
        a\x1b[31m\\b
        >>> print(one_line("plain + é.json"))
        plain + é.json
    """
    if text.isprintable() and "\\" not in text:
        return text
    return "".join(map(_shown, text))


def brief(text: str, *, longest: int = LONGEST) -> str:
    """Text as `one_line` shows it, but of a long one only the beginning, with an ellipsis.

    Args:
        text: A recorded name or text, of any length.
        longest: How many of its characters are shown at most.

    Examples:
        >>> brief("abcdef", longest=3)
        'abc…'
    """
    return one_line(text) if len(text) <= longest else f"{one_line(text[:longest])}…"


def _shown(character: str) -> str:
    code = ord(character)
    if character == "\\":
        return "\\\\"
    if unicodedata.category(character) not in HIDDEN:
        return character
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"  # how Python holds a byte that it couldn't decode
    if 0x80 <= code <= 0xFF:
        return f"\\u{code:04x}"  # not \x85, which is a byte
    return character.encode("unicode_escape").decode("ascii")
