from __future__ import annotations

import copy
import gzip
import json
import pickle
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import OPTIONAL_DATA
from tests.verdicts.rebuilding import rebuild
from tests.verdicts.strategies import judgments, juries, live_verdicts
from verdict_frames import vocabulary
from verdict_frames.errors import VerdictError
from verdict_frames.interpretation.reader import interpret
from verdict_frames.interpretation.stored_form import to_builtins, to_json
from verdict_frames.verdicts import judgments as judgment_module
from verdict_frames.verdicts import verdict as verdict_module
from verdict_frames.verdicts.judgments import AggregationBlock, Judgment, RecordedCheck
from verdict_frames.verdicts.reduction import reduce_judgments
from verdict_frames.verdicts.stored import to_stored
from verdict_frames.verdicts.verdict import CompositeAttempt, Decision, Verdict
from verdict_frames.vocabulary import Reading, Support

COMPLETE = Path(__file__).parent / "complete.jsonl"


@given(live_verdicts())
def test_live_and_stored_are_read_alike(live: Verdict) -> None:
    encoded = json.dumps(to_stored(live))
    assert to_json(interpret(live)) == to_json(interpret(json.loads(encoded)))


@given(live_verdicts())
def test_a_live_verdict_lacks_nothing_and_its_structure_holds(live: Verdict) -> None:
    interpretation = interpret(live)
    assert interpretation.source_version == 1
    assert {(defect.path, defect.field.partition(".aggregation.")[0]) for defect in interpretation.defects} <= {
        ("verdict.aggregated", "metadata.aggregation"),
        ("verdict.aggregated", "metadata"),
        ("verdict.aggregated", "status"),
        ("verdict.aggregated", "reasonCode"),
    }


@given(live_verdicts())
def test_live_verdicts_are_values(live: Verdict) -> None:
    before = json.dumps(to_stored(live))
    assert pickle.loads(pickle.dumps(live)) == live  # noqa: S301 - our own bytes
    assert copy.deepcopy(live) == live
    stored = to_stored(live)
    stored["aggregated"]["metadata"]["changed"] = True
    stored["individual"].append(None)
    assert json.dumps(to_stored(live)) == before
    assert json.dumps(to_stored(rebuild(json.loads(before)))) == before


@given(
    st.lists(judgments(), max_size=5),
    st.sampled_from(["majority", "consensus", "allMustPass"]),
    st.sampled_from(sorted(vocabulary.ERROR_POLICIES)),
    st.sampled_from(sorted(vocabulary.NOT_APPLICABLE_POLICIES)),
)
def test_a_reduction_is_borne_out_by_its_block_r94(
    said: list[Judgment], strategy: Any, errors: Any, others: Any
) -> None:
    whole = reduce_judgments(said, strategy, error_policy=errors, not_applicable_policy=others)
    interpretation = interpret(Verdict.of(said, whole))
    assert interpretation.defects == ()
    assert interpretation.reading_support is Support.SUPPORTED
    evidence = interpretation.root.evidence
    assert evidence is not None
    assert evidence.input_count == len(said)
    parts = (
        (evidence.eligible_count or 0)
        + (evidence.explicit_abstain_count or 0)
        + ((evidence.not_applicable_count or 0) - (evidence.not_applicable_treated_as_fail_count or 0))
        + ((evidence.error_count or 0) - (evidence.errors_treated_as_fail_count or 0))
    )
    assert parts == len(said)


@pytest.mark.parametrize(
    ("strategy", "statuses", "expected"),
    [
        ("majority", "pass pass fail", "pass"),
        ("majority", "pass fail", "abstain"),
        ("majority", "fail fail pass abstain", "fail"),
        ("majority", "abstain", "abstain"),
        ("majority", "", "abstain"),
        ("consensus", "pass pass abstain", "pass"),
        ("consensus", "fail fail", "fail"),
        ("consensus", "pass fail", "abstain"),
        ("allMustPass", "pass abstain", "pass"),
        ("allMustPass", "pass pass fail", "fail"),
        ("majority", "pass error", "error"),
        ("majority", "pass not_applicable", "error"),
    ],
)
def test_reduction_by_rule(strategy: Any, statuses: str, expected: str) -> None:
    said = [
        Judgment(status=status, reason_code="judge_failed" if status == "error" else None)  # type: ignore[arg-type]
        for status in statuses.split()
    ]
    assert reduce_judgments(said, strategy).status == expected


