"""The experiment `pr-triage`: verdicts of 0.17 in files of the 0.8 line and of 0.9.

Each shape is a function that returns the verdict and what it says, stated by hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from result_files import (
    Run,
    Task,
    execution,
    fixed_uuid,
    instrument,
    judged_item,
    simple_jury,
    thrown_item,
    timed_out_item,
    with_interpretation,
)
from stored_readings import Said, interpretation
from verdict_shapes import (
    CONSENSUS,
    CONSENSUS_EXCLUDING,
    MAJORITY,
    Obj,
    Rule,
    Seats,
    attempt,
    cascade_017,
    judgment,
    jury,
    meta_undecided,
    meta_verdict,
    node_017,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

TRIAGE = "pr-triage"
FIRST, SECOND = "20260908-140000", "20260918-101500"
SLUGS = (
    "relay:retry-budget",
    "relay:header-case",
    "parser-nul-byte",
    "docs:typo-sweep",
    "cache-stampede",
    "build-cache-key",
    "session-token-rotate",
)
TASKS = tuple(Task(f"PT-{number:02d}", slug, number) for number, slug in enumerate(SLUGS, start=1))
DOCS_TASKS = tuple(
    Task(f"PT-{number:02d}", slug, number) for number, slug in ((21, "docs:glossary"), (22, "docs:changelog-links"))
)
ERA = "0.17"
GATE, FINAL = "REJECT_ON_ANY_FAIL", "FINAL_TIER"
Shape = tuple[Obj, Said]


def _gate_seats(build: str, tree: str) -> Seats:
    return [
        (
            "build:gradle",
            judgment(build, f"Gradle check: {build}", checks=[("check", build == "pass", "gradle check")]),
        ),
        ("structure:docs/adr", judgment(tree, f"Decision records: {tree}", checks=[("adr", tree == "pass", "")])),
    ]


def _passed_gate() -> Obj:
    return attempt("gate", jury(_gate_seats("pass", "pass"), CONSENSUS, ERA), policy=GATE, disposition="used")


def _panel(seats: Seats) -> Obj:
    return attempt("panel", jury(seats, CONSENSUS_EXCLUDING, ERA), policy=FINAL, disposition="used")


def _two_passes() -> Seats:
    checks = [("claims-backed", True, "4 of 4 claims point to a line"), ("tone", True, "")]
    return [
        ("review:depth", judgment("pass", "Names the cause and the fix", score=0.88, checks=checks)),
        ("review/findings", judgment("pass", "Every finding was real", score=0.91, label="all-real")),
    ]


def accepted_by_panel() -> Shape:
    """The gate lets it through and the final tier passes."""
    return cascade_017([_passed_gate(), _panel(_two_passes())]), Said("ACCEPTED", "SUPPORTED", "panel")


def rejected_by_one_judge() -> Shape:
    """A judge of the gate failed it, though the gate's own reduction said that nothing applied."""
    text = "The rule set of the gate did not apply to this change"
    seats = [("headers:strict", judgment("fail", "Two header names changed case", checks=[("case", False, "X-Trace")]))]
    gate = node_017(judgment("not_applicable", text), seats, {"kind": "own"})
    entered = attempt("gate", gate, policy=GATE, disposition="stage_failed", reason="undeclared_not_applicable")
    root = judgment("error", "Tier 'gate' gave a result that its jury never declared", code="stage_failed")
    verdict = cascade_017([entered], "individual_rejection") | {"aggregated": root}
    return verdict, Said("REJECTED", "SUPPORTED", "gate", "individual_rejection")


def rejected_in_undecided_gate() -> Shape:
    """The gate is a meta jury with a broken member, but its other member failed the change."""
    scan = jury([("headers:strict", judgment("fail", "Two header names changed case"))], CONSENSUS, ERA)
    gate = meta_undecided([("static-scan", scan)], "licence-scan", ERA)
    entered = attempt("gate", gate, policy=GATE, disposition="stage_failed", reason="child_undecided")
    verdict = cascade_017([entered], "individual_rejection")
    return verdict, Said("REJECTED", "SUPPORTED", "gate", "individual_rejection")


def split_gate() -> Shape:
    """The gate's judges disagree: the cascade stops and takes over the gate's abstention."""
    gate = jury(_gate_seats("pass", "fail"), CONSENSUS, ERA)
    entered = attempt("gate", gate, policy=GATE, disposition="used")
    return cascade_017([entered]), Said("UNDECIDED", "SUPPORTED", "gate")


def failed_gate() -> Shape:
    """Both judges of the gate fail it, and the cascade stops there."""
    gate = jury(_gate_seats("fail", "fail"), CONSENSUS, ERA)
    entered = attempt("gate", gate, policy=GATE, disposition="used")
    return cascade_017([entered]), Said("REJECTED", "SUPPORTED", "gate")


