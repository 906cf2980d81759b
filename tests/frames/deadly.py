"""What workers are asked in tests; it is here because a worker must be able to import it."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING

from verdict_frames.frames import by_workers

if TYPE_CHECKING:
    from verdict_frames.sources.reading import Job


def answer(question: str) -> str:
    """Answer, fail, or die, as the question says."""
    what, _, rest = question.partition(":")
    if what == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if what == "exit":
        os._exit(int(rest))
    if what == "kill once" and not Path(rest).exists():
        Path(rest).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    if what == "memory":
        raise MemoryError
    if what == "wrong":
        raise ValueError(rest)
    return question.upper()


def flatten_unless_deadly(jobs: list[Job]) -> object:
    """Flatten a piece, and die over files whose name says so."""
    for job in jobs:
        path = Path(job.plan.copies[0].file.opens)
        answer(f"{path.stem.partition(' ')[0]}:" if path.stem == "kill" else "go on")
        if path.stem == "once":
            answer(f"kill once:{path.with_suffix('.seen')}")
    return by_workers.flatten_piece(jobs)
