"""What the members of a live verdict must say of each other; anything else is refused with a `VerdictError`."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

from verdict_frames.verdicts import constraints
from verdict_frames.verdicts.constraints import refuse
from verdict_frames.verdicts.stored import judgment_to_stored
from verdict_frames.vocabulary import REASON_CODES, CodeFamily

if TYPE_CHECKING:
    from verdict_frames.verdicts.judgments import Judgment
    from verdict_frames.verdicts.verdict import CompositeAttempt, Verdict

MAX_LEVELS = 63
"""How many levels of attempts may lie below a verdict: an interpretation reads no deeper (R71)."""


def check_seats(verdict: Verdict) -> None:
    """Hold the seats against the judgments: one each, in order, and no name twice."""
    count = len(verdict.individual)
    if len(verdict.seats) != count:
        refuse(f"there are {len(verdict.seats)} seats and {count} individual judgments; each judgment has its own seat")
    for place, seat in enumerate(verdict.seats):
        if seat.position != place:
            refuse(f"seats[{place}] has the position {seat.position}; seats are listed by position, from 0")
    for key, uses in Counter(seat.verdict_key for seat in verdict.seats).items():
        if uses > 1:
            refuse(f"{uses} seats have the key {key!r}; a judge's name is used once")
    block = verdict.aggregated.aggregation
    if block is not None and block.input_count != count:
        refuse(f"{block.input_count} judgments went into the aggregate by its block, and {count} are recorded")


def check_names(verdict: Verdict) -> None:
    """Hold the judgments by name against the seats and the judgments in order; the names may come in any order."""
    by_name = verdict.individual_by_name
    keys = [seat.verdict_key for seat in verdict.seats]
    if by_name.keys() != set(keys):
        refuse(f"individual_by_name has the keys {list(by_name)}, and the seats have {keys}")
    for key, judgment in zip(keys, verdict.individual, strict=True):
        if not _equal(constraints.instance(by_name[key], type(judgment), f"individual_by_name[{key!r}]"), judgment):
            refuse(f"individual_by_name[{key!r}] isn't the judgment at its seat's place in `individual`")


def check_weights(verdict: Verdict) -> None:
    """Refuse weights for some of the judges only, and negative ones."""
    if verdict.weights and verdict.weights.keys() != set(range(len(verdict.individual))):
        places = f"0 to {len(verdict.individual) - 1}" if verdict.individual else "no judge at all"
        refuse(f"weights are for the places {list(verdict.weights)}, and the judges at {places}; weigh all or none")
    for place, weight in verdict.weights.items():
        if weight < 0:
            refuse(f"weights[{place}] is {weight}; a weight is never negative")


def check_attempts(verdict: Verdict) -> None:
    """Refuse tiers that share a name, and stages nested more deeply than an interpretation reads."""
    names = Counter(attempt.name for attempt in verdict.composite_attempts if attempt.relation == "cascade_tier")
    for name, uses in names.items():
        if uses > 1:
            refuse(f"{uses} tiers are named {name!r}; a decision couldn't tell which is meant")
    if _levels_below(verdict) > MAX_LEVELS:
        refuse(f"attempts are nested more than {MAX_LEVELS} levels deep, and no deeper level would be read")


def check_decision(verdict: Verdict) -> None:
    """Hold the decision against the aggregate and the tier that it names (R83, R85, R89, R90)."""
    decision = verdict.decision
    if decision.kind == "undecided":
        code = verdict.aggregated.reason_code
        if verdict.aggregated.status != "error" or code is None or REASON_CODES[code] is not CodeFamily.MACHINERY:
            codes = ", ".join(sorted(each for each, family in REASON_CODES.items() if family is CodeFamily.MACHINERY))
            refuse(f"a jury that is undecided has the status error, for one of {codes}; this has {_told(verdict)}")
    if decision.tier is None:
        return
    tiers = {each.name: each for each in verdict.composite_attempts if each.relation == "cascade_tier"}
    tier = tiers.get(decision.tier)
    if tier is None:
        refuse(f"the decision names the tier {decision.tier!r}, and the tiers are {list(tiers)}")
    if tier.verdict is None:
        refuse(f"the decision names the tier {decision.tier!r}, which came to no verdict")
    if decision.basis == "tier_outcome":
        _check_outcome(verdict, tier, tier.verdict)
    else:
        _check_rejection(verdict, tier, tier.verdict)


def _check_outcome(verdict: Verdict, tier: CompositeAttempt, child: Verdict) -> None:
    """Hold an adopted outcome against the tier's disposition, aggregate and stop condition (R83, R85)."""
    if tier.disposition != "used":
        refuse(f"the outcome of the tier {tier.name!r} was adopted, and its disposition is {tier.disposition}")
    if not _equal(verdict.aggregated, child.aggregated):
        refuse(f"the outcome of the tier {tier.name!r} was adopted, and `aggregated` isn't the tier's")
    statuses = [judgment.status for judgment in child.individual]
    if tier.policy == "REJECT_ON_ANY_FAIL" and "fail" not in statuses:
        refuse(f"the tier {tier.name!r} stops the cascade when a judge fails the subject, and none did")
    if tier.policy == "ACCEPT_ON_ALL_PASS" and any(status != "pass" for status in statuses):
        refuse(f"the tier {tier.name!r} stops the cascade when every judge passes the subject, and one didn't")


def _check_rejection(verdict: Verdict, tier: CompositeAttempt, child: Verdict) -> None:
    """Hold a judge's rejection against the tier's policy, judges, disposition and aggregate (R89)."""
    said = f"a judge of the tier {tier.name!r} rejected the subject"
    if tier.policy != "REJECT_ON_ANY_FAIL":
        refuse(f"{said}, and the tier's policy is {tier.policy}; it takes REJECT_ON_ANY_FAIL")
    if tier.disposition != "stage_failed":
        refuse(f"{said}, and the tier was used; its outcome decides then, on the basis tier_outcome")
    if all(judgment.status != "fail" for judgment in child.individual):
        refuse(f"{said}, and none of its judges failed it")
    if tier.disposition_reason == "child_undecided" and not _equal(verdict.aggregated, child.aggregated):
        refuse(f"{said} and the tier was undecided, and `aggregated` isn't the tier's")
    if tier.disposition_reason == "undeclared_not_applicable" and verdict.aggregated.reason_code != "stage_failed":
        refuse(f"{said} and the tier didn't apply: `aggregated` is an error for stage_failed, not {_told(verdict)}")


def _levels_below(verdict: Verdict) -> int:
    children = [attempt.verdict for attempt in verdict.composite_attempts if attempt.verdict is not None]
    return 1 + max(map(_levels_below, children)) if children else 0


def _equal(one: Judgment, other: Judgment) -> bool:
    """Tell equal judgments as a reader of their stored forms would: 1 is not 1.0 (R9)."""
    return one is other or _encoded(one) == _encoded(other)


def _encoded(judgment: Judgment) -> str:
    return json.dumps(judgment_to_stored(judgment), sort_keys=True)


def _told(verdict: Verdict) -> str:
    aggregated = verdict.aggregated
    return aggregated.status if aggregated.reason_code is None else f"{aggregated.status} for {aggregated.reason_code}"
