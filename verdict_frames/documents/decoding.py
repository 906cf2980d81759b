"""JSON as users have it → Python values: a fast strict decoder first, a tolerant one where that refuses.

The tolerant one reads what is harmless (numbers beyond a double, unpaired surrogates, integers of more than 4,300
digits; R103–R106); both give the same value wherever both give one. Neither reads `NaN` or `Infinity`.
"""

from __future__ import annotations

import json
import math
import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final, TypeVar

import msgspec

from verdict_frames.vocabulary import ProblemKind

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")
Buffer = bytes | msgspec.Raw

UTF8_MARK: Final = b"\xef\xbb\xbf"
_UTF16_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")
_DIGITS: Final = 4_000
_OUTSIDE_STRINGS: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|(?P<constant>-?Infinity|NaN)', re.DOTALL)
_CUT_OFF: Final = "it ends in the middle of a value, so it was cut off; restore it or write it again"
_WORDS: Final = ("true", "false", "null", "-")
_ESCAPE_OR_NUMBER_BEGUN: Final = re.compile(r"u[0-9a-fA-F]{0,4}|\.|[eE][+-]?")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


class UndecodableError(Exception):
    """Bytes that can't be decoded; it never reaches a caller, but becomes a row of `problems`.

    Attributes:
        kind: `syntax`, or `limit` for nesting that is too deep.
        reason: What is wrong and what would mend it, without the place.
        byte: Offset of the place in the bytes that were decoded, from 0; null where there is no one place.
        line: Line of the place, from 1; null likewise.
    """

    def __init__(self, kind: ProblemKind, reason: str, *, byte: int | None = None, line: int | None = None) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason
        self.byte = byte
        self.line = line


class _ConstantError(ValueError):
    """A `NaN` or `Infinity` literal was met."""


def decode(data: Buffer, fast: Callable[[Buffer], T], build: Callable[[Any], T]) -> T:
    """Decode by `fast`, and where that refuses, decode tolerantly and let `build` make the same kind of value.

    Raises:
        UndecodableError: If the bytes are no JSON, or are nested more deeply than the decoders can follow.
    """
    try:
        try:
            return fast(data)
        except (msgspec.DecodeError, UnicodeDecodeError):  # the second from msgspec before 0.23
            return build(decode_tolerantly(bytes(data)))
    except RecursionError:
        reason = "nested more deeply than the decoder can follow; no writer of results nests so deeply"
        raise UndecodableError(ProblemKind.LIMIT, reason) from None


def decode_tolerantly(data: bytes) -> Any:  # noqa: ANN401
    """Decode with the tolerant decoder alone.

    Raises:
        UndecodableError: If the bytes are no JSON.
        RecursionError: If they are nested too deeply.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.reason == "unexpected end of data":
            raise _syntax(data, len(data), _CUT_OFF) from None
        found = "UTF-16" if data.startswith(_UTF16_MARKS) else "not UTF-8"
        raise _syntax(data, error.start, f"the text is {found}; save it as UTF-8") from None
    try:
        return _TOLERANT.decode(text)
    except _ConstantError as error:
        place = next(match.start("constant") for match in _OUTSIDE_STRINGS.finditer(text) if match["constant"])
        reason = f"{error} is no JSON value; write null instead"
        raise _syntax(data, len(text[:place].encode()), reason) from None
    except json.JSONDecodeError as error:
        raise _refusal(data, text, error) from None


def _line_of(data: bytes, byte: int) -> int:
    """Line of an offset, from 1."""
    return data.count(b"\n", 0, byte) + 1


def to_json(value: object) -> str:
    """Compact JSON text of a decoded value, however deep, of any number that was decoded.

    Unpaired surrogates stay escaped. A number beyond a double is written as `1e999`, which every reader takes for the
    same infinity.

    Examples:
        >>> to_json({"a": [1, 2.5, None], "b": float("inf")})
        '{"a":[1,2.5,null],"b":1e999}'
    """
    try:
        plain = json.dumps(value, ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":"))
    except (ValueError, RecursionError):
        return _part_by_part(value)
    return plain if plain.isascii() or _SURROGATE.search(plain) is None else _part_by_part(value)


def _part_by_part(value: object) -> str:
    text: list[str] = []
    rest: list[object] = [value]
    while rest:
        part = rest.pop()
        if isinstance(part, _Literal):
            text.append(part.text)
        elif isinstance(part, dict):
            rest.append(_CLOSE_OBJECT)
            for place, (key, member) in zip(range(len(part) - 1, -1, -1), reversed(part.items()), strict=True):
                rest += [member, _Literal(f"{',' if place else ''}{_scalar(key)}:")]
            text.append("{")
        elif isinstance(part, list):
            rest.append(_CLOSE_ARRAY)
            for place in range(len(part) - 1, -1, -1):
                rest += [part[place], _COMMA] if place else [part[0]]
            text.append("[")
        else:
            text.append(_scalar(part))
    return "".join(text)


class _Literal(msgspec.Struct, frozen=True):
    """Text that is due after the value before it."""

    text: str


_CLOSE_OBJECT: Final = _Literal("}")
_CLOSE_ARRAY: Final = _Literal("]")
_COMMA: Final = _Literal(",")


def _scalar(value: object) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=_SURROGATE.search(value) is not None)
    if isinstance(value, float) and math.isinf(value):
        return "1e999" if value > 0 else "-1e999"
    if isinstance(value, int) and not isinstance(value, bool):
        return str(Decimal(value))  # unlike str(int), of any length
    return json.dumps(value)


def _refusal(data: bytes, text: str, error: json.JSONDecodeError) -> UndecodableError:
    if not text.strip():
        return UndecodableError(ProblemKind.SYNTAX, "it is empty", byte=0, line=1)
    end = len(text.rstrip())
    if _is_cut_off(text[error.pos : end], error.msg):
        return _syntax(data, len(text[:end].encode()), _CUT_OFF)
    place = len(text[: error.pos].encode())
    if error.msg == "Extra data":
        return _syntax(data, place, "there is more after the JSON value; one value a line is read from a .jsonl file")
    return _syntax(data, place, f"it is no JSON ({error.msg[0].lower()}{error.msg[1:]}); mend it or leave it out")


def _is_cut_off(rest: str, message: str) -> bool:
    """Whether what is left of a text, from the place that the decoder complains of, is the beginning of a value."""
    if message.startswith("Unterminated string"):
        return True
    return any(word.startswith(rest) for word in _WORDS) or _ESCAPE_OR_NUMBER_BEGUN.fullmatch(rest) is not None


def _syntax(data: bytes, byte: int, reason: str) -> UndecodableError:
    return UndecodableError(ProblemKind.SYNTAX, reason, byte=byte, line=_line_of(data, byte))


def _refuse_constant(token: str) -> None:
    raise _ConstantError(token)


def _integer(digits: str) -> int:
    """Exact, whatever the length, without touching the interpreter's own limit on digits (R105)."""
    if len(digits) <= _DIGITS:
        return int(digits)
    if digits.startswith("-"):
        return -_integer(digits[1:])
    high, low = digits[: len(digits) // 2], digits[len(digits) // 2 :]
    shift: int = 10 ** len(low)
    return _integer(high) * shift + _integer(low)


_TOLERANT: Final = json.JSONDecoder(parse_int=_integer, parse_constant=_refuse_constant)
