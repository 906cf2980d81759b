"""Write the small result store `traps/store/` beside this file, or check that it is what would be written.

Usage:
    python data/make_traps.py            write the store
    python data/make_traps.py --check    compare only; exits 1 when something differs

Each experiment is a way in which a store misleads whoever only globs it. traps/README.md says what must come out.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from make_corpus import HERE, as_compact, as_jackson, as_python, write_or_check
from result_files import (
    Run,
    Task,
    index_file,
    instant,
    judged_item,
    result_file,
    sessions_index,
    thrown_item,
    with_interpretation,
)
from stored_readings import Said, interpretation
from verdict_shapes import CONSENSUS, judgment, jury

if TYPE_CHECKING:
    from collections.abc import Sequence

    from make_corpus import Store
    from verdict_shapes import Obj

TASK = Task("T-1", "merged:spring-batch", 1)
LADDER = "ladder"
FIRST, SECOND, CRASHED, RUNNING = "20260501-080000", "20260508-080000", "20260515-080000", "20260522-080000"
BETWEEN = "retry-of-may"
GONE = "20260529-080000"
NEVER = "20260601-080000"


def run_id(number: int) -> str:
    """The id of a run, which shows its number in `traps/README.md`."""
    return f"{number:08d}-0000-4000-8000-000000000000"


def verdict(status: str, era: str) -> Obj:
    """A jury of two judges who agree; their names have characters that paths have."""
    seats = [(name, judgment(status, "looked at it")) for name in ("structure:src/main/java", "build+test")]
    return jury(seats, CONSENSUS, era)


def run(
    number: int,
    experiment: str,
    session: str | None,
    variant: str | None,
    *,
    ended: str,
    status: str = "pass",
    metadata: dict[str, str] | None = None,
    exported: bool = False,
) -> Run:
    """A run of one item; `ended` is when."""
    release, era = ("0.9", "0.17") if exported else ("0.7", "0.14-0.16")
    judged = verdict(status, era)
    item = judged_item(TASK, judged, passed=status == "pass")
    if exported:
        item = with_interpretation(item, interpretation(judged, Said("ACCEPTED", "SUPPORTED")), live=False)
    counts = (1, 0, 0, 0, 0, 0) if exported else None
    return Run(experiment, run_id(number), ended, release, [item], session, variant, metadata or {}, counts)


def session_record(
    experiment: str,
    session: str,
    listed: Sequence[tuple[int, str]],
    *,
    created: str | None = None,
    status: str = "COMPLETED",
) -> Obj:
    """What a session's own file says; `listed` are the numbers and variants of its runs."""
    variants = [
        {
            "variantName": variant,
            "experimentId": run_id(number),
            "resultFile": f"{variant}.json",
            "itemCount": 1,
            "costUsd": TASK.cost_usd,
            "durationMs": TASK.duration_ms,
        }
        for number, variant in listed
    ]
    created = created or instant(session)
    return {
        "sessionName": session,
        "experimentName": experiment,
        "createdAt": created,
        "completedAt": None if status == "RUNNING" else f"{created[:10]}T12:00:00Z",
        "status": status,
        "variants": variants,
        "metadata": {},
    }


def under_id(made: Run) -> Store:
    """A run's file under its id."""
    return {f"{made.experiment}/{made.run_id}.json": as_compact(result_file(made))}


def in_session(made: Run, *, name: str | None = None) -> Store:
    """A run's file in its session, under its variant's name unless another is given."""
    path = f"{made.experiment}/sessions/{made.session}/{name or made.variant}.json"
    return {path: as_compact(result_file(made))}


