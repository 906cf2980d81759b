"""What one judge says, and how a jury's judgments were reduced to one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec
from msgspec.structs import force_setattr

from verdict_frames.records import Record
from verdict_frames.verdicts import constraints
from verdict_frames.verdicts.constraints import refuse
from verdict_frames.vocabulary import (
    BLANKS,
    ERROR_POLICIES,
    NOT_APPLICABLE_POLICIES,
    REASON_CODES,
    STATUSES,
    CodeFamily,
)

Status = Literal["pass", "fail", "abstain", "not_applicable", "error"]
ReasonCode = Literal[
    "judge_failed",
    "judge_metadata_unreadable",
    "judge_reported",
    "undeclared_not_applicable",
    "errors_propagated",
    "not_applicable_refused",
    "aggregation_failed",
    "stage_failed",
    "no_tier_decided",
    "subject_empty",
]
ErrorPolicy = Literal["propagate", "treatAsFail", "treatAsAbstain", "ignore"]
NotApplicablePolicy = Literal["refuse", "exclude", "treatAsFail"]

_COUNTS = (
    *("input_count", "eligible_count", "explicit_abstain_count", "not_applicable_count", "error_count"),
    *("ignored_error_count", "errors_treated_as_abstain_count", "errors_treated_as_fail_count"),
    "not_applicable_treated_as_fail_count",
)


class RecordedCheck(Record, frozen=True, kw_only=True):
    """One check that a judge made (R30).

    Attributes:
        name: What was checked; never blank (R57).
        passed: How it came out.
        message: What was found; may be empty.

    Raises:
        VerdictError: A member can't be; the message says which and why.
    """

    name: str
    passed: bool
    message: str = ""

    def __post_init__(self) -> None:
        force_setattr(self, "name", constraints.text(self.name, "the name of a check"))
        force_setattr(self, "message", constraints.text(self.message, "the message of a check"))
        if not self.name.strip(BLANKS):
            refuse(f"the name of a check is {self.name!a}; it must not be blank")
        constraints.instance(self.passed, bool, f"`passed` of the check {self.name!r}")


class AggregationBlock(Record, frozen=True, kw_only=True):
    """How a jury's judgments were reduced to one; stored as `metadata.aggregation` (R29, R60).

    The members may be those of any rule of reduction. What contradicts itself here is refused; whether the recorded
    status follows from the block is for the interpretation to say.

    Attributes:
        strategy: The rule, free text; an interpretation can check `majority`, `consensus`, `allMustPass`, `average`,
            `weightedAverage`, `median` and `conjunctive`.
        error_policy: What becomes of judges that error.
        not_applicable_policy: What becomes of judges that call the subject not applicable.
        input_count: Judgments that went in.
        eligible_count: Judgments that took part in the reduction.
        explicit_abstain_count: Judges that abstained by themselves.
        not_applicable_count: Judges that said not applicable.
        error_count: Judges that errored.
        ignored_error_count: Errors left out by policy.
        errors_treated_as_abstain_count: Errors counted as abstentions by policy.
        errors_treated_as_fail_count: Errors counted as fails by policy.
        not_applicable_treated_as_fail_count: Not-applicables counted as fails by policy.
        error_code_counts: Reason code of an error → how often.
        pass_count: Eligible judgments that passed the subject; null where the rule counts none, or was cut short.
        fail_count: Those that failed it; null likewise.
        threshold: Score from which the aggregate passes, for rules that have one.
        binding_index: Place of the judgment that bound the aggregate, from 0.
        input_weight: Weight that went in, for weighted rules.
        eligible_weight: Weight that took part.

    Raises:
        VerdictError: A member can't be, or two of them contradict each other.
    """

    strategy: str
    error_policy: ErrorPolicy = "propagate"
    not_applicable_policy: NotApplicablePolicy = "refuse"
    input_count: int
    eligible_count: int
    explicit_abstain_count: int = 0
    not_applicable_count: int = 0
    error_count: int = 0
    ignored_error_count: int = 0
    errors_treated_as_abstain_count: int = 0
    errors_treated_as_fail_count: int = 0
    not_applicable_treated_as_fail_count: int = 0
    error_code_counts: Mapping[str, int] = msgspec.field(default_factory=dict)
    pass_count: int | None = None
    fail_count: int | None = None
    threshold: float | None = None
    binding_index: int | None = None
    input_weight: float | None = None
    eligible_weight: float | None = None

    def __post_init__(self) -> None:
        force_setattr(self, "strategy", constraints.text(self.strategy, "strategy"))
        force_setattr(self, "error_policy", constraints.token(self.error_policy, ERROR_POLICIES, "error_policy"))
        policy = constraints.token(self.not_applicable_policy, NOT_APPLICABLE_POLICIES, "not_applicable_policy")
        force_setattr(self, "not_applicable_policy", policy)
        for name in _COUNTS:
            force_setattr(self, name, constraints.count(getattr(self, name), name))
        for name in ("pass_count", "fail_count", "binding_index"):
            if getattr(self, name) is not None:
                force_setattr(self, name, constraints.count(getattr(self, name), name))
        for name in ("threshold", "input_weight", "eligible_weight"):
            if getattr(self, name) is not None:
                force_setattr(self, name, constraints.number(getattr(self, name), name))
        counts = {
            constraints.token(code, REASON_CODES.keys(), "a key of error_code_counts"): constraints.count(
                often, f"error_code_counts[{code!r}]"
            )
            for code, often in constraints.mapping(self.error_code_counts, "error_code_counts").items()
        }
        force_setattr(self, "error_code_counts", counts)
        self._check_sums()

    def _check_sums(self) -> None:
        """Refuse counts of which one says what another rules out."""
        said = self.explicit_abstain_count + self.not_applicable_count + self.error_count
        absorbed = self.ignored_error_count + self.errors_treated_as_abstain_count + self.errors_treated_as_fail_count
        votes = None if self.pass_count is None or self.fail_count is None else self.pass_count + self.fail_count
        for impossible, message in (
            (self.eligible_count > self.input_count, "eligible_count is above input_count"),
            (said > self.input_count, "abstentions, not-applicables and errors together are above input_count"),
            (absorbed > self.error_count, "the errors that were absorbed are more than error_count"),
            (
                self.not_applicable_treated_as_fail_count > self.not_applicable_count,
                "not_applicable_treated_as_fail_count is above not_applicable_count",
            ),
            (
                bool(self.error_code_counts) and sum(self.error_code_counts.values()) != self.error_count,
                "error_code_counts doesn't add up to error_count",
            ),
            (
                votes is not None and votes != self.eligible_count,
                "pass_count and fail_count don't add up to eligible_count",
            ),
            (
                self.binding_index is not None and self.binding_index >= self.input_count,
                "binding_index is no place among the judgments that went in",
            ),
        ):
            if impossible:
                refuse(f"the aggregation block contradicts itself: {message}")


class Judgment(Record, frozen=True, kw_only=True):
    """What one judge says of the subject, or a jury in one (R29).

    Attributes:
        status: In lower case.
        score: From 0 to 1; null where there is none.
        label: A category, for judges that name one.
        reason_code: Why, in one token: an `error` needs one, and only `subject_empty` goes with another status.
        reasoning: The judge's own words; may be empty.
        checks: In the order in which they were made.
        metadata: Anything that JSON can hold; it is copied. The key `aggregation` is left to the next member.
        aggregation: How a jury's judgments were reduced to this one; stored inside of the metadata.

    Raises:
        VerdictError: A member can't be, or two of them contradict each other.

    Example:
        >>> Judgment(status="fail", score=0.25, reasoning="one test of four passed").score
        0.25
        >>> Judgment(status="error", reasoning="the model timed out")
        Traceback (most recent call last):
        verdict_frames.errors.VerdictError: a judgment with the status error needs a reason code, such as judge_failed
    """

    status: Status
    score: float | None = None
    label: str | None = None
    reason_code: ReasonCode | None = None
    reasoning: str = ""
    checks: tuple[RecordedCheck, ...] = ()
    metadata: Mapping[str, Any] = msgspec.field(default_factory=dict)
    aggregation: AggregationBlock | None = None

    def __post_init__(self) -> None:
        force_setattr(self, "status", constraints.token(self.status, STATUSES, "status"))
        if self.score is not None:
            force_setattr(self, "score", constraints.number(self.score, "score"))
            if not 0 <= self.score <= 1:
                refuse(f"score is {self.score}; it must lie between 0 and 1")
        if self.label is not None:
            force_setattr(self, "label", constraints.text(self.label, "label"))
        force_setattr(self, "reasoning", constraints.text(self.reasoning, "reasoning"))
        force_setattr(self, "checks", constraints.instances(self.checks, RecordedCheck, "checks"))
        force_setattr(self, "metadata", constraints.json_object(self.metadata, "metadata"))
        if self.aggregation is not None:
            constraints.instance(self.aggregation, AggregationBlock, "aggregation")
        if "aggregation" in self.metadata:
            refuse("metadata has a key `aggregation`; pass an AggregationBlock as `aggregation`, which is stored there")
        self._check_code()

    def _check_code(self) -> None:
        if self.reason_code is None:
            if self.status == "error":
                refuse("a judgment with the status error needs a reason code, such as judge_failed")
            return
        code = constraints.token(self.reason_code, REASON_CODES.keys(), "reason_code")
        force_setattr(self, "reason_code", code)
        if (REASON_CODES[code] is CodeFamily.SUBJECT) == (self.status == "error"):
            refuse(f"the reason code {code} doesn't go with the status {self.status}")
