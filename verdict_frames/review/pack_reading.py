"""A parsed pack document → its typed questions, or every fault that it has, each with its place.

The form of a pack has no public specification. Read here: `id`, `version` and `questions`, the last as an object from
id to question or as a list of questions with an `id`; a question is `type`, `instructions`, `criteria` and `review`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from verdict_frames.documents.wording import place, shown
from verdict_frames.errors import PackNote
from verdict_frames.interpretation.values import is_number, is_object, to_double
from verdict_frames.review.pack_documents import Members
from verdict_frames.review.questions import (
    AnyQuestion,
    BooleanQuestion,
    BooleanRule,
    ChoiceQuestion,
    ChoiceRule,
    ScoreQuestion,
    ScoreRule,
)
from verdict_frames.vocabulary import QuestionType

_PACK_KEYS: Final = frozenset({"id", "version", "questions", "description", "title", "name"})
_QUESTION_KEYS: Final = frozenset({"id", "type", "instructions", "criteria", "review", "description", "title"})
_RULE_KEYS: Final = {
    QuestionType.CHOICE: ("minSelectedProbability",),
    QuestionType.SCORE: ("minInclusive", "maxInclusive"),
    QuestionType.BOOLEAN: ("lowExclusive", "highExclusive"),
}
_ALL_RULE_KEYS: Final = frozenset(key for keys in _RULE_KEYS.values() for key in keys)
_TYPES: Final = ", ".join(QuestionType)
_LARGEST: Final = 1.7976931348623157e308


class PackParts(msgspec.Struct, frozen=True, kw_only=True):
    """What a document holds.

    Attributes:
        id: Null where absent.
        version: Null where absent.
        questions: Those that could be read, in document order.
        faults: What keeps the pack from being used; repeated keys first, then in document order.
        warnings: What is probably not meant.
    """

    id: str | None
    version: str | None
    questions: tuple[AnyQuestion, ...]
    faults: tuple[PackNote, ...]
    warnings: tuple[PackNote, ...]


def read_parts(document: object) -> PackParts:
    """Read as much of a pack as can be read, noting all that can't."""
    reading = _Reading()
    reading.repeated_keys(document)
    if not is_object(document):
        reading.fault("", f"a pack is an object with `questions`, not {shown(document)}")
        return PackParts(id=None, version=None, questions=(), faults=tuple(reading.faults), warnings=())
    reading.unknown_keys(document, _PACK_KEYS)
    name, version = (reading.label(document.get(key), key) for key in ("id", "version"))
    questions = reading.questions(document)
    return PackParts(
        id=name,
        version=version,
        questions=tuple(questions),
        faults=tuple(reading.faults),
        warnings=tuple(reading.warnings),
    )


