from __future__ import annotations

import pickle
import sqlite3
from dataclasses import fields, replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.statistics.corpora import corpus, items_frame, judged, unjudged
from verdict_frames.errors import ArgumentError, ColumnError, OptionError
from verdict_frames.policies import (
    AGENT_EXPERIMENT_0_9,
    AGENT_JUDGE_0_17,
    ALL_ITEMS,
    POLICIES,
    VERIFIED_ONLY,
    Policy,
    bucket_expression,
    find_policy,
    pass_rate,
    policy_table,
    with_bucket,
)
from verdict_frames.vocabulary import Bucket, Reading, Support

READINGS = ["ACCEPTED", "REJECTED", "UNDECIDED", "NOT_APPLICABLE", "NOT_ASSESSED", None]
SUPPORTS = ["SUPPORTED", "CONTRADICTED", "UNDETERMINED", None]

SHORT = {
    "pass": "passes",
    "non": "non_passes",
    "excl": "excluded",
    "instr": "instrument_failures",
    "unatt": "unattestable",
    "aside": "set_aside",
}

# Written from the rules, not from the code. Columns as READINGS, "none" last; rows as SUPPORTS, "none" last.
# The last cell of the last row is an item without an interpretation: with a verdict it is as written here; without one
# it is agent_failed or unjudged under every policy.
EXPECTED = {
    "agent-judge-0.17": """
        pass  non   non   excl  instr unatt
        unatt unatt unatt unatt unatt unatt
        pass  non   non   excl  instr unatt
        unatt unatt unatt unatt unatt unatt""",
    "agent-experiment-0.9": """
        pass  non   non   excl  excl  unatt
        unatt unatt unatt unatt unatt unatt
        pass  non   non   excl  excl  unatt
        unatt unatt unatt unatt unatt unatt""",
    "verified-only": """
        pass  non   non   excl  instr unatt
        unatt unatt unatt unatt unatt unatt
        aside aside aside aside aside unatt
        unatt unatt unatt unatt unatt unatt""",
    "all-items": """
        pass  non   non   non   non   non
        non   non   non   non   non   non
        pass  non   non   non   non   non
        non   non   non   non   non   non""",
}

STATES = list(product(READINGS, SUPPORTS, [True, False], [True, False, None]))


def expected_bucket(policy: str, reading: Any, support: Any, has_verdict: Any, success: Any) -> str:
    if not has_verdict and reading is None and support is None:
        return "agent_failed" if success is False else "unjudged"
    rows = [line.split() for line in EXPECTED[policy].strip().splitlines()]
    return SHORT[rows[SUPPORTS.index(support)][READINGS.index(reading)]]


def states_frame(*, text: bool) -> pl.DataFrame:
    token = pl.String() if text else pl.Enum(Reading)
    support = pl.String() if text else pl.Enum(Support)
    schema = {"reading": token, "reading_support": support, "has_verdict": pl.Boolean(), "success": pl.Boolean()}
    return pl.DataFrame(STATES, schema=schema, orient="row")


@pytest.mark.parametrize("text", [False, True])
@pytest.mark.parametrize("policy", EXPECTED)
def test_every_state_goes_to_the_bucket_written_down_for_it(policy: str, text: bool) -> None:  # noqa: FBT001
    frame = states_frame(text=text)
    assert len(STATES) == 144
    expected = [expected_bucket(policy, *state) for state in STATES]
    assert with_bucket(frame, policy)["bucket"].to_list() == expected
    assert with_bucket(frame.lazy(), policy).collect()["bucket"].to_list() == expected


def test_the_table_is_every_policy_times_every_state_once_with_the_bucket_written_down() -> None:
    table = policy_table()
    assert table.height == 4 * 144
    assert table.select("policy", "reading", "reading_support", "has_verdict", "success").is_duplicated().sum() == 0
    assert table["policy"].unique(maintain_order=True).to_list() == list(EXPECTED)
    assert [row[5] for row in table.rows()] == [expected_bucket(*row[:5]) for row in table.rows()]
    assert table["bucket"].null_count() == 0


def test_the_table_joins_items_null_to_null_in_polars_and_in_sql() -> None:
    items = items_frame(
        [
            judged("ACCEPTED"),
            judged("REJECTED", "CONTRADICTED"),
            judged(None, "UNDETERMINED"),
            judged("NOT_ASSESSED"),
            unjudged(success=False),
            unjudged(success=None),
        ]
    )
    table = policy_table("verified-only")
    wanted = ["passes", "unattestable", "unattestable", "instrument_failures", "agent_failed", "unjudged"]
    keys = ["reading", "reading_support", "has_verdict", "success"]
    joined = items.join(table, on=keys, how="left", nulls_equal=True, maintain_order="left")
    assert joined["bucket"].to_list() == wanted

    database = sqlite3.connect(":memory:")
    for name, frame in {"items": items.select("item_index", *keys), "policy": table.drop("policy")}.items():
        database.execute(f"create table {name} ({', '.join(frame.columns)})")
        database.executemany(f"insert into {name} values ({', '.join('?' * frame.width)})", frame.rows())
    on = " and ".join(f"items.{key} is policy.{key}" for key in keys)
    found = database.execute(f"select bucket from items join policy on {on} order by item_index").fetchall()
    database.close()
    assert [row[0] for row in found] == wanted


