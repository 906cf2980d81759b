"""Where the files of an exported folder lie, and what they say about themselves.

    folder/policies.parquet              the policy table
    folder/<table>/<run>.parquet         the rows of one run; no file where it has none
    folder/<table>/empty.parquet         no rows, so that every table can be read by its glob
    folder/facts_of_<table>/<run>.parquet  what was added to `items` or `runs` of one run, with the table's key
    folder/sources.parquet, problems.parquet

A file `runs/<run>.parquet` is put in place after all other files of its run, and says how many rows each has: what has
no such file isn't there yet.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from pathlib import Path
from types import MappingProxyType
from typing import Final

from verdict_frames.errors import ArgumentError, one_line
from verdict_frames.frames.facts import FACT_TABLES
from verdict_frames.frames.schemas.tables import TABLES

SHARED_TABLES: Final = ("sources", "problems")
"""Tables that have one file for the whole folder: most of their rows belong to no run."""

RUN_TABLES: Final = tuple(table for table in TABLES if table not in SHARED_TABLES)
"""Tables that have a file for each run, parents before their children."""

CHILD_TABLES: Final = RUN_TABLES[:0:-1]
"""The same without `runs`, children before their parents: the order in which files are put in place."""

FACT_FOLDERS: Final = MappingProxyType({table: f"facts_of_{table}" for table in FACT_TABLES})
"""Where the columns lie that were added to a table: apart from it, so that its files are alike in every folder."""

POLICIES: Final = "policies"
EMPTY_FILE: Final = "empty.parquet"
UNFINISHED: Final = ".unfinished"
"""Folder for files that are still being written; nothing in it is ever read."""

_KEY: Final = "verdict_frames."
SCHEMA_VERSION_KEY: Final = f"{_KEY}schema_version".encode()
INTERPRETER_VERSION_KEY: Final = f"{_KEY}interpreter_version".encode()
POSITION_KEY: Final = f"{_KEY}position".encode()
"""In files of `runs`: the run's place in the corpus that it was written with."""
ROWS_KEY: Final = f"{_KEY}rows".encode()
"""In files of `runs`: JSON object from table to number of rows, tables without any left out."""

_SLUG_LENGTH: Final = 40
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9._-]+")


def run_file(run_id: str) -> str:
    """Name the files of a run: its id as far as any file system takes it, and a hash that tells ids apart.

    Args:
        run_id: Any text.

    Returns:
        A name of ASCII letters, digits, `.`, `_` and `-`, the same everywhere and for ever.

    Examples:
        >>> run_file("e/müller: a+b=c.json")
        'e-muller-a-b-c.json-9a665305b7c71f9b.parquet'
    """
    plain = unicodedata.normalize("NFKD", run_id).encode("ascii", "ignore").decode("ascii")
    slug = _UNSAFE.sub("-", plain)[:_SLUG_LENGTH].strip("-.") or "run"
    digest = hashlib.sha256(run_id.encode("utf-8")).hexdigest()[:16]
    return f"{slug}-{digest}.parquet"


def as_folder(folder: object) -> Path:
    """Take a folder as it was passed.

    Raises:
        ArgumentError: It is neither text nor a path, or an empty one.
    """
    if not isinstance(folder, str | Path):
        message = f"a folder is a text or a pathlib.Path, not {type(folder).__name__}: {one_line(folder)}"
        raise ArgumentError(message)
    if str(folder) == "" or "\0" in str(folder):
        message = f"a folder can't be called {one_line(folder)}; where a path is made of variables, one may be empty"
        raise ArgumentError(message)
    return Path(folder)


def shared_file(folder: Path, table: str) -> Path:
    """The file of a table that has one for the whole folder."""
    return folder / f"{table}.parquet"


def is_exported(folder: Path) -> bool:
    """Tell whether a folder was written by an export, be it an unfinished one.

    Args:
        folder: Any path.
    """
    return shared_file(folder, POLICIES).is_file() and (folder / "runs" / EMPTY_FILE).is_file()
