from __future__ import annotations

import datetime as dt
import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.frames.builders import (
    ACCEPTING,
    REJECTING,
    check,
    corpus_of,
    evidence,
    facts,
    judged,
    run,
    seat,
    stage,
    stored,
    unnamed,
    with_summary,
)
from verdict_frames._version import __version__
from verdict_frames.documents.seen import Problem, SourceFile
from verdict_frames.frames.flatten import Flattener
from verdict_frames.frames.schemas.tables import TABLES, arrow_schema, polars_schema
from verdict_frames.interpretation.reader import read_facts
from verdict_frames.interpretation.stored_form import to_builtins
from verdict_frames.records import DecidedBy, Defect, Evidence, ScoreScale, Stage
from verdict_frames.sources.recorded import RecordedItem, RecordedRun, RunFact
from verdict_frames.vocabulary import DefectKind, FactSource, ProblemKind, Reading, RunKind, SourceState, Support

if TYPE_CHECKING:
    from verdict_frames.frames.corpus import Corpus

END = dt.datetime(2026, 3, 4, 5, 6, 7, 89, tzinfo=dt.UTC)

GOLDEN_EVIDENCE = Evidence(
    strategy="average",
    error_policy="treatAsFail",
    not_applicable_policy="exclude",
    input_count=101,
    eligible_count=102,
    explicit_abstain_count=103,
    not_applicable_count=104,
    error_count=105,
    ignored_error_count=106,
    errors_treated_as_abstain_count=107,
    errors_treated_as_fail_count=108,
    not_applicable_treated_as_fail_count=109,
    error_code_counts={"z_code": 2, "a_code": 1},
    pass_count=110,
    fail_count=111,
    threshold=0.11,
    binding_index=112,
    input_weight=0.12,
    eligible_weight=0.13,
)


def golden_facts() -> Any:
    judge = seat(
        "judge name",
        position=7,
        key_source="POSITIONAL",
        status="error",
        reason_code="judge_failed",
        score=0.25,
        score_scale=ScoreScale(min=-3.0, max=9.0),
        reasoning="judge reasoning",
        checks=(check("check name", passed=False, detail="check detail"),),
    )
    tier = stage(
        "tier",
        judges=[seat("other", status="abstain")],
        relation="cascade_tier",
        policy="FINAL_TIER",
        disposition="stage_failed",
        reason="execution_failed",
        failure="jury_execution_failed",
        used_by_parent=False,
    )
    root = stage(
        judges=[judge],
        status="fail",
        reason_code="subject_empty",
        reasoning="root reasoning",
        evidence=GOLDEN_EVIDENCE,
    )
    return facts(
        root,
        tier,
        source_version=1,
        schema_version=1,
        reading=Reading.UNDECIDED,
        reading_support=Support.UNDETERMINED,
        decided_by=DecidedBy(stage="tier", path=("up", "tier"), basis="tier_outcome"),
        defects=[Defect(path="defect path", field="defect field", kind=DefectKind.UNPARSEABLE, note="defect note")],
    )


@pytest.fixture(scope="module")
def golden() -> Corpus:
    item = RecordedItem(
        index=3,
        item_id="item id",
        item_slug="item slug",
        success=True,
        passed=False,
        execution_status="TIMEOUT",
        error="item error",
        cost_usd=0.21,
        total_tokens=201,
        duration_ms=202,
        scores={"score name": 0.22},
        metadata='{"k": 1}',
        instrument_failure="rosterMismatch",
        interpretation=to_builtins(with_summary(golden_facts())),
    )
    recorded = RecordedRun(
        run_id="run id",
        path="run path",
        copies=["copy path", "run path"],
        kind=RunKind.RE_EVALUATION,
        re_evaluated_from="earlier run",
        experiment_name="experiment",
        session="session",
        variant="variant",
        repeat=301,
        timestamp=END,
        dataset_version="dataset version",
        dataset_dirty=True,
        dataset_semantic_version="dataset release",
        code_version="code version",
        code_dirty=False,
        instrument_hash="instrument hash",
        description_version=302,
        stored_passes=303,
        stored_non_passes=304,
        stored_excluded=305,
        stored_instrument_failures=306,
        stored_not_judged=307,
        stored_unattestable=308,
        stored_pass_rate=0.31,
        total_cost_usd=0.32,
        total_tokens=309,
        total_duration_ms=310,
        facts=[RunFact(FactSource.METADATA, "fact name", "fact value")],
        items=[item],
    )
    source = SourceFile(
        path="source path", member="source member", size=401, sha256="digest", state=SourceState.READ, run_id="run id"
    )
    problem = Problem(
        path="problem path",
        member="problem member",
        kind=ProblemKind.LIMIT,
        run_id="lost run",
        item_index=402,
        line=403,
        byte=404,
        message="message",
    )
    return corpus_of(recorded, sources=[source], problems=[problem])


