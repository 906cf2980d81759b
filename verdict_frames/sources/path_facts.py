"""What a file's place tells: session and variant by the store's layout, and whatever the caller's pattern names."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final
from uuid import UUID

import msgspec

from verdict_frames.documents.escaping import one_line
from verdict_frames.documents.fields import INT32
from verdict_frames.errors import ArgumentError, PatternError

if TYPE_CHECKING:
    from collections.abc import Sequence

PLACEHOLDERS: Final = ("experiment", "session", "variant", "repeat", "run")
_TOKEN: Final = re.compile(r"\{([^{}]*)\}|(\*+)|([^{}*]+)|([{}])")


class PathFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What was read off a path; null where it doesn't say.

    Attributes:
        experiment: Name of the experiment.
        session: Name of the session.
        variant: Name of the variant.
        repeat: Which repeat, as written; it need not be a number.
        run: Id for a run that records none of its own.
    """

    experiment: str | None = None
    session: str | None = None
    variant: str | None = None
    repeat: str | None = None
    run: str | None = None


class PathPattern:
    """A pattern such as `{experiment}/{variant}/{repeat}.json`, held against the end of a path.

    Placeholders are `{experiment}`, `{session}`, `{variant}`, `{repeat}` and `{run}`; `{_}` and `*` stand for any text.
    None of them reaches over a `/`, and as many trailing parts of a path are looked at as the pattern has. Where text
    between two placeholders may be cut in several ways, the earlier placeholder takes as much as it can.

    Raises:
        ArgumentError: If the pattern is no text.
        PatternError: If the pattern is empty, has an empty part, a placeholder that is unknown or used twice, two
            placeholders with nothing between them, a brace without its partner, or `**`.

    Examples:
        >>> PathPattern("{variant}/run-{repeat}.json").match(("results", "hardened+skills", "run-03.json"))
        PathFacts(experiment=None, session=None, variant='hardened+skills', repeat='03', run=None)
    """

    def __init__(self, pattern: str) -> None:
        given: object = pattern
        if not isinstance(given, str):
            msg = f"a path pattern is a text such as {{variant}}/{{repeat}}.json, not {type(given).__name__}"
            raise ArgumentError(msg)
        parts = pattern.split("/")
        if not all(parts):
            reason = "it has an empty part; write the trailing parts of a path, such as {variant}/{repeat}.json"
            raise _unusable(pattern, reason)
        names = re.findall(r"\{(\w+)\}", pattern)
        twice = sorted(name for name in PLACEHOLDERS if names.count(name) > 1)
        if twice:
            raise _unusable(pattern, f"it has {{{twice[0]}}} twice")
        self.text = pattern
        self._depth = len(parts)
        self._regex = re.compile("/".join(_regex_of(part, pattern) for part in parts), re.DOTALL)

    def match(self, parts: Sequence[str]) -> PathFacts | None:
        """What the pattern finds in the parts of a path; null where it doesn't match."""
        match = self._regex.fullmatch("/".join(parts[-self._depth :]))
        return None if match is None else PathFacts(**match.groupdict())


def layout_facts(parts: Sequence[str], *, experiment_id: str | None, experiment_name: str | None) -> PathFacts:
    """Session and variant of a result file by its place in a result store.

    Either `…/sessions/<session>/<variant>.json`, or the flat layout of March 2026,
    `…/<experimentName>/<variant>/<run-id>.json`, which is believed only where the file is named by its own id or by a
    UUID and the folder above the variant's bears the experiment's name.
    """
    folders, stem = parts[:-1], PurePosixPath(parts[-1]).stem
    if len(folders) >= 2 and folders[-2] == "sessions":
        return PathFacts(session=folders[-1], variant=stem)
    if len(folders) >= 2 and folders[-2] == experiment_name != folders[-1] and names_run(stem, experiment_id):
        return PathFacts(variant=folders[-1])
    return PathFacts()


def names_run(stem: str, experiment_id: str | None) -> bool:
    """Whether a file's name is the run's own id or a UUID, as the store names the copy that it never overwrites."""
    if stem == experiment_id:
        return True
    try:
        return str(UUID(stem)) == stem.lower()
    except ValueError:
        return False


def repeat_number(text: str | None) -> int | None:
    """A repeat as an integer from 0 to below 2³¹; null where the text is no such number in ASCII digits."""
    if text is None or not (text.isascii() and text.isdigit() and len(text) <= 10 and int(text) < INT32):
        return None
    return int(text)


def _regex_of(part: str, pattern: str) -> str:
    regex = ""
    after_placeholder = False
    for name, stars, text, brace in _TOKEN.findall(part):
        if brace:
            raise _unusable(pattern, f"a {brace} has no partner")
        if len(stars) > 1:
            reason = "** is unknown; leave leading folders out, the pattern is held against the end of a path"
            raise _unusable(pattern, reason)
        if text:
            regex += re.escape(text)
        elif after_placeholder:
            raise _unusable(pattern, "two placeholders have nothing between them")
        else:
            regex += "[^/]*" if stars else _group(name, pattern)
        after_placeholder = not text
    return regex


def _group(name: str, pattern: str) -> str:
    if name == "_":
        return "[^/]+"
    if name not in PLACEHOLDERS:
        known = ", ".join(f"{{{known}}}" for known in PLACEHOLDERS)
        raise _unusable(pattern, f"{{{one_line(name)}}} is unknown; there are {known}, and {{_}} or * for any text")
    return f"(?P<{name}>[^/]+)"


def _unusable(pattern: str, reason: str) -> PatternError:
    return PatternError(f"path pattern {pattern!r} can't be used: {reason}")
