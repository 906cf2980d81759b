"""Members as they may be found in archives: odd names, links, copies of a name, packed ones, damage and limits."""

from __future__ import annotations

import gzip
import io
import stat
import struct
import tarfile
import zipfile
import zlib
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verdict_frames.documents.archives import Opened, open_archives
from verdict_frames.documents.contents import read_bytes, read_content
from verdict_frames.documents.found import ALL_SUFFIXES
from verdict_frames.documents.limits import Limits
from verdict_frames.documents.listing import list_files
from verdict_frames.vocabulary import ProblemKind, SourceState

if TYPE_CHECKING:
    from pathlib import Path

    from verdict_frames.documents.found import FoundFile
    from verdict_frames.documents.seen import Problem

TAPES = ("a.tar", "a.tar.gz", "a.TGZ")


def tape(path: Path, *members: tuple[str, bytes] | tarfile.TarInfo, form: int = tarfile.PAX_FORMAT) -> Path:
    with tarfile.open(path, "w:gz" if path.suffix.lower().endswith("gz") else "w", format=form) as archive:
        for member in members:
            if isinstance(member, tarfile.TarInfo):
                archive.addfile(member)
            else:
                header = tarfile.TarInfo(member[0])
                header.size = len(member[1])
                archive.addfile(header, io.BytesIO(member[1]))
    return path


