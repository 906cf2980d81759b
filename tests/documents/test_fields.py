from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verdict_frames.documents.fields import finite, parse_instant, whole


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-09-17T10:00:00.123456789Z", datetime(2026, 9, 17, 10, 0, 0, 123456, UTC)),
        ("2026-09-17T10:00:00.9999999Z", datetime(2026, 9, 17, 10, 0, 0, 999999, UTC)),
        ("2026-09-17T10:00:00.5Z", datetime(2026, 9, 17, 10, 0, 0, 500000, UTC)),
        ("2026-09-17T10:00Z", datetime(2026, 9, 17, 10, tzinfo=UTC)),
        ("2026-09-17T01:30:00+02:00", datetime(2026, 9, 16, 23, 30, tzinfo=UTC)),
        ("2026-09-17T10:00:00-0530", datetime(2026, 9, 17, 15, 30, tzinfo=UTC)),
        ("2026-09-17T10:00:00+00", datetime(2026, 9, 17, 10, tzinfo=UTC)),
        ("2026-09-17T10:00:00", None),
        ("2026-09-17", None),
        ("2026-02-30T10:00:00Z", None),
        ("2026-09-17T24:00:00Z", None),
        ("2026-09-17T10:00:60Z", None),
        ("2026-09-17T10:00:00.1234567890Z", None),
        ("2026-09-17T10:00:00+25:00", None),
        ("0001-01-01T00:00:00+02:00", None),
        ("+10000-01-01T00:00:00Z", None),
        ("٢٠٢٦-09-17T10:00:00Z", None),
        (" 2026-09-17T10:00:00Z", None),
        ("", None),
    ],
)
def test_instants(text: str, moment: datetime | None) -> None:
    assert parse_instant(text) == moment


@given(
    st.datetimes(min_value=datetime(1, 1, 3), max_value=datetime(9999, 12, 29)),  # noqa: DTZ001
    st.integers(-23 * 60, 23 * 60),
)
def test_instants_agree_with_the_standard_library(moment: datetime, offset: int) -> None:
    aware = moment.replace(tzinfo=timezone(timedelta(minutes=offset)))
    found = parse_instant(aware.isoformat())
    assert found == datetime.fromisoformat(aware.isoformat())
    assert found is not None
    assert found.tzinfo is UTC


@given(st.floats() | st.integers() | st.booleans() | st.text() | st.none())
def test_only_finite_numbers_are_finite(value: object) -> None:
    found = finite(value)
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= 1.7976931348623157e308:
        assert found == float(value)
    else:
        assert found is None


@given(st.floats() | st.integers() | st.booleans() | st.text() | st.none())
def test_only_whole_numbers_are_whole(value: object) -> None:
    found = whole(value)
    if type(value) is int or (type(value) is float and value % 1 == 0):
        assert (found, type(found)) == (value, int)
    else:
        assert found is None