GOLDEN_ROWS: dict[str, dict[str, object]] = {
    "runs": {
        "run_id": "run id",
        "path": "run path",
        "copies": ["copy path", "run path"],
        "kind": "re_evaluation",
        "re_evaluated_from": "earlier run",
        "experiment_name": "experiment",
        "session": "session",
        "variant": "variant",
        "repeat": 301,
        "timestamp": END,
        "dataset_version": "dataset version",
        "dataset_dirty": True,
        "dataset_semantic_version": "dataset release",
        "code_version": "code version",
        "code_dirty": False,
        "instrument_hash": "instrument hash",
        "description_version": 302,
        "item_count": 1,
        "stored_passes": 303,
        "stored_non_passes": 304,
        "stored_excluded": 305,
        "stored_instrument_failures": 306,
        "stored_not_judged": 307,
        "stored_unattestable": 308,
        "stored_pass_rate": 0.31,
        "total_cost_usd": 0.32,
        "total_tokens": 309,
        "total_duration_ms": 310,
        "interpreter_version": __version__,
        "schema_version": 1,
    },
    "run_facts": {"run_id": "run id", "source": "metadata", "name": "fact name", "value": "fact value"},
    "items": {
        "run_id": "run id",
        "item_index": 3,
        "item_id": "item id",
        "item_slug": "item slug",
        "success": True,
        "passed": False,
        "execution_status": "TIMEOUT",
        "error": "item error",
        "cost_usd": 0.21,
        "total_tokens": 201,
        "duration_ms": 202,
        "metadata": '{"k": 1}',
        "has_verdict": False,
        "verdict_era": "none",
        "interpretation_origin": "stored",
        "schema_version": 1,
        "source_version": 1,
        "reading": "UNDECIDED",
        "reading_support": "UNDETERMINED",
        "decided_by_kind": "stage",
        "decided_by_stage": "tier",
        "decided_by_path": ["up", "tier"],
        "decided_by_basis": "tier_outcome",
        "root_status": "fail",
        "root_reason_code": "subject_empty",
        "stage_count": 2,
        "seat_count": 2,
        "check_count": 1,
        "defect_count": 1,
        "stage_failure": True,
        "instrument_failure": "rosterMismatch",
        "judge_errors": 1,
        "judge_abstentions": 1,
        "errors_absorbed": True,
        "stored_reading": "UNDECIDED",
        "stored_support": "UNDETERMINED",
        "stored_difference": None,
    },
    "scores": {"run_id": "run id", "item_index": 3, "name": "score name", "value": 0.22},
    "stages": {
        "run_id": "run id",
        "item_index": 3,
        "stage_index": 0,
        "stage": None,
        "path": [],
        "relation": None,
        "jury_policy": None,
        "disposition": None,
        "disposition_reason": None,
        "failure": None,
        "used_by_parent": None,
        "status": "fail",
        "reason_code": "subject_empty",
        "reasoning": "root reasoning",
        "has_evidence": True,
        "strategy": "average",
        "error_policy": "treatAsFail",
        "not_applicable_policy": "exclude",
        "input_count": 101,
        "eligible_count": 102,
        "explicit_abstain_count": 103,
        "not_applicable_count": 104,
        "error_count": 105,
        "ignored_error_count": 106,
        "errors_treated_as_abstain_count": 107,
        "errors_treated_as_fail_count": 108,
        "not_applicable_treated_as_fail_count": 109,
        "error_code_counts": [{"code": "z_code", "count": 2}, {"code": "a_code", "count": 1}],
        "pass_count": 110,
        "fail_count": 111,
        "threshold": 0.11,
        "binding_index": 112,
        "input_weight": 0.12,
        "eligible_weight": 0.13,
        "is_copy": False,
        "copies_stage": None,
    },
    "seats": {
        "run_id": "run id",
        "item_index": 3,
        "stage_index": 0,
        "seat_index": 0,
        "position": 7,
        "name": "judge name",
        "key_source": "POSITIONAL",
        "status": "error",
        "reason_code": "judge_failed",
        "score": 0.25,
        "scale_min": -3.0,
        "scale_max": 9.0,
        "reasoning": "judge reasoning",
        "is_copy": False,
    },
    "checks": {
        "run_id": "run id",
        "item_index": 3,
        "stage_index": 0,
        "seat_index": 0,
        "check_index": 0,
        "name": "check name",
        "passed": False,
        "detail": "check detail",
        "is_copy": False,
    },
    "defects": {
        "run_id": "run id",
        "item_index": 3,
        "defect_index": 0,
        "path": "defect path",
        "field": "defect field",
        "kind": "UNPARSEABLE",
        "note": "defect note",
    },
    "sources": {
        "path": "source path",
        "member": "source member",
        "size": 401,
        "sha256": "digest",
        "state": "read",
        "run_id": "run id",
    },
    "problems": {
        "path": "problem path",
        "member": "problem member",
        "kind": "limit",
        "run_id": "lost run",
        "item_index": 402,
        "line": 403,
        "byte": 404,
        "message": "message",
    },
}


