"""What the records lack or contradict, what could not be read, and where everything comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from verdict_frames._version import __version__
from verdict_frames.reporting.cells import count, number, recorded_columns, table_of, text, words
from verdict_frames.reporting.sentences import Account, counted, files_seen
from verdict_frames.reporting.value import Note, Quoted, Section, Table
from verdict_frames.statistics.defects import count_defects
from verdict_frames.vocabulary import SourceState

if TYPE_CHECKING:
    from verdict_frames.frames.corpus import Corpus
    from verdict_frames.reporting.counted import CountedItems
    from verdict_frames.reporting.value import Block

_DEFECT_COLUMNS: Final = {
    "kind": words("kind"),
    "field": text("field"),
    "verdict_era": words("verdicts of"),
    "defects": count("defects"),
    "items": count("items"),
}
_PROBLEM_COLUMNS: Final = {
    "kind": words("kind"),
    "path": text("file"),
    "member": text("member"),
    "line": number("line"),
    "item_index": number("item"),
    "message": text("what it is"),
}
_RUN_COLUMNS: Final = {
    "run_id": text("run"),
    "experiment_name": text("experiment"),
    "session": text("session"),
    "variant": text("variant"),
    "repeat": number("repeat"),
    "kind": words("kind"),
    "timestamp": words("end, UTC"),
    "dataset_version": text("dataset"),
    "code_version": text("code"),
    "instrument_hash": text("instrument"),
    "item_count": count("items"),
    "interpreter_version": words("interpreted by"),
}
MOST_FILES: Final = 500
"""How many files, problems or runs a table lists one by one."""


def defects_section(corpus: Corpus, items: CountedItems) -> Section | None:
    """Show the defects of verdicts by kind and field, or nothing where there are none."""
    counts = count_defects(corpus)
    if counts.is_empty():
        return None
    key = ["kind", "field", "verdict_era"]
    rows = corpus.defects.with_columns(pl.col("field").str.replace_all(r"\[\d+\]", "[]"))
    rows = rows.join(
        corpus.items.select("run_id", "item_index", "verdict_era"), on=["run_id", "item_index"], how="left"
    )
    behind = items.of_rows(rows, key)
    followed = [behind[group] for group in counts.select(key).iter_rows()]
    with_defects = (corpus.items["defect_count"] > 0).sum()
    note = f"{counted(corpus.defects.height, 'defect')} in {with_defects:,} of {corpus.items.height:,} items."
    table = table_of(
        counts,
        _DEFECT_COLUMNS,
        caption="What verdicts lack or contradict",
        heads=2,
        items={"items": followed, "defects": followed},
    )
    return Section(key="defects", title="Defects of the records", blocks=(Note(words=(note,)), table), aside=True)


def problems_section(read: Account) -> Section | None:
    """Show what could not be read, or nothing where all could."""
    if read.problems.is_empty():
        return None
    shown = recorded_columns(read.problems, _PROBLEM_COLUMNS)
    table = table_of(read.problems, shown, caption="What could not be read as it should", heads=2, most=MOST_FILES)
    return Section(key="problems", title="Problems", blocks=(table,), aside=True)


def provenance_section(read: Account, *, policy: str, runs: pl.DataFrame | None = None) -> Section:
    """Show the files, the runs and the versions that a report rests on.

    Args:
        read: What says which files were seen.
        policy: The name of the policy.
        runs: The runs, for a report about items.
    """
    blocks: list[Block] = [Note(words=(f"{files_seen(read)}.",))]
    if runs is not None and not runs.is_empty():
        recorded = runs.with_columns(pl.col("timestamp").dt.strftime("%Y-%m-%d %H:%M:%S"))
        blocks.append(
            table_of(recorded, recorded_columns(recorded, _RUN_COLUMNS), caption="Runs", most=MOST_FILES, folded=True)
        )
    was_read = [SourceState.READ.value, SourceState.COPY.value]
    not_read = read.sources.filter(~pl.col("state").cast(pl.String).is_in(was_read))
    for caption, frame in (
        ("Files that were read, and copies of these", read.sources.join(not_read, on="path", how="anti")),
        ("Files that were seen and not read", not_read),
    ):
        if not frame.is_empty():
            blocks.append(_files(frame, caption))
    blocks.append(Note(words=(f"Made by verdict_frames {__version__}, counted by the policy ", Quoted(policy), ".")))
    return Section(key="provenance", title="Where this comes from", blocks=tuple(blocks), aside=True)


def _files(frame: pl.DataFrame, caption: str) -> Table:
    columns = {
        "path": text("file"),
        "member": text("member"),
        "state": words("state"),
        "size": number("bytes"),
        "run_id": text("run"),
        "sha256": text("SHA-256"),
    }
    return table_of(frame, recorded_columns(frame, columns), caption=caption, most=MOST_FILES, folded=True)
