from __future__ import annotations

import builtins
import json
import pickle
from typing import TYPE_CHECKING, Any

import pytest

from tests.review.packs import boolean, choice, judged, pack_of, score, selected
from verdict_frames.errors import ArgumentError, MissingPathError, NotFoundError, PackError, PackNote
from verdict_frames.review.packs import Pack
from verdict_frames.review.questions import (
    BooleanQuestion,
    BooleanRule,
    ChoiceQuestion,
    ChoiceRule,
    ScoreQuestion,
    ScoreRule,
)

if TYPE_CHECKING:
    from pathlib import Path


def faults_of(document: dict[str, Any]) -> dict[str, str]:
    with pytest.raises(PackError) as raised:
        Pack.from_dict(document)
    assert all(fault.message for fault in raised.value.faults)
    return dict(raised.value.faults)


def warnings_of(**questions: dict[str, Any]) -> dict[str, str]:
    return dict(pack_of(**questions).warnings)


def test_questions_are_typed_and_in_document_order() -> None:
    pack = pack_of(urgency=score(1, 2), queue=choice(0.9), refund=boolean(0.2, 0.8), plain=boolean(None))
    urgency, queue, refund, plain = pack.questions
    assert isinstance(urgency, ScoreQuestion)
    assert (urgency.level_count, urgency.review) == (4, ScoreRule(min_inclusive=1.0, max_inclusive=2.0))
    assert isinstance(queue, ChoiceQuestion)
    assert queue.options == ("billing", "technical", "other")
    assert queue.review == ChoiceRule(min_selected_probability=0.9)
    assert isinstance(refund, BooleanQuestion)
    assert refund.review == BooleanRule(low_exclusive=0.2, high_exclusive=0.8)
    assert plain == BooleanQuestion(id="plain", instructions="A refund?")
    assert (pack.id, pack.version, pack.warnings) == ("triage", "1", ())
    assert pack.unruled == ("plain",)


def test_listed_questions_equal_mapped_ones() -> None:
    mapped = {"queue": choice(), "refund": boolean()}
    listed = [{"id": name, **question} for name, question in mapped.items()]
    assert Pack.from_dict({"questions": listed}) == Pack.from_dict({"questions": mapped})


@pytest.mark.parametrize("rule", [None, {}])
def test_an_empty_rule_is_none(rule: Any) -> None:
    assert pack_of(refund={**boolean(None), "review": rule}).unruled == ("refund",)


def test_identity_may_be_absent_or_an_integer() -> None:
    assert Pack.from_dict({"questions": {"a": boolean()}}).version is None
    assert Pack.from_dict({"id": 7, "version": 2, "questions": {"a": boolean()}}).version == "2"


RULE_FAULTS = [
    (choice(None), {"minSelectedProbability": 1.5}, "minSelectedProbability", "a number in 0 to 1, found the number"),
    (choice(None), {"minSelectedProbability": -1}, "minSelectedProbability", "a number in 0 to 1"),
    (choice(None), {"minSelectedProbability": True}, "minSelectedProbability", "found the boolean true"),
    (choice(None), {"minSelectedProbability": "0.9"}, "minSelectedProbability", 'found the text "0.9"'),
    (choice(None), {"minSelectedProbability": float("nan")}, "minSelectedProbability", "found NaN"),
    (choice(None), {"minSelectedProbability": None}, "minSelectedProbability", "found null"),
    (choice(None), {"minInclusive": 0}, "minInclusive", "no threshold of a choice question"),
    (choice(None), {"minSelectedProbabilty": 0.9}, "minSelectedProbabilty", "it has minSelectedProbability"),
    (score(None), {"minInclusive": 1}, "maxInclusive", "is absent"),
    (score(None), {"maxInclusive": 1}, "minInclusive", "is absent"),
    (score(None), {"minInclusive": float("inf"), "maxInclusive": 2}, "minInclusive", "a finite number"),
    (score(None), {"minInclusive": 0, "maxInclusive": 10**400}, "maxInclusive", "a finite number"),
    (score(None), {"minInclusive": 2, "maxInclusive": 1}, "", "minInclusive 2.0 is above maxInclusive 1.0"),
    (boolean(None), {"lowExclusive": 0.8, "highExclusive": 0.2}, "", "lowExclusive 0.8 is above highExclusive 0.2"),
    (boolean(None), {"lowExclusive": 0.2}, "highExclusive", "is absent"),
    (boolean(None), {"lowExclusive": 0, "highExclusive": 2}, "highExclusive", "a number in 0 to 1"),
    (boolean(None), [0.2, 0.8], "", "expected an object, found an array"),
]


