from __future__ import annotations

from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.markers import MarkerStyle

from verdict_frames.plots.palette import BUCKET_LOOKS, INK, READING_LOOKS, ink_on, lightness
from verdict_frames.vocabulary import Bucket, Reading

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Machado, Oliveira and Fernandes (2009), severity 1.0, on linear RGB.
DEFICIENCIES = {
    "none": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def lab(colour: str, deficiency: NDArray[np.float64]) -> NDArray[np.float64]:
    rgb = np.array(to_rgb(colour))
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    xyz = TO_XYZ @ np.clip(deficiency @ linear, 0, 1) / (TO_XYZ @ np.ones(3))
    x, y, z = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("deficiency", DEFICIENCIES)
@pytest.mark.parametrize("looks", [BUCKET_LOOKS, READING_LOOKS], ids=["buckets", "readings"])
def test_no_two_colours_look_alike_to_eyes_of_any_kind(looks: Any, deficiency: str) -> None:
    seen = {token: lab(look.colour, DEFICIENCIES[deficiency]) for token, look in looks.items()}
    for first, second in combinations(seen, 2):
        assert np.linalg.norm(seen[first] - seen[second]) > 15, (first, second)


def test_neighbours_in_a_bar_can_be_told_apart_in_grey() -> None:
    for first, second in pairwise(BUCKET_LOOKS.values()):
        unlike = abs(lightness(first.colour) - lightness(second.colour))
        assert unlike > 12, (first, second)
    passes, non_passes = BUCKET_LOOKS[Bucket.PASSES], BUCKET_LOOKS[Bucket.NON_PASSES]
    assert abs(lightness(passes.colour) - lightness(non_passes.colour)) > 30


def test_each_bucket_and_each_reading_has_a_look_and_a_marker_of_its_own() -> None:
    assert list(BUCKET_LOOKS) == list(Bucket)
    assert list(READING_LOOKS) == list(Reading)
    for looks in (BUCKET_LOOKS.values(), READING_LOOKS.values()):
        assert len({look.marker for look in looks}) == len({look.label for look in looks}) == len(looks)
        assert all(MarkerStyle(look.marker).get_marker() == look.marker for look in looks)
        assert len({(look.colour, look.hatch) for look in looks}) == len(looks)


def test_a_reading_looks_like_the_bucket_it_goes_to() -> None:
    pairs = {
        Reading.ACCEPTED: Bucket.PASSES,
        Reading.REJECTED: Bucket.NON_PASSES,
        Reading.NOT_APPLICABLE: Bucket.EXCLUDED,
        Reading.NOT_ASSESSED: Bucket.INSTRUMENT_FAILURES,
    }
    for reading, bucket in pairs.items():
        one, other = READING_LOOKS[reading], BUCKET_LOOKS[bucket]
        assert (one.colour, one.marker, one.hatch) == (other.colour, other.marker, other.hatch)
    undecided = READING_LOOKS[Reading.UNDECIDED]
    assert undecided.marker not in {look.marker for look in BUCKET_LOOKS.values()}


def test_text_can_be_read_on_every_bucket() -> None:
    for look in BUCKET_LOOKS.values():
        assert abs(lightness(look.colour) - lightness(ink_on(look.colour))) > 45, look
    assert (ink_on("#000000"), ink_on("#ffffff")) == ("#ffffff", INK)


def test_lightness_is_that_of_cie_lab() -> None:
    for colour in ("#004488", "#ee8866", "#777777", "#030303"):
        assert lightness(colour) == pytest.approx(lab(colour, DEFICIENCIES["none"])[0], abs=0.05)
