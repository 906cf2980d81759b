"""First pass over one file: what it holds, told by a cheap look that decodes next to nothing."""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

import msgspec

from verdict_frames.documents.decoding import UndecodableError, decode
from verdict_frames.documents.entries import Entry, Shape, entries_of, shape_of, start_of, syntax_problem
from verdict_frames.documents.listing import FoundFile
from verdict_frames.documents.members import members_of, sort_of
from verdict_frames.documents.seen import Problem
from verdict_frames.sources.kinds import READABLE, Kind, classify, describe_foreign, peek_items
from verdict_frames.vocabulary import ProblemKind

if TYPE_CHECKING:
    from collections.abc import Mapping


class RunCopy(msgspec.Struct, frozen=True, kw_only=True):
    """One place where a run was found.

    Attributes:
        file: Its file.
        shape: How the file holds it.
        entry: Place of the one value that is the run; null for the run that all of a file's values make together which
            are no runs of their own.
        line: Line of that value, in a file of JSON lines.
        start: Offset of its first byte; null in an array.
        end: Offset behind its last byte; null in an array.
        digest: SHA-256 of its bytes, or of the file's where it has none of its own.
        experiment_id: As recorded; null where it is no text, or blank.
        experiment_name: As recorded; null where it is no text.
        item_count: Elements of `items`.
        interpretation_count: Those of them with a stored interpretation.
    """

    file: FoundFile
    shape: Shape
    entry: int | None
    line: int | None = None
    start: int | None = None
    end: int | None = None
    digest: str
    experiment_id: str | None = None
    experiment_name: str | None = None
    item_count: int = 0
    interpretation_count: int = 0


def survey(file: FoundFile, data: bytes, digest: str) -> list[RunCopy] | Problem:
    """The runs that a file holds, or why it holds none; `digest` is that of the whole file.

    A file of JSON lines, or with an array at its root, holds one run for each result among its values, and one more for
    all its items, verdicts and interpretations together.
    """
    try:
        shape = shape_of(data, PurePosixPath(file.path).suffix.lower())
    except UndecodableError as error:
        return syntax_problem(file.path, error, offset=start_of(data))
    copies: list[RunCopy] = []
    strangers: Counter[Kind] = Counter()
    first_keys: dict[Kind, Mapping[str, Any]] = {}
    bad: list[Problem] = []
    loose = False
    for entry in entries_of(data, shape):
        if loose and shape is Shape.LINES and b'"items"' not in entry.data:
            continue  # no run of its own, and the second pass looks at it closely
        try:
            members = members_of(entry.data)
            kind = Kind.NO_OBJECT if members is None else classify(members)
        except UndecodableError as error:
            bad.append(syntax_problem(file.path, error, line=entry.line, offset=entry.start))
            continue
        if members is not None and kind is Kind.RESULT:
            own = digest if shape is Shape.DOCUMENT else hashlib.sha256(entry.data).hexdigest()
            copies.append(_copy_of_result(file, shape, entry, members, digest=own))
        elif kind in READABLE:
            loose = True
        else:
            strangers[kind] += 1
            first_keys.setdefault(kind, members or {})
    if loose or (copies and (strangers or bad)):
        copies.append(RunCopy(file=file, shape=shape, entry=None, digest=digest))
    return copies or _nothing_readable(file, strangers, first_keys, bad)


def _copy_of_result(file: FoundFile, shape: Shape, entry: Entry, members: Mapping[str, Any], *, digest: str) -> RunCopy:
    peek = peek_items(members["items"])
    experiment_id = _text(members.get("experimentId"))
    return RunCopy(
        file=file,
        shape=shape,
        entry=entry.index,
        line=entry.line,
        start=entry.start,
        end=None if entry.start is None else entry.start + len(entry.data),
        digest=digest,
        experiment_id=experiment_id if experiment_id and experiment_id.strip() else None,
        experiment_name=_text(members.get("experimentName")),
        item_count=peek.count,
        interpretation_count=peek.interpretations,
    )


def _nothing_readable(
    file: FoundFile, strangers: Counter[Kind], first_keys: Mapping[Kind, Mapping[str, Any]], bad: list[Problem]
) -> Problem:
    if strangers:
        kind, count = strangers.most_common(1)[0]
        message = describe_foreign(kind, first_keys[kind], count=count)
        others = strangers.total() - count
        also = [f"{others} of another sort"] if others else []
        also += [f"{len(bad)} that are no JSON"] if bad else []
        message += f" (beside {' and '.join(also)})" if also else ""
        return Problem(path=file.path, kind=ProblemKind.FOREIGN, message=message)
    if not bad:
        return Problem(path=file.path, kind=ProblemKind.FOREIGN, message="an empty list: it holds no verdict")
    first = bad[0]
    if len(bad) > 1:
        first.message += f" (none of the {len(bad)} lines could be decoded)"
    return first


def _text(value: object) -> str | None:
    if isinstance(value, msgspec.Raw):
        value = decode(value, msgspec.json.decode, lambda decoded: decoded) if sort_of(value) == "string" else None
    return value if isinstance(value, str) else None
