from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.interpretation.shapes import adopted, attempt, chain, evidence, judgment, rejected, verdict
from tests.interpretation.strategies import broken_verdicts, json_objects
from verdict_frames.errors import ArgumentError
from verdict_frames.interpretation.reader import interpret
from verdict_frames.interpretation.stored_form import from_builtins, from_json, to_builtins, to_json
from verdict_frames.interpretation.summary import summarize
from verdict_frames.vocabulary import DefectKind, Reading, Support

if TYPE_CHECKING:
    from verdict_frames.records import Interpretation


@given(json_objects() | broken_verdicts())
def test_any_json_is_read_untouched_and_alike_r10_r12(stored: dict[str, Any]) -> None:
    before = copy.deepcopy(stored)
    first = interpret(stored)
    assert repr(stored) == repr(before)
    assert interpret(stored) == first
    assert to_json(interpret(before)) == to_json(first)


@given(broken_verdicts())
def test_stored_form_goes_both_ways_r36(stored: dict[str, Any]) -> None:
    interpretation = interpret(stored)
    assert from_builtins(to_builtins(interpretation)) == interpretation
    assert from_json(to_json(interpretation)) == interpretation
    assert interpretation.summary == summarize(interpretation)
    supported = interpretation.reading_support
    contradicted = any(defect.kind is DefectKind.INCONSISTENT for defect in interpretation.defects)
    assert (supported is Support.CONTRADICTED) == contradicted
    if interpretation.reading is None:
        assert supported is not Support.SUPPORTED


@pytest.mark.parametrize("wrong", [None, [], "{}", 3, b"{}"])
def test_only_a_wrong_call_raises_r10(wrong: Any) -> None:
    with pytest.raises(ArgumentError, match=f"not {type(wrong).__name__}"):
        interpret(wrong)


def facts(interpretation: Interpretation) -> tuple[Reading | None, str | None, list[tuple[str, str | None]]]:
    """What several shapes can tell alike: the reading, the root's status, and the judges by name."""
    root = interpretation.root
    return interpretation.reading, root.status, [(judge.name, judge.status) for judge in root.judges]


@given(
    st.sampled_from(["pass", "fail", "abstain", "error"]),
    st.dictionaries(st.text(min_size=1, max_size=5), st.sampled_from(["pass", "fail", "abstain", "error"]), max_size=4),
)
def test_same_facts_in_every_shape_give_the_same_reading_r31(status: str, judges: dict[str, str]) -> None:
    modern = verdict(judgment(status), {name: judgment(said) for name, said in judges.items()})
    middle = {key: modern[key] for key in ("aggregated", "individual", "individualByName", "weights")}
    middle["compositeAttempts"] = []
    old = {
        "aggregated": judgment(status.upper(), score={"value": status == "pass"}),
        "individual": [judgment(said.upper()) for said in judges.values()],
        "individualByName": {name: judgment(said.upper()) for name, said in judges.items()},
        "weights": {"0": 1.0},
        "subVerdicts": [],
    }
    told = [facts(interpret(shape)) for shape in (modern, middle, old)]
    assert told[0] == told[1] == told[2]


@pytest.mark.parametrize("levels", [1, 63, 64, 65, 200, 5_000])
def test_nesting_is_read_down_to_64_levels_and_safe_beyond_r71_r87(levels: int) -> None:
    interpretation = interpret(chain(levels))
    too_deep = [(defect.kind, defect.field) for defect in interpretation.defects]
    assert len(interpretation.stages) == min(levels, 64)
    assert (too_deep.count((DefectKind.UNPARSEABLE, "compositeAttempts")) == 1) == (levels >= 64)
    assert ((DefectKind.UNPARSEABLE, "decision") in too_deep) == (levels >= 65)
    assert interpretation.reading is Reading.ACCEPTED
    if levels < 65:
        assert interpretation.decided_by is not None
        assert interpretation.decided_by.path == ("t1",) * levels
        assert interpretation.reading_support is Support.SUPPORTED
    else:
        assert interpretation.decided_by is None
        assert interpretation.reading_support is Support.UNDETERMINED


def test_deep_aggregates_are_compared_without_recursion_r83() -> None:
    one: Any = 1
    two: Any = 2
    for _ in range(5_000):
        one, two = [one], [two]
    root = judgment(metadata=evidence() | {"deep": one})
    child = verdict(judgment(metadata=evidence() | {"deep": two}))
    interpretation = interpret(adopted(attempt(child=child)) | {"aggregated": root})
    assert [(defect.path, defect.field) for defect in interpretation.defects] == [("verdict.decision", "basis")]
    child["aggregated"]["metadata"]["deep"] = one
    assert interpret(adopted(attempt(child=child)) | {"aggregated": root}).defects == ()


def test_complete_records_have_no_defects() -> None:
    for stored in (verdict(), adopted(), rejected()):
        interpretation = interpret(stored)
        assert interpretation.defects == ()
        assert interpretation.reading_support is Support.SUPPORTED
        assert interpretation.source_version == 1


def test_unpaired_surrogates_are_written_as_escapes_r106() -> None:
    interpretation = interpret(verdict(judgment(reasoning="\ud800")))
    assert json.loads(to_json(interpretation))["root"]["reasoning"] == "\ud800"
    assert from_json(to_json(interpretation)) == interpretation


@pytest.mark.parametrize("place", ["aggregated", "individual", "seats", "decision", "compositeAttempts"])
def test_unpaired_surrogates_anywhere_raise_nothing_r10_r106(place: str) -> None:
    for content in ("\ud800", ["\ud800"], {"\ud800": "\ud800"}, [{"keySource": "\ud800", "status": "\ud800"}]):
        assert interpret(verdict() | {place: content}).schema_version == 1
    nested = verdict(judgment(metadata={"aggregation": {"strategy": "\ud800", "inputCount": "\ud800"}}))
    nested["seats"][0]["keySource"] = "\ud800"
    nested["individual"][0]["score"] = "\ud800"
    assert interpret(adopted(attempt(child=nested, relation="\ud800", policy="\ud800"))).schema_version == 1
