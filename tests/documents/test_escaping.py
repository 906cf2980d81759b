from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verdict_frames.documents.escaping import one_line

# names as the system may give them: any text, and bytes that are no UTF-8 as Python holds them
NAMES = st.lists(st.characters() | st.sampled_from("\udc80\udcff\\\x85\x1b\nxnu0123456789abcdef")).map("".join)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("hardened+skills é 日本.json", "hardened+skills é 日本.json"),
        ("no\u00a0break", "no\u00a0break"),
        ("a\x1b[31mb", r"a\x1b[31mb"),
        ("a\nb\r\tc\x7f", r"a\nb\r\tc\x7f"),
        ("\u202eb\u2028\u2029", r"\u202eb\u2028\u2029"),
        ("\x85 \xad", r"\u0085 \u00ad"),
        ("\udcff\udc85", r"\xff\x85"),
        ("\ud800", r"\ud800"),
        (r"\xff", r"\\xff"),
        ("\U000e0001", r"\U000e0001"),
        ("", ""),
    ],
)
def test_what_cannot_be_printed_is_escaped(text: str, shown: str) -> None:
    assert one_line(text) == shown


@given(NAMES)
def test_the_text_can_be_made_again_from_what_is_shown(text: str) -> None:
    """So two names never show alike."""
    shown = one_line(text)
    assert len(shown.splitlines()) <= 1
    shown.encode()
    assert re.sub(r"\\(\\|n|r|t|x..|u....|U.{8})", lambda escape: unescaped(escape[1]), shown) == text


def unescaped(escape: str) -> str:
    if len(escape) == 1:
        return {"n": "\n", "r": "\r", "t": "\t"}.get(escape, escape)
    code = int(escape[1:], 16)
    return chr(code + 0xDC00 if escape[0] == "x" and code >= 0x80 else code)
