"""A dataset's manifest and the records of its items: what is known about an item before anybody works on it."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import Any, Final

import msgspec

from verdict_frames.documents.decoding import UTF8_MARK, UndecodableError, decode
from verdict_frames.documents.escaping import one_line
from verdict_frames.documents.fields import Fields
from verdict_frames.documents.seen import Problem
from verdict_frames.documents.wording import shown
from verdict_frames.errors import ArgumentError, FactsError, MissingPathError
from verdict_frames.vocabulary import ProblemKind

MANIFEST: Final = "dataset.json"
ITEM_RECORD: Final = "item.json"


class DatasetItem(msgspec.Struct, kw_only=True):
    """What a dataset says about one item: the item's own record first, the manifest where that says nothing.

    Attributes:
        item_id: Its identifier.
        bucket: The bucket it is filed under; not a bucket of a policy.
        task_type: What sort of task it is.
        tags: Its tags in recorded order; null where none are recorded.
        status: Whether it is in use.
    """

    item_id: str
    bucket: str | None = None
    task_type: str | None = None
    tags: list[str] | None = None
    status: str | None = None


class Dataset(msgspec.Struct, kw_only=True):
    """A dataset as far as it can be read.

    Attributes:
        path: Its manifest.
        version: Its release number.
        items: In the order of the manifest, each id once.
        problems: What could not be read, or is said in two ways.
    """

    path: str
    version: str | None = None
    items: list[DatasetItem] = msgspec.field(default_factory=list)
    problems: list[Problem] = msgspec.field(default_factory=list)


class _Record(Fields):
    """Cleans the fields of one record, and notes what could not be used."""

    def __init__(self, path: Path, problems: list[Problem]) -> None:
        self.path = one_line(path.as_posix())
        self._problems = problems

    def trouble(self, message: str, kind: ProblemKind = ProblemKind.FIELD) -> None:
        self._problems.append(Problem(path=self.path, kind=kind, message=message))

    def texts(self, name: str, value: object) -> list[str] | None:
        """A list of texts; null for anything else."""
        if isinstance(value, list) and all(isinstance(member, str) for member in value):
            return value
        self.refuse(name, value, "a list of texts")
        return None


def read_dataset(path: object) -> Dataset:
    """Read a dataset's manifest, and the record of each item that it lists.

    Of an item that is listed twice the first entry counts. A record is looked for below the manifest's folder only: the
    path in an entry is what somebody wrote, and nothing outside is opened.

    Args:
        path: A folder with a `dataset.json`, or that file.

    Raises:
        ArgumentError: The path is neither text nor a path.
        MissingPathError: There is no such folder or file.
        FactsError: The manifest can't be read, or is none.
    """
    if not isinstance(path, str | Path):
        message = f"a dataset is a folder or a file, given as text or as pathlib.Path, not as {type(path).__name__}"
        raise ArgumentError(message)
    file = Path(path) / MANIFEST if Path(path).is_dir() else Path(path)
    where = one_line(file.as_posix())
    if not file.exists():
        message = f"there is no file {where}; a dataset is a folder with a {MANIFEST}"
        raise MissingPathError(message)
    problems: list[Problem] = []
    manifest = _load(file)
    if isinstance(manifest, Problem):
        message = f"{where} can't be read: {manifest.message}"
        raise FactsError(message)
    if not isinstance(manifest, dict) or not isinstance(manifest.get("items"), list):
        message = f"{where} is no manifest of a dataset: it has no list of `items`"
        raise FactsError(message)
    read = _Record(file, problems)
    items: dict[str, DatasetItem] = {}
    for place, entry in enumerate(manifest["items"]):
        item = _read_item(entry, f"items[{place}]", read, file.parent, problems)
        if item is not None and item.item_id in items:
            read.trouble(f"`items[{place}]`: {item.item_id!r} is listed already; the first entry counts", _CONFLICT)
        elif item is not None:
            items[item.item_id] = item
    version = read.text("version", manifest.get("version"))
    return Dataset(path=where, version=version, items=list(items.values()), problems=problems)


_CONFLICT: Final = ProblemKind.CONFLICT


def _read_item(entry: object, place: str, read: _Record, folder: Path, problems: list[Problem]) -> DatasetItem | None:
    listed = read.mapping(place, entry)
    item_id = listed.get("id")
    if not isinstance(item_id, str) or not item_id.strip():
        read.trouble(f"`{place}.id`: expected a name, found {shown(item_id)}; the entry is left out")
        return None
    own, record = _own_record(listed.get("path"), place, read, folder, problems)
    if own.get("id", item_id) != item_id:
        record.trouble(f"`id`: {shown(own['id'])}, where the manifest says {item_id!r}; it is left out", _CONFLICT)
        own = {}
    values = {}
    for name in ("bucket", "taskType", "status"):
        in_manifest = read.text(f"{place}.{name}", listed.get(name))
        in_record = record.text(name, own.get(name))
        if None not in (in_manifest, in_record) and in_manifest != in_record:
            said = f"{in_record!r}, where the manifest says {in_manifest!r} of {item_id!r}"
            record.trouble(f"`{name}`: {said}; the item's own record counts", _CONFLICT)
        values[name] = in_manifest if in_record is None else in_record
    return DatasetItem(
        item_id=item_id,
        bucket=values["bucket"],
        task_type=values["taskType"],
        status=values["status"],
        tags=record.texts("tags", own.get("tags")),
    )


def _own_record(
    path: object, place: str, read: _Record, folder: Path, problems: list[Problem]
) -> tuple[dict[str, Any], _Record]:
    """The item's own record, empty where it can't be had; and what cleans its fields."""
    named = read.text(f"{place}.path", path)
    if named is None:
        return {}, read
    parts = PurePosixPath(named.replace("\\", "/"))
    if parts.is_absolute() or ".." in parts.parts or "\0" in named or ":" in named:
        read.trouble(f"`{place}.path`: {shown(named)} leads out of the dataset's folder; it is not followed")
        return {}, read
    file = folder / parts / ITEM_RECORD
    record = _Record(file, problems)
    found = _load(file)
    if isinstance(found, Problem):
        problems.append(found)
        return {}, record
    if not isinstance(found, dict):
        record.trouble(f"expected the record of an item, found {shown(found)}", ProblemKind.FOREIGN)
        return {}, record
    return found, record


def _load(file: Path) -> Any:  # noqa: ANN401 - any JSON value, or the problem that stood in the way
    where = one_line(file.as_posix())
    try:
        data = file.read_bytes().removeprefix(UTF8_MARK)
        return decode(data, msgspec.json.decode, lambda value: value)
    except FileNotFoundError:
        message = "the manifest names this file, and it isn't there; restore it"
        return Problem(path=where, kind=ProblemKind.MISSING, message=message)
    except OSError as error:
        message = f"the file can't be read: {error.strerror or error}"
        return Problem(path=where, kind=ProblemKind.UNREADABLE, message=message)
    except UndecodableError as error:
        return Problem(path=where, kind=error.kind, line=error.line, byte=error.byte, message=error.reason)