def ladder() -> Store:
    """Variants run again and again: in several sessions, twice in one, in one that crashed, in one that still runs."""
    store: Store = {}
    both = (
        run(101, LADDER, FIRST, "plain", ended="2026-05-01T08:20:00Z"),
        run(104, LADDER, SECOND, "plain", ended="2026-05-08T09:40:00Z"),
        run(105, LADDER, BETWEEN, "plain", ended="2026-05-04T08:20:00Z", status="fail"),
        run(106, LADDER, SECOND, "plain+skills", ended="2026-05-08T10:40:00Z"),
    )
    for made in both:
        store |= under_id(made) | in_session(made)
    exported = run(102, LADDER, FIRST, "plain+skills", ended="2026-05-01T08:40:00Z", exported=True)
    store |= under_id(exported) | in_session(_before_export(exported))
    store |= under_id(run(103, LADDER, None, None, ended="2026-05-08T08:20:00Z", status="fail"))
    store |= under_id(run(107, LADDER, None, None, ended="2026-05-08T08:40:00Z", status="fail"))
    crashed = run(108, LADDER, CRASHED, "plain", ended="2026-05-15T08:20:00Z")
    thrown = thrown_item(Task("T-2", "second", 2), "java.io.IOException: broken pipe")
    crashed = replace(crashed, items=[*crashed.items, thrown])
    store |= under_id(crashed) | in_session(crashed)
    records = (
        session_record(LADDER, FIRST, [(101, "plain"), (102, "plain+skills")]),
        session_record(LADDER, BETWEEN, [(105, "plain")], created="2026-05-04T08:00:00Z"),
        session_record(LADDER, SECOND, [(104, "plain"), (107, "plain+skills"), (106, "plain+skills")]),
        session_record(LADDER, CRASHED, [], status="FAILED"),
        session_record(LADDER, RUNNING, [(109, "plain")], status="RUNNING"),
    )
    for record in records:
        store[f"{LADDER}/sessions/{record['sessionName']}/session.json"] = as_jackson(record)
    store[f"{LADDER}/sessions/{RUNNING}/.session-81.tmp"] = b'{"sessionName" : '
    store[f"{LADDER}/.result-4711.tmp"] = b'{"experimentId" : '
    index = index_file(LADDER, [(run_id(101), "2026-05-01T08:20:00Z"), (run_id(199), "2026-04-30T08:20:00Z")])
    store[f"{LADDER}/index.json"] = as_jackson(index)
    return store | ladder_indexes(records)


def _before_export(made: Run) -> Run:
    """The same run as it was before the re-export gave its items interpretations."""
    items = [{key: value for key, value in item.items() if key != "interpretation"} for item in made.items]
    return replace(made, items=items)


def ladder_indexes(records: Sequence[Obj]) -> Store:
    """Indexes of sessions and sweeps, which name more than there is."""
    sessions = {
        "experimentName": LADDER,
        "entries": [
            {
                "sessionName": record["sessionName"],
                "createdAt": record["createdAt"],
                "status": record["status"],
                "variantCount": len(record["variants"]),
                "path": f"sessions/{record['sessionName']}/",
            }
            for record in records
        ],
    }
    sessions["entries"] += sessions_index(LADDER, {GONE: 2})["entries"]
    resolutions = [("plain", SECOND), ("plain+skills", NEVER), ("plain+docs", None)]
    sweep = {
        "sweepName": "may",
        "experimentName": LADDER,
        "createdAt": "2026-05-01T08:00:00Z",
        "completedAt": None,
        "status": "PARTIAL",
        "expectedVariants": ["plain", "plain+skills", "plain+docs"],
        "resolutions": [
            {"variantName": variant, "sessionName": session, "resolved": session is not None}
            for variant, session in resolutions
        ],
        "sessionHistory": [FIRST, SECOND, NEVER],
        "metadata": {},
        "complete": False,
    }
    sweeps = [
        {"sweepName": name, "createdAt": sweep["createdAt"], "status": "PARTIAL", "path": f"sweeps/{name}/"}
        for name in ("may", "june")
    ]
    return {
        f"{LADDER}/sessions-index.json": as_jackson(sessions),
        f"{LADDER}/sweeps/may/sweep.json": as_jackson(sweep),
        f"{LADDER}/sweeps-index.json": as_jackson({"experimentName": LADDER, "entries": sweeps}),
    }


def one_session(made: Run) -> Store:
    """A run that lies in its session alone, as sessions are shipped, with the session's file."""
    record = session_record(made.experiment, str(made.session), [(int(made.run_id[:8]), str(made.variant))])
    return in_session(made) | {f"{made.experiment}/sessions/{made.session}/session.json": as_jackson(record)}


def renamed() -> Store:
    """A variant that got another name between two sessions."""
    old = run(201, "renamed", "20260610-090000", "hardened+sae", ended="2026-06-10T09:20:00Z")
    new = run(202, "renamed", "20260617-090000", "hardened+preanalysis", ended="2026-06-17T09:20:00Z")
    return one_session(old) | one_session(new)


