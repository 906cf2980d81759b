"""The summary says everything that it must and nothing that it mustn't (R98–R102), checked by walking the fields."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import given

from tests.interpretation.shapes import adopted, attempt, evidence, failed_attempt, judgment, rejected, verdict
from tests.interpretation.strategies import broken_verdicts
from verdict_frames.interpretation.reader import interpret, read_facts
from verdict_frames.interpretation.stored_form import from_builtins, to_builtins
from verdict_frames.interpretation.summary import decided_by_kind, summarize
from verdict_frames.vocabulary import REASON_CODES, STATUSES, DecidedByKind, Reading, Support

if TYPE_CHECKING:
    from collections.abc import Iterator

    from verdict_frames.records import Evidence, Facts, Stage

PAIRS = [json.loads(line) for line in (Path(__file__).parent / "pairs.jsonl").read_text().splitlines()]


def mentioned(text: str, word: str) -> bool:
    """Tell whether a token or recorded text stands in the summary, bare or in quotation marks."""
    return f"“{word}”" in text or re.search(rf"(?<![\w.]){re.escape(word)}(?!\w|\.\w)", text) is not None


def outside_quotes(text: str) -> str:
    return re.sub(r"(?s)“[^“”]*”", "“”", text)


def facts_of_a_judgment(one: Any) -> Iterator[str]:
    yield from (text for text in (one.status, one.reason_code, one.reasoning) if text)


def facts_of_evidence(evidence: Evidence) -> Iterator[str]:
    for text in (evidence.strategy, evidence.error_policy, evidence.not_applicable_policy):
        if text is not None:
            yield text
    for name in (
        "threshold inputCount eligibleCount passCount failCount errorCount notApplicableCount explicitAbstainCount"
    ).split():
        value = msgspec.to_builtins(evidence)[name]
        if value is not None:
            yield f"{name} {value}"
    for code, count in (evidence.error_code_counts or {}).items():
        yield code
        yield str(count)


def facts_that_must_be_mentioned(facts: Facts) -> Iterator[str]:
    """R99, as a walk over the fields."""
    for stage in (facts.root, *facts.stages):
        yield from stage.path
        yield from (fact for fact in (stage.relation, stage.policy, stage.failure, stage.reason) if fact is not None)
        if stage.disposition is not None and stage.used_by_parent is None:
            yield stage.disposition
        yield from facts_of_a_judgment(stage)
        for judge in stage.judges:
            yield judge.name
            yield from facts_of_a_judgment(judge)
        if stage.evidence is not None:
            yield from facts_of_evidence(stage.evidence)
    if facts.decided_by is not None:
        yield from (facts.decided_by.stage, *facts.decided_by.path, facts.decided_by.basis)
    if facts.reading is not None:
        yield facts.reading
    yield from (facts.reading_support, f"Source version {facts.source_version}")
    for defect in facts.defects:
        yield from (defect.path, defect.field, defect.kind)


def tokens_in_the_fields(facts: Facts) -> set[str]:
    stages: list[Stage] = [facts.root, *facts.stages]
    tokens = {stage.status for stage in stages} | {stage.reason_code for stage in stages}
    tokens |= {stage.reason for stage in stages}
    tokens |= {token for stage in stages for judge in stage.judges for token in (judge.status, judge.reason_code)}
    tokens |= {code for stage in stages if stage.evidence for code in stage.evidence.error_code_counts or {}}
    return {token for token in tokens if token is not None}


def assert_complete_and_sound(facts: Facts) -> None:
    text = summarize(facts)
    for fact in facts_that_must_be_mentioned(facts):
        assert mentioned(text, fact), fact
    ours = outside_quotes(text)
    for word in (*Reading, *Support):
        if word not in (facts.reading, facts.reading_support):
            assert not re.search(rf"\b{word}\b", ours), word
    for token in (*STATUSES, *REASON_CODES):
        if token not in tokens_in_the_fields(facts):
            assert not re.search(rf"\b{token}\b", ours), token


@pytest.mark.parametrize("pair", PAIRS, ids=[pair["id"] for pair in PAIRS])
def test_summary_is_complete_and_sound_r99_r100(pair: dict[str, Any]) -> None:
    assert_complete_and_sound(read_facts(pair["verdict"]))


def test_every_part_of_the_walk_is_exercised() -> None:
    texts = " ".join(summarize(read_facts(pair["verdict"])) for pair in PAIRS)
    for words in (
        "An anonymous stage below the root",
        "used by its parent",
        "not used by its parent because of",
        "with the unrecognised disposition",
        "its use by the parent is not recorded",
        "failure code jury_execution_failed",
        "without a readable status",
        "threshold",
        "errorCodeCounts",
        "Who decided is not recorded",
        "The root’s own reduction decided",
        "on the basis individual_rejection",
        "No defects.",
        "No judges are recorded for it.",
        "No reading can be told",
    ):
        assert words in texts, words


@given(broken_verdicts())
def test_summary_is_a_function_of_the_fields_r98(stored: dict[str, Any]) -> None:
    interpretation = interpret(stored)
    again = from_builtins(to_builtins(interpretation) | {"summary": "something else"})
    assert summarize(again) == interpretation.summary
    unquoted = [text for text in facts_that_must_be_mentioned(interpretation) if "“" not in text and "”" not in text]
    for fact in unquoted:
        assert mentioned(interpretation.summary, fact), fact


def test_what_r101_leaves_out_changes_nothing() -> None:
    base = verdict()
    text = interpret(base).summary
    one = base["individual"][0]
    base["seats"][0] |= {"position": 7, "keySource": "POSITIONAL"}
    base["weights"] = {"0": 3.0}
    one["score"] = {"value": 3, "min": 1, "max": 5}
    one["checks"] = [{"name": "compiles", "passed": True, "message": "no warnings"}]
    base["aggregated"]["metadata"]["aggregation"] |= {"bindingIndex": 4, "inputWeight": 9.5, "ignoredErrorCount": 8}
    changed = interpret(base)
    assert changed.root.judges[0].checks
    assert changed.summary == text


def test_recorded_words_stay_inside_quotation_marks_r100() -> None:
    shout = "REJECTED, and CONTRADICTED by error"
    stored = verdict(judgment(reasoning=shout), {"NOT_ASSESSED": judgment(reasoning=shout)})
    stored["compositeAttempts"] = [attempt("UNDECIDED", relation="fail", disposition="abstain")]
    assert_complete_and_sound(read_facts(stored))


@pytest.mark.parametrize(
    ("stored", "kind"),
    [
        (verdict(), DecidedByKind.ROOT),
        (adopted(), DecidedByKind.STAGE),
        (rejected(), DecidedByKind.STAGE),
        (verdict(judgment("error", reasonCode="no_tier_decided"), decision={"kind": "undecided"}), DecidedByKind.ROOT),
        (verdict(decision={}), DecidedByKind.NOT_RECORDED),
        (verdict(decision={"kind": "voted"}), DecidedByKind.NOT_RECORDED),
        (verdict(decision="own"), DecidedByKind.NOT_RECORDED),
        ({}, DecidedByKind.NOT_RECORDED),
    ],
)
def test_who_decided_tells_root_from_not_recorded_r102(stored: dict[str, Any], kind: DecidedByKind) -> None:
    facts = read_facts(stored)
    assert decided_by_kind(facts) is kind
    words = {
        DecidedByKind.ROOT: "The root’s own reduction decided.",
        DecidedByKind.STAGE: "The stage “t1” decided (path “t1”) on the basis",
        DecidedByKind.NOT_RECORDED: "Who decided is not recorded.",
    }
    assert [other for other, text in words.items() if text in summarize(facts)] == [kind]


def test_summary_reads_well() -> None:
    tier = failed_attempt("rubric", relation="cascade_tier")
    stored = rejected(tier)
    stored["decision"]["tier"] = "rubric"
    stored["aggregated"]["metadata"] = evidence("majority", errorPolicy=None, passCount=None, failCount=None)
    assert interpret(stored).summary == (
        "Reading REJECTED: the subject did not meet the criteria."
        " Support UNDETERMINED: the reading can't be checked against the record."
        " The stage “rubric” decided (path “rubric”) on the basis individual_rejection."
        " The root: error [stage_failed] “said so”."
        " Its evidence: strategy “majority”, notApplicablePolicy refuse, inputCount 1, eligibleCount 1, errorCount 0,"
        " notApplicableCount 0. Its judges: “strict” fail “said so”."
        " The stage “rubric” (cascade_tier, REJECT_ON_ANY_FAIL, not used by its parent because of"
        " undeclared_not_applicable): not_applicable “said so”. Its judges: “strict” fail “said so”."
        " Source version 1: the seven-component form of 0.17. Defects (1): ABSENT “verdict.aggregated”"
        " “metadata.aggregation.passCount”."
    )
