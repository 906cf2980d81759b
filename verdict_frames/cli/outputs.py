"""Files that commands write: whole or not at all."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING

from verdict_frames.errors import TargetError

if TYPE_CHECKING:
    from collections.abc import Callable


def write_whole(target: str | Path, write: Callable[[Path], object], *, what: str) -> None:
    """Write a file beside its place, then rename it, so that what is there is always whole.

    Args:
        target: The file's place.
        write: Writes to the path that it is given, whose name ends as the place's does.
        what: What is written, for the message.

    Raises:
        TargetError: The file can't be written; what was there before still is.
    """
    place = Path(target)
    beside = place.parent / f".{secrets.token_hex(8)}.tmp{place.suffix}"
    try:
        try:
            write(beside)
            beside.replace(place)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        message = f"{place}: {what} can't be written: {error.strerror or error}"
        raise TargetError(message) from None


def write_text_whole(target: str | Path, text: str, *, what: str) -> None:
    """Write a text in UTF-8 with the line ends that it has, whole or not at all; see `write_whole`."""
    write_whole(target, lambda path: path.write_text(text, encoding="utf-8", newline=""), what=what)
