"""The tables that scripts of experiments read: three files that their users have made by hand until now."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import polars as pl

from verdict_frames.frames.schemas.columns import Column, Table

if TYPE_CHECKING:
    from collections.abc import Mapping

_TEXT: Final = pl.String()
_WHOLE: Final = pl.Int64()
_NUMBER: Final = pl.Float64()
_NOT_READ: Final = "always null, because the agent's own record is not read."

TIER_SCORES: Final = ("t0_build", "t1_coverage", "t2_quality")
"""The columns of `item_results` that are there for scores, whatever the judges are called."""

CURATED_TABLES: Final[Mapping[str, Table]] = MappingProxyType(
    {
        "runs": Table(
            "One row a run that counts.",
            key=("run_id",),
            columns=(
                Column("run_id", _TEXT, "The run."),
                Column("variant", _TEXT, "The variant.", nullable=True),
                Column("model", _TEXT, "The condition `model`, else the only one that ends in it.", nullable=True),
                Column("timestamp", _TEXT, "End of the run in UTC, as ISO text, to the microsecond.", nullable=True),
                Column("pass_rate", _NUMBER, "Passes of the items that are eligible, by policy.", nullable=True),
                Column("total_cost_usd", _NUMBER, "Cost of the run in US dollars, as recorded.", nullable=True),
                Column("total_duration_ms", _WHOLE, "Duration of the run in milliseconds, as recorded.", nullable=True),
                Column("total_tokens", _WHOLE, "Tokens that the run used, as recorded.", nullable=True),
                Column("item_count", _WHOLE, "Number of its items."),
                Column("run_group", _TEXT, "The session.", nullable=True),
            ),
        ),
        "item_results": Table(
            "One row an item of a run that counts.",
            columns=(
                Column("run_id", _TEXT, "The run; joins runs."),
                Column("variant", _TEXT, "The run's variant.", nullable=True),
                Column("item_id", _TEXT, "The item's id, else its slug.", nullable=True),
                Column("passed", pl.Boolean(), "True or false of eligible items, by policy.", nullable=True),
                Column("cost_usd", _NUMBER, "Cost in US dollars, as recorded.", nullable=True),
                Column("duration_ms", _WHOLE, "Duration in milliseconds, as recorded.", nullable=True),
                Column("total_tokens", _WHOLE, "Tokens used, as recorded.", nullable=True),
                Column("input_tokens", _WHOLE, f"Uncached input; {_NOT_READ}", nullable=True),
                Column("output_tokens", _WHOLE, f"Output; {_NOT_READ}", nullable=True),
                Column("thinking_tokens", _WHOLE, f"Thinking; {_NOT_READ}", nullable=True),
                Column("cache_creation_input_tokens", _WHOLE, f"Input written to caches; {_NOT_READ}", nullable=True),
                Column("cache_read_input_tokens", _WHOLE, f"Input read from caches; {_NOT_READ}", nullable=True),
                Column("phase_count", _WHOLE, f"Phases of the agent's work; {_NOT_READ}", nullable=True),
                Column("run_index", _WHOLE, "Number of the repetition.", nullable=True),
                Column("trace_id", _TEXT, "The item's slug, else its id, with `_r` and the repetition.", nullable=True),
                *(Column(name, _NUMBER, "The score that it stands for.", nullable=True) for name in TIER_SCORES),
            ),
        ),
        "judge_details": Table(
            "One row a check of a judge, each once, also where a cascade's root repeats its stopping tier.",
            columns=(
                Column("run_id", _TEXT, "The run; joins runs."),
                Column("item_id", _TEXT, "The item's id, else its slug.", nullable=True),
                Column("judge_name", _TEXT, "The judge's key in the verdict; may be empty."),
                Column("criterion_name", _TEXT, "Name of the check."),
                Column("score", _NUMBER, "Always null: a check is recorded without a score.", nullable=True),
                Column("passed", pl.Boolean(), "Whether the check passed."),
                Column("evidence", _TEXT, "What the judge noted; null where nothing was.", nullable=True),
            ),
        ),
    }
)
"""Each table by the name of its file; `tool_uses`, which lies beside these, is about traces and not ours."""


def curated_schema(table: str) -> pl.Schema:
    """The columns of a curated table with their types, in order.

    Args:
        table: Name of the table.

    Examples:
        >>> curated_schema("judge_details").names()[:3]
        ['run_id', 'item_id', 'judge_name']
    """
    return pl.Schema({column.name: column.dtype for column in CURATED_TABLES[table].columns})
