"""The aggregation block, at the root and beneath it (R59–R66)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from tests.interpretation.shapes import attempt, expected, found, judgment, verdict
from verdict_frames.interpretation.reader import interpret

if TYPE_CHECKING:
    from verdict_frames.records import Evidence

ROOT = "verdict.aggregated"
NESTED = "verdict.compositeAttempts[0].verdict.aggregated"
INF = float("inf")

COUNTS_BEFORE_CODES = [
    *("inputCount", "eligibleCount", "explicitAbstainCount", "notApplicableCount", "errorCount", "ignoredErrorCount"),
    *("errorsTreatedAsAbstainCount", "errorsTreatedAsFailCount", "notApplicableTreatedAsFailCount"),
]
COUNTS = [*COUNTS_BEFORE_CODES, "passCount", "failCount", "bindingIndex"]
DECIMALS = ["threshold", "inputWeight", "eligibleWeight"]
MEMBERS = [
    *("strategy", "errorPolicy", "notApplicablePolicy", *COUNTS_BEFORE_CODES, "errorCodeCounts"),
    *("passCount", "failCount", "threshold", "bindingIndex", "inputWeight", "eligibleWeight"),
]


def read_at(place: str, metadata: object) -> tuple[Evidence | None, list[str]]:
    """Read a verdict with that metadata at one aggregate; a root without status is not checked against it (R93)."""
    if place == ROOT:
        interpretation = interpret(verdict(judgment(None, metadata=metadata), decision={"kind": "undecided"}))
        status, *others, kind = found(interpretation)
        assert [status, kind] == ["ABSENT verdict.aggregated . status", "INCONSISTENT verdict.decision . kind"]
        return interpretation.root.evidence, others
    nested = attempt(child=verdict(judgment(metadata=metadata)))
    interpretation = interpret(verdict(compositeAttempts=[nested]))
    return interpretation.stages[0].evidence, found(interpretation)


def members(evidence: Evidence | None) -> dict[str, Any]:
    assert evidence is not None
    stored: dict[str, Any] = msgspec.to_builtins(evidence)
    return stored


both_places = pytest.mark.parametrize("place", [ROOT, NESTED], ids=["root", "nested-R66"])


@both_places
@pytest.mark.parametrize(
    ("metadata", "defects"),
    [
        pytest.param(None, "", id="R59-no-metadata"),
        pytest.param(5, "", id="R59-metadata-number"),
        pytest.param([], "", id="R59-metadata-list"),
        pytest.param("aggregation", "", id="R59-metadata-text"),
        pytest.param({}, "", id="R59-no-block"),
        pytest.param({"aggregation": None}, "", id="R59-block-null"),
        pytest.param({"aggregation": "consensus"}, "UNPARSEABLE Q . metadata.aggregation", id="R59-block-text"),
        pytest.param({"aggregation": []}, "UNPARSEABLE Q . metadata.aggregation", id="R59-block-list"),
        pytest.param({"aggregation": False}, "UNPARSEABLE Q . metadata.aggregation", id="R59-block-false"),
        pytest.param({"aggregation": 0}, "UNPARSEABLE Q . metadata.aggregation", id="R59-block-zero"),
    ],
)
def test_there_is_no_evidence_without_a_block(place: str, metadata: object, defects: str) -> None:
    evidence, told = read_at(place, metadata)
    assert evidence is None
    assert told == expected(defects, Q=place)


@both_places
def test_an_empty_block_is_evidence_of_nothing_r60(place: str) -> None:
    evidence, told = read_at(place, {"aggregation": {}})
    assert members(evidence) == dict.fromkeys(MEMBERS)
    assert told == []


@both_places
def test_each_of_the_nineteen_members_comes_from_its_own_key_in_order_r60(place: str) -> None:
    block: dict[str, Any] = {name: index for index, name in enumerate(MEMBERS)}
    block |= {"strategy": "median", "errorPolicy": "ignore", "notApplicablePolicy": "exclude"}
    block |= {"errorCodeCounts": {"judge_failed": 12}, "threshold": 15.5, "inputWeight": 17.5, "eligibleWeight": 18.5}
    evidence, told = read_at(place, {"aggregation": dict(reversed(block.items())) | {"weights": "not a member"}})
    assert len(MEMBERS) == 19
    assert list(members(evidence).items()) == list(block.items())
    assert told == []


@both_places
def test_defects_come_in_the_order_of_the_members_not_as_recorded_r60(place: str) -> None:
    block = dict.fromkeys(sorted(MEMBERS, reverse=True), True)
    evidence, told = read_at(place, {"aggregation": block})
    assert members(evidence) == dict.fromkeys(MEMBERS)
    assert told == [f"UNPARSEABLE {place} . metadata.aggregation.{name}" for name in MEMBERS]


M = "Q . metadata.aggregation"


@both_places
@pytest.mark.parametrize(
    ("member", "value", "read", "defects"),
    [
        pytest.param("strategy", "own rule", "own rule", "", id="R25-strategy-is-free-text"),
        pytest.param("strategy", "", "", "", id="R61-empty-text"),
        pytest.param("strategy", 5, None, f"UNPARSEABLE {M}.strategy", id="R61-number"),
        pytest.param("strategy", ["median"], None, f"UNPARSEABLE {M}.strategy", id="R61-list"),
        pytest.param("strategy", False, None, f"UNPARSEABLE {M}.strategy", id="R61-false"),
        pytest.param("errorPolicy", "propagate", "propagate", "", id="R23-propagate"),
        pytest.param("errorPolicy", "treatAsFail", "treatAsFail", "", id="R23-fail"),
        pytest.param("errorPolicy", "treatAsAbstain", "treatAsAbstain", "", id="R23-abstain"),
        pytest.param("errorPolicy", "ignore", "ignore", "", id="R23-ignore"),
        pytest.param("errorPolicy", "exclude", "exclude", f"UNKNOWN_VOCABULARY {M}.errorPolicy", id="R62-others"),
        pytest.param("errorPolicy", "IGNORE", "IGNORE", f"UNKNOWN_VOCABULARY {M}.errorPolicy", id="R62-case"),
        pytest.param("errorPolicy", "", "", f"UNKNOWN_VOCABULARY {M}.errorPolicy", id="R62-empty"),
        pytest.param("errorPolicy", 5, None, f"UNPARSEABLE {M}.errorPolicy", id="R62-number"),
        pytest.param("notApplicablePolicy", "refuse", "refuse", "", id="R24-refuse"),
        pytest.param("notApplicablePolicy", "exclude", "exclude", "", id="R24-exclude"),
        pytest.param("notApplicablePolicy", "treatAsFail", "treatAsFail", "", id="R24-fail"),
        pytest.param(
            *("notApplicablePolicy", "treatAsAbstain", "treatAsAbstain"),
            f"UNKNOWN_VOCABULARY {M}.notApplicablePolicy",
            id="R62-policy-of-errors",
        ),
        pytest.param(
            "notApplicablePolicy", {}, None, f"UNPARSEABLE {M}.notApplicablePolicy", id="R62-policy-is-an-object"
        ),
    ],
)
def test_texts_and_tokens(place: str, member: str, value: object, read: object, defects: str) -> None:
    evidence, told = read_at(place, {"aggregation": {member: value}})
    assert members(evidence) == dict.fromkeys(MEMBERS) | {member: read}
    assert told == expected(defects, Q=place)


@both_places
@pytest.mark.parametrize(
    ("value", "read"),
    [
        pytest.param(0, 0, id="R63-zero"),
        pytest.param(7, 7, id="R63-integer"),
        pytest.param(-3, -3, id="R63-negative"),
        pytest.param(3.0, 3, id="R63-whole-real"),
        pytest.param(-0.0, 0, id="R63-negative-zero"),
        pytest.param(2147483647, 2147483647, id="R63-largest"),
        pytest.param(-2147483647, -2147483647, id="R63-smallest"),
        pytest.param(2147483648, None, id="R63-too-large"),
        pytest.param(-2147483648, None, id="R63-too-small"),
        pytest.param(1.5, None, id="R63-fraction"),
        pytest.param(INF, None, id="R63-infinite"),
        pytest.param(10**400, None, id="R6-integer-beyond-doubles"),
        pytest.param("1", None, id="R63-text"),
        pytest.param(True, None, id="R5-true-is-no-one"),
        pytest.param(False, None, id="R5-false-is-no-zero"),
        pytest.param([], None, id="R63-list"),
    ],
)
def test_counts(place: str, value: object, read: int | None) -> None:
    evidence, told = read_at(place, {"aggregation": dict.fromkeys(COUNTS, value)})
    assert repr([members(evidence)[name] for name in COUNTS]) == repr([read] * len(COUNTS))
    assert told == ([f"UNPARSEABLE {place} . metadata.aggregation.{name}" for name in COUNTS] if read is None else [])


@both_places
@pytest.mark.parametrize(
    ("value", "read"),
    [
        pytest.param(1, 1.0, id="R37-integer-becomes-real"),
        pytest.param(0.1, 0.1, id="R64-real"),
        pytest.param(-2.5, -2.5, id="R64-negative"),
        pytest.param(85, 85.0, id="R64-not-bound-to-one"),
        pytest.param(-0.0, -0.0, id="R64-negative-zero"),
        pytest.param(2**53 + 1, 2.0**53, id="R6-half-even"),
        pytest.param(INF, None, id="R64-infinite"),
        pytest.param(float("nan"), None, id="R103-nan"),
        pytest.param(-(10**400), None, id="R6-integer-beyond-doubles"),
        pytest.param("0.5", None, id="R64-text"),
        pytest.param(True, None, id="R5-true-is-no-one"),
        pytest.param({}, None, id="R64-object"),
    ],
)
def test_decimals(place: str, value: object, read: float | None) -> None:
    evidence, told = read_at(place, {"aggregation": dict.fromkeys(DECIMALS, value)})
    assert repr([members(evidence)[name] for name in DECIMALS]) == repr([read] * len(DECIMALS))
    assert told == ([f"UNPARSEABLE {place} . metadata.aggregation.{name}" for name in DECIMALS] if read is None else [])


C = f"UNPARSEABLE {M}.errorCodeCounts"


@both_places
@pytest.mark.parametrize(
    ("stored", "read", "defects"),
    [
        pytest.param(None, None, "", id="R65-missing"),
        pytest.param([], None, C, id="R65-list"),
        pytest.param("judge_failed", None, C, id="R65-text"),
        pytest.param(0, None, C, id="R65-zero"),
        pytest.param({}, {}, "", id="R65-empty-is-not-missing"),
        pytest.param({"z": 1, "judge_failed": 2, "": 3}, {"z": 1, "judge_failed": 2, "": 3}, "", id="R65-any-key-kept"),
        pytest.param({"a": 2.9, "b": -1.5, "c": -4}, {"a": 2, "b": -1, "c": -4}, "", id="R8-truncated"),
        pytest.param({"a": 2**63, "b": 2**64 + 5}, {"a": -(2**63), "b": 5}, "", id="R8-low-bits"),
        pytest.param({"a": 1e30, "b": -INF}, {"a": 2**63 - 1, "b": -(2**63)}, "", id="R8-clamped"),
        pytest.param({"a": 2147483648}, {"a": 2147483648}, "", id="R65-wider-than-a-count"),
        pytest.param({"a": None, "b": 1}, {"b": 1}, f"{C}.a", id="R65-null-value-drops-its-key"),
        pytest.param({"a": "1", "b": True}, {}, f"{C}.a | {C}.b", id="R65-no-numbers"),
        pytest.param({"x.y[0]": [], "": {}}, {}, f"{C}.x.y[0] | {C}.", id="R65-keys-verbatim"),
    ],
)
def test_error_code_counts(place: str, stored: object, read: dict[str, int] | None, defects: str) -> None:
    evidence, told = read_at(place, {"aggregation": {"errorCodeCounts": stored}})
    counts = members(evidence)["errorCodeCounts"]
    assert counts == read
    assert list(counts or {}) == list(read or {})
    assert told == expected(defects, Q=place)
