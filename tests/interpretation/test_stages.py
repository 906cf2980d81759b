"""Verdict nodes, attempts and sub-verdicts (R33, R38, R40–R43, R71–R75)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from collections.abc import Iterator

    from verdict_frames.records import Stage

ROOT = "verdict"
NESTED = "verdict.compositeAttempts[0].verdict"

both_places = pytest.mark.parametrize("place", [ROOT, NESTED], ids=["root", "nested"])


def read_at(place: str, **changes: object) -> tuple[tuple[Stage, ...], list[str]]:
    """The stages below a node that holds its own decision, and all defects."""
    node = verdict() | changes
    if place == ROOT:
        interpretation = interpret(node)
        return interpretation.stages, found(interpretation)
    interpretation = interpret(verdict(compositeAttempts=[attempt("up", node)]))
    return interpretation.stages[1:], found(interpretation)


# --- nodes ---


@both_places
@pytest.mark.parametrize("aggregate", [None, 5, [], "pass", True], ids=lambda value: f"R43-{value!r}")
def test_an_aggregate_that_is_no_object_is_absent_and_the_judges_are_read_r40(place: str, aggregate: object) -> None:
    node = verdict() | {"aggregated": aggregate}
    interpretation = interpret(node if place == ROOT else verdict(compositeAttempts=[attempt(child=node)]))
    stage = (interpretation.root, *interpretation.stages)[-1]
    assert found(interpretation) == [f"ABSENT {place} . aggregated"]
    assert (stage.status, stage.reason_code, stage.reasoning, stage.evidence) == (None, None, None, None)
    assert [judge.name for judge in stage.judges] == ["a"]


def test_the_order_of_work_is_node_stages_walk_support_r38_r42() -> None:
    aggregate = {"status": "pass", "metadata": {"aggregation": {"strategy": "consensus", "inputCount": "1"}}}
    stored = verdict(aggregate, compositeAttempts=[attempt(policy=None)]) | {"decision": None, "seats": 5}
    assert found(interpret(stored)) == [
        "ABSENT verdict.aggregated . reasoning",
        "ABSENT verdict.aggregated . checks",
        "UNPARSEABLE verdict.aggregated . metadata.aggregation.inputCount",
        "UNPARSEABLE verdict . seats",
        "ABSENT verdict.compositeAttempts[0] . policy",
        "ABSENT verdict . decision",
        "ABSENT verdict.aggregated . metadata.aggregation.eligibleCount",
    ]


@pytest.mark.parametrize(
    ("decision", "seats", "version"),
    [
        pytest.param({"kind": "own"}, [], 1, id="R33-both"),
        pytest.param("x", False, 1, id="R33-of-any-type"),
        pytest.param({"kind": "own"}, None, 0, id="R33-no-seats"),
        pytest.param(None, [], 0, id="R33-no-decision"),
        pytest.param(None, None, 0, id="R33-neither"),
    ],
)
def test_source_version(decision: object, seats: object, version: int) -> None:
    assert interpret(verdict() | {"decision": decision, "seats": seats, "schemaVersion": 9}).source_version == version


def every_key(stored: object, place: str = "") -> Iterator[str]:
    steps = stored.items() if isinstance(stored, dict) else enumerate(stored) if isinstance(stored, list) else ()
    for key, value in steps:
        if isinstance(stored, dict):
            yield f"{place}{key}"
        yield from every_key(value, f"{place}{key}.")


def without(stored: dict[str, Any], place: str) -> dict[str, Any]:
    made = broken(stored, place, None)
    *parents, last = place.split(".")
    node: Any = made
    for step in parents:
        node = node[int(step)] if isinstance(node, list) else node[step]
    del node[last]
    return made


@pytest.mark.parametrize("stored", [adopted(), rejected(), {**verdict(), "subVerdicts": [verdict()]}])
def test_a_key_that_holds_null_reads_as_a_missing_one_r1(stored: dict[str, Any]) -> None:
    places = list(every_key(stored))
    assert len(places) > 50
    for place in places:
        assert interpret(broken(stored, place, None)) == interpret(without(stored, place)), place


# --- attempts ---


@both_places
@pytest.mark.parametrize("attempts", [None, {}, {"0": attempt()}, "x", 5, False, []])
def test_attempts_that_are_no_list_are_ignored_r72(place: str, attempts: object) -> None:
    assert read_at(place, compositeAttempts=attempts) == ((), [])


META = {"relation": "meta_member", "policy": None}
FAILED = {"disposition": "stage_failed", "dispositionReason": "child_undecided"}
NO_VERDICT = {"verdict": None}
CODE = "jury_execution_failed"


@both_places
@pytest.mark.parametrize(
    ("changes", "read", "defects"),
    [
        pytest.param({"name": None}, {"stage": None}, "ABSENT A . name", id="R72.1-name-missing"),
        pytest.param({"name": 5}, {"stage": None}, "ABSENT A . name", id="R72.1-name-number"),
        pytest.param({"name": ["t1"]}, {"stage": None}, "ABSENT A . name", id="R72.1-name-list"),
        pytest.param({"name": ""}, {"stage": ""}, "", id="R72.1-name-empty"),
        pytest.param({"name": "  "}, {"stage": "  "}, "", id="R72.1-name-blank"),
        pytest.param({"relation": None}, {"relation": None}, "ABSENT A . relation", id="R72.2-missing"),
        pytest.param({"relation": 5}, {"relation": None}, "UNPARSEABLE A . relation", id="R72.2-number"),
        pytest.param({"relation": "tier"}, {"relation": "tier"}, "UNKNOWN_VOCABULARY A . relation", id="R72.2-unknown"),
        pytest.param(META, {"relation": "meta_member", "policy": None}, "", id="R72.3-member-without-policy"),
        pytest.param(META | {"policy": "FINAL_TIER"}, {"policy": "FINAL_TIER"}, "", id="R72.3-member-with-policy"),
        pytest.param(META | {"policy": 5}, {"policy": None}, "UNPARSEABLE A . policy", id="R72.3-member-number"),
        pytest.param({"policy": None}, {"policy": None}, "ABSENT A . policy", id="R72.3-tier-without-policy"),
        pytest.param(
            {"policy": 5}, {"policy": None}, "UNPARSEABLE A . policy | ABSENT A . policy", id="R72.3-two-of-one-policy"
        ),
        pytest.param({"policy": "ANY"}, {"policy": "ANY"}, "UNKNOWN_VOCABULARY A . policy", id="R72.3-unknown-is-kept"),
        pytest.param(
            *({"policy": "final_tier"}, {"policy": "final_tier"}, "UNKNOWN_VOCABULARY A . policy"), id="R18-upper-case"
        ),
        pytest.param(
            *({"relation": None, "policy": None}, {"policy": None}, "ABSENT A . relation"), id="R72.3-no-relation"
        ),
        pytest.param(
            {"relation": "Cascade_tier", "policy": None},
            {"policy": None},
            "UNKNOWN_VOCABULARY A . relation",
            id="R72.3-exactly-cascade-tier",
        ),
        pytest.param({}, {"disposition": "used", "used_by_parent": True}, "", id="R72.4-used"),
        pytest.param(FAILED, {"disposition": "stage_failed", "used_by_parent": False}, "", id="R72.4-failed"),
        pytest.param(
            *({"disposition": None}, {"disposition": None, "used_by_parent": None}, "ABSENT A . disposition"),
            id="R72.4-missing",
        ),
        pytest.param(
            *({"disposition": True}, {"disposition": None, "used_by_parent": None}, "UNPARSEABLE A . disposition"),
            id="R72.4-boolean",
        ),
        pytest.param(
            {"disposition": "Used"},
            {"disposition": "Used", "used_by_parent": None},
            "UNKNOWN_VOCABULARY A . disposition",
            id="R72.4-unknown",
        ),
        pytest.param({"dispositionReason": "child_undecided"}, {"reason": "child_undecided"}, "", id="R72.5-used"),
        pytest.param(
            *(FAILED | {"dispositionReason": None}, {"reason": None}, "ABSENT A . dispositionReason"),
            id="R72.5-failed-without-reason",
        ),
        pytest.param(
            FAILED | {"dispositionReason": {}},
            {"reason": None},
            "UNPARSEABLE A . dispositionReason | ABSENT A . dispositionReason",
            id="R72.5-two-of-one-reason",
        ),
        pytest.param(
            *({"dispositionReason": 5}, {"reason": None}, "UNPARSEABLE A . dispositionReason"),
            id="R72.5-used-beside-a-number",
        ),
        pytest.param(
            *(FAILED | {"dispositionReason": "x"}, {"reason": "x"}, "UNKNOWN_VOCABULARY A . dispositionReason"),
            id="R72.5-unknown-is-kept",
        ),
        pytest.param(
            *({"disposition": "Stage_failed"}, {"reason": None}, "UNKNOWN_VOCABULARY A . disposition"),
            id="R72.5-exactly-stage-failed",
        ),
        pytest.param({}, {"failure": None}, "", id="R74-none"),
        pytest.param({"failure": CODE}, {"failure": CODE, "status": "pass"}, "", id="R74-text-beside-a-verdict"),
        pytest.param({"failure": {"code": CODE}}, {"failure": CODE}, "", id="R74-object"),
        pytest.param({"failureCode": CODE}, {"failure": CODE}, "", id="R74-flat"),
        pytest.param({"failureCode": {"code": CODE}}, {"failure": CODE}, "", id="R74-flat-object"),
        pytest.param({"failure": "tired"}, {"failure": "tired"}, "UNKNOWN_VOCABULARY A . failure", id="R74-unknown"),
        pytest.param(
            *({"failure": {"code": ""}}, {"failure": ""}, "UNKNOWN_VOCABULARY A . failure"), id="R74-empty-code"
        ),
        pytest.param(
            *({"failureCode": "x"}, {"failure": "x"}, "UNKNOWN_VOCABULARY A . failureCode"), id="R74-flat-unknown"
        ),
        pytest.param({"failure": 5}, {"failure": None}, "UNPARSEABLE A . failure", id="R74-number"),
        pytest.param({"failure": {}}, {"failure": None}, "UNPARSEABLE A . failure", id="R74-no-code"),
        pytest.param({"failure": {"code": 5}}, {"failure": None}, "UNPARSEABLE A . failure", id="R74-code-number"),
        pytest.param({"failure": [CODE]}, {"failure": None}, "UNPARSEABLE A . failure", id="R74-list"),
        pytest.param({"failureCode": []}, {"failure": None}, "UNPARSEABLE A . failureCode", id="R74-flat-list"),
        pytest.param(
            *({"failure": False, "failureCode": CODE}, {"failure": None}, "UNPARSEABLE A . failure"),
            id="R74-unreadable-failure-hides-a-good-code",
        ),
        pytest.param(
            {"failure": CODE, "failureCode": 5}, {"failure": CODE}, "", id="R74-good-failure-hides-a-bad-code"
        ),
        pytest.param(NO_VERDICT, {"status": None, "judges": ()}, "ABSENT A . verdict", id="R72.8-missing"),
        pytest.param({"verdict": []}, {"status": None, "judges": ()}, "ABSENT A . verdict", id="R72.8-list"),
        pytest.param({"verdict": "pass"}, {"status": None, "judges": ()}, "ABSENT A . verdict", id="R72.8-text"),
        pytest.param(
            NO_VERDICT | {"failure": CODE},
            {"status": None, "reason_code": None, "reasoning": None, "evidence": None, "judges": (), "failure": CODE},
            "",
            id="R72.8-failed-without-verdict",
        ),
        pytest.param({"verdict": 5, "failureCode": CODE}, {"status": None}, "", id="R72.8-failed-beside-a-number"),
        pytest.param(
            NO_VERDICT | {"failure": "x"}, {"failure": "x"}, "UNKNOWN_VOCABULARY A . failure", id="R72.8-unknown-code"
        ),
        pytest.param(
            *(NO_VERDICT | {"failure": {}}, {"failure": None}, "UNPARSEABLE A . failure | ABSENT A . verdict"),
            id="R72.8-unreadable-code-is-none",
        ),
        pytest.param(
            {"name": None, "relation": "cascade_tier", "policy": [], "disposition": "stage_failed"}
            | {"dispositionReason": 1, "failure": "x", "verdict": {"aggregated": judgment(), "seats": 1}},
            {"stage": None, "reason": None, "failure": "x", "status": "pass"},
            "ABSENT A . name | UNPARSEABLE A . policy | ABSENT A . policy | UNPARSEABLE A . dispositionReason"
            " | ABSENT A . dispositionReason | UNKNOWN_VOCABULARY A . failure | UNPARSEABLE A.verdict . seats",
            id="R72-order",
        ),
    ],
)
def test_one_attempt(place: str, changes: dict[str, Any], read: dict[str, object], defects: str) -> None:
    (stage,), seen = read_at(place, compositeAttempts=[attempt() | changes])
    assert {name: getattr(stage, name) for name in read} == read
    assert seen == expected(defects, A=f"{place}.compositeAttempts[0]")


@both_places
def test_entries_that_are_no_objects_are_skipped_and_counted_r72(place: str) -> None:
    stages, seen = read_at(place, compositeAttempts=[None, attempt("x", policy=None), "y", [], {}])
    assert [stage.stage for stage in stages] == ["x", None]
    assert seen == expected(
        "UNPARSEABLE P . compositeAttempts[0] | ABSENT P.compositeAttempts[1] . policy"
        " | UNPARSEABLE P . compositeAttempts[2] | UNPARSEABLE P . compositeAttempts[3]"
        " | ABSENT P.compositeAttempts[4] . name | ABSENT P.compositeAttempts[4] . relation"
        " | ABSENT P.compositeAttempts[4] . disposition | ABSENT P.compositeAttempts[4] . verdict",
        P=place,
    )


# --- the tree ---


def tree(name: str, *attempts: dict[str, Any], subs: tuple[dict[str, Any], ...] = ()) -> dict[str, Any]:
    """A whole verdict whose aggregate says its name."""
    return verdict(judgment(reasoning=name), compositeAttempts=list(attempts), subVerdicts=list(subs))


def test_stages_come_depth_first_and_attempts_before_sub_verdicts_r72_r73_r75() -> None:
    deep = tree("a1", attempt("x", tree("a1x")), subs=(tree("a1-sub", attempt("y", tree("a1-sub-y"))),))
    stored = tree(
        "root",
        attempt("a", tree("a", attempt("1", deep), attempt("2", tree("a2")))),
        attempt("b", tree("b")),
        subs=(tree("sub0", subs=(tree("sub0-sub"),)), tree("sub1")),
    ) | {"aggregated": judgment(metadata=evidence())}
    interpretation = interpret(stored)
    assert [(stage.reasoning, stage.stage, stage.path) for stage in interpretation.stages] == [
        ("a", "a", ("a",)),
        ("a1", "1", ("a", "1")),
        ("a1x", "x", ("a", "1", "x")),
        ("a1-sub", None, ("a", "1")),
        ("a1-sub-y", "y", ("a", "1", "y")),
        ("a2", "2", ("a", "2")),
        ("b", "b", ("b",)),
        ("sub0", None, ()),
        ("sub0-sub", None, ()),
        ("sub1", None, ()),
    ]
    assert found(interpretation) == [
        "ABSENT verdict.compositeAttempts[0].verdict.compositeAttempts[0].verdict.subVerdicts[0] . name",
        "ABSENT verdict.subVerdicts[0] . name",
        "ABSENT verdict.subVerdicts[0].subVerdicts[0] . name",
        "ABSENT verdict.subVerdicts[1] . name",
    ]


def test_an_unnamed_attempt_adds_nothing_to_the_path_an_empty_name_does_r72() -> None:
    nameless = attempt(child=tree("u", attempt("x", tree("ux")))) | {"name": None}
    stages, seen = read_at(NESTED, compositeAttempts=[nameless, attempt("", tree("e", attempt("x", tree("ex"))))])
    assert [(stage.reasoning, stage.path) for stage in stages] == [
        ("u", ("up",)),
        ("ux", ("up", "x")),
        ("e", ("up", "")),
        ("ex", ("up", "", "x")),
    ]
    assert seen == [f"ABSENT {NESTED}.compositeAttempts[0] . name"]


@both_places
@pytest.mark.parametrize("subs", [None, {}, "x", 5, []])
def test_sub_verdicts_that_are_no_list_are_ignored_r75(place: str, subs: object) -> None:
    assert read_at(place, subVerdicts=subs) == ((), [])


@both_places
def test_sub_verdicts_have_no_name_and_no_attempt_facts_r75(place: str) -> None:
    named = tree("named") | {
        "name": "n",
        "relation": "meta_member",
        "disposition": "used",
        "failure": "x",
        "seats": None,
    }
    stages, seen = read_at(place, subVerdicts=["x", named, {}])
    first, second = stages
    above = () if place == ROOT else ("up",)
    assert (first.stage, first.path, first.relation, first.policy, first.disposition) == (None, above, None, None, None)
    assert (first.reason, first.failure, first.used_by_parent, first.status) == (None, None, None, "pass")
    assert (second.path, second.status, second.judges) == (above, None, ())
    assert seen == expected(
        "UNPARSEABLE P . subVerdicts[0] | ABSENT P.subVerdicts[1] . name | ABSENT P.subVerdicts[2] . name"
        " | ABSENT P.subVerdicts[2] . aggregated | ABSENT P.subVerdicts[2] . individualByName",
        P=place,
    )


def sub_chain(levels: int) -> dict[str, Any]:
    node = verdict()
    for _ in range(levels):
        node = verdict(subVerdicts=[node])
    return node


def test_a_leaf_64_levels_below_the_root_is_too_deep_r71() -> None:
    too_deep = "verdict" + ".compositeAttempts[0].verdict" * 64
    assert found(interpret(chain(63))) == []
    assert found(interpret(chain(64))) == [f"UNPARSEABLE {too_deep} . compositeAttempts"]


def test_sub_verdicts_count_as_levels_r71() -> None:
    names = [f"ABSENT verdict{'.subVerdicts[0]' * level} . name" for level in range(1, 65)]
    assert found(interpret(sub_chain(63))) == names[:63]
    too_deep = f"UNPARSEABLE verdict{'.subVerdicts[0]' * 64} . compositeAttempts"
    assert found(interpret(sub_chain(64))) == [*names, too_deep]
    deeper = interpret(sub_chain(65))
    assert found(deeper) == [*names, too_deep]
    assert len(deeper.stages) == 64


def test_a_stage_without_verdict_on_the_last_level_is_not_too_deep_r71() -> None:
    leaf = verdict(compositeAttempts=[failed_attempt("last", failure=CODE) | NO_VERDICT])
    interpretation = interpret(chain(63, leaf))
    assert found(interpretation) == []
    assert interpretation.stages[-1].path == (*(("t1",) * 63), "last")
