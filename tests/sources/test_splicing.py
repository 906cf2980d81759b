from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given

from tests.interpretation.shapes import adopted, evidence, judgment, verdict
from tests.sources.json_texts import documents, line_files
from verdict_frames.documents.decoding import UndecodableError
from verdict_frames.documents.entries import shape_of
from verdict_frames.interpretation.reader import interpret
from verdict_frames.interpretation.stored_form import to_builtins
from verdict_frames.sources.splicing import Splicer, pieces

CURRENT = to_builtins(interpret(verdict()))
_INSERTED = re.compile(r',\s*"interpretation" ?: ?')


def splicer_of(data: bytes, suffix: str = ".json", *, replace: bool = False) -> Splicer:
    splicer = Splicer(data, replace=replace)
    for entry, place in splicer.entries(shape_of(data, suffix)):
        try:
            splicer.splice(entry, place)
        except UndecodableError:
            assert suffix == ".jsonl"
    return splicer


def spliced(data: bytes | str, suffix: str = ".json", *, replace: bool = False) -> bytes:
    data = data.encode() if isinstance(data, str) else data
    return b"".join(pieces(data, splicer_of(data, suffix, replace=replace).splices))


def without_inserted(data: bytes) -> bytes:
    """The text without its `interpretation` members, found by a decoder of its own."""
    text = data.decode()
    kept, at = [], 0
    while (found := _INSERTED.search(text, at)) is not None:
        kept.append(text[at : found.start()])
        _, at = json.JSONDecoder().raw_decode(text, found.end())
    return "".join([*kept, text[at:]]).encode()


def interpretable(value: Any) -> list[tuple[list[str], Any, Any]]:
    """Keys, verdict and interpretation of whatever in a decoded value has to have one."""
    if isinstance(value, list):
        return [found for element in value for found in interpretable(element)]
    if not isinstance(value, dict):
        return []
    if "experimentId" in value and "items" in value:
        items = value["items"] if isinstance(value["items"], list) else []
        return [found for item in items if isinstance(item, dict) for found in of_item(item)]
    if "items" in value:
        return []
    if "itemId" in value:
        return of_item(value)
    return [(list(value), value, value.get("interpretation"))] if "individual" in value else []


def of_item(item: dict[str, Any]) -> list[tuple[list[str], Any, Any]]:
    stored = item.get("verdict")
    if stored is None:
        return []
    return [(list(item), stored if isinstance(stored, dict) else {}, item.get("interpretation"))]


@given(documents())
def test_nothing_but_interpretations_is_put_in(data: bytes) -> None:
    made = spliced(data)
    assert without_inserted(made) == data
    text = made.removeprefix(b"\xef\xbb\xbf")
    for _, stored, interpretation in interpretable(json.loads(text)):
        told = {key: value for key, value in stored.items() if key != "interpretation"}
        assert json.dumps(interpretation) == json.dumps(to_builtins(interpret(told)))
    splicer = splicer_of(data)
    assert splicer.added == len(splicer.splices) == made.count(b'"schemaVersion"')
    assert (splicer.kept, splicer.replaced) == (0, 0)


@given(documents())
def test_its_own_output_is_left_alone(data: bytes) -> None:
    made = spliced(data)
    assert spliced(made) == made
    assert spliced(made, replace=True) == made
    again = splicer_of(made)
    assert (again.added, again.replaced, again.kept) == (0, 0, splicer_of(data).added)


@given(line_files())
def test_lines_stay_lines(data: bytes) -> None:
    made = spliced(data, ".jsonl")
    assert without_inserted(made) == data
    assert made.count(b"\n") == data.count(b"\n")
    assert spliced(made, ".jsonl") == made
    assert spliced(made, ".jsonl", replace=True) == made


