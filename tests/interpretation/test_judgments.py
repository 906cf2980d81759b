"""One judgment, wherever it stands: status, reason code, reasoning, score, checks (R41, R44–R58)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.interpretation.shapes import attempt, evidence, expected, found, judgment, verdict
from verdict_frames.interpretation.reader import interpret
from verdict_frames.records import Check, JudgeSeat, ScoreScale, Stage
from verdict_frames.vocabulary import REASON_CODES

if TYPE_CHECKING:
    from verdict_frames.records import Interpretation

AGGREGATES = ["verdict.aggregated", "verdict.compositeAttempts[0].verdict.aggregated"]
SEATS = ["verdict.individual[0]", "verdict.individualByName[a]"]
INF = float("inf")
NAN = float("nan")


def read_at(place: str, changes: dict[str, object]) -> tuple[Interpretation, Stage | JudgeSeat]:
    """Read a whole verdict whose judgment at that place is changed; no status contradicts its open strategy."""
    changed = judgment() | changes
    root = judgment(metadata=evidence("own rule"))
    if place == "verdict.aggregated":
        stored = verdict(root | changes)
    elif place in SEATS:
        stored = verdict(root, {"a": changed})
        stored["individual" if place == SEATS[1] else "individualByName"] = None
    else:
        stored = verdict(root, compositeAttempts=[attempt(child=verdict(changed))])
    interpretation = interpret(stored)
    if place in SEATS:
        return interpretation, interpretation.root.judges[0]
    return interpretation, (interpretation.root, *interpretation.stages)[-1]


def case(name: str, changes: dict[str, object], read: object, defects: str) -> Any:
    return pytest.param(changes, read, defects, id=name)


@pytest.mark.parametrize("place", [*AGGREGATES, *SEATS])
@pytest.mark.parametrize(
    ("changes", "read", "defects"),
    [
        case("R44-missing", {"status": None}, None, "ABSENT Q . status"),
        case("R44-number", {"status": 5}, None, "UNPARSEABLE Q . status"),
        case("R44-false", {"status": False}, None, "UNPARSEABLE Q . status"),
        case("R44-list", {"status": ["pass"]}, None, "UNPARSEABLE Q . status"),
        case("R44-empty-text-is-text", {"status": ""}, "", "UNKNOWN_VOCABULARY Q . status"),
        case("R44-unknown-is-carried", {"status": "passed"}, "passed", "UNKNOWN_VOCABULARY Q . status"),
        case("R13-no-case-folding", {"status": "Pass"}, "Pass", "UNKNOWN_VOCABULARY Q . status"),
        case("R13-half-upper", {"status": "Not_Applicable"}, "Not_Applicable", "UNKNOWN_VOCABULARY Q . status"),
        case("R4-no-trimming", {"status": " pass"}, " pass", "UNKNOWN_VOCABULARY Q . status"),
        case("R13-pass", {"status": "pass"}, "pass", ""),
        case("R13-fail", {"status": "fail"}, "fail", ""),
        case("R13-abstain", {"status": "abstain"}, "abstain", ""),
        case("R13-not-applicable", {"status": "not_applicable"}, "not_applicable", ""),
        case("R13-PASS", {"status": "PASS"}, "pass", ""),
        case("R13-FAIL", {"status": "FAIL"}, "fail", ""),
        case("R13-ABSTAIN", {"status": "ABSTAIN"}, "abstain", ""),
        case("R13-NOT_APPLICABLE", {"status": "NOT_APPLICABLE"}, "not_applicable", ""),
        case("R13-ERROR", {"status": "ERROR", "reasonCode": "judge_failed"}, "error", ""),
    ],
)
def test_status(place: str, changes: dict[str, object], read: object, defects: str) -> None:
    interpretation, judged = read_at(place, changes)
    assert found(interpretation) == expected(defects, Q=place)
    assert judged.status == read


@pytest.mark.parametrize("place", [*AGGREGATES, *SEATS])
@pytest.mark.parametrize(
    ("changes", "read", "defects"),
    [
        case("R45-missing", {"status": "pass"}, None, ""),
        case("R45-error-without-code", {"status": "error"}, None, "ABSENT Q . reasonCode"),
        case("R45-normalised-error", {"status": "ERROR"}, None, "ABSENT Q . reasonCode"),
        case("R45-unknown-status-is-no-error", {"status": "Error"}, None, "UNKNOWN_VOCABULARY Q . status"),
        case("R45-not-text", {"reasonCode": 7}, None, "UNPARSEABLE Q . reasonCode"),
        case("R45-false-is-there", {"reasonCode": False}, None, "UNPARSEABLE Q . reasonCode"),
        case("R45-not-text-of-error", {"status": "error", "reasonCode": []}, None, "UNPARSEABLE Q . reasonCode"),
        case("R45-unknown-is-carried", {"reasonCode": "tired"}, "tired", "UNKNOWN_VOCABULARY Q . reasonCode"),
        case("R45-empty-text", {"status": "error", "reasonCode": ""}, "", "UNKNOWN_VOCABULARY Q . reasonCode"),
        case("R14-no-upper-case", {"reasonCode": "JUDGE_FAILED"}, "JUDGE_FAILED", "UNKNOWN_VOCABULARY Q . reasonCode"),
        case("R45-suits-no-pass", {"status": "pass", "reasonCode": "stage_failed"}, "stage_failed", ""),
    ],
)
def test_reason_code(place: str, changes: dict[str, object], read: object, defects: str) -> None:
    interpretation, judged = read_at(place, changes)
    assert found(interpretation) == expected(defects, Q=place)
    assert judged.reason_code == read


TEN_CODES = [
    *("judge_failed", "judge_metadata_unreadable", "judge_reported", "undeclared_not_applicable"),
    *("errors_propagated", "not_applicable_refused", "aggregation_failed", "stage_failed", "no_tier_decided"),
    "subject_empty",
]


@pytest.mark.parametrize("code", TEN_CODES)
def test_each_of_the_ten_codes_is_known_r14(code: str) -> None:
    assert REASON_CODES.keys() == set(TEN_CODES)
    interpretation, judged = read_at(SEATS[0], {"status": "error", "reasonCode": code})
    assert found(interpretation) == []
    assert judged.reason_code == code


@pytest.mark.parametrize("place", [*AGGREGATES, *SEATS])
@pytest.mark.parametrize(
    ("changes", "read", "defects"),
    [
        case("R46-missing", {"reasoning": None}, None, "ABSENT Q . reasoning"),
        case("R46-not-text", {"reasoning": 0}, None, "UNPARSEABLE Q . reasoning"),
        case("R46-list", {"reasoning": []}, None, "UNPARSEABLE Q . reasoning"),
        case("R46-empty-text", {"reasoning": ""}, "", ""),
        case("R46-untouched", {"reasoning": " two\nlines "}, " two\nlines ", ""),
    ],
)
def test_reasoning(place: str, changes: dict[str, object], read: str | None, defects: str) -> None:
    interpretation, judged = read_at(place, changes)
    assert found(interpretation) == expected(defects, Q=place)
    assert judged.reasoning == ((read or "") if place in SEATS else read)


def scaled(value: object, low: object, high: object) -> dict[str, object]:
    return {"value": value, "min": low, "max": high}


BAD = "UNPARSEABLE Q . score"


@pytest.mark.parametrize(
    ("score", "read", "scale", "defects"),
    [
        pytest.param(None, None, None, "", id="R47-missing"),
        pytest.param(0, 0.0, None, "", id="R48-zero-becomes-real"),
        pytest.param(1, 1.0, None, "", id="R48-one-becomes-real"),
        pytest.param(0.1, 0.1, None, "", id="R48-inside"),
        pytest.param(-0.0, -0.0, None, "", id="R37-negative-zero-stays"),
        pytest.param(-1e-9, None, None, BAD, id="R48-below"),
        pytest.param(1.0000001, None, None, BAD, id="R48-above"),
        pytest.param(85, None, None, BAD, id="R48-integer-above"),
        pytest.param(INF, None, None, BAD, id="R48-infinite"),
        pytest.param(-INF, None, None, BAD, id="R48-negative-infinite"),
        pytest.param(NAN, None, None, BAD, id="R103-no-number-of-its-own"),
        pytest.param(10**400, None, None, BAD, id="R6-integer-beyond-doubles"),
        pytest.param("0.5", None, None, BAD, id="R49-text"),
        pytest.param("", None, None, BAD, id="R49-empty-text"),
        pytest.param(True, None, None, BAD, id="R49-boolean-is-no-number"),
        pytest.param(False, None, None, BAD, id="R49-false-is-no-zero"),
        pytest.param([0.5], None, None, BAD, id="R49-list"),
        pytest.param({"value": True}, None, None, BAD, id="R50-boolean"),
        pytest.param(scaled(False, 0, 1), None, None, BAD, id="R50-boolean-keeps-no-scale"),
        pytest.param({}, None, None, BAD, id="R51-empty"),
        pytest.param(scaled(None, 0, 1), None, None, BAD, id="R51-no-value"),
        pytest.param(scaled(1, None, 1), None, None, BAD, id="R51-no-min"),
        pytest.param(scaled(1, 0, None), None, None, BAD, id="R51-no-max"),
        pytest.param(scaled("1", 0, 1), None, None, BAD, id="R51-value-text"),
        pytest.param(scaled(1, False, 1), None, None, BAD, id="R51-min-boolean"),
        pytest.param(scaled(1, 0, True), None, None, BAD, id="R51-max-boolean"),
        pytest.param(scaled(1, 1, 1), None, None, BAD, id="R52-no-width"),
        pytest.param(scaled(3, 5, 1), None, None, BAD, id="R52-upside-down"),
        pytest.param(scaled(0, -INF, 1), None, None, BAD, id="R52-min-infinite"),
        pytest.param(scaled(0, 0, 10**400), None, None, BAD, id="R52-max-infinite"),
        pytest.param(scaled(0, NAN, 1), None, None, BAD, id="R52-min-nan"),
        pytest.param(scaled(11, 0, 10), None, (0.0, 10.0), BAD, id="R53-above-keeps-scale"),
        pytest.param(scaled(0, 1, 5), None, (1.0, 5.0), BAD, id="R53-below-keeps-scale"),
        pytest.param(scaled(10**400, 0, 10), None, (0.0, 10.0), BAD, id="R53-value-infinite"),
        pytest.param(scaled(NAN, 0, 10), None, (0.0, 10.0), BAD, id="R53-value-nan"),
        pytest.param(scaled(1e308, -1e308, 1e308), None, (-1e308, 1e308), BAD, id="R53-infinite-by-infinite"),
        pytest.param(scaled(0, -1e308, 1e308), 0.0, (-1e308, 1e308), "", id="R54-double-arithmetic"),
        pytest.param(scaled(3, 1, 5), 0.5, (1.0, 5.0), "", id="R54-middle"),
        pytest.param(scaled(1, 1, 5), 0.0, (1.0, 5.0), "", id="R54-lower-end"),
        pytest.param(scaled(5, 1, 5), 1.0, (1.0, 5.0), "", id="R54-upper-end"),
        pytest.param(scaled(-2, -3, -1), 0.5, (-3.0, -1.0), "", id="R54-negative-scale"),
        pytest.param(scaled(1, 0, 3), 1 / 3, (0.0, 3.0), "", id="R54-not-rounded"),
        pytest.param(scaled(0.5, 0, 1) | {"unit": "x"}, 0.5, (0.0, 1.0), "", id="R11-other-keys"),
    ],
)
def test_score(score: object, read: float | None, scale: tuple[float, float] | None, defects: str) -> None:
    for place in AGGREGATES:
        assert found(read_at(place, {"score": score})[0]) == expected(defects, Q=place)
    for place in SEATS:
        interpretation, judged = read_at(place, {"score": score})
        assert found(interpretation) == expected(defects, Q=place)
        assert isinstance(judged, JudgeSeat)
        kept = None if scale is None else ScoreScale(min=scale[0], max=scale[1])
        assert repr((judged.score, judged.score_scale)) == repr((read, kept))


def check(**changes: object) -> dict[str, object]:
    return {"name": "n", "passed": True, "message": "m"} | changes


KEPT = ("n", True, "m")
DROPPED = "UNPARSEABLE Q . checks[0]"


@pytest.mark.parametrize(
    ("checks", "read", "defects"),
    [
        pytest.param(None, [], "ABSENT Q . checks", id="R56-missing"),
        pytest.param({}, [], "UNPARSEABLE Q . checks", id="R56-object"),
        pytest.param("n", [], "UNPARSEABLE Q . checks", id="R56-text"),
        pytest.param(0, [], "UNPARSEABLE Q . checks", id="R56-zero"),
        pytest.param([], [], "", id="R56-empty-list"),
        pytest.param([check()], [KEPT], "", id="R56-whole"),
        pytest.param(["n"], [], DROPPED, id="R56-entry-text"),
        pytest.param([None], [], DROPPED, id="R56-entry-null"),
        pytest.param([[]], [], DROPPED, id="R56-entry-list"),
        pytest.param([check(name=None)], [], DROPPED, id="R56-name-missing"),
        pytest.param([check(name=5)], [], DROPPED, id="R56-name-number"),
        pytest.param([check(name="")], [], DROPPED, id="R57-name-empty"),
        pytest.param([check(name=" \t\u2028\u3000\x1f")], [], DROPPED, id="R57-name-blank"),
        pytest.param([check(name="\u00a0")], [("\u00a0", True, "m")], "", id="R57-no-break-space-is-a-name"),
        pytest.param([check(name="\u0085\u202f")], [("\u0085\u202f", True, "m")], "", id="R57-next-line-is-a-name"),
        pytest.param([check(name="\u200b")], [("\u200b", True, "m")], "", id="R57-zero-width-is-a-name"),
        pytest.param([check(name=" n ")], [(" n ", True, "m")], "", id="R57-no-trimming"),
        pytest.param([check(passed=None)], [], DROPPED, id="R56-passed-missing"),
        pytest.param([check(passed=1)], [], DROPPED, id="R56-passed-number"),
        pytest.param([check(passed="true")], [], DROPPED, id="R56-passed-text"),
        pytest.param([check(passed=False)], [("n", False, "m")], "", id="R56-passed-false"),
        pytest.param([check(passed=None, message=None)], [], DROPPED, id="R56-dropped-once"),
        pytest.param([check(message="")], [("n", True, "")], "", id="R56-message-empty"),
        pytest.param(
            [check(message=None)], [("n", True, "")], "ABSENT Q.checks[0] . message", id="R56-message-missing"
        ),
        pytest.param(
            [check(message=[])], [("n", True, "")], "UNPARSEABLE Q.checks[0] . message", id="R56-message-list"
        ),
        pytest.param([check(), check()], [KEPT, KEPT], "", id="R56-twins-both-kept"),
        pytest.param(
            [5, check(message=None), check(name=" "), check(), check(message=False)],
            [("n", True, ""), KEPT, ("n", True, "")],
            "UNPARSEABLE Q . checks[0] | ABSENT Q.checks[1] . message | UNPARSEABLE Q . checks[2]"
            " | UNPARSEABLE Q.checks[4] . message",
            id="R56-recorded-indices-and-order",
        ),
    ],
)
def test_checks(checks: object, read: list[tuple[str, bool, str]], defects: str) -> None:
    for place in AGGREGATES:
        assert found(read_at(place, {"checks": checks})[0]) == expected(defects, Q=place)
    for place in SEATS:
        interpretation, judged = read_at(place, {"checks": checks})
        assert found(interpretation) == expected(defects, Q=place)
        assert isinstance(judged, JudgeSeat)
        assert judged.checks == tuple(Check(name=name, passed=passed, detail=text) for name, passed, text in read)


@pytest.mark.parametrize("place", [*AGGREGATES, *SEATS])
def test_defects_of_one_judgment_come_in_the_order_of_its_rules_r41_r44_r56(place: str) -> None:
    wrong: dict[str, object] = {"checks": [0], "score": "high", "reasoning": 1, "reasonCode": None, "status": "ERROR"}
    assert found(read_at(place, wrong)[0]) == expected(
        "ABSENT Q . reasonCode | UNPARSEABLE Q . reasoning | UNPARSEABLE Q . score | UNPARSEABLE Q . checks[0]", Q=place
    )
    nothing: dict[str, object] = {"checks": None, "score": None, "reasoning": None, "reasonCode": 3, "status": None}
    assert found(read_at(place, nothing)[0]) == expected(
        "ABSENT Q . status | UNPARSEABLE Q . reasonCode | ABSENT Q . reasoning | ABSENT Q . checks", Q=place
    )


@pytest.mark.parametrize("place", SEATS)
@pytest.mark.parametrize("metadata", [None, 5, [], "x", {"aggregation": "x"}, {"aggregation": {"strategy": 5}}])
def test_metadata_of_a_judge_is_not_looked_at_r58(place: str, metadata: object) -> None:
    assert found(read_at(place, {"metadata": metadata})[0]) == []


@pytest.mark.parametrize("place", [*AGGREGATES, *SEATS])
def test_labels_and_other_keys_are_not_looked_at_r11_r58(place: str) -> None:
    plain = read_at(place, {})
    assert read_at(place, {"label": 5, "weights": "x", "passed": None}) == plain
    assert found(plain[0]) == []
