"""What a CI job asks for, as one value: from options, from a mapping, or from a TOML file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final

from verdict_frames.errors import ArgumentError, MissingPathError, OptionError, one_line, some_names
from verdict_frames.statistics.gates.conditions import (
    Limit,
    Requirement,
    limit_of,
    parse_limit,
    parse_requirement,
)

GATES_FILE: Final = "verdict-frames.toml"
"""The file in which a project keeps its gates, in the table `gates`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Gates:
    """What is asked of a measurement, and then of the agent.

    Made by `from_dict` or `from_file`. Of the measurement is asked first, because numbers that aren't fit say nothing
    about the agent: the attributes up to `expect_items`.

    Attributes:
        max_problems: How many rows `problems` may have; null for any number.
        limits: What each group may have of something at most.
        max_judge_error_rate: In what share of its seats any single judge may have errored, from 0 to 1; each judge's
            own rate, not that of all together.
        expect_groups: Labels of groups that must be there, each with at least one item.
        expect_items: How many different items each group must have.
        require: What each group must hold, in a comparison each treatment.
        max_regressions: How many items may pass less often with a treatment than with the baseline.
        max_drop: How much lower a treatment's rate may be, from 0 to 1. It fails only where the one-sided interval of
            the difference lies beyond it as a whole, so that flaky items don't fail a build.
        alpha: In what share of builds, at most, a drop of just `max_drop` may be taken for a greater one; above 0 and
            below 0.5.

    Raises:
        OptionError: A number isn't of the range that it must have.
        ArgumentError: A value is of the wrong kind.
    """

    max_problems: int | None = None
    limits: tuple[Limit, ...] = ()
    max_judge_error_rate: float | None = None
    expect_groups: tuple[str, ...] = ()
    expect_items: int | None = None
    require: tuple[Requirement, ...] = ()
    max_regressions: int | None = None
    max_drop: float | None = None
    alpha: float = 0.05

    def __post_init__(self) -> None:
        for name, kind in (("limits", Limit), ("expect_groups", str), ("require", Requirement)):
            given = getattr(self, name)
            if not isinstance(given, tuple) or not all(isinstance(one, kind) for one in given):
                message = f"{name} is a tuple of {kind.__name__}, not {one_line(given)}; see Gates.from_dict"
                raise ArgumentError(message)
        for name in ("max_problems", "expect_items", "max_regressions"):
            _check_count(getattr(self, name), name)
        for name in ("max_judge_error_rate", "max_drop", "alpha"):
            _check_share(getattr(self, name), name)
        if not 0 < self.alpha < 0.5:
            message = f"alpha lies between 0 and 0.5, such as 0.05, not at {self.alpha}"
            raise OptionError(message)

    @property
    def are_any(self) -> bool:
        """Whether anything is asked at all."""
        return any(getattr(self, field.name) not in (None, ()) for field in fields(self) if field.name != "alpha")

    @property
    def about_comparisons(self) -> tuple[str, ...]:
        """The names of what is asked that only a comparison can tell."""
        return tuple(name for name in ("max_regressions", "max_drop") if getattr(self, name) is not None)

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Gates:
        """Make gates from a mapping with the names of the options, as the table of a TOML file has them.

        Args:
            given: Names and values; what isn't named isn't asked. `max` holds the limits, as a mapping
                (`{"not_assessed_rate": 0.05}`) or as texts; `require` is a text or several; `expect_groups` is a list
                of labels, or a text with commas between them.

        Raises:
            OptionError: A name is unknown or a value can't be.
            ArgumentError: A value is of the wrong kind.

        Example:
            >>> gates = Gates.from_dict({"max": {"not_assessed_rate": 0.05}, "require": "pass_rate>=0.8"})
            >>> str(gates.limits[0]), str(gates.require[0])
            ('not_assessed_rate at most 0.05', 'pass_rate >= 0.8')
        """
        return cls().overridden(given)

    @classmethod
    def from_file(cls, path: str | Path) -> Gates:
        """Read the table `gates` of a TOML file; a file without one asks for nothing.

        Args:
            path: The file, such as `verdict-frames.toml`.

        Raises:
            ArgumentError: The path is no path.
            MissingPathError: There is no such file.
            OptionError: It is no TOML, holds something else beside the table, or asks for what can't be; the message
                names the file.
        """
        _require_path(path)
        try:
            read = tomllib.loads(Path(path).read_text(encoding="utf-8-sig"))
        except FileNotFoundError:
            message = f"{path}: there is no such file of gates"
            raise MissingPathError(message) from None
        except (OSError, ValueError, RecursionError) as error:  # also of numbers and nesting beyond what Python reads
            message = f"{path}: the gates can't be read: {' '.join(str(error).split())}"
            raise OptionError(message) from None
        others = [name for name in read if name != "gates"]
        table = read.get("gates", {})
        if others or not isinstance(table, dict):
            message = f"{path}: {some_names(others or ['gates'])} can't be here; the file holds one table, [gates]"
            raise OptionError(message)
        try:
            return cls.from_dict(table)
        except (OptionError, ArgumentError) as error:
            message = f"{path}: [gates] {error}"
            raise OptionError(message) from None

    def overridden(self, given: Mapping[str, Any]) -> Gates:
        """Return the same gates with others in place of those that are about the same thing.

        A limit takes the place of one on the same name, and requirements on a name those on the same name; everything
        else that is given takes the place of the whole value. What isn't named stays.

        Args:
            given: As for `from_dict`.

        Raises:
            OptionError: A name is unknown or a value can't be.
            ArgumentError: A value is of the wrong kind.
        """
        _require_mapping(given)
        known = [field.name if field.name != "limits" else "max" for field in fields(self)]
        unknown = [name for name in given if name not in known]
        if unknown:
            message = f"{one_line(unknown[0])} is no gate; choose among {', '.join(known)}"
            raise OptionError(message)
        values = dict(given)
        limits = _limits(values.pop("max", ()))
        kept = [limit for limit in self.limits if limit.name not in {other.name for other in limits}]
        required = [parse_requirement(text) for text in _texts(values.pop("require", ()), "require")]
        named = {requirement.name for requirement in required}
        require = [requirement for requirement in self.require if requirement.name not in named] + required
        if "expect_groups" in values:
            labels = values["expect_groups"]
            split = _labels(labels) if isinstance(labels, str) else labels
            values["expect_groups"] = tuple(_texts(split, "expect_groups"))
        return replace(self, **values, limits=(*kept, *limits), require=tuple(require))


