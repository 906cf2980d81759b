"""Small result stores on disk, with numbers that are counted on one hand."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.interpretation.shapes import evidence, judgment, rejected, verdict

if TYPE_CHECKING:
    from pathlib import Path


def item(name: str, stored: dict[str, Any] | None, **others: Any) -> dict[str, Any]:
    made = {"itemId": name, "itemSlug": f"slug:{name}", "success": True, "passed": False, "verdict": stored}
    return made | others


def accepted() -> dict[str, Any]:
    return verdict()


def errored() -> dict[str, Any]:
    block = evidence(errorCount=1, passCount=None, failCount=None, errorCodeCounts={"judge_failed": 1})
    aggregate = judgment("error", reasonCode="errors_propagated", metadata=block)
    return verdict(aggregate, {"a": judgment("error", reasoning="the model timed out")})


def contradicted() -> dict[str, Any]:
    return verdict(judgment("fail", metadata=evidence()))


def result(run_id: str, items: list[dict[str, Any]], **others: Any) -> dict[str, Any]:
    return {"experimentId": run_id, "experimentName": "trial", "items": items} | others


def write(path: Path, content: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def small_store(folder: Path) -> Path:
    """Two variants: 2 accepted, 1 rejected, 1 not assessed, 1 contradictory of `plain`; 1 accepted, 1 agent failure."""
    plain = [
        item("a", accepted(), passed=True),
        item("b", accepted(), passed=True),
        item("c", rejected()),
        item("d", errored()),
        item("e", contradicted()),
    ]
    more = [
        item("a", accepted(), passed=True),
        item("b", None, success=False, metadata={"error": "sandbox gone"}),
    ]
    for name, run_id, items in (("plain", "run-1", plain), ("more+skills", "run-2", more)):
        write(folder / "trial" / "sessions" / "20260101-000000" / f"{name}.json", result(run_id, items))
    write(folder / "trial" / "index.json", {"experimentName": "trial", "entries": []})
    write(folder / "trial" / "cut.json", '{"experimentId": "x", "items": [')
    return folder
