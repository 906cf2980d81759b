"""Every closed set of tokens.

Sets that are ours are `StrEnum`; tokens recorded by others stay strings, and the sets here say which of them are known.
Matching is exact and case-sensitive (rules R13–R26), the upper-case statuses of 0.13 excepted.
"""

from __future__ import annotations

from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping


class Reading(StrEnum):
    """What a verdict says about its subject (R26, R88).

    Attributes:
        ACCEPTED: The subject met the criteria.
        REJECTED: It did not.
        UNDECIDED: The jury came to no decision, for instance because it abstained.
        NOT_APPLICABLE: The criteria do not apply to the subject.
        NOT_ASSESSED: The jury ran and could not assess the subject: an instrument failed, not the subject.
    """

    ACCEPTED = "ACCEPTED"
    REJECTED = "REJECTED"
    UNDECIDED = "UNDECIDED"
    NOT_APPLICABLE = "NOT_APPLICABLE"
    NOT_ASSESSED = "NOT_ASSESSED"


class Support(StrEnum):
    """Whether the recorded facts back the reading (R26, R92).

    Attributes:
        SUPPORTED: The record is consistent, which is not to say that the verdict is right.
        CONTRADICTED: The record contradicts itself.
        UNDETERMINED: The reading can't be checked against the record, because the facts for it are missing.
    """

    SUPPORTED = "SUPPORTED"
    CONTRADICTED = "CONTRADICTED"
    UNDETERMINED = "UNDETERMINED"


class DefectKind(StrEnum):
    """How a fact falls short: missing, unreadable, in an unknown token, or at odds with another (R26)."""

    ABSENT = "ABSENT"
    UNPARSEABLE = "UNPARSEABLE"
    UNKNOWN_VOCABULARY = "UNKNOWN_VOCABULARY"
    INCONSISTENT = "INCONSISTENT"


class DecidedByKind(StrEnum):
    """Who decided: the root's own reduction, a named stage, or the record doesn't say (R102)."""

    ROOT = "root"
    STAGE = "stage"
    NOT_RECORDED = "not_recorded"


class VerdictEra(StrEnum):
    """Which generation of writers a verdict's keys point to; it describes, and nothing is decided by it."""

    V0_13 = "0.13"
    V0_14 = "0.14-0.16"
    V0_17 = "0.17"
    LATER = "later"
    UNKNOWN = "unknown"
    NONE = "none"


class InterpretationOrigin(StrEnum):
    """Where an item's reading comes from.

    It was computed from the item's verdict here, found in an interpretation stored without one, or mapped from the
    outcome of another tool, with no interpretation behind it.
    """

    COMPUTED = "computed"
    STORED = "stored"
    MAPPED = "mapped"


class RunKind(StrEnum):
    """What a result file records: agents at work, earlier work judged again, or judges under test."""

    AGENT = "agent"
    RE_EVALUATION = "re_evaluation"
    JUDGE_EXPERIMENT = "judge_experiment"


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


class FactSource(StrEnum):
    """Which part of a result file a run fact was recorded in."""

    CONDITION = "condition"
    METADATA = "metadata"
    SCORE = "score"


class SourceState(StrEnum):
    """What became of a file that was seen."""

    READ = "read"
    COPY = "copy"
    SKIPPED = "skipped"
    FOREIGN = "foreign"
    PROBLEM = "problem"


class ProblemKind(StrEnum):
    """What stood in the way of reading a file, an item or a field."""

    MISSING = "missing"
    UNREADABLE = "unreadable"
    FOREIGN = "foreign"
    SYNTAX = "syntax"
    FIELD = "field"
    TEXT = "text"
    CONFLICT = "conflict"
    LIMIT = "limit"


class Bucket(StrEnum):
    """Where a policy puts an item; every item falls into exactly one.

    Attributes:
        PASSES: Accepted; in the denominator.
        NON_PASSES: Counted against; in the denominator.
        EXCLUDED: Outside, for instance because the criteria don't apply.
        INSTRUMENT_FAILURES: Outside, because the jury could not assess the subject.
        UNATTESTABLE: Outside, because the record contradicts itself or says nothing readable.
        SET_ASIDE: Outside, because the policy doesn't count what can't be checked against the record.
        AGENT_FAILED: Not judged, because the agent's own work failed.
        UNJUDGED: Not judged otherwise.
    """

    PASSES = "passes"
    NON_PASSES = "non_passes"
    EXCLUDED = "excluded"
    INSTRUMENT_FAILURES = "instrument_failures"
    UNATTESTABLE = "unattestable"
    SET_ASIDE = "set_aside"
    AGENT_FAILED = "agent_failed"
    UNJUDGED = "unjudged"


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


class Counting(StrEnum):
    """What a policy does with evaluations of one outcome: count them against the accept rate, or leave them out."""

    AGAINST = "against"
    SET_ASIDE = "set_aside"


class CodeFamily(StrEnum):
    """Who a reason code speaks for (R14)."""

    JUDGE = "judge"
    WRAPPER = "wrapper"
    MACHINERY = "machinery"
    SUBJECT = "subject"


STATUSES: Final = frozenset({"pass", "fail", "abstain", "not_applicable", "error"})
"""R13, in the lower-case form that every accepted spelling is normalised to."""

