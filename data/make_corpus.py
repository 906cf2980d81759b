"""Write the small result store `results/` beside this file, or check that it is what would be written.

Usage:
    python data/make_corpus.py            write the store
    python data/make_corpus.py --check    compare only; exits 1 when something differs

The store is made up: names, texts and numbers belong to no real project. README.md says what must come out of it.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import jury_outage as outage
import older_experiments as older
import pr_triage as triage
from result_files import index_file, instant, result_file, session_file, sessions_index
from verdict_shapes import Obj

if TYPE_CHECKING:
    from collections.abc import Sequence

    from result_files import Run

HERE = Path(__file__).resolve().parent
Store = dict[str, bytes]
Writer = Callable[[Obj], bytes]


def jackson(value: object, depth: int = 0, *, ascii_only: bool = False) -> str:
    """Text as Jackson's pretty printer lays it out: `"key" : value`, `[ {`, `{ }`."""
    if isinstance(value, dict):
        if not value:
            return "{ }"
        inner = "  " * (depth + 1)
        lines = (
            f"{inner}{json.dumps(key, ensure_ascii=ascii_only)} : {jackson(held, depth + 1, ascii_only=ascii_only)}"
            for key, held in value.items()
        )
        return "{\n" + ",\n".join(lines) + "\n" + "  " * depth + "}"
    if isinstance(value, list | tuple):
        if not value:
            return "[ ]"
        return "[ " + ", ".join(jackson(held, depth, ascii_only=ascii_only) for held in value) + " ]"
    return json.dumps(value, ensure_ascii=ascii_only)


def as_jackson(document: Obj) -> bytes:
    """How the experiment runner writes."""
    return jackson(document).encode()


def as_escaped(document: Obj) -> bytes:
    """How some archived files look: Jackson's layout with non-ASCII escaped."""
    return jackson(document, ascii_only=True).encode()


def as_python(document: Obj) -> bytes:
    """How scripts write: two spaces, a newline at the end."""
    return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode()


def as_compact(document: Obj) -> bytes:
    """How an archiver writes that wants small files."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


def coverage_uplift() -> Store:
    """Files of 0.5 with verdicts of 0.13, a re-evaluation, a flat file of 0.1, a sweep."""
    name = older.UPLIFT
    runs = older.uplift_runs()
    flat = older.uplift_flat_run()
    writers = (as_jackson, as_jackson, as_compact, as_compact, as_compact, as_compact)
    store = {f"{name}/{run.run_id}.json": write(result_file(run)) for run, write in zip(runs, writers, strict=True)}
    store[f"{name}/simple/{flat.run_id}.json"] = as_escaped(result_file(flat))
    store[f"{name}/index.json"] = as_jackson(index_file(name, [(runs[-1].run_id, runs[-1].timestamp)]))
    sizes: dict[str, int] = {}
    for session, write in zip(older.UPLIFT_SESSIONS, (as_python, as_compact), strict=True):
        inside = [run for run in runs if run.session == session]
        sizes[session] = len(inside)
        store |= session_files(name, session, inside, write)
    store[f"{name}/sessions-index.json"] = as_jackson(sessions_index(name, sizes))
    return store | sweep_files(name)


def session_files(name: str, session: str, runs: Sequence[Run], write: Writer = as_jackson) -> Store:
    """A session's own file and its copies of the result files."""
    folder = f"{name}/sessions/{session}"
    copies = {f"{folder}/{run.variant}.json": write(result_file(run)) for run in runs}
    return {f"{folder}/session.json": as_jackson(session_file(session, runs)), **copies}


def sweep_files(name: str) -> Store:
    """A sweep over both sessions: pointers only."""
    first, second = older.UPLIFT_SESSIONS
    sweep = "june-repeat"
    resolutions = [
        {
            "variantName": variant,
            "sessionName": second,
            "resolvedAt": instant(second),
            "gitCommit": None,
            "resolved": True,
        }
        for variant in ("simple", "hardened+skills")
    ]
    document: Obj = {
        "sweepName": sweep,
        "experimentName": name,
        "createdAt": instant(first),
        "completedAt": "2026-06-11T09:29:31Z",
        "status": "COMPLETED",
        "expectedVariants": ["simple", "hardened+skills"],
        "resolutions": resolutions,
        "sessionHistory": [first, second],
        "metadata": {},
        "complete": True,
    }
    entry = {
        "sweepName": sweep,
        "createdAt": document["createdAt"],
        "status": "COMPLETED",
        "resolvedCount": 2,
        "expectedCount": 2,
        "path": f"sweeps/{sweep}/",
    }
    return {
        f"{name}/sweeps-index.json": as_jackson({"experimentName": name, "entries": [entry]}),
        f"{name}/sweeps/{sweep}/sweep.json": as_jackson(document),
    }


def stand_alone(run: Run) -> Store:
    """A run outside any session, with its entry in the experiment's index."""
    name = run.experiment
    return {
        f"{name}/{run.run_id}.json": as_jackson(result_file(run)),
        f"{name}/index.json": as_jackson(index_file(name, [(run.run_id, run.timestamp)])),
    }


def jury_outage() -> Store:
    """The 39 runs of one session, archived in compact form but for one live file."""
    name, session = outage.OUTAGE, outage.OUTAGE_SESSION
    runs = outage.outage_runs()
    store = {f"{name}/{run.run_id}.json": as_compact(result_file(run)) for run in runs}
    store[f"{name}/{runs[0].run_id}.json"] = as_jackson(result_file(runs[0]))
    store |= session_files(name, session, runs, as_compact)
    store[f"{name}/sessions-index.json"] = as_jackson(sessions_index(name, {session: len(runs)}))
    return store


def pr_triage() -> Store:
    """Files of the 0.8 line and of 0.9, and what else lies about in such a folder."""
    name = triage.TRIAGE
    bare, exported = triage.first_solo_run(exported=False), triage.first_solo_run(exported=True)
    second = triage.second_runs()
    broken = triage.broken_run()
    missing = ("00000000-0000-4000-8000-000000000000", "2026-08-30T07:00:00Z")
    text = as_jackson(result_file(broken))
    store = {f"{name}/{run.run_id}.json": as_compact(result_file(run)) for run in (bare, *second)}
    store[f"{name}/{broken.run_id}.json"] = text[: len(text) * 3 // 5]
    store[f"{name}/index.json"] = as_jackson(index_file(name, [missing, (broken.run_id, broken.timestamp)]))
    store |= session_files(name, triage.FIRST, [exported])
    store |= session_files(name, triage.SECOND, second)
    sizes = {triage.FIRST: 1, triage.SECOND: len(second)}
    store[f"{name}/sessions-index.json"] = as_jackson(sessions_index(name, sizes))
    return store | bystanders(f"{name}/sessions/{triage.SECOND}", f"{name}/gateway-requests.json")


def bystanders(session: str, log: str) -> Store:
    """Files that are no results: one in a workspace that looks like one, one of a journal, somebody's log."""
    report = {"experimentId": "not-a-run", "items": [{"itemId": "x", "success": True, "passed": True, "verdict": None}]}
    journal = {
        "id": "r-01",
        "experimentId": triage.TRIAGE,
        "name": "PT-01",
        "status": "FINISHED",
        "config": {"model": "orbit-large-2", "itemId": "PT-01", "variant": "duo+review"},
        "summary": {},
        "tags": [],
    }
    requests = {"gateway": "eu-2", "requests": [{"at": "2026-09-18T10:15:07Z", "model": "orbit-large-2", "ms": 5120}]}
    return {
        f"{session}/workspaces/solo/cache-stampede/reports/checks.json": as_python(report),
        f"{session}/duo+review/journal/experiments/{triage.TRIAGE}/runs/r-01/run.json": as_jackson(journal),
        log: as_python(requests),
    }


def whole_store() -> Store:
    """Every file of the store by its path below `results/`."""
    store = coverage_uplift() | jury_outage() | pr_triage()
    for run in (older.panel_run(), older.calibration_run()):
        store |= stand_alone(run)
    return dict(sorted(store.items()))


def differences(results: Path, store: Store) -> list[str]:
    """What on disk differs from the store, one line each."""
    found = {path.relative_to(results).as_posix() for path in results.rglob("*") if path.is_file()}
    lines = [f"missing: {name}" for name in store if name not in found]
    lines += [f"not ours: {name}" for name in sorted(found - store.keys())]
    lines += [f"differs: {name}" for name in store if name in found and (results / name).read_bytes() != store[name]]
    return lines


def write_store(results: Path, store: Store) -> None:
    """Write everything beside the old store, then put it in the old one's place."""
    beside, old = results.with_name(".results-new"), results.with_name(".results-old")
    for leftover in (beside, old):
        shutil.rmtree(leftover, ignore_errors=True)
    for name, content in store.items():
        path = beside / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    if results.exists():
        results.rename(old)
    beside.rename(results)
    shutil.rmtree(old, ignore_errors=True)


def write_or_check(folder: Path, store: Store, arguments: Sequence[str] | None) -> int:
    """Write or check a store as the arguments ask for; the exit code says whether it is as it should be."""
    parser = argparse.ArgumentParser(description=f"Write the result store {folder.name}, or check it.")
    parser.add_argument("--check", action="store_true", help="compare only; exit 1 when something differs")
    options = parser.parse_args(arguments)
    if not options.check:
        write_store(folder, store)
    lines = differences(folder, store)
    for line in lines:
        print(line)
    size = sum(len(content) for content in store.values())
    print(f"{len(store)} files, {size} bytes, {len(lines)} difference(s)")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(write_or_check(HERE / "results", whole_store(), None))