def _require_path(given: object) -> None:
    if not isinstance(given, str | Path):
        message = f"gates are read from the path of a TOML file, not from {one_line(given)}"
        raise ArgumentError(message)


def _require_mapping(given: object) -> None:
    if not isinstance(given, Mapping):
        message = f"gates are made from a mapping of names and values, not {one_line(given)}"
        raise ArgumentError(message)


def _limits(given: object) -> list[Limit]:
    if isinstance(given, Mapping):
        return [limit_of(name, most) for name, most in zip(_texts([*given], "max"), given.values(), strict=True)]
    return [parse_limit(text) for text in _texts(given, "max")]


def _labels(given: str) -> list[str]:
    return [label.strip() for label in given.split(",") if label.strip()]


def _texts(given: object, name: str) -> list[str]:
    texts = [given] if isinstance(given, str) else given
    if not isinstance(texts, Sequence) or not all(isinstance(text, str) for text in texts):
        message = f"{name} takes texts, not {one_line(given)}"
        raise ArgumentError(message)
    return list(texts)


def _check_count(given: object, name: str) -> None:
    if given is None:
        return
    if not isinstance(given, int) or isinstance(given, bool):
        message = f"{name} is a whole number, not {one_line(given)}"
        raise ArgumentError(message)
    if given < 0:
        message = f"{name} is 0 or more, not {given}"
        raise OptionError(message)


def _check_share(given: object, name: str) -> None:
    if given is None and name != "alpha":
        return
    if not isinstance(given, int | float) or isinstance(given, bool):
        message = f"{name} is a number from 0 to 1, not {one_line(given)}"
        raise ArgumentError(message)
    if not 0 <= given <= 1:
        message = f"{name} lies from 0 to 1, not at {given}"
        raise OptionError(message)