@pytest.mark.parametrize("table", TABLES)
def test_golden_record_column_by_column(golden: Corpus, table: str) -> None:
    assert golden.tables()[table].row(0, named=True) == GOLDEN_ROWS[table]


def test_golden_record_has_the_facts_of_an_attempt_in_its_second_stage(golden: Corpus) -> None:
    row = golden.stages.row(1, named=True)
    expected = {
        "stage": "tier",
        "path": ["tier"],
        "relation": "cascade_tier",
        "jury_policy": "FINAL_TIER",
        "disposition": "stage_failed",
        "disposition_reason": "execution_failed",
        "failure": "jury_execution_failed",
        "used_by_parent": False,
        "status": None,
        "has_evidence": False,
        "error_code_counts": None,
    }
    assert {name: row[name] for name in expected} == expected


def test_batches_have_exactly_the_arrow_schemas() -> None:
    flattener = Flattener()
    recorded = run("r", judged(0, ACCEPTING), judged(1, None))
    batch = next(flattener.batches([recorded])) | flattener.closing_batch([], [])
    assert {table: rows.schema for table, rows in batch.items()} == {table: arrow_schema(table) for table in TABLES}


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_size_of_batches_changes_nothing(size: int) -> None:
    recorded = [run("a", *(judged(index, REJECTING) for index in range(5))), run("b"), run("c", judged(0, None))]
    batches = list(Flattener().batches(recorded, items_per_batch=size))
    assert max(batch["items"].num_rows for batch in batches) <= size
    keys = [
        (row["run_id"], row["item_index"], row["stage_count"]) for one in batches for row in one["items"].to_pylist()
    ]
    assert keys == [*(("a", index, 1) for index in range(5)), ("c", 0, 0)]
    assert [row["run_id"] for one in batches for row in one["runs"].to_pylist()] == ["a", "b", "c"]


def test_no_runs_give_every_table_with_its_types() -> None:
    corpus = corpus_of()
    for table, frame in corpus.tables().items():
        assert frame.height == 0
        assert frame.schema == polars_schema(table)


def test_item_without_verdict_has_counts_of_zero_and_nulls_elsewhere() -> None:
    row = corpus_of(run("r", judged(0, None))).items.row(0, named=True)
    zero = {name: 0 for name in row if name.endswith("_count") or name in ("judge_errors", "judge_abstentions")}
    told = {"run_id": "r", "item_index": 0, "has_verdict": False, "verdict_era": "none", "stage_failure": False}
    assert row == dict.fromkeys(row) | zero | told


def test_verdict_is_read_anew_and_origin_is_computed() -> None:
    row = corpus_of(run("r", judged(0, REJECTING))).items.row(0, named=True)
    assert (row["reading"], row["interpretation_origin"], row["verdict_era"]) == ("REJECTED", "computed", "0.14-0.16")
    assert (row["stored_reading"], row["stored_support"], row["stored_difference"]) == (None, None, None)
    assert row["decided_by_kind"] == "not_recorded"
    assert row["stage_count"] == 1


def test_empty_verdict_is_a_verdict() -> None:
    row = corpus_of(run("r", judged(0, {}))).items.row(0, named=True)
    assert (row["has_verdict"], row["verdict_era"], row["reading"]) == (True, "unknown", None)
    assert row["reading_support"] == "UNDETERMINED"


def test_stored_interpretation_beside_a_verdict_is_only_compared() -> None:
    same = with_summary(read_facts(ACCEPTING))
    other = with_summary(read_facts(REJECTING))
    corpus = corpus_of(
        run(
            "r",
            judged(0, ACCEPTING, interpretation=to_builtins(same)),
            judged(1, ACCEPTING, interpretation=to_builtins(other)),
        )
    )
    columns = ["reading", "interpretation_origin", "stored_reading", "stored_difference"]
    first, second = corpus.items.select(columns).rows()
    assert first == ("ACCEPTED", "computed", "ACCEPTED", [])
    assert second[:3] == ("ACCEPTED", "computed", "REJECTED")
    assert second[3] == ["reading", "root.status", "root.reasoning"]


