"""The tally in plain Python that others are compared with, checked by hand."""

from __future__ import annotations

from tests.statistics.reference import ABSORBED, errors_absorbed, judge_errors, marks, outcome, stored


def test_the_plain_python_tally_says_what_the_source_document_says() -> None:
    assert outcome(stored("UNDECIDED", "SUPPORTED"), "agent-judge-0.17") == "non_passes"
    assert outcome(stored("NOT_ASSESSED", "UNDETERMINED"), "agent-judge-0.17") == "instrument_failures"
    assert outcome(stored("ACCEPTED", "CONTRADICTED"), "agent-judge-0.17") == "unattestable"


def test_the_plain_python_tally_finds_errors_wherever_they_are_recorded_and_copies_once() -> None:
    for errors, found in {"": 0, "r": 1, "s": 1, "t": 1, "rst": 3}.items():
        assert judge_errors(stored("ACCEPTED", errors=errors)["interpretation"]) == found
    for absorbed, said in [(None, None), ("nothing", False), *((name, True) for name in ABSORBED)]:
        interpretation = stored("ACCEPTED", absorbed=absorbed)["interpretation"]
        assert errors_absorbed(interpretation) is said
        assert ("judge_error_items" in marks(stored("ACCEPTED", absorbed=absorbed))) is (said is True)
    copied = stored("ACCEPTED", errors="rst")["interpretation"]
    for stage in (copied["root"], *copied["stages"]):
        stage["judges"] = [{"name": "same", "status": "error"}]
    assert judge_errors(copied) == 1
    copied["root"]["evidence"] = dict.fromkeys(ABSORBED)
    assert errors_absorbed(copied) is None
