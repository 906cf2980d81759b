from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from tests.sources.stores import VERDICT, Read, item, lines, result, write
from verdict_frames.documents.seen import SourceFile
from verdict_frames.errors import ArgumentError, MissingPathError, PatternError
from verdict_frames.sources.reader import ResultFiles
from verdict_frames.sources.recorded import RecordedItem, RecordedRun, RunFact
from verdict_frames.vocabulary import FactSource, ProblemKind, RunKind, SourceState

if TYPE_CHECKING:
    from pathlib import Path

UUID = "3f2b8f0e-0000-4000-8000-000000000001"


def test_every_field_of_a_result_file_is_read_from_its_own_key(tmp_path: Path) -> None:
    """Each value differs from every other, so that no field can be taken from another's key."""
    verdict = {**VERDICT, "weights": {"a": 1e0}}
    stored = {
        "experimentId": "id-1",
        "experimentName": "name-2",
        "datasetVersion": "version-3",
        "datasetDirty": True,
        "datasetSemanticVersion": "semantic-4",
        "knowledgeManifest": None,
        "timestamp": "2026-09-17T10:00:05.123456789Z",
        "items": [
            {
                "itemId": "id-6",
                "itemSlug": "slug-7",
                "success": True,
                "passed": False,
                "costUsd": 0.08,
                "totalTokens": 9,
                "durationMs": 10,
                "scores": {"eleven": 0.11, "Judge#1": 0},
                "metrics": {"input_tokens": 5},
                "executionDetail": {
                    "phases": [{"textOutput": "x" * 99}],
                    "status": "STATUS-12",
                    "errorMessage": "err-13",
                },
                "verdict": verdict,
                "interpretation": {"reading": "fourteen"},
                "metadata": {"instrumentFailure": "failure-15", "n": 1},
                "workspacePath": None,
            }
        ],
        "metadata": {"producer": "producer-16", "reEvaluatedFrom": "from-17"},
        "aggregateScores": {"eighteen": 0.18, "whole": 1},
        "passRate": 0.19,
        "counts": {
            "passes": 20,
            "nonPasses": 21,
            "excluded": 22,
            "instrumentFailures": 23,
            "notJudged": 24,
            "unattestable": 25,
        },
        "totalCostUsd": 0.26,
        "totalTokens": 27,
        "totalDurationMs": 28,
        "codeVersion": "code-29",
        "codeDirty": False,
        "conditions": {"values": {"agent.model": "model-30"}, "undeclaredBy": []},
        "instrument": {"specHash": "sha256:31", "descriptionVersion": 32},
    }
    path = write(tmp_path / "a.json", stored)
    read = Read(path)
    assert read.problems == []
    assert read.run == RecordedRun(
        run_id="id-1",
        path=str(path),
        copies=[str(path)],
        kind=RunKind.RE_EVALUATION,
        re_evaluated_from="from-17",
        experiment_name="name-2",
        timestamp=datetime(2026, 9, 17, 10, 0, 5, 123456, UTC),
        dataset_version="version-3",
        dataset_dirty=True,
        dataset_semantic_version="semantic-4",
        code_version="code-29",
        code_dirty=False,
        instrument_hash="sha256:31",
        description_version=32,
        stored_passes=20,
        stored_non_passes=21,
        stored_excluded=22,
        stored_instrument_failures=23,
        stored_not_judged=24,
        stored_unattestable=25,
        stored_pass_rate=0.19,
        total_cost_usd=0.26,
        total_tokens=27,
        total_duration_ms=28,
        facts=[
            RunFact(FactSource.CONDITION, "agent.model", "model-30"),
            RunFact(FactSource.METADATA, "producer", "producer-16"),
            RunFact(FactSource.METADATA, "reEvaluatedFrom", "from-17"),
            RunFact(FactSource.SCORE, "eighteen", "0.18"),
            RunFact(FactSource.SCORE, "whole", "1"),
        ],
        items=[
            RecordedItem(
                index=0,
                item_id="id-6",
                item_slug="slug-7",
                success=True,
                passed=False,
                execution_status="STATUS-12",
                error="err-13",
                cost_usd=0.08,
                total_tokens=9,
                duration_ms=10,
                scores={"eleven": 0.11, "Judge#1": 0.0},
                metadata='{"instrumentFailure":"failure-15","n":1}',
                instrument_failure="failure-15",
                has_verdict=True,
                verdict=verdict,
                interpretation={"reading": "fourteen"},
            )
        ],
    )
    assert read.sources == [
        SourceFile(
            path=str(path),
            size=path.stat().st_size,
            sha256=hashlib.sha256(path.read_bytes()).hexdigest(),
            state=SourceState.READ,
            run_id="id-1",
        )
    ]


