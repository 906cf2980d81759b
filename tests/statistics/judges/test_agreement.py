"""Agreement of judges, held against statsmodels, krippendorff and hand counts in the sample store."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import krippendorff
import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import cohens_kappa as statsmodels_kappa  # type: ignore[import-untyped]

from tests.statistics.corpora import corpus as corpus_of
from tests.statistics.corpora import judged as judged_item
from tests.statistics.judges.juries import attempt, judged, judgment, jury, records, seated
from verdict_frames.errors import ArgumentError, ColumnError, OptionError
from verdict_frames.frames.corpus import concat
from verdict_frames.frames.in_memory import from_records
from verdict_frames.frames.results import read_results
from verdict_frames.statistics.clusters import NAMELESS_ITEMS, ONE_ITEM
from verdict_frames.statistics.judges.agreement import agreement
from verdict_frames.statistics.judges.juries import JURY_AGREEMENT_SCHEMA, NO_TWO_VOTES, ONE_CATEGORY
from verdict_frames.statistics.judges.pairs import CHANCE_AGREES, NONE_JUDGED_BY_BOTH, PAIR_AGREEMENT_SCHEMA
from verdict_frames.statistics.judges.resampling import BOOTSTRAP, NO_SPREAD

if TYPE_CHECKING:
    from collections.abc import Iterable

    from verdict_frames.frames.corpus import Corpus
    from verdict_frames.statistics.judges.agreement import Agreement

RESULTS = Path(__file__).resolve().parents[3] / "data" / "results"
CATEGORIES = ("pass", "fail", "abstain", "error")


@pytest.fixture(scope="module")
def outage() -> Corpus:
    return read_results(RESULTS / "jury-outage")


def of_votes(votes: Iterable[tuple[str, str]], **options: Any) -> Agreement:
    return agreement(judged(jury({"a": one, "b": other}) for one, other in votes), **{"resamples": 100} | options)


def only(frame: pl.DataFrame, **key: Any) -> dict[str, Any]:
    rows = [one for one in frame.to_dicts() if all(one[name] == value for name, value in key.items())]
    assert len(rows) == 1, rows
    return rows[0]


# --- the sample store, by hand ---

# Of the 34 items that reached the panel (see test_judge_table): A 12 both pass, R 4 both fail, S 3 pass and fail,
# N 1 both abstain, E 9 error and pass, F 5 both error. So 19 were voted on by both, which agreed on 16.


def test_the_panel_of_the_outage_by_hand(outage: Corpus) -> None:
    found = agreement(outage, resamples=200)
    pair = only(found.pairs, path=["panel"])
    assert (pair["judge"], pair["other_judge"]) == ("assertion-depth", "review/readability")
    assert (pair["seated"], pair["judged"], pair["agreed"], pair["agreement_rate"]) == (34, 19, 16, 16 / 19)
    # 15 passes and 4 fails of the one, 12 and 7 of the other
    by_chance = Fraction(15 * 12 + 4 * 7, 19 * 19)
    assert pair["kappa"] == pytest.approx(float((Fraction(16, 19) - by_chance) / (1 - by_chance)))
    assert pair["kappa_ci_low"] < pair["kappa"] < pair["kappa_ci_high"]
    panel = only(found.juries, path=["panel"])
    assert (panel["judges"], panel["judged"], panel["votes"], panel["categories"]) == (2, 19, 38, 2)
    # 27 passes and 11 fails; each of the 3 disagreements counts in both orders
    assert panel["alpha"] == pytest.approx(float(1 - Fraction(37 * 6, 38 * 38 - 27 * 27 - 11 * 11)))
    # prevalence over the 28 items with a vote: 12 passed, 3 half, 9 passed by the one judge that voted
    passed = (12 + Fraction(3, 2) + 9) / 28
    by_chance = 2 * passed * (1 - passed)
    assert panel["ac1"] == pytest.approx(float((Fraction(16, 19) - by_chance) / (1 - by_chance)))


def test_the_panel_with_all_statuses_as_categories_by_hand(outage: Corpus) -> None:
    found = agreement(outage, missing="category", resamples=100)
    pair = only(found.pairs, path=["panel"])
    assert (pair["judged"], pair["agreed"], pair["missing"]) == (34, 12 + 4 + 1 + 5, "category")
    # passes 15 and 21, fails 4 and 7, abstentions 1 and 1, errors 14 and 5
    by_chance = Fraction(15 * 21 + 4 * 7 + 1 * 1 + 14 * 5, 34 * 34)
    assert pair["kappa"] == pytest.approx(float((Fraction(22, 34) - by_chance) / (1 - by_chance)))
    assert only(found.juries, path=["panel"])["categories"] == 4


# --- small verdicts ---


def test_a_jury_of_one_and_judges_that_never_both_vote_have_nulls_with_reasons() -> None:
    alone = agreement(judged([jury({"a": "pass"})]))
    assert alone.pairs.is_empty()
    row = only(alone.juries)
    assert (row["judges"], row["judged"], row["items"], row["votes"]) == (1, 0, 0, 0)
    assert (row["alpha"], row["alpha_note"], row["ac1"], row["ac1_note"]) == (None, NO_TWO_VOTES, None, NO_TWO_VOTES)
    never = of_votes([("pass", "error"), ("error", "fail")])
    pair, row = only(never.pairs), only(never.juries)
    assert (pair["seated"], pair["judged"], pair["items"], pair["agreement_rate"]) == (2, 0, 0, None)
    assert (pair["kappa"], pair["kappa_note"], pair["kappa_ci_method"]) == (None, NONE_JUDGED_BY_BOTH, None)
    assert (row["judges"], row["agreement"], row["agreement_note"]) == (2, None, NO_TWO_VOTES)


def test_one_category_leaves_kappa_and_alpha_null_with_their_reasons() -> None:
    found = of_votes([("pass", "pass")] * 3)
    pair, row = only(found.pairs), only(found.juries)
    assert (pair["agreement_rate"], pair["kappa"], pair["kappa_note"]) == (1.0, None, CHANCE_AGREES)
    assert (row["alpha"], row["alpha_note"]) == (None, ONE_CATEGORY)
    # pass and fail are the categories, whether anybody failed anything or not
    assert (row["ac1"], row["ac1_note"], row["ac1_ci_method"]) == (1.0, None, NO_SPREAD)
    assert (row["agreement"], row["agreement_ci_low"], row["agreement_ci_method"]) == (1.0, None, NO_SPREAD)


def test_perfect_agreement_on_two_categories_is_one_and_spans_no_interval() -> None:
    found = of_votes([("pass", "pass"), ("fail", "fail")] * 10)
    pair, row = only(found.pairs), only(found.juries)
    assert pair["kappa"] == row["alpha"] == row["ac1"] == row["agreement"] == 1.0
    assert (pair["kappa_ci_low"], pair["kappa_ci_method"]) == (None, NO_SPREAD)
    assert (row["alpha_ci_low"], row["alpha_ci_method"]) == (None, NO_SPREAD)
    assert pair["agreement_ci_low"] < pair["agreement_ci_high"] == 1.0


def test_one_item_has_no_interval() -> None:
    found = of_votes([("pass", "fail")])
    pair, row = only(found.pairs), only(found.juries)
    assert (pair["kappa"], pair["kappa_ci_low"], pair["kappa_ci_method"]) == (0.0, None, ONE_ITEM)
    assert (row["alpha"], row["alpha_ci_method"], row["ac1_ci_method"]) == (0.0, ONE_ITEM, ONE_ITEM)


def test_repeats_of_an_item_are_drawn_together() -> None:
    """Three items that each vary not at all over five runs tell no more than three items."""
    votes = [("pass", "pass"), ("fail", "fail"), ("pass", "fail")]
    verdicts = [jury({"a": one, "b": other}) for one, other in votes]
    once = only(agreement(judged(verdicts), resamples=500).juries)
    rows = [row for run in range(5) for row in records(verdicts, run=f"run {run}")]
    repeated = only(agreement(from_records(rows), resamples=500).juries)
    assert (repeated["judged"], repeated["items"]) == (15, 3)
    assert [repeated[name] for name in ("agreement", "agreement_ci_low", "agreement_ci_high")] == pytest.approx(
        [once[name] for name in ("agreement", "agreement_ci_low", "agreement_ci_high")]
    )


def test_repeats_of_items_without_a_name_have_no_interval() -> None:
    rows = [{"repeat": 1, "verdict": jury({"a": one, "b": "pass"})} for one in ("pass", "fail", "pass")]
    row = only(agreement(from_records(rows), resamples=100).juries)
    assert (row["agreement_ci_low"], row["agreement_ci_method"]) == (None, NAMELESS_ITEMS)


def test_a_status_that_cannot_be_read_is_never_a_category() -> None:
    verdicts = [jury({"a": None, "b": "pass"}), jury({"a": "deferred", "b": "deferred"})]
    assert only(agreement(judged(verdicts), resamples=100).pairs)["judged"] == 0
    pair = only(agreement(judged(verdicts), missing="category", resamples=100).pairs)
    assert (pair["seated"], pair["judged"], pair["agreed"]) == (2, 1, 1)


def test_judges_of_one_name_are_two_judges() -> None:
    found = agreement(judged([seated([("a", "pass"), ("a", "fail")])] * 2), resamples=100)
    pair = only(found.pairs)
    assert (pair["judge"], pair["occurrence"], pair["other_judge"], pair["other_occurrence"]) == ("a", 1, "a", 2)
    assert (pair["judged"], pair["agreed"]) == (2, 0)


def test_judges_of_different_juries_are_paired_on_demand_but_a_jury_never_with_its_own_judges() -> None:
    gate = jury({"build": "pass"})
    member = jury({"style": "fail"}, "fail")
    panel = jury({"side": "fail", "depth": "pass"}) | {
        "compositeAttempts": [attempt("side", member, "meta_member", disposition="used")]
    }
    cascade = panel | {
        "compositeAttempts": [
            attempt("gate", gate, policy="REJECT_ON_ANY_FAIL", disposition="used"),
            attempt("panel", panel, policy="FINAL_TIER", disposition="used"),
        ]
    }
    corpus = judged([cascade])
    names = ("path", "judge", "other_path", "other_judge")
    within_jury = agreement(corpus, resamples=100).pairs.select(names).rows()
    assert within_jury == [(["panel"], "depth", ["panel"], "side")]
    within_item = agreement(corpus, within="item", resamples=100).pairs.select(names).rows()
    assert {(one, other) for _, one, _, other in within_item} == {
        ("depth", "side"),
        ("build", "depth"),
        ("build", "style"),
        ("depth", "style"),
    }


# --- properties ---

votes = st.lists(st.tuples(*[st.sampled_from(CATEGORIES)] * 3), min_size=2, max_size=8)


@settings(max_examples=15)
@given(votes)
def test_pairs_and_juries_agree_with_statsmodels_and_krippendorff(said: list[tuple[str, str, str]]) -> None:
    found = agreement(
        judged(jury(dict(zip("abc", one, strict=True))) for one in said), missing="category", resamples=100
    )
    for one, other in (("a", "b"), ("a", "c"), ("b", "c")):
        pair = only(found.pairs, judge=one, other_judge=other)
        table = np.zeros((4, 4))
        for vote in said:
            table[CATEGORIES.index(vote["abc".index(one)]), CATEGORIES.index(vote["abc".index(other)])] += 1
        assert pair["agreed"] == np.trace(table)
        if pair["kappa"] is None:
            assert pair["kappa_note"] == CHANCE_AGREES
            assert table.max() == len(said)
        else:
            assert pair["kappa"] == pytest.approx(statsmodels_kappa(table, return_results=False))
    row = only(found.juries)
    if len({status for vote in said for status in vote}) == 1:
        assert (row["alpha"], row["alpha_note"]) == (None, ONE_CATEGORY)
    else:
        data = [[CATEGORIES.index(vote[judge]) for vote in said] for judge in range(3)]
        assert row["alpha"] == pytest.approx(
            krippendorff.alpha(reliability_data=data, level_of_measurement="nominal", value_domain=range(4)), abs=1e-9
        )
    for frame in (found.pairs, found.juries):
        assert not any(frame.select(pl.selectors.float().is_nan().any()).row(0))


@settings(max_examples=10)
@given(votes, st.permutations("abc"), st.randoms())
def test_names_and_order_of_judges_runs_and_items_change_nothing(
    said: list[tuple[str, str, str]], names: list[str], random: Any
) -> None:
    rows = records(jury(dict(zip("abc", one, strict=True))) for one in said)
    renamed = records((jury(dict(zip(names, one, strict=True))) for one in said), run="elsewhere")
    renamed = [row | {"item_id": f"other {row['item_id']}"} for row in renamed]
    random.shuffle(renamed)
    here = agreement(from_records(rows), missing="category", resamples=100)
    there = agreement(from_records(renamed), missing="category", resamples=100)
    assert there.juries.equals(here.juries)
    new_name = dict(zip("abc", names, strict=True))
    values = pl.exclude("judge", "other_judge")
    for pair in here.pairs.to_dicts():
        one, other = sorted((new_name[pair["judge"]], new_name[pair["other_judge"]]))
        found = there.pairs.filter(judge=one, other_judge=other).select(values)
        assert found.equals(here.pairs.filter(judge=pair["judge"], other_judge=pair["other_judge"]).select(values))


def test_a_seed_gives_the_same_interval_and_another_one_a_near_one(outage: Corpus) -> None:
    first, again, other = (agreement(outage, seed=seed, resamples=1000).juries for seed in (7, 7, 8))
    assert first.equals(again)
    assert not first.equals(other)
    one, two = (only(frame, path=["panel"]) for frame in (first, other))
    assert one["alpha_ci_low"] == pytest.approx(two["alpha_ci_low"], abs=0.1)
    assert one["alpha_ci_method"] == BOOTSTRAP


# --- the edges ---


@pytest.mark.parametrize("by", [None, "variant", ["reading", "run_id"]])
def test_nothing_judged_gives_no_rows(by: Any) -> None:
    names = [by] if isinstance(by, str) else by or []
    for empty in (
        concat([]),
        corpus_of({"run": [judged_item("ACCEPTED")]}),
        judged([{"aggregated": judgment("pass")}]),
    ):
        found = agreement(empty, by, resamples=100)
        assert found.pairs.columns == [*names, *PAIR_AGREEMENT_SCHEMA]
        assert found.juries.columns == [*names, *JURY_AGREEMENT_SCHEMA]
        assert found.pairs.is_empty()
        assert found.juries.is_empty()
        assert repr(found) == "Agreement(pairs: 0, juries: 0, missing: missing, within: jury, level: 0.95)"


def test_all_errored() -> None:
    found = of_votes([("error", "error")] * 4)
    assert only(found.pairs)["kappa_note"] == NONE_JUDGED_BY_BOTH
    assert only(found.juries)["alpha_note"] == NO_TWO_VOTES
    categories = of_votes([("error", "error")] * 4, missing="category")
    assert only(categories.pairs)["kappa_note"] == CHANCE_AGREES
    assert only(categories.juries)["alpha_note"] == ONE_CATEGORY


def test_groups_may_have_the_names_of_runs_and_items() -> None:
    rows = records([jury({"a": "pass", "b": "pass"})] * 2, run="one") + records([jury({"a": "pass", "b": "fail"})])
    found = agreement(from_records(rows), ["kind", "run_id"], resamples=100)
    assert found.pairs.select("kind", "run_id", "judged", "agreed").rows() == [
        ("agent", "one", 2, 2),
        ("agent", "run", 1, 0),
    ]
    assert found.juries["judged"].to_list() == [2, 1]


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"missing": "drop"}, OptionError, "missing='drop': choose one of missing, category"),
        ({"within": ["jury"]}, OptionError, "choose one of jury, item"),
        ({"level": 1}, OptionError, "a confidence level lies between 0 and 1"),
        ({"resamples": 10}, OptionError, "at least 100 resamples"),
        ({"seed": 1.5}, ArgumentError, "seed takes a whole number"),
        ({"by": "path"}, ColumnError, "'path' can't be grouped by"),
    ],
)
def test_wrong_calls_are_refused(options: dict[str, Any], error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        agreement(judged([jury({"a": "pass"})]), **options)
