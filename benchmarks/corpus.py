"""Make the corpora that are measured: verdicts of about 5.6 KB as JSON lines and as result files.

    python benchmarks/corpus.py FOLDER [--verdicts 50000]

Each verdict has a root and 2 stages, 6 seats and 18 checks; in one of five something is missing or broken, so that
there are defects too. The same call writes the same bytes.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path
from typing import Any

ITEMS_PER_FILE = 500
PROSE = (
    "the build passed after the second module was compiled and its tests covered every branch of the parser while the"
    " reviewer asked for a smaller change with fewer public names and a clearer message for the caller"
)


def sentence(random_words: random.Random, words: int) -> str:
    """Some words of prose."""
    return " ".join(random_words.choices(PROSE.split(), k=words))


def judgment(source: random.Random, status: str) -> dict[str, Any]:
    """A judge's judgment with three checks."""
    checks = [
        {"name": f"check {name}", "passed": status == "pass", "message": sentence(source, 4)}
        for name in ("compiles", "covers", "reads")
    ]
    score = round(source.random(), 3)
    return {"status": status, "score": score, "reasoning": sentence(source, 12), "checks": checks, "metadata": {}}


def node(source: random.Random, stage: str, status: str) -> dict[str, Any]:
    """A jury of two with its evidence."""
    judges = {f"{stage}:{place}": judgment(source, status) for place in range(2)}
    block = {
        "strategy": "consensus",
        "errorPolicy": "propagate",
        "notApplicablePolicy": "refuse",
        "inputCount": 2,
        "eligibleCount": 2,
        "explicitAbstainCount": 0,
        "notApplicableCount": 0,
        "errorCount": 0,
        "ignoredErrorCount": 0,
        "errorsTreatedAsAbstainCount": 0,
        "errorsTreatedAsFailCount": 0,
        "notApplicableTreatedAsFailCount": 0,
        "errorCodeCounts": {},
        "passCount": 2 * (status == "pass"),
        "failCount": 2 * (status == "fail"),
    }
    aggregate = {
        "status": status,
        "reasoning": sentence(source, 10),
        "checks": [],
        "metadata": {"aggregation": block},
    }
    return {
        "aggregated": aggregate,
        "individual": list(judges.values()),
        "individualByName": {name: {"status": said["status"]} for name, said in judges.items()},
        "weights": {"0": 1.0, "1": 1.0},
        "seats": [
            {"position": place, "verdictKey": name, "keySource": "DECLARED"} for place, name in enumerate(judges)
        ],
        "decision": {"kind": "own"},
        "compositeAttempts": [],
    }


def verdict(source: random.Random) -> dict[str, Any]:
    """A cascade of two tiers, the second of which decided."""
    status = source.choice(["pass", "fail"])
    gate, final = node(source, "gate", "pass"), node(source, "final", status)
    attempts = [
        {
            "name": name,
            "relation": "cascade_tier",
            "policy": policy,
            "disposition": "used",
            "verdict": tier,
        }
        for name, policy, tier in (("gate", "REJECT_ON_ANY_FAIL", gate), ("final", "FINAL_TIER", final))
    ]
    root = node(source, "root", status) | {"aggregated": final["aggregated"], "compositeAttempts": attempts}
    root["decision"] = {"kind": "tier", "tier": "final", "basis": "tier_outcome"}
    if source.random() < 0.2:
        del attempts[0]["disposition"]
    return root


def item(source: random.Random, number: int) -> dict[str, Any]:
    """One item of a result file, its verdict stored."""
    stored = verdict(source)
    return {
        "itemId": f"ITEM-{number % 2_000:05d}",
        "itemSlug": f"task:{number % 2_000}",
        "success": True,
        "passed": stored["aggregated"]["status"] == "pass",
        "costUsd": round(source.random() * 4, 4),
        "totalTokens": source.randrange(400_000),
        "durationMs": source.randrange(900_000),
        "scores": {"quality": round(source.random(), 3)},
        "metrics": {},
        "executionDetail": None,
        "verdict": stored,
        "metadata": {},
    }


def write(folder: Path, verdicts: int) -> None:
    """Write `verdicts.jsonl` and `store/`, the same verdicts in both."""
    source = random.Random(7)  # noqa: S311 - the same corpus each time is wanted
    store = folder / "store" / "bench"
    store.mkdir(parents=True, exist_ok=True)
    with (folder / "verdicts.jsonl").open("w", encoding="utf-8") as lines:
        for start in range(0, verdicts, ITEMS_PER_FILE):
            items = [item(source, number) for number in range(start, min(start + ITEMS_PER_FILE, verdicts))]
            lines.writelines(json.dumps(one["verdict"], separators=(",", ":")) + "\n" for one in items)
            run_id = f"run-{start // ITEMS_PER_FILE:05d}"
            result = {
                "experimentId": run_id,
                "experimentName": "bench",
                "timestamp": "2026-03-01T00:00:00Z",
                "items": items,
                "metadata": {},
                "conditions": {"values": {"model": f"m{start % 3}"}, "undeclaredBy": []},
            }
            (store / f"{run_id}.json").write_text(json.dumps(result, separators=(",", ":")), encoding="utf-8")


def main() -> None:
    """Read the arguments and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--verdicts", type=int, default=50_000)
    arguments = parser.parse_args()
    write(arguments.folder, arguments.verdicts)


if __name__ == "__main__":
    main()
