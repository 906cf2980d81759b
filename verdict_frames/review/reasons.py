"""The texts of review reasons: written for a decision, and told apart again when stored ones are read."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import msgspec

from verdict_frames.vocabulary import ReasonKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

SEPARATOR: Final = ": "
SUFFIXES: Final[Mapping[ReasonKind, str]] = MappingProxyType(
    {
        ReasonKind.MISSING_PROBABILITY: "selected probability is missing",
        ReasonKind.BELOW_MINIMUM: "selected probability is below the minimum",
        ReasonKind.SCORE_RANGE: "score is in the review range",
        ReasonKind.PROBABILITY_BAND: "probability is in the review band",
        ReasonKind.INVALID_ANSWER: "invalid answer",
    }
)
"""What follows the question id and the separator. The text for `below_minimum` is our own: no public text is known."""

_CODE: Final = re.compile("[a-z][a-z0-9_]*")


class Reason(msgspec.Struct, frozen=True, kw_only=True):
    """One reason for review.

    Attributes:
        question_id: The question that it speaks of; null for failures and where it can't be told.
        kind: What sort of reason.
        text: As stored, or as it would be stored.
    """

    question_id: str | None
    kind: ReasonKind
    text: str


def rule_reason(question_id: str, kind: ReasonKind) -> Reason:
    """Word the reason of one question, for every kind but failures and other rules."""
    return Reason(question_id=question_id, kind=kind, text=f"{question_id}{SEPARATOR}{SUFFIXES[kind]}")


def classify_reason(text: str, known_ids: Iterable[str] = ()) -> Reason:
    """Tell what a stored reason says; any text is classified, and kept.

    Question ids may contain the separator, so a known ending counts and not the first separator. A text without a
    separator that looks like a code is a failure, whether or not the code is known. All else is `other_rule`; its
    question is the longest known id that it begins with, or what stands before its only separator.

    Args:
        text: The stored reason.
        known_ids: Ids of questions, from the pack or the answers.

    Returns:
        The reason.

    Example:
        >>> classify_reason("re: order: invalid answer").question_id
        're: order'
        >>> classify_reason("gateway_auth").kind
        <ReasonKind.FAILURE: 'failure'>
    """
    for kind, suffix in SUFFIXES.items():
        ending = SEPARATOR + suffix
        if text.endswith(ending) and len(text) > len(ending):
            return Reason(question_id=text[: -len(ending)], kind=kind, text=text)
    if SEPARATOR not in text:
        kind = ReasonKind.FAILURE if _CODE.fullmatch(text) else ReasonKind.OTHER_RULE
        return Reason(question_id=None, kind=kind, text=text)
    known = [question_id for question_id in known_ids if text.startswith(question_id + SEPARATOR)]
    if known:
        return Reason(question_id=max(known, key=len), kind=ReasonKind.OTHER_RULE, text=text)
    before, *others = text.split(SEPARATOR)
    return Reason(question_id=before if before and len(others) == 1 else None, kind=ReasonKind.OTHER_RULE, text=text)
