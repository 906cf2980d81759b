"""Corpora for the tests of storage: every table has rows, and every kind of null, empty and odd name is there."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from polars.testing import assert_frame_equal

from tests.frames.builders import (
    ACCEPTING,
    REJECTING,
    check,
    corpus_of,
    evidence,
    facts,
    judged,
    run,
    seat,
    stage,
    stored,
    unnamed,
)
from verdict_frames.documents.seen import Problem, SourceFile
from verdict_frames.records import DecidedBy, ScoreScale
from verdict_frames.sources.recorded import RecordedRun, RunFact
from verdict_frames.vocabulary import FactSource, ProblemKind, Reading, RunKind, SourceState, Support

if TYPE_CHECKING:
    from pathlib import Path

    from verdict_frames.frames.corpus import Corpus

ODD_NAMES = ["a+b", "a:b", "a/b", "a=b", "a b", "é", "100%", "a%2Bb", "..", "ø" * 300, "", "A+B", "\U0001f600"]


def full_run(run_id: str = "run-1", *, item_count: int = 3, word: str = "fine") -> RecordedRun:
    judges = [
        seat(
            "a", score=0.5, score_scale=ScoreScale(min=0.0, max=10.0), reasoning=word, checks=(check("x"), check("x"))
        ),
        seat("", status=None),
    ]
    whole = facts(
        stage(evidence=evidence(error_code_counts={"b": 1, "a": 0}, threshold=0.5), judges=judges, status="pass"),
        stage("t", relation="cascade_tier", judges=judges, evidence=evidence(error_code_counts={})),
        stage("t", "", used_by_parent=False, failure="jury_execution_failed"),
        decided_by=DecidedBy(stage="t", path=("t",), basis="tier_outcome"),
        defects=[unnamed("verdict.subVerdicts[0]")],
        reading=Reading.UNDECIDED,
        reading_support=Support.UNDETERMINED,
    )
    more = [judged(index, ACCEPTING, item_id=f"i{index}") for index in range(3, item_count)]
    return run(
        run_id,
        judged(0, REJECTING, item_id="i0", passed=False, cost_usd=0.0, scores={"quality": 0.25, "é": -1.5}, error=""),
        stored(1, whole, item_id="i1", metadata='{"a": 1}'),
        judged(2, None, success=False, item_slug="i two"),
        *more,
        kind=RunKind.RE_EVALUATION,
        re_evaluated_from="run-0",
        variant="a+b",
        repeat=1,
        timestamp=datetime(2026, 3, 4, 5, 6, 7, 89, tzinfo=UTC),
        copies=[f"{run_id}.json", "copy.json"],
        facts=[RunFact(FactSource.CONDITION, "model", "small"), RunFact(FactSource.METADATA, "", "")],
    )


def full_corpus() -> Corpus:
    """One run with everything and one without items."""
    sources = [
        SourceFile(path="copy.json", state=SourceState.COPY, run_id="run-1", size=3, sha256="00"),
        SourceFile(path="run-1.json", state=SourceState.READ, run_id="run-1", size=3),
        SourceFile(path="skipped.json", state=SourceState.SKIPPED),
    ]
    problems = [
        Problem(path="broken.json", kind=ProblemKind.SYNTAX, line=1, byte=0, message="cut off"),
        Problem(path="run-1.json", kind=ProblemKind.FIELD, run_id="run-1", item_index=9, message="a field"),
    ]
    return corpus_of(full_run(), run("empty/1"), sources=sources, problems=problems)


def assert_same(one: Corpus, other: Corpus) -> None:
    for table, frame in one.tables().items():
        assert_frame_equal(frame, other.tables()[table])


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
