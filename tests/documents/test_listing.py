from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from verdict_frames.documents.listing import list_files
from verdict_frames.errors import ArgumentError, MissingPathError, PatternError
from verdict_frames.vocabulary import ProblemKind, SourceState

STORE = [
    "exp/index.json",
    "exp/3f2b8f0e-0000-4000-8000-000000000001.json",
    "exp/3f2b8f0e-0000-4000-8000-000000000001/run.log",
    "exp/3f2b8f0e-0000-4000-8000-000000000001/workspaces/a/package.json",
    "exp/3f2b8f0e-0000-4000-8000-000000000001/workspaces/a/deep/tsconfig.json",
    "exp/3f2b8f0e-0000-4000-8000-000000000001/journal/experiments/exp/runs/r/run.json",
    "exp/.result-123.tmp",
    "exp/.hidden.json",
    "exp/.git/config.json",
    "exp/sessions-index.json",
    "exp/sessions/s1/session.json",
    "exp/sessions/s1/hardened+skills.json",
    "exp/sweeps-index.json",
    "exp/sweeps/w/sweep.json",
    "exp/lines.jsonl",
    "exp/more.NDJSON",
    "exp/notes.md",
]


def build(root: Path, names: list[str]) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("{}")


def below(root: Path, paths: list[str]) -> list[str]:
    return [path.removeprefix(f"{root.as_posix()}/") for path in paths]


def test_a_store_is_walked_and_every_file_or_skipped_folder_has_a_row(tmp_path: Path) -> None:
    build(tmp_path, STORE)
    listing = list_files(tmp_path)
    assert below(tmp_path, [file.path for file in listing.files]) == [
        "exp/3f2b8f0e-0000-4000-8000-000000000001.json",
        "exp/lines.jsonl",
        "exp/more.NDJSON",
        "exp/sessions/s1/hardened+skills.json",
    ]
    assert sorted(below(tmp_path, [row.path for row in listing.rows])) == [
        "exp/.git/",
        "exp/.hidden.json",
        "exp/.result-123.tmp",
        "exp/3f2b8f0e-0000-4000-8000-000000000001/journal/",
        "exp/3f2b8f0e-0000-4000-8000-000000000001/run.log",
        "exp/3f2b8f0e-0000-4000-8000-000000000001/workspaces/",
        "exp/index.json",
        "exp/notes.md",
        "exp/sessions-index.json",
        "exp/sessions/s1/session.json",
        "exp/sweeps-index.json",
        "exp/sweeps/w/sweep.json",
    ]
    assert {row.state for row in listing.rows} == {SourceState.SKIPPED}
    assert {row.size for row in listing.rows} == {None, 2}
    assert listing.problems == []


