from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.frames.deadly import answer
from verdict_frames.errors import WorkerError
from verdict_frames.frames.processes import worker_processes

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are told by POSIX systems only")
ROOT = Path(__file__).parents[2]


def test_answers_come_in_the_order_of_the_questions_whatever_workers_die_of(tmp_path: Path) -> None:
    once = f"kill once:{tmp_path / 'seen'}"
    questions = ["a", "kill", "b", once, "exit:3", "memory", *"cdefgh"]
    with worker_processes(2) as team:
        answers = list(team.ask(answer, questions))
        assert len(multiprocessing.active_children()) == 2
    assert [one.value for one in answers] == [
        *("A", None, "B", once.upper(), None, None),
        *"CDEFGH",
    ]
    killed, left = "was killed by signal 9", "ended with exit code 3"
    deaths = [one.deaths for one in answers]
    assert deaths == [[], [killed] * 2, [], [killed], [left] * 2, ["ran out of memory"] * 2, *[[]] * 6]
    assert multiprocessing.active_children() == []


def test_an_error_of_a_worker_is_raised_where_it_was_asked_and_no_process_stays() -> None:
    with worker_processes(1) as team:
        answers = team.ask(answer, ["a", "wrong:this one"])
        assert next(answers).value == "A"
        with pytest.raises(ValueError, match="this one"):
            next(answers)
    assert multiprocessing.active_children() == []


def test_questions_are_taken_as_answers_are_and_no_process_stays_when_the_reader_is_interrupted() -> None:
    taken: list[int] = []

    def questions() -> object:
        for number in range(1_000):
            taken.append(number)
            yield str(number)

    def interrupted() -> None:
        with worker_processes(1) as team:
            for _ in team.ask(answer, questions()):  # type: ignore[arg-type]
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert 1 < len(taken) < 10
    assert multiprocessing.active_children() == []


SCRIPT = """
import sys
from pathlib import Path
from verdict_frames import read_results

def main():
    read_results(Path(sys.argv[1]), workers=2)
"""


def start(script: Path, *arguments: Path) -> subprocess.Popen[str]:
    """Run a script in a process group of its own."""
    return subprocess.Popen(
        [sys.executable, str(script), *map(str, arguments)],
        cwd=script.parent,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def assert_none_is_left(group: int) -> None:
    until = time.monotonic() + 30
    while time.monotonic() < until:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    pytest.fail("a process is left")


def test_a_script_without_a_guard_is_told_so_and_does_not_hang(tmp_path: Path) -> None:
    (tmp_path / "one.json").write_text('{"aggregated": {"status": "pass"}}')
    script = tmp_path / "unguarded.py"
    script.write_text(f"{SCRIPT}\nmain()\n")
    process = start(script, tmp_path)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 1
    assert 'behind `if __name__ == "__main__":`' in errors.splitlines()[-1]
    assert errors.splitlines()[-1].startswith(f"{WorkerError.__module__}.{WorkerError.__name__}: ")
    assert_none_is_left(process.pid)


def test_an_interrupt_from_the_terminal_leaves_no_process(tmp_path: Path) -> None:
    verdict = '{"aggregated": {"status": "pass", "reasoning": "' + "x" * 2_000 + '"}}\n'
    (tmp_path / "long.jsonl").write_text(verdict * 20_000)
    script = tmp_path / "guarded.py"
    at_work = tmp_path / "at work"
    progress = f"lambda done, whole: Path({str(at_work)!r}).touch()"
    guarded = SCRIPT.replace("workers=2", f"workers=2, progress={progress} ")
    script.write_text(f'{guarded}\nif __name__ == "__main__":\n    main()\n')
    process = start(script, tmp_path / "long.jsonl")
    while not at_work.exists():
        assert process.poll() is None
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=120)
    assert errors.splitlines()[-1] == "KeyboardInterrupt"
    assert_none_is_left(process.pid)
