from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verdict_frames.errors import ArgumentError, PatternError
from verdict_frames.sources.path_facts import PathFacts, PathPattern, layout_facts, names_run, repeat_number
from verdict_frames.sources.reader import ResultFiles

if TYPE_CHECKING:
    from pathlib import Path

UUID = "3f2b8f0e-0000-4000-8000-000000000001"


def facts(path: str, *, experiment_id: str | None = None, experiment_name: str | None = "exp") -> PathFacts:
    return layout_facts(path.split("/"), experiment_id=experiment_id, experiment_name=experiment_name)


@pytest.mark.parametrize(
    ("path", "session", "variant"),
    [
        ("results/exp/sessions/20260301-101500/hardened+skills.json", "20260301-101500", "hardened+skills"),
        ("sessions/s/v1.2.json", "s", "v1.2"),
        ("exp/sessions/s/workspaces/v.json", None, None),
        ("exp/sessions/v.json", None, None),
        (f"results/exp/{UUID}.json", None, None),
        (f"results/exp/simple/{UUID}.json", None, "simple"),
        ("results/exp/simple/run-1.json", None, None),
        (f"results/other/simple/{UUID}.json", None, None),
        (f"exp/exp/{UUID}.json", None, None),
        ("v.json", None, None),
    ],
)
def test_the_layout_of_a_store_tells_session_and_variant(path: str, session: str | None, variant: str | None) -> None:
    assert facts(path) == PathFacts(session=session, variant=variant)


def test_the_flat_layout_wants_the_files_own_id_or_a_uuid() -> None:
    assert facts("results/exp/simple/run-1.json", experiment_id="run-1") == PathFacts(variant="simple")
    assert facts("results/exp/simple/run-1.json", experiment_id="run-2") == PathFacts()
    assert facts(f"a/b/{UUID}.json", experiment_name=None) == PathFacts()


@pytest.mark.parametrize(
    ("stem", "own"),
    [(UUID, True), (UUID.upper(), True), ("run-7", True), (UUID.replace("-", ""), False), ("a", False), ("", False)],
)
def test_a_copy_named_by_its_run(stem: str, own: bool) -> None:  # noqa: FBT001
    assert names_run(stem, "run-7") is own


@pytest.mark.parametrize(
    ("pattern", "path", "found"),
    [
        ("{experiment}/{variant}/{repeat}.json", "x/e/v/3.json", {"experiment": "e", "variant": "v", "repeat": "3"}),
        ("{variant}/run-{repeat}.json", "a/é ü/run-03.json", {"variant": "é ü", "repeat": "03"}),
        ("{variant}/*/{_}.json", "v:=+/anything/x.json", {"variant": "v:=+"}),
        ("{variant}_{repeat}.json", "a_b_2.json", {"variant": "a_b", "repeat": "2"}),
        ("{session}/{run}.verdict.json", "s/r 1.verdict.json", {"session": "s", "run": "r 1"}),
        ("{variant}.json", "q/a.json", {"variant": "a"}),
        ("v*.json", "v.json", {}),
        ("v{_}.json", "v.json", None),
        ("{variant}/{repeat}.json", "3.json", None),
        ("{variant}/{repeat}.json", "v/3.jsonl", None),
        ("{variant}/a.json", "v/aXjson", None),
    ],
)
def test_a_pattern_is_held_against_the_end_of_a_path(pattern: str, path: str, found: dict[str, str] | None) -> None:
    expected = None if found is None else PathFacts(**found)
    assert PathPattern(pattern).match(path.split("/")) == expected


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("{arm}/{repeat}.json", "{arm} is unknown; there are {experiment}, {session}, {variant}, {repeat}, {run}"),
        ("{}/x.json", "{} is unknown"),
        ("", "empty part"),
        ("/{variant}.json", "empty part"),
        ("{variant}//x.json", "empty part"),
        ("{variant}/{variant}.json", "{variant} twice"),
        ("{variant}{repeat}.json", "nothing between"),
        ("*{repeat}.json", "nothing between"),
        ("{variant/x.json", "has no partner"),
        ("variant}/x.json", "has no partner"),
        ("**/{variant}.json", "leave leading folders out"),
    ],
)
def test_a_pattern_that_cannot_be_used_raises(pattern: str, words: str) -> None:
    with pytest.raises(PatternError) as caught:
        PathPattern(pattern)
    assert words in str(caught.value)
    assert repr(pattern) in str(caught.value)
    assert "\n" not in str(caught.value)


NAMES = st.text(st.characters(codec="utf-8", exclude_characters="/"), min_size=1)


@given(NAMES, NAMES, st.integers(0, 999), st.lists(NAMES, max_size=3))
def test_any_name_without_a_slash_is_found_whole(experiment: str, variant: str, repeat: int, above: list[str]) -> None:
    found = PathPattern("{experiment}/{variant}/{repeat}.json").match([*above, experiment, variant, f"{repeat}.json"])
    assert found == PathFacts(experiment=experiment, variant=variant, repeat=str(repeat))


@pytest.mark.parametrize("pattern", [5, b"{variant}", ["{variant}"]])
def test_a_pattern_that_is_no_text_raises(pattern: Any) -> None:
    with pytest.raises(
        ArgumentError, match=rf"a text such as {{variant}}/{{repeat}}.json, not {type(pattern).__name__}"
    ):
        PathPattern(pattern)


def test_an_unknown_placeholder_is_shown_in_one_line() -> None:
    with pytest.raises(PatternError) as caught:
        PathPattern("{a\n\x1b[31mb}")
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("text", "number"),
    [("007", 7), ("0", 0), ("-1", None), ("٣", None), ("2147483648", None), ("", None), (None, None)],
)
def test_a_repeat_as_a_number(text: str | None, number: int | None) -> None:
    assert repeat_number(text) == number


def test_a_pattern_that_matches_no_path_is_a_wrong_call(tmp_path: Path) -> None:
    for name in ("a/1.json", "b/1.json"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text('{"aggregated": {"status": "pass"}}')
    with pytest.raises(PatternError, match=r"'\{variant\}/run\{repeat\}' matches none of 2 paths, such as .*a/1\.json"):
        list(ResultFiles(tmp_path, path_pattern="{variant}/run{repeat}").runs())
    some = list(ResultFiles(tmp_path, path_pattern="{variant}/{repeat}.json").runs())
    assert [(run.variant, run.repeat) for run in some] == [("a", 1), ("b", 1)]
    one = list(ResultFiles(tmp_path, path_pattern="a/{repeat}.json").runs())
    assert [run.repeat for run in one] == [1, None]
