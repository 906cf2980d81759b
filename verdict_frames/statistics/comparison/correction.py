"""p values of several comparisons, adjusted for their number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verdict_frames.errors import OptionError, one_line
from verdict_frames.statistics.vocabulary import Correction

if TYPE_CHECKING:
    from collections.abc import Sequence


def find_correction(correction: object) -> Correction:
    """Return the correction of that name.

    Raises:
        OptionError: There is none.
    """
    if isinstance(correction, str) and correction in set(Correction):
        return Correction(correction)
    message = f"correction={one_line(correction)}: choose one of {', '.join(Correction)}"
    raise OptionError(message)


def adjusted(p_values: Sequence[float | None], correction: Correction) -> list[float | None]:
    """Adjust p values for the number of comparisons that have one.

    Holm (1979) steps down, so that the chance of any false alarm stays below the level; Benjamini and Hochberg (1995)
    step up, so that the expected share of false alarms among all alarms does.

    Args:
        p_values: From 0 to 1; null where a comparison has none.
        correction: Which of the two.

    Returns:
        The adjusted values in the same order, null where there was none; equal to the raw value for a single one.

    Example:
        >>> adjusted([0.01, None, 0.04], Correction.HOLM)
        [0.02, None, 0.04]
    """
    known = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    count = len(known)
    result: list[float | None] = [None] * len(p_values)
    if correction is Correction.HOLM:
        highest = 0.0
        for rank, (p, place) in enumerate(known):
            highest = max(highest, min(1.0, (count - rank) * p))
            result[place] = highest
        return result
    lowest = 1.0
    for rank, (p, place) in reversed(list(enumerate(known, start=1))):
        lowest = min(lowest, p * count / rank)
        result[place] = lowest
    return result
