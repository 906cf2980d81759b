"""What the README shows is what comes out."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
OUTPUTS = re.findall(r"<!-- output: (.+?) -->\n```text\n(.*?)```", README, flags=re.DOTALL)


@pytest.mark.parametrize(("command", "shown"), OUTPUTS, ids=[command for command, _ in OUTPUTS])
def test_outputs_are_real(command: str, shown: str) -> None:
    runnable = command.replace("verdict-frames", f"{shlex.quote(sys.executable)} -m verdict_frames", 1)
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        ["bash", "-c", runnable], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == shown


def test_there_are_outputs_and_the_two_commands() -> None:
    assert len(OUTPUTS) == 7
    assert re.findall(r"<!-- ci: (\w+) -->\n```sh\n(.+)\n```", README) == [
        ("main", "python -m pip install -q . && verdict-frames tally data/results --by experiment_name"),
        ("tests", "python -m pip install -q -e '.[test]' && python -m pytest -q"),
    ]


def test_python_examples_are_real(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False, encoding="utf-8")
    assert tried.attempted > 4
    assert tried.failed == 0


def test_what_it_links_to_is_there() -> None:
    named = re.findall(r"\]\((?!http)([^)]+)\)", README) + re.findall(
        r"`((?:notebooks|data|verdict_frames)/[\w/.]+)`", README
    )
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []
