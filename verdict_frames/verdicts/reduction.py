"""Rules that reduce a jury's judgments to one by counting them, as an interpretation checks them (R94)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Literal

from verdict_frames.verdicts import constraints
from verdict_frames.verdicts.judgments import (
    AggregationBlock,
    ErrorPolicy,
    Judgment,
    NotApplicablePolicy,
    ReasonCode,
    Status,
)
from verdict_frames.vocabulary import REASON_CODES, CodeFamily

if TYPE_CHECKING:
    from collections.abc import Iterable

Strategy = Literal["majority", "consensus", "allMustPass"]

_STRATEGIES = frozenset({"majority", "consensus", "allMustPass"})


def reduce_judgments(
    judgments: Iterable[Judgment],
    strategy: Strategy,
    *,
    error_policy: ErrorPolicy = "propagate",
    not_applicable_policy: NotApplicablePolicy = "refuse",
    reasoning: str | None = None,
) -> Judgment:
    """Reduce judgments to one by counting who passed and who failed the subject.

    Judges that abstain don't count. Those that errored or called the subject not applicable are dealt with by policy,
    and the reduction is an `error` by itself where a policy lets them through. With nobody left to count it is
    `not_applicable` when all said so, else `abstain`.

    Args:
        judgments: What the judges say.
        strategy: `majority` (a tie abstains), `consensus` (all alike, else it abstains) or `allMustPass`.
        error_policy: What becomes of errors. Those of the machinery can't be treated as a fail, and propagate.
        not_applicable_policy: What becomes of judges that call the subject not applicable.
        reasoning: The aggregate's own words; the counts in a sentence when left out.

    Returns:
        The judgment of the whole, with its aggregation block. An interpretation finds that the one follows from the
        other.

    Raises:
        VerdictError: A strategy or policy is unknown.

    Example:
        >>> votes = [Judgment(status=status) for status in ("pass", "pass", "fail")]
        >>> whole = reduce_judgments(votes, "majority")
        >>> whole.status, whole.reasoning
        ('pass', 'majority: 2 passed and 1 failed of 3 judges')
    """
    constraints.token(strategy, _STRATEGIES, "strategy")
    jury = constraints.instances(judgments, Judgment, "judgments")
    said = Counter(judgment.status for judgment in jury)
    codes: Counter[str] = Counter(each.reason_code for each in jury if each.status == "error" and each.reason_code)
    code = _obstacle(said, codes, error_policy, not_applicable_policy)
    failed_errors = said["error"] if error_policy == "treatAsFail" and code is None else 0
    failed_others = said["not_applicable"] if not_applicable_policy == "treatAsFail" and code is None else 0
    passes, fails = said["pass"], said["fail"] + failed_errors + failed_others
    block = AggregationBlock(
        strategy=strategy,
        error_policy=error_policy,
        not_applicable_policy=not_applicable_policy,
        input_count=len(jury),
        eligible_count=passes + fails,
        explicit_abstain_count=said["abstain"],
        not_applicable_count=said["not_applicable"],
        error_count=said["error"],
        ignored_error_count=said["error"] if error_policy == "ignore" and code is None else 0,
        errors_treated_as_abstain_count=said["error"] if error_policy == "treatAsAbstain" and code is None else 0,
        errors_treated_as_fail_count=failed_errors,
        not_applicable_treated_as_fail_count=failed_others,
        error_code_counts=dict(codes),
        pass_count=passes if code is None else None,
        fail_count=fails if code is None else None,
    )
    none_applied = said["not_applicable"] == len(jury) > 0
    status: Status = "error" if code is not None else _outcome(strategy, passes, fails, none_applied=none_applied)
    counts = f"{strategy}: {passes} passed and {fails} failed of {len(jury)} judge{'' if len(jury) == 1 else 's'}"
    words = counts if code is None else f"{strategy}: {code.replace('_', ' ')}, so nothing was counted"
    return Judgment(
        status=status, reason_code=code, reasoning=words if reasoning is None else reasoning, aggregation=block
    )


def _obstacle(
    said: Counter[Status], codes: Counter[str], errors: ErrorPolicy, not_applicable: NotApplicablePolicy
) -> ReasonCode | None:
    """The code of the error that cuts the reduction short, if one does (R94.2–4)."""
    if not_applicable == "refuse" and said["not_applicable"]:
        return "not_applicable_refused"
    machinery = any(REASON_CODES[code] is CodeFamily.MACHINERY for code in codes)
    if said["error"] and (errors == "propagate" or (errors == "treatAsFail" and machinery)):
        return "errors_propagated"
    return None


def _outcome(strategy: Strategy, passes: int, fails: int, *, none_applied: bool) -> Status:
    """The status that the counts lead to (R94.6–7)."""
    if passes + fails == 0:
        return "not_applicable" if none_applied else "abstain"
    if strategy == "allMustPass":
        return "fail" if fails else "pass"
    if strategy == "consensus" and passes and fails:
        return "abstain"
    return "pass" if passes > fails else "fail" if fails > passes else "abstain"
