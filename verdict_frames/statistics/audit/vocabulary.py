"""The closed sets of tokens of an audit."""

from __future__ import annotations

from enum import StrEnum


class AuditCause(StrEnum):
    """Why an item counts otherwise than it was recorded, or was recorded otherwise than its verdict reads.

    An item has one of these at most, the first that holds.

    Attributes:
        AGENT_FAILED: Nobody judged it, because the agent's own work failed.
        NOT_JUDGED: Nobody judged it otherwise.
        CONTRADICTED: Its record contradicts itself.
        NO_READING: Its verdict says nothing readable, or its reading has no support.
        JURY_ERRORED: Its jury came out as an error (`NOT_ASSESSED`).
        JURY_ABSTAINED: Its jury came out as an abstention (`UNDECIDED`).
        NOT_APPLICABLE: Its jury called the criteria not applicable.
        UNVERIFIED: Accepted or rejected, but the record can't back it and the policy treats these by themselves.
        REJECTED_BUT_PASSED: Rejected, and recorded as passed.
        ACCEPTED_BUT_NOT_PASSED: Accepted, and not recorded as passed.
        REJECTED_BUT_NEITHER: Rejected, and recorded neither as passed nor as not passed.
    """

    AGENT_FAILED = "agent_failed"
    NOT_JUDGED = "not_judged"
    CONTRADICTED = "contradicted"
    NO_READING = "no_reading"
    JURY_ERRORED = "jury_errored"
    JURY_ABSTAINED = "jury_abstained"
    NOT_APPLICABLE = "not_applicable"
    UNVERIFIED = "unverified"
    REJECTED_BUT_PASSED = "rejected_but_passed"
    ACCEPTED_BUT_NOT_PASSED = "accepted_but_not_passed"
    REJECTED_BUT_NEITHER = "rejected_but_neither"


class AuditFrame(StrEnum):
    """The frames of an audit, in their order."""

    RATES = "rates"
    CAUSES = "causes"
    ITEMS = "items"
    RUNS = "runs"
    RECOUNTS = "recounts"
    INTERPRETATIONS = "interpretations"
    JUDGE_ERRORS = "judge_errors"
    SCORES = "scores"
    COPIES = "copies"


class ScoreFinding(StrEnum):
    """Why no seat explains a score of an item: none has its name, or none of that name has its value."""

    NO_SEAT = "no_seat"
    OTHER_VALUE = "other_value"
