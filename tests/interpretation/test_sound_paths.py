"""What is read in one go is what is read with care: the quick ways leave every result as it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import given

from tests.interpretation.shapes import adopted, rejected, verdict
from tests.interpretation.strategies import broken_verdicts
from verdict_frames.interpretation import evidence, judgments, seats
from verdict_frames.interpretation.reader import interpret
from verdict_frames.interpretation.stored_form import to_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from verdict_frames.records import Interpretation

PAIRS = [json.loads(line) for line in (Path(__file__).parent / "pairs.jsonl").read_text().splitlines()]


def with_care(stored: Mapping[str, Any]) -> Interpretation:
    """Interpret with every quick way closed."""

    def refuse(*_: object) -> None:
        raise RecursionError

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judgments, "_read_sound", lambda _: None)
        patch.setattr(evidence, "_read_sound", lambda _: None)
        patch.setattr(seats._Jury, "with_seats", lambda self, stored: tuple(self._read_with_care(stored)))
        patch.setattr(msgspec.msgpack, "encode", refuse)
        return interpret(stored)


@given(broken_verdicts())
def test_any_verdict_reads_alike(stored: dict[str, Any]) -> None:
    assert to_json(interpret(stored)) == to_json(with_care(stored))


@pytest.mark.parametrize("pair", PAIRS, ids=[pair["id"] for pair in PAIRS])
def test_chosen_pairs_read_alike(pair: dict[str, Any]) -> None:
    assert to_json(interpret(pair["verdict"])) == to_json(with_care(pair["verdict"]))


def test_sound_records_take_the_quick_ways() -> None:
    for stored in (verdict(), adopted(), rejected()):
        with pytest.MonkeyPatch.context() as patch:
            patch.delattr(judgments, "_read_with_care")
            patch.delattr(evidence, "_read_with_care")
            patch.delattr(seats._Jury, "_read_with_care")
            assert interpret(stored).defects == ()


@pytest.mark.parametrize("score", [(1,), {1}, frozenset({1})])
def test_what_json_does_not_have_is_no_list_of_checks(score: Any) -> None:
    stored = verdict()
    stored["individual"][0]["checks"] = score
    assert [defect.field for defect in interpret(stored).defects] == ["checks"]
