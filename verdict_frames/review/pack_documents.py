"""The text of a pack, JSON or YAML → plain values in document order, with every key that was written twice."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from verdict_frames.errors import MissingPathError, PackError, PackNote

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike

_YAML_ENDINGS: Final = frozenset({".yaml", ".yml"})
_YAML_MERGE: Final = "tag:yaml.org,2002:merge"


class Members(dict[str, Any]):
    """The members of an object, with the keys that its text held more than once.

    Attributes:
        repeated: In document order.
    """

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        counts = Counter(key for key, _ in pairs)
        self.repeated = [key for key, count in counts.items() if count > 1]


class _UnreadableError(Exception):
    """The text is no document; the message says why."""


def load_document(path: str | PathLike[str]) -> Any:  # noqa: ANN401
    """Read a file as YAML where its name ends in .yaml or .yml, else as JSON.

    Raises:
        MissingPathError: If there is no such file.
        PackError: If it can't be read as such a document.
    """
    file = Path(path)
    where = file.as_posix()
    if not file.exists():
        message = f"{where}: there is no such file; a pack is one JSON or YAML file"
        raise MissingPathError(message)
    parse: Callable[[str], Any] = _parse_yaml if file.suffix.lower() in _YAML_ENDINGS else _parse_json
    try:
        return parse(file.read_bytes().decode("utf-8-sig"))
    except IsADirectoryError:
        reason = "it is a folder; a pack is one JSON or YAML file"
    except OSError as error:
        reason = f"it can't be read ({error.strerror})"
    except UnicodeDecodeError:
        reason = "the text is not UTF-8; save it as UTF-8"
    except RecursionError:
        reason = "it is nested more deeply than can be followed"
    except _UnreadableError as error:
        reason = str(error)
    raise PackError(where, (PackNote("", reason),))


def _parse_json(text: str) -> Any:  # noqa: ANN401
    try:
        return json.loads(text, object_pairs_hook=Members, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        reason = f"line {error.lineno}, column {error.colno}: it is no JSON ({error.msg[0].lower()}{error.msg[1:]})"
    except ValueError as error:
        reason = f"it holds a number that can't be read ({error})"
    raise _UnreadableError(reason)


def _refuse_constant(token: str) -> None:
    message = f"it holds {token}, which is no JSON value; thresholds are finite numbers"
    raise _UnreadableError(message)


def _parse_yaml(text: str) -> Any:  # noqa: ANN401
    try:
        import yaml  # noqa: PLC0415 - an extra: needed by nobody whose packs are JSON
    except ImportError:
        reason = "a YAML pack needs PyYAML; install verdict-frames[yaml], or write the pack as JSON"
        raise _UnreadableError(reason) from None

    class Loader(yaml.SafeLoader):
        """The safe loader, with repeated keys kept in view."""

    def members(loader: Any, node: Any) -> Members:  # noqa: ANN401
        written = [(loader.construct_object(key, deep=True), None) for key, _ in node.value if key.tag != _YAML_MERGE]
        merged = loader.construct_mapping(node, deep=True)
        found = Members([*written, *((key, None) for key in merged if key not in dict(written))])
        found.update(merged)
        return found

    Loader.add_constructor("tag:yaml.org,2002:map", members)
    try:
        return yaml.load(text, Loader=Loader)  # noqa: S506 - made from the safe loader
    except yaml.MarkedYAMLError as error:
        line = f"line {error.problem_mark.line + 1}: " if error.problem_mark else ""
        reason = f"{line}it is no YAML ({error.problem or error.context})"
    except (yaml.YAMLError, ValueError, TypeError) as error:
        reason = f"it is no YAML ({str(error).splitlines()[0]})"
    raise _UnreadableError(reason)
