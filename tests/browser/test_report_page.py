"""The page in a real browser: it sorts, filters, leads from numbers to items, opens these, and asks no network."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import Watched
from tests.reporting.pages import HOSTILE, hostile_corpus
from verdict_frames.frames.evaluation_assembly import read_evaluations
from verdict_frames.frames.in_memory import from_records
from verdict_frames.frames.results import read_results
from verdict_frames.reporting.html import report_html
from verdict_frames.reporting.opening import report
from verdict_frames.reporting.printable import printable
from verdict_frames.review.packs import Pack

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Locator, Page, ViewportSize

DATA = Path(__file__).resolve().parents[2] / "data"
WIDE: ViewportSize = {"width": 1280, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}

expect = pytest.importorskip("playwright.sync_api", reason="the extra `browser` isn't installed").expect
pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    pack = Pack.from_file(DATA / "evaluations" / "pack-2.json")
    made = {
        "results": report(read_results(DATA / "results"), "variant"),
        "evaluations": report(read_evaluations(DATA / "evaluations" / "stored.jsonl", pack=pack), pack=pack),
        "hostile": report(hostile_corpus(), "variant", title=HOSTILE["closing"]),
        "long": report(from_records([{"aggregated": {"status": "fail", "reasoning": "x" * 100_000}}])),
    }
    for name, one in made.items():
        (folder / f"{name}.html").write_text(report_html(one), encoding="utf-8")
    return {name: folder / f"{name}.html" for name in made}


@pytest.fixture
def results(browser: Browser, files: dict[str, Path]) -> Iterator[Watched]:
    watched = Watched(browser.new_page(viewport=WIDE), files["results"])
    yield watched
    assert watched.requests == []
    assert watched.said == []
    watched.page.close()


def column(table: Locator, place: int) -> list[str]:
    return table.locator(f"tbody tr > :nth-child({place})").all_inner_texts()


def test_a_table_sorts_by_mouse_and_by_keyboard(results: Watched) -> None:
    rates = results.page.locator("table.sortable").first
    head = rates.locator("thead th").nth(3)
    assert head.inner_text().strip() == "accepted"
    before = [int(text) for text in column(rates, 4)]
    head.click()
    expect(head).to_have_attribute("aria-sort", "ascending")
    assert [int(text) for text in column(rates, 4)] == sorted(before)
    head.locator("[role=button]").focus()
    results.page.keyboard.press("Enter")
    expect(head).to_have_attribute("aria-sort", "descending")
    assert [int(text) for text in column(rates, 4)] == sorted(before, reverse=True)


def test_the_items_filter_by_what_is_typed(results: Watched) -> None:
    box = results.page.get_by_role("searchbox").last
    box.fill("cache-stampede")
    rows = results.page.locator("#item-table tbody tr")
    expect(rows).to_have_count(3)
    assert all("cache-stampede" in text for text in rows.all_inner_texts())
    box.fill("no such item")
    expect(rows).to_have_text(["No matching records found"])


def test_a_number_leads_to_its_items_and_an_item_opens(results: Watched) -> None:
    page = results.page
    row = page.locator("table.sortable").nth(1).locator("tbody tr", has_text="guided").filter(has_not_text="retry")
    row.get_by_role("link").first.click()
    said = "4 items: Not counted by variant, and why · guided · not assessed Show all items"
    expect(page.locator("#chosen")).to_have_text(said)
    expect(page.locator("#items")).to_be_focused()
    items = page.locator("#item-table")
    assert column(items, 2) == ["guided"] * 4
    first = items.locator("tbody a").first
    name = first.inner_text()
    first.click()
    opened = page.get_by_role("dialog")
    expect(opened.get_by_role("heading", level=2)).to_have_text(name)
    heads = opened.get_by_role("heading", level=3).all_inner_texts()
    assert heads[:2] == ["Summary", "Stage root"]
    assert any(head.startswith("Stage ") for head in heads[2:])
    assert opened.get_by_role("heading", level=4).count() >= 2
    assert opened.get_by_text("NOT_ASSESSED: the jury could not assess the subject", exact=True).count() == 1
    page.keyboard.press("Escape")
    expect(opened).to_be_hidden()
    page.wait_for_function("location.hash.startsWith('#selection-')")
    page.get_by_role("link", name="Show all items").click()
    expect(page.locator("#chosen")).to_be_empty()


def test_an_address_opens_what_it_names(browser: Browser, files: dict[str, Path]) -> None:
    page = browser.new_page()
    page.goto(files["results"].as_uri() + "#item-90")
    page.wait_for_selector("html.ready")
    expect(page.get_by_role("dialog").get_by_role("heading", level=2)).to_have_text("relay:retry-budget")
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.evaluate("location.hash = '#selection-99999'")
    page.evaluate("location.hash = '#item-99999'")
    page.evaluate("location.hash = '#items'")
    expect(page.locator("#items")).to_be_focused()
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.close()


def test_everything_can_be_reached_by_keyboard(results: Watched) -> None:
    page = results.page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the report"
    assert page.locator(".skip").bounding_box()["x"] > 0  # type: ignore[index]
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "49.1 %"
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"


def test_on_paper_there_are_no_controls_and_every_chosen_item(results: Watched) -> None:
    page = results.page
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert not page.get_by_role("searchbox").last.is_visible()
    assert not page.get_by_role("navigation").first.is_visible()
    expect(page.locator("#item-table tbody tr")).to_have_count(96)
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(page.locator("#item-table tbody tr")).to_have_count(25)


@pytest.mark.parametrize("name", ["results", "evaluations", "hostile"])
@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
def test_an_accessibility_check_finds_nothing(
    browser: Browser,
    files: dict[str, Path],
    accessibility_faults: Callable[[Page], list[str]],
    name: str,
    viewport: ViewportSize,
) -> None:
    watched = Watched(browser.new_page(viewport=viewport), files[name])
    assert accessibility_faults(watched.page) == []
    thing = "evaluation" if name == "evaluations" else "item"
    watched.at(f"#{thing}-5")
    expect(watched.page.get_by_role("dialog")).to_be_visible()
    assert accessibility_faults(watched.page) == []
    assert watched.page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
    watched.page.close()


def test_hostile_texts_do_nothing_and_show(browser: Browser, files: dict[str, Path]) -> None:
    watched = Watched(browser.new_page(viewport=WIDE), files["hostile"])
    page = watched.page
    assert page.title() == HOSTILE["closing"]
    page.locator("table.sortable thead th").first.click()
    box = page.get_by_role("searchbox").last
    for place, (name, text) in enumerate(HOSTILE.items()):
        shown = printable(text, one_line=True)
        box.fill(f"{name} ")
        first = page.locator("#item-table tbody tr").first.locator("td").first
        expect(first).to_have_text(f"{name} {shown}")
        assert first.inner_text() == f"{name} {shown}"
        watched.at(f"#item-{place}")
        opened = page.get_by_role("dialog")
        expect(opened.get_by_role("heading", level=2)).to_have_text(f"{name} {shown}")
        opened.get_by_role("heading", name=f"Judge 0 judge {shown}", exact=True).wait_for()
        page.get_by_role("button", name="Close").click()
        expect(opened).to_be_hidden()
    assert page.title() == HOSTILE["closing"]
    assert page.locator("h1").count() == 1
    assert watched.requests == []
    assert watched.said == []
    page.close()


def test_the_policy_stops_what_would_still_get_in(browser: Browser, files: dict[str, Path]) -> None:
    watched = Watched(browser.new_page(), files["results"])
    watched.page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"document.title=1\">')")
    for _ in range(100):
        if watched.said:
            break
        watched.page.wait_for_timeout(50)
    assert any("Content Security Policy" in said for said in watched.said)
    assert watched.page.title() == "Verdicts"
    watched.page.close()


def test_a_long_text_is_folded_and_whole(browser: Browser, files: dict[str, Path]) -> None:
    watched = Watched(browser.new_page(), files["long"])
    watched.at("#item-0")
    opened = watched.page.get_by_role("dialog")
    folded = opened.locator("details", has_text="(100,000 characters)")
    expect(folded.locator("p")).to_be_hidden()
    folded.locator("summary").click()
    assert folded.locator("p").inner_text() == "x" * 100_000
    watched.page.close()
