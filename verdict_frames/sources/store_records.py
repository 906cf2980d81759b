"""What the session, sweep and index files of result stores say: names of runs, and files that ought to be there.

Nothing in a record raises. What can't be used of it is a row of `problems` and costs nothing else.
"""

from __future__ import annotations

import os
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from verdict_frames.documents.contents import read_bytes, unreadable
from verdict_frames.documents.decoding import UndecodableError
from verdict_frames.documents.entries import syntax_problem
from verdict_frames.documents.escaping import one_line
from verdict_frames.documents.found import FoundFile
from verdict_frames.documents.seen import Problem
from verdict_frames.errors import some_names
from verdict_frames.sources.fields import FieldReader
from verdict_frames.sources.path_facts import PathFacts, names_run
from verdict_frames.sources.stored import decode_whole
from verdict_frames.vocabulary import ProblemKind

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping
    from datetime import datetime

_UNFINISHED: Final = {"RUNNING": "is still RUNNING", "FAILED": "FAILED"}
"""Statuses of a session that never came to its end, as a message says them."""

Parts = tuple[str, ...]


class _Pointer(msgspec.Struct, frozen=True, kw_only=True):
    """A file or folder that a record names.

    Attributes:
        record: The record.
        up: How many folders above the record's own the path begins.
        path: As the record has it.
        words: What names it, for a message.
        run_id: The run that it should hold.
    """

    record: FoundFile
    up: int = 0
    path: str
    words: str
    run_id: str | None = None


