from __future__ import annotations

import json
import math
import random
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import OPTIONAL_DATA
from tests.review.packs import boolean, choice, judged, pack_of, score, scored, selected
from verdict_frames.errors import ArgumentError, ColumnError, LabelError, OptionError
from verdict_frames.frames.decisions import decide
from verdict_frames.frames.evaluation_assembly import evaluations_from_records, read_evaluations
from verdict_frames.review.packs import Pack
from verdict_frames.statistics.evaluations.error_bounds import upper_bound
from verdict_frames.statistics.evaluations.sweeps import sweep

if TYPE_CHECKING:
    from verdict_frames.frames.evaluations import Evaluations

VALUES = (0.0, 0.1, 0.35000000000000003, 0.35, 0.5, 0.9, math.nextafter(0.9, 0), math.nextafter(0.9, 1), 1.0)
RULES: dict[str, tuple[str, float, float]] = {
    "queue.minSelectedProbability": ("queue", 0.0, 1.0),
    "urgency.minInclusive": ("urgency", -1.0, 2.0),
    "urgency.maxInclusive": ("urgency", 0.5, 4.0),
    "refund.lowExclusive": ("refund", 0.0, 0.8),
    "refund.highExclusive": ("refund", 0.1, 1.0),
}


def document(**changes: float) -> dict[str, Any]:
    questions = {"queue": choice(0.9), "urgency": score(0.5, 2), "refund": boolean(0.1, 0.8)}
    for name, value in changes.items():
        question, key = name.split("__")
        questions[question]["review"][key] = value
    return {"id": "triage", "version": "1", "questions": questions}


PACK = Pack.from_dict(document())


def moved(name: str, value: float) -> Pack:
    return Pack.from_dict(document(**{name.replace(".", "__"): value}))


def random_row(rng: random.Random) -> dict[str, Any]:
    row = {
        "queue": rng.choice([selected(rng.choice(VALUES)), selected(rng.choice(VALUES)), {"type": "choice"}]),
        "urgency": scored(rng.choice([0, 0.5, 0.7, 1.5, 2, 2.5, 3, math.nan])),
        "refund": judged(rng.choice([*VALUES, 0.8, None])),
    }
    if rng.random() < 0.1:
        row["queue"] = {"type": "choice", "choice": "other"}
    if rng.random() < 0.1:
        del row[rng.choice(sorted(row))]
    return row


def stored(rows: list[dict[str, Any]]) -> Evaluations:
    return evaluations_from_records([{"answers": row} for row in rows if row], source="gateway")


def counted(evaluations: Evaluations, pack: Pack, question: str, missing: Any) -> tuple[int, int, int]:
    """Accepted, fired and fired alone, from the decisions of a pack whose threshold was moved."""
    reasons = decide(pack, evaluations, missing=missing)["reasons"].to_list()
    named = [{text.split(": ")[0] for text in texts} for texts in reasons]
    return (
        sum(not ids for ids in named),
        sum(question in ids for ids in named),
        sum(ids == {question} for ids in named),
    )


@given(st.sampled_from(sorted(RULES)), st.integers(0, 2**32), st.sampled_from(["invalid", "skip"]))
def test_every_step_counts_as_a_moved_pack_decides(name: str, seed: int, missing: Any) -> None:
    rng = random.Random(seed)
    question, lowest, highest = RULES[name]
    evaluations = stored([random_row(rng) for _ in range(rng.randrange(1, 30))])
    swept = sweep(evaluations, PACK, name, missing=missing)
    steps = swept.steps.to_dicts()
    asked = [value for value in (*VALUES, 0.7, 0.8, 1.5, 2, 2.5, lowest, highest) if lowest <= value <= highest]
    for value, row in zip(asked, swept.at(asked).iter_rows(named=True), strict=True):
        assert row["threshold"] == value
        expected = counted(evaluations, moved(name, value), question, missing)
        assert (row["accepted"], row["fired"], row["fired_alone"]) == expected
        assert row["reviewed"] == swept.decided - row["accepted"]
        assert row["accept_rate"] == row["accepted"] / swept.decided
    assert [step["threshold"] for step in steps] == sorted({step["threshold"] for step in steps})
    assert swept.threshold.current is not None
    assert swept.current()["accepted"].to_list() == [counted(evaluations, PACK, question, missing)[0]]


