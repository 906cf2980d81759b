"""What a report says, and that each of its numbers knows the items that it stands for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib as mpl
import polars as pl
import pytest

from tests.statistics.corpora import corpus, judged, unjudged
from verdict_frames.errors import ArgumentError, ColumnError, OptionError
from verdict_frames.frames.corpus import Corpus, concat
from verdict_frames.frames.evaluation_assembly import evaluations_from_records, read_evaluations
from verdict_frames.frames.results import read_results
from verdict_frames.reporting import room
from verdict_frames.reporting.html import report_html
from verdict_frames.reporting.markdown import report_markdown
from verdict_frames.reporting.opening import report
from verdict_frames.reporting.value import Cell, CellKind, Column, Report, Table
from verdict_frames.review.packs import Pack

if TYPE_CHECKING:
    from collections.abc import Iterator

    from verdict_frames.frames.evaluations import Evaluations

OF_SEATS = ("What each judge said", "Checks, those", "How items went", "What the members")
"""Tables that count judgments, checks and entries, of which an item may have several."""
DATA = Path(__file__).resolve().parents[2] / "data"


@pytest.fixture(scope="module")
def sample() -> Corpus:
    return read_results(DATA / "results")


@pytest.fixture(scope="module")
def pack() -> Pack:
    return Pack.from_file(DATA / "evaluations" / "pack-2.json")


@pytest.fixture(scope="module")
def tickets(pack: Pack) -> Evaluations:
    return read_evaluations(DATA / "evaluations" / "stored.jsonl", pack=pack)


def tables(made: Report) -> Iterator[Table]:
    for section in made.sections:
        yield from (block for block in section.blocks if isinstance(block, Table))


def table(made: Report, caption: str) -> Table:
    (found,) = (one for one in tables(made) if one.caption.startswith(caption))
    return found


def counts(made: Report) -> Iterator[tuple[str, Column, Cell]]:
    for one in tables(made):
        for row in one.rows:
            yield from ((one.caption, column, cell) for column, cell in zip(one.columns, row, strict=True))


def by_name(one: Table) -> dict[object, dict[str, Cell]]:
    return {row[0].value: {c.label: cell for c, cell in zip(one.columns, row, strict=True)} for row in one.rows}


def test_the_first_screen_says_what_was_counted_by_hand(sample: Corpus) -> None:
    made = report(sample)
    numbers = {number.label: (number.value, number.basis) for number in made.headline.numbers}
    assert (
        made.headline.clauses[0][0]
        == "27 accepted of 55 eligible, 9 of them undecided (49.1 %, 95 % interval 33–65 % over 24 items)"
    )
    assert numbers["Pass rate"] == (
        "49.1 %",
        "27 accepted of 55 eligible; 95 % interval 33.5 % to 64.9 % over 24 items",
    )
    assert numbers["Recorded as passed"] == ("31.0 %", "27 of all 87 items; what would have been published")
    assert numbers["End to end"][0] == "44.3 %"
    assert "in 17 items" in numbers["Judges that erred"][1]
    assert [len(number.items or ()) for number in made.headline.numbers] == [55, 27, 61, 17]


def test_rates_and_what_is_outside_of_them_are_those_of_the_hand_count(sample: Corpus) -> None:
    made = report(sample)
    outage = by_name(table(made, "Pass rates by experiment"))["jury-outage"]
    assert (outage["accepted"].value, outage["eligible"].value, outage["pass rate"].value) == (12, 25, 0.48)
    outside = by_name(table(made, "Not counted"))
    assert {name: row["not assessed"].value for name, row in outside.items()} == {
        "coverage-uplift": 1, "judge-calibration": 0, "jury-outage": 14, "meta-panel": 1, "pr-triage": 2,
    }  # fmt: skip
    assert outside["judge-calibration"]["left out"].value == 5


@pytest.mark.parametrize("by", [None, "variant", ["experiment_name", "variant"], "reading", "conditions.agent.model"])
def test_a_count_stands_for_as_many_items(sample: Corpus, by: str | list[str] | None) -> None:
    checked = 0
    for caption, column, cell in counts(report(sample, by)):
        if cell.items is None or column.kind is not CellKind.COUNT or column.label == "defects":
            continue
        if any(caption.startswith(start) for start in OF_SEATS):
            assert isinstance(cell.value, int)
            assert len(cell.items) <= cell.value
            assert bool(cell.items) == bool(cell.value)
            continue
        assert len(cell.items) == cell.value, (caption, column.label)
        assert list(cell.items) == sorted(set(cell.items))
        checked += 1
    assert checked > 30


def test_the_items_behind_a_count_are_the_right_ones(sample: Corpus) -> None:
    made = report(sample, "variant")
    guided = by_name(table(made, "Not counted"))["guided"]["not assessed"]
    labels = [column.label for column in made.items.columns]
    rows = [dict(zip(labels, made.items.rows[item], strict=True)) for item in guided.items or ()]
    assert len(rows) == 4
    assert {(row["variant"], row["reading"], row["counted as"]) for row in rows} == {
        ("guided", "not assessed", "instrument failures")
    }


def test_sections_come_from_what_there_is(sample: Corpus) -> None:
    assert [section.key for section in report(sample, "variant").sections] == [
        "rates", "bounds", "grid", "stages", "judges", "cost", "audit", "defects", "problems", "provenance",
    ]  # fmt: skip
    assert [section.key for section in report(concat([])).sections] == ["rates", "bounds", "provenance"]


def test_every_item_has_a_detail_that_holds_all_of_its_verdict(sample: Corpus) -> None:
    made = report(sample)
    assert len(made.items.rows) == 96
    assert [ordinal for ordinal, _ in made.items.details] == list(range(96))
    assert made.items.note == ""
    texts = str(made.items.details)
    for name in sample.seats["name"].unique():
        assert name in texts
    for note in sample.defects["note"].unique():
        assert repr(note)[1:-1] in texts or note in texts


def test_beyond_some_number_the_details_are_of_the_items_that_matter(
    sample: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "DETAILED", 50)
    made = report(sample)
    labels = [column.label for column in made.items.columns]
    place = labels.index("counted as")
    detailed = {ordinal for ordinal, _ in made.items.details}
    expected = {
        ordinal for ordinal, row in enumerate(made.items.rows) if row[place] not in ("passes", "excluded", "left out")
    }
    assert detailed == expected
    assert made.items.note.startswith(f"{len(expected)} of 96 items open to their details")


def test_details_stop_where_there_is_no_room(sample: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "CHARACTERS", 20_000)
    made = report(sample)
    assert 0 < len(made.items.details) < 96
    contradicted = {row for row, support in enumerate(sample.items["reading_support"]) if support == "CONTRADICTED"}
    assert contradicted <= {ordinal for ordinal, _ in made.items.details}


def test_equal_input_gives_equal_bytes_and_leaves_settings_alone(sample: Corpus) -> None:
    before = dict(mpl.rcParams)
    first, second = report(sample, "variant"), report(read_results(DATA / "results"), "variant")
    assert first == second
    assert report_html(first) == report_html(second)
    assert report_markdown(first) == report_markdown(second)
    assert dict(mpl.rcParams) == before


@pytest.mark.parametrize(
    "items",
    [
        {},
        {"run": []},
        {"run": [judged("ACCEPTED")]},
        {"run": [judged("NOT_APPLICABLE"), judged("NOT_ASSESSED"), unjudged(success=False)]},
        {"run": [judged("ACCEPTED", item_id="a"), judged("ACCEPTED", item_id="b")]},
    ],
    ids=["empty", "no items", "one", "all outside", "all passed"],
)
def test_small_corpora_have_a_report(items: dict[str, list[dict[str, object]]]) -> None:
    made = report(corpus(items))
    assert len(made.items.rows) == sum(map(len, items.values()))
    assert "<h1>Verdicts</h1>" in report_html(made)
    assert report_markdown(made).startswith("## Verdicts\n")


def test_a_grid_shows_trials_in_their_order() -> None:
    rows = [judged("ACCEPTED", item_id="a"), judged("REJECTED", item_id="b")]
    other = [judged("NOT_ASSESSED", item_id="a")]
    made = report(corpus({"1": rows, "2": other, "3": rows}, variant={"1": "x", "2": "y", "3": "x"}), "variant")
    grid = by_name(table(made, "What became of each item by variant"))
    assert {label: cell.value for label, cell in grid["a"].items()} == {
        "item": "a", "x": "accepted × 2", "y": "not assessed",
    }  # fmt: skip
    assert grid["b"]["y"].value is None
    assert grid["a"]["x"].items == (0, 3)


def test_a_baseline_is_compared_item_by_item(sample: Corpus) -> None:
    outage = sample.filter(experiment_name="jury-outage")
    made = report(outage, "variant", baseline="baseline")
    assert [section.key for section in made.sections][:3] == ["rates", "comparison", "bounds"]
    guided = by_name(table(made, "Each treatment beside the baseline baseline"))["guided"]
    assert [guided[name].value for name in ("pairs", "wins", "losses", "lost")] == [5, 1, 2, 8]
    assert [len(guided[name].items or ()) for name in ("pairs", "wins", "losses", "lost")] == [10, 2, 4, 16]
    changed = table(made, "Items that changed")
    labels = [column.label for column in made.items.columns]
    for row in changed.rows:
        trials = [dict(zip(labels, made.items.rows[item], strict=True)) for item in row[-1].items or ()]
        assert {trial["variant"] for trial in trials} == {"baseline", row[0].value}
    transitions = table(made, "From state to state")
    assert sum(row[-1].value for row in transitions.rows if isinstance(row[-1].value, int)) == 26
    assert all(
        len(row[-1].items or ()) == 2 * row[-1].value for row in transitions.rows if isinstance(row[-1].value, int)
    )


def test_items_that_changed_have_a_detail(sample: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "DETAILED", 10)
    outage = sample.filter(experiment_name="jury-outage")
    plain = {ordinal for ordinal, _ in report(outage, "variant").items.details}
    made = report(outage, "variant", baseline="baseline")
    changed = {item for row in table(made, "Items that changed").rows for item in row[-1].items or ()}
    assert changed - plain
    assert changed | plain == {ordinal for ordinal, _ in made.items.details}


def test_unlike_runs_are_not_compared_and_the_report_says_why(sample: Corpus) -> None:
    made = report(sample, "variant", baseline="simple")
    (section,) = (section for section in made.sections if section.key == "comparison")
    (note,) = section.blocks
    assert "No comparison: " in report_markdown(made)
    assert "allow" in str(note)
    allowed = report(sample, "variant", baseline="simple", allow=["instrument", "description_version", "dataset"])
    assert table(allowed, "Each treatment").rows


def test_stored_evaluations_are_reported_by_hand_count(tickets: Evaluations, pack: Pack) -> None:
    made = report(tickets, pack=pack)
    assert [section.key for section in made.sections] == [
        "rates", "questions", "sweeps", "usage", "problems", "provenance",
    ]  # fmt: skip
    assert [(number.label, number.value) for number in made.headline.numbers] == [
        ("Accept rate", "51.5 %"), ("Failed", "7.2 %"), ("Invalid answers", "2.7 %"),
    ]  # fmt: skip
    second = by_name(table(made, "Accept rates by pack version"))["2"]
    assert (second["accepted"].value, second["failed"].value, second["all"].value) == (120, 21, 273)
    questions = by_name(table(made, "Questions that send"))
    assert {name: row["sent to review"].value for name, row in questions.items()} == {
        "queue": 100, "urgency": 24, "refund": 28, "language": 0,
    }  # fmt: skip
    for _, column, cell in counts(made):
        if cell.items is not None and column.kind is CellKind.COUNT and column.label != "keys":
            assert len(cell.items) == cell.value
    assert len(made.items.details) == 293


def test_without_a_pack_stored_reasons_lead_to_their_evaluations(tickets: Evaluations) -> None:
    made = report(tickets, "outcome")
    queue = by_name(table(made, "Questions that send"))["queue"]["sent to review"]
    assert queue.value == len(queue.items or ())
    assert "sweeps" not in [section.key for section in made.sections]


def test_no_evaluations_have_a_report() -> None:
    made = report(evaluations_from_records([]))
    assert made.headline.numbers[0].value == "–"
    assert "<h1>Stored evaluations</h1>" in report_html(made)


def test_wrong_calls_are_refused_in_one_line(sample: Corpus, tickets: Evaluations, pack: Pack) -> None:
    with pytest.raises(ArgumentError, match="a Corpus or Evaluations are needed, not DataFrame"):
        report(pl.DataFrame())  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="a title is text, not int"):
        report(sample, title=3)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="a pack belongs to stored evaluations"):
        report(sample, pack=pack)
    with pytest.raises(ArgumentError, match="a baseline belongs to judged runs"):
        report(tickets, baseline="1")
    with pytest.raises(OptionError, match="a baseline is one value of the one column that is grouped by, not of 2"):
        report(sample, ["variant", "session"], baseline="simple")
    with pytest.raises(OptionError, match="no such variant"):
        report(sample, "variant", baseline="no such variant")
    with pytest.raises(OptionError, match="there is no policy named 'results-only'"):
        report(sample, policy="results-only")
    with pytest.raises(ColumnError):
        report(sample, "no such column")
    with pytest.raises(ColumnError):
        report(tickets, "no such column")
    for render in (report_html, report_markdown):
        with pytest.raises(ArgumentError, match=r"what verdict_frames\.report returns is needed, not Corpus"):
            render(sample)  # type: ignore[arg-type]


def test_a_report_says_shortly_what_it_is(sample: Corpus) -> None:
    made = report(sample.filter(experiment_name="meta-panel"), title="T")
    assert (
        repr(made)
        == "Report('T', sections: rates, bounds, stages, judges, cost, audit, defects, problems, provenance, items: 5)"
    )
