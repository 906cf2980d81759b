"""A second tally in plain Python, over items as a stored file holds them, to compare with.

An item may have a `repeat`, which stands for that of its run.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import takewhile
from typing import Any

from scipy.stats import t
from statsmodels.stats.proportion import proportion_confint  # type: ignore[import-untyped]

Item = dict[str, Any]

BUCKET = {
    "ACCEPTED": "passes",
    "REJECTED": "non_passes",
    "UNDECIDED": "non_passes",
    "NOT_APPLICABLE": "excluded",
    "NOT_ASSESSED": "instrument_failures",
}


ABSORBED = ("ignoredErrorCount", "errorsTreatedAsAbstainCount", "errorsTreatedAsFailCount")


def stored(
    reading: Any = None,
    support: Any = "SUPPORTED",
    *,
    success: Any = True,
    passed: Any = None,
    failure: Any = None,
    mark: Any = None,
    errors: str = "",
    absorbed: Any = None,
    item_id: Any = None,
    slug: Any = None,
) -> Item:
    """An item as a re-exported file holds it; "no verdict" and "no interpretation" as support leave these out.

    The judges of the root ("r"), of the stage "s" and of its own stage "t" error where these letters are in `errors`.
    The root's evidence, if it has any, counts as 1 what `absorbed` names.
    """
    item: Item = {
        "itemId": item_id,
        "itemSlug": slug,
        "success": success,
        "passed": passed,
        "metadata": {} if mark is None else {"instrumentFailure": mark},
    }
    if support == "no verdict":
        return item
    if support == "no interpretation":
        return item | {"verdict": {}}
    return item | {
        "verdict": {},
        "interpretation": {
            "reading": reading,
            "readingSupport": support,
            "root": judged_by("r", errors)
            | {"path": [], "evidence": None if absorbed is None else dict.fromkeys(ABSORBED, 0) | {absorbed: 1}},
            "stages": [
                judged_by("s", errors) | {"stage": "s", "path": ["s"], "failure": None},
                judged_by("t", errors) | {"stage": "t", "path": ["s", "t"], "failure": failure},
            ],
        },
    }


def judged_by(stage: str, errors: str) -> dict[str, Any]:
    return {"judges": [{"name": stage, "status": "error" if stage in errors else "pass"}]}


def outcome(item: Item, policy: str) -> str:
    """Where one stored item goes."""
    interpretation = item.get("interpretation")
    if interpretation is None and item.get("verdict") is None:
        return "agent_failed" if item["success"] is False else "unjudged"
    lenient = policy != "all-items"
    if (
        interpretation is None
        or interpretation["readingSupport"] == "CONTRADICTED"
        or interpretation["reading"] is None
    ):
        return "unattestable" if lenient else "non_passes"
    if policy == "verified-only" and interpretation["readingSupport"] == "UNDETERMINED":
        return "set_aside"
    bucket = BUCKET[interpretation["reading"]]
    if policy == "agent-experiment-0.9" and interpretation["reading"] == "NOT_ASSESSED":
        return "excluded"
    return bucket if lenient or bucket == "passes" else "non_passes"


def marks(item: Item) -> list[str]:
    """The overlapping counts that one stored item belongs to."""
    found = []
    if item["passed"] is not None:
        found.append("passed_recorded")
    if item["passed"]:
        found.append("naive_passes")
    interpretation = item.get("interpretation")
    judged = item.get("verdict") is not None or interpretation is not None
    marked = judged and item["metadata"].get("instrumentFailure") is not None
    if interpretation is not None:
        reading = interpretation["reading"]
        marked = marked or reading == "NOT_ASSESSED" or any(stage["failure"] for stage in interpretation["stages"])
        if reading is not None and interpretation["readingSupport"] == "UNDETERMINED":
            found.append("unverified")
        if reading == "UNDECIDED":
            found.append("undecided")
        if reading == "NOT_ASSESSED":
            found.append("not_assessed")
        if errors_absorbed(interpretation) or judge_errors(interpretation):
            found.append("judge_error_items")
    return [*found, "instrument_marks"] if marked else found


def errors_absorbed(interpretation: dict[str, Any]) -> bool | None:
    """Whether the root's evidence has errors that were ignored or counted as something else; null where left open."""
    evidence = interpretation["root"]["evidence"]
    counts = [None if evidence is None else evidence[name] for name in ABSORBED]
    return True if any(counts) else None if None in counts else False


def judge_errors(interpretation: dict[str, Any]) -> int:
    """Seats that errored, in the root and all stages but those that repeat the seats of a stage below them."""
    stages = [interpretation["root"], *interpretation["stages"]]
    entered = [stage for place, stage in enumerate(stages) if not _is_copy(stages, place)]
    return sum(judge["status"] == "error" for stage in entered for judge in stage["judges"])


