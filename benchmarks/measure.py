"""Measure how fast verdicts are read, interpreted and counted, as ratios to a flatten written by hand.

    python benchmarks/corpus.py FOLDER && python benchmarks/measure.py FOLDER [--repeats 3] [NAME ...]

Each measurement runs in a process of its own, on one core except where two workers read. The median of the repeats is
shown: records and megabytes a second of CPU time, and the peak memory of the process. Modules are compiled once and for
all, as those of an installed package are, and what is imported with the first corpus counts among the imports. How
much faster two workers are is told by wall time, and is worth little on a machine that has other things to do.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import by_hand as yardstick
import msgspec
import orjson

import verdict_frames as vf

if TYPE_CHECKING:
    from collections.abc import Callable

LINES, STORE, PARQUET = "verdicts.jsonl", "store", "parquet"
ENVIRONMENT = os.environ | {
    "PYTHONDONTWRITEBYTECODE": "",
    "PYTHONPYCACHEPREFIX": str(Path(tempfile.gettempdir(), "measured-bytecode")),
}


def parse(folder: Path, decode: Callable[[bytes], object]) -> int:
    """Parse each line and keep nothing."""
    with (folder / LINES).open("rb") as lines:
        return sum(1 for line in lines if decode(line))


def interpret(folder: Path) -> int:
    """Parse and interpret each line, summary included."""
    decode = msgspec.json.Decoder().decode
    with (folder / LINES).open("rb") as lines:
        return sum(1 for line in lines if vf.interpret(decode(line)))


def export(folder: Path) -> int:
    """Write a Parquet folder as the command line does."""
    with tempfile.TemporaryDirectory() as target:
        return vf.export_results(folder / STORE, target).item_count


def scan_and_count(folder: Path) -> int:
    """Count readings from the Parquet folder without reading the rest of it."""
    return int(vf.scan_parquet(folder / PARQUET).items.group_by("reading").len().collect()["len"].sum())


def read_and_tally(folder: Path) -> int:
    """Read the Parquet folder back whole, validated, and count by model."""
    return int(vf.tally(vf.read_parquet(folder / PARQUET), by="conditions.model")["total"].sum())


def read_by_two(folder: Path) -> int:
    """Read result files with two workers."""
    return vf.read_results(folder / STORE, workers=2).items.height


MEASURES: dict[str, Callable[[Path], int]] = {
    "parse, msgspec": lambda folder: parse(folder, msgspec.json.Decoder().decode),
    "parse, orjson": lambda folder: parse(folder, orjson.loads),
    "flatten by hand": lambda folder: yardstick.flatten(folder / LINES)["verdicts"].num_rows,
    "interpret": interpret,
    "read_results, JSON lines": lambda folder: vf.read_results(folder / LINES).items.height,
    "read_results, result files": lambda folder: vf.read_results(folder / STORE).items.height,
    "export": export,
    "read_parquet": lambda folder: vf.read_parquet(folder / PARQUET).items.height,
    "read_parquet and tally": read_and_tally,
    "scan_parquet and count": scan_and_count,
}
YARDSTICK = "flatten by hand"
BY_ONE, BY_TWO = "read_results, result files", "read_results, two workers"
WITH_WORKERS = {BY_TWO: read_by_two}


def peak_mb() -> float:
    """Peak memory of this process so far; unlike that of getrusage it knows nothing of the process that started it."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def run_here(name: str, folder: Path) -> dict[str, Any]:
    """Take one measurement in this process."""
    if hasattr(os, "sched_setaffinity") and name not in WITH_WORKERS:
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    vf.from_records([])
    before = peak_mb()
    began, started = time.perf_counter(), time.process_time()
    records = (MEASURES | WITH_WORKERS)[name](folder)
    seconds, wall = time.process_time() - started, time.perf_counter() - began
    return {"records": records, "seconds": seconds, "wall": wall, "peak_mb": peak_mb(), "imports_mb": before}


def run(name: str, folder: Path, repeats: int) -> dict[str, Any]:
    """Take one measurement several times, each in a process of its own; the median by time."""
    command = [sys.executable, __file__, str(folder), "--here", name]
    taken = []
    for _ in range(repeats):
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=ENVIRONMENT)  # noqa: S603
        taken.append(json.loads(done.stdout))
    median = statistics.median_low([one["seconds"] for one in taken])
    return next(one for one in taken if one["seconds"] == median)


def import_ratio(repeats: int) -> float:
    """How much more CPU time importing the package takes than importing polars and pyarrow."""
    seconds = {}
    for statement in ("import polars, pyarrow", "import verdict_frames"):
        runs = []
        for _ in range(2 * repeats + 1):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([sys.executable, "-c", statement], check=True, env=ENVIRONMENT)  # noqa: S603
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            runs.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        seconds[statement] = min(runs)
    return seconds["import verdict_frames"] / seconds["import polars, pyarrow"]


def gain_of_workers(folder: Path, repeats: int) -> float:
    """How many times faster two workers are than one process, taken in turns."""
    walls: dict[str, list[float]] = {BY_ONE: [], BY_TWO: []}
    for _ in range(repeats):
        for name, taken in walls.items():
            taken.append(run(name, folder, 1)["wall"])
    return min(walls[BY_ONE]) / min(walls[BY_TWO])


def main() -> None:
    """Read the arguments, measure, print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", choices=[[], *MEASURES])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--here", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.here is not None:
        print(json.dumps(run_here(arguments.here, arguments.folder)))
        return
    if not (arguments.folder / PARQUET).exists():
        vf.export_results(arguments.folder / STORE, arguments.folder / PARQUET)
    megabytes = (arguments.folder / LINES).stat().st_size / 1e6
    names = arguments.names or list(MEASURES)
    figures = {name: run(name, arguments.folder, arguments.repeats) for name in dict.fromkeys([YARDSTICK, *names])}
    rate = {name: one["records"] / one["seconds"] for name, one in figures.items()}
    print(f"{figures[YARDSTICK]['records']:,} verdicts, {megabytes:.0f} MB of JSON lines, one core\n")
    print("| | records/s | MB/s | of the yardstick | peak MB | of which imports |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for name in names:
        one = figures[name]
        speed = megabytes * rate[name] / one["records"]
        ratio = rate[name] / rate[YARDSTICK]
        memory = f"{one['peak_mb']:.0f} | {one['imports_mb']:.0f}"
        print(f"| {name} | {rate[name]:,.0f} | {speed:.0f} | {ratio:.2f} | {memory} |")
    print(f"\nimport verdict_frames takes {import_ratio(arguments.repeats):.2f} times importing polars and pyarrow")
    print(f"two workers are {gain_of_workers(arguments.folder, arguments.repeats):.2f} times as fast as one process")


if __name__ == "__main__":
    main()
