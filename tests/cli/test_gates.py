from __future__ import annotations

import json
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from tests.cli.stores import accepted, errored, item, result, small_store, write
from tests.interpretation.shapes import rejected
from verdict_frames.cli import main as console
from verdict_frames.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Two variants: `plain` 2 of 3 accepted, 1 not assessed of 5; `more+skills` 1 of 1, 1 agent failure; 1 problem."""
    monkeypatch.chdir(tmp_path)
    return str(small_store(tmp_path / "store"))


def test_gates_that_hold_say_so_in_one_line(store: str, capsys: Capture) -> None:
    asked = ["--require", "pass_rate>=0.6", "--max", "not_assessed_rate=0.2", "--max-problems", "1"]
    assert main(["tally", store, "--by", "variant", *asked]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("3 accepted of 4 eligible")
    assert err == (
        "gates held: items to count (everything); problems at most 1 (the files);"
        " not_assessed_rate at most 0.2 (each of 2); pass_rate >= 0.6 (each of 2); policy agent-judge-0.17\n"
    )


def test_what_the_agent_does_not_hold_is_exit_1_and_a_line_each(store: str, capsys: Capture) -> None:
    asked = ["--require", "pass_rate>=0.9", "--require", "ci_low>=0.5"]
    assert main(["tally", store, "--by", "variant", *asked, "--format", "json"]) == 1
    out, err = capsys.readouterr()
    assert len(json.loads(out)) == 2
    assert [line for line in err.splitlines() if line.startswith("gate")] == [
        "gate not held: plain: pass_rate 0.6667 (2 of 3 eligible), >= 0.9 asked for; policy agent-judge-0.17",
        "gate not held: more+skills: ci_low 0.2065 (1 of 1 eligible), >= 0.5 asked for"
        " (out of reach: all 1 passing gives 0.207; it takes 4 items); policy agent-judge-0.17",
        "gate not held: plain: ci_low 0.2077 (2 of 3 eligible), >= 0.5 asked for"
        " (out of reach: all 3 passing gives 0.439; it takes 4 items); policy agent-judge-0.17",
    ]


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        (["--max-problems", "0"], "problems in reading: 1, at most 0 asked for"),
        (["--max", "not_assessed_rate=0.1"], "plain: not_assessed_rate 0.2 (1 of 5), at most 0.1 asked for"),
        (["--max-judge-error-rate", "0.1"], "judge a errored in 1 of "),
        (["--expect-groups", "plain,better"], "no items of the group better; the groups are more+skills, plain"),
        (["--expect-items", "5"], "more+skills: different items: 2, 5 expected"),
    ],
)
def test_a_measurement_that_is_not_fit_is_exit_3_before_the_agent(
    asked: list[str], reason: str, store: str, capsys: Capture
) -> None:
    assert main(["tally", store, "--by", "variant", "--require", "pass_rate>=1", *asked]) == 3
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("gate not evaluated: ")
    assert reason in line
    assert line.endswith("; this says nothing about the agent")


def test_nothing_readable_is_exit_3_also_for_documents(tmp_path: Path, store: str, capsys: Capture) -> None:
    empty = write(tmp_path / "empty" / "index.json", "{}").parent
    asked = ["--require", "pass_rate>=0", "--junit", "out.xml"]
    for command in (["tally", str(empty)], ["compare", str(empty), store]):
        assert main([*command, *asked]) == 3
        assert capsys.readouterr().err.splitlines()[-1] == (
            "gate not evaluated: no results could be read; this says nothing about the agent"
        )
        assert next(ET.parse(tmp_path / "out.xml").iter("error")).attrib["message"] == "no results could be read"


def test_documents_are_written_whole(tmp_path: Path, store: str) -> None:
    asked = ["--require", "pass_rate>=0.9", "--junit", "gates.xml", "--gate-json", str(tmp_path / "gates.json")]
    assert main(["tally", store, "--by", "variant", *asked]) == 1
    assert ET.parse(tmp_path / "gates.xml").getroot().attrib["failures"] == "1"
    assert json.loads((tmp_path / "gates.json").read_text())["verdict"] == "not_held"
    assert not list(tmp_path.glob(".gates*"))


def test_the_file_in_the_working_directory_is_used_and_options_override_it(
    tmp_path: Path, store: str, capsys: Capture
) -> None:
    write(tmp_path / "verdict-frames.toml", '[gates]\nmax_problems = 0\nrequire = ["pass_rate>=0.9", "passes>=1"]\n')
    by = ["tally", store, "--by", "variant"]
    assert main(by) == 3
    assert capsys.readouterr().err.endswith("this says nothing about the agent (gates of verdict-frames.toml)\n")
    assert main([*by, "--max-problems", "1"]) == 1
    assert "plain: pass_rate" in capsys.readouterr().err
    assert main([*by, "--max-problems", "1", "--require", "pass_rate>=0.5"]) == 0
    assert "passes >= 1 (each of 2)" in capsys.readouterr().err
    assert main([*by, "--no-gates"]) == 0
    assert capsys.readouterr().err == ""


def test_another_file_is_used_in_its_place(tmp_path: Path, store: str, capsys: Capture) -> None:
    write(tmp_path / "verdict-frames.toml", "[gates]\nmax_problems = 0\n")
    write(tmp_path / "mine.toml", "[gates]\nmax_problems = 7\nmax_drop = 0.1\n")
    assert main(["tally", store, "--gates", "mine.toml"]) == 0
    assert "problems at most 7 (the files); not asked, being about comparisons: max_drop" in capsys.readouterr().err


def test_a_file_without_gates_asks_for_nothing(tmp_path: Path, store: str, capsys: Capture) -> None:
    write(tmp_path / "verdict-frames.toml", "")
    assert main(["tally", store]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (["--require", "pass_rate>=80"], "requirement 'pass_rate>=80': '80' isn't a share from 0 to 1"),
        (["--require", "rate>=0.8"], "there is no rate; choose one of pass_rate"),
        (["--max", "not_assessed_rate"], "write a name, = and a number"),
        (["--max-problems", "-1"], "max_problems is 0 or more"),
        (["--max-problems", "many"], "many"),
        (["--max-drop", "0.1"], "--max-drop"),
        (["--gates", "nowhere.toml"], "nowhere.toml: there is no such file of gates"),
        (["--gates", "typo.toml"], "typo.toml: [gates] 'max_problem' is no gate"),
        (["--gates", "empty.toml"], "empty.toml: no gates are asked in it"),
        (["--gates", "empty.toml", "--no-gates"], "leave one of them out"),
        (["--junit", "gates.xml"], "none are asked"),
        (["--max-problems", "9", "--junit", "nowhere/gates.xml"], "nowhere/gates.xml: what came of the gates can't be"),
        (["--source", "result", "--max-problems", "1"], "gates are about items of result files"),
    ],
)
def test_a_wrong_call_is_one_line_and_exit_2(
    asked: list[str], words: str, tmp_path: Path, store: str, capsys: Capture
) -> None:
    write(tmp_path / "typo.toml", "[gates]\nmax_problem = 0\n")
    write(tmp_path / "empty.toml", "[gates]\n")
    assert main(["tally", store, *asked]) == 2
    err = capsys.readouterr().err
    assert words in err
    assert err.splitlines()[-1].startswith("verdict-frames: ")


def sides(folder: Path, *, before: int, after: int, of: int = 20) -> list[str]:
    """Two files with so many items accepted of those there are."""
    return [
        str(
            write(
                folder / f"{name}.json",
                result(name, [item(f"i{n}", accepted() if n < passing else rejected()) for n in range(of)]),
            )
        )
        for name, passing in (("one", before), ("two", after))
    ]


def test_a_comparison_is_held_against_what_may_be_lost(tmp_path: Path, capsys: Capture) -> None:
    flaky = sides(tmp_path / "flaky", before=20, after=18)
    lost = sides(tmp_path / "lost", before=20, after=8)
    assert main(["compare", *flaky, "--max-drop", "0.05", "--max-regressions", "2"]) == 0
    assert "regressions at most 2 (after against before)" in capsys.readouterr().err
    assert main(["compare", *flaky, "--max-regressions", "1"]) == 1
    assert "after against before: 2 of 20 items passed less often, at most 1 asked for" in capsys.readouterr().err
    assert main(["compare", *lost, "--max-drop", "0.05"]) == 1
    assert "difference -0.6 (n = 20), at best -0.272" in capsys.readouterr().err
    assert main(["compare", *lost, "--max-drop", "0.29", "--alpha", "0.001"]) == 0
    assert main(["compare", *lost, "--max-drop", "0.05", "--expect-items", "21"]) == 3


def test_what_cannot_be_compared_says_nothing_about_the_agent(tmp_path: Path, capsys: Capture) -> None:
    paths = [
        str(write(tmp_path / f"{name}.json", result(name, [item("a", stored)], datasetVersion=name)))
        for name, stored in (("one", accepted()), ("two", errored()))
    ]
    assert main(["compare", *paths, "--max-regressions", "0"]) == 3
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("gate not evaluated: ")
    assert "differ in dataset version (dataset_version: one against two)" in line
    assert main(["compare", *paths, "--max-regressions", "0", "--allow", "dataset"]) == 1


def test_a_side_that_is_expected_and_missing_is_a_measurement_that_is_not_fit(store: str, capsys: Capture) -> None:
    by = ["compare", store, "--by", "variant", "--baseline", "gone", "--max-regressions", "0"]
    assert main(by) == 2
    capsys.readouterr()
    assert main([*by, "--expect-groups", "gone,plain"]) == 3
    assert "no items of the group gone; the groups are more+skills, plain" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--expect-items", "--max-problems", "--workers", "--ratio"])
@pytest.mark.parametrize("given", ["1.5", "few", "inf", "nan"])
def test_what_is_no_whole_number_is_refused_and_not_rounded(
    option: str, given: str, store: str, capsys: Capture
) -> None:
    assert main(["tally", store, option, given]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert option in err


def test_a_whole_number_may_be_written_with_an_exponent(store: str) -> None:
    assert main(["tally", store, "--member-bytes", "1e9", "--max-problems", "1.0"]) == 0


def test_a_fault_of_the_program_is_not_taken_for_a_gate_that_did_not_hold(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    def broken() -> int:
        message = "nobody expected this"
        raise TypeError(message)

    monkeypatch.setattr(console, "main", broken)
    with pytest.raises(SystemExit) as ended:
        console.run()
    assert ended.value.code == 70
    assert "nobody expected this" in capsys.readouterr().err
