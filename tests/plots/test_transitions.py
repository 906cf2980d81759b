from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from matplotlib.collections import PolyCollection

from tests.plots.reading_off import legend, texts
from tests.statistics.corpora import Row, corpus, judged, unjudged
from verdict_frames.errors import ArgumentError, OptionError
from verdict_frames.plots.transitions import plot_transitions
from verdict_frames.statistics.comparison.compare import compare

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from verdict_frames.statistics.comparison.result import Comparison


def compared(sides: dict[str, list[str]]) -> Comparison:
    """Sides by name, trials in each; a letter is the state of the next item: accepted and so on, or a dot for none."""
    rows: dict[str, Row] = {
        "a": judged("ACCEPTED"),
        "r": judged("REJECTED"),
        "n": judged("NOT_ASSESSED"),
        "f": unjudged(success=False),
    }
    runs, variants = {}, {}
    for side, trials in sides.items():
        for number, letters in enumerate(trials):
            run = f"{side}-{number}"
            variants[run] = side
            runs[run] = [
                rows[letter] | {"item_id": str(place)} for place, letter in enumerate(letters) if letter != "."
            ]
    return compare(corpus(runs, variant=variants), by="variant", baseline=next(iter(sides)))


def numbers(ax: Axes) -> dict[tuple[float, float], str]:
    return {text.get_position(): text.get_text() for text in ax.texts}


def ticks(ax: Axes) -> tuple[list[str], list[str]]:
    return [text.get_text() for text in ax.get_xticklabels()], [text.get_text() for text in ax.get_yticklabels()]


def side(ax: Axes, label: str) -> list[float]:
    """How wide the squares of one look are."""
    (found,) = [each for each in ax.collections if isinstance(each, PolyCollection) and each.get_label() == label]
    return [float(path.get_extents().width) for path in found.get_paths()]


def test_each_pair_of_states_has_its_number_where_they_cross() -> None:
    ax = plot_transitions(compared({"before": ["aaaarn."], "after": ["aaaraaf"]}))
    assert ticks(ax) == (["accepted", "rejected", "agent failed"], ["accepted", "rejected", "not assessed", "new"])
    assert numbers(ax) == {(0, 0): "3", (1, 0): "1", (0, 1): "1", (0, 2): "1", (2, 3): "1"}
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("with after", "with before")


def test_areas_grow_with_numbers_and_looks_tell_the_direction() -> None:
    ax = plot_transitions(compared({"before": ["aaaarn."], "after": ["aaaraaf"]}))
    assert side(ax, "the same with both") == pytest.approx([0.92])
    assert side(ax, "accepted with the baseline only") == pytest.approx([0.92 / 3**0.5])
    assert len(side(ax, "accepted with the treatment only")) == 2
    assert legend(ax) == [
        "the same with both",
        "accepted with the treatment only",
        "accepted with the baseline only",
        "another change, or unlike trials",
    ]


def test_unlike_trials_are_never_taken_for_a_gain() -> None:
    ax = plot_transitions(compared({"before": ["a", "r"], "after": ["a", "a"]}))
    assert ticks(ax) == (["accepted"], ["mixed"])
    assert legend(ax) == ["another change, or unlike trials"]


def test_one_of_several_treatments_has_to_be_named() -> None:
    three = compared({"base": ["ar"], "one": ["aa"], "two": ["rr"]})
    with pytest.raises(OptionError, match="there are 2 treatments: name one of one, two with treatment="):
        plot_transitions(three)
    with pytest.raises(OptionError, match="treatment='base': it is one of one, two"):
        plot_transitions(three, treatment="base")
    assert numbers(plot_transitions(three, treatment="two")) == {(0, 0): "1", (0, 1): "1"}


def test_no_items_and_wrong_calls() -> None:
    empty = compare(corpus({}), corpus({}))
    assert texts(plot_transitions(empty)) == ["no items"]
    with pytest.raises(ArgumentError, match="what compare returns is needed, not dict"):
        plot_transitions({})  # type: ignore[arg-type]
