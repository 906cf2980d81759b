"""Worker processes that answer questions in the order in which they were asked.

Each worker has one question at a time and a pipe of its own, so that it is known which question a worker had that died,
and nothing waits for an answer that can't come.
"""

from __future__ import annotations

import multiprocessing
import signal
import sys
from collections import deque
from contextlib import contextmanager, suppress
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

import msgspec

from verdict_frames.errors import WorkerError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from multiprocessing.connection import Connection

Q = TypeVar("Q")
A = TypeVar("A")

_CONTEXT: Final = multiprocessing.get_context("spawn")
_ATTEMPTS: Final = 2
_AHEAD: Final = 3
_SECONDS_TO_END: Final = 5.0
_OUT_OF_MEMORY: Final = 12


class Answer(msgspec.Struct, Generic[A]):
    """What became of a question.

    Attributes:
        value: The answer; null where every worker that had the question died.
        deaths: How each worker ended that died over it, such as `killed by signal 9`.
    """

    value: A | None
    deaths: list[str]


class Workers:
    """Processes that are at work; `worker_processes` makes them."""

    def __init__(self) -> None:
        self.team: list[_Worker] = []

    def ask(self, function: Callable[[Q], A], questions: Iterable[Q]) -> Iterator[Answer[A]]:
        """Put a function to questions, and give the answers in the order of the questions.

        A question whose worker died goes to a new worker once more. Questions are taken a few ahead of the answer that
        is due and no more, so that answers don't pile up.

        Args:
            function: One that can be imported; questions and answers must be such that they can be pickled.
            questions: Taken one at a time.

        Raises:
            WorkerError: A worker ended before it had begun.
        """
        rest = iter(questions)
        open_ones: deque[_Question] = deque()
        waiting: deque[_Question] = deque()
        while True:
            while len(open_ones) < _AHEAD * len(self.team) and (new := next(rest, _NOTHING)) is not _NOTHING:
                waiting.append(_Question(function, new))
                open_ones.append(waiting[-1])
            if not open_ones:
                return
            for worker in self.team:
                if waiting and worker.question is None:
                    worker.ask(waiting.popleft())
            while open_ones and open_ones[0].is_settled:
                settled = open_ones.popleft()
                yield Answer(settled.value, settled.deaths)
            self._hear(waiting)

    def _hear(self, waiting: deque[_Question]) -> None:
        """Wait until a worker has answered or died, unless none has a question."""
        busy: dict[Any, int] = {
            worker.pipe: place for place, worker in enumerate(self.team) if worker.question is not None
        }
        for pipe in wait(list(busy)) if busy else ():
            worker = self.team[busy[pipe]]
            question = worker.question
            if worker.hear():
                continue
            self.team[busy[pipe]] = _Worker()
            if question is not None and not question.is_settled:
                waiting.appendleft(question)


@contextmanager
def worker_processes(count: int) -> Iterator[Workers]:
    """Run worker processes until the block is left, however it is; then none of them is left.

    They are started afresh (spawned), since a copy of a process with threads may hang. So a script must have its calls
    behind `if __name__ == "__main__":`, as with all of Python's worker processes.

    Args:
        count: How many.

    Raises:
        WorkerError: They can't be started.
    """
    workers = Workers()
    try:
        for _ in range(count):
            workers.team.append(_Worker())
        yield workers
    finally:
        for worker in workers.team:
            worker.end()


class _Question:
    """A question, and what has become of it so far."""

    def __init__(self, function: Callable[[Any], Any], content: object) -> None:
        self.function = function
        self.content = content
        self.value: Any = None
        self.is_settled = False
        self.deaths: list[str] = []

    def settle(self, value: object) -> None:
        self.value, self.is_settled = value, True

    def note_death(self, how: str) -> None:
        self.deaths.append(how)
        self.is_settled = len(self.deaths) == _ATTEMPTS


class _Worker:
    """One process, and our end of its pipe."""

    def __init__(self) -> None:
        self.question: _Question | None = None
        self.pipe, other_end = _CONTEXT.Pipe()
        self._has_begun = False
        self._process = _CONTEXT.Process(target=_serve, args=(other_end,), daemon=True)
        try:
            self._process.start()
        except (AssertionError, OSError, RuntimeError) as error:
            self.pipe.close()
            message = f"no worker process can be started ({' '.join(str(error).split())}); use workers=1"
            raise WorkerError(message) from error
        finally:
            other_end.close()

    def ask(self, question: _Question) -> None:
        self.question = question
        with suppress(OSError):  # it is dead then, which is heard when its answer is due
            self.pipe.send((question.function, question.content))

    def hear(self) -> bool:
        """Take in what the worker says; false where it has died, and then it is gone."""
        try:
            message = self.pipe.recv()
        except (EOFError, OSError):
            how = self._death()
            if not self._has_begun:
                message = (
                    f"a worker process {how} before it had begun; a script that reads with workers has its calls behind"
                    ' `if __name__ == "__main__":`, or use workers=1'
                )
                raise WorkerError(message) from None
            if self.question is not None:
                self.question.note_death(how)
            return False
        if not self._has_begun:
            self._has_begun = True
        elif self.question is not None:
            if isinstance(message, BaseException):
                raise message
            self.question.settle(message)
            self.question = None
        return True

    def end(self) -> None:
        """End the process, whatever it is at."""
        self.pipe.close()
        self._process.terminate()
        self._process.join(_SECONDS_TO_END)
        if self._process.exitcode is None:
            self._process.kill()
            self._process.join()

    def _death(self) -> str:
        """How the process has ended that has closed its end of the pipe."""
        self._process.join(_SECONDS_TO_END)
        code = self._process.exitcode
        self.end()
        if code == _OUT_OF_MEMORY:
            return "ran out of memory"
        return f"was killed by signal {-code}" if code is not None and code < 0 else f"ended with exit code {code}"


def _serve(pipe: Connection) -> None:
    """Answer questions until the other end is closed; the body of a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is for the process that has started this one
    with suppress(EOFError, OSError):  # nobody is there any more then
        pipe.send(None)
        while True:
            function, content = pipe.recv()
            try:
                answer = function(content)
            except MemoryError:
                sys.exit(_OUT_OF_MEMORY)
            except Exception as error:  # noqa: BLE001 - it is raised again where the question was asked
                answer = error
            pipe.send(answer)


_NOTHING: Final = object()
