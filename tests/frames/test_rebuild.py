from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import OPTIONAL_DATA
from tests.frames.builders import (
    ACCEPTING,
    check,
    corpus_of,
    evidence,
    facts,
    judged,
    run,
    sample_corpus,
    seat,
    stage,
    stored,
    with_summary,
)
from verdict_frames.errors import NotFoundError
from verdict_frames.frames.corpus import Corpus, concat
from verdict_frames.interpretation.reader import interpret
from verdict_frames.interpretation.stored_form import to_builtins
from verdict_frames.records import Check, DecidedBy, Defect, Evidence, Facts, JudgeSeat, ScoreScale, Stage
from verdict_frames.vocabulary import DefectKind, Reading, Support

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

INT32 = st.integers(-(2**31), 2**31 - 1)
COUNT = st.integers(-(2**31) + 1, 2**31 - 1)
INT64 = st.integers(-(2**63), 2**63 - 1)
TEXT = st.text(max_size=6)
NUMBER = st.floats(allow_nan=False, allow_infinity=False)
PATHS = st.lists(TEXT, max_size=3).map(tuple)


def _optional(values: SearchStrategy[Any]) -> SearchStrategy[Any]:
    return st.none() | values


EVIDENCE = st.builds(
    Evidence,
    **{name: _optional(TEXT) for name in ("strategy", "error_policy", "not_applicable_policy")},
    **{name: _optional(COUNT) for name in Evidence.__struct_fields__ if name.endswith(("_count", "_index"))},
    **{name: _optional(NUMBER) for name in ("threshold", "input_weight", "eligible_weight")},
    error_code_counts=_optional(st.dictionaries(TEXT, INT64, max_size=3)),
)
SEATS = st.builds(
    JudgeSeat,
    position=INT32,
    name=TEXT,
    key_source=_optional(TEXT),
    status=_optional(st.sampled_from(["pass", "error", "abstain", "odd"])),
    reason_code=_optional(TEXT),
    score=_optional(st.floats(0, 1)),
    score_scale=_optional(st.builds(ScoreScale, min=NUMBER, max=NUMBER)),
    reasoning=TEXT,
    checks=st.lists(st.builds(Check, name=TEXT, passed=st.booleans(), detail=TEXT), max_size=3).map(tuple),
)
_SPECIAL = ("path", "used_by_parent", "evidence", "judges")
STAGES = st.builds(
    Stage,
    **{name: _optional(TEXT) for name in Stage.__struct_fields__ if name not in _SPECIAL},
    path=PATHS,
    used_by_parent=_optional(st.booleans()),
    evidence=_optional(EVIDENCE),
    judges=st.lists(SEATS, max_size=3).map(tuple),
)
FACTS = st.builds(
    Facts,
    schema_version=st.just(1),
    source_version=st.integers(0, 1),
    reading=_optional(st.sampled_from(Reading)),
    reading_support=st.sampled_from(Support),
    decided_by=_optional(st.builds(DecidedBy, stage=TEXT, path=PATHS, basis=TEXT)),
    root=STAGES,
    stages=st.lists(STAGES, max_size=4).map(tuple),
    defects=st.lists(
        st.builds(Defect, path=TEXT, field=TEXT, kind=st.sampled_from(DefectKind), note=TEXT), max_size=3
    ).map(tuple),
)


def as_json(interpretation: Facts) -> str:
    return json.dumps(to_builtins(interpretation))


@settings(max_examples=40, deadline=None)
@given(st.lists(FACTS, min_size=1, max_size=3))
def test_any_facts_come_back_exactly(many: list[Facts]) -> None:
    corpus = corpus_of(run("r", *(stored(2 * index, one) for index, one in enumerate(many))), run("s"))
    for index, one in enumerate(many):
        assert as_json(corpus.interpretation("r", 2 * index)) == as_json(with_summary(one))


def test_null_empty_zero_and_order_are_kept_apart() -> None:
    many = [
        facts(stage(evidence=None)),
        facts(stage(evidence=evidence())),
        facts(stage(evidence=evidence(error_code_counts={}, pass_count=0))),
        facts(stage(evidence=evidence(error_code_counts={"b": 1, "a": 0}))),
        facts(stage(reasoning="", judges=[seat("", checks=(check("x"), check("x")))])),
        facts(stage(), stage("", used_by_parent=False), stage("")),
    ]
    corpus = corpus_of(run("r", *(stored(index, one) for index, one in enumerate(many))))
    assert [as_json(corpus.interpretation("r", index)) for index in range(len(many))] == [
        as_json(with_summary(one)) for one in many
    ]


def test_rows_in_any_order_give_the_same_interpretation() -> None:
    judges = [seat("a", checks=(check("1"), check("2"))), seat("b", checks=(check("3"),))]
    one = facts(stage(judges=judges), stage("t", judges=judges[::-1]), stage("u", judges=judges[:1]))
    corpus = corpus_of(run("s", stored(0, facts(stage()))), run("r", stored(3, one), judged(4, ACCEPTING)))
    shuffled = Corpus(
        **{name: frame.sample(fraction=1, shuffle=True, seed=5) for name, frame in corpus.tables().items()}
    )
    assert shuffled.seats.rows() != corpus.seats.rows()
    assert shuffled.interpretation("r", 3) == corpus.interpretation("r", 3) == with_summary(one)


def test_filtered_corpus_still_rebuilds() -> None:
    corpus = sample_corpus()
    assert corpus.filter(item_id="i1").interpretation("simple-1", 1) == corpus.interpretation("simple-1", 1)


def test_what_is_not_there_is_named_with_what_is() -> None:
    corpus = sample_corpus()
    with pytest.raises(NotFoundError, match="no run 'simple'; the corpus has 4 runs: 'simple-1', 'rich-1', 'empty-1'"):
        corpus.interpretation("simple", 0)
    with pytest.raises(NotFoundError, match="run 'rich-1' has no item 1; it has 2 items: 0, 2"):
        corpus.interpretation("rich-1", 1)
    with pytest.raises(NotFoundError, match="run 'empty-1' has no item 0; it has 0 items: none"):
        corpus.interpretation("empty-1", 0)
    with pytest.raises(NotFoundError, match="the corpus has 0 runs: none"):
        concat([]).interpretation("r", 0)
    with pytest.raises(NotFoundError, match=r"item 2 of run 'rich-1' has no interpretation"):
        corpus.interpretation("rich-1", 2)


@pytest.mark.skipif(not OPTIONAL_DATA.is_dir(), reason="optional conformance data is not here")
def test_every_conformance_pair_comes_back_exactly() -> None:
    pairs = []
    for path in sorted(OPTIONAL_DATA.glob("conformance/*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            pairs += [json.loads(line)["verdict"] for line in lines]
    corpus = corpus_of(run("r", *(judged(index, verdict) for index, verdict in enumerate(pairs))))
    assert len(pairs) == corpus.items.height > 2_000
    for index, verdict in enumerate(pairs):
        assert as_json(corpus.interpretation("r", index)) == as_json(interpret(verdict))
