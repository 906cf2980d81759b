from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

from tests.cli.stores import accepted, errored, item, result, write
from tests.interpretation.shapes import evidence, judgment, rejected, verdict
from verdict_frames.frames.in_memory import from_records
from verdict_frames.frames.mapped import from_items
from verdict_frames.frames.results import read_results
from verdict_frames.interpretation.reader import interpret
from verdict_frames.interpretation.stored_form import to_builtins
from verdict_frames.statistics.audit.audits import audit

if TYPE_CHECKING:
    from pathlib import Path

    from verdict_frames.frames.corpus import Corpus


def of_items(*items: dict[str, Any], **others: Any) -> Corpus:
    return from_records([result("run", list(items), **others)])


def absorbing() -> dict[str, Any]:
    """Accepted by two judges, while the error of a third was counted as an abstention."""
    block = evidence(inputCount=3, errorCount=1, errorPolicy="treatAsAbstain", errorsTreatedAsAbstainCount=1)
    judges = {"a": judgment("pass"), "b": judgment("pass"), "c": judgment("error", reasonCode="judge_failed")}
    return verdict(judgment("pass", metadata=block), judges)


def test_stored_interpretations_stand_beside_the_computed_ones() -> None:
    same, other = (to_builtins(interpret(accepted())) for _ in range(2))
    other["reading"] = "REJECTED"
    other["summary"] = "prose is nobody's business"
    audited = audit(
        of_items(
            item("a", accepted(), interpretation=same),
            item("b", accepted(), interpretation=other),
            item("c", None, interpretation=same),
            item("d", accepted()),
            item("e", accepted(), interpretation={"no": "interpretation"}),
        )
    )
    columns = ["item_id", "stored_reading", "reading", "stored_difference"]
    assert audited.interpretations.select(columns).rows() == [
        ("a", "ACCEPTED", "ACCEPTED", []),
        ("b", "REJECTED", "ACCEPTED", ["reading"]),
        ("c", "ACCEPTED", "ACCEPTED", None),
    ]
    assert audited.runs["problems"].to_list() == [1]


def test_decided_verdicts_in_which_a_judge_errored() -> None:
    unseen = verdict(judges={"a": judgment("pass"), "b": judgment("error", reasonCode="judge_failed")})
    made = of_items(item("a", accepted()), item("b", errored()), item("c", absorbing()), item("d", unseen))
    found = audit(made).judge_errors
    assert found.select("item_id", "reading", "judge_errors", "errors_absorbed", "judges").rows() == [
        ("c", "ACCEPTED", 1, True, ["c"]),
        ("d", "ACCEPTED", 1, None, ["b"]),
    ]
    assert found["errors_treated_as_abstain_count"].to_list() == [1, None]


def test_decided_verdicts_of_runs_left_out_are_not_listed() -> None:
    again = result("again", [item("a", accepted())], metadata={"reEvaluatedFrom": "first"})
    made = from_records([result("first", [item("a", absorbing())]), again])
    assert audit(made).judge_errors.is_empty()
    assert audit(made, evaluations="original").judge_errors["run_id"].to_list() == ["first"]


SCALED = judgment("pass", score={"value": 7, "min": 0, "max": 10})
BOOLEAN = judgment("PASS", score={"value": True})


@pytest.mark.parametrize(
    ("judges", "scores", "expected"),
    [
        ({"a": judgment("pass", score=0.7)}, {"a": 0.7}, []),
        ({"a": judgment("pass", score=0.7)}, {"a": 0.6}, [("a", 0.6, "other_value", [0.7])]),
        ({"a": judgment("pass", score=0.7)}, {"b": 0.7}, [("b", 0.7, "no_seat", None)]),
        ({"a": judgment("pass", score=0.7)}, {"efficiency.cost": 0.2, "a": 0.7}, []),
        ({"a": SCALED}, {"a": 0.7}, []),
        ({"a": BOOLEAN}, {"a": 1.0}, []),
        ({"a": BOOLEAN}, {"a": 0.5}, [("a", 0.5, "other_value", [None])]),
        ({"Judge#1": judgment("pass", score=0.7)}, {"Judge#1": 0.7}, []),
        ({"a": judgment("pass"), "": judgment("pass", score=0.4)}, {"Judge#2": 0.4}, []),
        (
            {"a": judgment("pass"), "": judgment("pass", score=0.4)},
            {"Judge#1": 0.4},
            [("Judge#1", 0.4, "no_seat", None)],
        ),
    ],
)
def test_scores_are_explained_by_seats(
    judges: dict[str, Any], scores: dict[str, float], expected: list[tuple[Any, ...]]
) -> None:
    found = audit(of_items(item("i", verdict(judges=judges), scores=scores))).scores
    assert found.select("name", "value", "finding", "seat_scores").rows() == expected
    assert found["item_id"].to_list() == ["i"] * len(expected)


def test_any_seat_of_the_name_explains_a_score_because_the_root_overwrites_what_stages_gave() -> None:
    inner = verdict(judges={"a": judgment("fail", score=0.2), "b": judgment("pass", score=0.5)})
    attempt = {"name": "tier", "relation": "meta_member", "verdict": inner}
    outer = verdict(judges={"a": judgment("pass", score=0.9)}) | {"compositeAttempts": [attempt]}
    scores = {"a": 0.9, "b": 0.5}
    assert audit(of_items(item("i", outer, scores=scores))).scores.is_empty()
    assert audit(of_items(item("i", outer, scores={"a": 0.2}))).scores.is_empty()
    assert audit(of_items(item("i", outer, scores={"a": 0.3}))).scores["seat_scores"].to_list() == [[0.9, 0.2]]


def test_a_score_without_a_verdict_has_no_seat_but_for_judge_experiments() -> None:
    lone = item("i", None, success=False, scores={"a": 0.5, "efficiency.cost": 0.1})
    assert audit(of_items(lone)).scores.select("name", "finding").rows() == [("a", "no_seat")]
    assert audit(of_items(lone, metadata={"experimentType": "judge"})).scores.is_empty()


def test_copies_are_listed_with_all_their_paths_and_what_they_disagree_in(tmp_path: Path) -> None:
    write(tmp_path / "a" / "one.json", result("run-1", [item("i", accepted())]))
    write(tmp_path / "b" / "one.json", result("run-1", [item("i", accepted())]))
    write(tmp_path / "a" / "two.json", result("run-2", [item("i", accepted())]))
    write(tmp_path / "b" / "two.json", result("run-2", [item("i", rejected())]))
    write(tmp_path / "a" / "three.json", result("run-3", [item("i", accepted())]))
    one, two = audit(read_results(tmp_path)).copies.iter_rows(named=True)
    assert (one["run_id"], two["run_id"]) == ("run-1", "run-2")
    assert [path.rpartition(tmp_path.name)[2] for path in one["copies"]] == ["/a/one.json", "/b/one.json"]
    assert one["disagreement"] is None
    assert "copies of one run differ" in two["disagreement"]


def test_items_of_another_tool_have_neither_interpretations_nor_seats() -> None:
    frame = pl.DataFrame({"id": ["a", "b"], "ok": ["yes", "no"]})
    made = from_items(frame, item_id="id", outcome="ok", mapping={"yes": "ACCEPTED", "no": "REJECTED"})
    audited = audit(made)
    assert audited.rates["without_record"].to_list() == [2]
    heights = {name: frame.height for name, frame in audited.frames().items() if name != "recounts"}
    assert heights == dict.fromkeys(heights, 0) | {"rates": 1, "runs": 1}
