from __future__ import annotations

from tests.statistics.comparison.variants import STATES, compared, held
from tests.statistics.corpora import corpus, judged
from verdict_frames.reporting.comparison_sentences import (
    change_lines,
    difference_lines,
    points,
    quotable_comparisons,
    uncounted_lines,
)
from verdict_frames.statistics.comparison.compare import compare


def test_single_trials_in_one_sentence() -> None:
    found = compared(
        {"a": "+", "b": "-", "c": "-", "d": "+", "e": "-", "f": "e", "g": "x", "h": "+"},
        {"a": "+", "b": "+", "c": "+", "d": "-", "e": "?", "f": "+", "g": "x", "i": "+"},
    )
    (sentence,) = quotable_comparisons(found)
    low, high = (round(100 * found.overall[end][0], 1) for end in ("ci_low", "ci_high"))
    assert sentence == (
        "hardened vs simple, 5 items counted on both sides: 2 more accepted, 1 fewer; difference +20.0 points"
        f" (95 % interval {low:+} to {high:+}); exact McNemar p = 1.000 (mid-p 0.625);"
        " 4 items lost: 1 new, 1 removed, 1 agent failed on both sides, 1 not assessed with simple;"
        " with the lost ones counted either way -11.1 to +44.4 points; policy agent-judge-0.17"
    )
    assert change_lines(found) == [
        "hardened, accepted more often: b (0/1 → 1/1), c (0/1 → 1/1)",
        "hardened, accepted less often: d (1/1 → 0/1)",
    ]
    assert change_lines(found, most=1)[0] == "hardened, accepted more often: b (0/1 → 1/1) and 1 more (see `items`)"
    assert difference_lines(found) == uncounted_lines(found) == []


def test_repeats_in_one_sentence() -> None:
    found = compared(dict.fromkeys("abcdef", "--"), dict.fromkeys("abcde", "+-") | {"f": "++"})
    (sentence,) = quotable_comparisons(found)
    assert sentence.startswith(
        "hardened vs simple, 6 items counted on both sides (12 and 12 trials): 6 accepted more often, 0 less often;"
        " difference +58.3 points (95 % interval "
    )
    assert sentence.endswith(
        "; sign-flip p = 0.031 (all patterns of signs, paired t 0.001); no item lost; policy agent-judge-0.17"
    )


def test_drawn_patterns_tiny_p_values_and_several_treatments() -> None:
    names = [f"i{number:02}" for number in range(60)]
    several = held(
        plain=dict.fromkeys(names, "-"),
        better=dict.fromkeys(names, "+"),
        other=dict.fromkeys(names[:1], "+"),
    )
    better, other = quotable_comparisons(compare(several, by="variant", baseline="plain"))
    assert "; exact McNemar p < 0.001 (mid-p < 0.001); < 0.001 after Holm for 2 comparisons;" in better
    assert "1 item counted on both sides: 1 more accepted, 0 fewer; difference +100.0 points" in other
    assert "; 59 items lost: 59 removed; with the lost ones counted either way " in other
    sizes = {f"i{number}": "-" * number for number in range(1, 24)}
    (drawn,) = quotable_comparisons(
        compared(sizes, {name: f"+{letters[1:]}" for name, letters in sizes.items()}, resamples=99)
    )
    assert "sign-flip p = 0.010 (99 patterns of signs drawn, paired t " in drawn


def test_what_can_not_be_said_is_said_so() -> None:
    (none,) = quotable_comparisons(compared({"a": "e"}, {"a": "n"}))
    assert none == (
        "hardened vs simple: not comparable, because no item counts on both sides; 1 item lost: 1 not assessed on both"
        " sides; policy agent-judge-0.17"
    )
    (one,) = quotable_comparisons(compared({"a": "-+"}, {"a": "+"}))
    assert "(no interval: one item: no interval over items)" in one
    (outside,) = quotable_comparisons(compared({"a": "-", "b": "+", "c": "+"}, {"a": "+", "b": "e", "c": "x"}))
    assert "either way -33.3 to +33.3 points, so the lost ones are unlike the others; policy" in outside


def test_groups_slugs_nameless_trials_and_what_is_on_no_side() -> None:
    rows = {
        "s": [judged("ACCEPTED", item_slug="one"), judged("REJECTED")],
        "h": [judged("ACCEPTED", item_slug="one")],
        "n": [STATES["+"], STATES["+"]],
        "j": [STATES["+"]],
    }
    store = corpus(
        rows,
        variant={"s": "s", "h": "h\x1b[31m", "j": "s"},
        kind={"j": "judge_experiment"},
        session={"s": "x", "h": "x"},
    )
    found = compare(store, by="variant", baseline="s", within="session")
    (sentence,) = quotable_comparisons(found)
    assert sentence.startswith("x / h\\x1b[31m vs s, 1 item counted on both sides")
    assert "1 of the items go by slug, having no id; without a name, so never paired: 1 and 0 trials" in sentence
    assert uncounted_lines(found) == [
        "on no side: 2 items for which variant is not recorded",
        "left out: 1 item of judge experiments or judged in another run",
    ]


def test_in_what_runs_differ() -> None:
    rows = {name: [judged("ACCEPTED", item_id="a")] for name in ("s", "h")}
    facts = [{"run_id": name, "source": "condition", "name": "model", "value": f"m-{name}"} for name in rows]
    runs = corpus(rows, facts=facts, variant={"s": "s", "h": "h"}, instrument_hash={"s": "i1"})
    assert difference_lines(compare(runs, by="variant", baseline="s")) == [
        "h: instrument may differ (i1 against none recorded, 1 of 2 runs record none)",
        "h: conditions.model differs (m-s against m-h)",
    ]


def test_points_have_a_sign_and_no_negative_zero() -> None:
    assert [points(value) for value in (0.0749, -1.0, -0.0001, 0.0)] == ["+7.5", "-100.0", "0.0", "0.0"]
