"""Single Parquet files: written with fixed options, so that equal rows give equal bytes, and read with one schema."""

from __future__ import annotations

import filecmp
import io
import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from verdict_frames.errors import ParquetError, SchemaError, TargetError
from verdict_frames.frames.schemas.tables import SCHEMA_VERSION
from verdict_frames.frames.storage.layout import INTERPRETER_VERSION_KEY, SCHEMA_VERSION_KEY

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path
    from typing import BinaryIO

ROW_GROUP_ROWS: Final = 20_000
"""Rows of a row group; only the last of a file has fewer. As many are held in memory for each table of a run."""


class _Outlet(io.RawIOBase):
    """What the Parquet writer writes to: memory that is emptied into the file after each row group.

    So every write that can fail is ours, and a writer that is given up has nothing left to fail at.
    """

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._position = 0

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def write(self, data: Any) -> int:  # noqa: ANN401 - a buffer of any kind
        part = bytes(data)
        self._parts.append(part)
        self._position += len(part)
        return len(part)

    def drain(self) -> bytes:
        """Take out what has been written."""
        parts, self._parts = self._parts, []
        return b"".join(parts)


class FileWriter:
    """Writes one file, row group by row group.

    Args:
        path: Where; a file that is there is overwritten.
        schema: Columns of the file.
        metadata: What the file says about itself.

    Raises:
        TargetError: The file can't be written.
    """

    def __init__(self, path: Path, schema: pa.Schema, metadata: Mapping[bytes, bytes]) -> None:
        self.path = path
        self.row_count = 0
        self._schema = schema.with_metadata(dict(metadata))
        self._waiting: list[pa.RecordBatch] = []
        self._waiting_rows = 0
        self._outlet = _Outlet()
        self._parquet = pq.ParquetWriter(
            self._outlet,
            self._schema,
            version="2.6",
            compression="zstd",
            compression_level=3,
            use_dictionary=True,
            write_statistics=True,
            data_page_size=1 << 20,
            data_page_version="1.0",
            write_page_checksum=True,
        )
        with writing(path):
            self._file: BinaryIO = path.open("wb")

    def add(self, rows: pa.RecordBatch) -> None:
        """Add rows behind those that are there."""
        self.row_count += rows.num_rows
        self._waiting.append(rows)
        self._waiting_rows += rows.num_rows
        if self._waiting_rows >= ROW_GROUP_ROWS:
            waiting = pa.Table.from_batches(self._waiting)
            whole = self._waiting_rows - self._waiting_rows % ROW_GROUP_ROWS
            for start in range(0, whole, ROW_GROUP_ROWS):
                self._write_group(waiting.slice(start, ROW_GROUP_ROWS))
            self._waiting = waiting.slice(whole).to_batches()
            self._waiting_rows -= whole

    def close(self) -> None:
        """Write what is left. `sync` makes sure that the disk has it."""
        if self._waiting_rows:
            self._write_group(pa.Table.from_batches(self._waiting))
        self._parquet.close()
        with writing(self.path):
            self._drain()
            self._file.close()

    def abandon(self) -> None:
        """Let go of the file, however far it has come."""
        self._parquet.close()
        with suppress(OSError):  # what is still to be written fails as it did before
            self._file.close()

    def _write_group(self, rows: pa.Table) -> None:
        # one chunk a column: where chunks meet would show in the pages, and so in the bytes
        self._parquet.write_table(rows.combine_chunks(), row_group_size=ROW_GROUP_ROWS)
        with writing(self.path):
            self._drain()

    def _drain(self) -> None:
        self._file.write(self._outlet.drain())


def versions(interpreter_version: str) -> dict[bytes, bytes]:
    """What every file says about itself.

    Args:
        interpreter_version: Version of this package that interpreted the verdicts.
    """
    return {
        SCHEMA_VERSION_KEY: str(SCHEMA_VERSION).encode(),
        INTERPRETER_VERSION_KEY: interpreter_version.encode(),
    }


def put_in_place(beside: Path, place: Path) -> None:
    """Rename a finished file to where readers look.

    Args:
        beside: The finished file; it is gone afterwards.
        place: In the same file system; a file that is there is replaced.

    Raises:
        TargetError: It can't be renamed; what was there is still there.
    """
    with writing(place):
        beside.replace(place)


def remove(place: Path) -> None:
    """Remove a file.

    Raises:
        TargetError: It can't be removed.
    """
    with writing(place):
        place.unlink()


def is_same(one: Path, other: Path) -> bool:
    """Tell whether both files are there and hold the same bytes."""
    return one.exists() and other.exists() and filecmp.cmp(one, other, shallow=False)


