from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

import verdict_frames as vf
from tests.cli.stores import small_store
from tests.statistics.corpora import corpus, judged
from verdict_frames.errors import ArgumentError, OptionError
from verdict_frames.statistics.audit.vocabulary import AuditFrame

if TYPE_CHECKING:
    from pathlib import Path


def test_the_frames_are_the_same_from_an_exported_folder(tmp_path: Path) -> None:
    read = vf.read_results(small_store(tmp_path / "store"))
    read.write_parquet(tmp_path / "tables")
    one, other = vf.audit(read, "variant"), vf.audit(vf.read_parquet(tmp_path / "tables"), "variant")
    for name, frame in one.frames().items():
        assert frame.equals(other.frames()[name]), name
        assert frame.schema == other.frames()[name].schema, name


def test_records_in_memory_are_audited_as_files_are() -> None:
    rows = [
        {"run_id": "r", "item_id": "a", "passed": False, "verdict": {"aggregated": {"status": "error"}}},
        {"run_id": "r", "item_id": "b", "passed": True, "verdict": {"aggregated": {"status": "pass"}}},
    ]
    audited = vf.audit(vf.from_records(rows))
    assert audited.items.select("item_id", "cause").rows() == [("a", "jury_errored")]
    assert audited.rates.select("recorded_rate", "pass_rate").row(0) == (0.5, 1.0)


def test_an_audit_is_a_frozen_value_with_a_short_repr() -> None:
    audited = vf.audit(corpus({"run": [judged("NOT_ASSESSED")]}))
    assert list(audited.frames()) == list(AuditFrame)
    assert repr(audited).startswith("Audit(rates: 1, causes: 1, items: 1, runs: 1, recounts: 4,")
    assert repr(audited).endswith("policy: agent-judge-0.17)")
    assert "<strong>Audit</strong>" in audited._repr_html_()
    with pytest.raises(FrozenInstanceError):
        audited.policy = "mine"  # type: ignore[misc]


def test_the_first_policy_explains_and_all_recount() -> None:
    made = corpus({"run": [judged("ACCEPTED", "UNDETERMINED"), judged("ACCEPTED")]})
    audited = vf.audit(made, policies=["verified-only", vf.ALL_ITEMS])
    assert audited.policy == "verified-only"
    assert audited.items["cause"].to_list() == ["unverified"]
    assert audited.recounts["policy"].to_list() == ["verified-only", "all-items"]
    assert vf.audit(made, policies=vf.ALL_ITEMS).recounts["policy"].to_list() == ["all-items"]


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"corpus": pl.DataFrame()}, ArgumentError, "an audit needs a Corpus"),
        ({"policies": 3}, ArgumentError, "policies are policies or names of these, not 3"),
        ({"policies": []}, OptionError, "at least one policy"),
        ({"policies": ["all-items", vf.ALL_ITEMS]}, OptionError, "each once; given are all-items, all-items"),
        ({"policies": ["mine"]}, OptionError, "no policy named 'mine'"),
        ({"by": 3}, ArgumentError, "`by` takes the name of a column"),
        ({"evaluations": "first"}, OptionError, "choose one of latest, original, all"),
    ],
)
def test_wrong_arguments_are_told(arguments: dict[str, Any], error: type[Exception], words: str) -> None:
    given = {"corpus": corpus({"run": [judged("ACCEPTED")]})} | arguments
    with pytest.raises(error, match=words):
        vf.audit(given.pop("corpus"), given.pop("by", None), **given)
