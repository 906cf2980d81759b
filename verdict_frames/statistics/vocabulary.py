"""Closed sets of what statistics are asked and what they answer."""

from __future__ import annotations

from enum import StrEnum


class EvaluationChoice(StrEnum):
    """Which evaluation of the same work counts, where a run was judged again.

    Attributes:
        LATEST: The last one.
        ORIGINAL: The first one.
        ALL: Every one, so that the same work counts several times.
    """

    LATEST = "latest"
    ORIGINAL = "original"
    ALL = "all"


class IntervalMethod(StrEnum):
    """How the interval of a rate is computed.

    Attributes:
        WILSON: The score interval: close to its level on average over rates.
        CLOPPER_PEARSON: The exact interval: never below its level for independent trials, and wider for it.
    """

    WILSON = "wilson"
    CLOPPER_PEARSON = "clopper-pearson"


class IntervalOver(StrEnum):
    """What would be drawn again, in the thought that an interval is about.

    Attributes:
        ITEMS: Other items of the same kind, so that the rate is that of the kind.
        RUNS: Other runs of these same items, so that the rate is that of these items.
    """

    ITEMS = "items"
    RUNS = "runs"


class MissingVotes(StrEnum):
    """What becomes of a judge's status that is no vote, when judges are compared: anything but pass and fail.

    Attributes:
        MISSING: It says nothing.
        CATEGORY: It is a category like pass and fail.
    """

    MISSING = "missing"
    CATEGORY = "category"


class PairedWithin(StrEnum):
    """Which judges are compared two by two.

    Attributes:
        JURY: Those that sat at the same place of a verdict.
        ITEM: All that judged the same item.
    """

    JURY = "jury"
    ITEM = "item"


class Cause(StrEnum):
    """Why it isn't known whether an item would have passed; the causes exclude each other.

    Attributes:
        NOT_ASSESSED: The jury ran and could not assess the subject.
        UNDECIDED: The jury came to no decision.
        UNATTESTABLE: The record contradicts itself, or there is no reading.
        UNDETERMINED: The record can't bear out the reading, and the policy doesn't count it by that.
        AGENT_FAILED: Nobody judged the item, because the agent's own work failed.
        UNJUDGED: Nobody judged the item otherwise.
        ALL: All of these together.
    """

    NOT_ASSESSED = "not_assessed"
    UNDECIDED = "undecided"
    UNATTESTABLE = "unattestable"
    UNDETERMINED = "undetermined"
    AGENT_FAILED = "agent_failed"
    UNJUDGED = "unjudged"
    ALL = "all"


class ItemState(StrEnum):
    """What the record says of an item, whatever the policy.

    Attributes:
        ACCEPTED: The five readings, of records that don't contradict themselves.
        REJECTED: As above.
        UNDECIDED: As above.
        NOT_APPLICABLE: As above.
        NOT_ASSESSED: As above.
        UNATTESTABLE: Judged, but the record contradicts itself or holds no reading.
        AGENT_FAILED: Not judged, because the agent's own work failed.
        UNJUDGED: Not judged otherwise.
    """

    ACCEPTED = "ACCEPTED"
    REJECTED = "REJECTED"
    UNDECIDED = "UNDECIDED"
    NOT_APPLICABLE = "NOT_APPLICABLE"
    NOT_ASSESSED = "NOT_ASSESSED"
    UNATTESTABLE = "unattestable"
    AGENT_FAILED = "agent_failed"
    UNJUDGED = "unjudged"


class SideState(StrEnum):
    """What the record says of an item on one side of a comparison: the `ItemState` of its trials, where they agree.

    Attributes:
        ACCEPTED: As for `ItemState`, and so are the seven that follow.
        REJECTED: As above.
        UNDECIDED: As above.
        NOT_APPLICABLE: As above.
        NOT_ASSESSED: As above.
        UNATTESTABLE: As above.
        AGENT_FAILED: As above.
        UNJUDGED: As above.
        MIXED: The item's trials on this side are in different states.
        NEW: No trial on the baseline's side.
        REMOVED: No trial on the treatment's side.
    """

    ACCEPTED = "ACCEPTED"
    REJECTED = "REJECTED"
    UNDECIDED = "UNDECIDED"
    NOT_APPLICABLE = "NOT_APPLICABLE"
    NOT_ASSESSED = "NOT_ASSESSED"
    UNATTESTABLE = "unattestable"
    AGENT_FAILED = "agent_failed"
    UNJUDGED = "unjudged"
    MIXED = "mixed"
    NEW = "new"
    REMOVED = "removed"


class LostCause(StrEnum):
    """Why an item can't be compared; of several causes the first in this order is told.

    Attributes:
        NEW: No trial on the baseline's side.
        REMOVED: No trial on the treatment's side.
        AGENT_FAILED: Not judged, because the agent's own work failed.
        UNJUDGED: Not judged otherwise.
        NOT_ASSESSED: The jury could not assess the subject.
        UNATTESTABLE: The record contradicts itself, or holds no reading.
        UNDETERMINED: The record can't back the reading, and the policy doesn't count such readings.
        UNDECIDED: The policy doesn't count undecided ones.
        NOT_APPLICABLE: The criteria don't apply to the subject.
    """

    NEW = "new"
    REMOVED = "removed"
    AGENT_FAILED = "agent_failed"
    UNJUDGED = "unjudged"
    NOT_ASSESSED = "not_assessed"
    UNATTESTABLE = "unattestable"
    UNDETERMINED = "undetermined"
    UNDECIDED = "undecided"
    NOT_APPLICABLE = "not_applicable"


class ComparedSide(StrEnum):
    """A side of a comparison; `both` where something is true of the two."""

    BASELINE = "baseline"
    TREATMENT = "treatment"
    BOTH = "both"


class OtherOutcome(StrEnum):
    """How the trials of an item came out on the other side of a comparison.

    Attributes:
        ANY: However they came out; the rows below sum to this one.
        PASSED: All that count passed.
        NOT_PASSED: None that counts passed.
        MIXED: Some that count passed and some did not.
        NOT_ELIGIBLE: There are trials, and none counts.
        ABSENT: There are no trials.
    """

    ANY = "any"
    PASSED = "passed"
    NOT_PASSED = "not_passed"
    MIXED = "mixed"
    NOT_ELIGIBLE = "not_eligible"
    ABSENT = "absent"


class Change(StrEnum):
    """Whether an item passed more often with the treatment, less often, or as often."""

    WIN = "win"
    LOSS = "loss"
    TIE = "tie"


class Move(StrEnum):
    """What a change of state comes to: none, accepted with the treatment only, with the baseline only, or another."""

    STAYED = "stayed"
    GAINED = "gained"
    LOST = "lost"
    OTHERWISE = "otherwise"


class Correction(StrEnum):
    """How p values of several comparisons are adjusted: for any false alarm (Holm), or for their share (BH)."""

    HOLM = "holm"
    BH = "bh"


class GateSubject(StrEnum):
    """What a gate asks about: whether the measurement is fit to judge by, or how the agent did."""

    MEASUREMENT = "measurement"
    AGENT = "agent"


class GateVerdict(StrEnum):
    """How gates came out.

    Attributes:
        HELD: The measurement is fit, and the agent held everything that was asked.
        NOT_HELD: The measurement is fit, and the agent didn't hold something.
        NOT_EVALUATED: The measurement isn't fit, which says nothing about the agent.
    """

    HELD = "held"
    NOT_HELD = "not_held"
    NOT_EVALUATED = "not_evaluated"
