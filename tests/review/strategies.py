"""Hypothesis strategies: packs, answers that mostly suit them, and any JSON."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from verdict_frames.review.packs import Pack

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

_IDS = ("a", "b", "re: order", "gateway_auth")
_OPTIONS = ("x", "y", "z")
_THRESHOLDS = (0.0, 0.1, 0.3, 0.5, 0.9, 1.0)
_KEYS = (
    "status answers reviewReasons modelId latencyMs usage derived providerMetadata result error type choice score"
    " probability probabilities noul confidence a b x y 0 1 inputTokens typesafe gateway cost id createdAt"
).split()

scalars: SearchStrategy[Any] = (
    st.none()
    | st.booleans()
    | st.integers(-1, 3)
    | st.floats()
    | st.sampled_from([*_OPTIONS, *_IDS, "choice", "score", "boolean", "noul", "accept", "review", "reject", "0.9"])
    | st.sampled_from(["a: invalid answer", "gateway_auth", 10**400, -0.0, 2**63, "\ud800", ""])
)
_keys = st.sampled_from(_KEYS) | st.text(max_size=3)
json_values: SearchStrategy[Any] = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_keys, inner, max_size=5), max_leaves=25
)
_pairs = st.tuples(st.sampled_from(_THRESHOLDS), st.sampled_from(_THRESHOLDS)).map(sorted)


def _near(threshold: float) -> list[float]:
    return [threshold, math.nextafter(threshold, -math.inf), math.nextafter(threshold, math.inf)]


values: SearchStrategy[Any] = (
    st.sampled_from([near for threshold in _THRESHOLDS for near in _near(threshold)]) | scalars
)


def _questions() -> SearchStrategy[dict[str, Any]]:
    choices = st.fixed_dictionaries(
        {"type": st.just("choice")},
        optional={
            "criteria": st.just(dict.fromkeys(_OPTIONS)),
            "review": st.fixed_dictionaries({"minSelectedProbability": st.sampled_from(_THRESHOLDS)}),
        },
    )
    scores = st.fixed_dictionaries(
        {"type": st.just("score")},
        optional={
            "criteria": st.just(["low", "high"]),
            "review": _pairs.map(lambda pair: {"minInclusive": pair[0], "maxInclusive": pair[1]}),
        },
    )
    booleans = st.fixed_dictionaries(
        {"type": st.just("boolean")},
        optional={"review": _pairs.map(lambda pair: {"lowExclusive": pair[0], "highExclusive": pair[1]})},
    )
    return choices | scores | booleans


def packs() -> SearchStrategy[Pack]:
    questions = st.dictionaries(st.sampled_from(_IDS), _questions(), min_size=1, max_size=4)
    return questions.map(lambda asked: Pack.from_dict({"questions": asked}))


def answers() -> SearchStrategy[dict[str, Any]]:
    """Answers of every type, whole or broken, for the ids that packs use and others."""
    distributions = st.dictionaries(st.sampled_from(_OPTIONS), values, max_size=3) | scalars
    whole = (
        st.fixed_dictionaries(
            {"type": st.just("choice"), "choice": st.sampled_from(_OPTIONS) | scalars},
            optional={"probabilities": distributions},
        )
        | st.fixed_dictionaries({"type": st.just("score"), "score": values})
        | st.fixed_dictionaries({"type": st.just("boolean"), "probability": values})
    )
    return st.dictionaries(st.sampled_from([*_IDS, "stranger"]), whole | whole | json_values, max_size=5)
