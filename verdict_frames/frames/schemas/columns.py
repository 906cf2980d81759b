"""What declarations of tables are made of: tables, columns and the types that several columns have."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Final

import polars as pl

from verdict_frames.vocabulary import (
    DecidedByKind,
    DefectKind,
    EvaluationOutcome,
    EvaluationStatus,
    FactSource,
    InterpretationOrigin,
    ProblemKind,
    Reading,
    ReasonKind,
    RunKind,
    SourceState,
    Support,
    ValueState,
    VerdictEra,
)


@dataclass(frozen=True, slots=True)
class Column:
    """What one column may hold.

    Attributes:
        name: Its name.
        dtype: Its polars type.
        description: One sentence for the data dictionary.
        nullable: Whether a value may be missing.
        ge: The least value allowed, if there is one.
        le: The greatest value allowed, if there is one.
    """

    name: str
    dtype: pl.DataType
    description: str
    _: KW_ONLY
    nullable: bool = False
    ge: int | None = None
    le: int | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """What one table may hold: exactly these columns, in this order, of these very types.

    Attributes:
        description: What a row is, in one sentence.
        key: The columns that no two rows have alike; empty where rows may repeat.
        columns: All columns, those of the key first.
    """

    description: str
    _: KW_ONLY
    key: tuple[str, ...] = ()
    columns: tuple[Column, ...]


MOMENT: Final = pl.Datetime("us", "UTC")
TEXTS: Final = pl.List(pl.String())
NUMBERS: Final = pl.List(pl.Float64())
CODE_COUNTS: Final = pl.List(pl.Struct({"code": pl.String(), "count": pl.Int64()}))

READING: Final = pl.Enum(Reading)
SUPPORT: Final = pl.Enum(Support)
DEFECT_KIND: Final = pl.Enum(DefectKind)
DECIDED_BY: Final = pl.Enum(DecidedByKind)
ERA: Final = pl.Enum(VerdictEra)
ORIGIN: Final = pl.Enum(InterpretationOrigin)
RUN_KIND: Final = pl.Enum(RunKind)
FACT_SOURCE: Final = pl.Enum(FactSource)
SOURCE_STATE: Final = pl.Enum(SourceState)
PROBLEM_KIND: Final = pl.Enum(ProblemKind)
STATUS: Final = pl.Enum(EvaluationStatus)
OUTCOME: Final = pl.Enum(EvaluationOutcome)
REASON_KIND: Final = pl.Enum(ReasonKind)
VALUE_STATE: Final = pl.Enum(ValueState)