@given(documents())
def test_the_key_stands_right_behind_the_verdict_or_last(data: bytes) -> None:
    made = spliced(data).removeprefix(b"\xef\xbb\xbf")
    seen: list[list[str]] = []

    def note(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        seen.append([key for key, _ in pairs])
        return dict(pairs)

    json.loads(made, object_pairs_hook=note)
    for keys in seen:
        if "interpretation" in keys:
            place = keys.index("interpretation")
            behind_verdict = keys[place - 1] == "verdict" and "verdict" not in keys[place:]
            assert behind_verdict or (place == len(keys) - 1 and "itemId" not in keys)


def test_numbers_escapes_and_order_survive() -> None:
    data = (
        b'{"z": 1e3, "itemId": "\\u0061\\/", "n": 123456789012345678901234567890, "verdict": {"weights": '
        b'{"0": 1.0e+00}}, "executionDetail": {"verdict": {"aggregated": 1}, "text": '
        b'"\\"verdict\\": {}"}, "success":true}\r\n'
    )
    made = spliced(data)
    at = made.index(b', "interpretation": ')
    assert made[:at].endswith(b'{"0": 1.0e+00}}')
    assert made[at:].endswith(data[data.index(b', "executionDetail"') :])
    assert made.count(b"schemaVersion") == 1
    assert without_inserted(made) == data


@pytest.mark.parametrize(
    ("present", "written", "kept"),
    [
        ("null", True, False),
        ('{"schemaVersion": 0}', True, False),
        ('{"schemaVersion": "1"}', True, False),
        ('{"schemaVersion": true}', True, False),
        ("{}", True, False),
        ('"none"', True, False),
        ('{"schemaVersion": 1, "summary": "ours"}', False, True),
        ('{"schemaVersion": 2}', False, True),
    ],
)
def test_an_interpretation_that_is_there(present: str, written: Any, kept: Any) -> None:
    for pattern in (
        '{"itemId": "a", "interpretation" :%s , "verdict": {"aggregated": null}, "success": true}',
        '{"itemId": "a", "verdict": {"aggregated": null}, "x": 1, "interpretation":\t%s}',
        '{"interpretation":  %s, "aggregated": null}',
    ):
        data = (pattern % present).encode()
        splicer = splicer_of(data)
        assert (splicer.replaced, splicer.kept, splicer.added) == (written, kept, 0)
        made = spliced(data).decode()
        before, after = pattern.split("%s")
        assert made.startswith(before)
        assert made.endswith(after)
        value = json.loads(made)["interpretation"]
        assert (value == json.loads(present)) is kept
        again = splicer_of(data, replace=True)
        assert (again.replaced, again.kept) == (1, 0)
        assert json.loads(spliced(data, replace=True))["interpretation"] == to_builtins(interpret({"aggregated": None}))


def test_the_last_of_equal_keys_counts_r104() -> None:
    data = (
        '{"itemId": "a", "verdict": {"aggregated": 1}, "verdict": {"aggregated": {"status": "pass"}}, '
        '"success": true, "interpretation": {"schemaVersion": 1}, "interpretation": null}'
    )
    made = spliced(data).decode()
    assert made.startswith(data.removesuffix("null}"))
    assert json.loads(made)["interpretation"]["reading"] == "ACCEPTED"
    twice = '{"itemId": "a", "verdict": null, "verdict": {"aggregated": null}, "x": 1}'
    assert spliced(twice).index(b'"interpretation"') > twice.index("aggregated")
    gone = '{"itemId": "a", "verdict": {"aggregated": null}, "verdict": null}'
    assert spliced(gone).decode() == gone


@pytest.mark.parametrize(
    "data",
    [
        '{"itemId": "a", "success": false, "verdict": null}',
        '{"itemId": "a", "success": false}',
        '{"itemId": "a", "success": false, "executionDetail": {"verdict": {"aggregated": null}}}',
        '{"experimentId": "e", "items": [], "verdict": {"aggregated": null}}',
        '{"experimentId": "e", "items": null}',
        '{"experimentId": "e", "items": [3, null, [{"verdict": {}}]]}',
        '{"reading": null, "root": {}, "schemaVersion": 0}',
        '{"entries": [{"verdict": {"aggregated": null}}]}',
        "[]",
    ],
)
def test_what_has_no_verdict_of_its_own_gets_nothing(data: str) -> None:
    assert spliced(data).decode() == data


def test_a_verdict_that_is_no_object_is_read_as_an_empty_one() -> None:
    made = json.loads(spliced('{"itemId": "a", "verdict": "pass"}'))
    assert made["interpretation"] == to_builtins(interpret({}))


def test_defects_are_counted() -> None:
    splicer = splicer_of(json.dumps([{"aggregated": {}}, verdict()]).encode())
    expected = interpret({"aggregated": {}}).defects
    assert sum(splicer.defects.values()) == len(expected)
    assert splicer.added == 2


PYTHON = """\
{
  "itemId": "a",
  "verdict": {
    "aggregated": null
  },
  "interpretation": {
    "schemaVersion": 1,
"""
JACKSON = """\
{
  "experimentId" : "e",
  "items" : [ {
    "verdict" : {
      "aggregated" : null
    },
    "interpretation" : {
      "schemaVersion" : 1,
"""


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("indent", ["  ", "    ", "\t"])
def test_the_layout_is_pythons_where_the_file_is(line_end: str, indent: str) -> None:
    item = {"itemId": "a", "verdict": adopted(aggregated=judgment(metadata=evidence())), "success": True}
    text = json.dumps(item, indent=indent, ensure_ascii=False)
    made = spliced(text.replace("\n", line_end)).decode()
    whole = {"itemId": "a", "verdict": item["verdict"], "interpretation": json.loads(made)["interpretation"]}
    expected = json.dumps(whole | {"success": True}, indent=indent, ensure_ascii=False)
    assert made == expected.replace("\n", line_end)


def test_the_layout_is_pythons_in_one_line() -> None:
    for separators in ((", ", ": "), (",", ":")):
        for stored in ({"itemId": "a", "verdict": verdict()}, verdict(), [{"verdict": verdict(), "x": [1]}]):
            text = json.dumps(stored, separators=separators)
            made = spliced(text).decode()
            assert made == json.dumps(json.loads(made), separators=separators, ensure_ascii=False)


def test_the_layout_is_jacksons_where_the_file_is() -> None:
    text = (
        '{\n  "experimentId" : "e",\n  "items" : [ {\n    "verdict" : {\n      "aggregated" : null\n    },\n'
        '    "success" : true\n  } ]\n}'
    )
    made = spliced(text).decode()
    assert made.startswith(JACKSON)
    assert '      "stages" : [ ],\n      "defects" : [ {\n        "path" : "verdict",\n' in made
    assert '        "kind" : "ABSENT",\n' in made
    assert made.endswith('."\n    },\n    "success" : true\n  } ]\n}')


def test_the_layout_of_a_bare_verdict_and_of_a_short_one() -> None:
    made = spliced('{\n  "itemId": "a",\n  "verdict": {\n    "aggregated": null\n  }\n}\n').decode()
    assert made.startswith(PYTHON)
    assert made.endswith('"\n  }\n}\n')
    bare = spliced('{\n "aggregated": null\n}').decode()
    assert bare.startswith('{\n "aggregated": null,\n "interpretation": {\n  "schemaVersion": 1,\n')
    assert bare.endswith("\n }\n}")
    short = spliced('{\n  "itemId": "a",\n  "verdict": {"aggregated": null}\n}').decode()
    assert short.startswith(
        '{\n  "itemId": "a",\n  "verdict": {"aggregated": null},\n  "interpretation": {"schemaVersion"'
    )
    assert short.count("\n") == 4


def test_unpaired_surrogates_stay_escaped_r106() -> None:
    made = spliced('{"aggregated": {"status": "error", "reasoning": "\\ud800é"}}')
    assert json.loads(made)["interpretation"]["root"]["reasoning"] == "\ud800é"
    assert spliced(made, replace=True) == made
