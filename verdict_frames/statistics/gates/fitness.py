"""Whether a measurement is fit to judge an agent by: read whole, all groups there, judges at work."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from verdict_frames.statistics.gates.conditions import number_text
from verdict_frames.statistics.gates.outcome import GateLine
from verdict_frames.statistics.judges.table import judge_table
from verdict_frames.statistics.vocabulary import GateSubject

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from verdict_frames.frames.corpus import Corpus
    from verdict_frames.statistics.gates.conditions import Limit
    from verdict_frames.statistics.gates.gates import Gates
    from verdict_frames.statistics.gates.groups import MeasuredGroup
    from verdict_frames.statistics.vocabulary import EvaluationChoice


def check_measurement(
    corpora: Mapping[str, Corpus],
    groups: Sequence[MeasuredGroup],
    gates: Gates,
    *,
    evaluations: EvaluationChoice | str,
) -> Iterator[GateLine]:
    """Hold what is asked of the measurement against it; that anything counts at all is asked always.

    Args:
        corpora: What was read, by what it is called where there are two.
        groups: The groups that are asked about.
        gates: What is asked.
        evaluations: Which evaluation of items counts where a run was judged again.
    """
    total = sum(group.counts["total"] for group in groups)
    yield _line(
        "items to count",
        "everything",
        total,
        held=total > 0,
        message=f"items that count: {total}" if total else "no item counts",
    )
    if gates.max_problems is not None:
        found = sum(corpus.problems.height for corpus in corpora.values())
        yield _line(
            f"problems at most {gates.max_problems}",
            "the files",
            found,
            held=found <= gates.max_problems,
            message=f"problems in reading: {found}, at most {gates.max_problems} asked for",
        )
    for name in gates.expect_groups:
        yield _expected(name, groups)
    if gates.expect_items is not None:
        yield from (_of_size(group, gates.expect_items) for group in groups)
    yield from (_limited(limit, group) for limit in gates.limits for group in groups)
    if gates.max_judge_error_rate is not None:
        yield from _judges(corpora, gates.max_judge_error_rate, evaluations)


def _line(asked: str, about: str, value: float | None, *, held: bool, message: str) -> GateLine:
    return GateLine(subject=GateSubject.MEASUREMENT, asked=asked, about=about, value=value, held=held, message=message)


def _expected(name: str, groups: Sequence[MeasuredGroup]) -> GateLine:
    total = sum(group.counts["total"] for group in groups if group.is_called(name))
    there = ", ".join(group.label for group in groups) or "none"
    message = (
        f"items of the group {name}: {total}" if total else f"no items of the group {name}; the groups are {there}"
    )
    return _line("a group of this name", name, total, held=total > 0, message=message)


def _of_size(group: MeasuredGroup, expected: int) -> GateLine:
    message = f"{group.label}: different items: {group.items}, {expected} expected"
    return _line(
        f"different items: {expected}", group.label, group.items, held=group.items == expected, message=message
    )


def _limited(limit: Limit, group: MeasuredGroup) -> GateLine:
    count, total = group.counts[limit.count], group.counts["total"]
    if limit.is_rate and not total:
        message = f"{group.label}: no {limit.name}, because it has no items"
        return _line(str(limit), group.label, None, held=False, message=message)
    value = count / total if limit.is_rate else count
    found = f"{value:.4g} ({count} of {total})" if limit.is_rate else f"{count} of {total}"
    message = f"{group.label}: {limit.name} {found}, at most {number_text(limit.most)} asked for"
    return _line(str(limit), group.label, value, held=value <= limit.most, message=message)


def _judges(corpora: Mapping[str, Corpus], most: float, evaluations: EvaluationChoice | str) -> Iterator[GateLine]:
    """Hold each judge's own rate over everything that was read; juries that sit in juries have no line of their own."""
    asked = f"error rate of each judge at most {most:g}"
    for name, corpus in corpora.items():
        judges = judge_table(corpus, evaluations=evaluations).filter(~pl.col("is_jury"))
        prefix = f"{name}: " if len(corpora) > 1 else ""
        if judges.is_empty():
            message = f"{prefix}no judge is recorded, so there is no error rate"
            yield _line(asked, f"{prefix}judges", None, held=False, message=message)
        for judge in judges.iter_rows(named=True):
            about, rate = f"{prefix}judge {_judge_label(judge)}", judge["error_rate"]
            found = f"errored in {judge['errored']} of {judge['seats']} ({rate:.4g})"
            message = f"{about} {found}, at most {most:g} asked for"
            yield _line(asked, about, rate, held=rate <= most, message=message)


def _judge_label(judge: Mapping[str, Any]) -> str:
    label = "/".join([*judge["path"], judge["judge"] or "(unnamed)"])
    return label if judge["occurrence"] == 1 else f"{label} #{judge['occurrence']}"
