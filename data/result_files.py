"""Items, result files and index files in the keys of the releases that wrote them."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from verdict_shapes import Obj

COUNT_KEYS = ("passes", "nonPasses", "excluded", "instrumentFailures", "notJudged", "unattestable")
COUNTING_RELEASES = ("0.8", "0.9")


def fixed_uuid(name: str) -> str:
    """A UUID that looks random and never changes."""
    return str(uuid.UUID(bytes=hashlib.sha256(name.encode()).digest()[:16], version=4))


@dataclass(frozen=True)
class Task:
    """One item of a data set."""

    item_id: str
    slug: str
    number: int

    @property
    def cost_usd(self) -> float:
        """What the agent's work on it cost."""
        return round(0.18 + 0.07 * (self.number * 5 % 11), 2)

    @property
    def tokens(self) -> int:
        """Tokens of the agent's work on it."""
        return 21_400 + 3_137 * (self.number * 7 % 13)

    @property
    def duration_ms(self) -> int:
        """How long the agent worked on it."""
        return 48_000 + 5_250 * (self.number * 3 % 17)


@dataclass(frozen=True)
class Run:
    """One result file, and where copies of it lie."""

    experiment: str
    run_id: str
    timestamp: str
    release: str
    items: Sequence[Obj]
    session: str | None = None
    variant: str | None = None
    metadata: dict[str, str] = field(default_factory=dict)
    counts: tuple[int, int, int, int, int, int] | None = None
    conditions: dict[str, str] | None = None
    instrument: Obj | None = None


def phase(task: Task, text: str) -> Obj:
    """One phase of an agent's work, with a little of what it said and did."""
    return {
        "phaseName": "implement",
        "promptText": f"Work on {task.slug} and leave the build green.",
        "inputTokens": 18,
        "outputTokens": task.tokens // 9,
        "thinkingTokens": task.tokens // 30,
        "cacheCreationInputTokens": task.tokens // 4,
        "cacheReadInputTokens": task.tokens // 2,
        "durationMs": task.duration_ms,
        "apiDurationMs": task.duration_ms // 2,
        "totalCostUsd": task.cost_usd,
        "sessionId": fixed_uuid(f"phase {task.slug} {text}"),
        "numTurns": 3 + task.number,
        "isError": False,
        "textOutput": text,
        "thinkingBlocks": ["The failing test names the class; start there."],
        "toolUses": [{"id": f"tool_{task.number:02d}a", "name": "Read", "input": {"file_path": "build.gradle"}}],
        "rawResult": "",
        "toolResults": [{"toolUseId": f"tool_{task.number:02d}a", "content": "plugins { java }", "isError": False}],
    }


def execution(task: Task, status: str = "COMPLETED", *, said: str = "", error: str | None = None) -> Obj:
    """What an agent's invocation reports; with a phase when it has something to say."""
    return {
        "success": status == "COMPLETED",
        "status": status,
        "phases": [phase(task, said)] if said else [],
        "inputTokens": 18,
        "outputTokens": task.tokens // 9,
        "thinkingTokens": task.tokens // 30,
        "cacheCreationInputTokens": task.tokens // 4,
        "cacheReadInputTokens": task.tokens // 2,
        "totalCostUsd": task.cost_usd,
        "durationMs": task.duration_ms,
        "sessionId": fixed_uuid(f"agent {task.slug}"),
        "metadata": {},
        "errorMessage": error,
    }


def _score(judged: Obj) -> float | None:
    score = judged.get("score")
    if isinstance(score, dict):
        value = score["value"]
        return float(value) if isinstance(value, bool) else (value - score["min"]) / (score["max"] - score["min"])
    if score is not None:
        return float(score)
    return {"pass": 1.0, "fail": 0.0}.get(judged["status"])


def scores_of(verdict: Obj | None) -> dict[str, float]:
    """Judge key to a number in 0..1, for the judges that gave one."""
    named = verdict["individualByName"] if verdict else {}
    found = {name: _score(judged) for name, judged in named.items()}
    return {name: value for name, value in found.items() if value is not None}


def judged_item(
    task: Task,
    verdict: Obj | None,
    *,
    passed: bool | None,
    detail: Obj | None = None,
    metadata: Obj | None = None,
    success: bool = True,
) -> Obj:
    """An item whose agent was invoked: judged, timed out, or never judged."""
    return {
        "itemId": task.item_id,
        "itemSlug": task.slug,
        "success": success,
        "passed": passed,
        "costUsd": task.cost_usd,
        "totalTokens": task.tokens,
        "durationMs": task.duration_ms,
        "scores": scores_of(verdict),
        "metrics": {
            "input_tokens": 18,
            "output_tokens": task.tokens // 9,
            "thinking_tokens": task.tokens // 30,
        },
        "executionDetail": execution(task) if detail is None else detail,
        "verdict": verdict,
        "metadata": metadata if metadata is not None else {},
        "workspacePath": None,
    }


def thrown_item(task: Task, error: str, *, passed: bool | None = False) -> Obj:
    """An item whose agent threw: no detail, no verdict, nothing spent."""
    nothing = {"costUsd": 0.0, "totalTokens": 0, "durationMs": 0, "metrics": {}, "executionDetail": None}
    return judged_item(task, None, passed=passed, success=False, metadata={"error": error}) | nothing


