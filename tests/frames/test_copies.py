from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st

from tests.frames.builders import check, facts, seat, stage, unnamed
from verdict_frames.frames.copies import copied_stages, parent_stages
from verdict_frames.interpretation.reader import read_facts

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

A, B = seat("a"), seat("b", status="fail")


def test_cascade_root_copies_its_tier() -> None:
    assert copied_stages(facts(stage(judges=[A]), stage("t1", judges=[B]), stage("t2", judges=[A]))) == [2, None, None]


def test_deepest_descendant_is_named_and_every_ancestor_is_a_copy() -> None:
    nested = facts(stage(judges=[A]), stage("t", judges=[A]), stage("t", "u", judges=[A]), stage("v", judges=[A]))
    assert copied_stages(nested) == [2, 2, None, None]


def test_of_equally_deep_stages_the_first_is_named() -> None:
    assert copied_stages(facts(stage(judges=[A]), stage("t", judges=[A]), stage("u", judges=[A]))) == [1, None, None]


def test_stages_side_by_side_copy_nothing() -> None:
    assert copied_stages(facts(stage(judges=[B]), stage("t", judges=[A]), stage("u", judges=[A]))) == [None] * 3


def test_stage_without_judges_is_no_copy() -> None:
    assert copied_stages(facts(stage(), stage("t"))) == [None, None]


def test_key_source_is_not_compared_and_all_else_is() -> None:
    told = seat("a", key_source="DECLARED")
    assert copied_stages(facts(stage(judges=[told]), stage("t", judges=[A]))) == [1, None]
    changes: dict[str, Any] = {
        "position": 1,
        "name": "x",
        "status": "fail",
        "reason_code": "judge_failed",
        "score": 0.5,
        "reasoning": "r",
        "checks": (check(),),
    }
    for field, value in changes.items():
        other = seat(**{"name": "a", field: value})
        assert copied_stages(facts(stage(judges=[other]), stage("t", judges=[A]))) == [None, None], field


def test_more_judges_are_no_copy() -> None:
    assert copied_stages(facts(stage(judges=[A, B]), stage("t", judges=[A]))) == [None, None]


def test_stages_of_the_same_name_keep_their_own_descendants() -> None:
    twins = facts(stage(), stage("t", judges=[A]), stage("t", judges=[B]), stage("t", "u", judges=[A]))
    assert parent_stages(twins) == [0, 0, 0, 2]
    assert copied_stages(twins) == [None] * 4


def test_unnamed_sub_verdicts_lie_where_their_defects_say_r75() -> None:
    side_by_side = facts(
        stage(),
        stage(),
        stage(),
        defects=[unnamed("verdict.subVerdicts[0]"), unnamed("verdict.subVerdicts[1]")],
    )
    assert parent_stages(side_by_side) == [0, 0, 0]
    nested = facts(
        stage(),
        stage(judges=[A]),
        stage(judges=[A]),
        defects=[unnamed("verdict.subVerdicts[0]"), unnamed("verdict.subVerdicts[0].subVerdicts[0]")],
    )
    assert parent_stages(nested) == [0, 0, 1]
    assert copied_stages(nested) == [None, 2, None]


def test_unnamed_stages_lie_near_the_root_when_defects_do_not_tell() -> None:
    assert parent_stages(facts(stage(), stage(), stage())) == [0, 0, 0]


def test_named_attempt_after_a_sub_verdict_lies_below_it_r73() -> None:
    below = facts(
        stage(),
        stage(),
        stage("t"),
        stage("u"),
        defects=[unnamed("verdict.subVerdicts[0]")],
    )
    assert parent_stages(below) == [0, 0, 1, 1]


def test_attempt_of_a_defect_with_brackets_in_a_judge_name_is_not_mistaken() -> None:
    tree = {
        "aggregated": {"status": "PASS"},
        "individualByName": {"x.subVerdicts[0]": {}},
        "subVerdicts": [{"subVerdicts": [{}]}, {}],
    }
    assert parent_stages(read_facts(tree)) == [0, 0, 1, 0]


def _node(children: SearchStrategy[Any]) -> SearchStrategy[dict[str, Any]]:
    attempts = st.lists(st.fixed_dictionaries({"name": st.sampled_from("ab"), "verdict": children}), max_size=3)
    return st.fixed_dictionaries({}, optional={"compositeAttempts": attempts, "subVerdicts": st.lists(children)})


def _true_parents(verdict: dict[str, Any]) -> list[int]:
    parents = [0]

    def walk(node: dict[str, Any], index: int) -> None:
        children = [attempt["verdict"] for attempt in node.get("compositeAttempts", [])]
        for child in [*children, *node.get("subVerdicts", [])]:
            parents.append(index)
            walk(child, len(parents) - 1)

    walk(verdict, 0)
    return parents


@given(st.recursive(st.just({}), _node, max_leaves=12))
def test_tree_is_found_again_whatever_is_nested_in_what(tree: dict[str, Any]) -> None:
    assert parent_stages(read_facts(tree)) == _true_parents(tree)