def test_reduction_by_policy() -> None:
    failed = Judgment(status="error", reason_code="judge_failed")
    broken = Judgment(status="error", reason_code="stage_failed")
    passes, outside = Judgment(status="pass"), Judgment(status="not_applicable")
    assert reduce_judgments([passes, failed], "allMustPass", error_policy="treatAsFail").status == "fail"
    assert reduce_judgments([passes, failed], "allMustPass", error_policy="ignore").status == "pass"
    assert reduce_judgments([passes, failed], "consensus", error_policy="treatAsAbstain").status == "pass"
    whole = reduce_judgments([passes, broken], "allMustPass", error_policy="treatAsFail")
    assert (whole.status, whole.reason_code) == ("error", "errors_propagated")
    assert reduce_judgments([outside, outside], "majority", not_applicable_policy="exclude").status == "not_applicable"
    assert reduce_judgments([outside, passes], "majority", not_applicable_policy="exclude").status == "pass"
    assert reduce_judgments([outside, passes], "majority", not_applicable_policy="treatAsFail").status == "abstain"
    assert reduce_judgments([outside], "majority").reason_code == "not_applicable_refused"
    assert reduce_judgments([outside], "majority", reasoning="no code").reasoning == "no code"
    with pytest.raises(VerdictError, match="strategy is 'average'"):
        reduce_judgments([passes], "average")  # type: ignore[arg-type]


def test_stored_form_key_by_key_r29() -> None:
    check = RecordedCheck(name="runs", passed=True, message="exit code 0")
    block = AggregationBlock(
        strategy="weightedAverage",
        input_count=1,
        eligible_count=1,
        threshold=1,
        binding_index=0,
        input_weight=2,
        eligible_weight=2,
        pass_count=1,
        fail_count=0,
    )
    judge = Judgment(
        status="pass",
        score=1,
        label="good",
        reason_code="subject_empty",
        reasoning="runs",
        checks=(check,),
        metadata={"model": "m", "tags": ("x", None)},
        aggregation=block,
    )
    failed = CompositeAttempt(
        name="late",
        policy="FINAL_TIER",
        disposition="stage_failed",
        disposition_reason="execution_failed",
        failure="jury_execution_failed",
    )
    quick = Verdict.of({"runs": judge}, judge, weights={"runs": 2})
    stored = to_stored(
        Verdict.adopting("quick", [CompositeAttempt(name="quick", policy="ACCEPT_ON_ALL_PASS", verdict=quick), failed])
    )
    said = (
        '{"status": "pass", "score": 1.0, "label": "good", "reasonCode": "subject_empty", "reasoning": "runs", '
        '"checks": [{"name": "runs", "passed": true, "message": "exit code 0"}], "metadata": {"model": "m", '
        '"tags": ["x", null], "aggregation": {"strategy": "weightedAverage", "errorPolicy": "propagate", '
        '"notApplicablePolicy": "refuse", "inputCount": 1, "eligibleCount": 1, "explicitAbstainCount": 0, '
        '"notApplicableCount": 0, "errorCount": 0, "ignoredErrorCount": 0, "errorsTreatedAsAbstainCount": 0, '
        '"errorsTreatedAsFailCount": 0, "notApplicableTreatedAsFailCount": 0, "errorCodeCounts": {}, "passCount": 1, '
        '"failCount": 0, "threshold": 1.0, "bindingIndex": 0, "inputWeight": 2.0, "eligibleWeight": 2.0}}}'
    )
    jury = (
        f'"aggregated": {said}, "individual": [{said}], "individualByName": {{"runs": {said}}}, '
        '"weights": {"0": 2.0}, "seats": [{"position": 0, "verdictKey": "runs", "keySource": "DECLARED"}], '
    )
    assert json.dumps(stored) == (
        f'{{{jury}"decision": {{"kind": "tier", "tier": "quick", "basis": "tier_outcome"}}, "compositeAttempts": '
        '[{"name": "quick", "relation": "cascade_tier", "policy": "ACCEPT_ON_ALL_PASS", "disposition": "used", '
        f'"verdict": {{{jury}"decision": {{"kind": "own"}}, "compositeAttempts": []}}}}, {{"name": "late", "relation": '
        '"cascade_tier", "policy": "FINAL_TIER", "disposition": "stage_failed", "dispositionReason": '
        '"execution_failed", "failure": {"code": "jury_execution_failed"}}]}'
    )