def _is_copy(stages: list[dict[str, Any]], place: int) -> bool:
    """Stages are listed depth first, and all lie below the root; of one without a name none is taken to lie below."""
    path = stages[place]["path"]
    below = list(takewhile(lambda stage: stage["path"][: len(path)] == path, stages[place + 1 :]))
    if place > 0:
        below = list(takewhile(lambda stage: len(stage["path"]) > len(path), below)) if stages[place]["stage"] else []
    return bool(stages[place]["judges"]) and _seats(stages[place]) in [_seats(stage) for stage in below]


def _seats(stage: dict[str, Any]) -> list[dict[str, Any]]:
    return [{name: value for name, value in judge.items() if name != "keySource"} for judge in stage["judges"]]


def reference_tally(items: list[Item], left_out: int, policy: str, level: float = 0.95) -> dict[str, Any]:
    """All counts and rates of one group; absent counts are 0."""
    outcomes = [outcome(item, policy) for item in items]
    counts: Counter[str] = Counter(outcomes)
    for item in items:
        counts.update(marks(item))
    eligible = counts["passes"] + counts["non_passes"]
    counted = [item for item, bucket in zip(items, outcomes, strict=True) if bucket in ("passes", "non_passes")]
    return {
        **counts,
        "total": len(items),
        "left_out": left_out,
        "eligible": eligible,
        "pass_rate": counts["passes"] / eligible if eligible else None,
        "rate_note": None if eligible else "no items eligible for the denominator",
        **reference_interval(counted, [bucket for bucket in outcomes if bucket in ("passes", "non_passes")], level),
        "end_to_end_rate": _share(counts["passes"], eligible + counts["agent_failed"]),
        "naive_rate": _share(counts["naive_passes"], len(items)) if counts["passed_recorded"] else None,
        "policy": policy,
        "notes": [],
    }


def reference_interval(counted: list[Item], outcomes: list[str], level: float) -> dict[str, Any]:
    """The interval over items of one group, written out item by item.

    Korn and Graubard's effective number of trials; the ends are those of statsmodels.
    """
    by_item: defaultdict[Any, list[bool]] = defaultdict(list)
    for place, (item, bucket) in enumerate(zip(counted, outcomes, strict=True)):
        by_item[item["itemId"] or item["itemSlug"] or place].append(bucket == "passes")
    nameless = any(not (item["itemId"] or item["itemSlug"]) and item.get("repeat") for item in counted)
    nothing = {"confidence_level": level, "over": "items"} | dict.fromkeys(
        ("ci_low", "ci_high", "ci_method", "clusters", "design_effect", "effective_n")
    )
    n, clusters = len(counted), len(by_item)
    if n == 0:
        return nothing | {"clusters": 0}
    if nameless:
        return nothing | {"ci_method": "items without a name"}
    if clusters == 1 < n:
        return nothing | {"clusters": 1, "ci_method": "one item: no interval over items"}
    rate = Fraction(sum(map(sum, by_item.values())), n)
    effect, size = (None, float(clusters)) if rate in (0, 1) else (1.0, float(n))
    if n > clusters and rate not in (0, 1):
        off = sum((sum(tries) - rate * len(tries)) ** 2 for tries in by_item.values())
        variance = Fraction(clusters, clusters - 1) * off / n**2
        effect = float(variance / (rate * (1 - rate) / (n - 1)))
        quantiles = [t.ppf((1 + level) / 2, degrees) for degrees in (n - 1, clusters - 1)]
        size = min(n, n / effect * (quantiles[0] / quantiles[1]) ** 2) if effect else float(n)
    low, high = proportion_confint(float(rate) * size, size, alpha=1 - level, method="wilson")
    return nothing | {
        "ci_low": low,
        "ci_high": high,
        "ci_method": "wilson, at the effective sample size" if n > clusters else "wilson",
        "clusters": clusters,
        "design_effect": effect,
        "effective_n": size,
    }


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def as_row(item: Item) -> dict[str, Any]:
    """The columns of `items` that follow from a stored item."""
    interpretation = item.get("interpretation")
    row = {
        "item_id": item["itemId"],
        "item_slug": item["itemSlug"],
        "success": item["success"],
        "passed": item["passed"],
        "has_verdict": item.get("verdict") is not None,
        "instrument_failure": item["metadata"].get("instrumentFailure"),
    }
    if interpretation is None:
        return row
    return row | {
        "reading": interpretation["reading"],
        "reading_support": interpretation["readingSupport"],
        "stage_failure": any(stage["failure"] is not None for stage in interpretation["stages"]),
        "judge_errors": judge_errors(interpretation),
        "errors_absorbed": errors_absorbed(interpretation),
    }
