"""Other people's text, made fit to stand in Markdown: it shows as it was recorded and does nothing.

What GitHub makes of plain text after Markdown is read (mentions, references, emoji) isn't stopped by Markdown's own
escapes, so an invisible space (U+200B) comes between the sign and the word; code spans need none of this.
"""

from __future__ import annotations

import re
from typing import Final

from markupsafe import escape

from verdict_frames.reporting.printable import printable

LONGEST: Final = 200
"""How many characters of a recorded text a code span shows."""
_SPECIAL: Final = re.compile(
    r"([\\`*\[\]<>#|~&$!]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|(?<!\d)[.:](?=\S)|[.:](?=[^\s\d]))"
)
"""What starts or ends something in Markdown; dots and colons where they could make an address."""
_SIGNALS: Final = re.compile(r"(?<=[@#])(?=\w)|(?<=:)(?=[\w+-]+:)")
"""Between the sign and the word of a mention, a reference or an emoji."""
_APART: Final = "&#8203;"
_TICKS: Final = re.compile("`+")


def code_span(text: str, *, longest: int = LONGEST) -> str:
    r"""Put recorded text into a code span that it can't leave, fit for a cell of a table.

    Hidden characters show as escapes. Of a text that is too long the beginning is shown, with its length.

    Args:
        text: As recorded.
        longest: How many characters are shown.

    Example:
        >>> print(code_span("a|b `c` @d"))
        ``a\|b `c` @d``
    """
    whole = printable(text, one_line=True)
    shown = whole[:longest]
    if not shown.strip():
        return "(blank)"
    fence = "`" * (max((len(run) for run in _TICKS.findall(shown)), default=0) + 1)
    edge = " " if shown.startswith(("`", " ")) or shown.endswith(("`", " ")) else ""
    span = f"{fence}{edge}{shown}{edge}{fence}".replace("|", "\\|")
    return span if len(whole) <= longest else f"{span} ({len(whole):,} characters)"


def escaped(text: str) -> str:
    r"""Escape text so that it shows as it is, in a line or a cell of Markdown.

    Hidden characters show as escapes.

    Args:
        text: Words, or text as recorded.

    Example:
        >>> print(escaped("see #12 by @someone: <b> | *x* 49.1 %"))
        see \#&#8203;12 by @&#8203;someone: \<b\> \| \*x\* 49.1 %
    """
    return _SIGNALS.sub(_APART, _SPECIAL.sub(r"\\\1", printable(text, one_line=True)))


def in_html(text: str) -> str:
    """Escape text for a line of HTML within Markdown, where Markdown's own escapes don't count."""
    return _SIGNALS.sub(_APART, str(escape(printable(text, one_line=True))))
