"""Cleaning of the fields of a run or an item, with a `field` problem for what could not be used."""

from __future__ import annotations

from verdict_frames.documents.fields import Fields
from verdict_frames.documents.seen import Problem
from verdict_frames.vocabulary import ProblemKind


class FieldReader(Fields):
    """Cleans the fields of one run or one of its items, and notes in `problems` what could not be used."""

    def __init__(
        self,
        problems: list[Problem],
        *,
        path: str,
        run_id: str | None,
        line: int | None = None,
        item: int | None = None,
    ) -> None:
        self._problems = problems
        self._path = path
        self._run_id = run_id
        self._line = line
        self._item = item

    def of_item(self, index: int, *, line: int | None = None) -> FieldReader:
        """A reader of the fields of one item of the same run."""
        where = self._line if line is None else line
        return FieldReader(self._problems, path=self._path, run_id=self._run_id, line=where, item=index)

    def trouble(self, message: str) -> None:
        """Add a `field` problem at this place."""
        self._problems.append(
            Problem(
                path=self._path,
                kind=ProblemKind.FIELD,
                run_id=self._run_id,
                item_index=self._item,
                line=self._line,
                message=message,
            )
        )