def test_absent_and_null_fields_stay_null_without_a_problem(tmp_path: Path) -> None:
    keys = ["itemId", "itemSlug", "success", "passed", "costUsd", "totalTokens", "durationMs", "scores", "metrics"]
    keys += ["executionDetail", "verdict", "interpretation", "metadata"]
    roots = ["experimentName", "timestamp", "metadata", "aggregateScores", "passRate", "counts", "conditions"]
    nulls = result(items=({}, dict.fromkeys(keys)), **dict.fromkeys([*roots, "instrument", "totalTokens"]))
    read = Read(write(tmp_path / "a.json", nulls))
    assert read.problems == []
    assert read.run == RecordedRun(
        run_id="r", path=read.run.path, copies=[read.run.path], items=[RecordedItem(index=0), RecordedItem(index=1)]
    )


def test_the_key_of_0_1_for_the_execution(tmp_path: Path) -> None:
    old = item(invocationResult={"status": "TIMEOUT", "errorMessage": "slow"}, success=False)
    assert Read(write(tmp_path / "a.json", result(items=(old,)))).item.execution_status == "TIMEOUT"
    both = item(executionDetail=None, invocationResult={"status": "ERROR"})
    assert Read(write(tmp_path / "b.json", result(items=(both,)))).item.execution_status == "ERROR"
    judge = item(executionDetail={"candidateJudgment": {}, "expectedLabel": "PASS"})
    read = Read(write(tmp_path / "c.json", result(items=(judge,))))
    assert (read.item.execution_status, read.problems) == (None, [])


def test_the_items_own_error_goes_before_the_executions(tmp_path: Path) -> None:
    thrown = item(metadata={"error": "boom"}, executionDetail={"errorMessage": "other"})
    assert Read(write(tmp_path / "a.json", result(items=(thrown,)))).item.error == "boom"
    empty = item(metadata={"error": ""}, executionDetail={"errorMessage": "other"})
    assert Read(write(tmp_path / "b.json", result(items=(empty,)))).item.error == ""


def test_item_metadata_keeps_its_letters(tmp_path: Path) -> None:
    text = r'{ "a" : [ 1e3, 1.50, 12345678901234567890123 ], "é" : "\u00e9\n", "z": null, "b": true }'
    write(tmp_path / "a.json", f'{{"experimentId": "r", "items": [{{"itemId": "i", "metadata": {text}}}]}}')
    kept = r'{"a":[1e3,1.50,12345678901234567890123],"é":"\u00e9\n","z":null,"b":true}'
    assert Read(tmp_path).item.metadata == kept


def test_metadata_that_only_the_tolerant_decoder_reads(tmp_path: Path) -> None:
    text = r'{"error": "x\ud800", "n": 1e400, "i": ' + "9" * 5_000 + "}"
    write(tmp_path / "a.json", f'{{"experimentId": "r", "items": [{{"itemId": "i", "metadata": {text}}}]}}')
    read = Read(tmp_path)
    assert read.item.error == "x\ud800"
    assert read.item.metadata == r'{"error":"x\ud800","n":1e999,"i":' + "9" * 5_000 + "}"
    assert read.problems == []


@pytest.mark.parametrize(
    ("metadata", "kind", "origin"),
    [
        ({}, RunKind.AGENT, None),
        ({"experimentType": "agent"}, RunKind.AGENT, None),
        ({"experimentType": "judge"}, RunKind.JUDGE_EXPERIMENT, None),
        ({"reEvaluatedFrom": "o"}, RunKind.RE_EVALUATION, "o"),
        ({"reEvaluatedFrom": "o", "experimentType": "judge"}, RunKind.RE_EVALUATION, "o"),
        ({"reEvaluatedFrom": None}, RunKind.AGENT, None),
        ({"reEvaluatedFrom": 7}, RunKind.RE_EVALUATION, None),
    ],
)
def test_kinds_of_runs(tmp_path: Path, metadata: object, kind: RunKind, origin: str | None) -> None:
    run = Read(write(tmp_path / "a.json", result(metadata=metadata))).run
    assert (run.kind, run.re_evaluated_from) == (kind, origin)


