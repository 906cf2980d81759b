"""Where cascades stopped and what meta juries were made of: by hand, and against a walk through the stored verdict."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.statistics.corpora import corpus as corpus_of
from tests.statistics.corpora import judged as judged_item
from tests.statistics.judges.juries import Node, attempt, judged, jury, records
from verdict_frames.errors import ArgumentError, ColumnError, OptionError
from verdict_frames.frames.corpus import concat
from verdict_frames.frames.in_memory import from_records
from verdict_frames.frames.results import read_results
from verdict_frames.statistics.stages.funnel import OTHER_STAGE_SCHEMA, stage_funnel
from verdict_frames.statistics.stages.members import MEMBER_SCHEMA
from verdict_frames.statistics.stages.tiers import TIER_SCHEMA

if TYPE_CHECKING:
    from verdict_frames.frames.corpus import Corpus

RESULTS = Path(__file__).resolve().parents[3] / "data" / "results"
OUTCOMES = ("stopped", "passed_on", "execution_failed", "unresolved", "not_recorded")
READINGS = ("accepted", "rejected", "undecided", "not_applicable", "not_assessed", "no_reading")


@pytest.fixture(scope="module")
def store() -> Corpus:
    return read_results(RESULTS)


def outcome(*attempts: Node, status: str = "pass", **root: Any) -> dict[str, str]:
    """What became of the item at each tier of one cascade."""
    tiers = stage_funnel(judged([jury({}, status, compositeAttempts=list(attempts), **root)])).tiers
    return {row["tier"]: next(name for name in OUTCOMES if row[name]) for row in tiers.to_dicts()}


def tier(name: str, policy: str | None, judges: dict[str, str | Node | None], **more: Any) -> Node:
    return attempt(
        name, jury(judges), **({"disposition": "used"} | ({} if policy is None else {"policy": policy}) | more)
    )


# --- the sample store, by hand ---


def test_the_cascade_of_the_outage_by_hand(store: Corpus) -> None:
    """As in test_judge_table: of 39 items G 3 and T 2 stop at the gate, rejected and undecided; the panel accepts A 12,
    rejects R 4, comes to no decision on S 3 and N 1, and errs on E 9 and F 5."""
    tiers = stage_funnel(store.filter(experiment_name="jury-outage")).tiers
    assert tiers.select("path", "place", "tier", "jury_policy", "entered", "items", *OUTCOMES).rows() == [
        ([], 1, "gate", "REJECT_ON_ANY_FAIL", 39, 13, 5, 34, 0, 0, 0),
        ([], 2, "panel", "FINAL_TIER", 34, 13, 34, 0, 0, 0, 0),
    ]
    assert tiers.select(f"stopped_{reading}" for reading in READINGS).rows() == [
        (0, 3, 2, 0, 0, 0),
        (12, 4, 4, 0, 14, 0),
    ]


def test_the_cascades_of_pr_triage_by_hand(store: Corpus) -> None:
    """The two runs of `solo` in data/README.md, "decided_by": five cascades each. The gate decides header-case twice
    and nul-byte twice (three rejected, one undecided); once it fails to execute, and the panel accepts all the same.
    """
    funnel = stage_funnel(store.filter(experiment_name="pr-triage", variant="solo"))
    assert funnel.tiers.select("tier", "entered", *OUTCOMES).rows() == [
        ("gate", 10, 4, 5, 1, 0, 0),
        ("panel", 6, 6, 0, 0, 0, 0),
    ]
    assert funnel.tiers.select(f"stopped_{reading}" for reading in READINGS).rows() == [
        (0, 3, 1, 0, 0, 0),
        (3, 0, 0, 2, 1, 0),
    ]
    # one gate is a meta jury, of which one member failed to execute
    assert funnel.members.select(
        "path", "member", "listed", "used", "not_used", "execution_failed", "failed"
    ).rows() == [
        (["gate"], "static-scan", 1, 1, 0, 0, 1),
        (["gate"], "licence-scan", 1, 0, 1, 1, 0),
    ]


def test_the_members_of_meta_panel_by_hand(store: Corpus) -> None:
    """Statuses by item: static pass fail pass pass pass, semantic pass pass fail pass pass, reader fail fail abstain,
    failed to execute, pass. Before 0.17 nothing says what was used."""
    funnel = stage_funnel(store.filter(experiment_name="meta-panel"))
    columns = ("member", "listed", "use_not_recorded", "execution_failed", "passed", "failed", "abstained")
    assert funnel.members.select(columns).rows() == [
        ("static", 5, 5, 0, 4, 1, 0),
        ("semantic", 5, 5, 0, 4, 1, 0),
        ("reader", 5, 5, 1, 1, 2, 1),
    ]
    assert funnel.tiers.is_empty()


def test_sub_verdicts_are_neither_tiers_nor_members(store: Corpus) -> None:
    """0.13 names no relation (R75); an upgrade called it `legacy_sub_verdict`. 14 of the 18 verdicts are of 0.13."""
    funnel = stage_funnel(store.filter(experiment_name="coverage-uplift"))
    assert funnel.tiers.is_empty()
    assert funnel.members.is_empty()
    assert funnel.others["relation"].to_list() == [None]
    assert funnel.others["items"].to_list() == [4]
    upgraded = jury({"a": "pass"}, compositeAttempts=[attempt("legacy-sub-verdict-0", jury({}), "legacy_sub_verdict")])
    assert stage_funnel(judged([upgraded] * 2)).others.rows() == [("legacy_sub_verdict", 2, 2)]


def test_items_that_are_left_out_do_not_count(store: Corpus) -> None:
    assert stage_funnel(store.filter(experiment_name="judge-calibration")).tiers.is_empty()
    uplift = store.filter(experiment_name="coverage-uplift")
    latest, every = (stage_funnel(uplift, evaluations=choice).others["stages"][0] for choice in ("latest", "all"))
    assert latest < every


# --- each outcome ---


def test_the_decision_says_which_tier_stopped() -> None:
    first = tier("gate", "REJECT_ON_ANY_FAIL", {"a": "pass"})
    last = tier("panel", "FINAL_TIER", {"b": "pass"})
    stopped = {"kind": "tier", "tier": "panel", "basis": "tier_outcome"}
    assert outcome(first, last, decision=stopped) == {"gate": "passed_on", "panel": "stopped"}
    undecided = outcome(first, last, status="error", decision={"kind": "undecided"})
    assert undecided == {"gate": "passed_on", "panel": "unresolved"}
    other = {"kind": "tier", "tier": "elsewhere", "basis": "tier_outcome"}
    assert outcome(first, last, decision=other) == {"gate": "passed_on", "panel": "not_recorded"}


@pytest.mark.parametrize(
    ("policy", "judges", "expected"),
    [
        ("REJECT_ON_ANY_FAIL", {"a": "pass", "b": "fail"}, "stopped"),
        ("REJECT_ON_ANY_FAIL", {"a": "pass", "b": "error"}, "unresolved"),
        ("ACCEPT_ON_ALL_PASS", {"a": "pass", "b": "pass"}, "stopped"),
        ("ACCEPT_ON_ALL_PASS", {"a": "pass", "b": None}, "unresolved"),
        ("ACCEPT_ON_ALL_PASS", {}, "stopped"),  # R85: an empty list satisfies it
        ("FINAL_TIER", {"a": "error"}, "stopped"),
        (None, {"a": "pass"}, "not_recorded"),
        ("MAYBE", {"a": "pass"}, "not_recorded"),
    ],
)
def test_without_a_decision_the_stop_condition_tells(policy: str | None, judges: dict[str, Any], expected: str) -> None:
    assert outcome(tier("t", policy, judges)) == {"t": expected}


def test_a_tier_that_was_not_used_stops_by_a_rejection_only() -> None:
    """R89: stopped by one judge's rejection, the tier is not used."""
    unused = {"disposition": "stage_failed", "dispositionReason": "child_undecided"}
    assert outcome(tier("t", "REJECT_ON_ANY_FAIL", {"a": "fail"}, **unused)) == {"t": "stopped"}
    assert outcome(tier("t", "FINAL_TIER", {"a": "fail"}, **unused)) == {"t": "unresolved"}
    assert outcome(tier("t", "ACCEPT_ON_ALL_PASS", {"a": "pass"}, **unused)) == {"t": "unresolved"}


