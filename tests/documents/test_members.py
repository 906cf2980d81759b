from __future__ import annotations

import json

import pytest

from verdict_frames.documents.members import members_of, sort_of


@pytest.mark.parametrize("text", ["[]", "5", "null", '"items"', "true", '["\\ud800"]'])
def test_what_is_no_object_has_no_members(text: str) -> None:
    assert members_of(text.encode()) is None


@pytest.mark.parametrize(
    ("text", "sort"),
    [
        ("{}", "object"),
        ("[]", "array"),
        ('""', "string"),
        ("true", "boolean"),
        ("false", "boolean"),
        ("null", "null"),
        ("-1", "number"),
        ("1.5", "number"),
    ],
)
def test_sorts_of_raw_and_decoded_values_agree(text: str, sort: str) -> None:
    members = members_of(f'{{"a": {text}}}'.encode())
    assert members is not None
    assert sort_of(members["a"]) == sort == sort_of(json.loads(text))