def test_run_facts_are_text(tmp_path: Path) -> None:
    stored = result(
        metadata={"a": "x", "b": 1, "c": {"d": [True]}, "e": None, "f": ""},
        conditions={"values": {"m": 2.5}},
        aggregateScores={"s": 0.1, "t": "high", "u": 3.0},
    )
    read = Read(write(tmp_path / "a.json", stored))
    assert [(fact.source.value, fact.name, fact.value) for fact in read.run.facts] == [
        ("condition", "m", "2.5"),
        ("metadata", "a", "x"),
        ("metadata", "b", "1"),
        ("metadata", "c", '{"d":[true]}'),
        ("metadata", "f", ""),
        ("score", "s", "0.1"),
        ("score", "u", "3.0"),
    ]
    assert read.problem.message.startswith("`aggregateScores.t`: expected a finite number")


WRONG_ITEM = {
    "itemSlug": 5,
    "success": "yes",
    "passed": 1,
    "costUsd": "0.5",
    "totalTokens": 2**63,
    "durationMs": 1.5,
    "scores": [0.5],
    "executionDetail": "done",
    "interpretation": "fine",
    "metadata": "none",
}


@pytest.mark.parametrize("key", WRONG_ITEM)
def test_one_wrong_field_of_an_item_costs_that_field(tmp_path: Path, key: str) -> None:
    good = item("a", itemSlug="s", success=True, passed=True, costUsd=1.0, totalTokens=1, durationMs=1, verdict=VERDICT)
    path = write(tmp_path / "a.json", result(items=({**good, key: WRONG_ITEM[key]}, good)))
    read = Read(path)
    wrong, right = read.run.items
    assert (read.problem.kind, read.problem.run_id, read.problem.item_index) == (ProblemKind.FIELD, "r", 0)
    assert read.problem.path == str(path)
    assert f"`{key}`" in read.problem.message
    fields = [name for name in RecordedItem.__struct_fields__ if getattr(wrong, name) != getattr(right, name)]
    absent = {"scores", "executionDetail", "interpretation", "metadata"}
    assert len(fields) == (1 if key in absent else 2), "the index differs, and the field that was wrong"


WRONG_ROOT = {
    "experimentName": 5,
    "datasetVersion": {},
    "datasetDirty": "no",
    "datasetSemanticVersion": 1.0,
    "timestamp": "yesterday",
    "metadata": [],
    "aggregateScores": 5,
    "passRate": "1",
    "counts": [1],
    "totalCostUsd": True,
    "totalTokens": 1e30,
    "totalDurationMs": "3",
    "codeVersion": 5,
    "codeDirty": 0,
    "conditions": "none",
    "instrument": "hash",
}


@pytest.mark.parametrize("key", WRONG_ROOT)
def test_one_wrong_field_of_a_run_costs_that_field(tmp_path: Path, key: str) -> None:
    read = Read(write(tmp_path / "a.json", result(items=(item(verdict=VERDICT),), **{key: WRONG_ROOT[key]})))
    assert (read.problem.kind, read.problem.run_id, read.problem.item_index) == (ProblemKind.FIELD, "r", None)
    assert f"`{key}`" in read.problem.message
    plain = RecordedRun(run_id="r", path=read.run.path, copies=read.run.copies, items=read.run.items)
    assert read.run == plain
    assert read.item.has_verdict


@pytest.mark.parametrize(
    ("members", "place"),
    [
        ({"metadata": {"error": 5}}, "`metadata.error`"),
        ({"metadata": {"instrumentFailure": True}}, "`metadata.instrumentFailure`"),
        ({"executionDetail": {"status": 5}}, "`executionDetail.status`"),
        ({"invocationResult": {"errorMessage": []}}, "`invocationResult.errorMessage`"),
        ({"scores": {"a": True}}, "`scores.a`"),
    ],
)
def test_wrong_fields_further_down(tmp_path: Path, members: dict[str, Any], place: str) -> None:
    read = Read(write(tmp_path / "a.json", result(items=(item(**members),))))
    assert read.problem.message.startswith(place)
    assert read.problem.item_index == 0
    assert (read.item.error, read.item.instrument_failure, read.item.execution_status) == (None, None, None)
    assert read.item.scores == {}


def test_counts_and_instrument_are_cleaned_one_by_one(tmp_path: Path) -> None:
    stored = result(counts={"passes": 3.0, "nonPasses": "2"}, instrument={"specHash": 5, "descriptionVersion": 2**31})
    read = Read(write(tmp_path / "a.json", stored))
    assert (read.run.stored_passes, read.run.stored_non_passes, read.run.stored_excluded) == (3, None, None)
    assert sorted(problem.message.split(":")[0] for problem in read.problems) == [
        "`counts.nonPasses`",
        "`instrument.descriptionVersion`",
        "`instrument.specHash`",
    ]


