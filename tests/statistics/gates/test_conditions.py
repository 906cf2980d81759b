from __future__ import annotations

from typing import Any

import pytest

from verdict_frames.errors import ArgumentError, MissingPathError, OptionError, VerdictFramesError
from verdict_frames.statistics.gates.conditions import LIMITED, limit_of, parse_limit, parse_requirement
from verdict_frames.statistics.gates.gates import Gates
from verdict_frames.statistics.tally import TALLY_SCHEMA


@pytest.mark.parametrize(
    ("text", "name", "sign", "bound"),
    [
        ("pass_rate>=0.8", "pass_rate", ">=", 0.8),
        (" ci_low > .7 ", "ci_low", ">", 0.7),
        ("agent_failed<=2", "agent_failed", "<=", 2),
        ("total==40", "total", "==", 40),
        ("end_to_end_rate<1", "end_to_end_rate", "<", 1),
    ],
)
def test_a_requirement_is_a_name_a_sign_and_a_number(text: str, name: str, sign: str, bound: float) -> None:
    read = parse_requirement(text)
    assert (read.name, read.sign, read.bound) == (name, sign, bound)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("pass_rate", "a name, a sign and a number"),
        ("pass_rate=0.8", "a name, a sign and a number"),
        ("", "a name, a sign and a number"),
        ("pass_rate>=80%", "isn't a share from 0 to 1"),
        ("pass_rate>=80", "isn't a share from 0 to 1"),
        ("pass_rate>=-0.1", "isn't a share"),
        ("pass_rate>=nan", "isn't a share"),
        ("passes>=inf", "isn't a number of items"),
        ("passed>=0.8", "there is no passed; choose one of pass_rate, ci_low"),
        ("pass_rate>1", "nothing is above 1"),
        ("ci_low<0", "nothing is below 0"),
        (0.8, "a name, a sign and a number"),
    ],
)
def test_a_requirement_that_cannot_be_is_refused_in_one_line(text: Any, words: str) -> None:
    with pytest.raises(OptionError, match=words) as refused:
        parse_requirement(text)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("value", "sign", "held"),
    [(0.8, ">=", True), (0.8, ">", False), (0.8, "<=", True), (0.8, "<", False), (0.8, "==", True), (0.7, ">=", False)],
)
def test_each_sign_holds_what_it_says_and_null_never(value: float, sign: str, held: bool) -> None:  # noqa: FBT001
    requirement = parse_requirement(f"pass_rate{sign}0.8")
    assert requirement.holds(value) is held
    assert not requirement.holds(None)


def test_limits_are_about_counts_of_the_tally_or_their_share() -> None:
    assert set(LIMITED) <= set(TALLY_SCHEMA)
    share, count = parse_limit("not_assessed_rate=0.05"), parse_limit("unjudged = 3")
    assert (share.count, share.is_rate, share.most) == ("not_assessed", True, 0.05)
    assert (count.count, count.is_rate, count.most) == ("unjudged", False, 3)
    assert limit_of("excluded", 2) == parse_limit("excluded=2")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("not_assessed_rate", "a name, = and a number"),
        ("not_assessed_rate<=0.05", "a name, = and a number"),
        ("nonsense=1", "no such count; choose one of not_assessed"),
        ("not_assessed_rate=1.5", "isn't a share from 0 to 1"),
        ("not_assessed=-1", "isn't a number of items"),
        ("unjudged=few", "isn't a number of items"),
    ],
)
def test_a_limit_that_cannot_be_is_refused(text: str, words: str) -> None:
    with pytest.raises(OptionError, match=words):
        parse_limit(text)


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"max_problem": 0}, OptionError, "'max_problem' is no gate; choose among max_problems, max,"),
        ({"max_problems": "none"}, ArgumentError, "max_problems is a whole number"),
        ({"max_problems": True}, ArgumentError, "max_problems is a whole number"),
        ({"expect_items": -1}, OptionError, "expect_items is 0 or more"),
        ({"max_regressions": 1.0}, ArgumentError, "max_regressions is a whole number"),
        ({"max_drop": 5}, OptionError, "max_drop lies from 0 to 1"),
        ({"max_drop": "5 %"}, ArgumentError, "max_drop is a number"),
        ({"max_judge_error_rate": float("nan")}, OptionError, "max_judge_error_rate lies from 0 to 1"),
        ({"alpha": 0.5}, OptionError, "alpha lies between 0 and 0.5"),
        ({"alpha": 0}, OptionError, "alpha lies between 0 and 0.5"),
        ({"alpha": None}, ArgumentError, "alpha is a number"),
        ({"require": 0.8}, ArgumentError, "require takes texts"),
        ({"require": [0.8]}, ArgumentError, "require takes texts"),
        ({"max": {"unjudged": "few"}}, OptionError, "limit unjudged"),
        ({"max": {"unjudged": 10**400}}, OptionError, "limit unjudged: 1000.* isn't a number of items"),
        ({"max": {"unjudged": 10**5000}}, OptionError, "limit unjudged: <int> isn't a number of items"),
        ({"max": {1: 0}}, ArgumentError, "max takes texts"),
        ({"expect_groups": [1]}, ArgumentError, "expect_groups takes texts"),
        (["require"], ArgumentError, "a mapping of names and values"),
    ],
)
def test_gates_that_cannot_be_are_refused_by_name(given: Any, error: type[VerdictFramesError], words: str) -> None:
    with pytest.raises(error, match=words):
        Gates.from_dict(given)


