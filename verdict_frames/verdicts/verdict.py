"""The seven-component verdict, its seats, its decision and the stages that a composite jury entered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec.structs import force_setattr

from verdict_frames.records import Record
from verdict_frames.verdicts import constraints
from verdict_frames.verdicts.consistency import check_attempts, check_decision, check_names, check_seats, check_weights
from verdict_frames.verdicts.constraints import refuse
from verdict_frames.verdicts.judgments import Judgment
from verdict_frames.vocabulary import (
    BLANKS,
    DECISION_BASES,
    DECISION_KINDS,
    DISPOSITION_REASONS,
    DISPOSITIONS,
    FAILURE_CODES,
    KEY_SOURCES,
    RELATIONS,
    TIER_POLICIES,
)

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

KeySource = Literal["DECLARED", "DEDUPLICATED", "POSITIONAL"]
DecisionKind = Literal["own", "tier", "undecided"]
DecisionBasis = Literal["tier_outcome", "individual_rejection"]
Relation = Literal["cascade_tier", "meta_member"]
TierPolicy = Literal["REJECT_ON_ANY_FAIL", "ACCEPT_ON_ALL_PASS", "FINAL_TIER"]
Disposition = Literal["used", "stage_failed"]
DispositionReason = Literal["execution_failed", "child_undecided", "undeclared_not_applicable"]
FailureCode = Literal["jury_execution_failed"]


class Seat(Record, frozen=True, kw_only=True):
    """One judge's place in the jury.

    Attributes:
        position: Its place, from 0.
        verdict_key: The judge's name; never blank, and each name once in a verdict.
        key_source: How the name came about: given, made different from an equal one, or made from the place.

    Raises:
        VerdictError: A member can't be.
    """

    position: int
    verdict_key: str
    key_source: KeySource = "DECLARED"

    def __post_init__(self) -> None:
        force_setattr(self, "position", constraints.count(self.position, "position"))
        force_setattr(self, "verdict_key", constraints.text(self.verdict_key, "verdict_key"))
        if not self.verdict_key.strip(BLANKS):
            refuse(f"verdict_key is {self.verdict_key!a}; a judge's name must not be blank")
        force_setattr(self, "key_source", constraints.token(self.key_source, KEY_SOURCES, "key_source"))


class Decision(Record, frozen=True, kw_only=True):
    """Who decided: the jury's own reduction, one of its tiers, or nobody.

    Attributes:
        kind: `own`, `tier` or `undecided`.
        tier: The deciding tier's name, with the kind `tier` and only there.
        basis: Whether the tier's outcome was adopted, or one of its judges rejected the subject; likewise.

    Raises:
        VerdictError: A member can't be, or is missing, or doesn't go with the kind.
    """

    kind: DecisionKind = "own"
    tier: str | None = None
    basis: DecisionBasis | None = None

    def __post_init__(self) -> None:
        force_setattr(self, "kind", constraints.token(self.kind, DECISION_KINDS, "the kind of a decision"))
        for name, value in (("tier", self.tier), ("basis", self.basis)):
            if self.kind == "tier" and value is None:
                refuse(f"a decision by a tier names its tier and its basis; `{name}` is missing")
            if self.kind != "tier" and value is not None:
                refuse(f"a decision of the kind {self.kind} has no `{name}`; leave it out, or make the kind tier")
        if self.tier is not None:
            force_setattr(self, "tier", constraints.text(self.tier, "the tier of a decision"))
        if self.basis is not None:
            force_setattr(self, "basis", constraints.token(self.basis, DECISION_BASES, "the basis of a decision"))


class CompositeAttempt(Record, frozen=True, kw_only=True):
    """One stage that a composite jury entered: a tier of a cascade, or a member of a meta jury (R29).

    Attributes:
        name: The stage's name.
        relation: What it is to the jury above.
        policy: A tier's stop condition: required with `cascade_tier`, and only there.
        disposition: Whether the jury above could use it.
        disposition_reason: Why not, with `stage_failed` and only there.
        verdict: What it came to; null where it never came to anything.
        failure: Why it never did, with the reason `execution_failed` and only there.

    Raises:
        VerdictError: A member can't be, is missing, or contradicts another.
    """

    name: str
    relation: Relation = "cascade_tier"
    policy: TierPolicy | None = None
    disposition: Disposition = "used"
    disposition_reason: DispositionReason | None = None
    verdict: Verdict | None = None
    failure: FailureCode | None = None

    def __post_init__(self) -> None:
        force_setattr(self, "name", constraints.text(self.name, "the name of an attempt"))
        self._read_token("relation", RELATIONS)
        self._read_token("disposition", DISPOSITIONS)
        self._read_token("policy", TIER_POLICIES)
        self._read_token("disposition_reason", DISPOSITION_REASONS)
        self._read_token("failure", FAILURE_CODES)
        if self.verdict is not None:
            constraints.instance(self.verdict, Verdict, self._called("verdict"))
        if (self.relation == "cascade_tier") != (self.policy is not None):
            refuse(f"{self._called('policy')}: a cascade's tier has a policy, and a meta jury's member has none")
        if (self.disposition == "stage_failed") != (self.disposition_reason is not None):
            refuse(
                f"{self._called('disposition_reason')}: a stage that failed has a reason, and one that was used none"
            )
        if (self.verdict is None) == (self.failure is None):
            refuse(f"{self._called('verdict')}: an attempt has either a verdict or a failure; this has {self._holds()}")
        if (self.failure is not None) != (self.disposition_reason == "execution_failed"):
            refuse(f"{self._called('failure')}: it goes with the reason execution_failed, and that with nothing else")
        if self.verdict is not None:
            self._check_child(self.verdict)

    def _check_child(self, child: Verdict) -> None:
        """Refuse a disposition that the stage's own verdict contradicts."""
        undecided = child.decision.kind == "undecided"
        if undecided != (self.disposition_reason == "child_undecided"):
            refuse(f"{self._called('disposition_reason')}: child_undecided goes with a child that decided nothing")
        if self.disposition_reason == "undeclared_not_applicable" and child.aggregated.status != "not_applicable":
            refuse(f"{self._called('disposition_reason')}: the child's status is {child.aggregated.status}")

    def _read_token(self, name: str, known: AbstractSet[str]) -> None:
        value = getattr(self, name)
        if value is not None or name in ("relation", "disposition"):
            force_setattr(self, name, constraints.token(value, known, self._called(name)))

    def _called(self, name: str) -> str:
        return f"`{name}` of the attempt {self.name!r}"

    def _holds(self) -> str:
        return "neither" if self.verdict is None else "both"


