"""What judges said, counted by hand in the sample store and by plain Python in small verdicts."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint  # type: ignore[import-untyped]

from tests.statistics.corpora import corpus as corpus_of
from tests.statistics.corpora import judged as judged_item
from tests.statistics.judges.juries import attempt, judged, judgment, jury, records, seated
from verdict_frames.errors import ArgumentError, ColumnError, OptionError
from verdict_frames.frames.corpus import concat
from verdict_frames.frames.in_memory import from_records
from verdict_frames.frames.results import read_results
from verdict_frames.statistics.clusters import effective_size
from verdict_frames.statistics.judges.table import JUDGE_TABLE_SCHEMA, NO_JURY_OF_THREE, judge_table

if TYPE_CHECKING:
    from verdict_frames.frames.corpus import Corpus

RESULTS = Path(__file__).resolve().parents[3] / "data" / "results"
STATUSES = ("pass", "fail", "abstain", "not_applicable", "error", "deferred", None)
COUNTS = ("passed", "failed", "abstained", "not_applicable", "errored", "other_status", "no_status")


@pytest.fixture(scope="module")
def store() -> Corpus:
    return read_results(RESULTS)


def row(table: pl.DataFrame, **key: Any) -> dict[str, Any]:
    rows = [one for one in table.to_dicts() if all(one[name] == value for name, value in key.items())]
    assert len(rows) == 1, rows
    return rows[0]


# --- the sample store, counted by hand ---

# data/jury_outage.py has a letter for what the jury did with each of 13 items in three variants:
#   baseline AEGASEFARTEAF   guided EARSFAGENARTE   guided+retry AAEFAGESARFAE
# Together A 12, E 9, F 5, G 3, R 4, S 3, N 1, T 2. At G and T the gate stops the cascade, so the panel judged 34.
#   assertion-depth     A, S pass 15   R fail 4        N abstain 1   E, F error 14
#   review/readability  A, E pass 21   R, S fail 7     N abstain 1   F error 5
#   build:maven         all but G pass 36, fail 3; structure:src/main/java all but G and T pass 34, fail 5


@pytest.mark.parametrize(
    ("path", "judge", "seats", "counts"),
    [
        (["panel"], "assertion-depth", 34, (15, 4, 1, 0, 14)),
        (["panel"], "review/readability", 34, (21, 7, 1, 0, 5)),
        (["gate"], "build:maven", 39, (36, 3, 0, 0, 0)),
        (["gate"], "structure:src/main/java", 39, (34, 5, 0, 0, 0)),
    ],
)
def test_judges_of_the_outage_are_counted_once_though_the_root_repeats_them(
    store: Corpus, path: list[str], judge: str, seats: int, counts: tuple[int, ...]
) -> None:
    table = judge_table(store.filter(experiment_name="jury-outage"))
    assert table.height == 4
    found = row(table, path=path, judge=judge)
    assert (found["seats"], found["items"]) == (seats, 13)  # each of the 13 items reaches the panel in some variant
    assert tuple(found[name] for name in COUNTS[:5]) == counts
    assert found["error_rate"] == counts[4] / seats
    assert found["abstain_rate"] == counts[2] / seats


def test_scores_and_codes_of_the_outage(store: Corpus) -> None:
    """Only votes have a score, 0.85 or 0.3; only `guided+retry` (E 3, F 2), of 0.17, has codes for its errors."""
    found = row(judge_table(store.filter(experiment_name="jury-outage")), judge="assertion-depth")
    assert found["scores"] == 19
    assert found["score_mean"] == pytest.approx((15 * 0.85 + 4 * 0.3) / 19)
    assert found["reason_codes"] == [
        {"status": "error", "reason_code": None, "seats": 9},
        {"status": "error", "reason_code": "judge_failed", "seats": 5},
    ]


def test_an_interval_over_items_that_occur_once_is_the_published_one(store: Corpus) -> None:
    """In `guided`, assertion-depth errs on E 3 and F 1 of the 11 items that reach the panel (all but G and T)."""
    found = row(judge_table(store.filter(variant="guided"), level=0.9), judge="assertion-depth")
    low, high = proportion_confint(4, 11, alpha=0.1, method="wilson")
    assert (found["errored"], found["seats"], found["error_ci_method"]) == (4, 11, "wilson")
    assert (found["error_ci_low"], found["error_ci_high"]) == (pytest.approx(low), pytest.approx(high))
    assert found["confidence_level"] == 0.9


def test_replaced_runs_and_judge_experiments_do_not_count(store: Corpus) -> None:
    """`coverage-uplift` has 22 items that count, 18 of them with a verdict, and 4 of a run that was judged again."""
    uplift = store.filter(experiment_name="coverage-uplift")
    judges = {one["judge"]: one["seats"] for one in judge_table(uplift).to_dicts()}
    again = {one["judge"]: one["seats"] for one in judge_table(uplift, evaluations="all").to_dicts()}
    assert again["build:gradle"] == judges["build:gradle"] + 4
    assert judge_table(store.filter(experiment_name="judge-calibration")).is_empty()


def test_members_of_meta_juries_are_marked_as_juries_and_who_stood_alone_is_told(store: Corpus) -> None:
    """`static`, `semantic` and `reader` in the stored file, item by item: pass pass fail (reader alone), fail pass fail
    (semantic alone), pass fail abstain, pass pass and no `reader` because it failed to execute, pass pass pass.
    """
    table = judge_table(store.filter(experiment_name="meta-panel"))
    members = table.filter(pl.col("path").list.len() == 0)
    assert members.select("judge", "is_jury", "alone", "alone_of").rows() == [
        ("reader", True, 1, 3),
        ("semantic", True, 1, 3),
        ("static", True, 0, 3),
    ]
    assert not table.filter(pl.col("path").list.len() > 0)["is_jury"].any()


# --- small verdicts ---


def test_statuses_sum_to_the_seats_and_unknown_and_missing_ones_are_kept_apart() -> None:
    table = judge_table(judged(jury({"a": status}) for status in STATUSES))
    found = row(table, judge="a")
    assert found["seats"] == found["items"] == 7
    assert [found[name] for name in COUNTS] == [1] * 7


def test_judges_without_a_name_and_of_the_same_name_are_told_apart_by_occurrence() -> None:
    """R69: names need not be unique; R70: without names all are empty."""
    twice = seated([("style", "pass"), ("style", "fail")])
    nameless = {"aggregated": judgment("fail"), "individual": [judgment("error"), judgment("pass")]}
    table = judge_table(judged([twice, nameless]))
    assert table.select("judge", "occurrence", "passed", "failed", "errored", "by_position").rows() == [
        ("", 1, 0, 0, 1, 1),
        ("", 2, 1, 0, 0, 1),
        ("style", 1, 1, 0, 0, 0),
        ("style", 2, 0, 1, 0, 0),
    ]


def test_names_that_only_tell_the_place_are_counted() -> None:
    verdict = seated([("Judge#1", "pass"), ("b", "pass")])
    verdict["seats"][0]["keySource"] = "POSITIONAL"
    assert judge_table(judged([verdict])).select("judge", "by_position").rows() == [("Judge#1", 1), ("b", 0)]


def test_standing_alone_needs_two_other_votes() -> None:
    verdicts = [
        jury({"a": "fail", "b": "pass", "c": "pass"}),  # a alone
        jury({"a": "pass", "b": "fail", "c": "fail", "d": "error"}),  # a alone; d didn't vote
        jury({"a": "pass", "b": "fail", "c": "abstain"}),  # two votes: nobody can be alone
        jury({"a": "pass", "b": "pass", "c": "fail", "d": "fail"}),  # two against two
        jury({"a": "pass", "b": "pass", "c": "pass"}),
    ]
    table = judge_table(judged(verdicts))
    assert table.select("judge", "alone", "alone_of", "alone_rate", "alone_note").rows() == [
        ("a", 2, 4, 0.5, None),
        ("b", 0, 4, 0.0, None),
        ("c", 0, 4, 0.0, None),
        ("d", 0, 1, 0.0, None),
    ]
    alone = judge_table(judged([jury({"a": "pass", "b": "fail"})]))
    assert alone.select("alone_rate", "alone_ci_low", "alone_ci_method", "alone_note").unique().rows() == [
        (None, None, None, NO_JURY_OF_THREE)
    ]


def test_the_same_item_in_two_runs_is_not_two_independent_items() -> None:
    rows = records([jury({"a": "error"}), jury({"a": "pass"})]) + records(
        [jury({"a": "pass"}), jury({"a": "pass"})], run="other"
    )
    found = row(judge_table(from_records(rows)), judge="a")
    once = row(judge_table(from_records(rows), by="run_id"), judge="a", run_id="run")
    assert (found["seats"], found["items"], found["error_rate"]) == (4, 2, 0.25)
    # item i0 errs in one of two runs, i1 in neither
    size = effective_size([1, 0], [2, 2]).effective_n
    assert size is not None
    assert found["error_effective_n"] == pytest.approx(size)
    low, high = proportion_confint(size / 4, size, method="wilson")
    assert (found["error_ci_low"], found["error_ci_high"]) == (pytest.approx(low), pytest.approx(high))
    assert (once["seats"], once["items"], once["error_ci_method"]) == (2, 2, "wilson")


def test_a_mean_of_scores_is_null_where_there_are_none() -> None:
    scores = (0.5, 0.0)
    table = judge_table(judged(jury({"a": judgment("pass", score=score), "b": "pass"}) for score in scores))
    assert table.select("judge", "scores", "score_mean").rows() == [("a", 2, 0.25), ("b", 0, None)]


def test_all_errored() -> None:
    table = judge_table(judged([jury({"a": "error", "b": "error"}, "error")] * 3, items=["x", "y", "z"]))
    assert table.select("judge", "seats", "errored", "error_rate", "error_ci_high", "abstain_rate").rows() == [
        ("a", 3, 3, 1.0, 1.0, 0.0),
        ("b", 3, 3, 1.0, 1.0, 0.0),
    ]


@pytest.mark.parametrize("by", [None, "variant", ["variant", "reading"], "run_id"])
def test_no_items_and_items_without_judges_give_no_rows(by: Any) -> None:
    names = [by] if isinstance(by, str) else by or []
    for empty in (
        concat([]),
        corpus_of({"run": [judged_item("ACCEPTED")]}),
        judged([{"aggregated": judgment("pass")}]),
    ):
        table = judge_table(empty, by)
        assert table.is_empty()
        assert table.columns == [*names, *JUDGE_TABLE_SCHEMA]
        assert [table.schema[name] for name in JUDGE_TABLE_SCHEMA] == list(JUDGE_TABLE_SCHEMA.values())


@pytest.mark.parametrize(
    ("arguments", "options", "error", "says"),
    [
        (["path"], {}, ColumnError, "'path' can't be grouped by: the result has such a column; say 'items.path' or"),
        (["passed"], {}, ColumnError, "'passed' can't be grouped by"),
        ([3], {}, ArgumentError, "`by` takes the name of a column"),
        ([], {"level": 95}, OptionError, "a confidence level lies between 0 and 1"),
        ([], {"evaluations": "last"}, OptionError, "choose one of latest, original, all"),
    ],
)
def test_wrong_calls_are_refused(
    arguments: list[Any], options: dict[str, Any], error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=says):
        judge_table(judged([jury({"a": "pass"})]), *arguments, **options)


def test_items_alone_are_refused() -> None:
    with pytest.raises(ArgumentError, match="counted in a Corpus, which has their tables, not in DataFrame"):
        judge_table(concat([]).items)  # type: ignore[arg-type]


# --- properties, against a count in plain Python ---

juries = st.dictionaries(st.sampled_from("abcd"), st.sampled_from(STATUSES), max_size=4)


def counted(verdicts: list[dict[str, str | None]]) -> dict[str, tuple[int, ...]]:
    """Seats, errors, abstentions, alone, could have been alone: by judge, one jury after the other."""
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for said in verdicts:
        for name, status in said.items():
            others = [vote for other, vote in said.items() if other != name and vote in {"pass", "fail"}]
            able = status in {"pass", "fail"} and len(others) >= 2
            found[name].update(
                {
                    "seats": 1,
                    "errored": status == "error",
                    "abstained": status == "abstain",
                    "alone": able and status not in others,
                    "alone_of": able,
                }
            )
    return {
        name: tuple(one[part] for part in ("seats", "errored", "abstained", "alone", "alone_of"))
        for name, one in sorted(found.items())
    }


@settings(max_examples=25)
@given(st.lists(juries, min_size=1, max_size=8))
def test_counts_are_those_of_plain_python(verdicts: list[dict[str, str | None]]) -> None:
    table = judge_table(judged(map(jury, verdicts)))
    rows = table.select("judge", "seats", "errored", "abstained", "alone", "alone_of").rows()
    assert {name: numbers for name, *numbers in rows} == {name: list(n) for name, n in counted(verdicts).items()}
    assert (table.select(pl.sum_horizontal(COUNTS)).to_series() == table["seats"]).all()
    for prefix in ("error", "abstain", "alone"):
        some = table.drop_nulls(f"{prefix}_ci_low")
        assert (some[f"{prefix}_ci_low"] <= some[f"{prefix}_rate"]).all()
        assert (some[f"{prefix}_rate"] <= some[f"{prefix}_ci_high"]).all()
    assert not table.select(pl.selectors.float().is_nan().any()).row(0).count(True)


@settings(max_examples=10)
@given(st.lists(juries, min_size=1, max_size=6), st.randoms())
def test_order_and_names_of_runs_and_items_change_nothing(verdicts: list[dict[str, str | None]], random: Any) -> None:
    rows = records(map(jury, verdicts))
    shuffled = [one | {"run_id": "elsewhere", "item_id": f"other {one['item_id']}"} for one in rows]
    random.shuffle(shuffled)
    assert judge_table(from_records(shuffled)).equals(judge_table(from_records(rows)))


def test_a_cascade_whose_root_repeats_its_tier_counts_like_the_tier_alone() -> None:
    tier = jury({"a": "fail", "b": "pass"}, "fail")
    cascade = tier | {"compositeAttempts": [attempt("gate", tier, policy="FINAL_TIER")]}
    drop = ("path", "is_jury")
    assert judge_table(judged([cascade])).drop(drop).equals(judge_table(judged([tier])).drop(drop))
