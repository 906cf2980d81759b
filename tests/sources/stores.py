"""Small stores made in a test, and everything that reading them gives."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from verdict_frames.sources.reader import ResultFiles

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from verdict_frames.documents.seen import Problem, SourceFile
    from verdict_frames.sources.recorded import RecordedItem, RecordedRun

VERDICT = {"aggregated": {"status": "pass"}, "individual": []}


def write(path: Path, value: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(value, bytes):
        path.write_bytes(value)
    else:
        path.write_text(value if isinstance(value, str) else json.dumps(value, indent=1))
    return path


def result(run_id: object = "r", *, items: object = (), **members: object) -> dict[str, Any]:
    return {"experimentId": run_id, "items": list(items) if isinstance(items, tuple) else items, **members}


def item(item_id: object = "i", **members: object) -> dict[str, Any]:
    return {"itemId": item_id, **members}


class Read:
    def __init__(self, paths: str | Path | Iterable[str | Path], **options: Any) -> None:
        files = ResultFiles(paths, **options)
        self.runs: list[RecordedRun] = list(files.runs())
        self.sources: list[SourceFile] = files.sources
        self.problems: list[Problem] = files.problems

    @property
    def run(self) -> RecordedRun:
        (run,) = self.runs
        return run

    @property
    def item(self) -> RecordedItem:
        (item,) = self.run.items
        return item

    @property
    def problem(self) -> Problem:
        (problem,) = self.problems
        return problem

    def states(self, root: Path) -> dict[str, tuple[str, str | None]]:
        return {row.path.removeprefix(f"{root}/"): (row.state.value, row.run_id) for row in self.sources}


def lines(*values: object) -> bytes:
    return b"\n".join(value if isinstance(value, bytes) else json.dumps(value).encode() for value in values) + b"\n"
