"""A report as one HTML file that asks nothing of a network.

Text that others have written goes through Jinja's autoescape into the page, or as JSON, plain or packed, into blocks
that the page's own script reads and writes as text. Control and direction-changing characters are shown as escapes. A
content security policy lets nothing run but that script and the table library beside it, and lets nothing be fetched.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from verdict_frames.errors import MissingPackageError
from verdict_frames.reporting.cells import written
from verdict_frames.reporting.packing import packed, packs
from verdict_frames.reporting.printable import printable
from verdict_frames.reporting.selections import Selections, ranges
from verdict_frames.reporting.value import CellKind, Figure, Note, Quoted, Table, require_report

if TYPE_CHECKING:
    from collections.abc import Iterator

    from verdict_frames.reporting.value import Detail, ItemList, Report, Value

LONG: Final = 300
"""From how many characters on a recorded text is collapsed."""
WIDE: Final = 40
"""From how many characters on a recorded text may be broken anywhere."""
_NUMBERS: Final = {CellKind.COUNT, CellKind.SHARE, CellKind.NUMBER}


def report_html(report: Report) -> str:
    """Render a report as one self-contained HTML page.

    The page needs no network, and equal reports give equal pages. Its tables sort and filter, a number leads to the
    items behind it, and an item opens to everything that is recorded about it. What others have written is inert in it.

    Args:
        report: What `verdict_frames.report` returns.

    Returns:
        The text of the page, to be written as UTF-8.

    Raises:
        ArgumentError: The argument isn't a report.
        MissingPackageError: The package `itables`, which brings the tables' library, isn't installed in one piece.

    Example:
        >>> from verdict_frames.frames.in_memory import from_records
        >>> from verdict_frames.reporting.opening import report
        >>> page = report_html(report(from_records([{"aggregated": {"status": "pass"}}]), title="One & only"))
        >>> "<h1>One &amp; only</h1>" in page
        True
    """
    require_report(report)
    selections = Selections()
    script = _file("report.js")
    template = _environment().get_template("report.html.j2")
    return template.render(
        report=report,
        style=Markup(_file("report.css")),  # noqa: S704 - a file of this package
        script=Markup(script),  # noqa: S704 - a file of this package
        policy=_security_policy(script),
        follow=selections.link,
        selections=selections.encoded,
        items=_items(report.items),
        details=[[ranges(numbers), pack] for numbers, pack in packs(_trees(report.items))],
        library=packed(_library()),
    )


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("verdict_frames.reporting", "page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "separators": (",", ":")}
    environment.filters |= {"shown": _shown, "line": _line, "written": written, "picture": _picture}
    environment.tests |= {
        "table": lambda block: isinstance(block, Table),
        "figure": lambda block: isinstance(block, Figure),
        "note": lambda block: isinstance(block, Note),
        "quoted": lambda part: isinstance(part, Quoted),
        "numeric": lambda column: column.kind in _NUMBERS,
        "recorded": lambda column: column.kind is CellKind.TEXT,
        "wide": lambda text: len(text) > WIDE,
        "long": lambda text: len(text) > LONG,
    }
    return environment


def _shown(text: str) -> str:
    return printable(text)


def _line(text: str) -> str:
    return printable(text, one_line=True)


def _picture(figure: Figure) -> str:
    return "data:image/svg+xml;base64," + base64.b64encode(figure.svg.encode()).decode("ascii")


def _file(name: str) -> str:
    return (Path(__file__).parent / "page" / name).read_text(encoding="utf-8")


def _security_policy(script: str) -> str:
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
    return (
        f"default-src 'none'; script-src 'sha256-{digest}' blob:; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


@cache
def _library() -> str:
    """Return DataTables as the package `itables` ships it, which isn't imported for it."""
    try:
        path = Path(str(distribution("itables").locate_file("itables/html/dt_bundle.js")))
        return path.read_text(encoding="utf-8")
    except (PackageNotFoundError, OSError):
        message = "the page's tables need the library that itables ships, and it isn't there: pip install itables"
        raise MissingPackageError(message) from None


def _items(items: ItemList) -> dict[str, Any]:
    by_column = list(zip(*items.rows, strict=True)) or [()] * len(items.columns)
    columns = [
        {"label": _line(column.label), "about": column.about, "number": column.kind in _NUMBERS, **_coded(values)}
        for column, values in zip(items.columns, by_column, strict=True)
    ]
    return {"thing": items.thing, "count": len(items.rows), "columns": columns}


def _coded(values: tuple[Value, ...]) -> dict[str, Any]:
    """Hold each different value once, as it is shown, and say by its place which row has it."""
    places = {value: place for place, value in enumerate(dict.fromkeys(values))}
    shown = [_line(value) if isinstance(value, str) else value for value in places]
    return {"values": shown, "places": [places[value] for value in values]}


def _trees(items: ItemList) -> Iterator[tuple[int, list[Any]]]:
    return ((ordinal, _tree(detail)) for ordinal, detail in items.details)


def _tree(detail: Detail) -> list[Any]:
    facts = [[_line(name), _shown(value)] for name, value in detail.facts]
    return [_line(detail.title), facts, _shown(detail.text), [_tree(part) for part in detail.parts]]
