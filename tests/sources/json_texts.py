"""JSON texts in any layout: white space, escapes and spellings of numbers as no writer would choose them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypothesis.strategies import DrawFn, SearchStrategy

_SPACES = st.sampled_from(["", "", " ", "\n", "\n    ", "\r\n\t", " \t "])
_NUMBERS = st.sampled_from(
    ["0", "-0", "-0.0", "1e3", "1E-2", "2.50", "12345678901234567890123456789012345", "1e400", "-7"]
)
_CONSTANTS = st.sampled_from(["true", "false", "null"])
_TRICKY = st.sampled_from(['"', "\\", "{", "}", "[", "]", ",", ":", '","verdict":{', "\\\\", "é", "🔍", "\n", "\u2028"])
_TEXTS = st.lists(_TRICKY | st.characters(exclude_categories=["Cs"]), max_size=4).map("".join)
_KEYS = st.sampled_from(["verdict", "verdict", "items", "aggregated", "status", "a", "", "é", 'x"y'])


@st.composite
def strings(draw: DrawFn, contents: SearchStrategy[str] = _TEXTS) -> str:
    """A string, some of its characters escaped that need not be."""
    text = draw(contents)
    how = draw(st.sampled_from(["plain", "ascii", "escaped"]))
    if how == "escaped":
        units = text.encode("utf-16-be", "surrogatepass")
        return '"' + "".join(f"\\u{units[at]:02X}{units[at + 1]:02x}" for at in range(0, len(units), 2)) + '"'
    return json.dumps(text, ensure_ascii=how == "ascii").replace("/", "\\/" if how == "ascii" else "/")


def values() -> SearchStrategy[str]:
    """Any value."""
    scalars = _NUMBERS | _CONSTANTS | strings()
    return st.recursive(scalars, lambda inner: arrays(inner) | objects(st.tuples(strings(_KEYS), inner)), max_leaves=8)


@st.composite
def arrays(draw: DrawFn, elements: SearchStrategy[str], max_size: int = 3) -> str:
    """An array of values."""
    return _joined(draw, "[", draw(st.lists(elements, max_size=max_size)), "]")


@st.composite
def objects(draw: DrawFn, members: SearchStrategy[tuple[str, str]], extra: Sequence[tuple[str, str]] = ()) -> str:
    """An object of members, a key now and then twice; those of `extra` are among them, in any place."""
    drawn = draw(st.permutations([*draw(st.lists(members, max_size=3)), *extra]))
    parts = [key + draw(_SPACES) + ":" + draw(_SPACES) + value for key, value in drawn]
    return _joined(draw, "{", parts, "}")


@st.composite
def items(draw: DrawFn) -> str:
    """An item, most with a verdict."""
    extra = [(draw(strings(st.just("itemId"))), '"i"'), ('"success"', "true")]
    if draw(st.integers(0, 4)):
        extra.append((draw(strings(st.just("verdict"))), draw(verdicts() | values())))
    return draw(objects(st.tuples(strings(_KEYS), values()), extra))


@st.composite
def verdicts(draw: DrawFn) -> str:
    """A bare verdict."""
    return draw(objects(st.tuples(strings(_KEYS), values()), [('"individual"', draw(arrays(values())))]))


@st.composite
def results(draw: DrawFn) -> str:
    """A result file."""
    extra = [('"experimentId"', '"e"'), (draw(strings(st.just("items"))), draw(arrays(items() | _NUMBERS)))]
    return draw(objects(st.tuples(strings(st.sampled_from(["metadata", "verdict", "x"])), values()), extra))


@st.composite
def documents(draw: DrawFn) -> bytes:
    """A whole file, with or without a mark of UTF-8 and a line end."""
    entry = results() | items() | verdicts()
    text = draw(entry | arrays(entry))
    return draw(st.sampled_from([b"", b"\xef\xbb\xbf"])) + (draw(_SPACES) + text + draw(_SPACES)).encode()


@st.composite
def line_files(draw: DrawFn) -> bytes:
    """A file of JSON lines, some blank or broken."""
    entry = (results() | items() | verdicts()).map(lambda text: text.replace("\n", " ").replace("\r", " "))
    lines = draw(st.lists(entry | st.sampled_from(["", "  ", '{"itemId": "cut', "[3]"]), min_size=1, max_size=4))
    return "".join(line + draw(st.sampled_from(["\n", "\r\n"])) for line in lines).encode() + draw(entry).encode()


def _joined(draw: DrawFn, opening: str, parts: Sequence[str], closing: str) -> str:
    spaced = [draw(_SPACES) + part + draw(_SPACES) for part in parts]
    return opening + (",".join(spaced) or draw(_SPACES)) + closing
