"""What a dataset's manifest and records say about items, joined to their results."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import OPTIONAL_DATA
from tests.frames.builders import ACCEPTING, corpus_of, judged, run
from verdict_frames.errors import ArgumentError, ColumnError, FactsError, MissingPathError
from verdict_frames.frames.corpus import Corpus, concat
from verdict_frames.frames.storage.reading import read_parquet
from verdict_frames.statistics.tally import tally

if TYPE_CHECKING:
    from pathlib import Path

COLUMNS = ("item_id", "dataset_bucket", "task_type", "tags", "status")


def results(*item_ids: str | None, **fields: Any) -> Corpus:
    items = [judged(index, ACCEPTING, item_id=item_id) for index, item_id in enumerate(item_ids)]
    return corpus_of(run("run", *items, **fields))


def entry(item_id: str, **fields: Any) -> dict[str, Any]:
    plain = {"id": item_id, "slug": f"slug-{item_id}", "path": f"items/{item_id}", "bucket": "A", "status": "active"}
    return plain | {"taskType": "rename"} | fields


def dataset(folder: Path, *entries: Any, records: dict[str, Any] | None = None, **fields: Any) -> Path:
    """A dataset in a folder; a record is written as JSON, unless it is text already."""
    manifest = {"name": "d", "version": "1.0.0", "items": list(entries)} | fields
    (folder / "dataset.json").write_text(json.dumps(manifest), encoding="utf-8")
    for place, record in (records or {}).items():
        file = folder / place / "item.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(record if isinstance(record, str) else json.dumps(record), encoding="utf-8")
    return folder


def told(corpus: Corpus) -> list[tuple[str, str, str]]:
    return [
        (path.rpartition("/")[2], kind, message)
        for path, kind, message in corpus.problems.select("path", "kind", "message").iter_rows()
    ]


def test_manifest_and_records_become_columns(tmp_path: Path) -> None:
    records = {
        "items/i1": {"id": "i1", "tags": ["java", "small"], "bucket": "A", "developerTask": "do"},
        "items/i2": {"id": "i2", "tags": [], "status": "disabled"},
    }
    folder = dataset(tmp_path, entry("i1"), entry("i2", status=None), records=records)
    corpus = results("i1", "i2", "i1").with_dataset(folder)
    assert corpus.items.select(COLUMNS).rows() == [
        ("i1", "A", "rename", ["java", "small"], "active"),
        ("i2", "A", "rename", [], "disabled"),
        ("i1", "A", "rename", ["java", "small"], "active"),
    ]
    assert told(corpus) == []
    assert tally(corpus, "status").select("status", "passes").rows() == [("active", 2), ("disabled", 1)]
    corpus.write_parquet(tmp_path / "out")
    assert read_parquet(tmp_path / "out").items.equals(corpus.items)
    assert results("i1").with_dataset(folder / "dataset.json").items["tags"].to_list() == [["java", "small"]]


def test_items_and_results_without_each_other_are_told(tmp_path: Path) -> None:
    records = {f"items/{item_id}": {"id": item_id} for item_id in ("i1", "i9")}
    folder = dataset(tmp_path, entry("i1"), entry("i9"), records=records)
    corpus = results("i1", "i2", None).with_dataset(folder)
    assert corpus.items.select(COLUMNS[:3]).rows() == [("i1", "A", "rename"), ("i2", None, None), (None, None, None)]
    assert told(corpus) == [
        ("dataset.json", "missing", "1 of 2 rows have the item_id of no item: i9"),
        (
            "dataset.json",
            "missing",
            "2 of 3 items are not among the facts, so that dataset_bucket, task_type, tags, status are null there: i2; "
            "1 of them have no item_id",
        ),
    ]


def test_records_that_can_not_be_read_cost_themselves_only(tmp_path: Path) -> None:
    records = {
        "items/i1": "{",
        "items/i3": "[]",
        "items/i4": {"id": "other", "tags": ["x"]},
        "items/i5": {"id": "i5", "tags": "x", "bucket": 3},
    }
    folder = dataset(tmp_path, *map(entry, ("i1", "i2", "i3", "i4", "i5")), records=records)
    corpus = results("i1", "i2", "i3", "i4", "i5").with_dataset(folder)
    assert corpus.items["dataset_bucket"].to_list() == ["A"] * 5
    assert corpus.items["tags"].null_count() == 5
    assert [(kind, message.partition(":")[0]) for _, kind, message in told(corpus)] == [
        ("syntax", "it ends in the middle of a value, so it was cut off; restore it or write it again"),
        ("missing", "the manifest names this file, and it isn't there; restore it"),
        ("foreign", "expected the record of an item, found an array"),
        ("conflict", "`id`"),
        ("field", "`bucket`"),
        ("field", "`tags`"),
    ]
    assert {path for path, _, _ in told(corpus)} == {"item.json"}


def test_the_items_own_record_counts_before_the_manifest(tmp_path: Path) -> None:
    folder = dataset(tmp_path, entry("i1"), records={"items/i1": {"id": "i1", "bucket": "B"}})
    corpus = results("i1").with_dataset(folder)
    assert corpus.items["dataset_bucket"].to_list() == ["B"]
    assert told(corpus) == [
        (
            "item.json",
            "conflict",
            "`bucket`: 'B', where the manifest says 'A' of 'i1'; the item's own record counts",
        )
    ]


@pytest.mark.parametrize("path", ["../outside", "/etc", "a/../../b", "C:\\x", "..\\outside", "a\0b"])
def test_a_path_that_leads_out_of_the_folder_is_not_followed(tmp_path: Path, path: str) -> None:
    dataset(tmp_path, records={"outside": {"id": "i1", "tags": ["stolen"]}})
    (tmp_path / "inside").mkdir()
    corpus = results("i1").with_dataset(dataset(tmp_path / "inside", entry("i1", path=path)))
    assert corpus.items.select(COLUMNS).rows() == [("i1", "A", "rename", None, "active")]
    ((_, kind, message),) = told(corpus)
    assert (kind, message.rpartition(" leads ")[2]) == ("field", "out of the dataset's folder; it is not followed")


def test_entries_that_can_not_be_used(tmp_path: Path) -> None:
    entries = [entry("i1", path=None), entry("i1", bucket="B", path=None), entry("", path=None), {"slug": "x"}, 3]
    corpus = results("i1").with_dataset(dataset(tmp_path, *entries))
    assert corpus.items["dataset_bucket"].to_list() == ["A"]
    assert [message for _, _, message in told(corpus)] == [
        "`items[1]`: 'i1' is listed already; the first entry counts",
        '`items[2].id`: expected a name, found the text ""; the entry is left out',
        "`items[3].id`: expected a name, found null; the entry is left out",
        "`items[4]`: expected an object, found the number 3; the field stays null",
        "`items[4].id`: expected a name, found null; the entry is left out",
    ]


def test_runs_of_another_release_are_told(tmp_path: Path) -> None:
    folder = dataset(tmp_path, entry("i1", path=None))
    corpus = results("i1", dataset_semantic_version="0.9.0").with_dataset(folder)
    ((path, kind, message),) = told(corpus)
    assert (path, kind) == ("dataset.json", "conflict")
    assert message.startswith("`version`: 1.0.0, and 1 of 1 runs were made with 0.9.0; ")
    assert told(results("i1", dataset_semantic_version="1.0.0").with_dataset(folder)) == []


def test_a_second_dataset_goes_to_its_own_part(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    one = dataset(tmp_path / "one", entry("i1", path=None))
    two = dataset(tmp_path / "two", entry("i1", path=None, bucket="B"))
    with pytest.raises(ColumnError, match="the corpus has dataset_bucket, task_type, tags, status already"):
        results("i1").with_dataset(one).with_dataset(two)
    other = corpus_of(run("other", judged(0, ACCEPTING, item_id="i1")))
    both = concat([results("i1").with_dataset(one), other.with_dataset(two)])
    assert both.items.select("run_id", "dataset_bucket").rows() == [("run", "A"), ("other", "B")]


def test_odd_texts_are_stored(tmp_path: Path) -> None:
    (tmp_path / "dataset.json").write_text('\ufeff{"items": [{"id": "i1", "bucket": "\\ud800"}]}', encoding="utf-8")
    assert results("i1").with_dataset(tmp_path).items["dataset_bucket"].to_list() == ["\N{REPLACEMENT CHARACTER}"]


@pytest.mark.parametrize(
    ("content", "words"),
    [("{", "cut off"), ("[]", "no list of `items`"), ('{"items": {}}', "no list of `items`"), ("", "it is empty")],
)
def test_a_manifest_that_is_none_is_refused(tmp_path: Path, content: str, words: str) -> None:
    (tmp_path / "dataset.json").write_text(content)
    with pytest.raises(FactsError, match=words) as caught:
        results("i1").with_dataset(tmp_path)
    assert "\n" not in str(caught.value)


def test_no_dataset(tmp_path: Path) -> None:
    with pytest.raises(MissingPathError, match=r"dataset is a folder with a dataset\.json"):
        results("i1").with_dataset(tmp_path)
    with pytest.raises(ArgumentError, match="not as NoneType"):
        results("i1").with_dataset(None)  # type: ignore[arg-type]


def test_a_real_manifest() -> None:
    folder = OPTIONAL_DATA / "data" / "agent-experiment"
    if not folder.exists():
        pytest.skip("optional conformance data")
    corpus = results("SIMPLE-001", "GITREF-001").with_dataset(folder)
    assert corpus.items.select("dataset_bucket", "task_type", "status").rows() == [
        ("A", "rename-field", "active"),
        ("B", "spring-boot-3-upgrade", "active"),
    ]
