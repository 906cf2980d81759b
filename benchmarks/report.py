"""Measure a report of 10,000 items: how long it takes to make, how large the page is, how fast it opens in chromium.

    python benchmarks/report.py [--items 10000] [--page report.html]

Needs the extra `browser` and Debian's chromium. The page is opened five times in a new window; the median of the times
until its tables stand is shown, and until a number was followed to its items and an item opened. On a machine that has
other things to do, the CPU times beside them are what counts.
"""

from __future__ import annotations

import argparse
import random
import shutil
import statistics
import tempfile
import time
from pathlib import Path

from corpus import verdict
from playwright.sync_api import sync_playwright

import verdict_frames as vf

VARIANTS = ("simple", "simple+skills", "guided", "guided+retry")
OPENINGS = 5
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]


def made_up(items: int) -> vf.Corpus:
    """A corpus of four variants of the same items."""
    source = random.Random(7)  # noqa: S311 - the same corpus each time
    return vf.from_records(
        {
            "run_id": f"run-{place % len(VARIANTS)}",
            "experiment_name": "benchmark",
            "variant": VARIANTS[place % len(VARIANTS)],
            "item_id": f"item-{place // len(VARIANTS):05}",
            "success": True,
            "passed": place % 3 == 0,
            "cost_usd": round(source.random(), 3),
            "verdict": verdict(source),
        }
        for place in range(items)
    )


def opening(page: Path) -> tuple[float, float, float]:
    """Seconds until the page is ready, of these in its process, and until a number was followed and an item opened."""
    chromium = shutil.which("chromium")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        ready, busy, opened = [], [], []
        for _ in range(OPENINGS):
            window = browser.new_page(viewport={"width": 1280, "height": 900})
            inside = window.context.new_cdp_session(window)
            inside.send("Performance.enable")
            start = time.perf_counter()
            window.goto(page.as_uri())
            window.wait_for_selector("html.ready")
            ready.append(time.perf_counter() - start)
            metrics = inside.send("Performance.getMetrics")["metrics"]
            busy.append(next(metric["value"] for metric in metrics if metric["name"] == "ProcessTime"))
            start = time.perf_counter()
            window.locator("table.sortable tbody a").first.click()
            window.locator("#item-table tbody a").first.click()
            window.wait_for_selector("dialog[open]")
            opened.append(time.perf_counter() - start)
            window.close()
        browser.close()
    return statistics.median(ready), statistics.median(busy), statistics.median(opened)


def main() -> None:
    """Make the page and measure it."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--items", type=int, default=10_000)
    options.add_argument("--page", type=Path)
    given = options.parse_args()
    corpus = made_up(given.items)
    start, busy = time.perf_counter(), time.process_time()
    text = vf.report_html(vf.report(corpus, by="variant"))
    took, busy = time.perf_counter() - start, time.process_time() - busy
    with tempfile.TemporaryDirectory() as folder:
        page = (given.page or Path(folder) / "report.html").resolve()
        page.write_text(text, encoding="utf-8")
        ready, working, opened = opening(page)
        size = page.stat().st_size
    print(f"{corpus.items.height:,} items: {size / 1e6:.1f} MB, made in {took:.1f} s ({busy:.1f} s CPU)")
    print(f"opens in {ready:.2f} s ({working:.2f} s CPU); a number followed and an item opened in {opened:.2f} s more")


if __name__ == "__main__":
    main()
