"""How a consumer counts stored evaluations: which of them enter the denominator of an accept rate."""

from __future__ import annotations

from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from verdict_frames.errors import OptionError
from verdict_frames.vocabulary import Counting

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, kw_only=True, slots=True)
class EvaluationPolicy:
    """What one consumer of stored evaluations counts; accepted ones and those reviewed by a rule always count.

    Attributes:
        name: Printed with every rate; one line of text.
        failed: Whether failed evaluations count against the accept rate; they are shown by their codes in any case.
        rejected: Likewise for rejected ones.
        invalid_answers: Likewise for those reviewed for an invalid answer.

    Raises:
        OptionError: The name is empty or not one line of printable text, or a choice is neither of the two.

    Example:
        >>> EvaluationPolicy(name="ours", failed=Counting.AGAINST).failed
        <Counting.AGAINST: 'against'>
    """

    name: str
    failed: Counting = Counting.SET_ASIDE
    rejected: Counting = Counting.AGAINST
    invalid_answers: Counting = Counting.AGAINST

    def __post_init__(self) -> None:
        if not _is_printable_line(self.name):
            message = f"a policy's name must be one line of printable text, not {self.name!r}"
            raise OptionError(message)
        for choice in fields(self)[1:]:
            value = getattr(self, choice.name)
            if value not in [*Counting]:
                message = f"policy {self.name!r}: {choice.name} can't be {value!r}; choose one of {', '.join(Counting)}"
                raise OptionError(message)
            object.__setattr__(self, choice.name, Counting(value))


def _is_printable_line(text: object) -> bool:
    return isinstance(text, str) and text.isprintable() and bool(text.strip())


RESULTS_ONLY: Final = EvaluationPolicy(name="results-only")
"""The default for evaluations: failures say nothing of a ticket, so they are shown, and not in the denominator."""

ALL_EVALUATIONS: Final = EvaluationPolicy(name="all-evaluations", failed=Counting.AGAINST)
"""Whatever was stored and not accepted counts against, failures included: the share that needed nobody."""

EVALUATION_POLICIES: Final[Mapping[str, EvaluationPolicy]] = MappingProxyType(
    {policy.name: policy for policy in (RESULTS_ONLY, ALL_EVALUATIONS)}
)
"""The two policies for evaluations by name."""


def find_evaluation_policy(policy: EvaluationPolicy | str) -> EvaluationPolicy:
    """Return the policy itself, or the one of that name among `EVALUATION_POLICIES`.

    Raises:
        OptionError: No policy has that name.
    """
    if isinstance(policy, EvaluationPolicy):
        return policy
    named = EVALUATION_POLICIES.get(str(policy))
    if named is None:
        message = (
            f"there is no policy for evaluations named {policy!r}; choose one of {', '.join(EVALUATION_POLICIES)}, "
            "or make an EvaluationPolicy"
        )
        raise OptionError(message)
    return named
