from __future__ import annotations

import gzip
import io
import random
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verdict_frames.documents import unpacking
from verdict_frames.documents.decoding import UndecodableError
from verdict_frames.documents.unpacking import DEFLATE, GZIP, Unpacked
from verdict_frames.vocabulary import ProblemKind

DATA = random.Random(4).randbytes(40_000) * 3
"""Too far apart for deflate to see that it repeats itself."""


def stream_of(packed: bytes, *, form: int = GZIP, begin: int = 0, ratio: int = 200) -> Unpacked:
    return Unpacked(lambda: io.BytesIO(packed), form=form, begin=begin, size=len(packed) - begin, ratio=ratio)


FEW_MARKS = (("_FIRST_SPACING", 5_000), ("_MOST_MARKS", 6), ("_TAKEN_AT_ONCE", 700))
"""Marks so near to each other that a small stream has more than may be kept."""

PLACES = st.lists(st.tuples(st.integers(0, len(DATA) + 50), st.none() | st.integers(0, 60_000)), max_size=12)


@given(PLACES, st.sampled_from([GZIP, DEFLATE]), st.booleans())
def test_any_part_comes_out_in_any_order(places: list[tuple[int, int | None]], form: int, several: bool) -> None:  # noqa: FBT001
    with pytest.MonkeyPatch.context() as patch:
        for name, value in FEW_MARKS:
            patch.setattr(unpacking, name, value)
        parts = [DATA[:40_000], DATA[40_000:]] if several and form == GZIP else [DATA]
        packed = b"head" + (b"\0" * 9).join(map(gzip.compress, parts))
        if form == DEFLATE:
            packer = zlib.compressobj(wbits=-15)
            packed = b"head" + packer.compress(DATA) + packer.flush()
        stream = stream_of(packed, form=form, begin=4)
        for start, length in places:
            end = None if length is None else start + length
            assert stream.read(start, end) == DATA[start:end]
        assert stream.damage is None
        assert len(stream._marks) <= 6


def test_no_more_marks_are_kept_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in FEW_MARKS:
        monkeypatch.setattr(unpacking, name, value)
    stream = stream_of(gzip.compress(DATA))
    assert stream.read(0, None) == DATA
    places = [mark.given for mark in stream._marks]
    assert 3 <= len(places) <= 6
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("packed", "kept", "words"),
    [
        (gzip.compress(DATA)[:-5_000], None, "cut off"),
        (gzip.compress(DATA)[:-2], DATA, "cut off"),
        (gzip.compress(DATA) + b"junk", DATA, "header"),
        (b"", b"", "cut off"),
        (b"{}", b"", "header"),
    ],
)
def test_what_comes_before_the_damage_is_given(packed: bytes, kept: bytes | None, words: str) -> None:
    stream = stream_of(packed)
    read = stream.read(0, None)
    assert words in (stream.damage or "")
    assert not stream.is_void
    if kept is None:
        assert DATA.startswith(read)
        assert len(read) > len(DATA) - 30_000
    else:
        assert read == kept
    assert stream.read(0, 10) == read[:10], "earlier parts are still there"


def test_a_checksum_that_does_not_fit_spoils_all() -> None:
    packed = gzip.compress(b"a" * 90)
    stream = stream_of(packed[:-8] + b"1234" + packed[-4:])
    stream.read(0, None)
    assert (stream.damage, stream.is_void) == ("incorrect data check", True)


def test_a_stream_of_zeros_is_given_up_beyond_the_ratio() -> None:
    packed = gzip.compress(bytes(70 * 2**20))
    with pytest.raises(UndecodableError, match="more than 200 bytes come out of each byte of it") as caught:
        stream_of(packed).read(0, None)
    assert caught.value.kind is ProblemKind.LIMIT
    assert len(stream_of(packed, ratio=2_000).read(69 * 2**20, None)) == 2**20


def test_below_the_harmless_size_the_ratio_does_not_count() -> None:
    assert len(stream_of(gzip.compress(bytes(2**20)), ratio=1).read(0, None)) == 2**20


def test_a_part_that_is_too_long_is_given_up_before_it_is_whole() -> None:
    with pytest.raises(UndecodableError, match="more than 1000 bytes; raise the limit"):
        stream_of(gzip.compress(DATA)).read(0, None, most=1_000)
