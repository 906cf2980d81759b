"""Corpora and texts that a report must bear, and a reader of the pages that come out."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

from verdict_frames.frames.in_memory import from_records
from verdict_frames.reporting.packing import unpacked

if TYPE_CHECKING:
    from verdict_frames.frames.corpus import Corpus

HOSTILE = {
    "script": "<script>document.title = 'taken'</script>",
    "closing": "</script></style></title><h1>out</h1>",
    "picture": "<img src=x onerror=\"document.title='taken'\">",
    "entity": "&lt;img src=x onerror=alert(1)&gt; &amp;amp;",
    "quotes": "a\"b'c`d",
    "template": "{{ 7 * 7 }} {% raw %} ${8 * 8}",
    "direction": "safe\u202egnp.exe\u2066\u200f",
    "control": "red\x1b[31m bell\x07 null\x00 line\nend\r",
    "formula": "=cmd()",
    "markdown": "[x](http://evil.example) **b** <b> | `code` @someone #12 :smile:",
    "comment": "<!-- --> ]]> <!--data-->",
    "arabic": "مرحبا",
}


def hostile_corpus() -> Corpus:
    """One item for each text, which stands in every place where others can write."""
    return from_records(
        [
            {
                "run_id": f"run {text}",
                "experiment_name": text,
                "variant": text,
                "item_id": f"{name} {text}",
                "success": True,
                "passed": False,
                "verdict": {
                    "aggregated": {"status": "fail", "reasoning": text},
                    "individualByName": {
                        f"judge {text}": {
                            "status": "fail",
                            "reasoning": text,
                            "checks": [{"name": f"check {text}", "passed": False, "message": text}],
                        }
                    },
                    "decision": {"kind": text},
                },
            }
            for name, text in HOSTILE.items()
        ]
    )


class Page(HTMLParser):
    """What a page consists of.

    Attributes:
        tags: Name of a tag → its attributes, occurrence by occurrence.
        texts: What stands between tags, scripts and styles left out.
        blocks: Id of a block of JSON → its text, as it stands in the page.
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: dict[str, list[dict[str, str | None]]] = {}
        self.texts: list[str] = []
        self.blocks: dict[str, str] = {}
        self._inside: list[tuple[str, str | None]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.setdefault(tag, []).append(dict(attrs))
        if tag in ("script", "style"):
            self._inside.append((tag, dict(attrs).get("id")))

    def handle_endtag(self, tag: str) -> None:
        if self._inside and tag == self._inside[-1][0]:
            self._inside.pop()

    def handle_data(self, data: str) -> None:
        if not self._inside:
            self.texts.append(data)
        elif self._inside[-1][1] is not None:
            name = self._inside[-1][1]
            self.blocks[name] = self.blocks.get(name, "") + data

    @property
    def text(self) -> str:
        """All that can be read, with single spaces."""
        return re.sub(r"\s+", " ", "".join(self.texts))

    def data(self, name: str) -> Any:
        """What a block of JSON holds."""
        return json.loads(self.blocks[name])

    def details(self) -> list[Any]:
        """The details of the page, unpacked: pairs of an ordinal and a tree."""
        return [pair for _, pack in self.data("details-data") for pair in json.loads(unpacked(pack))]
