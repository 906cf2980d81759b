"""What runs from memory are called: there is no file whose path could name them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class RunNames(msgspec.Struct, frozen=True, kw_only=True):
    """What is told of the run that a record or a row belongs to; those with the same names are one run.

    Attributes:
        run_id: The run's own id.
        experiment_name: Name of the experiment.
        session: Name of the session.
        variant: Name of the variant.
        repeat: Number of the repetition.
    """

    run_id: str | None = None
    experiment_name: str | None = None
    session: str | None = None
    variant: str | None = None
    repeat: int | None = None


def name_runs(runs: Sequence[RunNames], *, otherwise: str, taken: Iterable[str] = ()) -> list[str]:
    """Give each of several different runs an id of its own.

    A run is called by its `run_id` where no other has the same; else by that and all its other names, such as
    `nightly/variant=b/repeat=2`.

    Args:
        runs: No two of them equal.
        otherwise: The id of a run without any name.
        taken: Ids that other runs have already.

    Returns:
        An id a run. One that is taken gets `#2`, `#3` and so on behind it.

    Examples:
        >>> runs = [RunNames(run_id="n", variant="a"), RunNames(run_id="n"), RunNames(run_id="m")]
        >>> name_runs(runs, otherwise="records")
        ['n/variant=a', 'n', 'm']
    """
    uses = Counter(run.run_id for run in runs)
    ids = set(taken)
    named: list[str] = []
    for run in runs:
        alone = run.run_id is not None and uses[run.run_id] == 1
        wanted = str(run.run_id) if alone else _joined(run) or otherwise
        run_id, count = wanted, 1
        while run_id in ids:
            count += 1
            run_id = f"{wanted}#{count}"
        ids.add(run_id)
        named.append(run_id)
    return named


def _joined(run: RunNames) -> str:
    others = [(name, getattr(run, name)) for name in RunNames.__struct_fields__[1:]]
    parts = [] if run.run_id is None else [run.run_id]
    return "/".join([*parts, *(f"{name}={value}" for name, value in others if value is not None)])
