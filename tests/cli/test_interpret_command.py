from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.cli.stores import small_store, write
from verdict_frames.cli.main import main
from verdict_frames.interpretation.reader import interpret
from verdict_frames.interpretation.stored_form import to_builtins

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_every_verdict_gains_its_interpretation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store, target = small_store(tmp_path / "store"), tmp_path / "out"
    assert main(["interpret", str(store), "-o", str(target)]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("2 files written, 1 skipped; interpretations: 6 added, 0 replaced, 0 kept; defects in those")
    assert "INCONSISTENT" in out
    assert err.count("\n") == 1
    assert err.startswith("syntax: ")
    written = json.loads((target / "trial/sessions/20260101-000000/plain.json").read_text())
    for item in written["items"]:
        assert list(item)[-2:] == ["verdict", "interpretation"]
        assert item["interpretation"] == to_builtins(interpret(item["verdict"]))
    assert not (target / "trial/cut.json").exists()
    assert main(["interpret", str(target), "-o", str(tmp_path / "again")]) == 0
    assert "0 added, 0 replaced, 6 kept; defects in those written: none" in capsys.readouterr().out


def test_the_source_is_no_target_and_nothing_readable_exits_3(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = small_store(tmp_path / "store")
    assert main(["interpret", str(store), "-o", str(store)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    log = write(tmp_path / "log.json", {"level": "info"})
    assert main(["interpret", str(log), "-o", str(tmp_path / "out.json")]) == 3
    assert not (tmp_path / "out.json").exists()
    assert main(["interpret", str(store)]) == 2
    assert "output" in capsys.readouterr().err