class Verdict(Record, frozen=True, kw_only=True):
    """One verdict, as a jury of Python judges builds it; `interpret` reads it like its stored form.

    Most are made by `Verdict.of`, and those of a cascade that adopts a tier's outcome by `Verdict.adopting`, which fill
    in what follows from the judges. What could never be consistent is refused; whether the aggregate's status follows
    from its aggregation block is for the interpretation to say.

    Attributes:
        aggregated: What the jury says as a whole.
        individual: What each judge says, in the order of the seats.
        individual_by_name: The same by the seats' keys, in any order; made from them when left out.
        weights: A judge's place → its weight; either for all judges or for none.
        seats: One for each judge, in order.
        decision: Who decided.
        composite_attempts: The stages that a composite jury entered, in order.

    Raises:
        VerdictError: A member can't be, or contradicts another.
    """

    aggregated: Judgment
    individual: tuple[Judgment, ...] = ()
    individual_by_name: Mapping[str, Judgment] = msgspec.field(default_factory=dict)
    weights: Mapping[int, float] = msgspec.field(default_factory=dict)
    seats: tuple[Seat, ...] = ()
    decision: Decision = Decision()
    composite_attempts: tuple[CompositeAttempt, ...] = ()

    def __post_init__(self) -> None:
        constraints.instance(self.aggregated, Judgment, "aggregated")
        constraints.instance(self.decision, Decision, "decision")
        force_setattr(self, "individual", constraints.instances(self.individual, Judgment, "individual"))
        force_setattr(self, "seats", constraints.instances(self.seats, Seat, "seats"))
        attempts = constraints.instances(self.composite_attempts, CompositeAttempt, "composite_attempts")
        force_setattr(self, "composite_attempts", attempts)
        weights = {
            constraints.count(place, "a place in weights"): constraints.number(weight, f"weights[{place}]")
            for place, weight in constraints.mapping(self.weights, "weights").items()
        }
        force_setattr(self, "weights", weights)
        by_name = constraints.mapping(self.individual_by_name, "individual_by_name")
        if not by_name:
            by_name = {seat.verdict_key: each for seat, each in zip(self.seats, self.individual, strict=False)}
        force_setattr(self, "individual_by_name", dict(by_name))
        check_seats(self)
        check_names(self)
        check_weights(self)
        check_attempts(self)
        check_decision(self)

    @classmethod
    def of(
        cls,
        judges: Mapping[str, Judgment] | Iterable[Judgment],
        aggregated: Judgment,
        *,
        weights: Mapping[str, float] | None = None,
        decision: Decision | None = None,
        attempts: Iterable[CompositeAttempt] = (),
    ) -> Verdict:
        """Make a verdict from what the judges say, with seats, names and weights filled in.

        Args:
            judges: Name → judgment, in order; judgments alone are named `Judge#1`, `Judge#2` and so on.
            aggregated: What the jury says as a whole, such as `reduce_judgments` gives.
            weights: Name → weight, for all judges; each weighs 1 when left out.
            decision: Who decided; the jury's own reduction when left out.
            attempts: The stages that a composite jury entered.

        Returns:
            The verdict.

        Raises:
            VerdictError: A member can't be, or contradicts another.

        Example:
            >>> quick = Judgment(status="pass", score=1.0, reasoning="it builds")
            >>> verdict = Verdict.of({"build": quick}, quick)
            >>> [seat.verdict_key for seat in verdict.seats], verdict.weights
            (['build'], {0: 1.0})
        """
        named = isinstance(judges, Mapping)
        entries = dict(judges) if isinstance(judges, Mapping) else {f"Judge#{n}": j for n, j in enumerate(judges, 1)}
        if weights is not None and weights.keys() != entries.keys():
            refuse(
                f"weights are for {', '.join(map(repr, weights))}, and the judges are {', '.join(map(repr, entries))}"
            )
        source: KeySource = "DECLARED" if named else "POSITIONAL"
        return cls(
            aggregated=aggregated,
            individual=tuple(entries.values()),
            weights={place: 1.0 if weights is None else weights[name] for place, name in enumerate(entries)},
            seats=tuple(
                Seat(position=place, verdict_key=name, key_source=source) for place, name in enumerate(entries)
            ),
            decision=Decision() if decision is None else decision,
            composite_attempts=tuple(attempts),
        )

    @classmethod
    def adopting(cls, tier: str, attempts: Iterable[CompositeAttempt]) -> Verdict:
        """Make the verdict of a cascade that stopped at a tier: the tier's own outcome and judges, with the way there.

        Args:
            tier: Name of the tier that decided; its stop condition must hold for its judges.
            attempts: The tiers that were entered, in order.

        Returns:
            The cascade's verdict, its decision naming the tier.

        Raises:
            VerdictError: No tier of that name came to a verdict that was used, or its stop condition doesn't hold.

        Example:
            >>> fails = Judgment(status="fail", reasoning="it doesn't build")
            >>> build = Verdict.of({"build": fails}, fails)
            >>> first = CompositeAttempt(name="quick", policy="REJECT_ON_ANY_FAIL", verdict=build)
            >>> Verdict.adopting("quick", [first]).decision
            Decision(kind='tier', tier='quick', basis='tier_outcome')
        """
        entered = constraints.instances(attempts, CompositeAttempt, "attempts")
        child = next((each.verdict for each in entered if each.name == tier and each.policy is not None), None)
        if child is None:
            refuse(f"no tier {tier!r} came to a verdict; entered were {', '.join(repr(each.name) for each in entered)}")
        return cls(
            aggregated=child.aggregated,
            individual=child.individual,
            individual_by_name=child.individual_by_name,
            weights=child.weights,
            seats=child.seats,
            decision=Decision(kind="tier", tier=tier, basis="tier_outcome"),
            composite_attempts=entered,
        )
