"""The console script: commands, and the one place where errors become exit codes.

Exit codes: 0 done · 1 the agent didn't hold a gate · 2 a wrong call or unusable input · 3 nothing that can be counted
was found, or the measurement isn't fit for the gates that were asked · 70 this program is at fault.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import traceback
from typing import TYPE_CHECKING

from cyclopts import App, CycloptsError

from verdict_frames._version import __version__
from verdict_frames.cli.audit import audit_paths
from verdict_frames.cli.compare import compare_paths
from verdict_frames.cli.decide import decide_paths
from verdict_frames.cli.defects import count_paths
from verdict_frames.cli.describe import describe_paths
from verdict_frames.cli.export import export_paths
from verdict_frames.cli.interpret import interpret_paths
from verdict_frames.cli.schema import print_schema
from verdict_frames.cli.sweep import sweep_paths
from verdict_frames.cli.tally import tally_paths
from verdict_frames.errors import VerdictFramesError
from verdict_frames.reporting.printable import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

app = App(
    name="verdict-frames",
    help="How many passed, honestly: pass rates of judged runs, with everything that was not counted beside them.",
    version=__version__,
)
app.command(tally_paths, name="tally")
app.command(audit_paths, name="audit")
app.command(compare_paths, name="compare")
app.command(describe_paths, name="describe")
app.command(interpret_paths, name="interpret")
app.command(export_paths, name="export")
app.command(count_paths, name="defects")
app.command(print_schema, name="schema")
app.command(decide_paths, name="decide")
app.command(sweep_paths, name="sweep")
app.command(
    "verdict_frames.cli.report:report_paths",  # by name, because what it draws with takes long to import
    name="report",
    help="Write a report on result files or stored evaluations: a page that needs no network, or a Markdown comment.",
)

WRONG_CALL = 2
BROKEN = 70
"""Exit code of a fault of this program, as in `sysexits.h`."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; every failure that is the caller's is one line on standard error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # what an output's encoding lacks is shown as an escape
            stream.reconfigure(errors="backslashreplace")
    try:
        status = app(
            arguments, exit_on_error=False, print_error=False, help_on_error=False, result_action="return_value"
        )
        sys.stdout.flush()
    except (CycloptsError, VerdictFramesError) as error:
        return _refuse(" ".join(str(error).split()))
    except BrokenPipeError:  # the reader of a pipe has left; there is nobody to write to
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _refuse(f"the output can't be written: {error.strerror or error}")
    return status if isinstance(status, int) else 0


def _refuse(message: str) -> int:
    sys.stderr.write(f"verdict-frames: {printable(message, one_line=True)}\n")
    return WRONG_CALL


def run() -> None:
    """Run the command of this process and exit.

    What nobody expected is shown with its trace, and doesn't end with 1 as Python would: that means that a gate didn't
    hold.
    """
    try:
        status = main()
    except Exception:  # noqa: BLE001 - whatever it is, it says nothing about the agent
        traceback.print_exc()
        status = BROKEN
    sys.exit(status)
