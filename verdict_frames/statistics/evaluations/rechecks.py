"""Stored status and reasons beside what a pack says of the same answers today."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import polars as pl

from verdict_frames.errors import ArgumentError
from verdict_frames.frames.decisions import KEY, decide
from verdict_frames.frames.display import as_html, as_text
from verdict_frames.frames.evaluations import Evaluations
from verdict_frames.review.reasons import SUFFIXES
from verdict_frames.vocabulary import ReasonKind

if TYPE_CHECKING:
    from verdict_frames.review.packs import Pack
    from verdict_frames.review.rules import MissingAnswers

_VERSION: Final = ("pack_id", "pack_version")
_OF_OTHER_WORDING: Final = {ReasonKind.OTHER_RULE.value: ReasonKind.BELOW_MINIMUM.value}
_KINDS_BY_SUFFIX: Final = {suffix: kind.value for kind, suffix in SUFFIXES.items()}


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Recheck:
    """What came out when stored answers were decided again; nothing stored is overwritten.

    Attributes:
        rows: Grain one evaluation that could be compared: `evaluation_index`, `evaluation_id?`, `pack_id?`,
            `pack_version?`, `stored_status`, `decided_status`, `stored_reasons`, `decided_reasons`, `same_status`,
            `same_reasons`. Reasons are the same where they name the same questions and kinds in any order; a stored
            reason of other wording is taken for "below the minimum", whose text isn't publicly known.
        summary: Grain one recorded pack and version, null last: `pack_id?`, `pack_version?`, `same_version?` (whether
            it is the version of the pack that decided; null where either has none), `total`, and what sums to it:
            `same`, `different_reasons` (the status being the same), `different_status`, `failed`,
            `answers_not_recorded`, `no_status` (raw answers, with nothing to compare with).
    """

    rows: pl.DataFrame
    summary: pl.DataFrame

    def differences(self) -> pl.DataFrame:
        """The rows in which status or reasons differ."""
        return self.rows.filter(~(pl.col("same_status") & pl.col("same_reasons")))

    def tables(self) -> dict[str, pl.DataFrame]:
        """Return the frames by name."""
        return {"rows": self.rows, "summary": self.summary}

    def __repr__(self) -> str:
        return as_text("Recheck", self.tables())

    def _repr_html_(self) -> str:
        return as_html("Recheck", self.tables(), first="summary", columns=self.summary.columns)


def recheck(evaluations: Evaluations, pack: Pack, *, missing: MissingAnswers = "invalid") -> Recheck:
    """Decide stored answers again and compare with what was stored.

    Failed evaluations, those without recorded answers and those without a stored status can't be compared; they are
    counted. A stored `reject` differs from every decision, because no rule gives it.

    Args:
        evaluations: The stored evaluations.
        pack: The pack to decide by.
        missing: As for `verdict_frames.frames.decisions.decide`.

    Raises:
        ArgumentError: The first argument isn't `Evaluations`, or the second no pack.
        OptionError: An option has an unknown value.

    Example:
        >>> from verdict_frames.frames.evaluation_assembly import evaluations_from_records
        >>> from verdict_frames.review.packs import Pack
        >>> pack = Pack.from_dict({"questions": {"refund": {"type": "boolean",
        ...     "review": {"lowExclusive": 0.2, "highExclusive": 0.8}}}})
        >>> stored = {"status": "accept", "answers": {"refund": {"type": "boolean", "probability": 0.5}}}
        >>> recheck(evaluations_from_records([stored]), pack).rows.select("stored_status", "decided_status").rows()
        [('accept', 'review')]
    """
    _require_evaluations(evaluations)
    decided = decide(pack, evaluations, missing=missing).select(
        KEY, pl.col("status").alias("decided_status"), pl.col("reasons").alias("decided_reasons"), "not_decided"
    )
    stored = evaluations.evaluations.select(
        KEY,
        "evaluation_id",
        *_VERSION,
        pl.col("status").alias("stored_status"),
        pl.col("review_reasons").alias("stored_reasons"),
    )
    both = stored.join(decided, on=KEY, how="left", maintain_order="left").join(
        _stored_rules(evaluations), on=KEY, how="left", maintain_order="left"
    )
    same = both.with_columns(
        (pl.col("stored_status").cast(pl.String) == pl.col("decided_status").cast(pl.String)).alias("same_status"),
        (_decided_rules() == pl.col("\0stored").fill_null([])).alias("same_reasons"),
    )
    comparable = pl.col("not_decided").is_null() & pl.col("stored_status").is_not_null()
    rows = same.filter(comparable).select(
        KEY,
        "evaluation_id",
        *_VERSION,
        "stored_status",
        "decided_status",
        "stored_reasons",
        "decided_reasons",
        "same_status",
        "same_reasons",
    )
    return Recheck(rows=rows, summary=_summary(same, comparable, pack))


def _require_evaluations(evaluations: object) -> None:
    if not isinstance(evaluations, Evaluations):
        message = f"Evaluations are needed, not {type(evaluations).__name__}; read them with read_evaluations"
        raise ArgumentError(message)


def _stored_rules(evaluations: Evaluations) -> pl.DataFrame:
    """For each evaluation its stored reasons as question and kind, sorted."""
    kind = pl.col("kind").cast(pl.String).replace(_OF_OTHER_WORDING)
    rule = pl.concat_str(pl.col("question_id").fill_null(""), pl.lit("\0"), kind)
    return evaluations.review_reasons.group_by(KEY).agg(rule.sort().alias("\0stored"))


def _decided_rules() -> pl.Expr:
    """The same of the decided ones, whose texts are ours and end in a known suffix."""
    text = pl.element()
    suffix = text.str.extract(f"(?s)(?:{'|'.join(_KINDS_BY_SUFFIX)})$", 0)
    question = text.str.head(text.str.len_chars().cast(pl.Int64) - suffix.str.len_chars().cast(pl.Int64) - 2)
    rule = pl.concat_str(question, pl.lit("\0"), suffix.replace(_KINDS_BY_SUFFIX))
    return pl.col("decided_reasons").list.eval(rule).list.sort()


def _summary(same: pl.DataFrame, comparable: pl.Expr, pack: Pack) -> pl.DataFrame:
    same_status, same_reasons = pl.col("same_status"), pl.col("same_reasons")
    version = pl.lit(pack.version, dtype=pl.String)
    counts = {
        "total": pl.len(),
        "same": (comparable & same_status & same_reasons).sum(),
        "different_reasons": (comparable & same_status & ~same_reasons).sum(),
        "different_status": (comparable & ~same_status).sum(),
        "failed": (pl.col("not_decided") == "failed").sum(),
        "answers_not_recorded": (pl.col("not_decided") == "answers_not_recorded").sum(),
        "no_status": (pl.col("not_decided").is_null() & pl.col("stored_status").is_null()).sum(),
    }
    counted = same.group_by(_VERSION).agg(count.cast(pl.Int64).alias(name) for name, count in counts.items())
    return counted.sort(_VERSION, nulls_last=True).select(
        *_VERSION, (pl.col("pack_version") == version).alias("same_version"), *counts
    )
