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