@pytest.mark.parametrize(("question", "rule", "key", "message"), RULE_FAULTS)
def test_faults_of_rules_name_their_place(question: dict[str, Any], rule: Any, key: str, message: str) -> None:
    faults = faults_of({"questions": {"q": {**question, "review": rule}}})
    path = f"questions.q.review.{key}" if key else "questions.q.review"
    assert list(faults) == [path]
    assert message in faults[path]


QUESTION_FAULTS: list[tuple[Any, str, str]] = [
    ({**boolean(), "type": "noul"}, "questions.q.type", "`noul` is the native name of `boolean`"),
    ({**boolean(), "type": "box"}, "questions.q.type", 'one of choice, score, boolean, found the text "box"'),
    ({**boolean(), "type": ["boolean"]}, "questions.q.type", "found an array"),
    ({}, "questions.q.type", "found nothing"),
    ("boolean", "questions.q", "expected a question, found the text"),
    (None, "questions.q", "expected a question, found null"),
    ({**choice(), "criteria": {}}, "questions.q.criteria", "at least one"),
    ({**choice(), "criteria": {"": "x"}}, 'questions.q.criteria[""]', "can't be empty"),
    ({**choice(), "criteria": ["a"]}, "questions.q.criteria", "found an array"),
    ({**choice(), "criteria": {False: "no"}}, "questions.q.criteria", "the boolean false as a key; put it in quotes"),
    ({**score(), "criteria": ["one"]}, "questions.q.criteria", "at least 2 levels, found 1"),
    ({**score(), "criteria": {"0": "low"}}, "questions.q.criteria", "expected a list of levels"),
    ({**boolean(), "criteria": "x"}, "questions.q.criteria", "expected an object"),
    ({**choice(None), "minSelectedProbability": 0.9}, "questions.q.minSelectedProbability", "belongs under `review`"),
    ({**boolean(), "id": "p"}, "questions.q.id", "keep one"),
]


@pytest.mark.parametrize(("question", "path", "message"), QUESTION_FAULTS)
def test_faults_of_questions_name_their_place(question: Any, path: str, message: str) -> None:
    faults = faults_of({"questions": {"q": question}})
    assert list(faults) == [path]
    assert message in faults[path]


@pytest.mark.parametrize(
    ("document", "path"),
    [
        ({}, "questions"),
        ({"questions": {}}, "questions"),
        ({"questions": []}, "questions"),
        ({"questions": "all"}, "questions"),
        ({"questions": None}, "questions"),
        ({"questions": {1: boolean()}}, "questions"),
        ({"questions": {"": boolean()}}, 'questions[""]'),
        ({"questions": [boolean()]}, "questions[0].id"),
        ({"questions": [{"id": 3, **boolean()}]}, "questions[0].id"),
        ({"questions": [{"id": "a", **boolean()}, "b"]}, "questions[1]"),
        ({"id": 1.5, "questions": {"a": boolean()}}, "id"),
        ({"version": True, "questions": {"a": boolean()}}, "version"),
        ({"version": "", "questions": {"a": boolean()}}, "version"),
    ],
)
def test_faults_of_the_document_name_their_place_e35(document: dict[str, Any], path: str) -> None:
    assert list(faults_of(document)) == [path]


def test_an_id_of_two_questions_is_a_fault_e43() -> None:
    faults = faults_of({"questions": [{"id": "a", **boolean()}, {"id": "a", **choice()}]})
    assert list(faults) == ["questions[1].id"]
    assert "'a' is taken" in faults["questions[1].id"]


