"""Whatever write fails, wherever the process is killed: the folder shows the earlier state or complete runs only."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl
import pytest

from tests.frames.builders import RunList, run
from tests.frames.storage.corpora import files_of, full_run
from tests.frames.storage.faults import Faults
from verdict_frames.errors import TargetError
from verdict_frames.frames.storage import exporting
from verdict_frames.frames.storage.exporting import export_parquet
from verdict_frames.frames.storage.layout import UNFINISHED, is_exported, run_file
from verdict_frames.frames.storage.reading import read_parquet

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from verdict_frames.sources.recorded import RecordedRun

ROOT = Path(__file__).parents[3]

FRESH = [full_run("one"), full_run("two")]
BEFORE = [full_run("changed", word="old"), full_run("kept"), full_run("lost tables")]
AFTER = [full_run("changed", word="new", item_count=4), run("lost tables")]
NAMES = {run_file(one.run_id): one.run_id for one in (*FRESH, *BEFORE)}
KILLED = """
import sys
from pathlib import Path
import pytest
from tests.frames.builders import RunList
from tests.frames.storage.faults import Faults, kill
from tests.frames.storage.test_faults import AFTER
from verdict_frames.frames.storage.exporting import export_parquet

folder, at = Path(sys.argv[1]), int(sys.argv[2])
Faults(folder, at=at, strike=kill).install(pytest.MonkeyPatch())
export_parquet(RunList(AFTER), folder)
"""


def runs_in(folder: Path) -> dict[str, dict[str, bytes]]:
    """The files of each run that the folder shows, by run id."""
    files = {name: data for name, data in files_of(folder).items() if "/" in name}
    shown = [name.removeprefix("runs/") for name in files if name.startswith("runs/") and "empty" not in name]
    return {NAMES[run]: {name: data for name, data in files.items() if name.endswith(f"/{run}")} for run in shown}


def export(folder: Path, runs: Sequence[RecordedRun], patch: pytest.MonkeyPatch, at: int | None = None) -> int:
    """Export with a disk that fails at a step, and return how many steps there were."""
    with patch.context() as patched:
        patched.setattr(exporting, "validate", lambda _: None)  # it takes long, and writes nothing
        faults = Faults(folder, at=at)
        faults.install(patched)
        if at is None:
            export_parquet(RunList(runs), folder)
        else:
            with pytest.raises(TargetError, match=r"can't be written: No space left on device; the runs") as caught:
                export_parquet(RunList(runs), folder)
            assert "\n" not in str(caught.value)
    return faults.count


def assert_readers_see_complete_runs(folder: Path) -> None:
    """That goes for ours, and for one that knows nothing of this package and joins from `runs`."""
    corpus = read_parquet(folder)
    runs = pl.read_parquet(folder / "runs" / "*.parquet")
    items = pl.read_parquet(folder / "items" / "*.parquet").group_by("run_id").len()
    counted = runs.join(items, on="run_id", how="left")
    assert counted.filter(pl.col("item_count") != pl.col("len").fill_null(0)).is_empty()
    assert sorted(runs["run_id"]) == sorted(corpus.runs["run_id"]) == sorted(runs_in(folder))


def test_a_new_export_that_fails_anywhere_shows_complete_runs_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, folder = tmp_path / "whole", tmp_path / "folder"
    steps = export(whole, FRESH, monkeypatch)
    assert steps > 100
    complete = runs_in(whole)
    states = set()
    for at in range(1, steps + 1):
        export(folder, FRESH, monkeypatch, at)
        assert not (folder / UNFINISHED).exists()
        if is_exported(folder):
            shown = runs_in(folder)
            assert shown == {run_id: complete[run_id] for run_id in shown}
            if tuple(shown) not in states:
                assert_readers_see_complete_runs(folder)
            states.add(tuple(shown))
        if at % 20 == 0:  # what is left can be exported to again
            export(folder, FRESH, monkeypatch)
            assert files_of(folder) == files_of(whole)
        shutil.rmtree(folder, ignore_errors=True)
    assert sorted(map(sorted, states)) == [[], ["one"], ["one", "two"]]


def test_an_export_over_another_that_fails_anywhere_shows_complete_runs_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    earlier, whole, folder = tmp_path / "earlier", tmp_path / "whole", tmp_path / "folder"
    export(earlier, BEFORE, monkeypatch)
    shutil.copytree(earlier, whole)
    steps = export(whole, AFTER, monkeypatch)
    assert steps > 80
    before, after = runs_in(earlier), runs_in(whole)
    absences, states = set(), set()
    for at in range(1, steps + 1):
        shutil.copytree(earlier, folder)
        export(folder, AFTER, monkeypatch, at)
        shown = runs_in(folder)
        for run_id, files in shown.items():
            assert files in (before.get(run_id), after.get(run_id)), run_id
        absent = before.keys() - shown.keys()
        assert len(absent) <= 1, "none but the run that is being replaced may be absent"
        absences |= absent
        state = tuple((run_id, files == after[run_id]) for run_id, files in sorted(shown.items()))
        if state not in states:
            assert_readers_see_complete_runs(folder)
        states.add(state)
        if at % 20 == 0:
            export(folder, AFTER, monkeypatch)
            assert files_of(folder) == files_of(whole)
        shutil.rmtree(folder)
    assert absences == {"changed", "lost tables"}
    assert len(states) == 5


def test_a_disk_that_fills_up_takes_nothing_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All files of a run are complete, and on the disk, before the earlier ones are touched."""
    folder = tmp_path / "folder"
    export(folder, BEFORE[:1], monkeypatch)
    before = files_of(folder)

    def fail(path: Path) -> None:
        message = f"{path} can't be written"
        raise TargetError(message)

    with monkeypatch.context() as patched:
        patched.setattr("verdict_frames.frames.storage.writing.sync", fail)
        with pytest.raises(TargetError):
            export_parquet(RunList(AFTER[:1]), folder)
    assert files_of(folder) == before


def test_a_source_that_fails_leaves_the_runs_before(tmp_path: Path) -> None:
    class Failing(RunList):
        def runs(self) -> Iterator[RecordedRun]:
            yield AFTER[0]
            yield full_run("long", item_count=3_000)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        export_parquet(Failing([]), tmp_path / "folder")
    assert read_parquet(tmp_path / "folder").runs["run_id"].to_list() == ["changed"]


@pytest.mark.skipif(os.name != "posix", reason="only POSIX systems have SIGKILL")
@pytest.mark.parametrize("part", [0.1, 0.45, 0.8])
def test_a_killed_export_shows_complete_runs_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: float) -> None:
    earlier, whole, folder = tmp_path / "earlier", tmp_path / "whole", tmp_path / "folder"
    export(earlier, BEFORE, monkeypatch)
    shutil.copytree(earlier, whole)
    shutil.copytree(earlier, folder)
    at = int(part * export(whole, AFTER, monkeypatch))
    done = subprocess.run([sys.executable, "-c", KILLED, str(folder), str(at)], cwd=ROOT, check=False)
    assert done.returncode == -signal.SIGKILL
    assert (folder / UNFINISHED).is_dir()
    before, after = runs_in(earlier), runs_in(whole)
    for run_id, files in runs_in(folder).items():
        assert files in (before.get(run_id), after.get(run_id)), run_id
    assert_readers_see_complete_runs(folder)
    export(folder, AFTER, monkeypatch)
    assert files_of(folder) == files_of(whole)