STATUS_SPELLINGS: Final[Mapping[str, str]] = MappingProxyType(
    {spelling: token for token in STATUSES for spelling in (token, token.upper())}
)
"""R13: the spellings that are accepted, with the token each stands for."""

REASON_CODES: Final[Mapping[str, CodeFamily]] = MappingProxyType(
    {
        "judge_failed": CodeFamily.JUDGE,
        "judge_metadata_unreadable": CodeFamily.JUDGE,
        "judge_reported": CodeFamily.JUDGE,
        "undeclared_not_applicable": CodeFamily.JUDGE,
        "errors_propagated": CodeFamily.WRAPPER,
        "not_applicable_refused": CodeFamily.MACHINERY,
        "aggregation_failed": CodeFamily.MACHINERY,
        "stage_failed": CodeFamily.MACHINERY,
        "no_tier_decided": CodeFamily.MACHINERY,
        "subject_empty": CodeFamily.SUBJECT,
    }
)
"""R14: the ten reason codes and the family of each."""

DECISION_KINDS: Final = frozenset({"own", "tier", "undecided"})
"""R15."""
DECISION_BASES: Final = frozenset({"tier_outcome", "individual_rejection"})
"""R16."""
RELATIONS: Final = frozenset({"cascade_tier", "meta_member"})
"""R17."""
TIER_POLICIES: Final = frozenset({"REJECT_ON_ANY_FAIL", "ACCEPT_ON_ALL_PASS", "FINAL_TIER"})
"""R18."""
DISPOSITIONS: Final = frozenset({"used", "stage_failed"})
"""R19."""
DISPOSITION_REASONS: Final = frozenset({"execution_failed", "child_undecided", "undeclared_not_applicable"})
"""R20."""
FAILURE_CODES: Final = frozenset({"jury_execution_failed"})
"""R21."""
KEY_SOURCES: Final = frozenset({"DECLARED", "DEDUPLICATED", "POSITIONAL"})
"""R22."""
ERROR_POLICIES: Final = frozenset({"propagate", "treatAsFail", "treatAsAbstain", "ignore"})
"""R23."""
NOT_APPLICABLE_POLICIES: Final = frozenset({"refuse", "exclude", "treatAsFail"})
"""R24."""

BLANKS: Final = "".join(
    chr(code)
    for code in (
        *range(0x09, 0x0E),
        *range(0x1C, 0x21),
        *(0x1680, *range(0x2000, 0x2007), *range(0x2008, 0x200B)),
        *(0x2028, 0x2029, 0x205F, 0x3000),
    )
)
"""R57: the characters that a blank name consists of, as Java has them and not as `str.isspace` does."""


class QuestionType(StrEnum):
    """What a question of a pack asks for."""

    CHOICE = "choice"
    SCORE = "score"
    BOOLEAN = "boolean"


class EvaluationStatus(StrEnum):
    """What became of one ticket; `reject` may be stored, but the rules of a pack never give it."""

    ACCEPT = "accept"
    REVIEW = "review"
    REJECT = "reject"


class EvaluationOutcome(StrEnum):
    """How a stored evaluation counts: the status, with failures and invalid answers told apart from rules."""

    ACCEPTED = "accepted"
    REVIEWED_BY_RULE = "reviewed_by_rule"
    REVIEWED_INVALID_ANSWER = "reviewed_invalid_answer"
    REJECTED = "rejected"
    FAILED = "failed"


class ReasonKind(StrEnum):
    """Why an evaluation went to review."""

    MISSING_PROBABILITY = "missing_probability"
    BELOW_MINIMUM = "below_minimum"
    SCORE_RANGE = "score_range"
    PROBABILITY_BAND = "probability_band"
    INVALID_ANSWER = "invalid_answer"
    FAILURE = "failure"
    OTHER_RULE = "other_rule"


class ValueState(StrEnum):
    """Whether an answer holds the value that its type needs, and if not, what stands in its place."""

    OK = "ok"
    MISSING = "missing"
    NULL = "null"
    WRONG_TYPE = "wrong_type"
    NOT_FINITE = "not_finite"
    OUT_OF_RANGE = "out_of_range"
    UNKNOWN_OPTION = "unknown_option"


class EvaluationSource(StrEnum):
    """What a stored evaluation was written by, which tells where its parts are."""

    RESULT = "result"
    GATEWAY = "gateway"
    SYSTEM_ONE = "system-one"


class AnswerFault(StrEnum):
    """How an answer falls short of what the model's output should be."""

    NO_ANSWER = "no_answer"
    NO_QUESTION = "no_question"
    WRONG_TYPE = "wrong_type"
    BAD_VALUE = "bad_value"
    UNKNOWN_OPTION = "unknown_option"
    OUT_OF_RANGE = "out_of_range"
    BAD_DISTRIBUTION = "bad_distribution"
    WRONG_KEYS = "wrong_keys"
    BAD_PROBABILITY = "bad_probability"
    WRONG_SUM = "wrong_sum"
    NOT_MAXIMUM = "not_maximum"
    NOT_MEAN = "not_mean"


EVALUATION_FAILURE_CODES: Final = (
    "gateway_auth",
    "gateway_unavailable",
    "invalid_model_output",
    "invalid_pack",
    "invalid_ticket",
)
"""The codes that a failed evaluation stores as its review reason; others are kept as they are."""


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
