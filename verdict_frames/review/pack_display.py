"""How a pack shows itself in a notebook."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from verdict_frames.documents.escaping import brief
from verdict_frames.documents.html_tables import ROWS_SHOWN, fragment, rest, table
from verdict_frames.review.questions import ChoiceRule, ScoreRule, expected_keys

if TYPE_CHECKING:
    from collections.abc import Sequence

    from verdict_frames.errors import PackNote
    from verdict_frames.review.questions import AnyQuestion, BooleanRule

_LONGEST_NOTE: Final = 200


def pack_fragment(questions: Sequence[AnyQuestion], warnings: Sequence[PackNote], *, remark: str) -> str:
    """Show the first questions of a pack with their thresholds, and its first warnings.

    Args:
        questions: All questions of the pack.
        warnings: All its warnings.
        remark: What the pack is called.

    Returns:
        A fragment of HTML in which everything recorded is escaped. Thresholds stand as the pack has them, with all
        their digits.
    """
    rows = [
        (
            question.id,
            question.type,
            expected_keys(question),
            None if question.review is None else _rule(question.review),
        )
        for question in questions[:ROWS_SHOWN]
    ]
    notes = "".join(f"<li>{escape(brief(str(note), longest=_LONGEST_NOTE))}</li>" for note in warnings[:ROWS_SHOWN])
    parts = [
        table(["question", "type", "answers", "review"], rows),
        rest(len(questions) - len(rows), "questions"),
        f"<p>warnings</p><ul>{notes}</ul>" if notes else "",
        rest(len(warnings[ROWS_SHOWN:]), "warnings"),
    ]
    return fragment("Pack", parts, remark=remark)


def _rule(rule: ChoiceRule | ScoreRule | BooleanRule) -> str:
    if isinstance(rule, ChoiceRule):
        return f"minSelectedProbability {rule.min_selected_probability}"
    if isinstance(rule, ScoreRule):
        return f"minInclusive {rule.min_inclusive}, maxInclusive {rule.max_inclusive}"
    return f"lowExclusive {rule.low_exclusive}, highExclusive {rule.high_exclusive}"
