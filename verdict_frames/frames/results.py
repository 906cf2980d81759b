"""Result files in, a corpus out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verdict_frames.frames.assembly import assemble
from verdict_frames.frames.by_workers import batches_of
from verdict_frames.frames.flatten import Flattener
from verdict_frames.sources.reader import ResultFiles

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from verdict_frames.documents.limits import Limits
    from verdict_frames.frames.corpus import Corpus


def read_results(
    paths: str | Path | Iterable[str | Path],
    *,
    path_pattern: str | None = None,
    aliases: Mapping[str, str] | None = None,
    limits: Limits | None = None,
    progress: Callable[[int, int], None] | None = None,
    workers: int = 1,
) -> Corpus:
    """Read judged runs from files and interpret every verdict in them.

    Read are result files of every era, bare verdicts, and JSON lines of items or verdicts; also those packed by gzip,
    and in `.tar`, `.tar.gz`, `.tgz` and `.zip` archives, of which nothing is extracted. A run that several files hold
    is one run. What can't be read costs no more than itself: it has a row in `problems`, every file that was seen has
    one in `sources`, and the rest is there.

    Session, sweep and index files of a result store are read for what they say of runs. What they point at and isn't
    there, a session that is still running or has failed, and a sweep with unresolved variants are `problems` of kind
    `missing`. The nth run of a variant of an experiment, by session order, has `repeat` n from 1 on, see
    `verdict_frames.sources.repeats`.

    Args:
        paths: Files, folders (with all that is below them), archives and globs.
        path_pattern: Where in a path its facts stand, such as `{experiment}/{variant}/{repeat}.json`.
        aliases: Old name of a variant → the name that it has today; applied before repeats are numbered.
        limits: How much may come out of a packed file or a member of an archive; a gibibyte, and 200 bytes of each,
            where it isn't said.
        progress: Called with bytes done and bytes in all.
        workers: How many processes read, the result being the same; files and long files of JSON lines are divided
            among them. It pays from some tens of megabytes on. With more than one, a script must have its calls behind
            `if __name__ == "__main__":`. A worker that dies, for instance for want of memory, costs no more than what
            it had in hand, and that is tried once more; `problems` says so either way.

    Returns:
        A validated corpus, runs in the order of the paths that they were read from. It is empty when nothing could be
        read; `sources` and `problems` then say what was there.

    Raises:
        MissingPathError: A path doesn't exist, or a glob matches nothing; nothing is read then.
        PatternError: The pattern or a glob can't be used.
        ArgumentError: There is no path, one is neither text nor a path, the pattern is no text, or the aliases are no
            mapping of text to text.
        OptionError: There is to be less than one worker, or the aliases can't be followed.
        WorkerError: The worker processes can't be started.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "one.verdict.json").write_text('{"aggregated": {"status": "pass"}}')
        >>> read_results(folder).items.select("run_id", "reading", "reading_support").rows()
        [('one.verdict.json', 'ACCEPTED', 'UNDETERMINED')]
    """
    source = ResultFiles(paths, path_pattern=path_pattern, aliases=aliases, limits=limits, progress=progress)
    flattener = Flattener()
    return assemble(batches_of(source, flattener, workers), flattener, source)