@pytest.mark.parametrize("broken", [5, None, "x", [1], True, 1.5])
def test_one_broken_item_costs_one_item(tmp_path: Path, broken: object) -> None:
    read = Read(write(tmp_path / "a.json", result(items=(item("a"), broken, item("c")))))
    assert [(found.index, found.item_id) for found in read.run.items] == [(0, "a"), (2, "c")]
    assert (read.problem.kind, read.problem.item_index) == (ProblemKind.FIELD, 1)


@pytest.mark.parametrize("items", [5, None, "x", {"a": 1}])
def test_items_that_are_no_array(tmp_path: Path, items: object) -> None:
    read = Read(write(tmp_path / "a.json", result(items=items)))
    assert read.run.items == []
    assert "`items`: expected an array" in read.problem.message


@pytest.mark.parametrize("verdict", [5, "PASS", [VERDICT], True, 0, "", []])
def test_a_verdict_that_is_no_object_reads_as_an_empty_one(tmp_path: Path, verdict: object) -> None:
    read = Read(write(tmp_path / "a.json", result(items=(item(verdict=verdict),))))
    assert (read.item.has_verdict, read.item.verdict) == (True, {})
    assert (read.problem.kind, read.problem.item_index) == (ProblemKind.FIELD, 0)


def test_an_interpretation_that_is_no_object_is_null(tmp_path: Path) -> None:
    read = Read(write(tmp_path / "a.json", result(items=(item(verdict=VERDICT, interpretation=[]),))))
    assert (read.item.interpretation, read.item.verdict) == (None, VERDICT)
    assert "`interpretation`" in read.problem.message


@pytest.mark.parametrize("run_id", [5, None, "", "  "])
def test_without_a_usable_id_the_path_stands_in(tmp_path: Path, run_id: object) -> None:
    write(tmp_path / "results/a.json", result(run_id, items=(item(),)))
    read = Read(tmp_path)
    assert read.run.run_id == "results/a.json"
    assert len(read.problems) == (run_id is not None)


def test_files_of_one_verdict_item_or_interpretation(tmp_path: Path) -> None:
    later = {"schemaVersion": 6, "judgment": {"producerStatus": "pass"}}
    interpretation = {"schemaVersion": 1, "reading": "ACCEPTED", "readingSupport": "SUPPORTED", "root": {}}
    write(tmp_path / "a.verdict.json", VERDICT)
    write(tmp_path / "b/later.json", later)
    write(tmp_path / "c.json", item("x", verdict=None, success=False))
    write(tmp_path / "d.json", interpretation)
    read = Read(tmp_path)
    assert [(run.run_id, run.items) for run in read.runs] == [
        ("a.verdict.json", [RecordedItem(index=0, has_verdict=True, verdict=VERDICT)]),
        ("b/later.json", [RecordedItem(index=0, has_verdict=True, verdict=later)]),
        ("c.json", [RecordedItem(index=0, item_id="x", success=False)]),
        ("d.json", [RecordedItem(index=0, interpretation=interpretation)]),
    ]
    assert read.problems == []
    assert Read(tmp_path / "b/later.json").run.run_id == "later.json"


@pytest.mark.parametrize("name", ["a.jsonl", "a.ndjson", "a.json"])
def test_json_lines(tmp_path: Path, name: str) -> None:
    data = lines(item("a", verdict=VERDICT), b"", VERDICT, b"  \r", {"interpretation": {"reading": "ACCEPTED"}})
    write(tmp_path / name, data.replace(b"\n", b"\r\n"))
    read = Read(tmp_path)
    assert read.run.run_id == name
    assert [(found.index, found.item_id, found.has_verdict) for found in read.run.items] == [
        (0, "a", True),
        (1, None, True),
        (2, None, False),
    ]
    assert read.run.items[1].verdict == VERDICT
    assert read.problems == []