def sync(path: Path) -> None:
    """Wait until the disk has a file, or the names in a folder, where the system can tell.

    Raises:
        TargetError: The disk reports a failure.
    """
    if os.name != "posix":
        return
    with writing(path):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn what the system refuses into one line that names the file."""
    try:
        yield
    except OSError as error:
        message = f"{path} can't be written: {error.strerror or error}; the runs that the folder shows are complete"
        raise TargetError(message) from error


def read_footer(path: Path) -> pq.FileMetaData:
    """Read what a file says about itself.

    Raises:
        ParquetError: The file is missing or damaged, or no file of ours.
        SchemaError: A newer version of this package wrote it, in a form that this one doesn't know.
    """
    try:
        footer = pq.read_metadata(path)
    except FileNotFoundError:
        message = f"{path} is missing; export again"
        raise ParquetError(message) from None
    except (OSError, pa.ArrowException) as error:
        message = f"{path} can't be read as Parquet, so it is damaged or cut off; export again ({_first_line(error)})"
        raise ParquetError(message) from error
    stated = (footer.metadata or {}).get(SCHEMA_VERSION_KEY, b"")
    if not stated.isdigit():
        message = f"{path} doesn't state its schema version, so it is no file that this package wrote; take it away"
        raise ParquetError(message)
    if int(stated) > SCHEMA_VERSION:
        writer = footer.metadata.get(INTERPRETER_VERSION_KEY, b"?").decode("utf-8", "replace")
        message = (
            f"{path} has schema version {int(stated)}, written by verdict_frames {writer}; this version reads up to "
            f"{SCHEMA_VERSION}: install a newer verdict_frames, or export again with this one to a new folder"
        )
        raise SchemaError(message)
    return footer


def schema_version(footer: pq.FileMetaData) -> int:
    """The schema version of a file that `read_footer` has let pass."""
    return int(footer.metadata[SCHEMA_VERSION_KEY])


def scan_files(files: list[Path], schema: Mapping[str, pl.DataType], *, older: bool) -> pl.LazyFrame:
    """Read files of one table as one lazy frame.

    Args:
        files: In the order of their rows; may be none.
        schema: Column → type; enums are strings in the files.
        older: Whether files may be of an older schema version: then columns that they lack are null, and columns that
            the table has no more are passed over.

    Returns:
        A frame with exactly these columns and types. What is wrong with the files shows when it is collected.
    """
    if not files:
        return pl.LazyFrame(schema=schema)
    enums = {name: dtype for name, dtype in schema.items() if isinstance(dtype, pl.Enum)}
    plain: dict[str, pl.DataType] = {**schema, **dict.fromkeys(enums, pl.String())}
    frame = pl.scan_parquet(
        files,
        schema=plain,
        missing_columns="insert" if older else "raise",
        extra_columns="ignore" if older else "raise",
        glob=False,
        hive_partitioning=False,
    )
    return frame.with_columns(pl.col(name).cast(dtype) for name, dtype in enums.items())


def scan_facts(files: list[Path], table: str) -> pl.LazyFrame:
    """Read the files of what was added to one table; columns that a file lacks are null.

    Args:
        files: In the order of their rows, at least one; `read_footer` has let them pass.
        table: Name of the table.

    Raises:
        SchemaError: A fact is of different types in two files.
    """
    alike: dict[tuple[tuple[str, pl.DataType], ...], list[Path]] = {}
    types: dict[str, tuple[pl.DataType, Path]] = {}
    for file in files:
        schema = pl.scan_parquet(file, glob=False, hive_partitioning=False).collect_schema()
        alike.setdefault(tuple(schema.items()), []).append(file)
        for name, dtype in schema.items():
            known, first = types.setdefault(name, (dtype, file))
            if known != dtype:
                message = f"{table}.{name} is of type {known} in {first} and of type {dtype} in {file}; export again"
                raise SchemaError(message)
    parts = [scan_files(part, dict(schema), older=False) for schema, part in alike.items()]
    return pl.concat(parts, how="diagonal")


def collect(frame: pl.LazyFrame, table: str, files: list[Path]) -> pl.DataFrame:
    """Collect what `scan_files` gave, naming the file when one can't be read.

    Raises:
        ParquetError: A file is missing or damaged, or doesn't hold the table's columns.
    """
    try:
        return frame.collect()
    except (pl.exceptions.PolarsError, OSError) as error:
        for file in files:
            read_footer(file)
            try:
                pq.read_table(file, partitioning=None)
            except (OSError, pa.ArrowException) as damage:
                message = f"{file} is damaged; export again ({_first_line(damage)})"
                raise ParquetError(message) from error
        places = str(files[0]) if len(files) == 1 else f"one of the {len(files)} files beside {files[0]}"
        message = f"{places} doesn't keep to the columns of {table}: {_first_line(error)}"
        raise ParquetError(message) from error


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
