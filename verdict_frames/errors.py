"""What is raised for a wrong call or an unusable argument.

Trouble in a verdict is a `Defect`, trouble in a file is a row of `problems`; only a wrong call raises, and everything
that is raised on purpose is a `VerdictFramesError`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

_LONGEST_NAME: Final = 60
MOST_NAMES: Final = 12
"""How many names a message lists of those that there are."""


class VerdictFramesError(Exception):
    """Base of everything this package raises on purpose.

    The message is one line: what was wrong, where, and what was available or would mend it.
    """


class ArgumentError(VerdictFramesError, TypeError):
    """An argument has the wrong kind, such as `None` where a mapping is required."""


class MissingPathError(VerdictFramesError, FileNotFoundError):
    """A path argument names nothing that exists, or a glob matches nothing."""


class PatternError(VerdictFramesError, ValueError):
    """A path pattern can't be used, for instance because it names an unknown placeholder."""


class ColumnError(VerdictFramesError, ValueError):
    """A column is unknown, ambiguous between tables, or of a kind that can't be used as asked."""


class SchemaError(VerdictFramesError, ValueError):
    """A table doesn't keep to its schema; the message names the table, the column and the rule."""


class InterpretationFormatError(VerdictFramesError, ValueError):
    """A stored interpretation isn't of the form that this version reads and writes."""


class NotFoundError(VerdictFramesError, LookupError):
    """A run or item was asked for that the corpus doesn't hold."""


class OptionError(VerdictFramesError, ValueError):
    """An option has a value that can't be used, such as a policy that doesn't exist or a level outside of 0 to 1."""


class UnlikeRunsError(VerdictFramesError, ValueError):
    """Runs can't be compared, because they differ in what they were measured by or on."""


class PackNote(NamedTuple):
    """One fault of a pack, or one warning about it, with its place.

    Attributes:
        path: Place in the document, such as `questions.urgency.review.minInclusive`; empty for the whole document.
        message: What is wrong there and what would mend it, in one line.
    """

    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message


class PackError(VerdictFramesError, ValueError):
    """A pack can't be used; every fault is reported at once, one line each, with its place in the document.

    Attributes:
        where: The file, or how else to name the pack.
        faults: In document order, at least one.
    """

    def __init__(self, where: str, faults: tuple[PackNote, ...]) -> None:
        super().__init__(where, faults)
        self.where = where
        self.faults = faults

    def __str__(self) -> str:
        if len(self.faults) == 1:
            return f"{self.where}: {self.faults[0]}"
        return f"{self.where}: {len(self.faults)} faults" + "".join(f"\n  {fault}" for fault in self.faults)


class AnswerError(VerdictFramesError, ValueError):
    """Answers don't belong to the pack that they should be decided by."""


class VerdictError(VerdictFramesError, ValueError):
    """A verdict built in Python can't be: a member is out of range or two of them contradict each other."""


class WorkerError(VerdictFramesError, RuntimeError):
    """Worker processes can't be started, or end before they have begun."""


class TargetError(VerdictFramesError, OSError):
    """Files can't be written where they should: the place is the source itself, of the wrong kind, or full."""


class LabelError(VerdictFramesError, ValueError):
    """Labels can't answer what is asked of them."""


class FactsError(VerdictFramesError, ValueError):
    """Facts can't be added: their file can't be read, a key comes twice, or a number is none."""


class ParquetError(VerdictFramesError, ValueError):
    """A folder of exported tables can't be read: it is none, or a file of it is missing or damaged."""


class MissingPackageError(VerdictFramesError, ImportError):
    """An optional package is asked for that isn't installed; the message says how to install it."""


def some_names(names: Sequence[str], *, most: int = MOST_NAMES) -> str:
    r"""List names for a message, on one line.

    Args:
        names: Names of columns, facts or groups; a name that can't be printed as it is comes out quoted and escaped, of
            a very long one only the beginning.
        most: How many are listed; the rest is counted.

    Example:
        >>> some_names(["a", "b\x07", "c", "d"], most=2)
        "a, 'b\\x07' and 2 more"
    """
    shown = [_shown(name) for name in names[:most]]
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{', '.join(shown)}{more}"


def one_line(value: object) -> str:
    """Show any value in a message, on one line and not too long.

    Args:
        value: What was given in a wrong call.

    Example:
        >>> one_line(["a"] * 100)
        "['a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a',…"
    """
    try:
        text = " ".join(repr(value).split())
    except ValueError:  # an integer of more digits than Python writes
        text = f"<{type(value).__name__}>"
    return text if len(text) <= _LONGEST_NAME else f"{text[:_LONGEST_NAME]}…"


def _shown(name: str) -> str:
    text = name if name.isprintable() else repr(name)
    return text if len(text) <= _LONGEST_NAME else f"{text[: _LONGEST_NAME - 1]}…"
