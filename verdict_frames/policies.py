"""How a consumer counts: which items enter the denominator of a pass rate, and where the others are shown.

A reading says what a verdict means; whether it counts is the consumer's choice, and a `Policy` is that choice as a
value. Every item falls into exactly one bucket under a policy. Two things are the same under every policy: an accepted
item is the only kind that passes, and an item with neither verdict nor interpretation never enters a denominator,
because nobody said anything about it.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import Enum
from itertools import product
from numbers import Integral
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Protocol, overload

import polars as pl

from verdict_frames.errors import ArgumentError, ColumnError, OptionError, one_line, some_names
from verdict_frames.vocabulary import Bucket, Reading, Support

if TYPE_CHECKING:
    from collections.abc import Mapping

BUCKET_DTYPE: Final = pl.Enum(Bucket)
"""The dtype of a `bucket` column: the eight buckets, in the order in which they are printed and drawn."""

_TEXTS: Final = frozenset({pl.String, pl.Enum, pl.Categorical, pl.Null})
_WHOLE: Final = frozenset(
    {pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.Int128, pl.UInt8, pl.UInt16, pl.UInt32, pl.UInt64, pl.Null}
)


class ColumnKind(Enum):
    """What a column that is needed must hold; a column of nulls only is of every kind."""

    TEXT = ("text", _TEXTS)
    NAME = ("text or whole numbers", _TEXTS | _WHOLE)
    FLAG = ("true and false", _WHOLE | {pl.Boolean})
    COUNT = ("whole numbers", _WHOLE)
    SHARE = ("numbers", _WHOLE | {pl.Float32, pl.Float64})

    def holds(self, dtype: pl.DataType) -> bool:
        """Return whether values of this type can be what is needed."""
        return dtype.base_type() in self.value[1]


STATE_COLUMNS: Final[Mapping[str, ColumnKind]] = MappingProxyType(
    {
        "reading": ColumnKind.TEXT,
        "reading_support": ColumnKind.TEXT,
        "has_verdict": ColumnKind.FLAG,
        "success": ColumnKind.FLAG,
    }
)
"""The four columns of `items` that decide an item's bucket, together with the policy."""

READING: Final = pl.col("reading").cast(pl.Enum(Reading), strict=False)
"""The reading of each item, Enum also where the column is text; null for a token that isn't one of the five."""

SUPPORT: Final = pl.col("reading_support").cast(pl.Enum(Support), strict=False)
"""The support of each item's reading, likewise."""

_ELECTIVE: Final = frozenset(Bucket) - {Bucket.PASSES, Bucket.AGENT_FAILED, Bucket.UNJUDGED}

