"""Hypothesis strategies: any JSON, and verdicts that are whole but for some broken places."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from tests.interpretation.shapes import judgment
from verdict_frames import vocabulary

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

_TOKENS = sorted(
    {*vocabulary.STATUS_SPELLINGS, *vocabulary.REASON_CODES, *vocabulary.DISPOSITIONS, *vocabulary.RELATIONS}
    | {*vocabulary.DECISION_KINDS, *vocabulary.DECISION_BASES, *vocabulary.TIER_POLICIES, *vocabulary.KEY_SOURCES}
    | {*vocabulary.DISPOSITION_REASONS, *vocabulary.FAILURE_CODES, "Pass", "t1", "", "consensus", "majority"}
)
_KEYS = (
    "aggregated individual individualByName weights seats decision compositeAttempts subVerdicts status score reasoning"
    " reasonCode checks metadata aggregation name passed message position verdictKey keySource kind tier basis relation"
    " policy disposition dispositionReason verdict failure failureCode code value min max strategy errorPolicy"
    " inputCount eligibleCount errorCodeCounts passCount failCount threshold"
).split()

_scalars: SearchStrategy[Any] = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(_TOKENS)
    | st.text(max_size=8)
    | st.sampled_from([10**400, -0.0, 2**31, "\u00a0", "\u2028", "\ud800"])
)
_keys = st.sampled_from(_KEYS) | st.text(max_size=4)


def json_objects() -> SearchStrategy[dict[str, Any]]:
    """Any JSON object, most keys being keys of verdicts."""
    values = st.recursive(
        _scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_keys, inner, max_size=5), max_leaves=25
    )
    return st.dictionaries(_keys, values, max_size=8)


def _mostly(value: SearchStrategy[Any]) -> SearchStrategy[Any]:
    """The value as it should be, now and then anything else."""
    return st.one_of(value, value, value, value, _scalars, json_objects())


def _judgments() -> SearchStrategy[Any]:
    status = st.sampled_from([*vocabulary.STATUS_SPELLINGS])
    score = st.floats(0, 1) | st.fixed_dictionaries({"value": st.floats(0, 9), "min": st.just(0), "max": st.just(9)})
    checks = st.lists(
        _mostly(st.fixed_dictionaries({"name": _mostly(st.text(max_size=3)), "passed": _mostly(st.booleans())})),
        max_size=2,
    )
    return st.fixed_dictionaries(
        {},
        optional={
            "status": _mostly(status),
            "score": _mostly(score),
            "reasonCode": _mostly(st.sampled_from([*vocabulary.REASON_CODES])),
            "reasoning": _mostly(st.text(max_size=6)),
            "checks": _mostly(checks),
            "metadata": _mostly(st.fixed_dictionaries({}, optional={"aggregation": _mostly(_blocks())})),
        },
    )


def _blocks() -> SearchStrategy[Any]:
    count = _mostly(st.integers(0, 3))
    return st.fixed_dictionaries(
        {},
        optional={
            "strategy": _mostly(
                st.sampled_from(["consensus", "majority", "allMustPass", "average", "median", "own rule"])
            ),
            "errorPolicy": _mostly(st.sampled_from(sorted(vocabulary.ERROR_POLICIES))),
            "notApplicablePolicy": _mostly(st.sampled_from(sorted(vocabulary.NOT_APPLICABLE_POLICIES))),
            **dict.fromkeys(("inputCount", "eligibleCount", "errorCount", "passCount", "failCount"), count),
            **dict.fromkeys(("explicitAbstainCount", "notApplicableCount", "bindingIndex"), count),
            "errorCodeCounts": _mostly(st.dictionaries(st.sampled_from([*vocabulary.REASON_CODES, "x"]), count)),
            "threshold": _mostly(st.floats(0, 1)),
            "inputWeight": _mostly(st.integers(0, 3)),
        },
    )


def _verdicts(children: SearchStrategy[Any]) -> SearchStrategy[Any]:
    names = st.sampled_from(["t1", "t2"])
    attempts = st.fixed_dictionaries(
        {"name": _mostly(names)},
        optional={
            "relation": _mostly(st.sampled_from(sorted(vocabulary.RELATIONS))),
            "policy": _mostly(st.sampled_from(sorted(vocabulary.TIER_POLICIES))),
            "disposition": _mostly(st.sampled_from(sorted(vocabulary.DISPOSITIONS))),
            "dispositionReason": _mostly(st.sampled_from(sorted(vocabulary.DISPOSITION_REASONS))),
            "verdict": _mostly(children),
            "failure": _mostly(st.just({"code": "jury_execution_failed"})),
            "failureCode": _mostly(st.just("jury_execution_failed")),
        },
    )
    decisions = st.fixed_dictionaries(
        {"kind": _mostly(st.sampled_from(sorted(vocabulary.DECISION_KINDS)))},
        optional={
            "tier": _mostly(names),
            "basis": _mostly(st.sampled_from(sorted(vocabulary.DECISION_BASES))),
        },
    )
    seats = st.fixed_dictionaries(
        {},
        optional={
            "position": _mostly(st.integers(0, 3)),
            "verdictKey": _mostly(st.sampled_from(["a", "b"])),
            "keySource": _mostly(st.sampled_from(sorted(vocabulary.KEY_SOURCES))),
        },
    )
    return st.fixed_dictionaries(
        {},
        optional={
            "aggregated": _mostly(_judgments()),
            "individual": _mostly(st.lists(_mostly(_judgments()), max_size=3)),
            "individualByName": _mostly(st.dictionaries(st.sampled_from(["a", "b"]), _mostly(_judgments()))),
            "seats": _mostly(st.lists(_mostly(seats), max_size=3)),
            "decision": _mostly(decisions),
            "compositeAttempts": _mostly(st.lists(_mostly(attempts), max_size=2)),
            "subVerdicts": _mostly(st.lists(_mostly(children), max_size=2)),
        },
    )


def broken_verdicts() -> SearchStrategy[dict[str, Any]]:
    """Verdicts of every generation and mixtures, with broken places anywhere; always an object."""
    leaf = st.just({"aggregated": judgment()})
    return _verdicts(_verdicts(_verdicts(leaf)))
