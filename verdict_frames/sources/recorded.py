"""What files hold, as plain values: runs, and their items with the verdict as stored.

Nothing here is interpreted. A field that was absent, null or unusable is `None`; an unusable one also has a `Problem`.
Numbers are as recorded, so they may be negative: reals are finite, `total_tokens` and durations fit 64 bits, and every
other integer fits 32. Texts may hold unpaired surrogates (R106), paths never do.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import msgspec

from verdict_frames.vocabulary import FactSource, RunKind


class RecordedItem(msgspec.Struct, kw_only=True):
    """One item of a run.

    Attributes:
        index: Place in its run, from 0; places of items that could not be read stay empty. In a file of JSON lines,
            the place among the lines that aren't blank.
        item_id: `itemId`.
        item_slug: `itemSlug`.
        success: Whether the agent's own work finished.
        passed: As the file recorded it.
        execution_status: `executionDetail.status` (or `invocationResult.status`).
        error: `metadata.error`, else the execution's `errorMessage`; absent ones are null, empty ones empty.
        cost_usd: As recorded.
        total_tokens: As recorded.
        duration_ms: As recorded.
        scores: Name → finite number.
        metadata: The item's metadata as compact JSON text, its numbers, escapes and order as written; null where there
            was none.
        instrument_failure: `metadata.instrumentFailure`.
        has_verdict: Whether a non-null `verdict` was stored.
        verdict: The stored verdict, untouched; `{}` stands for one that is no object.
        interpretation: The stored interpretation, untouched; null where there was none.
    """

    index: int
    item_id: str | None = None
    item_slug: str | None = None
    success: bool | None = None
    passed: bool | None = None
    execution_status: str | None = None
    error: str | None = None
    cost_usd: float | None = None
    total_tokens: int | None = None
    duration_ms: int | None = None
    scores: dict[str, float] = msgspec.field(default_factory=dict)
    metadata: str | None = None
    instrument_failure: str | None = None
    has_verdict: bool = False
    verdict: Mapping[str, Any] | None = None
    interpretation: Mapping[str, Any] | None = None


class RunFact(msgspec.Struct, frozen=True):
    """One condition, metadata entry or aggregate score of a run.

    Attributes:
        source: The part of the file that it stands in.
        name: Its key there.
        value: Its text; JSON text for a value that is none. Entries that are null are left out.
    """

    source: FactSource
    name: str
    value: str


class RecordedRun(msgspec.Struct, kw_only=True):
    """One run: a result file, a bare verdict file or a file of JSON lines.

    Attributes:
        run_id: `experimentId`, else what the path pattern finds as `{run}`, else the path relative to the argument that
            the file was found under.
        path: The file it was read from.
        copies: Every file that it could be read from, sorted, `path` included.
        kind: What was at work.
        re_evaluated_from: Run id of the run that was judged again.
        experiment_name: From the path pattern, else `experimentName`, else the store's records.
        session: From the path pattern, else the store's folders, else its records; where they don't tell it, that of
            the run judged again.
        variant: Likewise.
        repeat: From the path pattern, else the number among the runs of the variant; likewise.
        timestamp: End of the run, UTC.
        stored_passes: `counts.passes`; likewise the other `stored_…` counts.
        stored_pass_rate: `passRate` of files up to 0.7.
        facts: Conditions, metadata and aggregate scores.
        items: In recorded order.
        continues: Whether these are further items of the run before, which was too long to be given as one. All else
            that such a continuation says of its run was said at the beginning.
    """

    run_id: str
    path: str
    copies: list[str]
    kind: RunKind = RunKind.AGENT
    re_evaluated_from: str | None = None
    experiment_name: str | None = None
    session: str | None = None
    variant: str | None = None
    repeat: int | None = None
    timestamp: datetime | None = None
    dataset_version: str | None = None
    dataset_dirty: bool | None = None
    dataset_semantic_version: str | None = None
    code_version: str | None = None
    code_dirty: bool | None = None
    instrument_hash: str | None = None
    description_version: int | None = None
    stored_passes: int | None = None
    stored_non_passes: int | None = None
    stored_excluded: int | None = None
    stored_instrument_failures: int | None = None
    stored_not_judged: int | None = None
    stored_unattestable: int | None = None
    stored_pass_rate: float | None = None
    total_cost_usd: float | None = None
    total_tokens: int | None = None
    total_duration_ms: int | None = None
    facts: list[RunFact] = msgspec.field(default_factory=list)
    items: list[RecordedItem] = msgspec.field(default_factory=list)
    continues: bool = False
