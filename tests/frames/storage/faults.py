"""A disk that fails: the k-th operation on files below a folder raises, or kills the process."""

from __future__ import annotations

import errno
import os
import signal
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest


def disk_full() -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class Faults:
    """Counts opens, writes, closes, renames, removals, new folders and syncs below a folder."""

    def __init__(self, folder: Path, *, at: int | None, strike: Callable[[], None] = disk_full) -> None:
        self.count = 0
        self._folder = str(folder)
        self._at = at
        self._strike = strike
        self._lock = threading.Lock()

    def step(self) -> None:
        with self._lock:
            self.count += 1
            now = self.count
        if now == self._at:
            self._strike()

    def install(self, patch: pytest.MonkeyPatch) -> None:
        for name in ("replace", "unlink", "mkdir"):
            patch.setattr(Path, name, self._wrapped(getattr(Path, name)))
        really_open = Path.open

        def open_counted(path: Path, *arguments: Any, **options: Any) -> Any:
            if not str(path).startswith(self._folder) or "w" not in "".join(arguments):
                return really_open(path, *arguments, **options)
            self.step()
            return _CountedFile(really_open(path, *arguments, **options), self)

        patch.setattr(Path, "open", open_counted)
        patch.setattr(os, "fsync", lambda _: self.step())  # the disk itself isn't waited for

    def _wrapped(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def counted(path: Path, *arguments: Any, **options: Any) -> Any:
            if str(path).startswith(self._folder):
                self.step()
            return method(path, *arguments, **options)

        return counted


class _CountedFile:
    def __init__(self, file: Any, faults: Faults) -> None:
        self._file = file
        self._faults = faults

    def write(self, data: bytes) -> None:
        half = len(data) // 2
        self._file.write(data[:half])
        self._file.flush()
        self._faults.step()
        self._file.write(data[half:])

    def close(self) -> None:
        if not self._file.closed:
            self._file.close()
            self._faults.step()