@given(st.sampled_from(sorted(RULES)), st.integers(0, 2**32))
def test_steps_cover_every_threshold_once(name: str, seed: int) -> None:
    rng = random.Random(seed)
    evaluations = stored([random_row(rng) for _ in range(rng.randrange(12))])
    steps = sweep(evaluations, PACK, name).steps
    ends = list(zip(steps["low"], steps["high"], strict=True))
    assert [high for _, high in ends[:-1]] == [low for low, _ in ends[1:]]
    closed_high = name.split(".")[1] in ("minSelectedProbability", "minInclusive", "highExclusive")
    assert steps["threshold"].to_list() == [high if closed_high else low for low, high in ends]
    domain = {
        "queue.minSelectedProbability": (0, 1),
        "urgency.minInclusive": (None, 2),
        "urgency.maxInclusive": (0.5, None),
        "refund.lowExclusive": (0, 0.8),
        "refund.highExclusive": (0.1, 1),
    }
    assert (ends[0][0], ends[-1][1]) == domain[name]


def test_the_floor_keeps_equality_and_never_accepts_more_when_it_rises() -> None:
    values = [0.9, math.nextafter(0.9, 0), 0.35, 0.35000000000000003, 1, 0]
    evaluations = stored([{"queue": selected(value)} for value in values])
    swept = sweep(evaluations, pack_of(queue=choice(0.9)), "queue.minSelectedProbability")
    assert swept.steps.select("threshold", "accepted").rows() == [
        (0.0, 6),
        (0.35, 5),
        (0.35000000000000003, 4),
        (math.nextafter(0.9, 0), 3),
        (0.9, 2),
        (1.0, 1),
    ]
    assert swept.at([k / 100 for k in (35, 36, 90, 91)])["accepted"].to_list() == [5, 3, 2, 1]


def test_missing_probabilities_fire_under_every_floor_and_a_rule_is_given_where_there_is_none() -> None:
    rows = [{"queue": selected(0.5)}, {"queue": {"type": "choice", "choice": "other"}}, {"queue": judged(1)}]
    pack = pack_of(queue=choice(None))
    assert decide(pack, stored(rows))["status"].to_list() == ["accept", "accept", "review"]
    swept = sweep(stored(rows), pack, "queue.minSelectedProbability")
    assert swept.steps.select("threshold", "accepted", "fired", "fired_alone").rows() == [
        (0.5, 1, 2, 2),
        (1.0, 0, 3, 3),
    ]
    assert swept.threshold.current is None
    assert swept.current().is_empty()


def test_failures_and_unrecorded_answers_are_left_out_and_counted() -> None:
    good = {"status": "accept", "answers": {"queue": selected(1)}, "reviewReasons": [], "idempotencyKey": "k"}
    failed = {"status": "review", "answers": {}, "reviewReasons": ["gateway_auth"], "modelId": "none"}
    silent = {"status": "review", "answers": {}, "reviewReasons": ["queue: invalid answer"]}
    evaluations = evaluations_from_records([good, good, failed, silent, failed])
    swept = sweep(evaluations, pack_of(queue=choice()), "queue.minSelectedProbability")
    assert (swept.decided, swept.failed, swept.answers_not_recorded, swept.repeated_keys) == (2, 2, 1, 1)
    nothing = sweep(evaluations_from_records([failed]), pack_of(queue=choice()), "queue.minSelectedProbability")
    assert nothing.steps.select("accepted", "accept_rate").rows() == [(0, None)]


GOLD = {"queue": "billing", "urgency": "0", "refund": "false"}