class StoreRecords:
    """What all the records say together.

    Args:
        records: The files, in the order in which what they say is to be preferred.
        contents: Archive → the paths of all files and folders in it, for records that lie in one.

    Attributes:
        problems: What could not be used of the records.
    """

    def __init__(self, records: Iterable[FoundFile], contents: Mapping[str, frozenset[Parts]] | None = None) -> None:
        self._contents = contents or {}
        self.problems: list[Problem] = []
        self._created: dict[tuple[str, str], datetime] = {}
        self._of_run: defaultdict[str, list[PathFacts]] = defaultdict(list)
        self._of_file: dict[Parts, PathFacts] = {}
        self._of_folder: dict[Parts, PathFacts] = {}
        self._pointers: list[_Pointer] = []
        takers = {
            "session.json": self._take_session,
            "sessions-index.json": self._take_sessions,
            "sweep.json": self._take_sweep,
            "sweeps-index.json": self._take_sweeps,
            "index.json": self._take_index,
        }
        ordered = sorted(records, key=lambda record: list(takers).index(record.parts[-1]))
        for record in ordered:
            content = self._content(record)
            if content is not None:
                takers[record.parts[-1]](record, content, FieldReader(self.problems, path=record.path, run_id=None))

    def names_of_run(self, experiment_id: str | None) -> list[PathFacts]:
        """What records name a run by its id."""
        return [] if experiment_id is None else self._of_run[experiment_id]

    def names_of_file(self, parts: Parts, experiment_id: str | None) -> PathFacts:
        """What the session file of a result file's folder names it.

        A file that the session doesn't list is of this session all the same, and bears the variant's name, unless it is
        called by its run.
        """
        listed = self._of_file.get(parts)
        if listed is not None:
            return listed
        folder = self._of_folder.get(parts[:-1])
        if folder is None:
            return PathFacts()
        stem = Path(parts[-1]).stem
        variant = None if names_run(stem, experiment_id) else stem
        return msgspec.structs.replace(folder, variant=variant)

    def created(self, experiment: str, session: str) -> datetime | None:
        """When a session of an experiment was begun; null where no record says so."""
        return self._created.get((experiment, session))

    def missing(self, found: Container[str]) -> list[Problem]:
        """What the records name and what isn't there.

        Args:
            found: Ids of the runs that were found.
        """
        return [self._lost(pointer, found) for pointer in self._pointers if not self._is_there(pointer)]

    def _content(self, record: FoundFile) -> Mapping[str, Any] | None:
        try:
            content = decode_whole(read_bytes(record))
        except OSError as error:
            self.problems.append(unreadable(record, error))
            return None
        except UndecodableError as error:
            self.problems.append(syntax_problem(record.path, error))
            return None
        if isinstance(content, dict):
            return content
        message = f"a {record.parts[-1]} of a result store holds an object; what it says is left out"
        self.problems.append(Problem(path=record.path, kind=ProblemKind.FIELD, message=message))
        return None

    def _take_session(self, record: FoundFile, content: Mapping[str, Any], read: FieldReader) -> None:
        folder = record.parts[:-1]
        experiment = read.text("experimentName", content.get("experimentName"))
        session = read.text("sessionName", content.get("sessionName")) or (folder[-1] if folder else None)
        if session is None:
            return
        self._note_created(experiment, session, read.instant("createdAt", content.get("createdAt")))
        names = PathFacts(experiment=experiment, session=session)
        self._of_folder.setdefault(folder, names)
        for place, entry in _entries(content, "variants", read):
            variant = read.text(f"{place}.variantName", entry.get("variantName"))
            run_id = read.text(f"{place}.experimentId", entry.get("experimentId"))
            file = read.text(f"{place}.resultFile", entry.get("resultFile"))
            of_variant = msgspec.structs.replace(names, variant=variant)
            if run_id is not None:
                self._of_run[run_id].append(of_variant)
            if file is not None:
                self._of_file.setdefault((*folder, *_names(file)), of_variant)
                words = "the session" if variant is None else f"the variant {one_line(variant)}"
                self._pointers.append(_Pointer(record=record, path=file, words=words, run_id=run_id))
        self._note_status(record, session, read.text("status", content.get("status")))

    def _take_sessions(self, record: FoundFile, content: Mapping[str, Any], read: FieldReader) -> None:
        experiment = read.text("experimentName", content.get("experimentName"))
        for place, entry in _entries(content, "entries", read):
            session = read.text(f"{place}.sessionName", entry.get("sessionName"))
            if session is None:
                continue
            self._note_created(experiment, session, read.instant(f"{place}.createdAt", entry.get("createdAt")))
            path = read.text(f"{place}.path", entry.get("path")) or f"sessions/{session}"
            if (*record.parts[:-1], *_names(path)) in self._of_folder:
                continue  # its own file has said how it stands
            whole = _Pointer(record=record, path=path, words=f"session {one_line(session)}")
            own_file = _Pointer(record=record, path=f"{path.rstrip('/')}/session.json", words=whole.words)
            self._pointers.append(own_file if self._is_there(whole) else whole)
            self._note_status(record, session, read.text(f"{place}.status", entry.get("status")))

    def _take_sweep(self, record: FoundFile, content: Mapping[str, Any], read: FieldReader) -> None:
        name = read.text("sweepName", content.get("sweepName")) or (record.parts[-2] if len(record.parts) > 1 else "")
        expected = content.get("expectedVariants")
        wanted = [each for each in expected if isinstance(each, str)] if isinstance(expected, list) else []
        resolved = set()
        for place, entry in _entries(content, "resolutions", read):
            variant = read.text(f"{place}.variantName", entry.get("variantName"))
            session = read.text(f"{place}.sessionName", entry.get("sessionName"))
            if variant is None or session is None:
                continue
            resolved.add(variant)
            if record.parts[-3:-2] == ("sweeps",):
                path = f"sessions/{session}"
                self._pointers.append(
                    _Pointer(record=record, up=2, path=path, words=f"the variant {one_line(variant)}")
                )
        unresolved = [variant for variant in dict.fromkeys(wanted) if variant not in resolved]
        if unresolved:
            message = (
                f"sweep {one_line(name)} has no session for {len(unresolved)} of {len(set(wanted))} variants:"
                f" {some_names(unresolved)}"
            )
            self.problems.append(Problem(path=record.path, kind=ProblemKind.MISSING, message=message))

    def _take_sweeps(self, record: FoundFile, content: Mapping[str, Any], read: FieldReader) -> None:
        for place, entry in _entries(content, "entries", read):
            sweep = read.text(f"{place}.sweepName", entry.get("sweepName"))
            if sweep is not None:
                path = read.text(f"{place}.path", entry.get("path")) or f"sweeps/{sweep}"
                file = f"{path.rstrip('/')}/sweep.json"
                self._pointers.append(_Pointer(record=record, path=file, words=f"sweep {one_line(sweep)}"))

    def _take_index(self, record: FoundFile, content: Mapping[str, Any], read: FieldReader) -> None:
        experiment = read.text("experimentName", content.get("experimentName"))
        for place, entry in _entries(content, "entries", read):
            run_id = read.text(f"{place}.experimentId", entry.get("experimentId"))
            file = read.text(f"{place}.fileName", entry.get("fileName"))
            if run_id is not None and experiment is not None:
                self._of_run[run_id].append(PathFacts(experiment=experiment))
            if file is not None:
                self._pointers.append(_Pointer(record=record, path=file, words="the index", run_id=run_id))

    def _note_created(self, experiment: str | None, session: str, created: datetime | None) -> None:
        if created is not None and experiment is not None:
            self._created.setdefault((experiment, session), created)

    def _note_status(self, record: FoundFile, session: str, status: str | None) -> None:
        words = _UNFINISHED.get(status or "")
        if words is not None:
            message = f"session {one_line(session)} {words}, so runs of it may be missing"
            self.problems.append(Problem(path=record.path, kind=ProblemKind.MISSING, message=message))

    def _is_there(self, pointer: _Pointer) -> bool:
        """Whether a file or folder exists; a path that leads out of the store is not looked at."""
        names = _names(pointer.path)
        if not _stays_inside(pointer.path):
            return False
        folder = pointer.record.parts[: -1 - pointer.up]
        archive = self._contents.get(pointer.record.opens) if pointer.record.member is not None else None
        if archive is not None:
            return (*folder, *names) in archive
        above = Path(os.path.abspath(pointer.record.opens)).parents[pointer.up]  # noqa: PTH100 - links stay
        return os.path.lexists(above.joinpath(*names))

    def _lost(self, pointer: _Pointer, found: Container[str]) -> Problem:
        message = f"{pointer.words} points at {one_line(pointer.path)}, which isn't there"
        if not _stays_inside(pointer.path):
            message = (
                f"{pointer.words} points at {one_line(pointer.path)}, outside of its folder, which isn't looked at"
            )
        if pointer.run_id is not None:
            became = "was found all the same" if pointer.run_id in found else "wasn't found either"
            message += f"; its run {one_line(pointer.run_id)} {became}"
        return Problem(path=pointer.record.path, kind=ProblemKind.MISSING, message=message)


def _entries(content: Mapping[str, Any], name: str, read: FieldReader) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The objects of a list, with their places in words."""
    entries = content.get(name)
    if not isinstance(entries, list):
        read.refuse(name, entries, "an array")
        return
    for index, entry in enumerate(entries):
        if isinstance(entry, dict):
            yield f"{name}[{index}]", entry
        else:
            read.refuse(f"{name}[{index}]", entry, "an object")


def _names(path: str) -> Parts:
    return tuple(name for name in path.split("/") if name not in {"", "."})


def _stays_inside(path: str) -> bool:
    return not path.startswith("/") and ".." not in _names(path)
