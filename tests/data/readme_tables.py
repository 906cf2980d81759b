"""Tables of a README, which tests hold the package against."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

Row = dict[str, str]


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def table_of(readme: Path, *headers: str) -> list[Row]:
    """Return the rows of the one table whose first columns are these."""
    lines = readme.read_text(encoding="utf-8").splitlines()
    starts = [
        index
        for index, (line, below) in enumerate(pairwise(lines))
        if below.startswith("| ---") and cells(line)[: len(headers)] == [*headers]
    ]
    assert len(starts) == 1, f"no or more than one table starts with {headers}"
    names = cells(lines[starts[0]])
    rows: list[Row] = []
    for line in lines[starts[0] + 2 :]:
        if not line.startswith("|"):
            break
        rows.append(dict(zip(names, cells(line), strict=True)))
    return rows