def test_attributes_are_made_by_from_dict() -> None:
    given: Any = ["pass_rate>=0.8"]
    with pytest.raises(ArgumentError, match=r"require is a tuple of Requirement, .* see Gates.from_dict"):
        Gates(require=given)


def test_nothing_is_asked_unless_something_is() -> None:
    assert not Gates().are_any
    assert not Gates.from_dict({"alpha": 0.01}).are_any
    assert Gates.from_dict({"max_problems": 0}).are_any
    assert Gates.from_dict({"max_drop": 0.1, "require": "pass_rate>0"}).about_comparisons == ("max_drop",)


def test_what_is_given_takes_the_place_of_what_is_about_the_same() -> None:
    file = Gates.from_dict(
        {
            "max": {"not_assessed_rate": 0.05, "unjudged": 0},
            "require": ["pass_rate>=0.5", "pass_rate<=0.9", "ci_low>=0.4"],
            "expect_groups": "a, b,",
            "max_problems": 3,
            "alpha": 0.01,
        }
    )
    changed = file.overridden({"max": ["unjudged=2"], "require": "pass_rate>=0.8", "expect_groups": ["a,b"]})
    assert [str(limit) for limit in changed.limits] == ["not_assessed_rate at most 0.05", "unjudged at most 2"]
    assert [str(one) for one in changed.require] == ["ci_low >= 0.4", "pass_rate >= 0.8"]
    assert (file.expect_groups, changed.expect_groups) == (("a", "b"), ("a,b",))
    assert (changed.max_problems, changed.alpha) == (3, 0.01)
    assert file.overridden({}) == file


def test_a_file_says_the_same_as_a_mapping(tmp_path: Any) -> None:
    file = tmp_path / "verdict-frames.toml"
    file.write_text(
        '[gates]\nmax_problems = 0\nmax = { not_assessed_rate = 0.05 }\nrequire = ["pass_rate>=0.8"]\n'
        'expect_groups = ["a", "b"]\nexpect_items = 40\nmax_judge_error_rate = 0\nmax_drop = 0.05\nalpha = 0.01\n'
        "max_regressions = 2\n",
        encoding="utf-8",
    )
    assert Gates.from_file(file) == Gates.from_dict(
        {
            "max_problems": 0,
            "max": ["not_assessed_rate=0.05"],
            "require": "pass_rate>=0.8",
            "expect_groups": "a,b",
            "expect_items": 40,
            "max_judge_error_rate": 0.0,
            "max_drop": 0.05,
            "alpha": 0.01,
            "max_regressions": 2,
        }
    )


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"[gates]\nmax_problem = 0\n", r"\[gates\] 'max_problem' is no gate"),
        (b"[gates]\nmax_problems = '0'\n", r"\[gates\] max_problems is a whole number, not '0'"),
        (b"[gates]\nrequire = ['pass_rate>=8']\n", r"\[gates\] requirement 'pass_rate>=8': '8' isn't a share"),
        (b"[gate]\nmax_problems = 0\n", r"gate can't be here; the file holds one table, \[gates\]"),
        (b"gates = 3\n", r"gates can't be here"),
        (b"[gates\n", "the gates can't be read"),
        (b"[gates]\nx = '\xff'\n", "the gates can't be read"),
        (b"[gates]\nmax_problems = " + b"9" * 5000, "the gates can't be read: Exceeds the limit"),
        (b"x = " + b"[" * 5000, "the gates can't be read"),
    ],
)
def test_a_file_that_cannot_be_used_is_named_in_one_line(content: bytes, words: str, tmp_path: Any) -> None:
    file = tmp_path / "mine.toml"
    file.write_bytes(content)
    with pytest.raises(OptionError, match=words) as refused:
        Gates.from_file(file)
    assert str(refused.value).startswith(str(file))
    assert "\n" not in str(refused.value)


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path: Any) -> None:
    file = tmp_path / "marked.toml"
    file.write_bytes(b"\xef\xbb\xbf[gates]\nmax_problems = 0\n")
    assert Gates.from_file(file).max_problems == 0


def test_numbers_of_items_are_written_with_all_their_digits() -> None:
    assert str(parse_requirement("total>=1234567")) == "total >= 1234567"
    assert str(parse_limit("unjudged=1234567")) == "unjudged at most 1234567"
    assert str(parse_limit("unjudged_rate=0.125")) == "unjudged_rate at most 0.125"


def test_a_file_that_is_not_there_is_named(tmp_path: Any) -> None:
    with pytest.raises(MissingPathError, match="there is no such file of gates"):
        Gates.from_file(tmp_path / "nowhere.toml")
    with pytest.raises(OptionError, match="the gates can't be read"):
        Gates.from_file(tmp_path)
    no_path: Any = None
    with pytest.raises(ArgumentError, match="the path of a TOML file, not from None"):
        Gates.from_file(no_path)