def test_tokens_outside_the_closed_sets_are_no_reading_and_no_support() -> None:
    frame = pl.DataFrame(
        {
            "reading": ["accepted", "MAYBE", "ACCEPTED", "MAYBE"],
            "reading_support": ["SUPPORTED", "UNDETERMINED", "SURE", "CONTRADICTED"],
            "has_verdict": [True] * 4,
            "success": [True] * 4,
        }
    )
    for policy in (AGENT_JUDGE_0_17, VERIFIED_ONLY):
        assert with_bucket(frame, policy)["bucket"].to_list() == ["unattestable"] * 4
    assert with_bucket(frame, ALL_ITEMS)["bucket"].to_list() == ["non_passes"] * 4


def test_columns_of_nulls_only_have_buckets_too() -> None:
    frame = pl.DataFrame({"reading": [None], "reading_support": [None], "has_verdict": [None], "success": [None]})
    assert with_bucket(frame)["bucket"].to_list() == ["unjudged"]


def test_an_interpretation_stored_without_its_verdict_counts() -> None:
    items = items_frame([judged("ACCEPTED", has_verdict=False, success=None)])
    assert with_bucket(items)["bucket"].to_list() == ["passes"]


def test_with_bucket_adds_one_column_and_changes_nothing_else() -> None:
    held = corpus({"a": [judged("REJECTED"), judged("ACCEPTED")], "b": []})
    bucketed = with_bucket(held, ALL_ITEMS)
    assert bucketed.drop("bucket").equals(held.items)
    assert bucketed.columns[-1] == "bucket"
    assert bucketed["bucket"].dtype == pl.Enum([bucket.value for bucket in Bucket])
    again = with_bucket(bucketed.with_columns(reading=pl.lit(None, pl.Enum(Reading))), AGENT_JUDGE_0_17)
    assert again["bucket"].to_list() == ["unattestable", "unattestable"]
    assert again.width == bucketed.width


def test_with_bucket_names_what_is_missing_or_wrong() -> None:
    with pytest.raises(ColumnError, match=r"items frame lacks reading_support, success; it has reading, has_verdict"):
        with_bucket(pl.DataFrame({"reading": ["ACCEPTED"], "has_verdict": [True]}))
    with pytest.raises(ArgumentError, match="Corpus or a polars frame of items is needed, not list"):
        with_bucket([1])  # type: ignore[call-overload]
    with pytest.raises(OptionError, match=r"no policy named 'lenient'; choose one of agent-judge-0\.17, agent-exp"):
        with_bucket(items_frame([]), "lenient")


@pytest.mark.parametrize(
    ("column", "kind"),
    [
        (pl.Series("reading", [3]), "text"),
        (pl.Series("reading_support", [[1]]), "text"),
        (pl.Series("has_verdict", ["yes"]), "true and false"),
        (pl.Series("success", [0.5]), "true and false"),
    ],
    ids=lambda value: value.name if isinstance(value, pl.Series) else value,
)
def test_with_bucket_refuses_columns_that_cannot_be_what_they_should(column: pl.Series, kind: str) -> None:
    items = items_frame([judged("ACCEPTED")]).with_columns(column)
    for frame in (items, items.lazy()):
        with pytest.raises(
            ColumnError, match=f"items frame has {column.name} as .*; cast it, as it has to hold {kind}$"
        ):
            with_bucket(frame)


def test_a_frame_that_lacks_columns_is_told_of_a_dozen_that_it_has() -> None:
    wide = pl.DataFrame({"bell\x07": [1], **{f"c{number}": [1] for number in range(40)}})
    with pytest.raises(ColumnError) as raised:
        with_bucket(wide)
    assert str(raised.value) == (
        "the items frame lacks reading, reading_support, has_verdict, success; "
        "it has 'bell\\x07', c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10 and 29 more"
    )


def test_a_policy_of_ones_own_is_counted_by_and_tabulated() -> None:
    own = Policy(name="own", undecided=Bucket.SET_ASIDE, not_assessed="non_passes", undetermined=Bucket.EXCLUDED)  # type: ignore[arg-type]
    frame = items_frame([judged("UNDECIDED"), judged("NOT_ASSESSED"), judged("ACCEPTED", "UNDETERMINED")])
    wanted = ["set_aside", "non_passes", "excluded"]
    assert with_bucket(frame, own)["bucket"].to_list() == wanted
    assert policy_table(own)["policy"].unique().to_list() == ["own"]
    assert find_policy(own) is own
    assert own.not_assessed is Bucket.NON_PASSES


