"""Deep equality of parsed JSON, strict on type (R9)."""

from __future__ import annotations

import math
from collections.abc import Mapping

import msgspec


def deeply_equal(left: object, right: object) -> bool:
    """Tell whether two JSON values are the same value.

    Key order is irrelevant, list order matters, `1` is not `1.0`, `true` is not `1`, `0.0` is not `-0.0`, and a missing
    key is not a key that holds null. The comparison keeps its own stack, so that no nesting is too deep for it.

    Example:
        >>> deeply_equal({"a": 1, "b": [0.0]}, {"b": [0.0], "a": 1})
        True
        >>> deeply_equal(1, 1.0), deeply_equal(0.0, -0.0), deeply_equal({}, {"a": None})
        (False, False, False)
    """
    try:
        if msgspec.msgpack.encode(left) == msgspec.msgpack.encode(right):
            return True  # equal bytes are equal values; others may still differ in key order alone
    except (msgspec.ValidationError, RecursionError, TypeError, ValueError, OverflowError):
        pass  # too deep, too large or no JSON: the comparison below takes anything
    pending: list[tuple[object, object]] = [(left, right)]
    while pending:
        one, other = pending.pop()
        if isinstance(one, Mapping) and isinstance(other, Mapping):
            if len(one) != len(other) or any(key not in other for key in one):
                return False
            pending.extend((value, other[key]) for key, value in one.items())
        elif isinstance(one, list) and isinstance(other, list):
            if len(one) != len(other):
                return False
            pending.extend(zip(one, other, strict=True))
        elif not _same_scalar(one, other):
            return False
    return True


def _same_scalar(one: object, other: object) -> bool:
    if type(one) is not type(other):
        return False
    if isinstance(one, float) and isinstance(other, float):
        if math.isnan(one) or math.isnan(other):
            return math.isnan(one) and math.isnan(other)
        return one == other and math.copysign(1.0, one) == math.copysign(1.0, other)
    return one == other
