"""Stored evaluations as the things that a report is about: which count each belongs to, and what is stored of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from verdict_frames.reporting.cells import label, number, plain, text, words
from verdict_frames.reporting.room import all_are_detailed, that_fit
from verdict_frames.reporting.value import Detail, ItemList
from verdict_frames.statistics.evaluations.tally import eligible_outcomes
from verdict_frames.vocabulary import EVALUATION_FAILURE_CODES, EvaluationOutcome

if TYPE_CHECKING:
    from collections.abc import Iterator

    from verdict_frames.frames.evaluations import Evaluations
    from verdict_frames.reporting.value import Value
    from verdict_frames.statistics.evaluations.policies import EvaluationPolicy

_ORDINAL: Final = "\0ordinal"
_KEY: Final = "evaluation_index"
_RECORDED: Final = (
    "status",
    "outcome",
    "failure_code",
    "evaluation_id",
    "ticket_id",
    "idempotency_key",
    "pack_id",
    "pack_version",
    "model_id",
    "created_at",
    "latency_ms",
    "input_tokens",
    "output_tokens",
    "cost_usd",
    "path",
    "line",
)


@dataclass(frozen=True, kw_only=True, eq=False)
class CountedEvaluations:
    """Evaluations in the order of reading.

    Attributes:
        evaluations: The evaluations.
        groups: The names of the group columns.
        policy: Decides which of them are eligible.
    """

    evaluations: Evaluations
    groups: tuple[str, ...]
    policy: EvaluationPolicy

    @cached_property
    def frame(self) -> pl.DataFrame:
        """Grain one evaluation, with its ordinal."""
        return self.evaluations.evaluations.with_row_index(_ORDINAL)

    def behind(self, name: str, group: tuple[Any, ...] | None = None) -> tuple[int, ...]:
        """Return the ordinals of the evaluations that a count of a tally stands for.

        Args:
            name: The count, such as `accepted`, `eligible`, `failed` or a code of failures.
            group: The values of the group columns; with none, all evaluations.
        """
        if name in ("left_out", "keys"):
            return ()
        conditions = [self._belongs(name)]
        values = zip(self.groups, group, strict=True) if group is not None else ()
        conditions += [pl.col(column).eq_missing(pl.lit(value)) for column, value in values]
        return tuple(self.frame.filter(*conditions)[_ORDINAL].to_list())

    def of_rows(self, frame: pl.DataFrame) -> tuple[int, ...]:
        """Return the ordinals of the evaluations that rows of another table belong to."""
        return tuple(self.frame.join(frame, on=_KEY, how="semi", maintain_order="left")[_ORDINAL].to_list())

    def _belongs(self, name: str) -> pl.Expr:
        outcome, code = pl.col("outcome").cast(pl.String), pl.col("failure_code")
        failed = outcome == EvaluationOutcome.FAILED
        known = code.is_in(EVALUATION_FAILURE_CODES).fill_null(value=False)
        conditions = {
            "total": pl.lit(value=True),
            "evaluations": pl.lit(value=True),
            "cost_usd_recorded": pl.col("cost_usd").is_not_null(),
            "eligible": outcome.is_in(eligible_outcomes(self.policy)),
            "no_status": outcome.is_null(),
            "other_failure": failed & ~known,
            "answers_not_recorded": failed.ne_missing(other=True) & ~pl.col("answers_recorded"),
            "without_key": pl.col("idempotency_key").is_null(),
            "repeated_keys": pl.col("idempotency_key").is_not_null() & pl.col("idempotency_key").is_duplicated(),
            **{known_code: failed & (code == known_code) for known_code in EVALUATION_FAILURE_CODES},
        }
        return conditions.get(name, outcome == name)


def evaluation_list(counted: CountedEvaluations) -> ItemList:
    """List every evaluation, and detail those that were not accepted, or all where they are few."""
    names = [name for name in ("pack_version", "model_id") if name not in counted.groups]
    names = [name for name in names if counted.frame[name].drop_nulls().n_unique() > 1]
    columns = (
        text("evaluation"),
        *(text(label(name)) for name in (*counted.groups, *names)),
        words("status", "As it was stored."),
        words("outcome", "How it counts."),
        text("failure"),
        text("reasons"),
        number("ms"),
    )
    rows = tuple(_row(row, (*counted.groups, *names)) for row in counted.frame.iter_rows(named=True))
    details = that_fit(_details(counted))
    return ItemList(
        thing="evaluation", columns=columns, rows=rows, details=details, note=_note(len(details), len(rows))
    )


def _name(row: dict[str, Any]) -> str:
    names = (row[name] for name in ("ticket_id", "evaluation_id", "idempotency_key"))
    return next((name for name in names if name is not None), f"evaluation {row[_KEY]}")


def _row(row: dict[str, Any], names: tuple[str, ...]) -> tuple[Value, ...]:
    return (
        _name(row),
        *(plain(row[name]) for name in names),
        plain(row["status"]),
        None if row["outcome"] is None else str(row["outcome"]).replace("_", " "),
        plain(row["failure_code"]),
        plain(row["review_reasons"]) or None,
        plain(row["latency_ms"]),
    )


def _details(counted: CountedEvaluations) -> Iterator[tuple[int, Detail]]:
    """Give the details of all, or of those that weren't accepted where there are many; these come first."""
    accepted = pl.col("outcome").cast(pl.String).eq_missing(pl.lit(EvaluationOutcome.ACCEPTED.value))
    wanted = counted.frame.sort(accepted, _ORDINAL)
    if not all_are_detailed(wanted.height):
        wanted = wanted.filter(~accepted)
    answers = {key: rows for (key,), rows in counted.evaluations.answers.partition_by(_KEY, as_dict=True).items()}
    for row in wanted.iter_rows(named=True):
        yield row[_ORDINAL], _detail(row, answers.get(row[_KEY]))


def _detail(row: dict[str, Any], answers: pl.DataFrame | None) -> Detail:
    facts = [(label(name), plain(row[name])) for name in _RECORDED]
    reasons = tuple((str(place), str(reason)) for place, reason in enumerate(row["review_reasons"], 1))
    parts = [Detail(title="Reasons", facts=reasons)]
    if answers is not None:
        each = [(str(answer["question_id"]), _recorded(answer)) for answer in answers.iter_rows(named=True)]
        parts.append(Detail(title="Answers", parts=tuple(Detail(title=name, facts=said) for name, said in each)))
    parts += [Detail(title=label(name), text=row[name] or "") for name in ("derived", "provider_metadata", "extra")]
    return Detail(
        title=_name(row),
        facts=tuple((name, str(value)) for name, value in facts if value is not None),
        parts=tuple(part for part in parts if part.facts or part.parts or part.text),
    )


def _recorded(answer: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    names = ("type", "choice", "score", "probability", "selected_probability", "confidence", "value_state")
    facts = [(label(name), str(plain(answer[name]))) for name in names if answer[name] is not None]
    if answer["options"]:
        pairs = zip(answer["options"], answer["probabilities"], strict=True)
        shares = [f"{option}: {'–' if share is None else f'{share:g}'}" for option, share in pairs]
        facts.append(("distribution", ", ".join(shares)))
    return tuple(facts)


def _note(detailed: int, all_of_them: int) -> str:
    if detailed == all_of_them:
        return ""
    return (
        f"{detailed:,} of {all_of_them:,} evaluations open to their details: those that were not accepted, as far as "
        "there is room."
    )