def test_policies_are_values() -> None:
    assert pickle.loads(pickle.dumps(VERIFIED_ONLY)) == VERIFIED_ONLY  # noqa: S301
    assert len({*POLICIES.values(), Policy(name="agent-judge-0.17")}) == 4
    assert list(POLICIES.values()) == [AGENT_JUDGE_0_17, AGENT_EXPERIMENT_0_9, VERIFIED_ONLY, ALL_ITEMS]
    with pytest.raises(AttributeError):
        VERIFIED_ONLY.name = "other"  # type: ignore[misc]


@pytest.mark.parametrize("choice", ["undecided", "not_applicable", "not_assessed", "undetermined", "contradicted"])
@pytest.mark.parametrize("bucket", ["passes", "agent_failed", "unjudged", "passed", "", 3, ["excluded"]])
def test_choices_that_would_make_a_count_lie_are_refused(choice: str, bucket: Any) -> None:
    with pytest.raises(
        OptionError, match=rf"policy 'bad': {choice} can't go to .*; choose one of non_passes, excluded"
    ):
        Policy(name="bad", **{choice: bucket})


def test_null_is_a_choice_for_undetermined_only() -> None:
    assert Policy(name="fine", undetermined=None).undetermined is None
    with pytest.raises(OptionError, match="no_reading can't go to None"):
        Policy(name="bad", no_reading=None)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["", "  ", "two\nlines", "bell\a", None, 3])
def test_names_that_cannot_be_printed_with_a_rate_are_refused(name: Any) -> None:
    with pytest.raises(OptionError, match="one line of printable text"):
        Policy(name=name)


def test_two_policies_of_one_name_share_no_table() -> None:
    with pytest.raises(OptionError, match=r"different names .* these are own, own"):
        policy_table(Policy(name="own"), Policy(name="own", undecided=Bucket.SET_ASIDE))
    with pytest.raises(OptionError, match=r"different names .* these are verified-only, verified-only"):
        policy_table("verified-only", VERIFIED_ONLY)


@pytest.mark.parametrize("policy", POLICIES.values(), ids=list(POLICIES))
def test_a_built_in_name_stands_for_its_own_choices_only(policy: Policy) -> None:
    assert replace(policy) == policy
    for choice in fields(policy)[1:]:
        was = getattr(policy, choice.name)
        other: Any = {choice.name: Bucket.SET_ASIDE if was != Bucket.SET_ASIDE else Bucket.EXCLUDED}
        with pytest.raises(OptionError, match=f"'{policy.name}' names a built-in policy, which chooses otherwise"):
            replace(policy, **other)
        assert replace(policy, name="own", **other) != replace(policy, name="own")


def test_a_built_in_name_with_the_defaults_is_refused_where_they_are_not_its_choices() -> None:
    assert Policy(name="agent-judge-0.17") == AGENT_JUDGE_0_17
    with pytest.raises(OptionError, match="'all-items' names a built-in policy"):
        Policy(name="all-items")


@pytest.mark.parametrize("name", [None, 3, ["verified-only"], "Verified-Only"])
def test_a_policy_that_does_not_exist_is_not_found(name: Any) -> None:
    with pytest.raises(OptionError, match="there is no policy named"):
        find_policy(name)


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_a_pass_rate_is_a_share_or_absent(passes: int, non_passes: int) -> None:
    rate = pass_rate(passes, non_passes)
    if passes + non_passes == 0:
        assert rate is None
    else:
        assert rate is not None
        assert rate * (passes + non_passes) == pytest.approx(passes)


def test_no_eligible_item_is_no_rate_and_never_zero() -> None:
    assert pass_rate(0, 0) is None
    assert pass_rate(0, 3) == 0.0
    assert pass_rate(3, 0) == 1.0
    with pytest.raises(OptionError, match="0 or more, not -1 and 2"):
        pass_rate(-1, 2)


@pytest.mark.parametrize(
    ("passes", "non_passes"),
    [(None, 1), (1, None), (float("nan"), 1), (float("inf"), 1), (1.5, 2), ("1", 1), (True, True), (Fraction(1, 2), 1)],
)
def test_a_pass_rate_of_what_is_no_number_of_items_is_refused(passes: Any, non_passes: Any) -> None:
    with pytest.raises(ArgumentError, match="passes and non-passes are whole numbers of items, not "):
        pass_rate(passes, non_passes)


def test_whole_numbers_of_other_libraries_are_counts_too() -> None:
    rate = pass_rate(np.int64(3), np.int64(1))  # type: ignore[arg-type]
    assert (rate, type(rate)) == (0.75, float)


def test_the_expression_is_named_bucket_and_takes_a_name() -> None:
    assert bucket_expression("all-items").meta.output_name() == "bucket"
