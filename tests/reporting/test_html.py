"""The page: nothing of what others have written does anything in it, and everything shows as it was recorded."""

from __future__ import annotations

import base64
import hashlib
import re
import xml.etree.ElementTree as ET
from importlib.metadata import PackageNotFoundError
from itertools import pairwise
from typing import Any

import pytest

from tests.reporting.pages import HOSTILE, Page, hostile_corpus
from tests.statistics.corpora import corpus, judged
from verdict_frames.errors import MissingPackageError
from verdict_frames.frames.in_memory import from_records
from verdict_frames.reporting import html
from verdict_frames.reporting.html import report_html
from verdict_frames.reporting.opening import report
from verdict_frames.reporting.printable import printable


@pytest.fixture(scope="module")
def hostile() -> str:
    return report_html(report(hostile_corpus(), "variant", title=HOSTILE["closing"] + HOSTILE["script"]))


def strings(value: Any) -> list[str]:
    """Every text in a value of JSON."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for part in value.values() for text in strings(part)]
    return [text for part in value for text in strings(part)] if isinstance(value, list) else []


def test_no_text_of_others_becomes_a_tag(hostile: str) -> None:
    tags = Page(hostile).tags
    harmless = Page(report_html(report(corpus({"run": [judged("REJECTED", item_id="a")]}), title="t"))).tags
    assert set(tags) - set(harmless) <= {"details", "summary", "figure", "figcaption", "img", "bdi", "dt", "span"}
    assert len(tags["h1"]) == len(tags["title"]) == len(tags["style"]) == 1
    assert len(tags["script"]) == 5
    assert all(set(image) == {"src", "alt"} for image in tags["img"])
    assert all(not name.startswith("on") for found in tags.values() for attributes in found for name in attributes)


def test_nothing_leads_out_of_the_page(hostile: str) -> None:
    page = Page(hostile)
    addresses = [
        value
        for found in page.tags.values()
        for attributes in found
        for name, value in attributes.items()
        if name in ("src", "href", "action", "data", "poster", "srcset", "formaction")
    ]
    assert addresses
    assert [
        address for address in addresses if not (address or "").startswith(("#", "data:image/svg+xml;base64,"))
    ] == []
    assert "link" not in page.tags
    assert "@import" not in hostile.partition("<body>")[0]
    (policy,) = (meta["content"] for meta in page.tags["meta"] if "http-equiv" in meta)
    assert policy is not None
    assert policy.startswith("default-src 'none'; script-src 'sha256-")


def test_the_only_script_that_runs_is_the_one_that_the_policy_names(hostile: str) -> None:
    (script,) = re.findall(r'<script type="module">(.*?)</script>', hostile, flags=re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src &#39;sha256-{digest}&#39; blob:;" in hostile
    assert "innerHTML" not in script
    assert "insertAdjacentHTML" not in script
    assert "document.write" not in script


@pytest.mark.parametrize("name", HOSTILE)
def test_every_text_shows_as_it_was_recorded(hostile: str, name: str) -> None:
    page = Page(hostile)
    line, block = printable(HOSTILE[name], one_line=True), printable(HOSTILE[name])
    assert re.sub(r"\s+", " ", line) in page.text
    assert line in strings(page.data("items-data"))
    details = strings(page.details())
    assert f"Judge 0 judge {line}" in details
    assert f"failed: check {line}" in details
    assert details.count(block) >= 2
    hidden = [character for character in "\u202e\u2066\u200f\x1b\x07\x00\r" if character in hostile]
    assert hidden == []


def test_blocks_of_data_hold_no_sign_that_could_end_them(hostile: str) -> None:
    for text in Page(hostile).blocks.values():
        assert re.search(r"[<>&]", text) is None


def test_a_long_text_is_whole_and_folded() -> None:
    long = "wörd " * 20_000
    record = {"aggregated": {"status": "fail", "reasoning": long}, "individualByName": {long: {"status": "fail"}}}
    page = report_html(report(from_records([{"item_id": long, "experiment_name": long, "verdict": record}])))
    read = Page(page)
    assert long in strings(read.details())
    assert long in strings(read.data("items-data"))
    runs = page.partition('id="provenance"')[2].partition("</section>")[0]
    assert '<details class="long">' in runs
    assert long.strip() in runs


def test_figures_are_whole_pictures_without_a_date(hostile: str) -> None:
    pictures = [str(image["src"]).partition("base64,")[2] for image in Page(hostile).tags["img"]]
    assert len(pictures) >= 2
    for picture in pictures:
        svg = base64.b64decode(picture).decode()
        assert ET.fromstring(svg).tag == "{http://www.w3.org/2000/svg}svg"
        assert "<script" not in svg
        assert re.search(r"<dc:date>|20\d\d-\d\d-\d\d", svg) is None


def test_headings_are_in_order_and_tables_have_captions(hostile: str) -> None:
    levels = [int(level) for level in re.findall(r"<h([1-6])", hostile.partition("<script")[0])]
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    page = Page(hostile)
    assert len(page.tags["caption"]) == len(page.tags["table"])
    assert page.tags["html"] == [{"lang": "en"}]
    identities = re.findall(r' id="([^"]+)"', hostile.partition("<script")[0])
    assert len(identities) == len(set(identities))


def test_each_link_to_items_says_which_and_has_its_selection() -> None:
    page = Page(report_html(report(corpus({"run": [judged("ACCEPTED"), judged("REJECTED"), judged("ACCEPTED")]}))))
    selections = page.data("selections-data")
    linked = {int(str(link["href"])[11:]) for link in page.tags["a"] if str(link["href"]).startswith("#selection-")}
    assert linked == set(range(len(selections)))
    assert ["Pass rates · all · accepted", "0,2"] in selections
    assert ["Pass rates · all · eligible", "0-2"] in selections


def test_without_the_library_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise PackageNotFoundError(name)

    html._library.cache_clear()
    monkeypatch.setattr(html, "distribution", missing)
    with pytest.raises(MissingPackageError, match="pip install itables"):
        report_html(report(corpus({})))