def test_relative_paths_start_below_the_argument(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build(tmp_path, ["results/exp/a.json"])
    monkeypatch.chdir(tmp_path)
    arguments: list[tuple[str | Path, str]] = [
        ("results", "exp/a.json"),
        ("results/exp/", "a.json"),
        (Path("results/exp/a.json"), "a.json"),
        (".", "results/exp/a.json"),
        ("results/*/a.json", "exp/a.json"),
        ("res*/exp", "results/exp/a.json"),
        ("**/*.json", "results/exp/a.json"),
    ]
    for argument, relative in arguments:
        (file,) = list_files(argument).files
        assert (file.path, file.relative) == ("results/exp/a.json", relative)
        assert file.absolute == f"{tmp_path.as_posix()}/results/exp/a.json"


def test_a_named_file_is_read_whatever_its_name(tmp_path: Path) -> None:
    build(tmp_path, ["index.json", "run.log", ".hidden", "journal/x.json"])
    named = [tmp_path / "index.json", tmp_path / "run.log", tmp_path / ".hidden", tmp_path / "journal/x.json"]
    assert len(list_files(named).files) == 4
    assert len(list_files([tmp_path / "journal"]).files) == 1
    both = list_files([tmp_path, tmp_path / "index.json"])
    assert below(tmp_path, [file.path for file in both.files]) == ["index.json"]
    assert sorted(below(tmp_path, [row.path for row in both.rows])) == [".hidden", "journal/", "run.log"]


def test_globs_keep_the_rules_but_may_ask_for_a_suffix(tmp_path: Path) -> None:
    build(tmp_path, [*STORE, "exp/x.txt"])
    deep = list_files(f"{tmp_path}/**/*.json")
    assert below(tmp_path, [file.path for file in deep.files]) == [
        "exp/3f2b8f0e-0000-4000-8000-000000000001.json",
        "exp/sessions/s1/hardened+skills.json",
    ]
    assert "exp/3f2b8f0e-0000-4000-8000-000000000001/workspaces/" in below(tmp_path, [row.path for row in deep.rows])
    assert below(tmp_path, [file.path for file in list_files(f"{tmp_path}/exp/*.txt").files]) == ["exp/x.txt"]
    whole = list_files(f"{tmp_path}/e*")
    assert len(whole.files) == 4
    assert below(tmp_path, [file.path for file in list_files(f"{tmp_path}/exp/[l]ines*").files]) == ["exp/lines.jsonl"]


def test_a_name_with_glob_signs_that_exists_is_a_name(tmp_path: Path) -> None:
    build(tmp_path, ["a[1].json", "a1.json"])
    assert below(tmp_path, [file.path for file in list_files(tmp_path / "a[1].json").files]) == ["a[1].json"]


def test_a_file_reached_twice_is_listed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build(tmp_path, ["results/exp/a.json", "results/exp/notes.md"])
    monkeypatch.chdir(tmp_path)
    listing = list_files(["results", "./results/exp/a.json", "results/exp", tmp_path, "results/../results/**/*.json"])
    assert [(file.path, file.relative) for file in listing.files] == [("results/exp/a.json", "a.json")]
    assert [row.path for row in listing.rows] == ["results/exp/notes.md"]


def test_links_are_followed_once_and_loops_end(tmp_path: Path) -> None:
    build(tmp_path, ["store/s1/a.json", "elsewhere/b.json"])
    (tmp_path / "store/s1/loop").symlink_to(tmp_path / "store")
    (tmp_path / "store/latest").symlink_to(tmp_path / "store/s1")
    (tmp_path / "store/aside").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "store/a-link.json").symlink_to(tmp_path / "store/s1/a.json")
    for argument in (tmp_path / "store", f"{tmp_path}/store/**/*.json", f"{tmp_path}/store/**"):
        listing = list_files(argument)
        assert {"store/s1/a.json", "store/a-link.json"} <= set(below(tmp_path, [file.path for file in listing.files]))
        assert len(listing.files) <= 3
    listing = list_files(tmp_path / "store")
    assert below(tmp_path, [file.path for file in listing.files]) == [
        "store/a-link.json",
        "store/aside/b.json",
        "store/s1/a.json",
    ]
    assert sorted(below(tmp_path, [row.path for row in listing.rows])) == ["store/latest/", "store/s1/loop/"]
    linked, _, real = listing.files
    assert linked.identity == real.identity
    assert linked.absolute != real.absolute


def test_a_folder_named_like_a_file_is_walked(tmp_path: Path) -> None:
    build(tmp_path, ["x.json/a.json"])
    for argument in (tmp_path, tmp_path / "x.json"):
        assert below(tmp_path, [file.path for file in list_files(argument).files]) == ["x.json/a.json"]


def test_what_cannot_be_opened_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build(tmp_path, ["a.json", "closed/b.json"])
    (tmp_path / "dangling.json").symlink_to(tmp_path / "nowhere")
    scandir = os.scandir

    def refuse(path: Path) -> object:
        if path == tmp_path / "closed":
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    listing = list_files(tmp_path)
    assert below(tmp_path, [file.path for file in listing.files]) == ["a.json"]
    assert [(row.path, row.state) for row in listing.rows] == [
        (f"{tmp_path}/dangling.json", SourceState.PROBLEM),
        (f"{tmp_path}/closed/", SourceState.PROBLEM),
    ]
    assert [problem.kind for problem in listing.problems] == [ProblemKind.UNREADABLE] * 2
    assert [problem.path for problem in listing.problems] == [row.path for row in listing.rows]
    assert "Permission denied" in listing.problems[1].message


def test_a_pipe_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "p.json")
    assert [row.state for row in list_files(tmp_path).rows] == [SourceState.SKIPPED]
    named = list_files(tmp_path / "p.json")
    assert named.files == []
    assert [row.state for row in named.rows] == [SourceState.PROBLEM]
    assert "pipe" in named.problems[0].message


def test_names_that_are_no_utf8_are_shown(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"\xff\xe9.json")).write_text("{}")
    (file,) = list_files(tmp_path).files
    assert file.relative == r"\xff\xe9.json"
    assert Path(file.opens).read_text() == "{}"
    assert list_files(Path(file.opens)).files[0].path.endswith(r"/\xff\xe9.json")


@pytest.mark.parametrize(
    ("argument", "words"),
    [
        ("nothing.json", ["'nothing.json'", "holds a.json, b"]),
        ("b/nothing", ["'b/nothing'", "'b' holds nothing"]),
        ("no/such/x.json", ["'no/such/x.json'", "paths are taken from"]),
        ("", ["''", "paths are taken from"]),
        ("*.jsonl", ["'*.jsonl'", "holds a.json, b", "a folder is read whole"]),
        ("no/*.json", ["'no'"]),
        ("a\0.json", ["no file or folder"]),
    ],
)
def test_an_argument_that_names_nothing_raises(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, argument: str, words: list[str]
) -> None:
    build(tmp_path, ["a.json"])
    (tmp_path / "b").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(MissingPathError) as caught:
        list_files(["a.json", argument])
    for word in words:
        assert word in str(caught.value)
    assert "\n" not in str(caught.value)