def not_applicable_panel() -> Shape:
    """Nothing in the change for the final tier to look at."""
    seats = [
        (name, judgment("not_applicable", "Only prose changed", label="no_code"))
        for name in ("review:depth", "review/findings")
    ]
    return cascade_017([_passed_gate(), _panel(seats)]), Said("NOT_APPLICABLE", "SUPPORTED", "panel")


def errored_panel() -> Shape:
    """One judge of the final tier threw, and errors propagate."""
    thrown = judgment("error", "Judge 'review:depth' threw java.net.SocketTimeoutException", code="judge_failed")
    verdict = cascade_017([_passed_gate(), _panel([("review:depth", thrown), _two_passes()[1]])])
    return verdict, Said("NOT_ASSESSED", "SUPPORTED", "panel")


def accepted_past_broken_gate() -> Shape:
    """The gate failed to execute; the final tier passed it all the same."""
    broken = attempt("gate", None, policy=GATE, disposition="stage_failed", reason="execution_failed")
    return cascade_017([broken, _panel(_two_passes())]), Said("ACCEPTED", "SUPPORTED", "panel")


def _member(*judges: tuple[str, str]) -> Obj:
    seats = [
        (
            name,
            judgment(
                status,
                f"{name} says {status}",
                score={"pass": 0.8, "fail": 0.2}.get(status),
                code="judge_reported" if status == "error" else None,
            ),
        )
        for name, status in judges
    ]
    return jury(seats, CONSENSUS, ERA)


def _members(author: str, reviewer: str, rollout: str) -> list[tuple[str, Obj]]:
    return [
        ("author-side", _member(("diff:size", author), ("tests/added", author))),
        ("reviewer-side", _member(("review:tone", reviewer), ("review/findings", reviewer))),
        ("ops/rollout", _member(("rollback-plan", rollout))),
    ]


def meta_accepted_despite_error() -> Shape:
    """Two members pass; the third errored and was counted as an abstention."""
    rule = Rule("majority", errors="treatAsAbstain")
    return meta_verdict(_members("pass", "pass", "error"), rule, ERA), Said("ACCEPTED", "SUPPORTED")


def meta_rejected() -> Shape:
    """Both members that were seated fail it."""
    return meta_verdict(_members("fail", "fail", "fail")[:2], MAJORITY, ERA), Said("REJECTED", "SUPPORTED")


def meta_contradicted() -> Shape:
    """Three members passed, yet the recorded status is a failure."""
    verdict = meta_verdict(_members("pass", "pass", "pass"), MAJORITY, ERA)
    aggregated = {**verdict["aggregated"], "status": "fail", "reasoning": "Blocked by hand after the release freeze"}
    note = "Three members passed and none failed, so the recorded rule gives a pass."
    defect = ("verdict.aggregated", "status", "INCONSISTENT", note)
    return {**verdict, "aggregated": aggregated}, Said("REJECTED", "CONTRADICTED", defects=(defect,))


def meta_not_assessed() -> Shape:
    """A member failed to execute, so the meta jury reduced nothing."""
    verdict = meta_undecided(_members("pass", "pass", "pass")[:2], "ops/rollout", ERA)
    broken = {key: value for key, value in verdict["compositeAttempts"][2].items() if key != "failureCode"}
    broken["failure"] = {"code": "jury_execution_failed"}
    attempts = [*verdict["compositeAttempts"][:2], broken]
    return {**verdict, "compositeAttempts": attempts}, Said("NOT_ASSESSED", "SUPPORTED")


def meta_deferred() -> Shape:
    """The root's status is a token that no version defines, so there is no reading."""
    verdict = meta_verdict(_members("pass", "fail", "pass"), MAJORITY, ERA)
    aggregated = {**verdict["aggregated"], "status": "deferred", "reasoning": "Left to the next triage round"}
    defect = ("verdict.aggregated", "status", "UNKNOWN_VOCABULARY", "Not a status that this version defines.")
    return {**verdict, "aggregated": aggregated}, Said(None, "UNDETERMINED", defects=(defect,))


def meta_own_strategy() -> Shape:
    """The reduction follows a strategy whose rule is not known, so the pass can't be checked."""
    members = _members("pass", "fail", "pass")
    return meta_verdict(members, Rule("ranked-quorum"), ERA), Said("ACCEPTED", "UNDETERMINED")


def not_applicable_jury() -> Shape:
    """A plain jury with nothing to look at."""
    seats = [
        (name, judgment("not_applicable", "No source file in the change", label="no_code"))
        for name in ("tests/added", "build:gradle")
    ]
    return jury(seats, CONSENSUS_EXCLUDING, ERA), Said("NOT_APPLICABLE", "SUPPORTED")


def _passed(said: Said) -> bool | None:
    """What the counting releases record: null for whatever stays out of the denominator."""
    if said.support == "CONTRADICTED":
        return None
    return {"ACCEPTED": True, "REJECTED": False, "UNDECIDED": False}.get(said.reading or "")


def _stamped(shape: Shape, block: Obj) -> Shape:
    verdict, said = shape
    return verdict | {"instrumentHash": block["specHash"]}, said


