"""Every stored verdict of a set comes out as it must, prose aside: values, types and key order (R1–R107)."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import OPTIONAL_DATA
from verdict_frames.interpretation.reader import interpret
from verdict_frames.interpretation.stored_form import to_builtins, to_json
from verdict_frames.vocabulary import Reading, Support

PAIRS = [json.loads(line) for line in (Path(__file__).parent / "pairs.jsonl").read_text().splitlines()]


def without_prose(stored: dict[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in stored.items() if key != "summary"}
    kept["defects"] = [{key: value for key, value in one.items() if key != "note"} for one in stored["defects"]]
    return kept


@pytest.mark.parametrize("pair", PAIRS, ids=[pair["id"] for pair in PAIRS])
def test_pair_comes_out_as_expected(pair: dict[str, Any]) -> None:
    interpretation = interpret(pair["verdict"])
    assert json.dumps(without_prose(to_builtins(interpretation))) == json.dumps(pair["expected"])
    assert json.dumps(without_prose(json.loads(to_json(interpretation)))) == json.dumps(pair["expected"])


def test_chosen_pairs_cover_every_defect_and_every_support_of_every_reading() -> None:
    expected = [pair["expected"] for pair in PAIRS]
    supports = {(one["reading"], one["readingSupport"]) for one in expected}
    possible = {(reading.value, support.value) for reading in Reading for support in Support}
    assert supports == possible | {(None, "CONTRADICTED"), (None, "UNDETERMINED")}
    defects = {
        (
            re.sub(r"\[\d+\]", "[i]", re.sub(r"(?s)errorCodeCounts\..*", "errorCodeCounts.KEY", one["field"])),
            one["kind"],
        )
        for interpretation in expected
        for one in interpretation["defects"]
    }
    assert len(defects) == 88


@pytest.mark.parametrize("name", ["pairs-own", "pairs-derived"])
def test_every_pair_of_the_optional_conformance_data_comes_out_as_expected(name: str) -> None:
    path = OPTIONAL_DATA / "conformance" / f"{name}.jsonl.gz"
    if not path.exists():
        pytest.skip("optional conformance data not present")
    with gzip.open(path, "rt") as lines:
        pairs = [json.loads(line) for line in lines]
    wrong = [
        pair["id"]
        for pair in pairs
        if json.dumps(without_prose(to_builtins(interpret(pair["verdict"])))) != json.dumps(pair["expected"])
    ]
    assert pairs
    assert wrong == []