def labelled_rows(rng: random.Random, count: int) -> tuple[Evaluations, pl.DataFrame]:
    rows = [
        {
            "queue": selected(rng.choice(VALUES), option=rng.choice(["billing", "other"])),
            "urgency": scored(rng.choice([0, 0.5, 1.5, 3])),
            "refund": judged(rng.choice([0.0, 0.5, 0.9, 1.0])),
        }
        for _ in range(count)
    ]
    rows.append({"queue": selected(1), "urgency": scored(0), "refund": judged(0)})
    labels = [
        {"evaluation_index": index, "question_id": name, "gold": GOLD[name]}
        for index in range(len(rows))
        for name in GOLD
        if rng.random() < 0.6 or index == count
    ]
    return stored(rows), pl.DataFrame(labels)


def wrong_by_hand(answer: dict[str, Any]) -> bool:
    if answer["type"] == "choice":
        return bool(answer["choice"] != "billing")
    return bool(answer["score"] >= 0.5 if answer["type"] == "score" else answer["probability"] >= 0.5)


@given(st.integers(0, 2**32), st.sampled_from(sorted(RULES)))
def test_wrong_accepts_are_those_counted_by_hand(seed: int, name: str) -> None:
    rng = random.Random(seed)
    evaluations, labels = labelled_rows(rng, rng.randrange(20))
    swept = sweep(evaluations, PACK, name, labels=labels)
    assert swept.labelled == labels["evaluation_index"].n_unique()
    wrong_ones = {
        row["evaluation_index"]
        for row in evaluations.answers.join(labels, on=["evaluation_index", "question_id"]).iter_rows(named=True)
        if wrong_by_hand(row)
    }
    checked_ones = set(labels["evaluation_index"])
    for row in swept.steps.iter_rows(named=True):
        decided = decide(moved(name, row["threshold"]), evaluations)
        accepted = set(decided.filter(pl.col("status") == "accept")["evaluation_index"])
        checked, wrong = len(accepted & checked_ones), len(accepted & wrong_ones)
        assert (row["checked"], row["wrong"]) == (checked, wrong)
        assert row["error_rate"] == (wrong / checked if checked else None)
        bound = upper_bound(wrong, checked)
        assert row["bound"] == (None if bound is None else pytest.approx(bound, abs=1e-12))
        assert row["bound_method"] == "clopper-pearson, one-sided"


def test_unequal_weights_weigh_and_equal_ones_change_nothing() -> None:
    rows = [{"queue": selected(1, option=option)} for option in ("billing", "billing", "other", "billing")]
    labels = pl.DataFrame({"evaluation_index": [0, 1, 2, 3], "question_id": "queue", "gold": "billing"})
    pack = pack_of(queue=choice())
    name = "queue.minSelectedProbability"
    plain, equal, unequal = (
        sweep(stored(rows), pack, name, labels=labels if weights is None else labels.with_columns(weights)).steps.row(
            -1, named=True
        )
        for weights in (None, pl.lit(3.0).alias("weight"), pl.Series("weight", [1.0, 1.0, 6.0, 2.0]))
    )
    assert plain == equal
    assert (plain["checked"], plain["wrong"], plain["error_rate"]) == (4, 1, 0.25)
    assert (unequal["checked"], unequal["wrong"], unequal["error_rate"]) == (4, 1, 0.6)
    assert unequal["bound_method"].endswith("at the effective sample size")
    size = 10**2 / 42
    assert unequal["bound"] == pytest.approx(upper_bound(0.6 * size, size))


def test_labels_of_reviewed_tickets_only_are_refused() -> None:
    rows = [
        {"status": "accept", "answers": {"queue": selected(0.95)}, "reviewReasons": [], "ticketId": "a"},
        {
            "status": "review",
            "answers": {"queue": selected(0.5)},
            "reviewReasons": ["queue: selected probability is below the minimum"],
            "ticketId": "b",
        },
    ]
    evaluations, pack, name = evaluations_from_records(rows), pack_of(queue=choice()), "queue.minSelectedProbability"
    labels = pl.DataFrame({"ticket_id": ["b"], "question_id": ["queue"], "gold": ["billing"]})
    with pytest.raises(LabelError, match="1 of the decided evaluations are labelled, and none of these was accepted"):
        sweep(evaluations, pack, name, labels=labels)
    both = sweep(evaluations, pack, name, labels=pl.concat([labels, labels.with_columns(ticket_id=pl.lit("a"))]))
    assert (both.labelled, both.labelled_accepted) == (2, 1)


