from __future__ import annotations

from typing import Any

import pytest

from verdict_frames.documents.limits import Limits
from verdict_frames.errors import ArgumentError, OptionError


@pytest.mark.parametrize("value", [0, -1])
@pytest.mark.parametrize("name", ["member_bytes", "ratio"])
def test_a_limit_lets_something_through(name: str, value: int) -> None:
    with pytest.raises(OptionError, match=f"{name}={value}"):
        Limits(**{name: value})


@pytest.mark.parametrize("value", [None, "5", 1.5, True])
def test_a_limit_is_a_whole_number(value: Any) -> None:
    with pytest.raises(ArgumentError, match="member_bytes is a whole number"):
        Limits(member_bytes=value)
