from __future__ import annotations

from tests.statistics.corpora import corpus, judged
from verdict_frames.frames.in_memory import from_records
from verdict_frames.reporting.hints import hints
from verdict_frames.statistics.tally import tally


def test_a_group_column_that_no_run_has_is_told() -> None:
    held = corpus({"x": [judged("ACCEPTED")], "y": [judged("ACCEPTED")]}, session={"x": "s"})
    (line,) = hints(held, tally(held, ["variant", "session"]), ["variant", "session"])
    assert line.startswith("no run has a variant; --path-pattern, such as '{variant}/{repeat}.json'")
    assert hints(held, tally(held, "session"), ["session"]) == []
    empty = corpus({})
    assert hints(empty, tally(empty, "variant"), ["variant"]) == []


def test_statuses_that_are_no_known_word_are_told_r14() -> None:
    known, unknown = ({"aggregated": {"status": status}} for status in ("pass", "failed"))
    held = from_records([known, unknown, unknown])
    (line,) = hints(held, tally(held), [])
    assert line.startswith("2 items have a status that is no known word")
    one = from_records([known, unknown])
    assert hints(one, tally(one), [])[0].startswith("1 item has")
    assert hints(from_records([known]), tally(held), []) == []