@pytest.mark.parametrize(
    ("gold", "right"),
    [
        (["billing", "1", "true"], [True, True, True]),
        (["other", "2", "False"], [False, False, False]),
        (["Billing", "1.0", "YES"], [False, True, True]),
        (["", "one", "maybe"], [False, False, False]),
    ],
)
def test_what_is_right(gold: list[str], right: list[bool]) -> None:
    answers = {"queue": selected(1), "urgency": scored(0.5), "refund": judged(0.5)}
    labels = pl.DataFrame({"evaluation_index": 0, "question_id": list(answers), "gold": gold})
    for name, is_right in zip(answers, right, strict=True):
        pack = pack_of(queue=choice(0.5), urgency=score(3, 3), refund=boolean(0.6, 0.7))
        one = labels.filter(pl.col("question_id") == name)
        row = sweep(stored([answers]), pack, "queue.minSelectedProbability", labels=one).at([0.5]).row(0, named=True)
        assert (row["checked"], row["wrong"]) == (1, 0 if is_right else 1)


def test_wrong_calls_are_refused() -> None:
    evaluations = stored([{"queue": selected(1)}])
    name = "queue.minSelectedProbability"
    with pytest.raises(OptionError, match=r"no threshold 'queue.minInclusive'; it has queue.minSel"):
        sweep(evaluations, PACK, "queue.minInclusive")
    with pytest.raises(OptionError, match="both of its ends are needed"):
        sweep(evaluations, pack_of(u=score(None)), "u.minInclusive")
    with pytest.raises(OptionError, match=r"can't be 1\.5; it lies in 0 to 1"):
        sweep(evaluations, PACK, name).at([1.5])
    with pytest.raises(OptionError, match=r"can.t be nan"):
        sweep(evaluations, PACK, name).at([math.nan])
    with pytest.raises(ArgumentError, match="Evaluations are needed"):
        sweep(evaluations.answers, PACK, name)  # type: ignore[arg-type] # what is being tested
    labels = pl.DataFrame({"evaluation_index": [0], "question_id": ["queue"], "gold": ["billing"]})
    with pytest.raises(ColumnError, match="labels have question_id, gold and one of evaluation_index"):
        sweep(evaluations, PACK, name, labels=labels.drop("gold"))
    with pytest.raises(ColumnError, match="labels have question_id, gold and one of"):
        sweep(evaluations, PACK, name, labels=labels.with_columns(ticket_id=pl.lit("a")))
    with pytest.raises(ColumnError, match="labelled more than once"):
        sweep(evaluations, PACK, name, labels=pl.concat([labels, labels]))
    with pytest.raises(ColumnError, match="1 weights are no positive numbers"):
        sweep(evaluations, PACK, name, labels=labels.with_columns(weight=pl.lit(0)))
    with pytest.raises(ArgumentError, match="an eager polars frame"):
        sweep(evaluations, PACK, name, labels=labels.lazy())  # type: ignore[arg-type] # what is being tested


@pytest.mark.skipif(not (OPTIONAL_DATA / "data" / "jev").is_dir(), reason="optional conformance data is not here")
def test_accepted_at_floors_as_counted_over_the_raw_json() -> None:
    path = OPTIONAL_DATA / "data" / "jev" / "email-routing.answers.jsonl"
    fields = {"evaluation_id": "idx", "answers": "judgments[question].raw.answer"}
    raw = [json.loads(line)["judgments"][0]["raw"]["answer"] for line in path.read_text("utf-8").splitlines()]
    evaluations = read_evaluations(path, source="gateway", fields=fields)
    assert evaluations.problems.is_empty()
    swept = sweep(evaluations, pack_of(category=choice(0.9, options=None)), "category.minSelectedProbability")
    floors = [0.9, 0.95, 0.99, 1.0]
    expected = [sum(answer["probabilities"][answer["choice"]] >= floor for answer in raw) for floor in floors]
    assert swept.at(floors)["accepted"].to_list() == expected
