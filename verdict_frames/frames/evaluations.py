"""All the tables about stored evaluations, as one value."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING

import polars as pl

from verdict_frames.errors import ColumnError
from verdict_frames.frames.display import as_html, as_text
from verdict_frames.frames.schemas.tables import EVALUATION_TABLES, empty_table
from verdict_frames.frames.selection import columns_of, constraint, rows_that_hold
from verdict_frames.vocabulary import EvaluationOutcome

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_SHOWN = ("evaluation_index", "ticket_id", "pack_version", "status", "outcome", "failure_code", "model_id")


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Evaluations:
    """Stored evaluations in five tables that join by `evaluation_index`.

    Status and reasons are those that were stored. The frames are not to be changed in place; `filter` and
    `latest_per_key` make new values.

    Attributes:
        evaluations: Grain one stored evaluation; key `evaluation_index`.
        answers: Grain one answer of an evaluation; key `evaluation_index`, `question_id`.
        review_reasons: Grain one stored reason; key `evaluation_index`, `position`.
        sources: Grain one file seen.
        problems: Grain one thing that could not be used; `item_index` is the value's place in its file, from 0.
        superseded: The rows of `evaluations` that `latest_per_key` has left out; none where it wasn't asked for.
    """

    evaluations: pl.DataFrame
    answers: pl.DataFrame
    review_reasons: pl.DataFrame
    sources: pl.DataFrame
    problems: pl.DataFrame
    superseded: pl.DataFrame = field(default_factory=lambda: empty_table("evaluations"))

    @classmethod
    def of_tables(cls, tables: Mapping[str, pl.DataFrame]) -> Evaluations:
        """Make a value of validated tables."""
        return cls(
            evaluations=tables["evaluations"],
            answers=tables["answers"],
            review_reasons=tables["review_reasons"],
            sources=tables["sources"],
            problems=tables["problems"],
        )

    def tables(self) -> dict[str, pl.DataFrame]:
        """Return the tables by name, parents before their children."""
        return {one.name: getattr(self, one.name) for one in fields(self) if one.name in EVALUATION_TABLES}

    def filter(self, *expressions: pl.Expr, **constraints: object) -> Evaluations:
        """Keep some evaluations, with their answers and reasons.

        Args:
            expressions: Polars expressions over the columns of `evaluations`, true for what stays; null counts as
                false.
            constraints: Name of a column → its value, or a list of allowed values; `None` stands for null.

        Returns:
            A new value, rows in the order they were in; `sources` and `problems` as they were.

        Raises:
            ColumnError: A name stands for no column, a value can't occur in its column, or an expression can't be
                evaluated to true or false.
            ArgumentError: A condition isn't a polars expression.
        """
        schema = self.evaluations.schema
        conditions = list(expressions)
        for name in (*(name for expression in expressions for name in columns_of(expression)), *constraints):
            if name not in schema:
                message = f"there is no column {name!r}; available are {', '.join(schema)}"
                raise ColumnError(message)
        conditions += [constraint(name, schema[name], value) for name, value in constraints.items()]
        if not conditions:
            return self
        stays, gone = (frame[rows_that_hold(frame, conditions)] for frame in (self.evaluations, self.superseded))
        return self._with(stays, gone)

    def latest_per_key(self) -> Evaluations:
        """Keep one evaluation for each idempotency key, preferring a result to a failure.

        A failure doesn't use its key up, so that one ticket may be stored several times. Of the evaluations with the
        same key one that didn't fail is kept before one that did, of several such the latest by `created_at` (none
        being the earliest), then the last that was read. Evaluations without a key are all kept.

        Returns:
            A new value in the same order; `superseded` holds the evaluations that were left out, and every tally counts
            them as `left_out`.
        """
        failed = (pl.col("outcome") == EvaluationOutcome.FAILED.value).fill_null(value=False)
        ranked = (
            self.evaluations.filter(pl.col("idempotency_key").is_not_null())
            .select("evaluation_index", "idempotency_key", "created_at", failed.alias("failed"))
            .sort(pl.col("failed").not_(), "created_at", "evaluation_index", nulls_last=False)
        )
        kept = ranked.unique("idempotency_key", keep="last")["evaluation_index"]
        stays = pl.col("idempotency_key").is_null() | pl.col("evaluation_index").is_in(kept.implode())
        return self._with(self.evaluations.filter(stays), pl.concat([self.superseded, self.evaluations.filter(~stays)]))

    def _with(self, evaluations: pl.DataFrame, superseded: pl.DataFrame) -> Evaluations:
        answers, reasons = (_of(evaluations, frame) for frame in (self.answers, self.review_reasons))
        return replace(self, evaluations=evaluations, answers=answers, review_reasons=reasons, superseded=superseded)

    def _remark(self) -> str:
        count = self.superseded.height
        return f"left out for another one of the same key: {count:,}" if count else ""

    def __repr__(self) -> str:
        return as_text("Evaluations", self.tables(), remark=self._remark())

    def _repr_html_(self) -> str:
        return as_html("Evaluations", self.tables(), first="evaluations", columns=_SHOWN, remark=self._remark())


def _of(evaluations: pl.DataFrame, frame: pl.DataFrame) -> pl.DataFrame:
    keys: Sequence[str] = ["evaluation_index"]
    return frame.join(evaluations.select(keys), on=keys, how="semi", maintain_order="left")