def test_a_tier_that_failed_to_execute_is_told_from_one_that_recorded_nothing() -> None:
    failed = attempt("a", None, policy="FINAL_TIER", failure={"code": "jury_execution_failed"})
    reason = attempt("b", None, policy="FINAL_TIER", disposition="stage_failed", dispositionReason="execution_failed")
    nothing = attempt("c", None, policy="FINAL_TIER")
    assert outcome(failed, reason, nothing) == {"a": "execution_failed", "b": "execution_failed", "c": "not_recorded"}


def test_a_cascade_within_a_cascade_and_one_within_a_meta_jury_are_counted_at_their_places() -> None:
    inner = [tier("quick", "ACCEPT_ON_ALL_PASS", {"a": "fail"}), tier("slow", "FINAL_TIER", {"b": "fail"})]
    nested = attempt("gate", jury({}, "fail", compositeAttempts=inner), policy="FINAL_TIER", disposition="used")
    member = attempt("side", jury({}, "fail", compositeAttempts=inner), "meta_member", disposition="used")
    corpus = judged([jury({}, "fail", compositeAttempts=[nested]), jury({}, "abstain", compositeAttempts=[member])])
    funnel = stage_funnel(corpus)
    columns = ("path", "tier", "entered", "passed_on", "stopped", "stopped_rejected")
    assert funnel.tiers.select(columns).rows() == [
        ([], "gate", 1, 0, 1, 1),
        (["gate"], "quick", 1, 1, 0, 0),
        (["gate"], "slow", 1, 0, 1, 1),
        (["side"], "quick", 1, 1, 0, 0),
        (["side"], "slow", 1, 0, 1, 1),
    ]
    assert funnel.members.select("path", "member", "listed", "used", "failed").rows() == [([], "side", 1, 1, 1)]


