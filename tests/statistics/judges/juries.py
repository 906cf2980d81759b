"""Small verdicts for tests about judges and stages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from verdict_frames.frames.in_memory import from_records

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from verdict_frames.frames.corpus import Corpus

Node = dict[str, Any]


def judgment(status: str | None, **more: Any) -> Node:
    return ({} if status is None else {"status": status}) | {"reasoning": "said", "checks": []} | more


def jury(judges: Mapping[str, str | Node | None], status: str = "pass", **more: Any) -> Node:
    """A verdict of named judges, each given by its status or its whole judgment."""
    by_name = {name: said if isinstance(said, dict) else judgment(said) for name, said in judges.items()}
    return {"aggregated": judgment(status), "individualByName": by_name} | more


def seated(votes: Sequence[tuple[str, str]], status: str = "pass") -> Node:
    """A verdict of 0.17 whose judges need not have different names (R69)."""
    seats = [{"position": place, "verdictKey": name, "keySource": "DECLARED"} for place, (name, _) in enumerate(votes)]
    return {"aggregated": judgment(status), "seats": seats, "individual": [judgment(said) for _, said in votes]}


def attempt(name: str, verdict: Node | None, relation: str = "cascade_tier", **more: Any) -> Node:
    return {"name": name, "relation": relation} | ({} if verdict is None else {"verdict": verdict}) | more


def judged(verdicts: Iterable[Node], *, run: str = "run", items: Sequence[str] | None = None, **more: Any) -> Corpus:
    """One run of these verdicts; items are called i0, i1, … unless told otherwise."""
    return from_records(records(verdicts, run=run, items=items, **more))


def records(
    verdicts: Iterable[Node], *, run: str = "run", items: Sequence[str] | None = None, **more: Any
) -> list[Node]:
    listed = list(verdicts)
    names = [f"i{place}" for place in range(len(listed))] if items is None else items
    return [
        {"run_id": run, "item_id": name, "verdict": verdict} | more for name, verdict in zip(names, listed, strict=True)
    ]
