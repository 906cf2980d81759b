from __future__ import annotations

import math
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verdict_frames.interpretation.equality import deeply_equal
from verdict_frames.interpretation.values import (
    is_blank,
    is_number,
    is_object,
    to_count,
    to_double,
    to_int32,
    to_int64,
)


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (2**31, -(2**31)),
        (2**32 + 5, 5),
        (-1, -1),
        (10**30, 10**30 % 2**32 - 2**32 * (10**30 % 2**32 >= 2**31)),
        (2.9, 2),
        (-0.5, 0),
        (1e30, 2**31 - 1),
        (-1e30, -(2**31)),
        (math.inf, 2**31 - 1),
        (-math.inf, -(2**31)),
    ],
)
def test_int32_keeps_low_bits_of_integers_and_clamps_reals_r7(number: float, expected: int) -> None:
    assert to_int32(number) == expected


@given(st.integers())
def test_low_bits_agree_with_two_s_complement_bytes_r7_r8(number: int) -> None:
    for convert, size in ((to_int32, 4), (to_int64, 8)):
        low = (number & (2 ** (8 * size) - 1)).to_bytes(size, "big")
        assert convert(number) == int.from_bytes(low, "big", signed=True)


def test_integers_beyond_doubles_become_infinite_r6() -> None:
    assert to_double(10**400) == math.inf
    assert to_double(-(10**400)) == -math.inf
    assert to_double(2**53 + 1) == 2.0**53


@pytest.mark.parametrize(
    ("number", "expected"),
    [(3.0, 3), (-0.0, 0), (-7, -7), (2**31 - 1, 2**31 - 1), (2**31, None), (-(2**31), None), (1.5, None)],
)
def test_counts_are_whole_and_within_int32_r63(number: float, expected: int | None) -> None:
    assert to_count(number) == expected
    assert to_count(math.inf) is None


def test_booleans_are_no_numbers_r5_and_lists_no_objects_r2() -> None:
    assert not is_number(True)
    assert is_number(0)
    assert not is_object([])
    assert not is_object({1: "a"})
    assert is_object({})


def test_blank_follows_java_r57() -> None:
    for code in range(0x110000):
        character = chr(code)
        java = (unicodedata.category(character) in {"Zs", "Zl", "Zp"} and code not in (0xA0, 0x2007, 0x202F)) or (
            0x09 <= code <= 0x0D or 0x1C <= code <= 0x1F
        )
        assert is_blank(character) == java, hex(code)
    assert is_blank("")
    assert not is_blank(" a ")


def test_equality_is_strict_on_type_r9() -> None:
    values = [1, 1.0, True, 0, 0.0, -0.0, False, None, "1", [], {}, [1], [1.0], {"a": 1}, {"a": None}, {"b": 1}]
    for index, one in enumerate(values):
        for other_index, other in enumerate(values):
            assert deeply_equal(one, other) == (index == other_index), (one, other)
    assert deeply_equal({"a": 1, "b": [2, {"c": 3}]}, {"b": [2, {"c": 3}], "a": 1})
    assert not deeply_equal([1, 2], [2, 1])
    assert deeply_equal(10**400, 10**400)
    assert deeply_equal([math.nan], [math.nan])


def test_equality_of_deep_values_needs_no_recursion_r9() -> None:
    deep: list[object] = [[], []]
    for _ in range(200_000):
        deep = [[deep[0]], {"a": deep[1]}]
    one: object = 1
    two: object = 1
    for _ in range(200_000):
        one, two = {"a": [one]}, {"a": [two]}
    assert deeply_equal(one, two)
    assert not deeply_equal(deep[0], deep[1])
