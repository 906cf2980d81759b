"""How results show themselves: the same way, shortly, and with other people's text inert."""

from __future__ import annotations

import re
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

import verdict_frames as vf
from tests.documents.test_html_tables import Cells

if TYPE_CHECKING:
    from collections.abc import Callable

NASTY = "<script>alert('x')</script>\u202e\x1b[31m\"&"
LONG = NASTY * 3000
TAGS = {"div", "p", "strong", "table", "thead", "tbody", "tr", "th", "td", "ul", "li"}


@cache
def corpus(name: str, items: int = 3) -> vf.Corpus:
    """Two variants and their judges and stages, all of which are called by this name."""
    votes = [{"status": "pass"}, {"status": "fail"}, {"status": "error"}]

    def verdict(place: int) -> dict[str, Any]:
        judges = {f"{name} one": votes[place % 3], f"{name} two": votes[place % 2], f"{name} three": votes[0]}
        inner = {"aggregated": votes[place % 3], "individualByName": judges}
        stage = {"name": name, "relation": "cascade_tier", "policy": name, "disposition": "used", "verdict": inner}
        return {"aggregated": votes[place % 3], "individualByName": judges, "compositeAttempts": [stage]}

    return vf.from_records(
        {
            "run_id": f"{variant} {repeat}",
            "variant": variant,
            "item_id": f"{name} {place}",
            "passed": place % 2 == 0,
            "verdict": verdict(place + repeat),
        }
        for variant in (f"{name} a", f"{name} b")
        for repeat in range(2)
        for place in range(items)
    )


@cache
def evaluations(name: str) -> tuple[vf.Evaluations, vf.Pack, pl.DataFrame]:
    """Twelve tickets with a question of this name, their pack and their labels."""
    criteria = {name: "", "other": ""}
    question = {"type": "choice", "criteria": criteria, "review": {"minSelectedProbability": 0.5}}
    pack = vf.Pack.from_dict({"id": name, "version": name, "questions": {name: question}})
    rows = [
        {
            "status": "accept",
            "ticketId": f"{name} {place}",
            "packId": name,
            "packVersion": name,
            "answers": {name: {"type": "choice", "choice": name, "probabilities": {name: 0.4 + place / 20}}},
        }
        for place in range(12)
    ]
    stored = vf.evaluations_from_records(rows)
    tickets = [f"{name} {place}" for place in range(12)]
    return stored, pack, pl.DataFrame({"ticket_id": tickets, "question_id": name, "gold": [name, "other"] * 6})


def sweep_of(name: str) -> Any:
    stored, pack, labels = evaluations(name)
    return vf.sweep(stored, pack, f"{name}.minSelectedProbability", labels=labels)


def exported(name: str) -> Any:
    """What could not be read, of a file whose path has this name as far as a file system can hold it."""
    folder = Path(tempfile.mkdtemp()) / name[:20].replace("/", "_")
    folder.mkdir()
    (folder / f"x{name[20:60].replace('/', '_')}.json").write_text('{"aggregated"', encoding="utf-8")
    return vf.export_results(folder, tempfile.mkdtemp())


RESULTS: dict[str, Callable[[str], Any]] = {
    "Corpus": corpus,
    "Comparison": lambda name: vf.compare(corpus(name), by="variant", baseline=f"{name} a"),
    "Audit": lambda name: vf.audit(corpus(name), by="variant"),
    "Bounds": lambda name: vf.bounds(corpus(name), by="variant"),
    "PassAtK": lambda name: vf.pass_at_k(corpus(name), 2, by="variant"),
    "StageFunnel": lambda name: vf.stage_funnel(corpus(name), by="variant"),
    "Agreement": lambda name: vf.agreement(corpus(name), by="variant", resamples=100),
    "Evaluations": lambda name: evaluations(name)[0],
    "Sweep": sweep_of,
    "Exported": exported,
    "Recheck": lambda name: vf.recheck(*evaluations(name)[:2]),
    "Reliability": lambda name: vf.reliability(evaluations(name)[0], evaluations(name)[2], name),
}


@pytest.mark.parametrize("name", [NASTY, LONG], ids=["nasty", "long"])
@pytest.mark.parametrize("kind", RESULTS)
def test_results_show_other_peoples_text_inert_and_short(kind: str, name: str) -> None:
    found = RESULTS[kind](name)
    page, text = found._repr_html_(), repr(found)
    cells = Cells(page)
    assert set(cells.tags) <= TAGS
    assert cells.attributes == []
    assert "\u202e" not in page + text
    assert "\x1b" not in page + text
    assert "&lt;script&gt;" in page
    assert len(page) < 40_000
    assert len(text) < 500
    assert "\n" not in text


