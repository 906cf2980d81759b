from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests  # type: ignore[import-untyped]

from verdict_frames.errors import OptionError
from verdict_frames.statistics.comparison.correction import adjusted, find_correction
from verdict_frames.statistics.vocabulary import Correction

METHODS = {Correction.HOLM: "holm", Correction.BH: "fdr_bh"}


@given(
    st.lists(st.one_of(st.none(), st.sampled_from([0.0, 0.01, 0.02, 0.5, 1.0]), st.floats(0, 1)), max_size=12),
    st.sampled_from(Correction),
)
def test_adjusted_p_values_are_those_of_statsmodels(p_values: list[float | None], correction: Correction) -> None:
    found = adjusted(p_values, correction)
    known = [p for p in p_values if p is not None]
    expected = iter(multipletests(known, method=METHODS[correction])[1] if known else [])
    for raw, p in zip(p_values, found, strict=True):
        assert (p is None) == (raw is None)
        if p is not None:
            assert p == pytest.approx(next(expected), abs=1e-12)


@pytest.mark.parametrize("correction", Correction)
def test_a_single_comparison_keeps_its_p_value(correction: Correction) -> None:
    assert adjusted([None, 0.03, None], correction) == [None, 0.03, None]


def test_an_unknown_correction_is_refused() -> None:
    assert find_correction("bh") is Correction.BH
    with pytest.raises(OptionError, match="'bonferroni': choose one of holm, bh"):
        find_correction("bonferroni")