def as_stored(root: Stage) -> dict[str, Any]:
    return to_builtins(facts(root)) | {"summary": "words"}


@pytest.mark.parametrize(
    "broken",
    [
        as_stored(stage()) | {"reading": "MAYBE"},
        as_stored(stage()) | {"schemaVersion": 2**40},
        as_stored(stage(judges=[seat(position=2**31)])),
        as_stored(stage(judges=[seat(score=1.5)])),
        as_stored(stage(judges=[seat(score_scale=ScoreScale(min=0.0, max=float("inf")))])),
        as_stored(stage(evidence=evidence(pass_count=2**31))),
        as_stored(stage(evidence=evidence(threshold=float("nan")))),
        as_stored(stage(evidence=evidence(error_code_counts={"x": 10**5000}))),
    ],
    ids=range(8),
)
def test_unusable_stored_interpretation_is_a_problem_and_no_interpretation(broken: dict[str, Any]) -> None:
    item = RecordedItem(index=4, interpretation=broken)
    corpus = corpus_of(run("r", item, judged(5, ACCEPTING, interpretation=broken)))
    columns = ["interpretation_origin", "reading", "stored_support", "stored_difference"]
    assert corpus.items.select(columns).rows() == [(None, None, None, None), ("computed", "ACCEPTED", None, None)]
    problems = corpus.problems.select("path", "kind", "run_id", "item_index").rows()
    assert problems == [("r.json", "field", "r", 4), ("r.json", "field", "r", 5)]
    assert corpus.problems["message"].str.starts_with("the item's own interpretation can't be used").all()


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        (None, None),
        ({}, None),
        ({"ignored_error_count": 1}, True),
        ({"errors_treated_as_fail_count": 1}, True),
        ({"errors_treated_as_abstain_count": 2}, True),
        ({"ignored_error_count": 0, "errors_treated_as_fail_count": 0}, None),
        (
            {"ignored_error_count": 0, "errors_treated_as_fail_count": 0, "errors_treated_as_abstain_count": 0},
            False,
        ),
        ({"error_count": 3}, None),
    ],
)
def test_errors_absorbed_is_null_where_the_evidence_leaves_it_open(
    members: dict[str, int] | None, *, expected: bool | None
) -> None:
    root = stage(evidence=None if members is None else evidence(**members))
    assert corpus_of(run("r", stored(0, facts(root)))).items["errors_absorbed"].to_list() == [expected]


def test_copies_are_marked_in_three_tables_and_left_out_of_judge_counts() -> None:
    judges = [seat("a", status="error", checks=(check(),)), seat("b", status="abstain", position=1)]
    item = stored(0, facts(stage(judges=judges), stage("t", judges=judges)))
    corpus = corpus_of(run("r", item))
    assert corpus.stages.select("is_copy", "copies_stage").rows() == [(True, 1), (False, None)]
    assert corpus.seats.select("stage_index", "is_copy").rows() == [(0, True), (0, True), (1, False), (1, False)]
    assert corpus.checks.select("stage_index", "is_copy").rows() == [(0, True), (1, False)]
    counts = corpus.items.select("seat_count", "check_count", "judge_errors", "judge_abstentions")
    assert counts.row(0) == (4, 2, 1, 1)


BROKEN = "x\ud800y"
MENDED = "x\ufffdy"


def test_surrogates_become_replacement_characters_with_one_problem_a_column() -> None:
    judges = [seat(BROKEN, checks=(check("c", detail=BROKEN), check("d", detail=BROKEN)))]
    marked = facts(
        stage(judges=judges, evidence=evidence(error_code_counts={BROKEN: 1})),
        stage(BROKEN),
        defects=[unnamed("p")],
    )
    recorded = run("r", judged(0, ACCEPTING), stored(1, marked, error=BROKEN, scores={BROKEN: 0.5}), variant=BROKEN)
    corpus = corpus_of(recorded)
    assert corpus.runs["variant"].to_list() == [MENDED]
    assert corpus.items["error"].to_list() == [None, MENDED]
    assert corpus.scores["name"].to_list() == [MENDED]
    assert corpus.stages["path"].to_list() == [[], [], [MENDED]]
    assert corpus.stages["error_code_counts"].to_list() == [None, [{"code": MENDED, "count": 1}], None]
    assert corpus.seats["name"].to_list() == [MENDED]
    assert corpus.checks["detail"].to_list() == [MENDED, MENDED]
    told = {(kind, index, text.split(":")[0]) for kind, index, text in _problems(corpus)}
    assert told == {
        ("text", None, "runs.variant"),
        ("text", 1, "items.error"),
        ("text", 1, "scores.name"),
        ("text", 1, "stages.stage"),
        ("text", 1, "stages.path"),
        ("text", 1, "stages.error_code_counts"),
        ("text", 1, "seats.name"),
        ("text", 1, "checks.detail"),
    }
    assert corpus.problems.height == len(told)
    assert corpus.interpretation("r", 1).stages[0].path == (MENDED,)