def test_every_fault_is_told_at_once() -> None:
    document = {
        "version": [],
        "questions": {
            "urgency": {**score(None), "review": {"minInclusive": "1", "maxInclusive": None, "floor": 2}},
            "a.b": {**choice(), "type": "pick"},
            "re: x": {**boolean(None), "review": {"lowExclusive": 0.9, "highExclusive": 0.1}},
        },
    }
    with pytest.raises(PackError) as raised:
        Pack.from_dict(document)
    assert [fault.path for fault in raised.value.faults] == [
        "version",
        "questions.urgency.review.floor",
        "questions.urgency.review.minInclusive",
        "questions.urgency.review.maxInclusive",
        'questions["a.b"].type',
        'questions["re: x"].review',
    ]
    first, *lines = str(raised.value).splitlines()
    assert first == "the pack: 6 faults"
    assert lines == [f"  {fault.path}: {fault.message}" for fault in raised.value.faults]
    assert pickle.loads(pickle.dumps(raised.value)).faults == raised.value.faults  # noqa: S301


def test_a_single_fault_is_one_line() -> None:
    with pytest.raises(PackError) as raised:
        Pack.from_dict({"questions": {}})
    assert str(raised.value).startswith("the pack: questions: there are none")
    assert "\n" not in str(raised.value)


def test_what_is_probably_not_meant_is_a_warning() -> None:
    assert "never fires" in warnings_of(a=boolean(0.5, 0.5))["questions.a.review"]
    assert "outside of the levels 0 to 3" in warnings_of(a=score(3.5, 9))["questions.a.review"]
    assert "never fires" in warnings_of(a=score(-2, -1))["questions.a.review"]
    assert "any option" in warnings_of(a=choice(options=None))["questions.a.criteria"]
    assert "any score" in warnings_of(a=score(levels=None))["questions.a.criteria"]
    assert "is not read" in warnings_of(a={**boolean(None), "reveiw": {}})["questions.a.reveiw"]
    assert Pack.from_dict({"thresholds": {}, "questions": {"a": boolean()}}).warnings[0].path == "thresholds"


@pytest.mark.parametrize(
    "question", [score(3, 9), score(-1, 0), score(0, 3), boolean(0, 1), choice(0), choice(1), boolean(None)]
)
def test_unusual_rules_that_can_fire_are_no_warning(question: dict[str, Any]) -> None:
    assert warnings_of(a=question) == {}


def test_a_question_is_looked_up_by_id() -> None:
    pack = pack_of(a=boolean(), b=choice())
    assert pack.question("b") is pack.questions[1]
    with pytest.raises(NotFoundError, match="no question 'c'; it has a, b"):
        pack.question("c")


@pytest.mark.parametrize("document", [None, [], "pack.json"])
def test_a_document_that_is_no_mapping_is_a_wrong_call(document: Any) -> None:
    with pytest.raises(ArgumentError, match=r"Pack\.from_file"):
        Pack.from_dict(document)


