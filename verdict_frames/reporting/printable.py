"""Other people's text, made fit to print: nothing in it can move a cursor, colour a screen or break a table."""

from __future__ import annotations

import unicodedata

from verdict_frames.documents.escaping import HIDDEN


def printable(text: str, *, one_line: bool = False) -> str:
    r"""Show control and direction-changing characters as escapes, and everything else as it is.

    Args:
        text: A recorded name, reasoning or detail.
        one_line: Show line ends and tabs as escapes too, for cells of a table.

    Example:
        >>> printable("a\x1b[31mred")
        'a\\x1b[31mred'
    """
    if text.isprintable():
        return text
    kept = "" if one_line else "\n\t"
    return "".join(character if character in kept else _shown(character) for character in text)


def _shown(character: str) -> str:
    hidden = unicodedata.category(character) in HIDDEN
    return character.encode("unicode_escape").decode("ascii") if hidden else character
