"""The walk along the recorded decisions (R76–R87)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.interpretation.shapes import (
    adopted,
    attempt,
    broken,
    chain,
    evidence,
    expected,
    failed_attempt,
    found,
    judgment,
    rejected,
    verdict,
)
from verdict_frames.interpretation.reader import interpret
from verdict_frames.records import DecidedBy, Interpretation
from verdict_frames.vocabulary import Reading, Support

ROOT = "verdict"
CHILD = "verdict.compositeAttempts[0].verdict"
D = "verdict.decision"

SUPPORTED, CONTRADICTED, UNDETERMINED = Support.SUPPORTED, Support.CONTRADICTED, Support.UNDETERMINED


def decided(interpretation: Interpretation) -> str | None:
    """Who decided, as `path/of/stage basis`; null when nobody is named."""
    by = interpretation.decided_by
    if by is None:
        return None
    assert by.stage == by.path[-1]
    return f"{'/'.join(by.path)} {by.basis}"


REJECTION = {"kind": "tier", "tier": "t1", "basis": "individual_rejection"}


@pytest.mark.parametrize(
    ("decision", "defects", "determined", "named"),
    [
        pytest.param(None, "ABSENT P . decision", "at the root", None, id="R76-missing"),
        pytest.param(5, "UNPARSEABLE P . decision", "nowhere", None, id="R77-number"),
        pytest.param("own", "UNPARSEABLE P . decision", "nowhere", None, id="R77-text"),
        pytest.param([], "UNPARSEABLE P . decision", "nowhere", None, id="R77-list"),
        pytest.param(False, "UNPARSEABLE P . decision", "nowhere", None, id="R77-false"),
        pytest.param({}, "ABSENT D . kind", "nowhere", None, id="R78-empty"),
        pytest.param({"tier": "t1", "basis": "tier_outcome"}, "ABSENT D . kind", "nowhere", None, id="R78-missing"),
        pytest.param({"kind": 5}, "UNPARSEABLE D . kind", "nowhere", None, id="R78-number"),
        pytest.param({"kind": {"kind": "own"}}, "UNPARSEABLE D . kind", "nowhere", None, id="R78-object"),
        pytest.param({"kind": "own"}, "", "everywhere", None, id="R79-own"),
        pytest.param(REJECTION | {"kind": "own"}, "", "everywhere", None, id="R79-own-beside-a-tier"),
        pytest.param({"kind": "own", "tier": 5, "basis": "x"}, "", "everywhere", None, id="R79-own-beside-nonsense"),
        pytest.param({"kind": "Own"}, "UNKNOWN_VOCABULARY D . kind", "nowhere", None, id="R80-case"),
        pytest.param(REJECTION | {"kind": ""}, "UNKNOWN_VOCABULARY D . kind", "nowhere", None, id="R80-empty"),
        pytest.param({"kind": "tier"}, "ABSENT D . tier", "nowhere", None, id="R81-neither"),
        pytest.param({"kind": "tier", "basis": "tier_outcome"}, "ABSENT D . tier", "nowhere", None, id="R81-no-tier"),
        pytest.param(REJECTION | {"tier": 5}, "ABSENT D . tier", "nowhere", None, id="R81-tier-number"),
        pytest.param({"kind": "tier", "tier": "t1"}, "ABSENT D . basis", "nowhere", None, id="R81-no-basis"),
        pytest.param(REJECTION | {"basis": ["x"]}, "ABSENT D . basis", "nowhere", None, id="R81-basis-list"),
        pytest.param(
            {"kind": "tier", "tier": "nobody", "basis": "vote"},
            "UNKNOWN_VOCABULARY D . basis",
            "nowhere",
            "nobody vote",
            id="R82-unknown-basis-names-its-tier",
        ),
        pytest.param(
            {"kind": "tier", "tier": "t1", "basis": "Individual_Rejection"},
            "UNKNOWN_VOCABULARY D . basis",
            "nowhere",
            "t1 Individual_Rejection",
            id="R82-case",
        ),
    ],
)
def test_decisions_that_stop_the_walk(decision: object, defects: str, determined: str, named: str | None) -> None:
    stop = verdict() | {"decision": decision}
    root = interpret(stop)
    assert found(root) == expected(defects, P=ROOT, D=f"{ROOT}.decision")
    assert decided(root) == named
    assert root.reading_support is (UNDETERMINED if determined == "nowhere" else SUPPORTED)
    below = interpret(adopted(attempt(child=stop)))
    assert found(below) == expected(defects, P=CHILD, D=f"{CHILD}.decision")
    assert decided(below) == ("t1 tier_outcome" if named is None else f"t1/{named}")
    assert below.reading_support is (SUPPORTED if determined == "everywhere" else UNDETERMINED)
    assert root.reading is below.reading is Reading.ACCEPTED


def test_an_undecided_root_decided_itself_r79() -> None:
    undecided = verdict(judgment("error", reasonCode="no_tier_decided"), decision={"kind": "undecided", "tier": "t1"})
    interpretation = interpret(undecided)
    assert (found(interpretation), decided(interpretation)) == ([], None)


def test_a_rejection_names_the_tier_that_rejected_r82() -> None:
    interpretation = interpret(rejected())
    assert found(interpretation) == []
    assert interpretation.decided_by == DecidedBy(stage="t1", path=("t1",), basis="individual_rejection")
    assert interpretation.reading is Reading.REJECTED
    below = rejected()
    above = verdict(
        below["aggregated"],
        decision={"kind": "tier", "tier": "up", "basis": "tier_outcome"},
        compositeAttempts=[attempt("up", below)],
    )
    assert found(interpret(above)) == []
    assert decided(interpret(above)) == "up/t1 individual_rejection"
    assert interpret(above).reading is Reading.REJECTED


def test_each_edge_adds_its_tier_to_the_path_r83() -> None:
    node = verdict()
    for name in ("c", "", "a"):
        decision = {"kind": "tier", "tier": name, "basis": "tier_outcome"}
        node = verdict(decision=decision, compositeAttempts=[attempt(name, node)])
    interpretation = interpret(node)
    assert interpretation.decided_by == DecidedBy(stage="c", path=("a", "", "c"), basis="tier_outcome")
    assert (found(interpretation), interpretation.reading_support) == ([], SUPPORTED)


# --- the adopted outcome ---

UNDECIDED_ERROR = judgment("error", reasonCode="no_tier_decided")
NEXT = adopted(attempt("t2", verdict()))
NEXT["decision"]["tier"] = "t2"


def test_a_tier_that_no_attempt_has_r83_1() -> None:
    interpretation = interpret(verdict(decision={"kind": "tier", "tier": "t9", "basis": "tier_outcome"}))
    assert found(interpretation) == [f"INCONSISTENT {D} . tier"]
    assert decided(interpretation) == "t9 tier_outcome"
    assert interpretation.reading_support is CONTRADICTED


@pytest.mark.parametrize(
    ("changes", "defects", "support"),
    [
        pytest.param({}, "", SUPPORTED, id="R83-used"),
        pytest.param({"disposition": None}, "ABSENT A . disposition", UNDETERMINED, id="R83.2-missing"),
        pytest.param(
            *({"disposition": 5}, "UNPARSEABLE A . disposition | INCONSISTENT D . basis", CONTRADICTED),
            id="R83.2-wrong-type-is-not-used-R97",
        ),
        pytest.param(
            *({"disposition": "USED"}, "UNKNOWN_VOCABULARY A . disposition | INCONSISTENT D . basis", CONTRADICTED),
            id="R83.2-exactly-used",
        ),
        pytest.param(
            {"disposition": "stage_failed", "dispositionReason": "child_undecided"},
            "INCONSISTENT D . basis",
            CONTRADICTED,
            id="R83.2-failed",
        ),
        pytest.param(
            {"dispositionReason": "execution_failed", "failure": "jury_execution_failed"},
            "",
            SUPPORTED,
            id="R83.2-reason-and-failure-beside-used",
        ),
    ],
)
def test_dispositions_of_an_adopted_tier_and_the_walk_goes_on(
    changes: dict[str, object], defects: str, support: Support
) -> None:
    interpretation = interpret(adopted(attempt(child=NEXT) | changes))
    assert found(interpretation) == expected(defects, A="verdict.compositeAttempts[0]", D=D)
    assert decided(interpretation) == "t1/t2 tier_outcome"
    assert interpretation.reading_support is support


@pytest.mark.parametrize("child", [None, 5, [], "pass"])
def test_an_adopted_tier_without_verdict_stops_the_walk_r83_3(child: object) -> None:
    failed = {
        "disposition": "stage_failed",
        "dispositionReason": "execution_failed",
        "failure": "jury_execution_failed",
    }
    lost = interpret(adopted(attempt() | {"verdict": child}))
    assert found(lost) == expected("ABSENT A . verdict | INCONSISTENT D . tier", A="verdict.compositeAttempts[0]", D=D)
    assert decided(lost) == "t1 tier_outcome"
    both = interpret(adopted(attempt(**failed) | {"verdict": child}))
    assert found(both) == expected("INCONSISTENT D . basis | INCONSISTENT D . tier", D=D)
    assert decided(both) == "t1 tier_outcome"


OWN = judgment(metadata=evidence())
NOTHING = ["ABSENT verdict . aggregated", f"ABSENT {CHILD} . aggregated"]


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        pytest.param(OWN, dict(reversed(OWN.items())), True, id="R9-key-order"),
        pytest.param(OWN, OWN | {"reasoning": "said otherwise"}, False, id="R83.4-other-reasoning"),
        pytest.param(OWN, OWN | {"label": "x"}, False, id="R83.4-unread-keys-count"),
        pytest.param(OWN, OWN | {"label": None}, False, id="R9-null-is-not-missing"),
        pytest.param(OWN | {"score": 1}, OWN | {"score": 1.0}, False, id="R9-integer-is-no-real"),
        pytest.param(OWN | {"label": 1}, OWN | {"label": True}, False, id="R9-true-is-no-one"),
        pytest.param(OWN | {"score": 0.0}, OWN | {"score": -0.0}, False, id="R9-negative-zero"),
        pytest.param(OWN | {"label": [1, 2]}, OWN | {"label": [2, 1]}, False, id="R9-list-order"),
        pytest.param(OWN, OWN | {"status": "PASS"}, False, id="R83.4-raw-status-not-normalised-R97"),
        pytest.param(OWN, None, False, id="R83.4-one-missing"),
        pytest.param(None, None, True, id="R83.4-both-missing"),
        pytest.param("x", "x", True, id="R83.4-any-type"),
        pytest.param(1, 1.0, False, id="R83.4-any-type-strictly"),
        pytest.param(None, False, False, id="R83.4-null-is-not-false"),
    ],
)
def test_an_adopted_outcome_equals_the_tiers_own(one: object, other: object, *, equal: bool) -> None:
    child = verdict() | {"aggregated": other}
    interpretation = interpret(adopted(attempt(child=child)) | {"aggregated": one})
    absent = [line for line, value in zip(NOTHING, (one, other), strict=True) if not isinstance(value, dict)]
    assert found(interpretation) == absent + ([] if equal else [f"INCONSISTENT {D} . basis"])
    assert decided(interpretation) == "t1 tier_outcome"


def test_two_missing_aggregates_are_equal_whether_null_or_not_there_r83_4() -> None:
    child = verdict()
    del child["aggregated"]
    assert found(interpret(adopted(attempt(child=child)) | {"aggregated": None})) == NOTHING


REJECT, ACCEPT, FINAL = "REJECT_ON_ANY_FAIL", "ACCEPT_ON_ALL_PASS", "FINAL_TIER"


@pytest.mark.parametrize(
    ("policy", "statuses", "support"),
    [
        pytest.param(REJECT, ["pass", "fail"], SUPPORTED, id="R85-one-failed"),
        pytest.param(REJECT, ["pass", "error"], CONTRADICTED, id="R85-none-failed"),
        pytest.param(REJECT, [], CONTRADICTED, id="R85-nobody-failed"),
        pytest.param(REJECT, ["FAIL"], SUPPORTED, id="R86-normalised"),
        pytest.param(REJECT, ["Fail"], CONTRADICTED, id="R86-unknown-text-stays"),
        pytest.param(ACCEPT, ["pass", "PASS"], SUPPORTED, id="R85-all-passed"),
        pytest.param(ACCEPT, ["pass", "abstain"], CONTRADICTED, id="R85-one-abstained"),
        pytest.param(ACCEPT, ["Pass"], CONTRADICTED, id="R86-unknown-text-is-no-pass"),
        pytest.param(ACCEPT, [], SUPPORTED, id="R85-nobody-satisfies-all"),
        pytest.param(FINAL, ["error"], SUPPORTED, id="R85-final-asks-nothing"),
        pytest.param(None, ["error"], SUPPORTED, id="R85-no-policy-asks-nothing"),
        pytest.param("reject_on_any_fail", ["pass"], SUPPORTED, id="R85-unknown-policy-asks-nothing"),
        pytest.param(5, ["pass"], SUPPORTED, id="R85-wrong-type-asks-nothing"),
        pytest.param(REJECT, ["fail", None], UNDETERMINED, id="R86-one-missing"),
        pytest.param(ACCEPT, ["fail", 5], UNDETERMINED, id="R86-one-number"),
        pytest.param(REJECT, ["fail", []], UNDETERMINED, id="R86-one-list"),
        pytest.param(FINAL, [True], UNDETERMINED, id="R85-unreadable-whatever-the-policy"),
        pytest.param(None, [None], UNDETERMINED, id="R85-unreadable-without-policy"),
    ],
)
def test_stop_conditions(policy: object, statuses: list[object], support: Support) -> None:
    judges = {f"j{index}": judgment("pass") | {"status": status} for index, status in enumerate(statuses)}
    interpretation = interpret(adopted(attempt(child=verdict(judges=judges)) | {"policy": policy}))
    walked = [line for line in found(interpretation) if f" {D} " in line]
    assert walked == ([f"INCONSISTENT {D} . basis"] if support is CONTRADICTED else [])
    assert interpretation.reading_support is support


FAILED, PASSED = judgment("fail"), judgment("pass")


@pytest.mark.parametrize(
    ("individual", "by_name", "support"),
    [
        pytest.param([PASSED], {"a": FAILED}, CONTRADICTED, id="R86-list-first"),
        pytest.param([], {"a": FAILED}, CONTRADICTED, id="R86-empty-list-first"),
        pytest.param(None, {"a": FAILED}, SUPPORTED, id="R86-names-without-a-list"),
        pytest.param({"0": PASSED}, {"a": FAILED}, SUPPORTED, id="R86-names-beside-a-wrong-list"),
        pytest.param(None, {"a": FAILED, "b": None}, UNDETERMINED, id="R86-one-name-unreadable"),
        pytest.param([FAILED, "fail"], {"a": FAILED}, UNDETERMINED, id="R86-one-entry-unreadable"),
        pytest.param(None, None, UNDETERMINED, id="R86-neither"),
        pytest.param("x", [FAILED], UNDETERMINED, id="R86-both-of-the-wrong-type"),
    ],
)
def test_where_individual_statuses_come_from(individual: object, by_name: object, support: Support) -> None:
    child = verdict() | {"individual": individual, "individualByName": by_name, "seats": []}
    interpretation = interpret(adopted(attempt(child=child, policy=REJECT)))
    assert found(interpretation) == ([f"INCONSISTENT {D} . basis"] if support is CONTRADICTED else [])
    assert interpretation.reading_support is support


@pytest.mark.parametrize(
    ("decision", "defects"),
    [
        pytest.param({"kind": "undecided"}, "INCONSISTENT D . basis", id="R83.6-undecided"),
        pytest.param({"kind": "Undecided"}, "UNKNOWN_VOCABULARY C . kind", id="R83.6-exactly-undecided"),
        pytest.param(
            "undecided",
            "UNPARSEABLE N . decision | ABSENT verdict.aggregated . metadata.aggregation",
            id="R83.6-no-object",
        ),
    ],
)
def test_an_adopted_tier_is_not_undecided(decision: object, defects: str) -> None:
    child = verdict(UNDECIDED_ERROR, decision=decision)
    interpretation = interpret(adopted(attempt(child=child)) | {"aggregated": UNDECIDED_ERROR})
    assert found(interpretation) == expected(defects, D=D, C=f"{CHILD}.decision", N=CHILD)
    assert decided(interpretation) == "t1 tier_outcome"


def test_four_contradictions_of_one_adopted_tier_stand_side_by_side_r38_r83() -> None:
    child = verdict(UNDECIDED_ERROR, decision={"kind": "undecided"})
    interpretation = interpret(adopted(failed_attempt(child=child)))
    assert found(interpretation) == [f"INCONSISTENT {D} . basis"] * 4


# --- finding the tier ---


@pytest.mark.parametrize(
    ("attempts", "followed"),
    [
        pytest.param([attempt("t0"), attempt("t1")], 1, id="R84-by-name"),
        pytest.param([attempt("t1"), attempt("t1", disposition="x")], 0, id="R84-first-of-twins"),
        pytest.param([attempt(relation="meta_member"), attempt()], 1, id="R84-members-never-match"),
        pytest.param([attempt(relation="tier"), attempt()], 1, id="R84-unknown-relations-never-match"),
        pytest.param([attempt() | {"relation": 5}, attempt()], 1, id="R84-wrong-type-never-matches"),
        pytest.param([attempt() | {"relation": None}, attempt()], 0, id="R84-missing-relation-matches"),
        pytest.param([attempt("T1"), attempt(" t1"), attempt()], 2, id="R84-exactly-that-name"),
        pytest.param(["t1", None, attempt()], 2, id="R84-skipped-entries-count"),
        pytest.param([attempt() | {"name": ["t1"]}, attempt()], 1, id="R84-name-of-the-wrong-type"),
        pytest.param([attempt(relation="meta_member")], None, id="R84-only-a-member"),
        pytest.param([], None, id="R84-no-attempts"),
        pytest.param({"0": attempt()}, None, id="R84-attempts-that-are-no-list"),
    ],
)
def test_which_attempt_is_the_tier(attempts: Any, followed: int | None) -> None:
    stored = adopted() | {"compositeAttempts": attempts}
    walked = [f"INCONSISTENT {D} . tier"]
    if followed is not None:
        stored = broken(stored, f"compositeAttempts.{followed}.verdict.decision", "x")
        walked = [f"UNPARSEABLE verdict.compositeAttempts[{followed}].verdict . decision"]
    interpretation = interpret(stored)
    assert [line for line in found(interpretation) if "decision" in line] == walked
    assert decided(interpretation) == "t1 tier_outcome"


def test_sub_verdicts_are_never_the_tier_r84() -> None:
    stored = adopted() | {"compositeAttempts": [], "subVerdicts": [verdict() | {"name": "t1"}]}
    assert found(interpret(stored)) == ["ABSENT verdict.subVerdicts[0] . name", f"INCONSISTENT {D} . tier"]


# --- the end of long chains ---


def test_the_65th_node_may_still_decide_r87() -> None:
    interpretation = interpret(chain(64))
    assert decided(interpretation) == f"{'/'.join(['t1'] * 64)} tier_outcome"
    assert interpretation.reading_support is SUPPORTED


def test_the_66th_node_is_one_too_many_r87() -> None:
    interpretation = interpret(chain(65))
    assert found(interpretation) == [
        f"UNPARSEABLE verdict{'.compositeAttempts[0].verdict' * 64} . compositeAttempts",
        f"UNPARSEABLE verdict{'.compositeAttempts[0].verdict' * 65} . decision",
    ]
    assert decided(interpretation) is None
    assert interpretation.reading_support is UNDETERMINED


def test_evidence_is_missed_after_too_long_a_chain_r87_r91() -> None:
    bare = judgment()
    node = verdict(bare)
    for _ in range(65):
        node = adopted(attempt(child=node)) | {"aggregated": bare}
    assert found(interpret(node))[-2:] == [
        f"UNPARSEABLE verdict{'.compositeAttempts[0].verdict' * 65} . decision",
        "ABSENT verdict.aggregated . metadata.aggregation",
    ]
