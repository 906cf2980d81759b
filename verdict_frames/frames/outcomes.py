"""Outcomes of anyone else's evaluations → readings, by what the caller says each value means.

Nothing is guessed: a value without a meaning, a missing one and NaN are refused until the caller says what they are.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from verdict_frames.errors import ColumnError, OptionError
from verdict_frames.vocabulary import Bucket, Reading

if TYPE_CHECKING:
    from collections.abc import Callable

MEANINGS: Final = (*Reading, Bucket.AGENT_FAILED, Bucket.UNJUDGED)
"""What an outcome can mean: one of the five readings, or that nobody judged the item."""

MEANING_DTYPE: Final = pl.Enum([meaning.value for meaning in MEANINGS])

_COMPARISONS: Final[Mapping[str, Callable[[pl.Expr, float], pl.Expr]]] = MappingProxyType(
    {
        ">=": lambda score, bound: score >= bound,
        ">": lambda score, bound: score > bound,
        "<=": lambda score, bound: score <= bound,
        "<": lambda score, bound: score < bound,
    }
)
_SHOWN: Final = 5


def meanings_by_value(outcome: pl.Series, mapping: Mapping[Any, str]) -> pl.Series:
    """Look up what each outcome means.

    Args:
        outcome: Text, true and false, or integers; a column without a single value has no type and may be any.
        mapping: Value → meaning, `None` for missing ones. Values are told apart by type: `True` isn't 1.

    Returns:
        A meaning a row, never null.

    Raises:
        ColumnError: A value, or a missing one, has no meaning in the mapping; or the column holds something else.
        OptionError: The mapping says something that no outcome can mean.
    """
    meanings = _checked(mapping)
    dtype = outcome.dtype
    if dtype.is_float() or dtype.is_decimal():
        message = (
            f"{outcome.name!r} holds scores ({dtype}); say from which one an item passes, as in pass_if=('>=', 0.5)"
        )
        raise ColumnError(message)
    if isinstance(dtype, pl.Categorical | pl.Enum):
        outcome = outcome.cast(pl.String)
    kinds: dict[str, type] = {"String": str, "Boolean": bool}
    wanted = int if dtype.is_integer() else kinds.get(str(outcome.dtype.base_type()))
    if wanted is None and dtype != pl.Null:
        message = f"{outcome.name!r} holds values of type {dtype}; an outcome is text, true or false, or an integer"
        raise ColumnError(message)
    known = {value: meaning for value, meaning in meanings.items() if value is None or _is_a(value, wanted)}
    values = outcome.unique(maintain_order=True).to_list()
    unknown = [value for value in values if value not in known]
    if unknown:
        raise ColumnError(_unmapped(outcome, unknown, meanings))
    return pl.Series([known[value] for value in outcome.to_list()], dtype=MEANING_DTYPE)


def meanings_by_condition(
    frame: pl.DataFrame, condition: pl.Expr, mapping: Mapping[Any, str], *, name: str
) -> pl.Series:
    """Tell from a condition whether each item passed.

    NaN is above every number for polars, so that a score that was never measured would pass; here it counts as no
    number, and a condition that depends on it can't be told.

    Args:
        frame: Grain one item.
        condition: True for items that are accepted, false for those that are rejected.
        mapping: What items are of which it can't be told: `None` where a value is missing, NaN where one is NaN.
        name: What the condition is called in messages.

    Returns:
        A meaning a row, never null.

    Raises:
        ColumnError: It can't be told for some row and the mapping doesn't say what that means, or the condition can't
            be evaluated to true or false.
        OptionError: The mapping says something that no outcome can mean, or has keys besides these two.
    """
    meanings = _checked(mapping)
    strange = [key for key in meanings if key is not None and not _is_nan(key)]
    if strange:
        message = (
            "with pass_if, true is ACCEPTED and false REJECTED, and the mapping says what None and NaN mean, not what "
            f"{strange[0]!r} means"
        )
        raise OptionError(message)
    passed, is_nan = _evaluated(frame, condition, name)
    chosen = pl.when(passed).then(_meaning(Reading.ACCEPTED)).otherwise(_meaning(Reading.REJECTED))
    absences = (("None", "missing", passed.is_null() & ~is_nan), ("float('nan')", "NaN", passed.is_null() & is_nan))
    for key, what, rows in absences:
        meaning = next((each for value, each in meanings.items() if (value is None) == (key == "None")), None)
        if not rows.any():
            continue
        if meaning is None:
            message = (
                f"{name} can't be told for {rows.sum()} of {rows.len()} rows, where a value is {what}; say what that "
                f"means, as in mapping={{{key}: 'NOT_ASSESSED'}}"
            )
            raise ColumnError(message)
        chosen = pl.when(rows).then(_meaning(meaning)).otherwise(chosen)
    return frame.select(chosen.alias("meaning")).to_series()


def condition_of(pass_if: object, score: pl.Series) -> pl.Expr:
    """Make the condition of a comparison such as `(">=", 0.5)` with a column of scores.

    Raises:
        OptionError: It is no comparison with a finite number.
        ColumnError: The column doesn't hold numbers.
    """
    match pass_if:
        case (str() as sign, int() | float() as bound) if sign in _COMPARISONS and math.isfinite(bound):
            if not (score.dtype.is_numeric() or score.dtype == pl.Null):
                message = (
                    f"{score.name!r} holds values of type {score.dtype}, and pass_if compares numbers; map the values"
                )
                raise ColumnError(message)
            return _COMPARISONS[sign](pl.col(score.name), bound)
        case _:
            message = (
                f"pass_if is a comparison such as ('>=', 0.5), with one of {', '.join(_COMPARISONS)} and a finite "
                f"number, or a polars expression, not {pass_if!r:.60}"
            )
            raise OptionError(message)


def _evaluated(frame: pl.DataFrame, condition: pl.Expr, name: str) -> tuple[pl.Series, pl.Series]:
    """Evaluate a condition with NaN as no number; with it, whether a column that it depends on is NaN."""
    if condition.meta.has_multiple_outputs():
        message = f"{name} is about several columns at once; name one column at a time"
        raise ColumnError(message)
    floats = [column for column in condition.meta.root_names() if frame.schema[column].is_float()]
    try:
        passed = frame.with_columns(pl.col(floats).fill_nan(None)).select(condition.alias("passed")).to_series()
    except pl.exceptions.PolarsError as error:
        message = f"{name} can't be evaluated: {str(error).splitlines()[0]}"
        raise ColumnError(message) from error
    if passed.dtype != pl.Boolean or passed.len() != frame.height:
        message = f"{name} gives {passed.len()} values of type {passed.dtype}; it must give true or false for each row"
        raise ColumnError(message)
    is_nan = pl.any_horizontal(pl.repeat(value=False, n=pl.len()), pl.col(floats).is_nan().fill_null(value=False))
    return passed, frame.select(is_nan.alias("nan")).to_series()


def _checked(mapping: object) -> Mapping[Any, str]:
    if not isinstance(mapping, Mapping):
        message = (
            f"the mapping says what each outcome means, as in {{'C': 'ACCEPTED'}}; it isn't a {type(mapping).__name__}"
        )
        raise OptionError(message)
    for value, meaning in mapping.items():
        if not isinstance(meaning, str) or meaning not in MEANING_DTYPE.categories:
            message = f"{value!r} can't mean {meaning!r}; an outcome means one of {', '.join(MEANINGS)}"
            raise OptionError(message)
    return mapping


def _unmapped(outcome: pl.Series, unknown: list[object], meanings: Mapping[Any, str]) -> str:
    named = ", ".join("missing (None)" if value is None else repr(value) for value in unknown[:_SHOWN])
    more = f" and {len(unknown) - _SHOWN} more" if len(unknown) > _SHOWN else ""
    there = ", ".join(map(repr, meanings)) or "nothing"
    return (
        f"{outcome.name!r} holds {named}{more}, and the mapping doesn't say what that means; it knows {there}. Map "
        f"each to one of {', '.join(MEANINGS)}"
    )


def _meaning(meaning: str) -> pl.Expr:
    return pl.lit(str(meaning), dtype=MEANING_DTYPE)


def _is_a(value: object, wanted: type | None) -> bool:
    return wanted is not None and isinstance(value, wanted) and isinstance(value, bool) == (wanted is bool)


def _is_nan(value: object) -> bool:
    return isinstance(value, float) and math.isnan(value)
