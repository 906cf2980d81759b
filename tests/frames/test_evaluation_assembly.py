from __future__ import annotations

import gzip
import json
import zipfile
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.review.packs import boolean, choice, judged, pack_of, score, scored
from tests.review.strategies import json_values
from verdict_frames.documents.limits import Limits
from verdict_frames.errors import MissingPathError, OptionError
from verdict_frames.frames.evaluation_assembly import evaluations_from_records, read_evaluations
from verdict_frames.frames.validation import validate
from verdict_frames.review.evaluations import EvaluationReader, RecordedEvaluation

if TYPE_CHECKING:
    from pathlib import Path

ACCEPTED = {"status": "accept", "answers": {"refund": judged(0.99)}, "reviewReasons": []}
FAILED = {"status": "review", "answers": {}, "modelId": "none", "reviewReasons": ["gateway_unavailable"]}
WHOLE: dict[str, Any] = {
    "id": "e7",
    "createdAt": "2026-09-17T12:00:00.1234567+02:00",
    "idempotencyKey": "k7",
    "ticketId": 12,
    "packId": "triage",
    "packVersion": 3,
    "result": {
        "status": "review",
        "answers": {
            "queue": {"type": "choice", "choice": "billing", "probabilities": {"other": 0.25, "billing": 0.75}},
            "urgency": scored(1.5, probabilities={"0": 0, "1": 0.5, "2": None}),
            "refund": judged(0.3125),
        },
        "reviewReasons": ["queue: selected probability is below the minimum", "urgency: look at it"],
        "modelId": "typesafe-ai/jev",
        "latencyMs": 2208.1,
        "usage": {"inputTokens": 900, "outputTokens": 120},
        "derived": {"department": "billing", "tags": ["é"]},
    },
    "providerMetadata": {"typesafe": {"confidence": {"queue": 0.5, "urgency": 0.625}}, "gateway": {"cost": "0.0125"}},
    "region": "eu",
}


def lines(*rows: object) -> str:
    return "".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows)