class _Reading:
    """One pass over a document."""

    def __init__(self) -> None:
        self.faults: list[PackNote] = []
        self.warnings: list[PackNote] = []

    def fault(self, path: str, message: str) -> None:
        self.faults.append(PackNote(path, message))

    def warn(self, path: str, message: str) -> None:
        self.warnings.append(PackNote(path, message))

    def repeated_keys(self, document: object) -> None:
        """Note every key that its object holds twice; each object is visited once, however often it is referred to."""
        seen: set[int] = set()
        rest: list[tuple[tuple[str | int, ...], object]] = [((), document)]
        while rest:
            path, value = rest.pop()
            if not isinstance(value, dict | list) or id(value) in seen:
                continue
            seen.add(id(value))
            if isinstance(value, Members):
                for key in value.repeated:
                    self.fault(place(*path, str(key)), "the key is written more than once; keep one")
            members = value.items() if isinstance(value, dict) else enumerate(value)
            rest.extend(
                ((*path, key if isinstance(key, int) else str(key)), member) for key, member in reversed([*members])
            )

    def unknown_keys(self, holder: Mapping[str, Any], known: frozenset[str], *path: str | int) -> None:
        for key in holder:
            if key not in known:
                self.warn(place(*path, key), f"is not read; read are {', '.join(sorted(known))}")

    def label(self, value: object, *path: str | int) -> str | None:
        """A text, or an integer as text; a fault for anything else but null."""
        if value is None or (isinstance(value, str) and value):
            return value
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**40:
            return str(value)
        self.fault(place(*path), f"expected a text that isn't empty, found {shown(value)}; put it in quotes")
        return None

    def questions(self, document: Mapping[str, Any]) -> list[AnyQuestion]:
        stored = document.get("questions")
        if isinstance(stored, list | tuple):
            named = self._listed(stored)
        elif is_object(stored):
            named = [(key, ("questions", key), value) for key, value in stored.items()]
        else:
            found = shown(stored) if "questions" in document else "nothing"
            self.fault("questions", f"expected an object from id to question or a list of questions, found {found}")
            return []
        if not stored:
            self.fault("questions", "there are none; a pack without questions would accept everything")
        read = [self._question(name, path, value) for name, path, value in named]
        return [question for question in read if question is not None]

    def _listed(self, stored: list[Any] | tuple[Any, ...]) -> list[tuple[str, tuple[str | int, ...], Any]]:
        named: dict[str, tuple[str, tuple[str | int, ...], Any]] = {}
        for index, value in enumerate(stored):
            name = value.get("id") if is_object(value) else None
            if not is_object(value):
                self.fault(place("questions", index), f"expected a question, found {shown(value)}")
            elif not isinstance(name, str):
                found = shown(name) if "id" in value else "nothing"
                self.fault(place("questions", index, "id"), f"expected the question's id as a text, found {found}")
            elif name in named:
                self.fault(
                    place("questions", index, "id"), f"the id {name!r} is taken by an earlier question; ids differ"
                )
            else:
                named[name] = (name, ("questions", name), value)
        return list(named.values())

    def _question(self, name: str, path: tuple[str | int, ...], stored: object) -> AnyQuestion | None:
        if not name:
            self.fault(place(*path), "a question's id can't be empty")
        if not is_object(stored):
            self.fault(place(*path), f"expected a question, found {shown(stored)}")
            return None
        if stored.get("id", name) != name:
            self.fault(place(*path, "id"), f"says {shown(stored['id'])}, but the key above it is another; keep one")
        misplaced = [key for key in stored if key in _ALL_RULE_KEYS]
        for key in misplaced:
            self.fault(place(*path, key), "a threshold belongs under `review`")
        self.unknown_keys({key: None for key in stored if key not in misplaced}, _QUESTION_KEYS, *path)
        kind = stored.get("type")
        if not isinstance(kind, str) or kind not in [*QuestionType]:
            found = shown(kind) if "type" in stored else "nothing"
            hint = "; `noul` is the native name of `boolean`" if kind == "noul" else ""
            self.fault(place(*path, "type"), f"expected one of {_TYPES}, found {found}{hint}")
            return None
        asked = QuestionType(kind)
        rule = self._rule(asked, stored.get("review"), *path, "review")
        common = {"id": name, "instructions": stored.get("instructions"), "criteria": stored.get("criteria")}
        if asked is QuestionType.CHOICE:
            return self._choice(common, rule, path)
        if asked is QuestionType.SCORE:
            return self._score(common, rule, path)
        return self._boolean(common, rule, path)

    def _rule(self, kind: QuestionType, stored: object, *path: str | int) -> tuple[float, ...] | None:
        """The thresholds in the order of their keys; null where there is no rule or one that can't be used."""
        if stored is None:
            return None
        if not is_object(stored):
            self.fault(place(*path), f"expected an object, found {shown(stored)}")
            return None
        keys = _RULE_KEYS[kind]
        for key in stored:
            if key not in keys:
                self.fault(place(*path, key), f"is no threshold of a {kind} question; it has {' and '.join(keys)}")
        if not any(key in stored for key in keys):
            return None
        values = [self._threshold(kind, key, stored, *path) for key in keys]
        return None if None in values else tuple(value for value in values if value is not None)

    def _threshold(self, kind: QuestionType, key: str, rule: Mapping[str, Any], *path: str | int) -> float | None:
        upper = _LARGEST if kind is QuestionType.SCORE else 1.0
        expected = "a finite number" if kind is QuestionType.SCORE else "a number in 0 to 1"
        if key not in rule:
            self.fault(place(*path, key), f"is absent; the other bound stands alone, and both are needed ({expected})")
            return None
        value = rule[key]
        lower = -_LARGEST if kind is QuestionType.SCORE else 0.0
        if is_number(value) and lower <= to_double(value) <= upper:
            return to_double(value)
        self.fault(place(*path, key), f"expected {expected}, found {shown(value)}")
        return None

    def _choice(
        self, common: dict[str, Any], rule: tuple[float, ...] | None, path: tuple[str | int, ...]
    ) -> ChoiceQuestion:
        criteria, options = common["criteria"], None
        if is_object(criteria):
            options = tuple(criteria)
            if not options:
                self.fault(place(*path, "criteria"), "there are no options; a choice question has at least one")
            if "" in options:
                self.fault(place(*path, "criteria", ""), "an option's name can't be empty")
        elif criteria is None:
            self.warn(place(*path, "criteria"), "lists no options, so any option is taken as valid")
        else:
            self.fault(place(*path, "criteria"), f"expected an object from option to text, found {shown(criteria)}")
        return ChoiceQuestion(
            **common, options=options, review=None if rule is None else ChoiceRule(min_selected_probability=rule[0])
        )

    def _score(
        self, common: dict[str, Any], rule: tuple[float, ...] | None, path: tuple[str | int, ...]
    ) -> ScoreQuestion:
        criteria, count = common["criteria"], None
        if isinstance(criteria, list | tuple):
            count = len(criteria)
            if count < 2:
                self.fault(place(*path, "criteria"), f"a score question has at least 2 levels, found {count}")
        elif criteria is None:
            self.warn(place(*path, "criteria"), "lists no levels, so any score is taken as valid")
        else:
            self.fault(place(*path, "criteria"), f"expected a list of levels from 0 up, found {shown(criteria)}")
        if rule is None:
            return ScoreQuestion(**common, level_count=count)
        low, high = rule
        if low > high:
            self.fault(place(*path, "review"), f"minInclusive {low} is above maxInclusive {high}; exchange them")
        elif count is not None and (high < 0 or low > count - 1):
            self.warn(place(*path, "review"), f"lies outside of the levels 0 to {count - 1}, so it never fires")
        return ScoreQuestion(**common, level_count=count, review=ScoreRule(min_inclusive=low, max_inclusive=high))

    def _boolean(
        self, common: dict[str, Any], rule: tuple[float, ...] | None, path: tuple[str | int, ...]
    ) -> BooleanQuestion:
        criteria = common["criteria"]
        if criteria is not None and not isinstance(criteria, Mapping):
            self.fault(place(*path, "criteria"), f"expected an object with `true` and `false`, found {shown(criteria)}")
        if rule is None:
            return BooleanQuestion(**common)
        low, high = rule
        if low > high:
            self.fault(place(*path, "review"), f"lowExclusive {low} is above highExclusive {high}; exchange them")
        elif low == high:
            self.warn(place(*path, "review"), f"both ends are {low}, so the band is empty and never fires")
        return BooleanQuestion(**common, review=BooleanRule(low_exclusive=low, high_exclusive=high))
