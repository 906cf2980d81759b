"""Data of a page in small: compressed, written as plain letters, and unpacked by the page when it is needed."""

from __future__ import annotations

import base64
import json
import zlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PACK: Final = 300_000
"""About how many characters are packed together; a page unpacks one pack to show one detail."""


def packed(value: object) -> str:
    """Compress a value of JSON, or text as it is, and write it in base 64.

    Example:
        >>> unpacked(packed({"a": ["<b>", None]}))
        '{"a":["<b>",null]}'
    """
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode("ascii")


def unpacked(letters: str) -> str:
    """Give back the text that was packed."""
    return zlib.decompress(base64.b64decode(letters)).decode()


def packs(numbered: Iterable[tuple[int, Any]]) -> Iterator[tuple[list[int], str]]:
    """Pack numbered values of JSON, so many together that unpacking one is quick.

    Args:
        numbered: Numbers with their values.

    Returns:
        The numbers of each pack, and the pack: a list of pairs of number and value.
    """
    pack: list[tuple[int, Any]] = []
    held = 0
    for number, value in numbered:
        pack.append((number, value))
        held += len(json.dumps(value))
        if held > PACK:
            yield [one for one, _ in pack], packed(pack)
            pack, held = [], 0
    if pack:
        yield [one for one, _ in pack], packed(pack)