_BUILT_IN: Final[Mapping[str, Mapping[str, Bucket]]] = MappingProxyType(
    {
        "agent-judge-0.17": {},
        "agent-experiment-0.9": {"not_assessed": Bucket.EXCLUDED},
        "verified-only": {"undetermined": Bucket.SET_ASIDE},
        "all-items": dict.fromkeys(
            ("undecided", "not_applicable", "not_assessed", "contradicted", "no_reading"), Bucket.NON_PASSES
        ),
    }
)
"""Where each policy of this package departs from the defaults of `Policy`; the names are kept for just these."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Policy:
    """What one consumer counts.

    Items whose verdict reads `ACCEPTED` or `REJECTED` go to `passes` and `non_passes`; items with neither verdict nor
    interpretation go to `agent_failed` (the agent's work is recorded as failed) or `unjudged`. The rest is chosen here.
    Each choice is one of `non_passes`, `excluded`, `instrument_failures`, `unattestable` and `set_aside`; only
    `non_passes` is in the denominator.

    Attributes:
        name: Printed with every rate; one line of text. The name of one of the four built-in policies stands for its
            choices and can't be given to others.
        undecided: Where `UNDECIDED` goes.
        not_applicable: Where `NOT_APPLICABLE` goes.
        not_assessed: Where `NOT_ASSESSED` goes.
        undetermined: Where an item goes whose record can't back its reading, whatever that reading is; null when such
            an item is counted by its reading.
        contradicted: Where an item goes whose record contradicts itself, whatever its reading is.
        no_reading: Where an item goes that has a verdict or an interpretation, but no reading with a support.

    Raises:
        OptionError: The name is empty, not one line of printable text, or that of a built-in policy with other choices;
            or a choice isn't one of the five buckets.

    Example:
        >>> strict = Policy(name="undecided-set-aside", undecided=Bucket.SET_ASIDE)
        >>> strict.undecided
        <Bucket.SET_ASIDE: 'set_aside'>
    """

    name: str
    undecided: Bucket = Bucket.NON_PASSES
    not_applicable: Bucket = Bucket.EXCLUDED
    not_assessed: Bucket = Bucket.INSTRUMENT_FAILURES
    undetermined: Bucket | None = None
    contradicted: Bucket = Bucket.UNATTESTABLE
    no_reading: Bucket = Bucket.UNATTESTABLE

    def __post_init__(self) -> None:
        if not _is_printable_line(self.name):
            message = f"a policy's name must be one line of printable text, not {self.name!r}"
            raise OptionError(message)
        for choice in fields(self)[1:]:
            value = getattr(self, choice.name)
            if value is None and choice.name == "undetermined":
                continue
            if not isinstance(value, str) or value not in _ELECTIVE:
                allowed = ", ".join(bucket for bucket in Bucket if bucket in _ELECTIVE)
                message = f"policy {self.name!r}: {choice.name} can't go to {value!r}; choose one of {allowed}"
                raise OptionError(message)
            object.__setattr__(self, choice.name, Bucket(value))
        kept = _BUILT_IN.get(self.name, {})
        if self.name in _BUILT_IN and any(
            getattr(self, choice.name) != kept.get(choice.name, choice.default) for choice in fields(self)[1:]
        ):
            message = f"{self.name!r} names a built-in policy, which chooses otherwise; give these choices another name"
            raise OptionError(message)


def _is_printable_line(text: object) -> bool:
    return isinstance(text, str) and text.isprintable() and bool(text.strip())


def _built_in(name: str) -> Policy:
    return Policy(name=name, **_BUILT_IN[name])


AGENT_JUDGE_0_17: Final = _built_in("agent-judge-0.17")
"""The default. Undecided counts against; not applicable and not assessed stay out of the denominator, each in a bucket
of its own; what can't be checked against the record is counted by its reading and reported as `unverified`."""

AGENT_EXPERIMENT_0_9: Final = _built_in("agent-experiment-0.9")
"""As Agent Experiment 0.9 counts: not assessed is `excluded`. The pass rate is that of `AGENT_JUDGE_0_17`."""

VERIFIED_ONLY: Final = _built_in("verified-only")
"""Counts only readings that the record backs; what can't be checked against the record is `set_aside`."""

ALL_ITEMS: Final = _built_in("all-items")
"""Whatever was judged and not accepted counts against, an acceptance that its own record contradicts included. Items
with neither verdict nor interpretation stay out here too; `end_to_end_rate` counts those whose agent failed."""

POLICIES: Final[Mapping[str, Policy]] = MappingProxyType(
    {policy.name: policy for policy in (AGENT_JUDGE_0_17, AGENT_EXPERIMENT_0_9, VERIFIED_ONLY, ALL_ITEMS)}
)
"""The four policies by name."""


def find_policy(policy: Policy | str) -> Policy:
    """Return the policy itself, or the one of that name among `POLICIES`.

    Raises:
        OptionError: No policy has that name.

    Example:
        >>> find_policy("verified-only") is VERIFIED_ONLY
        True
    """
    if isinstance(policy, Policy):
        return policy
    named = POLICIES.get(str(policy))
    if named is None:
        message = f"there is no policy named {one_line(policy)}; choose one of {', '.join(POLICIES)}, or make a Policy"
        raise OptionError(message)
    return named


def bucket_expression(policy: Policy | str = AGENT_JUDGE_0_17) -> pl.Expr:
    """Return the bucket of each item as a polars expression over the columns of `STATE_COLUMNS`.

    First match wins:

    1. no verdict and no interpretation: `agent_failed` where `success` is false, else `unjudged`;
    2. the record contradicts itself: the policy's `contradicted`;
    3. no reading, or a reading without a support: the policy's `no_reading`;
    4. the record can't back the reading, and the policy doesn't count those: the policy's `undetermined`;
    5. otherwise by the reading.

    The columns may be Enum or text, eager or lazy. The result is never null: a token that isn't one of the closed sets
    is taken as no reading, or as no support.

    Args:
        policy: A policy or the name of one.
    """
    chosen = find_policy(policy)
    silent = pl.col("reading").is_null() & pl.col("reading_support").is_null()
    expression = (
        pl.when(silent & ~pl.col("has_verdict").cast(pl.Boolean).fill_null(value=False))
        .then(
            pl.when(~pl.col("success").cast(pl.Boolean))
            .then(_bucket(Bucket.AGENT_FAILED))
            .otherwise(_bucket(Bucket.UNJUDGED))
        )
        .when(SUPPORT == Support.CONTRADICTED)
        .then(_bucket(chosen.contradicted))
        .when(READING.is_null() | SUPPORT.is_null())
        .then(_bucket(chosen.no_reading))
    )
    if chosen.undetermined is not None:
        expression = expression.when(SUPPORT == Support.UNDETERMINED).then(_bucket(chosen.undetermined))
    return (
        expression.when(READING == Reading.ACCEPTED)
        .then(_bucket(Bucket.PASSES))
        .when(READING == Reading.REJECTED)
        .then(_bucket(Bucket.NON_PASSES))
        .when(READING == Reading.UNDECIDED)
        .then(_bucket(chosen.undecided))
        .when(READING == Reading.NOT_APPLICABLE)
        .then(_bucket(chosen.not_applicable))
        .otherwise(_bucket(chosen.not_assessed))
        .alias("bucket")
    )


def _bucket(bucket: Bucket) -> pl.Expr:
    return pl.lit(bucket.value, dtype=BUCKET_DTYPE)


class HasItems(Protocol):
    """A corpus, as far as policies are concerned."""

    @property
    def items(self) -> pl.DataFrame:
        """Grain one item."""


@overload
def with_bucket(corpus_or_items: HasItems | pl.DataFrame, policy: Policy | str = ...) -> pl.DataFrame: ...
@overload
def with_bucket(corpus_or_items: pl.LazyFrame, policy: Policy | str = ...) -> pl.LazyFrame: ...
def with_bucket(
    corpus_or_items: HasItems | pl.DataFrame | pl.LazyFrame, policy: Policy | str = AGENT_JUDGE_0_17
) -> pl.DataFrame | pl.LazyFrame:
    """Add each item's bucket under a policy.

    Args:
        corpus_or_items: A corpus, or its items as an eager or lazy frame; more columns may stand beside them.
        policy: A policy or the name of one.

    Returns:
        The items with a last column `bucket` (Enum, never null), rows and order unchanged; lazy for a lazy frame. A
        `bucket` that was there already is replaced. Items of judge experiments and of replaced runs have a bucket too:
        `tally` leaves those out.

    Raises:
        ColumnError: A column of `STATE_COLUMNS` is missing or of a type that can't be what it should.
        ArgumentError: The first argument is neither a corpus nor a polars frame.
        OptionError: No policy has that name.

    Example:
        >>> items = pl.DataFrame(
        ...     {"reading": ["ACCEPTED", None], "reading_support": ["SUPPORTED", None],
        ...      "has_verdict": [True, False], "success": [True, False]}
        ... )
        >>> with_bucket(items)["bucket"].to_list()
        ['passes', 'agent_failed']
    """
    items = items_of(corpus_or_items)
    require_columns(items.collect_schema(), STATE_COLUMNS, table="items")
    return items.with_columns(bucket_expression(policy))


def items_of(corpus_or_items: HasItems | pl.DataFrame | pl.LazyFrame) -> pl.DataFrame | pl.LazyFrame:
    """Return the items of a corpus, or the frame itself.

    Raises:
        ArgumentError: The argument is neither a corpus nor a polars frame.
    """
    if isinstance(corpus_or_items, (pl.DataFrame, pl.LazyFrame)):
        return corpus_or_items
    items = getattr(corpus_or_items, "items", None)
    if not isinstance(items, pl.DataFrame):
        raise ArgumentError(_not_items(corpus_or_items))
    return items


def _not_items(given: object) -> str:
    return f"a Corpus or a polars frame of items is needed, not {type(given).__name__}"


def require_columns(present: pl.Schema, needed: Mapping[str, ColumnKind], *, table: str) -> None:
    """Refuse a frame that lacks a column, or has it as something that it can't be.

    Args:
        present: The columns that the frame has.
        needed: The columns that it must have.
        table: What the frame is, for the message.

    Raises:
        ColumnError: At least one is missing or of a type that doesn't fit.
    """
    missing = [name for name in needed if name not in present]
    if missing:
        has = some_names(present.names()) or "no columns"
        message = f"the {table} frame lacks {some_names(missing)}; it has {has}"
        raise ColumnError(message)
    for name, kind in needed.items():
        if not kind.holds(present[name]):
            message = f"the {table} frame has {name} as {present[name]}; cast it, as it has to hold {kind.value[0]}"
            raise ColumnError(message)


def policy_table(*policies: Policy | str) -> pl.DataFrame:
    """Tabulate policies, so that a query engine can join items to their buckets.

    The table is exhaustive: every reading or none × every support or none × with or without a verdict × success true,
    false or not recorded. An item without an interpretation has neither reading nor support.

    Null stands for "none", as in `items`, so the join has to take null as equal to null: `IS NOT DISTINCT FROM` in SQL,
    `nulls_equal=True` in polars. Choose one policy in the join, or every item comes out once a policy.

    Args:
        policies: Policies or their names; with none given, the four of `POLICIES`.

    Returns:
        One row for each policy and state, in the order of the policies: `policy`, `reading?`, `reading_support?`,
        `has_verdict`, `success?`, `bucket`; 144 rows a policy.

    Raises:
        OptionError: No policy has that name, or two policies have the same one.

    Example:
        >>> table = policy_table("all-items")
        >>> table.height, table.columns
        (144, ['policy', 'reading', 'reading_support', 'has_verdict', 'success', 'bucket'])
    """
    chosen = [find_policy(policy) for policy in policies or POLICIES]
    names = [policy.name for policy in chosen]
    if len(set(names)) < len(names):
        message = f"policies need different names to share a table; these are {', '.join(names)}"
        raise OptionError(message)
    states = pl.DataFrame(
        list(product([*Reading, None], [*Support, None], [True, False], [True, False, None])),
        schema={
            "reading": pl.Enum(Reading),
            "reading_support": pl.Enum(Support),
            "has_verdict": pl.Boolean,
            "success": pl.Boolean,
        },
        orient="row",
    )
    return pl.concat(
        states.select(pl.lit(policy.name).alias("policy"), pl.all(), bucket_expression(policy)) for policy in chosen
    )


def pass_rate(passes: int, non_passes: int) -> float | None:
    """Return the share of passes among the items that a policy counts.

    Args:
        passes: Number of items in the bucket `passes`.
        non_passes: Number of items in the bucket `non_passes`.

    Returns:
        A share from 0 to 1; null, and never 0, when there are neither: no items are eligible for the denominator.

    Raises:
        OptionError: A number is negative.
        ArgumentError: A number isn't a whole one.

    Example:
        >>> pass_rate(3, 1)
        0.75
        >>> pass_rate(0, 0) is None
        True
    """
    if not _is_whole(passes) or not _is_whole(non_passes):
        message = f"passes and non-passes are whole numbers of items, not {one_line(passes)} and {one_line(non_passes)}"
        raise ArgumentError(message)
    if passes < 0 or non_passes < 0:
        message = f"passes and non-passes are numbers of items, 0 or more, not {passes} and {non_passes}"
        raise OptionError(message)
    eligible = int(passes) + int(non_passes)
    return int(passes) / eligible if eligible else None


def _is_whole(given: object) -> bool:
    return isinstance(given, Integral) and not isinstance(given, bool)
