"""What came of gates, as documents for other programs: JSON, and the XML of JUnit that CI servers show."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree as ET

from verdict_frames.reporting.gate_sentences import gate_lines, gate_sentence
from verdict_frames.reporting.printable import printable
from verdict_frames.statistics.vocabulary import GateSubject

if TYPE_CHECKING:
    from verdict_frames.statistics.gates.outcome import GateLine, GateOutcome

GATES_SCHEMA_VERSION: Final = 1
"""The form of the JSON document; it changes when a member is renamed, removed or means something else."""


def gates_json(outcome: GateOutcome) -> str:
    """Write what came of gates as a JSON document.

    Its members are `schema_version`, `verdict` (`held`, `not_held` or `not_evaluated`), `policy`, `summary` (the lines
    of a log), `passed_over`, and `gates`: in the order asked, `subject` (`measurement` or `agent`), `asked`, `about`,
    `value`, `held`, `message` and `note`, of which the numbers and `held` are null where nothing was found.

    Args:
        outcome: What `check_gates` gives.
    """
    document = {
        "schema_version": GATES_SCHEMA_VERSION,
        "verdict": outcome.verdict.value,
        "policy": outcome.policy,
        "summary": gate_lines(outcome),
        "passed_over": list(outcome.passed_over),
        "gates": [
            {
                "subject": line.subject.value,
                "asked": line.asked,
                "about": line.about,
                "value": line.value,
                "held": line.held,
                "message": line.message,
                "note": line.note,
            }
            for line in outcome.lines
        ],
    }
    return json.dumps(document, indent=2, allow_nan=False) + "\n"


def gates_junit(outcome: GateOutcome) -> str:
    """Write what came of gates as JUnit XML: one test case for each line.

    Where the agent didn't hold something the case has a `failure`; where the measurement isn't fit, an `error`, and
    what wasn't evaluated because of it is `skipped`. Names that XML can't hold are shown with escapes.

    Args:
        outcome: What `check_gates` gives.
    """
    lines = outcome.lines
    failed = [line for line in lines if line.held is False]
    errors = sum(line.subject is GateSubject.MEASUREMENT for line in failed)
    counts = {
        "tests": len(lines),
        "failures": len(failed) - errors,
        "errors": errors,
        "skipped": sum(line.held is None for line in lines),
    }
    numbers = {name: str(count) for name, count in counts.items()}
    root = ET.Element("testsuites", numbers)
    suite = ET.SubElement(root, "testsuite", {"name": "verdict-frames gates", **numbers})
    for line in lines:
        _add_case(suite, line)
    ET.indent(root)
    text = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _add_case(suite: ET.Element, line: GateLine) -> None:
    name = {"classname": f"gates.{line.subject.value}", "name": _fit(f"{line.about}: {line.asked}")}
    case = ET.SubElement(suite, "testcase", name)
    if line.held:
        return
    failed = "error" if line.subject is GateSubject.MEASUREMENT else "failure"
    kind = "skipped" if line.held is None else failed
    ET.SubElement(case, kind, {"message": _fit(gate_sentence(line))})


def _fit(text: str) -> str:
    r"""Show what XML 1.0 can't hold (its rule for `Char`) or a log could be misled by as escapes such as `\x1b`."""
    shown = printable(text, one_line=True)
    return "".join(f"\\u{ord(one):04x}" if ord(one) in (0xFFFE, 0xFFFF) else one for one in shown)