def check_pair(pair: dict[str, Any]) -> bool:
    """Whether a stored verdict can be built and is stored as it was; its reading is the expected one then."""
    stored = pair["verdict"]
    stored.pop("instrumentHash", None)
    try:
        live = rebuild(stored)
    except (VerdictError, KeyError, TypeError, ValueError, AttributeError):
        return False
    if json.dumps(to_stored(live)) != json.dumps(_reals(stored)):
        return False
    told = to_builtins(interpret(live))
    del told["summary"]
    assert json.dumps(told) == json.dumps(pair["expected"])
    return True


def _reals(stored: Any) -> Any:
    """The same, a score that is written as an integer being a real."""
    if isinstance(stored, list):
        return [_reals(each) for each in stored]
    if not isinstance(stored, dict):
        return stored
    reals = {"score", "threshold", "inputWeight", "eligibleWeight"}
    return {
        key: float(value) if key in reals and isinstance(value, int) else _reals(value) for key, value in stored.items()
    }


def test_complete_records_can_be_built_and_are_stored_as_they_were_r29() -> None:
    with COMPLETE.open(encoding="utf-8") as lines:
        assert [check_pair(json.loads(line)) for line in lines] == [True] * 12


@pytest.mark.skipif(not OPTIONAL_DATA.exists(), reason="the optional conformance data is not here")
def test_most_complete_records_of_the_optional_data_can_be_built() -> None:
    with gzip.open(OPTIONAL_DATA / "conformance" / "pairs-own.jsonl.gz") as lines:
        pairs = map(json.loads, lines)
        whole = [pair for pair in pairs if pair["expected"]["sourceVersion"] == 1 and not pair["expected"]["defects"]]
    assert sum(map(check_pair, whole)) > 0.6 * len(whole)


@given(juries())
def test_a_sequence_of_judges_is_named_by_place(jury: Verdict) -> None:
    by_place = Verdict.of(jury.individual, jury.aggregated)
    assert [seat.verdict_key for seat in by_place.seats] == [f"Judge#{n + 1}" for n in range(len(jury.individual))]
    assert {seat.key_source for seat in by_place.seats} <= {"POSITIONAL"}
    assert {seat.key_source for seat in jury.seats} <= {"DECLARED"}
    assert [judge.status for judge in interpret(by_place).root.judges] == [each.status for each in jury.individual]


def test_nesting_is_refused_where_it_would_not_be_read_r71() -> None:
    passes = Judgment(status="pass")
    node = Verdict.of({"a": passes}, reduce_judgments([passes], "majority"))
    for _ in range(63):
        node = Verdict.adopting("t", [CompositeAttempt(name="t", policy="FINAL_TIER", verdict=node)])
    interpretation = interpret(node)
    assert interpretation.defects == ()
    assert interpretation.reading is Reading.ACCEPTED
    assert interpretation.decided_by is not None
    assert interpretation.decided_by.path == ("t",) * 63
    with pytest.raises(VerdictError, match="nested more than 63 levels deep"):
        Verdict.adopting("t", [CompositeAttempt(name="t", policy="FINAL_TIER", verdict=node)])


@pytest.mark.parametrize(
    ("literal", "known"),
    [
        (judgment_module.Status, vocabulary.STATUSES),
        (judgment_module.ReasonCode, vocabulary.REASON_CODES.keys()),
        (judgment_module.ErrorPolicy, vocabulary.ERROR_POLICIES),
        (judgment_module.NotApplicablePolicy, vocabulary.NOT_APPLICABLE_POLICIES),
        (verdict_module.KeySource, vocabulary.KEY_SOURCES),
        (verdict_module.DecisionKind, vocabulary.DECISION_KINDS),
        (verdict_module.DecisionBasis, vocabulary.DECISION_BASES),
        (verdict_module.Relation, vocabulary.RELATIONS),
        (verdict_module.TierPolicy, vocabulary.TIER_POLICIES),
        (verdict_module.Disposition, vocabulary.DISPOSITIONS),
        (verdict_module.DispositionReason, vocabulary.DISPOSITION_REASONS),
        (verdict_module.FailureCode, vocabulary.FAILURE_CODES),
    ],
)
def test_annotations_name_the_vocabulary(literal: Any, known: Any) -> None:
    assert set(get_args(literal)) == set(known)


def test_what_a_live_verdict_says_is_read_back() -> None:
    said = {"style": Judgment(status="fail", score=0.5), "tests": Judgment(status="pass", score=1)}
    live = Verdict.of(said, reduce_judgments(said.values(), "consensus"), decision=Decision())
    interpretation = interpret(live)
    assert interpretation.reading is Reading.UNDECIDED
    assert [(judge.name, judge.position, judge.score) for judge in interpretation.root.judges] == [
        ("style", 0, 0.5),
        ("tests", 1, 1.0),
    ]
