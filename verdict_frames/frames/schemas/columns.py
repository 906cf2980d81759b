"""What the models have in common: the types of columns, and the rules that hold for every table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import pandera.polars as pa
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

if TYPE_CHECKING:
    from enum import StrEnum


class Table(pa.DataFrameModel):
    """Base of the models: exactly these columns, in this order, nothing converted on the way."""

    class Config:
        """Settings that every table shares."""

        strict = True
        ordered = True
        coerce = False


def _tokens(vocabulary: type[StrEnum]) -> list[str]:
    return [member.value for member in vocabulary]


Moment = Annotated[pl.Datetime, "us", "UTC"]
Texts = Annotated[pl.List, pl.String()]
Numbers = Annotated[pl.List, pl.Float64()]
CodeCounts = Annotated[pl.List, pl.Struct({"code": pl.String(), "count": pl.Int64()})]

ReadingToken = Annotated[pl.Enum, _tokens(Reading)]
SupportToken = Annotated[pl.Enum, _tokens(Support)]
DefectKindToken = Annotated[pl.Enum, _tokens(DefectKind)]
DecidedByToken = Annotated[pl.Enum, _tokens(DecidedByKind)]
EraToken = Annotated[pl.Enum, _tokens(VerdictEra)]
OriginToken = Annotated[pl.Enum, _tokens(InterpretationOrigin)]
RunKindToken = Annotated[pl.Enum, _tokens(RunKind)]
FactSourceToken = Annotated[pl.Enum, _tokens(FactSource)]
SourceStateToken = Annotated[pl.Enum, _tokens(SourceState)]
ProblemKindToken = Annotated[pl.Enum, _tokens(ProblemKind)]
StatusToken = Annotated[pl.Enum, _tokens(EvaluationStatus)]
OutcomeToken = Annotated[pl.Enum, _tokens(EvaluationOutcome)]
ReasonKindToken = Annotated[pl.Enum, _tokens(ReasonKind)]
ValueStateToken = Annotated[pl.Enum, _tokens(ValueState)]
