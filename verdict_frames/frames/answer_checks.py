"""Checks of a whole frame of answers: what the model's output should be, as rows.

Most answers are as they should be. Which ones may not be is found by expressions that rather suspect one too many; only
these are looked at one by one, by the same function that checks a single answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import polars as pl

from verdict_frames.errors import ArgumentError
from verdict_frames.frames.arrays import without_surrogates
from verdict_frames.frames.decisions import KEY, not_decided
from verdict_frames.frames.evaluations import Evaluations
from verdict_frames.review.answers import Answer
from verdict_frames.review.checking import EXACT, check_answer, mean_tolerance, rebuilt, sum_tolerance
from verdict_frames.review.questions import ChoiceQuestion, ScoreQuestion, expected_keys
from verdict_frames.vocabulary import AnswerFault, ValueState

if TYPE_CHECKING:
    from collections.abc import Mapping

    from verdict_frames.review.packs import Pack
    from verdict_frames.review.questions import AnyQuestion

FINDINGS_SCHEMA: Final[Mapping[str, pl.DataType]] = {
    KEY: pl.Int64(),
    "question_id": pl.String(),
    "fault": pl.Enum(AnswerFault),
    "message": pl.String(),
}
"""The columns of the findings with their types."""

_SLACK: Final = 1e-9
_PLACE: Final = "\0place"
_RECORD: Final = ("type", "choice", "score", "probability", "selected_probability", "options", "probabilities")


def check_answers(pack: Pack, evaluations: Evaluations) -> pl.DataFrame:
    """Check recorded answers against what the model's output should be; no status depends on it.

    Looked for are a wrong type, a value that can't be used, an unknown option, a distribution with wrong keys, bad
    probabilities or a sum off 1, a selected option that isn't the most probable one, a score off its distribution's
    mean, questions without an answer and answers without a question. Sums and means have the tolerance that rounding to
    hundredths calls for. Failed evaluations and those without recorded answers are passed over.

    Args:
        pack: The questions.
        evaluations: The stored evaluations.

    Returns:
        Grain one finding: `evaluation_index`, `question_id`, `fault`, `message`; in the order of the evaluations, and
        of the pack within one, answers without a question last. A value that no column can hold is described instead of
        shown.

    Raises:
        ArgumentError: The second argument isn't `Evaluations`.

    Example:
        >>> from verdict_frames.frames.evaluation_assembly import evaluations_from_records
        >>> from verdict_frames.review.packs import Pack
        >>> pack = Pack.from_dict({"questions": {"refund": {"type": "boolean"}}})
        >>> stored = {"status": "accept", "answers": {"refund": {"type": "boolean", "probability": 1.2}}}
        >>> check_answers(pack, evaluations_from_records([stored])).row(0)[2:]
        ('out_of_range', 'probability is the number 1.2, which is out of range')
    """
    _require_evaluations(evaluations)
    index = evaluations.evaluations.filter(not_decided().is_null()).select(KEY).with_row_index("\0row")
    answers = evaluations.answers.join(index, on=KEY, how="inner", maintain_order="left")
    parts = [_of_question(question, answers, index, place) for place, question in enumerate(pack.questions)]
    asked = pl.Series([without_surrogates(question.id) for question in pack.questions], dtype=pl.String)
    parts.append(
        answers.filter(~pl.col("question_id").is_in(asked.implode())).select(
            "\0row",
            pl.lit(len(pack.questions), dtype=pl.Int64).alias(_PLACE),
            KEY,
            "question_id",
            pl.lit(AnswerFault.NO_QUESTION.value, dtype=FINDINGS_SCHEMA["fault"]).alias("fault"),
            pl.lit("the pack doesn't ask this").alias("message"),
        )
    )
    return pl.concat(parts).sort("\0row", _PLACE, maintain_order=True).select(*FINDINGS_SCHEMA)


def _require_evaluations(evaluations: object) -> None:
    if not isinstance(evaluations, Evaluations):
        message = f"Evaluations are needed, not {type(evaluations).__name__}; read them with read_evaluations"
        raise ArgumentError(message)


def _of_question(question: AnyQuestion, answers: pl.DataFrame, index: pl.DataFrame, place: int) -> pl.DataFrame:
    name = without_surrogates(question.id)
    given = answers.filter(pl.col("question_id") == name)
    rows: list[tuple[object, ...]] = []
    for row in given.filter(_suspected(question)).iter_rows(named=True):
        findings = check_answer(question, rebuilt(_record(row)))
        rows += [(row["\0row"], place, row[KEY], name, found.fault.value, found.message) for found in findings]
    schema = {"\0row": index.schema["\0row"], _PLACE: pl.Int64(), **FINDINGS_SCHEMA}
    found = pl.DataFrame(rows, schema=schema, orient="row")
    unanswered = index.join(given.select(KEY), on=KEY, how="anti", maintain_order="left").select(
        "\0row",
        pl.lit(place, dtype=pl.Int64).alias(_PLACE),
        KEY,
        pl.lit(name).alias("question_id"),
        pl.lit(AnswerFault.NO_ANSWER.value, dtype=FINDINGS_SCHEMA["fault"]).alias("fault"),
        pl.lit("the question has no answer").alias("message"),
    )
    return pl.concat([found, unanswered])


def _suspected(question: AnyQuestion) -> pl.Expr:
    """True for every answer that has a fault, and for some that have none."""
    state, options, probabilities = pl.col("value_state"), pl.col("options"), pl.col("probabilities")
    bare = options.is_null() & (state == ValueState.MISSING.value) if question.type == "choice" else pl.lit(value=False)
    suspected = pl.col("type").ne_missing(question.type.value) | ((state != ValueState.OK.value) & ~bare)
    if not isinstance(question, ChoiceQuestion | ScoreQuestion):
        return suspected
    expected = expected_keys(question)
    if expected is not None:
        keys = pl.Series([without_surrogates(key) for key in expected], dtype=pl.String).implode()
        known = options.list.eval(pl.element().is_in(keys)).list.all()
        suspected |= (options.list.len() != len(expected)) | ~known
        if isinstance(question, ChoiceQuestion):
            suspected |= ~pl.col("choice").is_in(keys)
        else:
            suspected |= ~pl.col("score").is_between(0, len(expected) - 1)
    lowest, highest = probabilities.list.min(), probabilities.list.max()
    suspected |= probabilities.list.eval(pl.element().is_null()).list.any() | (lowest < 0) | (highest > 1)
    tolerances = pl.Series([sum_tolerance(count) - _SLACK for count in range(30)], dtype=pl.Float64)
    allowed = pl.lit(tolerances.implode()).list.get(options.list.len().clip(upper_bound=29))
    suspected |= (probabilities.list.sum() - 1).abs() > allowed
    if isinstance(question, ChoiceQuestion):
        suspected |= pl.col("selected_probability") < highest - EXACT + _SLACK
    else:
        levels = options.list.eval(pl.element().cast(pl.Float64, strict=False))
        off = (pl.col("score") - (levels * probabilities).list.sum()).abs()
        suspected |= off > (mean_tolerance(len(expected)) if expected is not None else mean_tolerance(1)) - _SLACK
    return suspected.fill_null(value=False)


def _record(row: Mapping[str, Any]) -> Answer:
    values = {name: row[name] for name in _RECORD}
    for name in ("options", "probabilities"):
        values[name] = None if values[name] is None else tuple(values[name])
    return Answer(**values, value_state=ValueState(row["value_state"]))
