from __future__ import annotations

from itertools import product
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.statistics.corpora import Row, corpus, items_frame, judged, unjudged
from verdict_frames.errors import ArgumentError, ColumnError, OptionError
from verdict_frames.policies import POLICIES, Policy
from verdict_frames.statistics.sensitivity import BOUNDS_SCHEMA, bounds
from verdict_frames.statistics.tally import tally
from verdict_frames.statistics.vocabulary import Cause
from verdict_frames.vocabulary import Bucket

ROWS: dict[str, Row] = {
    "accepted": judged("ACCEPTED"),
    "rejected": judged("REJECTED"),
    "not applicable": judged("NOT_APPLICABLE"),
    "not_assessed": judged("NOT_ASSESSED"),
    "undecided": judged("UNDECIDED"),
    "contradicted": judged("ACCEPTED", "CONTRADICTED"),
    "no reading": judged(None, "UNDETERMINED"),
    "unverified": judged("REJECTED", "UNDETERMINED"),
    "agent_failed": unjudged(success=False),
    "unjudged": unjudged(success=None),
}
CAUSES = {
    "not_assessed": "not_assessed",
    "undecided": "undecided",
    "contradicted": "unattestable",
    "no reading": "unattestable",
    "agent_failed": "agent_failed",
    "unjudged": "unjudged",
}


def named(kinds: list[str], names: list[str] | None = None) -> pl.DataFrame:
    names = names or [str(place) for place in range(len(kinds))]
    return items_frame([ROWS[kind] | {"item_id": name} for kind, name in zip(kinds, names, strict=True)])


def of_cause(frame: pl.DataFrame, cause: str) -> dict[str, Any]:
    return frame.row(by_predicate=pl.col("cause") == cause, named=True)


def test_bounds_of_one_group_worked_out_by_hand() -> None:
    kinds = ["accepted"] * 4 + ["rejected"] * 2 + ["not_assessed"] * 3 + ["undecided", "contradicted", "no reading"]
    kinds += ["agent_failed"] * 2 + ["unjudged", "not applicable"]
    found = bounds(named(kinds))
    columns = ["cause", "items", "passes", "eligible", "resolved_eligible", "worst_passes", "best_passes"]
    assert found.causes.select(columns).rows() == [
        ("not_assessed", 3, 4, 7, 10, 4, 7),
        ("undecided", 1, 4, 7, 7, 4, 5),
        ("unattestable", 2, 4, 7, 9, 4, 6),
        ("undetermined", 0, 4, 7, 7, 4, 4),
        ("agent_failed", 2, 4, 7, 9, 4, 6),
        ("unjudged", 1, 4, 7, 8, 4, 5),
        ("all", 9, 4, 7, 15, 4, 13),
    ]
    assert found.causes["worst_rate"].to_list() == [4 / 10, 4 / 7, 4 / 9, 4 / 7, 4 / 9, 4 / 8, 4 / 15]
    assert found.causes["best_rate"].to_list() == [7 / 10, 5 / 7, 6 / 9, 4 / 7, 6 / 9, 5 / 8, 13 / 15]
    rates = found.policies.select("policy", "passes", "eligible").rows()
    assert rates == [
        ("agent-judge-0.17", 4, 7),
        ("agent-experiment-0.9", 4, 7),
        ("verified-only", 4, 7),
        ("all-items", 4, 13),
    ]


