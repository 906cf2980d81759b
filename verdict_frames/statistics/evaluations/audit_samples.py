"""Drawing accepted tickets for people to check, because a review queue never shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from verdict_frames.errors import OptionError
from verdict_frames.frames.decisions import KEY
from verdict_frames.statistics.grouping import group_evaluations
from verdict_frames.vocabulary import EvaluationOutcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from verdict_frames.frames.evaluations import Evaluations

_RESULT = ("stratum_size", "drawn", "weight")


def audit_sample(
    evaluations: Evaluations, n: int, *, by: str | Sequence[str] | None = None, seed: int = 0
) -> pl.DataFrame:
    """Draw accepted evaluations to be checked, at random and without repetition.

    Args:
        evaluations: The stored evaluations; only those with the outcome `accepted` are drawn from.
        n: How many to draw from each group, or in all without groups; where there are fewer, all of them.
        by: Columns of `evaluations` to draw by, so that small groups are seen too.
        seed: The same seed draws the same evaluations.

    Returns:
        Grain one drawn evaluation, sorted by `evaluation_index`: that, `evaluation_id?`, `ticket_id?`,
        `idempotency_key?`, the group columns, `stratum_size` (accepted ones of its group), `drawn` (how many of these)
        and `weight` (how many accepted ones it stands for). Labels made of it keep `weight`.

    Raises:
        OptionError: `n` is less than 1.
        ColumnError: A group name is unknown, given twice or nested.
        ArgumentError: The names aren't text.

    Example:
        >>> from verdict_frames.frames.evaluation_assembly import evaluations_from_records
        >>> rows = [{"status": "accept", "answers": {"q": None}, "ticketId": str(n)} for n in range(10)]
        >>> drawn = audit_sample(evaluations_from_records(rows), 4, seed=1)
        >>> drawn.height, drawn["weight"].unique().to_list()
        (4, [2.5])
    """
    if isinstance(n, bool) or n < 1:
        message = f"n is how many to draw, 1 or more, not {n!r}"
        raise OptionError(message)
    columns = group_evaluations(evaluations, by, taken=_RESULT)
    accepted = evaluations.evaluations.filter(pl.col("outcome") == EvaluationOutcome.ACCEPTED.value)
    names = dict.fromkeys([KEY, "evaluation_id", "ticket_id", "idempotency_key", *columns])
    strata: list[str | pl.Expr] = [*columns] or [pl.lit(0)]
    ranked = accepted.select(names.keys()).sample(fraction=1.0, shuffle=True, seed=seed)
    ranked = ranked.with_columns(
        pl.len().over(strata).cast(pl.Int64).alias("stratum_size"),
        pl.int_range(pl.len()).over(strata).alias("\0rank"),
    )
    drawn = ranked.filter(pl.col("\0rank") < n).drop("\0rank")
    return (
        drawn.with_columns(pl.len().over(strata).cast(pl.Int64).alias("drawn"))
        .with_columns((pl.col("stratum_size") / pl.col("drawn")).alias("weight"))
        .sort(KEY)
    )
