"""Treatments against a baseline, item by item."""

from __future__ import annotations

from numbers import Integral
from typing import TYPE_CHECKING, Any, Final, overload

import polars as pl

from verdict_frames.errors import ArgumentError, ColumnError, OptionError, one_line
from verdict_frames.frames.corpus import Corpus
from verdict_frames.policies import AGENT_JUDGE_0_17, find_policy
from verdict_frames.statistics.comparison.alikeness import DIFFERENCE_COLUMNS, allowed_aspects, find_differences
from verdict_frames.statistics.comparison.correction import adjusted, find_correction
from verdict_frames.statistics.comparison.estimates import OVERALL, estimate
from verdict_frames.statistics.comparison.pairing import ITEM_COLUMNS, pair_items
from verdict_frames.statistics.comparison.result import Comparison
from verdict_frames.statistics.comparison.sides import SIDE, Sides, sides_by, sides_of_two
from verdict_frames.statistics.comparison.transitions import (
    COUNT_COLUMNS,
    count_lost,
    count_not_assessed,
    count_transitions,
)
from verdict_frames.statistics.counted import ITEM
from verdict_frames.statistics.intervals import normal_quantile
from verdict_frames.statistics.vocabulary import Correction, EvaluationChoice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from verdict_frames.policies import Policy

RESAMPLES: Final = 9_999
"""How many patterns of signs are drawn where there are too many to count, unless the caller says otherwise."""

_COLUMNS: Final = frozenset((*OVERALL, *ITEM_COLUMNS, *COUNT_COLUMNS, *DIFFERENCE_COLUMNS))