def test_every_field_of_an_envelope_has_its_column(tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    path.write_text(json.dumps(WHOLE, indent=1))
    pack = pack_of(queue=choice(), urgency=score(), refund=boolean())
    read = read_evaluations(path, pack=pack)
    assert read.evaluations.row(0, named=True) == {
        "evaluation_index": 0,
        "path": str(path),
        "line": None,
        "evaluation_id": "e7",
        "created_at": datetime(2026, 9, 17, 10, 0, 0, 123456, UTC),
        "idempotency_key": "k7",
        "ticket_id": "12",
        "pack_id": "triage",
        "pack_version": "3",
        "status": "review",
        "outcome": "reviewed_by_rule",
        "answers_recorded": True,
        "failure_code": None,
        "model_id": "typesafe-ai/jev",
        "latency_ms": 2208.1,
        "input_tokens": 900,
        "output_tokens": 120,
        "cost_usd": 0.0125,
        "answer_count": 3,
        "review_reasons": ["queue: selected probability is below the minimum", "urgency: look at it"],
        "derived": '{"department":"billing","tags":["é"]}',
        "provider_metadata": json.dumps(WHOLE["providerMetadata"], separators=(",", ":")),
        "extra": '{"region":"eu"}',
    }
    assert read.answers.drop("evaluation_index").rows() == [
        ("queue", "choice", "billing", None, None, 0.75, 0.5, "ok", ["billing", "other"], [0.75, 0.25]),
        ("urgency", "score", None, 1.5, None, None, 0.625, "ok", ["0", "1", "2"], [0.0, 0.5, None]),
        ("refund", "boolean", None, None, 0.3125, None, None, "ok", None, None),
    ]
    assert read.review_reasons.rows() == [
        (0, 0, "queue", "below_minimum", "queue: selected probability is below the minimum"),
        (0, 1, "urgency", "other_rule", "urgency: look at it"),
    ]
    assert read.sources.select("path", "state", "run_id").rows() == [(str(path), "read", None)]
    assert read.problems.is_empty()


def test_omitted_is_null_and_never_zero() -> None:
    row = evaluations_from_records([{"status": "review", "answers": {}, "reviewReasons": ["q: invalid answer"]}])
    stored = row.evaluations.row(0, named=True)
    nulls = [name for name, value in stored.items() if value is None]
    assert nulls == [
        "line",
        "evaluation_id",
        "created_at",
        "idempotency_key",
        "ticket_id",
        "pack_id",
        "pack_version",
        "failure_code",
        "model_id",
        "latency_ms",
        "input_tokens",
        "output_tokens",
        "cost_usd",
        "derived",
        "provider_metadata",
        "extra",
    ]
    assert (stored["answers_recorded"], stored["answer_count"], stored["outcome"]) == (
        False,
        0,
        "reviewed_invalid_answer",
    )


def test_raw_answers_have_neither_status_nor_outcome() -> None:
    read = evaluations_from_records([{"answers": {"q": judged(0.5)}}, {"error": "timeout"}], source="gateway")
    assert read.evaluations.select("status", "outcome", "failure_code").rows() == [
        (None, None, None),
        (None, "failed", "timeout"),
    ]
    assert read.problems.is_empty()


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("shape", ["lines", "array"])
def test_many_in_one_file(tmp_path: Path, shape: str, packed: bool) -> None:  # noqa: FBT001
    text = lines(ACCEPTED, FAILED) if shape == "lines" else json.dumps([ACCEPTED, FAILED])
    path = tmp_path / f"many.json{'l' * (shape == 'lines')}{'.gz' * packed}"
    path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    read = read_evaluations(tmp_path)
    assert read.evaluations["outcome"].to_list() == ["accepted", "failed"]
    assert read.evaluations["line"].to_list() == ([1, 2] if shape == "lines" else [None, None])
    assert read.problems.is_empty()


def test_one_bad_line_is_one_problem(tmp_path: Path) -> None:
    path = tmp_path / "stored.jsonl"
    rows: list[object] = [ACCEPTED] * 12_000
    rows[7_000] = '{"status": "acc'
    path.write_text(lines(*rows))
    calls: list[tuple[int, int]] = []
    read = read_evaluations(path, progress=lambda done, total: calls.append((done, total)))
    assert read.evaluations.height == 11_999
    assert read.evaluations["evaluation_index"].to_list() == list(range(11_999))
    (problem,) = read.problems.rows(named=True)
    assert (problem["path"], problem["kind"], problem["line"]) == (str(path), "syntax", 7_001)
    assert problem["byte"] == len(lines(ACCEPTED)) * 7_000 + len('{"status": "acc')
    size = path.stat().st_size
    assert calls[0] == (0, size)
    assert calls[-1] == (size, size)
    assert calls == sorted(calls)


def test_what_a_field_can_t_hold_is_one_problem_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "stored.jsonl"
    path.write_text(lines(ACCEPTED, {**ACCEPTED, "latencyMs": "fast", "usage": {"inputTokens": -1}}))
    read = read_evaluations(path)
    assert [(row["line"], row["item_index"], row["kind"]) for row in read.problems.rows(named=True)] == [
        (2, 1, "field")
    ] * 2
    assert read.evaluations["latency_ms"].to_list() == [None, None]


def test_files_that_hold_none_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "cut.json").write_text('{"status":')
    (tmp_path / "empty.json").write_text("[]")
    (tmp_path / "good.json").write_text(json.dumps(ACCEPTED))
    (tmp_path / "copy.json").write_text(json.dumps(ACCEPTED))
    (tmp_path / "other.jsonl").write_text(lines({"a": 1}, 5, "{"))
    (tmp_path / "notes.txt").write_text("-")
    (tmp_path / "torn.json.gz").write_bytes(gzip.compress(b"{}")[:-6])
    read = read_evaluations(tmp_path)
    assert {path.rsplit("/", 1)[1]: state for path, state in read.sources.select("path", "state").rows()} == {
        "copy.json": "read",
        "cut.json": "problem",
        "empty.json": "foreign",
        "good.json": "copy",
        "notes.txt": "skipped",
        "other.jsonl": "foreign",
        "torn.json.gz": "problem",
    }
    assert read.evaluations.height == 1
    kinds = {row["path"].rsplit("/", 1)[1]: row["kind"] for row in read.problems.rows(named=True)}
    assert kinds == {
        "cut.json": "syntax",
        "empty.json": "foreign",
        "other.jsonl": "foreign",
        "torn.json.gz": "unreadable",
    }
    assert any("none of its 3 values is an evaluation" in message for message in read.problems["message"])


