from __future__ import annotations

import subprocess
import sys
from io import BytesIO
from typing import TYPE_CHECKING

import matplotlib as mpl
import pytest

import verdict_frames as vf
from tests.plots.every_plot import EVERY_PLOT
from verdict_frames.plots.canvas import PictureAxes, inches_wide, new_axes

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes

PLOTS = pytest.mark.parametrize("plot", EVERY_PLOT.values(), ids=EVERY_PLOT)
BEGINNINGS = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


@PLOTS
@pytest.mark.parametrize("form", BEGINNINGS)
def test_pictures_can_be_saved(plot: Callable[[], Axes], form: str) -> None:
    figure = plot().get_figure(root=True)
    assert figure is not None
    saved = BytesIO()
    figure.savefig(saved, format=form)
    assert saved.getvalue().startswith(BEGINNINGS[form])


def settings() -> dict[str, object]:
    """All settings, read without asking for a backend, which would choose one."""
    return {name: dict.__getitem__(mpl.rcParams, name) for name in mpl.rcParams}


@PLOTS
def test_no_global_setting_is_touched(plot: Callable[[], Axes]) -> None:
    before = settings()
    plot()
    assert settings() == before


def test_pyplot_is_not_even_imported() -> None:
    program = (
        "import sys\n"
        "from tests.plots.every_plot import EVERY_PLOT\n"
        "for plot in EVERY_PLOT.values():\n"
        "    plot().figure.canvas.draw()\n"
        "print('matplotlib.pyplot' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_every_public_plot_is_among_these() -> None:
    assert sorted(f"plot_{name}" for name in EVERY_PLOT) == [name for name in vf.__all__ if name.startswith("plot_")]


@PLOTS
def test_a_notebook_shows_the_axes_as_a_picture(plot: Callable[[], Axes]) -> None:
    ax = plot()
    assert isinstance(ax, PictureAxes)
    assert (ax._repr_png_() or b"").startswith(BEGINNINGS["png"])


def test_axes_on_no_figure_show_nothing_and_have_no_width() -> None:
    ax = new_axes(width=4, height=3)
    assert inches_wide(ax) > 2
    assert isinstance(ax, PictureAxes)
    ax.remove()
    assert ax._repr_png_() is None
    assert inches_wide(ax) == 0.0