@overload
def compare(
    corpus: Corpus,
    /,
    *,
    by: str,
    baseline: str | int | bool,
    treatment: str | int | bool | Sequence[str | int | bool] | None = ...,
    within: str | Sequence[str] | None = ...,
    policy: Policy | str = ...,
    evaluations: EvaluationChoice | str = ...,
    level: float = ...,
    correction: Correction | str = ...,
    allow: str | Sequence[str] = ...,
    seed: int = ...,
    resamples: int = ...,
) -> Comparison: ...
@overload
def compare(
    before: Corpus,
    after: Corpus,
    /,
    *,
    within: str | Sequence[str] | None = ...,
    policy: Policy | str = ...,
    evaluations: EvaluationChoice | str = ...,
    level: float = ...,
    correction: Correction | str = ...,
    allow: str | Sequence[str] = ...,
    seed: int = ...,
    resamples: int = ...,
) -> Comparison: ...
def compare(  # noqa: PLR0913 - the options of one question
    corpus: Corpus,
    after: Corpus | None = None,
    /,
    *,
    by: str | None = None,
    baseline: object = None,
    treatment: object = None,
    within: str | Sequence[str] | None = None,
    policy: Policy | str = AGENT_JUDGE_0_17,
    evaluations: EvaluationChoice | str = EvaluationChoice.LATEST,
    level: float = 0.95,
    correction: Correction | str = Correction.HOLM,
    allow: str | Sequence[str] = (),
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Comparison:
    """Compare treatments with a baseline on the same items.

    Either values of a column are compared, `compare(corpus, by="variant", baseline="simple")`, or two corpora,
    `compare(before, after)`, whose sides are then called `before` and `after`.

    Items are paired by `item_id`, those that have none by `item_slug`; items with neither can't be paired and are
    counted apart. An item's trials on one side are repeats: their numbers mean nothing across sides, so repeats are
    never paired, and each item counts once with its own rate. With one eligible trial on each side of every pair the
    test is McNemar's, and with repeats its counterpart on item means, which flips signs; see `Comparison` for every
    number, its method and source.

    The runs of a comparison must be alike in their instrument, the version of its description, and their dataset (its
    version, release number, and whether it had changes), as far as these are recorded: otherwise a difference may be
    one of rulers. This goes for all runs of a comparison, also for those on the same side. Conditions may differ; in
    what runs differ, or may, is listed in `differences`.

    Args:
        corpus: The runs; of two corpora the baseline.
        after: The treatment, where two corpora are compared.
        by: The column whose values are the sides: of items or runs, or a run fact such as `conditions.model`.
        baseline: The value to compare with; values are taken as text.
        treatment: The value to compare, or several; with none, all others that runs and items have.
        within: Columns in whose groups the sides are compared, each group by itself.
        policy: A policy or the name of one.
        evaluations: Which evaluation counts where a run was judged again: the latest, the original, or all of them,
            which then are repeats. Of two corpora it is decided in each alone.
        level: The confidence level of the intervals, between 0 and 1.
        correction: How p values of several comparisons are adjusted: `holm` or `bh` (Benjamini and Hochberg).
        allow: In what runs may differ: `instrument`, `description_version`, `dataset` or one of its aspects
            (`dataset_version`, `dataset_dirty`, `dataset_semantic_version`).
        seed: Seeds the sign-flip test, where it has to draw.
        resamples: How many patterns of signs it draws then.

    Returns:
        The comparison, one row of `overall` for each treatment, in each group of `within` where either side has trials.

    Raises:
        ArgumentError: An argument is of the wrong kind, or there is neither a column nor a second corpus, or both.
        ColumnError: A name can't be grouped by, or is that of a column of the result.
        OptionError: A side is no value of the column, is named twice, or is the only one; or an option has an unknown
            value.
        UnlikeRunsError: The runs differ in what they were measured by or on, and `allow` doesn't name it.

    Example:
        >>> from verdict_frames.frames.in_memory import from_records
        >>> rows = [
        ...     {"run_id": name, "variant": name, "item_id": f"i{place}", "verdict": {"aggregated": {"status": status}}}
        ...     for name, statuses in (("simple", "fail fail pass"), ("hardened", "pass fail pass"))
        ...     for place, status in enumerate(statuses.split())
        ... ]
        >>> compared = compare(from_records(rows), by="variant", baseline="simple")
        >>> compared.overall.select("treatment", "pairs", "wins", "losses", "p_value").row(0)
        ('hardened', 3, 1, 0, 1.0)
    """
    chosen, adjusting, allowed = find_policy(policy), find_correction(correction), allowed_aspects(allow)
    normal_quantile(level)
    _require_number("seed", seed, least=0)
    _require_number("resamples", resamples, least=1)
    _require_call(corpus, after, by=by, baseline=baseline, treatment=treatment)
    if after is not None:
        sides = sides_of_two(corpus, after, within=within, policy=chosen, evaluations=evaluations)
    else:
        sides = sides_by(corpus, str(by), baseline, treatment, within=within, policy=chosen, evaluations=evaluations)
    _require_free_names(sides.within)
    differences = find_differences(sides, allowed)
    items = pair_items(sides)
    estimates = _estimates(sides, items, level=level, seed=int(seed), resamples=int(resamples))
    return Comparison(
        overall=_overall(estimates, sides, adjusting, chosen),
        items=items,
        transitions=count_transitions(items, sides.within),
        lost=count_lost(items, sides.within),
        not_assessed=count_not_assessed(items, sides.within),
        differences=differences,
        by=by,
        within=sides.within,
        baseline=sides.baseline,
        treatments=sides.treatments,
        policy=chosen.name,
        level=float(level),
        correction=adjusting,
        seed=int(seed),
        without_side=sides.without_side,
        left_out=sides.left_out,
    )


def _require_call(corpus: object, after: object, *, by: object, baseline: object, treatment: object) -> None:
    if not isinstance(corpus, Corpus):
        message = f"a comparison is made of a Corpus, not of {type(corpus).__name__}; read one with read_results"
        raise ArgumentError(message)
    if after is None:
        if not isinstance(by, str):
            given = "" if by is None else f", not {one_line(by)}"
            message = (
                f"say what to compare: one column, as in compare(corpus, by='variant', baseline='simple'){given},"
                " or a second corpus, as in compare(before, after)"
            )
            raise ArgumentError(message)
        if baseline is None:
            message = f"say which value of {by!r} to compare with, as in baseline='simple'"
            raise ArgumentError(message)
        return
    if not isinstance(after, Corpus):
        message = (
            f"the second argument is the corpus to compare with the first, not {one_line(after)}; values of a column"
            " are compared as in compare(corpus, by='variant', baseline='simple')"
        )
        raise ArgumentError(message)
    named = [
        name for name, value in (("by", by), ("baseline", baseline), ("treatment", treatment)) if value is not None
    ]
    if named:
        message = (
            f"{named[0]} is about the sides within one corpus, and here two corpora are compared; give one of them, or"
            " group by a column with `within`"
        )
        raise ArgumentError(message)


def _require_number(name: str, given: object, *, least: int) -> None:
    if isinstance(given, bool) or not isinstance(given, Integral):
        message = f"{name} is a whole number, not {one_line(given)}"
        raise ArgumentError(message)
    if int(given) < least:
        message = f"{name} is {least} or more, not {int(given)}"
        raise OptionError(message)


def _require_free_names(within: tuple[str, ...]) -> None:
    taken = [name for name in within if name in _COLUMNS]
    if taken:
        message = f"{taken[0]!r} can't be compared within: the result has a column of that name; rename it first"
        raise ColumnError(message)


def _comparisons(sides: Sides) -> list[tuple[Any, ...]]:
    """List each group of `within` in which a treatment or the baseline has trials, with the treatment last."""
    if not sides.within:
        return [(treatment,) for treatment in sides.treatments]
    names = list(sides.within)
    groups = sides.trials.select(*names, SIDE).unique().sort(*names, SIDE, nulls_last=True)
    held: dict[tuple[Any, ...], set[str]] = {}
    for *group, side in groups.iter_rows():
        held.setdefault(tuple(group), set()).add(side)
    return [
        (*group, treatment)
        for group, there in held.items()
        for treatment in sides.treatments
        if there & {sides.baseline, treatment}
    ]


def _estimates(
    sides: Sides, items: pl.DataFrame, *, level: float, seed: int, resamples: int
) -> dict[tuple[Any, ...], dict[str, Any]]:
    """Estimate every comparison, with the trials on either side that have no name."""
    keys = [*sides.within, "treatment"]
    parts = items.partition_by(keys, as_dict=True)
    nameless = sides.trials.filter(pl.col(ITEM).is_null()).group_by(*sides.within, SIDE).len()
    counts = {tuple(group): count for *group, count in nameless.iter_rows()}
    return {
        key: estimate(parts.get(key, items.clear()), level=level, seed=seed, resamples=resamples)
        | {
            "baseline_nameless": counts.get((*key[:-1], sides.baseline), 0),
            "treatment_nameless": counts.get(key, 0),
        }
        for key in _comparisons(sides)
    }


def _overall(
    estimates: dict[tuple[Any, ...], dict[str, Any]], sides: Sides, correction: Correction, policy: Policy
) -> pl.DataFrame:
    p_values = [row.get("p_value") for row in estimates.values()]
    rows = [
        dict(zip((*sides.within, "treatment"), key, strict=True))
        | row
        | {
            "baseline": sides.baseline,
            "p_adjusted": p,
            "correction": correction.value,
            "comparisons": sum(value is not None for value in p_values),
            "policy": policy.name,
        }
        for (key, row), p in zip(estimates.items(), adjusted(p_values, correction), strict=True)
    ]
    schema = {**sides.trials.select(sides.within).schema, **OVERALL}
    return pl.DataFrame(rows, schema=schema)
