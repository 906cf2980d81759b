"""The public names: there, sorted, and cheap to import."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

import verdict_frames as vf

ROOT = Path(__file__).resolve().parents[1]


def test_every_public_name_is_there_once_and_sorted() -> None:
    assert sorted(set(vf.__all__)) == sorted(vf.__all__)
    assert [name for name in vf.__all__ if name[0].isupper() or name.startswith("_")] + sorted(
        name for name in vf.__all__ if name[0].islower()
    ) == vf.__all__
    assert [name for name in vf.__all__ if getattr(vf, name, None) is None] == []
    assert dir(vf) == sorted(vf.__all__)


def test_every_public_function_and_class_has_a_docstring() -> None:
    assert [name for name in vf.__all__ if callable(getattr(vf, name)) and not getattr(vf, name).__doc__] == []


def test_unknown_names_are_refused() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'plot_everything'"):
        _ = vf.plot_everything


def test_importing_does_nothing_else() -> None:
    heavy = ("cyclopts", "matplotlib", "pandas", "pandera", "rich", "scipy")
    code = f"import sys, verdict_frames; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"
    assert done.stderr == ""


def test_version_has_one_owner() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "version" in project["dynamic"]
    assert version("verdict-frames") == vf.__version__