@settings(max_examples=20)
@given(
    st.lists(st.sampled_from([*ROWS]), max_size=12),
    st.sampled_from([*POLICIES]),
    st.sampled_from(["wilson", "clopper-pearson"]),
    st.randoms(),
)
def test_resolved_items_are_counted_as_a_tally_counts_them_once_they_are_rejected_or_accepted(
    kinds: list[str], policy: str, interval: str, random: Any
) -> None:
    """The independent count: write the missing readings into the items, and tally these."""
    names = [random.choice("abcdefgh") for _ in kinds]
    frame = named(kinds, names)
    found = bounds(frame, policy=policy, interval=interval, level=0.9)
    counted = tally(frame, policy=policy).row(0, named=True)
    causes = CAUSES | ({"unverified": "undetermined"} if policy == "verified-only" else {})
    for cause in Cause:
        chosen = [kind for kind in kinds if cause == causes.get(kind) or (cause == "all" and kind in causes)]
        row = of_cause(found.causes, cause)
        assert [row[name] for name in ("items", "passes", "eligible", "pass_rate", "rate_note")] == [
            len(chosen),
            *(counted[name] for name in ("passes", "eligible", "pass_rate", "rate_note")),
        ]
        worst, best = (
            tally(
                named([told if kind in chosen else kind for kind in kinds], names),
                policy=policy,
                interval=interval,
                level=0.9,
            ).row(0, named=True)
            for told in ("rejected", "accepted")
        )
        assert worst["eligible"] == best["eligible"] == row["resolved_eligible"]
        assert (row["worst_passes"], row["worst_rate"], row["worst_ci_low"]) == (
            worst["passes"],
            worst["pass_rate"],
            worst["ci_low"],
        )
        assert (row["best_passes"], row["best_rate"], row["best_ci_high"]) == (
            best["passes"],
            best["pass_rate"],
            best["ci_high"],
        )
        assert (row["ci_method"], row["clusters"]) == (worst["ci_method"], worst["clusters"])
        if row["worst_rate"] is not None:
            assert 0 <= row["worst_rate"] <= row["best_rate"] <= 1
        if row["worst_rate"] is not None and row["pass_rate"] is not None:
            assert row["worst_rate"] <= row["pass_rate"] <= row["best_rate"]
        if row["worst_ci_low"] is not None:
            assert row["worst_ci_low"] <= row["worst_rate"]
            assert row["best_rate"] <= row["best_ci_high"]
    parts = [of_cause(found.causes, cause)["items"] for cause in Cause if cause is not Cause.ALL]
    assert sum(parts) == of_cause(found.causes, "all")["items"]


@settings(max_examples=25)
@given(st.lists(st.sampled_from([*ROWS]), max_size=10), st.sampled_from([*POLICIES]))
def test_no_way_to_resolve_what_is_not_known_leaves_the_bounds(kinds: list[str], policy: str) -> None:
    """Every one of the ways, while there are few of them: the lowest and highest rates are the bounds."""
    causes = CAUSES | ({"unverified": "undetermined"} if policy == "verified-only" else {})
    unknown = [place for place, kind in enumerate(kinds) if kind in causes][:3]
    kinds = [kind for place, kind in enumerate(kinds) if place in unknown or kind not in causes]
    unknown = [place for place, kind in enumerate(kinds) if kind in causes]
    row = of_cause(bounds(named(kinds), policy=policy).causes, "all")
    rates: list[float | None] = []
    for outcomes in product(["accepted", "rejected"], repeat=len(unknown)):
        told = dict(zip(unknown, outcomes, strict=True))
        resolved = named([told.get(place, kind) for place, kind in enumerate(kinds)])
        rates.append(tally(resolved, policy=policy)["pass_rate"].item())
    known = [rate for rate in rates if rate is not None]
    if row["resolved_eligible"]:
        assert len(known) == len(rates)
        assert (min(known), max(known)) == (row["worst_rate"], row["best_rate"])
    else:
        assert (row["worst_rate"], row["best_rate"], set(rates)) == (None, None, {None})


def test_rates_under_each_policy_are_those_of_tallies_and_a_policy_of_ones_own_stands_last() -> None:
    own = Policy(name="undecided set aside", undecided=Bucket.SET_ASIDE)
    held = corpus(
        {"x": [ROWS["accepted"], ROWS["undecided"]], "y": [ROWS["not_assessed"]]}, variant={"x": "one", "y": "two"}
    )
    found = bounds(held, "variant", policy=own)
    assert found.policy == "undecided set aside"
    assert found.policies.select("variant", "policy", "pass_rate").rows() == [
        ("one", "agent-judge-0.17", 0.5),
        ("one", "agent-experiment-0.9", 0.5),
        ("one", "verified-only", 0.5),
        ("one", "all-items", 0.5),
        ("one", "undecided set aside", 1.0),
        ("two", "agent-judge-0.17", None),
        ("two", "agent-experiment-0.9", None),
        ("two", "verified-only", None),
        ("two", "all-items", 0.0),
        ("two", "undecided set aside", None),
    ]
    for policy in ("verified-only", own):
        expected = tally(held, "variant", policy=policy)
        name = expected["policy"][0]
        assert found.policies.filter(policy=name).equals(expected.select(found.policies.columns))
    undecided = found.causes.filter(variant="one", cause="undecided").row(0, named=True)
    assert (undecided["eligible"], undecided["resolved_eligible"], undecided["worst_rate"]) == (1, 2, 0.5)


