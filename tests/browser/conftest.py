"""A real browser, where one is installed: Debian's chromium, driven by playwright (extra `browser`)."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
OFFLINE = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("chromium isn't installed (`.ci/run` installs it)")
    driving = pytest.importorskip("playwright.sync_api", reason="the extra `browser` isn't installed")
    with driving.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM, args=OFFLINE)
        yield started
        started.close()


@pytest.fixture(scope="session")
def accessibility_faults() -> Callable[[Page], list[str]]:
    """A function that runs axe on a page and returns what it finds, with the elements concerned."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="the extra `browser` isn't installed")

    def faults(page: Page) -> list[str]:
        found = axe.Axe().run(page)
        return [str(violation) for violation in found.response["violations"]]

    return faults


class Watched:
    """A page with what it asked of a network and said on its console.

    Attributes:
        page: The page.
        requests: Addresses that it asked for, its own file, its pictures and its library left out.
        said: What came out on its console, errors among it.
    """

    def __init__(self, page: Page, file: Path) -> None:
        self.page = page
        self.requests: list[str] = []
        self.said: list[str] = []
        own = file.as_uri()
        page.on("console", lambda message: self.said.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.said.append(f"error: {error}"))
        page.on("dialog", lambda dialog: self.said.append(f"dialog: {dialog.message}"))
        page.on(
            "request",
            lambda request: (
                None if request.url.startswith((own, "data:", "blob:null/")) else self.requests.append(request.url)
            ),
        )
        page.goto(own)
        page.wait_for_selector("html.ready")

    def at(self, address: str) -> None:
        """Go to a place in the page by its address."""
        self.page.evaluate("address => { location.hash = address }", address)
