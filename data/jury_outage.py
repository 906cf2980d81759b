"""The experiment `jury-outage`: 39 agent runs, of which 14 met a jury that errored and 6 one that abstained.

All 20 are recorded as not passed. Each letter below is what a jury did with one item:

=== ==========================================================
A   gate and panel passed
G   the gate failed, the cascade stopped there
R   the panel failed
S   the panel was split, so it abstained
T   the gate was split, so it abstained and stopped the cascade
N   both judges of the panel abstained
E   one judge of the panel errored
F   both judges of the panel errored
=== ==========================================================
"""

from __future__ import annotations

from result_files import Run, Task, execution, fixed_uuid, judged_item
from verdict_shapes import CONSENSUS, Obj, Seats, attempt, cascade_014, cascade_017, judgment, jury

OUTAGE = "jury-outage"
OUTAGE_SESSION = "20260826-070000"
OUTCOMES = {
    "baseline": "AEGASEFARTEAF",
    "guided": "EARSFAGENARTE",
    "guided+retry": "AAEFAGESARFAE",
}
SLUGS = (
    "inventory:reorder-point",
    "inventory:stock-audit",
    "checkout:coupon-stack",
    "checkout:guest-cart",
    "mailer:bounce-loop",
    "mailer-digest",
    "search:synonyms",
    "search:empty-query",
    "auth:token-rotation",
    "auth-lockout",
    "reports:quarter-close",
    "reports:csv-escape",
    "billing:proration",
)
ENDED = {
    "baseline": "2026-08-26T08:14:22.906Z",
    "guided": "2026-08-26T09:41:03.118402Z",
    "guided+retry": "2026-08-26T11:05:57.330Z",
}


def _gate(outcome: str) -> Seats:
    built = outcome != "G"
    placed = outcome not in {"G", "T"}
    build = "Maven finished with success" if built else "Maven stopped in testCompile"
    tree = "Sources lie where they belong" if placed else "A class lies outside src/main/java"
    return [
        ("build:maven", judgment("pass" if built else "fail", build, checks=[("compiles", built, build)])),
        ("structure:src/main/java", judgment("pass" if placed else "fail", tree, checks=[("layout", placed, "")])),
    ]


def _panel(outcome: str, era: str) -> Seats:
    votes = {
        "A": ("pass", "pass"),
        "R": ("fail", "fail"),
        "S": ("pass", "fail"),
        "N": ("abstain", "abstain"),
        "E": ("error", "pass"),
        "F": ("error", "error"),
    }
    return [
        (name, _vote(status, era))
        for name, status in zip(("assertion-depth", "review/readability"), votes[outcome], strict=True)
    ]


def _vote(status: str, era: str) -> Obj:
    if status == "error":
        code = "judge_failed" if era == "0.17" else None
        return judgment(status, "The model endpoint answered 529 three times", code=code)
    if status == "abstain":
        return judgment(status, "The diff was cut off, so no view was formed")
    score = 0.85 if status == "pass" else 0.3
    return judgment(
        status, f"Rubric total {score}", score=score, checks=[("rubric", status == "pass", f"{score} of 1")]
    )


def outage_verdict(outcome: str, era: str) -> Obj:
    """The verdict of a gate and a panel in the form of an era."""
    gate = jury(_gate(outcome), CONSENSUS, era)
    stopped = outcome in {"G", "T"}
    panel = None if stopped else jury(_panel(outcome, era), CONSENSUS, era)
    if era == "0.17":
        attempts = [attempt("gate", gate, policy="REJECT_ON_ANY_FAIL", disposition="used")]
        if panel is not None:
            attempts.append(attempt("panel", panel, policy="FINAL_TIER", disposition="used"))
        return cascade_017(attempts)
    tiers = [("gate", "REJECT_ON_ANY_FAIL", gate)]
    if panel is not None:
        tiers.append(("panel", "FINAL_TIER", panel))
    return cascade_014(tiers)


def outage_runs() -> list[Run]:
    """The three variants of the one session; the last was judged by a library of 0.17."""
    runs: list[Run] = []
    for variant, outcomes in OUTCOMES.items():
        era = "0.17" if variant == "guided+retry" else "0.14-0.16"
        items: list[Obj] = []
        for number, (slug, outcome) in enumerate(zip(SLUGS, outcomes, strict=True), start=1):
            task = Task(f"JO-{number:02d}", slug, number)
            said = "Both suites are green, stopping here." if number == 1 else ""
            verdict = outage_verdict(outcome, era)
            items.append(judged_item(task, verdict, passed=outcome == "A", detail=execution(task, said=said)))
        conditions = {"agent.model": "orbit-large-2", "agent.retries": "2" if era == "0.17" else "0"}
        run_id = fixed_uuid(f"{OUTAGE} {variant}")
        runs.append(Run(OUTAGE, run_id, ENDED[variant], "0.7", items, OUTAGE_SESSION, variant, conditions=conditions))
    return runs