def test_json_file(tmp_path: Path) -> None:
    document = {"id": "triage", "questions": {"queue": choice(), "refund": boolean()}}
    file = tmp_path / "pack.json"
    file.write_text("\ufeff" + json.dumps(document), encoding="utf-8")
    assert Pack.from_file(file) == Pack.from_dict(document)
    assert Pack.from_file(str(file)) == Pack.from_dict(document)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1, column 1: it is no JSON"),
        ('{"questions": {},}', "it is no JSON"),
        ('{"questions": {"a": NaN}}', "NaN, which is no JSON value"),
        ('{"a": ' + "9" * 5000 + "}", "a number that can't be read"),
        ("[" * 200_000, "nested more deeply"),
        ("[]", "a pack is an object with `questions`, not an array"),
        ("3", "not the number 3"),
        ("\udc80", "not UTF-8"),
    ],
)
def test_files_that_are_no_pack(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "pack.json"
    file.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(PackError, match=r"pack\.json: ") as raised:
        Pack.from_file(file)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_paths_that_are_no_file(tmp_path: Path) -> None:
    with pytest.raises(MissingPathError, match="there is no such file"):
        Pack.from_file(tmp_path / "none.json")
    with pytest.raises(PackError, match="it is a folder"):
        Pack.from_file(tmp_path)


def test_json_keys_written_twice_are_faults_e43(tmp_path: Path) -> None:
    file = tmp_path / "pack.json"
    file.write_text(
        '{"questions": {"q": {"type": "boolean", "review": {"lowExclusive": 0.1, "lowExclusive": 0.2, '
        '"highExclusive": 0.9}, "criteria": {"true": [{"x": 1, "x": 1}]}}, "q": {"type": "boolean"}, '
        '"p": {"type": "boolean"}}, "id": "a", "id": "a"}'
    )
    with pytest.raises(PackError) as raised:
        Pack.from_file(file)
    assert [fault.path for fault in raised.value.faults] == ["id", "questions.q"]
    file.write_text('{"questions": {"q": {"type": "boolean", "criteria": {"true": [{"x": 1, "x": 1}]}}}}')
    with pytest.raises(PackError, match=r"questions\.q\.criteria\.true\[0\]\.x: the key is written more than once"):
        Pack.from_file(file)


YAML = """
id: triage
version: "1"
questions:
  queue: {type: choice, criteria: {billing: Money, technical: Faults}, review: {minSelectedProbability: 0.9}}
  refund: &refund
    type: boolean
    criteria: {true: asked for, false: not asked for}
    review: {lowExclusive: 0.2, highExclusive: 0.8}
  return:
    <<: *refund
    instructions: A return?
"""


def test_yaml_file(tmp_path: Path) -> None:
    pytest.importorskip("yaml")
    file = tmp_path / "pack.yaml"
    file.write_text(YAML)
    pack = Pack.from_file(file)
    assert [question.id for question in pack.questions] == ["queue", "refund", "return"]
    assert (pack.questions[2].instructions, pack.unruled, pack.warnings) == ("A return?", (), ())
    assert pack.decide({"queue": selected(0.9), "refund": judged(0.2), "return": judged(0.8)}).reasons == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("questions: {a: {type: boolean}, a: {type: boolean}}", "questions.a: the key is written more than once"),
        ("questions: {no: {type: boolean}}", "the boolean false as a key; put it in quotes"),
        ("questions: {a: {type: choice, criteria: {yes: x}}}", "the boolean true as a key; put it in quotes"),
        ("version: 2026-01-01\nquestions: {a: {type: boolean}}", "version: expected a text"),
        ("questions: {a: {type: boolean, review: {lowExclusive: .nan, highExclusive: 1}}}", "found NaN"),
        ("questions: {a: ", "line 1: it is no YAML"),
        ("questions: &x {a: *x}", "it is no YAML"),
        ("? [a]\n: 1", "it is no YAML"),
        ("questions: !!python/object:os.system {}", "it is no YAML"),
    ],
)
def test_yaml_files_that_are_no_pack_e43(tmp_path: Path, text: str, message: str) -> None:
    pytest.importorskip("yaml")
    file = tmp_path / "pack.yml"
    file.write_text(text)
    with pytest.raises(PackError) as raised:
        Pack.from_file(file)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_fault_in_shared_yaml_is_told_once(tmp_path: Path) -> None:
    pytest.importorskip("yaml")
    file = tmp_path / "pack.yaml"
    file.write_text(
        "questions:\n  a: {type: boolean, criteria: &shared {x: 1, x: 2}}\n  b: {type: boolean, criteria: *shared}"
    )
    with pytest.raises(PackError) as raised:
        Pack.from_file(file)
    assert [fault.path for fault in raised.value.faults] == ["questions.a.criteria.x"]


def test_yaml_without_the_extra_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without_yaml(name: str, *rest: Any, **options: Any) -> Any:
        if name == "yaml":
            raise ImportError(name)
        return real(name, *rest, **options)

    monkeypatch.setattr(builtins, "__import__", without_yaml)
    file = tmp_path / "pack.yaml"
    file.write_text(YAML)
    with pytest.raises(PackError, match=r"install verdict-frames\[yaml\]"):
        Pack.from_file(file)


def test_a_note_without_a_place_is_its_message() -> None:
    assert str(PackNote("", "it is empty")) == "it is empty"
    assert str(PackNote("questions.a", "is odd")) == "questions.a: is odd"
