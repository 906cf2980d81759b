"""The options of gates, which several commands share, and what becomes of them: lines, documents and an exit code."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

from cyclopts import Group, Parameter

from verdict_frames.cli.outputs import write_text_whole
from verdict_frames.cli.whole_numbers import WholeNumber
from verdict_frames.errors import OptionError
from verdict_frames.reporting.gate_documents import gates_json, gates_junit
from verdict_frames.reporting.gate_sentences import gate_lines
from verdict_frames.statistics.gates.gates import GATES_FILE, Gates
from verdict_frames.statistics.gates.outcome import GateOutcome, unfit
from verdict_frames.statistics.vocabulary import GateVerdict

EXIT_CODES: Final[Mapping[GateVerdict, int]] = {
    GateVerdict.HELD: 0,
    GateVerdict.NOT_HELD: 1,
    GateVerdict.NOT_EVALUATED: 3,
}
"""What a command ends with."""

_SHOWN: Final = Group("Gates for CI", sort_key=1)


@Parameter(name="*", group=_SHOWN)
@dataclass(frozen=True, kw_only=True)
class GateOptions:
    """What a command is asked to hold items against.

    Attributes:
        gates: A TOML file with a table [gates], whose names are these options; with none, verdict-frames.toml where the
            command runs, if it is there.
        no_gates: Don't look for verdict-frames.toml.
        max_problems: Measurement: how many problems in reading there may be.
        limits: Measurement: what each group may have at most, as not_assessed_rate=0.05 or unjudged=0; may be repeated.
        max_judge_error_rate: Measurement: in what share of its seats any single judge may have errored.
        expect_groups: Measurement: groups that must have items, with commas between them.
        expect_items: Measurement: how many different items each group must have.
        require: Agent: what each group must hold, as pass_rate>=0.8 or ci_low>=0.7; may be repeated.
        gate_json: Write what came of the gates to this file, as JSON.
        junit: Write what came of the gates to this file, as JUnit XML.
    """

    gates: str | None = None
    no_gates: Annotated[bool, Parameter(negative="")] = False
    max_problems: WholeNumber | None = None
    limits: Annotated[list[str] | None, Parameter(name="--max", negative="")] = None
    max_judge_error_rate: float | None = None
    expect_groups: Annotated[list[str] | None, Parameter(negative="")] = None
    expect_items: WholeNumber | None = None
    require: Annotated[list[str] | None, Parameter(negative="")] = None
    gate_json: str | None = None
    junit: str | None = None

    def given(self) -> dict[str, Any]:
        """Return what was asked for on the command line, as `Gates.from_dict` takes it."""
        groups = None if self.expect_groups is None else ",".join(self.expect_groups)
        options = {
            "max_problems": self.max_problems,
            "max": self.limits,
            "max_judge_error_rate": self.max_judge_error_rate,
            "expect_groups": groups,
            "expect_items": self.expect_items,
            "require": self.require,
        }
        return {name: value for name, value in options.items() if value is not None}


@Parameter(name="*", group=_SHOWN)
@dataclass(frozen=True, kw_only=True)
class ComparisonGateOptions(GateOptions):
    """What a command is asked to hold a comparison against.

    Attributes:
        max_regressions: Agent: how many items may pass less often with a treatment; flaky ones count, too.
        max_drop: Agent: how much lower a treatment's rate may be, as 0.05; fails only where chance can't explain more.
        alpha: In what share of builds, at most, chance may make --max-drop fail; 0.05 unless said otherwise.
    """

    max_regressions: WholeNumber | None = None
    max_drop: float | None = None
    alpha: float | None = None

    def given(self) -> dict[str, Any]:
        """Return what was asked for on the command line, as `Gates.from_dict` takes it."""
        options = {"max_regressions": self.max_regressions, "max_drop": self.max_drop, "alpha": self.alpha}
        return super().given() | {name: value for name, value in options.items() if value is not None}


NO_OPTIONS: Final = GateOptions()
"""Options where none is given."""

NO_COMPARISON_OPTIONS: Final = ComparisonGateOptions()
"""The same where a comparison is made."""


@dataclass(frozen=True, kw_only=True)
class AskedGates:
    """Gates that a command was asked to hold something against.

    Attributes:
        gates: What is asked.
        found: The file that was found in the working directory and not named; null where there was none.
        gate_json: Where the outcome goes as JSON.
        junit: Where the outcome goes as JUnit XML.
    """

    gates: Gates
    found: str | None
    gate_json: str | None
    junit: str | None

    def report(self, outcome: GateOutcome) -> int:
        """Say on standard error what came of the gates, write the documents, and return the exit code for it."""
        source = f" (gates of {self.found})" if self.found is not None else ""
        sys.stderr.writelines(f"{line}{source}\n" for line in gate_lines(outcome))
        for target, text in ((self.gate_json, gates_json), (self.junit, gates_junit)):
            if target is not None:
                write_text_whole(target, text(outcome), what="what came of the gates")
        return EXIT_CODES[outcome.verdict]

    def report_nothing_read(self, *, policy: str) -> int:
        """Do the same where no run could be read."""
        return self.report(unfit("items to count", "no results could be read", policy=policy))


def asked_gates(options: GateOptions) -> AskedGates | None:
    """Return the gates of a command line and of the file; null where nothing is asked.

    Options take the place of what the file says about the same thing.

    Raises:
        OptionError: Something is asked that can't be, or a document is wanted and nothing is asked.
        MissingPathError: The file that is named isn't there.
    """
    if options.gates is not None and options.no_gates:
        message = "--gates names a file of gates, and --no-gates wants none; leave one of them out"
        raise OptionError(message)
    found = options.gates is None and not options.no_gates and Path(GATES_FILE).is_file()
    file = GATES_FILE if found else options.gates
    gates = (Gates() if file is None else Gates.from_file(file)).overridden(options.given())
    if gates.are_any:
        return AskedGates(
            gates=gates,
            found=GATES_FILE if found else None,
            gate_json=options.gate_json,
            junit=options.junit,
        )
    if options.gate_json is not None or options.junit is not None:
        message = "--gate-json and --junit tell what came of gates, and none are asked; ask with --require or --max"
        raise OptionError(message)
    if options.gates is not None:
        message = f"{options.gates}: no gates are asked in it; write some below [gates]"
        raise OptionError(message)
    return None