@pytest.mark.parametrize("kind", RESULTS)
def test_results_name_themselves_and_count_the_rows_of_their_tables(kind: str) -> None:
    found = RESULTS[kind]("plain")
    assert re.fullmatch(rf"{kind}\((?:[\w ]+: [^,]+, )*[\w ]+: [^,]+\)", repr(found))
    page = found._repr_html_()
    assert page.startswith(f"<div><p><strong>{kind}</strong></p>")
    shown = dict(re.findall(r"(\w+): (\d+)", repr(found)))
    counts = Cells(page.split("</table>")[0] + "</table>").cells
    tables = counts[: len(counts) // 2]
    assert tables
    assert [shown[table] for table in tables] == counts[len(counts) // 2 :]


def test_texts_at_the_prompt() -> None:
    assert {kind: repr(make("plain")) for kind, make in RESULTS.items() if kind not in ("Corpus", "Audit")} == {
        "Comparison": "Comparison(overall: 1, items: 3, transitions: 1, lost: 0, not_assessed: 8, differences: 0, "
        "baseline: plain a, policy: agent-judge-0.17)",
        "Bounds": "Bounds(policies: 8, causes: 14, policy: agent-judge-0.17)",
        "PassAtK": "PassAtK(items: 6, overall: 4, k: 2)",
        "StageFunnel": "StageFunnel(tiers: 2, members: 0, others: 0)",
        "Agreement": "Agreement(pairs: 6, juries: 2, missing: missing, within: jury, level: 0.95)",
        "Evaluations": "Evaluations(evaluations: 12, answers: 12, review_reasons: 0, sources: 0, problems: 0)",
        "Sweep": "Sweep(steps: 13, threshold: plain.minSelectedProbability, in the pack: 0.5, decided: 12, failed: 0, "
        "answers not recorded: 0, labelled: 12)",
        "Exported": "Exported(sources: 1, problems: 1, runs: 0, items: 0)",
        "Recheck": "Recheck(rows: 12, summary: 1)",
        "Reliability": "Reliability(bins: 10, question: plain, count: 12, left out: 0, brier: 0.335417, ece: 0.2)",
    }


def test_bounds_show_the_causes_that_occur_and_all_together() -> None:
    page = vf.bounds(corpus("plain"), by="variant")._repr_html_()
    causes = re.findall(r"<td>(plain [ab])</td><td>(\w+)</td><td>(\d+)</td>", page)
    assert causes == [
        ("plain a", "not_assessed", "2"),
        ("plain a", "all", "2"),
        ("plain b", "not_assessed", "2"),
        ("plain b", "all", "2"),
    ]


def test_a_long_sweep_shows_the_steps_around_the_threshold_of_the_pack() -> None:
    stored = vf.evaluations_from_records(
        {"status": "accept", "answers": {"q": {"type": "choice", "choice": "a", "probabilities": {"a": place / 100}}}}
        for place in range(100)
    )
    floors = {0.0: 0.0, 0.5: 0.45, 0.99: 0.91}
    for floor, first in floors.items():
        rule = {"minSelectedProbability": floor}
        pack = vf.Pack.from_dict({"questions": {"q": {"type": "choice", "review": rule}}})
        page = vf.sweep(stored, pack, "q.minSelectedProbability")._repr_html_()
        rows = re.findall(r"<tr><td>([\d.]+)</td>", page.split("</table>")[1])
        assert [float(value) for value in rows] == [round(first + step / 100, 2) for step in range(10)]
        assert "and 91 more rows of steps" in page


@pytest.mark.parametrize(
    ("relation", "columns"),
    [
        ("cascade_tier", "<th>path</th><th>tier</th><th>entered</th>"),
        ("meta_member", "<th>path</th><th>member</th><th>listed</th>"),
        ("odd", "<th>relation</th><th>stages</th><th>items</th>"),
    ],
)
def test_a_funnel_shows_the_first_of_its_tables_that_has_rows(relation: str, columns: str) -> None:
    member = {"name": "m", "relation": relation, "verdict": {"aggregated": {"status": "pass"}}}
    verdict = {"aggregated": {"status": "pass"}, "compositeAttempts": [member]}
    assert columns in vf.stage_funnel(vf.from_records([verdict]))._repr_html_()


def test_nothing_shows_itself_as_nothing() -> None:
    empty = vf.concat([])
    for found in (empty, vf.audit(empty), vf.stage_funnel(empty), vf.agreement(empty)):
        page = found._repr_html_()
        assert "None" not in page + repr(found)
        assert "more row" not in page
    assert "<td>all</td><td>0</td><td>0</td><td>0</td><td>–</td>" in vf.bounds(empty)._repr_html_()
