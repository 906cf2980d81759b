"""Where the parts of a stored evaluation are: the usual places of each source, and a user's own field map.

A place is a dotted path from the row: `payload.result`. A number picks an element of a list: `judgments.0.cost`. A name
in brackets makes an object of a list, keyed by that member of each element: `judgments[question].raw.answer` is the
answers of a row whose `judgments` each have a `question` and a `raw.answer`.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import UNSET

from verdict_frames.errors import OptionError
from verdict_frames.vocabulary import EvaluationSource

if TYPE_CHECKING:
    from collections.abc import Mapping


class Keyed(msgspec.Struct, frozen=True):
    """A step that makes an object of a list of objects.

    Attributes:
        member: The member of each element that becomes its key.
    """

    member: str


Path = tuple[str | Keyed, ...]

_SEGMENT: Final = re.compile(r"([^\[\].]+)(?:\[([^\[\].]+)\])?")

_ENVELOPE: Final[Mapping[str, tuple[str, ...]]] = {
    "evaluation_id": ("id",),
    "created_at": ("createdAt", "created_at"),
    "idempotency_key": ("idempotencyKey", "idempotency_key"),
    "ticket_id": ("ticketId", "ticket_id"),
    "pack_id": ("packId", "pack_id"),
    "pack_version": ("packVersion", "pack_version"),
}
_PARTS: Final[Mapping[EvaluationSource, Mapping[str, tuple[str, ...]]]] = {
    EvaluationSource.RESULT: {
        "status": ("status",),
        "answers": ("answers",),
        "review_reasons": ("reviewReasons",),
        "model_id": ("modelId",),
        "latency_ms": ("latencyMs",),
        "usage": ("usage",),
        "derived": ("derived",),
        "provider_metadata": ("providerMetadata",),
    },
    EvaluationSource.GATEWAY: {
        "created_at": ("createdAt", "created_at", "response.timestamp"),
        "answers": ("answers",),
        "model_id": ("response.modelId", "modelId", "model"),
        "latency_ms": ("latencyMs", "latency_ms"),
        "usage": ("usage",),
        "provider_metadata": ("providerMetadata", "provider_metadata"),
        "error": ("error",),
    },
    EvaluationSource.SYSTEM_ONE: {
        "ticket_id": ("ticketId", "ticket_id", "case_id"),
        "answers": ("answers",),
        "model_id": ("model",),
        "latency_ms": ("latency_ms", "latencyMs"),
        "usage": ("usage",),
        "provider_metadata": ("provider_metadata", "providerMetadata"),
        "error": ("error",),
    },
}
_ONLY_BY_MAP: Final = frozenset({"result", "confidence", "cost_usd", "input_tokens", "output_tokens", "latency_s"})

TARGETS: Final = tuple(sorted({*_ENVELOPE, *_ONLY_BY_MAP, *(name for parts in _PARTS.values() for name in parts)}))
"""What a field map may place."""

_DEFAULTS: Final[Mapping[EvaluationSource, Mapping[str, tuple[str, ...]]]] = MappingProxyType(
    {source: {**_ENVELOPE, **parts} for source, parts in _PARTS.items()}
)


def places(source: EvaluationSource, fields: Mapping[str, str] | None) -> dict[str, tuple[Path, ...]]:
    """Work out where to look for each part, in order of preference.

    Parts are looked for in the result object and then beside it; a part that the map places is looked for there only.

    Args:
        source: What wrote the rows.
        fields: Part → path; the part `result` says where the result object is, which is otherwise `result` or the row.

    Returns:
        Part → paths; a part that has no place is left out.

    Raises:
        OptionError: If the map names an unknown part or holds something that is no path.
    """
    mapped = {}
    for name, path in (fields or {}).items():
        if name not in TARGETS:
            message = f"the field map places {name!r}, which is no part of an evaluation; parts: {', '.join(TARGETS)}"
            raise OptionError(message)
        mapped[name] = (parse_path(path),)
    inner = mapped.get("result", (("result",),))[0]
    found: dict[str, tuple[Path, ...]] = {}
    for name, usual in _DEFAULTS[source].items():
        paths = [parse_path(path) for path in usual]
        found[name] = tuple(paths if name in _ENVELOPE else [*((*inner, *path) for path in paths), *paths])
    return {**found, **mapped}


def parse_path(text: object) -> Path:
    """Read a dotted path.

    Raises:
        OptionError: If it is none.

    Example:
        >>> parse_path("judgments[question].raw.answer")
        ('judgments', Keyed(member='question'), 'raw', 'answer')
    """
    steps: list[str | Keyed] = []
    for segment in text.split(".") if isinstance(text, str) else [""]:
        match = _SEGMENT.fullmatch(segment)
        if match is None:
            message = (
                f"{text!r} is no path of a field map; write one such as 'payload.result' or 'judgments[name].answer'"
            )
            raise OptionError(message)
        name, member = match.groups()
        steps += [name] if member is None else [name, Keyed(member)]
    return tuple(steps)


def path_text(path: Path) -> str:
    """The dotted path again."""
    text = ""
    for step in path:
        text += f"[{step.member}]" if isinstance(step, Keyed) else f".{step}" if text else step
    return text


def look_up(value: object, path: Path, repeated: list[str]) -> Any:  # noqa: ANN401
    """Follow a path.

    Args:
        value: Where to start.
        path: The steps.
        repeated: Gets each key that several elements of a list have; the first element is kept.

    Returns:
        What is there, or UNSET.
    """
    for index, step in enumerate(path):
        if isinstance(step, Keyed):
            return _keyed(value, step, path[index + 1 :], repeated)
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif isinstance(value, list) and step.isdecimal() and int(step) < len(value):
            value = value[int(step)]
        else:
            return UNSET
    return value


def remainder(value: object, used: list[Path]) -> Any:  # noqa: ANN401
    """What is left of a value without the places that were used.

    Args:
        value: The value; it isn't changed.
        used: Paths into it, at least one.

    Returns:
        The rest, or UNSET where nothing is left. Lists keep their length.
    """
    if () in used:
        return UNSET
    if isinstance(value, dict):
        below: dict[str | Keyed, list[Path]] = {}
        for step, *rest in used:
            below.setdefault(step, []).append(tuple(rest))
        members = {key: remainder(member, below[key]) if key in below else member for key, member in value.items()}
        return {key: member for key, member in members.items() if member is not UNSET} or UNSET
    if isinstance(value, list):
        left = [_element(element, str(index), used) for index, element in enumerate(value)]
        return UNSET if all(element is UNSET for element in left) else [None if e is UNSET else e for e in left]
    return value


def _element(value: object, index: str, used: list[Path]) -> Any:  # noqa: ANN401
    below = [path[1:] for path in used if path[0] == index]
    for path in used:
        if isinstance(path[0], Keyed):
            below += [(path[0].member,), path[1:]]
    return remainder(value, below) if below else value


def _keyed(value: object, step: Keyed, rest: Path, repeated: list[str]) -> Any:  # noqa: ANN401
    if not isinstance(value, list):
        return UNSET
    members: dict[str, Any] = {}
    for element in value:
        key = look_up(element, (step.member,), repeated)
        found = look_up(element, rest, repeated)
        if not isinstance(key, str) or found is UNSET:
            continue
        if key in members:
            repeated.append(key)
        else:
            members[key] = found
    return members
