from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.sources.stores import VERDICT, Read, item, lines, result, write
from verdict_frames.vocabulary import ProblemKind, SourceState

GOOD = json.dumps(result(items=(item(verdict=VERDICT),))).encode()


@pytest.mark.parametrize(
    ("data", "kind", "words"),
    [
        (b"", "syntax", "it is empty"),
        (b" \n ", "syntax", "it is empty"),
        (b"\xef\xbb\xbf", "syntax", "it is empty"),
        (GOOD[:-5], "syntax", "cut off"),
        (GOOD.replace(b'"pass"', b"NaN"), "syntax", "NaN is no JSON value"),
        (GOOD.replace(b'"pass"', b"-Infinity"), "syntax", "-Infinity is no JSON value"),
        (GOOD.decode().encode("utf-16"), "syntax", "UTF-16"),
        (GOOD.replace(b'"pass"', b'"\xe9"'), "syntax", "not UTF-8"),
        (b"2026-09-17 12:00 INFO nothing here\n", "syntax", "line 1"),
        (b'{"a":' * 30_000 + b"1" + b"}" * 30_000, "limit", "nested more deeply"),
        (b"[" * 30_000 + b"]" * 30_000, "limit", "nested more deeply"),
        (b"{}", "foreign", "no verdict keys such as `aggregated`"),
        (b"5", "foreign", "a value that is no object"),
        (b"null", "foreign", "a value that is no object"),
        (b'"text"', "foreign", "a value that is no object"),
        (b"[]", "foreign", "an empty list"),
        (b"[1, 2]", "foreign", "2 values, each a value that is no object"),
        (b'{"name": "d", "items": [{"id": "a", "slug": "b", "path": "c"}]}', "foreign", "dataset manifest"),
        (b'{"items": [{"x": 1}]}', "foreign", "list of items of an unknown sort"),
        (b'[{"status": "pass", "reasoning": "r"}]', "foreign", "a judgment: not a verdict"),
        (b'[{"status": "pass", "checks": []}, {"status": "fail", "checks": []}]', "foreign", "a list of 2 judgments"),
        (b'{"entries": []}', "foreign", "index of a result store"),
        (b'{"level": "INFO", "msg": "m"}\n{"level": "WARN", "msg": "n"}\n', "foreign", "2 objects"),
        (
            b'{"level": "INFO"}\nnot json\n{"@type": "tool_call"}\n{"a": 1}',
            "foreign",
            "1 of another sort and 1 that are no",
        ),
    ],
)
def test_a_file_without_results_is_one_row_and_one_problem(tmp_path: Path, data: bytes, kind: str, words: str) -> None:
    path = write(tmp_path / "a.json", data)
    read = Read(tmp_path)
    assert read.runs == []
    assert (read.problem.kind.value, read.problem.path) == (kind, str(path))
    assert words in read.problem.message
    assert "\n" not in read.problem.message
    state = SourceState.FOREIGN if kind == "foreign" else SourceState.PROBLEM
    assert [(row.state, row.size) for row in read.sources] == [(state, len(data))]
    assert read.sources[0].sha256 is not None


def test_the_place_of_a_syntax_error_counts_the_byte_order_mark(tmp_path: Path) -> None:
    write(tmp_path / "a.json", b'\xef\xbb\xbf{\n"a": NaN}')
    problem = Read(tmp_path).problem
    assert (problem.line, problem.byte) == (2, 10)
    assert problem.message.startswith("line 2, byte 10: NaN")