def test_tiers_of_one_name_in_two_cascades_without_a_name_are_not_taken_for_one_cascade() -> None:
    nested = [attempt("x", jury({"a": "fail"}), policy="REJECT_ON_ANY_FAIL", disposition="used")]
    unnamed = [
        {
            key: value
            for key, value in attempt("", jury({}, compositeAttempts=nested), "meta_member").items()
            if key != "name"
        }
        for _ in range(2)
    ]
    tiers = stage_funnel(judged([jury({}, compositeAttempts=unnamed)])).tiers
    assert tiers.select("tier", "entered", "stopped", "passed_on").rows() == [("x", 2, 2, 0)]


def test_all_errored() -> None:
    verdict = jury({}, "error", compositeAttempts=[attempt("t", jury({"a": "error"}, "error"), policy="FINAL_TIER")])
    row = stage_funnel(judged([verdict] * 3)).tiers.row(0, named=True)
    assert (row["entered"], row["stopped"], row["stopped_not_assessed"]) == (3, 3, 3)


# --- properties ---

names = st.sampled_from(["a", "b", "c"])
statuses = st.sampled_from(["pass", "fail", "abstain", "error", "not_applicable", "odd", None])


@st.composite
def nodes(draw: st.DrawFn, depth: int = 0) -> Node:
    judges = draw(st.dictionaries(names, statuses, max_size=2))
    attempts = draw(st.lists(attempts_at(depth + 1), max_size=3)) if depth < 3 else []
    decisions = st.sampled_from(
        [None, {"kind": "own"}, {"kind": "undecided"}]
        + [{"kind": "tier", "tier": name, "basis": "tier_outcome"} for name in "ab"]
        + [{"kind": "tier", "tier": "a", "basis": "individual_rejection"}]
    )
    aggregate = draw(statuses) or "pass"
    return jury(judges, aggregate, compositeAttempts=attempts, decision=draw(decisions))


@st.composite
def attempts_at(draw: st.DrawFn, depth: int) -> Node:
    return {
        "name": draw(names),
        "relation": draw(st.sampled_from(["cascade_tier", "cascade_tier", "meta_member", "odd", None])),
        "policy": draw(st.sampled_from(["REJECT_ON_ANY_FAIL", "ACCEPT_ON_ALL_PASS", "FINAL_TIER", "odd", None])),
        "disposition": draw(st.sampled_from(["used", "stage_failed", None])),
        "dispositionReason": draw(st.sampled_from(["execution_failed", "child_undecided", None, None])),
        "failure": draw(st.sampled_from([None, None, "jury_execution_failed"])),
        "verdict": draw(st.one_of(st.none(), nodes(depth=depth))),
    }


