from __future__ import annotations

from typing import Any

import pytest

from verdict_frames.errors import ArgumentError, OptionError
from verdict_frames.frames.in_memory import from_records
from verdict_frames.sources.aliases import read_aliases


def test_none_and_itself_are_allowed() -> None:
    assert read_aliases(None) == {}
    assert read_aliases({"a": "b", "c": "b", "b": "b", "d": "d"})["c"] == "b"


@pytest.mark.parametrize("aliases", [["a"], "a=b", 5, {"a": 1}, {1: "a"}, {"a": None}])
def test_aliases_map_text_to_text(aliases: Any) -> None:
    with pytest.raises(ArgumentError) as caught:
        read_aliases(aliases)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("aliases", "words"),
    [
        ({"a": "b", "b": "c"}, "leads on to 'c'"),
        ({"a": "b", "b": "a"}, "leads on to 'a'"),
        ({"a": " "}, "blank name"),
        ({"": "a"}, "blank name"),
    ],
)
def test_impossible_aliases_are_refused(aliases: dict[str, str], words: str) -> None:
    with pytest.raises(OptionError, match=words):
        read_aliases(aliases)


def test_records_in_memory_get_the_names_of_today() -> None:
    rows = [{"run_id": "r", "variant": variant, "item_id": "i", "verdict": None} for variant in ("old", "new", None)]
    corpus = from_records(rows, aliases={"old": "new", "was": "is"}, defaults={"variant": "was"})
    assert corpus.runs.select("variant", "item_count").rows() == [("new", 2), ("is", 1)]
