"""The frozen values of one interpretation.

They know no rule of reading: `verdict_frames.interpretation` makes them. In Python the fields are snake_case; stored as
JSON they carry the camelCase names and the order of R32–R37, which is the order of definition here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import msgspec
from msgspec import Meta

from verdict_frames.vocabulary import DefectKind, Reading, Support

SCHEMA_VERSION = 1
"""Version of the form that an interpretation is written in (R32)."""

Int32 = Annotated[int, Meta(ge=-(2**31), le=2**31 - 1)]
Count = Annotated[int, Meta(ge=-(2**31) + 1, le=2**31 - 1)]
"""A whole number as evidence holds them (R63)."""
CodeCount = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
Finite = Annotated[float, Meta(ge=-1.7976931348623157e308, le=1.7976931348623157e308)]
UnitInterval = Annotated[float, Meta(ge=0, le=1)]


class Record(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Base of the records: frozen, built by keyword, stored in camelCase."""


class ScoreScale(Record, frozen=True, kw_only=True):
    """The scale that a normalised score was recorded on (R54).

    Attributes:
        min: Lower end, finite.
        max: Upper end, finite and above `min`.
    """

    min: Finite
    max: Finite


class Check(Record, frozen=True, kw_only=True):
    """One check of a judge (R56).

    Attributes:
        name: Never blank.
        passed: As recorded.
        detail: The stored `message`; empty when there was none.
    """

    name: str
    passed: bool
    detail: str


class JudgeSeat(Record, frozen=True, kw_only=True, omit_defaults=True):
    """One judge of a jury, with what it said (R35).

    Attributes:
        position: Place in the jury, as recorded.
        name: Its key in the verdict; may be empty.
        key_source: How the key came about; null where not recorded.
        status: Its status token; null where the record has none that can be read.
        reason_code: Why, in one token; null where not recorded.
        score: In [0, 1], or null.
        score_scale: The recorded scale, for scores that were normalised; left out of the stored form when null.
        reasoning: Its own words; empty when there were none.
        checks: In recorded order.
    """

    position: Int32
    name: str
    key_source: str | None
    status: str | None
    reason_code: str | None
    score: UnitInterval | None
    score_scale: ScoreScale | None = None
    reasoning: str
    checks: tuple[Check, ...]


class Evidence(Record, frozen=True, kw_only=True):
    """The aggregation block of an aggregate: nineteen members, each null where it wasn't recorded readably (R60).

    Attributes:
        strategy: The rule that reduced the jury, free text.
        error_policy: What became of judges that errored.
        not_applicable_policy: What became of judges that called the subject not applicable.
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
        pass_count: Judges that passed the subject.
        fail_count: Judges that failed it.
        threshold: Score from which the aggregate passes.
        binding_index: Index of the judgment that bound the aggregate.
        input_weight: Weight that went in.
        eligible_weight: Weight that took part.
    """

    strategy: str | None = None
    error_policy: str | None = None
    not_applicable_policy: str | None = None
    input_count: Count | None = None
    eligible_count: Count | None = None
    explicit_abstain_count: Count | None = None
    not_applicable_count: Count | None = None
    error_count: Count | None = None
    ignored_error_count: Count | None = None
    errors_treated_as_abstain_count: Count | None = None
    errors_treated_as_fail_count: Count | None = None
    not_applicable_treated_as_fail_count: Count | None = None
    error_code_counts: Mapping[str, CodeCount] | None = None
    pass_count: Count | None = None
    fail_count: Count | None = None
    threshold: Finite | None = None
    binding_index: Count | None = None
    input_weight: Finite | None = None
    eligible_weight: Finite | None = None


class Stage(Record, frozen=True, kw_only=True):
    """The root jury, or one attempt that a composite jury entered (R34).

    Attributes:
        stage: The attempt's own name; null at the root and for nested verdicts of 0.13, which had none.
        path: Names from the root down to this stage; empty at the root.
        relation: What the attempt is to its parent: a cascade's tier or a meta jury's member.
        policy: A tier's stop condition.
        disposition: What the parent did with it.
        reason: Why it wasn't used.
        failure: Code of the failure, for a stage that never produced a verdict.
        used_by_parent: True for used, false for failed, null where not recorded.
        status: The aggregate's status; **null is never a failure**.
        reason_code: The aggregate's reason code.
        reasoning: The aggregate's reasoning; null where not recorded.
        evidence: The aggregation block; null where not recorded.
        judges: The seats, in order.
    """

    stage: str | None
    path: tuple[str, ...]
    relation: str | None
    policy: str | None
    disposition: str | None
    reason: str | None
    failure: str | None
    used_by_parent: bool | None
    status: str | None
    reason_code: str | None
    reasoning: str | None
    evidence: Evidence | None
    judges: tuple[JudgeSeat, ...]


class DecidedBy(Record, frozen=True, kw_only=True):
    """The stage that the recorded decision chain names (R79–R83).

    Attributes:
        stage: Its name.
        path: Names from the root down to it.
        basis: On what ground it decided, as recorded.
    """

    stage: str
    path: tuple[str, ...]
    basis: str


class Defect(Record, frozen=True, kw_only=True):
    """One fact that the record lacks, can't say, says in an unknown token, or contradicts.

    Attributes:
        path: Where in the verdict, such as `verdict.individual[0]`.
        field: Which field there.
        kind: How it falls short.
        note: The same in a sentence.
    """

    path: str
    field: str
    kind: DefectKind
    note: str


class Facts(Record, frozen=True, kw_only=True):
    """What a verdict says, without the summary, which is a function of these fields (R98).

    Attributes:
        schema_version: Version of this form, 1.
        source_version: 1 for the seven-component form that 0.17 writes, 0 for anything before (R33).
        reading: What the verdict says about its subject; null where it says nothing readable.
        reading_support: Whether the record backs the reading.
        decided_by: The deciding stage; null when the root decided itself or the record doesn't say.
        root: The verdict's own aggregate and judges.
        stages: Every attempt entered, depth first.
        defects: In the order in which they were found; equal ones may recur (R38).
    """

    schema_version: Int32
    source_version: Int32
    reading: Reading | None
    reading_support: Support
    decided_by: DecidedBy | None
    root: Stage
    stages: tuple[Stage, ...]
    defects: tuple[Defect, ...]


class Interpretation(Facts, frozen=True, kw_only=True):
    """One reading of one stored verdict, the same shape whatever wrote it (R32).

    Attributes:
        schema_version: Version of this form, 1.
        source_version: 1 for the seven-component form that 0.17 writes, 0 for anything before (R33).
        reading: What the verdict says about its subject; null where it says nothing readable.
        reading_support: Whether the record backs the reading.
        decided_by: The deciding stage; null when the root decided itself or the record doesn't say.
        root: The verdict's own aggregate and judges.
        stages: Every attempt entered, depth first.
        defects: In the order in which they were found.
        summary: The facts in prose; see `verdict_frames.summarize`.
    """

    summary: str