def _item(task: Task, shape: Shape, mode: str, metadata: Obj | None = None) -> Obj:
    verdict, said = shape
    text = (
        "Read the change, wrote the review. The retry budget is spent twice – see line 88." if task.number == 1 else ""
    )
    item = judged_item(task, verdict, passed=_passed(said), detail=execution(task, said=text), metadata=metadata)
    return item if mode == "bare" else with_interpretation(item, interpretation(verdict, said), live=mode == "live")


def _cascade_instrument() -> Obj:
    gate = {"name": "gate", "policy": GATE, "jury": simple_jury("consensus", ("build:gradle", "structure:docs/adr"))}
    panel = {"name": "panel", "policy": FINAL, "jury": simple_jury("consensus", ("review:depth", "review/findings"))}
    return instrument({"kind": "CASCADED", "tiers": [gate, panel]})


def _meta_instrument() -> Obj:
    juries = {
        "author-side": ("diff:size", "tests/added"),
        "reviewer-side": ("review:tone", "review/findings"),
        "ops/rollout": ("rollback-plan",),
    }
    members = [{"name": name, "jury": simple_jury("consensus", judges)} for name, judges in juries.items()]
    return instrument({"kind": "META", "strategy": {"name": "majority"}, "members": members})


def first_solo_run(*, exported: bool) -> Run:
    """The run of the 0.8 line; its copy in the session went through the re-export."""
    block = _cascade_instrument()
    shapes = (accepted_by_panel(), rejected_by_one_judge(), split_gate(), not_applicable_panel(), errored_panel())
    mode = "exported" if exported else "bare"
    items = [_item(task, _stamped(shape, block), mode) for task, shape in zip(TASKS, shapes, strict=False)]
    items.append(thrown_item(TASKS[5], "java.lang.IllegalStateException: the work tree was not clean", passed=None))
    return Run(
        TRIAGE,
        fixed_uuid(f"{TRIAGE} {FIRST} solo"),
        "2026-09-08T14:37:45.210Z",
        "0.8",
        items,
        FIRST,
        "solo",
        counts=(1, 2, 2, 1, 1, 0),
        conditions={"agent.model": "orbit-large-2", "agent.effort": "medium"},
        instrument=block,
    )


def second_runs() -> list[Run]:
    """The three variants of the session that 0.9 ran, with live interpretations in both copies."""
    duo_marks: Obj = {
        "instrumentFailure": "rosterMismatch",
        "instrumentFailureDetail": "The instrument lists 3 members, the evidence counts 2",
    }
    cascade, meta = _cascade_instrument(), _meta_instrument()
    docs = instrument(simple_jury("consensus", ("tests/added", "build:gradle")))
    solo = _live(
        TASKS,
        [
            accepted_by_panel(),
            rejected_in_undecided_gate(),
            failed_gate(),
            not_applicable_panel(),
            accepted_past_broken_gate(),
        ],
        cascade,
    )
    solo.append(with_interpretation(timed_out_item(TASKS[5]), None, live=True))
    duo = _live(TASKS, [meta_accepted_despite_error(), meta_rejected(), meta_contradicted()], meta)
    duo[1] = {**duo[1], "metadata": duo_marks}
    duo.append(with_interpretation(judged_item(TASKS[3], None, passed=None), None, live=True))
    duo += _live(TASKS[4:], [meta_not_assessed(), meta_deferred(), meta_own_strategy()], meta)
    docs_only = _live(DOCS_TASKS, [not_applicable_jury(), not_applicable_jury()], docs)
    return [
        _second_run("solo", "2026-09-18T11:02:13.481902Z", solo, (2, 2, 1, 2, 1, 0), cascade),
        _second_run("duo+review", "2026-09-18T12:20:48.006Z", duo, (2, 1, 1, 2, 1, 2), meta),
        _second_run("docs-only", "2026-09-18T12:31:09.774Z", docs_only, (0, 0, 2, 0, 0, 0), docs),
    ]


def _live(tasks: Sequence[Task], shapes: Sequence[Shape], block: Obj) -> list[Obj]:
    return [_item(task, _stamped(shape, block), "live") for task, shape in zip(tasks, shapes, strict=False)]


def _second_run(
    variant: str, when: str, items: Sequence[Obj], counts: tuple[int, int, int, int, int, int], block: Obj
) -> Run:
    return Run(
        TRIAGE,
        fixed_uuid(f"{TRIAGE} {SECOND} {variant}"),
        when,
        "0.9",
        items,
        SECOND,
        variant,
        counts=counts,
        conditions={"agent.model": "orbit-large-2", "agent.effort": "high"},
        instrument=block,
    )


def broken_run() -> Run:
    """A run whose file was cut off while it was written."""
    items = [with_interpretation(judged_item(TASKS[0], None, passed=None), None, live=True)]
    return Run(
        TRIAGE, fixed_uuid(f"{TRIAGE} cut off"), "2026-09-19T06:12:55.120Z", "0.9", items, counts=(0, 0, 0, 0, 1, 0)
    )
