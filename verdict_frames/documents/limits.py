"""How much may come out of an archive or a packed file before it is given up."""

from __future__ import annotations

from dataclasses import dataclass

from verdict_frames.errors import ArgumentError, OptionError


@dataclass(frozen=True, kw_only=True)
class Limits:
    """How much one packed file, or one member of an archive, may come to.

    What exceeds a limit costs no more than itself, and is a row of `problems` of kind `limit`.

    Attributes:
        member_bytes: Bytes of one member, or of one packed file, once unpacked; a member is held in memory as a whole.
        ratio: How many bytes may come out for each byte that goes in. It counts from 64 MiB on, below which nothing can
            do harm. JSON comes to some tens at most, zeros to a thousand.

    Raises:
        ArgumentError: A limit is no whole number.
        OptionError: A limit is less than one.

    Examples:
        >>> Limits(ratio=500)
        Limits(member_bytes=1073741824, ratio=500)
    """

    member_bytes: int = 2**30
    ratio: int = 200

    def __post_init__(self) -> None:
        for name in ("member_bytes", "ratio"):
            value: object = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int):
                message = f"the limit {name} is a whole number, not {type(value).__name__}"
                raise ArgumentError(message)
            if value < 1:
                message = f"{name}={value}: a limit of less than one lets nothing be read"
                raise OptionError(message)
