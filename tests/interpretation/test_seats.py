"""The judges of one verdict: seats joined to judgments, or the judgments alone (R67–R70)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.interpretation.shapes import attempt, broken, expected, found, judgment, verdict
from verdict_frames.interpretation.reader import interpret
from verdict_frames.records import JudgeSeat

ROOT = "verdict"
NESTED = "verdict.compositeAttempts[0].verdict"

both_places = pytest.mark.parametrize("place", [ROOT, NESTED], ids=["root", "nested"])


def jury(**changes: object) -> dict[str, Any]:
    """Two judges that can be told apart, named a and b; by name they say something else than in the list."""
    stored = verdict(judges={"a": judgment("pass", reasoning="list a"), "b": judgment("fail", reasoning="list b")})
    stored["individualByName"] = {
        "a": judgment("abstain", reasoning="name a"),
        "b": judgment("abstain", reasoning="name b"),
    }
    return stored | changes


def seat(position: object, key: object, source: object = "DECLARED") -> dict[str, object]:
    return {"position": position, "verdictKey": key, "keySource": source}


def read_at(place: str, stored: dict[str, Any]) -> tuple[tuple[JudgeSeat, ...], list[str]]:
    if place == ROOT:
        interpretation = interpret(stored)
        return interpretation.root.judges, found(interpretation)
    interpretation = interpret(verdict(compositeAttempts=[attempt(child=stored)]))
    return interpretation.stages[0].judges, found(interpretation)


def told(judges: tuple[JudgeSeat, ...]) -> list[tuple[int, str, str | None, str]]:
    return [(judge.position, judge.name, judge.key_source, judge.reasoning) for judge in judges]


FIRST = (0, "a", "DECLARED", "list a")
SECOND = (1, "b", "DECLARED", "list b")


@both_places
@pytest.mark.parametrize("seats", [{}, "ab", 5, False, 0, {"0": seat(0, "a")}])
def test_seats_that_are_no_list_give_no_judges_at_all_r67(place: str, seats: object) -> None:
    judges, defects = read_at(place, jury(seats=seats))
    assert judges == ()
    assert defects == [f"UNPARSEABLE {place} . seats"]


@both_places
@pytest.mark.parametrize(
    ("change", "value", "judge", "defects"),
    [
        pytest.param("position", 7, (7, "b", "DECLARED", "list b"), "", id="R68-position-as-recorded"),
        pytest.param("position", -1, (-1, "b", "DECLARED", "list b"), "", id="R68-position-negative"),
        pytest.param("position", 2.9, (2, "b", "DECLARED", "list b"), "", id="R7-position-truncated"),
        pytest.param("position", 2**31, (-(2**31), "b", "DECLARED", "list b"), "", id="R7-position-low-bits"),
        pytest.param("position", 1e30, (2**31 - 1, "b", "DECLARED", "list b"), "", id="R7-position-clamped"),
        pytest.param("position", None, SECOND, "UNPARSEABLE S . position", id="R68-position-missing"),
        pytest.param("position", "7", SECOND, "UNPARSEABLE S . position", id="R68-position-text"),
        pytest.param("position", False, SECOND, "UNPARSEABLE S . position", id="R68-position-boolean"),
        pytest.param("verdictKey", None, (1, "", "DECLARED", "list b"), "ABSENT S . verdictKey", id="R68-key-missing"),
        pytest.param("verdictKey", 5, (1, "", "DECLARED", "list b"), "ABSENT S . verdictKey", id="R68-key-number"),
        pytest.param("verdictKey", "", (1, "", "DECLARED", "list b"), "", id="R68-key-empty-is-text"),
        pytest.param("keySource", None, (1, "b", None, "list b"), "ABSENT S . keySource", id="R68-source-missing"),
        pytest.param("keySource", [], (1, "b", None, "list b"), "UNPARSEABLE S . keySource", id="R68-source-list"),
        pytest.param(
            *("keySource", "declared", (1, "b", "declared", "list b"), "UNKNOWN_VOCABULARY S . keySource"),
            id="R68-source-unknown-is-kept",
        ),
        pytest.param("keySource", "DEDUPLICATED", (1, "b", "DEDUPLICATED", "list b"), "", id="R22-deduplicated"),
        pytest.param("keySource", "POSITIONAL", (1, "b", "POSITIONAL", "list b"), "", id="R22-positional"),
    ],
)
def test_one_seat(place: str, change: str, value: object, judge: tuple[Any, ...], defects: str) -> None:
    judges, seen = read_at(place, broken(jury(), f"seats.1.{change}", value))
    assert told(judges) == [FIRST, judge]
    assert seen == expected(defects, S=f"{place}.seats[1]")


NAMED = (1, "b", "DECLARED", "name b")
SILENT = (1, "b", "DECLARED", "")
NAMELESS = (1, "", "DECLARED", "")
LIST_A = judgment(reasoning="list a")


@both_places
@pytest.mark.parametrize(
    ("changes", "judge", "defects"),
    [
        pytest.param({"individual": [LIST_A]}, NAMED, "", id="R68-list-too-short"),
        pytest.param({"individual": [LIST_A, None]}, NAMED, "", id="R68-entry-null"),
        pytest.param({"individual": [LIST_A, "fail"]}, NAMED, "", id="R68-entry-text"),
        pytest.param({"individual": [LIST_A, []]}, NAMED, "", id="R68-entry-list"),
        pytest.param(
            {"individual": [LIST_A, {}]},
            SILENT,
            "ABSENT P.individual[1] . status | ABSENT P.individual[1] . reasoning | ABSENT P.individual[1] . checks",
            id="R68-entry-empty-object-is-a-judgment",
        ),
        pytest.param(
            {"individual": [LIST_A], "individualByName": {"b": {"status": "pass", "reasoning": "name b"}}},
            NAMED,
            "ABSENT P.individualByName[b] . checks",
            id="R68-path-of-the-name",
        ),
        pytest.param(
            {"individual": [LIST_A], "individualByName": {"a": judgment()}},
            SILENT,
            "ABSENT P.individualByName[b] . judgment",
            id="R68-name-lacks-too",
        ),
        pytest.param(
            {"individual": [LIST_A], "individualByName": {"b": "fail"}},
            SILENT,
            "ABSENT P.individualByName[b] . judgment",
            id="R68-named-text",
        ),
        pytest.param(
            {"individual": [LIST_A], "individualByName": None},
            SILENT,
            "ABSENT P.individual[1] . judgment",
            id="R68-no-names",
        ),
        pytest.param(
            {"individual": [LIST_A], "individualByName": [judgment(), judgment()]},
            SILENT,
            "ABSENT P.individual[1] . judgment",
            id="R68-names-of-the-wrong-type",
        ),
        pytest.param(
            {"individual": [LIST_A], "seats": [seat(0, "a"), seat(1, "")]},
            NAMELESS,
            "ABSENT P.individual[1] . judgment",
            id="R68-empty-name-is-not-looked-up",
        ),
        pytest.param(
            {"individual": [LIST_A], "individualByName": {"": judgment()}, "seats": [seat(0, "a"), seat(1, 5)]},
            NAMELESS,
            "ABSENT P.seats[1] . verdictKey | ABSENT P.individual[1] . judgment",
            id="R68-unreadable-name-is-not-looked-up",
        ),
    ],
)
def test_a_seat_without_an_entry_in_the_list(
    place: str, changes: dict[str, Any], judge: tuple[Any, ...], defects: str
) -> None:
    judges, seen = read_at(place, jury(**changes))
    assert told(judges) == [FIRST, judge]
    assert seen == expected(defects, P=place)


@both_places
@pytest.mark.parametrize(
    ("changes", "judges", "defects"),
    [
        pytest.param(
            {"seats": [seat(1, "a"), seat(0, "b")]},
            [(1, "a", "DECLARED", "list a"), (0, "b", "DECLARED", "list b")],
            "",
            id="R68-joins-by-index-not-by-position",
        ),
        pytest.param(
            {"seats": [seat(0, "b"), seat(1, "a")]},
            [(0, "b", "DECLARED", "list a"), (1, "a", "DECLARED", "list b")],
            "",
            id="R68-joins-by-index-not-by-name",
        ),
        pytest.param({"seats": [5, seat(1, "b")]}, [SECOND], "UNPARSEABLE P . seats[0]", id="R68-skipped-still-counts"),
        pytest.param({"seats": [seat(0, "a"), None]}, [FIRST], "UNPARSEABLE P . seats[1]", id="R68-null-is-no-seat"),
        pytest.param({"seats": [[], "a"]}, [], "UNPARSEABLE P . seats[0] | UNPARSEABLE P . seats[1]", id="R68-none"),
        pytest.param(
            {"individual": {"a": 1}},
            [(0, "a", "DECLARED", "name a"), (1, "b", "DECLARED", "name b")],
            "",
            id="R67-list-of-the-wrong-type-has-no-defect",
        ),
        pytest.param({"individualByName": 5}, [FIRST, SECOND], "", id="R67-names-of-the-wrong-type-have-no-defect"),
        pytest.param(
            {"seats": [{}], "individual": None, "individualByName": None},
            [(0, "", None, "")],
            "UNPARSEABLE P.seats[0] . position | ABSENT P.seats[0] . verdictKey | ABSENT P.seats[0] . keySource"
            " | ABSENT P.individual[0] . judgment",
            id="R68-order-inside-a-seat",
        ),
        pytest.param(
            {"seats": [{"keySource": 5, "verdictKey": "a.b[0]"}], "individual": []},
            [(0, "a.b[0]", None, "")],
            "UNPARSEABLE P.seats[0] . position | UNPARSEABLE P.seats[0] . keySource"
            " | ABSENT P.individualByName[a.b[0]] . judgment",
            id="R68-names-verbatim-in-paths",
        ),
        pytest.param({"seats": [seat(0, "a")]}, [FIRST], "", id="R69-surplus-judgments-ignored"),
        pytest.param({"seats": []}, [], "", id="R69-no-seats-no-judges"),
        pytest.param(
            {"seats": [seat(0, "a"), seat(0, "a")]}, [FIRST, (0, "a", "DECLARED", "list b")], "", id="R69-twins"
        ),
        pytest.param({"individualByName": {"c": judgment()}}, [FIRST, SECOND], "", id="R69-names-need-not-agree"),
    ],
)
def test_seats_and_judgments(place: str, changes: dict[str, Any], judges: list[tuple[Any, ...]], defects: str) -> None:
    read, seen = read_at(place, jury(**changes))
    assert told(read) == judges
    assert seen == expected(defects, P=place)


def test_defects_come_seat_by_seat_r68() -> None:
    stored = jury(seats=[seat("0", "a", "x"), 5, seat(2, None)])
    stored["individual"][0]["score"] = 2
    judges, seen = read_at(ROOT, stored)
    assert told(judges) == [(0, "a", "x", "list a"), (2, "", "DECLARED", "")]
    assert seen == [
        "UNPARSEABLE verdict.seats[0] . position",
        "UNKNOWN_VOCABULARY verdict.seats[0] . keySource",
        "UNPARSEABLE verdict.individual[0] . score",
        "UNPARSEABLE verdict . seats[1]",
        "ABSENT verdict.seats[2] . verdictKey",
        "ABSENT verdict.individual[2] . judgment",
    ]


def test_a_seat_without_judgment_says_nothing_r68() -> None:
    (judge,), _ = read_at(ROOT, jury(seats=[seat(3, "c")], individual=[]))
    assert judge == JudgeSeat(
        position=3,
        name="c",
        key_source="DECLARED",
        status=None,
        reason_code=None,
        score=None,
        reasoning="",
        checks=(),
    )


BY_NAME = [(0, "a", None, "name a"), (1, "b", None, "name b")]
BY_INDEX = [(0, "", None, "list a"), (1, "", None, "list b")]


@both_places
@pytest.mark.parametrize(
    ("changes", "judges", "defects"),
    [
        pytest.param({}, BY_NAME, "", id="R70-names-before-the-list"),
        pytest.param({"individual": []}, BY_NAME, "", id="R70-list-not-consulted"),
        pytest.param({"individual": [judgment(), judgment(), judgment()]}, BY_NAME, "", id="R70-longer-list"),
        pytest.param({"individual": "x"}, BY_NAME, "", id="R70-list-of-the-wrong-type"),
        pytest.param({"individualByName": {}}, [], "", id="R70-empty-names-exist"),
        pytest.param(
            {"individualByName": {"z": judgment(reasoning="z"), "": judgment(reasoning="empty"), "a": None}},
            [(0, "z", None, "z"), (1, "", None, "empty"), (2, "a", None, "")],
            "ABSENT P.individualByName[a] . judgment",
            id="R70-key-order-and-a-null-entry",
        ),
        pytest.param(
            {"individualByName": {"x]": "pass", "y": {"status": "PASS", "reasoning": "y", "checks": []}}},
            [(0, "x]", None, ""), (1, "y", None, "y")],
            "ABSENT P.individualByName[x]] . judgment",
            id="R70-entry-text",
        ),
        pytest.param({"individualByName": None}, BY_INDEX, "ABSENT P . individualByName", id="R70-names-missing"),
        pytest.param({"individualByName": []}, BY_INDEX, "ABSENT P . individualByName", id="R70-names-are-a-list"),
        pytest.param({"individualByName": "a"}, BY_INDEX, "ABSENT P . individualByName", id="R70-names-are-text"),
        pytest.param(
            {"individualByName": None, "individual": [None, judgment(reasoning="second"), 5]},
            [(0, "", None, ""), (1, "", None, "second"), (2, "", None, "")],
            "ABSENT P . individualByName | ABSENT P.individual[0] . judgment | ABSENT P.individual[2] . judgment",
            id="R70-entries-that-are-no-judgments",
        ),
        pytest.param(
            {"individualByName": None, "individual": []}, [], "ABSENT P . individualByName", id="R70-empty-list"
        ),
        pytest.param(
            {"individualByName": None, "individual": None}, [], "ABSENT P . individualByName", id="R70-neither"
        ),
        pytest.param({"individualByName": 5, "individual": {}}, [], "ABSENT P . individualByName", id="R70-both-wrong"),
    ],
)
def test_without_seats_the_judgments_are_the_judges(
    place: str, changes: dict[str, Any], judges: list[tuple[Any, ...]], defects: str
) -> None:
    read, seen = read_at(place, jury(seats=None, **changes))
    assert told(read) == judges
    only_at_the_root = ["ABSENT verdict . seats"] if place == ROOT else []
    assert seen == only_at_the_root + expected(defects, P=place)