def judged_again() -> Store:
    """A judge experiment; a re-evaluation of a run that is here, and one of a run that isn't."""
    judges = {"experimentType": "judge", "candidateJudge": "rubric", "scorer": "exact-label"}
    made = run(301, "rubric-check", "20260620-090000", "rubric-a", ended="2026-06-20T09:20:00Z", metadata=judges)
    store = one_session(made)
    store |= one_session(run(401, "rejudged", "20260701-090000", "plain", ended="2026-07-01T09:20:00Z", status="fail"))
    for number, origin in ((402, 401), (403, 499)):
        marks = {"reEvaluatedFrom": run_id(origin), "systemReinvoked": "false"}
        store |= under_id(run(number, "rejudged", None, None, ended="2026-07-09T09:20:00Z", metadata=marks))
    return store


def flat_era() -> Store:
    """The oldest layout, with the item key of its time, null where the agent threw."""
    item = thrown_item(TASK, "java.io.IOException: broken pipe")
    item = {"invocationResult" if key == "executionDetail" else key: value for key, value in item.items()}
    made = Run("flat-era", run_id(501), "2026-03-10T09:20:00Z", "0.1", [item], None, "plain")
    return {f"flat-era/plain/{made.run_id}.json": as_jackson(result_file(made))}


def twice() -> Store:
    """Two runs whose copies disagree, in what they say and in where they lie; and a file that was cut off."""
    session = "20260710-090000"
    first = run(601, "twice", session, "plain", ended="2026-07-10T09:20:00Z")
    second = run(602, "twice", session, "a", ended="2026-07-10T09:40:00Z")
    cut = as_jackson(result_file(run(603, "twice", None, None, ended="2026-07-10T09:50:00Z")))
    other = result_file(first) | {"passRate": 0.0}
    return {
        **under_id(first),
        f"twice/sessions/{session}/plain.json": as_python(other),
        **in_session(second),
        **in_session(second, name="b"),
        f"twice/sessions/{session}/session.json": as_jackson(
            session_record("twice", session, [(601, "plain"), (602, "a")])
        ),
        f"twice/{run_id(603)}.json": cut[: len(cut) // 2],
    }


def torn_records() -> Store:
    """A run whose session file was cut off and whose index is no index."""
    name, session = "torn-records", "20260720-090000"
    made = run(701, name, session, "plain", ended="2026-07-20T09:20:00Z")
    record = as_jackson(session_record(name, session, [(701, "plain")]))
    entry = sessions_index(name, {session: 1})["entries"][0] | {"status": "FAILED"}
    return {
        **in_session(made),
        f"{name}/sessions/{session}/session.json": record[: len(record) // 2],
        f"{name}/index.json": b"[]",
        f"{name}/sessions-index.json": as_jackson({"experimentName": name, "entries": [entry]}),
    }


def bystanders() -> Store:
    """What looks like results and isn't, what isn't and doesn't, and a verdict without anything around it."""
    lookalike = result_file(run(901, LADDER, None, None, ended="2026-05-01T08:10:00Z"))
    journal = {"id": "r-01", "experimentId": LADDER, "status": "FINISHED", "config": {"variant": "plain"}}
    dataset = {"schemaVersion": 1, "name": "small", "items": [{"id": "T-1", "slug": TASK.slug, "path": "items/T-1"}]}
    return {
        f"{LADDER}/sessions/{FIRST}/workspaces/plain/{TASK.slug.replace(':', '_')}/out.json": as_compact(lookalike),
        f"{LADDER}/sessions/{FIRST}/plain/journal/runs/r-01/run.json": as_python(journal),
        "dataset.json": as_python(dataset),
        "gateway-requests.json": as_python({"gateway": "eu-2", "requests": []}),
        "notes.txt": b"nothing to read here\n",
        "loose/one.verdict.json": as_python(verdict("pass", "0.17")),
    }


def whole_store() -> Store:
    """Every file of the store by its path below `traps/store/`."""
    store = ladder() | renamed() | judged_again() | flat_era() | twice() | torn_records() | bystanders()
    return dict(sorted(store.items()))


if __name__ == "__main__":
    sys.exit(write_or_check(HERE / "traps" / "store", whole_store(), None))