def walked(node: Node, path: tuple[str, ...] = ()) -> Counter[tuple[Any, ...]]:
    """Count attempts of a stored verdict by what is sure of them, the path of the parent, and the name."""
    found: Counter[tuple[Any, ...]] = Counter()
    tiers = [one for one in node["compositeAttempts"] if one["relation"] == "cascade_tier"]
    for one in node["compositeAttempts"]:
        found[one["relation"], path, one["name"]] += 1
        failed = one["failure"] is not None or one["dispositionReason"] == "execution_failed"
        found["failed " + str(one["relation"]), path, one["name"]] += failed
        if one["relation"] == "cascade_tier":
            found["passed on", path, one["name"]] += not failed and one is not tiers[-1]
        if one["verdict"] is not None:
            found += walked(one["verdict"], (*path, one["name"]))
    return found


@settings(max_examples=40)
@given(st.lists(nodes(), min_size=1, max_size=3))
def test_sums_close_and_agree_with_a_walk_through_the_stored_verdicts(verdicts: list[Node]) -> None:
    corpus = judged(verdicts)
    funnel = stage_funnel(corpus)
    expected: Counter[tuple[Any, ...]] = Counter()
    for verdict in verdicts:
        expected += walked(verdict)
    for row in funnel.tiers.to_dicts():
        key = (tuple(row["path"]), row["tier"])
        assert row["entered"] == sum(row[name] for name in OUTCOMES) == expected[("cascade_tier", *key)]
        assert row["stopped"] == sum(row[f"stopped_{reading}"] for reading in READINGS)
        assert row["passed_on"] == expected[("passed on", *key)]
        assert row["execution_failed"] == expected[("failed cascade_tier", *key)]
    said = [name for name in MEMBER_SCHEMA if name in {"passed", "failed", "abstained", "errored"}]
    for row in funnel.members.to_dicts():
        key = (tuple(row["path"]), row["member"])
        assert (
            row["listed"] == row["used"] + row["not_used"] + row["use_not_recorded"] == expected[("meta_member", *key)]
        )
        mix = sum(row[name] for name in (*said, "not_applicable", "other_status", "no_status"))
        assert row["listed"] == row["execution_failed"] + mix
        assert row["execution_failed"] == expected[("failed meta_member", *key)]
    counts = (funnel.tiers["entered"], funnel.members["listed"], funnel.others["stages"])
    assert sum(number for count in counts for number in count) == corpus.stages.filter(pl.col("stage_index") > 0).height


@settings(max_examples=10)
@given(st.lists(nodes(), min_size=1, max_size=3), st.randoms())
def test_order_and_names_of_runs_and_items_change_nothing(verdicts: list[Node], random: Any) -> None:
    rows = records(verdicts)
    shuffled = [row | {"run_id": "elsewhere", "item_id": f"other {row['item_id']}"} for row in rows]
    random.shuffle(shuffled)
    here, there = stage_funnel(from_records(rows)), stage_funnel(from_records(shuffled))
    assert there.tiers.equals(here.tiers)
    assert there.members.equals(here.members)
    assert there.others.equals(here.others)


# --- the edges ---


@pytest.mark.parametrize("by", [None, "variant", ["reading", "decided_by_kind", "run_id"]])
def test_no_stages_give_no_rows(by: Any) -> None:
    columns = [by] if isinstance(by, str) else by or []
    for empty in (concat([]), corpus_of({"run": [judged_item("ACCEPTED")]}), judged([jury({"a": "pass"})])):
        funnel = stage_funnel(empty, by)
        assert funnel.tiers.columns == [*columns, *TIER_SCHEMA]
        assert funnel.members.columns == [*columns, *MEMBER_SCHEMA]
        assert funnel.others.columns == [*columns, *OTHER_STAGE_SCHEMA]
        assert repr(funnel) == "StageFunnel(tiers: 0, members: 0, others: 0)"


def test_groups_may_be_what_items_and_decisions_say(store: Corpus) -> None:
    tiers = stage_funnel(store.filter(experiment_name="jury-outage"), ["reading", "decided_by_kind"]).tiers
    assert tiers["entered"].sum() == 39 + 34
    accepted = tiers.filter(reading="ACCEPTED", tier="panel")
    assert accepted["stopped_accepted"].sum() == accepted["entered"].sum() == 12


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"by": "path"}, ColumnError, "say 'items.path' or 'runs.path'"),
        ({"by": "nonsense"}, ColumnError, "there is no column 'nonsense'"),
        ({"evaluations": 3}, OptionError, "choose one of latest"),
    ],
)
def test_wrong_calls_are_refused(options: dict[str, Any], error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        stage_funnel(judged([jury({"a": "pass"})]), **options)
    with pytest.raises(ArgumentError, match="counted in a Corpus"):
        stage_funnel([])  # type: ignore[arg-type]
