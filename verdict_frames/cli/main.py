"""The console script: commands, and the one place where errors become exit codes.

Exit codes: 0 done · 2 a wrong call or unusable input · 3 nothing that can be counted was found.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from cyclopts import App, CycloptsError

from verdict_frames._version import __version__
from verdict_frames.cli.describe import describe_paths
from verdict_frames.cli.interpret import interpret_paths
from verdict_frames.cli.tally import tally_paths
from verdict_frames.errors import VerdictFramesError

if TYPE_CHECKING:
    from collections.abc import Sequence

app = App(
    name="verdict-frames",
    help="How many passed, honestly: pass rates of judged runs, with everything that was not counted beside them.",
    version=__version__,
)
app.command(tally_paths, name="tally")
app.command(describe_paths, name="describe")
app.command(interpret_paths, name="interpret")

WRONG_CALL = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; every failure that is the caller's is one line on standard error."""
    try:
        status = app(
            arguments, exit_on_error=False, print_error=False, help_on_error=False, result_action="return_value"
        )
        sys.stdout.flush()
    except (CycloptsError, VerdictFramesError) as error:
        line = " ".join(str(error).split())
        sys.stderr.write(f"verdict-frames: {line}\n")
        return WRONG_CALL
    except BrokenPipeError:  # the reader of a pipe has left; there is nobody to write to
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return status if isinstance(status, int) else 0


def run() -> None:
    """Run the command of this process and exit."""
    sys.exit(main())