def test_wrong_arguments_raise(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="no path was given"):
        list_files([])
    with pytest.raises(ArgumentError, match="not int"):
        list_files([5])  # type: ignore[list-item]
    with pytest.raises(PatternError, match="must be a whole part"):
        list_files(f"{tmp_path}/**.json")


@pytest.mark.parametrize(
    "argument", [None, 5, b"a.json", 1.5, [None], [b"a.json"], ["a.json", 5], {"a.json": 1}.values]
)
def test_an_argument_of_the_wrong_kind_is_told_in_one_line(argument: Any) -> None:
    with pytest.raises(ArgumentError, match=r"^a path is a text or a pathlib\.Path, not \w+; name files") as caught:
        list_files(argument)
    assert "\n" not in str(caught.value)


def test_a_link_that_leads_to_itself_is_a_problem_and_hides_nothing(tmp_path: Path) -> None:
    build(tmp_path, ["a.json"])
    for name, leads_to in [("loop.json", "loop.json"), ("b", "c"), ("c", "b"), (".h", ".h"), ("index.json", "b")]:
        (tmp_path / name).symlink_to(leads_to)
    listing = list_files(tmp_path)
    assert below(tmp_path, [file.path for file in listing.files]) == ["a.json"]
    assert below(tmp_path, [f"{row.path} {row.state.value}" for row in listing.rows]) == [
        ".h skipped",
        "b problem",
        "c problem",
        "index.json skipped",
        "loop.json problem",
    ]
    assert below(tmp_path, [problem.path for problem in listing.problems]) == ["b", "c", "loop.json"]
    assert {problem.kind for problem in listing.problems} == {ProblemKind.UNREADABLE}
    assert "Too many levels of symbolic links" in listing.problems[0].message
    globbed = list_files(f"{tmp_path}/*.json")
    assert below(tmp_path, [file.path for file in globbed.files]) == ["a.json"]
    assert below(tmp_path, [problem.path for problem in globbed.problems]) == ["loop.json"]


def test_a_glob_may_go_up_again(tmp_path: Path) -> None:
    build(tmp_path, ["x1/a.json", "x2/a.json", "y/b.json", ".z/c.json"])
    listing = list_files(f"{tmp_path}/x*/../y/*.json")
    assert [Path(file.opens).resolve() for file in listing.files] == [tmp_path.resolve() / "y/b.json"]
    assert listing.rows == []
    hidden = list_files(f"{tmp_path}/x*/../.*/*.json")
    assert (hidden.files, [row.state for row in hidden.rows]) == ([], [SourceState.SKIPPED])


def test_file_names_never_show_alike_and_stay_in_one_line(tmp_path: Path) -> None:
    names = [os.fsdecode(b"\xff.json"), r"\xff.json", "a\nb.json", r"a\nb.json", "\x1b[31mred.json", "\u202ertl.json"]
    build(tmp_path, names)
    listing = list_files(tmp_path)
    assert {Path(file.opens).name: file.relative for file in listing.files} == dict(
        zip(
            names,
            [
                r"\xff.json",
                r"\\xff.json",
                r"a\nb.json",
                r"a\\nb.json",
                r"\x1b[31mred.json",
                r"\u202ertl.json",
            ],
            strict=True,
        )
    )
    assert all(file.path == f"{tmp_path}/{file.relative}" == file.absolute for file in listing.files)


def test_names_in_messages_stay_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "e\x1b[31mvil\nx"
    build(folder, ["f\x1b[31m\n.json"])
    monkeypatch.chdir(folder)
    for argument in (folder / "nothing", folder / "no/such", f"{folder}/*.txt", "nothing", "no\n/such"):
        with pytest.raises(MissingPathError) as caught:
            list_files(argument)
        message = str(caught.value)
        assert message.isprintable()
        assert r"e\x1b[31mvil\nx" in message or r"holds f\x1b[31m\n.json" in message


@pytest.mark.parametrize("argument", ["{}", "{}/a.json", "{}/*.json", "*/{}", "{}*"])
def test_a_name_too_long_for_the_system_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, argument: str) -> None:
    build(tmp_path, ["b/a.json"])
    monkeypatch.chdir(tmp_path)
    with pytest.raises((MissingPathError, PatternError)):
        list_files(argument.format("x" * 5_000))
