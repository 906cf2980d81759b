"""Records in memory → runs, cleaned as those of files are, with a row for everything that can't be used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

import msgspec

from verdict_frames.documents.decoding import UndecodableError, to_json
from verdict_frames.documents.entries import syntax_problem
from verdict_frames.documents.fields import INT32
from verdict_frames.documents.members import members_of, sort_of
from verdict_frames.documents.seen import Problem, SourceFile
from verdict_frames.errors import ArgumentError
from verdict_frames.interpretation.stored_form import to_builtins
from verdict_frames.records import Interpretation
from verdict_frames.sources.aliases import read_aliases
from verdict_frames.sources.cleaning import clean_run, item_of_kind
from verdict_frames.sources.fields import FieldReader
from verdict_frames.sources.kinds import READABLE, Kind, classify, describe_foreign, peek_items
from verdict_frames.sources.python_values import PARTS, TEXT, as_stored, bytes_of, is_missing
from verdict_frames.sources.reading import difference_of, without_interpretations
from verdict_frames.sources.recorded import RecordedItem, RecordedRun
from verdict_frames.sources.run_names import RunNames, name_runs
from verdict_frames.sources.stored import StoredResult, build_result, decode_result, decode_whole
from verdict_frames.verdicts.stored import to_stored
from verdict_frames.verdicts.verdict import Verdict
from verdict_frames.vocabulary import ProblemKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

NAMES: Final = RunNames.__struct_fields__
"""The names of a run that defaults and records may give."""

PLACE: Final = "records"
"""What stands in place of a path; a single record is `records[3]`."""

_ITEM_COLUMNS: Final = {
    "item_id": "itemId",
    "item_slug": "itemSlug",
    "cost_usd": "costUsd",
    "total_tokens": "totalTokens",
    "duration_ms": "durationMs",
}
_BESIDE: Final = frozenset({*NAMES, *_ITEM_COLUMNS, "error"})


class _Record(msgspec.Struct, frozen=True):
    """One record that can be read.

    Attributes:
        index: Its place among the records.
        kind: What it holds.
        data: Its bytes, or its members without the names of its run.
        names: What it says of its run, with the defaults.
        is_json: Whether it came as JSON text, so that its members hold nothing else.
    """

    index: int
    kind: Kind
    data: bytes | dict[str, Any]
    names: RunNames
    is_json: bool = False

    @property
    def place(self) -> str:
        return f"{PLACE}[{self.index}]"


class _Refusal(Exception):  # noqa: N818 - it says why a record is left out, and never leaves this module
    """Why a record can't be used."""

    def __init__(self, kind: ProblemKind, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Records:
    """Items, verdicts, results and interpretations in memory, as a source of runs.

    Args:
        records: Each a JSON text, a mapping, a live verdict, an interpretation, or `None` for an item without verdict.
        defaults: Names of the run of records that don't say theirs; keys are those of `NAMES`.
        aliases: Name of a variant → the name that it has today; see `verdict_frames.sources.aliases`.

    Attributes:
        sources: Always empty: no file was seen.
        problems: What could not be used, with `records[3]` in place of a path.

    Raises:
        ArgumentError: The defaults have an unknown name or a value of the wrong kind, or the aliases are no mapping of
            text to text.
        OptionError: The aliases can't be followed.
    """

    def __init__(
        self,
        records: Iterable[object],
        *,
        defaults: Mapping[str, object] | None = None,
        aliases: Mapping[str, str] | None = None,
    ) -> None:
        self._aliases = read_aliases(aliases)
        self._defaults = self._named_today(read_defaults({} if defaults is None else defaults))
        self._records = list(records)
        self.sources: list[SourceFile] = []
        self.problems: list[Problem] = []

    def runs(self) -> Iterator[RecordedRun]:
        """Each run once, in the order in which the first record of each comes.

        Results with the same `experimentId` are copies of one run, as in files: the one with the most items is read.
        """
        self.problems = []
        groups: dict[RunNames | str, list[_Record]] = {}
        for record in self._readable():
            groups.setdefault(_group_of(record), []).append(record)
        loose = [group for group in groups if isinstance(group, RunNames)]
        taken = [group for group in groups if isinstance(group, str)]
        ids = dict(zip(loose, name_runs(loose, otherwise=PLACE, taken=taken), strict=True))
        for group, records in groups.items():
            if isinstance(group, RunNames):
                yield self._run_of_items(ids[group], group, records)
            elif run := self._run_of_result(group, records):
                yield run
        self.problems.sort(key=lambda problem: int(problem.path[len(PLACE) + 1 : -1]))

    def _readable(self) -> Iterator[_Record]:
        """The records that hold something readable; for the others a problem is noted."""
        for index, value in enumerate(self._records):
            read = FieldReader(self.problems, path=f"{PLACE}[{index}]", run_id=None, item=index)
            try:
                yield self._take(value, index, read)
            except UndecodableError as error:
                self.problems.append(syntax_problem(f"{PLACE}[{index}]", error, offset=0, item=index))
            except _Refusal as refusal:
                self.problems.append(
                    Problem(path=f"{PLACE}[{index}]", kind=refusal.kind, item_index=index, message=str(refusal))
                )

    def _take(self, value: object, index: int, read: FieldReader) -> _Record:
        """Tell what one value holds, and which run it belongs to.

        Raises:
            UndecodableError: If it is a text that is no JSON.
            _Refusal: If it holds nothing that can be read.
        """
        if isinstance(value, Verdict):
            return _Record(index, Kind.VERDICT, to_stored(value), self._defaults)
        if isinstance(value, Interpretation):
            return _Record(index, Kind.INTERPRETATION, to_builtins(value), self._defaults)
        data = bytes_of(value) if isinstance(value, TEXT) else None
        members = _members(value) if data is None else members_of(data)
        if is_missing(value) or (data is not None and data.strip() == b"null"):
            return _Record(index, Kind.ITEM, {}, self._defaults)
        if members is None:
            found = type(value).__name__ if data is None else "JSON of another sort"
            message = f"{found} is no object, so no item or verdict; it is left out"
            raise _Refusal(ProblemKind.FIELD, message)
        if data is not None and not _has_columns(members):
            return _Record(index, _readable_kind(members), data, self._defaults, is_json=True)
        whole: Mapping[str, Any] = members if data is None else decode_whole(data)
        own = {_ITEM_COLUMNS.get(key, key): member for key, member in whole.items() if key not in NAMES}
        return _Record(index, _readable_kind(own), own, self._names_of(whole, read), is_json=data is not None)

    def _names_of(self, members: Mapping[str, Any], read: FieldReader) -> RunNames:
        """The names beside a record's own keys, the defaults where it says none."""
        given = {name: members[name] for name in NAMES if not is_missing(members.get(name))}
        names: dict[str, Any] = {}
        for name, value in given.items():
            if name == "repeat":
                names[name] = read.integer(name, value, limit=INT32)
            elif isinstance(value, UUID) or type(value) is int:
                names[name] = str(value) if isinstance(value, UUID) else to_json(value)
            else:
                names[name] = read.text(name, value)
        if isinstance(names.get("run_id"), str) and not names["run_id"].strip():
            read.trouble("`run_id`: it is blank; the record is taken as one without")
            del names["run_id"]
        return self._named_today(
            msgspec.structs.replace(self._defaults, **{name: each for name, each in names.items() if each is not None})
        )

    def _named_today(self, names: RunNames) -> RunNames:
        return msgspec.structs.replace(names, variant=self._aliases.get(names.variant or "", names.variant))

    def _run_of_items(self, run_id: str, names: RunNames, records: Iterable[_Record]) -> RecordedRun:
        run = RecordedRun(run_id=run_id, path=PLACE, copies=[PLACE])
        _add_names(run, names)
        for record in records:
            read = FieldReader(self.problems, path=record.place, run_id=run_id, item=record.index)
            try:
                run.items.append(_item(record, read))
            except UndecodableError as error:
                problem = syntax_problem(record.place, error, offset=0, run_id=run_id, item=record.index)
                self.problems.append(problem)
        return run

    def _run_of_result(self, run_id: str, records: list[_Record]) -> RecordedRun | None:
        """The run from the best of its copies that can be decoded."""
        ranked = sorted(records, key=_rank)
        for place, record in enumerate(ranked):
            read = FieldReader(self.problems, path=record.place, run_id=run_id)
            try:
                stored = _result(record, read)
            except UndecodableError as error:
                self.problems.append(syntax_problem(record.place, error, offset=0, run_id=run_id))
                continue
            run = clean_run(stored, read, run_id=run_id, path=record.place)
            run.copies = [each.place for each in records]
            recorded_name = run.experiment_name
            _add_names(run, record.names)
            run.experiment_name = recorded_name or run.experiment_name
            self._compare(run_id, record, ranked[place + 1 :])
            return run
        return None

    def _compare(self, run_id: str, chosen: _Record, others: Iterable[_Record]) -> None:
        """Note copies of a run that differ in more than `interpretation`."""
        for other in others:
            try:
                one, two = (without_interpretations(_decoded(each)) for each in (chosen, other))
                difference = difference_of(one, two)
            except (UndecodableError, RecursionError, ValueError, TypeError) as error:
                difference = f"can't be compared: {error}"
            if difference is not None:
                message = f"copies of one run differ: {other.place} {difference}; read was {chosen.place}"
                self.problems.append(
                    Problem(path=chosen.place, kind=ProblemKind.CONFLICT, run_id=run_id, message=message)
                )


def read_defaults(defaults: object) -> RunNames:
    """Check the names that a caller gives for all runs.

    Raises:
        ArgumentError: A name is unknown, or its value of the wrong kind.
    """
    if not isinstance(defaults, Mapping):
        message = f"defaults are a mapping of names such as {{'variant': 'simple'}}, not {type(defaults).__name__}"
        raise ArgumentError(message)
    for name, value in defaults.items():
        if name not in NAMES:
            message = f"defaults have no name {name!r}; there are {', '.join(NAMES)}"
            raise ArgumentError(message)
        wanted = int if name == "repeat" else str
        fits = value is None or (isinstance(value, wanted) and not isinstance(value, bool))
        if not fits or (isinstance(value, int) and not -INT32 <= value < INT32):
            message = (
                f"the default {name} is {value!r}; it must be {'an integer of 32 bits' if wanted is int else 'text'}"
            )
            raise ArgumentError(message)
    return msgspec.convert(dict(defaults), RunNames)


def _members(value: object) -> Mapping[str, Any] | None:
    """The members of a mapping whose keys are text, its items as a list; null for anything else."""
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        return None
    return {**value, "items": list(value["items"])} if isinstance(value.get("items"), tuple) else value


def _has_columns(members: Mapping[str, Any]) -> bool:
    """Whether an object has keys that no file has, or its verdict as a text, as the rows of a database do."""
    return bool(members.keys() & _BESIDE) or any(sort_of(members.get(part)) == "string" for part in PARTS)


def _readable_kind(members: Mapping[str, Any]) -> Kind:
    """What a record holds; here the key `verdict` or `interpretation` makes an item whatever its value.

    Raises:
        _Refusal: If it is nothing that can be read.
    """
    kind = classify(members)
    if kind not in READABLE and members.keys() & set(PARTS) and "items" not in members:
        return Kind.ITEM
    if kind not in READABLE:
        raise _Refusal(ProblemKind.FOREIGN, f"it is left out; it is {describe_foreign(kind, members)}")
    return kind


def _item(record: _Record, read: FieldReader) -> RecordedItem:
    if record.kind is not Kind.ITEM or isinstance(record.data, bytes):
        return item_of_kind(record.kind, record.data, record.index, read)
    members = as_stored(record.data, read, is_json=record.is_json)
    item = item_of_kind(record.kind, members, record.index, read)
    if item.error is None:
        item.error = read.text("error", members.get("error"))
    return item


def _result(record: _Record, read: FieldReader) -> StoredResult:
    if isinstance(record.data, bytes):
        return decode_result(record.data)
    members = as_stored(record.data, read, is_json=record.is_json)
    if isinstance(members["items"], list):
        members["items"] = [
            as_stored(item, read.of_item(place), is_json=record.is_json) if isinstance(item, Mapping) else item
            for place, item in enumerate(members["items"])
        ]
    return build_result(members)


def _decoded(record: _Record) -> dict[str, Any]:
    return record.data if isinstance(record.data, dict) else decode_whole(record.data)


def _group_of(record: _Record) -> RunNames | str:
    """Which run a record belongs to: for a result its own id, where that is a text that isn't blank."""
    if record.kind is not Kind.RESULT:
        return record.names
    value = _raw_members(record).get("experimentId")
    value = decode_whole(value) if isinstance(value, msgspec.Raw) else value
    named = isinstance(value, str) and bool(value.strip())
    return str(value) if named else f"{record.names.run_id or PLACE}#{record.index}"


def _rank(record: _Record) -> tuple[int, int]:
    peek = peek_items(_raw_members(record)["items"])
    return -peek.count, -peek.interpretations


def _raw_members(record: _Record) -> Mapping[str, Any]:
    return record.data if isinstance(record.data, dict) else members_of(record.data) or {}


def _add_names(run: RecordedRun, names: RunNames) -> None:
    for name in NAMES[1:]:
        setattr(run, name, getattr(names, name))
