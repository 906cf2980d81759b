"""Hypothesis strategies for live verdicts of every kind that can be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from verdict_frames.verdicts.judgments import AggregationBlock, Judgment, RecordedCheck
from verdict_frames.verdicts.reduction import reduce_judgments
from verdict_frames.verdicts.verdict import CompositeAttempt, Decision, Verdict
from verdict_frames.vocabulary import REASON_CODES, STATUSES, TIER_POLICIES, CodeFamily

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypothesis.strategies import DrawFn, SearchStrategy

_CODES = sorted(code for code, family in REASON_CODES.items() if family is not CodeFamily.SUBJECT)
_names = st.sampled_from(["a", "b", "structure:src/main", "naïve", "\u00a0", "x.y[0]"]) | st.text(
    st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=1, max_size=3
)
_texts = st.text(max_size=8) | st.sampled_from(["\u2028", 'he said "no"\n', "🔍", "\\u0041"])
_metadata: SearchStrategy[dict[str, Any]] = st.dictionaries(
    st.text(max_size=3).filter(lambda key: key != "aggregation"),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | _texts,
        lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
        max_leaves=4,
    ),
    max_size=2,
)


@st.composite
def judgments(draw: DrawFn, status: str | None = None) -> Judgment:
    """A judgment, its status given or any."""
    status = draw(st.sampled_from(sorted(STATUSES))) if status is None else status
    codes: SearchStrategy[Any] = (
        st.sampled_from(_CODES) if status == "error" else st.sampled_from(["subject_empty", None])
    )
    checks = st.builds(RecordedCheck, name=_names, passed=st.booleans(), message=_texts)
    return Judgment(
        status=status,  # type: ignore[arg-type]
        score=draw(st.none() | st.floats(0, 1) | st.sampled_from([0, 1, -0.0])),
        label=draw(st.none() | _texts),
        reason_code=draw(codes),
        reasoning=draw(_texts),
        checks=draw(st.lists(checks, max_size=2)),  # type: ignore[arg-type]
        metadata=draw(_metadata),
    )


@st.composite
def juries(draw: DrawFn) -> Verdict:
    """A verdict without stages, its aggregate by a rule of ours, by a rule of its own, or without a block."""
    judges = draw(st.dictionaries(_names, judgments(), max_size=3))
    how = draw(st.sampled_from(["counted", "open", "average", "bare"]))
    whole = draw(judgments())
    if how == "counted":
        whole = reduce_judgments(
            judges.values(),
            draw(st.sampled_from(["majority", "consensus", "allMustPass"])),
            error_policy=draw(st.sampled_from(["propagate", "treatAsFail", "treatAsAbstain", "ignore"])),
            not_applicable_policy=draw(st.sampled_from(["refuse", "exclude", "treatAsFail"])),
        )
    elif how != "bare":
        eligible = draw(st.integers(0, len(judges)))
        rule: dict[str, Any] = {"strategy": "own rule", "input_weight": len(judges), "eligible_weight": eligible}
        if how == "average":
            rule = {"strategy": "average", "threshold": draw(st.floats(0, 1))}
        whole = _with_block(whole, AggregationBlock(input_count=len(judges), eligible_count=eligible, **rule))
    weights = draw(st.none() | st.fixed_dictionaries(dict.fromkeys(judges, st.floats(0, 9) | st.integers(0, 9))))
    return Verdict.of(judges, whole, weights=weights)


@st.composite
def composites(draw: DrawFn, children: SearchStrategy[Verdict]) -> Verdict:
    """A verdict with stages and any decision that they allow."""
    attempts = draw(st.lists(_attempts(children), min_size=1, max_size=3, unique_by=lambda attempt: attempt.name))
    roots = [_own(draw(juries()), attempts), _undecided(draw(judgments("error")), attempts)]
    for attempt in attempts:
        if attempt.relation == "cascade_tier" and attempt.verdict is not None:
            statuses = {judgment.status for judgment in attempt.verdict.individual}
            if attempt.disposition == "used" and _stops(attempt, statuses):
                roots.append(Verdict.adopting(attempt.name, attempts))
            elif attempt.disposition_reason and attempt.policy == "REJECT_ON_ANY_FAIL" and "fail" in statuses:
                roots.append(_rejecting(attempt, attempt.verdict, attempts))
    return draw(st.sampled_from(roots[::-1]))


def live_verdicts() -> SearchStrategy[Verdict]:
    """Verdicts of up to three levels."""
    return juries() | composites(juries() | composites(juries() | composites(juries())))


@st.composite
def _attempts(draw: DrawFn, children: SearchStrategy[Verdict]) -> CompositeAttempt:
    facts: dict[str, Any] = {"name": draw(_names), "policy": draw(st.sampled_from(sorted(TIER_POLICIES)))}
    if draw(st.booleans()) and draw(st.booleans()):
        facts |= {"relation": "meta_member", "policy": None}
    if draw(st.integers(0, 4)) == 0:
        facts |= {"disposition": "stage_failed", "disposition_reason": "execution_failed"}
        return CompositeAttempt(**facts, failure="jury_execution_failed")
    child = draw(children)
    if child.decision.kind == "undecided":
        facts |= {"disposition": "stage_failed", "disposition_reason": "child_undecided"}
    elif child.aggregated.status == "not_applicable" and draw(st.booleans()):
        facts |= {"disposition": "stage_failed", "disposition_reason": "undeclared_not_applicable"}
    return CompositeAttempt(**facts, verdict=child)


def _own(jury: Verdict, attempts: list[CompositeAttempt]) -> Verdict:
    return Verdict.of(jury.individual_by_name, jury.aggregated, attempts=attempts)


def _undecided(error: Judgment, attempts: list[CompositeAttempt]) -> Verdict:
    whole = Judgment(status="error", reason_code="no_tier_decided", reasoning=error.reasoning)
    return Verdict.of({}, whole, decision=Decision(kind="undecided"), attempts=attempts)


def _rejecting(tier: CompositeAttempt, child: Verdict, attempts: list[CompositeAttempt]) -> Verdict:
    failed = Judgment(status="error", reason_code="stage_failed", reasoning="the tier can't be used")
    return Verdict.of(
        child.individual_by_name,
        child.aggregated if tier.disposition_reason == "child_undecided" else failed,
        decision=Decision(kind="tier", tier=tier.name, basis="individual_rejection"),
        attempts=attempts,
    )


def _stops(attempt: CompositeAttempt, statuses: set[Any]) -> bool:
    if attempt.policy == "REJECT_ON_ANY_FAIL":
        return "fail" in statuses
    return attempt.policy == "FINAL_TIER" or statuses <= {"pass"}


def _with_block(whole: Judgment, block: AggregationBlock) -> Judgment:
    members: Mapping[str, Any] = {name: getattr(whole, name) for name in whole.__struct_fields__}
    return Judgment(**{**members, "aggregation": block})
