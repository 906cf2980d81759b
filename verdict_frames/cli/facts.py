"""The options for what is known about items and runs besides their results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from cyclopts import Parameter

from verdict_frames.errors import OptionError

if TYPE_CHECKING:
    from verdict_frames.frames.corpus import Corpus


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class FactOptions:
    """What is known besides, and becomes columns to group by.

    Attributes:
        facts: A CSV or Parquet file of what you know about items or runs; its columns can be grouped by.
        on: The column that the facts go by: item_id (where none is given), item_slug, run_id or variant.
        dataset: A folder with a dataset.json; adds dataset_bucket, task_type and status of each item to group by.
    """

    facts: str | None = None
    on: str | None = None
    dataset: str | None = None

    def added_to(self, corpus: Corpus) -> Corpus:
        """Return the corpus with these columns.

        Raises:
            OptionError: It is said what the facts go by, and not where they are.
            FactsError: The facts can't be used.
        """
        if self.on is not None and self.facts is None:
            message = "--on says what the facts go by; say with --facts where they are"
            raise OptionError(message)
        told = corpus if self.facts is None else corpus.with_facts(self.facts, on=self.on or "item_id")
        return told if self.dataset is None else told.with_dataset(self.dataset)


NO_FACTS: Final = FactOptions()
"""Options where none is given."""