def test_a_stranger_among_evaluations_costs_itself(tmp_path: Path) -> None:
    path = tmp_path / "stored.jsonl"
    path.write_text(lines(ACCEPTED, {"a": 1}, FAILED))
    read = read_evaluations(path)
    assert read.evaluations["line"].to_list() == [1, 3]
    assert read.problems.select("kind", "line").rows() == [("foreign", 2)]


def test_wrong_calls_are_told_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(MissingPathError):
        read_evaluations(tmp_path / "nothing.json")
    with pytest.raises(OptionError, match="no source of evaluations"):
        read_evaluations(tmp_path, source="other")
    with pytest.raises(OptionError, match="no part of an evaluation"):
        read_evaluations(tmp_path, fields={"colour": "x"})


def test_surrogates_become_replacement_characters_and_are_noted() -> None:
    stored = {"status": "accept", "answers": dict.fromkeys(["\ud800", "\ud801"], judged(1)), "modelId": "m\udfff"}
    read = evaluations_from_records([ACCEPTED, stored])
    assert read.evaluations["model_id"].to_list() == [None, "m\ufffd"]
    assert read.answers["question_id"].n_unique() == 3
    assert {message.split(":")[0] for message in read.problems["message"]} == {
        "evaluations.model_id",
        "answers.question_id",
    }
    assert set(read.problems["kind"]) == {"text"}


@given(st.lists(json_values | st.fixed_dictionaries({"answers": st.dictionaries(st.text(), json_values)}), max_size=5))
def test_any_records_make_sound_tables(records: list[Any]) -> None:
    reader = EvaluationReader("gateway")
    read = evaluations_from_records(records, source="gateway")
    validate(read.tables())
    found = [reader.read(record) for record in records]
    kept = [one for one in found if isinstance(one, RecordedEvaluation)]
    assert read.evaluations.height == len(kept)
    assert read.answers.height == sum(len(one.answers) for one in kept)
    states = [answer.answer.value_state.value for one in kept for answer in one.answers]
    assert read.answers["value_state"].to_list() == states
    assert read.problems.filter(pl.col("kind") == "foreign").height == len(found) - len(kept)


def test_evaluations_in_archives_are_read_once(tmp_path: Path) -> None:
    text = lines(ACCEPTED, FAILED)
    (tmp_path / "a.jsonl").write_text(text)
    with zipfile.ZipFile(tmp_path / "b.zip", "w") as archive:
        archive.writestr("in/a.jsonl.gz", gzip.compress(text.encode()))
        archive.writestr("in/more.json", json.dumps({**ACCEPTED, "latencyMs": "fast"}))
    read = read_evaluations(tmp_path)
    assert read.evaluations["outcome"].to_list() == ["accepted", "failed", "accepted"]
    assert read.evaluations["path"].to_list()[-1] == f"{tmp_path}/b.zip/in/more.json"
    rows = read.sources.select(pl.col("path").str.split("/").list.last(), "member", "state").rows()
    assert rows == [
        ("a.jsonl", None, "read"),
        ("b.zip", None, "read"),
        ("b.zip", "in/a.jsonl.gz", "copy"),
        ("b.zip", "in/more.json", "read"),
    ]
    assert read.problems.select("member", "kind").rows() == [("in/more.json", "field")]
    limited = read_evaluations(tmp_path / "b.zip", limits=Limits(member_bytes=10))
    assert set(limited.problems["kind"]) == {"limit"}