def test_a_lines_file_of_which_no_line_is_json_is_one_problem(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", b"INFO one\nINFO two\n\nINFO three\n")
    problem = Read(tmp_path).problem
    assert (problem.kind, problem.line) == (ProblemKind.SYNTAX, 1)
    assert problem.message.endswith("(none of the 3 lines could be decoded)")


def test_a_bad_line_deep_in_a_verdict_is_told_with_its_line(tmp_path: Path) -> None:
    """The text of the second line is no UTF-8, which only the second pass sees."""
    write(tmp_path / "a.jsonl", lines(VERDICT, VERDICT).replace(b"pass", b"p\xff", 2).replace(b"p\xff", b"pass", 1))
    read = Read(tmp_path)
    assert [found.index for found in read.run.items] == [0]
    assert (read.problem.kind, read.problem.line, read.problem.item_index) == (ProblemKind.SYNTAX, 2, 1)


def test_a_bare_verdict_that_cannot_be_decoded_is_a_problem(tmp_path: Path) -> None:
    write(tmp_path / "a.json", json.dumps(VERDICT).encode().replace(b"pass", b"\xff"))
    read = Read(tmp_path)
    assert read.runs == []
    assert read.problem.kind is ProblemKind.SYNTAX
    assert read.states(tmp_path) == {"a.json": ("problem", None)}


def test_bytes_that_are_stepped_over_are_not_looked_at(tmp_path: Path) -> None:
    detail = b'"executionDetail": {"status": "COMPLETED", "rawResult": "\xff\xfe", "n": 1e999}'
    write(tmp_path / "a.json", b'{"experimentId": "r", "items": [{"itemId": "i", ' + detail + b"}]}")
    read = Read(tmp_path)
    assert (read.item.execution_status, read.problems) == ("COMPLETED", [])


def test_metadata_that_is_no_utf8_costs_the_metadata(tmp_path: Path) -> None:
    write(tmp_path / "a.json", b'{"experimentId": "r", "items": [{"itemId": "i", "metadata": {"a": "\xff"}}]}')
    read = Read(tmp_path)
    assert (read.item.item_id, read.item.metadata) == ("i", None)
    assert "`metadata`: the text is not UTF-8" in read.problem.message


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "a.json", result("a"))
    closed = write(tmp_path / "b.json", result("b"))
    original = Path.open

    def refuse(self: Path, *args: Any, **options: Any) -> Any:
        if self == closed:
            raise PermissionError(13, "Permission denied")
        return original(self, *args, **options)

    monkeypatch.setattr(Path, "open", refuse)
    read = Read(tmp_path)
    assert [run.run_id for run in read.runs] == ["a"]
    assert read.problem.kind is ProblemKind.UNREADABLE
    assert "Permission denied" in read.problem.message
    assert read.states(tmp_path) == {"a.json": ("read", "a"), "b.json": ("problem", None)}
    assert read.sources[1].sha256 is None


def test_a_file_that_changes_while_it_is_read(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", result("a"))
    calls = 0

    def change(_done: int, _total: int) -> None:
        nonlocal calls
        calls += 1
        if calls == 2:  # the first pass is over
            path.write_text(json.dumps(result("a", items=(item(),))))

    read = Read(tmp_path, progress=change)
    assert read.runs == []
    assert (read.problem.kind, read.sources[0].state) == (ProblemKind.UNREADABLE, SourceState.PROBLEM)
    assert "changed while it was being read" in read.problem.message


def test_names_that_are_no_utf8_reach_the_rows_as_text(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"\xff.json")).write_text(json.dumps(VERDICT))
    read = Read(tmp_path)
    assert read.run.run_id == r"\xff.json"
    for text in (read.run.path, read.sources[0].path):
        text.encode()


def test_neighbours_of_a_broken_file_are_read(tmp_path: Path) -> None:
    write(tmp_path / "a.json", GOOD[:40])
    write(tmp_path / "b.json", GOOD)
    write(tmp_path / "c.jsonl", b"\x00\x01")
    read = Read(tmp_path)
    assert [run.run_id for run in read.runs] == ["r"]
    assert [(Path(problem.path).name, problem.kind.value) for problem in read.problems] == [
        ("a.json", "syntax"),
        ("c.jsonl", "syntax"),
    ]
    assert [Path(row.path).name for row in read.sources] == ["a.json", "b.json", "c.jsonl"]


KEYS = st.sampled_from(
    "experimentId items itemId verdict interpretation aggregated individual metadata scores executionDetail counts "
    "timestamp conditions values instrument judgment schemaVersion root reading decision seats weights passRate".split()
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=6),
    max_leaves=25,
)
FILES = st.one_of(
    st.binary(max_size=40),
    VALUES.map(lambda value: json.dumps(value).encode()),
    st.dictionaries(KEYS, VALUES).map(lambda value: json.dumps({"experimentId": "r", "items": [], **value}).encode()),
    st.lists(VALUES, max_size=4).map(lambda values: lines(*values)),
    st.tuples(VALUES, st.integers(0, 60)).map(lambda made: json.dumps(made[0]).encode()[: made[1]]),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(FILES, min_size=1, max_size=3), st.sampled_from([".json", ".jsonl"]))