def timed_out_item(task: Task, *, passed: bool | None = None) -> Obj:
    """An item whose agent ran out of time: real cost, no verdict."""
    minutes = task.duration_ms // 60_000 + 1
    detail = execution(task, "TIMEOUT", error=f"The agent was stopped after {minutes} minute(s)")
    return judged_item(task, None, passed=passed, success=False, detail=detail)


def with_interpretation(item: Obj, interpretation: Obj | None, *, live: bool) -> Obj:
    """Add the interpretation where its writer puts it.

    A live file has it right after the verdict, null when there is none; the re-export sets it as the last key, and only
    on items with a verdict.
    """
    if not live:
        return item if interpretation is None else item | {"interpretation": interpretation}
    placed: Obj = {}
    for key, value in item.items():
        placed[key] = value
        if key == "verdict":
            placed["interpretation"] = interpretation
    return placed


def pass_rate(items: Sequence[Obj]) -> float:
    """The rate that releases up to 0.7 stored: recorded passes over all items, whatever became of them."""
    return sum(item["passed"] is True for item in items) / len(items)


def _mean_scores(items: Sequence[Obj]) -> dict[str, float]:
    gathered: dict[str, list[float]] = defaultdict(list)
    for item in items:
        for name, value in item["scores"].items():
            gathered[name].append(value)
    return {name: round(sum(values) / len(values), 6) for name, values in gathered.items()}


def result_file(run: Run) -> Obj:
    """A whole result file, keys in written order."""
    replaces = "reEvaluatedFrom" in run.metadata
    document: Obj = {
        "experimentId": run.run_id,
        "experimentName": run.experiment,
        "datasetVersion": hashlib.sha256(run.experiment.encode()).hexdigest()[:40],
        "datasetDirty": False,
        "datasetSemanticVersion": "1.2.0",
        "knowledgeManifest": None,
        "timestamp": run.timestamp,
        "items": list(run.items),
        "metadata": run.metadata,
        "aggregateScores": _mean_scores(run.items),
    }
    if run.release in COUNTING_RELEASES:
        document["counts"] = dict(zip(COUNT_KEYS, run.counts or (0,) * 6, strict=True))
    else:
        document["passRate"] = pass_rate(run.items)
    document |= {
        "totalCostUsd": round(sum(item["costUsd"] for item in run.items), 2),
        "totalTokens": sum(item["totalTokens"] for item in run.items),
        "totalDurationMs": 0 if replaces else sum(item["durationMs"] for item in run.items),
        "codeVersion": None if replaces else hashlib.sha256(run.release.encode()).hexdigest()[:40],
        "codeDirty": False,
    }
    if run.conditions is not None:
        document["conditions"] = {"values": run.conditions, "undeclaredBy": []}
    if run.release in COUNTING_RELEASES:
        document["instrument"] = run.instrument
    return document


def index_file(experiment: str, runs: Sequence[tuple[str, str]]) -> Obj:
    """The history of stand-alone results, one entry per (run id, timestamp)."""
    entries = [{"experimentId": run_id, "timestamp": when, "fileName": f"{run_id}.json"} for run_id, when in runs]
    return {"experimentName": experiment, "entries": entries}


def instant(session: str) -> str:
    """The instant that a session's name spells."""
    day, clock = session.split("-")
    return f"{day[:4]}-{day[4:6]}-{day[6:]}T{clock[:2]}:{clock[2:4]}:{clock[4:]}Z"


def session_file(session: str, runs: Sequence[Run]) -> Obj:
    """What one session ran."""
    variants: list[Obj] = []
    for run in runs:
        document = result_file(run)
        rate = {"passRate": document["passRate"]} if "passRate" in document else {}
        entry = {"variantName": run.variant, "experimentId": run.run_id, "resultFile": f"{run.variant}.json"}
        spent = {"costUsd": document["totalCostUsd"], "durationMs": document["totalDurationMs"]}
        variants.append({**entry, **rate, "itemCount": len(run.items), **spent})
    return {
        "sessionName": session,
        "experimentName": runs[0].experiment,
        "createdAt": instant(session),
        "completedAt": max(run.timestamp for run in runs),
        "status": "COMPLETED",
        "variants": variants,
        "metadata": {},
    }


def sessions_index(experiment: str, sizes: dict[str, int]) -> Obj:
    """The sessions of an experiment, with how many variants each ran."""
    entries = [
        {
            "sessionName": session,
            "createdAt": instant(session),
            "status": "COMPLETED",
            "variantCount": size,
            "path": f"sessions/{session}/",
        }
        for session, size in sizes.items()
    ]
    return {"experimentName": experiment, "entries": entries}


def instrument(description: Obj) -> Obj:
    """The instrument block of the 0.8 line and 0.9 around a jury's description."""
    spec = {"descriptionVersion": 2, **description}
    return {
        "descriptionVersion": 2,
        "specHash": hashlib.sha256(json.dumps(spec).encode()).hexdigest(),
        "description": spec,
        "describeFailure": None,
        "libraries": {"agent-judge-core": "0.17.0"},
        "artifacts": {"agent-judge-core": f"sha256:{hashlib.sha256(b'agent-judge-core').hexdigest()}"},
    }


def simple_jury(strategy: str, judges: Sequence[str]) -> Obj:
    """The description of a jury whose seats are judges."""
    seats = [
        {"position": position, "verdictKey": name, "keySource": "DECLARED", "weight": 1.0}
        for position, name in enumerate(judges)
    ]
    return {"kind": "SIMPLE", "strategy": {"name": strategy}, "seats": seats}
