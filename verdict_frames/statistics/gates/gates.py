"""What a CI job asks for, as one value: from options, from a mapping, or from a TOML file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from numbers import Real
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

    Of the measurement, first, because numbers that don't hold say nothing about the agent:

    Attributes:
        max_problems: How many rows `problems` may have; null for any number.
        limits: What each group may have of something at most.
        max_judge_error_rate: In what share of its judgments any single judge may have erred, from 0 to 1.
        expect_groups: Labels of groups that must be there, each with at least one item.
        expect_items: How many different items each group must have.
        require: What each group must hold.
        max_regressions: How many items may pass less often with a treatment than with the baseline.
        max_drop: How much lower a treatment's rate may be, from 0 to 1. It isn't held only where the interval of the
            difference lies beyond it as a whole, so that a flaky item doesn't fail a build.
        alpha: How often, at most, a drop of just `max_drop` may be taken for a greater one; one-sided, between 0 and
            0.5.

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
        for name in ("max_problems", "expect_items", "max_regressions"):
            _check_count(getattr(self, name), name)
        for name in ("max_judge_error_rate", "max_drop"):
            _check_share(getattr(self, name), name, most=1)
        _check_share(self.alpha, "alpha", most=0.5)
        if self.alpha in (0, 0.5):
            message = f"alpha lies between 0 and 0.5, such as 0.05, not at {self.alpha}"
            raise OptionError(message)

    @property
    def are_any(self) -> bool:
        """Whether anything is asked at all."""
        return any(getattr(self, field.name) not in (None, ()) for field in fields(self) if field.name != "alpha")

    @property
    def about_comparisons(self) -> bool:
        """Whether anything is asked that only a comparison can tell."""
        return self.max_regressions is not None or self.max_drop is not None

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Gates:
        """Make gates from a mapping with the names of the attributes, as the table of a TOML file has them.

        `max` holds the limits, as a mapping (`{"not_assessed_rate": 0.05}`) or as texts; `require` is a list of texts.

        Args:
            given: Names and values; what isn't named isn't asked.

        Raises:
            OptionError: A name is unknown or a value can't be.
            ArgumentError: A value is of the wrong kind.

        Example:
            >>> gates = Gates.from_dict({"max": {"not_assessed_rate": 0.05}, "require": ["pass_rate>=0.8"]})
            >>> str(gates.limits[0]), str(gates.require[0])
            ('not_assessed_rate at most 0.05', 'pass_rate >= 0.8')
        """
        known = {field.name for field in fields(cls)} - {"limits"} | {"max"}
        unknown = [name for name in given if name not in known]
        if unknown:
            message = f"gates: there is no {one_line(unknown[0])}; there are {some_names(sorted(known))}"
            raise OptionError(message)
        values = dict(given)
        limits = values.pop("max", ())
        listed = (
            [limit_of(name, most) for name, most in limits.items()]
            if isinstance(limits, Mapping)
            else [parse_limit(text) for text in _texts(limits, "max")]
        )
        if "require" in values:
            values["require"] = tuple(parse_requirement(text) for text in _texts(values["require"], "require"))
        if "expect_groups" in values:
            values["expect_groups"] = tuple(_texts(values["expect_groups"], "expect_groups"))
        return cls(limits=tuple(listed), **values)

    @classmethod
    def from_file(cls, path: str | Path) -> Gates:
        """Read the table `gates` of a TOML file.

        Args:
            path: The file, such as `verdict-frames.toml`.

        Raises:
            MissingPathError: There is no such file.
            OptionError: It is no TOML, has no such table, or asks for what can't be; the message names the file.
        """
        file = Path(path)
        try:
            read = tomllib.loads(file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            message = f"{path}: there is no such file of gates"
            raise MissingPathError(message) from None
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            message = f"{path}: the gates can't be read: {one_line(str(error))}"
            raise OptionError(message) from None
        table = read.get("gates")
        if not isinstance(table, dict):
            message = f"{path}: there is no table [gates] in it"
            raise OptionError(message)
        try:
            return cls.from_dict(table)
        except (OptionError, ArgumentError) as error:
            message = f"{path}: {error}"
            raise OptionError(message) from None


def _texts(given: object, name: str) -> list[str]:
    texts = [given] if isinstance(given, str) else given
    if not isinstance(texts, Sequence) or not all(isinstance(text, str) for text in texts):
        message = f"{name} takes texts, not {one_line(given)}"
        raise ArgumentError(message)
    return list(texts)


def _check_count(given: object, name: str) -> None:
    if given is not None and (not isinstance(given, int) or isinstance(given, bool)):
        message = f"{name} is a whole number, not {one_line(given)}"
        raise ArgumentError(message)
    if isinstance(given, int) and given < 0:
        message = f"{name} is 0 or more, not {given}"
        raise OptionError(message)


def _check_share(given: object, name: str, *, most: float) -> None:
    if given is None:
        return
    if not isinstance(given, Real) or isinstance(given, bool):
        message = f"{name} is a number from 0 to {most:g}, not {one_line(given)}"
        raise ArgumentError(message)
    if not 0 <= given <= most:
        message = f"{name} lies from 0 to {most:g}, not at {given}"
        raise OptionError(message)
