"""Recorded runs in, batches of Arrow tables out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from verdict_frames.documents.seen import Problem, SourceFile, name_members
from verdict_frames.frames import filling
from verdict_frames.frames.arrays import record_batch, without_surrogates
from verdict_frames.frames.judged import JudgedItem, judge_item
from verdict_frames.sources.recorded import RecordedItem, RecordedRun, RunFact
from verdict_frames.vocabulary import ProblemKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import pyarrow as pa

    from verdict_frames.frames.arrays import Repair

    Batch = dict[str, pa.RecordBatch]

WHAT_BECAME: Final = {
    ProblemKind.TEXT: "unpaired surrogates in the text were replaced by U+FFFD",
    ProblemKind.FIELD: "a number that isn't finite or is too large for the column was left out",
}
"""What a repair of a batch cost, in words."""


class _Pending(msgspec.Struct):
    """What the next batch is made of."""

    runs: list[RecordedRun] = []
    run_ids: list[str] = []
    facts: list[RunFact] = []
    fact_run_ids: list[str] = []
    items: list[JudgedItem] = []

    def add_run(self, run: RecordedRun, run_id: str) -> None:
        self.runs.append(run)
        self.run_ids.append(run_id)
        self.facts.extend(run.facts)
        self.fact_run_ids.extend([run_id] * len(run.facts))


class Flattener:
    """Turns recorded runs into batches of the tables, and keeps account of what had to be changed on the way.

    Use one for all the runs of a corpus: run ids are kept apart from each other within one flattener.

    Attributes:
        problems: What the flattening itself could not take over as it was, in the order of finding.
        item_counts: Run id as the tables name it → items so far.
    """

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.item_counts: dict[str, int] = {}
        self._paths: dict[str, str] = {}
        self._originals: dict[str, str] = {}
        self._renamed: dict[str, str] = {}

    def batches(self, runs: Iterable[RecordedRun], *, items_per_batch: int = 2_000) -> Iterator[Batch]:
        """Interpret and flatten runs.

        Args:
            runs: Taken one at a time; nothing of a run is kept once its batches are out.
            items_per_batch: After how many items (or runs) a batch is closed. Runs share a batch, and a long run is
                spread over several.

        Yields:
            The tables `runs`, `run_facts`, `items`, `scores`, `stages`, `seats`, `checks` and `defects`, each with the
            rows of the batch in recorded order. A run's own row comes with its first items; where others of the `runs`
            continue it, the row doesn't count their items, and `item_counts` does.
        """
        pending = _Pending()
        for run in runs:
            run_id = self._name_run(run)
            if not run.continues:
                pending.add_run(run, run_id)
            self.item_counts[run_id] = self.item_counts.get(run_id, 0) + len(run.items)
            for item in run.items:
                pending.items.append(self._judge(run, run_id, item))
                if len(pending.items) >= items_per_batch:
                    yield self._batch(pending)
                    pending = _Pending()
            if len(pending.runs) >= items_per_batch:
                yield self._batch(pending)
                pending = _Pending()
        if pending.runs or pending.items:
            yield self._batch(pending)

    def closing_batch(self, sources: Sequence[SourceFile], problems: Sequence[Problem]) -> Batch:
        """Flatten what is known once all runs are read.

        Args:
            sources: The files that were seen.
            problems: What could not be read. The flattener's own problems are added after them, by run and item.

        Returns:
            The tables `sources` and `problems`.
        """
        files = filling.source_columns(sources)
        files["run_id"] = [self._run_id(run_id) for run_id in files["run_id"]]
        source_batch, repairs = record_batch("sources", files)
        renamed = [
            Problem(path=files["path"][row], kind=kind, message=f"sources.{column}: {WHAT_BECAME[kind]}")
            for column, row, kind in repairs
        ]
        found = self._sorted_problems()
        name_members(found, sources)
        trouble = filling.problem_columns([*problems, *found, *renamed])
        trouble["run_id"] = [self._run_id(run_id) for run_id in trouble["run_id"]]
        return {"sources": source_batch, "problems": record_batch("problems", trouble)[0]}

    def _name_run(self, run: RecordedRun) -> str:
        """Return the run's id as text that can be stored, different from that of every run with another id."""
        run_id = run.run_id
        if not run_id.isascii():
            run_id = without_surrogates(run_id)
        while self._originals.setdefault(run_id, run.run_id) != run.run_id:
            run_id += "\N{REPLACEMENT CHARACTER}"
        if run_id != run.run_id and run.run_id not in self._renamed:
            self._renamed[run.run_id] = run_id
            self._note(run.path, ProblemKind.TEXT, "runs.run_id", run_id)
        self._paths[run_id] = run.path
        return run_id

    def absorb(self, problems: Iterable[Problem], item_counts: Mapping[str, int]) -> None:
        """Take over what another flattener, in another process, has noted of runs whose ids this one hasn't changed."""
        self.problems += problems
        for run_id, count in item_counts.items():
            self.item_counts[run_id] = self.item_counts.get(run_id, 0) + count

    def _sorted_problems(self) -> list[Problem]:
        """In the order of runs and items, a run's own first, so that they stand alike however batches were cut."""
        ranks = {run_id: rank for rank, run_id in enumerate(self.item_counts)}

        def place(problem: Problem) -> tuple[int, int]:
            index = -1 if problem.item_index is None else problem.item_index
            return ranks.get(problem.run_id or "", -1), index

        return sorted(self.problems, key=place)

    def _run_id(self, run_id: str | None) -> str | None:
        return None if run_id is None else self._renamed.get(run_id, run_id)

    def _judge(self, run: RecordedRun, run_id: str, item: RecordedItem) -> JudgedItem:
        judged = judge_item(run_id, item)
        if judged.stored_problem is not None:
            message = f"the item's own interpretation can't be used: {judged.stored_problem}"
            self.problems.append(
                Problem(path=run.path, kind=ProblemKind.FIELD, run_id=run_id, item_index=item.index, message=message)
            )
        return judged

    def _batch(self, pending: _Pending) -> Batch:
        filled: dict[str, dict[str, list[Any]]] = {
            "runs": filling.run_columns(pending.runs, pending.run_ids),
            "run_facts": filling.run_fact_columns(pending.facts, pending.fact_run_ids),
            "items": filling.item_columns(pending.items),
            "scores": filling.score_columns(pending.items),
            "stages": filling.stage_columns(pending.items),
            "seats": filling.seat_columns(pending.items),
            "checks": filling.check_columns(pending.items),
            "defects": filling.defect_columns(pending.items),
        }
        batch: Batch = {}
        for table, columns in filled.items():
            batch[table], repairs = record_batch(table, columns)
            self._note_repairs(table, columns, repairs)
        return batch

    def _note_repairs(self, table: str, columns: dict[str, list[Any]], repairs: Sequence[Repair]) -> None:
        """Report each column of each item, or of each run, once."""
        seen = dict.fromkeys(
            (
                columns["run_id"][repair.row],
                columns["item_index"][repair.row] if "item_index" in columns else None,
                repair.column,
                repair.kind,
            )
            for repair in repairs
        )
        for run_id, item_index, column, kind in seen:
            self._note(self._paths[run_id], kind, f"{table}.{column}", run_id, item_index)

    def _note(self, path: str, kind: ProblemKind, place: str, run_id: str, item_index: int | None = None) -> None:
        message = f"{place}: {WHAT_BECAME[kind]}"
        self.problems.append(Problem(path=path, kind=kind, run_id=run_id, item_index=item_index, message=message))
