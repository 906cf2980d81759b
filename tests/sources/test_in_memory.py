from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st

from tests.sources.stores import Read
from verdict_frames.interpretation.reader import interpret
from verdict_frames.interpretation.stored_form import to_builtins
from verdict_frames.sources.in_memory import Records
from verdict_frames.sources.run_names import RunNames, name_runs

if TYPE_CHECKING:
    import pytest

    from verdict_frames.documents.seen import Problem
    from verdict_frames.sources.recorded import RecordedRun

_scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6)
_json = _scalars | st.lists(_scalars, max_size=2) | st.dictionaries(st.text(max_size=6), _scalars, max_size=2)
_verdicts = st.dictionaries(st.sampled_from(["aggregated", "individual", "seats", "decision"]), _json, min_size=1)


def _as_json(value: Any) -> Any:
    """The value as JSON has it: null in place of what isn't finite."""
    return json.loads(json.dumps(value), parse_constant=lambda _: None)


@st.composite
def _stored_items(draw: st.DrawFn) -> dict[str, Any]:
    extra = draw(st.dictionaries(st.sampled_from("passed costUsd scores metadata executionDetail".split()), _json))
    item: dict[str, Any] = {"itemId": "i", "success": True, **_as_json(extra)}
    for part in ("verdict", "interpretation"):
        sort = draw(st.sampled_from(["whole", "none", "any"]))
        if sort == "whole":
            verdict = _as_json(draw(_verdicts))
            item[part] = verdict if part == "verdict" else to_builtins(interpret(verdict))
        elif sort == "any":
            item[part] = _as_json(draw(st.integers() | st.lists(_json, max_size=2) | st.dictionaries(st.text(), _json)))
    return item


@st.composite
def _stored_values(draw: st.DrawFn) -> dict[str, Any]:
    match draw(st.sampled_from(["item", "verdict", "result", "foreign"])):
        case "item":
            return draw(_stored_items())
        case "verdict":
            return {"aggregated": None, **_as_json(draw(_verdicts))}
        case "result":
            return {"experimentId": f"r{draw(st.integers(0, 9))}", "items": draw(st.lists(_stored_items(), max_size=2))}
        case _:
            return {"message": _as_json(draw(_json))}


@given(st.lists(_stored_values(), max_size=5, unique_by=lambda value: value.get("experimentId", id(value))))
def test_records_say_what_the_same_file_says(tmp_path_factory: pytest.TempPathFactory, values: list[Any]) -> None:
    path = tmp_path_factory.mktemp("store") / "records"
    path.write_text("".join(json.dumps(value) + "\n" for value in values))
    read = Read(path)
    from_file = _comparable(read.runs)
    for records in (values, list(map(json.dumps, values))):
        source = Records(records)
        runs = list(source.runs())
        assert _comparable(runs) == from_file
        if runs:  # a file without anything readable has one problem for all of it
            assert _problems(source.problems) == _problems(read.problems)


def _comparable(runs: list[RecordedRun]) -> list[Any]:
    for run in runs:
        run.path = run.copies = None  # type: ignore[assignment]
        for item in run.items:  # metadata is kept as written, escapes included
            item.metadata = item.metadata and repr(json.loads(item.metadata))
    return sorted(runs, key=lambda run: run.run_id)


def _problems(problems: list[Problem]) -> list[Any]:
    said = [(problem.kind, problem.item_index, problem.message.split(" is left out")[-1]) for problem in problems]
    return sorted(said, key=repr)


def test_iterating_again_gives_the_same() -> None:
    source = Records(["{", {"aggregated": {}}])
    first, problems = list(source.runs()), source.problems
    assert list(source.runs()) == first
    assert source.problems == problems
    assert len(problems) == 1


_names = st.none() | st.sampled_from(["a", "b", "a#2", "variant=a"])


@given(
    st.lists(st.builds(RunNames, run_id=_names, variant=_names, repeat=st.none() | st.integers(0, 1)), unique=True),
    st.sets(st.sampled_from(["a", "records", "variant=a"])),
)
def test_every_run_gets_an_id_of_its_own(runs: list[RunNames], taken: set[str]) -> None:
    ids = name_runs(runs, otherwise="records", taken=taken)
    assert len({*ids, *taken}) == len(runs) + len(taken)
    assert all(
        run_id.startswith(run.run_id or ("variant=", "repeat=", "records"))
        for run, run_id in zip(runs, ids, strict=True)
    )
