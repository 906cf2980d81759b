"""Recorded runs and hand-made interpretations for the tests of frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from verdict_frames.documents.seen import Problem, SourceFile
from verdict_frames.frames.assembly import build_corpus
from verdict_frames.interpretation.stored_form import to_builtins
from verdict_frames.interpretation.summary import summarize
from verdict_frames.records import Check, Defect, Evidence, Facts, Interpretation, JudgeSeat, Stage
from verdict_frames.sources.recorded import RecordedItem, RecordedRun, RunFact
from verdict_frames.vocabulary import DefectKind, FactSource, ProblemKind, Reading, SourceState, Support

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from verdict_frames.frames.corpus import Corpus

ACCEPTING = {"aggregated": {"status": "pass", "reasoning": "fine", "checks": []}, "individualByName": {}}
REJECTING = {"aggregated": {"status": "fail", "reasoning": "poor", "checks": []}, "individualByName": {}}


class RunList:
    """Runs in memory, as a source."""

    def __init__(
        self, runs: Sequence[RecordedRun], sources: Sequence[SourceFile] = (), problems: Sequence[Problem] = ()
    ) -> None:
        self._runs = runs
        self.sources = list(sources)
        self.problems = list(problems)

    def runs(self) -> Iterator[RecordedRun]:
        yield from self._runs


def corpus_of(*runs: RecordedRun, sources: Sequence[SourceFile] = (), problems: Sequence[Problem] = ()) -> Corpus:
    return build_corpus(RunList(runs, sources, problems))


def run(run_id: str, *items: RecordedItem, **fields: Any) -> RecordedRun:
    path = f"{run_id}.json"
    return RecordedRun(**{"run_id": run_id, "path": path, "copies": [path], "items": list(items)} | fields)


def judged(index: int, verdict: dict[str, Any] | None, **fields: Any) -> RecordedItem:
    return RecordedItem(index=index, has_verdict=verdict is not None, verdict=verdict, **fields)


def stored(index: int, facts: Facts, **fields: Any) -> RecordedItem:
    """An item that has an interpretation stored with it, and no verdict unless the fields say so."""
    return RecordedItem(index=index, interpretation=to_builtins(with_summary(facts)), **fields)


def with_summary(facts: Facts) -> Interpretation:
    members = {name: getattr(facts, name) for name in Facts.__struct_fields__}
    return Interpretation(**members, summary=summarize(facts))


def seat(name: str = "a", **fields: Any) -> JudgeSeat:
    plain: dict[str, Any] = {
        "position": 0,
        "name": name,
        "key_source": None,
        "status": "pass",
        "reason_code": None,
        "score": None,
        "score_scale": None,
        "reasoning": "",
        "checks": (),
    }
    return JudgeSeat(**plain | fields)


def check(name: str = "c", *, passed: bool = True, detail: str = "") -> Check:
    return Check(name=name, passed=passed, detail=detail)


def stage(*path: str, judges: Sequence[JudgeSeat] = (), **fields: Any) -> Stage:
    plain: dict[str, Any] = dict.fromkeys(Stage.__struct_fields__)
    plain |= {"stage": path[-1] if path else None, "path": path, "judges": tuple(judges)}
    return Stage(**plain | fields)


def evidence(**members: Any) -> Evidence:
    return Evidence(**dict.fromkeys(Evidence.__struct_fields__) | members)


def unnamed(path: str) -> Defect:
    return Defect(path=path, field="name", kind=DefectKind.ABSENT, note="no name")


def facts(root: Stage, *stages: Stage, defects: Sequence[Defect] = (), **fields: Any) -> Facts:
    plain: dict[str, Any] = {
        "schema_version": 1,
        "source_version": 0,
        "reading": Reading.ACCEPTED,
        "reading_support": Support.SUPPORTED,
        "decided_by": None,
        "root": root,
        "stages": stages,
        "defects": tuple(defects),
    }
    return Facts(**plain | fields)


def sample_corpus() -> Corpus:
    """Four runs: two variants with items, one without items, and one of another experiment."""
    condition = RunFact(FactSource.CONDITION, "model", "small")
    simple = run(
        "simple-1",
        judged(0, ACCEPTING, item_id="i0", cost_usd=1.0, scores={"quality": 0.5}),
        judged(1, REJECTING, item_id="i1", cost_usd=2.0),
        variant="simple",
        total_tokens=10,
        facts=[condition, RunFact(FactSource.SCORE, "quality", "0.5")],
    )
    rich = run(
        "rich-1",
        judged(0, ACCEPTING, item_id="i0", cost_usd=None),
        judged(2, None, item_id="i2", success=False),
        variant="rich",
        total_tokens=20,
        facts=[RunFact(FactSource.CONDITION, "model", "large")],
    )
    empty = run("empty-1", variant="simple", facts=[condition])
    other = run("other-1", judged(0, REJECTING, item_id="i0"), experiment_name="other")
    sources = [
        SourceFile(path="simple-1.json", state=SourceState.READ, run_id="simple-1", size=3),
        SourceFile(path="index.json", state=SourceState.SKIPPED, size=2),
    ]
    problems = [
        Problem(path="simple-1.json", kind=ProblemKind.FIELD, run_id="simple-1", item_index=7, message="a field"),
        Problem(path="rich-1.json", kind=ProblemKind.FIELD, run_id="rich-1", message="a field"),
        Problem(path="broken.json", kind=ProblemKind.SYNTAX, line=3, byte=40, message="cut off"),
    ]
    return corpus_of(simple, rich, empty, other, sources=sources, problems=problems)