def test_one_bad_line_costs_one_line(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.jsonl",
        lines(item("a", verdict=VERDICT), b'{"itemId": ', b"", {"id": 7}, 5, item("e", costUsd="x", verdict=VERDICT)),
    )
    read = Read(path)
    assert [(found.index, found.item_id) for found in read.run.items] == [(0, "a"), (4, "e")]
    assert [(problem.kind.value, problem.line, problem.item_index) for problem in read.problems] == [
        ("syntax", 2, 1),
        ("foreign", 4, 2),
        ("field", 5, 3),
        ("field", 6, 4),
    ]
    assert {problem.run_id for problem in read.problems} == {"a.jsonl"}
    first = path.read_bytes().index(b"\n") + 1
    assert read.problems[0].byte == first + len(b'{"itemId":')
    assert read.states(tmp_path) == {"a.jsonl": ("read", "a.jsonl")}


def test_lines_of_whole_results_are_runs(tmp_path: Path) -> None:
    data = lines(
        result("r1", items=(item("a"),)),
        item("b", verdict=VERDICT),
        result(None, items=(item("c"),)),
        b"oops",
        result("r2", items=(item("d", costUsd="x"),)),
    )
    write(tmp_path / "a.jsonl", data)
    read = Read(tmp_path)
    assert [(run.run_id, [found.item_id for found in run.items]) for run in read.runs] == [
        ("r1", ["a"]),
        ("a.jsonl#2", ["c"]),
        ("r2", ["d"]),
        ("a.jsonl", ["b"]),
    ]
    assert [(problem.kind.value, problem.line, problem.item_index, problem.run_id) for problem in read.problems] == [
        ("field", 5, 0, "r2"),
        ("syntax", 4, 3, "a.jsonl"),
    ]
    assert read.states(tmp_path) == {"a.jsonl": ("read", None)}


