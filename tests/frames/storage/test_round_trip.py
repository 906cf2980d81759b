"""What is written comes back as it was, and equal tables give equal bytes."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.frames.builders import RunList, corpus_of, judged, run, stored
from tests.frames.storage.corpora import ODD_NAMES, assert_same, files_of, full_corpus, full_run
from tests.frames.test_rebuild import FACTS
from tests.interpretation.strategies import broken_verdicts
from verdict_frames._version import __version__
from verdict_frames.documents.seen import Problem, SourceFile
from verdict_frames.errors import ArgumentError, SchemaError, TargetError
from verdict_frames.frames.assembly import build_corpus
from verdict_frames.frames.corpus import Corpus, concat
from verdict_frames.frames.results import read_results
from verdict_frames.frames.schemas.tables import SCHEMA_VERSION, TABLES, arrow_schema, polars_schema
from verdict_frames.frames.storage import files
from verdict_frames.frames.storage.exporting import export_parquet, export_results
from verdict_frames.frames.storage.layout import EMPTY_FILE, RUN_TABLES, run_file
from verdict_frames.frames.storage.reading import read_parquet, scan_parquet
from verdict_frames.interpretation.stored_form import to_json
from verdict_frames.policies import policy_table
from verdict_frames.vocabulary import ProblemKind, SourceState

if TYPE_CHECKING:
    from verdict_frames.sources.recorded import RecordedItem, RecordedRun

STORE = Path(__file__).parents[3] / "data" / "results"


@st.composite
def recorded_runs(draw: st.DrawFn) -> list[RecordedRun]:
    """Up to three runs of up to three items: interpretations of every kind, and verdicts that are broken anywhere."""
    ids = draw(st.lists(st.text(max_size=5) | st.sampled_from(ODD_NAMES), max_size=3, unique=True))
    return [run(run_id, *draw(_items()), path=f"{place}.json") for place, run_id in enumerate(ids)]


@st.composite
def _items(draw: st.DrawFn) -> list[RecordedItem]:
    count = draw(st.integers(0, 3))
    return [
        stored(index, draw(FACTS)) if draw(st.booleans()) else judged(index, draw(broken_verdicts()))
        for index in range(count)
    ]


def assert_same_interpretations(one: Corpus, other: Corpus) -> None:
    judged_items = one.items.filter(pl.col("interpretation_origin").is_not_null()).select("run_id", "item_index")
    for run_id, index in judged_items.iter_rows():
        assert to_json(one.interpretation(run_id, index)) == to_json(other.interpretation(run_id, index))


def test_the_sample_store_comes_back_exactly(tmp_path: Path) -> None:
    corpus = read_results(STORE)
    corpus.write_parquet(tmp_path)
    back = read_parquet(tmp_path)
    assert_same(back, corpus)
    assert_same_interpretations(corpus, back)
    assert all(frame.height for frame in back.tables().values())


def test_every_kind_of_value_comes_back_exactly(tmp_path: Path) -> None:
    corpus = full_corpus()
    assert all(frame.height for frame in corpus.tables().values())
    corpus.write_parquet(tmp_path)
    assert_same(read_parquet(tmp_path), corpus)


@settings(max_examples=15, deadline=None)
@given(recorded_runs())
def test_any_corpus_comes_back_exactly_and_streams_to_the_same_bytes(recorded: list[RecordedRun]) -> None:
    corpus = build_corpus(RunList(recorded))
    with tempfile.TemporaryDirectory() as name:
        written, streamed = Path(name, "written"), Path(name, "streamed")
        corpus.write_parquet(written)
        back = read_parquet(written)
        assert_same(back, corpus)
        assert_same_interpretations(corpus, back)
        export_parquet(RunList(recorded), streamed)
        assert files_of(streamed) == files_of(written)


def test_order_of_runs_is_kept(tmp_path: Path) -> None:
    corpus = concat([corpus_of(full_run("b")), corpus_of(full_run("c")), corpus_of(full_run("a"))])
    corpus.write_parquet(tmp_path)
    assert_same(read_parquet(tmp_path), corpus)


def test_rows_of_a_run_may_lie_apart(tmp_path: Path) -> None:
    corpus = concat([corpus_of(full_run("b")), corpus_of(full_run("a"))])
    shuffled = Corpus(
        **{name: frame.sample(fraction=1, shuffle=True, seed=1) for name, frame in corpus.tables().items()}
    )
    shuffled.write_parquet(tmp_path)
    back = read_parquet(tmp_path)
    for table, frame in shuffled.tables().items():
        assert sorted(map(repr, back.tables()[table].rows())) == sorted(map(repr, frame.rows()))
    assert_same_interpretations(shuffled, back)


def test_two_exports_of_the_same_files_are_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        export_results(STORE, tmp_path / name)
    read_results(STORE).write_parquet(tmp_path / "three")
    one = files_of(tmp_path / "one")
    assert len(one) > 100
    assert files_of(tmp_path / "two") == one
    assert files_of(tmp_path / "three") == one


def test_exporting_again_touches_nothing(tmp_path: Path) -> None:
    export_results(STORE, tmp_path)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.parquet")}
    export_results(STORE, tmp_path)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.parquet")} == before


def test_long_runs_have_row_groups_of_a_fixed_size_however_they_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "ROW_GROUP_ROWS", 1_500)
    recorded = [full_run("short"), full_run("long", item_count=4_500), full_run("last", item_count=1_500)]
    exported = export_parquet(RunList(recorded), tmp_path / "streamed")
    corpus = build_corpus(RunList(recorded))
    corpus.write_parquet(tmp_path / "written")
    assert (exported.run_count, exported.item_count) == (3, 6_003)
    assert files_of(tmp_path / "streamed") == files_of(tmp_path / "written")
    footer = pq.read_metadata(tmp_path / "streamed" / "items" / run_file("long"))
    assert [footer.row_group(index).num_rows for index in range(footer.num_row_groups)] == [1_500, 1_500, 1_500]
    assert_same(read_parquet(tmp_path / "streamed"), corpus)


@pytest.mark.parametrize("run_id", ODD_NAMES)
def test_names_are_safe_and_tell_runs_apart(run_id: str) -> None:
    name = run_file(run_id)
    assert name == run_file(run_id)
    assert name.isascii()
    assert not set(name) & set('+:/=\\ %*?"<>|')
    assert not name.startswith((".", "-"))
    assert len(name) < 80
    assert len({run_file(other).lower() for other in ODD_NAMES}) == len(ODD_NAMES)


def test_names_stay_as_they_are_for_ever() -> None:
    assert run_file("5c500ef1-29ec-49d5-af3a-8c86a6325c1e") == (
        "5c500ef1-29ec-49d5-af3a-8c86a6325c1e-175b68d0f66cd4ea.parquet"
    )
    assert run_file("") == "run-e3b0c44298fc1c14.parquet"


def test_odd_run_ids_have_files_of_their_own(tmp_path: Path) -> None:
    corpus = corpus_of(*(full_run(name) for name in ODD_NAMES))
    corpus.write_parquet(tmp_path)
    assert_same(read_parquet(tmp_path), corpus)
    assert len(list((tmp_path / "items").iterdir())) == len(ODD_NAMES) + 1


def test_files_state_their_versions_and_hold_plain_strings(tmp_path: Path) -> None:
    full_corpus().write_parquet(tmp_path)
    for path in tmp_path.rglob("*.parquet"):
        metadata = pl.read_parquet_metadata(path)
        assert metadata["verdict_frames.schema_version"] == str(SCHEMA_VERSION)
        assert metadata["verdict_frames.interpreter_version"] == __version__
        column = pq.read_metadata(path)
        for group in range(column.num_row_groups):
            assert column.row_group(group).column(0).compression == "ZSTD"
    for table in RUN_TABLES:
        schema = pl.read_parquet_schema(tmp_path / table / run_file("run-1"))
        assert not [dtype for dtype in schema.values() if isinstance(dtype, pl.Enum | pl.Categorical)]
        assert pq.read_schema(tmp_path / table / EMPTY_FILE).equals(arrow_schema(table))
    runs = pl.read_parquet(tmp_path / "runs" / "*.parquet")
    assert runs.select("schema_version", "interpreter_version").unique().row(0) == (SCHEMA_VERSION, __version__)


def test_policies_are_there(tmp_path: Path) -> None:
    concat([]).write_parquet(tmp_path)
    assert pl.read_parquet(tmp_path / "policies.parquet").cast(policy_table().schema).equals(policy_table())
    assert scan_parquet(tmp_path).policies.collect().equals(policy_table())


def test_scan_has_the_tables_of_read(tmp_path: Path) -> None:
    full_corpus().write_parquet(tmp_path)
    scan, corpus = scan_parquet(tmp_path), read_parquet(tmp_path)
    for table in TABLES:
        lazy = getattr(scan, table)
        assert isinstance(lazy, pl.LazyFrame)
        assert lazy.collect_schema() == polars_schema(table)
        assert lazy.collect().equals(corpus.tables()[table])


def test_a_run_that_comes_again_replaces_itself_and_others_stay(tmp_path: Path) -> None:
    old = corpus_of(full_run("a", word="old"), full_run("b"))
    new = corpus_of(full_run("a", word="new", item_count=5), run("c"))
    old.write_parquet(tmp_path)
    new.write_parquet(tmp_path)
    back = read_parquet(tmp_path)
    assert back.runs["run_id"].to_list() == ["a", "b", "c"]
    assert_same(back.filter(run_id=["a", "c"]), new)
    assert_same(back.filter(run_id="b"), old.filter(run_id="b"))


def test_a_run_that_has_become_empty_loses_its_files(tmp_path: Path) -> None:
    corpus_of(full_run("a")).write_parquet(tmp_path)
    corpus_of(run("a")).write_parquet(tmp_path)
    assert_same(read_parquet(tmp_path), corpus_of(run("a")))
    assert [path.name for path in (tmp_path / "seats").iterdir()] == [EMPTY_FILE]


def account(*paths: str, run_id: str | None = None) -> tuple[list[SourceFile], list[Problem]]:
    sources = [SourceFile(path=path, state=SourceState.READ, run_id=run_id) for path in paths]
    problems = [
        Problem(path=path, kind=ProblemKind.FIELD, run_id=run_id, message=f"{path} of {run_id}") for path in paths
    ]
    return sources, problems


def test_sources_and_problems_are_replaced_by_path_and_by_run(tmp_path: Path) -> None:
    first, second = (account("z.json", "b.json"), account("a.json", run_id="a"))
    corpus_of(full_run("a"), sources=first[0] + second[0], problems=first[1] + second[1]).write_parquet(tmp_path)
    third = account("moved.json", "b.json", run_id="a")
    corpus_of(full_run("a"), sources=third[0], problems=third[1]).write_parquet(tmp_path)
    back = read_parquet(tmp_path)
    assert back.sources.select("path", "run_id").rows() == [("b.json", "a"), ("moved.json", "a"), ("z.json", None)]
    assert back.problems["message"].to_list() == ["b.json of a", "moved.json of a", "z.json of None"]
    before = files_of(tmp_path)
    corpus_of(full_run("a"), sources=third[0], problems=third[1]).write_parquet(tmp_path)
    assert files_of(tmp_path) == before


def test_row_counts_are_stated_with_the_run(tmp_path: Path) -> None:
    corpus_of(full_run()).write_parquet(tmp_path)
    metadata = pl.read_parquet_metadata(tmp_path / "runs" / run_file("run-1"))
    rows = {table: pl.read_parquet(tmp_path / table / run_file("run-1")).height for table in RUN_TABLES[1:]}
    assert json.loads(metadata["verdict_frames.rows"]) == rows


def test_a_run_that_comes_twice_is_refused(tmp_path: Path) -> None:
    recorded = [full_run("a"), full_run("b", item_count=2_500), full_run("a")]
    with pytest.raises(SchemaError, match=r"runs.run_id: rule .* is broken"):
        export_parquet(RunList(recorded), tmp_path / "far")
    with pytest.raises(SchemaError, match=r"runs.run_id: rule .* is broken"):
        export_parquet(RunList([full_run("a"), full_run("a")]), tmp_path / "near")
    assert read_parquet(tmp_path / "near").runs.is_empty()


def test_what_breaks_a_rule_is_not_written(tmp_path: Path) -> None:
    recorded = full_run("a", item_count=5)
    recorded.items[4].index = 3
    with pytest.raises(SchemaError, match=r"items.run_id\+item_index"):
        export_parquet(RunList([recorded]), tmp_path)
    assert read_parquet(tmp_path).runs.is_empty()


@pytest.mark.parametrize("target", [".", "e", "tables"])
def test_a_folder_within_the_source_is_refused(tmp_path: Path, target: str) -> None:
    with pytest.raises(TargetError, match=r"is the source .* or lies within it"):
        export_results(tmp_path, tmp_path / target)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_with_other_things_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "runs").mkdir()
    with pytest.raises(TargetError, match=r"holds other things \(notes.txt, runs\); name a new or empty folder"):
        full_corpus().write_parquet(tmp_path)
    with pytest.raises(TargetError, match=r"notes.txt is a file; name a folder"):
        full_corpus().write_parquet(tmp_path / "notes.txt")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["notes.txt", "runs"]


def test_a_folder_is_a_path(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="not NoneType: None"):
        full_corpus().write_parquet(None)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="not NoneType: None"):
        export_results(STORE, None)  # type: ignore[arg-type]
    for nameless in ("", "a\0b"):  # the empty one isn't taken for the folder at work
        with pytest.raises(ArgumentError, match="one may be empty"):
            export_results(STORE, nameless)
    full_corpus().write_parquet(str(tmp_path / "a" / "b"))
    assert read_parquet(str(tmp_path / "a" / "b")).runs.height == 2
