"""Packs: the questions put to a model, and the thresholds that say when a human looks at the answers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from verdict_frames.documents.escaping import brief
from verdict_frames.errors import ArgumentError, NotFoundError, PackError, PackNote
from verdict_frames.review.pack_display import pack_fragment
from verdict_frames.review.pack_documents import load_document
from verdict_frames.review.pack_reading import read_parts
from verdict_frames.review.questions import AnyQuestion
from verdict_frames.review.rules import decide

if TYPE_CHECKING:
    from os import PathLike

    from verdict_frames.review.rules import MissingAnswers, OrphanAnswers, ReviewDecision


class Pack(msgspec.Struct, frozen=True, kw_only=True):
    """A pack of questions with their review rules; made by `from_file` or `from_dict`.

    The form of the document has no public specification; the documentation of this package says which form is read.

    Attributes:
        id: Null where the document has none.
        version: Null where the document has none.
        questions: In document order, which is the order of reasons; at least one.
        warnings: What is probably not meant, such as a band that never fires; with its place.
    """

    id: str | None
    version: str | None
    questions: tuple[AnyQuestion, ...]
    warnings: tuple[PackNote, ...]

    @classmethod
    def from_file(cls, path: str | PathLike[str]) -> Pack:
        """Read a pack from a file: YAML where the name ends in .yaml or .yml, else JSON.

        Args:
            path: The file. YAML needs the extra `verdict-frames[yaml]`.

        Returns:
            The pack.

        Raises:
            MissingPathError: If there is no such file.
            PackError: If the file isn't such a document or the pack has faults; all of them are listed. A key that is
                written twice in its object is a fault.
        """
        return cls._of(load_document(path), where=Path(path).as_posix())

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Pack:
        """Make a pack from a document in memory.

        Args:
            document: `questions`, as an object from id to question or a list of questions with an `id`, beside an
                optional `id` and `version`.

        Returns:
            The pack.

        Raises:
            ArgumentError: If `document` is no mapping.
            PackError: If the pack has faults; all of them are listed, each with its place.

        Example:
            >>> band = {"lowExclusive": 0.1, "highExclusive": 0.9}
            >>> pack = Pack.from_dict({"questions": {"refund": {"type": "boolean", "review": band}}})
            >>> pack.decide({"refund": {"type": "boolean", "probability": 0.5}}).reasons[0].text
            'refund: probability is in the review band'
        """
        _require_mapping(document)
        return cls._of(document, where="the pack")

    @classmethod
    def _of(cls, document: object, *, where: str) -> Pack:
        parts = read_parts(document)
        if parts.faults:
            raise PackError(where, parts.faults)
        return cls(id=parts.id, version=parts.version, questions=parts.questions, warnings=parts.warnings)

    def __repr__(self) -> str:
        rules = len(self.questions) - len(self.unruled)
        counts = f"questions: {len(self.questions):,}, rules: {rules:,}, warnings: {len(self.warnings):,}"
        return f"Pack({', '.join([*self._names(), counts])})"

    def _repr_html_(self) -> str:
        return pack_fragment(self.questions, self.warnings, remark=", ".join(self._names()))

    def _names(self) -> list[str]:
        named = {"id": self.id, "version": self.version}
        return [f"{name}: {brief(value)}" for name, value in named.items() if value is not None]

    @property
    def unruled(self) -> tuple[str, ...]:
        """Ids of the questions without a rule, in document order: every valid answer to them is accepted."""
        return tuple(question.id for question in self.questions if question.review is None)

    def question(self, question_id: str) -> AnyQuestion:
        """Look a question up.

        Raises:
            NotFoundError: If the pack has no such question.
        """
        for question in self.questions:
            if question.id == question_id:
                return question
        available = ", ".join(question.id for question in self.questions)
        message = f"the pack has no question {question_id!r}; it has {available}"
        raise NotFoundError(message)

    def decide(
        self,
        answers: Mapping[str, Any],
        *,
        missing: MissingAnswers = "invalid",
        orphans: OrphanAnswers = "report",
    ) -> ReviewDecision:
        """Decide one result: `review` where any rule fires or any answer is invalid, else `accept`.

        An answer is invalid, with or without a rule, where its type isn't the question's, where the value that its type
        needs isn't there or is no number in range, and where the pack doesn't list the selected option. A selected
        option without a probability goes to review only under a rule. Probabilities of other options, sums and
        confidence play no part. Booleans and texts are no numbers. Values are compared as doubles, without tolerance.

        Args:
            answers: Question id → answer, as parsed from JSON. Nothing that it holds raises. A failed evaluation has
                nothing to decide: don't pass its empty answers.
            missing: `invalid` takes an unanswered question for an invalid answer; `skip` leaves it out, for partial
                exports, unless no question at all is answered.
            orphans: `report` lists answers that no question asks for; `raise` refuses them.

        Returns:
            The decision; its reasons are in the order of the pack, at most one a question.

        Raises:
            ArgumentError: If `answers` is no mapping.
            OptionError: If an option has an unknown value.
            AnswerError: If there are orphans and they are refused.

        Example:
            >>> rule = {"minSelectedProbability": 0.9}
            >>> pack = Pack.from_dict({"questions": {"queue": {"type": "choice", "criteria": {"a": "", "b": ""},
            ...                                                "review": rule}}})
            >>> pack.decide({"queue": {"type": "choice", "choice": "a", "probabilities": {"a": 0.9, "b": 0.1}}}).status
            <EvaluationStatus.ACCEPT: 'accept'>
        """
        return decide(self.questions, answers, missing=missing, orphans=orphans)


def _require_mapping(document: object) -> None:
    if not isinstance(document, Mapping):
        message = f"a pack is made from a mapping, not {type(document).__name__}; for a file use Pack.from_file"
        raise ArgumentError(message)
