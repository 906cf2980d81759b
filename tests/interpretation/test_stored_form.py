from __future__ import annotations

import json
from typing import Any

import pytest

from tests.interpretation.shapes import judgment, rejected, verdict
from verdict_frames.errors import InterpretationFormatError
from verdict_frames.interpretation.reader import interpret
from verdict_frames.interpretation.stored_form import differences, from_builtins, from_json, to_builtins, to_json

STAGE_KEYS = (
    "stage path relation policy disposition reason failure usedByParent status reasonCode reasoning evidence judges"
).split()
SEAT_KEYS = "position name keySource status reasonCode score scoreScale reasoning checks".split()
EVIDENCE_KEYS = (
    "strategy errorPolicy notApplicablePolicy inputCount eligibleCount explicitAbstainCount notApplicableCount"
    " errorCount ignoredErrorCount errorsTreatedAsAbstainCount errorsTreatedAsFailCount notApplicableTreatedAsFailCount"
    " errorCodeCounts passCount failCount threshold bindingIndex inputWeight eligibleWeight"
).split()


def test_keys_stand_in_their_order_and_only_the_scale_is_left_out_r32_r36() -> None:
    stored = verdict()
    stored["individual"][0]["score"] = {"value": 3, "min": 1, "max": 5}
    stored["individual"][0]["checks"] = [{"name": "n", "passed": False, "message": "m"}]
    written = to_builtins(interpret(stored))
    top = "schemaVersion sourceVersion reading readingSupport decidedBy root stages defects summary".split()
    assert list(written) == top
    assert list(written["root"]) == STAGE_KEYS
    assert list(written["root"]["evidence"]) == EVIDENCE_KEYS
    (seat,) = written["root"]["judges"]
    assert list(seat) == SEAT_KEYS
    assert seat["scoreScale"] == {"min": 1.0, "max": 5.0}
    assert seat["checks"] == [{"name": "n", "passed": False, "detail": "m"}]
    (bare,) = to_builtins(interpret(verdict()))["root"]["judges"]
    assert list(bare) == [key for key in SEAT_KEYS if key != "scoreScale"]
    assert bare["score"] is None
    assert to_builtins(interpret(rejected()))["decidedBy"] == {
        "stage": "t1",
        "path": ["t1"],
        "basis": "individual_rejection",
    }
    assert list(to_builtins(interpret({}))["defects"][0]) == ["path", "field", "kind", "note"]


def test_numbers_have_the_types_of_their_fields_r37() -> None:
    stored = verdict(judgment(score=1))
    block = {"strategy": "average", "threshold": 1, "inputWeight": 2, "inputCount": 3.0, "errorCodeCounts": {"x": 2.9}}
    stored["aggregated"]["metadata"] = {"aggregation": block}
    stored["individual"][0]["score"] = -0.0
    text = to_json(interpret(stored)).decode()
    assert '"threshold":1.0' in text
    assert '"inputWeight":2.0' in text
    assert '"inputCount":3,' in text
    assert '"errorCodeCounts":{"x":2}' in text
    assert '"score":-0.0' in text


@pytest.mark.parametrize(
    ("key", "value", "named"),
    [
        ("reading", "GREAT", "reading"),
        ("readingSupport", None, "readingSupport"),
        ("root", [], "root"),
        ("stages", [{}], "stages"),
        ("summary", 3, "summary"),
        ("schemaVersion", "1", "schemaVersion"),
        ("reading", "\ud800", "surrogates"),
        ("\ud800", 1, "surrogates"),
        ("root", {"judges": [{"position": 2**31}]}, "root"),
    ],
)
def test_what_is_no_stored_interpretation_is_refused_by_name(key: str, value: Any, named: str) -> None:
    stored = to_builtins(interpret(verdict())) | {key: value}
    with pytest.raises(InterpretationFormatError, match=rf"not a stored interpretation.*{named}"):
        from_builtins(stored)


def test_unknown_keys_are_ignored_and_text_that_is_no_json_is_refused() -> None:
    interpretation = interpret(verdict())
    assert from_builtins(to_builtins(interpretation) | {"later": 1}) == interpretation
    for text in ("{", "[]", "null", "[" * 100_000):
        with pytest.raises(InterpretationFormatError, match=r"not JSON|not a stored interpretation"):
            from_json(text)


def test_differences_name_fields_and_pass_over_prose() -> None:
    one = to_builtins(interpret(rejected()))
    other = json.loads(json.dumps(one))
    other["summary"] = "in other words"
    assert differences(from_builtins(one), from_builtins(other)) == []
    other["reading"] = "ACCEPTED"
    other["decidedBy"] = None
    other["root"]["judges"][0]["status"] = "pass"
    other["stages"].append(other["stages"][0])
    found = differences(from_builtins(one), from_builtins(other))
    assert found == ["reading", "decidedBy", "root.judges[0].status", "stages"]


@pytest.mark.parametrize("version", [0, 2, 99])
def test_other_schema_versions_are_refused(version: int) -> None:
    stored = to_builtins(interpret(verdict())) | {"schemaVersion": version}
    with pytest.raises(InterpretationFormatError, match=f"schema version {version}; this version reads 1 only"):
        from_builtins(stored)


def test_numbers_that_no_table_has_room_for_are_refused() -> None:
    stored = to_builtins(interpret(verdict()))
    for place, value in (("position", 2**31), ("score", 1.5), ("score", float("nan"))):
        broken = json.loads(json.dumps(stored))
        broken["root"]["judges"][0][place] = value
        with pytest.raises(InterpretationFormatError, match=place):
            from_builtins(broken)