def test_what_is_left_out_is_no_cause_and_groups_are_those_of_a_tally() -> None:
    held = corpus(
        {"x": [ROWS["accepted"]], "judge": [ROWS["not_assessed"]], "empty": []},
        kind={"judge": "judge_experiment"},
    )
    for by in ("run_id", "reading", None):
        found = bounds(held, by)
        groups = tally(held, by)
        if by:
            assert found.causes.filter(cause="all")[by].to_list() == groups[by].to_list()
            assert found.causes[by].to_list() == [group for group in groups[by] for _ in Cause]
        assert found.causes["items"].sum() == 0


@pytest.mark.parametrize("held", [corpus({}), corpus({"run": []}), items_frame([])], ids=["no runs", "a run", "items"])
def test_nothing_to_count_has_no_bounds(held: Any) -> None:
    found = bounds(held)
    assert found.causes.schema == BOUNDS_SCHEMA
    assert found.causes["cause"].to_list() == list(Cause)
    for name in ("pass_rate", "worst_rate", "best_rate", "worst_ci_low", "best_ci_high", "ci_method"):
        assert found.causes[name].to_list() == [None] * len(Cause)
    assert set(found.causes["rate_note"]) == {"no items eligible for the denominator"}
    assert found.policies["pass_rate"].to_list() == [None] * 4
    assert bounds(corpus({}), "variant").causes.schema == {"variant": pl.String(), **BOUNDS_SCHEMA}


def test_one_item_all_excluded_and_all_passed() -> None:
    one = of_cause(bounds(named(["not_assessed"])).causes, "all")
    assert (one["pass_rate"], one["worst_rate"], one["best_rate"]) == (None, 0.0, 1.0)
    assert (one["worst_ci_low"], one["best_ci_high"]) == (0.0, 1.0)
    excluded = of_cause(bounds(named(["not applicable"] * 3)).causes, "all")
    assert (excluded["resolved_eligible"], excluded["worst_rate"]) == (0, None)
    passed = of_cause(bounds(named(["accepted"] * 3)).causes, "all")
    assert (passed["worst_rate"], passed["best_rate"], passed["best_ci_high"]) == (1.0, 1.0, 1.0)


def test_a_range_without_an_interval_says_why() -> None:
    twice = of_cause(bounds(named(["accepted", "not_assessed"], ["a", "a"])).causes, "all")
    assert (twice["worst_rate"], twice["best_rate"], twice["worst_ci_low"], twice["best_ci_high"]) == (
        0.5,
        1,
        None,
        None,
    )
    assert twice["ci_method"] == "one item: no interval over items"
    runs = of_cause(bounds(named(["accepted", "rejected"]), over="runs").causes, "all")
    assert (runs["ci_method"], runs["over"]) == ("items tried once: no interval over runs", "runs")
    nameless = corpus({"x": [ROWS["accepted"], ROWS["not_assessed"]]}, repeat={"x": 1})
    rows = bounds(nameless).causes
    assert of_cause(rows, "all")["ci_method"] == "items without a name"
    named_only = corpus({"x": [ROWS["accepted"] | {"item_id": "a"}, ROWS["not_assessed"]]}, repeat={"x": 1})
    rows = bounds(named_only).causes
    assert [of_cause(rows, cause)["ci_method"] for cause in ("undecided", "not_assessed")] == [
        "wilson",
        "items without a name",
    ]


def test_wrong_calls_say_what_is_wrong() -> None:
    for options in ({"policy": "strict"}, {"interval": "wald"}, {"over": "rows"}, {"level": 2}, {"evaluations": "x"}):
        with pytest.raises(OptionError):
            bounds(corpus({}), **options)
    with pytest.raises(ArgumentError, match="Corpus or a polars frame of items is needed"):
        bounds("results")  # type: ignore[arg-type]
    with pytest.raises(ColumnError, match="'items' can't be grouped by"):
        bounds(items_frame([]).with_columns(items=pl.lit(1)), "items")
    with pytest.raises(ColumnError, match="items frame lacks reading"):
        bounds(items_frame([]).drop("reading"))
