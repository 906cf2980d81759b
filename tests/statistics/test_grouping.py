from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

from tests.statistics.corpora import corpus, items_frame, judged
from verdict_frames.errors import ArgumentError, ColumnError
from verdict_frames.statistics.grouping import group_items
from verdict_frames.statistics.tally import tally

if TYPE_CHECKING:
    from verdict_frames.frames.corpus import Corpus


@pytest.fixture
def held() -> Corpus:
    return corpus(
        {
            "x": [
                judged("ACCEPTED", item_slug="s", cost_usd=0.5, total_tokens=10),
                judged("REJECTED", total_tokens=20),
            ],
            "y": [judged("ACCEPTED", total_tokens=10)],
            "z": [],
        },
        facts=[
            {"run_id": "x", "source": "condition", "name": "model", "value": "m1"},
            {"run_id": "z", "source": "condition", "name": "model", "value": "m2"},
            {"run_id": "y", "source": "condition", "name": "agent.model", "value": "dotted"},
            {"run_id": "y", "source": "metadata", "name": "model", "value": "of metadata"},
            {"run_id": "x", "source": "score", "name": "quality", "value": "0.25"},
        ],
        variant={"x": "simple", "y": "simple", "z": "complex"},
        total_tokens={"x": 30, "y": 10},
    )


def groups(held: Corpus, by: str | list[str]) -> list[tuple[Any, ...]]:
    names = [by] if isinstance(by, str) else by
    return tally(held, by).select(*names, "total").rows()


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        ("variant", [("complex", 0), ("simple", 3)]),
        ("runs.variant", [("complex", 0), ("simple", 3)]),
        ("item_slug", [("s", 1), (None, 2)]),
        ("reading", [("ACCEPTED", 2), ("REJECTED", 1)]),
        ("items.reading", [("ACCEPTED", 2), ("REJECTED", 1)]),
        ("passed", [(False, 1), (True, 2)]),
        ("cost_usd", [(0.5, 1), (None, 2)]),
        ("run_id", [("x", 2), ("y", 1), ("z", 0)]),
        ("runs.run_id", [("x", 2), ("y", 1), ("z", 0)]),
        ("items.run_id", [("x", 2), ("y", 1)]),
        ("runs.total_tokens", [(10, 1), (30, 2), (None, 0)]),
        ("items.total_tokens", [(10, 2), (20, 1)]),
        ("conditions.model", [("m1", 2), ("m2", 0), (None, 1)]),
        ("conditions.agent.model", [("dotted", 1), (None, 2)]),
        ("metadata.model", [("of metadata", 1), (None, 2)]),
        ("scores.quality", [("0.25", 2), (None, 1)]),
        (["conditions.model", "variant"], [("m1", "simple", 2), ("m2", "complex", 0), (None, "simple", 1)]),
        (["variant", "passed"], [("simple", False, 1), ("simple", True, 2)]),
        (["runs.total_tokens", "items.total_tokens"], [(10, 10, 1), (30, 10, 1), (30, 20, 1)]),
    ],
)
def test_names_of_items_runs_and_run_facts(held: Corpus, by: str | list[str], expected: list[tuple[Any, ...]]) -> None:
    assert groups(held, by) == expected


def test_a_name_that_two_tables_have_must_be_qualified(held: Corpus) -> None:
    with pytest.raises(ColumnError, match=r"'total_tokens'; say 'items\.total_tokens' or 'runs\.total_tokens'"):
        tally(held, "total_tokens")


def test_an_unknown_name_brings_close_ones_and_some_that_there_are(held: Corpus) -> None:
    with pytest.raises(ColumnError) as raised:
        tally(held, ["variant", "varient"])
    message = str(raised.value)
    assert "no column 'varient'; did you mean 'variant'?" in message
    assert "conditions.agent.model, conditions.model, metadata.model, scores.quality" in message
    assert "\n" not in message
    with pytest.raises(ColumnError, match=r"did you mean 'conditions\.model'"):
        tally(held, "conditions.mode")