def zipped(path: Path, *members: tuple[str | zipfile.ZipInfo, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return path


def header_of(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    header = tarfile.TarInfo(name)
    header.type, header.linkname = kind, target
    return header


def opened(path: Path, limits: Limits | None = None) -> Opened:
    limits = limits or Limits()
    return open_archives(list_files(path, suffixes=ALL_SUFFIXES, limits=limits), limits)


def members(found: Opened) -> list[str | None]:
    return [file.member for file in found.listing.files]


def rows(found: Opened) -> dict[str | None, SourceState]:
    return {row.member: row.state for row in found.listing.rows}


def problem(found: Opened) -> Problem:
    (only,) = found.listing.problems
    return only


def file_of(found: Opened) -> FoundFile:
    (only,) = found.listing.files
    return only


@pytest.mark.parametrize("name", [*TAPES, "a.zip"])
def test_names_are_data(tmp_path: Path, name: str) -> None:
    names = ["../../etc/x.json", "/abs/y.json", "./s+1/merged:z.json", "C:\\w.json", "a//b/../v.json", "é\u202eu.JSON"]
    pack = zipped if name == "a.zip" else tape
    found = opened(pack(tmp_path / name, *((each, each.encode()) for each in names)))
    shown = ["../../etc/x.json", "/abs/y.json", "C:\\\\w.json", "a/b/../v.json", "s+1/merged:z.json", "é\\u202eu.JSON"]
    assert sorted(map(str, members(found))) == sorted(shown)
    for file in found.listing.files:
        assert file.path == f"{tmp_path / name}/{file.member}"
        assert file.relative == file.member
        data = read_bytes(file)
        assert data.decode() in names
        assert read_bytes(file, start=2, end=5) == data[2:5]
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_members_of_an_archive_in_a_folder_are_relative_to_that(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    tape(tmp_path / "in" / "a.tar", ("x/y.json", b"{}"))
    file = file_of(opened(tmp_path))
    assert file.relative == "in/a.tar/x/y.json"
    assert file.parts[-4:] == ("in", "a.tar", "x", "y.json")


@pytest.mark.parametrize("name", TAPES)
def test_links_and_devices_are_rows_and_a_second_name_is_a_file(tmp_path: Path, name: str) -> None:
    found = opened(
        tape(
            tmp_path / name,
            ("one.json", b"[1]"),
            header_of("link.json", tarfile.SYMTYPE, "/etc/passwd"),
            header_of("second.json", tarfile.LNKTYPE, "one.json"),
            header_of("lost.json", tarfile.LNKTYPE, "nowhere.json"),
            header_of("null.json", tarfile.CHRTYPE),
            header_of("pipe.json", tarfile.FIFOTYPE),
            header_of("folder.json", tarfile.DIRTYPE),
        )
    )
    assert members(found) == ["one.json", "second.json"]
    assert [read_bytes(file) for file in found.listing.files] == [b"[1]", b"[1]"]
    skipped = {member for member, state in rows(found).items() if state is SourceState.SKIPPED}
    assert skipped == {"link.json", "lost.json", "null.json", "pipe.json"}


def test_links_in_a_zip_are_rows(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("link.json")
    link.create_system, link.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    found = opened(zipped(tmp_path / "a.zip", (link, b"/etc/passwd"), ("f/", b""), ("f/x.json", b"{}")))
    assert members(found) == ["f/x.json"]
    assert rows(found)["link.json"] is SourceState.SKIPPED


@pytest.mark.parametrize("name", [*TAPES, "a.zip"])
def test_what_is_skipped_in_folders_is_skipped_in_archives(tmp_path: Path, name: str) -> None:
    names = [
        "e/index.json",
        "e/sessions/s/session.json",
        "e/.hidden/x.json",
        "e/workspaces/v/x.json",
        "e/workspaces/w/y.json",
        "e/.tmp.json",
        "e/run.log",
        "inner.tar.gz",
        "inner.ZIP",
        "e/v.json",
    ]
    pack = zipped if name == "a.zip" else tape
    found = opened(pack(tmp_path / name, *((each, b"{}") for each in names)))
    assert members(found) == ["e/v.json"]
    assert [file.member for file in found.listing.records] == ["e/index.json", "e/sessions/s/session.json"]
    skipped = sorted(str(member) for member, state in rows(found).items() if state is SourceState.SKIPPED)
    assert skipped == sorted([*names[:2], "e/.hidden/", "e/workspaces/", *names[5:9]])
    assert rows(found)[None] is SourceState.READ
    root = file_of(found).parts[:-2]
    assert (*root, "e", "workspaces", "w") in next(iter(found.contents.values())), (
        "what is skipped is there all the same"
    )


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("name", [*TAPES, "a.zip"])
def test_the_last_of_several_with_one_path_is_read(tmp_path: Path, name: str) -> None:
    pack = zipped if name == "a.zip" else tape
    found = opened(pack(tmp_path / name, ("x.json", b"[1]"), ("./x.json", b"[2]"), ("x.json", b"[3]")))
    assert read_bytes(file_of(found)) == b"[3]"
    assert [row.member for row in found.listing.rows] == ["x.json", "x.json", None]
    assert (problem(found).kind, problem(found).member) == (ProblemKind.CONFLICT, "x.json")
    assert "3 files of this path" in problem(found).message


@pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
@pytest.mark.parametrize("name", TAPES)
def test_names_of_any_encoding_and_length(tmp_path: Path, name: str, form: int) -> None:
    found = opened(tape(tmp_path / name, ("\udcff.json", b"[0]"), ("d/" * 40 + "x.json", b"[1]"), form=form))
    assert members(found) == ["\\xff.json", "d/" * 40 + "x.json"]


@pytest.mark.parametrize("name", [*TAPES, "a.zip"])
def test_packed_members_are_unpacked(tmp_path: Path, name: str) -> None:
    pack = zipped if name == "a.zip" else tape
    whole = gzip.compress(b"[1]\n[2]\n")
    found = opened(pack(tmp_path / name, ("x.jsonl.gz", whole), ("y.json.gz", whole[:-9])))
    first, second = found.listing.files
    assert (first.suffix, read_bytes(first), read_bytes(first, start=4)) == (".jsonl", b"[1]\n[2]\n", b"[2]\n")
    assert "cut off" in (read_content(second).damage or "")


@pytest.mark.parametrize("name", [*TAPES, "a.zip"])
def test_a_member_beyond_the_limit_costs_itself(tmp_path: Path, name: str) -> None:
    pack = zipped if name == "a.zip" else tape
    path = pack(tmp_path / name, ("big.json", b" " * 2_000), ("small.json", b"{}"))
    found = opened(path, Limits(member_bytes=1_999))
    assert members(found) == ["small.json"]
    assert (problem(found).kind, problem(found).member) == (ProblemKind.LIMIT, "big.json")
    assert rows(found)["big.json"] is SourceState.PROBLEM
    assert members(opened(path, Limits(member_bytes=2_000))) == ["big.json", "small.json"]


def test_a_tape_of_zeros_is_given_up_and_what_lies_before_is_kept(tmp_path: Path) -> None:
    found = opened(tape(tmp_path / "a.tar.gz", ("a.json", b"{}"), ("z.txt", bytes(70 * 2**20)), ("b.json", b"{}")))
    assert members(found) == ["a.json"]
    assert (problem(found).kind, problem(found).member) == (ProblemKind.LIMIT, None)
    assert rows(found)[None] is SourceState.READ


@pytest.mark.parametrize("name", TAPES)
def test_a_tape_that_was_cut_off_keeps_what_lies_before(tmp_path: Path, name: str) -> None:
    path = tape(tmp_path / name, *((f"{n}.json", (f'["{n}",' + "1," * 40_000 + "2]").encode()) for n in range(4)))
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) * 5 // 8])
    found = opened(path)
    assert members(found)[:2] == ["0.json", "1.json"]
    assert read_content(found.listing.files[0]).damage is None
    assert (problem(found).kind, problem(found).member) == (ProblemKind.UNREADABLE, None)
    last = read_content(found.listing.files[-1])
    assert last.damage is not None
    assert last.data.startswith(b'["2"')


@pytest.mark.parametrize("name", TAPES)
def test_a_tape_without_its_end_is_told(tmp_path: Path, name: str) -> None:
    plain = tape(tmp_path / "plain.tar", ("a.json", b"{}")).read_bytes()[:1024]
    path = tmp_path / name
    path.write_bytes(plain if name == "a.tar" else gzip.compress(plain))
    found = opened(path)
    assert members(found) == ["a.json"]
    assert "no end mark" in problem(found).message


@pytest.mark.parametrize("name", [*TAPES, "a.zip"])
@pytest.mark.parametrize("data", [b"", b"{}", b"PK\3\4", b"\x1f\x8b", b"x" * 5_000])
def test_what_is_no_archive_is_one_problem(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    found = opened(tmp_path)
    assert (found.listing.files, rows(found)) == ([], {None: SourceState.PROBLEM})
    assert problem(found).kind is ProblemKind.UNREADABLE
    assert problem(found).message.endswith("restore the archive or pack it again")
    assert "\n" not in problem(found).message


def test_a_broken_header_ends_a_tape(tmp_path: Path) -> None:
    path = tape(tmp_path / "a.tar", ("a.json", b"{}"), ("b.json", b"{}"))
    data = bytearray(path.read_bytes())
    data[1024:1034] = b"xxxxxxxxxx"
    path.write_bytes(data)
    found = opened(path)
    assert members(found) == ["a.json"]
    assert "header at byte 1024" in problem(found).message


def test_a_header_that_claims_a_negative_size_ends_a_tape(tmp_path: Path) -> None:
    header = tarfile.TarInfo("a.json")
    block = bytearray(header.tobuf(tarfile.GNU_FORMAT))
    block[124:136] = b"\xff" * 11 + b"\0"
    block[148:156] = f"{sum(block[:148]) + sum(block[156:512]) + 256:06o}\0 ".encode()
    (tmp_path / "a.tar").write_bytes(bytes(block) + bytes(1024))
    found = opened(tmp_path)
    assert found.listing.files == []
    assert problem(found).kind is ProblemKind.UNREADABLE


def test_a_sparse_member_is_told(tmp_path: Path) -> None:
    header = header_of("s.json", tarfile.GNUTYPE_SPARSE)
    found = opened(tape(tmp_path / "a.tar", header, ("a.json", b"{}"), form=tarfile.GNU_FORMAT))
    assert members(found) == ["a.json"]
    assert "sparse" in problem(found).message


def test_encrypted_members_and_unknown_methods_are_told(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", ("a.json", b"{}"), ("b.json", b"{}"))
    data = bytearray(path.read_bytes())
    first = data.index(b"PK\1\2")
    data[first + 8] |= 1
    path.write_bytes(data)
    found = opened(path)
    assert members(found) == ["b.json"]
    assert "encrypted" in problem(found).message
    other = opened(zipped(tmp_path / "l.zip", ("a.json", b"{}" * 50), method=zipfile.ZIP_LZMA))
    assert "method 14" in problem(other).message


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_checksum_that_does_not_fit_spoils_a_member(tmp_path: Path, method: int) -> None:
    path = zipped(tmp_path / "a.zip", ("a.json", b'["told"]'), method=method)
    data = bytearray(path.read_bytes())
    directory = data.index(b"PK\1\2")
    data[directory + 16 : directory + 20] = b"\1\2\3\4"
    path.write_bytes(data)
    content = read_content(file_of(opened(path)))
    assert (content.data, content.damage) == (b"", "its checksum doesn't fit")


@pytest.mark.parametrize("streamed", [False, True])
def test_a_zip_without_its_directory_gives_what_it_still_has(tmp_path: Path, streamed: bool) -> None:  # noqa: FBT001
    """Also where sizes stand behind the members, as Java and pipes write them."""
    target = io.BytesIO()

    class Pipe(io.RawIOBase):
        def writable(self) -> bool:
            return True

        def write(self, data: bytes) -> int:  # type: ignore[override]
            return target.write(data)

    with zipfile.ZipFile(Pipe() if streamed else target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in "abc":
            archive.writestr(f"{name}.json", f'["{name}"]' * 400)
    whole = target.getvalue()
    assert bool(struct.unpack_from("<H", whole, 6)[0] & 8) is streamed
    path = tmp_path / "a.zip"
    path.write_bytes(whole[: whole.index(b"PK\1\2")])
    found = opened(path)
    assert members(found) == ["a.json", "b.json", "c.json"]
    assert [read_content(file).data for file in found.listing.files] == [f'["{n}"]'.encode() * 400 for n in "abc"]
    assert problem(found).kind is ProblemKind.UNREADABLE
    path.write_bytes(whole[: whole.rindex(b"PK\3\4") + 50])
    cut = opened(path).listing.files
    assert [read_content(file).data for file in cut[:2]] == [f'["{n}"]'.encode() * 400 for n in "ab"]


def test_an_archive_that_was_changed_is_told(tmp_path: Path) -> None:
    path = tape(tmp_path / "a.tar", ("a.json", b"{}"))
    file = file_of(opened(path))
    path.write_bytes(path.read_bytes() + bytes(512))
    with pytest.raises(OSError, match="changed while it was being read"):
        read_bytes(file)


def test_a_zip_of_zeros_without_its_directory_is_given_up(tmp_path: Path) -> None:
    packer = zlib.compressobj(wbits=-15)
    header = struct.pack("<4s5H3L2H", b"PK\3\4", 20, 8, zipfile.ZIP_DEFLATED, 0, 0, 0, 0, 0, 6, 0) + b"z.json"
    (tmp_path / "a.zip").write_bytes(header + packer.compress(bytes(70 * 2**20)) + packer.flush())
    assert problem(opened(tmp_path)).kind is ProblemKind.LIMIT


@given(st.data())
def test_no_damage_raises(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    folder = tmp_path_factory.mktemp("damaged")
    name = data.draw(st.sampled_from([*TAPES, "a.zip"]))
    pack = zipped if name == "a.zip" else tape
    members = [(f"d/{n}.jsonl", b'{"a": 1}\n' * 300 * n) for n in range(4)]
    whole = bytearray(pack(folder / name, *members).read_bytes())
    for place in data.draw(st.lists(st.integers(0, len(whole) - 1), max_size=8)):
        whole[place] = data.draw(st.integers(0, 255))
    begin, size = data.draw(st.integers(0, len(whole))), data.draw(st.integers(0, 600))
    del whole[begin : begin + size]
    (folder / name).write_bytes(whole)
    found = opened(folder)
    for file in found.listing.files:
        content = read_content(file)
        assert content.damage is not None or len(content.data) == file.size
    assert all(trouble.message.splitlines() == [trouble.message] for trouble in found.listing.problems)
