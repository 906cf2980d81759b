"""The public door to reports, light to import: what draws and renders is loaded when a report is asked for."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from verdict_frames.errors import ArgumentError
from verdict_frames.frames.corpus import Corpus
from verdict_frames.vocabulary import EvaluationChoice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from verdict_frames.policies import Policy
    from verdict_frames.report.value import Report


def report(
    judged: Corpus,
    by: str | Sequence[str] | None = None,
    *,
    title: str | None = None,
    policy: Policy | str | None = None,
    level: float = 0.95,
    evaluations: EvaluationChoice | str = EvaluationChoice.LATEST,
) -> Report:
    if not isinstance(judged, Corpus):
        message = f"a Corpus or Evaluations are needed, not {type(judged).__name__}"
        raise ArgumentError(message)
    # matplotlib and Jinja2 take long to import, and this name can't wait for its first use as other names do: the
    # package has a room of the same name
    building = importlib.import_module("verdict_frames.report.building")
    made: Report = building.corpus_report(
        judged, by, title=title, policy=policy, level=level, evaluations=evaluations
    )
    return made