def _problems(corpus: Corpus) -> list[tuple[str, int | None, str]]:
    return corpus.problems.select("kind", "item_index", "message").rows()


def test_keys_that_differ_only_in_surrogates_stay_apart() -> None:
    item = judged(0, None, scores={"x\ud801y": 2.0, MENDED: 1.0, BROKEN: 3.0})
    facts_ = [RunFact(FactSource.METADATA, "\ud800", "a"), RunFact(FactSource.METADATA, "\ud801", "b")]
    scores = corpus_of(run("r", item, facts=facts_)).scores
    assert sorted(scores.select("value", "name").rows()) == [
        (1.0, MENDED),
        (2.0, f"{MENDED}\ufffd"),
        (3.0, f"{MENDED}\ufffd\ufffd"),
    ]


def test_runs_whose_ids_differ_only_in_surrogates_stay_apart() -> None:
    first, second = run("a\ud800", judged(0, ACCEPTING)), run("a\ud801", judged(0, REJECTING))
    source = SourceFile(path="b\udcff.json", state=SourceState.READ, run_id="a\ud801")
    problem = Problem(path="b.json", kind=ProblemKind.FIELD, run_id="a\ud801", message="m\ud800")
    corpus = corpus_of(first, second, sources=[source], problems=[problem])
    ids = ["a\ufffd", "a\ufffd\ufffd"]
    assert corpus.runs["run_id"].to_list() == ids
    assert corpus.items.select("run_id", "reading").rows() == [(ids[0], "ACCEPTED"), (ids[1], "REJECTED")]
    assert corpus.sources.select("path", "run_id").rows() == [("b\ufffd.json", ids[1])]
    assert corpus.problems.row(0, named=True)["run_id"] == ids[1]
    assert corpus.problems["message"].str.starts_with("sources.path").sum() == 1


def test_numbers_without_room_become_null_with_a_problem() -> None:
    items = [
        judged(0, None, total_tokens=10**30, cost_usd=float("inf"), duration_ms=2**63 - 1),
        judged(1, None, total_tokens=5, cost_usd=10**400),
        judged(2, None, total_tokens=None, cost_usd=2**60 + 1),
    ]
    corpus = corpus_of(run("r", *items, repeat=2**31, stored_pass_rate=float("nan")))
    assert corpus.items["total_tokens"].to_list() == [None, 5, None]
    assert corpus.items["cost_usd"].to_list() == [None, None, float(2**60)]
    assert corpus.items["duration_ms"].to_list() == [2**63 - 1, None, None]
    assert corpus.runs.select("repeat", "stored_pass_rate").row(0) == (None, None)
    told = sorted((kind, index, text.split(":")[0]) for kind, index, text in _problems(corpus) if index is not None)
    assert told == [("field", 0, "items.cost_usd"), ("field", 0, "items.total_tokens"), ("field", 1, "items.cost_usd")]
    assert corpus.problems.filter(corpus.problems["item_index"].is_null()).height == 2


def test_numbers_at_the_ends_of_their_range_are_kept() -> None:
    judge = seat(position=-(2**31), score=-0.0)
    marked = facts(stage(judges=[judge], evidence=evidence(error_code_counts={"x": -(2**63), "y": 2**63 - 1})))
    rebuilt = corpus_of(run("r", stored(0, marked))).interpretation("r", 0)
    assert json.dumps(to_builtins(rebuilt)) == json.dumps(to_builtins(with_summary(marked)))


def test_run_ids_that_would_be_one_after_repair_stay_two() -> None:
    corpus = corpus_of(run("a\ud800"), run("a\ufffd", judged(0, ACCEPTING)), run("a\ud801"))
    assert corpus.runs["run_id"].to_list() == ["a\ufffd", "a\ufffd\ufffd", "a\ufffd\ufffd\ufffd"]
    assert corpus.items["run_id"].to_list() == ["a\ufffd\ufffd"]
