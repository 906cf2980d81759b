from __future__ import annotations

import json
from typing import Any

import pytest

from verdict_frames.documents.decoding import decode_tolerantly
from verdict_frames.documents.members import members_of
from verdict_frames.sources.kinds import Kind, classify, describe_foreign, peek_items

CASES: list[tuple[dict[str, Any], Kind]] = [
    ({"experimentId": "a", "items": []}, Kind.RESULT),
    ({"experimentId": "a", "items": None}, Kind.RESULT),
    ({"experimentId": None, "items": 5}, Kind.RESULT),
    ({"items": [5, {"itemId": "a"}]}, Kind.RESULT),
    ({"items": [{"verdict": {}}]}, Kind.RESULT),
    ({"items": [{"id": "a", "slug": "a", "path": "items/a"}], "name": "d"}, Kind.MANIFEST),
    ({"items": [{"id": "a", "name": "b"}]}, Kind.ITEM_LIST),
    ({"items": []}, Kind.ITEM_LIST),
    ({"items": {"itemId": "a"}}, Kind.ITEM_LIST),
    ({"aggregated": {}, "items": []}, Kind.ITEM_LIST),
    ({"itemId": "a", "verdict": None}, Kind.ITEM),
    ({"itemId": "a", "success": False}, Kind.ITEM),
    ({"itemId": "a", "verdict": "pass"}, Kind.ITEM),
    ({"verdict": {"aggregated": {}}}, Kind.ITEM),
    ({"interpretation": {}}, Kind.ITEM),
    ({"interpretation": {}, "weights": {}}, Kind.VERDICT),
    ({"itemId": "a", "model": "m"}, Kind.OTHER),
    ({"verdict": "pass", "case": 1}, Kind.OTHER),
    ({"aggregated": None}, Kind.VERDICT),
    ({"individual": []}, Kind.VERDICT),
    ({"individualByName": 7}, Kind.VERDICT),
    ({"compositeAttempts": []}, Kind.VERDICT),
    ({"subVerdicts": []}, Kind.VERDICT),
    ({"weights": {}}, Kind.VERDICT),
    ({"seats": []}, Kind.VERDICT),
    ({"decision": {"kind": "own"}}, Kind.VERDICT),
    ({"decision": "refund", "outcome": "refund"}, Kind.OTHER),
    ({"weights": [0.1, 0.2]}, Kind.OTHER),
    ({"judgment": {}, "schemaVersion": 5}, Kind.VERDICT),
    ({"judgment": {}, "schemaVersion": 6, "seats": []}, Kind.VERDICT),
    ({"judgment": {}, "schemaVersion": 4}, Kind.OTHER),
    ({"judgment": {}, "schemaVersion": "5"}, Kind.OTHER),
    ({"judgment": {}, "schemaVersion": True}, Kind.OTHER),
    ({"readingSupport": "SUPPORTED", "root": {}}, Kind.INTERPRETATION),
    ({"reading": None, "root": {}, "stages": []}, Kind.INTERPRETATION),
    ({"reading": "ACCEPTED"}, Kind.OTHER),
    ({"experimentName": "e", "entries": []}, Kind.INDEX),
    ({"sessionName": "s", "variants": []}, Kind.SESSION),
    ({"variants": []}, Kind.OTHER),
    ({"sweepName": "s", "resolutions": []}, Kind.SWEEP),
    ({"experimentId": "e", "status": "FINISHED", "config": {}}, Kind.JOURNAL_RUN),
    ({"@type": "tool_call", "name": "x"}, Kind.JOURNAL_EVENT),
    ({"accuracy": 1, "trials": []}, Kind.BENCH),
    ({"id": "a", "slug": "a", "developerTask": "do"}, Kind.DATASET_ITEM),
    ({"status": "pass", "reasoning": "r", "checks": []}, Kind.JUDGMENT),
    ({"producerStatus": "pass", "checks": []}, Kind.JUDGMENT),
    ({"status": "ok", "code": 200}, Kind.OTHER),
    ({}, Kind.OTHER),
]


@pytest.mark.parametrize(("value", "kind"), CASES)
def test_an_object_is_told_by_its_keys(value: dict[str, Any], kind: Kind) -> None:
    raw = members_of(json.dumps(value).encode())
    assert raw is not None
    assert classify(raw) is kind
    assert classify(value) is kind, "raw and decoded members are classified alike"


def test_items_that_are_objects_are_counted_undecoded() -> None:
    items = [
        {"itemId": "a", "interpretation": {}},
        {"itemId": "b", "interpretation": None},
        5,
        None,
        [1],
        "x",
        {"verdict": {}},
    ]
    raw = members_of(json.dumps({"items": items}).encode())
    tolerant = decode_tolerantly(json.dumps({"items": items}).encode())
    assert raw is not None
    for members in (raw, tolerant):
        peek = peek_items(members["items"])
        assert (peek.count, peek.interpretations, peek.of_result, peek.of_manifest) == (3, 1, True, False)


def test_a_foreign_value_is_described_in_one_line() -> None:
    assert describe_foreign(Kind.JUDGMENT, ["status"], count=6).startswith("a list of 6 judgments: not a verdict")
    assert describe_foreign(Kind.MANIFEST, ["items"]) == "a dataset manifest: it lists work to be done, not results"
    assert describe_foreign(Kind.OTHER, ["b", "a"]) == (
        "an object with the keys `a`, `b`: no verdict keys such as `aggregated`"
    )
    assert "the keys none" in describe_foreign(Kind.OTHER, [])