def test_an_unknown_name_lists_a_dozen_names_and_counts_the_others(held: Corpus) -> None:
    with pytest.raises(ColumnError) as raised:
        tally(held, "zzz")
    message = str(raised.value)
    listed = re.sub(r" and \d+ more|(items|runs|run facts): ", "", message.split("available are ")[1])
    assert len(re.split("[,;] ", listed)) == 12
    assert f"items: run_id, item_index, item_id, item_slug and {held.items.width - 4} more; runs: " in message
    assert f" and {held.runs.width - 4} more; run facts: conditions." in message
    assert message.endswith("conditions.agent.model, conditions.model, metadata.model, scores.quality")
    with pytest.raises(ColumnError, match=r"run_id, item_index, item_id, item_slug, success, .* and \d+ more \(these"):
        tally(held.items, "zzz")


def test_names_of_facts_that_cannot_be_printed_are_shown_escaped() -> None:
    facts = [{"run_id": "x", "source": "condition", "name": "a\n\x1b[31mred", "value": "v"}]
    facts += [{"run_id": "x", "source": "condition", "name": "long" * 1000, "value": "v"}]
    with pytest.raises(ColumnError) as raised:
        tally(corpus({"x": []}, facts=facts), "zzz\n")
    message = str(raised.value)
    assert message.isprintable()
    assert "no column 'zzz\\n'" in message
    assert "run facts: 'conditions.a\\n\\x1b[31mred', conditions.longlong" in message
    assert len(message) < 500


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("variant,passed", "; names are given one by one, as 'variant' and 'passed'; available are"),
        ("conditions.model, runs.variant", "; names are given one by one, as 'conditions.model' and 'runs.variant';"),
        ("variant,total_tokens", "; names are given one by one, as 'variant' and 'total_tokens';"),
    ],
)
def test_names_given_as_one_are_told_apart(held: Corpus, name: str, hint: str) -> None:
    with pytest.raises(ColumnError, match=re.escape(f"no column {name!r}{hint}")):
        tally(held, name)


@pytest.mark.parametrize("name", ["variant,", "variant,varient", ",", "conditions.model,metadata.none"])
def test_a_comma_between_what_is_unknown_is_no_list(held: Corpus, name: str) -> None:
    with pytest.raises(ColumnError) as raised:
        tally(held, name)
    assert "one by one" not in str(raised.value)


@pytest.mark.parametrize("name", ["stored_difference", "decided_by_path", "copies", "runs.copies"])
def test_lists_are_refused(held: Corpus, name: str) -> None:
    with pytest.raises(ColumnError, match=rf"'{name}' can't be grouped by: its values are of type List\(String\)"):
        tally(held, name)


def test_items_alone_know_their_own_columns_and_say_what_needs_a_corpus(held: Corpus) -> None:
    own = held.items.with_columns(team=pl.Series(["red", "blue", None]))
    assert tally(own, "team").select("team", "total").rows() == [("blue", 1), ("red", 1), (None, 1)]
    assert tally(own, "run_id")["run_id"].to_list() == ["x", "y"]
    assert tally(own, "total_tokens")["total_tokens"].to_list() == [10, 20]
    for name in ("variant", "conditions.model"):
        with pytest.raises(ColumnError, match=r"items alone: to group by runs and run facts, give the corpus\)$"):
            tally(own, name)
    with pytest.raises(ColumnError, match=r"type List\(String\); choose a column of single values$"):
        tally(own, "decided_by_path")


@pytest.mark.parametrize("by", [3, ["variant", 3], {"variant"}, pl.DataFrame({"variant": [1]})])
def test_what_is_no_name_is_refused(held: Corpus, by: Any) -> None:
    with pytest.raises(ArgumentError, match="`by` takes the name of a column or a list of names") as raised:
        tally(held, by)
    assert "\n" not in str(raised.value)


def test_a_name_given_twice_is_refused(held: Corpus) -> None:
    with pytest.raises(ColumnError, match="given twice to group by: variant, variant"):
        tally(held, ["variant", "variant"])


def test_grouping_keeps_items_as_they_are_and_in_order(held: Corpus) -> None:
    grouped = group_items(held, ("variant", "conditions.model", "items.reading"))
    items = grouped.items.collect()
    assert items.select(held.items.columns).equals(held.items)
    assert items.columns == [*held.items.columns, "items.reading", "variant", "conditions.model"]
    assert grouped.run_groups is None
    assert group_items(items_frame([]), "reading").run_groups is None
