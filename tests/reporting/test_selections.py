"""Sets of items in short, and back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from verdict_frames.reporting.selections import Selections, ranges


@given(st.sets(st.integers(0, 60), min_size=1))
def test_ranges_name_every_number_once(numbers: set[int]) -> None:
    found: list[int] = []
    for part in ranges(sorted(numbers)).split(","):
        first, _, last = part.partition("-")
        found.extend(range(int(first), int(last or first) + 1))
    assert found == sorted(numbers)


def test_the_same_items_under_the_same_label_are_held_once() -> None:
    selections = Selections()
    assert selections.link((1, 2), ["a", "b"]) == "#selection-0"
    assert selections.link((1, 2), ["a", "c"]) == "#selection-1"
    assert selections.link((1, 2), ["a", "b"]) == "#selection-0"
    assert selections.link((), ["a"]) == ""
    assert selections.link(None, ["a"]) == ""
    assert selections.encoded() == [["a · b", "1-2"], ["a · c", "1-2"]]
