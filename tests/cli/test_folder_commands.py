"""`export`, `defects` and `schema`, and exported folders in place of results."""

from __future__ import annotations

import json
import tarfile
from typing import TYPE_CHECKING

import polars as pl
import pytest

from tests.cli.stores import accepted, item, result, small_store, write
from tests.frames.storage.corpora import assert_same, files_of
from verdict_frames.cli.main import main
from verdict_frames.frames.results import read_results
from verdict_frames.frames.schemas.dictionary import data_dictionary
from verdict_frames.frames.storage.exporting import export_results
from verdict_frames.frames.storage.reading import read_parquet
from verdict_frames.statistics.defects import count_defects

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return small_store(tmp_path / "store")


def test_export_writes_what_the_library_writes(store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(store), "-o", str(tmp_path / "out")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"2 runs with 7 items written to {tmp_path / 'out'}"
    assert lines[1] == "4 files: 2 read, 1 skipped by rule, 1 unreadable"
    assert lines[2].startswith("syntax: ")
    assert_same(read_parquet(tmp_path / "out"), read_results(store))
    export_results(store, tmp_path / "other")
    assert files_of(tmp_path / "out") == files_of(tmp_path / "other")


@pytest.mark.parametrize(
    "command", [["tally", "--by", "variant"], ["describe"], ["defects"], ["tally", "--format", "json"]]
)
def test_commands_say_the_same_of_an_exported_folder(
    command: list[str], store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    export_results(store, tmp_path / "out")
    assert main([command[0], str(store), *command[1:]]) == 0
    expected = capsys.readouterr()
    assert main([command[0], str(tmp_path / "out"), *command[1:]]) == 0
    assert capsys.readouterr() == expected


def test_folders_and_files_are_counted_together(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    export_results(store, tmp_path / "out")
    more = write(tmp_path / "more.json", result("run-3", [item("z", None, success=False)]))
    assert main(["tally", str(more), str(tmp_path / "out"), str(tmp_path / "out"), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["total"] == 8
    assert main(["export", str(tmp_path / "out"), str(more), "--output", str(tmp_path / "both")]) == 0
    assert "3 runs with 8 items" in capsys.readouterr().out
    assert sorted(read_parquet(tmp_path / "both").runs["run_id"]) == ["run-1", "run-2", "run-3"]


def test_a_run_that_is_given_twice_is_a_wrong_call(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    export_results(store, tmp_path / "out")
    assert main(["tally", str(store), str(tmp_path / "out")]) == 2
    assert "2 runs are in more than one corpus: 'run-2', 'run-1'" in capsys.readouterr().err


def test_export_of_nothing_exits_3(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path / "logs" / "log.json", {"level": "info"})
    assert main(["export", str(tmp_path / "logs"), "-o", str(tmp_path / "out")]) == 3
    assert "1 file: 1 foreign" in capsys.readouterr().err
    assert read_parquet(tmp_path / "out").sources["state"].to_list() == ["foreign"]
    assert main(["tally", str(tmp_path / "out")]) == 3


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["export", "{store}"], "output"),
        (["export", "{store}", "-o", "{store}/tables"], "lies within it"),
        (["export", "{store}", "-o", "{store}/../mine"], "holds other things (notes.txt)"),
        (["export", "{store}/nowhere", "-o", "{store}/../new"], "nowhere"),
        (["tally", "{out}", "--path-pattern", "{{variant}}.json"], "--path-pattern is for result files"),
        (["tally", "{out}", "{store}/nowhere"], "nowhere"),
        (["schema", "item"], "there is no table 'item'; choose one of runs"),
        (["defects", "{store}", "--format", "pdf"], "pdf"),
    ],
)
def test_a_wrong_call_is_one_line_and_exit_2(
    arguments: list[str], words: str, store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    export_results(store, out)
    write(tmp_path / "mine" / "notes.txt", "mine")
    assert main([part.format(store=store, out=out) for part in arguments]) == 2
    shown, err = capsys.readouterr()
    assert shown == ""
    assert err.count("\n") == 1
    assert words in err
    assert not (tmp_path / "new").exists()


def test_a_damaged_folder_is_one_line_and_exit_2(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    export_results(store, tmp_path / "out")
    (file,) = (tmp_path / "out" / "items").glob("run-1-*")
    file.write_bytes(b"PAR1")
    assert main(["tally", str(tmp_path / "out")]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"verdict-frames: {file} can't be read as Parquet, so it is damaged or cut off")
    assert err.count("\n") == 1


def test_defects_come_out_as_the_library_gives_them(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = read_results(store)
    assert main(["defects", str(store), "--format", "json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out) == count_defects(corpus).rows(named=True)
    affected = corpus.items.filter(pl.col("defect_count") > 0).height
    assert err.splitlines()[0] == f"{corpus.defects.height} defect in {affected} of 7 items"
    assert main(["defects", str(store)]) == 0
    assert "4 files: 2 read, 1 skipped by rule, 1 unreadable" in capsys.readouterr().out


def test_schema_is_the_data_dictionary(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == data_dictionary().rows(named=True)
    assert main(["schema", "scores", "--format", "csv"]) == 0
    assert capsys.readouterr().out.splitlines()[4] == 'scores,value,Float64,false,false,"Its value, finite."'
    assert main(["schema", "runs", "--format", "markdown"]) == 0
    assert "| runs  | run_id " in capsys.readouterr().out
    assert main(["schema", "defects"]) == 0
    assert "Enum(ABSENT, UNPARSEABLE, UNKNOWN_VOCABULARY, INCONSISTENT)" in capsys.readouterr().out


def test_export_writes_the_tables_that_scripts_read(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(store / "trial" / "scored.json", result("run-3", [item("z", accepted(), scores={"build": 0.5})]))
    options = ["--layout", "curated", "--score", "t0_build=build", "-o", str(tmp_path / "out")]
    assert main(["export", str(store), *options]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"3 runs with 8 items written to {tmp_path / 'out'}"
    assert lines[1] == "5 files: 3 read, 1 skipped by rule, 1 unreadable"
    items = pl.read_parquet(tmp_path / "out" / "item_results.parquet")
    assert items.filter(variant="plain")["passed"].to_list() == [True, True, False, None, None]
    assert items.filter(run_id="run-3")["t0_build"].to_list() == [0.5]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "item_results.parquet",
        "judge_details.parquet",
        "runs.parquet",
    ]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--layout", "curated", "--score", "build"], "write COLUMN=SCORE"),
        (["--layout", "curated", "--score", "a=b"], "no item has such a score"),
        (["--layout", "curated", "--policy", "mine"], "no policy named 'mine'"),
        (["--policy", "all-items"], "for --layout curated"),
        (["--layout", "wide"], "wide"),
    ],
)
def test_a_wrong_layout_is_one_line_and_writes_nothing(
    options: list[str], words: str, store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(store), "-o", str(tmp_path / "out"), *options]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert words in err
    assert not (tmp_path / "out").exists()


def test_curated_tables_are_not_written_into_their_source(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(store), "-o", str(store / "curated"), "--layout", "curated"]) == 2
    assert "lies within it" in capsys.readouterr().err
    (store / "nothing").mkdir()
    assert main(["export", str(store / "nothing"), "-o", str(store / "out"), "--layout", "curated"]) == 3


def test_a_renamed_variant_is_named_on_the_command_line(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["tally", str(store), "--by", "variant", "--format", "json"]
    assert main([*command, "--alias", "plain=base", "--alias", "more+skills=base"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["variant"], row["passes"], row["total"]) == ("base", 3, 7)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--alias", "plain"], "write OLD=NEW"),
        (["--alias", "a=b", "--alias", "a=c"], "another new one"),
        (["--alias", "a=b", "--alias", "b=c"], "leads on to"),
        (["--alias", "a="], "blank name"),
        (["--ratio", "0"], "ratio=0"),
        (["--member-bytes", "-1"], "member_bytes=-1"),
    ],
)
@pytest.mark.parametrize("command", ["tally", "describe", "defects", "export"])
def test_options_of_reading_are_the_same_everywhere(
    command: str, options: list[str], words: str, store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = ["-o", str(tmp_path / "out")] if command == "export" else []
    assert main([command, str(store), *output, *options]) == 2
    err = capsys.readouterr().err
    assert words in err
    assert err.count("\n") == 1


def test_an_archive_is_read_and_its_limits_can_be_raised(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    packed = tmp_path / "store.tar.gz"
    with tarfile.open(packed, "w:gz") as archive:
        archive.add(store, ".")
    assert main(["tally", str(packed)]) == 0
    out = capsys.readouterr().out
    assert "5 files: 3 read, 1 skipped by rule, 1 unreadable" in out
    assert f"syntax: {packed}, trial/cut.json: " in out
    assert main(["tally", str(packed), "--member-bytes", "100"]) == 3
    assert f"limit: {packed}, trial/sessions/20260101-000000/plain.json: it comes to more than 100 bytes" in (
        capsys.readouterr().err
    )
    assert main(["export", str(packed), "-o", str(tmp_path / "out")]) == 0
    assert read_parquet(tmp_path / "out").runs["variant"].sort().to_list() == ["more+skills", "plain"]