def test_whatever_files_hold_every_one_has_its_row(tmp_path: Path, files: list[bytes], suffix: str) -> None:
    for place in range(3):
        (tmp_path / f"{place}{suffix}").unlink(missing_ok=True)
    for place, data in enumerate(files):
        write(tmp_path / f"{place}{suffix}", data)
    read = Read([tmp_path / f"{place}{suffix}" for place in range(len(files))])
    assert [Path(row.path).name for row in read.sources] == [f"{place}{suffix}" for place in range(len(files))]
    troubled = {problem.path for problem in read.problems}
    for row in read.sources:
        assert row.state in {SourceState.READ, SourceState.COPY} or row.path in troubled
    ids = [run.run_id for run in read.runs]
    assert len(set(ids)) == len(ids)
    for run in read.runs:
        assert run.path in run.copies
        assert len({found.index for found in run.items}) == len(run.items)
        for found in run.items:
            assert found.has_verdict == (found.verdict is not None)
            assert found.metadata is None or found.metadata.startswith("{")


@pytest.mark.parametrize("key", ["experimentId", "experimentName", "items", "metadata"])
def test_a_name_that_is_no_utf8_is_a_problem_with_its_place(tmp_path: Path, key: str) -> None:
    members: dict[str, object] = {"experimentId": "r", "experimentName": "e", "items": [], "metadata": {}}
    members[key] = {"items": ["BAD"], "metadata": {"reEvaluatedFrom": "BAD"}}.get(key, "BAD")
    data = json.dumps(members, indent=1).encode().replace(b"BAD", b"caf\xe9")
    write(tmp_path / "a.json", data)
    write(tmp_path / "b.json", result("good"))
    read = Read(tmp_path)
    assert [run.run_id for run in read.runs] == ["good"]
    assert (read.problem.kind, read.problem.path) == (ProblemKind.SYNTAX, f"{tmp_path}/a.json")
    assert "not UTF-8" in read.problem.message
    assert read.problem.byte == data.index(b"\xe9")
    assert read.problem.line == data[: data.index(b"\xe9")].count(b"\n") + 1
    assert read.states(tmp_path) == {"a.json": ("problem", None), "b.json": ("read", "good")}


@pytest.mark.parametrize("key", ["experimentId", "experimentName"])
@pytest.mark.parametrize("other", [VERDICT, result("good", items=(item(),))])
def test_a_line_whose_name_is_no_utf8_costs_that_line(tmp_path: Path, key: str, other: object) -> None:
    bad = json.dumps({**result("r"), key: "BAD"}).encode().replace(b"BAD", b"\xe9")
    for name, data in (("first", lines(bad, other)), ("last", lines(other, bad))):
        path = write(tmp_path / f"{name}.jsonl", data)
        read = Read(path)
        assert len(read.run.items) == 1
        assert (read.problem.kind, read.problem.line) == (ProblemKind.SYNTAX, 1 if name == "first" else 2)
        assert read.problem.byte == data.index(b"\xe9")


def test_two_names_that_used_to_print_alike_are_two_files(tmp_path: Path) -> None:
    for name in (b"\xff.json", b"\\xff.json"):
        (tmp_path / os.fsdecode(name)).write_text(json.dumps(VERDICT))
    read = Read(tmp_path)
    assert sorted(run.run_id for run in read.runs) == [r"\\xff.json", r"\xff.json"]
    assert read.states(tmp_path) == {
        r"\\xff.json": ("read", r"\\xff.json"),
        r"\xff.json": ("read", r"\xff.json"),
    }


def test_a_link_in_a_circle_is_one_problem(tmp_path: Path) -> None:
    write(tmp_path / "a.json", result("a"))
    (tmp_path / "loop").symlink_to("loop")
    read = Read(tmp_path)
    assert [run.run_id for run in read.runs] == ["a"]
    assert (read.problem.kind, read.problem.path) == (ProblemKind.UNREADABLE, f"{tmp_path}/loop")
    assert read.states(tmp_path) == {"a.json": ("read", "a"), "loop": ("problem", None)}


def test_keys_of_foreign_files_stay_in_one_line(tmp_path: Path) -> None:
    write(tmp_path / "a.json", {"a\n\x1b[31mb": 1})
    message = Read(tmp_path).problem.message
    assert message.isprintable()
    assert r"`a\n\x1b[31mb`" in message