def test_a_file_of_results_alone_still_tells_its_bad_lines(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", lines(result("r1"), b"oops"))
    read = Read(tmp_path)
    assert [run.run_id for run in read.runs] == ["r1"]
    assert (read.problem.kind, read.problem.line) == (ProblemKind.SYNTAX, 2)
    assert read.states(tmp_path) == {"a.jsonl": ("read", "r1")}


def test_an_array_of_verdicts_items_or_results(tmp_path: Path) -> None:
    surrogate = rb'{"itemId": "s\ud800", "verdict": null}'
    plain = json.dumps([VERDICT, item("b", verdict=VERDICT), 5, result("r", items=(item("c"),)), {"x": 1}]).encode()
    write(tmp_path / "a.json", plain)
    write(tmp_path / "b.json", plain[:-1] + b"," + surrogate + b"]")
    read = Read(tmp_path / "a.json")
    assert [(run.run_id, [found.index for found in run.items]) for run in read.runs] == [("r", [0]), ("a.json", [0, 1])]
    assert [(problem.kind.value, problem.item_index, problem.line) for problem in read.problems] == [
        ("field", 2, None),
        ("foreign", 4, None),
    ]
    tolerant = Read(tmp_path / "b.json")
    assert [found.item_id for found in tolerant.runs[1].items] == [None, "b", "s\ud800"]


def test_a_document_in_a_lines_file(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", result("r", items=(item("a"),)))
    assert Read(tmp_path).run.run_id == "r"


def test_a_byte_order_mark_is_harmless(tmp_path: Path) -> None:
    mark = b"\xef\xbb\xbf"
    write(tmp_path / "a.json", mark + json.dumps(result("r", items=(item("a"),))).encode())
    write(tmp_path / "b.jsonl", mark + lines(VERDICT, VERDICT))
    write(tmp_path / "c.json", mark + json.dumps([VERDICT]).encode())
    read = Read(tmp_path)
    assert [(run.run_id, len(run.items)) for run in read.runs] == [("r", 1), ("b.jsonl", 2), ("c.json", 1)]
    assert read.problems == []


def test_harmless_oddities_are_read_by_the_second_try(tmp_path: Path) -> None:
    head = '{"experimentId": "r", "totalTokens": 1e400, "items": [{"itemId": "a", "verdict": {"aggregated": '
    write(tmp_path / "a.json", head + r'"\ud800"}, "costUsd": 1e400, "durationMs": ' + "9" * 5_000 + "}]}")
    read = Read(tmp_path)
    assert read.item.verdict == {"aggregated": "\ud800"}
    assert (read.item.cost_usd, read.item.duration_ms, read.run.total_tokens) == (None, None, None)
    assert sorted(problem.message.split(":")[0] for problem in read.problems) == [
        "`costUsd`",
        "`durationMs`",
        "`totalTokens`",
    ]


def test_paths_that_collide_fall_back_to_the_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("one/a.json", "two/a.json", "one/b.json"):
        write(tmp_path / name, VERDICT)
    write(tmp_path / "two/r.json", result("two/a.json"))
    monkeypatch.chdir(tmp_path)
    read = Read(["one", "two"])
    assert [run.run_id for run in read.runs] == ["one/a.json", "b.json", f"{tmp_path}/two/a.json", "two/a.json"]


def test_the_same_file_by_two_arguments_is_read_once(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", VERDICT)
    (tmp_path / "link.json").symlink_to(path)
    read = Read([tmp_path, path, f"{tmp_path}/*.json"])
    assert read.run.copies == [str(path), str(tmp_path / "link.json")]
    assert read.states(tmp_path) == {"a.json": ("read", "a.json"), "link.json": ("copy", "a.json")}


def test_missing_paths_and_wrong_patterns_raise_before_anything_is_read(tmp_path: Path) -> None:
    def unwanted(_done: int, _total: int) -> None:
        raise AssertionError

    path = write(tmp_path / "a.json", VERDICT)
    with pytest.raises(MissingPathError):
        ResultFiles([path, tmp_path / "b.json"], progress=unwanted)
    with pytest.raises(PatternError):
        ResultFiles(path, path_pattern="{arm}.json", progress=unwanted)


def test_progress_goes_from_nothing_to_all(tmp_path: Path) -> None:
    for name in "abc":
        write(tmp_path / f"{name}.json", result(name, items=(item(),)))
    write(tmp_path / "copy.json", result("a", items=(item(),)))
    write(tmp_path / "foreign.json", {})
    calls: list[tuple[int, int]] = []
    read = Read(tmp_path, progress=lambda done, total: calls.append((done, total)))
    size = sum(row.size or 0 for row in read.sources)
    assert {total for _, total in calls} == {2 * size}
    assert [done for done, _ in calls] == sorted(done for done, _ in calls)
    assert (calls[0][0], calls[-1][0]) == (0, 2 * size)
    assert size in [done for done, _ in calls]
    alone: list[tuple[int, int]] = []
    Read(tmp_path / "foreign.json", progress=lambda done, total: alone.append((done, total)))
    assert alone[-1] == (4, 4)


def test_one_run_is_decoded_at_a_time(tmp_path: Path) -> None:
    for name in "abc":
        write(tmp_path / f"{name}.json", result(name, items=(item(),)))
    files = ResultFiles(tmp_path)
    runs = files.runs()
    assert next(runs).run_id == "a"
    (tmp_path / "b.json").unlink()
    assert [run.run_id for run in runs] == ["c"]
    assert [(problem.kind, problem.path) for problem in files.problems] == [
        (ProblemKind.UNREADABLE, str(tmp_path / "b.json"))
    ]


def test_reading_again_gives_the_same(tmp_path: Path) -> None:
    write(tmp_path / "a.json", result("a", items=(item(costUsd="x"),)))
    files = ResultFiles(tmp_path)
    first = (list(files.runs()), list(files.sources), list(files.problems))
    assert (list(files.runs()), files.sources, files.problems) == first


PATTERN = "{experiment}/{variant}/{repeat}.json"


def test_a_path_pattern_names_experiment_variant_and_repeat(tmp_path: Path) -> None:
    write(tmp_path / "e é/v+1:a=b/2.json", result("x", experimentName="recorded"))
    write(tmp_path / "e é/v+1:a=b/03.json", VERDICT)
    write(tmp_path / "e é/v+1:a=b/last.json", result("z"))
    write(tmp_path / "other.jsonl", lines(VERDICT))
    read = Read(tmp_path, path_pattern=PATTERN)
    assert [(run.experiment_name, run.variant, run.repeat, run.session) for run in read.runs] == [
        ("e é", "v+1:a=b", 3, None),
        ("e é", "v+1:a=b", 2, None),
        ("e é", "v+1:a=b", None, None),
        (None, None, None, None),
    ]
    assert (read.problem.kind, read.problem.run_id) == (ProblemKind.FIELD, "z")
    assert "'last' as the repeat" in read.problem.message


@pytest.mark.parametrize(("name", "repeat"), [("007", 7), ("-1", None), ("1.0", None), ("٣", None), ("9" * 12, None)])
def test_a_repeat_is_a_plain_integer(tmp_path: Path, name: str, repeat: int | None) -> None:
    write(tmp_path / f"e/v/{name}.json", VERDICT)
    read = Read(tmp_path, path_pattern=PATTERN)
    assert read.run.repeat == repeat
    assert len(read.problems) == (repeat is None)


def test_a_pattern_can_name_the_run(tmp_path: Path) -> None:
    write(tmp_path / "simple/run1/a.json", VERDICT)
    write(tmp_path / "simple/run2/a.json", result("recorded"))
    write(tmp_path / "hardened/run1/a.json", VERDICT)
    write(tmp_path / "hardened/run3/a.json", VERDICT)
    read = Read(tmp_path, path_pattern="{variant}/{run}/a.json")
    assert [run.run_id for run in read.runs] == [
        f"{tmp_path}/hardened/run1/a.json",
        "run3",
        f"{tmp_path}/simple/run1/a.json",
        "recorded",
    ]


def test_a_pattern_goes_before_the_stores_layout(tmp_path: Path) -> None:
    write(tmp_path / "exp/sessions/s1/simple.json", result("a"))
    assert Read(tmp_path, path_pattern="{variant}/{_}.json").run.variant == "s1"
    write(tmp_path / "exp/sessions/s1/other.json", result("b"))
    first, second = Read(tmp_path, path_pattern="{session}/other.json").runs
    assert (first.run_id, first.session, first.variant) == ("b", "s1", "other")
    assert (second.run_id, second.session, second.variant) == ("a", "s1", "simple")


def test_the_layout_of_the_store_is_only_for_result_files(tmp_path: Path) -> None:
    write(tmp_path / "exp/sessions/s1/v.json", VERDICT)
    write(tmp_path / f"exp/old/{UUID}.json", result("x", experimentName="exp"))
    read = Read(tmp_path)
    assert [(run.run_id, run.session, run.variant) for run in read.runs] == [
        ("x", None, "old"),
        ("exp/sessions/s1/v.json", None, None),
    ]


def test_a_variant_is_named_as_its_folder_is(tmp_path: Path) -> None:
    """Paths are escaped, names taken from them are not, so that they still equal what files record."""
    write(tmp_path / r"e\x/v\1" / f"{UUID}.json", result("x", experimentName=r"e\x"))
    read = Read(tmp_path)
    assert read.run.variant == r"v\1"
    assert read.run.path == rf"{tmp_path}/e\\x/v\\1/{UUID}.json"


def test_wrong_calls_raise_in_one_line(tmp_path: Path) -> None:
    wrong: list[tuple[Any, Any]] = [(None, None), (5, None), (tmp_path, 5), (b"x", None)]
    for paths, pattern in wrong:
        with pytest.raises(ArgumentError) as caught:
            ResultFiles(paths, path_pattern=pattern)
        assert "\n" not in str(caught.value)


def test_ids_made_of_paths_are_never_those_of_other_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "t/a.json", VERDICT)
    for place, taken in enumerate(["a.json", "t/a.json", f"{tmp_path}/t/a.json", f"{tmp_path}/t/a.json~2"]):
        write(tmp_path / f"t/r{place}.json", result(taken))
    read = Read("t")
    assert read.runs[0].run_id == f"{tmp_path}/t/a.json~3"
    assert len({run.run_id for run in read.runs}) == 5
    assert read.sources[0].run_id == read.runs[0].run_id


def test_ids_of_files_and_of_values_in_files_do_not_collide(tmp_path: Path) -> None:
    write(tmp_path / "a.json", json.dumps([result(None), result(None)]))
    write(tmp_path / "a.json#1", VERDICT)
    (tmp_path / "b").mkdir()
    read = Read([tmp_path / "a.json", tmp_path / "a.json#1"])
    assert [run.run_id for run in read.runs] == ["a.json#0", f"{tmp_path}/a.json#1", f"{tmp_path}/a.json#1~2"]


@pytest.mark.parametrize("origin", ["o", "z-later"])
def test_a_re_evaluation_inherits_session_and_variant(tmp_path: Path, origin: str) -> None:
    """Whether the original is read before it or after."""
    stored = result(origin, experimentName="e", codeVersion="c", items=(item(),))
    write(tmp_path / "sessions/s1/v+1.json", stored)
    write(tmp_path / f"{origin}.json", stored)
    write(tmp_path / "r.json", result("r", metadata={"reEvaluatedFrom": origin}, items=(item(),)))
    runs = {run.run_id: run for run in Read(tmp_path).runs}
    again = runs["r"]
    assert (again.session, again.variant, again.repeat) == ("s1", "v+1", 1)
    assert (again.experiment_name, again.code_version) == (None, None)
    assert (again.kind, again.re_evaluated_from) == (RunKind.RE_EVALUATION, origin)


@pytest.mark.parametrize("layout", ["document", "array", "lines", "tolerant"])
def test_a_re_evaluation_is_told_however_it_is_stored(tmp_path: Path, layout: str) -> None:
    again = result("r", metadata={"a": {"reEvaluatedFrom": "x"}, "reEvaluatedFrom": "o"})
    made = {
        "document": ("r.json", json.dumps(again)),
        "array": ("r.json", json.dumps([again])),
        "lines": ("r.jsonl", json.dumps(again) + "\n"),
        "tolerant": ("r.json", json.dumps(again).replace('"x"', r'"\ud800", "n": 1e999')),
    }
    write(tmp_path / "sessions/s/v.json", result("o"))
    write(tmp_path / made[layout][0], made[layout][1])
    assert {run.run_id: run.variant for run in Read(tmp_path).runs} == {"o": "v", "r": "v"}


@pytest.mark.parametrize("metadata", [None, 5, [], {}, {"reEvaluatedFrom": 5}, {"reEvaluatedFrom": "gone"}])
def test_without_a_known_original_nothing_is_inherited(tmp_path: Path, metadata: object) -> None:
    write(tmp_path / "sessions/s/v.json", result("o"))
    write(tmp_path / "r.json", result("r", metadata=metadata))
    runs = {run.run_id: (run.session, run.variant) for run in Read(tmp_path).runs}
    assert runs == {"o": ("s", "v"), "r": (None, None)}


def test_what_a_re_evaluations_own_path_tells_stays(tmp_path: Path) -> None:
    write(tmp_path / "old/sessions/s1/v1.json", result("o"))
    write(tmp_path / "new/sessions/s2/v2.json", result("r", metadata={"reEvaluatedFrom": "o"}))
    assert [(run.session, run.variant) for run in Read(tmp_path).runs] == [("s2", "v2"), ("s1", "v1")]
    named = Read(tmp_path, path_pattern="new/{_}/{_}/{variant}.json").runs
    assert [(run.session, run.variant) for run in named] == [("s2", "v2"), ("s1", "v1")]


def test_inheritance_goes_down_a_chain_field_by_field(tmp_path: Path) -> None:
    write(tmp_path / "a/v/s/3.json", result("o"))
    write(tmp_path / "b/w.json", result("p", metadata={"reEvaluatedFrom": "o"}))
    write(tmp_path / "c.json", result("q", metadata={"reEvaluatedFrom": "p"}))
    write(tmp_path / "d.json", result("r", metadata={"reEvaluatedFrom": "q"}))
    first = Read(tmp_path, path_pattern="a/{variant}/{session}/{repeat}.json").runs
    assert {run.run_id: (run.variant, run.session, run.repeat) for run in first} == dict.fromkeys("opqr", ("v", "s", 3))
    second = Read(tmp_path, path_pattern="b/{variant}.json").runs
    assert {run.run_id: run.variant for run in second} == {"o": None, "p": "w", "q": "w", "r": "w"}


def test_a_repeat_that_is_no_number_is_not_inherited(tmp_path: Path) -> None:
    write(tmp_path / "v/2.json", result("o"))
    write(tmp_path / "v/last.json", result("p", metadata={"reEvaluatedFrom": "o"}))
    write(tmp_path / "x.json", result("q", metadata={"reEvaluatedFrom": "p"}))
    read = Read(tmp_path, path_pattern="v/{repeat}.json")
    assert {run.run_id: run.repeat for run in read.runs} == {"o": 2, "p": 2, "q": 2}
    assert (read.problem.run_id, read.problem.kind) == ("p", ProblemKind.FIELD)
    assert read.problem.message.endswith("that of the run judged again is taken")


def test_re_evaluations_in_a_circle_end(tmp_path: Path) -> None:
    write(tmp_path / "a.json", result("a", metadata={"reEvaluatedFrom": "b"}))
    write(tmp_path / "sessions/s/b.json", result("b", metadata={"reEvaluatedFrom": "c"}))
    write(tmp_path / "c.json", result("c", metadata={"reEvaluatedFrom": "a"}))
    write(tmp_path / "d.json", result("d", metadata={"reEvaluatedFrom": "d"}))
    runs = {run.run_id: (run.session, run.variant) for run in Read(tmp_path).runs}
    assert runs == {"a": ("s", "b"), "b": ("s", "b"), "c": ("s", "b"), "d": (None, None)}
